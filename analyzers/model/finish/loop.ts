/** Loops: how often lanes go round, and what they wait for. */
import { computesItsEnd, conjuncts, dataSources, hangsOnShape, isBoundsGuard } from '../conditions.ts';
import { blockSampleOf, sampleOf } from '../context.ts';
import { stepOf, tripCounts } from '../evaluate.ts';
import { isInSwitch } from '../exits.ts';
import type { AccessFacts, LoopFacts, LoopRest, ValueFacts } from '../facts.ts';
import { dependsOnLoop, type Form, isDecided, op, same } from '../form.ts';
import { spanOfPlaces } from '../own-place.ts';
import { sideForm } from '../path-forms.ts';
import { allEqual, LANES, type LaneValues, laneOf, perLane } from '../rows.ts';
import { dataVaries } from '../splits.ts';
import type { RawAccess, RawAtomic, RawLoop } from '../values.ts';
import { sameAddress } from './access.ts';
import type { Finisher } from './finisher.ts';
import { Located } from './located.ts';
import { valueFacts } from './value.ts';

export class Loop extends Located implements LoopFacts {
  readonly kind: LoopFacts['kind'];
  readonly headPlace: LoopFacts['headPlace'];
  readonly condition: ValueFacts | undefined;
  readonly containsBarrier: boolean;
  readonly unrolled: boolean;
  readonly bodyCost: number;
  private readonly l: RawLoop;
  private knownTrips: { readonly trips: number | undefined } | undefined = undefined;
  private knownDivergence: Divergence | undefined = undefined;
  private knownStride: LoopFacts['strided'] | undefined = undefined;

  constructor(f: Finisher, l: RawLoop) {
    super(f, l);
    this.l = l;
    this.kind = l.kind;
    this.headPlace = l.headPlace;
    this.condition = l.condition && valueFacts(f, l.condition);
    this.containsBarrier = l.containsBarrier;
    this.unrolled = l.unrolled;
    this.bodyCost = l.bodyCost;
  }

  get headText(): string {
    return this.f.textOf(this.headPlace);
  }

  get trips(): number | undefined {
    this.knownTrips ??= { trips: constantTrips(this.f, this.l) };
    return this.knownTrips.trips;
  }

  get hangsOnShape(): boolean {
    const { condition } = this.l.shape;
    return condition !== undefined && hangsOnShape(condition);
  }

  get divergence(): LoopFacts['divergence'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.divergence;
  }

  get leftAt(): LoopFacts['leftAt'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.leftAt;
  }

  get laneTrips(): LoopFacts['laneTrips'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.laneTrips;
  }

  get ofBlock(): LoopFacts['ofBlock'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.ofBlock;
  }

  get meanTrips(): LoopFacts['meanTrips'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.meanTrips;
  }

  get counted(): LoopFacts['counted'] {
    const limits = limitsOf(this.l);
    return limits ? (limits.limit.data && limits.limit.lane ? 'data' : 'other') : 'no';
  }

  get mostTrips(): number | undefined {
    const limits = limitsOf(this.l);
    return limits && allowedBy(this.f, op('-', limits.limit, limits.first), this.l);
  }

  get fromData(): boolean {
    const { first, limit } = limitsOf(this.l) ?? {};
    if (!first?.data || !first.lane) return false;
    // From `-r` to `r` is a window around the thread, and no row.
    return [dataSources(first), dataSources(limit!)].some((sources, i, both) => [...sources].some((source) => !both[1 - i].has(source)));
  }

  get strided(): LoopFacts['strided'] {
    this.knownStride ??= stridedBy(this.f, this.l);
    return this.knownStride;
  }

  get rest(): LoopRest | undefined {
    return restOf(this.f, this);
  }

  get endsAnywhere(): boolean {
    return endsAnywhere(this.f, this.l);
  }

  /** Rounds by lane of the block, where everything that decides them is known. */
  get blockTrips(): LaneValues | undefined {
    const { condition } = this.l.shape;
    if (!condition?.lane || condition.data || condition.unknown || condition.symbolic) return undefined;
    if (this.l.loops.some(({ shape }) => dependsOnLoop(condition, shape))) return undefined;
    return tripCounts(this.l.shape, blockSampleOf(this.f.c, 0), MOST_ROUNDS);
  }

  get spinsOn(): AccessFacts | undefined {
    return spins(this.f, this.l);
  }

  get retries(): LoopFacts['retries'] {
    return retriesOf(this.f, this.l);
  }
}

/** Where sizes that are not known are no multiples of 32. */
const ODD_SAMPLES = [1, 3];

