/** Where compiled code finds special registers without asking the host. */

import type { Register } from '../ir/intrinsics/description.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import { FRAME, INFO } from './layout.ts';

/** In the frame of a warp, where the scheduler puts them: one word for each lane. */
const IN_FRAME: Partial<Record<Register, number>> = { 'tid.x': FRAME.tidX, 'tid.y': FRAME.tidY, 'tid.z': FRAME.tidZ, laneid: FRAME.lane };

/** Among what the worker knows of the launch and the block: the same for all threads of a block. */
const IN_LAUNCH: Partial<Record<Register, number>> = {
  ...ofAxes('ctaid', INFO.ctaid),
  ...ofAxes('ntid', INFO.ntid),
  ...ofAxes('nctaid', INFO.nctaid),
  warpsize: INFO.warpSize,
};

/** Frame offset of a value that the scheduler puts there; undefined for others. */
export function frameOffsetOf(callee: string): number | undefined {
  const register = registerOf(callee);
  return register && IN_FRAME[register];
}

/** Offset of a value that all threads of a block share during a launch; undefined for others. */
export function launchFactOffset(callee: string): number | undefined {
  const register = registerOf(callee);
  return register && IN_LAUNCH[register];
}

export function isLaunchConstantCall(callee: string): boolean {
  return launchFactOffset(callee) !== undefined;
}

/** The special register that a call reads. */
export function registerOf(callee: string): Register | undefined {
  const meaning = intrinsicOf(callee)?.meaning;
  return meaning?.kind === 'register' ? meaning.register : undefined;
}

function ofAxes(name: 'ctaid' | 'ntid' | 'nctaid', offset: number): Partial<Record<Register, number>> {
  return { [`${name}.x`]: offset, [`${name}.y`]: offset + 4, [`${name}.z`]: offset + 8 };
}
