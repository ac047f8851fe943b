/** Which global memory a launch can write to, as far as its kernel's pointers say: what it only reads needs no memory of its readers. */
import { meaningOf } from '../ir/intrinsics.ts';
import { memoryRoots, type Root } from '../ir/memory-roots.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';

export interface WrittenRange {
  readonly start: number;
  readonly end: number;
}

/** undefined if it may be anything. Every pointer is taken to stay in the allocation that its base points to. */
export function writtenRanges(module: LoadedModule, launch: Launch, memory: DeviceMemory): readonly WrittenRange[] | undefined {
  const fn = module.ir.functions.get(launch.kernel);
  const roots = fn && writtenRoots(fn, module);
  if (!roots) return undefined;
  const ranges: WrittenRange[] = [];
  for (const root of roots) {
    const address = addressOf(root, fn, module, launch);
    if (address === undefined) return undefined;
    const allocation = memory.find(address, 1);
    if (allocation) ranges.push({ start: allocation.address, end: allocation.address + allocation.sizeBytes });
  }
  return ranges;
}

function addressOf(root: Root, fn: IrFunction, module: LoadedModule, launch: Launch): number | undefined {
  if (root.kind === 'variable') return module.addresses.get(root.name);
  if (root.kind !== 'parameter') return undefined;
  const bytes = launch.args[fn.parameters.findIndex(({ id }) => id === root.id)];
  return bytes && bytes.length >= 4 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) : undefined;
}

const known = new WeakMap<IrFunction, readonly Root[] | 'anything'>();

function writtenRoots(fn: IrFunction, module: LoadedModule): readonly Root[] | undefined {
  let roots = known.get(fn);
  if (!roots) {
    roots = rootsOfStores(fn, module) ?? 'anything';
    known.set(fn, roots);
  }
  return roots === 'anything' ? undefined : roots;
}

function rootsOfStores(fn: IrFunction, module: LoadedModule): readonly Root[] | undefined {
  const roots = memoryRoots(fn, (name) => module.ir.globals.get(name)?.space);
  const written: Root[] = [];
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      if (instruction.op === 'callIndirect' || (instruction.op === 'call' && module.ir.functions.has(instruction.callee))) return undefined;
      const pointer = destinationOf(instruction);
      if (!pointer) continue;
      const space = roots.spaceOf(pointer);
      if (space === 3 || space === 5) continue;
      written.push(...roots.rootsOf(pointer).filter(({ kind }) => kind !== 'local'));
    }
  }
  const isShared = (root: Root): boolean => root.kind === 'variable' && module.ir.globals.get(root.name)?.space === 3;
  const others = written.filter((root) => !isShared(root));
  return others.some(({ kind }) => kind === 'unknown') ? undefined : others;
}

function destinationOf(instruction: Instruction): Operand | undefined {
  switch (instruction.op) {
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
      return instruction.pointer;
    case 'call': {
      const kind = meaningOf(instruction)?.kind;
      return kind === 'copyMemory' || kind === 'fillMemory' ? instruction.args[0] : undefined;
    }
    default:
      return undefined;
  }
}
