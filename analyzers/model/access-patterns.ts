/** Sectors and wavefronts of an access over representative warps, samples and iterations. */
import { conjuncts, isBoundsGuard, pathForms, restrictionsOf, restricts } from './conditions.ts';
import { type Context, type CountedSectors, foundAt, iterationsAmong, type PatternsByBase, relevantLoops, sampleOf } from './context.ts';
import { partsOf } from './distances.ts';
import { NEARER, type Sample } from './evaluate.ts';
import type { GlobalPattern, SharedPattern } from './facts.ts';
import { constant, dependsOnLoop, type Form, movesByData, op } from './form.ts';
import { type LaneParts, lanePartsOf, offsetsWithin } from './lane-parts.ts';
import type { WiderAccess } from './moved-together.ts';
import { staysTogether } from './own-place.ts';
import { sideForm } from './path-forms.ts';
import {
  countLanes,
  modulo,
  piecesOf,
  placesOf,
  type Request,
  SECTOR_BYTES,
  sectorsOf,
  strideOf,
  WORD_BYTES,
  wavefrontsOf,
} from './patterns.ts';
import { LANES, type LaneValues } from './rows.ts';
import { activeAmong, dataVaries } from './splits.ts';
import { formText, laneCoefficient } from './stride.ts';
import { mostLanes } from './tails.ts';
import { isVector, sizeOf, type Type } from './types.ts';
import type { PathStep, RawLoop } from './values.ts';

export interface AccessShape {
  readonly kind: 'load' | 'store';
  readonly offset: Form;
  readonly path: readonly PathStep[];
  readonly loops: readonly RawLoop[];
  readonly type: Type;
}

/** Even ones give unknown symbols multiples of 32, odd ones odd numbers. */
const SEEDS = [0, 1] as const;

/** Bytes of the piece that one instruction moves: whole vectors, single words of other structures. */
function movedBytes(type: Type): number | undefined {
  if (type.t !== 'struct') return sizeOf(type);
  if (isVector(type)) return type.size! > 16 || type.align < type.size! ? Math.min(type.align, 16) : type.size;
  return type.size === undefined ? undefined : Math.min(type.align, type.size, 16);
}

/** An access with what decides about its requests, the same in all samples. */
interface Requesting {
  readonly offset: Form;
  readonly parts: LaneParts | undefined;
  /** Bytes by which moving all lanes changes nothing. */
  readonly period: number;
  readonly bytes: number;
  /** Conditions that keep lanes out. */
  readonly restrictions: readonly Form[];
  /** Loops that matter. */
  readonly loops: readonly RawLoop[];
}

function requesting(c: Context, { offset, path, loops }: AccessShape, bytes: number, period: number): Requesting {
  const parts = lanePartsOf(c.patterns.parts, offset);
  return {
    offset,
    parts,
    period,
    bytes,
    restrictions: [...restrictionsOf(c.memos, path), ...entering(c, loops)],
    loops: relevantLoops([offset, ...pathForms(c.memos, path)], loops),
  };
}

/** Lanes that a loop leaves out from its first iteration on never get there. */
function entering({ memos }: Context, loops: readonly RawLoop[]): readonly Form[] {
  return loops.flatMap(({ kind, shape: { condition } }) => (condition && kind !== 'do' && restricts(memos, condition) ? [condition] : []));
}

/** The requests of one warp in one sample, one per iteration of the loop that matters; undefined where an address is not known. */
function requestsIn(c: Context, access: Requesting, seed: number): Request[] | undefined {
  // The others are seldom asked.
  for (const warp of [0, Math.floor(c.warps / 2), c.warps - 1]) {
    const out = requestsOf(c, access, seed, warp);
    if (!out || out.length > 0) return out;
  }
  return [];
}

