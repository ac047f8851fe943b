/**
 * Branches inside of instructions: the machine code of divisions, square roots and some functions tests whether its operands need a slow
 * path (zeros, NaN, tiny or very large numbers), and lanes that do part from the others. Which do was read from what nvcc 13.0 -O3
 * -arch=sm_90 makes of each operation, and for FCHK, which a quotient of floats asks, from cycles on an H200 by all pairs of exponents;
 * how many branches diverge was counted there for lanes of different kinds (test/fixtures/hardware/h200-slow-paths.json). In a tree of
 * branches, one less diverge than there are ways that lanes take: those that are told apart here are no slow path, a slow path, and
 * that of zeros.
 *
 * Left out: what functions do behind their first branch, `fmod` and `remainder` (loops), `pow` and the inverse functions of doubles.
 */
import { type Intrinsic, pure } from './description.ts';

/** A computation on 32-bit words, unsigned. */
export type Bits =
  | { readonly op: 'word'; readonly index: number }
  | { readonly op: 'constant'; readonly value: number }
  | { readonly op: 'and' | 'add' | 'sub' | 'min' | 'max'; readonly a: Bits; readonly b: Bits }
  | { readonly op: 'shr'; readonly a: Bits; readonly by: number };

export type Test =
  | { readonly op: 'below'; readonly a: Bits; readonly b: Bits }
  | { readonly op: 'not'; readonly a: Test }
  | { readonly op: 'and'; readonly a: Test; readonly b: Test };

/** What the tests of a branch ask of its lanes' words. */
export interface Conditions {
  /** The lane takes the slow path. */
  readonly slow: Test;
  /** Of the lanes that do: it takes another way there than most. */
  readonly apart?: Test;
  /** Neither way takes longer than what the instruction takes anyway. */
  readonly isUsual?: true;
  /** Words of global memory that the slow path loads, each by all of its lanes from one address. */
  readonly reads?: number;
}

const word = (index: number): Bits => ({ op: 'word', index });
const constant = (value: number): Bits => ({ op: 'constant', value });
const add = (a: Bits, value: number): Bits => ({ op: 'add', a, b: constant(value) });
const and = (a: Bits, value: number): Bits => ({ op: 'and', a, b: constant(value) });
const sub = (a: Bits, b: Bits): Bits => ({ op: 'sub', a, b });
const below = (a: Bits, b: Bits | number): Test => ({ op: 'below', a, b: typeof b === 'number' ? constant(b) : b });
const not = (a: Test): Test => ({ op: 'not', a });
const all = (first: Test, ...rest: readonly Test[]): Test => rest.reduce((a, b) => ({ op: 'and', a, b }), first);
/** `count` numbers from `from` on. */
const within = (a: Bits, from: number, count: number): Test => below(add(a, -from), count);
const magnitude = (a: Bits): Bits => and(a, 0x7fffffff);
const exponent = (a: Bits): Bits => and({ op: 'shr', a, by: 23 }, 0xff);
const isZero = (a: Bits): Test => below(magnitude(a), 1);

const [A, B] = [word(0), word(1)];
const INFINITE = 0x7f800000;
/** The upper half of an infinite double. */
const WIDE_INFINITE = 0x7ff00000;

const lesser: Bits = { op: 'min', a: magnitude(A), b: magnitude(B) };
const greater: Bits = { op: 'max', a: magnitude(A), b: magnitude(B) };

