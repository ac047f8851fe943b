import type { Severity, Wording } from '../../protocol/finding.ts';
import { type BranchFacts, type LoopFacts, MAX_LEVELS, type SplitLevel, type VariantFacts } from '../model/facts.ts';
import { LANES } from '../model/rows.ts';
import type { Place } from '../syntax/source.ts';
import { assumedBlock, counted, defineRule, isBesideTheWork, isWithin, otherThreads, type Report } from './define-rule.ts';
import { english, phrase } from './phrases.ts';

type Message =
  | 'split'
  | 'idle'
  | 'packed'
  | 'cases'
  | 'levels'
  | 'tail'
  | 'scan'
  | 'rows'
  | 'data'
  | 'select'
  | 'side'
  | 'short'
  | 'exit'
  | 'break'
  | 'chain'
  | 'leader'
  | 'edge'
  | 'border'
  | 'part'
  | 'brief'
  | 'busy'
  | 'counted'
  | 'countedSome'
  | 'countedData'
  | 'inside';

/** Lanes of a warp that take different sides of a branch wait for each other: both sides are paid. */
export const divergentBranch = defineRule<Message>({
  id: 'divergent-branch',
  summary: 'Branch on which the lanes of a warp diverge',
  category: 'divergence',
  costs: true,
  severity: 'warning',
  messages: {
    split:
      'diverges in {share}{assumed}, with {lanes} of 32 lanes on one side: a warp executes both sides one after the other; make the condition the same for all 32 lanes of a warp',
    idle: 'diverges in {share}{assumed}, with {lanes} of 32 lanes on one side, while the others idle; make the condition the same for all 32 lanes of a warp',
    packed:
      '{threads} of the {all} threads of a block{assumed} do this, and they are spread over {warps}, in which the other lanes idle; {least} would hold them: choose consecutive threads, the first of them a multiple of 32',
    cases:
      'lanes of one warp take up to {ways} ways here, in {share}{assumed}: the warp executes them one after the other; let all 32 lanes of a warp take one',
    levels:
      'diverges in {levels} of {total}{assumed}, with {lanes} lanes active while the others wait; assign the work to consecutive threads',
    tail: 'diverges in one of {warps} in {levels} of {total}{assumed}, with {lanes} lanes active; finish the last 32 threads with warp shuffles',
    scan: 'diverges in one of {warps} in {levels} of {total}{assumed}, with {lanes} lanes active; take the steps shorter than 32 with warp shuffles',
    rows: 'depends on the position in a row whose length is known only at run time: in a warp that spans the boundary lanes wait for {cost}; use two-dimensional blocks so that whole warps share a position, or pad rows to a multiple of 32',
    data: 'depends on loaded data that differs between lanes: where lanes disagree, the warp executes both sides, {sides}; sort or group the data so that neighbouring lanes agree, or shorten both sides',
    select:
      'depends on loaded data that differs between lanes: where lanes disagree, the warp executes both sides, {sides}; choose the operands by the condition and compute once, or compute both values and select',
    side: 'depends on loaded data that differs between lanes: where lanes disagree, the others wait for {one}; sort or group the data so that neighbouring lanes agree, if its order is yours to choose',
    short:
      'depends on loaded data that differs between lanes: where lanes disagree, the others wait for {one}; compute in all lanes and let the condition choose what is kept',
    exit: 'depends on loaded data that differs between lanes: lanes that leave here wait while the others execute {other}; group the data so that neighbouring lanes leave together, if its order is yours to choose',
    break:
      'depends on loaded data that differs between lanes: lanes that leave the loop here wait for the last lane of the warp to leave it; where the number of iterations is known beforehand, order the data by it',
    chain:
      'depends on loaded data that differs between lanes, and its right-hand side is too expensive to evaluate in all lanes: the others wait for the lanes that need it; load both sides first and combine them with & or |',
    leader: 'one thread runs a loop here while {others} of its block wait; spread the loop over all threads, or over a warp with shuffles',
    edge: 'diverges in one warp of every block unless the limit is a multiple of 32: lanes wait for {cost}; let the whole block stride over the elements (`for (k = threadIdx.x; k < count; k += blockDim.x)`)',
    border:
      'tells the border of the data apart, in {share}{assumed}: there, lanes wait for {cost}; if the layout is yours to choose, pad the data so that no thread has to ask',
    part: 'diverges in {split} of {warps}{assumed}, with {lanes} of 32 lanes on one side: the others wait for {cost}; put the limit at a multiple of 32 threads, so that whole warps take one side',
    brief:
      'one thread executes {cost} while its warp waits, and at the next barrier its block; where a loop does so in every round, do it for several rounds at once, each by another thread',
    busy: 'one thread executes {cost} while its warp waits, and at the next barrier its block; spread the work over the lanes, or do it once in an earlier kernel or on the host',
    counted:
      'lanes of a warp part here in {share}{assumed}, which a run counts as divergent branches of this line; a change pays where the run shows that much of the time goes here',
    countedSome:
      'lanes of a warp part here in some warps or rounds{assumed}, which a run counts as divergent branches of this line; a change pays where the run shows that much of the time goes here',
    countedData:
      'lanes of a warp part here where the values that they have loaded or computed differ, which a run counts as divergent branches of this line; a change pays where the run shows that much of the time goes here',
    inside:
      'lanes of a warp part inside of this operation{assumed}: divisions, roots and functions have another way for zeros (as dividends, too), NaN, tiny and very large numbers, which a run counts as divergent branches of this line; a change pays where the run shows that much of the time goes here',
  },
  *detect(kernel) {
    const deciders = new Map<number, Place>();
    const leaders: Place[] = [];
    const longOperands = kernel.branches.filter((b) => b.kind === 'logical' && b.predicated === 'no');
    for (const branch of kernel.branches) {
      const operand = longOperands.find((o) => o !== branch && isWithin(o.condition.place, branch.headPlace));
      // How a condition divides warps is worth asking only where a division costs something.
      if (branch.kind === 'loop-exit' || (branch.predicated === 'yes' && !operand)) continue;
      if (branch.splits.kind === 'data') {
        const report = onData(branch, operand, kernel);
        if (!report) continue;
        yield { at: branch.headPlace, ...report, ...onSameData(branch, deciders), severity: gravity(branch, kernel) };
      } else if (branch.kind === 'logical' && isBesideData(branch, kernel)) yield* byLanes(branch, kernel, leaders);
      else if (branch.splits.kind === 'rows') yield* atRowEdges(branch, kernel);
      else if (branch.splits.kind === 'edge') yield* atBlockEdges(branch, kernel);
      else if (branch.kind === 'if' || branch.kind === 'switch') yield* byLanes(branch, kernel, leaders);
    }
  },
});