function endsAnywhere({ c }: Finisher, { shape }: RawLoop): boolean {
  const { condition, breaks } = shape;
  if (breaks || condition?.f !== 'op') return false;
  const isTurned = condition.op === '>' || condition.op === '>=';
  if (!isTurned && !/^(<|<=|!=)$/.test(condition.op)) return false;
  const [counter, limit] = isTurned ? [condition.args[1], condition.args[0]] : condition.args;
  if (counter.f !== 'loop' || counter.loop !== shape || dependsOnLoop(limit, shape)) return false;
  // Sizes that are given are mostly multiples of 32; data, parts of blocks and what a division leaves are not.
  if (!limit.data && !limit.block && !isRemainder(limit)) return false;
  const [first, next] = [shape.init[counter.index], shape.next[counter.index]];
  const step = next && stepOf(next, shape, counter.index);
  if (!step || first.block) return false;
  const last = condition.op.endsWith('=') && condition.op !== '!=' ? 1 : 0;
  const samples = ODD_SAMPLES.map((seed) => sampleOf(c, 0, seed));
  const isFromIndex = samples.every((sample) => {
    const [start, by] = [sample.value(first), sample.value(step)];
    return typeof start !== 'number' && start.every((at, lane) => at === lane) && typeof by === 'number' && by % LANES === 0;
  });
  const ends = samples.map((sample) => sample.value(limit));
  return isFromIndex && ends.some((end) => typeof end === 'number' && (end + last) % LANES !== 0);
}

function isRemainder(form: Form, seen = new Set<Form>()): boolean {
  if (form.f !== 'op' || seen.has(form)) return false;
  seen.add(form);
  return form.op === '%' || form.args.some((arg) => isRemainder(arg, seen));
}

/** Rounds that are followed to find the last one. */
const MOST_ROUNDS = 256;

function restOf({ spec, c }: Finisher, loop: Loop): LoopRest | undefined {
  if (loop.strided !== 'block' || !spec.blockKnown) return undefined;
  const trips = loop.blockTrips;
  if (trips === undefined || typeof trips === 'number') return undefined;
  const counts = perLane((lane) => laneOf(trips, lane), c.warps * LANES);
  const warps = c.existing.map((mask, warp) => counts.slice(warp * LANES, (warp + 1) * LANES).filter((_, lane) => (mask >>> lane) & 1));
  const iterations = counts.reduce((sum, count) => sum + count, 0);
  const most = warps.map((warp) => Math.max(...warp));
  const parted = warps.flatMap((warp, i) => (warp.some((count) => count < most[i]) ? [i] : []));
  if (parted.length === 0 || Number.isNaN(iterations)) return undefined;
  const [at] = parted;
  const lanes = warps[at].filter((count) => count === most[at]).length;
  return { iterations, slots: LANES * most.reduce((sum, count) => sum + count, 0), warps: parted.length, rounds: most[at], lanes };
}

/**
 * A loop that waits: its condition loads from an address that no iteration changes, and nothing in it advances. What the thread has itself
 * stored in the loop it does not wait for: `do { node->next = old; old = atomicCAS(&head, old, node); } while (old != node->next)`.
 */
function spins(f: Finisher, l: RawLoop): AccessFacts | undefined {
  const { spins: load, shape } = l;
  const isThatStored = ({ kind, object, offset, loops }: RawAccess) =>
    kind === 'store' && loops.includes(l) && object.id === load?.object.id && same(offset, load.offset);
  if (
    !load ||
    l.kind === 'for' ||
    f.run.machine.facts.accesses.some(isThatStored) ||
    (shape.condition && dependsOnLoop(shape.condition, shape)) ||
    dependsOnLoop(load.offset, shape) ||
    l.bodyCost > 15
  )
    return undefined;
  return f.access(load);
}

function retriesOf(f: Finisher, l: RawLoop): LoopFacts['retries'] {
  if (l.kind === 'for' || !l.shape.condition?.data) return undefined;
  const isRepeated = (a: RawAtomic) => a.loops.at(-1) === l && a.resultUsed && !dependsOnLoop(a.offset, l.shape);
  const atomic = f.run.machine.facts.atomics.find((a) => /^atomic(CAS|Exch)/.test(a.name) && isRepeated(a));
  if (!atomic) return undefined;
  const constants = atomic.operands.map(({ form }) => form.f === 'const');
  const { condition } = l.shape;
  const compares = condition.f === 'op' && /^[<>]=?$/.test(condition.op);
  const retries = { atomic: atomic.name, sameAddress: sameAddress(f, atomic), compares };
  if (constants.every(Boolean)) return { ...retries, kind: 'lock' };
  return constants[0] ? undefined : { ...retries, kind: 'update' };
}

