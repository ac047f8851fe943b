/**
 * Loads of shared memory that ptxas executes in front of the branch that guards them, as parts of a wider load: `if (s[i].key < limit)
 * value = s[i].value` is one LDS.64, since a load of shared memory can do no harm. Read from nvcc's machine code (13.0, sm_90) of 40
 * kernels:
 *
 *   - The load in front comes on every way to the others, and no loop, barrier, store to shared memory (whatever array it is
 *     to), volatile access or slow path (of a division, a square root) is between; stores to global memory, atomics there and exchanges
 *     may be.
 *   - Together they fill 8 bytes, or at least three of four registers of 16, from the first on. A load that is as wide already, with a
 *     gap in it, gets no more into it.
 *
 * Values are loaded where the program loads them, so nothing but the counters is concerned.
 */
import { SM_90 } from '../../devices/prices.ts';
import { blockDominators, type DominatorTree, dominates } from '../ir/dominators.ts';
import { accessesMayPass, intrinsicOf } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import type { MemoryRoots } from '../ir/memory-roots.ts';
import { isPlain } from '../ir/operands.ts';
import { type AddressSpace, type GlobalVariable, type Instruction, type IrFunction, type Operand, ordersOthers } from '../ir/types.ts';
import { type MergedAccess, type MergedMember, mod, placedAlign } from './access-merging.ts';
import { BlocksBetween } from './blocks-between.ts';
import { LinearAddresses } from './linear-address.ts';
import { instructionCost } from './predication.ts';

const SHARED: AddressSpace = 3;
const GENERIC: AddressSpace = 0;
const REGISTER_BYTES = 4;
const WIDTHS = [16, 8];

type Load = Extract<Instruction, { op: 'load' }>;

/** A load, or several that are one access already. */
interface Unit {
  readonly block: number;
  /** Of the load that is executed for all. */
  readonly position: number;
  readonly leader: Load;
  readonly leaderOffset: number;
  /** Signed bytes from what the key of the address stands for. */
  readonly start: number;
  readonly bytes: number;
  readonly elementBytes: number;
  readonly members: readonly MergedMember[];
}

/** By site, like `merged`, which is what the loads of each block are known to be: the accesses that come from several blocks. */
export function guardedLoads(
  fn: IrFunction,
  roots: MemoryRoots,
  globals: ReadonlyMap<string, GlobalVariable>,
  merged: ReadonlyMap<number, MergedAccess>,
): ReadonlyMap<number, MergedAccess> {
  const found = new Map<number, MergedAccess>();
  if (fn.blocks.length < 2) return found;
  const addresses = new LinearAddresses(fn);
  const tree = blockDominators(fn.blocks);
  let between: Between | undefined;
  for (const { units, align, residue } of unitsByAddress(fn, { roots, globals, merged, addresses, tree })) {
    const taken = new Set<Unit>();
    for (const bytes of WIDTHS) {
      if (align < bytes) continue;
      for (const first of units) {
        if (first.bytes === bytes) continue;
        const start = first.start - mod(first.start - residue, bytes);
        const inWindow = units.filter((unit) => !taken.has(unit) && unit.start >= start && unit.start + unit.bytes <= start + bytes);
        if (!inWindow.includes(first) || inWindow.length < 2 || inWindow.some((unit) => unit !== first && unit.block === first.block))
          continue;
        between ??= new Between(fn, roots);
        const others = inWindow.filter(
          (unit) => unit !== first && dominates(tree, first.block, unit.block) && between!.mayPass(first, unit),
        );
        const parts = [first, ...others];
        if (parts.length < 2 || !isFilled(parts, start, bytes)) continue;
        const group = groupOf(parts, start, bytes);
        for (const part of parts) taken.add(part);
        for (const { site } of group.members) found.set(site, group);
      }
    }
  }
  return found;
}

interface Known {
  readonly roots: MemoryRoots;
  readonly globals: ReadonlyMap<string, GlobalVariable>;
  readonly merged: ReadonlyMap<number, MergedAccess>;
  readonly addresses: LinearAddresses;
  readonly tree: DominatorTree;
}

interface Units {
  /** Those that come first in front. */
  readonly units: Unit[];
  /** What the addresses are known to be: `residue` modulo `align`, and a constant more. */
  align: number;
  residue: number;
}

