/**
 * Operations on four lanes at once. What is not here runs lane by lane through the scalar operation of the same instruction, so this
 * table is about speed alone: both must mean the same.
 */

import { operandsOf } from '../ir/operands.ts';
import type { FloatPredicate, Instruction, IntPredicate } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { halfOperation } from './half-operations.ts';
import {
  binary,
  type EmitVector,
  emitFloatComparison,
  HIGH_HALF,
  isDouble,
  isMask,
  LOW_HALVES,
  LOW_WORDS,
  onesOf,
  type VectorContext,
} from './operation.ts';
import { windowBase } from './scalar-operations.ts';
import { uniformFunnelShift, vectorIntrinsic } from './vector-intrinsics.ts';

/** Each word of the first or second half of a vector, twice. */
const SPREAD = [
  [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7],
  [8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15, 12, 13, 14, 15],
];

export function vectorOperation(instruction: Instruction): EmitVector | undefined {
  return halfOperation(instruction) ?? wideOperation(instruction);
}

function wideOperation(instruction: Instruction): EmitVector | undefined {
  switch (instruction.op) {
    case 'add':
    case 'sub':
    case 'mul':
      return arithmetic(instruction.op, instruction);
    case 'and':
    case 'or':
    case 'xor':
      return binary(`v128.${instruction.op}`);
    case 'shl':
    case 'lshr':
    case 'ashr':
      return undefined;
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem':
      return bitsOf(instruction.type) === 32 ? divide(instruction.op) : undefined;
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
      return floatBinary(instruction);
    case 'fneg':
      return floatNegate(instruction);
    case 'icmp':
      return intCompare(instruction.predicate, instruction);
    case 'fcmp':
      return bitsOf(instruction.a.type) >= 32 ? floatCompare(instruction.predicate, instruction) : undefined;
    case 'select':
      return select(instruction);
    case 'getelementptr':
      return getElementPointer(instruction);
    case 'freeze':
    case 'bitcast':
    case 'ptrtoint':
    case 'inttoptr':
    case 'trunc':
    case 'zext':
    case 'sext':
      return resize(instruction);
    case 'addrspacecast': {
      const base = windowBase(instruction.type) - windowBase(instruction.a.type);
      return ({ f, push }) => {
        push(0);
        f.v128([base, base, base, base]).op('i32x4.sub');
      };
    }
    case 'fptrunc':
    case 'fpext':
      return floatToFloat(instruction);
    case 'fptosi':
    case 'fptoui':
    case 'sitofp':
    case 'uitofp':
      return intAndFloat(instruction);
    case 'call':
      return vectorIntrinsic(instruction);
    default:
      return undefined;
  }
}

/** Shifts by an amount that all lanes share; others go lane by lane. */
export function uniformShift(instruction: Instruction): EmitVector | undefined {
  if (instruction.op === 'call') return uniformFunnelShift(instruction);
  if (instruction.op !== 'shl' && instruction.op !== 'lshr' && instruction.op !== 'ashr') return undefined;
  const bits = bitsOf(instruction.type);
  if (bits === 1) return undefined;
  const wide = bits > 32;
  const p = wide ? 'i64x2' : 'i32x4';
  const { op } = instruction;
  return (context) => {
    const { f, push, constant, scalar } = context;
    const count = scalar(1);
    if (!count) throw new Error('the count of this shift differs between lanes');
    const known = constant(1);
    const inRange = known !== undefined && known < BigInt(bits);
    const pushCount = (): void => {
      count();
      if (wide) f.op('i32.wrap_i64');
    };
    const pushInRange = (): void => {
      count();
      if (wide) f.i64(BigInt(bits)).op('i64.lt_u');
      else f.i32(bits).op('i32.lt_u');
    };
    if (op === 'ashr') {
      pushSigned(context, 0, bits);
      pushCount();
      if (!inRange) {
        f.i32(bits - 1);
        pushInRange();
        f.op('select');
      }
      f.op(`${p}.shr_s`);
      fit(context, bits);
      return;
    }
    push(0, context.half);
    pushCount();
    f.op(op === 'shl' ? `${p}.shl` : `${p}.shr_u`);
    if (!inRange) {
      f.v128([0, 0, 0, 0]);
      pushInRange();
      f.op('select');
    }
    if (op === 'shl') fit(context, bits);
  };
}

