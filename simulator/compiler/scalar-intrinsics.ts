/** The operations of the table of intrinsics that have code of their own, on one scalar. */

import type { CodeKey } from '../ir/intrinsics/description.ts';
import { codeOf, meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { fusedScalar } from './fused-products.ts';
import { emitScalarTest } from './inner-branches.ts';
import type { EmitScalar, ScalarContext } from './operation.ts';
import { chain, prefix, pushNumber, pushOnes, pushSigned } from './scalar-basics.ts';
import { type OfSingles, singleFunctionOfScalars } from './single-functions.ts';

/** undefined where a call has no code, or none for the width of its result. */
export function scalarIntrinsic(instruction: Instruction): EmitScalar | undefined {
  const meaning = meaningOf(instruction);
  if (meaning?.kind === 'test') return (context) => emitScalarTest(context, meaning.test);
  const code = codeOf(instruction);
  if (!code || instruction.type.kind === 'struct' || instruction.type.kind === 'vector') return undefined;
  const bits = bitsOf(instruction.type);
  return code in CODE ? CODE[code as Own](bits) : bits === 32 ? singleFunctionOfScalars(code) : undefined;
}

type Own = Exclude<CodeKey, OfSingles>;

const CODE: Readonly<Record<Own, (bits: number) => EmitScalar | undefined>> = {
  smin: extreme('lt', 's'),
  smax: extreme('gt', 's'),
  umin: extreme('lt', 'u'),
  umax: extreme('gt', 'u'),
  abs: whole(absolute),
  ctpop: (bits) => chain(`${prefix(bits)}.popcnt`),
  ctlz: whole((bits) => chain(`${prefix(bits)}.clz`)),
  cttz: whole((bits) => chain(`${prefix(bits)}.ctz`)),
  bitreverse: whole(reversed),
  bswap: whole(swapped),
  fshl: whole((bits) => funnelShift('left', bits)),
  fshr: whole((bits) => funnelShift('right', bits)),
  uaddsat: whole((bits) => ({ f, push }) => {
    const p = prefix(bits);
    const pushSum = (): void => {
      push(0);
      push(1);
      f.op(`${p}.add`);
    };
    if (bits === 64) f.i64(-1n);
    else f.i32(-1);
    pushSum();
    pushSum();
    push(0);
    f.op(`${p}.lt_u`, 'select');
  }),
  usubsat: whole((bits) => (context) => {
    const { f, push } = context;
    const p = prefix(bits);
    push(0);
    push(1);
    f.op(`${p}.sub`);
    pushNumber(context, bits, 0);
    push(0);
    push(1);
    f.op(`${p}.gt_u`, 'select');
  }),
  smulhigh: (bits) => highProduct('s', bits),
  umulhigh: (bits) => highProduct('u', bits),
  prmt: () => permutation,
  fabs: clearSign,
  copysign: (bits) => (context) => {
    clearSign(bits)(context);
    context.push(1);
    pushSignBit(context, bits);
    context.f.op(`${prefix(bits)}.and`, `${prefix(bits)}.or`);
  },
  round: whole(halvesAway),
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

/** The bytes in reverse. */
function swapped(bits: number): EmitScalar {
  return exchanges(bits, 8);
}

function reversed(bits: number): EmitScalar {
  return exchanges(bits, 1);
}

/** Neighbouring groups of so many bits change places, then groups of twice as many, until halves do. */
function exchanges(bits: number, from: number): EmitScalar {
  return (context) => {
    const { f, push } = context;
    const p = prefix(bits);
    const value = f.local(p);
    const constant = (word: bigint): void => {
      if (bits === 64) f.i64(BigInt.asIntN(64, word));
      else f.i32(Number(BigInt.asIntN(32, word)));
    };
    push(0);
    f.set(value);
    for (let by = from; by < bits / 2; by *= 2) {
      const group = (1n << BigInt(by)) - 1n;
      let mask = 0n;
      for (let at = 0; at < bits; at += 2 * by) mask |= group << BigInt(at);
      f.get(value);
      constant(BigInt(by));
      f.op(`${p}.shr_u`);
      constant(mask);
      f.op(`${p}.and`).get(value);
      constant(mask);
      f.op(`${p}.and`);
      constant(BigInt(by));
      f.op(`${p}.shl`, `${p}.or`).set(value);
    }
    f.get(value);
    constant(BigInt(bits / 2));
    f.op(`${p}.rotl`);
    f.release(p, value);
  };
}

/** WebAssembly takes counts modulo the width; the other word moves by the width less the count, which may be all of it. */
function funnelShift(direction: 'left' | 'right', bits: number): EmitScalar {
  return (context) => {
    const { f, push } = context;
    const p = prefix(bits);
    const pushRest = (shift: string): void => {
      pushNumber(context, bits, 1);
      f.op(`${p}.${shift}`);
      push(2);
      pushNumber(context, bits, -1);
      f.op(`${p}.xor`);
    };
    push(0);
    if (direction === 'left') push(2);
    else pushRest('shl');
    f.op(`${p}.shl`);
    push(1);
    if (direction === 'right') push(2);
    else pushRest('shr_u');
    f.op(`${p}.shr_u`, `${p}.or`);
  };
}

/** The upper half of a product. */
function highProduct(sign: 's' | 'u', bits: number): EmitScalar | undefined {
  if (bits === 32) {
    return ({ f, push }) => {
      for (const operand of [0, 1]) {
        push(operand);
        f.op(`i64.extend_i32_${sign}`);
      }
      f.op('i64.mul').i64(32n).op('i64.shr_u', 'i32.wrap_i64');
    };
  }
  return bits === 64 ? wideHighProduct(sign) : undefined;
}

function wideHighProduct(sign: 's' | 'u'): EmitScalar {
  return ({ f, push }) => {
    const [low, cross] = [f.local('i64'), f.local('i64')];
    const part = (operand: number, which: 'low' | 'high'): void => {
      push(operand);
      if (which === 'high') f.i64(32n).op('i64.shr_u');
      else f.i64(0xffffffffn).op('i64.and');
    };
    const multiply = (a: 'low' | 'high', b: 'low' | 'high'): void => {
      part(0, a);
      part(1, b);
      f.op('i64.mul');
    };
    const high = (local: number): void => {
      f.get(local).i64(32n).op('i64.shr_u');
    };
    multiply('low', 'low');
    f.set(low);
    multiply('high', 'low');
    high(low);
    f.op('i64.add').set(cross);
    multiply('low', 'high');
    f.get(cross).i64(0xffffffffn).op('i64.and', 'i64.add').set(low);
    multiply('high', 'high');
    high(cross);
    f.op('i64.add');
    high(low);
    f.op('i64.add');
    // A negative factor is 2^64 less than its bits.
    for (const operand of sign === 's' ? [0, 1] : []) {
      push(1 - operand);
      push(operand);
      f.i64(63n).op('i64.shr_s', 'i64.and', 'i64.sub');
    }
    f.release('i64', low);
    f.release('i64', cross);
  };
}

/** Each nibble of the selector picks a byte of two words, or, with its highest bit, repeats that byte's sign. */
function permutation({ f, push }: Parameters<EmitScalar>[0]): void {
  const [pair, selector, byte, pick] = [f.local('i64'), f.local('i32'), f.local('i32'), f.local('i32')];
  push(1);
  f.op('i64.extend_i32_u').i64(32n).op('i64.shl');
  push(0);
  f.op('i64.extend_i32_u', 'i64.or').set(pair);
  push(2);
  f.set(selector);
  for (let index = 0; index < 4; index++) {
    f.get(selector)
      .i32(4 * index)
      .op('i32.shr_u')
      .set(pick);
    f.get(pair).get(pick).i32(7).op('i32.and').i32(3).op('i32.shl', 'i64.extend_i32_u', 'i64.shr_u', 'i32.wrap_i64').i32(24).op('i32.shl');
    f.tee(byte).i32(31).op('i32.shr_s').get(byte).get(pick).i32(8).op('i32.and', 'select');
    f.i32(24)
      .op('i32.shr_u')
      .i32(8 * index)
      .op('i32.shl');
    if (index > 0) f.op('i32.or');
  }
  for (const [type, local] of [
    ['i64', pair],
    ['i32', selector],
    ['i32', byte],
    ['i32', pick],
  ] as const)
    f.release(type, local);
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
  return (context) => {
    context.push(0);
    pushOnes(context, bits - 1);
    context.f.op(`${prefix(bits)}.and`);
  };
}

function pushSignBit({ f }: ScalarContext, bits: number): void {
  if (bits === 64) f.i64(-0x8000_0000_0000_0000n);
  else f.i32(bits === 32 ? -0x80000000 : 0x8000);
}

/** Away from zero where half of one is cut off, or more. */
function halvesAway(bits: number): EmitScalar {
  const [p, i] = [`f${bits}`, `i${bits}`];
  return (context) => {
    const { f, push } = context;
    const value = f.local(bits === 64 ? 'f64' : 'f32');
    push(0);
    f.op(`${p}.reinterpret_${i}`).tee(value).op(`${p}.trunc`);
    // One with the number's sign, or a zero.
    push(0);
    pushSignBit(context, bits);
    f.op(`${i}.and`);
    if (bits === 64) f.i64(0x3ff0_0000_0000_0000n).i64(0n);
    else f.i32(0x3f800000).i32(0);
    f.get(value).get(value).op(`${p}.trunc`, `${p}.sub`, `${p}.abs`);
    if (bits === 64) f.i64(0x3fe0_0000_0000_0000n);
    else f.i32(0x3f000000);
    f.op(`${p}.reinterpret_${i}`, `${p}.ge`, 'select', `${i}.or`, `${p}.reinterpret_${i}`, `${p}.add`, `${i}.reinterpret_${p}`);
    f.release(bits === 64 ? 'f64' : 'f32', value);
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
