/** How conditions divide warps: which samples to look at, which lanes are active in them, and what a branch does to the warps of a block. */

import { isLinear, type LoopIteration, Sample, type Shape } from './evaluate.ts';
import type { BranchSplit, GlobalPattern, SharedPattern, SplitLevel } from './facts.ts';
import { dependsOnLoop, type Form, type LinearParts, type LoopShape, type OpForm, op, type SymbolForm, same } from './form.ts';
import { type LanePartsMemo, newLanePartsMemo } from './lane-parts.ts';
import { Memo } from './memo.ts';
import { countLanes } from './patterns.ts';
import { allEqual, LANES, type LaneValues, laneOf, type Masks } from './rows.ts';
import { negated, sideForm } from './statements.ts';
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
  readonly budget: { left: number };
  /** Iterations to look at, by the loops that matter, seed and warp. */
  readonly iterations: Map<string, readonly Iterations[]>;
  /** What conditions do to warps, by the path to them. */
  readonly splits: Map<readonly PathStep[], KnownSplit[]>;
  /** Of offsets that were compared. */
  readonly linear: Map<Form, LinearParts>;
  /** Elements that lanes are at. */
  readonly elements: ByOffset<FoundElements>;
  otherBlock: Sample | undefined;
  readonly patterns: PatternMemo;
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
    budget: { left: BUDGET * share },
    iterations: new Map(),
    splits: new Map(),
    linear: new Map(),
    elements: new Map(),
    otherBlock: undefined,
    patterns: { global: new Map(), shared: new Map(), parts: newLanePartsMemo(), sectors: new Map() },
  };
}

/** The first warp of another block, all other values being those of the first sample. */
function inOtherBlock(c: Context): Sample {
  c.otherBlock ??= new Sample({ shape: c.shape, warp: 0, warps: 1, seed: 0, budget: c.budget, blocksOn: 1 }, undefined);
  return c.otherBlock;
}

export function sampleOf(c: Context, warp: number, seed: number, iterations: Iterations = OUTSIDE): Sample {
  c.samples[seed] ??= [];
  const bySeed = c.samples[seed];
  bySeed[0] ??= new Sample({ shape: c.shape, warp: 0, warps: 1, seed, budget: c.budget }, undefined);
  bySeed[warp] ??= new Sample({ shape: c.shape, warp, warps: 1, seed, budget: c.budget }, bySeed[0]);
  return atIterations(bySeed[warp], iterations);
}

/** All warps of the block at once: for each form one list of values in place of dozens. */
export function blockSampleOf(c: Context, seed: number, iterations: Iterations = OUTSIDE): Sample {
  if (c.warps === 1) return sampleOf(c, 0, seed, iterations);
  c.blockSamples[seed] ??= new Sample({ shape: c.shape, warp: 0, warps: c.warps, seed, budget: c.budget }, sampleOf(c, 0, seed));
  return atIterations(c.blockSamples[seed], iterations);
}

const OUTSIDE: Iterations = [];

function atIterations(outside: Sample, iterations: Iterations): Sample {
  let sample = outside;
  for (let i = 0; i < iterations.length; i++) sample = sample.at(iterations[i].loop, iterations[i].iteration);
  return sample;
}

/** Of each warp the threads that exist: blocks need not be a multiple of 32. */
function existingIn([x, y, z]: Shape['block'], warps: number): number[] {
  return Array.from({ length: warps }, (_, warp) => {
    const left = x * y * z - warp * LANES;
    return left >= LANES ? -1 : (1 << Math.max(0, left)) - 1;
  });
}

const MAX_LEVELS = 12;

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
  const loop = relevant[relevant.length - 1].shape;
  const { condition } = loop;
  const at = (iteration: number): Iterations => [...outer, { loop, iteration }];
  const decided = condition && !condition.data && !condition.unknown && !(condition.lane && isBoundsGuard(condition));
  // Counting loops look alike in all iterations; doubling and halving ones do not.
  if (!decided || (condition.symbolic && isLinear(loop))) return [0, 1, 2].map(at);
  const out: Iterations[] = [];
  for (let k = 0; k < MAX_LEVELS; k++) {
    const iterations = at(k);
    if (!someLane(sampleOf(c, warp, seed, iterations).value(condition))) break;
    out.push(iterations);
  }
  return out.length > 0 ? out : [at(0)];
}

