import { defineRule } from './define-rule.ts';

/** A field read from an array of structures: lanes are a whole structure apart. */
export const structureStride = defineRule({
  id: 'structure-stride',
  summary: 'Field of an array of structures read or written by neighbouring threads',
  category: 'memory',
  severity: 'information',
  messages: {
    stride:
      'neighbouring threads access field `{field}` of `{structure}` {bytes} bytes apart, so only {used} of {bytes} bytes fetched are this field; keep each field in an array of its own (structure of arrays)',
  },
  *detect(kernel) {
    const reported = new Set<string>();
    for (const access of kernel.accesses) {
      const { field, global } = access;
      if (!field || !global || global.gathered || global.strideBytes === undefined || global.activeLanes < 4) continue;
      const { size } = field.structure;
      const used = access.type.size;
      if (size === undefined || used === undefined || Math.abs(global.strideBytes) !== size || size <= used) continue;
      if (global.sectors <= global.idealSectors * 1.3) continue;
      const key = `${access.object.id}.${field.name}`;
      if (reported.has(key)) continue;
      reported.add(key);
      yield { at: access.place, message: 'stride', data: { field: field.name, structure: field.structure.name, bytes: size, used } };
    }
  },
});
