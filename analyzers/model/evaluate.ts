/**
 * Computes forms for the 32 lanes of a warp. Symbols get one concrete value per sample: known ones theirs, unknown ones values that are
 * multiples of 32 in some samples and odd in others, so that only what holds for both is taken for true.
 */
import { applyScalar, dependsOnLoop, type Form, type LaneForm, type LoopForm, type LoopShape, type SymbolForm } from './form.ts';

export const LANES = 32;

/** A number for a warp-uniform value, one per lane otherwise. NaN: not known. */
export type LaneValues = number | Float64Array;

export interface Shape {
  readonly block: readonly [number, number, number];
  readonly grid: readonly (number | undefined)[];
}

export interface SampleOptions {
  readonly shape: Shape;
  readonly warp: number;
  /** Even samples give unknown symbols multiples of 32, odd samples odd numbers. */
  readonly seed: number;
  /** Iteration of each loop; 0 for those not named. */
  readonly iterations?: ReadonlyMap<LoopShape, number>;
}

const GENERIC_TRIPS = 64;

/** Forms that one sample may compute, its iterations included; what is left afterwards is not known. Keeps nested loops affordable. */
const BUDGET = 30_000;

interface Progress {
  readonly states: LaneValues[][];
}

export class Sample {
  readonly options: SampleOptions;
  private readonly memo = new Map<Form, LaneValues>();
  /** How the loops went so far, given the iterations of the loops around them. */
  private readonly loops = new Map<LoopShape, Progress>();
  private readonly trips = new Map<LoopShape, LaneValues | undefined>();
  private readonly threads: readonly Float64Array[];
  private readonly budget: { left: number };

  constructor(options: SampleOptions, base?: Sample) {
    this.options = options;
    this.budget = base ? base.budget : { left: BUDGET };
    this.threads = base ? base.threads : threadIndices(options);
  }

  /** The same sample with one loop at another iteration. */
  at(loop: LoopShape, iteration: number): Sample {
    const child = new Sample({ ...this.options, iterations: new Map([...(this.options.iterations ?? []), [loop, iteration]]) }, this);
    child.loops.set(loop, this.progressOf(loop));
    return child;
  }

  value(form: Form): LaneValues {
    if (form.f === 'const') return form.v;
    const known = this.memo.get(form);
    if (known !== undefined) return known;
    const value = this.budget.left-- > 0 ? this.compute(form) : Number.NaN;
    this.memo.set(form, value);
    return value;
  }

  /** How often a loop's body runs; undefined when that is not known. */
  tripsOf(loop: LoopShape): LaneValues | undefined {
    if (!this.trips.has(loop)) this.trips.set(loop, tripCounts(loop, this));
    return this.trips.get(loop);
  }

  private progressOf(loop: LoopShape): Progress {
    let progress = this.loops.get(loop);
    if (!progress) {
      progress = { states: [loop.init.map((f) => this.value(f))] };
      this.loops.set(loop, progress);
    }
    return progress;
  }

  private compute(form: Form): LaneValues {
    switch (form.f) {
      case 'const':
        return form.v;
      case 'thread':
        return this.threads[form.axis];
      case 'symbol':
        return symbolValue(form, this.options);
      case 'any':
        return this.anyValue(form);
      case 'loop':
        return this.loopValue(form);
      case 'op':
        return apply(
          form.op,
          form.args.map((a) => this.value(a)),
        );
    }
  }

  private anyValue({ id, address }: LaneForm): LaneValues {
    const { seed } = this.options;
    if (!address) return Float64Array.from({ length: LANES }, (_, lane) => hash(id * 32 + lane + seed * 7919) % 100_003);
    const at = this.value(address);
    const of = (a: number) => hash(id * 8191 + Math.imul(a, 0x2545f491) + seed * 7919) % 100_003;
    return typeof at === 'number' ? of(at) : at.map(of);
  }

  private loopValue(form: LoopForm): LaneValues {
    const { loop, index } = form;
    if (form.after) return this.afterLoop(form);
    return this.stateAt(loop, this.options.iterations?.get(loop) ?? 0)[index];
  }

