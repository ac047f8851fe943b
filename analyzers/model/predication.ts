/**
 * Which branches ptxas turns into predicated instructions or a predicated EXIT, so that no lane of a warp waits for another. The same
 * findings as in the simulator's account of machine code, asked of estimates from the text: bodies of a few straight instructions are
 * predicated; loops, barriers, atomics, calls and slow paths cannot be; where nothing is left to do, lanes exit instead of waiting.
 */
import { SM_90 } from '../../devices/prices.ts';
import { isInSwitch } from './exits.ts';
import type { Predication } from './facts.ts';
import type { PathStep, RawBranch, RawLoop } from './values.ts';

const { mostlyPredicated, mostlyBranched } = SM_90.predication;

/** `endCost`: where the kernel ends, in the units of the branch. */
export function predicationOf(b: RawBranch, endCost: number): Predication {
  if (b.kind === 'loop-exit') return 'no';
  // What is right of `&&` and `||` is computed for all lanes where it is as short.
  if (b.kind === 'logical') return b.thenHeavy || b.keptLoad || b.thenCost > mostlyPredicated ? 'no' : 'yes';
  const inKernel = b.callSite === undefined;
  if (b.exits === 'return' && inKernel) return 'exit';
  if ((b.exits === 'break' || b.leaves === 'break') && !isInSwitch(b))
    return leavesKernel(b.loops[b.loops.length - 1], endCost) ? 'exit' : 'no';
  const heavy = b.thenHeavy || b.elseHeavy;
  if (isLast(Math.max(b.thenEnd ?? 0, b.elseEnd ?? 0), b.path, b.loops, endCost)) return lastOf(b.thenCost, b.elseCost, heavy);
  // What lanes do before they return, and the rest of the kernel.
  if (b.leaves === 'return' && inKernel && b.path.length === 0 && b.loops.length === 0)
    return lastOf(b.thenCost, b.elseCost + endCost - (b.elseEnd ?? endCost), heavy);
  const cost = b.thenCost + b.elseCost;
  if (heavy || cost > mostlyBranched) return 'no';
  return cost <= mostlyPredicated && !b.nested ? 'yes' : 'maybe';
}

/** A `break` out of a loop with nothing behind it. */
function leavesKernel(loop: RawLoop | undefined, endCost: number): boolean {
  return loop !== undefined && isLast(loop.end, loop.path, loop.loops, endCost);
}

/** Two sides with nothing behind them: one without work exits, and of others both are predicated or none is. */
function lastOf(then: number, otherwise: number, heavy: boolean): Predication {
  if (Math.min(then, otherwise) === 0) return 'exit';
  if (heavy || Math.max(then, otherwise) > mostlyBranched) return 'no';
  return Math.max(then, otherwise) <= mostlyPredicated ? 'yes' : 'maybe';
}

/** Nothing but the end of the kernel follows a point that lies under these branches and loops. */
function isLast(end: number | undefined, path: readonly PathStep[], loops: readonly RawLoop[], endCost: number): boolean {
  if (end === undefined || loops.length > 0) return false;
  let at = end;
  for (let i = path.length - 1; i >= 0; i--) {
    const { branch, side } = path[i];
    if (branch.kind === 'loop-exit') continue;
    if (at !== (side === 'then' ? branch.thenEnd : branch.elseEnd)) return false;
    at = Math.max(branch.thenEnd ?? 0, branch.elseEnd ?? 0);
  }
  return at === endCost;
}
