/**
 * CUDA's math library: one table by libdevice's names, for both engines, so that they agree bit for bit. Values are computed in double
 * precision and rounded to the type of the result, so that single precision results are (nearly) correctly rounded, which the
 * hardware's are within a few units; the fast variants are the same functions.
 */

import {
  addDirected,
  type Direction,
  divideDirected,
  fmaDirected,
  integerDirected,
  multiplyDirected,
  neighbour,
  type Precision,
  roundTo,
  squareRootDirected,
} from './directed-rounding.ts';
import { FAST_FUNCTIONS } from './fast-functions.ts';
import {
  cosOfSingle,
  exp2OfSingle,
  expOfSingle,
  log2OfSingle,
  logOfSingle,
  powerOfSingles,
  sinOfSingle,
  tanhOfSingle,
} from './single-functions.ts';
import * as special from './special-functions.ts';

/**
 * Operands come as numbers: floats by value, 32-bit integers signed; 64-bit integers come as unsigned bigints. The result is rounded
 * to the result type by whoever stores it.
 */
// biome-ignore lint/suspicious/noExplicitAny: numbers, or bigints for 64-bit integers.
export type MathFunction = (...operands: any[]) => number;

/**
 * The NaN that functions return. Single precision always returns this one; double precision returns the first NaN operand, made quiet,
 * or this one
 * (PTX ISA, "Floating Point Instructions": results of .f32 are the canonical NaN 0x7fffffff, payloads of .f64 are kept). JavaScript leaves
 * open which of all NaN a number is.
 */
export const GENERATED_NAN = { single: 0x7fff_ffff, double: 0xfff8_0000_0000_0000n } as const;

/** Set in every quiet NaN of double precision. */
export const QUIET_BIT = 0x8_0000_0000_0000n;

const DOUBLE: Readonly<Record<string, MathFunction>> = {
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atan2: Math.atan2,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  cos: Math.cos,
  cosh: Math.cosh,
  cospi: special.cospi,
  erf: special.erf,
  erfc: special.erfc,
  erfcinv: special.erfcinv,
  erfcx: special.erfcx,
  erfinv: special.erfinv,
  exp: Math.exp,
  exp10: (x: number) => 10 ** x,
  exp2: (x: number) => 2 ** x,
  expm1: Math.expm1,
  fmod: (x: number, y: number) => x % y,
  hypot: Math.hypot,
  ilogb: integerExponent,
  j0: (x: number) => special.besselJ(0, x),
  j1: (x: number) => special.besselJ(1, x),
  jn: (n: number, x: number) => (n < 0 ? Number.NaN : special.besselJ(n, x)),
  ldexp: scale,
  lgamma: special.lgamma,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  logb: (x: number) => (x === 0 ? Number.NEGATIVE_INFINITY : Number.isFinite(x) ? exponentOf(x) : Math.abs(x)),
  normcdf: special.normcdf,
  normcdfinv: special.normcdfinv,
  pow: power,
  rcbrt: (x: number) => 1 / Math.cbrt(x),
  remainder,
  rhypot: (x: number, y: number) => 1 / Math.hypot(x, y),
  rsqrt: (x: number) => 1 / Math.sqrt(x),
  sin: Math.sin,
  sinh: Math.sinh,
  sinpi: special.sinpi,
  tan: Math.tan,
  tanh: Math.tanh,
  tgamma: special.tgamma,
  y0: (x: number) => special.besselY(0, x),
  y1: (x: number) => special.besselY(1, x),
  yn: (n: number, x: number) => (n < 0 ? Number.NaN : special.besselY(n, x)),
  cyl_bessel_i0: (x: number) => special.besselI(0, x),
  cyl_bessel_i1: (x: number) => special.besselI(1, x),
};

/** By the name of the external function, as in `__nv_sinf`. */
export const LIBDEVICE: Readonly<Record<string, MathFunction>> = Object.fromEntries([
  ...Object.entries(DOUBLE).flatMap(([name, run]): [string, MathFunction][] => [
    [`__nv_${name}`, run],
    [`__nv_${name}f`, run],
  ]),
  ['__nv_expf', expOfSingle],
  ['__nv_exp2f', exp2OfSingle],
  ['__nv_logf', logOfSingle],
  ['__nv_log2f', log2OfSingle],
  ['__nv_sinf', sinOfSingle],
  ['__nv_cosf', cosOfSingle],
  ['__nv_tanhf', tanhOfSingle],
  ['__nv_powf', (x: number, y: number) => powerOfSingles(x, y) ?? power(x, y)],
  ...Object.entries(FAST_FUNCTIONS).map(([name, run]): [string, MathFunction] => [`__nv_fast_${name}f`, run]),
  ['__nv_nextafter', (x: number, y: number) => nextAfter(x, y, 'double')],
  ['__nv_nextafterf', (x: number, y: number) => nextAfter(x, y, 'single')],
  ...(['rz', 'ru', 'rd'] as const).flatMap(directed),
]);

