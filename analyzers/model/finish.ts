/** From what the interpreter noted to the facts that rules see: forms become numbers about warps. */

import { globalPattern, sharedPattern, startBytes } from './access-patterns.ts';
import { allEqual, LANES, laneOf, perLane, stepOf, tripCounts } from './evaluate.ts';
import type {
  AccessFacts,
  ArrayFacts,
  AtomicFacts,
  BarrierFacts,
  BranchFacts,
  ControlFacts,
  DivisionFacts,
  HazardFacts,
  KernelFacts,
  LaunchFacts,
  LiteralFacts,
  LoopFacts,
  ObjectFacts,
  ShuffleFacts,
  TypeFacts,
  Uniformity,
  ValueFacts,
  VariantFacts,
} from './facts.ts';
import { dependsOnLoop, type Form } from './form.ts';
import { happens } from './hazard-iterations.ts';
import { type Hazard, hazardsOf } from './hazards.ts';
import { isKept } from './kept-values.ts';
import type { KernelRun, VariantSpec } from './kernel.ts';
import { movedTogether } from './moved-together.ts';
import { countLanes, lanesAtOneAddress } from './patterns.ts';
import { predicationOf } from './predication.ts';
import {
  activeLanes,
  type Context,
  classify,
  computesItsEnd,
  conjuncts,
  dataSources,
  dataVaries,
  isBoundsGuard,
  isExceptional,
  iterationsOf,
  newContext,
  pathForms,
  sampleOf,
} from './splits.ts';
import { sideForm } from './statements.ts';
import { blockCoefficient } from './stride.ts';
import { structureArraysOf } from './structure-arrays.ts';
import { isVector, sizeOf, type Type } from './types.ts';
import type {
  MemoryObject,
  Moment,
  PathStep,
  RawAccess,
  RawAtomic,
  RawBarrier,
  RawBranch,
  RawDivision,
  RawFacts,
  RawLiteral,
  RawLoop,
  RawShuffle,
  RawValue,
} from './values.ts';

/** What is known of an interpretation, computed as it is asked for. */
export interface Finisher {
  readonly spec: VariantSpec;
  readonly run: KernelRun;
  /** Text of a place. */
  readonly textOf: (place: { readonly item: Moment['place']['item']; readonly start: number; readonly end: number }) => string;
  readonly c: Context;
  readonly branches: Map<RawBranch, BranchFacts>;
  readonly loops: Map<RawLoop, LoopFacts>;
  readonly accesses: Map<RawAccess, AccessFacts>;
  readonly controls: Map<readonly PathStep[], Map<readonly RawLoop[], ControlFacts>>;
  readonly objects: Map<MemoryObject, ObjectFacts>;
  readonly types: Map<Type, TypeFacts>;
  readonly lists: Partial<Lists>;
}

export function finisherOf(run: KernelRun, spec: VariantSpec, textOf: Finisher['textOf']): Finisher {
  return {
    run,
    spec,
    textOf,
    c: newContext({ block: spec.block, grid: spec.grid }, spec.share),
    branches: new Map(),
    loops: new Map(),
    accesses: new Map(),
    controls: new Map(),
    objects: new Map(),
    types: new Map(),
    lists: {},
  };
}

/** Rules ask for few of a variant's lists, and for most only when others say so. */
type Lists = {
  -readonly [K in
    | 'parameters'
    | 'branches'
    | 'loops'
    | 'accesses'
    | 'atomics'
    | 'barriers'
    | 'fences'
    | 'shuffles'
    | 'divisions'
    | 'literals'
    | 'arrays'
    | 'hazards'
    | 'structureArrays']: VariantFacts[K];
};

/** What the file decides of a variant. */
type Head = Pick<VariantFacts, 'kernel' | 'label' | 'launches' | 'cooperative' | 'childLaunches'>;

/** An interpretation in a file: the file may change around it, and what was computed stays. */
export class Variant implements VariantFacts {
  readonly kernel: KernelFacts;
  readonly name: string;
  readonly label: string;
  readonly launches: readonly LaunchFacts[];
  readonly cooperative: VariantFacts['cooperative'];
  readonly childLaunches: VariantFacts['childLaunches'];
  readonly block: VariantFacts['block'];
  readonly blockKnown: boolean;
  readonly grid: VariantFacts['grid'];
  readonly incomplete: boolean;
  private readonly f: Finisher;
  private readonly raw: RawFacts;

  constructor(f: Finisher, { kernel, label, launches, cooperative, childLaunches }: Head) {
    const { spec, run } = f;
    this.kernel = kernel;
    this.name = kernel.name;
    this.label = label;
    this.launches = launches;
    this.cooperative = cooperative;
    this.childLaunches = childLaunches;
    this.block = { x: spec.block[0], y: spec.block[1], z: spec.block[2] };
    this.blockKnown = spec.blockKnown;
    this.grid = { x: spec.grid[0], y: spec.grid[1], z: spec.grid[2] };
    this.raw = run.machine.facts;
    this.incomplete = this.raw.incomplete;
    this.f = f;
  }

