/** What the facts of a variant share: samples of its warps, the iterations to look at, and what was found so far. */
import { isBoundsGuard } from './conditions.ts';
import { isLinear, type LoopIteration, Sample, type SampleOptions, type Shape } from './evaluate.ts';
import { type BranchSplit, type GlobalPattern, MAX_LEVELS, type SharedPattern } from './facts.ts';
import { dependsOnLoop, type Form, type LinearParts, type LoopShape } from './form.ts';
import { type LanePartsMemo, newLanePartsMemo } from './lane-parts.ts';
import { type Memos, newMemos } from './memo.ts';
import { LANES, type LaneValues } from './rows.ts';
import type { PathStep, RawLoop } from './values.ts';

export interface Context {
  readonly shape: Shape;
  readonly warps: number;
  /** Masks by warp: of threads that exist. */
  readonly existing: readonly number[];
  /** Samples outside all loops by seed and warp, shared by all facts of a variant. */
  readonly samples: Sample[][];
  /** The same for all warps at once, by seed. */
  readonly blockSamples: Sample[];
  /** And for those of the first block. */
  readonly firstBlocks: Sample[];
  readonly budget: { left: number };
  /** Iterations to look at, by the loops that matter, seed and warp. */
  readonly iterations: Map<string, readonly Iterations[]>;
  /** What conditions do to warps, by the path to them. */
  readonly splits: Map<readonly PathStep[], KnownSplit[]>;
  /** The offsets that were compared. */
  readonly linear: Map<Form, LinearParts>;
  /** How often loops run that bounds were asked for. */
  readonly trips: Map<LoopShape, number | undefined>;
  /** Elements that lanes are at. */
  readonly elements: ByOffset<FoundElements>;
  otherBlock: Sample | undefined;
  readonly patterns: PatternMemo;
  readonly memos: Memos;
}

/** From outer to inner loops; of those that are left out the first. */
export type Iterations = readonly LoopIteration[];

interface KnownSplit {
  readonly form: Form;
  readonly loops: readonly RawLoop[];
  readonly split: BranchSplit;
}

/** Patterns of the accesses seen so far, by what their offsets have in common and what else decides. */
export interface PatternMemo {
  readonly global: PatternsByBase<GlobalPattern | undefined>;
  readonly shared: PatternsByBase<SharedPattern | undefined>;
  readonly parts: LanePartsMemo;
  /** Sectors by offsets; of few lanes and sizes each. */
  readonly sectors: Map<readonly number[], CountedSectors[]>;
}

/** By the base of an offset, then by the distance from it (of patterns within a period). */
type ByOffset<T> = Map<Form, Map<number, T[]>>;

export type PatternsByBase<T> = ByOffset<FoundPattern<T>>;

/** What was found of offsets with this base and distance, to be added to. */
export function foundAt<T>(known: ByOffset<T>, base: Form, distance: number): T[] {
  const byDistance = known.get(base) ?? new Map<number, T[]>();
  known.set(base, byDistance);
  const found = byDistance.get(distance) ?? [];
  byDistance.set(distance, found);
  return found;
}

interface FoundPattern<T> {
  readonly scale: number;
  readonly bytes: number;
  /** Where it matters. */
  readonly kind: 'load' | 'store' | undefined;
  /** Where conditions on it matter. */
  readonly path: readonly PathStep[] | undefined;
  /** Where they matter. */
  readonly loops: readonly RawLoop[] | undefined;
  readonly pattern: T;
}

interface FoundElements {
  readonly scale: number;
  readonly size: number;
  readonly indices: readonly number[];
}

export interface CountedSectors {
  readonly active: number;
  readonly bytes: number;
  readonly sectors: number;
  readonly ideal: number;
}

/** Forms of a variant that are computed, all warps and iterations together: what bounds the time that any kernel takes. */
const BUDGET = 200_000;

export function newContext(shape: Shape, share: number): Context {
  const [x, y, z] = shape.block;
  const warps = Math.max(1, Math.ceil((x * y * z) / LANES));
  return {
    shape,
    warps,
    existing: existingIn(shape.block, warps),
    samples: [],
    blockSamples: [],
    firstBlocks: [],
    budget: { left: BUDGET * share },
    iterations: new Map(),
    splits: new Map(),
    linear: new Map(),
    trips: new Map(),
    elements: new Map(),
    otherBlock: undefined,
    patterns: { global: new Map(), shared: new Map(), parts: newLanePartsMemo(), sectors: new Map() },
    memos: newMemos(),
  };
}

/** The first warp of another block, all other values being those of the first sample. */
export function inOtherBlock(c: Context): Sample {
  c.otherBlock ??= newSample(c, { warp: 0, warps: 1, seed: 0, blocksOn: 1 });
  return c.otherBlock;
}

