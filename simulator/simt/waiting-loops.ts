/**
 * Loops in which lanes may wait for other lanes: their exit may depend on memory that others write while the loop runs. Only these loops
 * have to let other lanes run in between. A plain load counts only with a fence in the loop, because the compiler otherwise reads it once,
 * before the loop.
 */
import { intrinsicOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, IrModule } from '../ir/types.ts';
import { findLoops } from './loops.ts';

/** Back edges, as "from to", of such loops. In an irreducible function every edge to an earlier block counts as one. */
export function waitingBackEdges(fn: IrFunction, module: IrModule): ReadonlySet<string> {
  const edges = new Set<string>();
  const answers = answeringBlocks(fn, module);
  if (answers.size === 0) return edges;
  const { loops, irreducible } = findLoops(fn);
  for (const loop of loops) {
    if (!loop.blocks.some((b) => answers.has(b))) continue;
    for (const latch of loop.latches) edges.add(`${latch} ${loop.header}`);
  }
  if (irreducible) {
    for (const block of fn.blocks) {
      for (const target of block.successors) if (target <= block.index) edges.add(`${block.index} ${target}`);
    }
  }
  return edges;
}

/** Blocks that read what other lanes may be writing. */
function answeringBlocks(fn: IrFunction, module: IrModule, callers: readonly string[] = []): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      for (const operand of operandsOf(instruction)) if (operand.kind === 'value') used.add(operand.id);
    }
  }
  const answers = (instruction: Instruction): boolean => {
    switch (instruction.op) {
      case 'cmpxchg':
      case 'fence':
      case 'callIndirect':
        return true;
      case 'atomicrmw':
        return used.has(instruction.id);
      case 'load':
        return instruction.volatile || instruction.order !== undefined;
      case 'call': {
        const callee = module.functions.get(instruction.callee);
        if (!callee) return intrinsicOf(instruction.callee)?.effect === 'pause';
        return callers.includes(callee.name) || answeringBlocks(callee, module, [...callers, fn.name]).size > 0;
      }
      default:
        return false;
    }
  };
  return new Set(fn.blocks.filter((block) => block.instructions.some(answers)).map((block) => block.index));
}
