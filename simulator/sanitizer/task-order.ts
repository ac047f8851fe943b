/**
 * What the host program gives to the device, and what orders it: streams, events and synchronisation. A clock says of each stream how many
 * of its tasks have ended; a stream and the host have one each.
 */

/** By stream: so many of its tasks are known to have ended. */
type Clock = Map<number, number>;

/** A kernel with all that it launches, a copy or a fill. */
export interface Task {
  /** Of a kernel the mangled name, else the call. */
  readonly name: string;
  readonly isKernel: boolean;
  readonly stream: number;
  readonly sequence: number;
  readonly knows: ReadonlyMap<number, number>;
  /** Its events are those behind this one, up to `last`. */
  readonly first: number;
  last: number;
}

interface Stream {
  readonly clock: Clock;
  /** The default stream and it do not wait for each other. */
  readonly nonBlocking: boolean;
  readonly label: string;
}

/** Work of a graph that is being launched, as its nodes depend on each other. */
export interface GraphOrder {
  /** Does the work of a node, behind that of others. A node is known by an object of its own, the same each time. */
  node(key: object, behind: readonly object[], work: () => void): void;
  /** What comes next in the stream is behind all of it. */
  end(): void;
}

const DEFAULT = 0;
const LEGACY = 1;
const PER_THREAD = 2;
const NON_BLOCKING = 1;
/** Older tasks that nobody has waited for count as ended. */
const MOST_TASKS = 4096;

export class TaskOrder {
  readonly #streams = new Map<number, Stream>();
  readonly #host: Clock = new Map();
  readonly #recorded = new Map<number, Clock>();
  /** Those that the host does not know to have ended, the oldest first. */
  #open: Task[] = [];
  #created = 0;
  /** Nodes of graphs count as streams of their own, by handles below zero. */
  readonly #nodes = new WeakMap<object, number>();
  #nodeCount = 0;
  /** That whose work is done now. */
  #node: number | undefined;

  constructor() {
    this.#streams.set(DEFAULT, { clock: new Map(), nonBlocking: false, label: 'the default stream' });
  }

  /** There is more than one stream. */
  get isConcurrent(): boolean {
    return this.#streams.size > 1;
  }

  /** The host knows that all has ended. */
  get isSettled(): boolean {
    return this.#open.length === 0;
  }

  created(stream: number, flags: number): void {
    this.#created++;
    this.#streams.set(stream, {
      clock: new Map(),
      nonBlocking: (flags & NON_BLOCKING) !== 0,
      label: `stream no. ${this.#created}${flags & NON_BLOCKING ? ' (non-blocking)' : ''}`,
    });
  }

  label({ stream }: Task): string {
    return this.#streams.get(stream)?.label ?? '';
  }

  isOfGraph({ stream }: Task): boolean {
    return stream < 0;
  }

  /** A graph is launched into a stream. */
  graph(into: number): GraphOrder {
    const own = this.#of(into).clock;
    const base = new Map(this.#arrive(into));
    const done: Clock[] = [];
    return {
      node: (key, behind, work) => {
        const handle = this.#nodes.get(key) ?? -++this.#nodeCount;
        this.#nodes.set(key, handle);
        const clock = this.#streams.get(handle)?.clock ?? new Map<number, number>();
        this.#streams.set(handle, { clock, nonBlocking: true, label: 'a node of a graph' });
        join(clock, base);
        for (const each of behind) join(clock, this.#streams.get(this.#nodes.get(each)!)?.clock ?? clock);
        done.push(clock);
        const outer = this.#node;
        this.#node = handle;
        try {
          work();
        } finally {
          this.#node = outer;
        }
      },
      end: () => {
        for (const clock of done) join(own, clock);
      },
    };
  }

  begin(stream: number, { name, isKernel, first }: Pick<Task, 'name' | 'isKernel' | 'first'>): Task {
    const clock = this.#arrive(stream);
    const handle = this.#handleOf(stream);
    const sequence = (clock.get(handle) ?? 0) + 1;
    const task = { name, isKernel, stream: handle, sequence, knows: new Map(clock), first, last: Number.POSITIVE_INFINITY };
    clock.set(handle, sequence);
    this.#open.push(task);
    if (this.#open.length > MOST_TASKS) this.#open.shift();
    return task;
  }

  end(task: Task, last: number): void {
    task.last = last;
  }

  /** Everything up to this event comes before a task. */
  floorOf(task: Task, latest: number): number {
    for (const other of this.#open) if (other !== task && !isBefore(other, task.knows)) return other.first;
    return latest;
  }

  /** The task of an event, unless the host knows it to have ended. */
  taskOf(event: number): Task | undefined {
    let low = 0;
    let high = this.#open.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#open[middle].first < event) low = middle + 1;
      else high = middle;
    }
    const task = this.#open[low - 1];
    return task && event <= task.last ? task : undefined;
  }

  /** Whether the task of an event comes before another one. */
  isBefore(event: number, task: Task): boolean {
    const other = this.taskOf(event);
    return !other || isBefore(other, task.knows);
  }

  isKnownToHost(event: number): boolean {
    return this.taskOf(event) === undefined;
  }

  /** The host has seen what a task has published. */
  hostLearns({ stream, sequence }: Task): void {
    this.#learn(new Map([[stream, sequence]]));
  }

  record(event: number, stream: number): void {
    this.#recorded.set(event, new Map(this.#arrive(stream)));
  }

  wait(stream: number, event: number): void {
    const clock = this.#recorded.get(event);
    if (clock) join(this.#of(stream).clock, clock);
  }

  /** The host has waited for a stream. */
  synchronizeStream(stream: number): void {
    // For copies of a graph it does not wait.
    if (this.#node === undefined) this.#learn(this.#arrive(stream));
  }

  synchronizeEvent(event: number): void {
    const clock = this.#recorded.get(event);
    if (clock) this.#learn(clock);
  }

  synchronizeAll(): void {
    for (const { clock } of this.#streams.values()) join(this.#host, clock);
    this.#open = [];
  }

  #learn(clock: Clock): void {
    join(this.#host, clock);
    this.#open = this.#open.filter((task) => !isBefore(task, this.#host));
  }

  #handleOf(stream: number): number {
    return this.#node ?? (stream === LEGACY ? DEFAULT : stream);
  }

  #of(stream: number): Stream {
    const handle = this.#handleOf(stream);
    let known = this.#streams.get(handle);
    if (!known) {
      known = { clock: new Map(), nonBlocking: false, label: handle === PER_THREAD ? "the thread's default stream" : 'a stream' };
      this.#streams.set(handle, known);
    }
    return known;
  }

  /** What has ended when the next task of a stream begins. */
  #arrive(stream: number): Clock {
    const { clock, nonBlocking } = this.#of(stream);
    join(clock, this.#host);
    if (nonBlocking) return clock;
    if (this.#handleOf(stream) !== DEFAULT) join(clock, this.#of(DEFAULT).clock);
    else for (const other of this.#streams.values()) if (!other.nonBlocking) join(clock, other.clock);
    return clock;
  }
}

function isBefore({ stream, sequence }: Task, knows: ReadonlyMap<number, number>): boolean {
  return (knows.get(stream) ?? 0) >= sequence;
}

function join(into: Clock, from: ReadonlyMap<number, number>): void {
  for (const [stream, ended] of from) if (ended > (into.get(stream) ?? 0)) into.set(stream, ended);
}
