/**
 * Adjacent loads, or stores, of one block that the hardware executes as one wider access, as nvcc 13 merges them (read from machine
 * code for sm_90 and from the request counts of the reference programs):
 *
 *   - The addresses differ by constants, fill 2, 4, 8 or 16 bytes without a gap, and the first is known to be aligned to all of it.
 *     Shared arrays are (ptxas places them): a row of an unrolled tile product is loaded as LDS.128 (matmul.cu, 320 instead of 512
 *     shared loads per warp). Pointers from the host are aligned to their element only: in[2*t] and in[2*t+1] stay two requests
 *     (scan.cu), so do two fields of a structure of floats (access_patterns.cu), while float4 becomes one, also where w is not used
 *     (math_kernels.cu, nbody: 9 loads per warp). Loads may leave gaps: see `isFilledUp`. Bytes and halves are NVVM's to merge, which
 *     knows how a shared array is declared, not where ptxas places it (h200-samples.json, histogram: 64 loads of bytes of an array of
 *     them).
 *   - Nothing between them may touch the same memory in a way that matters: a store or atomic between loads, any access between
 *     stores, a barrier, a fence or a call. Accesses that lie a known distance apart do not: `v[i].x += a; v[i].y += a` of a float2 is one
 *     load and one store. See `isUndisturbed` for what is not declared so.
 *   - Volatile and atomic accesses stay alone, and nothing is moved past those that order other accesses.
 *   - Vectors that were put together from numbers and are stored through a cast pointer: see `isLateCopy`.
 */
import { accessesMayPass } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { type MemoryRoots, mayAlias } from '../ir/memory-roots.ts';
import { isPlain } from '../ir/operands.ts';
import {
  type AddressSpace,
  type GlobalVariable,
  type Instruction,
  type IrFunction,
  type Operand,
  ordersOthers,
  type Type,
} from '../ir/types.ts';
import { type LinearAddress, LinearAddresses } from './linear-address.ts';

export interface MergedMember {
  readonly site: number;
  /** Bytes from the start of the merged access. */
  readonly offset: number;
  readonly bytes: number;
}

/** One access of the hardware. */
export interface MergedAccess {
  /** Where it is executed and counted: the first load, the last store. */
  readonly leader: number;
  /** Bytes from the start of the access to the leader's own address. */
  readonly leaderOffset: number;
  /** 2, 4, 8 or 16. */
  readonly bytes: number;
  /** By offset. They fill the access, but for elements of a vector that the program does not use. */
  readonly members: readonly MergedMember[];
}

type StoreOrLoad = Extract<Instruction, { op: 'load' | 'store' }>;

interface Access {
  readonly instruction: StoreOrLoad;
  readonly address: LinearAddress;
  readonly bytes: number;
  /** Position in the block. */
  readonly position: number;
}

/** An address is `residue` modulo `align`, and a constant more. */
interface Alignment {
  readonly align: number;
  readonly residue: number;
}

interface Surroundings {
  /** All instructions of the block. */
  readonly instructions: readonly Instruction[];
  readonly roots: MemoryRoots;
  readonly addresses: LinearAddresses;
  /** Of all accesses that differ by constants, by the key of their addresses: what any of them is known to be. */
  readonly alignments: ReadonlyMap<string, Alignment>;
  /** The same as variables are declared, without what ptxas adds. */
  readonly declared: ReadonlyMap<string, Alignment>;
}

const GENERIC: AddressSpace = 0;
const SHARED: AddressSpace = 3;
const MAX_BYTES = 16;
const REGISTER_BYTES = 4;
/** LDS.128 and LDG.128 have four registers; narrower elements are packed into at most one of them, unless one copy moves them all. */
const MAX_MEMBERS = 4;
/** ptxas places shared arrays of this size or more at multiples of it. */
const SHARED_ALIGN = 16;

/** By site: the merged access that the load or store is part of; accesses that stay alone are missing. */
export function mergedAccesses(
  fn: IrFunction,
  roots: MemoryRoots,
  globals: ReadonlyMap<string, GlobalVariable>,
): ReadonlyMap<number, MergedAccess> {
  const addresses = new LinearAddresses(fn);
  const merged = new Map<number, MergedAccess>();
  for (const { instructions } of fn.blocks) {
    const alignments = alignmentsIn(instructions, addresses, (base) => placedAlign(base, globals));
    const declared = alignmentsIn(instructions, addresses, (base) => declaredAlign(base, globals));
    for (const op of ['load', 'store'] as const) {
      const groups = candidateGroups(instructions, op, addresses).flatMap((candidates) =>
        groupsOf(candidates, { instructions, roots, addresses, alignments, declared }),
      );
      const kept = op === 'store' ? withoutLateCopies(groups, instructions, addresses) : groups;
      for (const group of kept) for (const { site } of group.members) merged.set(site, group);
    }
  }
  return merged;
}