function directed(direction: Direction): [string, MathFunction][] {
  const arithmetic = (letter: string, precision: Precision): [string, MathFunction][] => [
    [`__nv_${letter}add_${direction}`, (x, y) => addDirected(x, y, direction, precision)],
    [`__nv_${letter}sub_${direction}`, (x, y) => addDirected(x, -y, direction, precision)],
    [`__nv_${letter}mul_${direction}`, (x, y) => multiplyDirected(x, y, direction, precision)],
    [`__nv_${letter}div_${direction}`, (x, y) => divideDirected(x, y, direction, precision)],
    [`__nv_${letter}rcp_${direction}`, (x) => divideDirected(1, x, direction, precision)],
    [`__nv_${letter}sqrt_${direction}`, (x) => squareRootDirected(x, direction, precision)],
    [`__nv_${letter === 'f' ? 'fmaf' : 'fma'}_${direction}`, (x, y, z) => fmaDirected(x, y, z, direction, precision)],
  ];
  return [
    ...arithmetic('f', 'single'),
    ...arithmetic('d', 'double'),
    [`__nv_int2float_${direction}`, (x: number) => integerDirected(BigInt(x), direction, 'single')],
    [`__nv_uint2float_${direction}`, (x: number) => integerDirected(BigInt(x >>> 0), direction, 'single')],
    [`__nv_ll2float_${direction}`, (x: bigint) => integerDirected(BigInt.asIntN(64, x), direction, 'single')],
    [`__nv_ull2float_${direction}`, (x: bigint) => integerDirected(x, direction, 'single')],
    [`__nv_ll2double_${direction}`, (x: bigint) => integerDirected(BigInt.asIntN(64, x), direction, 'double')],
    [`__nv_ull2double_${direction}`, (x: bigint) => integerDirected(x, direction, 'double')],
    [`__nv_double2float_${direction}`, (x: number) => roundTo(x, 0, direction, 'single')],
  ];
}

/** C's pow. Unlike JavaScript's **, it returns 1 for a base of 1 or -1 and an infinite exponent, and for 1 to the power of NaN. */
function power(x: number, y: number): number {
  if (x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY)) return 1;
  return x ** y;
}

/** IEEE remainder: x - n y with n the integer nearest to x / y, ties to even. */
function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x) || y === 0) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const b = Math.abs(y);
  let r = Math.abs(x);
  if (b <= Number.MAX_VALUE / 2) r %= 2 * b;
  // Doubling r instead of halving b keeps subnormal divisors exact.
  if (r > b - r) {
    r -= b;
    if (r >= b - r) r -= b;
  }
  return x < 0 || Object.is(x, -0) ? -r : r;
}

function scale(x: number, n: number): number {
  const step = Math.max(-2100, Math.min(2100, n));
  // In steps, because 2^n alone may not be representable. Only the last step may round to a subnormal number.
  if (step > 0) return x * 2 ** Math.min(step, 1000) * 2 ** Math.min(Math.max(step - 1000, 0), 1000) * 2 ** Math.max(step - 2000, 0);
  if (!Number.isFinite(x) || x === 0) return x;
  const room = exponentOf(x) + 1021;
  const exact = Math.max(step, -Math.max(room, 0));
  return x * 2 ** Math.max(exact, -1000) * 2 ** Math.min(0, Math.max(exact + 1000, -1000)) * 2 ** Math.max(step - exact, -1074);
}

/** floor(log2 |x|) of a finite number that is not 0. */
function exponentOf(x: number): number {
  const word = new DataView(new ArrayBuffer(8));
  word.setFloat64(0, x);
  const field = (word.getUint16(0) >>> 4) & 0x7ff;
  return field === 0 ? exponentOf(x * 2 ** 64) - 64 : field - 1023;
}

/** FP_ILOGB0 and FP_ILOGBNAN as CUDA defines them. */
function integerExponent(x: number): number {
  if (x === 0 || Number.isNaN(x)) return -2147483648;
  return Number.isFinite(x) ? exponentOf(x) : 2147483647;
}

function nextAfter(x: number, y: number, precision: Precision): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  return x === y ? y : neighbour(x, y > x ? 1 : -1, precision);
}
