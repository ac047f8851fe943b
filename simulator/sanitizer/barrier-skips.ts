/**
 * Which barriers of the block a branch leaves aside, for each way that it can go: from one way a barrier is still reached, from the other
 * not before the loop around both begins anew. By the control flow alone; which threads take which way is skipped-barriers.ts's.
 */
import { intrinsicOf, meaningOf } from '../ir/intrinsics.ts';
import { memoryRoots } from '../ir/memory-roots.ts';
import { operandsOf } from '../ir/operands.ts';
import { reachableFrom } from '../ir/reachable.ts';
import type { Instruction, IrFunction, LexicalBlock, Location, Operand } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { findLoops, type Loops } from '../simt/loops.ts';
import { analyzeUniformity } from '../simt/uniformity.ts';

/** What it means to take one way of a branch. Barriers are bits. */
export interface Way {
  /** They are left aside. */
  readonly skips: number;
  /** Of those, the ones that stand in what the branch's condition decides about in the source. */
  readonly encloses: number;
  /** Up to the next branch there is something done that lies behind these barriers. */
  readonly behind: number;
}

type Branch = Extract<Instruction, { op: 'condbr' | 'switch' }>;

/** More barriers than bits share the last one. */
const LAST_BIT = 31;
const REGISTERS_OF_LAUNCH = /^(ntid|ctaid|nctaid|cluster\.|clusterid|nclusterid|warpsize|total_smem|dynamic_smem)/;

export class BarrierSkips {
  readonly #bits = new Map<Instruction, number>();
  readonly #ways = new Map<Instruction, ReadonlyMap<number, Way>>();
  readonly #ofFunction = new Map<string, number>();
  /** Threads of a block may differ in whether they come to some barrier. */
  readonly canDiffer: boolean;

