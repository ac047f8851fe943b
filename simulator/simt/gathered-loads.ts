/**
 * Loads that are parts of one copy (`float4 v = a[i];`) and that LLVM has moved apart, each behind the branch that alone needs its part.
 * NVVM copies a vector, or a structure that is aligned to more than its fields, as a whole: one load, in front of all branches (nvcc's
 * PTX, 13.0, of 24 kernels). So they are put together again in the block that they come from, where access-merging.ts makes them one.
 *
 * Parts of one copy have one place in the source, and the first of them is known to be aligned to all. LLVM moves a load past nothing
 * that may change it, and only into a block that no other way leads to.
 */
import { blockDominators, type DominatorTree, dominates } from '../ir/dominators.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { type MemoryRoots, mayAlias, mayChangeMemory, memoryRoots } from '../ir/memory-roots.ts';
import { isPlain } from '../ir/operands.ts';
import { type Draft, rebuilt } from '../ir/rebuild.ts';
import type { AddressSpace, Instruction, IrFunction, IrModule, Location, Operand } from '../ir/types.ts';
import { LinearAddresses } from './linear-address.ts';

const MEMORIES: readonly AddressSpace[] = [0, 1, 3];
const MAX_BYTES = 16;

type Load = Extract<Instruction, { op: 'load' }>;

interface Part {
  readonly load: Load;
  readonly block: number;
  readonly position: number;
  /** Bytes from what the key of the address stands for. */
  readonly offset: number;
  readonly bytes: number;
}

/** Loads that move, in the order in which they are then executed. */
interface Move {
  readonly loads: readonly Load[];
  /** With the addresses that they load from there. */
  readonly drafts: readonly Draft[];
  readonly block: number;
  /** In front of this instruction of the block. */
  readonly position: number;
}

export function gatherLoads(module: IrModule): IrModule {
  const spaceOf = (name: string) => module.globals.get(name)?.space;
  const functions = new Map([...module.functions].map(([name, fn]) => [name, gathered(fn, spaceOf)]));
  return { ...module, functions };
}

function gathered(fn: IrFunction, spaceOf: (name: string) => AddressSpace | undefined): IrFunction {
  if (fn.variables) return fn;
  const copies = loadsByPlace(fn);
  if (copies.length === 0) return fn;
  const gathering = new Gathering(fn, memoryRoots(fn, spaceOf));
  for (const loads of copies) gathering.add(loads);
  return gathering.done();
}

/** Where several loads of several blocks have one place in the source, and one is aligned to more than itself. */
function loadsByPlace({ blocks }: IrFunction): readonly Omit<Part, 'offset'>[][] {
  const places = new Map<Location, Omit<Part, 'offset'>[]>();
  for (const { index, instructions } of blocks) {
    instructions.forEach((load, position) => {
      if (load.op !== 'load' || !load.location || !isPlain(load) || load.type.kind === 'array' || load.type.kind === 'struct') return;
      const part = { load, block: index, position, bytes: storeSizeOf(load.type) };
      const known = places.get(load.location);
      if (known) known.push(part);
      else places.set(load.location, [part]);
    });
  }
  return [...places.values()].filter(
    ([first, ...others]) => others.some(({ block }) => block !== first.block) && [first, ...others].some(isFirst),
  );
}

/** Of a copy of more than this part. */
function isFirst({ load, bytes }: Omit<Part, 'offset'>): boolean {
  return load.align > bytes;
}

class Gathering {
  readonly #fn: IrFunction;
  readonly #roots: MemoryRoots;
  readonly #addresses: LinearAddresses;
  readonly #definitions = new Map<number, { readonly instruction: Instruction; readonly block: number }>();
  readonly #tree: DominatorTree;
  readonly #moves: Move[] = [];
  #valueCount: number;

  constructor(fn: IrFunction, roots: MemoryRoots) {
    this.#fn = fn;
    this.#roots = roots;
    this.#addresses = new LinearAddresses(fn);
    this.#tree = blockDominators(fn.blocks);
    this.#valueCount = fn.valueCount;
    for (const { index, instructions } of fn.blocks)
      for (const instruction of instructions) if (instruction.id >= 0) this.#definitions.set(instruction.id, { instruction, block: index });
  }