function requestsOf(c: Context, access: Requesting, seed: number, warp: number): Request[] | undefined {
  const { bytes, restrictions, loops } = access;
  const out: Request[] = [];
  for (const iterations of iterationsAmong(c, loops, seed, warp)) {
    const sample = sampleOf(c, warp, seed, iterations);
    const active = activeAmong(c, sample, restrictions, warp);
    if (active === undefined) continue;
    const offsets = offsetsIn(c, access, sample);
    if (offsets === undefined) return undefined;
    out.push({ offsets, bytes, active });
  }
  return out;
}

/** Up to multiples of the period; undefined where they are no addresses. */
function offsetsIn(c: Context, { offset, parts, period }: Requesting, sample: Sample): LaneValues | undefined {
  const within = parts && offsetsWithin(c.patterns.parts, parts, sample, period);
  if (within !== undefined) return within ?? undefined;
  const offsets = sample.value(offset);
  return areAddresses(offsets) ? offsets : undefined;
}

/** Products of chosen sizes may leave what an address can be, and what doubles hold exactly. */
const FURTHEST = 2 ** 48;

function areAddresses(offsets: LaneValues): boolean {
  if (typeof offsets === 'number') return Math.abs(offsets) <= FURTHEST;
  for (let lane = 0; lane < offsets.length; lane++) if (!(Math.abs(offsets[lane]) <= FURTHEST)) return false;
  return true;
}

/**
 * What was found for an access at the same place whose offset differs by a multiple of `period`, which moves all lanes alike. Neighbouring
 * elements are touched side by side in most kernels, and one index is used for several arrays.
 */
function known<T>(
  c: Context,
  memo: PatternsByBase<T>,
  a: AccessShape,
  bytes: number,
  period: number,
  find: (c: Context, a: AccessShape, bytes: number) => T,
): T {
  const { base, scale, distance } = partsOf(c, a.offset);
  const within = modulo(distance, period);
  const found = foundAt(memo, base, within);
  const conditions = pathForms(c.memos, a.path);
  const path = conditions.length > 0 || restrictionsOf(c.memos, a.path).length > 0 ? a.path : undefined;
  const loops = a.offset.loopDepth > 0 || conditions.some((form) => form.loopDepth > 0) ? a.loops : undefined;
  // Sectors are the same for both.
  const kind = period === SECTOR_BYTES ? undefined : a.kind;
  const known = found.find((x) => x.loops === loops && x.path === path && x.kind === kind && x.bytes === bytes && x.scale === scale);
  if (known) return known.pattern;
  const pattern = find(c, a, bytes);
  found.push({ scale, bytes, kind, path, loops, pattern });
  return pattern;
}

export function globalPattern(c: Context, a: AccessShape): GlobalPattern | undefined {
  const bytes = movedBytes(a.type);
  if (bytes === undefined || a.offset.unknown) return undefined;
  const pattern = known(c, c.patterns.global, a, bytes, SECTOR_BYTES, findGlobal);
  // Guards are no part of what is remembered.
  if (!pattern || pattern.sectors <= pattern.idealSectors) return pattern;
  return { ...pattern, activeLanes: Math.min(pattern.activeLanes, mostLanes(c, a.path)) };
}

/** Data makes an address that is none for the data that was assumed. */
const ANYWHERE: GlobalPattern = {
  sectors: LANES,
  idealSectors: 1,
  activeLanes: LANES,
  places: LANES,
  shape: 'scattered',
  gathered: true,
  anywhere: true,
};

