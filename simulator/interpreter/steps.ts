/** What each instruction does to the cells of a frame. Instructions that move lanes (branches, calls) are in control.ts and calls.ts. */

import { LOCAL_BASE, ORDER_SHIFT, SHARED_BASE } from '../ir/address-map.ts';
import { type CastOp, type Instruction, type IntBinary, type Operand, type Type, UnsupportedIr } from '../ir/types.ts';
import { copyLanes, getBits, type Leaf, leavesOf, setBits } from '../machine/cells.ts';
import type { Step } from '../scheduling/program.ts';
import { elementStep, extractValueStep, insertValueStep, shuffleStep } from './aggregate-steps.ts';
import { atomicStep, cmpxchgStep } from './atomics.ts';
import { castLanes } from './casts.ts';
import { FLOAT_BINARY, FLOAT_COMPARE, type FloatFormat, floatLoop, floatTestLoop, floatView } from './floats.ts';
import { icmpLoop, intBinaryLoop } from './integers.ts';
import type { LaneLoop } from './lane-loop.ts';
import { addressStep, allocaStep, memoryStep } from './memory-steps.ts';
import { move, type Of, sequence } from './step-basics.ts';
import type { Translation } from './translate.ts';

export function stepFor(t: Translation, instruction: Instruction): Step {
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return floatStep(t, instruction, 2, [instruction.a, instruction.b], instruction.op, FLOAT_BINARY[instruction.op]);
    case 'fneg':
      return fnegStep(t, instruction, instruction.a);
    case 'icmp':
      return icmpStep(t, instruction);
    case 'fcmp':
      return fcmpStep(t, instruction);
    case 'freeze':
      return move(t.results(instruction), t.cells(instruction.a));
    case 'select':
      return selectStep(t, instruction);
    case 'alloca':
      return allocaStep(t, instruction);
    case 'load':
    case 'store':
      return memoryStep(t, instruction);
    case 'getelementptr':
      return addressStep(t, instruction);
    case 'atomicrmw':
      return atomicStep(t, instruction);
    case 'cmpxchg':
      return cmpxchgStep(t, instruction);
    case 'fence':
      return () => {};
    case 'extractvalue':
      return extractValueStep(t, instruction);
    case 'insertvalue':
      return insertValueStep(t, instruction);
    case 'extractelement':
    case 'insertelement':
      return elementStep(t, instruction);
    case 'shufflevector':
      return shuffleStep(t, instruction);
    default:
      if (isIntBinary(instruction)) return intStep(t, instruction);
      if (isCast(instruction)) return castStep(t, instruction);
      throw new UnsupportedIr(`${instruction.op} is not supported`, instruction.location);
  }
}

const INT_BINARY: ReadonlySet<string> = new Set([
  'add',
  'sub',
  'mul',
  'udiv',
  'sdiv',
  'urem',
  'srem',
  'shl',
  'lshr',
  'ashr',
  'and',
  'or',
  'xor',
]);

function isIntBinary(instruction: Instruction): instruction is Of<IntBinary> {
  return INT_BINARY.has(instruction.op);
}

function isCast(instruction: Instruction): instruction is Of<CastOp> {
  return /^(trunc|zext|sext|fptrunc|fpext|fptoui|fptosi|uitofp|sitofp|ptrtoint|inttoptr|bitcast|addrspacecast)$/.test(instruction.op);
}

function intStep(t: Translation, instruction: Of<IntBinary>): Step {
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  const leaves = leavesOf(instruction.type);
  return sequence(
    t.results(instruction).map((result, index) => {
      const loop = intBinaryLoop(instruction.op, leaves[index].bits);
      return intLoopStep(loop, leaves[index], result, [a[index], b[index]]);
    }),
  );
}

/** A loop over integers of a leaf's width; 128-bit values go through pairs of words. */
export function intLoopStep(loop: LaneLoop, leaf: Leaf, result: number, [a, b, c]: readonly number[]): Step {
  if (leaf.kind === 'i32') {
    if (c !== undefined) return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[a].i, cells[b].i, cells[c].i);
    if (b !== undefined) return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[a].i, cells[b].i);
    return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[a].i);
  }
  if (leaf.kind === 'i64') {
    return ({ frame: { cells }, mask }) => loop(mask, cells[result].q, cells[a].q, cells[b ?? a].q, cells[c ?? a].q);
  }
  return ({ frame: { cells }, mask }) => {
    const out: bigint[] = [];
    loop(mask, out, pairs(cells[a].q), pairs(cells[b ?? a].q), pairs(cells[c ?? a].q));
    out.forEach((value, lane) => {
      cells[result].q[2 * lane] = value;
      cells[result].q[2 * lane + 1] = value >> 64n;
    });
  };
}

function pairs(words: BigUint64Array): bigint[] {
  return Array.from({ length: 32 }, (_, lane) => words[2 * lane] | (words[2 * lane + 1] << 64n));
}

/** An operation on numbers of the format of the result, for every scalar of a type. */
export function floatStep(
  t: Translation,
  instruction: Instruction,
  arity: 1 | 2 | 3,
  operands: readonly Operand[],
  name: string,
  operation: (a: number, b: number, c: number) => number,
): Step {
  const inputs = operands.map((o) => t.cells(o));
  const format = formatOf(instruction.type);
  const loop = floatLoop(name, format, arity, operation);
  return sequence(
    t.results(instruction).map((result, index) => {
      const [a, b, c] = inputs.map((cells) => cells[index]);
      return ({ frame: { cells }, mask }) =>
        loop(
          mask,
          floatView(cells[result], format),
          floatView(cells[a], format),
          arity > 1 ? floatView(cells[b], format) : undefined,
          arity > 2 ? floatView(cells[c], format) : undefined,
        );
    }),
  );
}

