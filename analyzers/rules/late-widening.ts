/** `size_t i = row * width`: the product has 32 bits, and wraps around before it becomes one of 64. */
import type { ValueFacts } from '../model/facts.ts';
import { defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const lateWidening = defineRule({
  id: 'late-widening',
  summary: 'Product of 32 bits in a 64-bit index',
  category: 'memory',
  severity: 'information',
  messages: {
    product:
      '`{product}` is computed with 32 bits and becomes `{type}` only then: from {limit} on it wraps around, and the index is another one; convert a factor first, `({type}){factor}`',
  },
  *detect(kernel) {
    const given = new Set(kernel.parameters.map(({ name }) => name));
    for (const { place, to, product, factors, text } of kernel.widenings) {
      if (factors.filter((factor) => mayBeLarge(factor, given)).length < 2) continue;
      const [{ text: factor, place: first }] = factors;
      yield {
        at: place,
        message: 'product',
        data: {
          product: first.start > place.start ? text.slice(1, -1) : text,
          type: to.name,
          factor,
          limit: product.unsigned ? '4,294,967,296' : '2,147,483,648',
        },
        fixes: [
          {
            title: phrase('convertFirst', { factor }),
            safe: true,
            edits: [{ at: { ...first, end: first.start }, newText: `(${to.name})` }],
          },
        ],
      };
    }
  },
});

/** Not so of a place in a block, of its size and of what the text fixes; a parameter that one launch fixes may have another value. */
function mayBeLarge({ text, constant }: ValueFacts, parameters: ReadonlySet<string>): boolean {
  return !/^(threadIdx|blockDim)\b/.test(text) && (constant === undefined || parameters.has(text));
}