  /** All loads of one place: of one copy, or of one in each copy of a loop's body. */
  add(loads: readonly Omit<Part, 'offset'>[]): void {
    const byKey = new Map<string, Part[]>();
    for (const each of loads) {
      if (!MEMORIES.includes(this.#roots.spaceOf(each.load.pointer))) continue;
      const { key, offset } = this.#addresses.of(each.load.pointer);
      const known = byKey.get(key);
      if (known) known.push({ ...each, offset });
      else byKey.set(key, [{ ...each, offset }]);
    }
    for (const parts of byKey.values()) {
      const taken = new Set<Part>();
      for (const first of parts.filter(isFirst).sort((a, b) => b.load.align - a.load.align)) {
        const end = first.offset + Math.min(first.load.align, MAX_BYTES);
        const whole = parts.filter((part) => !taken.has(part) && part.offset >= first.offset && part.offset + part.bytes <= end);
        if (taken.has(first) || new Set(whole.map(({ offset }) => offset)).size < whole.length) continue;
        for (const part of whole) taken.add(part);
        if (whole.some(({ block }) => block !== first.block)) this.#gather(whole);
      }
    }
  }

  done(): IrFunction {
    if (this.#moves.length === 0) return this.#fn;
    const moved = new Set(this.#moves.flatMap(({ loads }) => loads));
    const drafts = this.#fn.blocks.map(({ label, index, instructions }) => {
      const here = this.#moves.filter((move) => move.block === index);
      return {
        label,
        instructions: instructions.flatMap((instruction, position): Draft[] => {
          const { site: _, ...draft } = instruction;
          const before = here.filter((move) => move.position === position).flatMap((move) => move.drafts);
          return [...before, ...(moved.has(instruction as Load) ? [] : [draft as Draft])];
        }),
      };
    });
    return rebuilt(this.#fn, drafts, this.#valueCount);
  }

  #gather(whole: readonly Part[]): void {
    const { blocks } = this.#fn;
    const [ways, ...others] = whole.map(({ block }) => this.#waysTo(block));
    const block = ways.find((each) => others.every((other) => other.includes(each)));
    if (block === undefined) return;
    const here = whole.filter((part) => part.block === block).sort((a, b) => a.position - b.position);
    const position = here.length > 0 ? here[0].position + 1 : blocks[block].instructions.length - 1;
    const moving = whole.filter((part) => part.block !== block);
    if (!moving.every((part) => this.#mayMove(part, block, position))) return;
    const known = here.length > 0 ? { base: here[0].load.pointer, offset: here[0].offset } : this.#addressIn(block, moving);
    if (!known) return;
    const drafts = moving.flatMap(({ load, offset }): Draft[] => {
      const { site: _, ...draft } = load;
      const { type } = load.pointer;
      const id = this.#valueCount++;
      const further = offset - known.offset;
      const address: Draft = { op: 'getelementptr', id, type, location: load.location, base: known.base, offset: further, terms: [] };
      return [address, { ...draft, pointer: { kind: 'value', id, type } }];
    });
    this.#moves.push({ loads: moving.map(({ load }) => load), drafts, block, position });
  }

  /** A block, the one that alone leads to it, and so on. */
  #waysTo(block: number): readonly number[] {
    const ways = [block];
    for (let at = block; this.#fn.blocks[at].predecessors.length === 1; ways.push(at)) {
      at = this.#fn.blocks[at].predecessors[0];
      if (ways.includes(at)) break;
    }
    return ways;
  }

  #mayMove(part: Part, to: number, position: number): boolean {
    const { blocks } = this.#fn;
    const ways = this.#waysTo(part.block);
    const passed = [
      ...blocks[to].instructions.slice(position),
      ...ways.slice(1, ways.indexOf(to)).flatMap((block) => blocks[block].instructions),
      ...blocks[part.block].instructions.slice(0, part.position),
    ];
    return passed.every(
      (each) => !mayChangeMemory(each) || (each.op === 'store' && !mayAlias(this.#roots, each.pointer, part.load.pointer)),
    );
  }

  /** An address that is known at the end of a block, at a constant distance from those of the parts. */
  #addressIn(block: number, parts: readonly Part[]): { readonly base: Operand; readonly offset: number } | undefined {
    for (const { load, offset } of parts) {
      let base = load.pointer;
      for (let further = 0; ; ) {
        const definition = base.kind === 'value' ? this.#definitions.get(base.id) : undefined;
        if (!definition || dominates(this.#tree, definition.block, block)) return { base, offset: offset - further };
        const { instruction } = definition;
        if (instruction.op !== 'getelementptr' || instruction.terms.length > 0) break;
        further += instruction.offset;
        base = instruction.base;
      }
    }
    return undefined;
  }
}
