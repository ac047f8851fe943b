/**
 * Streams and events. Work runs when it is submitted; when it would have ended, the clock says, and waiting lets the host's time pass until
 * then. While a stream is being captured, its work is kept for a graph instead.
 */
import type { DeviceProfile } from '../../devices/profile.ts';
import type { L2Window } from '../machine/launch.ts';
import type { Tasks } from '../sanitizer/tasks.ts';
import type { Operation } from './clock/operation.ts';
import type { ProgramClock } from './clock/program-clock.ts';
import type { StreamQueue } from './clock/stream-queue.ts';
import { apiCalls, type CudaContext, type Functions } from './cuda-context.ts';
import { CUDA } from './cuda-errors.ts';
import type { Capture } from './graphs/capture.ts';
import type { NodeAction } from './graphs/graph.ts';
import { FIELDS, SIZE_BYTES } from './structures.ts';

/** Handles that need no creation: the default stream, its legacy name, and the per-thread default stream. */
const BUILT_IN_STREAMS = [0, 1, 2];
const PER_THREAD = 2;
const NON_BLOCKING = 1;
/** cudaDeviceGetStreamPriorityRange. */
const GREATEST_PRIORITY = -5;
const EVENT_DISABLE_TIMING = 2;

export interface Stream {
  readonly flags: number;
  readonly priority: number;
  /** Bytes of what cudaStreamSetAttribute was given, by attribute. */
  readonly attributes: Map<number, Uint8Array>;
  /** What the clock knows of it. */
  readonly queue: StreamQueue;
  /** Where its work becomes nodes of a graph; undefined while the stream runs it. Streams that wait for each other share one. */
  capture?: Capture;
}

/** Something that a stream does; its error, if any. */
export type Work = () => number | undefined;

interface Event {
  readonly timed: boolean;
  readonly device: number;
  /** What it comes with; undefined before it is recorded. */
  operation?: Operation;
  /** The capture that recorded it. */
  capture?: Capture;
}

export class StreamTable {
  readonly #streams = new Map<number, Stream>();
  /** By device, then by handle. */
  readonly #builtIn: readonly ReadonlyMap<number, Stream>[];
  /** Small even numbers, far from any address that a program could mistake them for. */
  #nextHandle = 0x100;

  readonly #tasks: Tasks | undefined;
  readonly #clock: ProgramClock;
  readonly #current: () => number;
  #created = 0;
  /** What 0 stands for. */
  #default = 0;

  /** `current`: the device that is chosen. `tasks`: who wants to know what orders work. */
  constructor(clock: ProgramClock, current: () => number, tasks?: Tasks) {
    this.#clock = clock;
    this.#current = current;
    this.#tasks = tasks;
    this.#builtIn = clock.queues.map(({ legacy, perThread }) => {
      const stream = (handle: number): Stream => {
        return { flags: 0, priority: 0, attributes: new Map(), queue: handle === PER_THREAD ? perThread : legacy };
      };
      return new Map(BUILT_IN_STREAMS.map((handle) => [handle, stream(handle)]));
    });
  }

  create(flags: number, priority: number): number {
    const handle = this.newHandle();
    const kind = flags & NON_BLOCKING ? 'non-blocking' : 'blocking';
    const queue = this.#clock.queues[this.#current()].create(
      kind,
      Math.max(GREATEST_PRIORITY, Math.min(0, priority)),
      `stream ${++this.#created}`,
    );
    this.#streams.set(handle, { flags, priority, attributes: new Map(), queue });
    this.#tasks?.order.created(handle, flags);
    return handle;
  }

  destroy(handle: number): boolean {
    const stream = this.#streams.get(handle);
    if (!stream || BUILT_IN_STREAMS.includes(handle)) return false;
    stream.queue.device.destroy(stream.queue);
    return this.#streams.delete(handle);
  }

  /** The program was compiled so that 0 means each thread's default stream. */
  usePerThreadDefault(): void {
    this.#default = PER_THREAD;
  }

  /** Which stream a handle means. */
  named(handle: number): number {
    return handle || this.#default;
  }

  /** What is done next is done in this stream, for this call. */
  enter(given: number, call: string): void {
    const handle = this.named(given);
    const stream = this.get(handle);
    if (stream) this.#clock.enter(stream.queue, call);
    this.#tasks?.enter(handle, call);
  }

  newHandle(): number {
    this.#nextHandle += 0x10;
    return this.#nextHandle;
  }

  /** The default streams are those of the device that is chosen. */
  get(handle: number): Stream | undefined {
    return this.#builtIn[this.#current()].get(this.named(handle)) ?? this.#streams.get(handle);
  }

  check(handle: number): number {
    return this.get(handle) ? CUDA.Success : CUDA.InvalidResourceHandle;
  }

  /**
   * Runs work now, or makes it a node where the stream is being captured. `call`: what it is of, unless it is a kernel; `node`: what more is
   * known of it.
   */
  submit(handle: number, work: Work, call = '', node?: Partial<NodeAction>): number {
    const stream = this.get(handle);
    if (!stream) return CUDA.InvalidResourceHandle;
    if (!stream.capture) {
      this.enter(handle, call);
      return work() ?? CUDA.Success;
    }
    // In a graph it is in the stream that launches the graph.
    const captured = () => {
      this.#tasks?.call(call);
      return work();
    };
    stream.capture.add(handle, call, captured, node);
    return CUDA.Success;
  }

  /** Ends a capture on every stream that takes part in it. */
  endCapture(capture: Capture): void {
    for (const stream of [...this.#streams.values(), ...this.#builtIn.flatMap((each) => [...each.values()])]) {
      if (stream.capture === capture) stream.capture = undefined;
    }
  }
}