/** How many of the copies of one store NVVM makes vectors of, where it does not do so for all. */
const FIRST_COPIES = 2;

function withoutLateCopies(
  groups: readonly MergedAccess[],
  instructions: readonly Instruction[],
  addresses: LinearAddresses,
): readonly MergedAccess[] {
  const copies = new Map<unknown, Set<string>>();
  return groups
    .map((group) => ({ group, first: instructions.find(({ site }) => site === group.members[0].site) as StoreOrLoad }))
    .sort((a, b) => a.first.site - b.first.site)
    .filter(({ group, first }) => {
      if (!first.location || !isLateCopy(first.pointer, group.bytes, addresses)) return true;
      const known = copies.get(first.location) ?? new Set();
      copies.set(first.location, known.add(addresses.of(first.pointer).key));
      return known.size <= FIRST_COPIES;
    })
    .map(({ group }) => group);
}

/**
 * Stores that nvcc leaves apart from the third copy of an unrolled loop's body on, if their distance is known when the program runs only:
 * those through a pointer to an element that is cast to one to a vector, indexed with 64 bits behind an address that was computed, too
 * (`float *row = out + bid * n; … *(float4 *)(row + i) = …`). NVVM's vectorizer follows an address only so many steps back, and has other
 * beginnings then for the parts of one vector. Read from nvcc's PTX of 60 such loops; rmsnorm (h200-hecbench-third.json) has 240 requests
 * for 96 vectors by it. Vectors that the program loads or stores as a whole, indices of 32 bits and pointers to vectors are not concerned.
 */
function isLateCopy(pointer: Operand, bytes: number, addresses: LinearAddresses): boolean {
  const last = addresses.lastIndexing(pointer);
  if (!last?.terms.every(({ scale, index }) => scale < bytes && index.type.kind === 'int' && index.type.bits === 64)) return false;
  return addresses.lastIndexing(last.base) !== undefined;
}

/**
 * The alignment that hardware requires of an access of `bytes` bytes, counting those that it was merged with. Its instructions move 1, 2, 4, 8 or 16 bytes, and nothing needs to be aligned to more than that.
 */
export function checkedAlignment(declared: number, bytes: number): number {
  const moved = bytes >= 16 ? 16 : bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
  return Math.min(declared, moved);
}

/** Accesses of a block that differ by constants only and have one width, in the order of the block. */
function candidateGroups(instructions: readonly Instruction[], op: 'load' | 'store', addresses: LinearAddresses): readonly Access[][] {
  const groups = new Map<string, Access[]>();
  instructions.forEach((instruction, position) => {
    if (instruction.op !== op || !isPlain(instruction)) return;
    const { type } = instruction.op === 'load' ? instruction : instruction.value;
    const bytes = storeSizeOf(type);
    if (![1, 2, 4, 8].includes(bytes) || type.kind === 'array' || type.kind === 'struct') return;
    const address = addresses.of(instruction.pointer);
    const key = `${bytes} ${address.key}`;
    const group = groups.get(key);
    const access = { instruction, address, bytes, position };
    if (group) group.push(access);
    else groups.set(key, [access]);
  });
  return [...groups.values()].filter((group) => group.length > 1);
}

function groupsOf(candidates: readonly Access[], surroundings: Surroundings): MergedAccess[] {
  const [{ bytes: elementBytes, address }] = candidates;
  const known = (elementBytes < REGISTER_BYTES ? surroundings.declared : surroundings.alignments).get(address.key)!;
  const taken = new Set<Access>();
  const groups: MergedAccess[] = [];
  for (let bytes = MAX_BYTES; bytes > elementBytes; bytes /= 2) {
    if (known.align < bytes) continue;
    for (const first of candidates) {
      if (mod(first.address.offset - known.residue, bytes) !== 0) continue;
      const members = membersFrom(first, bytes, candidates, taken);
      if (!members || (bytes > elementBytes * MAX_MEMBERS && !isOneCopy(members, bytes))) continue;
      if (!mayMove(members, surroundings) || (!isDeclared(first, bytes, surroundings) && !isUndisturbed(members, surroundings))) continue;
      for (const member of members) taken.add(member);
      groups.push(mergedAccess(members, bytes));
    }
  }
  return groups;
}

