/**
 * A `switch` of which one case falls through into another becomes the tree of comparisons that nvcc makes of it, since where its lanes meet
 * hangs on that (LLVM's SelectionDAGBuilder without jump tables and bit tests, all cases equally likely; PTX of nvcc 13). Where no
 * case leads to another, lanes meet behind the switch either way, and it stays.
 */
import { type Draft, type DraftBlock, rebuilt, withBlocks } from './rebuild.ts';
import { I1, VOID } from './type-table.ts';
import type { Block, Instruction, IrFunction, Operand } from './types.ts';

type Switch = Extract<Instruction, { op: 'switch' }>;

/** Neighbouring values with one target; signed. */
interface Cluster {
  readonly low: bigint;
  readonly high: bigint;
  readonly block: number;
}

/** Up to so many clusters are compared one after the other. */
const MAX_CHAIN = 3;

export function lowerFallThrough(fn: IrFunction): IrFunction {
  let current = fn;
  for (;;) {
    const block = current.blocks.find((each) => fallingSwitch(each, current.blocks));
    if (!block) return current;
    current = lowered(current, block);
  }
}

/** The switch at the end of a block if one of its cases leads on to another, and not only to where the default goes. */
function fallingSwitch({ instructions, successors }: Block, blocks: readonly Block[]): Switch | undefined {
  const end = instructions[instructions.length - 1];
  if (end.op !== 'switch' || end.value.type.kind !== 'int' || end.value.type.bits > 64) return undefined;
  const isCase = (block: number) => block !== end.default && successors.includes(block);
  const falls = successors.some((from) => isCase(from) && blocks[from].successors.some((to) => to !== from && isCase(to)));
  return falls ? end : undefined;
}

function lowered(fn: IrFunction, { index, label }: Block): IrFunction {
  const { instructions } = fn.blocks[index];
  const end = instructions[instructions.length - 1] as Switch;
  const tests = new Tests(end, fn.valueCount);
  const first = tests.tree(clustersOf(end));
  const added = tests.blocks.length - 1;
  const moved = (block: number) => (block <= index ? block : block + added);
  // The test that the switch's own block ends with takes the place of the first; the others follow.
  const at = (test: number) => (test === first ? index : index + 1 + tests.order.indexOf(test));
  const placed = tests.blocks.map((drafts) =>
    drafts.map((draft) => withBlocks(draft, (block) => (block < 0 ? at(-1 - block) : moved(block)))),
  );
  const before = fn.blocks.map(({ instructions: own }) => own.map(({ site: _, ...rest }) => rest as Draft));
  const blocks = before.map((drafts, block): DraftBlock => {
    const body = drafts.map((draft): Draft => {
      const other = withBlocks(draft, moved);
      if (draft.op !== 'phi' || other.op !== 'phi' || !draft.incoming.some((each) => each.block === index)) return other;
      const { value } = draft.incoming.find((each) => each.block === index)!;
      const ways = tests.leadingTo(block).map((test) => ({ value, block: at(test) }));
      return { ...other, incoming: [...other.incoming.filter((each) => each.block !== index), ...ways] };
    });
    return { label: fn.blocks[block].label, instructions: block === index ? [...body.slice(0, -1), ...placed[first]] : body };
  });
  blocks.splice(index + 1, 0, ...tests.order.map((test, n): DraftBlock => ({ label: `${label}.case${n}`, instructions: placed[test] })));
  return rebuilt(fn, blocks, tests.valueCount);
}

function clustersOf({ cases, value }: Switch): readonly Cluster[] {
  const bits = value.type.kind === 'int' ? value.type.bits : 64;
  const signed = cases.map((each) => ({ value: BigInt.asIntN(bits, each.value), block: each.block }));
  const clusters: Cluster[] = [];
  for (const { value: low, block } of signed.sort((a, b) => (a.value < b.value ? -1 : 1))) {
    const last = clusters[clusters.length - 1];
    if (last?.block === block && last.high + 1n === low) clusters[clusters.length - 1] = { ...last, high: low };
    else clusters.push({ low, high: low, block });
  }
  return clusters;
}

/** The comparisons, each a block. In their branches, -1 - N stands for the Nth of them, other numbers for the function's blocks. */
class Tests {
  readonly blocks: Draft[][] = [];
  readonly #end: Switch;
  valueCount: number;

  constructor(end: Switch, valueCount: number) {
    this.#end = end;
    this.valueCount = valueCount;
  }

  /** The tests but the first, which is made last. */
  get order(): readonly number[] {
    return this.blocks
      .map((_, test) => test)
      .slice(0, -1)
      .reverse();
  }

  /** Number of the first test. */
  tree(clusters: readonly Cluster[]): number {
    if (clusters.length <= MAX_CHAIN) return this.#chain(clusters);
    const middle = middleOf(clusters.length);
    // The right side first, since blocks are placed in the reverse of this order.
    const right = this.tree(clusters.slice(middle));
    const left = this.tree(clusters.slice(0, middle));
    return this.#test('slt', clusters[middle].low, [-1 - left, -1 - right]);
  }

  /** Tests of which an edge goes to a block. */
  leadingTo(block: number): readonly number[] {
    return this.blocks.flatMap((drafts, test) => {
      const last = drafts[drafts.length - 1];
      return last.op === 'condbr' && (last.then === block || last.else === block) ? [test] : [];
    });
  }

  #chain(clusters: readonly Cluster[]): number {
    let otherwise = this.#end.default;
    for (const { low, high, block } of clusters.toReversed()) {
      const test = low === high ? this.#test('eq', low, [block, otherwise]) : this.#range(low, high, [block, otherwise]);
      otherwise = -1 - test;
    }
    return -1 - otherwise;
  }

  #test(
    predicate: 'eq' | 'slt' | 'ule',
    value: bigint,
    ways: readonly [number, number],
    a: Operand = this.#end.value,
    before: Draft[] = [],
  ): number {
    const { location } = this.#end;
    const condition = this.#newId();
    const compare: Draft = { op: 'icmp', id: condition, type: I1, location, predicate, a, b: this.#constant(value) };
    const operand: Operand = { kind: 'value', id: condition, type: I1 };
    // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
    const branch: Draft = { op: 'condbr', id: -1, type: VOID, location, condition: operand, then: ways[0], else: ways[1] };
    return this.blocks.push([...before, compare, branch]) - 1;
  }

  #range(low: bigint, high: bigint, ways: readonly [number, number]): number {
    const { location, value } = this.#end;
    const id = this.#newId();
    const distance: Draft = { op: 'sub', id, type: value.type, location, a: value, b: this.#constant(low) };
    return this.#test('ule', high - low, ways, { kind: 'value', id, type: value.type }, [distance]);
  }

  #constant(value: bigint): Operand {
    const { type } = this.#end.value;
    return { kind: 'int', type, value: BigInt.asUintN(type.kind === 'int' ? type.bits : 64, value) };
  }

  #newId(): number {
    return this.valueCount++;
  }
}

/** How many of so many equally likely clusters go to the left: both sides grow towards each other, the right one first. */
function middleOf(count: number): number {
  let [left, right] = [1, 1];
  for (let step = 0; left + right < count; step++) {
    if (left < right || (left === right && step % 2 === 1)) left++;
    else right++;
  }
  return left;
}
