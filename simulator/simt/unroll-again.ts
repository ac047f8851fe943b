/**
 * ptxas unrolls a loop again that NVVM has unrolled by four: sixteen rounds at once while there are more than twelve, then eight if
 * there are more than four, then four (machine code of nvcc 13.0, and the requests of spmvScalar in h200-reference.json). Lanes that need
 * different numbers of rounds so execute more than they would in fours: of 16 and 12, the warp executes 16, 8 and 4. A loop that NVVM has left as it is becomes
 * one of four rounds, then two, then one. Loops of which all lanes of a warp need as many rounds count the same either way and stay as they are, unless a round loads what an earlier
 * one has loaded or stored.
 *
 *     H:   is far from the end? L16 : C8           C8: is two rounds from the end or more? B8 : C4
 *     L16: four times the body; far? L16 : C8      C4: is there a round? B4 : J
 */
import { secondUnrolling } from '../../devices/second-unrolling.ts';
import { signed } from '../ir/fold.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { type MemoryRoots, memoryRoots } from '../ir/memory-roots.ts';
import { usersOf } from '../ir/operands.ts';
import { type Draft, type DraftBlock, rebuilt, withBlocks, withOperands } from '../ir/rebuild.ts';
import { I1, VOID } from '../ir/type-table.ts';
import type { AddressSpace, Block, Instruction, IntPredicate, IrFunction, IrModule, Operand, Type } from '../ir/types.ts';
import { LinearAddresses } from './linear-address.ts';
import { analyzeUniformity } from './uniformity.ts';
import { secondUnrollingCost } from './unroll-cost.ts';

type Phi = Extract<Instruction, { op: 'phi' }>;
type Values = ReadonlyMap<number, Operand>;

/** A loop of one block that counts to a limit in constant steps. */
interface Counted {
  readonly block: Block;
  readonly exit: number;
  readonly phis: readonly Phi[];
  readonly body: readonly Instruction[];
  readonly counter: Phi;
  readonly step: bigint;
  readonly limit: Operand;
  /** How the counter compares with the limit while the loop goes on: `ne`, or the way it goes. */
  readonly predicate: IntPredicate;
}

/** Blocks that a loop becomes. */
const PARTS = 7;
/** Three steps of the unrolled loop are still a number of 32 bits. */
const LARGEST_STEP = 1n << 28n;
const GLOBAL: AddressSpace = 1;

const SWAPPED: Readonly<Record<IntPredicate, IntPredicate>> = {
  ...{ eq: 'eq', ne: 'ne', ult: 'ugt', ule: 'uge', ugt: 'ult', uge: 'ule', slt: 'sgt', sle: 'sge', sgt: 'slt', sge: 'sle' },
};
const INVERSE: Readonly<Record<IntPredicate, IntPredicate>> = {
  ...{ eq: 'ne', ne: 'eq', ult: 'uge', ule: 'ugt', ugt: 'ule', uge: 'ult', slt: 'sge', sle: 'sgt', sgt: 'sle', sge: 'slt' },
};

export function unrollAgain(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) {
    functions.set(
      name,
      unrolled(fn, () => memoryRoots(fn, (variable) => module.globals.get(variable)?.space)),
    );
  }
  return { ...module, functions };
}

function unrolled(fn: IrFunction, findRoots: () => MemoryRoots): IrFunction {
  if (fn.variables) return fn;
  const counted = fn.blocks
    .flatMap((block) => countedLoop(block, findRoots) ?? [])
    .filter(({ block, phis, body }) => secondUnrollingCost(fn, { index: block.index, phis, body }) <= secondUnrolling.largest);
  if (counted.length === 0) return fn;
  const uniformity = analyzeUniformity(fn, findRoots());
  const addresses = new LinearAddresses(fn, { joins: true });
  const loops = counted.filter((loop) => uniformity.canSplit(loop.block.index) || handsOn(loop, addresses));
  return loops.length === 0 ? fn : new Unroller(fn, loops).run();
}

