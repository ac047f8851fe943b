/**
 * What a request costs of which the lanes' addresses are known but for a base that all share. The base's alignment leaves some places
 * in a sector or in the banks open: where the cost is the same for all of them it is known, otherwise it is not.
 */
import { INVALID_START, LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { type AccessShape, type AtomicRules, COST, price, Request, type RequestCost } from '../machine/request.ts';
import { alignOf, type Value } from './values.ts';

/** An access whose lanes may lie anywhere, or one of which it is not known which memory it goes to. */
export const UNKNOWN_COST = 'unknown';

export interface Reach {
  /** Bytes at the start of local memory that hold parameters. */
  readonly parameterBytes: number;
  /** Addresses of `__constant__` variables: reading them is no request. */
  isConstant(address: number): boolean;
  /** There are any. */
  readonly hasConstants: boolean;
}

/** Banks repeat after so many bytes; a sector is a part of it. */
const PERIOD_BYTES = 128;

const request = new Request<never>();

/** What an instruction's last request cost, by the place of its first lane in the period. Loops ask for the same again and again. */
export interface KnownCosts {
  mask: number;
  /** Distances of the lanes from the first one. */
  distances: Float64Array;
  space: number;
  readonly costs: Map<number, RequestCost>;
}

export function noKnownCosts(): KnownCosts {
  return { mask: 0, distances: new Float64Array(32), space: -1, costs: new Map() };
}

/** The cost of lanes whose numbers are all known, remembered. */
function rememberedCost(
  known: KnownCosts,
  pointers: Value,
  mask: number,
  shape: AccessShape,
  rules: AtomicRules | undefined,
  reach: Reach,
): RequestCost | undefined {
  const { lanes } = pointers;
  const start = lanes[31 - Math.clz32(mask & -mask)];
  const space = start >= SHARED_BASE ? 3 : start >= LOCAL_BASE ? 5 : 0;
  if (space === 5 || shape.base === LOCAL_BASE || !(start >= 0)) return priceAt(pointers, 0, mask, shape, rules, reach);
  let isSame = known.mask === mask && known.space === space;
  for (let rest = mask; isSame && rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    isSame = lanes[lane] - start === known.distances[lane];
  }
  if (!isSame) {
    known.mask = mask;
    known.space = space;
    known.costs.clear();
    for (let lane = 0; lane < 32; lane++) known.distances[lane] = lanes[lane] - start;
  }
  const place = start % PERIOD_BYTES;
  let cost = known.costs.get(place);
  if (!cost) {
    cost = priceAt(pointers, 0, mask, shape, rules, reach)?.slice();
    if (cost && !reach.hasConstants) known.costs.set(place, cost);
  }
  return cost;
}

/** Valid until the next one. */
export function costOf(
  known: KnownCosts,
  pointers: Value,
  mask: number,
  shape: AccessShape,
  rules: AtomicRules | undefined,
  reach: Reach,
): RequestCost | typeof UNKNOWN_COST {
  if ((mask & ~pointers.known) !== 0) return UNKNOWN_COST;
  const { terms } = pointers;
  if (terms.length === 0) return rememberedCost(known, pointers, mask, shape, rules, reach) ?? UNKNOWN_COST;
  // A global address that is unknown counts from somewhere behind zero; one in a window from the window's start.
  const align = Math.min(alignOf(terms), PERIOD_BYTES);
  let first: Float64Array | undefined;
  for (let base = 0; base < PERIOD_BYTES; base += align) {
    if (!isAligned(pointers, base, mask, shape.align)) continue;
    const cost = priceAt(pointers, base, mask, shape, rules, reach);
    if (!cost) return UNKNOWN_COST;
    if (!first) first = cost.slice();
    else if (cost.some((count, column) => count !== first![column])) return UNKNOWN_COST;
  }
  return first ?? UNKNOWN_COST;
}

/** Where the lanes of a request lie. */
export interface LaneRow {
  /** The unknown numbers that all lanes share, and how far each lane is behind the first: alike for accesses to parts of one thing. */
  readonly base: string;
  /** Bytes behind the unknown numbers, of the first lane. */
  readonly start: number;
  /** The fewest bytes from one lane's place to another one's. */
  readonly gap: number;
  /** Each lane that takes part is so many bytes behind the one before it in the warp, but for lanes between them; undefined if not all are. */
  readonly stride: number | undefined;
  /** Lanes between those that take part do not. */
  readonly hasHoles: boolean;
  /** A power of two that the unknown numbers' sum is a multiple of. */
  readonly align: number;
}

/** Undefined where a lane's place is not known, or none has one of its own. */
export function rowOf({ lanes, known, terms }: Value, mask: number): LaneRow | undefined {
  if ((mask & ~known) !== 0 || mask === 0) return undefined;
  const first = 31 - Math.clz32(mask & -mask);
  const behind: number[] = [];
  for (let lane = first; lane < 32; lane++) behind.push((mask >>> lane) & 1 ? lanes[lane] - lanes[first] : Number.NaN);
  const gap = leastGap(behind.filter((bytes) => !Number.isNaN(bytes)));
  if (gap === undefined) return undefined;
  const second = behind.findIndex((bytes, at) => at > 0 && !Number.isNaN(bytes));
  const stride = behind[second] / second;
  const isEven = behind.every((bytes, at) => Number.isNaN(bytes) || bytes === at * stride);
  const unknown = terms.map((term) => `${term.unknown.id}*${term.factor}`);
  return {
    base: `${unknown.join('+')} ${first} ${behind.join()}`,
    start: lanes[first],
    gap,
    stride: isEven ? stride : undefined,
    hasHoles: behind.slice(0, 32 - Math.clz32(mask) - first).some(Number.isNaN),
    align: alignOf(terms),
  };
}

/** Whether the lanes of another request of the same access are as far apart. */
export function liesLike({ gap, stride }: LaneRow, { lanes, known }: Value, mask: number): boolean {
  if ((mask & ~known) !== 0) return false;
  const places: number[] = [];
  let before = -1;
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    if (stride === undefined) places.push(lanes[lane]);
    else if (before >= 0 && lanes[lane] - lanes[before] !== (lane - before) * stride) return false;
    before = lane;
  }
  return stride !== undefined || (leastGap(places) ?? gap) === gap;
}