  private once<K extends keyof Lists>(name: K, make: (f: Finisher) => Lists[K]): Lists[K] {
    const { lists } = this.f;
    const known = lists[name];
    if (known) return known;
    const made = make(this.f);
    lists[name] = made;
    return made;
  }

  get parameters(): VariantFacts['parameters'] {
    const place = this.kernel.namePlace;
    return this.once('parameters', (f) =>
      f.run.parameters.map((p) => ({ name: p.name, type: typeFacts(f, p.type), place, value: p.value })),
    );
  }

  get branches(): VariantFacts['branches'] {
    return this.once('branches', (f) => this.raw.branches.map((b) => branchFacts(f, b)));
  }

  get loops(): VariantFacts['loops'] {
    return this.once('loops', (f) => this.raw.loops.map((l) => loopFacts(f, l)));
  }

  get accesses(): VariantFacts['accesses'] {
    return this.once('accesses', (f) => this.raw.accesses.map((a) => accessFacts(f, a)));
  }

  get atomics(): VariantFacts['atomics'] {
    return this.once('atomics', (f) => this.raw.atomics.map((a) => atomicFacts(f, a)));
  }

  get barriers(): VariantFacts['barriers'] {
    return this.once('barriers', (f) => this.raw.barriers.flatMap((b) => barrierFacts(f, b) ?? []));
  }

  get fences(): VariantFacts['fences'] {
    return this.once('fences', (f) => this.raw.fences.map((b) => ({ ...located(f, b), name: b.name, scope: b.scope })));
  }

  get shuffles(): VariantFacts['shuffles'] {
    return this.once('shuffles', (f) => this.raw.shuffles.map((s) => shuffleFacts(f, s)));
  }

  get divisions(): VariantFacts['divisions'] {
    return this.once('divisions', (f) => this.raw.divisions.map((d) => new Division(f, d)));
  }

  get literals(): VariantFacts['literals'] {
    return this.once('literals', (f) => this.raw.literals.map((l) => new Literal(f, l)));
  }

  get arrays(): VariantFacts['arrays'] {
    return this.once('arrays', (f) => declaredInside(this.raw).map((o) => arrayFacts(f, o, this.raw)));
  }

  get hazards(): VariantFacts['hazards'] {
    return this.once('hazards', (f) =>
      hazardsOf(f.c, this.raw)
        .filter((h) => happens(f.c, h))
        .map((h) => hazardFacts(f, h)),
    );
  }

  get structureArrays(): VariantFacts['structureArrays'] {
    return this.once('structureArrays', () => structureArraysOf(this.accesses));
  }

  get staticSharedBytes(): number | undefined {
    return staticSharedBytes(declaredInside(this.raw));
  }
}

/** A child launch stands where the facts with the same order stand. */
export function childLaunchFacts(f: Finisher, moment: Moment, launch: LaunchFacts): VariantFacts['childLaunches'][number] {
  return { ...located(f, moment), launch };
}

/** Shared arrays, and those of a thread. */
function declaredInside({ objects }: RawFacts): MemoryObject[] {
  return [...objects.values()].filter((o) => (o.space === 'shared' || o.space === 'local') && o.declaredAt);
}

function staticSharedBytes(objects: readonly MemoryObject[]): number | undefined {
  let sum = 0;
  for (const { space, dynamicShared, type } of objects) {
    if (space !== 'shared' || dynamicShared) continue;
    const size = sizeOf(type);
    if (size === undefined) return undefined;
    sum += size;
  }
  return sum;
}

function barrierFacts(f: Finisher, b: RawBarrier): BarrierFacts | undefined {
  const { scope } = b;
  if (scope === 'unknown') return undefined;
  return { ...located(f, b), name: b.name, scope, mask: b.mask && valueFacts(f, b.mask), tileSize: b.tileSize };
}

function shuffleFacts(f: Finisher, s: RawShuffle): ShuffleFacts {
  return {
    ...located(f, s),
    name: s.name,
    maskIsActive: s.maskIsActive,
    resultUsed: s.resultUsed,
    mask: s.mask && valueFacts(f, s.mask),
    operand: s.operand && valueFacts(f, s.operand),
    selector: s.selector && valueFacts(f, s.selector),
    get selectors() {
      return selectorsOf(f, s);
    },
    width: s.width && valueFacts(f, s.width),
    tileSize: s.tileSize,
  };
}

function arrayFacts(f: Finisher, o: MemoryObject, { escaped, dynamic }: RawFacts): ArrayFacts {
  return {
    object: objectFacts(f, o),
    place: o.declaredAt!,
    bytes: sizeOf(o.type),
    dimPlaces: o.dimPlaces ?? [],
    constantsAt: o.constantsAt,
    escapes: escaped.has(o.id),
    dynamicIndex: dynamic.get(o.id)?.some((form) => !isUnrollable(form)) === true,
  };
}

