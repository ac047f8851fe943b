/** A thread that runs blocks of grids beside the one that launched them. Jobs come as messages; results go back as messages. */
import { threads } from '#platform';
import { type Footprint, joinFootprints } from '../machine/footprint.ts';
import type { Elapsed } from '../machine/launch.ts';
import { BlockRunner, type FaultPlace, type LaunchCounts } from './block-runner.ts';
import { KernelCode } from './kernel-instance.ts';
import type { KernelPlan, LaunchPlan } from './kernel-plan.ts';
import { PartedLanes } from './memory-host.ts';

export interface WorkerStart {
  readonly control: SharedArrayBuffer;
  /** Number of this worker, from 0. */
  readonly index: number;
  /** This thread's end of the line to the one that launches. */
  readonly port: unknown;
}

export interface BlockJob {
  /** Which of the thread's jobs it is, from 1. */
  readonly job: number;
  /** With a thread's first job, and when it has grown since: a thread may not have heard yet. */
  readonly memory?: WebAssembly.Memory;
  readonly kernelNumber: number;
  /** With the first job of a kernel. */
  readonly program?: { readonly module: WebAssembly.Module; readonly plan: KernelPlan };
  readonly launch: LaunchPlan;
  readonly base: number;
}

export interface BlockResult extends LaunchCounts {
  readonly steps: number;
  readonly elapsed: Elapsed;
  /** Of a launch that is traced: see AccessTrace. */
  readonly trace?: Int32Array;
  readonly footprint: Footprint;
  readonly place?: Omit<FaultPlace, 'fault'> & {
    readonly fault: Pick<FaultPlace['fault'], 'kind' | 'site' | 'lane' | 'address' | 'sentence' | 'assertion'>;
  };
  /** Lanes had to wait for others that have taken another way. */
  readonly parted?: boolean;
  /** The engine failed: a bug. */
  readonly error?: string;
}

/**
 * Words of the control buffer. Those of single workers follow: 1 when it is ready for jobs, or 2 when it never will be again, then how
 * many it has finished, then the number of the job that is open to it.
 */
export const CONTROL = { nextBlock: 0, blockCount: 1, faultBlock: 2, ready: 16, finished: 80, open: 144, words: 208 } as const;

/** Ends that a job is open: for the thread that takes it, or for the launch if none has. False if the other was faster. */
export function closeJob(control: Int32Array, worker: number, job: number): boolean {
  return Atomics.compareExchange(control, CONTROL.open + worker, job, 0) === job;
}

/** Takes the next block of a launch: in ascending order over all threads, none behind a faulting one. */
export function takeBlock(control: Int32Array): number {
  const block = Atomics.add(control, CONTROL.nextBlock, 1);
  return block < Atomics.load(control, CONTROL.blockCount) && block < Atomics.load(control, CONTROL.faultBlock) ? block : -1;
}

/** Makes the launch stop behind a block. */
export function reportFault(control: Int32Array, block: number): void {
  for (let known = Atomics.load(control, CONTROL.faultBlock); block < known; ) {
    known = Atomics.compareExchange(control, CONTROL.faultBlock, known, block);
  }
}

if ((threads.data as Partial<WorkerStart> | null)?.control) serve(threads.data as WorkerStart);

function serve({ control: buffer, index, port: far }: WorkerStart): void {
  const port = threads.port(far);
  const control = new Int32Array(buffer);
  const programs = new Map<number, NonNullable<BlockJob['program']>>();
  // Linking a kernel's code takes longer than small launches do.
  const codes = new Map<number, KernelCode>();
  let memory: WebAssembly.Memory | undefined;
  const codeOf = ({ kernelNumber }: BlockJob): KernelCode => {
    const code = codes.get(kernelNumber) ?? new KernelCode(programs.get(kernelNumber)!.module, memory!);
    codes.set(kernelNumber, code);
    return code;
  };
  const take = (job: BlockJob): void => {
    if (job.program) programs.set(job.kernelNumber, job.program);
    if (job.memory) {
      memory = job.memory;
      codes.clear();
    }
    // The launch ended before this thread was up.
    if (!closeJob(control, index, job.job)) return;
    let result: BlockResult;
    try {
      const { plan } = programs.get(job.kernelNumber)!;
      result = runJob({ code: codeOf(job), kernel: plan, launch: job.launch, base: job.base }, control);
    } catch (error) {
      const parted = error instanceof PartedLanes;
      result = {
        blocks: new Float64Array(),
        innerBranches: new Float64Array(),
        sites: new Float64Array(),
        steps: 0,
        elapsed: { longest: 0, blocks: 0 },
        footprint: joinFootprints([]),
        parted,
        error: String((error as Error).stack),
      };
      reportFault(control, -1);
    }
    port.post(result);
    Atomics.add(control, CONTROL.finished + index, 1);
    Atomics.notify(control, CONTROL.finished + index);
  };
  port.listen({ message: (job) => take(job as BlockJob) });
  Atomics.store(control, CONTROL.ready + index, 1);
}

function runJob(options: Omit<ConstructorParameters<typeof BlockRunner>[0], 'stopped' | 'hostStep'>, control: Int32Array): BlockResult {
  const runner = new BlockRunner({ ...options, stopped: () => runner.block > Atomics.load(control, CONTROL.faultBlock) });
  const place = runner.run(() => takeBlock(control));
  if (place) reportFault(control, place.block);
  const fault = place && {
    kind: place.fault.kind,
    site: place.fault.site,
    lane: place.fault.lane,
    address: place.fault.address,
    sentence: place.fault.sentence,
    assertion: place.fault.assertion,
  };
  const { read, written } = runner.host.footprint;
  return {
    ...runner.counts(),
    trace: runner.trace?.words,
    steps: runner.steps(),
    elapsed: runner.elapsed(),
    footprint: { read, written },
    place: place && { ...place, fault: fault! },
  };
}
