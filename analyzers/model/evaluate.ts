/**
 * Computes forms for the lanes of a warp, or of all warps of a block. Symbols get one concrete value per sample: known ones theirs, unknown
 * ones values that are multiples of 32 in some samples and odd in others, so that only what holds for both is taken for true.
 */

import { constant, dependsOnLoop, type Form, type LaneForm, type LoopForm, type LoopShape, op, type SymbolForm } from './form.ts';
import {
  apply,
  applyTwo,
  choose,
  comparedMasks,
  doubles,
  isComparison,
  LANES,
  type LaneValues,
  laneOf,
  type Masks,
  masksOf,
  Progression,
  perLane,
  type Row,
  valuesOf,
} from './rows.ts';

export interface Shape {
  readonly block: readonly [number, number, number];
  readonly grid: readonly (number | undefined)[];
}

export interface SampleOptions {
  readonly shape: Shape;
  /** The first one. */
  readonly warp: number;
  /** How many, one after the other: one warp, or all of a block. */
  readonly warps: number;
  /** Even samples give unknown symbols multiples of 32, odd samples odd numbers. */
  readonly seed: number;
  /** Forms that all samples of a variant together may compute, each counted once for a warp; what is left afterwards is not known. */
  readonly budget: { left: number };
  /** So many blocks further on each axis. */
  readonly blocksOn?: number;
  /** From block 0 of the grid, whatever the seed. */
  readonly firstBlock?: boolean;
  /** This block, whatever the seed. */
  readonly block?: readonly [number, number, number];
}

const GENERIC_TRIPS = 64;

/** One loop at one of its iterations, counted from 0. */
export interface LoopIteration {
  readonly loop: LoopShape;
  readonly iteration: number;
}

/** Where a sample stands: one loop at an iteration, within another sample. */
interface Position extends LoopIteration {
  readonly parent: Sample;
}

/**
 * One warp, or all warps of a block, with concrete symbols, outside all loops (0 in each) or at some iterations. What a loop does not
 * change is computed once for all its iterations, and what is the same in all lanes once for all warps.
 */
export class Sample {
  private readonly options: SampleOptions;
  private readonly position: Position | undefined;
  /** The one outside all loops. */
  private readonly root: Sample;
  /** The same iterations in the first warp. */
  private readonly first: Sample;
  private readonly memo = new Map<Form, Row>();
  // There are many samples, most of which never look at loops of their own: these are made when needed.
  /** Per loop variable, its values so far at the start of each iteration, given the iterations of the loops around. */
  private loops: Map<LoopShape, Row[][]> | undefined = undefined;
  private trips: Map<LoopShape, LaneValues | undefined> | undefined = undefined;
  private children: Map<LoopShape, Sample[]> | undefined = undefined;
  private threads: readonly Row[] | undefined = undefined;
  private conditions: Map<Form, Masks> | undefined = undefined;

  constructor(options: SampleOptions, firstWarp: Sample | undefined, position?: Position) {
    this.options = options;
    this.position = position;
    this.root = position ? position.parent.root : this;
    this.first = firstWarp ?? this;
  }

  /** The same sample with one loop at another iteration. */
  at(loop: LoopShape, iteration: number): Sample {
    const { position } = this;
    if (position?.loop === loop) return position.parent.at(loop, iteration);
    // Outside a loop its variables are what they are at its start: what is computed for the one holds for the other.
    if (iteration === 0 && this.iterationOf(loop) === 0) return this;
    this.children ??= new Map();
    const known = this.children.get(loop) ?? [];
    this.children.set(loop, known);
    known[iteration] ??= this.child(loop, iteration);
    return known[iteration];
  }

  get seed(): number {
    return this.options.seed;
  }

  value(form: Form): LaneValues {
    return valuesOf(this.row(form));
  }

