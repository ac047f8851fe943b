/** Values of the lanes of a sample side by side, and operations on them. */
import { applyPair, applyScalar } from './scalars.ts';

export const LANES = 32;

/** A number for a value that is the same in all lanes of a sample, one per lane otherwise. NaN: not known. */
export type LaneValues = number | readonly number[];

/** Values as they are computed with. */
export type Row = LaneValues | Progression;

/**
 * Integers that go up by the same step from lane to lane, as most of what indices are made of does. There is a list of them only if somebody
 * asks for one.
 */
export class Progression {
  readonly first: number;
  readonly step: number;
  readonly lanes: number;
  private list: readonly number[] | undefined = undefined;

  constructor(first: number, step: number, lanes: number) {
    this.first = first;
    this.step = step;
    this.lanes = lanes;
  }

  get values(): readonly number[] {
    if (!this.list) {
      const { first, step, lanes } = this;
      const out = doubles(lanes);
      for (let lane = 0; lane < lanes; lane++) out[lane] = first + step * lane;
      this.list = out;
    }
    return this.list;
  }
}

export function valuesOf(row: Row): LaneValues {
  return row instanceof Progression ? row.values : row;
}

export function laneOf(value: LaneValues, lane: number): number {
  return typeof value === 'number' ? value : value[lane];
}

/** Whether the lanes of a warp agree, of the first in the sample or another. */
export function allEqual(value: LaneValues, warp = 0): boolean {
  if (typeof value === 'number') return true;
  const place = warp * LANES;
  for (let lane = 1; lane < LANES; lane++) if (value[place + lane] !== value[place]) return false;
  return true;
}

/** By the number of warps: copies of these are arrays of doubles from the start, which typed arrays of this size would be slower to make than. */
const DOUBLES: number[][] = [];

/** Room for so many lanes, of whole warps, with anything in it. */
export function doubles(lanes: number): number[] {
  const warps = lanes / LANES;
  DOUBLES[warps] ??= Array.from({ length: lanes }, () => 0.5);
  return DOUBLES[warps].slice();
}

export function perLane(of: (lane: number) => number, lanes = LANES): number[] {
  const out = doubles(lanes);
  for (let lane = 0; lane < lanes; lane++) out[lane] = of(lane);
  return out;
}

/** One bit per lane, by warp. */
export interface Masks {
  /** The value is known and not zero. */
  readonly yes: readonly number[];
  /** The value is not known; left out where that is so in no lane. */
  readonly unknown?: readonly number[];
}

/** For a value's lanes. */
export function masksOf(value: LaneValues, warps: number): Masks {
  const yes = new Array<number>(warps).fill(0);
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return { yes, unknown: new Array<number>(warps).fill(ALL) };
    return value === 0 ? { yes } : { yes: yes.fill(ALL) };
  }
  let unknown: number[] | undefined;
  for (let lane = 0; lane < value.length; lane++) {
    const v = value[lane];
    if (v === 0) continue;
    if (Number.isNaN(v)) {
      unknown ??= new Array<number>(warps).fill(0);
      unknown[lane >>> 5] |= 1 << (lane & 31);
    } else yes[lane >>> 5] |= 1 << (lane & 31);
  }
  return { yes, unknown };
}

const ALL = -1;

/** Whether a comparison holds below zero, at zero and above it, of the difference of its sides. */
const COMPARISONS: ReadonlyMap<string, readonly [boolean, boolean, boolean]> = new Map([
  ['<', [true, false, false]],
  ['<=', [true, true, false]],
  ['==', [false, true, false]],
  ['!=', [true, false, true]],
  ['>=', [false, true, true]],
  ['>', [false, false, true]],
]);

export function isComparison(name: string): boolean {
  return COMPARISONS.has(name);
}

/** For a comparison, without a list of zeros and ones; undefined where its sides are more than progressions. */
export function comparedMasks(name: string, left: Row, right: Row, warps: number): Masks | undefined {
  const signs = COMPARISONS.get(name);
  if (!signs || !isStraight(left) || !isStraight(right)) return undefined;
  const [below, at, above] = signs;
  // The difference of integers is exact, and tells what comparing does.
  if (!Number.isSafeInteger(firstOf(left)) || !Number.isSafeInteger(firstOf(right))) return undefined;
  const first = firstOf(left) - firstOf(right);
  const step = riseOf(left) - riseOf(right);
  const yes = new Array<number>(warps).fill(0);
  for (let warp = 0; warp < warps; warp++) {
    let mask = 0;
    for (let lane = 0; lane < LANES; lane++) {
      const difference = first + step * (warp * LANES + lane);
      if (difference < 0 ? below : difference > 0 ? above : at) mask |= 1 << lane;
    }
    yes[warp] = mask;
  }
  return { yes };
}

