/** Runs blocks of a grid in one thread: the host program's own or a worker's. */

import { AccessTrace } from '../machine/access-trace.ts';
import type { Elapsed } from '../machine/launch.ts';
import { REQUEST_COLUMNS, type RequestColumn } from '../machine/request.ts';
import { REDUCTION } from './helper-parts.ts';
import type { Caller, KernelCode, KernelInstance, MemoryViews } from './kernel-instance.ts';
import { type KernelPlan, type LaunchPlan, type MemorySiteFacts, type WorkerLayout, warpCount, workerLayout } from './kernel-plan.ts';
import { BLOCK_ROW, FRAME, INFO, RECORD, SUM_SLOTS, SUM_TABLE } from './layout.ts';
import { KernelFault, type MemoryHost, threadOf } from './memory-host.ts';
import type { ProbeCalls } from './probe-teller.ts';
import type { Turns } from './turns.ts';

/** Back edges that compiled code takes before it asks whether it may go on. */
const PATIENCE = 1 << 16;

export interface RunnerOptions {
  readonly code: KernelCode;
  readonly kernel: KernelPlan;
  readonly launch: LaunchPlan;
  /** Physical address of this worker's part of device memory. */
  readonly base: number;
  /** Executes an instruction that WebAssembly has no code for. */
  readonly hostStep?: (runner: BlockRunner, at: { readonly frame: number; readonly mask: number; readonly step: number }) => void;
  /** Of a kernel that was compiled with probes. */
  readonly probes?: (runner: BlockRunner) => ProbeCalls;
  /** True when the launch has to stop: another worker met a fault. */
  readonly stopped: () => boolean;
  /** Of a launch on several threads. */
  readonly turns?: Turns;
}

/** Where a fault happened. */
/** Of blocks (executions, lanes, divergent branches), branches inside of instructions, and memory sites. */
export interface LaunchCounts {
  readonly blocks: Float64Array;
  readonly innerBranches: Float64Array;
  readonly sites: Float64Array;
}

export interface FaultPlace {
  readonly fault: KernelFault;
  readonly block: number;
  readonly thread: readonly [number, number, number];
}

/** Raised inside compiled code to leave it when the launch has to stop. */
class Stopped extends Error {}

export class BlockRunner implements Caller {
  readonly base: number;
  readonly layout: WorkerLayout;
  readonly kernel: KernelPlan;
  readonly launch: LaunchPlan;
  readonly host: MemoryHost;
  /** Of a launch that is traced. */
  readonly trace: AccessTrace | undefined;
  readonly #traced: ReadonlyMap<number, MemorySiteFacts> | undefined;
  readonly #pointers = new Int32Array(32);
  /** Runs a path of the warp whose frame is given; says as PATH_STATUS why it has stopped. Of kernels that run path by path. */
  readonly runPath: KernelInstance['runPath'];
  #views: MemoryViews;
  readonly #code: KernelCode;
  readonly #instance: KernelInstance;
  readonly #hostStep: RunnerOptions['hostStep'];
  readonly #stopped: () => boolean;
  readonly #turns: Turns | undefined;
  /** Of a block. */
  readonly warps: number;
  block = 0;
  /** Physical address of the context of the block that runs. */
  context: number;

  constructor(options: RunnerOptions) {
    const { code, kernel, launch, base } = options;
    this.base = base;
    this.kernel = kernel;
    this.launch = launch;
    this.layout = workerLayout(kernel, launch);
    this.context = base + this.layout.areaBytes;
    this.#stopped = options.stopped;
    this.#turns = options.turns;
    this.warps = warpCount(launch);
    this.trace = launch.traced && new AccessTrace(launch.traced);
    this.#traced = launch.traced && new Map(kernel.sites.map((site) => [site.record, site]));
    this.#hostStep = options.hostStep;
    this.#code = code;
    this.#views = code.views();
    this.#instance = code.instanceFor(this, options.probes && callsOf(options.probes(this)));
    this.host = this.#instance.hostFor(this.words.buffer as SharedArrayBuffer, { ...kernel, ...launch });
    this.runPath = this.#instance.runPath;
    this.#prepareArea();
    if (kernel.usesLocal) this.#prepareImage();
    if (!kernel.pathByPath) this.prepareContext();
  }

  frame(warp: number): number {
    return this.context + this.layout.frames + warp * this.kernel.frameBytes;
  }

  local(warp: number): number {
    return this.context + this.layout.locals + warp * 32 * this.kernel.localBytes;
  }

  get shared(): number {
    return this.context + this.layout.shared;
  }

  sharedMemory(): Uint8Array {
    return this.#views.bytes.subarray(this.shared, this.shared + this.launch.sharedLimit);
  }