/** Clears the bits above the width in every lane. */
function fit({ f }: VectorContext, bits: number): void {
  if (bits === 32 || bits === 64 || bits === 1) return;
  if (bits > 32) f.v128([-1, onesOf(bits - 32), -1, onesOf(bits - 32)]);
  else f.v128([onesOf(bits), onesOf(bits), onesOf(bits), onesOf(bits)]);
  f.op('v128.and');
}

function pushSigned({ f, push, half }: VectorContext, operand: number, bits: number): void {
  push(operand, half);
  const unused = (bits > 32 ? 64 : 32) - bits;
  if (unused === 0 || bits === 1) return;
  const p = bits > 32 ? 'i64x2' : 'i32x4';
  f.i32(unused).op(`${p}.shl`).i32(unused).op(`${p}.shr_s`);
}

function arithmetic(op: 'add' | 'sub' | 'mul', instruction: Instruction): EmitVector | undefined {
  const bits = bitsOf(instruction.type);
  // On one bit, sums are exclusive or and products are and.
  if (bits === 1) return binary(op === 'mul' ? 'v128.and' : 'v128.xor');
  const emit = binary(`${bits > 32 ? 'i64x2' : 'i32x4'}.${op}`);
  return (context) => {
    emit(context);
    fit(context, bits);
  };
}

/**
 * 32-bit division through double precision: a quotient of two 32-bit integers that is not whole differs from the next whole number
 * by more than the rounding error of the division, so truncation is exact.
 */
function divide(op: 'udiv' | 'sdiv' | 'urem' | 'srem'): EmitVector {
  const sign = op[0];
  const quotient = (context: VectorContext): void => {
    const { f, push } = context;
    for (const part of [0, 1]) {
      for (const operand of [0, 1]) {
        push(operand);
        if (part === 1) {
          push(operand);
          f.shuffle(HIGH_HALF);
        }
        f.op(`f64x2.convert_low_i32x4_${sign}`);
      }
      f.op('f64x2.div', `i32x4.trunc_sat_f64x2_${sign}_zero`);
    }
    f.shuffle(LOW_HALVES);
  };
  const pushDivisorIs = ({ f, push }: VectorContext, value: number): void => {
    push(1);
    f.v128([value, value, value, value]).op('i32x4.eq');
  };
  const safeQuotient = (context: VectorContext): void => {
    const { f, push } = context;
    if (sign === 'u') {
      quotient(context);
      return;
    }
    // The one quotient that does not fit wraps round.
    push(0);
    f.op('i32x4.neg');
    quotient(context);
    pushDivisorIs(context, -1);
    f.op('v128.bitselect');
  };
  return (context) => {
    const { f, push } = context;
    if (op === 'udiv' || op === 'sdiv') {
      safeQuotient(context);
      pushDivisorIs(context, 0);
      f.op('v128.or');
      return;
    }
    // A quotient by zero saturates, but times zero it leaves the dividend.
    push(0);
    safeQuotient(context);
    push(1);
    f.op('i32x4.mul', 'i32x4.sub');
  };
}

function floatBinary(instruction: Instruction): EmitVector | undefined {
  const bits = bitsOf(instruction.type);
  if (bits < 32) return undefined;
  return binary(`${bits === 64 ? 'f64x2' : 'f32x4'}.${instruction.op.slice(1)}`);
}

function floatNegate(instruction: Instruction): EmitVector {
  const bits = bitsOf(instruction.type);
  const top = bits === 64 ? 0 : 1 << (bits - 1);
  const next = bits === 64 ? -0x80000000 : top;
  return ({ f, push, half }) => {
    push(0, half);
    f.v128([top, next, top, next]).op('v128.xor');
  };
}