  private row(form: Form): Row {
    if (form.f === 'const') return form.v;
    const { position } = this;
    if (position && form.loopDepth < position.loop.depth) return position.parent.row(form);
    if (!form.lane && this.first !== this) return this.first.row(form);
    const known = this.memo.get(form);
    if (known !== undefined) return known;
    const row = this.pay() ? this.compute(form) : Number.NaN;
    this.memo.set(form, row);
    return row;
  }

  /** Where a condition holds, by warp. */
  masks(form: Form): Masks {
    const { position } = this;
    if (position && form.loopDepth < position.loop.depth) return position.parent.masks(form);
    this.conditions ??= new Map();
    let known = this.conditions.get(form);
    if (!known) {
      known = this.compare(form) ?? masksOf(this.value(form), this.options.warps);
      this.conditions.set(form, known);
    }
    return known;
  }

  /** For a comparison whose value nobody has asked for, without a list of zeros and ones. */
  private compare(form: Form): Masks | undefined {
    if (form.f !== 'op' || !form.lane || !isComparison(form.op) || this.memo.has(form)) return undefined;
    const masks = comparedMasks(form.op, this.row(form.args[0]), this.row(form.args[1]), this.options.warps);
    return masks && this.pay() ? masks : undefined;
  }

  /** One value per lane: those of the first warp, then of the next. */
  get lanes(): number {
    return this.options.warps * LANES;
  }

  /** The place of a warp among those of the sample. */
  placeOf(warp: number): number {
    return warp - this.options.warp;
  }

  private pay(): boolean {
    const { budget, warps } = this.options;
    const isEnough = budget.left > 0;
    budget.left -= warps;
    return isEnough;
  }

  /** How often a loop's body runs; undefined when that is not known. */
  tripsOf(loop: LoopShape): LaneValues | undefined {
    const { position } = this;
    if (position && position.loop.depth >= loop.depth) return position.parent.tripsOf(loop);
    if (this.first !== this && loop.condition?.lane === false) return this.first.tripsOf(loop);
    this.trips ??= new Map();
    if (!this.trips.has(loop)) this.trips.set(loop, tripCounts(loop, this));
    return this.trips.get(loop);
  }

  private child(loop: LoopShape, iteration: number): Sample {
    this.pay();
    const position = { parent: this, loop, iteration };
    return new Sample(this.options, this.first === this ? undefined : this.first.at(loop, iteration), position);
  }

  /** Which iteration of the loop this is; 0 outside it. */
  private iterationOf(loop: LoopShape): number {
    for (let at = this.position; at; at = at.parent.position) if (at.loop === loop) return at.iteration;
    return 0;
  }

  private compute(form: Form): Row {
    switch (form.f) {
      case 'const':
        return form.v;
      case 'thread':
        this.root.threads ??= threadRows(this.options);
        return this.root.threads[form.axis];
      case 'symbol':
        return symbolValue(form, this.options);
      case 'any':
        return this.anyValue(form);
      case 'loop':
        return form.after ? this.afterLoop(form) : this.variableAt(form.loop, form.index, this.iterationOf(form.loop));
      case 'op': {
        const { args } = form;
        if (args.length === 2) return applyTwo(form.op, this.row(args[0]), this.row(args[1]));
        if (form.op === 'select') return choose(this.value(args[0]), this.row(args[1]), this.row(args[2]));
        return apply(
          form.op,
          args.map((a) => this.row(a)),
          this.lanes,
        );
      }
    }
  }

  private anyValue({ id, address }: LaneForm): LaneValues {
    const { seed } = this.options;
    if (!address) return perLane((lane) => hash(id * 32 + (lane % LANES) + seed * 7919) % 100_003, this.lanes);
    const at = this.value(address);
    const of = (a: number) => hash(id * 8191 + Math.imul(a, 0x2545f491) + seed * 7919) % 100_003;
    return typeof at === 'number' ? of(at) : at.map(of);
  }