function someLane(value: LaneValues): boolean {
  return typeof value === 'number' ? value !== 0 : value.some((v) => v !== 0);
}

const GUARDS = new Memo<Form, boolean>();

/** `i < n` and kin, where a side has a value that launches choose: all but the last warps agree on it. */
export function isBoundsGuard(form: Form): boolean {
  if (form.f !== 'op') return false;
  let known = GUARDS.get(form);
  if (known === undefined) {
    known = looksLikeGuard(form);
    GUARDS.set(form, known);
  }
  return known;
}

function looksLikeGuard(form: OpForm): boolean {
  if (form.op === '!') return isBoundsGuard(form.args[0]);
  if (form.op === '&&' || form.op === '||')
    return form.args.every((a) => isBoundsGuard(a) || !a.lane) && form.args.some((a) => isBoundsGuard(a));
  if (!/^(<|<=|>|>=)$/.test(form.op)) return false;
  return form.symbolic && !form.args.some(hasCycle);
}

/**
 * `threadIdx.x < radius`, `i >= blockIdx.x * blockDim.x + margin`: a place in the block against a limit that launches choose. It is the
 * same in all blocks, where the end of the data is in one. A limit that a loop changes is the end of the data again, and so is one that a
 * place comes to in large steps.
 */
function dividesEveryBlock(c: Context, form: Form, loops: readonly RawLoop[]): boolean {
  if (form.f !== 'op' || !form.lane || c.shape.grid.every((extent) => extent === 1)) return false;
  const { args } = form;
  if (/^(!|&&|\|\|)$/.test(form.op)) return args.some((a) => dividesEveryBlock(c, a, loops));
  const [place, limit] = args[0].lane ? args : [args[1], args[0]];
  if (!isBoundsGuard(form) || limit.lane || limit.loopDepth > 0 || !isChosenAtLaunch(form)) return false;
  if (place.block !== limit.block || allEqual(sampleOf(c, 0, 0).value(place)) || stridesWarps(c, place, loops)) return false;
  if (!place.block) return true;
  const distance = op('-', place, limit);
  const [here, there] = [sampleOf(c, 0, 0), inOtherBlock(c)].map((sample) => sample.value(distance));
  return typeof here !== 'number' && typeof there !== 'number' && here.every((v, lane) => v === there[lane]);
}

/** Hangs on a parameter, and not on the number of blocks: of them, one mostly goes on. */
function isChosenAtLaunch(form: Form): boolean {
  const roles = rolesIn(form);
  return roles.has('parameter') && !roles.has('gridDim');
}

function rolesIn(form: Form, found = new Set<SymbolForm['role']>(), seen = new Set<Form>()): ReadonlySet<SymbolForm['role']> {
  if (seen.has(form)) return found;
  seen.add(form);
  if (form.f === 'symbol') found.add(form.role);
  else if (form.f === 'op') for (const a of form.args) rolesIn(a, found, seen);
  return found;
}

/** `chunk + threadIdx.x`, where a loop goes on by a warp or more at a time. */
function stridesWarps(c: Context, place: Form, loops: readonly RawLoop[]): boolean {
  return loops.some(({ shape }) => {
    if (!dependsOnLoop(place, shape)) return false;
    const [before, after] = [0, 1].map((iteration) => laneOf(sampleOf(c, 0, 0, [{ loop: shape, iteration }]).value(place), 0));
    return !(Math.abs(after - before) < LANES);
  });
}

const CYCLES = new Memo<Form, boolean>();

/** `%`, `&` and `^` on thread indices repeat inside a warp: not monotonic, so not a guard. */
function hasCycle(form: Form): boolean {
  if (form.f !== 'op') return false;
  let known = CYCLES.get(form);
  if (known === undefined) {
    known = (form.lane && /^(%|&|\^|opaque|select)$/.test(form.op)) || form.args.some(hasCycle);
    CYCLES.set(form, known);
  }
  return known;
}

const ROWS = new Memo<Form, boolean>();

