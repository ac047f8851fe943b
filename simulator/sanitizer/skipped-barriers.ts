/**
 * Threads of a launch that have gone past a barrier of their block, told by the ways that they took at branches. A thread that leaves
 * the kernel in front of a barrier is not waited for, which CUDA allows. It has skipped the barrier if that stands in a condition that
 * does not hold for it, or if it goes on with what lies behind.
 */
import type { Instruction } from '../ir/types.ts';
import type { Arrival, BranchEvent } from '../scheduling/probes.ts';
import type { BarrierSkips } from './barrier-skips.ts';

/** Lanes of a warp since their last barrier, as barriers' bits. */
interface WarpWays {
  readonly skipped: Int32Array;
  readonly gone: Int32Array;
  /** What `gone` was when the lane came to the barrier at which it waits. */
  readonly before: Int32Array;
}

export class SkippedBarriers {
  readonly #skips: BarrierSkips;
  /** Which branches it has to be told. */
  readonly branches: ReadonlySet<Instruction>;
  readonly #warps = new Map<number, WarpWays>();
  readonly #warpsPerBlock: number;

  constructor(skips: BarrierSkips, warpsPerBlock: number) {
    this.#skips = skips;
    this.branches = skips.branches;
    this.#warpsPerBlock = warpsPerBlock;
  }

  branch({ instruction, block, warp, mask, values }: BranchEvent): void {
    const ways = this.#of(block * this.#warpsPerBlock + warp);
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const way = this.#skips.way(instruction, values[lane]);
      if (!way) continue;
      ways.skipped[lane] |= way.skips;
      ways.gone[lane] |= way.encloses | (ways.skipped[lane] & way.behind);
    }
  }

  /** Lanes come to a barrier of the block. */
  arrive(block: number, warp: number, mask: number): void {
    const ways = this.#warps.get(block * this.#warpsPerBlock + warp);
    if (!ways) return;
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      ways.before[lane] = ways.gone[lane];
      ways.skipped[lane] = 0;
      ways.gone[lane] = 0;
    }
  }

  /**
   * How many threads of a block have gone past one of these barriers without waiting, and not in company with those who now wait: these
   * may have left a loop with the barrier like the others before they came to it anew.
   */
  gonePast(arrivals: readonly Arrival[], barriers: readonly Instruction[]): number {
    let bits = barriers.reduce((all, each) => all | this.#skips.bitOf(each), 0);
    for (const { block, warp, mask } of arrivals) {
      const { before } = this.#of(block * this.#warpsPerBlock + warp);
      let inAll = -1;
      for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) inAll &= before[lane];
      bits &= ~inAll;
    }
    let threads = 0;
    const first = arrivals[0].block * this.#warpsPerBlock;
    for (let warp = first; warp < first + this.#warpsPerBlock; warp++) {
      for (const gone of this.#warps.get(warp)?.gone ?? []) if ((gone & bits) !== 0) threads++;
    }
    return threads;
  }

  endBlock(block: number): void {
    for (let warp = 0; warp < this.#warpsPerBlock; warp++) this.#warps.delete(block * this.#warpsPerBlock + warp);
  }

  #of(warp: number): WarpWays {
    let ways = this.#warps.get(warp);
    if (!ways) {
      ways = { skipped: new Int32Array(32), gone: new Int32Array(32), before: new Int32Array(32) };
      this.#warps.set(warp, ways);
    }
    return ways;
  }
}
