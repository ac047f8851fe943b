/** Paths executed step by step, each warp's values in cells of its own. */

import { popcount } from '../ir/math/bits.ts';
import { copyLanes } from '../machine/cells.ts';
import { GrowingLocalMemory, type LocalMemory } from '../machine/local-memory.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import type { BlockState } from '../scheduling/block.ts';
import type { Grid } from '../scheduling/grid.ts';
import type { BlockPlace, PathCode } from '../scheduling/path-code.ts';
import { writes } from '../scheduling/schedule.ts';
import type { Frame, Path } from '../scheduling/warp.ts';

export class InterpretedPaths implements PathCode {
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  get steps(): number {
    return this.#grid.steps;
  }

  get weight(): number {
    return this.#grid.weight;
  }

  open({ sharedBytes, cluster, rank }: BlockState): BlockPlace {
    const bytes = Math.ceil(sharedBytes / 16) * 16;
    // The blocks of a cluster see each other's.
    const all = (cluster?.blocks[0]?.place.all ?? new MemoryViews(new ArrayBuffer(bytes * (cluster?.size ?? 1)))) as MemoryViews;
    return {
      all,
      sharedAt: bytes * rank,
      shared: new MemoryViews(all.buffer, bytes * rank),
      warps: this.#grid.shapes.map(() => {
        const local = new GrowingLocalMemory();
        return { frame: this.#kernelFrame(local), local };
      }),
    };
  }

  run(path: Path): boolean {
    const grid = this.#grid;
    const limit = grid.options.limits.warpInstructions;
    for (;;) {
      const { segment } = path;
      const { instructions, steps } = segment;
      if (path.at > 0 || grid.budget < instructions.length || grid.schedule?.endsTurnsAtWrites) {
        const went = this.#runSlowly(path);
        if (went === 'paused') return false;
        if (went === 'stopped') return true;
        continue;
      }
      grid.budget -= instructions.length;
      count(path);
      grid.steps += instructions.length;
      grid.weight += segment.weight;
      if (grid.steps > limit) throw grid.stepLimit(path);
      for (let index = 0; index < steps.length; index++) steps[index](path);
      if (!segment.end(path)) return true;
    }
  }

  /** Runs what is left of a segment one instruction after the other, as far as the budget goes. */
  #runSlowly(path: Path): 'paused' | 'stopped' | 'further' {
    const grid = this.#grid;
    const { segment } = path;
    const { instructions, steps, marks } = segment;
    if (grid.budget < 1) return 'paused';
    if (path.at === 0) {
      count(path);
      grid.steps += instructions.length;
      grid.weight += segment.weight;
      if (grid.steps > grid.options.limits.warpInstructions) throw grid.stepLimit(path);
    }
    const last = instructions.length - 1;
    for (let index = path.at; index <= last; index++) {
      const end = index === last ? steps.length : marks[index + 1];
      // Phis have got their values along the edge, and some calls do nothing.
      if (index < last && marks[index] === end) continue;
      path.at = index;
      if (grid.budget < 1) return 'paused';
      grid.budget--;
      for (let step = marks[index]; step < end; step++) steps[step](path);
      if (grid.schedule?.endsTurnsAtWrites && writes(instructions[index])) grid.budget = 0;
    }
    path.at = 0;
    return segment.end(path) ? 'further' : 'stopped';
  }

  close({ place }: BlockState): void {
    for (const { frame } of place.warps) frame.program.recycle(frame);
  }

  #kernelFrame(memory: LocalMemory): Frame {
    const grid = this.#grid;
    const frame = grid.kernel.frame(grid.countsOf(grid.kernel));
    frame.stackBase = grid.parameterBytes;
    frame.stackTop = grid.kernelStackTop;
    memory.reserve(grid.parameterBytes);
    const { capacity, views } = memory;
    grid.args.forEach(({ cells, values, local }) => {
      cells.forEach((cell, leaf) => {
        copyLanes(frame.cells[cell], values[leaf], -1);
      });
      if (local) for (let lane = 0; lane < 32; lane++) views.u8.set(local.bytes, lane * capacity + local.offset);
    });
    return frame;
  }
}

function count({ frame, segment, mask }: Path): void {
  const { executions } = frame.counts;
  executions[2 * segment.index]++;
  executions[2 * segment.index + 1] += popcount(mask);
}
