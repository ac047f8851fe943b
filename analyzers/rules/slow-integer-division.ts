/** GPUs have no integer division: it is a subroutine, unless the divisor is a constant, when it is a multiplication. */
import type { DivisionFacts, VariantFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type Report } from './define-rule.ts';

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
      if (!isSlow(division)) continue;
      // One per loop says it: index macros divide many times.
      const loop = loopOf(division);
      if (seen.has(loop)) continue;
      seen.add(loop);
      yield slowDivision(division, kernel);
    }
  },
});

/** The others of the loop with the one that a report is about: the remainder of what is divided is no division for the compiler. */
export function slowInSameLoop(at: Place, kernel: VariantFacts): readonly DivisionFacts[] {
  const slow = kernel.divisions.filter(isSlow);
  const first = slow.find(({ place }) => place.item === at.item && place.start === at.start);
  return first ? slow.filter((division) => division !== first && loopOf(division) === loopOf(first)) : [];
}

export function slowDivision({ place, divisor, operator, control }: DivisionFacts, kernel: VariantFacts): Report<'division' | 'counter'> {
  return {
    at: place,
    message: isCounter(divisor.text, control.loops.at(-1)!.headText) ? 'counter' : 'division',
    data: { operator, divisor: divisor.text },
    causes: conditionsAround(kernel, place),
  };
}

function isSlow({ divisor, control, divisorFromLaunch, divisorElsewhere, loopInvariant }: DivisionFacts): boolean {
  if (control.loops.length === 0 || divisor.unknown || divisor.uniformity === 'lane') return false;
  if ((divisor.constant !== undefined && !divisorFromLaunch) || divisorElsewhere) return false;
  // Only what changes in the loop must stay in it: the compiler hoists the rest by itself.
  return !loopInvariant;
}

function loopOf({ control: { loops } }: DivisionFacts): number {
  return loops.at(-1)!.order;
}

/** The head of the loop changes it: `for (i = 2; i <= n; i = 2 * i)`. */
function isCounter(divisor: string, head: string): boolean {
  return /^\w+$/.test(divisor) && new RegExp(`\\b${divisor}\\s*([-+*/]=|<<=|>>=|=[^=]|\\+\\+|--)|(\\+\\+|--)\\s*${divisor}\\b`).test(head);
}

/** A tree that selects threads by modulo has the division for its condition. */
function conditionsAround({ branches }: VariantFacts, { item, start, end }: Place): readonly Place[] {
  const isAround = (at: Place) => at.item === item && at.start <= start && at.end >= end;
  return branches.map((branch) => branch.condition.place).filter(isAround);
}
