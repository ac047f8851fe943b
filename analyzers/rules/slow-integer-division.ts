/** GPUs have no integer division: it is a subroutine, unless the divisor is a constant, when it is a multiplication. */
import type { VariantFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule } from './define-rule.ts';

export const slowIntegerDivision = defineRule({
  id: 'slow-integer-division',
  summary: 'Integer division by a run-time value in a loop',
  category: 'arithmetic',
  costs: true,
  severity: 'hint',
  messages: {
    division:
      '`{operator}` by the run-time value `{divisor}` in a loop: GPUs have no integer division, so each one takes some twenty instructions (more for 64 bits); hoist it, use a power of two with shifts and masks, or make the divisor a template parameter',
    counter:
      '`{operator}` by `{divisor}`, which changes in the loop: GPUs have no integer division, so each one takes some twenty instructions (more for 64 bits); where the divisor is a power of two, use shifts and masks (`x & (d - 1)` for `x % d`)',
  },
  *detect(kernel) {
    const seen = new Set<number>();
    for (const division of kernel.divisions) {
      const { divisor, control } = division;
      if (control.loops.length === 0 || divisor.unknown || divisor.uniformity === 'lane') continue;
      if ((divisor.constant !== undefined && !division.divisorFromLaunch) || division.divisorElsewhere) continue;
      // Only what changes in the loop must stay in it: the compiler hoists the rest by itself.
      if (division.loopInvariant) continue;
      // One per loop says it: index macros divide many times.
      const loop = control.loops[control.loops.length - 1];
      if (seen.has(loop.order)) continue;
      seen.add(loop.order);
      yield {
        at: division.place,
        message: isCounter(divisor.text, loop.headText) ? 'counter' : 'division',
        data: { operator: division.operator, divisor: divisor.text },
        causes: conditionsAround(kernel, division.place),
      };
    }
  },
});

/** The head of the loop changes it: `for (i = 2; i <= n; i = 2 * i)`. */
function isCounter(divisor: string, head: string): boolean {
  return /^\w+$/.test(divisor) && new RegExp(`\\b${divisor}\\s*([-+*/]=|<<=|>>=|=[^=]|\\+\\+|--)|(\\+\\+|--)\\s*${divisor}\\b`).test(head);
}

/** A tree that selects threads by modulo has the division for its condition. */
function conditionsAround({ branches }: VariantFacts, { item, start, end }: Place): readonly Place[] {
  const isAround = (at: Place) => at.item === item && at.start <= start && at.end >= end;
  return branches.map((branch) => branch.condition.place).filter(isAround);
}