/** `index % width` by a value known at run time: where a row ends depends on it, and mostly lies inside a warp. */
function hasRowIndex(form: Form): boolean {
  if (form.f !== 'op' || !form.lane || !form.symbolic) return false;
  let known = ROWS.get(form);
  if (known === undefined) {
    const [a, b] = form.args;
    known = (form.op === '%' && a.lane && a.block && !b.lane && b.symbolic) || form.args.some(hasRowIndex);
    ROWS.set(form, known);
  }
  return known;
}

/** `z = z * z + c`, each lane with its own c: how often a loop runs that asks for z differs from lane to lane without a pattern. */
export function computesItsEnd(condition: Form, loop: LoopShape): boolean {
  if (condition.f === 'op') return condition.args.some((a) => computesItsEnd(a, loop));
  const next = condition.f === 'loop' && condition.lane && condition.loop === loop ? loop.next[condition.index] : undefined;
  return next !== undefined && isNonlinear(next, loop);
}

function isNonlinear(form: Form, loop: LoopShape): boolean {
  if (form.f !== 'op') return false;
  const [a, b] = form.args;
  if (form.op === '*' && dependsOnLoop(a, loop) && dependsOnLoop(b, loop)) return true;
  if (form.op === 'fdiv' && dependsOnLoop(b, loop)) return true;
  return form.args.some((x) => isNonlinear(x, loop));
}

/** Mask of the lanes that get here; undefined when none does in this sample. Conditions on data and bounds guards count as true. */
export function activeLanes(
  c: Context,
  sample: Sample,
  path: readonly PathStep[],
  warp: number,
  /** `strict`: a condition on the block or a parameter excludes lanes as any other does. */
  mode: 'typical' | 'strict' = 'typical',
): number | undefined {
  return activeAmong(c, sample, restrictionsOf(path), warp, mode);
}

/** The same for the conditions of a path that keep lanes out. */
export function activeAmong(
  c: Context,
  sample: Sample,
  restrictions: readonly Form[],
  warp: number,
  mode: 'typical' | 'strict' = 'typical',
): number | undefined {
  let mask = c.existing[warp];
  for (const form of restrictions) mask = restricted(mask, form, sample.masks(form).yes[sample.placeOf(warp)], mode);
  return mask === 0 ? undefined : mask;
}

/** Masks of all warps, in a sample of the block: 0 where no lane gets there. */
export function activeInBlock(c: Context, sample: Sample, restrictions: readonly Form[], mode: 'typical' | 'strict' = 'typical'): number[] {
  const masks = c.existing.slice();
  for (const form of restrictions) {
    const { yes } = sample.masks(form);
    for (let warp = 0; warp < c.warps; warp++) masks[warp] = restricted(masks[warp], form, yes[warp], mode);
  }
  return masks;
}

function restricted(mask: number, form: Form, lanes: number, mode: 'typical' | 'strict'): number {
  // A condition on the block or a parameter that this sample happens to fail says nothing.
  return (mask & lanes) === 0 && form.symbolic && mode === 'typical' ? mask : mask & lanes;
}

const RESTRICTIONS = new Memo<readonly PathStep[], readonly Form[]>();

/** The conditions of a path that surely keep lanes out, each by itself. */
export function restrictionsOf(path: readonly PathStep[]): readonly Form[] {
  let known = RESTRICTIONS.get(path);
  if (!known) {
    known = path.flatMap((step) => conjuncts(sideForm(step))).filter(restricts);
    RESTRICTIONS.set(path, known);
  }
  return known;
}

function restricts(form: Form): boolean {
  return form.lane && !form.data && !form.unknown && !isBoundsGuard(form);
}

const CONJUNCTS = new Memo<Form, readonly Form[]>();

/** `a && b`, `!(a || b)`: each part restricts by itself, also where nothing is known of the other. */
export function conjuncts(form: Form): readonly Form[] {
  if (form.f !== 'op') return [form];
  const known = CONJUNCTS.get(form) ?? splitConjunction(form);
  CONJUNCTS.set(form, known);
  return known;
}

function splitConjunction(form: OpForm): readonly Form[] {
  if (form.op === '&&') return form.args.flatMap(conjuncts);
  const [inner] = form.args;
  if (form.op === '!' && inner.f === 'op' && inner.op === '||') return inner.args.flatMap((a) => conjuncts(negated(a)));
  return [form];
}

