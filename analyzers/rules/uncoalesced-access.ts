import { type AccessFacts, excessOf, type GlobalPattern, type StructureArrayFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type Report } from './define-rule.ts';

/** A request should not need more sectors than this many times its bytes: 1.2 is what the measurements call uncoalesced. */
const TOLERANCE = 1.3;

type Message = 'strided' | 'field' | 'whole' | 'scattered';

/** Lanes of a warp that touch far-apart addresses need one memory sector each. */
export const uncoalescedAccess = defineRule<Message>({
  id: 'uncoalesced-access',
  summary: 'Global memory access with a large stride between lanes',
  category: 'memory',
  severity: 'warning',
  messages: {
    strided:
      'lanes of a warp are {bytes} bytes apart: {sectors} sectors per request instead of {ideal}; let neighbouring threads access neighbouring elements',
    field:
      'lanes of a warp are {bytes} bytes apart to access field `{field}` of `{structure}`: {sectors} sectors per request instead of {ideal}; store each field in its own array (structure of arrays)',
    whole:
      '`{structure}` has {bytes} bytes and moves in pieces: {sectors} sectors per request instead of {ideal}; use a type of 8 or 16 bytes that is aligned to its size (`float4`, `__align__(16)`) and moves at once, or store each field in its own array',
    scattered:
      'lanes of a warp touch {sectors} sectors per request instead of {ideal}; let neighbouring threads access neighbouring elements',
  },
  *detect(kernel) {
    const arrays = new Map(kernel.structureArrays.flatMap((array) => array.accesses.map((access) => [access, array] as const)));
    const firstOf = new Map<StructureArrayFacts, AccessFacts>();
    for (const access of kernel.accesses) {
      const pattern = access.global;
      if (!pattern || pattern.gathered || pattern.activeLanes < 4) continue;
      if (pattern.sectors <= pattern.idealSectors * TOLERANCE || pattern.sectors < pattern.idealSectors + 1) continue;
      if (access.kept) continue;
      const array = arrays.get(access);
      if (array) firstOf.set(array, firstOf.get(array) ?? access);
      const report = array ? ofStructure(access, pattern, array) : ofElements(access, pattern);
      const first = array && firstOf.get(array);
      yield { ...report, causes: first && first !== access ? [first.place] : splitting(access) };
    }
  },
});

/** Conditions that let every other lane through, or fewer: a request for those that are left wastes what the others would use. */
function splitting({ control }: AccessFacts): readonly Place[] {
  return control.branches.flatMap(({ branch }) => (branch.splits.kind === 'lanes' ? [branch.condition.place, branch.headPlace] : []));
}

function ofStructure(access: AccessFacts, pattern: GlobalPattern, { structure, mostlyUsed }: StructureArrayFacts): Report<Message> {
  const { place, field } = access;
  const { sectors, idealSectors: ideal } = pattern;
  return {
    at: place,
    message: field ? 'field' : 'whole',
    data: { bytes: structure.size, sectors, ideal, structure: structure.name, field: field?.name },
    // What this request fetches too much, those for the other fields find in L1.
    severity: mostlyUsed ? 'information' : undefined,
    weight: excessOf(access),
  };
}

function ofElements(access: AccessFacts, pattern: GlobalPattern): Report<Message> {
  const { place: at } = access;
  const weight = excessOf(access);
  const { sectors, idealSectors: ideal, strideBytes, strideText, shape } = pattern;
  const bytes = strideBytes === undefined ? strideText : `${Math.abs(strideBytes)}`;
  return bytes !== undefined && shape === 'strided'
    ? { at, message: 'strided', data: { bytes, sectors, ideal }, weight }
    : { at, message: 'scattered', data: { sectors, ideal }, weight };
}
