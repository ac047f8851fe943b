/** How conditions divide warps: which lanes are active in a sample, and what a branch does to the warps of a block. */
import { conjuncts, hasRowIndex, isBoundsGuard, isChosenAtLaunch, pathForms, restrictionsOf } from './conditions.ts';
import { blockSampleOf, type Context, firstBlockOf, type Iterations, inOtherBlock, iterationsOf, sampleOf } from './context.ts';
import type { Sample } from './evaluate.ts';
import { type BranchSplit, type SplitLevel, splitShares } from './facts.ts';
import { dependsOnLoop, type Form, op, same } from './form.ts';
import { countLanes } from './patterns.ts';
import { allEqual, LANES, type LaneValues, laneOf, type Masks, perLane } from './rows.ts';
import type { PathStep, RawLoop } from './values.ts';

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
  if (!isBoundsGuard(c.memos, form) || limit.lane || limit.loopDepth > 0 || !isChosenAtLaunch(form)) return false;
  const values = sampleOf(c, 0, 0).value(place);
  // Lanes of short rows share places: then a warp has several limits, or one that is no multiple of 32.
  if (place.block !== limit.block || new Set(perLane((lane) => laneOf(values, lane))).size < LANES || stridesWarps(c, place, loops))
    return false;
  if (!place.block) return true;
  const distance = op('-', place, limit);
  const [here, there] = [sampleOf(c, 0, 0), inOtherBlock(c)].map((sample) => sample.value(distance));
  return typeof here !== 'number' && typeof there !== 'number' && here.every((v, lane) => v === there[lane]);
}

/** `chunk + threadIdx.x`, where a loop goes on by a warp or more at a time. */
function stridesWarps(c: Context, place: Form, loops: readonly RawLoop[]): boolean {
  return loops.some(({ shape }) => {
    if (!dependsOnLoop(place, shape)) return false;
    const [before, after] = [0, 1].map((iteration) => laneOf(sampleOf(c, 0, 0, [{ loop: shape, iteration }]).value(place), 0));
    return !(Math.abs(after - before) < LANES);
  });
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
  return activeAmong(c, sample, restrictionsOf(c.memos, path), warp, mode);
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
  for (const form of restrictions) {
    const lanes =
      (mode === 'typical' ? lanesOfOneClass(form, mask, sample, warp) : undefined) ?? sample.masks(form).yes[sample.placeOf(warp)];
    mask = restricted(mask, form, lanes, mode);
  }
  return mask === 0 ? undefined : mask;
}

/**
 * `(i + j) % 2 == colour`: which class of lanes the launch asks for is not known, but that it is one of them. A number that a sample makes
 * up for it would be that of no lane, so that of the first lane is taken, or of the first that has another one, by the sample.
 */
function lanesOfOneClass(form: Form, mask: number, sample: Sample, warp: number): number | undefined {
  let comparison = form;
  let negated = false;
  for (; comparison.f === 'op' && comparison.op === '!'; comparison = comparison.args[0]) negated = !negated;
  if (comparison.f !== 'op' || (comparison.op !== '==' && comparison.op !== '!=')) return undefined;
  const [left, right] = comparison.args;
  const [kind, asked] = left.lane ? [left, right] : [right, left];
  if (kind.f !== 'op' || !['%', '&'].includes(kind.op) || asked.f === 'const' || asked.lane || asked.block || !asked.symbolic)
    return undefined;
  const values = sample.value(kind);
  const at = (lane: number) => laneOf(values, sample.placeOf(warp) * LANES + lane);
  const active = Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => ((mask >>> lane) & 1) !== 0);
  if (active.length === 0) return undefined;
  const first = at(active[0]);
  const other = active.find((lane) => at(lane) !== first);
  const taken = other !== undefined && sample.seed % 2 === 1 ? at(other) : first;
  let lanes = 0;
  for (const lane of active) if (at(lane) === taken) lanes |= 1 << lane;
  return (comparison.op === '==') === negated ? ~lanes : lanes;
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

