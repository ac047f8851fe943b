/** Registers have no addresses: an array indexed by a run-time value is put in local memory, which is global memory behind a cache. */
import { staysInRegisters } from '../../devices/local-arrays.ts';
import type { ArrayFacts, VariantFacts } from '../model/facts.ts';
import type { Item } from '../syntax/items.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, isBesideTheWork, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const localArrayIndex = defineRule({
  id: 'local-array-index',
  summary: 'Local array with a run-time index',
  category: 'memory',
  costs: true,
  severity: 'information',
  messages: {
    dynamic:
      '`{name}` is indexed by a run-time value, so its {bytes} bytes per thread are in local memory instead of registers, and every access is a memory access; index it with the counter of a fully unrolled loop, or keep it in shared memory',
    large:
      '`{name}` is indexed by a run-time value, so its {bytes} bytes per thread are in local memory instead of registers, and every access is a memory access; with one for each thread, a block needs more than the 48 KiB of shared memory: make it smaller, or let threads share one',
    words:
      '`{name}` is indexed by a run-time value, so its {bytes} bytes per thread are in local memory, unless ptxas chooses from registers, as it does where few instructions go there (`-Xptxas -v` prints a stack frame of 0 bytes then); index it with the counter of a fully unrolled loop to be sure',
    constants:
      'every thread writes the {bytes} bytes of `{name}` to its own local memory before it looks up a constant, because the index is a run-time value; declare it `static const`, so that all threads share one table and none writes it',
  },
  *detect(kernel) {
    const firsts = new Map<Item, Place>();
    for (const array of kernel.arrays) {
      if (array.object.space !== 'local' || !array.dynamicIndex || array.bytes === undefined) continue;
      const data = { name: array.object.name, bytes: array.bytes };
      const isTable = array.constantsAt !== undefined || isFilledWithConstants(array, kernel);
      if (isTable ? isChosenFrom(array) : isFewWords(array)) continue;
      const severity = isLittle(array, kernel) ? 'hint' : undefined;
      const fixes = array.constantsAt && oneForAll(array.constantsAt);
      if (isTable) yield { at: array.place, message: 'constants', data, severity, fixes };
      else if (areWords(array)) yield { at: array.place, message: 'words', data, severity: 'hint' };
      else if (fitsIntoSharedMemory(array, kernel)) {
        // Of one function there is one finding.
        const first = firsts.get(array.place.item);
        if (!first && !severity) firsts.set(array.place.item, array.place);
        const folded = first && { causes: [first], short: phrase('alsoLocal', data) };
        yield { at: array.place, message: 'dynamic', data, severity, ...folded };
      } else yield { at: array.place, message: 'large', data, severity: 'hint' };
    }
  },
});

/** A table that ptxas chooses from without any access to memory: one in global memory would cost more. */
function isChosenFrom({ bytes, elementBytes, dynamicIndices }: ArrayFacts): boolean {
  return bytes !== undefined && elementBytes !== undefined && staysInRegisters({ bytes, elementBytes, reads: dynamicIndices });
}

/**
 * ptxas (13.0, sm_90) keeps all arrays of up to four numbers of 32 bits in registers, whatever is read and written there, and none of 64 bits.
 * Up to 32 numbers it depends on how many instructions go there once loops are unrolled.
 */
function isFewWords({ bytes = 0, elementBytes, dynamicIndices }: ArrayFacts): boolean {
  return elementBytes === 4 && bytes <= 16 && dynamicIndices <= 8;
}

/** One for each thread of the block. */
function fitsIntoSharedMemory({ bytes = 0 }: ArrayFacts, { block: { x, y, z } }: VariantFacts): boolean {
  return bytes * x * y * z <= SHARED_BYTES;
}

/** Of a block that asks for no more (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). */
const SHARED_BYTES = 48 << 10;

function areWords({ bytes = 0, elementBytes }: ArrayFacts): boolean {
  return elementBytes === 4 && bytes <= 128;
}

/** Beside some hundred instructions for each access. */
function isLittle({ object }: ArrayFacts, kernel: VariantFacts): boolean {
  const own = kernel.accesses.filter((access) => access.object.id === object.id && access.index?.constant === undefined);
  return (
    own.length > 0 &&
    own.every(({ control: { loops } }) => {
      const loop = loops.at(-1);
      if (!loop) return isBesideTheWork(kernel, loops);
      return loop.bodyCost > INSTRUCTIONS_PER_ACCESS * own.filter(({ control }) => control.loops.includes(loop)).length;
    })
  );
}

const INSTRUCTIONS_PER_ACCESS = 150;

/** Element by element. */
function isFilledWithConstants({ object }: ArrayFacts, { accesses }: VariantFacts): boolean {
  const stores = accesses.filter(({ object: { id }, kind }) => id === object.id && kind === 'store');
  return stores.length > 0 && stores.every(({ index, value }) => index?.constant !== undefined && value?.constant !== undefined);
}

function oneForAll({ item, start }: Place): RuleFix[] {
  return [{ title: phrase('declareStatic'), safe: true, edits: [{ at: { item, start, end: start }, newText: 'static ' }] }];
}
