/** What of a kernel needs lanes of a warp to take turns, which compiled code cannot do. */
import type { Instruction, IrFunction } from '../ir/types.ts';
import type { LaneForms } from './lane-forms.ts';
import { suspends } from './suspension.ts';

const LANES_MEET = /^llvm\.nvvm\.(shfl\.sync|vote\.(all|any|uni|ballot)\.sync|vote\.sync|match\.|redux\.sync|bar\.warp\.sync)/;

/** A place where all lanes of a block must meet although some may be elsewhere. */
export function partedBarrier(fn: IrFunction, forms: LaneForms): Instruction | undefined {
  for (const block of fn.blocks) {
    if (!forms.partial(block.index)) continue;
    const found = block.instructions.find(suspends);
    if (found) return found;
  }
  return undefined;
}

/** Lanes of a warp may have to wait for others that have taken another way. */
export function lanesMayWait(fn: IrFunction, forms: LaneForms): boolean {
  return fn.blocks.some((b) => forms.partial(b.index) && b.instructions.some((i) => i.op === 'call' && LANES_MEET.test(i.callee)));
}
