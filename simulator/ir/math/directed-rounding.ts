/**
 * Arithmetic rounded towards zero, up or down: the nearest result, moved by one unit if it lies on the wrong side of the exact one.
 */
import { fmaDouble, fmaErrorSign } from './fma.ts';

export type Direction = 'rz' | 'ru' | 'rd';
export type Precision = 'single' | 'double';

const word = new DataView(new ArrayBuffer(8));

/** `value` plus something smaller than half its last bit, of the sign of `error` (0: nothing), in the given direction. */
export function roundTo(value: number, error: number, direction: Direction, precision: Precision): number {
  const nearest = precision === 'single' ? Math.fround(value) : value;
  if (Number.isNaN(value) || (!Number.isFinite(value) && error === 0)) return nearest;
  // Sign of exact - nearest.
  const rest = value === nearest ? error : value - nearest;
  const towardsZero = nearest > 0 || (nearest === 0 && rest > 0) ? 'rd' : 'ru';
  const actual = direction === 'rz' ? towardsZero : direction;
  if (actual === 'ru' && rest > 0) return neighbour(nearest, 1, precision);
  if (actual === 'rd' && rest < 0) return neighbour(nearest, -1, precision);
  return nearest;
}

export function addDirected(a: number, b: number, direction: Direction, precision: Precision): number {
  const sum = a + b;
  if (sum === 0 && direction === 'rd' && !(Object.is(a, 0) && Object.is(b, 0)) && (a !== 0 || Object.is(a, -0) || Object.is(b, -0)))
    return -0;
  if (!Number.isFinite(sum) && Number.isFinite(a) && Number.isFinite(b)) return roundTo(sum, -Math.sign(sum), direction, precision);
  const bPart = sum - a;
  return roundTo(sum, a - (sum - bPart) + (b - bPart), direction, precision);
}

export function multiplyDirected(a: number, b: number, direction: Direction, precision: Precision): number {
  const product = a * b;
  const finite = Number.isFinite(a) && Number.isFinite(b);
  return roundTo(product, finite ? fmaErrorSign(a, b, 0, product) : 0, direction, precision);
}

export function divideDirected(a: number, b: number, direction: Direction, precision: Precision): number {
  const quotient = a / b;
  if (!Number.isFinite(a) || !Number.isFinite(b) || b === 0) return quotient;
  if (!Number.isFinite(quotient)) return roundTo(quotient, -Math.sign(quotient), direction, precision);
  const error = -fmaErrorSign(quotient, b, -a, 0) * Math.sign(b);
  return roundTo(quotient, error, direction, precision);
}

export function squareRootDirected(x: number, direction: Direction, precision: Precision): number {
  const root = Math.sqrt(x);
  return Number.isFinite(root) ? roundTo(root, -fmaErrorSign(root, root, -x, 0), direction, precision) : root;
}

export function fmaDirected(a: number, b: number, c: number, direction: Direction, precision: Precision): number {
  const value = fmaDouble(a, b, c);
  const finite = Number.isFinite(a) && Number.isFinite(b) && Number.isFinite(c);
  return roundTo(value, finite ? fmaErrorSign(a, b, c, value) : 0, direction, precision);
}

/** An integer as a float. */
export function integerDirected(value: bigint, direction: Direction, precision: Precision): number {
  const nearest = Number(value);
  const difference = value - BigInt(nearest);
  return roundTo(nearest, difference > 0n ? 1 : difference < 0n ? -1 : 0, direction, precision);
}

/** The next representable number above (1) or below (-1). */
export function neighbour(x: number, side: 1 | -1, precision: Precision): number {
  if (Number.isNaN(x) || x === side * Number.POSITIVE_INFINITY) return x;
  if (x === 0) return side * (precision === 'single' ? 2 ** -149 : Number.MIN_VALUE);
  const step = x > 0 === side > 0 ? 1 : -1;
  if (precision === 'single') {
    word.setFloat32(0, x);
    word.setInt32(0, word.getInt32(0) + step);
    return word.getFloat32(0);
  }
  word.setFloat64(0, x);
  word.setBigInt64(0, word.getBigInt64(0) + BigInt(step));
  return word.getFloat64(0);
}