const COMPARE: Readonly<Record<IntPredicate, string>> = {
  eq: 'eq', ne: 'ne', ugt: 'gt_u', uge: 'ge_u', ult: 'lt_u', ule: 'le_u', sgt: 'gt_s', sge: 'ge_s', slt: 'lt_s', sle: 'le_s',
}; // biome-ignore format: table

function intCompare(predicate: IntPredicate, instruction: Instruction): EmitVector | undefined {
  const bits = bitsOf(operandsOf(instruction)[0].type);
  const signed = predicate[0] === 's';
  if (bits <= 32) {
    return (context) => {
      for (const operand of [0, 1]) {
        if (signed) pushSigned(context, operand, bits);
        else context.push(operand, context.half);
      }
      context.f.op(`i32x4.${COMPARE[predicate]}`);
    };
  }
  const flips = predicate[0] === 'u';
  const name = COMPARE[predicate].replace('_u', '_s');
  return (context) => {
    const { f, push } = context;
    for (const half of [0, 1] as const) {
      for (const operand of [0, 1]) {
        if (signed) pushSigned({ ...context, half }, operand, bits);
        else push(operand, half);
        // WebAssembly compares 64-bit lanes signed only.
        if (flips) f.v128([0, -0x80000000, 0, -0x80000000]).op('v128.xor');
      }
      f.op(`i64x2.${name}`);
    }
    f.shuffle(LOW_WORDS);
  };
}

function floatCompare(predicate: FloatPredicate, instruction: Instruction): EmitVector {
  const wide = bitsOf(operandsOf(instruction)[0].type) === 64;
  const p = wide ? 'f64x2' : 'f32x4';
  const one = ({ f, push }: VectorContext, half: 0 | 1): void =>
    emitFloatComparison(predicate, {
      compare(name, a, b) {
        push(a, half);
        push(b, half);
        f.op(`${p}.${name}`);
      },
      constant(value) {
        const word = value ? -1 : 0;
        f.v128([word, word, word, word]);
      },
      and: () => f.op('v128.and'),
      or: () => f.op('v128.or'),
      not: () => f.op('v128.not'),
    });
  return (context) => {
    one(context, 0);
    if (!wide) return;
    one(context, 1);
    context.f.shuffle(LOW_WORDS);
  };
}

function select(instruction: Instruction): EmitVector | undefined {
  const wide = isDouble(instruction.type);
  return ({ f, push, half }) => {
    push(1, half);
    push(2, half);
    push(0);
    if (wide) {
      push(0);
      f.shuffle(SPREAD[half]);
    }
    f.op('v128.bitselect');
  };
}

function getElementPointer(instruction: Instruction): EmitVector | undefined {
  if (instruction.op !== 'getelementptr') return undefined;
  return (context) => {
    const { f, push, constant } = context;
    push(0);
    let offset = instruction.offset;
    instruction.terms.forEach(({ index, scale, unsigned }, position) => {
      const bits = bitsOf(index.type);
      const known = constant(position + 1);
      if (known !== undefined) {
        offset += Number(BigInt.asIntN(32, (unsigned ? known : BigInt.asIntN(bits, known)) * BigInt(scale)));
        return;
      }
      if (bits > 32) {
        push(position + 1, 0);
        push(position + 1, 1);
        f.shuffle(LOW_WORDS);
      } else if (unsigned) push(position + 1);
      else pushSigned(context, position + 1, bits);
      const log = Math.log2(Math.abs(scale));
      if (scale > 1 && Number.isInteger(log)) f.i32(log).op('i32x4.shl');
      else if (scale !== 1) f.v128([scale, scale, scale, scale]).op('i32x4.mul');
      f.op('i32x4.add');
    });
    offset |= 0;
    if (offset !== 0) f.v128([offset, offset, offset, offset]).op('i32x4.add');
  };
}