function constantTrips(f: Finisher, l: RawLoop): number | undefined {
  const { condition } = l.shape;
  if (!condition || !isDecided(condition)) return undefined;
  const trips = tripCounts(l.shape, sampleOf(f.c, 0, 0), 1024);
  return typeof trips === 'number' ? trips : undefined;
}

type Divergence = Pick<LoopFacts, 'divergence' | 'leftAt' | 'laneTrips' | 'meanTrips' | 'ofBlock'>;

function loopDivergence(f: Finisher, l: RawLoop): Divergence {
  const { condition } = l.shape;
  if (!condition?.lane) {
    const leftAt = leavesAsComputed(f, l);
    return { divergence: leftAt ? 'computed' : 'none', leftAt };
  }
  if (condition.unknown) return { divergence: 'unknown' };
  if (condition.data && isEquallyLong(f, l, condition)) return { divergence: 'none' };
  if (condition.data) return { divergence: [0, 1].every((seed) => dataVaries(condition, sampleOf(f.c, 0, seed))) ? 'data' : 'none' };
  if (computesItsEnd(condition, l.shape)) return { divergence: 'computed' };
  if (isBoundsGuard(f.c.memos, condition)) return { divergence: 'guard' };
  if (dependsOnBreak(condition)) return { divergence: 'unknown' };
  const trips = tripCounts(l.shape, sampleOf(f.c, 0, 0), 256);
  if (trips === undefined) return { divergence: 'unknown' };
  if (allEqual(trips)) return { divergence: 'none' };
  const spread = spreadOf(trips);
  // What other values of the launch's parameters change is no number, nor what each round of a loop around, or another width of blocks does.
  const { blockKnown, block } = f.spec;
  const isOfOuter = l.loops.some(({ shape }) => dependsOnLoop(condition, shape)) || (!blockKnown && block[1] * block[2] > 1);
  if (condition.symbolic || isOfOuter || l.shape.init.some((form) => form.symbolic)) {
    const other = tripCounts(l.shape, sampleOf(f.c, 0, 1), 256);
    const isSame = other !== undefined && perLane((lane) => laneOf(trips, lane) - laneOf(other, lane)).every((d) => d === 0);
    if (!isSame || isOfOuter)
      return { divergence: 'lanes', laneTrips: isEven(spread) && other && isEven(spreadOf(other)) ? spread.laneTrips : undefined };
  }
  const ofBlock = ofWarps(f, l);
  // Of how many warps the mean would be, a block of unknown size does not say.
  if (ofBlock && !blockKnown) return { divergence: 'lanes' };
  return { divergence: 'lanes', ...spread, ofBlock };
}

/** A triangle's: the first warp has the fewest iterations, of which its lanes share the least. */
function ofWarps(f: Finisher, l: RawLoop): LoopFacts['ofBlock'] {
  const trips = f.c.warps > 1 ? tripCounts(l.shape, blockSampleOf(f.c, 0), MOST_TRIPS) : undefined;
  if (trips === undefined || typeof trips === 'number' || trips.some(Number.isNaN)) return undefined;
  const [x, y, z] = f.spec.block;
  // The last warp need not be a whole one.
  const existing = Array.from(trips).slice(0, x * y * z);
  const warps = Array.from({ length: f.c.warps }, (_, warp) => spreadAmong(existing.slice(warp * LANES, (warp + 1) * LANES)));
  const mean = (of: (warp: Spread) => number) => warps.reduce((sum, warp) => sum + of(warp), 0) / warps.length;
  const [least, most] = [mean(({ laneTrips }) => laneTrips[0]), mean(({ laneTrips }) => laneTrips[1])];
  const isSame = warps.every(({ laneTrips }) => laneTrips[0] === least && laneTrips[1] === most);
  return isSame ? undefined : { laneTrips: [least, most], meanTrips: mean(({ meanTrips }) => meanTrips) };
}

/** More are not followed. */
const MOST_TRIPS = 1024;

/** `if (x * x + y * y > 4) break;`: the same as a condition of the loop that each lane computes. */
function leavesAsComputed(f: Finisher, l: RawLoop): LoopFacts['leftAt'] {
  for (const { kind, loops, path } of f.run.machine.facts.exits) {
    if (kind === 'continue' || loops.at(-1) !== l || (kind === 'break' && isInSwitch({ path, loops }))) continue;
    const test = path.find(({ branch }) => computesItsEnd(branch.condition.form, l.shape));
    if (test) return test.branch.headPlace;
  }
  return undefined;
}

