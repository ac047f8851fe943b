import type { OutsideFacts, PastTheEndFacts } from '../model/facts.ts';
import { defineRule, placeText, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** By the shape of the block that is launched, some thread leaves its array; or by that of the grid, the memory that was allocated. */
export const indexOutOfBounds = defineRule({
  id: 'index-out-of-bounds',
  summary: 'Index outside an array',
  category: 'memory',
  severity: 'error',
  messages: {
    thread:
      'thread {thread} of the block accesses element {element} of `{name}`, which has {elements}: it {does} other memory; make the array as large as the block needs it, or keep that thread out',
    bytes: 'bytes {first} to {last} of `{name}` are accessed, which has {count}: it {does} other memory; correct the index or the size',
    unaligned:
      'bytes {first} to {last} of `{name}` are accessed, which has {count}, and an access of {size} bytes must begin at a multiple of {size}: the kernel faults with cudaErrorMisalignedAddress; correct the index',
    always: 'element {element} of `{name}` is accessed, which has {elements}: it {does} other memory; correct the index or the size',
    allocation:
      'thread {thread} of block {block} accesses element {element} of `{name}`, for which {elements} were allocated: it {does} other memory, or the kernel fails; keep such threads out (`if (i < n)`), or allocate more',
    allocationBytes:
      'thread {thread} of block {block} accesses bytes {first} to {last} of `{name}`, for which {count} were allocated: it {does} other memory, or the kernel fails; correct the index or the size',
  },
  *detect(kernel) {
    const seen = new Set<string>();
    for (const outside of kernel.outside) {
      const { access, element, elements, bytes } = outside;
      const key = `${access.object.id} ${access.kind}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield {
        at: access.place,
        message: bytes
          ? isUnaligned(bytes.first, access)
            ? 'unaligned'
            : 'bytes'
          : access.offset.uniformity === 'lane' || access.offset.uniformity === 'warp'
            ? 'thread'
            : 'always',
        data: {
          ...bytes,
          size: access.type.size,
          element,
          elements,
          name: access.object.name,
          thread: placeText(outside.thread),
          does: phrase(access.kind === 'load' ? 'readsOther' : 'overwritesOther'),
        },
        related: access.object.declaredAt ? [{ at: access.object.declaredAt, message: phrase('declaredHere') }] : [],
      };
    }
    for (const outside of kernel.pastTheEnd) {
      const { access, element, elements, bytes, thread, block } = outside;
      yield {
        at: access.place,
        message: bytes ? 'allocationBytes' : 'allocation',
        data: {
          ...bytes,
          element,
          elements,
          name: access.object.name,
          thread: placeText(thread),
          block: placeText(block),
          does: phrase(access.kind === 'load' ? 'readsOther' : 'overwritesOther'),
        },
        related: kernel.launches.length === 1 ? [{ at: kernel.launches[0].place, message: phrase('launchedHere') }] : [],
        fixes: guarded(outside),
      };
    }
  },
});

/** A number that is moved at once: from the start of an array, which is aligned to it. */
function isUnaligned(first: number, { type: { size = 1, kind } }: OutsideFacts['access']): boolean {
  return (kind === 'integer' || kind === 'float') && first % size !== 0;
}

/** `i <= n` becomes `i < n`, and an assignment that nothing guards gets a guard. */
function guarded({ access: { statement, index, control }, count, guard, element }: PastTheEndFacts): RuleFix[] {
  if (count === undefined || element < 0) return [];
  const condition = guard?.text.replace('<=', '<');
  const title = (code: string) => phrase('guardWith', { code });
  if (guard && condition) return [{ title: title(condition), edits: [{ at: guard.place, newText: condition }], safe: false }];
  const isAssignment = statement && /^\w+\[[^;{}]*;$/.test(statement.text);
  if (!isAssignment || !index || !/^\w+$/.test(index.text) || control.loops.length > 0) return [];
  const code = `if (${index.text} < ${count})`;
  return [{ title: title(code), edits: [{ at: statement.place, newText: `${code} ${statement.text}` }], safe: false }];
}
