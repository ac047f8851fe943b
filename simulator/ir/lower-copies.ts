/**
 * Copies and fills of a constant size become the loads and stores that the hardware executes for them, so that they are counted (and
 * merged) as such; local variables that only such copies and plain accesses touch within one block become values, as Clang's own
 * passes make them once copies are loads and stores. Larger and variable copies stay calls.
 */
import { readsFilling } from './constant-arrays.ts';
import { meaningOf } from './intrinsics.ts';
import { operandsOf } from './operands.ts';
import type { Block, Instruction, IrFunction, IrModule, Operand, Type } from './types.ts';

/** Larger copies are loops on hardware, */
const MAX_COPY_BYTES = 512;
/** but not those of constants, of which nvcc stores each: seen up to this size. */
const MAX_FILLING_BYTES = 8192;

const WORD: Readonly<Record<number, Type>> = {
  1: { kind: 'int', bits: 8 },
  2: { kind: 'int', bits: 16 },
  4: { kind: 'int', bits: 32 },
  8: { kind: 'int', bits: 64 },
};
const VOID: Type = { kind: 'void' };

type Call = Extract<Instruction, { op: 'call' }>;
/** An instruction without its place in the function. */
type Draft = Instruction extends infer I ? (I extends Instruction ? Omit<I, 'site'> : never) : never;

export function lowerCopies(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, lowerFunction(fn));
  return { ...module, functions };
}

function lowerFunction(fn: IrFunction): IrFunction {
  if (!fn.blocks.some((block) => block.instructions.some((i) => copyOf(i)))) return fn;
  let nextId = fn.valueCount;
  const newId = (): number => nextId++;
  const isWide = wideWords(fn);
  const bodies = fn.blocks.map((block) => block.instructions.flatMap((i): Draft[] => lowered(i, newId, isWide)));
  // In a program that is compiled for debugging every variable keeps its place.
  if (!fn.variables) promoteLocals(bodies);
  let site = 0;
  const blocks = fn.blocks.map((block, index): Block => {
    const instructions = bodies[index].map((draft) => ({ ...draft, site: site++ }) as Instruction);
    return { ...block, instructions };
  });
  return { ...fn, blocks, valueCount: nextId, siteCount: site };
}

interface Copy {
  readonly kind: 'copy' | 'fill';
  readonly bytes: number;
  readonly to: Operand;
  /** Source address, or the byte to fill with. */
  readonly from: Operand;
  readonly toAlign: number;
  readonly fromAlign: number;
}

/** A call as a copy or fill, if its size is known and small. */
function copyOf(instruction: Instruction): Copy | undefined {
  if (instruction.op !== 'call') return undefined;
  const meaning = meaningOf(instruction)?.kind;
  if (meaning !== 'copyMemory' && meaning !== 'fillMemory') return undefined;
  const kind = meaning === 'copyMemory' ? 'copy' : 'fill';
  const [to, from, length] = instruction.args;
  const limit = kind === 'copy' && readsFilling(from) ? MAX_FILLING_BYTES : MAX_COPY_BYTES;
  if (length?.kind !== 'int' || length.value > BigInt(limit)) return undefined;
  if (kind === 'fill' && from.kind === 'value') return undefined;
  const [toAlign = 1, fromAlign = 1] = instruction.aligns ?? [];
  return { kind, bytes: Number(length.value), to, from, toAlign, fromAlign };
}

