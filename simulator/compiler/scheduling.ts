/** What of a kernel needs the parts of a warp to take turns, as the interpreter's scheduler lets them. */
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import type { ControlFlow } from './control-flow.ts';
import type { InlinedKernel } from './inlining.ts';
import type { LaneForms } from './lane-forms.ts';
import { isCommonBarrier, pausesPath, suspends } from './suspension.ts';

/**
 * True if lanes, warps or blocks may have to wait for each other elsewhere than at one barrier to which all threads of a block come
 * together, or if the program can read how far others have come. `mayHope`: a launch may begin again if lanes do wait in a loop.
 */
export function runsPathByPath({ fn, waitingEdges }: InlinedKernel, forms: LaneForms, mayHope: boolean): boolean {
  if (waitingEdges.size > 0 && (!mayHope || calls(fn, (callee) => intrinsicOf(callee)?.effect === 'pause'))) return true;
  return barrierCount(fn) > 1 || partedBarrier(fn, forms) !== undefined || calls(fn, needsPaths);
}

function calls(fn: IrFunction, test: (callee: string) => boolean): boolean {
  return fn.blocks.some((b) => b.instructions.some((i) => i.op === 'call' && test(i.callee)));
}

/** Calls at which paths stop otherwise than at a barrier of all threads, or that read how many instructions have been executed. */
function needsPaths(callee: string): boolean {
  const intrinsic = intrinsicOf(callee);
  if (!intrinsic) return false;
  const { effect, waits, meaning } = intrinsic;
  return effect === 'clock' || waits === 'grid' || waits === 'cluster' || (waits === 'block' && !isCommonBarrier(meaning));
}

/** A place where all lanes of a block must meet although some may be elsewhere. */
function partedBarrier(fn: IrFunction, forms: LaneForms): Instruction | undefined {
  for (const block of fn.blocks) {
    if (!forms.partial(block.index)) continue;
    const found = block.instructions.find(suspends);
    if (found) return found;
  }
  return undefined;
}

/** How many of a block's barriers a kernel uses; infinitely many if it computes which. */
function barrierCount(fn: IrFunction): number {
  const numbers = new Set<string>();
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      if (!suspends(instruction) || instruction.op !== 'call') continue;
      const [number] = instruction.args;
      if (number && number.kind !== 'int' && number.kind !== 'zero') return Number.POSITIVE_INFINITY;
      numbers.add(number?.kind === 'int' ? String(number.value) : '0');
    }
  }
  return numbers.size;
}

/** Lanes of a warp may have to wait for others that have taken another way. */
export function lanesMayWait(fn: IrFunction, forms: LaneForms): boolean {
  return fn.blocks.some(
    (b) => forms.partial(b.index) && b.instructions.some((i) => i.op === 'call' && intrinsicOf(i.callee)?.waits === 'lanes'),
  );
}

/** Whether no lane that parts at the end of a block can wait, or let others run, before it has come to the meeting point. */
export function quietBranches({ fn, calls, returns, waitingEdges }: InlinedKernel, flow: ControlFlow): (block: number) => boolean {
  const patient = new Set([...waitingEdges].map((edge) => Number(edge.split(' ')[0])));
  const stopping = new Set([...patient, ...calls.keys(), ...returns]);
  for (const { index, instructions } of fn.blocks) if (instructions.some(pausesPath)) stopping.add(index);
  const known = new Map<number, boolean>();
  return (block) => {
    let quiet = known.get(block);
    if (quiet === undefined) {
      quiet = !patient.has(block) && ![...flow.region(block)].some((b) => stopping.has(b));
      known.set(block, quiet);
    }
    return quiet;
  };
}
