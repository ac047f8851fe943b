/** How far apart two accesses are, where that is the same in all lanes, whatever symbols and loop counters are. */
import { LANES, type LaneValues, laneOf, type Sample } from './evaluate.ts';
import { type Form, type LinearParts, linearParts } from './form.ts';
import { firstAlike } from './lane-parts.ts';
import { modulo } from './patterns.ts';
import { type Context, sampleOf } from './splits.ts';
import type { RawLoop } from './values.ts';

interface Offset {
  readonly offset: Form;
  readonly loops: readonly RawLoop[];
}

/** Bytes from what `a` touches to what `b` does. */
export function distance(c: Context, a: Offset, b: Pick<Offset, 'offset'>): number | undefined {
  if (!isKnown(a.offset) || !isKnown(b.offset)) return undefined;
  const from = partsOf(c, a.offset);
  const to = partsOf(c, b.offset);
  if (from.base === to.base && from.scale === to.scale) return to.distance - from.distance;
  return always(c, a.loops, [a.offset, b.offset], ([x, y], lane) => laneOf(y, lane) - laneOf(x, lane));
}

/** Offsets that the source spells out several times have one base. */
export function partsOf({ linear, patterns }: Context, offset: Form): LinearParts {
  let parts = linear.get(offset);
  if (!parts) {
    const { base, scale, distance } = linearParts(offset);
    parts = { base: firstAlike(patterns.parts, base), scale, distance };
    linear.set(offset, parts);
  }
  return parts;
}

/** Bytes from the last multiple of `bytes` to what `a` touches. */
export function misalignment(c: Context, a: Offset, bytes: number): number | undefined {
  if (!isKnown(a.offset)) return undefined;
  return always(c, a.loops, [a.offset], ([at], lane) => modulo(laneOf(at, lane), bytes));
}

function isKnown(offset: Form): boolean {
  return !offset.unknown && !offset.data;
}

/** Most that differ do so in the first. */
const SAMPLES: readonly ((c: Context, loops: readonly RawLoop[]) => Sample)[] = [
  (c) => sampleOf(c, 0, 0),
  (c) => sampleOf(c, 0, 1),
  (c, loops) => sampleOf(c, 0, 1, new Map(loops.map((loop) => [loop.shape, 1]))),
];

/** For forms without symbols, of which other values of symbols alone change nothing. */
const WITHOUT_SYMBOLS = [SAMPLES[0], SAMPLES[2]];

function always(
  c: Context,
  loops: readonly RawLoop[],
  forms: readonly Form[],
  of: (values: readonly LaneValues[], lane: number) => number,
): number | undefined {
  let found: number | undefined;
  const samples = forms.some((form) => form.symbolic) ? SAMPLES : WITHOUT_SYMBOLS;
  for (const inSample of samples) {
    const sample = inSample(c, loops);
    const values = forms.map((form) => sample.value(form));
    const lanes = values.every((value) => typeof value === 'number') ? 1 : LANES;
    for (let lane = 0; lane < lanes; lane++) {
      const value = of(values, lane);
      found ??= value;
      if (value !== found || Number.isNaN(value)) return undefined;
    }
  }
  return found;
}