function hazardFacts(f: Finisher, h: Hazard): HazardFacts {
  return {
    write: { place: h.write.place, object: objectFacts(f, h.write.object) },
    read: accessFacts(f, h.read),
    scope: h.scope,
    first: h.first,
    nextIteration: h.nextIteration,
  };
}

function located(f: Finisher, m: Moment) {
  return {
    place: m.place,
    order: m.order,
    get control() {
      return controlFacts(f, m.path, m.loops);
    },
    functionName: m.functionName,
    callSite: m.callSite,
    epoch: m.epoch,
  };
}

/** Of facts of which a kernel has many. */
class Located {
  protected readonly f: Finisher;
  private readonly m: Moment;

  constructor(f: Finisher, m: Moment) {
    this.f = f;
    this.m = m;
  }

  get place(): Moment['place'] {
    return this.m.place;
  }

  get order(): number {
    return this.m.order;
  }

  get control(): ControlFacts {
    return controlFacts(this.f, this.m.path, this.m.loops);
  }

  get functionName(): string {
    return this.m.functionName;
  }

  get callSite(): Moment['callSite'] {
    return this.m.callSite;
  }

  get epoch(): number {
    return this.m.epoch;
  }
}

class Division extends Located implements DivisionFacts {
  readonly operator: '/' | '%';
  readonly dividend: ValueFacts;
  readonly divisor: ValueFacts;
  readonly divisorPowerOfTwo: boolean | undefined;
  private readonly d: RawDivision;

  constructor(f: Finisher, d: RawDivision) {
    super(f, d);
    this.d = d;
    this.operator = d.operator;
    this.dividend = valueFacts(f, d.dividend);
    this.divisor = valueFacts(f, d.divisor);
    const v = this.divisor.constant;
    this.divisorPowerOfTwo = v === undefined ? undefined : v > 0 && Number.isInteger(Math.log2(v));
  }

  get loopInvariant(): boolean {
    const { dividend, divisor, loops } = this.d;
    return [dividend, divisor].every(({ form }) => isInvariant(form, loops.at(-1)));
  }
}

class Literal extends Located implements LiteralFacts {
  readonly value: number;
  readonly promotesFloat: boolean;
  readonly expanded: boolean;

  constructor(f: Finisher, l: RawLiteral) {
    super(f, l);
    this.value = l.value;
    this.promotesFloat = l.promotesFloat;
    this.expanded = l.expanded;
  }

  get text(): string {
    return this.f.textOf(this.place);
  }
}

function controlFacts(f: Finisher, path: readonly PathStep[], loops: readonly RawLoop[]): ControlFacts {
  const byLoops = f.controls.get(path) ?? new Map<readonly RawLoop[], ControlFacts>();
  f.controls.set(path, byLoops);
  const known = byLoops.get(loops);
  if (known) return known;
  const facts = new Control(f, path, loops);
  byLoops.set(loops, facts);
  return facts;
}

/** What is asked of few places is computed for these alone. */
class Control implements ControlFacts {
  readonly branches: ControlFacts['branches'];
  readonly loops: readonly LoopFacts[];
  private readonly f: Finisher;
  private readonly path: readonly PathStep[];
  private readonly rawLoops: readonly RawLoop[];
  private single: SingleThread | undefined;
  private divided: boolean | undefined;
  private choosing: boolean | undefined;
  private lanes: { readonly active: number | undefined } | undefined;

  constructor(f: Finisher, path: readonly PathStep[], loops: readonly RawLoop[]) {
    this.f = f;
    this.path = path;
    this.rawLoops = loops;
    this.branches = path.map((s) => ({ branch: branchFacts(f, s.branch), side: s.side }));
    this.loops = loops.map((l) => loopFacts(f, l));
  }

  get activeLanes(): number | undefined {
    this.lanes ??= { active: lanesOfFirstWarp(this.f, this.path) };
    return this.lanes.active;
  }

  get oneThreadPerBlock(): boolean {
    this.single ??= singleThread(this.f, this.path, this.rawLoops);
    return this.single.oneThreadPerBlock;
  }

  get oneThreadPerWarp(): boolean {
    this.single ??= singleThread(this.f, this.path, this.rawLoops);
    return this.single.oneThreadPerWarp;
  }

  get dividedByData(): boolean {
    this.divided ??= this.path.some((s) => dividesByData(this.f, s));
    return this.divided;
  }

  get choosesBlocks(): boolean {
    this.choosing ??= choosesBlocks(this.path);
    return this.choosing;
  }
}

function lanesOfFirstWarp(f: Finisher, path: readonly PathStep[]): number | undefined {
  if (path.some((s) => s.branch.condition.form.data || s.branch.condition.form.unknown)) return undefined;
  return countLanes(activeLanes(f.c, sampleOf(f.c, 0, 0), path, 0) ?? 0);
}

/** After `if (data) return;` the rest is not a side of its own. */
function dividesByData(f: Finisher, { branch, side }: PathStep): boolean {
  if (branch.kind === 'loop-exit' || branch.kind === 'logical' || !branch.condition.form.data) return false;
  if ((side === 'then' ? branch.otherLeaves : branch.leaves) !== undefined) return false;
  if (holdsMostLanes(branch.condition.form, side)) return false;
  const facts = branchFacts(f, branch);
  return facts.splits.kind === 'data' && facts.predicated === 'no';
}