/** `tid < half && better(s[tid + half], s[tid])`: lanes that the thread index keeps away wait, whatever data says to the others. */
function isBesideData(branch: BranchFacts, { branches }: VariantFacts): boolean {
  return branches.some(
    ({ kind, splits, headPlace }) => kind === 'if' && splits.kind === 'data' && isWithin(branch.condition.place, headPlace),
  );
}

/** One value that decides several branches is one finding: where it divides the warp first. */
function onSameData({ decidedBy, headPlace, condition }: BranchFacts, deciders: Map<number, Place>): Pick<Report, 'causes' | 'short'> {
  const first = decidedBy.map((source) => deciders.get(source));
  for (const source of decidedBy) if (!deciders.has(source)) deciders.set(source, headPlace);
  const causes = first.flatMap((place) => place ?? []);
  return causes.length > 0 && causes.length === first.length ? { causes, short: phrase('onSameData', { condition: condition.text }) } : {};
}

/** Known from thread indices: quantified per level where the condition changes in a loop. */
function* byLanes(branch: BranchFacts, kernel: VariantFacts, leaders: Place[]) {
  const { splits, headPlace: at } = branch;
  if (splits.kind === 'leader') yield* fewOfTheBlock(branch, kernel, leaders);
  if (!splits.levels || !costs(branch)) return;
  const split = splits.levels.filter((l) => l.splitWarps > 0);
  const share = splits.levels.reduce((sum, l) => sum + l.splitWarps / l.warps, 0) / splits.levels.length;
  const lanes = [...new Set(split.map((l) => l.thenLanes))];
  const assumed = assumedBlock(kernel);
  const data = {
    levels: split.length === splits.levels.length ? phrase('eachOf') : phrase('someOf', { count: split.length }),
    total: iterations(splits.levels.length),
    lanes: listed(lanes),
    warps: counted(splits.levels[0].warps, 'warp'),
    assumed,
  };
  const isTree = lanes.length > 2;
  const isSteps = branch.control.loops.at(-1)?.containsBarrier === true;
  if (splits.kind === 'leader' && isTree && (isHalving(lanes) || isSteps))
    yield {
      at,
      ...(isHalving(lanes)
        ? { message: 'tail' as const, severity: ofSteps(branch, kernel) }
        : { message: 'scan' as const, severity: 'hint' as const }),
      data,
    };
  if (splits.kind !== 'lanes' || share < 0.2) return;
  // Of a scan, or a window that grows, the threads are consecutive already.
  if (isTree && !isHalving(lanes)) return;
  if (isTree) yield { at, message: 'levels' as const, data };
  else yield ofSides(branch, kernel, split, data.lanes);
}

