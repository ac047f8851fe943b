/** What of a kernel depends on the order in which paths and warps take turns, which compiled code does not choose as finely. */
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import { findLoops } from '../simt/loops.ts';
import type { LaneForms } from './lane-forms.ts';
import { suspends } from './suspension.ts';

const LANES_MEET = /^llvm\.nvvm\.(shfl\.sync|vote\.(all|any|uni|ballot)\.sync|vote\.sync|match\.|redux\.sync|bar\.warp\.sync)/;

/**
 * An instruction in a loop through which lanes may wait for each other or that shows who came first. The interpreter lets others run
 * every now and then in such loops; compiled code runs a warp until it meets a barrier.
 */
export function turnSensitive(fn: IrFunction): Instruction | undefined {
  const used = new Set<number>();
  for (const block of fn.blocks) {
    for (const instruction of block.instructions) {
      for (const operand of operandsOf(instruction)) if (operand.kind === 'value') used.add(operand.id);
    }
  }
  const { loops, irreducible } = findLoops(fn);
  const inLoops = irreducible ? fn.blocks.map((b) => b.index) : loops.flatMap((l) => l.blocks);
  for (const block of new Set(inLoops)) {
    const found = fn.blocks[block].instructions.find((i) => isSensitive(i, used));
    if (found) return found;
  }
  return undefined;
}

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

function isSensitive(instruction: Instruction, used: ReadonlySet<number>): boolean {
  switch (instruction.op) {
    case 'atomicrmw':
      return used.has(instruction.id) || instruction.type.kind === 'float' || instruction.operation === 'xchg';
    case 'cmpxchg':
    case 'callIndirect':
      return true;
    case 'load':
    case 'store':
      return instruction.volatile || instruction.atomic;
    case 'call':
      return instruction.callee === 'vprintf' || instruction.callee === 'llvm.nvvm.nanosleep';
    default:
      return false;
  }
}
