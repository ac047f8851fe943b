import { defineRule, otherThreads } from './define-rule.ts';
import { ofLeader } from './divergent-branch.ts';

/** The rest of the block has come to its end: no lane waits, but a multiprocessor stays taken for one thread's work. */
export const oneThreadLoop = defineRule({
  id: 'one-thread-loop',
  summary: 'Loop that one thread runs after the rest of its block is done',
  category: 'divergence',
  severity: 'warning',
  messages: {
    last: 'one thread runs this loop after {others} of its block are done; spread the loop over all threads, or over a warp with shuffles',
  },
  *detect(kernel) {
    for (const branch of kernel.branches) {
      if (branch.kind !== 'if' || branch.splits.kind !== 'leader' || branch.predicated !== 'exit' || !branch.serialLoop) continue;
      yield { at: branch.headPlace, message: 'last', data: { others: otherThreads(kernel) }, severity: ofLeader(branch, kernel) };
    }
  },
});
