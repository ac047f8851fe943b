/**
 * Places a module on the machine: `__device__` and `__constant__` variables become labelled allocations with their initial bytes,
 * static shared variables get offsets in the shared window, functions get numbers for indirect calls.
 */

import { SHARED_BASE } from '../ir/address-map.ts';
import { arrayFilledFrom, placeConstantArrays } from '../ir/constant-arrays.ts';
import { meetEarly } from '../ir/early-meetings.ts';
import { applyFloatRules, FLOAT_RULES, type FloatRules } from '../ir/float-rules.ts';
import { fuseProducts } from '../ir/fuse-products.ts';
import { resolveIndirectCalls } from '../ir/indirect-calls.ts';
import { joinConditions } from '../ir/join-conditions.ts';
import { alignUp } from '../ir/layout.ts';
import { lowerCopies } from '../ir/lower-copies.ts';
import { lowerPointers } from '../ir/lower-pointers.ts';
import { mergeStores } from '../ir/merge-stores.ts';
import { narrowAddresses } from '../ir/narrow-addresses.ts';
import { operandsOf } from '../ir/operands.ts';
import { loadForRemainders } from '../ir/remainder-loads.ts';
import { splitAccesses } from '../ir/split-accesses.ts';
import { trapConstantWrites } from '../ir/trap-constant-writes.ts';
import type { AddressSpace, Constant, GlobalVariable, IrFunction, IrModule } from '../ir/types.ts';
import { carryLoads } from '../simt/carried-loads.ts';
import { forwardLoads } from '../simt/forwarded-loads.ts';
import { gatherLoads } from '../simt/gathered-loads.ts';
import { sinkLoads } from '../simt/sunk-loads.ts';
import { unrollAgain } from '../simt/unroll-again.ts';
import { forwardUnrolled, forwardUnrolledAgain } from '../simt/unrolled-loads.ts';
import { writeConstant } from './constant-bytes.ts';
import type { DeviceMemory } from './device-memory.ts';

/** A module whose globals have been placed in device memory: what both engines start from. */
export interface LoadedModule {
  readonly ir: IrModule;
  /** Generic address of every global (space 1 and 4) and the shared-window offset of every static shared variable (space 3).
   *  Extern shared arrays lie at the kernel's static shared size, rounded up to 16. Functions have an address too (for indirect
   *  calls): an index from 1 into `functionTable`. */
  readonly addresses: ReadonlyMap<string, number>;
  readonly functionTable: readonly string[];
  /** Static shared bytes of each kernel (the variables that it and its callees use). */
  readonly sharedBytes: ReadonlyMap<string, number>;
  /** Addresses of `__constant__` variables: reading them is no request to global memory. */
  readonly constants: ReadonlySet<number>;
}

/** Extern shared arrays start at the kernel's static shared size rounded up to this many bytes. */
export const EXTERN_SHARED_ALIGN_BYTES = 16;

/** Thrown when the variables of a module do not fit into device memory: the runtime reports cudaErrorMemoryAllocation. */
export class ModuleTooLarge extends Error {
  override readonly name = 'ModuleTooLarge';
}

export interface LoadOptions {
  /** The same module on another device, with which it shares managed variables. */
  readonly first?: LoadedModule;
  readonly floats?: FloatRules;
  /** Without what ptxas does: for comparisons with nvcc's PTX. */
  readonly asPtx?: true;
}

/** In this order. */
const PASSES: readonly ((module: IrModule) => IrModule)[] = [
  ...[lowerPointers, splitAccesses, placeConstantArrays, lowerCopies, narrowAddresses, gatherLoads],
  ...[forwardLoads, forwardUnrolled, carryLoads, loadForRemainders, unrollAgain, forwardUnrolledAgain, joinConditions, mergeStores],
  sinkLoads,
];

const OF_PTXAS = [unrollAgain, forwardUnrolledAgain, sinkLoads];

/** The module of the result differs from `parsed`: it is nearer to what nvcc makes (the passes of ../ir). */
export function loadModule(parsed: IrModule, memory: DeviceMemory, options: LoadOptions = {}): LoadedModule {
  const { first, floats = FLOAT_RULES, asPtx } = options;
  const merged = PASSES.filter((pass) => !asPtx || !OF_PTXAS.includes(pass)).reduce((module, pass) => pass(module), parsed);
  const chosen = trapConstantWrites(meetEarly(applyFloatRules(floats.fused ? fuseProducts(merged) : merged, floats)));
  const functionTable = [...chosen.functions.keys()];
  const addresses = new Map(functionTable.map((name, index) => [name, index + 1]));
  const ir = resolveIndirectCalls(chosen, (name) => addresses.get(name)!);
  const used = sharedVariablesByKernel(ir);
  const sharedBytes = placeShared(ir, used, addresses);
  placeGlobals(ir, memory, addresses, first);
  const constants = [...ir.globals.values()].filter(({ space }) => space === 4).map(({ name }) => addresses.get(name)!);
  return { ir, addresses, functionTable, sharedBytes, constants: new Set(constants) };
}

/** Offset of a kernel's extern shared arrays in the shared window, in bytes. */
export function externSharedOffset(module: LoadedModule, kernel: string): number {
  return alignUp(module.sharedBytes.get(kernel) ?? 0, EXTERN_SHARED_ALIGN_BYTES);
}

/** Bytes of shared memory that one block of a launch may touch. */
export function sharedLimit(module: LoadedModule, kernel: string, dynamicSharedBytes: number): number {
  const staticBytes = module.sharedBytes.get(kernel) ?? 0;
  return dynamicSharedBytes === 0 ? staticBytes : externSharedOffset(module, kernel) + dynamicSharedBytes;
}

