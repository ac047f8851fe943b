/** Instructions at which a warp may stop and be resumed later. */
import type { Instruction } from '../ir/types.ts';

const BARRIER = /^llvm\.nvvm\.(barrier0|barrier\.cta\.sync\.aligned\.all|barrier\.sync|bar\.sync)$/;

/** A barrier of the block: all lanes of a warp that have not exited wait at it together. */
export function suspends(instruction: Instruction): boolean {
  return instruction.op === 'call' && BARRIER.test(instruction.callee);
}

const PAUSE = /^(__lanewise_grid_sync$|llvm\.nvvm\.(bar|shfl\.sync\.|vote\..*sync$|match\.|redux\.sync\.))/;

/** A part of a warp may have to wait for other lanes, warps or blocks here, or may make those go on that wait. */
export function pausesPath(instruction: Instruction): boolean {
  return instruction.op === 'call' && PAUSE.test(instruction.callee);
}