export const SLOW_PATHS = {
  /**
   * a / b and its result. FCHK asks for exponents (as floats hold them) from 25 to 254 and from 2 to 251, of which the second is at most
   * 126 less and 124 more; here the result speaks for the second. Quotients of zero have a way of their own.
   */
  quotient: {
    slow: not(all(within(magnitude(A), 0x0c800000, INFINITE - 0x0c800000), within(magnitude(B), 0x01800000, 0x7e800000 - 0x01800000))),
    apart: isZero(B),
  },
  reciprocal: { slow: below(and(add(A, 0x1800000), INFINITE), 0x2000000) },
  root: { slow: not(within(A, 0x0d000000, 0x72800000)), apart: isZero(A) },
  /** One, a negative base, an exponent of zero. */
  power: { slow: not(all(within(A, 1, INFINITE - 1), not(within(A, 0x3f800000, 1)), within(magnitude(B), 1, INFINITE))) },
  /** 105,615 and more: more digits of pi, from a table. */
  angle: { slow: within(magnitude(A), 0x47ce4780, INFINITE + 1 - 0x47ce4780), reads: 6 },
  length: { slow: not(within(greater, 1, INFINITE - 1)) },
  /** Of atan2f(y, x): which is greater, and whether x is negative. */
  octant: { slow: not(below(magnitude(B), magnitude(A))), apart: below(constant(0x7fffffff), B), isUsual: true },
  /** The quotient in atan2f, which is at most one. */
  slope: {
    slow: not(all(within(lesser, 0x0c800000, INFINITE - 0x0c800000), below(sub(exponent(greater), exponent(lesser)), 125))),
    apart: all(isZero(lesser), not(isZero(greater))),
  },
  /** a / b and its result, which is no number: a way of its own. */
  wideQuotient: {
    slow: not(all(not(below(magnitude(A), 0x03600000)), within(magnitude(B), 0x00100001, INFINITE - 0x00100000))),
    apart: below(constant(WIDE_INFINITE), magnitude(B)),
  },
  wideReciprocal: { slow: below(magnitude(add(A, 0x300402)), 0x00400402) },
  wideRoot: { slow: not(within(A, 0x03500000, 0x7ca00000)), apart: isZero(A) },
  /** 708.4 and more, either sign. */
  wideExponential: { slow: not(below(magnitude(A), 0x4086232b)) },
  wideLogarithm: { slow: not(within(A, 1, WIDE_INFINITE - 1)) },
  /** Both operands fit 32 bits: a short division. */
  longDivision: { slow: all(below(A, 1), below(B, 1)), isUsual: true },
} as const satisfies Readonly<Record<string, Conditions>>;

export type SlowPathName = keyof typeof SLOW_PATHS;

/** By function. */
const OF_CALLS: ReadonlyMap<string, readonly SlowPathName[]> = new Map<string, readonly SlowPathName[]>([
  ['llvm.sqrt.f32', ['root']],
  ['llvm.sqrt.f64', ['wideRoot']],
  ['__nv_sqrtf', ['root']],
  ['__nv_sqrt', ['wideRoot']],
  ['__nv_powf', ['power']],
  ['__nv_atan2f', ['octant', 'slope']],
  ['__nv_hypotf', ['length']],
  ...['sinf', 'cosf', 'tanf', 'sincosf'].map((name): [string, SlowPathName[]] => [`__nv_${name}`, ['angle']]),
  ...['exp', 'exp2', 'exp10'].map((name): [string, SlowPathName[]] => [`__nv_${name}`, ['wideExponential']]),
  ...['log', 'log2', 'log10'].map((name): [string, SlowPathName[]] => [`__nv_${name}`, ['wideLogarithm']]),
]);

/** The branches inside of a function, in the order in which lanes come to them. */
export function slowPathNames(callee: string): readonly SlowPathName[] {
  return OF_CALLS.get(callee) ?? [];
}

/** What the compiler adds to count them. */
export const INNER_BRANCH = 'lanewise.inner.branch';

/** A function of the words that a slow path asks, which gives an i1: whether the lane takes the path, and whether it does so apart. */
export function testCallee(name: SlowPathName, which: 'slow' | 'apart'): string {
  return `lanewise.${which}.${name}`;
}

function test(of: Test): Intrinsic {
  return pure({ kind: 'test', test: of }, { cost: 'none' });
}

export const TESTS: Readonly<Record<string, Intrinsic>> = {
  ...Object.fromEntries(
    Object.entries(SLOW_PATHS as Readonly<Record<SlowPathName, Conditions>>).flatMap(([name, { slow, apart }]): [string, Intrinsic][] => [
      [testCallee(name as SlowPathName, 'slow'), test(slow)],
      ...(apart ? [[testCallee(name as SlowPathName, 'apart'), test(apart)] as [string, Intrinsic]] : []),
    ]),
  ),
  [INNER_BRANCH]: { effect: 'told', result: 'uniform', cost: 'none', meaning: { kind: 'innerBranch' } },
};

/** Whether the test holds for words. */
export function holds(test: Test, words: readonly number[]): boolean {
  switch (test.op) {
    case 'below':
      return wordOf(test.a, words) < wordOf(test.b, words);
    case 'not':
      return !holds(test.a, words);
    default:
      return holds(test.a, words) && holds(test.b, words);
  }
}

function wordOf(bits: Bits, words: readonly number[]): number {
  switch (bits.op) {
    case 'word':
      return words[bits.index] >>> 0;
    case 'constant':
      return bits.value >>> 0;
    case 'shr':
      return wordOf(bits.a, words) >>> bits.by;
    default: {
      const [a, b] = [wordOf(bits.a, words), wordOf(bits.b, words)];
      if (bits.op === 'and') return (a & b) >>> 0;
      if (bits.op === 'add') return (a + b) >>> 0;
      if (bits.op === 'sub') return (a - b) >>> 0;
      return bits.op === 'min' ? Math.min(a, b) : Math.max(a, b);
    }
  }
}
