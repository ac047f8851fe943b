/** Instructions at which a warp may stop and be resumed later. */
import type { Instruction } from '../ir/types.ts';

const BARRIER = /^llvm\.nvvm\.(barrier0|barrier\.cta\.sync\.aligned\.all|barrier\.sync|bar\.sync)$/;

export function suspends(instruction: Instruction): boolean {
  return instruction.op === 'call' && BARRIER.test(instruction.callee);
}
