/** A compare-and-swap whose result nobody looks at: it may not have happened. */
import { defineRule } from './define-rule.ts';

export const atomicResultUnusedCas = defineRule({
  id: 'atomic-result-unused-cas',
  summary: 'Result of a compare-and-swap is not looked at',
  category: 'atomics',
  severity: 'warning',
  messages: {
    unused:
      'the result of `{name}` is not looked at, so a swap that lost against another thread goes unnoticed: compare it with the expected value and try again, or use atomicExch if any value may be replaced',
  },
  *detect(kernel) {
    for (const atomic of kernel.atomics)
      if (/CAS|compare_exchange/.test(atomic.name) && !atomic.resultUsed)
        yield { at: atomic.place, message: 'unused', data: { name: atomic.name } };
  },
});
