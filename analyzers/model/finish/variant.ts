/** A variant of a kernel as rules see it: the lists of its facts, made when a rule asks for one. */
import { betweenBlocks } from '../between-blocks.ts';
import { outsideAccess } from '../bounds.ts';
import { conflictsOf } from '../conflicts.ts';
import { iterationsOf, sampleOf } from '../context.ts';
import type {
  ArrayFacts,
  BarrierFacts,
  DivisionFacts,
  GeneratorCallFacts,
  HazardFacts,
  KernelFacts,
  LaunchFacts,
  LiteralFacts,
  OutsideFacts,
  PastTheEndFacts,
  ShuffleFacts,
  ValueFacts,
  VariantFacts,
  WideningFacts,
} from '../facts.ts';
import { type Form, isAnotherInEach, isDecided } from '../form.ts';
import { type GuardedBarrier, guardedBarriers } from '../guarded-barriers.ts';
import { happens } from '../hazard-iterations.ts';
import { type Hazard, hazardsOf, unorderedCounts } from '../hazards.ts';
import { missedBy } from '../missed.ts';
import { type PastTheEnd, pastTheEnd } from '../past-the-end.ts';
import { productsOf } from '../products.ts';
import { laneOf, perLane } from '../rows.ts';
import { structureArraysOf } from '../structure-arrays.ts';
import { sizeOf, type Type } from '../types.ts';
import type {
  MemoryObject,
  Moment,
  RawAccess,
  RawBarrier,
  RawDivision,
  RawFacts,
  RawGeneratorCall,
  RawLiteral,
  RawShuffle,
  RawWidening,
} from '../values.ts';
import { atomicFacts } from './access.ts';
import type { Finisher, Lists } from './finisher.ts';
import { Located, located } from './located.ts';
import { isInvariant, typeFacts, valueFacts } from './value.ts';

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
    return this.once('parameters', (f) => f.run.parameters.map((p) => ({ name: p.name, type: f.type(p.type), place, value: p.value })));
  }

  get branches(): VariantFacts['branches'] {
    return this.once('branches', (f) => this.raw.branches.map((b) => f.branch(b)));
  }

  get loops(): VariantFacts['loops'] {
    return this.once('loops', (f) => this.raw.loops.map((l) => f.loop(l)));
  }

  get accesses(): VariantFacts['accesses'] {
    return this.once('accesses', (f) => this.raw.accesses.map((a) => f.access(a)));
  }

  get atomics(): VariantFacts['atomics'] {
    return this.once('atomics', (f) => this.raw.atomics.map((a) => atomicFacts(f, a)));
  }

  get barriers(): VariantFacts['barriers'] {
    return this.once('barriers', (f) => {
      const guarded = guardedBarriers(f.c, f.spec, this.raw);
      return this.raw.barriers.flatMap((b) => (b.scope === 'unknown' ? [] : new Barrier(f, b, b.scope, guarded.get(b))));
    });
  }

  get fences(): VariantFacts['fences'] {
    return this.once('fences', (f) => this.raw.fences.map((b) => ({ ...located(f, b), name: b.name, scope: b.scope })));
  }

  get shuffles(): VariantFacts['shuffles'] {
    return this.once('shuffles', (f) => this.raw.shuffles.map((s) => new Shuffle(f, s)));
  }

  get generatorCalls(): VariantFacts['generatorCalls'] {
    return this.once('generatorCalls', (f) => this.raw.generatorCalls.map((call) => generatorCallFacts(f, call)));
  }

  get divisions(): VariantFacts['divisions'] {
    return this.once('divisions', (f) => this.raw.divisions.map((d) => new Division(f, d)));
  }

  get widenings(): VariantFacts['widenings'] {
    return this.once('widenings', (f) => this.raw.widenings.map((w) => new Widening(f, w)));
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

  get unorderedCounts(): VariantFacts['unorderedCounts'] {
    return this.once('unorderedCounts', (f) =>
      unorderedCounts(f.c, this.raw).map(({ access, atomic: { place, name }, first }) => ({
        access: f.access(access),
        atomic: { place, name },
        first,
      })),
    );
  }

  get conflicts(): VariantFacts['conflicts'] {
    return this.once('conflicts', (f) => {
      const [x, y] = f.spec.block;
      const placeOf = (thread: number) => ({ x: thread % x, y: Math.floor(thread / x) % y, z: Math.floor(thread / (x * y)) });
      return conflictsOf(f.c, this.raw).map(({ write, other, threads: [a, b] }) => ({
        write: f.access(write),
        other: f.access(other),
        threads: [placeOf(a), placeOf(b)] as const,
      }));
    });
  }

  get blockConflicts(): VariantFacts['blockConflicts'] {
    return this.once('blockConflicts', (f) =>
      betweenBlocks(f.c, f.spec, this.raw).map(({ write, read, blocks }) => ({ write: f.access(write), read: f.access(read), blocks })),
    );
  }

  get structureArrays(): VariantFacts['structureArrays'] {
    return this.once('structureArrays', () => structureArraysOf(this.accesses));
  }

  get products(): VariantFacts['products'] {
    return this.once('products', (f) =>
      productsOf(f.c, this.raw.accesses).map(({ loop, a, b }) => ({
        loop: f.loop(loop),
        operands: [a, b].map(({ access, times }) => ({ access: f.access(access), times })),
      })),
    );
  }

  get outside(): VariantFacts['outside'] {
    return this.once('outside', (f) => this.raw.accesses.flatMap((a) => outsideFacts(f, a) ?? []));
  }

  get pastTheEnd(): VariantFacts['pastTheEnd'] {
    const { parameters } = this.f.run;
    return this.once('pastTheEnd', (f) =>
      pastTheEnd(
        f.c,
        f.spec,
        this.raw,
        parameters.map(({ name }) => name),
      ).map((found) => pastTheEndFacts(f, found)),
    );
  }

  get missed(): VariantFacts['missed'] {
    const parameters = this.f.run.parameters.map(({ name }) => name);
    const found = missedBy(this.f.spec, this.raw, parameters);
    return found && { guard: this.f.branch(found.guard), counts: found.counts };
  }

  get staticSharedBytes(): number | undefined {
    return staticSharedBytes(declaredInside(this.raw));
  }
}

