/**
 * Which of the ways to the place behind an `if`, `else if` and `else` NVVM has first in its list of them. LLVM puts a new way in front of the
 * others, and when the empty end of an inner `if` goes, the ways to it one by one, so that their order is reversed: it is the second of a
 * chain, and the first where the place behind is the step of a `for` and the chain's own end was empty, too. Blocks are known by Clang's names.
 */
import type { Block, IrFunction } from './types.ts';

type Way = Block | Fork;

interface Fork {
  readonly then: Way;
  readonly otherwise: Way;
  /** How many sides it leads to. */
  readonly size: number;
}

/** Of blocks that lead to `tail` and nowhere else; undefined where no branches choose between them alone. */
export function firstWayTo(fn: IrFunction, tail: Block, sides: readonly Block[]): Block | undefined {
  const cases = sides[0].predecessors.map((p) => fn.blocks[p]).find(({ instructions }) => instructions.at(-1)!.op === 'switch');
  const order = cases ? sides.toReversed() : orderOf(forkTo(fn, sides));
  if (order?.length !== sides.length) return undefined;
  return isStepOfLoop(tail) ? order.at(-1) : order[0];
}

function isStepOfLoop({ label }: Block): boolean {
  return /^for\.inc/.test(label);
}

/** The branches that lead to all sides; to one of them twice, where they cross. */
function forkTo({ blocks }: IrFunction, sides: readonly Block[]): Way | undefined {
  const known = new Map<Block, Way>(sides.map((side) => [side, side]));
  for (const [block, way] of known) {
    if (sizeOf(way) >= sides.length) return way;
    for (const index of block.predecessors) {
      const from = blocks[index];
      const end = from.instructions.at(-1)!;
      if (known.has(from)) continue;
      if (end.op === 'br') known.set(from, way);
      if (end.op !== 'condbr') continue;
      const [a, b] = [blocks[end.then], blocks[end.else]];
      const [then, otherwise] = isElse(a) || isThen(b) ? [b, a] : [a, b];
      const [left, right] = [known.get(then), known.get(otherwise)];
      if (left && right) known.set(from, joined(left, right));
    }
  }
  return undefined;
}

function isThen({ label }: Block): boolean {
  return /^(?:if\.then|cond\.true)/.test(label);
}

function isElse({ label }: Block): boolean {
  return /^(?:if\.else|cond\.false)/.test(label);
}

/** `a && b` and `a || b` are two branches to one side, which is one way. */
function joined(then: Way, otherwise: Way): Way {
  if (then === otherwise) return then;
  if (isFork(then) && then.otherwise === otherwise) return then;
  if (isFork(otherwise) && otherwise.then === then) return otherwise;
  return { then, otherwise, size: sizeOf(then) + sizeOf(otherwise) };
}

function sizeOf(way: Way): number {
  return isFork(way) ? way.size : 1;
}

function isFork(way: Way): way is Fork {
  return 'then' in way;
}

function orderOf(way: Way | undefined): readonly Block[] | undefined {
  if (!way) return undefined;
  if (!isFork(way)) return [way];
  const order = [way.otherwise, way.then].filter((each): each is Block => !isFork(each));
  for (const inner of [way.then, way.otherwise].filter(isFork)) for (const each of orderOf(inner)!) order.unshift(each);
  return order;
}
