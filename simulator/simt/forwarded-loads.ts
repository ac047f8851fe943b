/**
 * A load of global memory that has the address of an earlier one of its block is that one's value, if nothing in between may have changed
 * it. Clang has done this with all but those of inline PTX, `__ldg` among them, which reach ptxas one by one: it makes three of one address
 * one (h200-hecbench-seventh.json, channelSum).
 *
 * A load of shared memory that has the address of an earlier one is that one's value, if nothing in between may have changed it. Clang
 * has done this wherever it sees that two addresses are equal. To NVVM, addresses of shared memory have 32 bits, so that
 * `row[~x]` (an index of 32 bits that is widened without its sign) is `row[-1 - x]`; to Clang they have 64, and it loads again what
 * `base[n - x]` was before (h200-hecbench-second.json, merge: one load of each warp).
 */
import { blockDominators, dominates } from '../ir/dominators.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { type MemoryRoots, mayAlias, mayChangeMemory, memoryRoots } from '../ir/memory-roots.ts';
import { isPlain } from '../ir/operands.ts';
import { rebuilt, withOperands } from '../ir/rebuild.ts';
import { type AddressSpace, type Instruction, type IrFunction, type IrModule, type Operand, ordersOthers } from '../ir/types.ts';
import { BlocksBetween } from './blocks-between.ts';
import { LinearAddresses, mayOverlap } from './linear-address.ts';

const GLOBAL: AddressSpace = 1;
const SHARED: AddressSpace = 3;

type Load = Extract<Instruction, { op: 'load' }>;

interface Place {
  readonly load: Load;
  readonly block: number;
  readonly position: number;
}

export function forwardLoads(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    functions.set(
      name,
      forwarded(fn, () => memoryRoots(fn, (variable) => module.globals.get(variable)?.space)),
    );
  }
  return { ...module, functions };
}

function forwarded(fn: IrFunction, findRoots: () => MemoryRoots): IrFunction {
  if (loadCount(fn) < 2) return fn;
  const roots = findRoots();
  const addresses = new LinearAddresses(fn);
  const groups = equalLoads(fn, roots, addresses).filter((group) => group.length > 1);
  if (groups.length === 0) return fn;
  const between = new Between(fn, roots, addresses);
  const tree = blockDominators(fn.blocks);
  const values = new Map<number, Operand>();
  for (const group of groups) {
    const inOrder = group.toSorted((a, b) => tree.position[a.block] - tree.position[b.block] || a.position - b.position);
    inOrder.forEach((later, index) => {
      if (tree.position[later.block] < 0) return;
      const earlier = inOrder.slice(0, index).findLast((each) => dominates(tree, each.block, later.block));
      if (!earlier || !between.isUnchanged(earlier, later)) return;
      const { id, type } = earlier.load;
      values.set(later.load.id, values.get(id) ?? { kind: 'value', id, type });
    });
  }
  if (values.size === 0) return fn;
  const replaced = (operand: Operand): Operand => (operand.kind === 'value' ? (values.get(operand.id) ?? operand) : operand);
  const blocks = fn.blocks.map(({ label, instructions }) => ({
    label,
    instructions: instructions
      .filter(({ id }) => !values.has(id))
      .map(({ site: _, ...draft }) => withOperands(draft as Instruction, replaced)),
  }));
  return rebuilt(fn, blocks, fn.valueCount);
}

type Atomic = Extract<Instruction, { op: 'atomicrmw' | 'cmpxchg' }>;

function isAtomic(instruction: Instruction): instruction is Atomic {
  return instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg';
}

function loadCount({ blocks }: IrFunction): number {
  return blocks.reduce((sum, { instructions }) => sum + instructions.filter(({ op }) => op === 'load').length, 0);
}

/** Plain loads in groups of one address and type. */
function equalLoads(fn: IrFunction, roots: MemoryRoots, addresses: LinearAddresses): readonly Place[][] {
  const groups = new Map<string, Place[]>();
  fn.blocks.forEach(({ instructions }, block) => {
    instructions.forEach((load, position) => {
      if (load.op !== 'load' || !isPlain(load)) return;
      const space = roots.spaceOf(load.pointer);
      if (space !== SHARED && space !== GLOBAL) return;
      const { key, offset } = addresses.of(load.pointer);
      const name = `${JSON.stringify(load.type)} ${offset} ${key}`;
      const group = groups.get(name);
      if (group) group.push({ load, block, position });
      else groups.set(name, [{ load, block, position }]);
    });
  });
  return [...groups.values()];
}

/** What may happen between two loads of which the first one's block dominates the second one's. */
class Between {
  readonly #fn: IrFunction;
  readonly #roots: MemoryRoots;
  readonly #addresses: LinearAddresses;
  readonly #between: BlocksBetween;

  constructor(fn: IrFunction, roots: MemoryRoots, addresses: LinearAddresses) {
    this.#fn = fn;
    this.#roots = roots;
    this.#addresses = addresses;
    this.#between = new BlocksBetween(fn);
  }

  isUnchanged(earlier: Place, later: Place): boolean {
    // Further on, Clang has looked itself.
    if (earlier.block !== later.block && this.#roots.spaceOf(earlier.load.pointer) !== SHARED) return false;
    return this.#passed(earlier, later).every((instruction) => !this.#mayChange(instruction, earlier.load));
  }

  #passed(earlier: Place, later: Place): readonly Instruction[] {
    const { blocks } = this.#fn;
    const { instructions } = blocks[earlier.block];
    if (earlier.block === later.block) return instructions.slice(earlier.position + 1, later.position);
    const between = this.#between.of(earlier.block, later.block).flatMap((block) => blocks[block].instructions);
    return [...instructions.slice(earlier.position + 1), ...between, ...blocks[later.block].instructions.slice(0, later.position)];
  }

  #mayChange(instruction: Instruction, { pointer, type }: Load): boolean {
    if (isAtomic(instruction)) return ordersOthers(instruction.order) || mayAlias(this.#roots, pointer, instruction.pointer);
    if (instruction.op !== 'store' || ordersOthers(instruction.order)) return mayChangeMemory(instruction);
    if (!mayAlias(this.#roots, pointer, instruction.pointer)) return false;
    const [read, written] = [this.#addresses.of(pointer), this.#addresses.of(instruction.pointer)];
    return mayOverlap(read, storeSizeOf(type), written, storeSizeOf(instruction.value.type));
  }
}
