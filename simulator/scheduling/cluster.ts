/** Blocks that run together and reach each other's shared memory, and the barrier of all their threads. */
import { popcount } from '../ir/math/bits.ts';
import type { Dim3, Launch } from '../machine/launch.ts';
import type { BlockState } from './block.ts';
import { arrivalOf, type Path } from './warp.ts';

export class Cluster {
  /** By rank. */
  readonly blocks: BlockState[] = [];
  #arrived = 0;
  #waiting: Path[] = [];

  constructor(readonly size: number) {}

  /** Where the block of a rank has its shared memory; undefined if there is none, or it has ended. */
  sharedOfRank(rank: number): number | undefined {
    const block = this.blocks[rank];
    return block && !block.ended ? block.place.sharedAt : undefined;
  }

  arrive(path: Path): void {
    path.warp.arrivedInCluster |= path.mask;
    this.#arrived += popcount(path.mask);
    this.openIfComplete();
  }

  /** False if the barrier has opened since the path arrived. */
  wait(path: Path): boolean {
    if ((path.warp.arrivedInCluster & path.mask) === 0) return false;
    path.warp.park(path, { kind: 'cluster' });
    this.#waiting.push(path);
    return true;
  }

  /** It does not wait for threads that have exited. */
  openIfComplete(): void {
    if (this.#arrived === 0 || this.#arrived < this.#alive()) return;
    const paths = this.#waiting;
    this.#waiting = [];
    this.#arrived = 0;
    for (const { warps } of this.blocks) for (const warp of warps) warp.arrivedInCluster = 0;
    const { reporter } = this.blocks[0].grid;
    if (reporter?.tellsMeetings) reporter.meeting('cluster', paths.map(arrivalOf));
    for (const path of paths) path.warp.release(path, path.segment.next!);
  }

  /** Threads that have arrived and exited are no part of it any more. */
  exited(warp: Path['warp'], lanes: number): void {
    this.#arrived -= popcount(warp.arrivedInCluster & lanes);
    warp.arrivedInCluster &= ~lanes;
    this.openIfComplete();
  }

  #alive(): number {
    const there = this.blocks.reduce((sum, block) => sum + block.aliveThreads, 0);
    // Blocks that have not begun will come.
    return this.blocks.length < this.size ? Number.POSITIVE_INFINITY : there;
  }
}

/** Numbers of the blocks of each cluster, by rank; clusters ascend. */
export function clustersOf({ grid, cluster = [1, 1, 1] }: Launch): readonly (readonly number[])[] {
  const counts = grid.map((size, axis) => size / cluster[axis]);
  return Array.from({ length: counts[0] * counts[1] * counts[2] }, (_, number) => {
    const [cx, cy, cz] = placeOf(number, counts);
    return Array.from({ length: cluster[0] * cluster[1] * cluster[2] }, (__, rank) => {
      const [x, y, z] = placeOf(rank, cluster);
      return cx * cluster[0] + x + grid[0] * (cy * cluster[1] + y + grid[1] * (cz * cluster[2] + z));
    });
  });
}

/** A block's number in its cluster. */
export function rankOf({ id, grid: { launch } }: { readonly id: Dim3; readonly grid: { readonly launch: Launch } }): number {
  const [x, y, z] = launch.cluster ?? [1, 1, 1];
  return (id[0] % x) + x * ((id[1] % y) + y * (id[2] % z));
}

function placeOf(number: number, [x, y]: readonly number[]): readonly [number, number, number] {
  return [number % x, Math.floor(number / x) % y, Math.floor(number / (x * y))];
}
