/**
 * Whether the blocks of a launch may run at the same time: no block may read or overwrite what another one writes, so that memory and
 * counters are the same as if blocks ran one after the other, unless the accesses that may do so wait until all blocks before have ended.
 * Decided for each launch from the addresses that its accesses compute; what cannot be shown is taken to conflict. Addresses are taken to stay in the allocation that their base pointer points to.
 */

import { DEVICE_FLOOR, LOCAL_BASE } from '../ir/address-map.ts';
import { intrinsicOf, mayWrite } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { type Affine, AffineValues, type LaunchFacts, sameTerms } from './affine.ts';
import type { KnownAllocation } from './memory-host.ts';

interface Access {
  readonly site: number;
  readonly kind: 'read' | 'write' | 'sum';
  readonly bytes: number;
  readonly affine: Affine | undefined;
  /** Generic addresses that the access may touch. */
  readonly low: number;
  readonly high: number;
}

export interface SafetyInput {
  readonly fn: IrFunction;
  readonly facts: LaunchFacts;
  readonly allocations: readonly KnownAllocation[];
}

/**
 * Sites of accesses that a block may make only when all blocks before it have ended; none if blocks are independent. undefined if they must
 * not run at the same time at all.
 */
export function sitesInTurn({ fn, facts, allocations }: SafetyInput): ReadonlySet<number> | undefined {
  const values = new AffineValues(fn, facts);
  const used = usedValues(fn);
  const accesses: Access[] = [];
  for (const block of fn.blocks) {
    for (const instruction of block.instructions) {
      const found = accessesOf(instruction, values, { facts, allocations, used });
      if (!found) return undefined;
      accesses.push(...found);
    }
  }
  const waiting = new Set(accesses.flatMap((access) => inConflict(access, accesses, facts)));
  // A thread keeps its sums for itself until it has run all its blocks.
  if ([...waiting].some(({ kind }) => kind === 'sum')) return undefined;
  return new Set([...waiting].map(({ site }) => site));
}

/** Allocations that a launch may write to, if every pointer stays in the allocation that its base points to; all where one is unknown. */
export function writtenAllocations({ fn, facts, allocations }: SafetyInput): readonly KnownAllocation[] {
  const values = new AffineValues(fn, facts);
  const written = new Set<KnownAllocation>();
  for (const block of fn.blocks) {
    for (const instruction of block.instructions) {
      if (instruction.op === 'call' && mayWrite(instruction.callee)) return allocations;
      if (instruction.op !== 'store' && instruction.op !== 'atomicrmw' && instruction.op !== 'cmpxchg') continue;
      const { type } = instruction.pointer;
      if (type.kind === 'ptr' && (type.space === 3 || type.space === 5)) continue;
      const root = values.root(instruction.pointer);
      if (root === undefined) return allocations;
      const home = allocations.find((a) => root >= a.address && root < a.address + a.sizeBytes);
      if (home) written.add(home);
      else if (root >= DEVICE_FLOOR) return allocations;
    }
  }
  return [...written];
}

/** Programs launch small kernels thousands of times. */
const USED = new WeakMap<IrFunction, ReadonlySet<number>>();

function usedValues(fn: IrFunction): ReadonlySet<number> {
  let used = USED.get(fn);
  if (!used) {
    const operands = fn.blocks.flatMap((b) => b.instructions.flatMap((i) => operandsOf(i)));
    used = new Set(operands.flatMap((o) => (o.kind === 'value' ? [o.id] : [])));
    USED.set(fn, used);
  }
  return used;
}

