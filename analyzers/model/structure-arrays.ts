/** Arrays of structures whose fields neighbouring threads move a whole structure apart, and how much of each structure they use. */
import type { AccessFacts, ObjectFacts, StructureArrayFacts, TypeFacts } from './facts.ts';
import { modulo } from './patterns.ts';

/** What a kernel uses of a structure that gains little from arrays of single fields. */
const MOST = 0.75;

export function structureArraysOf(accesses: readonly AccessFacts[]): StructureArrayFacts[] {
  const found = new Map<string, { object: ObjectFacts; structure: TypeFacts; accesses: AccessFacts[] }>();
  for (const access of accesses) {
    const structure = structureBetweenLanes(access);
    if (!structure) continue;
    const key = `${access.object.id} ${structure.name}`;
    const known = found.get(key);
    if (known) known.accesses.push(access);
    else found.set(key, { object: access.object, structure, accesses: [access] });
  }
  return [...found.values()].map(({ object, structure, accesses: apart }) => {
    const size = structure.size!;
    const toObject = accesses.filter((access) => access.object.id === object.id);
    const fields = [...new Set(toObject.flatMap(({ field }) => (field?.structure.name === structure.name ? field.name : [])))];
    const { own, all, isAll } = usedBytes(size, toObject);
    // Nobody can use padding.
    const mostlyUsed = own > (structure.dataBytes ?? size) * MOST;
    return { object, structure, accesses: apart, fields, usedBytes: isAll ? all : undefined, mostlyUsed };
  });
}

/** The structure that lies between what neighbouring lanes move: the one with the field, or the whole one that moves in pieces. */
function structureBetweenLanes({ field, type, global }: AccessFacts): TypeFacts | undefined {
  const structure = field?.structure ?? (type.kind === 'struct' ? type : undefined);
  if (structure?.size === undefined || !global || global.gathered || global.strideBytes === undefined) return undefined;
  return Math.abs(global.strideBytes) === structure.size && global.shape === 'strided' ? structure : undefined;
}

/** Bytes of its own structure, and of any, that a thread moves by those accesses to the array that are understood, and whether all of them are. */
function usedBytes(
  size: number,
  accesses: readonly AccessFacts[],
): {
  readonly own: number;
  readonly all: number;
  readonly isAll: boolean;
} {
  const own = new Set<number>();
  const all = new Set<number>();
  let isAll = true;
  for (const { global, laneOffsets, moves, type } of accesses) {
    if (!global || global.gathered || global.strideBytes === undefined || laneOffsets === undefined || type.size === undefined) {
      isAll = false;
      continue;
    }
    const isOwn = Math.abs(global.strideBytes) === size;
    // All lanes at one of the structures, as a loop over all of them has it.
    if (!isOwn && global.strideBytes !== 0) continue;
    const start = laneOffsets[0] * type.size;
    // Loops that step by whole structures stay at the same bytes of each.
    const inside = moves.filter(({ bytes }) => modulo(bytes, size) !== 0);
    const [first, ...others] = inside;
    if (others.length > 0 || (first && (first.trips === undefined || Number.isNaN(first.bytes)))) isAll = false;
    const trips = Math.min(first?.trips ?? 1, size);
    for (let k = 0; k < trips; k++)
      for (let byte = 0; byte < type.size; byte++) {
        const at = modulo(start + k * (first?.bytes ?? 0) + byte, size);
        all.add(at);
        if (isOwn) own.add(at);
      }
  }
  return { own: own.size, all: all.size, isAll };
}
