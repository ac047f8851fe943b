/** The operations of the table of intrinsics that have code of their own, on four lanes at once. */

import type { CodeKey } from '../ir/intrinsics/description.ts';
import { codeOf, meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import { bitsOf } from './components.ts';
import { fusedVector } from './fused-products.ts';
import { emitVectorTest } from './inner-branches.ts';
import { binary, type EmitVector, LOW_WORDS } from './operation.ts';

/** High 32-bit words of two vectors of double words. */
const HIGH_WORDS = LOW_WORDS.map((byte) => byte + 4);

const BELOW_SIGN = [0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff] as const;
const SMALLEST_NORMAL = [0x00800000, 0x00800000, 0x00800000, 0x00800000] as const;

/** undefined where a call has no code, or none for the width of its result. */
export function vectorIntrinsic(instruction: Instruction): EmitVector | undefined {
  const meaning = meaningOf(instruction);
  if (meaning?.kind === 'test') return (context) => emitVectorTest(context, meaning.test);
  const code = codeOf(instruction);
  if (!code || instruction.type.kind === 'struct' || instruction.type.kind === 'vector') return undefined;
  return CODE[code](bitsOf(instruction.type));
}

const none = (): undefined => undefined;

const CODE: Readonly<Record<CodeKey, (bits: number) => EmitVector | undefined>> = {
  smin: words(binary('i32x4.min_s')),
  smax: words(binary('i32x4.max_s')),
  umin: words(binary('i32x4.min_u')),
  umax: words(binary('i32x4.max_u')),
  abs: unary((bits) => (bits === 64 ? 'i64x2.abs' : 'i32x4.abs')),
  ctpop: none,
  ctlz: none,
  cttz: none,
  fabs: float('abs'),
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
    f.op('f32x4.abs').v128(SMALLEST_NORMAL).op('f32x4.lt').v128(BELOW_SIGN).op('v128.and', 'v128.andnot');
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

function unary(name: (bits: number) => string): (bits: number) => EmitVector | undefined {
  return (bits) => {
    if (bits !== 32 && bits !== 64) return undefined;
    return ({ f, push, half }) => {
      push(0, half);
      f.op(name(bits));
    };
  };
}

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
