/**
 * Finds the address arithmetic whose sum may be taken modulo 2^32 although it is defined in 64 bits:
 *
 *   - In shared and local memory, as the hardware does.
 *   - Where all that is added lies within NEAR, and the address is only accessed (or something near is added to it again): if it
 *     left the address space, or came from a pointer that had, then modulo 2^32 it lies where no access is allowed, either beyond
 *     INVALID_START or in host memory.
 */
import { DEVICE_FLOOR } from './address-map.ts';
import type { MemoryRoots } from './memory-roots.ts';
import { operandsOf } from './operands.ts';
import type { Instruction, IrFunction } from './types.ts';
import { type Range, ValueRanges } from './value-ranges.ts';

/** INVALID_ADDRESS and what is below it stay beyond INVALID_START; what is above it ends in host memory. */
const NEAR: Range = { low: -0x8000, high: DEVICE_FLOOR - 0x8000 };

type Address = Extract<Instruction, { op: 'getelementptr' }>;

export function markWrapping(fn: IrFunction, roots: MemoryRoots): IrFunction {
  const addresses = fn.blocks.flatMap(({ instructions }) => instructions.filter((i): i is Address => i.op === 'getelementptr'));
  if (addresses.length === 0) return fn;
  const wrapping = new Set([...addresses.filter((address) => isInWindow(address, roots)), ...nearAddresses(fn, addresses)]);
  const blocks = fn.blocks.map((block) => ({
    ...block,
    instructions: block.instructions.map((i): Instruction => (wrapping.has(i as Address) ? ({ ...i, wraps: true } as Instruction) : i)),
  }));
  return { ...fn, blocks };
}

function isInWindow(address: Address, roots: MemoryRoots): boolean {
  const space = roots.spaceOf(address.base);
  return space === 3 || space === 5;
}

function nearAddresses(fn: IrFunction, addresses: readonly Address[]): Iterable<Address> {
  const ranges = new ValueRanges(fn);
  const byId = new Map(addresses.map((address) => [address.id, address]));
  const uses = usesOf(fn, byId);
  /** What is added by an address and all that lead on from it; undefined if it is used otherwise. */
  const reach = new Map<number, Range | undefined>();
  const reachOf = (address: Address): Range | undefined => {
    if (reach.has(address.id)) return reach.get(address.id);
    reach.set(address.id, undefined);
    const own = distanceOf(address, ranges);
    let { low, high } = own;
    for (const user of uses.get(address.id) ?? []) {
      if (user === undefined) return undefined;
      if (user.op !== 'getelementptr') continue;
      const next = reachOf(user);
      if (!next || !isNear(next)) return undefined;
      low = Math.min(low, own.low + next.low);
      high = Math.max(high, own.high + next.high);
    }
    reach.set(address.id, { low, high });
    return { low, high };
  };
  return addresses.filter((address) => {
    const range = reachOf(address);
    return range !== undefined && isNear(range);
  });
}

/** Results of exact address arithmetic through which memory is accessed, and nothing else is done with them. */
export function accessedOnly(fn: IrFunction): ReadonlySet<number> {
  const addresses = fn.blocks.flatMap(({ instructions }) => instructions.filter((i): i is Address => i.op === 'getelementptr' && !i.wraps));
  const uses = usesOf(fn, new Map(addresses.map((address) => [address.id, address])));
  const isAccess = (user: Instruction | undefined) => user !== undefined && (user.op !== 'getelementptr' || user.wraps === true);
  return new Set(addresses.map(({ id }) => id).filter((id) => uses.get(id)?.every(isAccess)));
}

function isNear({ low, high }: Range): boolean {
  return low >= NEAR.low && high <= NEAR.high;
}

/** How far from its base an address may lie. */
export function distanceOf({ offset, terms }: Address, ranges: ValueRanges): Range {
  let [low, high] = [offset, offset];
  for (const { index, scale, unsigned } of terms) {
    let range = ranges.of(index);
    if (unsigned && range.low < 0) range = { low: 0, high: index.type.kind === 'int' ? 2 ** index.type.bits - 1 : 2 ** 64 };
    low += range.low * scale;
    high += range.high * scale;
  }
  return { low, high };
}

/** By address: the accesses through it and the addresses made of it; undefined stands for any other use. */
function usesOf(fn: IrFunction, addresses: ReadonlyMap<number, Address>): ReadonlyMap<number, readonly (Instruction | undefined)[]> {
  const uses = new Map<number, (Instruction | undefined)[]>();
  for (const { instructions } of fn.blocks) {
    for (const user of instructions) {
      for (const operand of operandsOf(user)) {
        if (operand.kind !== 'value' || !addresses.has(operand.id)) continue;
        const list = uses.get(operand.id) ?? [];
        list.push(isPlainUse(user, operand) ? user : undefined);
        uses.set(operand.id, list);
      }
    }
  }
  return uses;
}

function isPlainUse(user: Instruction, operand: object): boolean {
  switch (user.op) {
    case 'load':
      return true;
    case 'store':
      return user.value !== operand;
    case 'atomicrmw':
      return user.value !== operand;
    case 'cmpxchg':
      return user.pointer === operand && user.expected !== operand && user.replacement !== operand;
    case 'getelementptr':
      return user.base === operand;
    default:
      return false;
  }
}