function lowered(instruction: Instruction, newId: () => number, isWide: IsWide): Draft[] {
  const copy = copyOf(instruction);
  if (!copy) return [instruction];
  const { location } = instruction as Call;
  const align = copy.kind === 'copy' ? Math.min(copy.toAlign, copy.fromAlign) : copy.toAlign;
  const addresses: Draft[] = [];
  const at = (base: Operand, offset: number): Operand => {
    if (offset === 0) return base;
    if (base.kind === 'symbol') return { ...base, offset: base.offset + offset };
    const id = newId();
    addresses.push({ op: 'getelementptr', id, type: base.type, location, base, offset, terms: [] });
    return { kind: 'value', id, type: base.type };
  };
  const loads: Draft[] = [];
  const stores: Draft[] = [];
  const eightAt = (offset: number): boolean => isWide(copy.to, offset) || isWide(copy.from, offset);
  for (const { offset, bytes } of pieces(copy.bytes, align, eightAt)) {
    const type = WORD[bytes];
    let value: Operand = fillWord(copy.from, type, bytes);
    if (copy.kind === 'copy') {
      const id = newId();
      const pointer = at(copy.from, offset);
      loads.push({ op: 'load', id, type, location, pointer, align: alignAt(copy.fromAlign, offset), volatile: false });
      value = { kind: 'value', id, type };
    }
    const pointer = at(copy.to, offset);
    const known = alignAt(copy.toAlign, offset);
    stores.push({ op: 'store', id: -1, type: VOID, location, value, pointer, align: known, volatile: false });
  }
  return [...addresses, ...loads, ...stores];
}

/** Words as wide as the alignment allows, at most 4 bytes but for those at `eightAt`: wider ones are found again by merging. */
function pieces(total: number, align: number, eightAt: (offset: number) => boolean): { offset: number; bytes: number }[] {
  const list: { offset: number; bytes: number }[] = [];
  for (let offset = 0; offset < total; ) {
    let bytes = Math.min(eightAt(offset) ? 8 : 4, align);
    while (offset + bytes > total) bytes /= 2;
    list.push({ offset, bytes });
    offset += bytes;
  }
  return list;
}

function alignAt(align: number, offset: number): number {
  return offset === 0 ? align : Math.min(align, offset & -offset);
}

/** The byte of a fill in every byte of a word; unused for copies. */
function fillWord(byte: Operand, type: Type, bytes: number): Operand {
  if (byte.kind !== 'int') return { kind: 'zero', type };
  let value = 0n;
  for (let index = 0; index < bytes; index++) value = (value << 8n) | (byte.value & 0xffn);
  return { kind: 'int', type, value };
}

/** Is the word of a local variable, at an address and so many bytes behind it, one of 8 bytes for the program? */
type IsWide = (address: Operand, offset: number) => boolean;

/** Copies move pointers and doubles of local variables whole, so that what is stored by a copy is what a load finds. */
function wideWords(fn: IrFunction): IsWide {
  const slots = new Map<number, Slot>();
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  for (const i of instructions) if (i.op === 'alloca' && i.count.kind === 'int') slots.set(i.id, { variable: i.id, offset: 0 });
  for (const i of instructions) followAddresses(i, slots, new Set());
  const slotOf = (operand: Operand): Slot | undefined => (operand.kind === 'value' ? slots.get(operand.id) : undefined);
  const wide = new Set<string>();
  for (const i of instructions) {
    if (i.op !== 'load' && i.op !== 'store') continue;
    const slot = slotOf(i.pointer);
    if (slot && scalarBytes(i.op === 'load' ? i.type : i.value.type) === 8) wide.add(`${slot.variable} ${slot.offset}`);
  }
  const isWide: IsWide = (address, offset) => {
    const slot = slotOf(address);
    return slot !== undefined && wide.has(`${slot.variable} ${slot.offset + offset}`);
  };
  // What is copied from one variable to another is wide in both.
  const copies = instructions.flatMap((i) => copyOf(i) ?? []).filter(({ kind }) => kind === 'copy');
  for (let before = -1; before !== wide.size; ) {
    before = wide.size;
    for (const { to, from, bytes } of copies) {
      for (let offset = 0; offset < bytes; offset += 8) {
        for (const [one, other] of [
          [to, from],
          [from, to],
        ]) {
          const slot = slotOf(other);
          if (slot && isWide(one, offset)) wide.add(`${slot.variable} ${slot.offset + offset}`);
        }
      }
    }
  }
  return isWide;
}

/** An access to a part of a local variable. */
interface Slot {
  readonly variable: number;
  readonly offset: number;
}

