/**
 * Messages of one rank: receives that wait for a message, messages that wait for a receive, and requests. A message is taken in the order
 * in which it was sent; the clock says when it would have arrived.
 */
import { deviceNamed } from '../../../devices/devices.ts';
import { linkOf, peerLink } from '../../../devices/links.ts';
import type { CudaContext } from '../cuda-context.ts';
import { ProgramFault } from '../linux/errors.ts';
import { Exchange, type Message, type RankOptions } from './exchange.ts';

export const ANY = -1;

/** Who sent a message that was received, in ranks of the world. */
export interface Received {
  readonly source: number;
  readonly tag: number;
  readonly bytes: number;
}

export interface Request {
  /** For words about what is waited for. */
  readonly what: string;
  done: boolean;
  /** When it was. */
  endNs: number;
  received?: Received;
}

export interface Wanted {
  readonly context: number;
  /** Rank of the world, or ANY. */
  readonly from: number;
  readonly tag: number;
}

interface Receive extends Wanted {
  readonly into: (bytes: Uint8Array) => void;
  readonly device: string | undefined;
  readonly postedNs: number;
  readonly request: Request;
}

/*
 * Rules of thumb for ranks on one machine: messages go through shared memory between hosts, and over the links between devices, whose rates
 * devices/links.ts has.
 */
const HOST_LATENCY_NS = 500;
const DEVICE_LATENCY_NS = 10_000;
const HOST_BYTES_PER_NS = 10;
/** Larger ones leave their sender when they are received: what libraries do from about here on, and why two such sends can wait for each other. */
const MOST_EAGER_BYTES = 65_536;

export class Messages {
  readonly #exchange: Exchange;
  readonly #context: CudaContext;
  readonly #rank: number;
  readonly #receives: Receive[] = [];
  readonly #waiting: Message[] = [];
  /** Sends that wait for their receivers, by number. */
  readonly #sends = new Map<number, Request>();
  #sent = 0;

  constructor(context: CudaContext, options: RankOptions) {
    this.#context = context;
    this.#exchange = new Exchange(options);
    this.#rank = options.rank;
  }

  get nowNs(): number {
    return this.#context.clock.host.nowNs;
  }

  abort(): void {
    this.#exchange.abort();
  }

  /** `data`: read now. `arrivesNs`: where the call knows better when. */
  send(
    to: { readonly rank: number; readonly context: number; readonly tag: number },
    data: { readonly bytes: Uint8Array; readonly device?: string },
    how: { readonly what: string; readonly synchronous?: boolean; readonly buffered?: boolean; readonly arrivesNs?: number },
  ): Request {
    const { bytes, device } = data;
    const waits = how.synchronous === true || (bytes.length > MOST_EAGER_BYTES && how.buffered !== true);
    // The host copies what it need not wait for.
    if (!waits && device === undefined && how.arrivesNs === undefined) this.#context.clock.host.spend(bytes.length / HOST_BYTES_PER_NS);
    const request: Request = { what: how.what, done: !waits, endNs: this.nowNs };
    const number = this.#sent++;
    if (waits) this.#sends.set(number, request);
    const { rank, context, tag } = to;
    const message = { kind: 'data', from: this.#rank, to: rank, context, tag, number, ns: this.nowNs, waits } as const;
    const { arrivesNs } = how;
    this.#exchange.post({ ...message, ...(device !== undefined && { device }), ...(arrivesNs !== undefined && { arrivesNs }), bytes });
    return request;
  }

  receive(wanted: Wanted, into: { readonly write: (bytes: Uint8Array) => void; readonly device?: string }, what: string): Request {
    const request: Request = { what, done: false, endNs: 0 };
    const receive: Receive = { ...wanted, into: into.write, device: into.device, postedNs: this.nowNs, request };
    this.#look();
    const at = this.#waiting.findIndex((message) => fits(receive, message));
    if (at >= 0) this.#complete(receive, this.#waiting.splice(at, 1)[0]);
    else this.#receives.push(receive);
    return request;
  }

  /** Waits until all are done; MPI_SUCCESS. */
  wait(requests: readonly Request[]): number {
    this.#until(
      () => requests.every(({ done }) => done),
      () => requests.find(({ done }) => !done)!.what,
    );
    for (const { endNs } of requests) this.#context.clock.host.waitUntil(endNs);
    return 0;
  }