/** The side of those that do not equal something. */
function holdsMostLanes(condition: Form, side: PathStep['side']): boolean {
  return condition.f === 'op' && condition.op === (side === 'then' ? '!=' : '==');
}

type SingleThread = Pick<ControlFacts, 'oneThreadPerBlock' | 'oneThreadPerWarp'>;

function singleThread(f: Finisher, path: readonly PathStep[], loops: readonly RawLoop[]): SingleThread {
  const constrained = path.some((s) => s.branch.condition.form.lane);
  if (!constrained) {
    const alone = f.spec.blockKnown && f.spec.block[0] * f.spec.block[1] * f.spec.block[2] === 1;
    return { oneThreadPerBlock: alone, oneThreadPerWarp: alone };
  }
  const forms = path.flatMap((s) => conjuncts(sideForm(s)));
  if (forms.some((form) => elects(f, form, f.c.warps))) return { oneThreadPerBlock: true, oneThreadPerWarp: true };
  const elected = forms.some((form) => elects(f, form, 1));
  let oneThreadPerBlock = true;
  let oneThreadPerWarp = true;
  for (const iterations of iterationsOf(f.c, pathForms(path), loops, 0, 0)) {
    let inBlock = 0;
    for (let warp = 0; warp < f.c.warps; warp++) {
      const lanes = countLanes(activeLanes(f.c, sampleOf(f.c, warp, 0, iterations), path, warp) ?? 0);
      inBlock += lanes;
      if (lanes > 1) oneThreadPerWarp = false;
    }
    if (inBlock > 1) oneThreadPerBlock = false;
    if (!oneThreadPerWarp) break;
  }
  return { oneThreadPerBlock, oneThreadPerWarp: oneThreadPerWarp || elected };
}

/** `lane == leader`: values that differ in all threads of the first warps against one that these threads share. */
function elects(f: Finisher, form: Form, warps: number): boolean {
  const isNegated = form.f === 'op' && form.op === '!';
  const comparison = isNegated ? form.args[0] : form;
  if (comparison.f !== 'op' || comparison.op !== (isNegated ? '!=' : '==')) return false;
  const { args } = comparison;
  return [args, [...args].reverse()].some(([x, y]) => {
    if (!x.lane || x.data || x.unknown || (y.lane && (warps > 1 || dataVaries(y, sampleOf(f.c, 0, 0))))) return false;
    const values = new Set<number>();
    for (let warp = 0; warp < warps; warp++) {
      const value = sampleOf(f.c, warp, 0).value(x);
      for (let lane = 0; lane < LANES; lane++) values.add(laneOf(value, lane));
    }
    return values.size === LANES * warps;
  });
}

/** A condition on the block's index that is no bounds guard, such as `blockIdx.x == 0` or `i == 0`. */
function choosesBlocks(path: readonly PathStep[]): boolean {
  return path.some((s) => conjuncts(sideForm(s)).some((form) => form.block && !isBoundsGuard(form)));
}

function branchFacts(f: Finisher, b: RawBranch): BranchFacts {
  let facts = f.branches.get(b);
  if (!facts) {
    facts = new Branch(f, b);
    f.branches.set(b, facts);
  }
  return facts;
}

class Branch extends Located implements BranchFacts {
  readonly kind: BranchFacts['kind'];
  readonly condition: ValueFacts;
  readonly headPlace: BranchFacts['headPlace'];
  readonly thenCost: number;
  readonly elseCost: number;
  readonly thenHeavy: boolean;
  readonly elseHeavy: boolean;
  readonly exits: BranchFacts['exits'];
  readonly leaves: BranchFacts['leaves'];
  readonly otherLeaves: BranchFacts['otherLeaves'];
  readonly loopInside: boolean;
  readonly barrierInside: boolean;
  readonly predicated: BranchFacts['predicated'];
  private readonly b: RawBranch;
  private knownSplits: BranchFacts['splits'] | undefined;

  constructor(f: Finisher, b: RawBranch) {
    super(f, b);
    this.b = b;
    this.kind = b.kind;
    this.condition = valueFacts(f, b.condition);
    this.headPlace = b.headPlace;
    this.thenCost = b.thenCost;
    this.elseCost = b.elseCost;
    this.thenHeavy = b.thenHeavy;
    this.elseHeavy = b.elseHeavy;
    this.exits = b.exits;
    this.leaves = b.leaves;
    this.otherLeaves = b.otherLeaves;
    this.loopInside = b.loopInside === true;
    this.barrierInside = b.barrierInside;
    this.predicated = predicationOf(b, f.run.machine.cost);
  }

  get hangsOnAssumedShape(): boolean {
    return !this.f.spec.blockKnown && usesOtherAxes(this.b.condition.form);
  }

