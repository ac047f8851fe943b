/** The functions of mpi.h. Their ranks are told apart by `RankOptions`; a program by itself is the only rank. */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { ProgramExit } from '../linux/errors.ts';
import { Communicators, memberOf, SELF, WORLD } from './communicators.ts';
import { type RankOptions, sharedExchange } from './exchange.ts';
import { Messages, misuse, type Received, type Request } from './messages.ts';
import { combine, typeBytes } from './reductions.ts';

const PROC_NULL = -2;
const UNDEFINED = -32766;
const IN_PLACE = -1;
/** MPI_THREAD_SERIALIZED: threads of a rank run one after the other. */
const THREADS = 2;

export function mpiFunctions(context: CudaContext, options: RankOptions | undefined): Functions {
  const state = { begun: false };
  let mpi: Mpi | undefined;
  const own = (): Mpi => {
    mpi ??= new Mpi(context, options ?? { rank: 0, ranks: 1, shared: sharedExchange(1) });
    return mpi;
  };
  const functions = { ...environment(context, state, own), ...messageFunctions(context, own), ...collectiveFunctions(own) };
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]) => [
      name,
      (...args: number[]) => {
        if (!state.begun && !/^MPI_(Init|Fin|Wti)/.test(name)) throw misuse(name, 'MPI_Init comes first');
        let result: number | undefined;
        context.clock.call(name, () => {
          result = run(...args);
          return 0;
        });
        return result;
      },
    ]),
  );
}

class Mpi {
  readonly messages: Messages;
  readonly communicators: Communicators;
  readonly #requests = new Map<number, Request>();
  #next = 1;

  constructor(
    readonly context: CudaContext,
    options: RankOptions,
  ) {
    this.messages = new Messages(context, options);
    this.communicators = new Communicators(this.messages, options);
  }

  keep(request: Request): number {
    this.#requests.set(this.#next, request);
    return this.#next++;
  }

  request(call: string, handle: number): Request {
    const request = this.#requests.get(handle);
    if (!request) throw misuse(call, `${handle} is no request that is under way`);
    return request;
  }

  /** Forgets it, and makes the program's variable null. */
  over(at: number): void {
    this.#requests.delete(this.context.host.u32(at));
    this.context.host.setU32(at, 0);
  }

  /** The program's bytes, and the device that has them. */
  read(call: string, address: number, bytes: number): { readonly bytes: Uint8Array; readonly device?: string } {
    const place = this.#place(call, address, bytes);
    return { bytes: place.bytes.slice(), ...(place.device !== undefined && { device: place.device }) };
  }

  into(call: string, address: number, bytes: number) {
    const place = this.#place(call, address, bytes);
    const write = (from: Uint8Array): void => {
      if (from.length > bytes) throw misuse(call, `a message of ${from.length} bytes came for a buffer of ${bytes}`);
      if (from.length > 0) this.write(call, address, from);
    };
    return { write, ...(place.device !== undefined && { device: place.device }) };
  }

  /** One behind the other, as many bytes apart as a piece has. */
  writeAll(call: string, { into, piece }: { readonly into: number; readonly piece: number }, all: readonly Uint8Array[]): void {
    for (const [index, from] of all.entries()) this.into(call, into + piece * index, piece).write(from);
  }

  write(call: string, address: number, from: Uint8Array): void {
    const { onDevice, bytes } = this.#place(call, address, from.length);
    if (onDevice) this.context.memory.write(address, from);
    else bytes.set(from);
  }

  #place(call: string, address: number, sizeBytes: number) {
    const place = sizeBytes === 0 ? undefined : this.context.locate(address, sizeBytes, 'either');
    if (!place && sizeBytes > 0) {
      const where = `0x${(address >>> 0).toString(16)}`;
      throw misuse(call, `${sizeBytes} bytes at ${where} are no memory of the program's`);
    }
    const device = place?.end.at === 'device' ? this.context.devices[place.end.device].profile.id : undefined;
    return { bytes: place?.bytes ?? new Uint8Array(), onDevice: place?.side === 'device', device };
  }

  status(at: number, received: Received | undefined, place: number): void {
    if (at === 0) return;
    const { host } = this.context;
    for (const [index, value] of [place, received?.tag ?? -1, 0, received?.bytes ?? 0].entries()) host.setU32(at + 4 * index, value >>> 0);
  }
}

