/** Loads, stores, local variables and address arithmetic. */

import { addressOf, BELOW_ADDRESS, INVALID_ADDRESS, INVALID_START, LOCAL_BASE, MAX_INDEX } from '../ir/address-map.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { type Instruction, type Operand, UnsupportedIr } from '../ir/types.ts';
import { type Cell, leavesOf } from '../machine/cells.ts';
import { shapeOf } from '../machine/request.ts';
import { MAX_LOCAL_BYTES } from '../machine/stack.ts';
import type { Step } from '../scheduling/program.ts';
import { FaultSignal } from '../scheduling/warp.ts';
import { functionFacts } from '../simt/analyze.ts';
import { spinsInShared } from '../simt/atomics.ts';
import { type AccessSite, loadLanes, storeLanes } from './memory-access.ts';
import type { Of } from './step-basics.ts';
import type { Translation } from './translate.ts';

/** Variables of constant size have their place in the frame; others are pushed on top of it. */
export function allocaStep(t: Translation, instruction: Of<'alloca'>): Step {
  const result = t.results(instruction)[0];
  const base = instruction.type.kind === 'ptr' && instruction.type.space === 5 ? 0 : LOCAL_BASE;
  const elementBytes = storeSizeOf(instruction.allocated);
  const { count } = instruction;
  if (count.kind === 'int') {
    const offset = t.reserve(elementBytes * Number(count.value), instruction.align);
    return ({ frame }) => {
      frame.cells[result].i.fill(base + frame.stackBase + offset);
    };
  }
  const counts = t.cell(count);
  return (path) => {
    const { frame, mask, warp } = path;
    let most = 0;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) most = Math.max(most, frame.cells[counts].i[lane] >>> 0);
    const start = Math.ceil(frame.stackTop / instruction.align) * instruction.align;
    const top = Math.ceil((start + most * elementBytes) / 16) * 16;
    if (top > MAX_LOCAL_BYTES) {
      const lane = 31 - Math.clz32(mask & -mask);
      const message = `a local array of ${most * elementBytes} bytes does not fit in the thread's ${MAX_LOCAL_BYTES / 1024} KB of local memory`;
      throw new FaultSignal(path, { kind: 'stack-overflow', message, lane, location: instruction.location });
    }
    frame.stackTop = top;
    warp.local.reserve(top);
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) frame.cells[result].i[lane] = base + start;
  };
}

export function memoryStep(t: Translation, instruction: Of<'load'> | Of<'store'>): Step {
  const isLoad = instruction.op === 'load';
  const type = isLoad ? instruction.type : instruction.value.type;
  const leaves = leavesOf(type);
  const bytes = storeSizeOf(type);
  if (leaves.some((leaf, index) => index > 0 && leaf.offset < leaves[index - 1].offset + leaf.bytes)) {
    throw new UnsupportedIr(`${instruction.op} of a vector with elements of less than a byte`, instruction.location);
  }
  const pointer = t.cell(instruction.pointer);
  const values = isLoad ? t.results(instruction) : t.cells(instruction.value);
  const { align } = instruction;
  const site = accessSite(t, instruction, { access: isLoad ? 'read' : 'write', pointer: instruction.pointer, bytes, align });
  const move = isLoad ? loadLanes : storeLanes;
  return (path) => {
    const { cells } = path.frame;
    const chosen = new Array(values.length);
    for (let index = 0; index < values.length; index++) chosen[index] = cells[values[index]];
    move(path, cells[pointer].i, site, leaves, chosen);
  };
}

interface AccessOptions {
  readonly access: AccessSite['access'];
  readonly pointer: Operand;
  readonly bytes: number;
  readonly align: number;
}

export function accessSite(t: Translation, instruction: Instruction, { access, pointer, bytes, align }: AccessOptions): AccessSite {
  const { site, location } = instruction;
  const facts = functionFacts(t.fn, t.set.module.ir);
  const space = pointer.type.kind === 'ptr' ? pointer.type.space : 0;
  const spins = instruction.op === 'atomicrmw' && spinsInShared(instruction);
  return {
    ...shapeOf({ access, space, bytes, align }, site, facts),
    site,
    location,
    atomic: access === 'atomic' ? { aggregation: facts.aggregated.get(site), countsUp: facts.counting.has(site), spins } : undefined,
    cache: { allocation: undefined, generation: -1, grid: undefined },
  };
}

interface Term {
  readonly cell: number;
  readonly bits: number;
  readonly scale: number;
  readonly unsigned: boolean;
}

export function addressStep(t: Translation, instruction: Of<'getelementptr'>): Step {
  const base = t.cell(instruction.base);
  const result = t.results(instruction)[0];
  const terms = instruction.terms.map(({ index, scale, unsigned }): Term => {
    return { cell: t.cell(index), bits: leavesOf(index.type)[0].bits, scale, unsigned: unsigned === true };
  });
  const { offset } = instruction;
  const address = instruction.wraps ? wrappedAddress : instruction.ordered ? orderedAddress : exactAddress;
  return ({ frame: { cells }, mask }) => {
    const target = cells[result].i;
    const from = cells[base].i;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      target[lane] = address(from[lane], offset, terms, cells, lane);
    }
  };
}

function wrappedAddress(base: number, offset: number, terms: readonly Term[], cells: readonly Cell[], lane: number): number {
  let address = base + offset;
  for (const { cell, bits, scale, unsigned } of terms) {
    const word = cells[cell].i[bits > 32 ? 2 * lane : lane];
    address = (address + Math.imul(bits < 32 && !unsigned ? (word << (32 - bits)) >> (32 - bits) : word, scale)) | 0;
  }
  return address;
}

/** An address that is compared with others: one below zero comes before them. */
function orderedAddress(base: number, offset: number, terms: readonly Term[], cells: readonly Cell[], lane: number): number {
  if (base >>> 0 >= INVALID_START) return base >>> 0 === BELOW_ADDRESS ? BELOW_ADDRESS : INVALID_ADDRESS;
  let sum = BigInt(base >>> 0) + BigInt(offset);
  for (const term of terms) sum += BigInt(indexOf(term, cells, lane)) * BigInt(term.scale);
  return BigInt.asIntN(64, sum) < 0n ? BELOW_ADDRESS : exactAddress(base, offset, terms, cells, lane);
}

function exactAddress(base: number, offset: number, terms: readonly Term[], cells: readonly Cell[], lane: number): number {
  if (base >>> 0 >= INVALID_START) return INVALID_ADDRESS;
  let sum = (base >>> 0) + offset;
  let isExact = true;
  for (const term of terms) {
    const index = indexOf(term, cells, lane);
    if (index < -MAX_INDEX || index >= MAX_INDEX) return INVALID_ADDRESS;
    isExact &&= Number.isSafeInteger(index * term.scale);
    sum += index * term.scale;
  }
  if (isExact && Number.isSafeInteger(sum)) return addressOf(sum);
  let exact = BigInt(base >>> 0) + BigInt(offset);
  for (const term of terms) exact += BigInt(indexOf(term, cells, lane)) * BigInt(term.scale);
  return addressOf(Number(exact));
}

function indexOf({ cell, bits, unsigned }: Term, cells: readonly Cell[], lane: number): number {
  const words = cells[cell].i;
  if (bits > 32) {
    const low = words[2 * lane] >>> 0;
    const high = words[2 * lane + 1] << (64 - bits) >> (64 - bits); // biome-ignore format: sign extension
    return (unsigned ? high >>> 0 : high) * 2 ** 32 + low;
  }
  const word = words[lane];
  if (unsigned) return word >>> 0;
  return (word << (32 - bits)) >> (32 - bits);
}