  /** Values of a loop's variables at the start of iteration `k`. */
  stateAt(loop: LoopShape, k: number): readonly LaneValues[] {
    const direct = this.linearState(loop, k);
    if (direct) return direct;
    const progress = this.progressOf(loop);
    while (progress.states.length <= Math.min(k, GENERIC_TRIPS)) {
      const step = this.at(loop, progress.states.length - 1);
      progress.states.push(loop.next.map((f, i) => (f ? step.value(f) : noise(loop.id * 64 + i, this.options.seed))));
    }
    return progress.states[Math.min(k, progress.states.length - 1)];
  }

  /** The common case in one step: every variable advances by something that the loop does not change. */
  private linearState(loop: LoopShape, k: number): LaneValues[] | undefined {
    const steps = linearSteps(loop);
    if (!steps) return undefined;
    return loop.init.map((init, i) => apply('+', [this.value(init), apply('*', [k, this.value(steps[i])])]));
  }

  private afterLoop(form: LoopForm): LaneValues {
    const trips = this.tripsOf(form.loop);
    if (trips === undefined || (form.loop.breaks && form.lane))
      return form.lane ? spread(form.loop.id + form.index, this.options.seed) : noise(form.loop.id + form.index, this.options.seed);
    if (typeof trips === 'number') return this.stateAt(form.loop, trips)[form.index];
    return Float64Array.from(trips, (n, lane) => laneOf(this.stateAt(form.loop, n)[form.index], lane));
  }
}

const LINEAR = new WeakMap<LoopShape, { count: number; steps: Form[] | undefined }>();

function linearSteps(loop: LoopShape): Form[] | undefined {
  const known = LINEAR.get(loop);
  if (known && known.count === loop.next.length) return known.steps;
  const steps: Form[] = [];
  let linear = true;
  loop.next.forEach((next, i) => {
    const step = next && stepOf(next, loop, i);
    if (step) steps.push(step);
    else linear = false;
  });
  const entry = { count: loop.next.length, steps: linear ? steps : undefined };
  LINEAR.set(loop, entry);
  return entry.steps;
}

/** Every variable of the loop advances by a step that the loop does not change. */
export function isLinear(loop: LoopShape): boolean {
  return linearSteps(loop) !== undefined;
}

/** `x` of `v + x` or `v - x`, where `v` is the loop's variable and `x` does not change in the loop. */
export function stepOf(next: Form, loop: LoopShape, index: number): Form | undefined {
  const isSelf = (f: Form) => f.f === 'loop' && f.loop === loop && f.index === index && !f.after;
  if (isSelf(next)) return { f: 'const', v: 0, lane: false, block: false, runtime: false, data: false, unknown: false, symbolic: false };
  if (next.f !== 'op') return undefined;
  const [a, b] = next.args;
  if (next.op === '+' && isSelf(a) && !dependsOnLoop(b, loop)) return b;
  if (next.op === '+' && isSelf(b) && !dependsOnLoop(a, loop)) return a;
  if (next.op === '+' && b !== undefined) {
    // (v + x) + y
    const inner = a.f === 'op' ? stepOf(a, loop, index) : undefined;
    if (inner && !dependsOnLoop(b, loop)) return { ...next, args: [inner, b] };
  }
  if (next.op === '-' && b !== undefined && isSelf(a) && !dependsOnLoop(b, loop)) return { ...b, ...negated(b) } as Form;
  if (next.op === 'u32') return stepOf(a, loop, index);
  return undefined;
}

function negated(form: Form): Form {
  if (form.f === 'const') return { ...form, v: -form.v };
  const { lane, block, runtime, data, unknown, symbolic } = form;
  return { f: 'op', op: '-', args: [form], lane, block, runtime, data, unknown, symbolic };
}

/** How often the loop's body runs, per lane; undefined when the condition is not known or it runs more often than is followed. */
export function tripCounts(loop: LoopShape, sample: Sample, limit = GENERIC_TRIPS): LaneValues | undefined {
  const { condition } = loop;
  if (!condition || condition.data || condition.unknown) return undefined;
  const trips = new Float64Array(LANES);
  let running = allLanes();
  for (let k = 0; k < limit; k++) {
    const value = sample.at(loop, k).value(condition);
    let any = 0;
    for (let lane = 0; lane < LANES; lane++) {
      const v = laneOf(value, lane);
      if (Number.isNaN(v)) return undefined;
      if (((running >>> lane) & 1) === 1 && v !== 0) {
        trips[lane]++;
        any |= 1 << lane;
      }
    }
    running = any;
    if (running === 0) return trips.every((t) => t === trips[0]) ? trips[0] : trips;
  }
  return undefined;
}