function isStraight(row: Row): row is number | Progression {
  return typeof row === 'number' || row instanceof Progression;
}

function firstOf(row: number | Progression): number {
  return typeof row === 'number' ? row : row.first;
}

function riseOf(row: number | Progression): number {
  return typeof row === 'number' ? 0 : row.step;
}

/** For values that are the same in all lanes, where there is one for each: by the number of warps. */
const LEFT: number[][] = [];
const RIGHT: number[][] = [];

function lanesOf(row: Row, scratch: number[][], lanes: number): readonly number[] {
  if (typeof row !== 'number') return row instanceof Progression ? row.values : row;
  const warps = lanes / LANES;
  scratch[warps] ??= doubles(lanes);
  return scratch[warps].fill(row);
}

function countOf(row: Exclude<Row, number>): number {
  return row instanceof Progression ? row.lanes : row.length;
}

/** Where the result is a progression, too, and its numbers are exact. */
function applyToProgressions(name: string, left: Row, right: Row, lanes: number): Progression | undefined {
  if (!isStraight(left) || !isStraight(right)) return undefined;
  const [a, b] = [firstOf(left), firstOf(right)];
  const [da, db] = [riseOf(left), riseOf(right)];
  if (name === '+') return exactly(a + b, da + db, lanes);
  if (name === '-') return exactly(a - b, da - db, lanes);
  if (name !== '*') return undefined;
  return typeof right === 'number' ? exactly(a * b, da * b, lanes) : typeof left === 'number' ? exactly(a * b, a * db, lanes) : undefined;
}

function exactly(first: number, step: number, lanes: number): Progression | undefined {
  const isExact = Number.isSafeInteger(first) && Number.isSafeInteger(step) && Number.isSafeInteger(first + step * lanes);
  return isExact ? new Progression(first, step, lanes) : undefined;
}

/** The operations that make up most index arithmetic in loops of their own, the others lane by lane. */
export function applyTwo(name: string, left: Row, right: Row): Row {
  if (typeof left === 'number' && typeof right === 'number') return applyPair(name, left, right);
  const lanes = countOf(typeof left === 'number' ? (right as Exclude<Row, number>) : left);
  const progression = applyToProgressions(name, left, right, lanes);
  if (progression) return progression;
  const a = lanesOf(left, LEFT, lanes);
  const b = lanesOf(right, RIGHT, lanes);
  const out = doubles(lanes);
  switch (name) {
    case '+':
      for (let i = 0; i < lanes; i++) out[i] = a[i] + b[i];
      return out;
    case '-':
      for (let i = 0; i < lanes; i++) out[i] = a[i] - b[i];
      return out;
    case '*':
      for (let i = 0; i < lanes; i++) out[i] = a[i] * b[i];
      return out;
    case '>>':
      if (typeof right !== 'number' || right < 0 || right > 52) break;
      for (let i = 0, power = 2 ** right; i < lanes; i++) out[i] = Math.floor(a[i] / power);
      return out;
    case '<':
      for (let i = 0; i < lanes; i++) out[i] = a[i] < b[i] ? 1 : 0;
      return out;
    case '>':
      for (let i = 0; i < lanes; i++) out[i] = a[i] > b[i] ? 1 : 0;
      return out;
    case '==':
      for (let i = 0; i < lanes; i++) out[i] = a[i] === b[i] ? 1 : 0;
      return out;
  }
  for (let i = 0; i < lanes; i++) out[i] = applyPair(name, a[i], b[i]);
  return out;
}

export function choose(condition: LaneValues, then: Row, otherwise: Row): Row {
  if (typeof condition === 'number') return condition !== 0 ? then : otherwise;
  const lanes = condition.length;
  const a = lanesOf(then, LEFT, lanes);
  const b = lanesOf(otherwise, RIGHT, lanes);
  const out = doubles(lanes);
  for (let i = 0; i < lanes; i++) out[i] = condition[i] !== 0 ? a[i] : b[i];
  return out;
}

/** Any number of operands. */
export function apply(name: string, args: readonly Row[], lanes: number): Row {
  if (args.every((a) => typeof a === 'number')) return applyScalar(name, args as number[]);
  const lists = args.map(valuesOf);
  const scratch = new Array<number>(args.length).fill(0);
  return perLane((lane) => {
    for (let i = 0; i < lists.length; i++) scratch[i] = laneOf(lists[i], lane);
    return applyScalar(name, scratch);
  }, lanes);
}