/** Lanes of a warp go different ways, as their thread indices say. */
function ofSides(branch: BranchFacts, kernel: VariantFacts, split: readonly SplitLevel[], lanes: string) {
  const { headPlace: at } = branch;
  const assumed = assumedBlock(kernel);
  const { ways, ofBlock, splitWarps } = split[0];
  // Warps that other conditions keep away are not split.
  const weight = Math.max(...split.map((l) => l.splitWarps / l.ofBlock));
  const share = splitWarps === ofBlock ? phrase('allWarps') : phrase('percentOfWarps', { percent: Math.round(100 * weight) });
  const data = { share, lanes, assumed: isRow(kernel) && splitWarps === ofBlock ? '' : assumed };
  if (ways !== undefined)
    return { at, message: 'cases' as const, data: { ...data, ways }, weight, severity: ways > 2 ? worth(branch, 'then', kernel) : HINT };
  // Who leaves takes no time: the others are the side that works.
  const side = branch.leaves === undefined ? 'then' : 'else';
  if (hasOneSide(branch) || branch.leaves !== undefined) {
    const [widest] = split.map(side === 'then' ? passing : others).toSorted((a, b) => b.threads - a.threads);
    const least = Math.ceil(widest.threads / LANES);
    const severity = widest.warps - least >= ofBlock / 4 ? worth(branch, side, kernel) : HINT;
    if (widest.warps === least || severity === HINT) return { at, message: 'idle' as const, data, weight, severity: HINT };
    const { x, y, z } = kernel.block;
    const counts = {
      threads: widest.threads,
      all: x * y * z,
      warps: counted(widest.warps, 'warp'),
      least: counted(least, 'warp'),
      assumed,
    };
    return { at, message: 'packed' as const, data: counts, weight, severity };
  }
  // Both sides are paid for where either would do.
  const sides = (['then', 'else'] as const).map((s) => worth(branch, s, kernel, PREDICATED));
  return { at, message: 'split' as const, data, weight, severity: sides.includes(HINT) ? HINT : sides[0] };
}

const HINT = 'hint' as const;
const passing = (level: SplitLevel) => level.passing;
const others = (level: SplitLevel) => level.others;

/** What a side that lanes wait for is worth: a few instructions are not worth another order of threads. */
function worth(branch: BranchFacts, side: Side, kernel: VariantFacts, least = LONG): Severity {
  const { thenCost, elseCost, control, hangsOnAssumedShape } = branch;
  if (!holdsLoop(kernel, branch, side) && (side === 'then' ? thenCost : elseCost) <= least) return 'hint';
  // Which threads share a warp is not known where a shape with rows is assumed.
  if (hangsOnAssumedShape || (!kernel.blockKnown && !isRow(kernel))) return 'hint';
  return isBesideTheWork({ loops: kernel.loops.filter((l) => !isUnder(l, branch)) }, control.loops) ? 'information' : 'warning';
}

function isUnder({ control }: LoopFacts, branch: BranchFacts): boolean {
  return control.branches.some((step) => step.branch === branch);
}