  get serialLoop(): boolean {
    return this.loopInside && this.f.run.machine.facts.loops.some((l) => isSerial(this.f, l, this.b));
  }

  get decidedBy(): readonly number[] {
    return [...dataSources(this.b.condition.form)];
  }

  get exceptional(): boolean {
    return isExceptional(this.b.condition.form, this.b.exits !== undefined);
  }

  // A switch splits where the value that selects differs.
  get splits(): BranchFacts['splits'] {
    const { kind, condition, path, loops } = this.b;
    this.knownSplits ??= kind === 'switch' ? switchSplit(this.f, this.b) : classify(this.f.c, condition.form, path, loops);
    return this.knownSplits;
  }
}

/** Rounds of a loop that adds up what the eight warps of a block left: not worth sharing out. */
const FEW_ROUNDS = 8;
/** For a number of rounds that only a run knows. */
const MANY_ROUNDS = 64;

/** Waiting for a lock or a flag on behalf of all is no work. */
function isSerial(f: Finisher, l: RawLoop, under: RawBranch): boolean {
  if (!l.path.some((s) => s.branch === under && s.side === 'then')) return false;
  const { control, trips, retries, spinsOn } = loopFacts(f, l);
  return !retries && !spinsOn && control.oneThreadPerBlock && (trips ?? MANY_ROUNDS) > FEW_ROUNDS;
}

function switchSplit(f: Finisher, b: RawBranch): BranchFacts['splits'] {
  const { form } = b.condition;
  const split = classify(f.c, form, b.path, b.loops);
  if (split.kind === 'none' || split.kind === 'data' || split.kind === 'unknown') return split;
  let warps = 0;
  let splitWarps = 0;
  for (let warp = 0; warp < f.c.warps; warp++) {
    const sample = sampleOf(f.c, warp, 0);
    const active = activeLanes(f.c, sample, b.path, warp);
    if (active === undefined) continue;
    warps++;
    const value = sample.value(form);
    if (!allEqual(value)) splitWarps++;
  }
  return splitWarps === 0 ? { kind: 'none' } : { kind: 'lanes', levels: [{ warps, splitWarps, thenLanes: LANES / 2 }] };
}

function loopFacts(f: Finisher, l: RawLoop): LoopFacts {
  let facts = f.loops.get(l);
  if (!facts) {
    facts = new Loop(f, l);
    f.loops.set(l, facts);
  }
  return facts;
}

class Loop extends Located implements LoopFacts {
  readonly kind: LoopFacts['kind'];
  readonly headPlace: LoopFacts['headPlace'];
  readonly condition: ValueFacts | undefined;
  readonly containsBarrier: boolean;
  readonly unrolled: boolean;
  readonly bodyCost: number;
  private readonly l: RawLoop;
  private knownTrips: { readonly trips: number | undefined } | undefined;
  private knownDivergence: Pick<LoopFacts, 'divergence' | 'laneTrips'> | undefined;
  private knownStride: LoopFacts['strided'] | undefined;

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

  get divergence(): LoopFacts['divergence'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.divergence;
  }

  get laneTrips(): LoopFacts['laneTrips'] {
    this.knownDivergence ??= loopDivergence(this.f, this.l);
    return this.knownDivergence.laneTrips;
  }

  get strided(): LoopFacts['strided'] {
    this.knownStride ??= stridedBy(this.f, this.l);
    return this.knownStride;
  }

  get spinsOn(): AccessFacts | undefined {
    return spins(this.f, this.l);
  }

  get retries(): LoopFacts['retries'] {
    return retriesOf(this.f, this.l);
  }
}

/** A loop that waits: its condition loads from an address that no iteration changes, and nothing in it advances. */
function spins(f: Finisher, l: RawLoop): AccessFacts | undefined {
  const { spins: load, shape } = l;
  if (
    !load ||
    l.kind === 'for' ||
    (shape.condition && dependsOnLoop(shape.condition, shape)) ||
    dependsOnLoop(load.offset, shape) ||
    l.bodyCost > 15
  )
    return undefined;
  return accessFacts(f, load);
}

function retriesOf(f: Finisher, l: RawLoop): LoopFacts['retries'] {
  if (l.kind === 'for' || !l.shape.condition?.data) return undefined;
  const isRepeated = (a: RawAtomic) => a.loops.at(-1) === l && a.resultUsed && !dependsOnLoop(a.offset, l.shape);
  const atomic = f.run.machine.facts.atomics.find((a) => /^atomic(CAS|Exch)/.test(a.name) && isRepeated(a));
  if (!atomic) return undefined;
  const constants = atomic.operands.map(({ form }) => form.f === 'const');
  if (constants.every(Boolean)) return { atomic: atomic.name, kind: 'lock', sameAddress: sameAddress(f, atomic) };
  return constants[0] ? undefined : { atomic: atomic.name, kind: 'update', sameAddress: sameAddress(f, atomic) };
}