export interface StreamParts {
  readonly context: CudaContext;
  readonly streams: StreamTable;
  /** Calls a function of the host program through its table. */
  callHost(pointer: number, ...args: number[]): number;
}

export function streamFunctions(parts: StreamParts): Functions {
  const events = new Map<number, Event>();
  return apiCalls(parts.context, {
    ...lifetimes(parts),
    ...waiting(parts),
    ...streamAttributes(parts),
    ...callbacks(parts),
    ...eventCalls(parts, events),
  });
}

function lifetimes({ context: { host }, streams }: StreamParts): Functions {
  const create = (out: number, flags: number, priority: number) => {
    if (out === 0) return CUDA.InvalidValue;
    host.setU64(out, streams.create(flags, priority | 0));
    return CUDA.Success;
  };
  const answer = (stream: number, out: number, value: (stream: Stream) => number) => {
    const found = streams.get(stream);
    if (!found) return CUDA.InvalidResourceHandle;
    host.setU32(out, value(found));
    return CUDA.Success;
  };
  return {
    __lanewise_per_thread_default_stream: () => {
      streams.usePerThreadDefault();
      return CUDA.Success;
    },
    cudaStreamCreate: (out) => create(out, 0, 0),
    cudaStreamCreateWithFlags: (out, flags) => create(out, flags, 0),
    cudaStreamCreateWithPriority: (out, flags, priority) => create(out, flags, priority),
    cudaStreamDestroy: (stream) => (streams.destroy(stream) ? CUDA.Success : CUDA.InvalidResourceHandle),
    cudaStreamGetFlags: (stream, out) => answer(stream, out, ({ flags }) => flags),
    cudaStreamGetPriority: (stream, out) => answer(stream, out, ({ priority }) => priority),
    cudaStreamGetDevice: (stream, out) => answer(stream, out, ({ queue }) => queue.device.index),
    cudaStreamGetId: (stream, out) => {
      if (!streams.get(stream)) return CUDA.InvalidResourceHandle;
      host.setU64(out, stream);
      return CUDA.Success;
    },
  };
}

function waiting({ context, streams }: StreamParts): Functions {
  const { clock } = context;
  const ended = (stream: number) => {
    context.tasks?.order.synchronizeStream(stream);
    return context.synchronize();
  };
  return {
    cudaStreamSynchronize: (stream) => {
      const error = notCapturing(streams, stream);
      if (error !== CUDA.Success) return error;
      clock.waitForStream(streams.get(stream)!.queue);
      return ended(stream);
    },
    cudaStreamQuery: (stream) => {
      const error = notCapturing(streams, stream);
      if (error !== CUDA.Success) return error;
      return clock.isIdle(streams.get(stream)!.queue) ? ended(stream) : CUDA.NotReady;
    },
  };
}

