/** What a stream's next operation comes behind: CUDA Runtime API, "Stream synchronization behavior". */
import type { Operation } from './operation.ts';

export type StreamKind = 'legacy' | 'blocking' | 'non-blocking';

export class StreamQueue {
  /** The last operation that was put into it. */
  tail: Operation | undefined;
  /** What did its last work: 'kernel' or the name of an engine. */
  engine: string | undefined;

  constructor(
    readonly device: DeviceQueues,
    readonly kind: StreamKind,
    readonly priority: number,
    /** As a timeline shows it. */
    readonly label: string,
  ) {}

  /** The legacy default stream waits for all blocking ones, and they for it. */
  get behind(): readonly (Operation | undefined)[] {
    if (this.kind === 'non-blocking') return [this.tail];
    if (this.kind === 'blocking') return [this.tail, this.device.legacy.tail];
    return this.device.queues.filter(({ kind }) => kind !== 'non-blocking').map(({ tail }) => tail);
  }
}

/** The streams of one device. */
export class DeviceQueues {
  readonly legacy: StreamQueue;
  readonly perThread: StreamQueue;
  #queues: StreamQueue[];

  constructor(readonly index: number) {
    this.legacy = new StreamQueue(this, 'legacy', 0, 'default stream');
    this.perThread = new StreamQueue(this, 'blocking', 0, 'per-thread default stream');
    this.#queues = [this.legacy, this.perThread];
  }

  get queues(): readonly StreamQueue[] {
    return this.#queues;
  }

  create(kind: StreamKind, priority: number, label: string): StreamQueue {
    const queue = new StreamQueue(this, kind, priority, label);
    this.#queues.push(queue);
    return queue;
  }

  /** What it still has to do is done. */
  destroy(queue: StreamQueue): void {
    this.#queues = this.#queues.filter((each) => each !== queue || (each.tail && each.tail.endNs === undefined));
  }
}
