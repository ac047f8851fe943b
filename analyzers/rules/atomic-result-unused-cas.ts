/**
 * A compare-and-swap whose result nobody looks at: it may not have happened. Where the expected value is a constant, or the thread's own,
 * only a word that holds it is to be changed, and nothing is lost otherwise.
 */
import { defineRule } from './define-rule.ts';

export const atomicResultUnusedCas = defineRule({
  id: 'atomic-result-unused-cas',
  summary: 'Compare-and-swap whose result is ignored',
  category: 'atomics',
  severity: 'warning',
  messages: {
    unused:
      'the result of `{name}` is ignored, so a failed swap goes unnoticed; compare it with the expected value and retry, or use atomicExch if any value may be overwritten',
  },
  *detect(kernel) {
    for (const atomic of kernel.atomics)
      if (/CAS|compare_exchange/.test(atomic.name) && !atomic.resultUsed && atomic.operands[0]?.fromMemory)
        yield { at: atomic.place, message: 'unused', data: { name: atomic.name } };
  },
});