/** Waiting for work that does not run yet makes no sense. */
function notCapturing(streams: StreamTable, handle: number): number {
  return streams.get(handle)?.capture ? CUDA.StreamCaptureUnsupported : streams.check(handle);
}

/** cudaLaunchAttributeID, as far as streams have them. */
export const ACCESS_POLICY_WINDOW = 1;
const STREAM_ATTRIBUTES = [ACCESS_POLICY_WINDOW, 3, 8, 9, 10];
const ACCESS_PROPERTY_PERSISTING = 2;

/** What an H200 checks (driver 580.159: fixtures/runtime/l2-policy): neither the base nor the share of L2 that is set aside. */
function isValidWindow(device: DeviceProfile, bytes: Uint8Array): boolean {
  const { num_bytes, hitRatio, missProp } = FIELDS.cudaAccessPolicyWindow;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const ratio = view.getFloat32(hitRatio, true);
  if (view.getBigUint64(num_bytes, true) > BigInt(device.accessPolicyMaxWindowBytes)) return false;
  return !(ratio < 0 || ratio > 1) && view.getUint32(missProp, true) !== ACCESS_PROPERTY_PERSISTING;
}

/** What launches in the stream get from it. */
export function launchAttributes({ attributes }: Stream): readonly (readonly [number, Uint8Array])[] {
  const window = attributes.get(ACCESS_POLICY_WINDOW);
  return window ? [[ACCESS_POLICY_WINDOW, window]] : [];
}

/** What a launch with these attributes keeps in L2; undefined where nothing persists. */
export function windowOf(attributes: ReadonlyMap<number, Uint8Array>, setAsideBytes: number): L2Window | undefined {
  const bytes = attributes.get(ACCESS_POLICY_WINDOW);
  if (!bytes || setAsideBytes === 0) return undefined;
  const { base_ptr, num_bytes, hitRatio, hitProp } = FIELDS.cudaAccessPolicyWindow;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const sizeBytes = Number(view.getBigUint64(num_bytes, true));
  if (sizeBytes === 0 || view.getUint32(hitProp, true) !== ACCESS_PROPERTY_PERSISTING) return undefined;
  return { address: Number(view.getBigUint64(base_ptr, true)), sizeBytes, hitRatio: view.getFloat32(hitRatio, true), setAsideBytes };
}

function streamAttributes({ context, streams }: StreamParts): Functions {
  const { host } = context;
  return {
    cudaStreamSetAttribute: (stream, attribute, value) => {
      const found = streams.get(stream);
      if (!found) return CUDA.InvalidResourceHandle;
      if (!STREAM_ATTRIBUTES.includes(attribute)) return CUDA.InvalidValue;
      const bytes = host.read(value, SIZE_BYTES.cudaLaunchAttributeValue);
      if (attribute === ACCESS_POLICY_WINDOW && !isValidWindow(context.device, bytes)) return CUDA.InvalidValue;
      found.attributes.set(attribute, bytes);
      return CUDA.Success;
    },
    cudaStreamGetAttribute: (stream, attribute, out) => {
      const found = streams.get(stream);
      if (!found) return CUDA.InvalidResourceHandle;
      host.write(out, found.attributes.get(attribute) ?? new Uint8Array(SIZE_BYTES.cudaLaunchAttributeValue));
      return CUDA.Success;
    },
    cudaStreamCopyAttributes: (to, from) => {
      const [target, source] = [streams.get(to), streams.get(from)];
      if (!target || !source) return CUDA.InvalidResourceHandle;
      for (const [attribute, bytes] of source.attributes) target.attributes.set(attribute, bytes);
      return CUDA.Success;
    },
    cudaCtxResetPersistingL2Cache: () => CUDA.Success,
  };
}

