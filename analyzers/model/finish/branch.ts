/** Branches: how they split warps, what their sides cost, and whether the compiler predicates them. */
import { comparesData, dataSources, hangsOnConstantData, isExceptional } from '../conditions.ts';
import { sampleOf } from '../context.ts';
import type { BranchFacts, ValueFacts } from '../facts.ts';
import { dependsOnLoop, type Form, type LoopShape } from '../form.ts';
import { predicationOf } from '../predication.ts';
import { classify, hasDataByThread, splitOfCases } from '../splits.ts';
import type { RawBranch, RawLoop } from '../values.ts';
import { usesOtherAxes } from './access.ts';
import type { Finisher } from './finisher.ts';
import { Located } from './located.ts';
import { valueFacts } from './value.ts';

export class Branch extends Located implements BranchFacts {
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
  private knownSplits: BranchFacts['splits'] | undefined = undefined;

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

  get dataByThread(): boolean {
    return hasDataByThread(this.b.condition.form, sampleOf(this.f.c, 0, 0));
  }

  get byConstantData(): boolean {
    return hangsOnConstantData(this.b.condition.form, this.f.run.machine.facts);
  }

  get comparesData(): boolean {
    return comparesData(this.b.condition.form);
  }

  get exceptional(): boolean {
    return isExceptional(this.b.condition.form, this.b.exits !== undefined) || countsErrors(this.f, this.b);
  }

  // A switch splits where the value that selects differs.
  get splits(): BranchFacts['splits'] {
    const { kind, condition, path, loops } = this.b;
    this.knownSplits ??= kind === 'switch' ? switchSplit(this.f, this.b) : classify(this.f.c, condition.form, path, loops);
    return this.knownSplits;
  }
}

/** `if (v[i] != expected) atomicAdd(errors, 1);` */
function countsErrors({ run }: Finisher, under: RawBranch): boolean {
  const isInside = ({ path }: { readonly path: RawBranch['path'] }) => path.some(({ branch, side }) => branch === under && side === 'then');
  return run.machine.facts.atomics.some((atomic) => isInside(atomic) && ERRORS.test(atomic.object.name));
}

const ERRORS = /err|fail|mismatch|wrong|invalid/i;

/** Rounds of a loop that adds up what the warps of a block left: not worth sharing out. */
const FEW_ROUNDS = 16;

/** For a number of rounds that only a run knows. */
const MANY_ROUNDS = 64;

/** Waiting for a lock or a flag on behalf of all is no work. */
function isSerial(f: Finisher, l: RawLoop, under: RawBranch): boolean {
  if (!l.path.some((s) => s.branch === under && s.side === 'then')) return false;
  const { control, trips, retries, spinsOn } = f.loop(l);
  if (retries || spinsOn || countsBits(l.shape) || (trips === undefined && (asksAnAtomic(f, l) || polls(f, l)))) return false;
  return control.oneThreadPerBlock && (trips ?? MANY_ROUNDS) > FEW_ROUNDS;
}

/** `while (n >> bits) bits++`, `for (k = 1; k < n; k *= 2)`: no more rounds than a number has bits. */
function countsBits(loop: LoopShape): boolean {
  const isCounter = (form: Form) => form.f === 'loop' && form.loop === loop;
  const isDoubled = (form: Form | undefined) => form?.f === 'op' && /^(\*|\/|<<|>>)$/.test(form.op) && form.args.some(isCounter);
  return loop.next.some(isDoubled) || (loop.condition !== undefined && shiftsBy(loop.condition, isCounter));
}

function shiftsBy(form: Form, isCounter: (form: Form) => boolean): boolean {
  if (form.f !== 'op') return false;
  return (/^(<<|>>)$/.test(form.op) && isCounter(form.args[1])) || form.args.some((a) => shiftsBy(a, isCounter));
}

/** `while (atomicAdd(&flag, 0) == 0);` */
function asksAnAtomic({ run }: Finisher, loop: RawLoop): boolean {
  return run.machine.facts.atomics.some(({ loops, resultUsed }) => resultUsed && loops.at(-1) === loop);
}

/** `do { state = flags[block]; } while (state < 0);` */
function polls({ run }: Finisher, loop: RawLoop): boolean {
  const { accesses } = run.machine.facts;
  const inside = accesses.filter(({ loops }) => loops.includes(loop));
  const isGlobal = inside.length > 0 && inside.every(({ kind, object }) => kind === 'load' && object.space !== 'shared');
  return isGlobal && loop.kind !== 'for' && loop.bodyCost <= POLLING && inside.every(({ offset }) => !dependsOnLoop(offset, loop.shape));
}

/** Instructions of a loop that asks and does no work. */
const POLLING = 15;

function switchSplit(f: Finisher, b: RawBranch): BranchFacts['splits'] {
  const { form } = b.condition;
  const split = classify(f.c, form, b.path, b.loops);
  if (split.kind === 'none' || split.kind === 'data' || split.kind === 'unknown') return split;
  const [level, other] = [0, 1].map((seed) => splitOfCases(f.c, form, b.path, b.cases ?? [], seed));
  if (!level || !other || level.ways !== other.ways) return { kind: 'unknown' };
  if (level.splitWarps === 0) return { kind: 'none' };
  // A case for one thread, as the first one of each warp.
  const isLeader = level.ways === 2 && level.thenLanes === 1;
  return { kind: isLeader ? 'leader' : 'lanes', levels: [level] };
}
