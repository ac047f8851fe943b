/**
 * Lanes that leave a condition of several terms by different terms meet before what it guards. For `if (a || b) X; else Y` Clang
 * branches to X from the test of a and from that of b, and a warp would execute X once for each. nvcc's front end evaluates the
 * condition to a value (a phi) and branches once; PTX of nvcc 13 for background-subtract and spm, whose stores an H200 counted. So
 *
 *     A: br a, X, B          A: br a, J, B
 *     B: br b, X, Y    =>    B: br J
 *                            J: p = phi [true, A], [b, B];  br p, X, Y
 *
 * and likewise for `&&`, whose common target is Y. A term may be a condition itself, already joined: in `(a && b) || (c && d)` B is all
 * that lies between the test of c and the meeting behind that of d (h200-hecbench.json, rainflow; its machine code has a BSYNC before
 * what the condition guards, and a BREAK where lanes leave it). Left alone: a common target where all lanes meet anyway (loops' exits, an `if`
 * without `else`), and one that only computes, since nothing of it is counted.
 */

import { intrinsicOf } from './intrinsics.ts';
import { type Draft, type DraftBlock, rebuilt, withBlocks, withOperands } from './rebuild.ts';
import { reconvergenceBlocks } from './reconvergence.ts';
import type { Block, Instruction, IrFunction, IrModule, Operand } from './types.ts';

type Branch = Extract<Instruction, { op: 'condbr' }>;

/** Numbers of the blocks of two tests, the second only after the first, and of that where both may go. */
interface Pair {
  readonly first: number;
  readonly second: number;
  readonly common: number;
  /** The blocks from the first test to the second, with it: more than one where the second term is a condition itself. */
  readonly region: readonly number[];
}

/** A second term has no more blocks than this. */
const MAX_REGION = 12;

export function joinConditions(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, joinedFunction(fn));
  return { ...module, functions };
}

function joinedFunction(fn: IrFunction): IrFunction {
  // Each round joins two tests of a condition; their meeting is the first test of the next round.
  for (let current = fn; ; ) {
    const pairs = pairsOf(current);
    if (pairs.length === 0) return current;
    pairs.forEach(({ first, second, common, region }, earlier) => {
      const shift = (block: number) => block + pairs.slice(0, earlier).filter((pair) => pair.second < block).length;
      current = joined(current, { first: shift(first), second: shift(second), common: shift(common), region: region.map(shift) });
    });
  }
}

/** Pairs that do not touch each other. */
function pairsOf(fn: IrFunction): readonly Pair[] {
  const candidates = fn.blocks.flatMap(({ index }) => pairBefore(fn, index) ?? []);
  if (candidates.length === 0) return [];
  const meeting = reconvergenceBlocks(fn);
  const touched = new Set<number>();
  return candidates.filter(({ first, second, common, region }) => {
    if (meeting[first] === common || !isCounted(fn.blocks[common], meeting[first])) return false;
    const blocks = [first, ...region, ...fn.blocks[second].successors];
    if (blocks.some((block) => touched.has(block))) return false;
    for (const block of blocks) touched.add(block);
    return true;
  });
}

/** The first two tests of the condition that leads to a block, if nothing else does. */
function pairBefore({ blocks }: IrFunction, common: number): Pair | undefined {
  const { predecessors } = blocks[common];
  if (predecessors.length < 2 || !predecessors.every((p) => branchOf(blocks[p]))) return undefined;
  for (const head of predecessors) {
    const regions = chainFrom(head, common, blocks);
    if (!regions) continue;
    const [region] = regions;
    const second = region[region.length - 1];
    return otherTarget(blocks[second], common) === head ? undefined : { first: head, second, common, region };
  }
  return undefined;
}

/** The terms that follow a test one after the other, up to one for each way to their common target; undefined if they do not. */
function chainFrom(head: number, common: number, blocks: readonly Block[]): readonly (readonly number[])[] | undefined {
  const { predecessors } = blocks[common];
  const chain = [head];
  const regions: (readonly number[])[] = [];
  while (chain.length < predecessors.length) {
    const region = termAfter(chain[chain.length - 1], common, blocks);
    if (!region || region.some((block) => chain.includes(block))) return undefined;
    chain.push(region[region.length - 1]);
    regions.push(region);
  }
  return regions;
}

/**
 * The blocks that follow a test if it does not lead to the common target, up to the only one of them that leads there, which is the last;
 * undefined if there are other ways in or out, or if more is done on the way than evaluating a condition.
 */
function termAfter(test: number, common: number, blocks: readonly Block[]): readonly number[] | undefined {
  const entry = otherTarget(blocks[test], common);
  if (entry === undefined || blocks[entry].predecessors.length !== 1) return undefined;
  const region = new Set([entry]);
  let last: number | undefined;
  for (const block of region) {
    if (region.size > MAX_REGION || block === test) return undefined;
    if (blocks[block].successors.includes(common)) {
      if (last !== undefined) return undefined;
      last = block;
    } else if (blocks[block].successors.length === 0) return undefined;
    else for (const s of blocks[block].successors) region.add(s);
  }
  if (last === undefined || region.has(otherTarget(blocks[last], common))) return undefined;
  const inside = [...region];
  if (inside.length > 1 && inside.some((block) => blocks[block].instructions.some(actsOnOthers))) return undefined;
  const isClosed = inside.every((block) => block === entry || blocks[block].predecessors.every((p) => region.has(p)));
  return isClosed ? [...inside.filter((block) => block !== last), last] : undefined;
}

