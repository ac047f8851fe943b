/**
 * Loops that only wait for time to pass: a clock that they read decides whether they end, and nothing that they do can be seen from
 * outside. Loops that write, or read what others may write, are none, and neither are those that measure themselves.
 */
import { intrinsicOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import { findLoops, type Loop } from './loops.ts';

const known = new WeakMap<IrFunction, ReadonlySet<Instruction>>();

/** Calls that read a clock in such a loop. */
export function delayingClocks(fn: IrFunction): ReadonlySet<Instruction> {
  let clocks = known.get(fn);
  if (!clocks) {
    clocks = new Set(findLoops(fn).loops.flatMap((loop) => clocksOf(fn, loop)));
    known.set(fn, clocks);
  }
  return clocks;
}

function clocksOf({ blocks }: IrFunction, loop: Loop): Instruction[] {
  const inside = loop.blocks.flatMap((block) => blocks[block].instructions);
  if (!inside.some(isClock) || !inside.every(isUnseen)) return [];
  const definitions = new Map(inside.map((instruction) => [instruction.id, instruction]));
  const found = new Set(loop.exits.map(({ from }) => blocks[from].instructions.at(-1)!));
  // Sets grow while they are walked: what decides the exits, and what that is computed from.
  for (const instruction of found) {
    for (const operand of operandsOf(instruction)) {
      const definition = operand.kind === 'value' ? definitions.get(operand.id) : undefined;
      if (definition) found.add(definition);
    }
  }
  return [...found].filter(isClock);
}

function isClock(instruction: Instruction): boolean {
  return instruction.op === 'call' && intrinsicOf(instruction.callee)?.effect === 'clock';
}

function isUnseen(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
    case 'callIndirect':
    case 'ret':
    case 'unreachable':
      return false;
    case 'load':
      return !instruction.volatile && instruction.order === undefined;
    case 'call': {
      const effect = intrinsicOf(instruction.callee)?.effect;
      return effect === 'none' || effect === 'told' || effect === 'clock' || effect === 'pause';
    }
    default:
      return true;
  }
}
