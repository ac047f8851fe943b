/** How far apart two accesses are, where that is the same in all lanes, whatever symbols and loop counters are. */
import { type Context, sampleOf } from './context.ts';
import type { Sample } from './evaluate.ts';
import { type Form, type LinearParts, linearParts } from './form.ts';
import { firstAlike } from './lane-parts.ts';
import { modulo } from './patterns.ts';
import { LANES, type LaneValues, laneOf } from './rows.ts';
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
  return always(c, a.loops, a.offset.symbolic || b.offset.symbolic, (sample) => apart(sample.value(a.offset), sample.value(b.offset)));
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
  return always(c, a.loops, a.offset.symbolic, (sample) => beyond(sample.value(a.offset), bytes));
}

function isKnown(offset: Form): boolean {
  return !offset.unknown && !offset.data;
}

/** Most that differ do so in the first. */
const SAMPLES: readonly ((c: Context, loops: readonly RawLoop[]) => Sample)[] = [
  (c) => sampleOf(c, 0, 0),
  (c) => sampleOf(c, 0, 1),
  (c, loops) =>
    sampleOf(
      c,
      0,
      1,
      loops.map((loop) => ({ loop: loop.shape, iteration: 1 })),
    ),
];

/** For forms without symbols, of which other values of symbols alone change nothing. */
const WITHOUT_SYMBOLS = [SAMPLES[0], SAMPLES[2]];

/** What holds in all samples alike. */
function always(c: Context, loops: readonly RawLoop[], symbolic: boolean, of: (sample: Sample) => number | undefined): number | undefined {
  let found: number | undefined;
  for (const inSample of symbolic ? SAMPLES : WITHOUT_SYMBOLS) {
    const value = of(inSample(c, loops));
    found ??= value;
    if (value === undefined || value !== found) return undefined;
  }
  return found;
}

/** From the one to the other, where that is the same in all lanes. */
function apart(from: LaneValues, to: LaneValues): number | undefined {
  const first = laneOf(to, 0) - laneOf(from, 0);
  const lanes = typeof from === 'number' && typeof to === 'number' ? 1 : LANES;
  // Also false where it is not known.
  for (let lane = 0; lane < lanes; lane++) if (laneOf(to, lane) - laneOf(from, lane) !== first) return undefined;
  return first;
}

/** From the last multiple of `bytes`, where that is the same in all lanes. */
function beyond(at: LaneValues, bytes: number): number | undefined {
  const first = modulo(laneOf(at, 0), bytes);
  const lanes = typeof at === 'number' ? 1 : LANES;
  for (let lane = 0; lane < lanes; lane++) if (modulo(laneOf(at, lane), bytes) !== first) return undefined;
  return first;
}
