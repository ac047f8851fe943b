/**
 * Loads in front of a branch whose value one side of it alone needs: ptxas executes them there, so that a warp that leaves by `if (…) return`
 * has not loaded what is only used behind. NVVM has done this where one instruction uses the value. Read from nvcc's machine code (13.0,
 * sm_90) of 60 kernels:
 *
 *   - The side has no other way in, and every use is behind it. What is computed of the value goes along, instruction by instruction, as long
 *     as no more values have to be kept over the branch than before: so with `3 * b[i] + 1` and `b[i] + x`, not with `b[i] + c[i]`, nor with
 *     the address in `b[c[i]]`, so that `c[i]` stays. Divisions and what has branches of its own stay, too.
 *   - Nothing between load and branch may change the memory, for all that ptxas knows: it does not tell apart arrays of one address space,
 *     but a store goes past `ld.global.nc`, which loads what the kernel never writes (`const T* __restrict__`).
 *   - Loads that are one access (a vector's, or those of neighbours in a shared array) stay together.
 *   - Nothing moves out of a loop here, which LLVM has done.
 */
import { blockDominators, type DominatorTree, dominates } from '../ir/dominators.ts';
import { accessesMayPass, intrinsicOf } from '../ir/intrinsics.ts';
import { type MemoryRoots, memoryRoots } from '../ir/memory-roots.ts';
import { isPlain, operandsOf } from '../ir/operands.ts';
import { rebuilt } from '../ir/rebuild.ts';
import { slowPathsOf } from '../ir/slow-paths.ts';
import {
  type AddressSpace,
  type Block,
  type GlobalVariable,
  type Instruction,
  type IrFunction,
  type IrModule,
  ordersOthers,
} from '../ir/types.ts';
import { type MergedAccess, mergedAccesses } from './access-merging.ts';

const GENERIC: AddressSpace = 0;
const GLOBAL: AddressSpace = 1;
const SHARED: AddressSpace = 3;
const MEMORIES: readonly AddressSpace[] = [GENERIC, GLOBAL, SHARED];

