/**
 * Data handed to another block through global memory: the store of the data and the store or atomic that announces it may become
 * visible in either order unless a fence stands between them (CUDA C++ Programming Guide, "Memory Fence Functions").
 */
import type { AccessFacts, AtomicFacts, BranchFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const missingFence = defineRule({
  id: 'missing-fence',
  summary: 'Data published to another block without __threadfence()',
  category: 'synchronisation',
  severity: 'warning',
  messages: {
    counter:
      '`{counter}` announces `{data}` to other blocks, but nothing orders the two: a block that sees the count may still read old data; put __threadfence() between them',
  },
  *detect(kernel) {
    // Who learns that all are done launches a grid, which reads the data.
    if (kernel.childLaunches.length > 0) return;
    for (const atomic of kernel.atomics) {
      if (atomic.object.space !== 'global' || !atomic.resultUsed || atomic.sameAddress !== 'grid') continue;
      // Again and again, a number is handed out for something: the next item, a free place.
      if (atomic.control.loops.length > 0) continue;
      const data = published(kernel, atomic);
      if (data)
        yield {
          at: atomic.place,
          message: 'counter',
          data: { counter: atomic.text, data: data.text },
          related: [{ at: data.place, message: phrase('dataStoredHere') }],
          fixes: fenceBefore(atomic),
        };
    }
  },
});

/**
 * A store before the atomic, without a fence on the way, to an array that the kernel reads after it where a value out of memory says so: that
 * of the atomic, in a variable or in shared memory. A number that merely says where to write or what to do next announces nothing.
 */
function published(kernel: VariantFacts, atomic: AtomicFacts): AccessFacts | undefined {
  const stores = kernel.accesses.filter(
    (a) => a.kind === 'store' && a.object.space === 'global' && a.object.id !== atomic.object.id && a.order < atomic.order,
  );
  return stores.findLast(
    (store) =>
      !kernel.fences.some((f) => f.scope !== 'block' && f.order > store.order && f.order < atomic.order) &&
      kernel.accesses.some(
        (load) =>
          load.kind === 'load' &&
          load.object.id === store.object.id &&
          load.order > atomic.order &&
          load.text !== store.text &&
          load.control.branches.some(({ branch }) => isVerdict(branch, atomic)),
      ),
  );
}

/** Asked after the atomic, of what one thread or block learned: `ticket == gridDim.x - 1`, or what is left of it in shared memory. */
function isVerdict({ kind, order, condition, decidedBy }: BranchFacts, atomic: AtomicFacts): boolean {
  if (kind === 'loop-exit' || order < atomic.order) return false;
  // What one thread has left in shared memory is the same for all lanes.
  return decidedBy.includes(atomic.result) || (condition.fromMemory && decidedBy.length === 0);
}

function fenceBefore({ statement }: AtomicFacts): RuleFix[] {
  // The head of a loop is executed again and again.
  if (!statement || /^(for|while|do)\b/.test(statement.text)) return [];
  const { item, start } = statement.place;
  return [
    {
      title: phrase('threadfenceBefore'),
      edits: [{ at: { item, start, end: start }, newText: '__threadfence(); ' }],
      safe: true,
    },
  ];
}