/** Whether data in the form really differs between lanes: what is loaded from one address does not. */
export function dataVaries(form: Form, sample: Sample, seen = new Set<Form>()): boolean {
  if (!form.data || !form.lane || seen.has(form)) return false;
  seen.add(form);
  switch (form.f) {
    case 'any':
      return (
        form.address === undefined || form.address.unknown || dataVaries(form.address, sample, seen) || differ(sample.value(form.address))
      );
    case 'op':
      return form.args.some((a) => dataVaries(a, sample, seen));
    case 'loop':
      return (
        [form.loop.init[form.index], form.loop.next[form.index]].some((f) => f === undefined || dataVaries(f, sample, seen)) ||
        (form.after && form.loop.condition !== undefined && dataVaries(form.loop.condition, sample, seen))
      );
    default:
      return false;
  }
}

/** Each lane has data of its own in the form, from where its thread index alone says, and not where other data does. */
export function hasDataByThread(form: Form, sample: Sample, seen = new Set<Form>()): boolean {
  if (!form.data || !form.lane || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'any') return form.address === undefined || (!form.address.data && differ(sample.value(form.address)));
  if (form.f === 'op') return form.args.some((a) => hasDataByThread(a, sample, seen));
  if (form.f !== 'loop') return false;
  return [...form.loop.init, ...form.loop.next].some((x) => x !== undefined && hasDataByThread(x, sample, seen));
}

/** Values that are not known do not. */
function differ(values: LaneValues): boolean {
  return !allEqual(values) && !perLane((lane) => laneOf(values, lane)).some(Number.isNaN);
}

/** What a condition does to the warps of a block. */
export function classify(c: Context, form: Form, path: readonly PathStep[], loops: readonly RawLoop[]): BranchSplit {
  if (!form.lane) return { kind: 'none' };
  if (form.unknown) return { kind: 'unknown' };
  if (form.data) return { kind: dataVaries(form, sampleOf(c, 0, 0)) && dataVaries(form, sampleOf(c, 0, 1)) ? 'data' : 'none' };
  if (isBoundsGuard(c.memos, form)) return { kind: dividesEveryBlock(c, form, loops) ? 'edge' : 'guard' };
  if (hasRowIndex(c.memos, form)) return { kind: 'rows' };
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
    if (!best || splitShares(levels) < splitShares(best)) best = levels;
    // No other sample can show fewer.
    if (splitShares(best) === 0) break;
  }
  if (!best) return { kind: 'unknown' };
  if (best.every((l) => l.splitWarps === 0)) return { kind: 'none', levels: best };
  const leader = best.every(
    (l) => l.splitWarps === 0 || l.thenLanes === 1 || l.thenLanes === LANES - 1 || (l.splitWarps === 1 && l.warps > 1),
  );
  return { kind: leader ? 'leader' : 'lanes', levels: best };
}

/**
 * The active lanes for which a condition holds; undefined when that is not known. Where it holds for none, parts that hang on
 * the block or a parameter may have happened to fail in this sample: those count as true.
 */
function lanesThatPass(c: Context, form: Form, sample: Sample, warp: number, active: number): number | undefined {
  const place = sample.placeOf(warp);
  const whole = knownLanes(sample.masks(form), place);
  if (whole === undefined || (whole & active) !== 0 || !form.symbolic) return whole && whole & active;
  let mask = active;
  for (const part of conjuncts(c.memos, form)) {
    const lanes = knownLanes(sample.masks(part), place) ?? 0;
    if ((lanes & active) !== 0 || !part.symbolic || part === form) mask &= lanes;
  }
  return mask;
}

/** Undefined where one is not known. */
function knownLanes({ yes, unknown }: Masks, place: number): number | undefined {
  return unknown !== undefined && unknown[place] !== 0 ? undefined : yes[place];
}

