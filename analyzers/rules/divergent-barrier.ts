import type { BarrierFacts, BranchFacts, LoopFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, placeText } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** A barrier that some threads of the block do not reach while they still run: undefined, usually a hang. */
export const divergentBarrier = defineRule({
  id: 'divergent-barrier',
  summary: 'Barrier that not all threads of the block reach',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    branch:
      '{name} is inside a branch on `{condition}`, which differs between threads of the block: the others never arrive, and the block hangs or continues unsynchronised; move the barrier out of the branch',
    loop: '{name} is in a loop that threads of the block run a different number of times: threads that leave early miss the barrier; run the loop equally often in all threads and guard the work inside',
    guard:
      '{name} is inside the bounds guard `{condition}`, which {kept} of the {threads} threads of block {block} do not pass: CUDA leaves undefined what happens when threads that still run miss a barrier; take the barrier out of the guard, and guard the work before and behind it',
  },
  *detect(kernel) {
    for (const barrier of kernel.barriers) {
      if (barrier.scope !== 'block' && barrier.scope !== 'grid') continue;
      const branch = barrier.control.branches.find((step) => splitsBlock(step));
      if (branch) {
        yield {
          at: barrier.place,
          message: 'branch',
          data: { name: `${barrier.name}()`, condition: branch.branch.condition.text },
          related: [{ at: branch.branch.headPlace, message: phrase('theCondition') }],
        };
        continue;
      }
      if (barrier.guarded) {
        const { guard, kept, threads, block } = barrier.guarded;
        yield {
          at: barrier.place,
          message: 'guard',
          data: { name: `${barrier.name}()`, condition: guard.condition.text, kept, threads, block: placeText(block) },
          related: [{ at: guard.headPlace, message: phrase('theCondition') }],
          // Where those threads go to the kernel's end, a GPU since sm_70 goes on without them.
          severity: isFollowed(barrier, guard, kernel) ? undefined : 'warning',
        };
        continue;
      }
      const loop = barrier.control.loops.find(
        (l) => l.divergence === 'lanes' || (l.divergence === 'data' && l.condition?.uniformity === 'lane' && isAwaited(l, kernel)),
      );
      if (loop)
        yield {
          at: barrier.place,
          message: 'loop',
          data: { name: `${barrier.name}()` },
          related: [{ at: loop.headPlace, message: phrase('theLoop') }],
        };
    }
  },
});

/**
 * Threads that have exited do not count: since sm_70 a barrier waits for those that still run, so code after `if (…) return;` is fine.
 * What counts is a side that goes on running.
 */
function splitsBlock({
  branch,
  side,
}: {
  readonly branch: import('../model/facts.ts').BranchFacts;
  readonly side: 'then' | 'else';
}): boolean {
  if (branch.kind !== 'if' && branch.kind !== 'switch') return false;
  if (branch.leaves === 'return' && side === 'else') return false;
  if (branch.otherLeaves === 'return' && side === 'then') return false;
  const { splits, condition } = branch;
  if (splits.kind === 'lanes' || splits.kind === 'leader') return true;
  if (splits.kind === 'data') return condition.uniformity === 'lane';
  return splits.kind === 'none' && condition.splitsBlock;
}

/** Threads that do not pass the guard come to another barrier. */
function isFollowed({ order }: BarrierFacts, guard: BranchFacts, { barriers }: VariantFacts): boolean {
  return barriers.some(
    (b) => b.order > order && (b.scope === 'block' || b.scope === 'grid') && !b.control.branches.some(({ branch }) => branch === guard),
  );
}

/** Whether threads that leave the loop meet another barrier; those that run to the kernel's end are not waited for. */
function isAwaited(loop: LoopFacts, kernel: VariantFacts): boolean {
  return kernel.barriers.some(
    (b) => b.order > loop.order && (b.scope === 'block' || b.scope === 'grid') && !b.control.loops.includes(loop),
  );
}