type Arithmetic = Instruction['op'];
/** What is one machine instruction or none. Of calls, those that cost as much: the larger of two, say. */
const SIMPLE: ReadonlySet<Arithmetic> = new Set([
  ...(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr', 'icmp', 'fcmp', 'select', 'getelementptr'] as const),
  ...([
    'fadd',
    'fsub',
    'fmul',
    'fneg',
    'freeze',
    'trunc',
    'zext',
    'sext',
    'fptrunc',
    'fpext',
    'fptoui',
    'fptosi',
    'uitofp',
    'sitofp',
  ] as const),
  ...(['bitcast', 'inttoptr', 'ptrtoint', 'addrspacecast', 'extractvalue', 'insertvalue', 'extractelement', 'insertelement'] as const),
]);

type Load = Extract<Instruction, { op: 'load' }>;

export function sinkLoads(module: IrModule): IrModule {
  const functions = new Map([...module.functions].map(([name, fn]) => [name, sunk(fn, module.globals)]));
  return { ...module, functions };
}

function sunk(fn: IrFunction, globals: ReadonlyMap<string, GlobalVariable>): IrFunction {
  const branching = fn.blocks.filter(
    ({ instructions }) => instructions.at(-1)?.op === 'condbr' && instructions.some(({ op }) => op === 'load'),
  );
  if (branching.length === 0) return fn;
  const sinking = new Sinking(fn, globals);
  return sinking.moveAll() ? rebuilt(fn, sinking.drafts(), fn.valueCount) : fn;
}

class Sinking {
  readonly #fn: IrFunction;
  readonly #roots: MemoryRoots;
  readonly #merged: ReadonlyMap<number, MergedAccess>;
  readonly #tree: DominatorTree;
  readonly #unchanging: ReadonlySet<number>;
  /** As they become. */
  readonly #instructions: Instruction[][];
  /** By value: the blocks that it is used in; a phi uses its operand at the end of the block that it comes from. */
  readonly #uses: number[][];

  constructor(fn: IrFunction, globals: ReadonlyMap<string, GlobalVariable>) {
    this.#fn = fn;
    this.#roots = memoryRoots(fn, (name) => globals.get(name)?.space);
    this.#merged = mergedAccesses(fn, this.#roots, globals);
    this.#tree = blockDominators(fn.blocks);
    this.#unchanging = new Set(fn.parameters.filter(({ unchanging }) => unchanging).map(({ id }) => id));
    this.#instructions = fn.blocks.map(({ instructions }) => [...instructions]);
    this.#uses = Array.from({ length: fn.valueCount }, () => []);
    for (const { instructions, index } of fn.blocks) for (const each of instructions) this.#addUses(each, index);
  }

  /** Whether anything has moved. What has moved may move on from there. */
  moveAll(): boolean {
    let hasMoved = false;
    for (const index of this.#tree.order) {
      const block = this.#fn.blocks[index];
      if (block.instructions.at(-1)?.op !== 'condbr' || block.successors.length < 2) continue;
      for (const side of block.successors) {
        if (this.#fn.blocks[side].predecessors.length > 1 || this.#leavesLoop(block, side)) continue;
        const moved = this.#movedTo(side, index);
        if (moved.size === 0) continue;
        hasMoved = true;
        this.#move(moved, index, side);
      }
    }
    return hasMoved;
  }

  drafts() {
    return this.#fn.blocks.map(({ label }, index) => ({
      label,
      instructions: this.#instructions[index].map(({ site: _, ...draft }) => draft as Instruction),
    }));
  }

  #addUses(instruction: Instruction, block: number): void {
    if (instruction.op === 'phi') {
      for (const { value, block: from } of instruction.incoming) if (value.kind === 'value') this.#uses[value.id].push(from);
      return;
    }
    for (const id of valuesIn(instruction)) this.#uses[id].push(block);
  }

  #leavesLoop({ index }: Block, side: number): boolean {
    return reaches(this.#fn.blocks, index, index) && !reaches(this.#fn.blocks, side, index);
  }

  /** The loads of a block that may move to one side of its branch, with what is computed of them. */
  #movedTo(side: number, index: number): ReadonlySet<Instruction> {
    const kept = new Set<Instruction>();
    for (;;) {
      const moved = this.#withoutOthers(this.#neededAt(side, index, kept), index);
      const torn = [...moved].filter((each) => each.op === 'load' && !this.#isWhole(each, moved));
      if (torn.length === 0) return moved;
      for (const each of torn) kept.add(each);
    }
  }

  /** What is used there alone, of what may pass all that comes behind it. */
  #neededAt(side: number, index: number, kept: ReadonlySet<Instruction>): Set<Instruction> {
    const needed = new Set<Instruction>();
    const usedHere = new Set<number>(this.#fn.blocks[index].successors.flatMap((to) => this.#broughtFrom(index, to)));
    /** Values that are kept over the branch only because something of this block has moved. */
    const keptLonger = new Set<number>();
    const passed = new Passed();
    for (const instruction of this.#instructions[index].toReversed()) {
      const values = instruction.op === 'phi' ? [] : valuesIn(instruction);
      const further = values.filter((id) => !keptLonger.has(id) && !this.#isUsedBehind(id, index));
      const isNeeded = instruction.id >= 0 && !usedHere.has(instruction.id) && this.#isUsedAt(side, index, instruction.id);
      if (isNeeded && further.length <= 1 && this.#mayMove(instruction, passed, kept)) {
        needed.add(instruction);
        for (const id of further) keptLonger.add(id);
      } else {
        passed.add(instruction, this.#roots);
        for (const id of values) usedHere.add(id);
      }
    }
    return needed;
  }

  /** Values that a block's phis take where lanes come from another block. */
  #broughtFrom(from: number, to: number): readonly number[] {
    const phis = this.#instructions[to].filter((each) => each.op === 'phi');
    const brought = phis.flatMap(({ incoming }) => incoming.filter(({ block }) => block === from));
    return brought.flatMap(({ value }) => (value.kind === 'value' ? [value.id] : []));
  }

  #isUsedBehind(id: number, index: number): boolean {
    return this.#uses[id].some((block) => block !== index);
  }

  #mayMove(instruction: Instruction, passed: Passed, kept: ReadonlySet<Instruction>): boolean {
    if (instruction.op === 'call') return intrinsicOf(instruction.callee)?.cost === 'simple' && accessesMayPass(instruction.callee);
    if (instruction.op !== 'load') return SIMPLE.has(instruction.op);
    if (!isPlain(instruction) || kept.has(instruction)) return false;
    const space = this.#roots.spaceOf(instruction.pointer);
    return MEMORIES.includes(space) && !passed.mayChange(space, this.#isUnchanging(instruction));
  }

  #isUnchanging({ pointer }: Load): boolean {
    return this.#roots.rootsOf(pointer).every((root) => root.kind === 'parameter' && this.#unchanging.has(root.id));
  }

  #isUsedAt(side: number, index: number, id: number): boolean {
    const uses = this.#uses[id];
    return uses.length > 0 && uses.every((block) => block === index || dominates(this.#tree, side, block));
  }

  /** Loads, and what is computed of them: other arithmetic stays where it is. */
  #withoutOthers(needed: ReadonlySet<Instruction>, index: number): Set<Instruction> {
    const moved = new Set<Instruction>();
    const values = new Set<number>();
    for (const instruction of this.#instructions[index]) {
      if (!needed.has(instruction)) continue;
      if (instruction.op !== 'load' && !operandsOf(instruction).some((operand) => operand.kind === 'value' && values.has(operand.id)))
        continue;
      moved.add(instruction);
      values.add(instruction.id);
    }
    return moved;
  }

  #isWhole({ site }: Instruction, moved: ReadonlySet<Instruction>): boolean {
    const sites = new Set([...moved].map((each) => each.site));
    return (this.#merged.get(site)?.members ?? []).every((member) => sites.has(member.site));
  }

  #move(moved: ReadonlySet<Instruction>, from: number, to: number): void {
    for (const id of [...moved].flatMap(valuesIn)) this.#uses[id].splice(this.#uses[id].indexOf(from), 1, to);
    this.#instructions[from] = this.#instructions[from].filter((each) => !moved.has(each));
    const start = this.#instructions[to].findIndex(({ op }) => op !== 'phi');
    this.#instructions[to].splice(start, 0, ...moved);
  }
}

