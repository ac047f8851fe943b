import { type BranchFacts, MAX_LEVELS, type VariantFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { assumedBlock, counted, defineRule, isWithin, otherThreads, type Report } from './define-rule.ts';

/** Lanes of a warp that take different sides of a branch wait for each other: both sides are paid. */
export const divergentBranch = defineRule({
  id: 'divergent-branch',
  summary: 'Branch on which the lanes of a warp diverge',
  category: 'divergence',
  severity: 'warning',
  messages: {
    split:
      'diverges in {share} of the warps{assumed}, with {lanes} of 32 lanes on one side: a warp executes both sides one after the other; make the condition the same for all 32 lanes of a warp',
    levels:
      'diverges in {levels} of {total}{assumed}, with {lanes} lanes active while the others wait; assign the work to consecutive threads',
    tail: 'diverges in one of {warps} in {levels} of {total}{assumed}, with {lanes} lanes active; finish the last 32 threads with warp shuffles',
    rows: 'depends on the position in a row whose length is known only at run time: a warp that spans the boundary executes both sides, and lanes wait for {cost}; use two-dimensional blocks so that whole warps share a position, or pad rows to a multiple of 32',
    data: 'depends on loaded data that differs between lanes: where lanes disagree, the warp executes both sides, {one} and then {other}; sort or group the data so that neighbouring lanes agree, or shorten both sides',
    side: 'depends on loaded data that differs between lanes: where lanes disagree, the others wait for {one}; sort or group the data so that neighbouring lanes agree, or do the work in all lanes if it is short',
    exit: 'depends on loaded data that differs between lanes: lanes that leave here wait while the others execute {other}; sort or group the data so that neighbouring lanes leave together',
    break:
      'depends on loaded data that differs between lanes: lanes that leave the loop here wait for the last lane of the warp to leave it; sort or group the data so that neighbouring lanes need equally many iterations',
    chain:
      'depends on loaded data that differs between lanes, and its right-hand side is too expensive to evaluate in all lanes: the others wait for the lanes that need it; load both sides first and combine them with & or |',
    leader: 'one thread runs this loop while {others} of its block wait; spread the loop over all threads, or over a warp with shuffles',
    edge: 'diverges in one warp of every block unless the limit is a multiple of 32: lanes wait for {cost}; let the whole block stride over the elements (`for (k = threadIdx.x; k < count; k += blockDim.x)`)',
    part: 'diverges in {split} of {warps}{assumed}, with {lanes} of 32 lanes on one side: the others wait for {cost}; let the whole block stride over the elements (`for (k = threadIdx.x; k < count; k += blockDim.x)`)',
    brief:
      'one thread executes {cost} while its warp waits, and at the next barrier its block; where there are many rounds or short blocks, let it do so for several at a time',
    busy: 'one thread executes {cost} while its warp waits, and at the next barrier its block; spread the work over the lanes, or do it once in an earlier kernel or on the host',
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
        const report = onData(branch, operand);
        if (!report) continue;
        yield { at: branch.headPlace, ...report, ...onSameData(branch, deciders), severity: bothLong(branch) ? 'warning' : 'information' };
      } else if (branch.splits.kind === 'rows') yield* atRowEdges(branch, kernel);
      else if (branch.splits.kind === 'edge') yield* atBlockEdges(branch);
      else if (branch.kind === 'if' || branch.kind === 'switch') yield* byLanes(branch, kernel, leaders);
    }
  },
});

/** One value that decides several branches is one finding: where it divides the warp first. */
function onSameData({ decidedBy, headPlace, condition }: BranchFacts, deciders: Map<number, Place>): Pick<Report, 'causes' | 'short'> {
  const first = decidedBy.map((source) => deciders.get(source));
  for (const source of decidedBy) if (!deciders.has(source)) deciders.set(source, headPlace);
  const causes = first.flatMap((place) => place ?? []);
  return causes.length > 0 && causes.length === first.length ? { causes, short: `and on the same data at \`${condition.text}\`` } : {};
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
    levels: split.length,
    total: iterations(splits.levels.length),
    lanes: listed(lanes),
    warps: counted(splits.levels[0].warps, 'warp'),
    assumed,
  };
  const isTree = lanes.length > 2;
  if (splits.kind === 'leader' && isTree) yield { at, message: 'tail' as const, data, severity: 'information' as const };
  if (splits.kind !== 'lanes' || share < 0.2) return;
  if (isTree) yield { at, message: 'levels' as const, data };
  else if (share === 1)
    yield { at, message: 'split' as const, data: { share: 'all', lanes: data.lanes, assumed: isRow(kernel) ? '' : assumed } };
  else yield { at, message: 'split' as const, data: { share: `${Math.round(share * 100)} %`, lanes: data.lanes, assumed } };
}

