/**
 * The one clock of a program: the host's time and what its devices do when. Work is executed when it is submitted, in order; here it gets
 * the time at which it would run beside everything else. Estimates, the same in every run.
 */
import type { DeviceProfile } from '../../../devices/profile.ts';
import { type CopyCost, copyCost, type End, fillCost, prefetchCost } from './copies.ts';
import {
  ARRIVAL_NS,
  callNs,
  ENGINE_CHANGE_NS,
  firstCallNs,
  GRAPH_OVERLAP_NS,
  HOST_FUNCTION_GAP_NS,
  MOST_PENDING,
  WAKE_NS,
} from './costs.ts';
import { HostClock } from './host-clock.ts';
import { type KernelTree, phasesOf } from './kernels.ts';
import type { Needs, Operation, OperationRequest, Phase } from './operation.ts';
import type { Recorder, Span } from './recorder.ts';
import { DeviceQueues, StreamQueue } from './stream-queue.ts';
import { Timeline } from './timeline.ts';

interface GraphLaunch {
  readonly start: Operation;
  readonly lanes: StreamQueue[];
  readonly label: string;
  /** How many lanes it has, with those of graphs below it. */
  readonly taken: { lanes: number };
}

export class ProgramClock {
  readonly host = new HostClock();
  readonly queues: readonly DeviceQueues[];
  /** Kernels that read a clock, and times between events that the program asked for. */
  deviceReads = 0;
  readonly #timeline = new Timeline();
  readonly #devices: readonly DeviceProfile[];
  /** Of each device: bytes that were filled since its latest kernel. */
  readonly #filledBytes: number[];
  readonly #recorder: Recorder | undefined;
  #queue: StreamQueue;
  #call = '';
  readonly #called = new Set<string>();
  /** The graph that is being launched. */
  #graph: GraphLaunch | undefined;

  /** `recorder`: whom to tell what happens when. */
  constructor(devices: readonly DeviceProfile[], recorder?: Recorder) {
    this.#devices = devices;
    this.#filledBytes = devices.map(() => 0);
    this.#recorder = recorder;
    this.queues = devices.map((_, index) => new DeviceQueues(index));
    this.#queue = this.queues[0].legacy;
  }