/** Loads of shared memory whose addresses differ by constants, in several blocks. */
function unitsByAddress(fn: IrFunction, { roots, globals, merged, addresses, tree }: Known): readonly Units[] {
  const groups = new Map<string, Units>();
  for (const index of tree.order) {
    fn.blocks[index].instructions.forEach((load, position) => {
      if (load.op !== 'load' || !isPlain(load) || roots.spaceOf(load.pointer) !== SHARED) return;
      const elementBytes = storeSizeOf(load.type);
      if (elementBytes !== REGISTER_BYTES && elementBytes !== 2 * REGISTER_BYTES) return;
      const { key, offset, base, termAlign } = addresses.of(load.pointer);
      const name = `${elementBytes} ${key}`;
      let group = groups.get(name);
      if (!group) {
        group = { units: [], align: Math.min(termAlign, placedAlign(base, globals)), residue: 0 };
        groups.set(name, group);
      }
      if (load.align > group.align) Object.assign(group, { align: load.align, residue: mod(offset, load.align) });
      const whole = merged.get(load.site);
      if (whole && whole.leader !== load.site) return;
      const { leaderOffset, bytes, members } = whole ?? {
        leaderOffset: 0,
        bytes: elementBytes,
        members: [{ site: load.site, offset: 0, bytes: elementBytes }],
      };
      group.units.push({ block: index, position, leader: load, leaderOffset, start: offset - leaderOffset, bytes, elementBytes, members });
    });
  }
  return [...groups.values()].filter(({ units }) => units.some(({ block }) => block !== units[0].block));
}

function isFilled(units: readonly Unit[], start: number, bytes: number): boolean {
  if (!units.some((unit) => unit.start === start)) return false;
  const used = new Set(units.flatMap((unit) => unit.members.map(({ offset }) => unit.start + offset)));
  const filled = used.size * units[0].elementBytes;
  return filled === bytes || (bytes === 16 && filled >= 12);
}

function groupOf(units: readonly Unit[], start: number, bytes: number): MergedAccess {
  const [{ leader, leaderOffset, start: own }] = units;
  const members = units.flatMap((unit) => unit.members.map((member) => ({ ...member, offset: member.offset + unit.start - start })));
  return { leader: leader.site, leaderOffset: own + leaderOffset - start, bytes, members: members.sort((a, b) => a.offset - b.offset) };
}

/** What is executed between two loads of which the first one's block dominates the second one's. */
class Between {
  readonly #fn: IrFunction;
  readonly #roots: MemoryRoots;
  readonly #between: BlocksBetween;

  constructor(fn: IrFunction, roots: MemoryRoots) {
    this.#fn = fn;
    this.#roots = roots;
    this.#between = new BlocksBetween(fn);
  }

  mayPass(first: Unit, later: Unit): boolean {
    const { blocks } = this.#fn;
    const isHarmless = (instruction: Instruction) => !this.#holds(instruction);
    if (!blocks[first.block].instructions.slice(first.position + 1).every(isHarmless)) return false;
    if (!blocks[later.block].instructions.slice(0, later.position).every(isHarmless)) return false;
    const passed = this.#between.of(first.block, later.block);
    return passed.every((block) => !this.#between.isInLoop(block, first.block) && blocks[block].instructions.every(isHarmless));
  }

  #mayBeShared(pointer: Operand): boolean {
    const space = this.#roots.spaceOf(pointer);
    return space === SHARED || space === GENERIC;
  }

  /** Whether no load may be moved in front of it. */
  #holds(instruction: Instruction): boolean {
    switch (instruction.op) {
      case 'store':
        return ordersOthers(instruction.order) || this.#mayBeShared(instruction.pointer);
      case 'load':
        return ordersOthers(instruction.order) || instruction.volatile;
      case 'atomicrmw':
      case 'cmpxchg':
        return ordersOthers(instruction.order) || this.#mayBeShared(instruction.pointer);
      case 'call': {
        if (!accessesMayPass(instruction.callee)) return true;
        const cost = intrinsicOf(instruction.callee)?.cost;
        return cost !== 'exchange' && instructionCost(instruction) === undefined && !isStraight(instruction.callee);
      }
      case 'callIndirect':
      case 'fence':
        return true;
      case 'fdiv':
      case 'frem':
      case 'udiv':
      case 'sdiv':
      case 'urem':
      case 'srem':
        return instructionCost(instruction) === undefined;
      default:
        return false;
    }
  }
}

/** A function of single precision without slow path. */
function isStraight(callee: string): boolean {
  const [, fast, name] = /^__nv_(fast_)?(\w+)f$/.exec(callee) ?? [];
  return fast !== undefined || SM_90.functions.get(name ?? '')?.branches === false;
}