function resize(instruction: Instruction): EmitVector | undefined {
  const [source] = operandsOf(instruction);
  const from = bitsOf(source.type);
  const to = bitsOf(instruction.type);
  const signed = instruction.op === 'sext';
  if (isMask(source.type)) {
    if (to === 1) return ({ push }) => push(0);
    return (context) => {
      const { f, push, half } = context;
      push(0);
      if (to > 32) {
        push(0);
        f.shuffle(SPREAD[half]);
        if (!signed) f.v128([1, 0, 1, 0]).op('v128.and');
        else fit(context, to);
      } else if (!signed) f.v128([1, 1, 1, 1]).op('v128.and');
      else fit(context, to);
    };
  }
  if (to === 1) {
    return (context) => {
      const { f, push } = context;
      push(0, 0);
      if (from > 32) {
        push(0, 1);
        f.shuffle(LOW_WORDS);
      }
      f.i32(31).op('i32x4.shl').i32(31).op('i32x4.shr_s');
    };
  }
  if (from <= 32 && to > 32) {
    return (context) => {
      pushSigned({ ...context, half: 0 }, 0, signed ? from : 32);
      context.f.op(`i64x2.extend_${context.half ? 'high' : 'low'}_i32x4_${signed ? 's' : 'u'}`);
      fit(context, to);
    };
  }
  if (from > 32 && to <= 32) {
    return (context) => {
      context.push(0, 0);
      context.push(0, 1);
      context.f.shuffle(LOW_WORDS);
      fit(context, to);
    };
  }
  return (context) => {
    if (signed) pushSigned(context, 0, from);
    else context.push(0, context.half);
    if (signed || to < from) fit(context, to);
  };
}

function floatToFloat(instruction: Instruction): EmitVector | undefined {
  const from = bitsOf(operandsOf(instruction)[0].type);
  const to = bitsOf(instruction.type);
  if (from === 32 && to === 64) {
    return ({ f, push, half }) => {
      push(0);
      if (half === 1) {
        push(0);
        f.shuffle(HIGH_HALF);
      }
      f.op('f64x2.promote_low_f32x4');
    };
  }
  if (from === 64 && to === 32) {
    return ({ f, push }) => {
      for (const half of [0, 1] as const) {
        push(0, half);
        f.op('f32x4.demote_f64x2_zero');
      }
      f.shuffle(LOW_HALVES);
    };
  }
  return undefined;
}

function intAndFloat(instruction: Instruction): EmitVector | undefined {
  const from = bitsOf(operandsOf(instruction)[0].type);
  const to = bitsOf(instruction.type);
  const sign = instruction.op === 'fptosi' || instruction.op === 'sitofp' ? 's' : 'u';
  if (instruction.op === 'fptosi' || instruction.op === 'fptoui') {
    if (to !== 32 || from < 32) return undefined;
    if (from === 32) {
      return ({ f, push }) => {
        push(0);
        f.op(`i32x4.trunc_sat_f32x4_${sign}`);
      };
    }
    return ({ f, push }) => {
      for (const half of [0, 1] as const) {
        push(0, half);
        f.op(`i32x4.trunc_sat_f64x2_${sign}_zero`);
      }
      f.shuffle(LOW_HALVES);
    };
  }
  if (from === 1 || from > 32 || to < 32) return undefined;
  const pushSource = (context: VectorContext): void => {
    if (sign === 's') pushSigned({ ...context, half: 0 }, 0, from);
    else context.push(0);
  };
  if (to === 32) {
    return (context) => {
      pushSource(context);
      context.f.op(`f32x4.convert_i32x4_${sign}`);
    };
  }
  return (context) => {
    pushSource(context);
    if (context.half === 1) {
      pushSource(context);
      context.f.shuffle(HIGH_HALF);
    }
    context.f.op(`f64x2.convert_low_i32x4_${sign}`);
  };
}