  constructor(module: LoadedModule, kernel: string) {
    const names = [...reachableFrom(module.ir, kernel)];
    const functions = names.flatMap((name) => module.ir.functions.get(name) ?? []);
    for (const fn of functions) this.#number(fn);
    for (let changed = true; changed; ) changed = functions.map((fn) => this.#takeIn(fn)).includes(true);
    let canDiffer = false;
    if (this.#bits.size > 0) {
      for (const fn of functions) {
        const graph = new BarrierGraph(fn, this.#bits, this.#ofFunction);
        for (const [branch, ways] of graph.ways()) this.#ways.set(branch, ways);
        // Where none of these splits a block, no thread has gone past what others wait at, whatever it does next.
        const skipping = [...graph.ways()].flatMap(([branch, ways]) =>
          [...ways.values()].some(({ skips }) => skips !== 0) ? [branch] : [],
        );
        if (skipping.length > 0 && !canDiffer) canDiffer = mayDiffer(fn, skipping, module);
      }
    }
    this.canDiffer = canDiffer;
  }

  bitOf(barrier: Instruction): number {
    return this.#bits.get(barrier) ?? 0;
  }

  /** undefined for a branch that leaves no barrier aside. */
  way(branch: Instruction, value: number): Way | undefined {
    const ways = this.#ways.get(branch);
    return ways?.get(targetOf(branch as Branch, value));
  }

  /** Branches that leave some barrier aside, or behind which something is done that lies behind one. */
  get branches(): ReadonlySet<Instruction> {
    return new Set(this.#ways.keys());
  }

  #number({ name, blocks }: IrFunction): void {
    let all = 0;
    for (const { instructions } of blocks) {
      for (const instruction of instructions) {
        const meaning = meaningOf(instruction);
        if (meaning?.kind !== 'blockBarrier' || meaning.counted) continue;
        const bit = 1 << Math.min(LAST_BIT, this.#bits.size);
        this.#bits.set(instruction, bit);
        all |= bit;
      }
    }
    this.#ofFunction.set(name, all);
  }

  /** The barriers of the functions that it calls are its own. True if there are more of them than before. */
  #takeIn({ name, blocks }: IrFunction): boolean {
    const known = this.#ofFunction.get(name)!;
    let all = known;
    for (const { instructions } of blocks)
      for (const instruction of instructions) if (instruction.op === 'call') all |= this.#ofFunction.get(instruction.callee) ?? 0;
    this.#ofFunction.set(name, all);
    return all !== known;
  }
}

/** Where the branch goes. */
function targetOf(branch: Branch, value: number): number {
  if (branch.op === 'condbr') return value !== 0 ? branch.then : branch.else;
  return branch.cases.find((each) => Number(each.value & 0xffffffffn) === value >>> 0)?.block ?? branch.default;
}

/** One function. */
class BarrierGraph {
  readonly #fn: IrFunction;
  readonly #bits: ReadonlyMap<Instruction, number>;
  readonly #ofFunction: ReadonlyMap<string, number>;
  readonly #loops: Loops;
  /** By block: barriers in it. */
  readonly #inside: readonly number[];
  /** By block: barriers that are reached from its start without going back to the start of a loop. */
  readonly #ahead: Int32Array;
  /** By block: barriers from which it is reached. */
  readonly #after: Int32Array;
  #ways: Map<Instruction, ReadonlyMap<number, Way>> | undefined;

  constructor(fn: IrFunction, bits: ReadonlyMap<Instruction, number>, ofFunction: ReadonlyMap<string, number>) {
    this.#fn = fn;
    this.#bits = bits;
    this.#ofFunction = ofFunction;
    this.#loops = findLoops(fn);
    this.#inside = fn.blocks.map(({ instructions }) => instructions.reduce((all, each) => all | this.#barriersOf(each), 0));
    this.#ahead = this.#barriersAhead();
    this.#after = this.#barriersBefore();
  }

  ways(): ReadonlyMap<Instruction, ReadonlyMap<number, Way>> {
    this.#ways ??= new Map(
      this.#fn.blocks.flatMap(({ index, instructions, successors }) => {
        const branch = instructions.at(-1)!;
        const ways = new Map([...new Set(successors)].map((target) => [target, this.#way(index, branch, target)]));
        return [...ways.values()].some(({ skips }) => skips !== 0) || this.#goesOn(ways) ? [[branch, ways] as const] : [];
      }),
    );
    return this.#ways;
  }

  #goesOn(ways: ReadonlyMap<number, Way>): boolean {
    return ways.size > 1 && [...ways.values()].some(({ behind }) => behind !== 0);
  }

  #barriersOf(instruction: Instruction): number {
    if (instruction.op !== 'call') return 0;
    return this.#bits.get(instruction) ?? this.#ofFunction.get(instruction.callee) ?? 0;
  }

