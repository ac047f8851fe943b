import type { AccessFacts } from '../model/facts.ts';
import { defineRule, isBesideTraffic } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** An array of structures of which a kernel needs some fields only: each sector carries the others, too. */
export const structureStride = defineRule({
  id: 'structure-stride',
  summary: 'Array of structures of which a kernel uses only a few fields',
  category: 'memory',
  costs: true,
  severity: 'information',
  messages: {
    stride:
      'this kernel uses only {used} of the {bytes} bytes of each `{structure}` in `{array}` ({fields}), and the others take up the rest of each sector; store each field in its own array (structure of arrays)',
  },
  *detect(kernel) {
    for (const { object, structure, accesses, fields, usedBytes, mostlyUsed } of kernel.structureArrays) {
      if (!object.declaredAt || fields.length === 0 || usedBytes === undefined || mostlyUsed) continue;
      const isWasteful = ({ global }: AccessFacts) => global!.activeLanes >= 4 && global!.sectors > global!.idealSectors * 1.3;
      const wasteful = accesses.find(isWasteful);
      if (!wasteful) continue;
      const data = { bytes: structure.size, used: usedBytes, structure: structure.name, array: object.name, fields: listed(fields) };
      // The others are findings of their own.
      const related = accesses
        .filter((access) => !isWasteful(access))
        .map(({ place, text }) => ({ at: place, message: phrase('code', { text }) }));
      // Loops that go through the array with all lanes at one element do not mind its layout.
      const severity = isBesideTraffic(kernel, wasteful.control.loops, 1) ? ('hint' as const) : undefined;
      yield { at: object.declaredAt, message: 'stride', data, related, causes: [wasteful.place], severity };
    }
  },
});

function listed(fields: readonly string[]): string {
  const shown = fields.slice(0, 4).map((field) => `\`${field}\``);
  return [...shown, ...(fields.length > 4 ? ['…'] : [])].join(', ');
}
