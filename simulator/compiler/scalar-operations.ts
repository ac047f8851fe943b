/**
 * Operations on one scalar, as WebAssembly. Meaning as in the interpreter: division by zero gives all ones, its remainder the
 * dividend, shifts by the width or more give zero or the sign, conversions to integers saturate and take NaN to 0.
 */

import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { operandsOf } from '../ir/operands.ts';
import type { CastOp, FloatPredicate, Instruction, IntBinary, IntPredicate, Type } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { halfScalar } from './half-operations.ts';
import { type EmitScalar, emitFloatComparison, onesOf, type ScalarContext } from './operation.ts';
import { chain, fit, prefix, pushNumber, pushOnes, pushSigned } from './scalar-basics.ts';
import { scalarIntrinsic } from './scalar-intrinsics.ts';

/** Emitter for an instruction's operation on scalars; undefined if WebAssembly has no short sequence for it. */
export function scalarOperation(instruction: Instruction): EmitScalar | undefined {
  return halfScalar(instruction) ?? wideOperation(instruction);
}

function wideOperation(instruction: Instruction): EmitScalar | undefined {
  switch (instruction.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return intBinary(instruction.op, bitsOf(instruction.type));
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
      return floatBinary(instruction);
    case 'fneg':
      return floatNegate(bitsOf(instruction.type));
    case 'icmp':
      return intCompare(instruction.predicate, bitsOf(instruction.a.type));
    case 'fcmp':
      return instruction.a.type.kind === 'float' && bitsOf(instruction.a.type) >= 32
        ? floatCompare(instruction.predicate, bitsOf(instruction.a.type))
        : undefined;
    case 'select':
      return ({ f, push }) => {
        push(1);
        push(2);
        push(0);
        f.op('select');
      };
    case 'getelementptr':
      return getElementPointer;
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'inttoptr':
    case 'bitcast':
      return cast(instruction.op, instruction);
    case 'addrspacecast': {
      const base = windowBase(instruction.type) - windowBase(instruction.a.type);
      return ({ f, push }) => {
        push(0);
        f.i32(base).op('i32.sub');
      };
    }
    case 'freeze':
      return ({ push }) => push(0);
    case 'call':
      return scalarIntrinsic(instruction);
    default:
      return undefined;
  }
}

/** Pointers of the shared and local spaces count from their window's start. */
export function windowBase(type: Type): number {
  return type.kind === 'ptr' && type.space === 3 ? SHARED_BASE : type.kind === 'ptr' && type.space === 5 ? LOCAL_BASE : 0;
}

function intBinary(op: IntBinary, bits: number): EmitScalar {
  const p = prefix(bits);
  switch (op) {
    case 'add':
    case 'sub':
    case 'mul':
      return (context) => {
        context.push(0);
        context.push(1);
        context.f.op(`${p}.${op}`);
        fit(context, bits);
      };
    case 'and':
    case 'or':
    case 'xor':
      return ({ f, push }) => {
        push(0);
        push(1);
        f.op(`${p}.${op}`);
      };
    case 'shl':
    case 'lshr':
    case 'ashr':
      return shift(op, bits);
    default:
      return divide(op, bits);
  }
}

function shift(op: 'shl' | 'lshr' | 'ashr', bits: number): EmitScalar {
  const p = prefix(bits);
  return (context) => {
    const { f, push, constant } = context;
    const known = constant(1);
    const inRange = known !== undefined && known < BigInt(bits);
    if (op === 'ashr') {
      pushSigned(context, 0, bits);
      // A count of the width or more leaves the sign: as the word's last bit would.
      push(1);
      if (!inRange) {
        pushNumber(context, bits, bits - 1);
        push(1);
        pushNumber(context, bits, bits);
        f.op(`${p}.lt_u`, 'select');
      }
      f.op(`${p}.shr_s`);
      fit(context, bits);
      return;
    }
    push(0);
    push(1);
    f.op(op === 'shl' ? `${p}.shl` : `${p}.shr_u`);
    if (!inRange) {
      pushNumber(context, bits, 0);
      push(1);
      pushNumber(context, bits, bits);
      f.op(`${p}.lt_u`, 'select');
    }
    if (op === 'shl') fit(context, bits);
  };
}

