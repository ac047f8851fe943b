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
    const fields = [...new Set(apart.flatMap(({ field }) => field?.name ?? []))];
    const toObject = accesses.filter((access) => access.object.id === object.id);
    const { bytes, isAll } = usedBytes(size, toObject);
    return { object, structure, accesses: apart, fields, usedBytes: isAll ? bytes : undefined, mostlyUsed: bytes > size * MOST };
  });
}

/** The structure that lies between what neighbouring lanes move: the one with the field, or the whole one that moves in pieces. */
function structureBetweenLanes({ field, type, global }: AccessFacts): TypeFacts | undefined {
  const structure = field?.structure ?? (type.kind === 'struct' ? type : undefined);
  if (structure?.size === undefined || !global || global.gathered || global.strideBytes === undefined) return undefined;
  return Math.abs(global.strideBytes) === structure.size && global.shape === 'strided' ? structure : undefined;
}

const NOWHERE = [0, 0] as const;

/** Bytes of its own structure that a thread moves by those accesses to the array that are understood, and whether all of them are. */
function usedBytes(size: number, accesses: readonly AccessFacts[]): { readonly bytes: number; readonly isAll: boolean } {
  const used = new Set<number>();
  let isAll = true;
  for (const { global, laneOffsets, reachBytes = NOWHERE, type } of accesses) {
    if (!global || global.gathered || global.strideBytes === undefined || laneOffsets === undefined || type.size === undefined) {
      isAll = false;
      continue;
    }
    if (Math.abs(global.strideBytes) !== size) continue;
    const start = laneOffsets[0] * type.size;
    // A loop that leaves the structure goes on to other elements of the array.
    const reach = Math.max(...reachBytes.map(Math.abs));
    const bytes = Math.min(size, type.size + (reach < size ? reach : 0));
    for (let byte = 0; byte < bytes; byte++) used.add(modulo(start + byte, size));
  }
  return { bytes: used.size, isAll };
}