  /** The host has begun a call of the runtime. */
  call(name: string, run: () => number): number {
    const startNs = this.host.nowNs;
    this.host.spend(callNs(name) + (this.#called.has(name) ? 0 : firstCallNs(name)));
    this.#called.add(name);
    const code = run();
    this.#recorder?.call({ name, startNs, endNs: this.host.nowNs });
    return code;
  }

  /** What is done next is done in this stream, for this call. */
  enter(queue: StreamQueue, call: string): void {
    // A node of a graph is in its own lane.
    if (!this.#graph) this.#queue = queue;
    this.#call = call;
  }

  /** The stream in which something is being done. */
  get queue(): StreamQueue {
    return this.#queue;
  }

  get isAsynchronous(): boolean {
    return this.#call.endsWith('Async');
  }

  /** When a kernel that was launched now would start. */
  forecastKernel(): number {
    const needs = { kind: 'kernel', device: this.#queue.device.index, phases: [{ ns: 1, share: 1 }] } as const;
    return this.#timeline.forecast(this.#request({ ns: 1, needs }));
  }

  /** So much was filled since the latest kernel that nothing else is left in the L2 cache, as programs do that take times. */
  get isCacheFlushed(): boolean {
    const { index } = this.#queue.device;
    return this.#filledBytes[index] >= this.#devices[index].l2Bytes;
  }

  kernel(tree: KernelTree): void {
    this.#filledBytes[this.#queue.device.index] = 0;
    const phases = this.#begun(phasesOf(tree));
    const needs = { kind: 'kernel', device: this.#queue.device.index, phases } as const;
    const ns = phases.reduce((sum, phase) => sum + phase.ns, 0);
    this.#submit({ ns, needs }, { kind: 'kernel', name: tree.name, tree });
  }

  /** Behind another kernel in a graph, one has begun before that has ended. */
  #begun(phases: readonly Phase[]): readonly Phase[] {
    if (!this.#graph || this.#queue.engine !== 'kernel') return phases;
    const [first, ...others] = phases;
    return [{ ...first, ns: first.ns - Math.min(GRAPH_OVERLAP_NS, first.ns / 2) }, ...others];
  }

  /** A copy; where the call waits for it, so does the host. */
  copy(from: End, to: End, bytes: number): void {
    const cost = copyCost(this.#devices, from, to, bytes);
    if (!this.#graph) this.host.spend(cost.hostNs + (this.isAsynchronous ? 0 : (cost.heldNs ?? 0)));
    const operation = this.#submit(cost, { kind: 'copy', name: `Memcpy ${cost.direction}`, bytes });
    if (!this.#graph && this.#waits(cost, from, to)) this.wait(operation);
  }

  #waits({ waits }: CopyCost, from: End, to: End): boolean {
    if (waits) return true;
    // A copy from pageable memory may be under way when even cudaMemcpy returns, and so may one within devices.
    return !this.isAsynchronous && (from.at === 'pinned' || to.at !== 'device');
  }

  fill(at: End, bytes: number): void {
    const device = at.at === 'device' ? at.device : this.#queue.device.index;
    if (at.at === 'device') this.#filledBytes[device] += bytes;
    const operation = this.#submit(fillCost(this.#devices, device, bytes), { kind: 'fill', name: 'Memset', bytes });
    if (!this.isAsynchronous && at.at !== 'device' && !this.#graph) this.wait(operation);
  }

  /** Managed memory moves ahead of its use. */
  prefetch(bytes: number, toDevice: boolean): void {
    const cost = prefetchCost(this.#devices, this.#queue.device.index, toDevice ? 'in' : 'out', bytes);
    this.#submit(cost, { kind: 'copy', name: `Prefetch ${cost.direction}`, bytes });
  }

  /** An event: what comes after everything in the stream. */
  record(): Operation {
    return this.#submit({ ns: 0, needs: { kind: 'nothing' }, gapNs: 0 });
  }

  /** What comes next in a stream comes after an operation, too. */
  order(queue: StreamQueue, operation: Operation | undefined): void {
    if (!operation || this.hasEnded(operation)) return;
    this.enter(queue, this.#call);
    this.#submit({ ns: 0, needs: { kind: 'nothing' }, gapNs: 0, after: [operation] });
  }

  /** A function of the host in a stream: it runs on a thread of its own. */
  hostFunction(run: () => void): void {
    const idle = { ns: 0, needs: { kind: 'nothing' }, gapNs: HOST_FUNCTION_GAP_NS } as const;
    const startNs = this.#timeline.forecast(this.#request(idle));
    const ns = this.host.aside(startNs, run);
    this.#submit({ ...idle, ns }, { kind: 'host', name: 'host function' });
  }

  /** The program has measured something: one look at the host's clock is a date, or a seed. */
  get wasRead(): boolean {
    return this.deviceReads > 0 || this.host.reads > 1;
  }

  /** Runs a graph: its nodes begin behind what is in the stream, and what comes next in the stream behind all of them. */
  graph(run: () => number): number {
    const queue = this.#queue;
    const outer = this.#graph;
    const start = this.#submit({ ns: 0, needs: { kind: 'nothing' } });
    this.#graph = { start, lanes: [], label: outer ? outer.label : `${queue.label}, graph`, taken: outer?.taken ?? { lanes: 0 } };
    const { lanes } = this.#graph;
    try {
      return run();
    } finally {
      this.#graph = outer;
      this.#queue = queue;
      this.#submit({ ns: 0, needs: { kind: 'nothing' }, gapNs: 0, after: lanes.map(({ tail }) => tail) });
    }
  }

  /** Runs a node of a graph behind the ends of others; its own end. */
  node(behind: readonly (Operation | undefined)[], run: () => void): Operation | undefined {
    const graph = this.#graph!;
    const { device, priority } = this.#queue;
    let lane = graph.lanes.find(({ tail }) => behind.includes(tail));
    if (!lane) {
      const number = ++graph.taken.lanes;
      lane = new StreamQueue(device, 'non-blocking', priority, number > 1 ? `${graph.label} ${number}` : graph.label);
      lane.tail = graph.start;
      graph.lanes.push(lane);
    }
    const { tail } = lane;
    this.#queue = lane;
    const others = behind.filter((each) => each !== tail);
    if (others.length > 0) this.#submit({ ns: 0, needs: { kind: 'nothing' }, gapNs: 0, after: others });
    run();
    return lane.tail;
  }

  /** Whether the host can know that an operation has ended. */
  hasEnded(operation: Operation | undefined): boolean {
    if (!operation) return true;
    const { nowNs } = this.host;
    this.#timeline.advance(nowNs);
    return operation.endNs !== undefined && operation.endNs <= nowNs;
  }

  /** Whether everything in a stream has. */
  isIdle(queue: StreamQueue): boolean {
    return queue.behind.every((operation) => this.hasEnded(operation));
  }

  /** The host waits for an operation. */
  wait(operation: Operation | undefined): void {
    if (!operation || this.hasEnded(operation)) return;
    this.host.waitUntil(this.#timeline.finish(operation) + WAKE_NS);
  }

  waitForStream(queue: StreamQueue): void {
    for (const operation of queue.behind) this.wait(operation);
  }

  waitForDevice(device: number): void {
    for (const queue of this.queues[device].queues) this.wait(queue.tail);
  }

  /** Everything that was submitted comes to its end, whether or not anybody waits for it; when that is. */
  end(): number {
    let endNs = this.host.nowNs;
    for (const { queues } of this.queues) for (const { tail } of queues) if (tail) endNs = Math.max(endNs, this.#timeline.finish(tail));
    return endNs;
  }

  /** Nanoseconds between two events; the program has asked. */
  betweenNs(start: Operation, end: Operation): number {
    this.deviceReads++;
    return end.endNs! - start.endNs!;
  }

  #request(what: Pick<OperationRequest, 'ns' | 'needs'> & Partial<OperationRequest>): OperationRequest {
    const { behind, priority } = this.#queue;
    const arrivesNs = this.host.nowNs + ARRIVAL_NS;
    const engine = engineOf(what.needs);
    const changes = engine !== undefined && this.#queue.engine !== undefined && engine !== this.#queue.engine;
    return { gapNs: changes ? ENGINE_CHANGE_NS : 0, arrivesNs, priority, ...what, after: [...behind, ...(what.after ?? [])] };
  }

  #submit(what: Pick<OperationRequest, 'ns' | 'needs'> & Partial<OperationRequest>, span?: Span): Operation {
    const timeline = this.#timeline;
    timeline.advance(this.host.nowNs);
    while (!this.#graph && timeline.pending >= MOST_PENDING) this.host.waitUntil(timeline.finishAny());
    const operation = timeline.submit(this.#request(what));
    this.#queue.tail = operation;
    this.#queue.engine = engineOf(what.needs) ?? this.#queue.engine;
    if (span) this.#recorder?.operation(operation, this.#queue, span);
    return operation;
  }
}

/** What does the work; copies within a device and fills are kernels. */
function engineOf(needs: Needs): string | undefined {
  if (needs.kind === 'nothing') return undefined;
  return needs.kind === 'kernel' || needs.engines.some((engine) => engine.endsWith(' within')) ? 'kernel' : needs.engines[0];
}
