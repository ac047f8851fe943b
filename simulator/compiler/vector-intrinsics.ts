/** The operations of the table of intrinsics that have code of their own, on four lanes at once. */

import type { CodeKey } from '../ir/intrinsics/description.ts';
import { codeOf, meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { fusedVector } from './fused-products.ts';
import { emitVectorTest } from './inner-branches.ts';
import { binary, type EmitVector, HIGH_WORDS, onesOf } from './operation.ts';
import { type OfSingles, singleFunction } from './single-functions.ts';

const SMALLEST_NORMAL = [0x00800000, 0x00800000, 0x00800000, 0x00800000] as const;

/** undefined where a call has no code, or none for the width of its result. */
export function vectorIntrinsic(instruction: Instruction): EmitVector | undefined {
  const meaning = meaningOf(instruction);
  if (meaning?.kind === 'test') return (context) => emitVectorTest(context, meaning.test);
  const code = codeOf(instruction);
  if (!code || instruction.type.kind === 'struct' || instruction.type.kind === 'vector') return undefined;
  if (code === 'prmt') return permutation(instruction);
  const bits = bitsOf(instruction.type);
  return code in CODE ? CODE[code as Own](bits) : bits === 32 ? singleFunction(code) : undefined;
}

/** Bits of two words side by side from a bit on that is the same in all lanes. */
export function uniformFunnelShift(instruction: Instruction): EmitVector | undefined {
  const code = codeOf(instruction);
  if ((code !== 'fshl' && code !== 'fshr') || instruction.type.kind !== 'int') return undefined;
  const { bits } = instruction.type;
  if (bits !== 32 && bits !== 64) return undefined;
  const p = bits === 64 ? 'i64x2' : 'i32x4';
  return ({ f, push, half, scalar }) => {
    const count = scalar(2);
    if (!count) throw new Error('the count of this shift differs between lanes');
    const pushCount = (): void => {
      count();
      if (bits === 64) f.op('i32.wrap_i64');
    };
    // WebAssembly takes counts modulo the width; the other word moves by the width less the count, which may be all of it.
    const pushRest = (): void => {
      pushCount();
      f.i32(-1).op('i32.xor');
    };
    push(0, half);
    if (code === 'fshl') pushCount();
    else {
      f.i32(1).op(`${p}.shl`);
      pushRest();
    }
    f.op(`${p}.shl`);
    push(1, half);
    if (code === 'fshr') pushCount();
    else {
      f.i32(1).op(`${p}.shr_u`);
      pushRest();
    }
    f.op(`${p}.shr_u`, 'v128.or');
  };
}

const none = (): undefined => undefined;

type Own = Exclude<CodeKey, OfSingles>;

const CODE: Readonly<Record<Own, (bits: number) => EmitVector | undefined>> = {
  smin: words(binary('i32x4.min_s')),
  smax: words(binary('i32x4.max_s')),
  umin: words(binary('i32x4.min_u')),
  umax: words(binary('i32x4.max_u')),
  abs: unary((bits) => (bits === 64 ? 'i64x2.abs' : 'i32x4.abs')),
  ctpop: none,
  ctlz: none,
  cttz: none,
  bitreverse: reversed,
  bswap: swapped,
  fshl: none,
  fshr: none,
  uaddsat: words(({ f, push }) => {
    const sum = f.local('v128');
    push(0);
    push(1);
    f.op('i32x4.add').tee(sum).get(sum);
    push(0);
    f.op('i32x4.lt_u', 'v128.or');
    f.release('v128', sum);
  }),
  usubsat: words(({ f, push }) => {
    push(0);
    push(1);
    f.op('i32x4.sub');
    push(0);
    push(1);
    f.op('i32x4.gt_u', 'v128.and');
  }),
  smulhigh: none,
  umulhigh: none,
  prmt: none,
  fabs:
    (bits) =>
    ({ f, push, half }) => {
      push(0, half);
      f.v128(belowSign(bits)).op('v128.and');
    },
  copysign:
    (bits) =>
    ({ f, push, half }) => {
      push(0, half);
      push(1, half);
      f.v128(belowSign(bits)).op('v128.bitselect');
    },
  round: halvesAway,
  sqrt: float('sqrt'),
  floor: float('floor'),
  ceil: float('ceil'),
  trunc: float('trunc'),
  nearest: float('nearest'),
  fmin: number('min'),
  fmax: number('max'),
  fma: fusedVector,
  flush: words(({ f, push }) => {
    // Of small numbers the sign is left.
    push(0);
    push(0);
    f.op('f32x4.abs').v128(SMALLEST_NORMAL).op('f32x4.lt').v128(belowSign(32)).op('v128.and', 'v128.andnot');
  }),
  highWord:
    () =>
    ({ f, push }) => {
      push(0, 0);
      push(0, 1);
      f.shuffle(HIGH_WORDS);
    },
  limitedAddress: () => limitedAddress,
};

function words(emit: EmitVector): (bits: number) => EmitVector | undefined {
  return (bits) => (bits === 32 ? emit : undefined);
}

/** The bytes of each word or double word in reverse. */
function swapped(bits: number): EmitVector | undefined {
  if (bits !== 32 && bits !== 64) return undefined;
  return ({ f, push, half }) => {
    push(0, half);
    push(0, half);
    f.shuffle(backwards(bits));
  };
}

function backwards(bits: number): number[] {
  const last = bits / 8 - 1;
  return Array.from({ length: 16 }, (_, byte) => byte - (byte & last) + (last - (byte & last)));
}

function reversed(bits: number): EmitVector | undefined {
  const swap = swapped(bits);
  return (
    swap &&
    ((context) => {
      const { f } = context;
      const value = f.local('v128');
      swap(context);
      f.set(value);
      for (const [by, mask] of [
        [4, 0x0f0f0f0f],
        [2, 0x33333333],
        [1, 0x55555555],
      ]) {
        // biome-ignore format: pairs
        f.get(value).i32(by).op('i32x4.shr_u').v128([mask, mask, mask, mask]).op('v128.and');
        f.get(value).v128([mask, mask, mask, mask]).op('v128.and').i32(by).op('i32x4.shl', 'v128.or').set(value);
      }
      f.get(value);
      f.release('v128', value);
    })
  );
}

/** Bytes of two words by a selector that is known; where a sign is repeated, and by other selectors, lane by lane. */
function permutation(instruction: Instruction): EmitVector | undefined {
  const selector = instruction.op === 'call' ? instruction.args[2] : undefined;
  const known = selector?.kind === 'int' ? Number(BigInt.asUintN(32, selector.value)) : selector?.kind === 'zero' ? 0 : undefined;
  if (known === undefined || (known & 0x8888) !== 0) return undefined;
  const bytes = Array.from({ length: 16 }, (_, byte) => {
    const pick = (known >>> (4 * (byte & 3))) & 7;
    return byte - (byte & 3) + (pick & 3) + (pick > 3 ? 16 : 0);
  });
  return ({ f, push }) => {
    push(0);
    push(1);
    f.shuffle(bytes);
  };
}

function unary(name: (bits: number) => string): (bits: number) => EmitVector | undefined {
  return (bits) => {
    if (bits !== 32 && bits !== 64) return undefined;
    return ({ f, push, half }) => {
      push(0, half);
      f.op(name(bits));
    };
  };
}

/** All bits of numbers but their signs. */
function belowSign(bits: number): readonly [number, number, number, number] {
  const high = onesOf(Math.min(bits, 32) - 1);
  const low = bits === 64 ? -1 : high;
  return [low, high, low, high];
}

/** Away from zero where half of one is cut off, or more. */
function halvesAway(bits: number): EmitVector | undefined {
  if (bits !== 32 && bits !== 64) return undefined;
  const p = bits === 64 ? 'f64x2' : 'f32x4';
  const [half, one] = bits === 64 ? [DOUBLE_HALF, DOUBLE_ONE] : [SINGLE_HALF, SINGLE_ONE];
  return ({ f, push, half: part }) => {
    const whole = f.local('v128');
    push(0, part);
    f.op(`${p}.trunc`).tee(whole);
    // One with the number's sign where the rest is large enough, else a zero with its sign.
    f.v128(one);
    push(0, part);
    f.get(whole).op(`${p}.sub`, `${p}.abs`).v128(half).op(`${p}.ge`, 'v128.and');
    push(0, part);
    f.v128(belowSign(bits)).op('v128.bitselect', `${p}.add`);
    f.release('v128', whole);
  };
}

const [SINGLE_HALF, SINGLE_ONE] = [0x3f000000, 0x3f800000].map((word) => [word, word, word, word] as const);
const [DOUBLE_HALF, DOUBLE_ONE] = [0x3fe00000, 0x3ff00000].map((word) => [0, word, 0, word] as const);

function float(name: string): (bits: number) => EmitVector | undefined {
  return unary((bits) => `${bits === 64 ? 'f64x2' : 'f32x4'}.${name}`);
}

/** A NaN gives way to the other operand. */
function number(name: 'min' | 'max'): (bits: number) => EmitVector | undefined {
  return (bits) => {
    if (bits !== 32 && bits !== 64) return undefined;
    const p = bits === 64 ? 'f64x2' : 'f32x4';
    return ({ f, push, half }) => {
      push(1, half);
      push(0, half);
      push(0, half);
      push(1, half);
      f.op(`${p}.${name}`);
      for (const operand of [1, 0]) {
        push(operand, half);
        push(operand, half);
        f.op(`${p}.ne`, 'v128.bitselect');
      }
    };
  };
}

function limitedAddress({ f, push, constant }: Parameters<EmitVector>[0]): void {
  const scale = Number(constant(4));
  const log = Math.log2(scale);
  push(0);
  if (constant(1) !== 0n) {
    push(1);
    f.op('i32x4.add');
  }
  push(2);
  f.op('i32x4.min_u');
  if (!Number.isInteger(log)) f.v128([scale, scale, scale, scale]).op('i32x4.mul');
  else if (log > 0) f.i32(log).op('i32x4.shl');
  push(3);
  f.op('i32x4.add');
}
