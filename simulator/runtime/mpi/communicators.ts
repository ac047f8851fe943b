/** Communicators of one rank: which ranks of the world belong to each, and their collectives, which are made of messages. */
import { ANY, type Messages, misuse, type Received, transferNs } from './messages.ts';

export interface Communicator {
  /** Messages of each have numbers of their own; those of its collectives the next one. */
  readonly context: number;
  /** In its order: ranks of the world. */
  readonly members: readonly number[];
  /** This rank's place. */
  readonly rank: number;
  /** Collectives so far: all ranks count alike. */
  collectives: number;
}

export const WORLD = 1;
export const SELF = 2;
const UNDEFINED = -32766;

export class Communicators {
  readonly #known = new Map<number, Communicator>();
  readonly #messages: Messages;
  #next = 3;
  /** Contexts that are taken: the same in all ranks, which split and copy in one order. */
  #contexts = 4;

  constructor(messages: Messages, { rank, ranks }: { readonly rank: number; readonly ranks: number }) {
    this.#messages = messages;
    this.#known.set(WORLD, { context: 0, members: Array.from({ length: ranks }, (_, each) => each), rank, collectives: 0 });
    this.#known.set(SELF, { context: 2, members: [rank], rank: 0, collectives: 0 });
  }

  get(call: string, handle: number): Communicator {
    const known = this.#known.get(handle);
    if (!known) throw misuse(call, `${handle} is no communicator`);
    return known;
  }

  free(handle: number): void {
    this.#known.delete(handle);
  }

  /** Ranks of one colour, by key, then rank; 0 for those without a colour. */
  split(call: string, handle: number, colour: number, key: number): number {
    const from = this.get(call, handle);
    const own = new Uint8Array(Int32Array.of(colour, key, this.#contexts).buffer);
    const all = this.gather(call, from, own).map((bytes) => new Int32Array(bytes.slice().buffer));
    const colours = [...new Set(all.map(([each]) => each))].filter((each) => each !== UNDEFINED).sort((a, b) => a - b);
    const first = Math.max(...all.map(([, , contexts]) => contexts));
    this.#contexts = first + 2 * Math.max(1, colours.length);
    if (colour === UNDEFINED) return 0;
    const places = all.flatMap(([each, order], place) => (each === colour ? [{ order, place }] : []));
    const members = places.sort((a, b) => a.order - b.order || a.place - b.place).map(({ place }) => from.members[place]);
    const communicator = {
      context: first + 2 * colours.indexOf(colour),
      members,
      rank: members.indexOf(from.members[from.rank]),
      collectives: 0,
    };
    this.#known.set(this.#next, communicator);
    return this.#next++;
  }

  /** What each rank has, to all; in the order of ranks. All leave together. */
  gather(call: string, comm: Communicator, own: Uint8Array, device?: string): readonly Uint8Array[] {
    const all = this.collect(call, comm, { own, root: 0 });
    const sizes = all?.map(({ length }) => length) ?? [];
    const joined = all ? joinedBytes(all) : undefined;
    const head = new Int32Array(comm.members.length);
    head.set(sizes);
    const result = this.distribute(call, comm, { root: 0, bytes: joined && joinedBytes([new Uint8Array(head.buffer), joined]), device });
    const lengths = new Int32Array(result.slice(0, 4 * comm.members.length).buffer);
    let at = 4 * comm.members.length;
    return [...lengths].map((length) => {
      at += length;
      return result.slice(at - length, at);
    });
  }

  /** What each rank has, at the root, in the order of ranks; undefined elsewhere. */
  collect(
    call: string,
    comm: Communicator,
    { own, root, device }: { readonly own: Uint8Array; readonly root: number; readonly device?: string },
  ): readonly Uint8Array[] | undefined {
    const tag = comm.collectives++;
    const context = comm.context + 1;
    if (comm.rank !== root) {
      const what = { what: waiting(call, comm), buffered: true };
      this.#messages.send({ rank: comm.members[root], context, tag }, { bytes: own, device }, what);
      return undefined;
    }
    const all: Uint8Array[] = comm.members.map(() => own);
    const requests = comm.members.flatMap((from, place) => {
      if (place === root) return [];
      const write = (bytes: Uint8Array) => {
        all[place] = bytes;
      };
      return [this.#messages.receive({ context, from, tag }, { write, device }, waiting(call, comm))];
    });
    this.#messages.wait(requests);
    return all;
  }

  /** The root's bytes to all, along a tree: every doubling takes as long as one message. */
  distribute(
    call: string,
    comm: Communicator,
    { root, bytes, device }: { readonly root: number; readonly bytes: Uint8Array | undefined; readonly device?: string },
  ): Uint8Array {
    const tag = comm.collectives++;
    const context = comm.context + 1;
    if (comm.rank === root) {
      const arrivesNs = this.#messages.nowNs + Math.ceil(Math.log2(comm.members.length)) * transferNs(device, device, bytes!.length);
      for (const rank of comm.members) {
        if (rank === comm.members[root]) continue;
        this.#messages.send({ rank, context, tag }, { bytes: bytes!, device }, { what: waiting(call, comm), buffered: true, arrivesNs });
      }
      return bytes!;
    }
    return this.receiveOne(call, comm, { from: comm.members[root], tag, device });
  }

  /** A different piece to each rank. */
  spread(
    call: string,
    comm: Communicator,
    { root, pieces, device }: { readonly root: number; readonly pieces: readonly Uint8Array[] | undefined; readonly device?: string },
  ): Uint8Array {
    const tag = comm.collectives++;
    if (comm.rank !== root) return this.receiveOne(call, comm, { from: comm.members[root], tag, device });
    comm.members.forEach((rank, place) => {
      if (place === root) return;
      const to = { rank, context: comm.context + 1, tag };
      this.#messages.send(to, { bytes: pieces![place], device }, { what: waiting(call, comm), buffered: true });
    });
    return pieces![root];
  }

  receiveOne(call: string, comm: Communicator, { from, tag, device }: { from: number; tag: number; device?: string }): Uint8Array {
    let received: Uint8Array | undefined;
    const write = (bytes: Uint8Array) => {
      received = bytes;
    };
    this.#messages.wait([this.#messages.receive({ context: comm.context + 1, from, tag }, { write, device }, waiting(call, comm))]);
    return received!;
  }

  /** Rank of a communicator, for a rank of the world. */
  static place({ members }: Communicator, { source }: Received): number {
    return members.indexOf(source);
  }
}

function waiting(call: string, { members }: Communicator): string {
  return `in ${call} for ${members.length === 2 ? 'the other rank' : 'all ranks'} of the communicator`;
}

export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** Rank of the world, for one of a communicator; ANY stays. */
export function memberOf(call: string, { members }: Communicator, rank: number): number {
  if (rank === ANY) return ANY;
  if (rank < 0 || rank >= members.length) throw misuse(call, `rank ${rank} is not among the ${members.length} of the communicator`);
  return members[rank];
}