function allLanes(): number {
  return -1;
}

function threadIndices({ shape, warp }: SampleOptions): Float64Array[] {
  const [bx, by] = shape.block;
  const out = [0, 1, 2].map(() => new Float64Array(LANES));
  for (let lane = 0; lane < LANES; lane++) {
    const linear = warp * LANES + lane;
    out[0][lane] = linear % bx;
    out[1][lane] = Math.floor(linear / bx) % by;
    out[2][lane] = Math.floor(linear / (bx * by));
  }
  return out;
}

function symbolValue(form: SymbolForm, { shape, seed }: SampleOptions): number {
  const axis = form.axis ?? 0;
  const extent = shape.grid[axis];
  if (form.role === 'blockDim') return shape.block[axis];
  if (form.role === 'gridDim') return extent ?? (axis === 0 ? 96 + 32 * (seed % 2) : axis === 1 ? 16 : 1);
  if (form.role === 'blockIdx')
    return extent === undefined ? (axis === 0 ? 5 + seed : 2 + seed) : Math.floor(extent * [0.4, 0.7, 0.2, 0.5][seed % 4]);
  // Sizes and strides: between a thousand and nine thousand, round in even samples, odd in odd ones.
  const value = 1024 + (hash(form.id * 31 + seed) % 8192);
  return seed % 2 === 0 ? Math.ceil(value / 32) * 32 : value | 1;
}

function noise(id: number, seed: number): number {
  return hash(id * 131 + seed) % 65_521;
}

function spread(id: number, seed: number): Float64Array {
  return Float64Array.from({ length: LANES }, (_, lane) => hash(id * 64 + lane + seed * 7919) % 65_521);
}

/** A fixed integer mix, so that results never depend on time or order. */
function hash(n: number): number {
  let x = (n ^ 0x9e3779b9) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}

export function laneOf(value: LaneValues, lane: number): number {
  return typeof value === 'number' ? value : value[lane];
}

/** The operations that make up most index arithmetic, without a call per lane. */
const BINARY: Readonly<Record<string, (a: LaneValues, b: LaneValues) => Float64Array>> = {
  '+': (a, b) => each(a, b, (x, y) => x + y),
  '-': (a, b) => each(a, b, (x, y) => x - y),
  '*': (a, b) => each(a, b, (x, y) => x * y),
  '<': (a, b) => each(a, b, (x, y) => (x < y ? 1 : 0)),
  '>': (a, b) => each(a, b, (x, y) => (x > y ? 1 : 0)),
  '==': (a, b) => each(a, b, (x, y) => (x === y ? 1 : 0)),
};

function each(a: LaneValues, b: LaneValues, f: (x: number, y: number) => number): Float64Array {
  const out = new Float64Array(LANES);
  if (typeof a === 'number') for (let lane = 0; lane < LANES; lane++) out[lane] = f(a, (b as Float64Array)[lane]);
  else if (typeof b === 'number') for (let lane = 0; lane < LANES; lane++) out[lane] = f(a[lane], b);
  else for (let lane = 0; lane < LANES; lane++) out[lane] = f(a[lane], b[lane]);
  return out;
}

function apply(name: string, args: readonly LaneValues[]): LaneValues {
  if (args.every((a) => typeof a === 'number')) return applyScalar(name, args as number[]);
  const binary = args.length === 2 ? BINARY[name] : undefined;
  if (binary) return binary(args[0], args[1]);
  const out = new Float64Array(LANES);
  const scratch = new Array<number>(args.length);
  for (let lane = 0; lane < LANES; lane++) {
    for (let i = 0; i < args.length; i++) scratch[i] = laneOf(args[i], lane);
    out[lane] = applyScalar(name, scratch);
  }
  return out;
}

export function allEqual(value: LaneValues): boolean {
  return typeof value === 'number' || value.every((v) => v === value[0]);
}
