/**
 * Registers of a thread, estimated: the most values that are live at once in the IR, in words of 32 bits. ptxas orders instructions anew
 * and needs registers of its own: `npm run compare:nvcc -- DIR --cache DIR --registers` says how far this is from what it gives.
 */
import { memoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import type { IrFunction, IrModule, Type } from '../ir/types.ts';
import { countedLoops } from './counted-loops.ts';

/** What a kernel has besides its values: addresses, predicates that spill over, the stack pointer. */
const OWN_REGISTERS = 9;
/** A loop that is written out has several iterations' loads under way: for each word that an iteration loads, up to so many words. */
const AHEAD = 0.7;
const MOST_WORDS_AHEAD = 8;
/**
 * With 32 registers a multiprocessor holds all the threads it can. ptxas moves loads to where they are used to stay there; only kernels
 * with far more values get more, and these hold on to a part of them.
 */
const FOR_ALL_THREADS = 32;
const FITS_BELOW = 60;
const HELD_SHARE = 0.7;
/** The fewest that nvcc 13 gives (launch__registers_per_thread of h200-reference.json). */
const LEAST = 16;
const MOST = 255;
const GRANULE = 8;

const known = new WeakMap<IrFunction, number>();

export function registersOf(fn: IrFunction, module: IrModule, registersPerBlock: number): number {
  let registers = known.get(fn);
  if (registers === undefined) {
    registers = Math.max(LEAST, held(Math.round(OWN_REGISTERS + mostLive(fn, module) + wordsAhead(fn, module))));
    known.set(fn, registers);
  }
  const limit = fn.maxThreads ? Math.floor(registersPerBlock / fn.maxThreads / GRANULE) * GRANULE : MOST;
  return Math.min(registers, limit, MOST);
}

/** Of so many values at once. */
function held(wanted: number): number {
  if (wanted <= FOR_ALL_THREADS) return wanted;
  return wanted <= FITS_BELOW ? FOR_ALL_THREADS : Math.round(HELD_SHARE * wanted);
}

function wordsAhead(fn: IrFunction, module: IrModule): number {
  const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
  let most = 0;
  for (const [index, rounds] of countedLoops(fn).rounds) {
    if (rounds === 1) continue;
    const loads = fn.blocks[index].instructions.filter((each) => each.op === 'load' && roots.spaceOf(each.pointer) !== 3);
    most = Math.max(
      most,
      Math.min(
        MOST_WORDS_AHEAD,
        loads.reduce((sum, { type }) => sum + wordsOf(type), 0),
      ),
    );
  }
  return AHEAD * most;
}

function wordsOf(type: Type): number {
  switch (type.kind) {
    case 'void':
      return 0;
    case 'int':
      return type.bits === 1 ? 0 : Math.ceil(type.bits / 32);
    case 'float':
      return type.format === 'double' ? 2 : 1;
    case 'ptr':
      return type.space === 3 || type.space === 5 ? 1 : 2;
    case 'vector':
    case 'array':
      return type.count * wordsOf(type.kind === 'vector' ? type.element : type.element);
    case 'struct':
      return type.fields.reduce((sum, field) => sum + wordsOf(field), 0);
  }
}

/** Kernel parameters lie in constant memory and need none. */
function mostLive(fn: IrFunction, module: IrModule): number {
  const { blocks, parameters, valueCount, isKernel } = fn;
  const words = new Uint16Array(valueCount);
  const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
  for (const { instructions } of blocks) {
    for (const instruction of instructions) {
      const { id, type, op } = instruction;
      // Shared memory is near: ptxas loads from it when it needs the value.
      if (id >= 0 && op !== 'alloca' && !(instruction.op === 'load' && roots.spaceOf(instruction.pointer) === 3)) words[id] = wordsOf(type);
    }
  }
  if (!isKernel) for (const { id, type } of parameters) words[id] = wordsOf(type);
  const liveIn = blocks.map(() => new Set<number>());
  let most = 0;
  for (let changed = true; changed; ) {
    changed = false;
    most = 0;
    for (let index = blocks.length - 1; index >= 0; index--) {
      const { instructions, successors } = blocks[index];
      const live = new Set<number>();
      for (const successor of successors) {
        for (const id of liveIn[successor]) live.add(id);
        for (const phi of blocks[successor].instructions) {
          if (phi.op !== 'phi') break;
          live.delete(phi.id);
        }
      }
      for (const successor of successors) {
        for (const phi of blocks[successor].instructions) {
          if (phi.op !== 'phi') break;
          for (const { value, block } of phi.incoming) if (block === index && value.kind === 'value') live.add(value.id);
        }
      }
      let sum = 0;
      for (const id of live) sum += words[id];
      most = Math.max(most, sum);
      for (let k = instructions.length - 1; k >= 0; k--) {
        const instruction = instructions[k];
        if (instruction.id >= 0 && live.delete(instruction.id)) sum -= words[instruction.id];
        if (instruction.op === 'phi') continue;
        for (const operand of operandsOf(instruction)) {
          if (operand.kind !== 'value' || live.has(operand.id)) continue;
          live.add(operand.id);
          sum += words[operand.id];
        }
        most = Math.max(most, sum);
      }
      for (const phi of instructions) if (phi.op === 'phi') live.add(phi.id);
      if (live.size !== liveIn[index].size) changed = true;
      liveIn[index] = live;
    }
  }
  return most;
}