function environment({ host, clock }: CudaContext, state: { begun: boolean }, own: () => Mpi): Functions {
  let ended = false;
  const begin = () => {
    state.begun = true;
    own();
    return 0;
  };
  const text = (value: string, at: number, length: number): number => {
    const bytes = new TextEncoder().encode(`${value}\0`);
    host.write(at, bytes);
    host.setU32(length, bytes.length - 1);
    return 0;
  };
  const set = (at: number, value: number): number => {
    host.setU32(at, value >>> 0);
    return 0;
  };
  const seconds = () => {
    const [whole, nanoseconds] = clock.host.read('monotonic');
    return whole + nanoseconds / 1e9;
  };
  const communicators = () => own().communicators;
  return {
    MPI_Init: begin,
    MPI_Init_thread: (_argc, _argv, _required, provided) => begin() + set(provided, THREADS),
    MPI_Initialized: (flag) => set(flag, state.begun ? 1 : 0),
    MPI_Finalize: () => {
      barrier(own(), 'MPI_Finalize', WORLD);
      ended = true;
      return 0;
    },
    MPI_Finalized: (flag) => set(flag, ended ? 1 : 0),
    MPI_Abort: (_comm, code) => {
      own().messages.abort();
      throw new ProgramExit(code & 255);
    },
    MPI_Get_processor_name: (name, length) => text('lanewise', name, length),
    MPI_Error_string: (code, at, length) => text(code === 0 ? 'MPI_SUCCESS: no errors' : 'MPI error', at, length),
    MPI_Wtime: seconds,
    MPI_Wtick: () => 1e-9,
    MPI_Comm_rank: (comm, rank) => set(rank, communicators().get('MPI_Comm_rank', comm).rank),
    MPI_Comm_size: (comm, size) => set(size, communicators().get('MPI_Comm_size', comm).members.length),
    MPI_Comm_split: (comm, colour, key, out) => set(out, communicators().split('MPI_Comm_split', comm, colour | 0, key | 0)),
    // All ranks are on one machine.
    MPI_Comm_split_type: (comm, type, key, _info, out) =>
      set(out, communicators().split('MPI_Comm_split_type', comm, (type | 0) === UNDEFINED ? UNDEFINED : 0, key | 0)),
    MPI_Comm_dup: (comm, out) => set(out, communicators().split('MPI_Comm_dup', comm, 0, 0)),
    MPI_Comm_free: (at) => {
      if (![WORLD, SELF].includes(host.u32(at))) own().communicators.free(host.u32(at));
      return set(at, 0);
    },
    MPI_Type_size: (type, size) => set(size, typeBytes('MPI_Type_size', type)),
    MPI_Get_count: (status, type, count) => {
      const size = typeBytes('MPI_Get_count', type);
      const bytes = host.u32(status + 12);
      return set(count, bytes % size === 0 ? bytes / size : UNDEFINED);
    },
  };
}

/** A message to nobody, or from nobody, is over at once. */
const nothing = (nowNs: number): Request => ({ what: '', done: true, endNs: nowNs, received: { source: PROC_NULL, tag: -1, bytes: 0 } });

/** What the functions for messages share. */
function pointToPoint({ host }: CudaContext, own: () => Mpi) {
  const send = (call: string, [data, count, type, to, tag, comm]: readonly number[], synchronous = false): Request => {
    const { messages, communicators } = own();
    if ((to | 0) === PROC_NULL) return nothing(messages.nowNs);
    const communicator = communicators.get(call, comm);
    const rank = memberOf(call, communicator, to | 0);
    if ((tag | 0) < 0) throw misuse(call, `tag ${tag | 0} is negative`);
    const what = `in ${call} for rank ${to} to receive tag ${tag}`;
    return messages.send({ rank, context: communicator.context, tag }, own().read(call, data, count * typeBytes(call, type)), {
      what,
      synchronous,
    });
  };
  const wantedBy = (call: string, [from, tag, comm]: readonly number[]) => {
    const communicator = own().communicators.get(call, comm);
    const source = (from | 0) === -1 ? 'any rank' : `rank ${from}`;
    const what = `in ${call} for a message from ${source} with ${(tag | 0) === -1 ? 'any tag' : `tag ${tag}`}`;
    return { what, wanted: { context: communicator.context, from: memberOf(call, communicator, from | 0), tag: tag | 0 } };
  };
  const receive = (call: string, [data, count, type, from, tag, comm]: readonly number[]): Request => {
    if ((from | 0) === PROC_NULL) return nothing(own().messages.nowNs);
    const { what, wanted } = wantedBy(call, [from, tag, comm]);
    return own().messages.receive(wanted, own().into(call, data, count * typeBytes(call, type)), what);
  };
  const status = (at: number, { received }: Request, comm = WORLD) => {
    const communicator = own().communicators.get('MPI_Status', comm);
    own().status(at, received, received && received.source >= 0 ? Communicators.place(communicator, received) : PROC_NULL);
  };
  /** By request: the communicator that its status speaks of. */
  const comms = new WeakMap<Request, number>();
  const keep = (request: Request, at: number, comm: number): number => {
    comms.set(request, comm);
    host.setU32(at, own().keep(request));
    return 0;
  };
  const conclude = (request: Request, at: number, statusAt: number): void => {
    status(statusAt, request, comms.get(request));
    own().over(at);
  };
  const isNull = (at: number): boolean => host.u32(at) === 0;
  return { send, receive, wantedBy, status, keep, conclude, isNull };
}

