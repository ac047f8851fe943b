import type { AccessFacts, AtomicFacts, VariantFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';

/** Shared memory begins with whatever the block before has left in it. */
export const unwrittenShared = defineRule({
  id: 'unwritten-shared',
  summary: 'Shared memory read before any thread has written it',
  category: 'memory',
  severity: 'error',
  messages: {
    read: 'reads `{name}` before any thread of the block has written it: shared memory is not set to 0 and holds what an earlier block has left; write it first, then call __syncthreads()',
    atomic:
      '`{atomic}` changes `{name}` before any thread of the block has written it: shared memory is not set to 0 and holds what an earlier block has left; have threads set it first, then call __syncthreads()',
  },
  *detect(kernel) {
    if (kernel.incomplete) return;
    for (const { object, escapes } of kernel.arrays) {
      if (object.space !== 'shared' || object.dynamicShared || escapes || !isScalar(object.element.kind)) continue;
      const first = firstUse(kernel, object.id);
      if (!first || ('kind' in first && first.kind === 'store') || isWrittenInLoop(kernel, first, object.id)) continue;
      const data = { name: object.name, atomic: 'kind' in first ? undefined : first.name };
      yield { at: first.place, message: 'kind' in first ? 'read' : 'atomic', data };
    }
  },
});

function isScalar(kind: string): boolean {
  return kind === 'integer' || kind === 'float' || kind === 'bool';
}

function firstUse({ accesses, atomics }: VariantFacts, id: string): AccessFacts | AtomicFacts | undefined {
  const uses = [...accesses, ...atomics].filter(({ object }) => object.id === id);
  return uses.sort((a, b) => a.order - b.order)[0];
}

/** What an earlier iteration has written. Also where one branch reads what another one wrote in the iteration before. */
function isWrittenInLoop({ accesses, atomics }: VariantFacts, first: AccessFacts | AtomicFacts, id: string): boolean {
  const writes = [...accesses.filter(({ kind }) => kind === 'store'), ...atomics].filter((w) => w !== first && w.object.id === id);
  return writes.some(({ control }) => control.loops.some((loop) => first.control.loops.includes(loop) && !isItself(first)));
}

/** `s[i] += x`, which reads what it is about to write. */
function isItself(first: AccessFacts | AtomicFacts): boolean {
  return 'readModifyWrite' in first ? first.readModifyWrite : true;
}