/** The steps of a reduction or a scan are a small part where other loops do the work, or go through the elements. */
function ofSteps({ control }: BranchFacts, { loops }: VariantFacts): Severity {
  const isLong = ({ bodyCost, trips = Number.POSITIVE_INFINITY }: LoopFacts) => bodyCost > LONG || trips > WRITTEN_OUT;
  const isApart = (loop: LoopFacts) => ![loop, ...loop.control.loops].some((each) => control.loops.includes(each));
  return loops.some((loop) => isApart(loop) && isLong(loop)) ? 'hint' : 'information';
}

/** What is left of a reduction in the last warp: half as many lanes each time. */
function isHalving(lanes: readonly number[]): boolean {
  return lanes.every((n, i) => i === 0 || n <= Math.ceil(lanes[i - 1] / 2));
}

/** What splits each warp of a row of threads splits each warp of any other. */
function isRow({ block: { y, z } }: VariantFacts): boolean {
  return y * z === 1;
}

/** There is no `else` and nothing that lanes leave for others to do. */
export function hasOneSide({ kind, elseCost, leaves }: BranchFacts): boolean {
  return kind === 'if' && elseCost === 0 && leaves === undefined;
}

function iterations(looked: number): Wording {
  return phrase(looked < MAX_LEVELS ? 'iterations' : 'firstIterations', { count: looked });
}

function listed(lanes: readonly number[]): string {
  return lanes.length > MOST_LISTED ? `${lanes.slice(0, MOST_LISTED).join(', ')}, …` : lanes.join(', ');
}

/** Those of a tree that halves a warp. */
const MOST_LISTED = 6;

/** One thread, or a part of a warp, of which the block has several. */
function* fewOfTheBlock(branch: BranchFacts, kernel: VariantFacts, leaders: Place[]) {
  const { headPlace: at, predicated, thenCost, elseCost } = branch;
  if (predicated === 'no' && branch.serialLoop) {
    yield { at, message: 'leader' as const, data: { others: otherThreads(kernel) }, severity: ofLeader(branch, kernel) };
    return;
  }
  const [first, ...others] = branch.splits.levels?.filter((l) => l.splitWarps > 0) ?? [];
  if (!first || others.some((l) => l.thenLanes !== first.thenLanes)) return;
  const { thenLanes: lanes, splitWarps: split, warps } = first;
  if (lanes === 1 || lanes === LANES - 1) {
    const [one, rest] = lanes === 1 ? [thenCost, elseCost] : [elseCost, thenCost];
    const side = lanes === 1 ? 'then' : 'else';
    // Who leaves lets the others work, and they do not wait.
    if (predicated !== 'no' || branch.leaves !== undefined || branch.otherLeaves !== undefined) return;
    const data = { cost: work(kernel, branch, side) };
    // What waits for another block's flag is not busy.
    if (branch.loopInside && !branch.serialLoop) return;
    if (one >= LEADERS_WORK) yield { at, message: 'busy' as const, data, severity: 'hint' as const };
    // One lane of each warp is how warps work together, and one thread has to wait for a lock or a flag.
    else if (split === 1 && warps > 1 && rest === 0 && !branch.loopInside && !kernel.incomplete)
      yield { at, message: 'brief' as const, data, severity: 'hint' as const, ...once(at, leaders) };
  } else if (predicated === 'no' || (predicated === 'maybe' && !branch.hangsOnAssumedShape)) {
    // A shape that is assumed and a branch that may be none are two guesses: one is let pass.
    yield {
      at,
      message: 'part' as const,
      data: { split, warps: counted(warps, 'warp'), lanes, cost: bothSides(kernel, branch), assumed: assumedBlock(kernel) },
      severity: 'hint' as const,
    };
  }
}

/** A loop under a further condition on data seldom runs, and one outside of the loops that take the time is a small part. */
export function ofLeader(branch: BranchFacts, kernel: VariantFacts): Severity | undefined {
  const serial = kernel.loops.filter((loop) => isUnder(loop, branch));
  const outside = { loops: kernel.loops.filter((loop) => !serial.includes(loop)) };
  const steps = serial.filter((loop) => loop.trips === undefined || loop.trips > WRITTEN_OUT).map(({ control }) => control.branches);
  const isRare = steps.every((list) => list.slice(list.findIndex((step) => step.branch === branch) + 1).some(hangsOnData));
  // What ends at an element that the loop comes to, or follows links, goes on one by one.
  if (isRare || serial.every(({ counted, trips }) => counted === 'no' && trips === undefined)) return 'hint';
  if (!isBesideTheWork(outside, branch.control.loops)) return undefined;
  return branch.control.loops.length > 0 ? 'information' : 'hint';
}