/** Removes local variables whose every read follows, in the same block, the write of its value: the read becomes that value. */
function promoteLocals(bodies: Draft[][]): void {
  const slots = new Map<number, Slot>();
  for (const draft of bodies.flat()) {
    if (draft.op === 'alloca' && draft.count.kind === 'int') slots.set(draft.id, { variable: draft.id, offset: 0 });
  }
  if (slots.size === 0) return;
  const unfit = new Set<number>();
  for (const draft of bodies.flat()) followAddresses(draft, slots, unfit);
  const values = new Map<number, Operand>();
  for (const body of bodies) forwardStores(body, slots, unfit, values);
  const isGone = (operand: Operand): boolean => {
    const slot = operand.kind === 'value' ? slots.get(operand.id) : undefined;
    return slot !== undefined && !unfit.has(slot.variable);
  };
  bodies.forEach((body, index) => {
    bodies[index] = body.flatMap((draft): Draft[] => {
      if (draft.op === 'alloca' || draft.op === 'getelementptr')
        return isGone({ kind: 'value', id: draft.id, type: draft.type }) ? [] : [draft];
      if (draft.op === 'store') return isGone(draft.pointer) ? [] : [draft];
      if (draft.op !== 'load' || !isGone(draft.pointer)) return [draft];
      const { id, type, location } = draft;
      const value = values.get(id)!;
      return [{ op: conversion(value.type, type), id, type, location, a: value } as Draft];
    });
  });
}

/** What makes bits that were stored as one scalar type a value of another. Pointers are integers in memory (lower-pointers.ts). */
function conversion(from: Type, to: Type): 'freeze' | 'bitcast' {
  return from.kind === to.kind && from.kind !== 'float' ? 'freeze' : 'bitcast';
}

/** Learns which values are addresses in a local variable, and which variables have uses other than plain accesses. */
function followAddresses(draft: Draft, slots: Map<number, Slot>, unfit: Set<number>): void {
  if (draft.op === 'getelementptr' && draft.base.kind === 'value') {
    const slot = slots.get(draft.base.id);
    if (slot && draft.terms.length === 0) {
      slots.set(draft.id, { variable: slot.variable, offset: slot.offset + draft.offset });
      return;
    }
  }
  for (const operand of operandsOf({ ...draft, site: 0 } as Instruction)) {
    if (operand.kind !== 'value') continue;
    const slot = slots.get(operand.id);
    if (!slot) continue;
    const isAccess = (draft.op === 'load' || draft.op === 'store') && draft.pointer === operand && !draft.volatile && !draft.order;
    if (!isAccess) unfit.add(slot.variable);
  }
}

/** Finds for each load of a local variable the value that was stored last in the block; without one, the variable has to stay. */
function forwardStores(body: readonly Draft[], slots: ReadonlyMap<number, Slot>, unfit: Set<number>, values: Map<number, Operand>): void {
  const stored = new Map<string, { slot: Slot; bytes: number; value: Operand }>();
  for (const draft of body) {
    if (draft.op !== 'load' && draft.op !== 'store') continue;
    const slot = draft.pointer.kind === 'value' ? slots.get(draft.pointer.id) : undefined;
    if (!slot) continue;
    const type = draft.op === 'load' ? draft.type : draft.value.type;
    const bytes = scalarBytes(type);
    const key = `${slot.variable} ${slot.offset}`;
    if (bytes === undefined) unfit.add(slot.variable);
    else if (draft.op === 'store') {
      for (const [other, { slot: s, bytes: size }] of stored) {
        const overlaps = s.variable === slot.variable && s.offset < slot.offset + bytes && slot.offset < s.offset + size;
        if (overlaps) stored.delete(other);
      }
      stored.set(key, { slot, bytes, value: draft.value });
    } else {
      const found = stored.get(key);
      if (found?.bytes === bytes) values.set(draft.id, found.value);
      else unfit.add(slot.variable);
    }
  }
}

function scalarBytes(type: Type): number | undefined {
  if (type.kind === 'int') return type.bits % 8 === 0 ? type.bits / 8 : undefined;
  return type.kind === 'float' ? { half: 2, bfloat: 2, float: 4, double: 8 }[type.format] : undefined;
}
