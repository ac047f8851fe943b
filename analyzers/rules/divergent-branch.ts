import type { BranchFacts } from '../model/facts.ts';
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
    data: 'depends on loaded data that differs between lanes: a warp runs every side that any of its lanes takes; sort or group the data, or make the sides short',
  },
  *detect(kernel) {
    for (const branch of kernel.branches) {
      if (branch.kind !== 'if' && branch.kind !== 'switch' && branch.kind !== 'conditional') continue;
      const { splits } = branch;
      if (splits.kind === 'data' && isHeavy(branch)) yield { at: branch.headPlace, message: 'data' };
      if (splits.kind !== 'lanes' || !splits.levels) continue;
      const split = splits.levels.filter((l) => l.splitWarps > 0);
      const share = splits.levels.reduce((sum, l) => sum + l.splitWarps / l.warps, 0) / splits.levels.length;
      if (share < 0.2) continue;
      if (!costs(branch, split.length > 1 ? PREDICATED_COST_IN_TREE : PREDICATED_COST)) continue;
      const lanes = [...new Set(split.map((l) => l.thenLanes))].join(', ');
      if (splits.levels.length > 1)
        yield { at: branch.headPlace, message: 'levels', data: { levels: split.length, total: splits.levels.length, lanes } };
      else yield { at: branch.headPlace, message: 'split', data: { share: share === 1 ? 'all' : `${Math.round(share * 100)} %`, lanes } };
    }
  },
});

function costs(branch: BranchFacts, limit: number): boolean {
  return branch.thenHeavy || branch.elseHeavy || branch.thenCost > limit || branch.elseCost > limit;
}

/** Whether data divides a warp is a guess, so only branches count that would cost much. */
function isHeavy(branch: BranchFacts): boolean {
  return branch.thenHeavy || branch.elseHeavy || Math.max(branch.thenCost, branch.elseCost) > 40;
}