function countedLoop(block: Block, findRoots: () => MemoryRoots): Counted | undefined {
  const { index, instructions, successors, predecessors } = block;
  const end = instructions.at(-1)!;
  if (end.op !== 'condbr' || end.keepsRounds || end.then === end.else || !successors.includes(index) || predecessors.length !== 2)
    return undefined;
  const phis = instructions.filter((each): each is Phi => each.op === 'phi');
  const body = instructions.slice(phis.length, -1);
  const own = new Map(instructions.map((each) => [each.id, each]));
  const test = end.condition.kind === 'value' ? own.get(end.condition.id) : undefined;
  if (test?.op !== 'icmp') return undefined;
  const isSwapped = !(test.a.kind === 'value' && own.has(test.a.id));
  const [tested, given] = isSwapped ? [test.b, test.a] : [test.a, test.b];
  const of = (operand: Operand | undefined) => (operand?.kind === 'value' ? own.get(operand.id) : undefined);
  const compared = of(tested);
  // `i - 4 >= 0` is `i > 3` to LLVM.
  const isBefore = compared?.op === 'phi' && given.kind === 'int';
  const next = isBefore ? of(compared.incoming.find(({ block: from }) => from === index)?.value) : compared;
  if (next?.op !== 'add' || next.b.kind !== 'int' || next.b.value === 0n) return undefined;
  const step = signed(next.b.value, storeSizeOf(next.type) * 8);
  const counter = of(next.a);
  const limit: Operand = isBefore ? { ...given, value: given.value + step } : given;
  if (isBefore && counter !== compared) return undefined;
  if (counter?.op !== 'phi' || (limit.kind === 'value' && own.has(limit.id))) return undefined;
  if (!counter.incoming.some(({ block: from, value }) => from === index && value.kind === 'value' && value.id === next.id))
    return undefined;
  const direct = isSwapped ? SWAPPED[test.predicate] : test.predicate;
  const predicate = end.then === index ? direct : INVERSE[direct];
  if (step < -LARGEST_STEP || step > LARGEST_STEP) return undefined;
  if (predicate !== 'ne' && !(step > 0n ? /^[su]l[te]$/ : /^[su]g[te]$/).test(predicate)) return undefined;
  if (!isOfFourRounds(body) && (predicate === 'ne' || limit.kind === 'int' || !isUnrolledAtLast(body, next.type, findRoots())))
    return undefined;
  const exit = end.then === index ? end.else : end.then;
  return { block, exit, phis, body, counter, step, limit, predicate };
}

/** Whether a round loads what an earlier one has loaded or stored: the more rounds are one, the less is loaded (unrolled-loads.ts). */
function handsOn({ block, phis, body }: Counted, addresses: LinearAddresses): boolean {
  const steps = new Map(
    phis.flatMap(({ id, incoming }) => {
      const next = incoming.find((each) => each.block === block.index)?.value;
      const sum = next?.kind === 'value' ? body.find((each) => each.id === next.id) : undefined;
      const isStep = sum?.op === 'add' && sum.a.kind === 'value' && sum.a.id === id && sum.b.kind === 'int';
      return isStep && sum.b.kind === 'int' ? [[id, Number(signed(sum.b.value, storeSizeOf(sum.type) * 8))] as const] : [];
    }),
  );
  const accesses = body.flatMap((each) => {
    if (each.op !== 'load' && each.op !== 'store') return [];
    const { key, offset, terms } = addresses.of(each.pointer);
    const further = terms.reduce((sum, [id, times]) => sum + times * (steps.get(id) ?? 0), 0);
    return [{ isLoad: each.op === 'load', key, offset, further }];
  });
  return accesses.some(
    ({ isLoad, key, offset, further }) =>
      isLoad && further !== 0 && accesses.some((other) => other.key === key && other.offset === offset + further),
  );
}

/**
 * Whether each access to memory is there four times, or eight: as often as the loop has rounds in one. Of a load, later copies of the body
 * may need none: what they would load is known (unrolled-loads.ts).
 */
function isOfFourRounds(body: readonly Instruction[]): boolean {
  const places = new Map<string, { count: number; readonly isLoad: boolean }>();
  for (const each of body) {
    if (each.op !== 'load' && each.op !== 'store' && each.op !== 'atomicrmw') continue;
    const bytes = storeSizeOf(each.op === 'load' ? each.type : each.value.type);
    const key = `${each.op} ${bytes} ${each.location?.file} ${each.location?.line} ${each.location?.column}`;
    const place = places.get(key) ?? { count: 0, isLoad: each.op === 'load' };
    places.set(key, place);
    place.count++;
  }
  const all = [...places.values()];
  return all.some(({ count }) => count % 4 === 0) && all.every(({ count, isLoad }) => count % 4 === 0 || (isLoad && count < 4));
}

/**
 * Whether ptxas unrolls by four a loop that NVVM has left as it is: one that counts to a limit in steps other than 1 without a sign, for
 * example. Loops to a limit that is a number are NVVM's, also where LLVM 22 sees that there are too few rounds to unroll. Where global memory is read and written, only if addresses go on with a counter of 64 bits (machine code of 60 loops).
 */
