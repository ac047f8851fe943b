/**
 * Arrays that a function fills with constants (`const int dx[4] = {1, 0, -1, 0}`) and indexes by what it computes. nvcc (13.0) stores the
 * constants in local memory where the array is declared and loads from there; arrays that are cheap to choose from ptxas keeps in
 * registers, where no access is left. Neither reads global memory, as Clang's table would be. Read from machine code for sm_90 of some
 * 1,000 kernels.
 */

import { staysInRegisters } from '../../devices/local-arrays.ts';
import { meaningOf } from './intrinsics.ts';
import { storeSizeOf } from './layout.ts';
import { operandsOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt } from './rebuild.ts';
import type { AddressSpace, GlobalVariable, Instruction, IrFunction, IrModule, Operand } from './types.ts';

const CONSTANT: AddressSpace = 4;
/** How Clang names the constants of FUNCTION's VARIABLE: `__const.FUNCTION.VARIABLE`. */
const PREFIX = '__const.';

type Call = Extract<Instruction, { op: 'call' }>;

/** What a local array is filled with, and how. */
interface Filling {
  readonly copy: Call;
  readonly table: GlobalVariable;
}

/** True if the variable is what a local array is filled with, which on hardware is part of the code. */
function isFilling(variable: GlobalVariable): boolean {
  return variable.name.startsWith(PREFIX) && variable.initializer !== undefined;
}

/** The name in the program of the array that is filled from such a variable. */
export function arrayFilledFrom(name: string): string | undefined {
  return name.startsWith(PREFIX) ? (/([^.]+)(?:\.\d+)*$/.exec(name)?.[1] ?? name) : undefined;
}

/** True if a copy from there is the filling of a local array, or of a part of it. */
export function readsFilling(copied: Operand): boolean {
  return copied.kind === 'symbol' && copied.name.startsWith(PREFIX);
}

function fillingOf(copied: Operand, globals: IrModule['globals']): GlobalVariable | undefined {
  const variable = copied.kind === 'symbol' && copied.offset === 0 ? globals.get(copied.name) : undefined;
  return variable && isFilling(variable) ? variable : undefined;
}

export function placeConstantArrays(module: IrModule): IrModule {
  if (![...module.globals.values()].some(isFilling)) return module;
  const globals = new Map<string, GlobalVariable>();
  for (const [name, variable] of module.globals) globals.set(name, isFilling(variable) ? { ...variable, space: CONSTANT } : variable);
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, placedIn(fn, globals));
  return { ...module, globals, functions };
}

function placedIn(fn: IrFunction, globals: IrModule['globals']): IrFunction {
  const fillings = fillingsOf(fn, globals);
  if (fillings.size === 0) return fn;
  const uses = usesOf(fn, fillings);
  // In a program that is compiled for debugging every variable keeps its place.
  const inRegisters = new Set(
    [...fillings].filter(([id, filling]) => !fn.variables && isChosenFrom(filling, uses.get(id)!)).map(([id]) => id),
  );
  const gone = new Set<Instruction>([...fillings].flatMap(([id, { copy }]) => (inRegisters.has(id) ? [copy] : [])));
  const wider = new Map<Instruction, Draft>([...fillings.values()].map(({ copy, table }) => [copy, { ...copy, aligns: aligned(table) }]));
  const draft = (instruction: Instruction): Draft[] => {
    if (gone.has(instruction)) return [];
    const filling = instruction.op === 'alloca' ? fillings.get(instruction.id) : undefined;
    if (!filling || instruction.op !== 'alloca') return [wider.get(instruction) ?? instruction];
    const { id, type, location } = instruction;
    if (!inRegisters.has(id)) return [{ ...instruction, align: Math.max(instruction.align, alignOf(filling.table)) }];
    const table: Operand = { kind: 'symbol', type: { kind: 'ptr', space: CONSTANT }, name: filling.table.name, offset: 0 };
    return [{ op: 'addrspacecast', id, type, location, a: table }];
  };
  const blocks = fn.blocks.map(({ label, instructions }): DraftBlock => ({ label, instructions: instructions.flatMap(draft) }));
  return rebuilt(fn, blocks, fn.valueCount);
}

/** By the array's id: arrays that are filled once, and as a whole. */
function fillingsOf(fn: IrFunction, globals: IrModule['globals']): Map<number, Filling> {
  const sizes = new Map<number, number>();
  const fillings = new Map<number, Filling>();
  const twice = new Set<number>();
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  for (const i of instructions) {
    if (i.op === 'alloca' && i.count.kind === 'int') sizes.set(i.id, storeSizeOf(i.allocated) * Number(i.count.value));
  }
  for (const copy of instructions) {
    if (copy.op !== 'call' || meaningOf(copy)?.kind !== 'copyMemory') continue;
    const [to, from, length] = copy.args;
    const table = fillingOf(from, globals);
    if (!table || to.kind !== 'value' || length?.kind !== 'int') continue;
    if (fillings.has(to.id)) twice.add(to.id);
    const isWhole = BigInt(table.sizeBytes) === length.value && sizes.get(to.id) === table.sizeBytes;
    if (isWhole) fillings.set(to.id, { copy, table });
  }
  for (const id of twice) fillings.delete(id);
  return fillings;
}

interface Uses {
  /** Bytes of each number that is loaded, once for each number of each load. */
  readonly loads: number[];
  /** There are others than loads and the filling: the program writes to it, or passes it on. */
  others: boolean;
}

function usesOf(fn: IrFunction, fillings: ReadonlyMap<number, Filling>): ReadonlyMap<number, Uses> {
  const uses = new Map<number, Uses>([...fillings.keys()].map((id) => [id, { loads: [], others: false }]));
  const arrays = new Map<number, number>([...fillings.keys()].map((id) => [id, id]));
  const arrayOf = (operand: Operand): number | undefined => (operand.kind === 'value' ? arrays.get(operand.id) : undefined);
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  // Blocks may come in any order: until no further address is found.
  for (let before = -1; before !== arrays.size; ) {
    before = arrays.size;
    for (const i of instructions) {
      const base = i.op === 'getelementptr' ? arrayOf(i.base) : undefined;
      if (base !== undefined) arrays.set(i.id, base);
    }
  }
  for (const i of instructions) {
    for (const operand of operandsOf(i)) {
      const array = arrayOf(operand);
      if (array === undefined || i === fillings.get(array)!.copy) continue;
      const found = uses.get(array)!;
      if (i.op === 'load' && !i.volatile && !i.order) found.loads.push(...numbersOf(i));
      else if (i.op !== 'getelementptr' || i.base !== operand) found.others = true;
    }
  }
  return uses;
}

function numbersOf({ type }: Instruction): number[] {
  return type.kind === 'vector' ? Array<number>(type.count).fill(storeSizeOf(type.element)) : [storeSizeOf(type)];
}

function isChosenFrom({ table }: Filling, { loads, others }: Uses): boolean {
  const [elementBytes] = loads;
  if (others || loads.length === 0 || loads.some((each) => each !== elementBytes)) return false;
  return staysInRegisters({ bytes: table.sizeBytes, elementBytes, reads: loads.length });
}

/** The alignment of a filled array, which decides how wide its stores are: `{1, 2, 3, 4}` is one STL.128, five numbers are three stores. */
function alignOf({ sizeBytes, align }: GlobalVariable): number {
  return sizeBytes % 16 === 0 ? 16 : sizeBytes % 2 === 0 ? 8 : align;
}

function aligned(table: GlobalVariable): readonly number[] {
  const align = alignOf(table);
  return [align, align, 1, 1];
}
