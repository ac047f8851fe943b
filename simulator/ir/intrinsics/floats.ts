/** Intrinsics on floating-point numbers. What NVVM calls approximate is as in math/fast-functions.ts. */
import { halfOfEightBits, pairOfEightBits } from '../math/eight-bit-floats.ts';
import { FAST_FUNCTIONS } from '../math/fast-functions.ts';
import { maximumNumber, minimumNumber, roundAway, roundToEven } from '../math/float-functions.ts';
import { fmaDouble, fmaSingle, fmaToOdd } from '../math/fma.ts';
import { LIBDEVICE } from '../math/libdevice.ts';
import { exp2OfSingle, log2OfSingle } from '../math/single-functions.ts';
import { type CodeKey, type FloatFunction, type Intrinsic, pure } from './description.ts';

function float(operation: FloatFunction, more: { readonly code?: CodeKey } & Partial<Intrinsic> = {}): Intrinsic {
  return pure({ kind: 'float', arity: Math.max(1, operation.length) as 1 | 2 | 3, operation }, more);
}

/** Becomes a sequence with range reduction, or a call. */
function far(operation: FloatFunction, more: { readonly code?: CodeKey } = {}): Intrinsic {
  return float(operation, { ...more, cost: 'function' });
}

const LLVM: Readonly<Record<string, Intrinsic>> = {
  'llvm.sqrt': far((a) => Math.sqrt(a), { code: 'sqrt' }),
  'llvm.floor': float((a) => Math.floor(a), { code: 'floor' }),
  'llvm.ceil': float((a) => Math.ceil(a), { code: 'ceil' }),
  'llvm.trunc': float((a) => Math.trunc(a), { code: 'trunc' }),
  'llvm.rint': float((a) => roundToEven(a), { code: 'nearest' }),
  'llvm.nearbyint': float((a) => roundToEven(a), { code: 'nearest' }),
  'llvm.roundeven': float((a) => roundToEven(a), { code: 'nearest' }),
  'llvm.round': float((a) => roundAway(a), { code: 'round' }),
  'llvm.canonicalize': float((a) => a),
  'llvm.minnum': float((a, b) => minimumNumber(a, b), { code: 'fmin' }),
  'llvm.maxnum': float((a, b) => maximumNumber(a, b), { code: 'fmax' }),
  'llvm.minimumnum': float((a, b) => minimumNumber(a, b), { code: 'fmin' }),
  'llvm.maximumnum': float((a, b) => maximumNumber(a, b), { code: 'fmax' }),
  'llvm.minimum': float((a, b) => Math.min(a, b)),
  'llvm.maximum': float((a, b) => Math.max(a, b)),
  'llvm.sin': far((a) => Math.sin(a)),
  'llvm.cos': far((a) => Math.cos(a)),
  'llvm.tan': far((a) => Math.tan(a)),
  'llvm.exp': far((a) => Math.exp(a)),
  'llvm.exp2': far((a) => 2 ** a),
  'llvm.exp10': far((a) => 10 ** a),
  'llvm.log': far((a) => Math.log(a)),
  'llvm.log2': far((a) => Math.log2(a)),
  'llvm.log10': far((a) => Math.log10(a)),
  'llvm.pow': far((a, b) => a ** b),
  'llvm.ldexp': pure({ kind: 'scalar', run: LIBDEVICE.__nv_ldexp }, { cost: 'function' }),
  'llvm.fabs': pure({ kind: 'sign', of: 'none' }, { code: 'fabs' }),
  'llvm.copysign': pure({ kind: 'sign', of: 'second' }, { code: 'copysign' }),
  'llvm.is.fpclass': pure({ kind: 'classify' }),
  'llvm.fptosi.sat': pure({ kind: 'saturatingCast', signed: true }),
  'llvm.fptoui.sat': pure({ kind: 'saturatingCast', signed: false }),
};

/** simulator/include/cuda_fp8.h declares them. */
const EIGHT_BITS: Readonly<Record<string, Intrinsic>> = {
  __lanewise_fp8_pair: pure({ kind: 'scalar', run: pairOfEightBits }),
  __lanewise_fp8_half: pure({ kind: 'scalar', run: halfOfEightBits }),
};