  /** Value of a loop's variable at the start of iteration `k`. */
  private variableAt(loop: LoopShape, index: number, k: number): Row {
    const step = linearSteps(loop)[index];
    // The common case at once: the variable advances by something that the loop does not change.
    if (step) return applyTwo('+', this.row(loop.init[index]), applyTwo('*', k, this.row(step)));
    const states = this.statesOf(loop, index);
    const next = loop.next[index];
    const last = Math.min(k, GENERIC_TRIPS);
    while (states.length <= last)
      states.push(next ? this.at(loop, states.length - 1).row(next) : noise(loop.id * 64 + index, this.options.seed));
    return states[last];
  }

  private statesOf(loop: LoopShape, index: number): Row[] {
    const { position } = this;
    if (position?.loop === loop) return position.parent.statesOf(loop, index);
    this.loops ??= new Map();
    const columns = this.loops.get(loop) ?? [];
    this.loops.set(loop, columns);
    columns[index] ??= [this.row(loop.init[index])];
    return columns[index];
  }

  private afterLoop(form: LoopForm): Row {
    const { loop, index } = form;
    const trips = this.tripsOf(loop);
    // All lanes alike have come as far, wherever that is.
    if (trips === undefined && loop.condition?.lane === false && !loop.breaks && linearSteps(loop)[index]?.lane === false)
      return this.variableAt(loop, index, UNKNOWN_TRIPS);
    const invented = () => (form.lane ? spread(loop.id + index, this.options.seed, this.lanes) : noise(loop.id + index, this.options.seed));
    if (trips === undefined || (loop.breaks && form.lane)) return invented();
    if (typeof trips === 'number') return this.variableAt(loop, index, trips);
    const byTrips = new Map<number, LaneValues>();
    return trips.map((n, lane) => {
      let values = byTrips.get(n);
      if (values === undefined) {
        values = Number.isNaN(n) ? invented() : valuesOf(this.variableAt(loop, index, n));
        byTrips.set(n, values);
      }
      return laneOf(values, lane);
    });
  }
}

/** Of a loop of which only a run knows how often it goes round. */
const UNKNOWN_TRIPS = 17;

/** By how much each of a loop's variables advances, of those that advance by something that the loop does not change. */
function linearSteps(loop: LoopShape): readonly (Form | undefined)[] {
  if (loop.steps?.length === loop.next.length) return loop.steps;
  const steps = loop.next.map((next, i) => next && stepOf(next, loop, i));
  loop.steps = steps;
  return steps;
}

/** Every variable of the loop advances by a step that the loop does not change. */
export function isLinear(loop: LoopShape): boolean {
  return linearSteps(loop).every((step) => step !== undefined);
}

/** The variable of this index advances by a step that the loop does not change: its value after any number of iterations is known. */
export function advancesEvenly(loop: LoopShape, index: number): boolean {
  return linearSteps(loop)[index] !== undefined;
}

/** `x` of `v + x` or `v - x`, where `v` is the loop's variable and `x` does not change in the loop. */
export function stepOf(next: Form, loop: LoopShape, index: number): Form | undefined {
  const isSelf = (f: Form) => f.f === 'loop' && f.loop === loop && f.index === index && !f.after;
  if (isSelf(next)) return constant(0);
  if (next.f !== 'op') return undefined;
  const [a, b] = next.args;
  if (next.op === '+' && isSelf(a) && !dependsOnLoop(b, loop)) return b;
  if (next.op === '+' && isSelf(b) && !dependsOnLoop(a, loop)) return a;
  if (next.op === '+' && b !== undefined) {
    // (v + x) + y
    const inner = a.f === 'op' ? stepOf(a, loop, index) : undefined;
    if (inner && !dependsOnLoop(b, loop)) return { ...next, args: [inner, b] };
  }
  if (next.op === '-' && b !== undefined && isSelf(a) && !dependsOnLoop(b, loop)) return op('-', b);
  if (next.op === 'u32') return stepOf(a, loop, index);
  return undefined;
}

