import type { ConflictFacts, Dim3Facts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Two threads of a block write different values to one place, or one reads global memory that the other writes, with no barrier between. */
export const unorderedAccess = defineRule({
  id: 'unordered-access',
  summary: 'One place that two threads of a block write, or write and read, in no order',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    writes:
      'threads {first} and {second} of a block write different values to `{text}`, and nothing orders them: which one stays is undefined; let one thread write, give each a place of its own, or put a barrier between',
    read: 'thread {second} of a block reads from `{object}` what thread {first} writes, with no barrier between: it gets the old value or the new one; write to another array, or, where the grid has one block, put __syncthreads() between the read and the write',
  },
  *detect(kernel) {
    // Which threads meet is computed for the blocks that are launched.
    if (!kernel.blockKnown) return;
    for (const conflict of once(kernel.conflicts)) {
      const { write, other, threads } = conflict;
      const [first, second] = threads.map(text);
      const isRead = other.kind === 'load';
      yield {
        at: write.place,
        message: isRead ? 'read' : 'writes',
        data: { first, second, text: write.text, object: write.object.name },
        related: other === write ? [] : [{ at: other.place, message: phrase(isRead ? 'readHere' : 'writtenHereToo') }],
      };
    }
  },
});

/** One for each write: what orders it with one orders it with most. */
function once(conflicts: readonly ConflictFacts[]): ConflictFacts[] {
  return [...new Map(conflicts.toReversed().map((conflict) => [conflict.write.order, conflict])).values()].reverse();
}

function text({ x, y, z }: Dim3Facts): string {
  return `(${x}, ${y}, ${z})`;
}
