/**
 * Which values are the same in all lanes of a warp that compute them together, and which branches can split a warp. Differences start
 * at thread indices, atomics, shuffles and local memory, and spread along operands, through the phis where paths of a split warp
 * meet, and out of loops that lanes leave at different times. A value that is the same while its loop runs but is used behind a loop
 * that lanes leave one by one counts as varying. The shape of the block is not known here: all of threadIdx varies.
 */

import type { Intrinsic } from '../ir/intrinsics/description.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { MemoryRoots } from '../ir/memory-roots.ts';
import { usersOf } from '../ir/operands.ts';
import { FUNCTION_END, reconvergenceBlocks } from '../ir/reconvergence.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { findLoops } from './loops.ts';

export interface Uniformity {
  /** The operand is the same in all lanes that use it together. */
  isUniform(operand: Operand): boolean;
  /** The terminator of this block can send the lanes of a warp different ways. */
  canSplit(block: number): boolean;
}

export function analyzeUniformity(fn: IrFunction, roots: MemoryRoots): Uniformity {
  return new Analysis(fn, roots).run();
}

class Analysis {
  readonly #varying = new Set<number>();
  readonly #split = new Set<number>();
  readonly #meeting: Int32Array;
  readonly #users: readonly (readonly Instruction[])[];
  readonly #blockOf: Int32Array;
  readonly #cycles: readonly ReadonlySet<number>[];
  readonly #open: Instruction[] = [];

  constructor(
    readonly fn: IrFunction,
    readonly roots: MemoryRoots,
  ) {
    this.#meeting = reconvergenceBlocks(fn);
    this.#users = usersOf(fn);
    this.#blockOf = new Int32Array(fn.siteCount);
    for (const { index, instructions } of fn.blocks) {
      for (const { site } of instructions) this.#blockOf[site] = index;
    }
    const { loops, irreducible } = findLoops(fn);
    this.#cycles = [...loops.map((l) => new Set(l.blocks)), ...(irreducible ? stronglyConnected(fn) : [])];
  }

  run(): Uniformity {
    const { fn } = this;
    if (!fn.isKernel) for (const p of fn.parameters) this.#vary(p.id);
    for (const { instructions } of fn.blocks) for (const i of instructions) if (this.#startsVarying(i)) this.#vary(i.id);
    for (let next = this.#open.pop(); next; next = this.#open.pop()) this.#visit(next);
    return {
      isUniform: (operand) => operand.kind !== 'value' || !this.#varying.has(operand.id),
      canSplit: (block) => this.#split.has(block),
    };
  }

  #vary(id: number): void {
    if (id < 0 || this.#varying.has(id)) return;
    this.#varying.add(id);
    this.#open.push(...this.#users[id]);
  }

  /** Visits an instruction with an operand that varies. */
  #visit(instruction: Instruction): void {
    const { successors } = this.fn.blocks[this.#blockOf[instruction.site]];
    if (instruction.op === 'condbr' || instruction.op === 'switch') {
      if (successors.length > 1) this.#splitAt(this.#blockOf[instruction.site]);
    } else if (instruction.op !== 'call' || resultOf(instruction) !== 'uniform') this.#vary(instruction.id);
  }

  #startsVarying(instruction: Instruction): boolean {
    switch (instruction.op) {
      case 'atomicrmw':
      case 'cmpxchg':
      case 'callIndirect':
        return true;
      case 'call':
        return resultOf(instruction) === 'varying';
      case 'load':
        return this.roots.rootsOf(instruction.pointer).some((root) => {
          if (root.kind === 'local') return true;
          if (root.kind === 'unknown') return !this.fn.isKernel || this.roots.localEscapes;
          return root.kind === 'parameter' && !this.fn.isKernel;
        });
    }
    return false;
  }

  /** Lanes part at the end of a block: phis vary where their ways meet, and what a loop computed where they leave it apart. */
  #splitAt(block: number): void {
    if (this.#split.has(block)) return;
    this.#split.add(block);
    for (const join of this.#joins(block)) {
      for (const instruction of this.fn.blocks[join].instructions) {
        if (instruction.op !== 'phi') break;
        if (new Set(instruction.incoming.map((i) => keyOf(i.value))).size > 1) this.#vary(instruction.id);
      }
    }
    for (const cycle of this.#cycles) {
      if (cycle.has(block) && !cycle.has(this.#meeting[block])) this.#varyOutside(cycle);
    }
  }

  #varyOutside(cycle: ReadonlySet<number>): void {
    for (const block of cycle) {
      for (const { id } of this.fn.blocks[block].instructions) {
        if (id >= 0 && this.#users[id].some((user) => !cycle.has(this.#blockOf[user.site]))) this.#vary(id);
      }
    }
  }

  /** Blocks that two different ways from the branch reach, up to where all of them meet. */
  #joins(branch: number): ReadonlySet<number> {
    const { blocks } = this.fn;
    const meeting = this.#meeting[branch];
    const labels = new Map<number, number>();
    const joins = new Set<number>();
    const open: number[] = [];
    const reach = (block: number, label: number) => {
      const known = labels.get(block);
      if (known === label || known === block) {
        if (known !== label) joins.add(block);
        return;
      }
      if (known !== undefined) joins.add(block);
      labels.set(block, known === undefined ? label : block);
      if (block !== meeting || meeting === FUNCTION_END) open.push(block);
    };
    for (const target of blocks[branch].successors) reach(target, target);
    for (let block = open.pop(); block !== undefined; block = open.pop()) {
      for (const target of blocks[block].successors) reach(target, labels.get(block)!);
    }
    return joins;
  }
}

/** Functions of the module may return anything. */
function resultOf({ callee }: Extract<Instruction, { op: 'call' }>): Intrinsic['result'] {
  return intrinsicOf(callee)?.result ?? 'varying';
}

/** Equal for operands that hold the same value. */
function keyOf(operand: Operand): string {
  if (operand.kind === 'value') return `%${operand.id}`;
  if (operand.kind === 'int') return `i${operand.value}`;
  if (operand.kind === 'float') return `f${operand.bits}`;
  if (operand.kind === 'symbol') return `@${operand.name}+${operand.offset}`;
  return operand.kind === 'aggregate' ? JSON.stringify(operand.elements.map(keyOf)) : 'zero';
}

/** Cycles of a function, natural or not, as sets of blocks: what reaches itself and each other. */
function stronglyConnected({ blocks }: IrFunction): Set<number>[] {
  const reached = blocks.map(({ successors }) => {
    const seen = new Set(successors);
    for (const block of seen) for (const s of blocks[block].successors) seen.add(s);
    return seen;
  });
  const components = blocks.map((_, a) => new Set([...reached[a]].filter((b) => reached[b].has(a))));
  return components.filter((component, block) => component.has(block) && Math.min(...component) === block);
}
