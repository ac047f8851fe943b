/** `0.5` is a double: in float code it promotes the whole operation to double precision and back. */
import { defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const doubleLiteral = defineRule({
  id: 'double-literal',
  summary: 'Double-precision literal in single-precision code',
  category: 'arithmetic',
  costs: true,
  severity: 'information',
  messages: {
    promoted:
      '`{text}` is a double, so this float expression is evaluated in double precision: half the rate on data-centre GPUs, 1/32 to 1/64 on others; write `{float}`',
  },
  *detect(kernel) {
    // Once, however often its function is called.
    const promoting = kernel.literals.filter(
      ({ promotesFloat, expanded, place }, i, all) =>
        promotesFloat && !expanded && all.findIndex((other) => other.place.item === place.item && other.place.start === place.start) === i,
    );
    const [first, ...others] = promoting;
    if (!first) return;
    yield {
      at: first.place,
      message: 'promoted',
      data: { text: first.text, float: asFloat(first.text) },
      related: others.map((other) => ({ at: other.place, message: phrase('isDoubleToo', { text: other.text }) })),
      // Rounding changes: double arithmetic rounded once is not float arithmetic.
      fixes: [
        {
          title: promoting.length > 1 ? phrase('floatLiterals', { count: promoting.length }) : phrase('floatLiteral'),
          edits: promoting.map((literal) => ({ at: literal.place, newText: asFloat(literal.text) })),
          safe: false,
        },
      ],
    };
  },
});

/** `0.5` and `0.5L` as `0.5f`. */
function asFloat(literal: string): string {
  return `${literal.replace(/[lL]$/, '')}f`;
}