/** The accesses in the `bytes` bytes from the first one on, each the nearest to it; undefined if they are not one access. */
function membersFrom(first: Access, bytes: number, candidates: readonly Access[], taken: ReadonlySet<Access>): Access[] | undefined {
  if (taken.has(first)) return undefined;
  const members = [first];
  for (let offset = first.bytes; offset < bytes; offset += first.bytes) {
    const wanted = (first.address.offset + offset) | 0;
    const near = candidates.filter((c) => c.address.offset === wanted && !taken.has(c));
    if (near.length > 0)
      members.push(near.reduce((a, b) => (Math.abs(b.position - first.position) < Math.abs(a.position - first.position) ? b : a)));
  }
  return members.length * first.bytes === bytes || isFilledUp(members, bytes) ? members : undefined;
}

/**
 * Loads with gaps behind the first element that nvcc (13.0) makes one of: NVVM fills what is missing, and ptxas leaves the load one if at
 * least three of its four registers are used, or both of two, or more than half of one. `p[i].x`, `.y` and `.z` of a float4 are one load,
 * so are `.x`, `.y` and `.w`, but `.x` and `.z` are two. In the middle, what is missing is filled between elements of one type only, or in
 * a copy of the whole. Read from the machine code of 60 kernels, each with some of the elements of a vector or structure.
 */
function isFilledUp(members: readonly Access[], bytes: number): boolean {
  const [{ instruction, address, bytes: elementBytes }] = members;
  if (instruction.op !== 'load') return false;
  const offsets = members.map((member) => member.address.offset - address.offset);
  const registers = new Set(offsets.map((offset) => offset >> 2)).size;
  const isLong = bytes > REGISTER_BYTES ? registers >= Math.min(3, bytes / REGISTER_BYTES) : offsets[offsets.length - 1] >= bytes / 2;
  if (!isLong) return false;
  const hasGap = offsets.some((offset, index) => offset !== index * elementBytes);
  return !hasGap || isOneCopy(members, bytes) || members.every((member) => typeOf(member) === typeOf(members[0]));
}

function typeOf({ instruction }: Access): Type {
  return instruction.op === 'load' ? instruction.type : instruction.value.type;
}

/**
 * All members come from one place of the source that moves an aligned vector at once: float4 that holds eight numbers of half
 * precision is STG.128 (relu of HeCBench), although Clang stores its halves one by one.
 */
function isOneCopy([first, ...others]: readonly Access[], bytes: number): boolean {
  const { align, location } = first.instruction;
  return align >= bytes && location !== undefined && others.every((other) => other.instruction.location === location);
}

function mergedAccess(members: readonly Access[], bytes: number): MergedAccess {
  const start = members[0].address.offset;
  const inOrder = [...members].sort((a, b) => a.position - b.position);
  const leader = members[0].instruction.op === 'load' ? inOrder[0] : inOrder[inOrder.length - 1];
  return {
    leader: leader.instruction.site,
    leaderOffset: leader.address.offset - start,
    bytes,
    members: members.map((m) => ({ site: m.instruction.site, offset: m.address.offset - start, bytes: m.bytes })),
  };
}

/** What the accesses' common bases are known to be: as their variables are aligned, or as some access says. */
function alignmentsIn(
  instructions: readonly Instruction[],
  addresses: LinearAddresses,
  alignOfBase: (base: Operand | undefined) => number,
): ReadonlyMap<string, Alignment> {
  const found = new Map<string, Alignment>();
  for (const instruction of instructions) {
    if (instruction.op !== 'load' && instruction.op !== 'store') continue;
    const { key, base, termAlign, offset } = addresses.of(instruction.pointer);
    const known = found.get(key) ?? { align: Math.min(termAlign, alignOfBase(base)), residue: 0 };
    const { align } = instruction;
    found.set(key, align > known.align ? { align, residue: mod(offset, align) } : known);
  }
  return found;
}

type Globals = ReadonlyMap<string, GlobalVariable>;

