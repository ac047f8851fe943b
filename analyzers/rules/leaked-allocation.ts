import { defineRule } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Each iteration takes memory of its own and gives none back. */
export const leakedAllocation = defineRule({
  id: 'leaked-allocation',
  summary: 'Device memory that a loop allocates in each iteration and frees in none',
  category: 'memory',
  severity: 'warning',
  messages: {
    lost: '`{variable}` is allocated in each iteration and freed in none: {amount} lost every time until the device has no more; free it at the end of the loop\u2019s body, or allocate it once before the loop',
  },
  *detectFile(file) {
    for (const { leaks } of file.hostFunctions)
      for (const { variable, place: at, bytes, bodyEnd } of leaks) {
        const amount = bytes === undefined ? phrase('itsMemoryIs') : phrase('bytesAre', { bytes });
        const fix = {
          title: phrase('freeAtEnd', { name: variable }),
          edits: [{ at: bodyEnd, newText: `cudaFree(${variable}); ` }],
          safe: false,
        };
        yield { at, message: 'lost', data: { variable, amount }, fixes: [fix] };
      }
  },
});