  #isBack(from: number, to: number): boolean {
    return this.#loops.loops.some(({ header, latches }) => header === to && latches.includes(from));
  }

  #barriersAhead(): Int32Array {
    const { blocks } = this.#fn;
    const ahead = Int32Array.from(this.#inside);
    for (let changed = true; changed; ) {
      changed = false;
      for (let index = blocks.length - 1; index >= 0; index--) {
        let all = ahead[index];
        for (const next of blocks[index].successors) if (!this.#isBack(index, next)) all |= ahead[next];
        if (all === ahead[index]) continue;
        ahead[index] = all;
        changed = true;
      }
    }
    return ahead;
  }

  #barriersBefore(): Int32Array {
    const { blocks } = this.#fn;
    const before = new Int32Array(blocks.length);
    const open = blocks.flatMap(({ index }) => (this.#inside[index] === 0 ? [] : [index]));
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      const all = before[block] | this.#inside[block];
      for (const next of blocks[block].successors) {
        if ((before[next] | all) === before[next]) continue;
        before[next] |= all;
        open.push(next);
      }
    }
    return before;
  }

  #way(from: number, branch: Instruction, target: number): Way {
    const skips = this.#skips(from, target);
    let encloses = 0;
    for (const [barrier, bit] of this.#bits) if ((skips & bit) !== 0 && stands(barrier.location, branch)) encloses |= bit;
    return { skips, encloses, behind: this.#doneBehind(target) };
  }

  #skips(from: number, target: number): number {
    const others = this.#fn.blocks[from].successors.filter((each) => each !== target);
    const reached = (targets: readonly number[]): number => targets.reduce((all, each) => all | this.#ahead[each], 0);
    if (!this.#isBack(from, target)) return reached(others) & ~this.#ahead[target];
    // The next turn of the loop comes before the barrier has been reached in this one.
    const inLoop = this.#loops.loops.find(({ header }) => header === target)!.blocks.reduce((all, each) => all | this.#inside[each], 0);
    return reached(others.filter((each) => !this.#isBack(from, each))) & inLoop;
  }

  /** What is done from the start of a block up to the next branch, if it is more than to leave: behind which barriers it lies. */
  #doneBehind(start: number): number {
    const { blocks, isKernel, name } = this.#fn;
    let behind = 0;
    const seen = new Set<number>();
    for (let at = start; !seen.has(at); ) {
      seen.add(at);
      const { instructions } = blocks[at];
      if (instructions.some((each) => this.#does(each))) behind |= this.#after[at];
      const last = instructions.at(-1)!;
      // The caller goes on with what it has to do.
      if (last.op === 'ret' && !isKernel) behind |= this.#ofFunction.get(name) ?? 0;
      if (last.op !== 'br') break;
      at = last.target;
    }
    return behind;
  }

  #does(instruction: Instruction): boolean {
    switch (instruction.op) {
      case 'store':
      case 'atomicrmw':
      case 'cmpxchg':
      case 'fence':
      case 'callIndirect':
        return true;
      case 'call': {
        const effect = intrinsicOf(instruction.callee)?.effect;
        return effect === undefined || !['none', 'told', 'reads', 'pause', 'clock', 'stack', 'exit', 'fault'].includes(effect);
      }
      default:
        return false;
    }
  }
}

/** A barrier stands in what the condition of a branch decides about, as the source has it. */
function stands(barrier: Location | undefined, branch: Instruction): boolean {
  const at = branch.location;
  if (!at || at.line === 0) return false;
  for (let place = barrier; place; place = place.inlinedAt) {
    for (let block = place.block; block; block = block.outer) {
      // `if` and `for` are blocks of their own.
      if (block === at.block) return true;
      // The conditions of `while` and `switch` stand in front of the block that they are about.
      if (block.outer === at.block && place.scope === at.scope && isBefore(at, block)) return true;
    }
  }
  return false;
}

function isBefore(a: { readonly line: number; readonly column: number }, b: LexicalBlock): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column);
}

/** Some of the branches may go different ways in a block: their conditions are not the launch's alone. */
function mayDiffer(fn: IrFunction, branches: readonly Instruction[], { ir }: LoadedModule): boolean {
  const uniformity = analyzeUniformity(
    fn,
    memoryRoots(fn, (name) => ir.globals.get(name)?.space),
  );
  const definitions = new Map<number, Instruction>();
  for (const { instructions } of fn.blocks) for (const each of instructions) if (each.id >= 0) definitions.set(each.id, each);
  return fn.blocks.some(({ index, instructions }) => {
    const branch = instructions.at(-1)!;
    if (!branches.includes(branch)) return false;
    const condition = branch.op === 'condbr' ? branch.condition : branch.op === 'switch' ? branch.value : undefined;
    return condition !== undefined && (uniformity.canSplit(index) || !isOfLaunch(condition, definitions));
  });
}

/** A value that depends on the launch and the block alone, as far as its operands say. */
function isOfLaunch(operand: Operand, definitions: ReadonlyMap<number, Instruction>): boolean {
  const open = [operand];
  const seen = new Set<number>();
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind !== 'value' || seen.has(next.id)) continue;
    seen.add(next.id);
    const instruction = definitions.get(next.id);
    if (!instruction) continue;
    if (!dependsOnOperands(instruction)) return false;
    open.push(...operandsOf(instruction));
  }
  return true;
}

function dependsOnOperands(instruction: Instruction): boolean {
  if (['load', 'atomicrmw', 'cmpxchg', 'callIndirect', 'alloca'].includes(instruction.op)) return false;
  if (instruction.op !== 'call') return true;
  const intrinsic = intrinsicOf(instruction.callee);
  if (intrinsic?.meaning.kind === 'register') return REGISTERS_OF_LAUNCH.test(intrinsic.meaning.register);
  return intrinsic?.effect === 'none';
}