/** What is between a load and the end of its block. */
class Passed {
  readonly #written = new Set<AddressSpace>();
  #isEnd = false;

  add(instruction: Instruction, roots: MemoryRoots): void {
    if (slowPathsOf(instruction).length > 0) this.#isEnd = true;
    switch (instruction.op) {
      case 'load':
        this.#isEnd ||= ordersOthers(instruction.order);
        break;
      case 'store':
      case 'atomicrmw':
      case 'cmpxchg':
        this.#isEnd ||= ordersOthers(instruction.order);
        this.#written.add(roots.spaceOf(instruction.pointer));
        break;
      case 'call':
        this.#isEnd ||= !accessesMayPass(instruction.callee);
        break;
      case 'callIndirect':
      case 'fence':
        this.#isEnd = true;
        break;
    }
  }

  mayChange(space: AddressSpace, isUnchanging: boolean): boolean {
    if (this.#isEnd) return true;
    if (isUnchanging || this.#written.size === 0) return false;
    return space === GENERIC || this.#written.has(space) || this.#written.has(GENERIC);
  }
}

function valuesIn(instruction: Instruction): readonly number[] {
  return [...new Set(operandsOf(instruction).flatMap((operand) => (operand.kind === 'value' ? [operand.id] : [])))];
}

function reaches(blocks: readonly Block[], from: number, to: number): boolean {
  const seen = new Set(blocks[from].successors);
  for (const index of seen) for (const next of blocks[index].successors) seen.add(next);
  return seen.has(to);
}