function isUnrolledAtLast(body: readonly Instruction[], counter: Type, roots: MemoryRoots): boolean {
  const reaches = (op: 'load' | 'store') => body.some((each) => each.op === op && roots.spaceOf(each.pointer) === GLOBAL);
  const isWide = counter.kind === 'int' && counter.bits === 64;
  return body.some(({ op }) => op === 'load' || op === 'store') && (isWide || !reaches('load') || !reaches('store'));
}

/** Whether a block, by its label, is made of several rounds of a loop, though it may be executed once. */
export function isOfRounds(label: string): boolean {
  return /\.rounds(?:16|8|4)$/.test(label);
}

/** What goes into a round, by the loop's phis, and what is used behind the loop, by its number there. */
interface State {
  readonly entering: Values;
  readonly results: Values;
}

class Unroller {
  #valueCount: number;
  readonly #users: readonly (readonly Instruction[])[];
  readonly #blockOf = new Map<Instruction, number>();
  /** Of what loops compute, by its number: what it is behind its loop. */
  readonly #outside = new Map<number, Operand>();

  constructor(
    readonly fn: IrFunction,
    readonly loops: readonly Counted[],
  ) {
    this.#valueCount = fn.valueCount;
    this.#users = usersOf(fn);
    for (const { index, instructions } of fn.blocks) for (const each of instructions) this.#blockOf.set(each, index);
  }