function callbacks({ context, streams, callHost }: StreamParts): Functions {
  const inOrder = (call: () => number) => context.clock.hostFunction(() => (context.tasks ? context.tasks.callback(call) : call()));
  return {
    cudaLaunchHostFunc: (stream, pointer, data) =>
      streams.submit(stream, () => {
        inOrder(() => callHost(pointer, data));
        return CUDA.Success;
      }),
    cudaStreamAddCallback: (stream, pointer, data) =>
      streams.submit(stream, () => {
        inOrder(() => callHost(pointer, stream, context.synchronize(), data));
        return CUDA.Success;
      }),
  };
}

function eventCalls({ context, streams }: StreamParts, events: Map<number, Event>): Functions {
  const { host, clock } = context;
  const create = (out: number, flags: number) => {
    if (out === 0) return CUDA.InvalidValue;
    const handle = streams.newHandle();
    events.set(handle, { timed: (flags & EVENT_DISABLE_TIMING) === 0, device: context.current.index });
    host.setU64(out, handle);
    return CUDA.Success;
  };
  const record = (handle: number, stream: number) => {
    const event = events.get(handle);
    const recorder = streams.get(stream);
    if (!event || (recorder && recorder.queue.device.index !== event.device)) return CUDA.InvalidResourceHandle;
    event.capture = streams.get(stream)?.capture;
    // In a graph it is a dependency, not work.
    if (event.capture) {
      event.capture.record(handle, stream);
      return CUDA.Success;
    }
    return streams.submit(stream, () => {
      event.operation = clock.record();
      context.tasks?.order.record(handle, context.tasks.stream);
      return CUDA.Success;
    });
  };
  // Work is executed in an order that is right; a capture has to spread to the stream that waits.
  const waitFor = (stream: number, handle: number) => {
    const [waiter, event] = [streams.get(stream), events.get(handle)];
    if (!waiter || !event) return CUDA.InvalidResourceHandle;
    if (!event.capture) {
      // What runs outside of a capture cannot be a dependency in it.
      if (waiter.capture) return CUDA.StreamCaptureIsolation;
      context.tasks?.order.wait(stream, handle);
      clock.order(waiter.queue, event.operation);
      return CUDA.Success;
    }
    if (waiter.capture && waiter.capture !== event.capture) return CUDA.StreamCaptureMerge;
    waiter.capture = event.capture;
    return waiter.capture.wait(stream, handle) ? CUDA.Success : CUDA.InvalidValue;
  };
  const ended = (handle: number) => {
    context.tasks?.order.synchronizeEvent(handle);
    return context.synchronize();
  };
  const wait = (handle: number) => {
    const event = events.get(handle);
    if (!event) return CUDA.InvalidResourceHandle;
    clock.wait(event.operation);
    return ended(handle);
  };
  const query = (handle: number) => {
    const event = events.get(handle);
    if (!event) return CUDA.InvalidResourceHandle;
    return clock.hasEnded(event.operation) ? ended(handle) : CUDA.NotReady;
  };
  const elapsed = (out: number, startHandle: number, endHandle: number) => {
    const [start, end] = [events.get(startHandle), events.get(endHandle)];
    if (!start?.timed || !end?.timed || start.device !== end.device) return CUDA.InvalidResourceHandle;
    if (!start.operation || !end.operation) return CUDA.InvalidResourceHandle;
    if (!clock.hasEnded(start.operation) || !clock.hasEnded(end.operation)) return CUDA.NotReady;
    host.setF32(out, clock.betweenNs(start.operation, end.operation) / 1e6);
    return CUDA.Success;
  };
  return {
    cudaEventCreate: (out) => create(out, 0),
    cudaEventCreateWithFlags: create,
    cudaEventDestroy: (handle) => (events.delete(handle) ? CUDA.Success : CUDA.InvalidResourceHandle),
    cudaStreamWaitEvent: waitFor,
    cudaEventRecord: record,
    cudaEventRecordWithFlags: record,
    cudaEventSynchronize: wait,
    cudaEventQuery: query,
    cudaEventElapsedTime: elapsed,
    cudaEventElapsedTime_v2: elapsed,
  };
}