/** Accesses of an instruction to global memory; undefined if it rules out running blocks at the same time. */
function accessesOf(
  instruction: Instruction,
  values: AffineValues,
  { facts, allocations, used }: Pick<SafetyInput, 'facts' | 'allocations'> & { readonly used: ReadonlySet<number> },
): readonly Access[] | undefined {
  const access = (kind: Access['kind'], pointer: Operand, bytes: number): readonly Access[] => {
    if (pointer.type.kind === 'ptr' && (pointer.type.space === 3 || pointer.type.space === 5)) return [];
    const root = values.root(pointer);
    // Above global memory lie the windows of shared and local memory, which no other block sees.
    if (root !== undefined && root >= LOCAL_BASE) return [];
    const affine = values.of(pointer);
    const home = root === undefined ? undefined : allocations.find((a) => root >= a.address && root < a.address + a.sizeBytes);
    const all = { low: home?.address ?? 0, high: home ? home.address + home.sizeBytes : 2 ** 32 };
    const range = affine && rangeOf(affine, bytes, facts);
    const { site } = instruction;
    if (!range) return [{ site, kind, bytes, affine, ...all }];
    return [{ site, kind, bytes, affine, low: Math.max(all.low, range.low), high: Math.min(all.high, range.high) }];
  };
  switch (instruction.op) {
    case 'load':
      return access('read', instruction.pointer, storeSizeOf(instruction.type));
    case 'store':
      return access('write', instruction.pointer, storeSizeOf(instruction.value.type));
    case 'atomicrmw': {
      // Compiled code collects the sums of each thread where nobody reads the old values; other atomics depend on who comes first.
      const { operation, type, id } = instruction;
      const isPlain = operation === 'add' && type.kind === 'int' && type.bits === 32 && !used.has(id);
      return access(isPlain ? 'sum' : 'write', instruction.pointer, storeSizeOf(type));
    }
    case 'cmpxchg':
      return access('write', instruction.pointer, storeSizeOf(instruction.expected.type));
    case 'callIndirect':
      return undefined;
    case 'call':
      return isHarmless(instruction.callee) ? [] : undefined;
    default:
      return [];
  }
}

/** Calls that no other block can see, whatever the order in which blocks run. */
function isHarmless(callee: string): boolean {
  const effect = intrinsicOf(callee)?.effect;
  return effect === 'none' || effect === 'told' || effect === 'exchange' || effect === 'barrier';
}

/** The access and those that it may meet in other blocks, if it may: they must come in the order of the blocks. */
function inConflict(access: Access, accesses: readonly Access[], facts: LaunchFacts): readonly Access[] {
  if (access.kind === 'read') return [];
  const touching = accesses.filter((other) => other !== access && other.low < access.high && access.low < other.high);
  return conflicts(access, touching, facts) ? [access, ...touching] : [];
}

function conflicts(access: Access, touching: readonly Access[], facts: LaunchFacts): boolean {
  // Sums commute with each other, and with nothing else.
  if (access.kind === 'sum') return touching.some((other) => other.kind !== 'sum');
  const { affine } = access;
  if (!affine) return true;
  let low = affine.constant;
  let high = affine.constant + access.bytes;
  for (const other of touching) {
    if (other.kind === 'sum' || !other.affine || !sameTerms(other.affine, affine)) return true;
    low = Math.min(low, other.affine.constant);
    high = Math.max(high, other.affine.constant + other.bytes);
  }
  return !blocksAreApart(affine, high - low, facts);
}

/** True if no two blocks touch a common byte: factors, from small to large, each leave room for all that is below them. */
function blocksAreApart({ terms }: Affine, bytes: number, { grid, block }: LaunchFacts): boolean {
  for (const axis of [0, 1, 2]) if (grid[axis] > 1 && !terms.has(`b${axis}`)) return false;
  const sorted = [...terms].map(([name, factor]) => ({ name, factor: Math.abs(factor) })).sort((a, b) => a.factor - b.factor);
  let span = bytes;
  let apart = false;
  for (const { name, factor } of sorted) {
    if (name[0] === 'b') apart = true;
    if (apart && factor < span) return false;
    const last = name[0] === 'k' ? Number.POSITIVE_INFINITY : (name[0] === 't' ? block : grid)[Number(name[1])] - 1;
    span += factor * last;
  }
  return true;
}

function rangeOf({ constant, terms }: Affine, bytes: number, { grid, block }: LaunchFacts): { low: number; high: number } | undefined {
  let low = constant;
  let high = constant + bytes;
  for (const [name, factor] of terms) {
    if (name[0] === 'k') return undefined;
    const reach = factor * ((name[0] === 't' ? block : grid)[Number(name[1])] - 1);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return { low, high };
}