  hostStep(at: Parameters<Caller['hostStep']>[0]): void {
    if (!this.#hostStep) throw new Error('this kernel has no instructions for the host');
    this.#hostStep(this, at);
  }

  traced(record: number, addresses: number, mask: number, flags: number): void {
    for (let lane = 0; lane < 32; lane++) this.#pointers[lane] = this.words[(addresses >> 2) + lane];
    this.#trace(record, mask, flags);
  }

  tracedUniform(record: number, address: number, mask: number): void {
    this.#pointers.fill(address);
    this.#trace(record, mask & -mask, 0);
  }

  /** Device memory may have grown: what was known of it before does not reach its end. */
  refresh(): void {
    this.#views = this.#code.views();
    this.host.useBuffer(this.words.buffer as SharedArrayBuffer);
  }

  get words(): Int32Array {
    return this.#views.words;
  }

  #trace(record: number, mask: number, flags: number): void {
    const site = this.#traced!.get(record)!;
    const at = { key: site.site, block: this.block, warp: this.words[(this.base + INFO.warp) >> 2] };
    const goesOn = this.trace!.add(at, site, this.#pointers, mask, (flags & REDUCTION.combined) !== 0);
    if (!goesOn) this.words[(this.base + INFO.traced) >> 2] &= ~(1 << at.warp);
  }

  /** Makes the context hold a block at its start. */
  startBlock(block: number): void {
    this.enterBlock(block);
    if (this.launch.sharedLimit > 0) this.#instance.clear(this.shared, this.launch.sharedLimit);
    if (!this.kernel.usesLocal) return;
    const bytes = this.warps * 32 * this.kernel.localBytes;
    if (this.launch.byval.length === 0) this.#instance.clear(this.local(0), bytes);
    else this.#instance.copy(this.local(0), this.base + this.layout.image, bytes);
  }

  /** Makes compiled code work on the block that the context holds. */
  enterBlock(block: number): void {
    const { launch, base, words } = this;
    const [x, y] = launch.grid;
    this.block = block;
    words[(base + INFO.ctaid) >> 2] = block % x;
    words[(base + INFO.ctaid + 4) >> 2] = Math.floor(block / x) % y;
    words[(base + INFO.ctaid + 8) >> 2] = Math.floor(block / (x * y));
    words[(base + INFO.sharedBase) >> 2] = this.shared;
    words[(base + INFO.locals) >> 2] = this.local(0);
    words[(base + INFO.acts) >> 2]++;
    words[(base + INFO.turn) >> 2] = launch.inTurn ? 0 : 1;
    words[(base + INFO.traced) >> 2] = this.trace?.follows(block) ? -1 : 0;
  }

  /** Makes compiled code work on a warp of the block. */
  enterWarp(warp: number): void {
    this.words[(this.base + INFO.warp) >> 2] = warp;
    this.words[(this.base + INFO.localBase) >> 2] = this.local(warp);
  }

  /** Runs blocks as `next` gives their numbers, until it gives a negative one. */
  run(next: () => number): FaultPlace | undefined {
    try {
      // Blocks without a loop never come to a checkpoint, and a grid may have 2^63 of them.
      let blocks = 0;
      for (this.block = next(); this.block >= 0; this.block = next()) {
        this.#runBlock();
        if (++blocks % BLOCKS_PER_CHECKPOINT === 0) this.checkpoint();
      }
      this.#flushSums();
      return undefined;
    } catch (error) {
      if (error instanceof Stopped) return undefined;
      if (!(error instanceof KernelFault)) throw error;
      return {
        fault: error,
        block: this.block,
        thread: threadOf(this.words, this.frame(this.words[(this.base + INFO.warp) >> 2]), error.lane),
      };
    }
  }

  /** Warp-level instructions executed so far, as a kernel that runs path by path counts them. */
  get pathSteps(): number {
    return this.#views.data.getFloat64(this.base + INFO.steps, true);
  }

  /** What they weigh. */
  get pathWeight(): number {
    return this.#views.data.getFloat64(this.base + INFO.weight, true);
  }

  /** Warp-level instructions executed so far. */
  steps(): number {
    let total = 0;
    this.kernel.blockRows.forEach((row, block) => {
      total += this.#count(row + BLOCK_ROW.executions) * this.kernel.blockInstructions[block];
    });
    return total;
  }

  /** Of a kernel that runs warp by warp. */
  elapsed(): Elapsed {
    return { longest: this.#count(INFO.longest), blocks: this.#count(INFO.blocks) };
  }

  /** As numbers in the order of the plan. */
  counts(): LaunchCounts {
    const blocks = new Float64Array(this.kernel.blockRows.length * 3);
    this.kernel.blockRows.forEach((row, index) => {
      for (let k = 0; k < 3; k++) blocks[3 * index + k] = this.#count(row + 8 * k);
    });
    const sites = new Float64Array(this.kernel.sites.length * SITE_COUNTS.length);
    this.kernel.sites.forEach(({ record, counted }, index) => {
      if (!counted) return;
      this.host.settle(this.base + record);
      SITE_COUNTS.forEach(({ fields }, k) => {
        for (const field of fields) sites[SITE_COUNTS.length * index + k] += this.#count(record + field);
      });
    });
    const innerBranches = new Float64Array(
      this.kernel.innerBranches.flatMap(({ offset }) => [this.#count(offset), this.#count(offset + 8)]),
    );
    return { blocks, innerBranches, sites };
  }

  #count(offset: number): number {
    return Number(this.#views.data.getBigInt64(this.base + offset, true));
  }

  #prepareArea(): void {
    const { launch, base, words } = this;
    const set = (offset: number, value: number): void => {
      words[(base + offset) >> 2] = value;
    };
    launch.block.forEach((n, axis) => {
      set(INFO.ntid + 4 * axis, n);
    });
    launch.grid.forEach((n, axis) => {
      set(INFO.nctaid + 4 * axis, n);
    });
    set(INFO.sharedLimit, launch.sharedLimit);
    set(INFO.dynamicShared, launch.dynamicSharedBytes);
    set(INFO.patience, PATIENCE);
    // A kernel without local memory may still have a size of it (what calls would take): no address leads there.
    set(INFO.localStride, this.kernel.usesLocal ? this.kernel.localBytes : 0);
    set(INFO.parallel, launch.parallel ? 1 : 0);
    set(INFO.warpSize, 32);
    this.#views.data.setFloat64(base + INFO.limit, launch.limit, true);
    this.#views.bytes.set(launch.parameters, base + INFO.parameters);
  }

  /** Fills in what of a context is the same for all blocks. */
  prepareContext(): void {
    const { launch, words } = this;
    const threads = launch.block[0] * launch.block[1] * launch.block[2];
    for (let warp = 0; warp < this.warps; warp++) {
      const lanes = Math.min(32, threads - 32 * warp);
      const frame = this.frame(warp);
      words[(frame + FRAME.threads) >> 2] = lanes === 32 ? -1 : (1 << lanes) - 1;
      words[(frame + FRAME.warp) >> 2] = warp;
      for (let lane = 0; lane < 32; lane++) {
        const thread = 32 * warp + lane;
        words[((frame + FRAME.tidX) >> 2) + lane] = thread % launch.block[0];
        words[((frame + FRAME.tidY) >> 2) + lane] = Math.floor(thread / launch.block[0]) % launch.block[1];
        words[((frame + FRAME.tidZ) >> 2) + lane] = Math.floor(thread / (launch.block[0] * launch.block[1]));
        words[((frame + FRAME.lane) >> 2) + lane] = lane;
      }
    }
  }

  #runBlock(): void {
    this.startBlock(this.block);
    this.#instance.runWarps(this.base, this.frame(0), this.warps);
  }

  /** What the local memory of a block's threads holds at first: the structures passed by value, and zeros. */
  #prepareImage(): void {
    const { localBytes } = this.kernel;
    const at = this.base + this.layout.image;
    for (const { bytes, offset } of this.launch.byval) {
      for (let lane = 0; lane < 32 * this.warps; lane++) this.#views.bytes.set(bytes, at + lane * localBytes + offset);
    }
  }

  checkpoint(): void {
    this.words[(this.base + INFO.patience) >> 2] = PATIENCE;
    if (this.#stopped()) throw new Stopped();
    if (this.steps() > this.launch.limit) throw stepLimitFault(this.launch.limit);
  }

  awaitTurn(): void {
    if (this.#turns?.wait(this.block, this.#stopped) === false) throw new Stopped();
    this.words[(this.base + INFO.turn) >> 2] = 1;
  }

  /** Adds to memory what parallel reductions have collected. */
  #flushSums(): void {
    if (!this.launch.parallel) return;
    const table = (this.base + SUM_TABLE) >> 2;
    for (let slot = 0; slot < SUM_SLOTS; slot++) {
      const address = this.words[table + 2 * slot];
      if (address !== 0) Atomics.add(this.words, address >>> 2, this.words[table + 2 * slot + 1]);
    }
  }
}

function callsOf({ probe, known, same, whole, opened }: ProbeCalls): ProbeCalls {
  return { probe, known, same, whole, opened };
}

const BLOCKS_PER_CHECKPOINT = 65_536;

export function stepLimitFault(limit: number): KernelFault {
  const message = `stopped after ${limit} warp instructions, the limit per launch: the kernel may never terminate`;
  return new KernelFault('step-limit', { site: -1, lane: 0, message });
}

/** Accesses of one address by all lanes count once in each of these. */
const UNIFORM: Readonly<Partial<Record<RequestColumn, number>>> = {
  globalRequests: RECORD.uniformGlobal,
  globalSectors: RECORD.uniformGlobal,
  globalSectorsIdeal: RECORD.uniformGlobal,
  sharedRequests: RECORD.uniformShared,
  sharedWavefronts: RECORD.uniformShared,
  sharedWavefrontsIdeal: RECORD.uniformShared,
};

/** Counts of a memory site by their columns in SiteCounters, and the fields of its record that make them up. */
export const SITE_COUNTS = REQUEST_COLUMNS.map((name) => ({ name, fields: [RECORD[name], UNIFORM[name] ?? []].flat() }));