const PATH_FORMS = new Memo<readonly PathStep[], readonly Form[]>();

/** The conditions of a path that surely keep lanes out, each as it is written. */
export function pathForms(path: readonly PathStep[]): readonly Form[] {
  let known = PATH_FORMS.get(path);
  if (!known) {
    known = path.map(sideForm).filter(restricts);
    PATH_FORMS.set(path, known);
  }
  return known;
}

/** Whether data in the form really differs between lanes: what is loaded from one address does not. */
export function dataVaries(form: Form, sample: Sample, seen = new Set<Form>()): boolean {
  if (!form.data || !form.lane || seen.has(form)) return false;
  seen.add(form);
  switch (form.f) {
    case 'any':
      return (
        form.address === undefined ||
        form.address.unknown ||
        dataVaries(form.address, sample, seen) ||
        !allEqual(sample.value(form.address))
      );
    case 'op':
      return form.args.some((a) => dataVaries(a, sample, seen));
    case 'loop':
      return (
        [...form.loop.init, ...form.loop.next].some((f) => f === undefined || dataVaries(f, sample, seen)) ||
        (form.after && form.loop.condition !== undefined && dataVaries(form.loop.condition, sample, seen))
      );
    default:
      return false;
  }
}

/** Ids of the values from memory that lanes may have different ones of. */
export function dataSources(form: Form, found = new Set<number>(), seen = new Set<Form>()): ReadonlySet<number> {
  if (!form.data || !form.lane || seen.has(form)) return found;
  seen.add(form);
  if (form.f === 'any') found.add(form.id);
  else if (form.f === 'op') for (const a of form.args) dataSources(a, found, seen);
  else if (form.f === 'loop') for (const x of [...form.loop.init, ...form.loop.next]) if (x) dataSources(x, found, seen);
  return found;
}

/**
 * `isnan(x)` and `x != x` anywhere; `x < 0` and `x == -1` where they lead out: marks that there is nothing to do; whether a loaded value lies between
 * two limits that are the same for all, which is a guard against the odd one; whether it is as good as zero.
 */
export function isExceptional(form: Form, leaves: boolean): boolean {
  if (form.f !== 'op') return false;
  if (isRangeOfLoaded(form) || comparesWithNearlyZero(form) || (form.op === '!=' && same(form.args[0], form.args[1]))) return true;
  if (/^is(nan|inf)$/.test(form.op)) return true;
  if (form.op === '!' || form.op === '||') return form.args.every((a) => isExceptional(a, leaves));
  const [, b] = form.args;
  return leaves && b?.f === 'const' && ((form.op === '<' && b.v === 0) || (form.op === '==' && b.v === -1));
}

/** Below what single precision adds to one. */
const NEARLY_ZERO = 1e-7;

/** `fabsf(x) > 1e-17f`: nothing that data mostly is, so one side is for all. */
function comparesWithNearlyZero({ op: name, args }: OpForm): boolean {
  return /^[<>]=?$/.test(name) && args.some((a) => a.f === 'const' && a.v !== 0 && Math.abs(a.v) <= NEARLY_ZERO);
}

function isRangeOfLoaded({ op: name, args }: OpForm): boolean {
  if (name !== '&&' && name !== '||') return false;
  const [a, b] = args.map(limitOfLoaded);
  return a !== undefined && b !== undefined && a.loaded === b.loaded && a.isUpper !== b.isUpper;
}

/** Of `x < limit` and kin: the value as it was loaded, and which end of a range the limit is. */
function limitOfLoaded(form: Form): { readonly loaded: Form; readonly isUpper: boolean } | undefined {
  if (form.f !== 'op' || !/^[<>]=?$/.test(form.op)) return undefined;
  const [x, y] = form.args.map(converted);
  if (x.f === 'any' && x.data && !y.lane) return { loaded: x, isUpper: form.op.startsWith('<') };
  if (y.f === 'any' && y.data && !x.lane) return { loaded: y, isUpper: form.op.startsWith('>') };
  return undefined;
}