type Spread = Required<Pick<LoopFacts, 'laneTrips' | 'meanTrips'>>;

function spreadOf(trips: LaneValues): Spread {
  return spreadAmong(perLane((lane) => laneOf(trips, lane)));
}

function spreadAmong(list: readonly number[]): Spread {
  return { laneTrips: [Math.min(...list), Math.max(...list)] as const, meanTrips: list.reduce((sum, n) => sum + n, 0) / list.length };
}

function isEven({ laneTrips: [min, max] }: Spread): boolean {
  return max <= min + 1;
}

/** `for (k = first[i]; k < first[i + 1]; k += 2)`. */
function limitsOf({ shape }: RawLoop): { readonly first: Form; readonly limit: Form } | undefined {
  const { condition, breaks } = shape;
  if (breaks || condition?.f !== 'op' || !/^(<|<=|>|>=|!=)$/.test(condition.op)) return undefined;
  for (const [counter, limit] of [condition.args, [...condition.args].reverse()]) {
    if (counter.f !== 'loop' || counter.loop !== shape || dependsOnLoop(limit, shape)) continue;
    const next = shape.next[counter.index];
    if (next && stepOf(next, shape, counter.index)) return { first: shape.init[counter.index], limit };
  }
  return undefined;
}

/** The least constant that a condition around the loop compares its length with. */
function allowedBy({ c }: Finisher, length: Form, { path }: RawLoop): number | undefined {
  const bounds = path.flatMap((step) => conjuncts(c.memos, sideForm(step))).flatMap((form) => upperBound(form, length) ?? []);
  return bounds.length > 0 ? Math.min(...bounds) : undefined;
}

function upperBound(form: Form, length: Form): number | undefined {
  if (form.f !== 'op') return undefined;
  const isNegated = form.op === '!';
  const inner = isNegated ? form.args[0] : form;
  if (inner.f !== 'op') return undefined;
  const [a, b] = inner.args;
  const wanted: Readonly<Record<string, number>> = isNegated ? { '>=': -1, '>': 0 } : { '<': -1, '<=': 0 };
  const distance = wanted[inner.op];
  return distance !== undefined && b?.f === 'const' && same(a, length) ? b.v + distance : undefined;
}

/** `for (k = start; k < start + n; ++k)`: where it begins is data, but not how far it goes. */
function isEquallyLong(f: Finisher, { shape }: RawLoop, condition: Form): boolean {
  if (condition.f !== 'op' || !/^(<|<=|>|>=|!=)$/.test(condition.op)) return false;
  const [counter, limit] = condition.args;
  if (counter.f !== 'loop' || counter.loop !== shape || dependsOnLoop(limit, shape)) return false;
  const next = shape.next[counter.index];
  const step = next && stepOf(next, shape, counter.index);
  if (!step || step.lane) return false;
  const length = op('-', limit, shape.init[counter.index]);
  return [0, 1].every((seed) => allEqual(sampleOf(f.c, 0, seed).value(length)));
}

/** Made of what a loop left behind that lanes break out of: when they do is not known, so a sample's numbers for it are invented. */
function dependsOnBreak(form: Form, seen = new Set<Form>()): boolean {
  if (seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'loop') {
    if (form.after && form.lane && form.loop.breaks) return true;
    return form.loop.init.some((x) => dependsOnBreak(x, seen)) || form.loop.next.some((x) => x !== undefined && dependsOnBreak(x, seen));
  }
  return form.f === 'op' && form.args.some((a) => dependsOnBreak(a, seen));
}

/** Lanes that begin at neighbouring places and go on by as many as there are of them. */
function sharesIterations(f: Finisher, start: Form, step: LaneValues): boolean {
  const span = spanOfPlaces(f.c, start);
  return span > 0 && typeof step === 'number' && span < Math.abs(step);
}

function stridedBy(f: Finisher, l: RawLoop): LoopFacts['strided'] {
  const { block } = f.spec;
  const threads = block[0] * block[1] * block[2];
  for (let i = 0; i < l.shape.next.length; i++) {
    const next = l.shape.next[i];
    const step = next && stepOf(next, l.shape, i);
    if (!step || step.lane || !l.shape.init[i].lane) continue;
    const value = sampleOf(f.c, 0, 0).value(step);
    if (value === threads || value === block[0]) return 'block';
    if (step.symbolic && typeof value === 'number' && value % threads === 0) return 'grid';
    if (value === LANES && !dataVaries(l.shape.init[i], sampleOf(f.c, 0, 0))) return 'warp';
    if (l.shape.init[i].data && sharesIterations(f, l.shape.init[i], value)) return 'lanes';
  }
  return 'no';
}
