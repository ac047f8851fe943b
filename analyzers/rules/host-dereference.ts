/** Host code that reads or writes through a pointer that cudaMalloc returned. */
import { defineRule } from './define-rule.ts';

export const hostDereference = defineRule({
  id: 'host-dereference',
  summary: 'Device pointer dereferenced on the host',
  category: 'launches',
  severity: 'error',
  messages: {
    dereferenced:
      '`{name}` points to device memory, which the host cannot reach: this crashes; copy with cudaMemcpy, or allocate with cudaMallocManaged',
  },
  *detectFile(file) {
    for (const f of file.hostFunctions)
      for (const use of f.dereferences)
        if (use.allocation === 'device') yield { at: use.place, message: 'dereferenced', data: { name: use.variable } };
  },
});
