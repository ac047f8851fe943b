/** The operations of the table of intrinsics that have code of their own, on one scalar. */

import type { CodeKey } from '../ir/intrinsics/description.ts';
import { codeOf, meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { fusedScalar } from './fused-products.ts';
import { emitScalarTest } from './inner-branches.ts';
import type { EmitScalar } from './operation.ts';
import { chain, prefix, pushNumber, pushSigned } from './scalar-basics.ts';

/** undefined where a call has no code, or none for the width of its result. */
export function scalarIntrinsic(instruction: Instruction): EmitScalar | undefined {
  const meaning = meaningOf(instruction);
  if (meaning?.kind === 'test') return (context) => emitScalarTest(context, meaning.test);
  const code = codeOf(instruction);
  if (!code || instruction.type.kind === 'struct' || instruction.type.kind === 'vector') return undefined;
  return CODE[code](bitsOf(instruction.type));
}

const CODE: Readonly<Record<CodeKey, (bits: number) => EmitScalar | undefined>> = {
  smin: extreme('lt', 's'),
  smax: extreme('gt', 's'),
  umin: extreme('lt', 'u'),
  umax: extreme('gt', 'u'),
  abs: whole(absolute),
  ctpop: (bits) => chain(`${prefix(bits)}.popcnt`),
  ctlz: whole((bits) => chain(`${prefix(bits)}.clz`)),
  cttz: whole((bits) => chain(`${prefix(bits)}.ctz`)),
  fabs: whole(clearSign),
  sqrt: unary('sqrt'),
  floor: unary('floor'),
  ceil: unary('ceil'),
  trunc: unary('trunc'),
  nearest: unary('nearest'),
  fmin: number('min'),
  fmax: number('max'),
  fma: fusedScalar,
  flush: whole(() => ({ f, push }) => {
    push(0);
    push(0);
    f.i32(-0x80000000).op('i32.and');
    push(0);
    f.i32(0x7fffffff).op('i32.and').i32(0x00800000).op('i32.ge_u', 'select');
  }),
  highWord:
    () =>
    ({ f, push }) => {
      push(0);
      f.i64(32n).op('i64.shr_u', 'i32.wrap_i64');
    },
  limitedAddress: () => limitedAddress,
};

/** Code for whole words and double words only. */
function whole(emit: (bits: number) => EmitScalar): (bits: number) => EmitScalar | undefined {
  return (bits) => (bits === 32 || bits === 64 ? emit(bits) : undefined);
}

function extreme(comparison: 'lt' | 'gt', sign: 's' | 'u'): (bits: number) => EmitScalar {
  return (bits) => (context) => {
    context.push(0);
    context.push(1);
    for (const operand of [0, 1]) {
      if (sign === 's') pushSigned(context, operand, bits);
      else context.push(operand);
    }
    context.f.op(`${prefix(bits)}.${comparison}_${sign}`, 'select');
  };
}

function absolute(bits: number): EmitScalar {
  return (context) => {
    const { f, push } = context;
    pushNumber(context, bits, 0);
    push(0);
    f.op(`${prefix(bits)}.sub`);
    push(0);
    push(0);
    pushNumber(context, bits, 0);
    f.op(`${prefix(bits)}.lt_s`, 'select');
  };
}

function clearSign(bits: number): EmitScalar {
  return ({ f, push }) => {
    push(0);
    if (bits === 64) f.i64((1n << 63n) - 1n).op('i64.and');
    else f.i32(0x7fffffff).op('i32.and');
  };
}

function unary(name: string): (bits: number) => EmitScalar | undefined {
  return whole((bits) => chain(`f${bits}.reinterpret_i${bits}`, `f${bits}.${name}`, `i${bits}.reinterpret_f${bits}`));
}

/** A NaN gives way to the other operand. */
function number(name: 'min' | 'max'): (bits: number) => EmitScalar | undefined {
  return whole((bits) => ({ f, push }) => {
    const operand = (index: number): void => {
      push(index);
      f.op(`f${bits}.reinterpret_i${bits}`);
    };
    const isNumber = (index: number): void => {
      operand(index);
      operand(index);
      f.op(`f${bits}.eq`);
    };
    operand(0);
    operand(1);
    f.op(`f${bits}.${name}`, `i${bits}.reinterpret_f${bits}`);
    push(0);
    isNumber(1);
    f.op('select');
    push(1);
    isNumber(0);
    f.op('select');
  });
}

function limitedAddress({ f, push, constant }: Parameters<EmitScalar>[0]): void {
  const pushSum = (): void => {
    push(0);
    push(1);
    f.op('i32.add');
  };
  pushSum();
  push(2);
  pushSum();
  push(2);
  f.op('i32.lt_u', 'select')
    .i32(Number(constant(4)))
    .op('i32.mul');
  push(3);
  f.op('i32.add');
}