  /** Waits until one is, and says which. */
  waitForAny(requests: readonly (Request | undefined)[]): number {
    const isDone = () => requests.some((each) => each?.done);
    this.#until(isDone, () => requests.find((each) => each)!.what);
    let first = -1;
    requests.forEach((each, index) => {
      if (each?.done && (first < 0 || each.endNs < requests[first]!.endNs)) first = index;
    });
    this.#context.clock.host.waitUntil(requests[first]!.endNs);
    return first;
  }

  /** Whether a request is done now; if not, others go on. */
  test(request: Request): boolean {
    this.#look();
    if (!request.done) this.#exchange.pass();
    return request.done && request.endNs <= this.nowNs;
  }

  /** The first message that fits and has not been received; it stays. `what`: to wait for it. */
  probe(wanted: Wanted, what: string | undefined): Received | undefined {
    const find = () => this.#waiting.find((message) => fits(wanted, message));
    this.#look();
    if (what !== undefined)
      this.#until(
        () => find() !== undefined,
        () => what,
      );
    else if (!find()) this.#exchange.pass();
    const message = find();
    if (!message) return undefined;
    const arrivesNs = message.arrivesNs ?? message.ns + HOST_LATENCY_NS;
    if (what !== undefined) this.#context.clock.host.waitUntil(arrivesNs);
    return arrivesNs <= this.nowNs ? receivedOf(message) : undefined;
  }

  #until(isDone: () => boolean, what: () => string): void {
    this.#look();
    let waited = false;
    while (!isDone()) {
      this.#exchange.pass(what());
      waited = true;
      this.#look();
    }
    if (waited) this.#exchange.progress();
  }

  /** Takes what has come. */
  #look(): void {
    for (const message of this.#exchange.take()) {
      if (message.kind === 'taken') {
        const request = this.#sends.get(message.number)!;
        this.#sends.delete(message.number);
        Object.assign(request, { done: true, endNs: message.ns });
        continue;
      }
      const at = this.#receives.findIndex((receive) => fits(receive, message));
      if (at >= 0) this.#complete(this.#receives.splice(at, 1)[0], message);
      else this.#waiting.push(message);
    }
  }

  #complete({ request, into, device, postedNs }: Receive, message: Message): void {
    const { bytes, waits, from, number } = message;
    const startNs = waits ? Math.max(message.ns, postedNs) : message.ns;
    const endNs = message.arrivesNs ?? startNs + transferNs(message.device, device, bytes.length);
    into(bytes);
    Object.assign(request, { done: true, endNs, received: receivedOf(message) });
    if (!waits) return;
    const empty = { context: 0, tag: 0, waits: false, bytes: new Uint8Array() };
    this.#exchange.post({ kind: 'taken', from: this.#rank, to: from, number, ns: endNs, ...empty });
  }
}

function fits({ context, from, tag }: Wanted, message: Message): boolean {
  return message.context === context && (from === ANY || from === message.from) && (tag === ANY || tag === message.tag);
}

function receivedOf({ from, tag, bytes }: Message): Received {
  return { source: from, tag, bytes: bytes.length };
}

/** Between ranks of one machine; `from`, `to`: devices that have the data, undefined for hosts. */
export function transferNs(from: string | undefined, to: string | undefined, bytes: number): number {
  const [a, b] = [from, to].map((id) => (id === undefined ? undefined : deviceNamed(id)));
  if (!a && !b) return HOST_LATENCY_NS + bytes / HOST_BYTES_PER_NS;
  const bytesPerNs = a && b ? peerLink(a, b).bytesPerNs : linkOf((a ?? b)!).hostBytesPerNs;
  return DEVICE_LATENCY_NS + bytes / bytesPerNs;
}

/** A mistake after which a library would end the program. */
export function misuse(call: string, text: string): ProgramFault {
  return new ProgramFault('host-fault', `${call}: ${text}`);
}