/**
 * Address of a variable or function as a pointer of address space `space`, in a launch of `kernel` (which decides where extern
 * shared arrays lie).
 */
export function resolveSymbol(module: LoadedModule, kernel: string, name: string, space: AddressSpace): number {
  const variable = module.ir.globals.get(name);
  const address = variable && isExternShared(variable) ? externSharedOffset(module, kernel) : module.addresses.get(name);
  if (address === undefined) throw new Error(`the module has no address for ${name}`);
  return variable?.space === 3 && space === 0 ? address + SHARED_BASE : address;
}

function placeGlobals(ir: IrModule, memory: DeviceMemory, addresses: Map<string, number>, first: LoadedModule | undefined): void {
  const isShared = (variable: GlobalVariable) => variable.managed === true && first !== undefined;
  const placed = [...ir.globals.values()].filter((g) => g.space !== 3 && !isShared(g));
  for (const { name } of [...ir.globals.values()].filter(isShared)) addresses.set(name, first!.addresses.get(name)!);
  for (const variable of placed) {
    const label = labelOf(variable);
    const allocation = memory.allocate(variable.sizeBytes, label, variable.managed ? 'shared' : 'own');
    if (!allocation) throw new ModuleTooLarge(`${label} (${variable.sizeBytes} bytes) does not fit into device memory`);
    addresses.set(variable.name, allocation.address);
  }
  // Addresses first: an initial value may hold the address of a variable that comes later.
  for (const variable of placed) {
    if (!variable.initializer) continue;
    writeConstant(memory.bytes, addresses.get(variable.name)!, variable.initializer, (name) => addresses.get(name) ?? 0);
  }
}

function labelOf({ name, space, managed }: GlobalVariable): string {
  const local = arrayFilledFrom(name);
  if (local !== undefined) return `the local array ${local}`;
  const declared = managed ? '__managed__' : '__device__';
  return `${space === 4 ? '__constant__' : declared} ${name}`;
}

/**
 * Gives each static shared variable one offset for the whole module: the lowest that overlaps no variable which some kernel uses
 * together with it. Kernels that share nothing all start at 0, as on hardware.
 */
function placeShared(
  ir: IrModule,
  used: ReadonlyMap<string, ReadonlySet<string>>,
  addresses: Map<string, number>,
): ReadonlyMap<string, number> {
  const placed: GlobalVariable[] = [];
  const kernelsOf = new Map<string, ReadonlySet<string>[]>();
  for (const names of used.values()) {
    for (const name of names) {
      const kernels = kernelsOf.get(name);
      if (kernels) kernels.push(names);
      else kernelsOf.set(name, [names]);
    }
  }
  for (const variable of ir.globals.values()) {
    if (variable.space !== 3 || isExternShared(variable)) continue;
    const kernels = kernelsOf.get(variable.name) ?? [];
    const rivals = placed.filter((other) => kernels.some((names) => names.has(other.name)));
    addresses.set(variable.name, lowestFreeOffset(variable, rivals, addresses));
    placed.push(variable);
  }
  const sizes = new Map<string, number>();
  for (const [kernel, names] of used) {
    const ends = placed.filter((v) => names.has(v.name)).map((v) => addresses.get(v.name)! + v.sizeBytes);
    sizes.set(kernel, Math.max(0, ...ends));
  }
  return sizes;
}

/** An `extern __shared__` array: declared without a size, it names the dynamic shared memory of the launch. */
export function isExternShared(variable: GlobalVariable): boolean {
  return variable.space === 3 && (variable.initializer === undefined || variable.sizeBytes === 0);
}

function lowestFreeOffset(variable: GlobalVariable, rivals: readonly GlobalVariable[], addresses: ReadonlyMap<string, number>): number {
  const ranges = rivals.map((r) => [addresses.get(r.name)!, addresses.get(r.name)! + r.sizeBytes] as const).sort((a, b) => a[0] - b[0]);
  let offset = 0;
  for (const [start, end] of ranges) {
    if (offset + variable.sizeBytes <= start) break;
    offset = Math.max(offset, alignUp(end, Math.max(1, variable.align)));
  }
  return offset;
}

/** Names of the shared variables that each kernel and everything it can call uses. */
function sharedVariablesByKernel(ir: IrModule): ReadonlyMap<string, ReadonlySet<string>> {
  const mentions = new Map([...ir.functions.values()].map((fn) => [fn.name, namesIn(fn)]));
  const result = new Map<string, ReadonlySet<string>>();
  for (const fn of ir.functions.values()) {
    if (!fn.isKernel) continue;
    const shared = new Set<string>();
    for (const name of reachable(fn.name, mentions)) if (ir.globals.get(name)?.space === 3) shared.add(name);
    result.set(fn.name, shared);
  }
  return result;
}

function reachable(start: string, mentions: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>([start]);
  const work = [start];
  for (let name = work.pop(); name !== undefined; name = work.pop()) {
    for (const other of mentions.get(name) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      work.push(other);
    }
  }
  return seen;
}

function namesIn(fn: IrFunction): ReadonlySet<string> {
  const names = new Set<string>();
  for (const block of fn.blocks) {
    for (const instruction of block.instructions) {
      if (instruction.op === 'call') names.add(instruction.callee);
      for (const operand of operandsOf(instruction)) if (operand.kind !== 'value') collectSymbols(operand, names);
    }
  }
  return names;
}

function collectSymbols(constant: Constant, into: Set<string>): void {
  if (constant.kind === 'symbol') into.add(constant.name);
  if (constant.kind === 'aggregate') for (const element of constant.elements) collectSymbols(element, into);
}