function hangsOnData({ branch: { kind, condition } }: { readonly branch: BranchFacts }): boolean {
  return kind !== 'loop-exit' && condition.fromMemory;
}

/** What one thread does for all of its block is one finding, wherever it does it. */
function once(at: Place, leaders: Place[]): Pick<Report, 'causes' | 'short'> {
  leaders.push(at);
  return leaders.length > 1 ? { causes: leaders.slice(0, 1), short: phrase('andHere') } : {};
}

/** Instructions: more than a leader needs to publish a sum and to draw a number from an atomic counter. */
const LEADERS_WORK = 32;

function* atBlockEdges(branch: BranchFacts, kernel: VariantFacts) {
  if (branch.kind !== 'if' || !costs(branch)) return;
  yield {
    at: branch.headPlace,
    message: 'edge' as const,
    data: { cost: bothSides(kernel, branch) },
    severity: 'hint' as const,
  };
}

/** Lanes that exit do not wait, but those that stay are few all the same. */
function costs(branch: BranchFacts): boolean {
  if (branch.predicated !== 'exit') return branch.predicated !== 'yes';
  return branch.exits === undefined && (branch.thenHeavy || branch.elseHeavy);
}

function* atRowEdges(branch: BranchFacts, kernel: VariantFacts) {
  if (branch.predicated !== 'no' || isPartOfHead(branch, kernel)) return;
  const at = branch.kind === 'logical' ? branch.condition.place : branch.headPlace;
  yield { at, message: 'rows' as const, data: { cost: bothSides(kernel, branch) }, severity: 'hint' as const };
}

/** An operand of `&&` or `||` in the condition of an `if` that is looked at as a whole. */
function isPartOfHead(branch: BranchFacts, kernel: VariantFacts): boolean {
  return branch.kind === 'logical' && kernel.branches.some((b) => b.kind === 'if' && isWithin(branch.condition.place, b.headPlace));
}

/**
 * Undefined where no lane will wait: predicated sides, tests for what data rarely is, and warps that data has divided before; and where it
 * waits for little.
 */
function onData(branch: BranchFacts, operand: BranchFacts | undefined, kernel: VariantFacts) {
  if (branch.kind === 'logical' || branch.exceptional) return undefined;
  if (branch.control.dividedByData || branch.control.oneThreadPerWarp) return undefined;
  // Whether a lane got what it tries for in a loop: divergent-loop says what to do.
  if (branch.control.loops.at(-1)?.retries) return undefined;
  const { thenCost, elseCost } = branch;
  if (skipsNothing(branch, kernel)) return undefined;
  if (branch.predicated !== 'no') return operand?.splits.kind === 'data' ? ({ message: 'chain' } as const) : undefined;
  if (leavesLoop(branch))
    return branch.control.loops.at(-1)!.bodyCost < LITTLE_WORK && !goesOnByData(branch) ? undefined : ({ message: 'break' } as const);
  const hasLoop = holdsLoop(kernel, branch, 'then') || holdsLoop(kernel, branch, 'else');
  if (!hasLoop && thenCost + elseCost < LITTLE_WORK) return undefined;
  const [one, other] = [work(kernel, branch, 'then'), work(kernel, branch, 'else')];
  const sides = english(one) === english(other) ? phrase('workOnEachSide', { work: one }) : phrase('oneThenOther', { one, other });
  const data = { one, other, sides };
  if (branch.leaves !== undefined)
    return { message: 'exit', data: { ...data, other: work(kernel, branch, 'else', 'furtherInstruction') } } as const;
  if (thenCost === 0 || elseCost === 0) {
    // What others see cannot be done by all lanes.
    const isSeen = kernel.atomics.some(({ control }) => control.branches.some((step) => step.branch === branch));
    const message = hasLoop || branch.barrierInside || isSeen || thenCost + elseCost > SHORT ? 'side' : 'short';
    return { message, data: thenCost > 0 ? data : { one: data.other } } as const;
  }
  return { message: !hasLoop && !branch.barrierInside && thenCost + elseCost <= LONG ? 'select' : 'data', data } as const;
}