type PointToPoint = ReturnType<typeof pointToPoint>;

function messageFunctions(context: CudaContext, own: () => Mpi): Functions {
  const calls = pointToPoint(context, own);
  return { ...blockingFunctions(calls, own), ...requestFunctions(context, calls, own), ...probeFunctions(context, calls, own) };
}

function blockingFunctions({ send, receive, status }: PointToPoint, own: () => Mpi): Functions {
  return {
    MPI_Send: (...args) => own().messages.wait([send('MPI_Send', args)]),
    MPI_Ssend: (...args) => own().messages.wait([send('MPI_Ssend', args, true)]),
    MPI_Recv: (...args) => {
      const request = receive('MPI_Recv', args);
      own().messages.wait([request]);
      status(args[6], request, args[5]);
      return 0;
    },
    MPI_Sendrecv: (data, count, type, to, tag, into, most, intoType, from, intoTag, comm, statusAt) => {
      const received = receive('MPI_Sendrecv', [into, most, intoType, from, intoTag, comm]);
      own().messages.wait([send('MPI_Sendrecv', [data, count, type, to, tag, comm]), received]);
      status(statusAt, received, comm);
      return 0;
    },
  };
}

function requestFunctions({ host }: CudaContext, { send, receive, keep, conclude, isNull }: PointToPoint, own: () => Mpi): Functions {
  /** Indices of requests that are none of MPI_REQUEST_NULL. */
  const underWay = (call: string, count: number, requestsAt: number): number[] => {
    if ((count | 0) < 0) throw misuse(call, `${count | 0} is no number of requests`);
    // A wild count ends beyond memory.
    if (count > 0) host.u32(requestsAt + 4 * (count - 1));
    const found: number[] = [];
    for (let index = 0; index < count; index++) if (!isNull(requestsAt + 4 * index)) found.push(index);
    return found;
  };
  return {
    MPI_Isend: (...args) => keep(send('MPI_Isend', args), args[6], args[5]),
    MPI_Irecv: (...args) => keep(receive('MPI_Irecv', args), args[6], args[5]),
    MPI_Wait: (at, statusAt) => {
      if (isNull(at)) return 0;
      const request = own().request('MPI_Wait', host.u32(at));
      own().messages.wait([request]);
      conclude(request, at, statusAt);
      return 0;
    },
    MPI_Waitall: (count, requestsAt, statusesAt) => {
      const places = underWay('MPI_Waitall', count, requestsAt);
      const requests = places.map((index) => own().request('MPI_Waitall', host.u32(requestsAt + 4 * index)));
      own().messages.wait(requests);
      for (const [k, index] of places.entries()) conclude(requests[k], requestsAt + 4 * index, statusesAt && statusesAt + 16 * index);
      return 0;
    },
    MPI_Waitany: (count, requestsAt, indexAt, statusAt) => {
      const requests: (Request | undefined)[] = [];
      for (const index of underWay('MPI_Waitany', count, requestsAt))
        requests[index] = own().request('MPI_Waitany', host.u32(requestsAt + 4 * index));
      const index = requests.length === 0 ? UNDEFINED : own().messages.waitForAny(requests);
      host.setU32(indexAt, index >>> 0);
      if (index >= 0) conclude(requests[index]!, requestsAt + 4 * index, statusAt);
      return 0;
    },
    MPI_Test: (at, flag, statusAt) => {
      const request = isNull(at) ? undefined : own().request('MPI_Test', host.u32(at));
      const done = !request || own().messages.test(request);
      host.setU32(flag, done ? 1 : 0);
      if (request && done) conclude(request, at, statusAt);
      return 0;
    },
  };
}

function probeFunctions({ host }: CudaContext, { wantedBy, status }: PointToPoint, own: () => Mpi): Functions {
  return {
    MPI_Probe: (from, tag, comm, statusAt) => {
      const { what, wanted } = wantedBy('MPI_Probe', [from, tag, comm]);
      status(statusAt, { what, done: true, endNs: 0, received: own().messages.probe(wanted, what) }, comm);
      return 0;
    },
    MPI_Iprobe: (from, tag, comm, flag, statusAt) => {
      const { what, wanted } = wantedBy('MPI_Iprobe', [from, tag, comm]);
      const received = own().messages.probe(wanted, undefined);
      host.setU32(flag, received ? 1 : 0);
      if (received) status(statusAt, { what, done: true, endNs: 0, received }, comm);
      return 0;
    },
  };
}

