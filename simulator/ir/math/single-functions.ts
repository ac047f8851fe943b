/**
 * Functions of singles in steps of double precision that WebAssembly has, too: compiled code takes the same steps on vectors
 * (simulator/compiler/single-functions.ts), and both engines agree bit for bit. Errors are below 1e-15, so that results are correctly
 * rounded singles but for one in some ten million.
 */

/** Added and taken away again, it rounds to a whole number, which is then in its last bits. */
export const ROUNDER = 1.5 * 2 ** 52;
/** ln(2) in two parts, the first with so few digits that its multiples by exponents are exact. */
export const LN_2_HIGH = 0.6931471803691238;
export const LN_2_LOW = 1.9082149292705877e-10;
/** Powers of two beyond them are infinite as singles, or zero. */
export const MOST_EXPONENT = 300;
/** The same of e. */
export const MOST_POWER = 200;
/** Mantissas from here on count as those of the next power of two: the root of 1/2 as the upper word of a double. */
export const ROOT_OF_HALF = Math.SQRT1_2;

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** From the highest power down. */
export const EXPONENTIAL = Array.from({ length: 13 }, (_, k) => 1 / factorial(12 - k));
/** Of the sine of a turn, by squares of the part of a turn. */
export const SINE_OF_TURN = Array.from(
  { length: 12 },
  (_, k) => ((11 - k) % 2 ? -1 : 1) * ((2 * Math.PI) ** (23 - 2 * k) / factorial(23 - 2 * k)),
);
/** Of sines and cosines up to an eighth of a turn, by squares. */
export const SINE = Array.from({ length: 9 }, (_, k) => (k % 2 ? -1 : 1) / factorial(17 - 2 * k));
export const COSINE = Array.from({ length: 9 }, (_, k) => (k % 2 ? -1 : 1) / factorial(16 - 2 * k));
/** pi/2 in two parts, the first with so few digits that its multiples below the limit are exact; angles from there on are another function's. */
export const QUARTER_HIGH = 1.5707963267341256;
export const QUARTER_LOW = 6.077100506506192e-11;
export const MOST_ANGLE = 2 ** 19;
/** Of ln((1 + s) / (1 - s)) / s, by squares of s. */
export const LOGARITHM = Array.from({ length: 11 }, (_, k) => 2 / (21 - 2 * k));

/** Of tanh(x) / x, by squares of x, and up to which x they do: from there on 1 - 2 / (e^2x + 1) has lost no more than three bits. */
export const TANGENT = [-1382 / 155925, 62 / 2835, -17 / 315, 2 / 15, -1 / 3, 1];
export const MOST_TANGENT = 1 / 8;

/** By its even and its odd powers, which processors compute side by side. */
export function polynomial(coefficients: readonly number[], x: number): number {
  const square = x * x;
  let [first, second] = [coefficients[0], coefficients[1]];
  for (let k = 2; k < coefficients.length; k += 2) first = first * square + coefficients[k];
  for (let k = 3; k < coefficients.length; k += 2) second = second * square + coefficients[k];
  return coefficients.length % 2 === 1 ? first + x * second : second + x * first;
}

export function exp2OfSingle(x: number): number {
  const limited = Math.max(-MOST_EXPONENT, Math.min(MOST_EXPONENT, x));
  const whole = limited + ROUNDER - ROUNDER;
  return scaled(polynomial(EXPONENTIAL, (limited - whole) * Math.LN2), whole);
}

export function expOfSingle(x: number): number {
  const limited = Math.max(-MOST_POWER, Math.min(MOST_POWER, x));
  const whole = limited * Math.LOG2E + ROUNDER - ROUNDER;
  return scaled(polynomial(EXPONENTIAL, limited - whole * LN_2_HIGH - whole * LN_2_LOW), whole);
}

function scaled(value: number, exponent: number): number {
  return Number.isNaN(exponent) ? Number.NaN : value * POWERS[exponent + MOST_EXPONENT];
}

const POWERS = Float64Array.from({ length: 2 * MOST_EXPONENT + 1 }, (_, at) => 2 ** (at - MOST_EXPONENT));

export function tanhOfSingle(x: number): number {
  const size = Math.abs(x);
  const value = size < MOST_TANGENT ? size * polynomial(TANGENT, size * size) : 1 - 2 / (expOfSingle(size + size) + 1);
  return x < 0 || Object.is(x, -0) ? -value : value;
}

/** The angle's part of a turn, of so many turns, which are a single. */
function partOf(turns: number): number {
  return turns - Math.floor(turns + 0.5);
}

export function sineOfTurns(turns: number): number {
  const part = partOf(turns);
  const size = Math.abs(part);
  // Behind a quarter it falls again.
  const folded = size > 0.25 ? 0.5 - size : size;
  const value = folded * polynomial(SINE_OF_TURN, folded * folded);
  return part < 0 || Object.is(part, -0) ? -value : value;
}

export function cosineOfTurns(turns: number): number {
  const folded = 0.25 - Math.abs(partOf(turns));
  return folded * polynomial(SINE_OF_TURN, folded * folded);
}

export function sinOfSingle(x: number): number {
  return Math.abs(x) < MOST_ANGLE ? sineFrom(x, 0) : Math.sin(x);
}

export function cosOfSingle(x: number): number {
  return Math.abs(x) < MOST_ANGLE ? sineFrom(x, 1) : Math.cos(x);
}

/** The sine of x and so many quarters of a turn. */
function sineFrom(x: number, quarters: number): number {
  const whole = x * (2 / Math.PI) + ROUNDER - ROUNDER;
  const rest = x - whole * QUARTER_HIGH - whole * QUARTER_LOW;
  const quadrant = (whole + quarters) & 3;
  const square = rest * rest;
  const value = quadrant & 1 ? polynomial(COSINE, square) : rest * polynomial(SINE, square);
  return quadrant & 2 ? -value : value;
}

/** Of a base above zero; undefined where it is another function's. */
export function powerOfSingles(x: number, y: number): number | undefined {
  return x > 0 && x < Number.POSITIVE_INFINITY && Math.abs(y) < Number.POSITIVE_INFINITY ? exp2OfSingle(y * log2OfSingle(x)) : undefined;
}

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);

/** The natural logarithm and that of base 2; `exponentPart` is what a power of two adds. */
export function logOfSingle(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return ofNoPositive(x);
  const { exponent, logarithm } = parts(x);
  return exponent * LN_2_HIGH + (logarithm + exponent * LN_2_LOW);
}

export function log2OfSingle(x: number): number {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return ofNoPositive(x);
  const { exponent, logarithm } = parts(x);
  return exponent + logarithm * Math.LOG2E;
}

function ofNoPositive(x: number): number {
  return x > 0 ? x : x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** What x is of a power of two that is about it, as a logarithm. */
function parts(x: number): { readonly exponent: number; readonly logarithm: number } {
  double[0] = x;
  let exponent = (words[1] >> 20) - 1022;
  words[1] = (words[1] & 0xfffff) | (1022 << 20);
  if (double[0] < ROOT_OF_HALF) {
    double[0] *= 2;
    exponent--;
  }
  const ratio = (double[0] - 1) / (double[0] + 1);
  return { exponent, logarithm: ratio * polynomial(LOGARITHM, ratio * ratio) };
}
