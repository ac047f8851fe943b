/**
 * Threads that help with grids of independent blocks. They start when the first such grid comes and take part once they are up, also in
 * the middle of a launch; the launching thread never waits for one that is not. They end with the engine, or with the thread that owns it.
 */
import { threads } from '#platform';
import type { Port, Thread } from '../platform/platform.ts';
import type { BlockJob, BlockResult, WorkerStart } from './block-worker.ts';
import { CONTROL, closeJob, MOST_THREADS } from './control.ts';
import { Turns } from './turns.ts';

/** Jobs that a thread which starts may find to have ended without it: programs launch thousands of kernels in the time. */
const MOST_MISSED = 16;

const READY = { up: 1, dead: 2 } as const;

interface Member {
  readonly thread: Thread;
  readonly port: Port;
  /** Kernels whose code it has. */
  readonly kernels: Set<number>;
  /** Bytes of the memory that it has got. */
  memoryBytes: number;
  /** Jobs that it got, and those of them that it took. */
  sent: number;
  jobs: number;
}

export class WorkerPool {
  readonly control: Int32Array;
  readonly #members: Member[] = [];

  constructor(count: number) {
    const buffer = new SharedArrayBuffer(4 * CONTROL.words);
    this.control = new Int32Array(buffer);
    for (let index = 0; index < Math.min(count, MOST_THREADS - 1); index++) {
      const { near, far } = threads.channel();
      const data: WorkerStart = { control: buffer, index, port: far };
      const thread = threads.start('block-worker.mjs', { data, transfer: [far] });
      // A thread that dies is no longer asked; the launching thread does the work.
      thread.listen({ failed: () => Atomics.store(this.control, CONTROL.ready + index, READY.dead) });
      thread.unref();
      near.unref();
      this.#members.push({ thread, port: near, kernels: new Set(), memoryBytes: 0, sent: 0, jobs: 0 });
    }
  }

  /** Numbers of the threads that are up. */
  get ready(): readonly number[] {
    return this.#members.map((_, index) => index).filter((index) => this.#state(index) === READY.up);
  }

  /** Numbers of the threads that can be given a job: those that are up, and those that may be before a launch ends. */
  get willing(): readonly number[] {
    const hasRoom = ({ sent, jobs }: Member): boolean => sent - jobs < MOST_MISSED;
    return this.#members.flatMap((member, index) => {
      const state = this.#state(index);
      return state === READY.up || (state !== READY.dead && hasRoom(member)) ? [index] : [];
    });
  }

  #state(index: number): number {
    return Atomics.load(this.control, CONTROL.ready + index);
  }

  /** Waits until a number of threads are up, at most some milliseconds: for measurements and tests. */
  waitUntilReady(count: number, milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    const clock = new Int32Array(new SharedArrayBuffer(4));
    while (this.ready.length < count && performance.now() < end) Atomics.wait(clock, 0, 0, 1);
    return this.ready.length >= count;
  }

  /** Makes ready to hand out the blocks of a launch. */
  /** `first`: blocks before it have run. */
  begin(blocks: number, first: number): void {
    Atomics.store(this.control, CONTROL.nextBlock, first);
    Atomics.store(this.control, CONTROL.faultBlock, 0x7fffffff);
    Atomics.store(this.control, CONTROL.blockCount, blocks);
    Turns.begin(this.control);
  }

  /** What the thread has already is not sent again: that would take longer than small launches do. */
  start(index: number, { memory, program, ...job }: Required<Omit<BlockJob, 'job'>>): void {
    const member = this.#members[index];
    const isNew = !member.kernels.has(job.kernelNumber);
    const hasGrown = member.memoryBytes !== memory.buffer.byteLength;
    member.kernels.add(job.kernelNumber);
    member.memoryBytes = memory.buffer.byteLength;
    member.jobs++;
    const number = ++member.sent;
    Atomics.store(this.control, CONTROL.open + index, number);
    member.port.post({ ...job, job: number, ...(isNew && { program }), ...(hasGrown && { memory }) } satisfies BlockJob);
  }

  /** Blocks until the thread has finished its job. undefined if it has not begun it, and now never will. */
  finish(index: number): BlockResult | undefined {
    const member = this.#members[index];
    if (closeJob(this.control, index, member.sent)) {
      member.jobs--;
      return undefined;
    }
    const at = CONTROL.finished + index;
    for (let seen = Atomics.load(this.control, at); seen !== member.jobs; seen = Atomics.load(this.control, at)) {
      Atomics.wait(this.control, at, seen, 1000);
    }
    const result = member.port.receive();
    if (!result) throw new Error('a block worker finished without a result');
    return result as BlockResult;
  }

  close(): void {
    for (const { thread, port } of this.#members) {
      port.close();
      thread.close();
    }
    this.#members.length = 0;
  }
}
