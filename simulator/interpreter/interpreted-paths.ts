/** Paths executed step by step, each warp's values in cells of its own. */

import { popcount } from '../ir/math/bits.ts';
import { copyLanes } from '../machine/cells.ts';
import { GrowingLocalMemory, type LocalMemory } from '../machine/local-memory.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import type { BlockState } from '../scheduling/block.ts';
import type { Grid } from '../scheduling/grid.ts';
import type { BlockPlace, PathCode } from '../scheduling/path-code.ts';
import type { Frame, Path } from '../scheduling/warp.ts';

export class InterpretedPaths implements PathCode {
  readonly #grid: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  open({ sharedBytes }: BlockState): BlockPlace {
    return {
      shared: new MemoryViews(new ArrayBuffer(Math.ceil(sharedBytes / 16) * 16)),
      warps: this.#grid.shapes.map(() => {
        const local = new GrowingLocalMemory();
        return { frame: this.#kernelFrame(local), local };
      }),
    };
  }

  run(path: Path): void {
    const grid = this.#grid;
    const limit = grid.options.limits.warpInstructions;
    for (;;) {
      const { segment } = path;
      const { program } = path.frame;
      program.ran = true;
      const counts = program.executions[segment.index];
      counts[0]++;
      counts[1] += popcount(path.mask);
      grid.steps += segment.instructions.length;
      if (grid.steps > limit) throw grid.stepLimit(path);
      const { steps } = segment;
      for (let index = 0; index < steps.length; index++) steps[index](path);
      if (!segment.end(path)) return;
    }
  }

  close({ place }: BlockState): void {
    for (const { frame } of place.warps) frame.program.recycle(frame);
  }

  #kernelFrame(memory: LocalMemory): Frame {
    const grid = this.#grid;
    const frame = grid.kernel.frame();
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
