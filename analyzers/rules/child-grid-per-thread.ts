/** Dynamic parallelism where every thread or every block launches a grid of its own. */
import type { VariantFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';

export const childGridPerThread = defineRule({
  id: 'child-grid-per-thread',
  summary: 'Device-side launch by every thread or block where one launch per level would do',
  category: 'launches',
  severity: 'warning',
  messages: {
    thread:
      'every thread that gets here launches a grid of its own: an H200 took 1.9 ms for 1,024 such grids of one warp, and 27 µs for one grid of 1,024 blocks; let one thread launch one grid for all of them, with blockIdx in place of the parent thread',
    block:
      'every block launches a grid of its own: an H200 took 0.8 ms for 1,024 such grids of one warp, and 27 µs for one grid of 1,024 blocks; let the first thread of the grid launch one grid with a block for each (into cudaStreamTailLaunch when it needs the parents’ results)',
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

/** All launches of the kernel in this file have a grid of one block, or none of them says. */
function singleBlock(kernel: VariantFacts): boolean {
  const grids = kernel.kernel.launches.map((launch) => launch.grid);
  return grids.every((grid) => (grid.x ?? 1) * (grid.y ?? 1) * (grid.z ?? 1) === 1);
}
