/** Branches: how they split warps, what their sides cost, and whether the compiler predicates them. */
import { comparesData, dataSources, isExceptional, restrictionsOf } from '../conditions.ts';
import { blockSampleOf } from '../context.ts';
import type { BranchFacts, ValueFacts } from '../facts.ts';
import { predicationOf } from '../predication.ts';
import { allEqual, LANES } from '../rows.ts';
import { activeInBlock, classify } from '../splits.ts';
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
  if (retries || spinsOn || (trips === undefined && asksAnAtomic(f, l))) return false;
  return control.oneThreadPerBlock && (trips ?? MANY_ROUNDS) > FEW_ROUNDS;
}

/** `while (atomicAdd(&flag, 0) == 0);` */
function asksAnAtomic({ run }: Finisher, loop: RawLoop): boolean {
  return run.machine.facts.atomics.some(({ loops, resultUsed }) => resultUsed && loops.at(-1) === loop);
}

function switchSplit(f: Finisher, b: RawBranch): BranchFacts['splits'] {
  const { form } = b.condition;
  const split = classify(f.c, form, b.path, b.loops);
  if (split.kind === 'none' || split.kind === 'data' || split.kind === 'unknown') return split;
  let warps = 0;
  let splitWarps = 0;
  const sample = blockSampleOf(f.c, 0);
  const value = sample.value(form);
  for (const [warp, active] of activeInBlock(f.c, sample, restrictionsOf(f.c.memos, b.path)).entries()) {
    if (active === 0) continue;
    warps++;
    if (!allEqual(value, sample.placeOf(warp))) splitWarps++;
  }
  return splitWarps === 0 ? { kind: 'none' } : { kind: 'lanes', levels: [{ warps, splitWarps, thenLanes: LANES / 2 }] };
}
