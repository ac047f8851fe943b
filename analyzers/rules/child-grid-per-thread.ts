/** Dynamic parallelism in which every thread or every block launches its own grid. */
import type { VariantFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';

export const childGridPerThread = defineRule({
  id: 'child-grid-per-thread',
  summary: 'Device-side launch from every thread or block where one launch per level would do',
  category: 'launches',
  severity: 'warning',
  messages: {
    thread:
      'every thread that reaches this line launches its own grid: 1,024 such grids of one warp took 1.9 ms on an H200, one grid of 1,024 blocks 27 µs; have one thread launch a single grid for all of them, with blockIdx in place of the parent thread',
    block:
      'every block launches its own grid: 1,024 such grids of one warp took 0.8 ms on an H200, one grid of 1,024 blocks 27 µs; have the first thread of the grid launch one grid with a block for each (into cudaStreamTailLaunch if it needs the parents’ results)',
  },
  *detect(kernel) {
    const oneBlock = singleBlock(kernel);
    for (const { control, place } of kernel.childLaunches) {
      // Under a condition on what an atomic returned, one thread of the grid may have been elected.
      if (control.branches.some(({ branch }) => branch.condition.fromMemory && control.oneThreadPerBlock)) continue;
      if (!control.oneThreadPerBlock) yield { at: place, message: 'thread' };
      else if (!oneBlock && !control.choosesBlocks) yield { at: place, message: 'block' };
    }
  },
});

/** All launches of the kernel in this file have a grid of one block. One whose size a run decides is taken to have more. */
function singleBlock(kernel: VariantFacts): boolean {
  return kernel.kernel.launches.every(({ grid: { x, y, z } }) => x === 1 && y === 1 && z === 1);
}
