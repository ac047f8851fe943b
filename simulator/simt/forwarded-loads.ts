/**
 * A load of global memory that has the address of an earlier one of its block is that one's value, if nothing in between may have changed
 * it. Clang has done this with all but those of inline PTX, `__ldg` among them, which reach ptxas one by one: it makes three of one address
 * one (h200-hecbench-seventh.json, channelSum). So is one that has the address of a load or store of a block through which all lanes come:
 * Clang looks for these before it writes out the last loops, NVVM behind that (h200-practice.json, horspool: the first character that a
 * loop of known length compares is the one that is looked up behind it). Such addresses are computed alike, step by step.
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
type Store = Extract<Instruction, { op: 'store' }>;

/** Steps of an address, whose results depend on their operands alone. Inline PTX, which NVVM leaves alone, has a cast of address spaces. */
const STEPS: ReadonlySet<Instruction['op']> = new Set([
  ...(['getelementptr', 'sext', 'zext', 'trunc'] as const),
  ...(['add', 'sub', 'mul', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor'] as const),
]);

interface Place {
  readonly access: Load | Store;
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
  if (!fn.blocks.some(({ instructions }) => instructions.some(({ op }) => op === 'load'))) return fn;
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
      if (later.access.op === 'store' || tree.position[later.block] < 0) return;
      const earlier = inOrder.slice(0, index).findLast((each) => dominates(tree, each.block, later.block));
      if (!earlier || !between.isUnchanged(earlier, later)) return;
      const { access } = earlier;
      values.set(later.access.id, access.op === 'store' ? access.value : { kind: 'value', id: access.id, type: access.type });
    });
  }
  if (values.size === 0) return fn;
  const replaced = (operand: Operand): Operand => {
    const value = operand.kind === 'value' ? values.get(operand.id) : undefined;
    return value ? replaced(value) : operand;
  };
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

/** Plain loads in groups of one address and type, with the stores to it that they may have their values of. */
function equalLoads(fn: IrFunction, roots: MemoryRoots, addresses: LinearAddresses): readonly Place[][] {
  const groups = new Map<string, Place[]>();
  fn.blocks.forEach(({ instructions }, block) => {
    instructions.forEach((access, position) => {
      if ((access.op !== 'load' && access.op !== 'store') || !isPlain(access)) return;
      const space = roots.spaceOf(access.pointer);
      if (space !== GLOBAL && (space !== SHARED || access.op === 'store')) return;
      const { key, offset } = addresses.of(access.pointer);
      const name = `${JSON.stringify(access.op === 'load' ? access.type : access.value.type)} ${offset} ${key}`;
      const group = groups.get(name);
      if (group) group.push({ access, block, position });
      else groups.set(name, [{ access, block, position }]);
    });
  });
  return [...groups.values()].filter((group) => group.some(({ access }) => access.op === 'load'));
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}

/** What may happen between two accesses of which the first one's block dominates the second one's. */
class Between {
  readonly #fn: IrFunction;
  readonly #roots: MemoryRoots;
  readonly #addresses: LinearAddresses;
  readonly #between: BlocksBetween;
  readonly #definitions = new Map<number, Instruction>();
  /** By value: the first one that is computed like it. */
  readonly #firsts = new Map<number, number>();
  readonly #byText = new Map<string, number>();

  constructor(fn: IrFunction, roots: MemoryRoots, addresses: LinearAddresses) {
    this.#fn = fn;
    this.#roots = roots;
    this.#addresses = addresses;
    this.#between = new BlocksBetween(fn);
    for (const { instructions } of fn.blocks) for (const each of instructions) if (each.id >= 0) this.#definitions.set(each.id, each);
  }

  isUnchanged(earlier: Place, later: Place): boolean {
    const [{ access }, { access: load }] = [earlier, later];
    if (earlier.block === later.block) {
      // Clang has looked itself.
      if (access.op === 'store') return false;
    } else if (this.#roots.spaceOf(access.pointer) !== SHARED && !this.#isAlike(access.pointer, load.pointer)) return false;
    return this.#passed(earlier, later).every((instruction) => !this.#mayChange(instruction, load as Load));
  }

  /** Whether two values are computed alike. What is loaded from one value Clang has seen. */
  #isAlike(a: Operand, b: Operand): boolean {
    return a.kind === 'value' && b.kind === 'value' && a.id !== b.id && textOf(this.#first(a)) === textOf(this.#first(b));
  }

  #first(operand: Operand): Operand {
    if (operand.kind !== 'value') return operand;
    let first = this.#firsts.get(operand.id);
    if (first === undefined) {
      first = operand.id;
      const definition = this.#definitions.get(operand.id);
      if (definition && STEPS.has(definition.op)) {
        const { id: _, site: __, location: ___, ...step } = withOperands(definition, (each) => this.#first(each)) as Instruction;
        const text = textOf(step);
        first = this.#byText.get(text) ?? first;
        this.#byText.set(text, first);
      }
      this.#firsts.set(operand.id, first);
    }
    return { ...operand, id: first };
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
