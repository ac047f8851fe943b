/**
 * Loops that try a compare-and-swap in global memory again until nobody has come between. The engines execute one warp after the other, so
 * that hardly any try fails; on a GPU all lanes that are there at once want the word, and each try that succeeds spoils those
 * under way.
 */
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, IrFunction, Operand } from '../ir/types.ts';
import { findLoops, type Loop } from '../simt/loops.ts';
import { endsBy, isSame } from './waits.ts';

export interface RetryLoop {
  /** Of the compare-and-swap. */
  readonly site: number;
  readonly pointer: Operand;
  /** Sites of the branches that lead into the loop. */
  readonly entries: readonly number[];
  /** Lanes compare with what they read at the word before they try, and may not need to: on a GPU they read it before others have changed it. */
  readonly looksFirst: boolean;
  /** The word settles, as a maximum does: a try that changes nothing spoils none. */
  readonly settles: boolean;
}

/**
 * What it expects comes from a read or from a try before: a lock, which expects a constant, is none. Nor is a loop that ends whether the
 * try has succeeded or not.
 */
export function retryLoops(fn: IrFunction): readonly RetryLoop[] {
  if (!fn.blocks.some(({ instructions }) => instructions.some(({ op }) => op === 'cmpxchg'))) return [];
  const { loops, innermost } = findLoops(fn);
  const blockOf = new Map<number, number>();
  for (const { index, instructions } of fn.blocks) for (const { id } of instructions) if (id >= 0) blockOf.set(id, index);
  return fn.blocks.flatMap(({ index, instructions }) =>
    instructions.flatMap((instruction): RetryLoop[] => {
      const loop = innermost[index] < 0 ? undefined : loops[innermost[index]];
      if (instruction.op !== 'cmpxchg' || !loop || instruction.expected.kind !== 'value') return [];
      const { pointer } = instruction;
      const inside = pointer.kind === 'value' && loop.blocks.includes(blockOf.get(pointer.id) ?? -1);
      return inside || !endsBy(fn.blocks, loop, instruction.id) ? [] : [retryOf(fn, loop, { index, instruction })];
    }),
  );
}

function retryOf(
  { blocks }: IrFunction,
  loop: Loop,
  {
    index,
    instruction: { id, site, pointer, replacement },
  }: { readonly index: number; readonly instruction: Extract<Instruction, { op: 'cmpxchg' }> },
): RetryLoop {
  const before = blocks[loop.header].predecessors.filter((block) => !loop.blocks.includes(block)).map((block) => blocks[block]);
  return {
    site,
    pointer,
    entries: before.map(({ instructions }) => instructions.at(-1)!.site),
    looksFirst: before.some((block) => looksAt(block, pointer)) || leavesBefore(blocks, loop, index),
    settles: isSettled(blocks, { replacement, found: id }),
  };
}

/** Whether the new value is the old one wherever some comparison says so: a maximum, a minimum, or bits that are set or cleared. */
function isSettled(blocks: readonly Block[], { replacement, found }: { readonly replacement: Operand; readonly found: number }): boolean {
  const definitions = new Map(blocks.flatMap(({ instructions }) => instructions.map((each) => [each.id, each] as const)));
  const definitionOf = (operand: Operand): Instruction | undefined => (operand.kind === 'value' ? definitions.get(operand.id) : undefined);
  const behindCasts = (operand: Operand): Instruction | undefined => {
    const definition = definitionOf(operand);
    return definition?.op === 'bitcast' ? behindCasts(definition.a) : definition;
  };
  const seen = new Set<Instruction>();
  const isOld = (operand: Operand): boolean => {
    const definition = behindCasts(operand);
    if (!definition || seen.has(definition)) return false;
    seen.add(definition);
    if (definition.op === 'extractvalue') return definition.aggregate.kind === 'value' && definition.aggregate.id === found;
    // What Clang makes of the result: what was expected where the try has succeeded.
    if (definition.op === 'select') return [definition.a, definition.b].some(isOld);
    return definition.op === 'phi' && definition.incoming.some(({ value }) => isOld(value));
  };
  const change = behindCasts(replacement);
  if (change?.op === 'call') return EXTREMES.test(change.callee) && change.args.some(isOld);
  if (change?.op === 'select') return [change.a, change.b].some(isOld);
  return (change?.op === 'and' || change?.op === 'or') && [change.a, change.b].some(isOld);
}

const EXTREMES = /^llvm\.(nvvm\.f(max|min)|maxnum|minnum|maximum|minimum|maximumnum|minimumnum|[su](max|min))\b/;

/** Whether the loop can be left without coming to this block. */
function leavesBefore(blocks: readonly Block[], loop: Loop, trying: number): boolean {
  const open = new Set([loop.header]);
  for (const block of open) {
    if (block === trying) continue;
    if (!loop.blocks.includes(block)) return true;
    for (const next of blocks[block].successors) open.add(next);
  }
  return false;
}

/** Whether the block branches by what it reads at the pointer. */
function looksAt({ instructions }: Block, pointer: Operand): boolean {
  if (instructions.at(-1)?.op !== 'condbr') return false;
  const read = new Set<number>();
  for (const instruction of instructions) {
    const isRead = instruction.op === 'load' && isSame(instruction.pointer, pointer);
    const follows = operandsOf(instruction).some((operand) => operand.kind === 'value' && read.has(operand.id));
    if (instruction.op === 'condbr') return follows;
    if ((isRead || follows) && instruction.id >= 0) read.add(instruction.id);
  }
  return false;
}

export interface Contention {
  /** All that work on one of these words, and how many of them are there at once, on so many multiprocessors. */
  readonly lanes: number;
  readonly atOnce: number;
  readonly words: number;
  readonly multiprocessors: number;
}

/** Waiting lanes of other multiprocessors at which half of the tries that one success would spoil are not made: they are still queueing. */
const HALF_SPOILED = 6000;

/**
 * How often all of them try. Each success spoils the tries of all who wait, so that N lanes on one word try N (N + 1) / 2 times where they
 * are on one multiprocessor. Measured on an H200: 0.87 times as often on two, 0.65 times with 2,048 lanes on 8, 0.52 times with 4,224 and
 * 0.28 times with 33,792 lanes on 132.
 */
export function tries({ lanes, atOnce, words, multiprocessors }: Contention): number {
  const each = lanes / words;
  const waiting = Math.max(1, Math.min(each, atOnce / words));
  const elsewhere = waiting * (1 - 1 / multiprocessors);
  const spoiled = 1 / (1 + (elsewhere / HALF_SPOILED) ** 0.6);
  return words * Math.max(each, spoiled * ((waiting * (waiting + 1)) / 2 + (each - waiting) * waiting));
}
