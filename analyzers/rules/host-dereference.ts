/** Host code that reads or writes through a pointer that cudaMalloc or one of its kin returned. */
import { defineRule } from './define-rule.ts';

export const hostDereference = defineRule({
  id: 'host-dereference',
  summary: 'Device pointer dereferenced on the host',
  category: 'launches',
  severity: 'error',
  messages: {
    dereferenced:
      '`{name}` points to device memory, which the host cannot access: this crashes; copy with cudaMemcpy, or allocate with cudaMallocManaged',
  },
  *detectFile(file) {
    for (const f of file.hostFunctions)
      for (const { pointer, place } of f.dereferences) yield { at: place, message: 'dereferenced', data: { name: pointer } };
  },
});