function actsOnOthers(instruction: Instruction): boolean {
  if (instruction.op === 'call') return !['none', 'told', 'reads'].includes(intrinsicOf(instruction.callee)?.effect ?? 'writes');
  return ['store', 'atomicrmw', 'cmpxchg', 'fence', 'callIndirect'].includes(instruction.op);
}

function branchOf(block: Block): Branch | undefined {
  const last = block.instructions[block.instructions.length - 1];
  return last.op === 'condbr' && last.then !== last.else ? last : undefined;
}

function otherTarget(block: Block, common: number): number {
  return block.successors.find((s) => s !== common)!;
}

/** Does it make a difference how often a warp executes the block? */
function isCounted(block: Block, meeting: number): boolean {
  if (block.successors.length !== 1 || block.successors[0] !== meeting) return true;
  return block.instructions.some(({ op }) => ['load', 'store', 'atomicrmw', 'cmpxchg', 'call', 'callIndirect'].includes(op));
}

/** The function with a meeting of both tests, behind the second. */
function joined(fn: IrFunction, { first, second, common, region }: Pair): IrFunction {
  const place = second + 1;
  const moved = (block: number) => (block < place ? block : block + 1);
  const drafts = fn.blocks.map(({ label, instructions }) => ({
    label,
    instructions: instructions.map((i): Draft => withBlocks(i, moved)),
  }));
  const [from, to] = [first, second].map(moved);
  const test = branchOf(fn.blocks[second])!;
  const target = moved(common);
  const phis = new Phis(fn, from, to);
  const toCommonIfTrue = test.then === common;
  const { type: boolean } = test.condition;
  const condition = phis.of({ kind: 'int', type: boolean, value: toCommonIfTrue ? 1n : 0n }, test.condition);
  const isOfTerm = definedBy(region.map((block) => fn.blocks[block]));
  const behind = (operand: Operand) =>
    operand.kind === 'value' && isOfTerm(operand.id) ? phis.of(undefinedLike(operand), operand) : operand;
  const within = new Set(region.map(moved));

  const blocks = drafts.map(({ label, instructions }, index): DraftBlock => {
    const at = moved(index);
    const body = instructions.map((draft): Draft => {
      if (at === from && draft.op === 'condbr') return withBlocks(draft, (block) => (block === target ? place : block));
      if (at === to && draft.op === 'condbr') return { op: 'br', id: -1, type: draft.type, location: draft.location, target: place };
      if (within.has(at)) return draft;
      if (draft.op === 'phi')
        return { ...draft, incoming: incomingOf(draft.incoming, { from, to, place, target: at === target, phis, behind }) };
      return withOperands(draft, behind);
    });
    return { label, instructions: body };
  });
  const { location, type } = test;
  // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
  const branch: Draft = { op: 'condbr', id: -1, type, location, condition, then: moved(test.then), else: moved(test.else) };
  blocks.splice(place, 0, { label: `${fn.blocks[second].label}.join`, instructions: [...phis.drafts, branch] });
  return rebuilt(fn, blocks, phis.valueCount);
}

type Incoming = Extract<Instruction, { op: 'phi' }>['incoming'];

/** What comes into a phi behind the meeting, in the place of what came from the tests. */
function incomingOf(
  incoming: Incoming,
  edges: { from: number; to: number; place: number; target: boolean; phis: Phis; behind: (operand: Operand) => Operand },
): Incoming {
  const { from, to, place, target, phis, behind } = edges;
  const second = incoming.find(({ block }) => block === to);
  if (!second) return incoming.map((each) => ({ ...each, value: behind(each.value) }));
  const first = target ? incoming.find(({ block }) => block === from) : undefined;
  const value = first ? phis.of(first.value, second.value) : behind(second.value);
  const others = incoming.filter((each) => each !== second && each !== first);
  return [...others.map((each) => ({ ...each, value: behind(each.value) })), { value, block: place }];
}

function definedBy(blocks: readonly Block[]): (id: number) => boolean {
  const ids = new Set(blocks.flatMap(({ instructions }) => instructions.map(({ id }) => id)).filter((id) => id >= 0));
  return (id) => ids.has(id);
}

function undefinedLike({ type }: Operand): Operand {
  return { kind: 'undef', type };
}

/** The phis of a meeting, each pair of values once. */
class Phis {
  readonly drafts: Draft[] = [];
  readonly #known = new Map<string, Operand>();
  valueCount: number;

  constructor(
    fn: IrFunction,
    readonly from: number,
    readonly to: number,
  ) {
    this.valueCount = fn.valueCount;
  }

  of(first: Operand, second: Operand): Operand {
    const key = `${keyOf(first)} ${keyOf(second)}`;
    if (keyOf(first) === keyOf(second)) return first;
    let value = this.#known.get(key);
    if (!value) {
      const { type } = second;
      const id = this.valueCount++;
      value = { kind: 'value', id, type };
      this.drafts.push({
        op: 'phi',
        id,
        type,
        incoming: [
          { value: first, block: this.from },
          { value: second, block: this.to },
        ],
      });
      this.#known.set(key, value);
    }
    return value;
  }
}

function keyOf(operand: Operand): string {
  return JSON.stringify(operand, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}