function outsideFacts(f: Finisher, a: RawAccess): VariantFacts['outside'][number] | undefined {
  const found = outsideAccess(f.c, a, f.spec);
  return found && { access: f.access(a), ...elementsOf(a, found.offset, sizeOf(a.object.type)!), thread: threadAt(f, found.thread) };
}

function threadAt({ spec }: Finisher, t: number): VariantFacts['outside'][number]['thread'] {
  const [x, y] = spec.block;
  return { x: t % x, y: Math.floor(t / x) % y, z: Math.floor(t / (x * y)) };
}

/** An access at so many bytes from the start of an array of so many. `declared`: of its elements, of which the access may be to a field. */
function elementsOf(a: RawAccess, offset: number, bytes: number, declared = 0): Pick<OutsideFacts, 'element' | 'elements' | 'bytes'> {
  const moved = sizeOf(a.type)!;
  const size = a.field ? Math.max(moved, declared) : moved;
  // Through a pointer to another type an access may begin between elements.
  const isBetween = (size === moved && offset % size !== 0) || bytes % size !== 0;
  return {
    element: Math.floor(offset / size),
    elements: Math.floor(bytes / size),
    bytes: isBetween ? { first: offset, last: offset + moved - 1, count: bytes } : undefined,
  };
}

function pastTheEndFacts(f: Finisher, { access: raw, offset, bytes, thread, block: [x, y, z] }: PastTheEnd): PastTheEndFacts {
  const access = f.access(raw);
  const elements = elementsOf(raw, offset, bytes, sizeOf(raw.object.type));
  const isCount = (value: number | undefined) => value === elements.elements;
  const count = f.run.parameters.find(({ type, value }) => type.t === 'int' && isCount(value))?.name;
  const guards = access.control.branches.filter(({ branch, side }) => side === 'then' && branch.kind === 'if');
  const guard = guards.find(({ branch }) => new RegExp(`^\\w+\\s*<=\\s*${count}$`).test(branch.condition.text))?.branch.condition;
  return { access, ...elements, thread: threadAt(f, thread), block: { x, y, z }, count, guard };
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

function arrayFacts(f: Finisher, o: MemoryObject, { escaped, dynamic }: RawFacts): ArrayFacts {
  const dynamicIndices = (dynamic.get(o.id) ?? []).filter((form) => !isUnrollable(form)).length;
  return {
    object: f.object(o),
    place: o.declaredAt!,
    bytes: sizeOf(o.type),
    elementBytes: sizeOf(elementOf(o.type)),
    dimPlaces: o.dimPlaces ?? [],
    constantsAt: o.constantsAt,
    escapes: escaped.has(o.id),
    dynamicIndex: dynamicIndices > 0,
    dynamicIndices,
  };
}

function elementOf(type: Type): Type {
  return type.t === 'array' ? elementOf(type.of) : type;
}

function hazardFacts(f: Finisher, h: Hazard): HazardFacts {
  return {
    write: { place: h.write.place, order: h.write.order, object: f.object(h.write.object) },
    read: f.access(h.read),
    scope: h.scope,
    first: h.first,
    nextIteration: h.nextIteration,
  };
}

class Barrier extends Located implements BarrierFacts {
  readonly name: string;
  readonly scope: BarrierFacts['scope'];
  readonly mask: ValueFacts | undefined;
  readonly tileSize: number | undefined;
  readonly guarded: BarrierFacts['guarded'];

  constructor(f: Finisher, b: RawBarrier, scope: BarrierFacts['scope'], guarded: GuardedBarrier | undefined) {
    super(f, b);
    this.name = b.name;
    this.scope = scope;
    this.mask = b.mask && valueFacts(f, b.mask);
    this.tileSize = b.tileSize;
    this.guarded = guarded && guardedFacts(f, guarded);
  }
}

function guardedFacts(f: Finisher, { guard, block: [x, y, z], threads, kept }: GuardedBarrier): BarrierFacts['guarded'] {
  return { guard: f.branch(guard), block: { x, y, z }, threads, kept };
}

function generatorCallFacts(f: Finisher, call: RawGeneratorCall): GeneratorCallFacts {
  const { name, state, loops } = call;
  const innermost = loops.at(-1);
  return {
    ...located(f, call),
    name,
    space: state.object!.space,
    stateText: f.textOf(state.place).replace(/^&\s*/, ''),
    loopInvariant: innermost !== undefined && !hasUnknowns(state.form) && !isAnotherInEach(state.form, innermost.shape),
  };
}

/** Values of which not even the place where they come from is known: they may be other ones in each iteration. */
function hasUnknowns(form: Form): boolean {
  if (form.f === 'any') return form.address === undefined || hasUnknowns(form.address);
  return form.f === 'op' && form.args.some(hasUnknowns);
}

class Shuffle extends Located implements ShuffleFacts {
  readonly name: string;
  readonly maskIsActive: boolean;
  readonly picksActive: boolean;
  readonly resultUsed: boolean;
  readonly mask: ValueFacts | undefined;
  readonly operand: ValueFacts | undefined;
  readonly selector: ValueFacts | undefined;
  readonly width: ValueFacts | undefined;
  readonly tileSize: number | undefined;
  private readonly s: RawShuffle;

  constructor(f: Finisher, s: RawShuffle) {
    super(f, s);
    this.s = s;
    this.name = s.name;
    this.maskIsActive = s.maskIsActive;
    this.picksActive = s.picksActive;
    this.resultUsed = s.resultUsed;
    this.mask = s.mask && valueFacts(f, s.mask);
    this.operand = s.operand && valueFacts(f, s.operand);
    this.selector = s.selector && valueFacts(f, s.selector);
    this.width = s.width && valueFacts(f, s.width);
    this.tileSize = s.tileSize;
  }

  get selectors(): ShuffleFacts['selectors'] {
    return selectorsOf(this.f, this.s);
  }
}

class Division extends Located implements DivisionFacts {
  readonly operator: '/' | '%';
  readonly dividend: ValueFacts;
  readonly divisor: ValueFacts;
  readonly divisorElsewhere: boolean;
  readonly divisorFromLaunch: boolean;
  private readonly d: RawDivision;

  constructor(f: Finisher, d: RawDivision) {
    super(f, d);
    this.d = d;
    this.operator = d.operator;
    this.dividend = valueFacts(f, d.dividend);
    this.divisor = valueFacts(f, d.divisor);
    const { form } = d.divisor;
    const isGiven = ({ name, value }: { readonly name: string; readonly value?: number }) =>
      value !== undefined && name === this.divisor.text;
    this.divisorFromLaunch = d.callSite === undefined && f.run.parameters.some(isGiven);
    this.divisorElsewhere = form.f === 'symbol' && form.role === 'constant';
  }

  get loopInvariant(): boolean {
    const { dividend, divisor, loops } = this.d;
    return [dividend, divisor].every(({ form }) => isInvariant(form, loops.at(-1)));
  }
}

class Widening extends Located implements WideningFacts {
  readonly to: WideningFacts['to'];
  readonly product: WideningFacts['product'];
  readonly factors: readonly ValueFacts[];

  constructor(f: Finisher, w: RawWidening) {
    super(f, w);
    this.to = typeFacts(f, w.to);
    this.product = typeFacts(f, w.product);
    this.factors = w.factors.map((factor) => valueFacts(f, factor));
  }

  get text(): string {
    return this.f.textOf(this.place);
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

/** Known once loops of constant trip counts are unrolled: made of constants and the counters of such loops. */
function isUnrollable(form: Form, seen = new Set<Form>()): boolean {
  if (form.f === 'const' || seen.has(form)) return true;
  seen.add(form);
  if (form.f === 'op') return form.args.every((a) => isUnrollable(a, seen));
  if (form.f !== 'loop' || form.after || form.symbolic) return false;
  const { condition } = form.loop;
  return condition !== undefined && hasConstantLimit(condition) && !form.lane && !form.data;
}

/** `i < 4`, whatever else ends the loop. */
function hasConstantLimit(condition: Form): boolean {
  if (condition.f === 'op' && condition.op === '&&') return condition.args.some(hasConstantLimit);
  return condition.f === 'op' && condition.loopDepth > 0 && isDecided(condition);
}