/** `if (n) atomicAdd(&sum, n);`: who has nothing to add saves the others an atomic. */
export function skipsNothing(branch: BranchFacts, { atomics }: VariantFacts): boolean {
  if (branch.elseCost > 0 || branch.thenCost > SHORT) return false;
  const [tested] = branch.condition.text.split(/\s*(?:!=|>)\s*0[uUlLfF.]*$/);
  const isUnder = ({ control }: VariantFacts['atomics'][number]) => control.branches.some((step) => step.branch === branch);
  return atomics.some((atomic) => !atomic.resultUsed && atomic.operands.some(({ text }) => text === tested) && isUnder(atomic));
}

/** A hint unless both ways are long: the order of data is seldom the author's to choose. */
function gravity(branch: BranchFacts, kernel: VariantFacts): Severity {
  return bothLong(branch) && !isBesideTheWork(kernel, branch.control.loops) ? 'information' : 'hint';
}

/** `p = p->next`: the loop waits for memory in each round, however few its instructions. */
function goesOnByData({ control }: BranchFacts): boolean {
  return control.loops.at(-1)?.divergence === 'data';
}

/** By `break`, or by returning from the function that has the loop. */
function leavesLoop({ leaves, control, functionName }: BranchFacts): boolean {
  const loop = control.loops.at(-1);
  return (leaves === 'break' || leaves === 'return') && loop?.functionName === functionName;
}

/** One of few iterations is written out, and its cost is known. */
function holdsLoop({ loops }: VariantFacts, branch: BranchFacts, side: Side): boolean {
  const isThere = ({ control }: LoopFacts) => control.branches.some((step) => step.branch === branch && step.side === side);
  return loops.some((loop) => !((loop.trips ?? Number.POSITIVE_INFINITY) <= WRITTEN_OUT) && isThere(loop));
}

type Side = 'then' | 'else';
type Noun = 'instruction' | 'furtherInstruction';

/** What one side executes: how often a loop runs is not known. */
function work(kernel: VariantFacts, branch: BranchFacts, side: Side, noun: Noun = 'instruction'): Wording {
  if (holdsLoop(kernel, branch, side)) return phrase(noun === 'instruction' ? 'aLoop' : 'aFurtherLoop');
  return rough(side === 'then' ? branch.thenCost : branch.elseCost, noun);
}

/** What both sides execute, of which one is mostly empty. */
export function bothSides(kernel: VariantFacts, branch: BranchFacts): Wording {
  if (holdsLoop(kernel, branch, 'then') || holdsLoop(kernel, branch, 'else')) return phrase('aLoop');
  return rough(branch.thenCost + branch.elseCost);
}

/** Estimates have no more than two digits. */
function rough(instructions: number, noun: Noun = 'instruction'): Wording {
  if (instructions > 1000) return phrase(noun === 'instruction' ? 'manyInstructions' : 'manyFurtherInstructions');
  return phrase('about', { count: counted(Number(instructions.toPrecision(2)), noun) });
}

/** Instructions that the compiler predicates, by rule of thumb. */
const PREDICATED = 16;

/** Instructions that nobody restructures code for. */
const LITTLE_WORK = 8;
/** Instructions that all lanes may as well execute. */
const SHORT = 32;
/** Rounds of a loop that stand in the estimate one by one. */
const WRITTEN_OUT = 8;

/** Both ways are long, so that a division costs most: the only ones on data that are more than information. */
function bothLong(branch: BranchFacts): boolean {
  if (branch.leaves !== undefined || branch.otherLeaves !== undefined) return false;
  return branch.thenCost > LONG && (branch.kind === 'switch' || branch.elseCost > LONG);
}

/** As long as waiting for a load from L2 (about 200 cycles, of which an instruction of one warp takes two or more). */
const LONG = 100;