function reach(f: Finisher, a: RawAccess, innermost: RawLoop): number | undefined {
  if (a.offset.unknown || a.offset.data || !dependsOnLoop(a.offset, innermost.shape)) return undefined;
  const base = sampleOf(f.c, 0, 0);
  const first = laneOf(base.value(a.offset), 0);
  let furthest = 0;
  for (let k = 1; k <= 16; k++) {
    const at = base.at(innermost.shape, k);
    const { condition } = innermost.shape;
    if (condition && !condition.data && !condition.unknown && laneOf(at.value(condition), 0) === 0) break;
    furthest = Math.max(furthest, Math.abs(laneOf(at.value(a.offset), 0) - first));
  }
  return furthest;
}

function constantTrips(f: Finisher, l: RawLoop): number | undefined {
  const { condition } = l.shape;
  if (!condition || condition.lane || condition.data || condition.unknown || condition.symbolic) return undefined;
  const trips = tripCounts(l.shape, sampleOf(f.c, 0, 0), 1024);
  return typeof trips === 'number' ? trips : undefined;
}

function loopDivergence(f: Finisher, l: RawLoop): Pick<LoopFacts, 'divergence' | 'laneTrips'> {
  const { condition } = l.shape;
  if (!condition?.lane) return { divergence: 'none' };
  if (condition.unknown) return { divergence: 'unknown' };
  if (condition.data) return { divergence: [0, 1].every((seed) => dataVaries(condition, sampleOf(f.c, 0, seed))) ? 'data' : 'none' };
  if (computesItsEnd(condition, l.shape)) return { divergence: 'computed' };
  if (isBoundsGuard(condition)) return { divergence: 'guard' };
  if (dependsOnBreak(condition)) return { divergence: 'unknown' };
  const trips = tripCounts(l.shape, sampleOf(f.c, 0, 0), 256);
  if (trips === undefined) return { divergence: 'unknown' };
  if (allEqual(trips)) return { divergence: 'none' };
  const list = perLane((lane) => laneOf(trips, lane));
  return { divergence: 'lanes', laneTrips: [Math.min(...list), Math.max(...list)] };
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
  }
  return 'no';
}

function typeFacts(f: Finisher, type: Type): TypeFacts {
  const known = f.types.get(type);
  if (known) return known;
  const kinds = {
    int: 'integer',
    float: 'float',
    bool: 'bool',
    void: 'void',
    pointer: 'pointer',
    array: 'pointer',
    struct: 'struct',
    unknown: 'unknown',
  } as const;
  const element = type.t === 'pointer' ? type.to : type.t === 'array' ? type.of : undefined;
  const facts: TypeFacts = {
    name: type.name,
    kind: kinds[type.t],
    size: sizeOf(type),
    unsigned: type.t === 'int' && type.unsigned,
    vector: isVector(type),
    volatile: false,
    isConst: false,
    element: element && typeFacts(f, element),
  };
  f.types.set(type, facts);
  return facts;
}

function valueFacts(f: Finisher, v: RawValue): ValueFacts {
  return new Value(f, v);
}

/** Computed when asked for: most values are never asked most questions. */
class Value implements ValueFacts {
  private readonly f: Finisher;
  private readonly v: RawValue;
  private knownUniformity: Uniformity | undefined;
  private knownLanes: readonly number[] | null | undefined;
  private knownSplitsBlock: boolean | undefined;

  constructor(f: Finisher, v: RawValue) {
    this.f = f;
    this.v = v;
  }

  get text(): string {
    return this.f.textOf(this.v.place);
  }

  get place(): ValueFacts['place'] {
    return this.v.place;
  }

  get uniformity(): Uniformity {
    this.knownUniformity ??= uniformity(this.f, this.v.form);
    return this.knownUniformity;
  }

  get fromMemory(): boolean {
    return this.v.form.data;
  }

  get unknown(): boolean {
    return this.v.form.unknown;
  }

  get perBlock(): boolean {
    return this.v.form.block;
  }

  get splitsBlock(): boolean {
    this.knownSplitsBlock ??= splitsBlock(this.f, this.v.form);
    return this.knownSplitsBlock;
  }

  get operator(): string | undefined {
    return this.v.form.f === 'op' ? this.v.form.op : undefined;
  }

  get constant(): number | undefined {
    return this.v.form.f === 'const' ? this.v.form.v : undefined;
  }

  get lanes(): readonly number[] | undefined {
    if (this.knownLanes === undefined) this.knownLanes = lanesOf(this.f, this.v.form) ?? null;
    return this.knownLanes ?? undefined;
  }

  get type(): TypeFacts {
    return typeFacts(this.f, this.v.type);
  }
}

function isInvariant(form: Form, loop: RawLoop | undefined): boolean {
  return loop === undefined || (!form.data && !form.unknown && !dependsOnLoop(form, loop.shape));
}

function lanesOf(f: Finisher, form: Form): number[] | undefined {
  if (!form.lane || form.data || form.unknown || form.symbolic) return undefined;
  const value = sampleOf(f.c, 0, 0).value(form);
  return perLane((lane) => laneOf(value, lane));
}