/** A block in which the condition holds for some thread: the first one, where it picks that. */
function blockWhere(c: Context, form: Form, seed: number, iterations: Iterations): Sample {
  const sample = blockSampleOf(c, seed, iterations);
  const isReached = (at: Sample) => at.masks(form).yes.some((lanes) => lanes !== 0);
  if (!form.block || isReached(sample)) return sample;
  const first = firstBlockOf(c, seed, iterations);
  return isReached(first) ? first : sample;
}

function levelsOf(c: Context, form: Form, path: readonly PathStep[], loops: readonly RawLoop[], seed: number): SplitLevel[] | undefined {
  const forms = [form, ...pathForms(c.memos, path)];
  const restrictions = restrictionsOf(c.memos, path);
  const levels: SplitLevel[] = [];
  for (const iterations of iterationsOf(c, forms, loops, seed, 0)) {
    let warps = 0;
    let splitWarps = 0;
    let example: SplitLevel['masks'];
    const sides = { passing: { threads: 0, warps: 0 }, others: { threads: 0, warps: 0 } };
    const sample = blockWhere(c, form, seed, iterations);
    const masks = activeInBlock(c, sample, restrictions);
    for (let warp = 0; warp < c.warps; warp++) {
      const active = masks[warp];
      if (active === 0) continue;
      const then = lanesThatPass(c, form, sample, warp, active);
      if (then === undefined) return undefined;
      warps++;
      count(sides.passing, then);
      count(sides.others, active & ~then);
      if (then !== 0 && then !== active) {
        example ??= { active, then };
        splitWarps++;
      }
    }
    const thenLanes = example ? countLanes(example.then) : 0;
    if (warps > 0) levels.push({ warps, splitWarps, thenLanes, ofBlock: c.warps, ...sides, masks: example });
  }
  return levels.length > 0 ? levels : undefined;
}

function count(side: { threads: number; warps: number }, lanes: number): void {
  if (lanes === 0) return;
  side.threads += countLanes(lanes);
  side.warps++;
}

/** What a switch does to the warps of a block, by the value that selects: undefined where it is not known in all lanes. */
export function splitOfCases(
  c: Context,
  form: Form,
  path: readonly PathStep[],
  cases: readonly (readonly number[])[],
  seed: number,
): SplitLevel | undefined {
  const sample = blockSampleOf(c, seed);
  const selected = sample.value(form);
  const level = { warps: 0, splitWarps: 0, ways: 1, first: { threads: 0, warps: 0 }, rest: { threads: 0, warps: 0 } };
  let chosen: number | undefined;
  let example: SplitLevel['masks'];
  for (const [warp, active] of activeInBlock(c, sample, restrictionsOf(c.memos, path)).entries()) {
    if (active === 0) continue;
    level.warps++;
    const ways = new Map<number, number>();
    for (let lane = 0; lane < LANES; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      const value = typeof selected === 'number' ? selected : selected[sample.placeOf(warp) * LANES + lane];
      if (Number.isNaN(value)) return undefined;
      const way = cases.findIndex((values) => values.includes(value));
      ways.set(way, (ways.get(way) ?? 0) | (1 << lane));
    }
    chosen ??= [...ways.keys()].find((way) => way >= 0);
    const takers = chosen === undefined ? 0 : (ways.get(chosen) ?? 0);
    count(level.first, takers);
    count(level.rest, active & ~takers);
    if (ways.size < 2) continue;
    level.splitWarps++;
    level.ways = Math.max(level.ways, ways.size);
    const [, then] = [...ways].find(([way]) => way >= 0)!;
    example ??= { active, then };
  }
  const { warps, splitWarps, first, rest } = level;
  const thenLanes = example ? countLanes(example.then) : 0;
  return { warps, splitWarps, thenLanes, ofBlock: c.warps, passing: first, others: rest, ways: level.ways, masks: example };
}