/** A value before conversions. */
function converted(form: Form): Form {
  return form.f === 'op' && form.args.length === 1 && /^(float|trunc|[iu]\d+)$/.test(form.op) ? converted(form.args[0]) : form;
}

/** What a condition does to the warps of a block. */
export function classify(c: Context, form: Form, path: readonly PathStep[], loops: readonly RawLoop[]): BranchSplit {
  if (!form.lane) return { kind: 'none' };
  if (form.unknown) return { kind: 'unknown' };
  if (form.data) return { kind: dataVaries(form, sampleOf(c, 0, 0)) && dataVaries(form, sampleOf(c, 0, 1)) ? 'data' : 'none' };
  if (isBoundsGuard(form)) return { kind: dividesEveryBlock(c, form, loops) ? 'edge' : 'guard' };
  if (hasRowIndex(form)) return { kind: 'rows' };
  // Unrolled code asks the same again and again.
  const asked = c.splits.get(path) ?? [];
  c.splits.set(path, asked);
  const known = asked.find((x) => x.loops === loops && same(x.form, form));
  if (known) return known.split;
  const split = splitOf(c, form, path, loops);
  asked.push({ form, loops, split });
  return split;
}

function splitOf(c: Context, form: Form, path: readonly PathStep[], loops: readonly RawLoop[]): BranchSplit {
  let best: SplitLevel[] | undefined;
  for (const seed of form.symbolic ? [0, 1, 2] : [0]) {
    const levels = levelsOf(c, form, path, loops, seed);
    if (!levels) continue;
    const total = (l: readonly SplitLevel[]) => l.reduce((sum, x) => sum + x.splitWarps / Math.max(1, x.warps), 0);
    if (!best || total(levels) < total(best)) best = levels;
    // No other sample can show fewer.
    if (total(best) === 0) break;
  }
  if (!best) return { kind: 'unknown' };
  if (best.every((l) => l.splitWarps === 0)) return { kind: 'none', levels: best };
  const leader = best.every(
    (l) => l.splitWarps === 0 || l.thenLanes === 1 || l.thenLanes === LANES - 1 || (l.splitWarps === 1 && l.warps > 1),
  );
  return { kind: leader ? 'leader' : 'lanes', levels: best };
}

/**
 * Of the active lanes, those for which a condition holds; undefined when that is not known. Where it holds for none, parts that hang on
 * the block or a parameter may have happened to fail in this sample: those count as true.
 */
function lanesThatPass(form: Form, sample: Sample, warp: number, active: number): number | undefined {
  const place = sample.placeOf(warp);
  const whole = knownLanes(sample.masks(form), place);
  if (whole === undefined || (whole & active) !== 0 || !form.symbolic) return whole && whole & active;
  let mask = active;
  for (const part of conjuncts(form)) {
    const lanes = knownLanes(sample.masks(part), place) ?? 0;
    if ((lanes & active) !== 0 || !part.symbolic || part === form) mask &= lanes;
  }
  return mask;
}

/** Undefined where one is not known. */
function knownLanes({ yes, unknown }: Masks, place: number): number | undefined {
  return unknown !== undefined && unknown[place] !== 0 ? undefined : yes[place];
}

function levelsOf(c: Context, form: Form, path: readonly PathStep[], loops: readonly RawLoop[], seed: number): SplitLevel[] | undefined {
  const forms = [form, ...pathForms(path)];
  const restrictions = restrictionsOf(path);
  const levels: SplitLevel[] = [];
  for (const iterations of iterationsOf(c, forms, loops, seed, 0)) {
    let warps = 0;
    let splitWarps = 0;
    let example: SplitLevel['masks'];
    const sample = blockSampleOf(c, seed, iterations);
    const masks = activeInBlock(c, sample, restrictions);
    for (let warp = 0; warp < c.warps; warp++) {
      const active = masks[warp];
      if (active === 0) continue;
      const then = lanesThatPass(form, sample, warp, active);
      if (then === undefined) return undefined;
      warps++;
      if (then !== 0 && then !== active) {
        example ??= { active, then };
        splitWarps++;
      }
    }
    if (warps > 0) levels.push({ warps, splitWarps, thenLanes: example ? countLanes(example.then) : 0, masks: example });
  }
  return levels.length > 0 ? levels : undefined;
}