function selectorsOf(f: Finisher, { selector, loops }: RawShuffle): number[][] | undefined {
  const form = selector?.form;
  if (!form || form.data || form.unknown) return undefined;
  const inSample = (seed: number) =>
    iterationsOf(f.c, [form], loops, seed, 0).map((iteration) => {
      const value = sampleOf(f.c, 0, seed, iteration).value(form);
      return perLane((lane) => laneOf(value, lane));
    });
  const rounds = inSample(0);
  if (rounds.some((lanes) => lanes.some(Number.isNaN))) return undefined;
  // A parameter decides: not the same in samples that give it different values.
  return form.symbolic && JSON.stringify(inSample(1)) !== JSON.stringify(rounds) ? undefined : rounds;
}

function uniformity(f: Finisher, form: Form): Uniformity {
  if (form.f === 'const') return 'constant';
  if (!form.lane) return form.block ? 'block' : 'grid';
  if (form.unknown) return 'lane';
  for (const seed of [0, 1]) {
    const sample = sampleOf(f.c, seed === 0 ? 0 : Math.min(1, f.c.warps - 1), seed);
    if (!allEqual(sample.value(form)) || dataVaries(form, sample)) return 'lane';
  }
  return 'warp';
}

function splitsBlock(f: Finisher, form: Form): boolean {
  if (!form.lane || form.data || form.unknown) return false;
  const first = laneOf(sampleOf(f.c, 0, 0).value(form), 0);
  for (let warp = 0; warp < f.c.warps; warp++) {
    const value = sampleOf(f.c, warp, 0).value(form);
    if (!allEqual(value) || laneOf(value, 0) !== first) return true;
  }
  return false;
}

function objectFacts(f: Finisher, o: MemoryObject): ObjectFacts {
  const known = f.objects.get(o);
  if (known) return known;
  const dims: (number | undefined)[] = [];
  let type = o.type;
  for (; type.t === 'array'; type = type.of) dims.push(type.n);
  const facts: ObjectFacts = {
    id: o.id,
    name: o.name,
    space: o.space,
    declaredAt: o.declaredAt,
    element: typeFacts(f, type),
    dims: dims.length > 0 ? dims : undefined,
    volatile: o.volatile,
    restricted: o.restricted === true,
    dynamicShared: o.dynamicShared,
  };
  f.objects.set(o, facts);
  return facts;
}

const LONG: Type = { t: 'int', name: 'long', size: 8, unsigned: false };

function accessFacts(f: Finisher, a: RawAccess): AccessFacts {
  let access = f.accesses.get(a);
  if (!access) {
    access = new Access(f, a);
    f.accesses.set(a, access);
  }
  return access;
}

/** Patterns are computed when a rule asks for them. */
class Access extends Located implements AccessFacts {
  readonly kind: 'load' | 'store';
  readonly readModifyWrite: boolean;
  readonly volatile: boolean;
  readonly object: ObjectFacts;
  readonly type: TypeFacts;
  readonly offset: ValueFacts;
  private readonly a: RawAccess;
  private memo: Map<string, unknown> | undefined;

  constructor(f: Finisher, a: RawAccess) {
    super(f, a);
    this.a = a;
    this.kind = a.kind;
    this.readModifyWrite = a.readModifyWrite;
    this.volatile = a.volatile;
    this.object = objectFacts(f, a.object);
    this.type = typeFacts(f, a.type);
    this.offset = valueFacts(f, { form: a.offset, type: LONG, place: a.place });
  }

  private once<T>(key: string, compute: () => T): T {
    this.memo ??= new Map();
    if (!this.memo.has(key)) this.memo.set(key, compute());
    return this.memo.get(key) as T;
  }

  get field(): AccessFacts['field'] {
    const { field } = this.a;
    return field && { name: field.name, structure: typeFacts(this.f, field.structure) };
  }

  get text(): string {
    return this.f.textOf(this.a.place);
  }

  get index(): ValueFacts | undefined {
    const { index } = this.a;
    return index && this.once('index', () => valueFacts(this.f, index));
  }

  get value(): ValueFacts | undefined {
    const { value } = this.a;
    return value && this.once('value', () => valueFacts(this.f, value));
  }

  get global(): AccessFacts['global'] {
    return this.a.object.space === 'global' ? this.once('global', () => globalPattern(this.f.c, this.a)) : undefined;
  }

  get shared(): AccessFacts['shared'] {
    return this.a.object.space === 'shared' ? this.once('shared', () => sharedFacts(this.f, this.a)) : undefined;
  }

  get kept(): boolean {
    return this.once('kept', () => isKept(this.f.c, this.a, this.f.run.machine.facts));
  }

  get sameAddress(): AccessFacts['sameAddress'] {
    return this.once('sameAddress', () => sameAddress(this.f, this.a));
  }

  get laneOffsets(): readonly number[] | undefined {
    return this.once('laneOffsets', () => elementIndices(this.f, this.a));
  }

