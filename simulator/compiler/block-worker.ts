/** A thread that runs blocks of grids beside the one that launched them. Jobs come as messages; results go back as messages. */
import { threads } from '#platform';
import { type Footprint, joinFootprints } from '../machine/footprint.ts';
import type { Elapsed } from '../machine/launch.ts';
import { BlockRunner, type FaultPlace, type LaunchCounts, type RunnerOptions } from './block-runner.ts';
import { CONTROL, closeJob, reportFault } from './control.ts';
import { KernelCode } from './kernel-instance.ts';
import type { KernelPlan, LaunchPlan } from './kernel-plan.ts';
import { PartedLanes } from './memory-host.ts';
import { Turns } from './turns.ts';

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
  /** How many threads may run blocks of the launch. */
  readonly threads: number;
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
  /** It has mostly waited for its turn. */
  readonly idle: boolean;
  /** Lanes had to wait for others that have taken another way. */
  readonly parted?: boolean;
  /** The engine failed: a bug. */
  readonly error?: string;
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
    const turns = new Turns(control, { thread: index + 1, threads: job.threads, inTurn: job.launch.inTurn });
    try {
      const { plan } = programs.get(job.kernelNumber)!;
      result = runJob({ code: codeOf(job), kernel: plan, launch: job.launch, base: job.base }, control, turns);
    } catch (error) {
      const parted = error instanceof PartedLanes;
      result = {
        blocks: new Float64Array(),
        innerBranches: new Float64Array(),
        sites: new Float64Array(),
        steps: 0,
        elapsed: { longest: 0, blocks: 0 },
        footprint: joinFootprints([]),
        idle: false,
        parted,
        error: String((error as Error).stack),
      };
      reportFault(control, -1);
    }
    turns.leave();
    port.post(result);
    Atomics.add(control, CONTROL.finished + index, 1);
    Atomics.notify(control, CONTROL.finished + index);
  };
  port.listen({ message: (job) => take(job as BlockJob) });
  Atomics.store(control, CONTROL.ready + index, 1);
}

function runJob(options: Omit<RunnerOptions, 'stopped' | 'hostStep' | 'turns'>, control: Int32Array, turns: Turns): BlockResult {
  const runner = new BlockRunner({ ...options, turns, stopped: () => runner.block > Atomics.load(control, CONTROL.faultBlock) });
  const place = runner.run(() => (turns.isIdle ? -1 : turns.take()));
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
    idle: turns.isIdle,
    place: place && { ...place, fault: fault! },
  };
}
