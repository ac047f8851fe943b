import type { BranchFacts, VariantFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';

/**
 * Rough instructions on one side up to which ptxas predicates instead of branching: the H200 counted no divergent branch on bodies below.
 * In a tree of a loop the lanes that wait are the point, not the branch.
 */
const PREDICATED_COST = 30;
const PREDICATED_COST_IN_TREE = 10;

/** Lanes of a warp that take different sides of a branch wait for each other: both sides are paid. */
export const divergentBranch = defineRule({
  id: 'divergent-branch',
  summary: 'Branch that splits the lanes of a warp',
  category: 'divergence',
  severity: 'warning',
  messages: {
    split:
      'splits {share} of the warps, {lanes} of 32 lanes on one side: a warp runs both sides one after the other; make the condition the same for all 32 lanes of a warp',
    levels:
      'splits warps in {levels} of {total} iterations, with {lanes} lanes active: the other lanes wait; let consecutive threads do the work',
    data: 'depends on loaded data that differs between lanes, and both ways are long: a warp runs every way that any of its lanes takes; sort or group the data, or make the ways short',
    leader:
      'one thread runs this loop while the other {others} of its block wait; give the loop to all threads, or to a warp with shuffles',
  },
  *detect(kernel) {
    for (const branch of kernel.branches) {
      if (branch.kind !== 'if' && branch.kind !== 'switch') continue;
      const { splits } = branch;
      const at = branch.headPlace;
      if (splits.kind === 'data' && bothLong(branch)) yield { at, message: 'data' };
      if (splits.kind === 'leader' && branch.loopInside && hasSerialLoop(branch, kernel)) {
        yield { at, message: 'leader', data: { others: kernel.block.x * kernel.block.y * kernel.block.z - 1 } };
      }
      if (splits.kind !== 'lanes' || !splits.levels) continue;
      const split = splits.levels.filter((l) => l.splitWarps > 0);
      const share = splits.levels.reduce((sum, l) => sum + l.splitWarps / l.warps, 0) / splits.levels.length;
      if (share < 0.2) continue;
      const lanes = [...new Set(split.map((l) => l.thenLanes))];
      const tree = lanes.length > 2;
      if (!costs(branch, tree ? PREDICATED_COST_IN_TREE : PREDICATED_COST)) continue;
      if (tree) yield { at, message: 'levels', data: { levels: split.length, total: splits.levels.length, lanes: lanes.join(', ') } };
      else yield { at, message: 'split', data: { share: share === 1 ? 'all' : `${Math.round(share * 100)} %`, lanes: lanes.join(', ') } };
    }
  },
});

function costs(branch: BranchFacts, limit: number): boolean {
  return branch.thenHeavy || branch.elseHeavy || branch.thenCost > limit || branch.elseCost > limit;
}

/**
 * Whether data divides a warp is a guess from the text: of 40 such branches in the measured programs the H200 found 18 divided. So only
 * those count whose ways are all long, where a division costs most and where predication cannot help.
 */
function bothLong(branch: BranchFacts): boolean {
  if (branch.leaves !== undefined || branch.otherLeaves !== undefined) return false;
  if (branch.kind === 'switch') return branch.thenHeavy;
  // A flag is mostly the same for neighbours; an order is not.
  if (!['<', '<=', '>', '>='].includes(branch.condition.operator ?? '')) return false;
  return (branch.thenHeavy || branch.thenCost > LONG) && (branch.elseHeavy || branch.elseCost > LONG);
}

const LONG = 200;

/** A loop of unknown or many iterations under a condition that one thread of the block meets. Adding up eight warps' sums is no such loop. */
function hasSerialLoop(branch: BranchFacts, kernel: VariantFacts): boolean {
  return kernel.loops.some(
    (l) => l.control.oneThreadPerBlock && l.control.branches.some((b) => b.branch === branch && b.side === 'then') && (l.trips ?? 64) > 8,
  );
}