  get loopInvariant(): boolean {
    const innermost = this.a.loops[this.a.loops.length - 1];
    return innermost === undefined || !dependsOnLoop(this.a.offset, innermost.shape);
  }

  get startBytes(): number | undefined {
    return this.a.object.space === 'global' ? this.once('startBytes', () => startBytes(this.f.c, this.a.offset)) : undefined;
  }

  get blockStrideBytes(): number | undefined {
    return this.once('blockStrideBytes', () => blockStride(this.f, this.a.offset));
  }

  get reachBytes(): number | undefined {
    const innermost = this.a.loops[this.a.loops.length - 1];
    return innermost && this.once('reachBytes', () => reach(this.f, this.a, innermost));
  }
}

function sharedFacts(f: Finisher, a: RawAccess): AccessFacts['shared'] {
  const alone = sharedPattern(f.c, a);
  // Only what conflicts can gain from going together with others.
  if (!alone || alone.ways <= 1) return alone;
  const wider = movedTogether(f.c, a, f.run.machine.facts.accesses);
  return wider ? sharedPattern(f.c, a, wider) : alone;
}

function blockStride(f: Finisher, offset: Form): number | undefined {
  const factor = blockCoefficient(offset);
  if (!factor || factor.lane || factor.data || factor.unknown || factor.symbolic || factor.loopDepth > 0) return undefined;
  return laneOf(sampleOf(f.c, 0, 0).value(factor), 0);
}

function usesOtherAxes(form: Form): boolean {
  if (form.f === 'thread') return form.axis !== 0;
  if (form.f === 'loop') return form.lane && form.loop.init.some((i) => i.f !== 'loop' && usesOtherAxes(i));
  return form.f === 'op' && form.args.some(usesOtherAxes);
}

function sameAddress(f: Finisher, a: { readonly offset: Form; readonly object: MemoryObject }): AccessFacts['sameAddress'] {
  const { offset, object } = a;
  if (offset.unknown) return 'unknown';
  if (!offset.lane) return object.space === 'shared' || object.space === 'local' || offset.block ? 'block' : 'grid';
  if (offset.data && dataVaries(offset, sampleOf(f.c, 0, 0))) return 'unknown';
  // How wide a block of assumed shape is decides which threads share a y.
  if (!f.spec.blockKnown && usesOtherAxes(offset)) return 'unknown';
  for (const seed of [0, 1]) if (!allEqual(sampleOf(f.c, 0, seed).value(offset))) return 'no';
  return 'warp';
}

function atomicFacts(f: Finisher, a: RawAtomic): AtomicFacts {
  const varies = a.offset.data && dataVaries(a.offset, sampleOf(f.c, 0, 0));
  let lanesPerAddress: number | undefined;
  if (!a.offset.unknown && !varies) {
    for (const seed of [0, 1]) {
      const sample = sampleOf(f.c, 0, seed);
      const active = activeLanes(f.c, sample, a.path, 0) ?? -1;
      const n = lanesAtOneAddress({ offsets: sample.value(a.offset), bytes: 4, active });
      lanesPerAddress = Math.min(lanesPerAddress ?? LANES, n);
    }
  }
  const integer = a.type.t === 'int';
  const same = sameAddress(f, a);
  return {
    ...located(f, a),
    name: a.name,
    object: objectFacts(f, a.object),
    type: typeFacts(f, a.type),
    text: f.textOf(a.place),
    offset: valueFacts(f, { form: a.offset, type: a.type, place: a.place }),
    resultUsed: a.resultUsed,
    operands: a.operands.map((o) => valueFacts(f, o)),
    sameAddress: same,
    lanesPerAddress,
    inRetryLoop: /^atomic(CAS|Exch)/.test(a.name) && a.loops.some((l) => l.kind !== 'for' || l.shape.condition?.data === true),
    aggregatedByCompiler:
      integer &&
      /^atomic(Add|Sub|Min|Max|And|Or|Xor|Inc|Dec)$/.test(a.name) &&
      (same === 'grid' || same === 'block') &&
      a.name !== 'atomicInc' &&
      a.name !== 'atomicDec',
  };
}

/** In elements, with every symbol at one typical value: comparable between accesses of a variant. */
function elementIndices(f: Finisher, a: RawAccess): number[] | undefined {
  const size = sizeOf(a.type);
  if (!size || a.offset.data || a.offset.unknown) return undefined;
  const value = sampleOf(f.c, 0, 0).value(a.offset);
  return perLane((lane) => laneOf(value, lane) / size);
}

/** Known once loops of constant trip counts are unrolled: made of constants and the counters of such loops. */
function isUnrollable(form: Form, seen = new Set<Form>()): boolean {
  if (form.f === 'const' || seen.has(form)) return true;
  seen.add(form);
  if (form.f === 'op') return form.args.every((a) => isUnrollable(a, seen));
  if (form.f !== 'loop' || form.after || form.symbolic) return false;
  const { condition } = form.loop;
  return (
    condition !== undefined && !condition.lane && !condition.symbolic && !condition.data && !condition.unknown && !form.lane && !form.data
  );
}