function findGlobal(c: Context, a: AccessShape, bytes: number): GlobalPattern | undefined {
  const gathered = a.offset.data && dataVaries(a.offset, sampleOf(c, 0, 0));
  let best: (GlobalPattern & { readonly ratio: number }) | undefined;
  const strides = new Set<number | undefined>();
  let most = 0;
  const access = requesting(c, a, bytes, SECTOR_BYTES);
  const isPlacedAtOnce = gathered && !movesByData(a.offset);
  for (const seed of SEEDS) {
    const requests = requestsIn(c, access, seed) ?? (gathered ? undefined : requestsIn(c, access, seed + NEARER));
    if (!requests && gathered) return { ...ANYWHERE, anywhere: !staysTogether(c, a.offset, bytes) };
    if (!requests) return undefined;
    if (requests.length === 0) continue;
    const pattern = globalInSample(c, requests, gathered, isPlacedAtOnce);
    strides.add(pattern.strideBytes);
    most = Math.max(most, pattern.sectors);
    if (!best || pattern.ratio < best.ratio) best = pattern;
  }
  if (!best) return undefined;
  const strideBytes = strides.size === 1 ? best.strideBytes : undefined;
  const isApart = !gathered && strideBytes === undefined && (best.shape === 'strided' || best.shape === 'scattered');
  const coefficient = isApart ? laneCoefficient(c.memos, a.offset, c.shape.block) : undefined;
  const anywhere = gathered && !staysTogether(c, a.offset, bytes);
  const strideText = coefficient && formText(coefficient);
  // Of narrow blocks, whose warps are several rows: lanes of one row are as far apart as a size says.
  const shape = strideText !== undefined && coefficient!.symbolic ? 'strided' : best.shape;
  const mostSectors = most > best.sectors ? most : undefined;
  return { ...best, shape, anywhere, mostSectors, strideBytes, strideText: shape === 'strided' ? strideText : undefined };
}

function globalInSample(
  c: Context,
  requests: readonly Request[],
  gathered: boolean,
  isPlacedAtOnce: boolean,
): GlobalPattern & { readonly ratio: number } {
  let sectors = 0;
  let ideal = 0;
  let lanes = 0;
  let places = 0;
  for (const request of requests) {
    const counted = countedOnce(c, request);
    if (isPlacedAtOnce) places = Math.max(places, placesOf(request));
    sectors += counted.sectors;
    ideal += counted.ideal;
    lanes += countLanes(request.active);
  }
  const n = requests.length;
  const fullest = requests.reduce((most, request) => (countLanes(request.active) >= countLanes(most.active) ? request : most));
  const stride = strideOf(fullest);
  const ratio = sectors / ideal;
  return {
    sectors: sectors / n,
    idealSectors: ideal / n,
    activeLanes: lanes / n,
    places: isPlacedAtOnce ? places : undefined,
    strideBytes: stride,
    shape: shapeOf(fullest, stride, ratio, gathered),
    gathered,
    anywhere: gathered,
    ratio,
  };
}

/** Iterations and neighbouring accesses mostly have the same lanes. */
function countedOnce({ patterns: { sectors } }: Context, request: Request): { readonly sectors: number; readonly ideal: number } {
  const { offsets, bytes, active } = request;
  if (typeof offsets === 'number') return sectorsOf(request);
  const known: CountedSectors[] = sectors.get(offsets) ?? [];
  sectors.set(offsets, known);
  const before = known.find((x) => x.active === active && x.bytes === bytes);
  if (before) return before;
  const counted = { active, bytes, ...sectorsOf(request) };
  known.push(counted);
  return counted;
}

/** Shorter pieces are none that one would want longer. */
const LANES_OF_PIECE = 4;

function shapeOf(request: Request, stride: number | undefined, ratio: number, gathered: boolean): GlobalPattern['shape'] {
  const { bytes, active } = request;
  if (gathered) return 'scattered';
  if (stride === 0) return 'broadcast';
  if (stride === undefined && ratio <= 1.3) return 'rows';
  if (stride === undefined) return piecesOf(request) * LANES_OF_PIECE <= countLanes(active) ? 'pieces' : 'scattered';
  if (Math.abs(stride) === bytes) return ratio > 1 ? 'misaligned' : 'contiguous';
  return 'strided';
}

/** `wider`: the instruction that moves the access together with others. */
export function sharedPattern(c: Context, a: AccessShape, wider?: WiderAccess): SharedPattern | undefined {
  if (wider) return patternOf(c, { ...a, offset: op('-', a.offset, constant(wider.before)) }, wider.bytes);
  return patternOf(c, a, movedBytes(a.type));
}

