/** Floating-point atomics in shared memory are compare-and-swap loops: lanes that meet take turns, one whole loop each. */
import { defineRule } from './define-rule.ts';

/** Lanes at one address from which on it is worth a word: cycles rise in proportion (H200: 98 at distinct words, 3,043 at one). */
const MANY_LANES = 4;
const CYCLES_DISTINCT = 98.5;
const CYCLES_ONE_WORD = 3043;

export const hotSharedAtomic = defineRule({
  id: 'hot-shared-atomic',
  summary: 'Floating-point atomic by many lanes on one shared word',
  category: 'atomics',
  costs: true,
  severity: 'warning',
  messages: {
    loop: '{lanes} lanes update one word, and `{name}` on {type} in shared memory is a compare-and-swap loop: about {cycles} cycles per warp on an H200, where a word for each lane takes 98; reduce with warp shuffles first and let one lane update',
  },
  *detect(kernel) {
    for (const atomic of kernel.atomics) {
      const lanes = Math.min(atomic.lanesPerAddress ?? 0, atomic.control.activeLanes ?? 32);
      if (atomic.object.space !== 'shared' || atomic.type.kind !== 'float' || lanes < MANY_LANES) continue;
      const cycles = Math.round(CYCLES_DISTINCT + ((CYCLES_ONE_WORD - CYCLES_DISTINCT) * (lanes - 1)) / 31);
      yield { at: atomic.place, message: 'loop', data: { lanes, name: atomic.name, type: atomic.type.name, cycles } };
    }
  },
});
