import type { OutsideFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** By the shape of the block that is launched, some thread leaves its array. */
export const indexOutOfBounds = defineRule({
  id: 'index-out-of-bounds',
  summary: 'Index outside a shared or local array',
  category: 'memory',
  severity: 'error',
  messages: {
    thread:
      'thread {thread} of the block accesses element {element} of `{name}`, which has {elements}: it {does} other memory; make the array as large as the block needs it, or keep that thread out',
    bytes: 'bytes {first} to {last} of `{name}` are accessed, which has {count}: it {does} other memory; correct the index or the size',
    always: 'element {element} of `{name}` is accessed, which has {elements}: it {does} other memory; correct the index or the size',
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
        message: bytes ? 'bytes' : access.offset.uniformity === 'lane' || access.offset.uniformity === 'warp' ? 'thread' : 'always',
        data: {
          ...bytes,
          element,
          elements,
          name: access.object.name,
          thread: threadText(outside),
          does: phrase(access.kind === 'load' ? 'readsOther' : 'overwritesOther'),
        },
        related: access.object.declaredAt ? [{ at: access.object.declaredAt, message: phrase('declaredHere') }] : [],
      };
    }
  },
});

function threadText({ thread: { x, y, z } }: OutsideFacts): string {
  if (z > 0) return `(${x}, ${y}, ${z})`;
  return y > 0 ? `(${x}, ${y})` : `${x}`;
}