function barrier({ communicators }: Mpi, call: string, comm: number): number {
  communicators.gather(call, communicators.get(call, comm), new Uint8Array());
  return 0;
}

function collectiveFunctions(own: () => Mpi): Functions {
  const rooted = (call: string, comm: number, root: number) => {
    const communicator = own().communicators.get(call, comm);
    memberOf(call, communicator, root < 0 ? communicator.members.length : root);
    return communicator;
  };
  /** What each rank has, combined in the order of ranks. */
  const reduced = (call: string, pieces: readonly Uint8Array[], how: { readonly type: number; readonly operation: number }) =>
    pieces.reduce((a, b) => combine(call, how, a, b));
  const source = (data: number, result: number): number => (data === IN_PLACE ? result : data);
  return {
    MPI_Barrier: (comm) => barrier(own(), 'MPI_Barrier', comm),
    MPI_Bcast: (data, count, type, root, comm) => {
      const communicator = rooted('MPI_Bcast', comm, root | 0);
      const { bytes, device } = own().read('MPI_Bcast', data, count * typeBytes('MPI_Bcast', type));
      const sent = own().communicators.distribute('MPI_Bcast', communicator, { root, bytes, device });
      if (communicator.rank !== root) own().into('MPI_Bcast', data, bytes.length).write(sent);
      return 0;
    },
    MPI_Reduce: (data, result, count, type, operation, root, comm) => {
      const communicator = rooted('MPI_Reduce', comm, root | 0);
      const { bytes, device } = own().read('MPI_Reduce', source(data, result), count * typeBytes('MPI_Reduce', type));
      const all = own().communicators.collect('MPI_Reduce', communicator, { own: bytes, root, device });
      if (all) own().write('MPI_Reduce', result, reduced('MPI_Reduce', all, { type, operation }));
      return 0;
    },
    MPI_Allreduce: (data, result, count, type, operation, comm) => {
      const communicator = own().communicators.get('MPI_Allreduce', comm);
      const { bytes, device } = own().read('MPI_Allreduce', source(data, result), count * typeBytes('MPI_Allreduce', type));
      const all = own().communicators.collect('MPI_Allreduce', communicator, { own: bytes, root: 0, device });
      const sum = all && reduced('MPI_Allreduce', all, { type, operation });
      own().write('MPI_Allreduce', result, own().communicators.distribute('MPI_Allreduce', communicator, { root: 0, bytes: sum, device }));
      return 0;
    },
    MPI_Gather: (data, count, type, into, each, intoType, root, comm) => {
      const communicator = rooted('MPI_Gather', comm, root | 0);
      const piece = each * (communicator.rank === root ? typeBytes('MPI_Gather', intoType) : 0);
      const at = data === IN_PLACE ? into + piece * communicator.rank : data;
      const { bytes, device } = own().read('MPI_Gather', at, data === IN_PLACE ? piece : count * typeBytes('MPI_Gather', type));
      const all = own().communicators.collect('MPI_Gather', communicator, { own: bytes, root, device });
      own().writeAll('MPI_Gather', { into, piece }, all ?? []);
      return 0;
    },
    MPI_Allgather: (data, count, type, into, each, intoType, comm) => {
      const communicator = own().communicators.get('MPI_Allgather', comm);
      const piece = each * typeBytes('MPI_Allgather', intoType);
      const at = data === IN_PLACE ? into + piece * communicator.rank : data;
      const { bytes, device } = own().read('MPI_Allgather', at, data === IN_PLACE ? piece : count * typeBytes('MPI_Allgather', type));
      const all = own().communicators.gather('MPI_Allgather', communicator, bytes, device);
      own().writeAll('MPI_Allgather', { into, piece }, all);
      return 0;
    },
    MPI_Scatter: (data, each, type, into, count, intoType, root, comm) => {
      const communicator = rooted('MPI_Scatter', comm, root | 0);
      const isRoot = communicator.rank === root;
      const piece = isRoot ? each * typeBytes('MPI_Scatter', type) : 0;
      const all = isRoot ? own().read('MPI_Scatter', data, piece * communicator.members.length) : undefined;
      const pieces = all && communicator.members.map((_, rank) => all.bytes.slice(piece * rank, piece * (rank + 1)));
      const bytes = own().communicators.spread('MPI_Scatter', communicator, { root, pieces, device: all?.device });
      if (into !== IN_PLACE)
        own()
          .into('MPI_Scatter', into, count * typeBytes('MPI_Scatter', intoType))
          .write(bytes);
      return 0;
    },
  };
}
