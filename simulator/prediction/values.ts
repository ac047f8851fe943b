/**
 * What is known of an SSA value of a warp before anything runs: a number for each lane, plus a sum of unknown numbers that are the same
 * for all lanes. So `blockIdx.x * 256 + threadIdx.x` of a block of which nobody knows which it is, is 0 to 31 plus an unknown multiple
 * of 256. Lanes of which not even that is known are missing in `known`. Integers are held with their sign; floats as numbers.
 */

/** An unknown number, the same for all lanes. */
export interface Unknown {
  readonly id: number;
  /** A power of two (at most MAX_ALIGN) that it is a multiple of. */
  readonly align: number;
  readonly origin: Origin;
}

/** Where an unknown comes from. `edge`: a comparison that is the same for all lanes, but in the one warp of many that holds an edge. */
export type Origin = 'argument' | 'block' | 'loop' | 'data' | 'edge';

export interface Term {
  readonly unknown: Unknown;
  readonly factor: number;
}

export interface Value {
  readonly lanes: Float64Array;
  /** Lanes that are `lanes[lane]` plus the terms. */
  readonly known: number;
  /** By the unknown's id, ascending; no factor is 0. */
  readonly terms: readonly Term[];
  /** All lanes are known, and `lanes` has the same number for each. */
  readonly flat?: true;
}

export const MAX_ALIGN = 4096;
const ALL = -1;
const NO_TERMS: readonly Term[] = [];
const ZEROS = new Float64Array(32);

/** A comparison that parts the lanes of one warp, if any: a thread index meets a number that the launch gives and nobody knows. */
export const AT_EDGE: Value = { lanes: ZEROS, known: 0, terms: NO_TERMS };

export const NOTHING: Value = { lanes: ZEROS, known: 0, terms: NO_TERMS };

export function perLane(lane: (lane: number) => number, known = ALL): Value {
  const lanes = new Float64Array(32);
  for (let at = 0; at < 32; at++) lanes[at] = lane(at);
  return { lanes, known, terms: NO_TERMS };
}

const constants = new Map<number, Value>();

/** The same number in all lanes. */
export function constant(value: number): Value {
  let known = constants.get(value);
  if (!known) {
    known = { lanes: new Float64Array(32).fill(value), known: ALL, terms: NO_TERMS, flat: true };
    if (constants.size < 1024) constants.set(value, known);
  }
  return known;
}

let ids = 0;

/** A new unknown number, the same for all lanes. */
export function uniform(origin: Origin, align = 1): Value {
  return { lanes: ZEROS, known: ALL, terms: [{ unknown: { id: ids++, align, origin }, factor: 1 }], flat: true };
}

/** The same number in all lanes, plus terms. */
export function flat(value: number, terms: readonly Term[]): Value {
  return terms.length === 0 ? constant(value) : { lanes: constant(value).lanes, known: ALL, terms, flat: true };
}

/** The only number that lanes of the mask hold; undefined where they differ or something is not known. */
export function sameNumber(value: Value, mask: number): number | undefined {
  return value.terms.length === 0 && isUniform(value, mask) ? value.lanes[lowest(mask)] : undefined;
}

/** All lanes of the mask hold the same, whatever it is. */
export function isUniform({ lanes, known, flat: isFlat }: Value, mask: number): boolean {
  if (isFlat) return true;
  if ((mask & ~known) !== 0) return false;
  const first = lanes[lowest(mask)];
  for (let rest = mask & (mask - 1); rest !== 0; rest &= rest - 1) if (lanes[31 - Math.clz32(rest & -rest)] !== first) return false;
  return true;
}

export function hasOrigin({ terms }: Value, origin: Origin): boolean {
  return terms.some(({ unknown }) => unknown.origin === origin);
}

/** The power of two that the sum of the terms is a multiple of. */
export function alignOf(terms: readonly Term[]): number {
  let align = MAX_ALIGN;
  for (const { unknown, factor } of terms) align = Math.min(align, unknown.align * lowBit(factor));
  return align;
}

/** The power of two that divides a number. */
export function lowBit(value: number): number {
  if (value === 0 || !Number.isInteger(value)) return value === 0 ? MAX_ALIGN : 1;
  let bit = 1;
  for (let rest = Math.abs(value); bit < MAX_ALIGN && rest % 2 === 0; rest /= 2) bit *= 2;
  return bit;
}

/** a * termsOfA + b * termsOfB. */
export function sumOfTerms(a: readonly Term[], b: readonly Term[], factorB: number): readonly Term[] {
  if (b.length === 0) return a;
  if (a.length === 0 && factorB === 1) return b;
  const sum: Term[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (right === undefined || (left !== undefined && left.unknown.id < right.unknown.id)) {
      sum.push(left);
      i++;
    } else if (left === undefined || right.unknown.id < left.unknown.id) {
      sum.push({ unknown: right.unknown, factor: right.factor * factorB });
      j++;
    } else {
      const factor = left.factor + right.factor * factorB;
      if (factor !== 0) sum.push({ unknown: left.unknown, factor });
      i++;
      j++;
    }
  }
  return sum;
}

export function scaledTerms(terms: readonly Term[], factor: number): readonly Term[] {
  if (factor === 1 || terms.length === 0) return terms;
  return factor === 0 ? NO_TERMS : terms.map((term) => ({ unknown: term.unknown, factor: term.factor * factor }));
}

export function sameTerms(a: readonly Term[], b: readonly Term[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((term, index) => term.unknown.id === b[index].unknown.id && term.factor === b[index].factor);
}

/** What a value is when the lanes of a mask have got another: the others keep theirs. */
export function written(old: Value | undefined, value: Value, mask: number): Value {
  if (old === undefined || mask === ALL || old.known === 0) return value;
  if (old === value) return old;
  if (!sameTerms(old.terms, value.terms)) return { lanes: value.lanes, known: value.known & mask, terms: value.terms };
  const lanes = old.lanes.slice();
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    lanes[lane] = value.lanes[lane];
  }
  return { lanes, known: (old.known & ~mask) | (value.known & mask), terms: value.terms };
}

/** What lanes of a mask are known to hold that hold one of two. `together`: all have the same one of the two. */
export function either(a: Value, b: Value, mask: number, together: boolean, origin: Origin): Value {
  if (a === b) return a;
  const both = a.known & b.known & mask;
  if (sameTerms(a.terms, b.terms)) {
    let same = 0;
    for (let lane = 0; lane < 32; lane++) if ((both >>> lane) & 1 && Object.is(a.lanes[lane], b.lanes[lane])) same |= 1 << lane;
    if (same === both) return { lanes: a.lanes, known: both, terms: a.terms };
    if (!together) return { lanes: a.lanes, known: same, terms: a.terms };
  }
  if (!together || both === 0) return NOTHING;
  const distance = b.lanes[lowest(both)] - a.lanes[lowest(both)];
  for (let lane = 0; lane < 32; lane++) if ((both >>> lane) & 1 && b.lanes[lane] - a.lanes[lane] !== distance) return NOTHING;
  if (!Number.isInteger(distance)) return isUniform(a, both) ? uniform(origin) : NOTHING;
  const align = Math.min(lowBit(distance), alignOf(a.terms), alignOf(b.terms));
  return { lanes: a.lanes, known: both, terms: uniform(origin, align).terms };
}

function lowest(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}