  run(): IrFunction {
    const parts = new Map(this.loops.map((loop) => [loop.block.index, this.#parts(loop)]));
    const replaced = (operand: Operand) => (operand.kind === 'value' ? (this.#outside.get(operand.id) ?? operand) : operand);
    const blocks = this.fn.blocks.flatMap(({ index, label, instructions }): readonly DraftBlock[] => {
      const own = parts
        .get(index)
        ?.map((part) => ({ ...part, instructions: part.instructions.map((each) => withOperands(each, replaced)) }));
      return own ?? [{ label, instructions: instructions.map((each) => this.#moved(withOperands(bare(each), replaced))) }];
    });
    return rebuilt(this.fn, blocks, this.#valueCount);
  }

  /** Where a block comes to be; of a loop, its first part. */
  #at(block: number): number {
    return block + (PARTS - 1) * this.loops.filter((loop) => loop.block.index < block).length;
  }

  #moved(draft: Draft): Draft {
    if (draft.op !== 'phi') return withBlocks(draft, (block) => this.#at(block));
    return withBlocks(draft, (block) => this.#leaving(block));
  }

  /** Where one comes from who leaves a block. */
  #leaving(block: number): number {
    return this.#at(block) + (this.loops.some((loop) => loop.block.index === block) ? PARTS - 1 : 0);
  }

  #parts(loop: Counted): readonly DraftBlock[] {
    const { block, phis } = loop;
    const { label } = block;
    const at = this.#at(block.index);
    const [start, sixteen, beforeEight, eight, beforeFour, four, end] = Array.from({ length: PARTS }, (_, part) => at + part);
    const results = block.instructions.filter(
      ({ id }) => id >= 0 && this.#users[id].some((user) => this.#blockOf.get(user) !== block.index),
    );
    const first: State = {
      entering: new Map(phis.map((phi) => [phi.id, phi.incoming.find((each) => each.block !== block.index)!.value])),
      results: new Map(results.map(({ id, type }) => [id, { kind: 'zero', type } as Operand])),
    };
    const many = new Meeting(phis, [], () => this.#valueCount++);
    const afterMany = this.#rounds(loop, many.state, secondUnrolling.copies);
    const two = new Meeting(phis, results, () => this.#valueCount++);
    const afterTwo = this.#rounds(loop, two.state, secondUnrolling.copies / 2);
    const one = new Meeting(phis, results, () => this.#valueCount++);
    const afterOne = this.#rounds(loop, one.state, 1);
    const last = new Meeting([], results, () => this.#valueCount++);
    for (const [id, value] of last.state.results) this.#outside.set(id, value);
    const choice = (state: State, rounds: bigint, [then, otherwise]: readonly [number, number]) =>
      this.#choice(loop, state, { rounds, then, otherwise });
    return [
      { label, instructions: beginning(choice(first, 3n, [sixteen, beforeEight])) },
      {
        label: `${label}.rounds16`,
        instructions: [
          ...many.phis([
            [first, start],
            [afterMany, sixteen],
          ]),
          ...afterMany.drafts,
          ...choice(afterMany, 3n, [sixteen, beforeEight]),
        ],
      },
      {
        label: `${label}.before8`,
        instructions: [
          ...two.phis([
            [first, start],
            [afterMany, sixteen],
          ]),
          ...choice(two.state, 1n, [eight, beforeFour]),
        ],
      },
      { label: `${label}.rounds8`, instructions: [...afterTwo.drafts, jump(beforeFour)] },
      {
        label: `${label}.before4`,
        instructions: [
          ...one.phis([
            [two.state, beforeEight],
            [afterTwo, eight],
          ]),
          ...choice(one.state, 0n, [four, end]),
        ],
      },
      { label: `${label}.rounds4`, instructions: [...afterOne.drafts, jump(end)] },
      {
        label: `${label}.end`,
        instructions: [
          ...last.phis([
            [one.state, beforeFour],
            [afterOne, four],
          ]),
          jump(this.#at(loop.exit)),
        ],
      },
    ];
  }

  /** So many times the body. */
  #rounds({ block, phis, body }: Counted, { entering }: State, count: number): State & { readonly drafts: readonly Draft[] } {
    const drafts: Draft[] = [];
    let values = new Map(entering);
    let results = values;
    for (let round = 0; round < count; round++) {
      const known = new Map(values);
      const replaced = (operand: Operand): Operand => (operand.kind === 'value' ? (known.get(operand.id) ?? operand) : operand);
      for (const each of body) {
        const id = each.id < 0 ? -1 : this.#valueCount++;
        drafts.push({ ...withOperands(bare(each), replaced), id });
        if (id >= 0) known.set(each.id, { kind: 'value', id, type: each.type });
      }
      results = known;
      values = new Map(phis.map((phi) => [phi.id, replaced(phi.incoming.find((each) => each.block === block.index)!.value)]));
    }
    return { entering: values, results, drafts };
  }

  /** Goes on to `then` if more than so many rounds are left. */
  #choice(
    { counter, step, limit, predicate }: Counted,
    { entering }: State,
    { rounds, then, otherwise }: { rounds: bigint; then: number; otherwise: number },
  ): Draft[] {
    const { type } = counter;
    const now = entering.get(counter.id)!;
    const value = (of: Type) => ({ kind: 'value', id: this.#valueCount++, type: of }) as const;
    const [left, isFar, isInside, isBoth] = [value(type), value(I1), value(I1), value(I1)];
    const [a, b] = step > 0n ? [limit, now] : [now, limit];
    const size = step > 0n ? step : -step;
    const distance: Operand = { kind: 'int', type, value: rounds * size };
    // One that does not stop exactly at the limit may be past it.
    const isExact = predicate === 'ne';
    const further = !isExact && predicate.endsWith('e') ? 'uge' : 'ugt';
    return [
      { op: 'sub', id: left.id, type, location: undefined, a, b },
      { op: 'icmp', id: isFar.id, type: I1, location: undefined, predicate: further, a: left, b: distance },
      ...(isExact
        ? []
        : [
            { op: 'icmp', id: isInside.id, type: I1, location: undefined, predicate, a: now, b: limit },
            { op: 'and', id: isBoth.id, type: I1, location: undefined, a: isFar, b: isInside },
          ]),
      { op: 'condbr', id: -1, type: VOID, location: undefined, condition: isExact ? isFar : isBoth, then, else: otherwise },
    ] as Draft[];
  }
}

/** Phis where ways to a part of the loop meet. */
class Meeting {
  readonly state: State;
  readonly #ids = new Map<string, number>();

  constructor(
    readonly entering: readonly Phi[],
    readonly results: readonly Instruction[],
    newId: () => number,
  ) {
    const values = (kind: keyof State, list: readonly Instruction[]): Values =>
      new Map(
        list.map(({ id, type }): [number, Operand] => {
          const own = newId();
          this.#ids.set(`${kind} ${id}`, own);
          return [id, { kind: 'value', id: own, type }];
        }),
      );
    this.state = { entering: values('entering', entering), results: values('results', results) };
  }

  phis(ways: readonly (readonly [State, number])[]): readonly Draft[] {
    const of = (kind: keyof State) =>
      this[kind].map(({ id, type, location }): Draft => {
        const incoming = ways.map(([state, block]) => ({ value: state[kind].get(id)!, block }));
        return { op: 'phi', id: this.#ids.get(`${kind} ${id}`)!, type, location, incoming };
      });
    return [...of('entering'), ...of('results')];
  }
}

/** The first choice of all: there is a round at least. */
function beginning(choice: readonly Draft[]): readonly Draft[] {
  return choice.map((each) => (each.op === 'condbr' ? { ...each, beginsRounds: true } : each));
}

function bare(instruction: Instruction): Draft {
  const { site: _, ...draft } = instruction;
  return draft as Draft;
}

function jump(target: number): Draft {
  return { op: 'br', id: -1, type: VOID, location: undefined, target };
}
