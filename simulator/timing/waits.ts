/**
 * Loops in which lanes do nothing but look at memory until others have changed it, and locks. How often lanes look hangs on when engines
 * give others their turns: time counts a loop once for each that comes to it, and what it waits for by the other's work.
 */
import { blockDominators, type DominatorTree, dominates } from '../ir/dominators.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, IrFunction, Operand } from '../ir/types.ts';
import { findLoops, type Loop } from '../simt/loops.ts';

export interface WaitingLoop {
  readonly loop: Loop;
  /** Blocks that lead into it. */
  readonly entries: readonly number[];
}

/**
 * What takes a lock: a compare-and-swap or an exchange of constants in a loop that ends by what was there, or a look at whose turn it is, which
 * the one whose it was passes on.
 */
export interface Lock {
  readonly site: number;
  readonly pointer: Operand;
  /** All threads of the grid mean one word. */
  readonly isOne: boolean;
  /** What gives it back: stores and exchanges at the same pointer, outside of that loop. */
  readonly releases: readonly { readonly site: number; readonly block: number }[];
}

export interface Waiting {
  readonly loops: readonly WaitingLoop[];
  readonly locks: readonly Lock[];
}

export function waitingOf(fn: IrFunction): Waiting {
  const { blocks } = fn;
  const looks = blocks.some(({ instructions }) => instructions.some(isLook));
  if (!looks) return { loops: [], locks: [] };
  const found = findLoops(fn);
  const blockOf = new Map<number, number>();
  for (const { index, instructions } of blocks) for (const { id } of instructions) if (id >= 0) blockOf.set(id, index);
  let known: DominatorTree | undefined;
  const tree = (): DominatorTree => {
    known ??= blockDominators(blocks);
    return known;
  };
  const loops: WaitingLoop[] = [];
  const locks: Lock[] = [];
  for (const loop of found.loops) {
    const inside = loop.blocks.flatMap((index) => blocks[index].instructions);
    const asked = inside.filter((each) => isLook(each) && !isInside(loop, blockOf, pointerOf(each)) && endsBy(blocks, loop, each.id));
    if (asked.length === 0) continue;
    if (inside.every(changesNothing)) {
      const entries = blocks[loop.header].predecessors.filter((index) => !loop.blocks.includes(index));
      loops.push({ loop, entries });
    }
    for (const each of asked) {
      const pointer = pointerOf(each)!;
      const releases = blocks.flatMap(({ index, instructions }) =>
        instructions.filter((other) => other !== each && gives(other, pointer)).map(({ site }) => ({ site, block: index })),
      );
      // Whoever holds a ticket calls the next one when it has had its turn; who has come to a barrier has said so before.
      if (each.op === 'load' && !releases.some(({ block }) => !loop.blocks.includes(block) && dominates(tree(), loop.header, block)))
        continue;
      locks.push({ site: each.site, pointer, isOne: isForAll(fn, pointer), releases });
    }
  }
  return { loops, locks };
}

/** Reads what others may be writing, and leaves nothing of its own there but a mark. */
function isLook(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'load':
      return instruction.volatile || instruction.order !== undefined;
    case 'cmpxchg':
      return instruction.expected.kind === 'int';
    case 'atomicrmw':
      return instruction.value.kind === 'int' && (instruction.operation === 'xchg' || instruction.value.value === 0n);
    default:
      return false;
  }
}

function pointerOf(instruction: Instruction): Operand | undefined {
  return 'pointer' in instruction ? instruction.pointer : undefined;
}

/** Computed from the kernel's parameters and constants alone. */
function isForAll({ blocks, parameters }: IrFunction, operand: Operand): boolean {
  const sources = new Map(blocks.flatMap(({ instructions }) => instructions.map((each) => [each.id, each] as const)));
  const given = new Set(parameters.map(({ id }) => id));
  const ask = (each: Operand): boolean => {
    if (each.kind !== 'value' || given.has(each.id)) return true;
    const source = sources.get(each.id);
    return (
      source !== undefined &&
      !['phi', 'load', 'call', 'atomicrmw', 'cmpxchg', 'alloca'].includes(source.op) &&
      operandsOf(source).every(ask)
    );
  };
  return ask(operand);
}

function isInside(loop: Loop, blockOf: ReadonlyMap<number, number>, pointer: Operand | undefined): boolean {
  return pointer?.kind === 'value' && loop.blocks.includes(blockOf.get(pointer.id) ?? -1);
}

/** Arithmetic, looking, fences and pauses. */
function changesNothing(instruction: Instruction): boolean {
  if (isLook(instruction)) return true;
  if (instruction.op === 'call') return /nanosleep|activemask|syncwarp|warp\.sync|membar|fence/.test(instruction.callee);
  return !['store', 'cmpxchg', 'atomicrmw', 'callIndirect'].includes(instruction.op);
}

/** Whether a value decides if the loop is left. */
export function endsBy(blocks: readonly Block[], loop: Loop, id: number): boolean {
  const follows = new Set([id]);
  for (let before = 0; before !== follows.size; ) {
    before = follows.size;
    for (const index of loop.blocks) {
      for (const instruction of blocks[index].instructions) {
        if (instruction.id >= 0 && operandsOf(instruction).some((each) => each.kind === 'value' && follows.has(each.id)))
          follows.add(instruction.id);
      }
    }
  }
  return loop.blocks.some((index) => {
    const { instructions, successors } = blocks[index];
    const leaves = successors.some((block) => !loop.blocks.includes(block));
    return leaves && operandsOf(instructions.at(-1)!).some((each) => each.kind === 'value' && follows.has(each.id));
  });
}

function gives(instruction: Instruction, pointer: Operand): boolean {
  if (!['store', 'atomicrmw', 'cmpxchg'].includes(instruction.op)) return false;
  const other = pointerOf(instruction);
  return other !== undefined && isSame(other, pointer);
}

export function isSame(a: Operand, b: Operand): boolean {
  if (a.kind === 'value' && b.kind === 'value') return a.id === b.id;
  return a.kind === 'symbol' && b.kind === 'symbol' && a.name === b.name && a.offset === b.offset;
}