function declaredAlign(base: Operand | undefined, globals: Globals): number {
  if (base === undefined) return Number.MAX_SAFE_INTEGER;
  const variable = base.kind === 'symbol' ? globals.get(base.name) : undefined;
  // nvcc declares arrays whose size a launch gives so, whatever their elements: `.extern .shared .align 16 .b8 bytes[]`.
  const isSizedByLaunch = variable?.space === SHARED && !variable.initializer;
  return Math.max(variable?.align ?? 1, isSizedByLaunch ? SHARED_ALIGN : 1);
}

/** What a variable is a multiple of where ptxas places it. */
export function placedAlign(base: Operand | undefined, globals: Globals): number {
  const variable = base?.kind === 'symbol' ? globals.get(base.name) : undefined;
  const isWideShared = variable?.space === SHARED && variable.sizeBytes >= SHARED_ALIGN;
  return Math.max(declaredAlign(base, globals), isWideShared ? SHARED_ALIGN : 1);
}

/** True if all members can be executed where the leader is. */
function mayMove(members: readonly Access[], surroundings: Surroundings): boolean {
  const { instructions, roots } = surroundings;
  const positions = members.map((m) => m.position);
  const inGroup = new Set(positions);
  const { op, pointer } = members[0].instruction;
  const [from, to] = [Math.min(...positions), Math.max(...positions)];
  // Loads move up to the first, stores down to the last: everything from one end to the other may be passed.
  for (let position = from + 1; position < to; position++) {
    const instruction = instructions[position];
    if (inGroup.has(position)) continue;
    if (instruction.op === 'store' || (instruction.op === 'load' && op === 'store')) {
      const passing = members.filter((m) => (op === 'load' ? m.position > position : m.position < position));
      if (mayAlias(roots, pointer, instruction.pointer) && !isApart(instruction, passing, surroundings)) return false;
    }
    if (isBarrier(instruction)) return false;
  }
  return true;
}

/** As the variable is declared, or by the access itself: NVVM sees it. */
function isDeclared({ address }: Access, bytes: number, { declared }: Surroundings): boolean {
  const { align, residue } = declared.get(address.key)!;
  return align >= bytes && mod(address.offset - residue, bytes) === 0;
}

/**
 * What is aligned only because ptxas places it so is for ptxas to merge, which does not tell apart accesses to shared memory: no store
 * there may be between two loads, and no access between two stores, to whatever array. `s[i].x += a; s[i].y += a` of a structure of two
 * floats are two loads and two stores, of a float2 one and one (machine code of nine kernels).
 */
function isUndisturbed(members: readonly Access[], { instructions, roots }: Surroundings): boolean {
  const positions = members.map((m) => m.position);
  const isStore = members[0].instruction.op === 'store';
  return instructions.slice(Math.min(...positions) + 1, Math.max(...positions)).every((instruction, index) => {
    const position = Math.min(...positions) + 1 + index;
    if (positions.includes(position) || (instruction.op !== 'store' && !(isStore && instruction.op === 'load'))) return true;
    const space = roots.spaceOf(instruction.pointer);
    return space !== SHARED && space !== GENERIC;
  });
}

/** Their bytes do not overlap: both addresses have one base and terms, or lie in different places of aligned vectors. */
function isApart(other: StoreOrLoad, members: readonly Access[], { addresses, alignments }: Surroundings): boolean {
  const { key, offset } = addresses.of(other.pointer);
  const bytes = storeSizeOf(other.op === 'load' ? other.type : other.value.type);
  if (members.length === 0 || key === members[0].address.key)
    return members.every((m) => offset + bytes <= m.address.offset || m.address.offset + m.bytes <= offset);
  const [own, others] = [alignments.get(members[0].address.key)!, alignments.get(key)!];
  const align = Math.min(own.align, others.align);
  const start = mod(offset - others.residue, align);
  return members.every((m) => {
    const at = mod(m.address.offset - own.residue, align);
    return start + bytes <= align && at + m.bytes <= align && (start + bytes <= at || at + m.bytes <= start);
  });
}

/** No access may be moved past it. */
function isBarrier(instruction: Instruction): boolean {
  if (instruction.op === 'load' || instruction.op === 'store') return ordersOthers(instruction.order);
  if (instruction.op === 'call') return !accessesMayPass(instruction.callee);
  return instruction.op === 'callIndirect' || instruction.op === 'fence' || instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg';
}

/** Not negative. */
export function mod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
