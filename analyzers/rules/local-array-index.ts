/** Registers have no addresses: an array indexed by a run-time value is put in local memory, which is global memory behind a cache. */
import { defineRule } from './define-rule.ts';

export const localArrayIndex = defineRule({
  id: 'local-array-index',
  summary: 'Local array with a run-time index',
  category: 'memory',
  severity: 'information',
  messages: {
    dynamic:
      '`{name}` is indexed by a run-time value, so its {bytes} bytes per thread lie in local memory instead of registers and every access is a memory access; index by the counter of a loop that is fully unrolled, or keep it in shared memory',
  },
  *detect(kernel) {
    for (const array of kernel.arrays) {
      if (array.object.space !== 'local' || !array.dynamicIndex || array.bytes === undefined) continue;
      yield { at: array.place, message: 'dynamic', data: { name: array.object.name, bytes: array.bytes } };
    }
  },
});
