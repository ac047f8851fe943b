/**
 * Approximate functions of singles, put together as nvcc (13.0) does it: steps rounded to single around what the special function
 * unit computes. That unit's last bits are not documented; here its results are correctly rounded.
 */
import { roundTo } from './directed-rounding.ts';
import { cosineOfTurns, exp2OfSingle, log2OfSingle, sineOfTurns } from './single-functions.ts';

const single = Math.fround;

/** 1 / (2 pi), log2(e), log2(10), log(2) and log10(2) as singles. */
export const TURNS = 0.15915493667125702;
export const LOG2_E = 1.4426950216293335;
export const LOG2_10 = 3.3219280242919922;
export const LN_2 = 0.6931471824645996;
export const LOG10_2 = 0.3010300099849701;

/** The turns of an angle, as the unit gets them: the product is rounded towards zero. */
function turnsOf(x: number): number {
  const exact = x * TURNS;
  const nearest = single(exact);
  return roundTo(nearest, exact > nearest ? 1 : exact < nearest ? -1 : 0, 'rz', 'single');
}

const sine = (x: number) => single(sineOfTurns(turnsOf(x)));
const cosine = (x: number) => single(cosineOfTurns(turnsOf(x)));
const logarithm = (x: number) => single(log2OfSingle(x));

/** Quotients by a product with the reciprocal, which is 0 where it were subnormal. */
export function fastQuotient(x: number, y: number): number {
  const scale = Math.abs(y) < SMALLEST_NORMAL ? 2 ** 24 : 1;
  const reciprocal = single(1 / (y * scale));
  return single(x * scale) * (Math.abs(reciprocal) < SMALLEST_NORMAL ? 0 * reciprocal : reciprocal);
}

const SMALLEST_NORMAL = 2 ** -126;

/** By name: `sin` is `__sinf`. */
export const FAST_FUNCTIONS: Readonly<Record<string, (x: number, y: number) => number>> = {
  sin: sine,
  cos: cosine,
  tan: (x) => fastQuotient(sine(x), cosine(x)),
  exp: (x) => exp2OfSingle(single(x * LOG2_E)),
  exp10: (x) => exp2OfSingle(single(x * LOG2_10)),
  log2: logarithm,
  log: (x) => logarithm(x) * LN_2,
  log10: (x) => logarithm(x) * LOG10_2,
  tanh: Math.tanh,
  pow: (x, y) => exp2OfSingle(single(y * logarithm(x))),
  fdivide: fastQuotient,
};