const FUSED: Readonly<Record<string, Intrinsic>> = {
  ...Object.fromEntries(
    ['llvm.fma', 'llvm.fmuladd'].flatMap((name): [string, Intrinsic][] => [
      [name, pure({ kind: 'float', arity: 3, operation: fmaToOdd, double: fmaDouble }, { code: 'fma' })],
      [`${name}.f32`, pure({ kind: 'scalar', run: fmaSingle }, { code: 'fma' })],
      [`${name}.f64`, pure({ kind: 'scalar', run: fmaDouble }, { code: 'fma' })],
    ]),
  ),
  'llvm.nvvm.flush.f': float((a) => (Math.abs(a) < 2 ** -126 ? 0 * a : a), { code: 'flush', cost: 'none' }),
  'llvm.nvvm.fma.rn.f': pure({ kind: 'scalar', run: fmaSingle }, { code: 'fma' }),
  'llvm.nvvm.fma.rn.ftz.f': pure({ kind: 'scalar', run: fmaSingle }, { code: 'fma' }),
  'llvm.nvvm.fma.rn.d': pure({ kind: 'scalar', run: fmaDouble }, { code: 'fma' }),
};

/** NVVM spells the formats of an operation out, and whether denormals are flushed, which they are not here. */
const FORMATS = ['f', 'd', 'ftz.f', 'f32', 'f64', 'ftz.f32', 'f16', 'ftz.f16', 'bf16', 'f16x2', 'bf16x2'];

const NVVM: Readonly<Record<string, Intrinsic>> = {
  'sqrt.rn': float((a) => Math.sqrt(a)),
  'sqrt.approx': float((a) => Math.sqrt(a)),
  sqrt: float((a) => Math.sqrt(a)),
  'rsqrt.approx': float((a) => 1 / Math.sqrt(a)),
  'rcp.rn': float((a) => 1 / a),
  'rcp.approx': float((a) => 1 / a),
  'div.rn': float((a, b) => a / b),
  'div.approx': float((a, b) => FAST_FUNCTIONS.fdivide(a, b)),
  'div.full': float((a, b) => a / b),
  'add.rn': float((a, b) => a + b),
  'mul.rn': float((a, b) => a * b),
  'ex2.approx': float((a) => exp2OfSingle(a)),
  'lg2.approx': float((a) => log2OfSingle(a)),
  'sin.approx': float((a) => FAST_FUNCTIONS.sin(a, 0)),
  'cos.approx': float((a) => FAST_FUNCTIONS.cos(a, 0)),
  'tanh.approx': float((a) => Math.tanh(a)),
  fmin: float((a, b) => minimumNumber(a, b), { code: 'fmin' }),
  fmax: float((a, b) => maximumNumber(a, b), { code: 'fmax' }),
  'fmin.nan': float((a, b) => Math.min(a, b)),
  'fmax.nan': float((a, b) => Math.max(a, b)),
  floor: float((a) => Math.floor(a)),
  ceil: float((a) => Math.ceil(a)),
  trunc: float((a) => Math.trunc(a)),
  round: float((a) => roundToEven(a)),
  saturate: float((a) => (a > 0 ? Math.min(a, 1) : 0)),
  fabs: pure({ kind: 'sign', of: 'none' }),
};

/** Of singles alone, with code of their own. */
const SINGLES: Readonly<Record<string, Intrinsic>> = {
  'rsqrt.approx': pure({ kind: 'scalar', run: LIBDEVICE.__nv_rsqrtf }, { code: 'rsqrt' }),
  'div.approx': pure({ kind: 'scalar', run: FAST_FUNCTIONS.fdivide }, { code: 'fastQuotient' }),
  'ex2.approx': pure({ kind: 'scalar', run: exp2OfSingle }, { code: 'exp2' }),
  'lg2.approx': pure({ kind: 'scalar', run: log2OfSingle }, { code: 'log2' }),
  'sin.approx': pure({ kind: 'scalar', run: FAST_FUNCTIONS.sin }, { code: 'fastSin' }),
  'cos.approx': pure({ kind: 'scalar', run: FAST_FUNCTIONS.cos }, { code: 'fastCos' }),
};

export const FLOATS: Readonly<Record<string, Intrinsic>> = {
  ...LLVM,
  ...FUSED,
  ...EIGHT_BITS,
  ...Object.fromEntries(
    Object.entries(NVVM).flatMap(([name, intrinsic]) =>
      FORMATS.map((format) => [`llvm.nvvm.${name}.${format}`, { ...intrinsic, cost: 'rare' } satisfies Intrinsic]),
    ),
  ),
  ...Object.fromEntries(
    Object.entries(SINGLES).flatMap(([name, intrinsic]) =>
      ['f', 'ftz.f'].map((format) => [`llvm.nvvm.${name}.${format}`, { ...intrinsic, cost: 'rare' } satisfies Intrinsic]),
    ),
  ),
};