/** What splits each warp of a row of threads splits each warp of any other. */
function isRow({ block: { y, z } }: VariantFacts): boolean {
  return y * z === 1;
}

function iterations(looked: number): string {
  return looked < MAX_LEVELS ? `${looked} iterations` : `the first ${looked} iterations`;
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
    yield { at, message: 'leader' as const, data: { others: otherThreads(kernel) } };
    return;
  }
  const [first, ...others] = branch.splits.levels?.filter((l) => l.splitWarps > 0) ?? [];
  if (!first || others.some((l) => l.thenLanes !== first.thenLanes)) return;
  const { thenLanes: lanes, splitWarps: split, warps } = first;
  const cost = rough(thenCost + elseCost);
  if (lanes === 1 || lanes === LANES - 1) {
    const [one, rest] = lanes === 1 ? [thenCost, elseCost] : [elseCost, thenCost];
    // Who leaves lets the others work, and they do not wait.
    if (predicated !== 'no' || branch.leaves !== undefined || branch.otherLeaves !== undefined) return;
    const data = { cost: rough(one) };
    if (one >= LEADERS_WORK) yield { at, message: 'busy' as const, data, severity: 'hint' as const };
    // One lane of each warp is how warps work together, and one thread has to wait for a lock or a flag.
    else if (split < warps && rest === 0 && !branch.loopInside && !kernel.incomplete)
      yield { at, message: 'brief' as const, data, severity: 'hint' as const, ...once(at, leaders) };
  } else if (predicated === 'no' || (predicated === 'maybe' && !branch.hangsOnAssumedShape)) {
    // A shape that is assumed and a branch that may be none are two guesses: one is let pass.
    yield {
      at,
      message: 'part' as const,
      data: { split, warps: counted(warps, 'warp'), lanes, cost, assumed: assumedBlock(kernel) },
      severity: 'hint' as const,
    };
  }
}

/** What one thread does for all of its block is one finding, wherever it does it. */
function once(at: Place, leaders: Place[]): Pick<Report, 'causes' | 'short'> {
  leaders.push(at);
  return leaders.length > 1 ? { causes: leaders.slice(0, 1), short: 'and here' } : {};
}

const LANES = 32;
/** Instructions: more than a leader needs to publish a sum and to draw a number from an atomic counter. */
const LEADERS_WORK = 32;

function* atBlockEdges(branch: BranchFacts) {
  if (branch.kind !== 'if' || !costs(branch)) return;
  yield {
    at: branch.headPlace,
    message: 'edge' as const,
    data: { cost: rough(branch.thenCost + branch.elseCost) },
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
  yield { at, message: 'rows' as const, data: { cost: rough(branch.thenCost + branch.elseCost) }, severity: 'hint' as const };
}

/** An operand of `&&` or `||` in the condition of an `if` that is looked at as a whole. */
function isPartOfHead(branch: BranchFacts, kernel: VariantFacts): boolean {
  return branch.kind === 'logical' && kernel.branches.some((b) => b.kind === 'if' && isWithin(branch.condition.place, b.headPlace));
}

/** Undefined where no lane will wait: predicated sides, tests for what data rarely is, and warps that data has divided before. */
function onData(branch: BranchFacts, operand: BranchFacts | undefined) {
  if (branch.kind === 'logical' || branch.exceptional) return undefined;
  if (branch.control.dividedByData || branch.control.oneThreadPerWarp) return undefined;
  // Whether a lane got what it tries for in a loop: divergent-loop says what to do.
  if (branch.control.loops.at(-1)?.retries) return undefined;
  const { thenCost, elseCost } = branch;
  if (branch.predicated === 'no') {
    if (branch.exits === 'break') return { message: 'break' } as const;
    const message = branch.leaves !== undefined ? 'exit' : thenCost > 0 && elseCost > 0 ? 'data' : 'side';
    const one = message === 'side' ? thenCost + elseCost : thenCost;
    return {
      message,
      data: { one: rough(one), other: rough(elseCost, message === 'exit' ? 'further instruction' : 'instruction') },
    } as const;
  }
  return operand?.splits.kind === 'data' ? ({ message: 'chain' } as const) : undefined;
}

/** Estimates have no more than two digits, and those of nested loops none. */
function rough(instructions: number, noun = 'instruction'): string {
  return instructions > 1000 ? `a thousand or more ${noun}s` : `about ${counted(Number(instructions.toPrecision(2)), noun)}`;
}

/** Both ways are long, so that a division costs most: the only ones on data that are more than information. */
function bothLong(branch: BranchFacts): boolean {
  if (branch.leaves !== undefined || branch.otherLeaves !== undefined) return false;
  return branch.thenCost > LONG && (branch.kind === 'switch' || branch.elseCost > LONG);
}

/** As long as waiting for a load from L2 (about 200 cycles, of which an instruction of one warp takes two or more). */
const LONG = 100;
