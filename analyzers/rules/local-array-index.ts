/** Registers have no addresses: an array indexed by a run-time value is put in local memory, which is global memory behind a cache. */
import { staysInRegisters } from '../../devices/local-arrays.ts';
import type { ArrayFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const localArrayIndex = defineRule({
  id: 'local-array-index',
  summary: 'Local array with a run-time index',
  category: 'memory',
  severity: 'information',
  messages: {
    dynamic:
      '`{name}` is indexed by a run-time value, so its {bytes} bytes per thread are in local memory instead of registers, and every access is a memory access; index it with the counter of a fully unrolled loop, or keep it in shared memory',
    constants:
      'every thread writes the {bytes} bytes of `{name}` to its own local memory before it looks up a constant, because the index is a run-time value; declare it `static const`, so that all threads share one table and none writes it',
  },
  *detect(kernel) {
    for (const array of kernel.arrays) {
      if (array.object.space !== 'local' || !array.dynamicIndex || array.bytes === undefined) continue;
      const data = { name: array.object.name, bytes: array.bytes };
      if (array.constantsAt && isInRegisters(array)) continue;
      if (array.constantsAt) yield { at: array.place, message: 'constants', data, fixes: oneForAll(array.constantsAt) };
      else yield { at: array.place, message: 'dynamic', data };
    }
  },
});

/** A table that ptxas chooses from without any access to memory: one in global memory would cost more. */
function isInRegisters({ bytes, elementBytes, dynamicIndices }: ArrayFacts): boolean {
  return bytes !== undefined && elementBytes !== undefined && staysInRegisters({ bytes, elementBytes, reads: dynamicIndices });
}

function oneForAll({ item, start }: Place): RuleFix[] {
  return [{ title: phrase('declareStatic'), safe: true, edits: [{ at: { item, start, end: start }, newText: 'static ' }] }];
}
