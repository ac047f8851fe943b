import type { AccessFacts, BranchFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, otherThreads } from './define-rule.ts';
import { ofLeader } from './divergent-branch.ts';

/** The rest of the block has come to its end: no lane waits, but a multiprocessor stays taken for one thread's work. */
export const oneThreadLoop = defineRule({
  id: 'one-thread-loop',
  summary: 'Loop that one thread runs after the rest of its block is done',
  category: 'divergence',
  costs: true,
  severity: 'warning',
  messages: {
    last: 'one thread runs a loop here after {others} of its block are done; spread the loop over all threads, or over a warp with shuffles',
  },
  *detect(kernel) {
    for (const branch of kernel.branches) {
      if (branch.kind !== 'if' || branch.splits.kind !== 'leader' || branch.predicated !== 'exit' || !branch.serialLoop) continue;
      if (isForOneThread(branch, kernel)) continue;
      yield { at: branch.headPlace, message: 'last', data: { others: otherThreads(kernel) }, severity: ofLeader(branch, kernel) };
    }
  },
});

/** One thread of the grid does all that the kernel does, and nobody says that it is launched with more. */
function isForOneThread(branch: BranchFacts, { launches, accesses }: VariantFacts): boolean {
  const isUnder = ({ control }: AccessFacts) => control.choosesBlocks && control.branches.some((step) => step.branch === branch);
  return launches.length === 0 && accesses.every(isUnder);
}