function divide(op: 'udiv' | 'sdiv' | 'urem' | 'srem', bits: number): EmitScalar {
  const p = prefix(bits);
  const signed = op[0] === 's';
  const operand = (context: ScalarContext, index: number): void => {
    if (signed) pushSigned(context, index, bits);
    else context.push(index);
  };
  return (context) => {
    const { f, push } = context;
    push(1);
    f.op(`${p}.eqz`).if(p);
    if (op === 'udiv' || op === 'sdiv') pushOnes(context, bits);
    else push(0);
    f.else();
    if (op === 'sdiv') {
      // The one quotient that does not fit: divide by 1 and negate instead of by -1.
      operand(context, 1);
      pushNumber(context, bits, -1);
      f.op(`${p}.eq`).if(p);
      pushNumber(context, bits, 0);
      operand(context, 0);
      f.op(`${p}.sub`).else();
      operand(context, 0);
      operand(context, 1);
      f.op(`${p}.div_s`).end();
    } else {
      operand(context, 0);
      operand(context, 1);
      f.op(`${p}.${op === 'udiv' ? 'div_u' : op === 'urem' ? 'rem_u' : 'rem_s'}`);
    }
    fit(context, bits);
    f.end();
  };
}

const COMPARE: Readonly<Record<IntPredicate, string>> = {
  eq: 'eq', ne: 'ne', ugt: 'gt_u', uge: 'ge_u', ult: 'lt_u', ule: 'le_u', sgt: 'gt_s', sge: 'ge_s', slt: 'lt_s', sle: 'le_s',
}; // biome-ignore format: table

function intCompare(predicate: IntPredicate, bits: number): EmitScalar {
  return (context) => {
    for (const operand of [0, 1]) {
      if (predicate[0] === 's') pushSigned(context, operand, bits);
      else context.push(operand);
    }
    context.f.op(`${prefix(bits)}.${COMPARE[predicate]}`);
  };
}

function floatBinary(instruction: Instruction): EmitScalar | undefined {
  const bits = bitsOf(instruction.type);
  if (bits < 32) return undefined;
  const [p, i] = bits === 64 ? ['f64', 'i64'] : ['f32', 'i32'];
  return ({ f, push }) => {
    push(0);
    f.op(`${p}.reinterpret_${i}`);
    push(1);
    f.op(`${p}.reinterpret_${i}`, `${p}.${instruction.op.slice(1)}`, `${i}.reinterpret_${p}`);
  };
}

function floatNegate(bits: number): EmitScalar {
  return (context) => {
    context.push(0);
    if (bits === 64) context.f.i64(1n << 63n).op('i64.xor');
    else context.f.i32(1 << (bits - 1)).op('i32.xor');
  };
}

function floatCompare(predicate: FloatPredicate, bits: number): EmitScalar {
  const [p, i] = bits === 64 ? ['f64', 'i64'] : ['f32', 'i32'];
  return ({ f, push }) => {
    emitFloatComparison(predicate, {
      compare(name, a, b) {
        for (const operand of [a, b]) {
          push(operand);
          f.op(`${p}.reinterpret_${i}`);
        }
        f.op(`${p}.${name}`);
      },
      constant: (value) => f.i32(Number(value)),
      and: () => f.op('i32.and'),
      or: () => f.op('i32.or'),
      not: () => f.op('i32.eqz'),
    });
  };
}

