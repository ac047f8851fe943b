/** Instructions at which a warp may stop and be resumed later. */

import type { Meaning } from '../ir/intrinsics/description.ts';
import { intrinsicOf, meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';

/** A barrier of the block: all lanes of a warp that have not exited wait at it together. */
export function suspends(instruction: Instruction): boolean {
  return isCommonBarrier(meaningOf(instruction));
}

/** All threads of the block come to it and wait, and learn nothing from each other. */
export function isCommonBarrier(meaning: Meaning | undefined): boolean {
  return meaning?.kind === 'blockBarrier' && meaning.together && !meaning.reduction && !meaning.arriveOnly;
}

/** A part of a warp may have to wait for other lanes, warps or blocks here, or may make those go on that wait. */
export function pausesPath(instruction: Instruction): boolean {
  return instruction.op === 'call' && intrinsicOf(instruction.callee)?.waits !== undefined;
}