/**
 * How often the loop's body runs, per lane; undefined when the condition is not known or it runs more often than is followed. Where that is
 * so of some warps of a block only, theirs are NaN.
 */
export function tripCounts(loop: LoopShape, sample: Sample, limit = GENERIC_TRIPS): LaneValues | undefined {
  const { condition } = loop;
  if (!condition || condition.data || condition.unknown) return undefined;
  const trips = doubles(sample.lanes).fill(0);
  const warps = Array.from({ length: sample.lanes / LANES }, (_, warp) => warp);
  const ended = new Set<number>();
  let open = warps;
  for (let k = 0; k < limit && open.length > 0; k++) {
    const value = sample.at(loop, k).value(condition);
    open = open.filter((warp) => {
      const step = countTrip(trips, value, warp, k);
      if (step === 'ended') ended.add(warp);
      return step === 'goes on';
    });
  }
  if (ended.size === 0) return undefined;
  for (const warp of warps) if (!ended.has(warp)) trips.fill(Number.NaN, warp * LANES, (warp + 1) * LANES);
  return trips.every((t) => t === trips[0]) ? trips[0] : trips;
}

/** The lanes of a warp at the start of iteration `k`: those that have come so far and go on have run once more. */
function countTrip(trips: number[], value: LaneValues, warp: number, k: number): 'goes on' | 'ended' | 'unknown' {
  let isAny = false;
  for (let lane = warp * LANES; lane < (warp + 1) * LANES; lane++) {
    const v = laneOf(value, lane);
    if (Number.isNaN(v)) return 'unknown';
    if (v === 0 || trips[lane] !== k) continue;
    trips[lane]++;
    isAny = true;
  }
  return isAny ? 'goes on' : 'ended';
}

function threadRows({ shape, warp, warps }: SampleOptions): Row[] {
  const [bx, by] = shape.block;
  const lanes = warps * LANES;
  const linear = (lane: number) => warp * LANES + lane;
  const first = linear(0) % bx;
  return [
    first + lanes <= bx ? new Progression(first, 1, lanes) : perLane((lane) => linear(lane) % bx, lanes),
    perLane((lane) => Math.floor(linear(lane) / bx) % by, lanes),
    perLane((lane) => Math.floor(linear(lane) / (bx * by)), lanes),
  ];
}

/** Added to a seed: for offsets that are products of so many sizes that they would lead too far. */
export const NEARER = 4;

function symbolValue(form: SymbolForm, { shape, seed, blocksOn = 0, firstBlock, block }: SampleOptions): number {
  const axis = form.axis ?? 0;
  const extent = shape.grid[axis];
  if (form.role === 'blockDim') return shape.block[axis];
  if (form.role === 'gridDim') return extent ?? (axis === 0 ? 96 + 32 * (seed % 2) : axis === 1 ? 16 : 1);
  if (form.role === 'blockIdx' && block) return block[axis];
  if (form.role === 'blockIdx' && firstBlock) return blocksOn;
  if (form.role === 'blockIdx')
    return blocksOn + (extent === undefined ? (axis === 0 ? 5 + seed : 2 + seed) : Math.floor(extent * [0.4, 0.7, 0.2, 0.5][seed % 4]));
  // Sizes and strides: between a thousand and nine thousand, or a few hundred at most; round in even samples, odd in odd ones.
  const [least, range] = seed < NEARER ? [1024, 8192] : [64, 256];
  const value = least + (hash(form.id * 31 + seed) % range);
  return seed % 2 === 0 ? Math.ceil(value / 32) * 32 : value | 1;
}

function noise(id: number, seed: number): number {
  return hash(id * 131 + seed) % 65_521;
}

function spread(id: number, seed: number, lanes: number): number[] {
  return perLane((lane) => hash(id * 64 + (lane % LANES) + seed * 7919) % 65_521, lanes);
}

/** A fixed integer mix, so that results never depend on time or order. */
function hash(n: number): number {
  let x = (n ^ 0x9e3779b9) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}