function getElementPointer({ f, push, constant, instruction }: ScalarContext): void {
  if (instruction.op !== 'getelementptr') throw new Error('not a getelementptr');
  push(0);
  let offset = instruction.offset;
  instruction.terms.forEach(({ index, scale, unsigned }, position) => {
    const known = constant(position + 1);
    if (known !== undefined) {
      offset += Number(BigInt.asIntN(32, (unsigned ? known : BigInt.asIntN(bitsOf(index.type), known)) * BigInt(scale)));
      return;
    }
    push(position + 1);
    const bits = bitsOf(index.type);
    if (bits > 32) f.op('i32.wrap_i64');
    else if (bits < 32 && !unsigned)
      f.i32(32 - bits)
        .op('i32.shl')
        .i32(32 - bits)
        .op('i32.shr_s');
    if (scale !== 1) f.i32(scale).op('i32.mul');
    f.op('i32.add');
  });
  if ((offset | 0) !== 0) f.i32(offset | 0).op('i32.add');
}

function cast(op: CastOp, instruction: Instruction): EmitScalar | undefined {
  const [source] = operandsOf(instruction);
  const from = bitsOf(source.type);
  const to = bitsOf(instruction.type);
  switch (op) {
    case 'bitcast':
      return ({ push }) => push(0);
    case 'sext':
      return (context) => {
        pushSigned(context, 0, from);
        if (from <= 32 && to > 32) context.f.op('i64.extend_i32_s');
        fit(context, to);
      };
    case 'trunc':
    case 'zext':
    case 'ptrtoint':
    case 'inttoptr':
      return (context) => {
        context.push(0);
        if (from <= 32 && to > 32) context.f.op('i64.extend_i32_u');
        if (from > 32 && to <= 32) context.f.op('i32.wrap_i64');
        if (to < from) fit(context, to);
      };
    case 'fptrunc':
      return from === 64 && to === 32 ? chain('f64.reinterpret_i64', 'f32.demote_f64', 'i32.reinterpret_f32') : undefined;
    case 'fpext':
      return from === 32 && to === 64 ? chain('f32.reinterpret_i32', 'f64.promote_f32', 'i64.reinterpret_f64') : undefined;
    case 'fptosi':
    case 'fptoui': {
      if (from < 32 || (to > 32 && to !== 64)) return undefined;
      const [fp, ip] = [from === 64 ? 'f64' : 'f32', to === 64 ? 'i64' : 'i32'];
      const whole = [`${fp}.reinterpret_i${from}`, `${ip}.trunc_sat_${fp}_${op === 'fptosi' ? 's' : 'u'}`];
      return to === 32 || to === 64 ? chain(...whole) : narrowed(whole, to, op === 'fptosi');
    }
    case 'sitofp':
    case 'uitofp': {
      if (to < 32 || from === 1) return undefined;
      const [fp, ip] = [to === 64 ? 'f64' : 'f32', prefix(from)];
      return (context) => {
        if (op === 'sitofp') pushSigned(context, 0, from);
        else context.push(0);
        context.f.op(`${fp}.convert_${ip}_${op === 'sitofp' ? 's' : 'u'}`, `i${to}.reinterpret_${fp}`);
      };
    }
    default:
      return undefined;
  }
}

/** Integers of less than a word saturate at their own limits. */
function narrowed(whole: readonly string[], bits: number, signed: boolean): EmitScalar {
  const high = signed ? onesOf(bits - 1) : onesOf(bits);
  const low = signed ? -high - 1 : 0;
  const sign = signed ? 's' : 'u';
  return (context) => {
    const { f, push } = context;
    const pushWhole = (): void => {
      push(0);
      f.op(...whole);
    };
    const pushBounded = (): void => {
      pushWhole();
      f.i32(high);
      pushWhole();
      f.i32(high).op(`i32.lt_${sign}`, 'select');
    };
    if (!signed) pushBounded();
    else {
      pushBounded();
      f.i32(low);
      pushBounded();
      f.i32(low).op('i32.gt_s', 'select');
    }
    fit(context, bits);
  };
}