/** The fewest bytes between two of several places. */
function leastGap(places: readonly number[]): number | undefined {
  const sorted = [...places].sort((a, b) => a - b);
  const gaps = sorted.flatMap((place, at) => (at > 0 && place > sorted[at - 1] ? [place - sorted[at - 1]] : []));
  return gaps.length === 0 ? undefined : Math.min(...gaps);
}

/** What requests cost: the one with the fewest sectors for its bytes, and that with the most of all. */
export interface Bounds {
  least: RequestCost | undefined;
  most: RequestCost | undefined;
}

/** Takes in what others cost, from `least` to `most`. */
export function widen(bounds: Bounds, least: ArrayLike<number>, most: ArrayLike<number>): void {
  if (!bounds.least || excessOf(least) < excessOf(bounds.least)) bounds.least = Float64Array.from(least);
  if (!bounds.most || sectorsOf(most) > sectorsOf(bounds.most)) bounds.most = Float64Array.from(most);
}

/**
 * Of lanes whose distances are known, wherever the base lies. Fewer of the lanes may waste less than the least, up to nothing where one is
 * alone.
 */
export function boundsOf(
  pointers: Value,
  mask: number,
  shape: AccessShape,
  rules: AtomicRules | undefined,
  reach: Reach,
): Bounds | undefined {
  if ((mask & ~pointers.known) !== 0) return undefined;
  const { terms } = pointers;
  const align = terms.length === 0 ? PERIOD_BYTES : Math.min(alignOf(terms), PERIOD_BYTES);
  const bounds: Bounds = { least: undefined, most: undefined };
  for (let base = 0; base < PERIOD_BYTES; base += align) {
    if (terms.length > 0 && !isAligned(pointers, base, mask, shape.align)) continue;
    const cost = priceAt(pointers, base, mask, shape, rules, reach);
    if (!cost) return undefined;
    widen(bounds, cost, cost);
  }
  return bounds;
}

/** Sectors for each that the bytes fill; the same for all that go elsewhere, and for branches. */
function excessOf(counts: ArrayLike<number>): number {
  return counts.length > COST.globalSectorsIdeal ? counts[COST.globalSectors] / Math.max(1, counts[COST.globalSectorsIdeal]) : 0;
}

/** The same for all that go elsewhere, and for branches. */
function sectorsOf(counts: ArrayLike<number>): number {
  return counts.length > COST.globalSectorsIdeal ? counts[COST.globalSectors] : 0;
}

function isAligned({ lanes }: Value, base: number, mask: number, align: number): boolean {
  return (lanes[31 - Math.clz32(mask & -mask)] + base) % align === 0;
}

const WRAP = 2 ** 32;
/** Room for lanes that lie before the unknown base. */
const UNKNOWN_BASE = 0x40000000;

/** The cost if the unknown base is so many bytes behind a multiple of the period; undefined where an address is none. */
function priceAt(
  pointers: Value,
  base: number,
  mask: number,
  shape: AccessShape,
  rules: AtomicRules | undefined,
  reach: Reach,
): RequestCost | undefined {
  const { lanes, terms } = pointers;
  const inWindow = shape.base !== 0 || lanes[31 - Math.clz32(mask & -mask)] >= LOCAL_BASE;
  const start = terms.length === 0 ? 0 : inWindow ? base : UNKNOWN_BASE + base;
  let [globalMask, sharedMask, localMask, uncountedMask] = [0, 0, 0, 0];
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const lane = 31 - Math.clz32(bit);
    let address = lanes[lane] + start;
    // Sums are taken modulo 2^32 where that makes no difference (see `wraps` in ir/types.ts).
    address = (shape.base + (((address % WRAP) + WRAP) % WRAP)) % WRAP;
    if (address >= INVALID_START) return undefined;
    request.addresses[lane] = address;
    if (address >= SHARED_BASE) sharedMask |= bit;
    else if (address >= LOCAL_BASE) {
      localMask |= bit;
      if (address - LOCAL_BASE < reach.parameterBytes) uncountedMask |= bit;
    } else {
      globalMask |= bit;
      if (terms.length === 0 ? reach.isConstant(address) : reach.isConstant(lanes[lane])) uncountedMask |= bit;
    }
  }
  request.globalMask = globalMask;
  request.sharedMask = sharedMask;
  request.localMask = localMask;
  request.uncountedMask = uncountedMask;
  return price(request, shape, rules);
}