function newSample({ shape, budget }: Context, which: Omit<SampleOptions, 'shape' | 'budget'>, firstWarp?: Sample): Sample {
  return new Sample({ shape, budget, ...which }, firstWarp);
}

export function sampleOf(c: Context, warp: number, seed: number, iterations: Iterations = OUTSIDE): Sample {
  c.samples[seed] ??= [];
  const bySeed = c.samples[seed];
  bySeed[0] ??= newSample(c, { warp: 0, warps: 1, seed });
  bySeed[warp] ??= newSample(c, { warp, warps: 1, seed }, bySeed[0]);
  return atIterations(bySeed[warp], iterations);
}

/** All warps of the block at once: for each form one list of values in place of dozens. */
export function blockSampleOf(c: Context, seed: number, iterations: Iterations = OUTSIDE): Sample {
  if (c.warps === 1) return sampleOf(c, 0, seed, iterations);
  c.blockSamples[seed] ??= newSample(c, { warp: 0, warps: c.warps, seed }, sampleOf(c, 0, seed));
  return atIterations(c.blockSamples[seed], iterations);
}

/** All warps of block 0: what `i == 0` lets through is there and nowhere else. */
export function firstBlockOf(c: Context, seed: number, iterations: Iterations = OUTSIDE): Sample {
  c.firstBlocks[seed] ??= newSample(c, { warp: 0, warps: c.warps, seed, firstBlock: true });
  return atIterations(c.firstBlocks[seed], iterations);
}

/** All warps of one block of a grid of one dimension. */
export function blockAt(c: Context, block: number, seed: number): Sample {
  return newSample(c, { warp: 0, warps: c.warps, seed, firstBlock: true, blocksOn: block });
}

const OUTSIDE: Iterations = [];

function atIterations(outside: Sample, iterations: Iterations): Sample {
  let sample = outside;
  for (let i = 0; i < iterations.length; i++) sample = sample.at(iterations[i].loop, iterations[i].iteration);
  return sample;
}

/** The threads that exist in each warp: blocks need not be a multiple of 32. */
function existingIn([x, y, z]: Shape['block'], warps: number): number[] {
  return Array.from({ length: warps }, (_, warp) => {
    const left = x * y * z - warp * LANES;
    return left >= LANES ? -1 : (1 << Math.max(0, left)) - 1;
  });
}

/** Iterations of the innermost loop that the forms depend on, which really happen; one entry of none where there is no such loop. */
export function iterationsOf(
  c: Context,
  forms: readonly Form[],
  loops: readonly RawLoop[],
  seed: number,
  warp: number,
): readonly Iterations[] {
  return iterationsAmong(c, relevantLoops(forms, loops), seed, warp);
}

/** Those that the forms depend on. */
export function relevantLoops(forms: readonly Form[], loops: readonly RawLoop[]): readonly RawLoop[] {
  return loops.filter((l) => forms.some((f) => dependsOnLoop(f, l.shape)));
}

/** The same for those loops that matter. */
export function iterationsAmong(c: Context, relevant: readonly RawLoop[], seed: number, warp: number): readonly Iterations[] {
  if (relevant.length === 0) return NO_LOOPS;
  // Most accesses of a kernel hang on the same few loops.
  let key = `${seed},${warp}`;
  for (const l of relevant) key += `,${l.shape.id}`;
  let known = c.iterations.get(key);
  if (!known) {
    known = iterationsOfLast(c, relevant, seed, warp);
    c.iterations.set(key, known);
  }
  return known;
}

const NO_LOOPS: readonly Iterations[] = [OUTSIDE];

function iterationsOfLast(c: Context, relevant: readonly RawLoop[], seed: number, warp: number): readonly Iterations[] {
  const outer = relevant.slice(0, -1).map(({ shape }) => ({ loop: shape, iteration: seed % 2 }));
  const { shape: loop, kind } = relevant[relevant.length - 1];
  const { condition } = loop;
  const at = (iteration: number): Iterations => [...outer, { loop, iteration }];
  const decided = condition && !condition.data && !condition.unknown && !(condition.lane && isBoundsGuard(c.memos, condition));
  // Counting loops look alike in all iterations; doubling and halving ones do not.
  if (!decided || (condition.symbolic && isLinear(loop))) return [0, 1, 2].map(at);
  const out: Iterations[] = [];
  for (let k = 0; k < MAX_LEVELS; k++) {
    const iterations = at(k);
    const goesOn = someLane(sampleOf(c, warp, seed, iterations).value(condition));
    // At the end of an iteration the question is whether another one follows.
    if (goesOn || kind === 'do') out.push(iterations);
    if (!goesOn) break;
  }
  return out.length > 0 ? out : [at(0)];
}

function someLane(value: LaneValues): boolean {
  return typeof value === 'number' ? value !== 0 : value.some((v) => v !== 0);
}