/** Format of a floating-point type or of the elements of a vector of them. */
export function formatOf(type: Type): FloatFormat {
  const leaf = leavesOf(type)[0].type;
  if (leaf.kind !== 'float') throw new Error('not a floating-point type');
  return leaf.format;
}

/** Changes the sign bit and nothing else: a NaN keeps its payload. */
function fnegStep(t: Translation, instruction: Instruction, operand: Operand): Step {
  const from = t.cells(operand);
  const leaves = leavesOf(instruction.type);
  return ({ frame: { cells }, mask }) => {
    t.results(instruction).forEach((result, index) => {
      copyLanes(cells[result], cells[from[index]], mask);
      const { bits } = leaves[index];
      const words = cells[result].i;
      for (let lane = 0; lane < 32; lane++) {
        if (((mask >>> lane) & 1) === 0) continue;
        if (bits === 64) words[2 * lane + 1] ^= 0x80000000;
        else words[lane] ^= 1 << (bits - 1);
      }
    });
  };
}

function icmpStep(t: Translation, instruction: Of<'icmp'>): Step {
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  const leaves = leavesOf(instruction.a.type);
  if (instruction.ordered) return orderedStep(instruction, t.results(instruction)[0], a[0], b[0]);
  return sequence(
    t.results(instruction).map((result, index) => {
      const { kind, bits } = leaves[index];
      const loop = icmpLoop(instruction.predicate, bits);
      const [left, right] = [a[index], b[index]];
      if (kind === 'i32') return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[left].i, cells[right].i);
      if (kind === 'i64') return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, cells[left].q, cells[right].q);
      return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, pairs(cells[left].q), pairs(cells[right].q));
    }),
  );
}

/** Compares addresses of which some may be below zero. */
function orderedStep({ predicate }: Of<'icmp'>, result: number, a: number, b: number): Step {
  const loop = icmpLoop(predicate, 32);
  const shifted = (words: Int32Array) => words.map((word) => word + ORDER_SHIFT);
  return ({ frame: { cells }, mask }) => loop(mask, cells[result].i, shifted(cells[a].i), shifted(cells[b].i));
}

function fcmpStep(t: Translation, instruction: Of<'fcmp'>): Step {
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  const format = formatOf(instruction.a.type);
  const loop = floatTestLoop(`fcmp ${instruction.predicate}`, format, 2, FLOAT_COMPARE[instruction.predicate]);
  return sequence(
    t.results(instruction).map(
      (result, index) =>
        ({ frame: { cells }, mask }) =>
          loop(mask, cells[result].i, floatView(cells[a[index]], format), floatView(cells[b[index]], format)),
    ),
  );
}

function castStep(t: Translation, instruction: Of<CastOp>): Step {
  const from = t.cells(instruction.a);
  const to = t.results(instruction);
  const fromLeaves = leavesOf(instruction.a.type);
  const toLeaves = leavesOf(instruction.type);
  if (instruction.op === 'addrspacecast') return spaceCastStep(instruction, from[0], to[0]);
  if (
    instruction.op === 'bitcast' &&
    fromLeaves.some((leaf, i) => toLeaves.length !== fromLeaves.length || leaf.bits !== toLeaves[i].bits)
  ) {
    return regroupStep(from, fromLeaves, to, toLeaves);
  }
  return sequence(
    to.map((result, index) => {
      const cast = castLanes(instruction.op, fromLeaves[index], toLeaves[index]);
      if (!cast) return move([result], [from[index]]);
      return ({ frame: { cells }, mask }) => cast(mask, cells[result], cells[from[index]]);
    }),
  );
}

/** A bitcast between vectors (or a vector and a scalar) of different element widths: bits are regrouped. */
function regroupStep(from: readonly number[], fromLeaves: readonly Leaf[], to: readonly number[], toLeaves: readonly Leaf[]): Step {
  return ({ frame: { cells }, mask }) => {
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      let all = 0n;
      let at = 0n;
      from.forEach((cell, index) => {
        all |= getBits(cells[cell], fromLeaves[index].kind, lane) << at;
        at += BigInt(fromLeaves[index].bits);
      });
      to.forEach((cell, index) => {
        setBits(cells[cell], toLeaves[index].kind, lane, BigInt.asUintN(toLeaves[index].bits, all));
        all >>= BigInt(toLeaves[index].bits);
      });
    }
  };
}

/** Pointers of the shared and local spaces count from their window's start. */
function spaceCastStep(instruction: Of<CastOp>, from: number, to: number): Step {
  const base = windowBase(instruction.type) - windowBase(instruction.a.type);
  return ({ frame: { cells }, mask }) => {
    const source = cells[from].i;
    const target = cells[to].i;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) target[lane] = source[lane] - base;
  };
}

function windowBase(type: Type): number {
  if (type.kind !== 'ptr') throw new Error('an address space cast of something that is no pointer');
  return type.space === 3 ? SHARED_BASE : type.space === 5 ? LOCAL_BASE : 0;
}

function selectStep(t: Translation, instruction: Of<'select'>): Step {
  const conditions = t.cells(instruction.condition);
  const a = t.cells(instruction.a);
  const b = t.cells(instruction.b);
  return sequence(
    t.results(instruction).map((result, index) => {
      const condition = conditions[conditions.length === 1 ? 0 : index];
      return ({ frame: { cells }, mask }) => {
        const holds = cells[condition].i;
        let chosen = 0;
        for (let lane = 0; lane < 32; lane++) if (holds[lane] !== 0) chosen |= 1 << lane;
        copyLanes(cells[result], cells[a[index]], mask & chosen);
        copyLanes(cells[result], cells[b[index]], mask & ~chosen);
      };
    }),
  );
}