function patternOf(c: Context, a: AccessShape, bytes: number | undefined): SharedPattern | undefined {
  if (bytes === undefined || a.offset.unknown) return undefined;
  // What a guard leaves of the warp in later rounds is not known: of a tree over a number of elements, fewer lanes at longer steps.
  const asked = a.offset.loopDepth > 0 && hasMovingGuard(c, a) ? { ...a, loops: NO_LOOPS } : a;
  return known(c, c.patterns.shared, asked, bytes, WORD_BYTES, findShared);
}

const NO_LOOPS: readonly RawLoop[] = [];

/** `tid < left` with `left` from the launch, halved in each round. */
function hasMovingGuard({ memos }: Context, { path, loops }: AccessShape): boolean {
  const moves = (form: Form) => form.loopDepth > 0 && loops.some(({ shape }) => dependsOnLoop(form, shape));
  return path.some((step) => conjuncts(memos, sideForm(step)).some((form) => isBoundsGuard(memos, form) && moves(form)));
}

function findShared(c: Context, a: AccessShape, bytes: number): SharedPattern | undefined {
  if (a.offset.data && dataVaries(a.offset, sampleOf(c, 0, 0))) return undefined;
  let best: SharedPattern | undefined;
  let seedOfBest = 0;
  const access = requesting(c, a, bytes, WORD_BYTES);
  for (const seed of a.offset.symbolic ? SEEDS : [0]) {
    const requests = requestsIn(c, access, seed);
    if (!requests) return undefined;
    if (requests.length === 0) continue;
    const counted = requests.map((request) => wavefrontsOf(request, a.kind));
    const wavefronts = counted.reduce((sum, x) => sum + x.wavefronts, 0);
    const ideal = counted.reduce((sum, x) => sum + x.ideal, 0);
    const stride = requests.map(strideOf);
    const pattern: SharedPattern = {
      wavefronts: wavefronts / requests.length,
      idealWavefronts: ideal / requests.length,
      ways: wavefronts / ideal,
      strideBytes: stride.every((s) => s === stride[0]) ? stride[0] : undefined,
      levels: counted.map((x) => x.wavefronts / x.ideal),
    };
    if (!best || pattern.ways < best.ways) {
      best = pattern;
      seedOfBest = seed;
    }
    // No other sample can show fewer.
    if (best.ways <= 1) break;
  }
  const differ = best?.levels?.some((level) => level !== best.levels![0]);
  return best && differ ? { ...best, ...meanOverWarps(c, access, seedOfBest, a.kind) } : best;
}

/** What a request takes on average of all that the block makes: where rounds differ, some have fewer warps than others. */
function meanOverWarps(
  c: Context,
  access: Requesting,
  seed: number,
  kind: AccessShape['kind'],
): Pick<SharedPattern, 'wavefronts' | 'idealWavefronts'> | undefined {
  if (access.restrictions.length === 0) return undefined;
  const sum = { requests: 0, wavefronts: 0, ideal: 0 };
  for (let warp = 0; warp < c.warps; warp++) {
    const requests = requestsOf(c, access, seed, warp);
    if (!requests) return undefined;
    for (const request of requests) {
      const { wavefronts, ideal } = wavefrontsOf(request, kind);
      sum.requests++;
      sum.wavefronts += wavefronts;
      sum.ideal += ideal;
    }
  }
  return sum.requests > 0 ? { wavefronts: sum.wavefronts / sum.requests, idealWavefronts: sum.ideal / sum.requests } : undefined;
}

/** Where in a sector the lane with the lowest address starts, when that is the same whatever the symbols are. */
export function startBytes(c: Context, offset: Form): number | undefined {
  if (offset.unknown || offset.data) return undefined;
  let start: number | undefined;
  for (const seed of SEEDS) {
    const value = sampleOf(c, 0, seed).value(offset);
    const within = modulo(typeof value === 'number' ? value : Math.min(...value), SECTOR_BYTES);
    if (Number.isNaN(within) || (start !== undefined && start !== within)) return undefined;
    start = within;
  }
  return start;
}
