/**
 * Between which lines a barrier is missing, by the control flow of the function in which two accesses race: on the way from one to the
 * other, or only where a loop around both begins anew. Of one line that reads and then writes no barrier fits between the two.
 */
import { blockDominators, dominates } from '../ir/dominators.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import { findLoops } from '../simt/loops.ts';
import type { Site } from './sites.ts';

export interface Gap {
  readonly kind: 'between' | 'statement' | 'loop';
  readonly file: string;
  /** Of the loop, what is known to lie in it. */
  readonly first: number;
  readonly last: number;
  readonly function: string;
  /** Where the way begins, or the loop: a block of the function. */
  readonly from: number;
  /** Blocks that every way to where it ends passes. */
  readonly passed: ReadonlySet<number>;
}

type Level = 'warp' | 'block';

interface Place {
  readonly block: number;
  readonly index: number;
  readonly file: string;
  readonly line: number;
  readonly reads: boolean;
}

export function gapOf(a: Site, b: Site, fn: IrFunction, level: Level): Gap | undefined {
  const [one, other] = [placeIn(fn, a), placeIn(fn, b)];
  if (!one || !other || one.file !== other.file) return undefined;
  const [before, after] = isBefore(other, one) ? [other, one] : [one, other];
  const ways = new Ways(fn, level);
  const lines = { file: one.file, first: before.line, last: after.line, function: a.function, from: before.block };
  const loop = () => ({ kind: 'loop', ...lines, from: ways.loopOf(before, after), passed: NONE }) as const;
  const between = () => ({ kind: 'between', ...lines, passed: ways.passedTo(after) }) as const;
  // Loops that are written out go on where others begin anew.
  const goesBack = () => ways.reaches(after, before, 'anew') || ways.reaches(after, before, 'directly');
  if (before.line < after.line && ways.reaches(before, after, 'directly')) return between();
  // What one line does in a loop without a barrier has to be ordered from iteration to iteration first.
  if (goesBack()) return loop();
  const isStatement = before.reads && !after.reads && ways.reaches(before, after, 'directly');
  return isStatement ? { kind: 'statement', ...lines, passed: NONE } : undefined;
}

/** One barrier is enough for both; undefined where it is not. What is left of the gap then. */
export function commonGap(a: Gap, b: Gap): Gap | undefined {
  if (a.kind !== b.kind || a.file !== b.file || a.function !== b.function) return undefined;
  if (a.kind === 'statement') return a.first === b.first ? a : undefined;
  if (a.kind === 'loop') return a.from === b.from ? { ...a, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) } : undefined;
  const [earlier, later] = a.first <= b.first ? [a, b] : [b, a];
  const last = Math.min(a.last, b.last);
  // One way may lie under a condition that the other does not ask.
  if (later.first >= last || !earlier.passed.has(later.from)) return undefined;
  return { ...later, last, passed: new Set([...later.passed].filter((block) => earlier.passed.has(block))) };
}

const NONE: ReadonlySet<number> = new Set();

/** Of one line, what it reads comes before what it writes. */
function isBefore(a: Place, b: Place): boolean {
  return a.line === b.line ? a.reads && !b.reads : a.line < b.line;
}

function placeIn({ blocks }: IrFunction, { instruction, location, access }: Site): Place | undefined {
  if (!location || location.line === 0) return undefined;
  const block = blocks.findIndex(({ instructions }) => instructions.includes(instruction));
  if (block < 0) return undefined;
  const index = blocks[block].instructions.indexOf(instruction);
  return { block, index, file: location.file, line: location.line, reads: access === 'read' };
}

class Ways {
  readonly #fn: IrFunction;
  readonly #level: Level;
  readonly #tree;

  constructor(fn: IrFunction, level: Level) {
    this.#fn = fn;
    this.#level = level;
    this.#tree = blockDominators(fn.blocks);
  }

  passedTo({ block }: Place): ReadonlySet<number> {
    return new Set([...this.#fn.blocks.keys()].filter((other) => dominates(this.#tree, other, block)));
  }

  /** The start of the innermost loop that holds both; -1 without one. */
  loopOf(a: Place, b: Place): number {
    const { loops, innermost } = findLoops(this.#fn);
    let at = innermost[a.block];
    while (at >= 0 && !loops[at].blocks.includes(b.block)) at = loops[at].outer;
    return at < 0 ? -1 : loops[at].header;
  }

  /** Without a barrier: inside one iteration of all loops, or through the start of one. */
  reaches(from: Place, to: Place, how: 'directly' | 'anew'): boolean {
    if (from.block === to.block && from.index < to.index && how === 'directly') return !this.#waits(from.block, from.index + 1, to.index);
    const { blocks } = this.#fn;
    if (this.#waits(from.block, from.index + 1)) return false;
    // Two states of each block: whether some loop has begun anew on the way.
    const seen = new Set<number>();
    const open: number[] = [];
    const goOn = (block: number, isAnew: boolean) => {
      for (const next of blocks[block].successors) {
        const nextAnew = isAnew || dominates(this.#tree, next, block);
        const state = next * 2 + Number(nextAnew);
        if ((nextAnew && how === 'directly') || seen.has(state)) continue;
        seen.add(state);
        open.push(state);
      }
    };
    goOn(from.block, false);
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const block = state >>> 1;
      const isAnew = state % 2 === 1;
      const isThere = block === to.block && isAnew === (how === 'anew');
      if (isThere && !this.#waits(block, 0, to.index)) return true;
      if (!this.#waits(block, 0)) goOn(block, isAnew);
    }
    return false;
  }

  #waits(block: number, from: number, to?: number): boolean {
    return this.#fn.blocks[block].instructions.slice(from, to).some((each) => isBarrier(each, this.#level));
  }
}

/** A function that is called may have one. */
function isBarrier(instruction: Instruction, level: Level): boolean {
  if (instruction.op !== 'call') return false;
  const intrinsic = intrinsicOf(instruction.callee);
  if (!intrinsic) return true;
  return intrinsic.waits !== undefined && (level === 'warp' || intrinsic.waits !== 'lanes');
}
