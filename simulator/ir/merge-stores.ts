/**
 * Stores to one address at the ends of an `if` and its `else`, or of all branches of `if … else if … else`, are one store behind them, as
 * NVVM makes it. Nothing but the branches may lead to the place behind, and all compute the address themselves (one that two share, which
 * LLVM moves in front of both, is left alone): h200-hecbench.json, spm and scan2, and nvcc's PTX (13.0) of 800 chains of two to four
 * branches. Of several stores, from the last one on, so many are one as all sides have in the same order with nothing else between them
 * (`o[i] = p; w[i] = q` is one store of w behind both, and two of o, where q is computed behind the first); loads of what is stored as it
 * is go along (PTX of 70 kernels). A store that another access of memory follows stays where it is, because this pass does not know what
 * that access touches.
 */
import { intrinsicOf } from './intrinsics.ts';
import { storeSizeOf } from './layout.ts';
import { isPlain, operandsOf, usersOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt, withOperands } from './rebuild.ts';
import type { Block, Instruction, IrFunction, IrModule, Operand } from './types.ts';
import { firstWayTo } from './ways-behind.ts';

type Store = Extract<Instruction, { op: 'store' }>;
type Load = Extract<Instruction, { op: 'load' }>;
type Address = Extract<Instruction, { op: 'getelementptr' }>;
/** By number of the value, what computes it. */
type Values = ReadonlyMap<number, Instruction>;

/** Addresses computed in more steps than this are not compared. */
const MAX_DEPTH = 6;

export function mergeStores(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, mergedFunction(fn));
  return { ...module, functions };
}

/** What becomes one: a store of each side, and the last step of its address, or a load that each side stores as it is. */
type Step =
  | {
      readonly kind: 'store';
      readonly accesses: readonly Store[];
      /** None where all store to one address that stays the same in a loop. */
      readonly addresses: readonly Address[];
      /** Where the sides compute the index of their addresses in different ways. */
      readonly hasIndices: boolean;
    }
  | {
      readonly kind: 'load';
      readonly accesses: readonly Load[] /** What is in front of it stays on both sides. */;
      readonly isLast: boolean;
    };

interface Merge {
  /** The last first. */
  readonly steps: readonly Step[];
  readonly sides: readonly Block[];
  /** Which of them does most. */
  readonly longest: number;
}

interface Known {
  /** By value, the instructions that have it as an operand. */
  readonly users: readonly (readonly Instruction[])[];
  readonly values: Values;
  /** By number of a value, the block that computes it. */
  readonly homes: ReadonlyMap<number, Block>;
  differing(): ReadonlySet<number>;
}

function mergedFunction(fn: IrFunction): IrFunction {
  const ends = fn.blocks.filter(({ instructions, successors }) => successors.length === 1 && instructions.some(({ op }) => op === 'store'));
  if (ends.length < 2) return fn;
  const values: Values = new Map(fn.blocks.flatMap(({ instructions }) => instructions.map((i) => [i.id, i] as const)));
  let differing: ReadonlySet<number> | undefined;
  const known: Known = {
    users: usersOf(fn),
    values,
    homes: new Map(fn.blocks.flatMap((block) => block.instructions.map((i) => [i.id, block] as const))),
    differing: () => {
      differing ??= differingValues(fn);
      return differing;
    },
  };
  const merges = fn.blocks.map((tail) => mergeBefore(fn, tail, known));
  if (merges.every((merge) => merge === undefined)) return fn;
  const gone = new Set(merges.flatMap((merge) => (merge ? withoutUse(merge.steps, known) : [])));
  let valueCount = fn.valueCount;
  const newId = () => valueCount++;
  const blocks = fn.blocks.map(({ label, instructions }, index): DraftBlock => {
    const kept = instructions.filter((i) => !gone.has(i)).map(({ site: _, ...draft }): Draft => draft as Draft);
    const phis = kept.filter(({ op }) => op === 'phi');
    const merge = merges[index];
    const { phi, accesses } = merge ? draftsOf(merge, newId) : { phi: [], accesses: [] };
    return { label, instructions: [...phis, ...phi, ...accesses, ...kept.slice(phis.length)] };
  });
  return rebuilt(fn, blocks, valueCount);
}

/** The accesses, and addresses that nothing else needs. */
function withoutUse(steps: readonly Step[], { users }: Known): readonly Instruction[] {
  const gone = new Set<Instruction>(steps.flatMap(({ accesses }): readonly Instruction[] => accesses));
  for (const step of steps) {
    if (step.kind !== 'store') continue;
    for (const address of step.addresses) if (users[address.id].every((user) => gone.has(user))) gone.add(address);
  }
  return [...gone];
}

/** What goes to the start of a block. */
function mergeBefore(fn: IrFunction, tail: Block, known: Known): Merge | undefined {
  const sides = tail.predecessors.map((p) => fn.blocks[p]);
  if (sides.length < 2 || sides.some(({ successors }) => successors.length !== 1)) return undefined;
  if (areCases(fn, sides) || (!isDiamond(sides) && leadsBack(fn, tail, sides))) return undefined;
  const steps: Step[] = [];
  const rest = sides.map(({ instructions }) => instructions.slice(0, -1));
  for (;;) {
    // Behind the last access, it may be in NVVM in front of it.
    for (const instructions of rest)
      while (instructions.length > 0 && isPassed(instructions.at(-1)!, steps.length === 0, known)) instructions.pop();
    const last = rest.map((instructions) => instructions.pop());
    const step = storesOf(fn, tail, { last, sides, known }) ?? loadsOf(fn, last, { steps, sides, known });
    if (!step) break;
    steps.push(step);
    if (step.kind === 'load' && step.isLast) break;
  }
  const lengths = sides.map(({ instructions }) => instructions.length);
  return steps.length === 0 || !partsLanes(fn, sides, known.differing())
    ? undefined
    : { steps, sides, longest: lengths.indexOf(Math.max(...lengths)) };
}

/**
 * Whether a branch to the sides parts lanes for all that NVVM sees, which leaves the stores of other branches where they are: a value is
 * known to differ if it is computed of the thread's index or of what lanes read at places that differ, but not where lanes only leave a loop
 * in different rounds (`while (v[x] > i) x++; if (a[x] < n) …`; nvcc's PTX of 20 kernels, h200-hecbench-sixth.json, eigenvalue).
 */
function partsLanes({ blocks }: IrFunction, sides: readonly Block[], differing: ReadonlySet<number>): boolean {
  const differs = (operand: Operand) => operand.kind === 'value' && differing.has(operand.id);
  const parts = ({ instructions }: Block) => {
    const end = instructions.at(-1)!;
    return end.op === 'condbr' ? differs(end.condition) : end.op === 'switch' && differs(end.value);
  };
  return sides.some(({ predecessors }) => predecessors.some((from) => parts(blocks[from])));
}

/** Values that differ from lane to lane because of what they are computed of. */
function differingValues({ blocks }: IrFunction): ReadonlySet<number> {
  const differing = new Set<number>();
  const isNew = (each: Instruction) => {
    if (operandsOf(each).some((operand) => operand.kind === 'value' && differing.has(operand.id))) return true;
    if (each.op === 'call')
      return intrinsicOf(each.callee)?.result !== 'uniform' && each.type.kind !== 'void' && !isOfOperands(each.callee);
    return each.op === 'alloca' || each.op === 'atomicrmw' || each.op === 'cmpxchg';
  };
  for (let known = -1; known < differing.size; ) {
    known = differing.size;
    for (const { instructions } of blocks) for (const each of instructions) if (each.id >= 0 && isNew(each)) differing.add(each.id);
  }
  return differing;
}

function isOfOperands(callee: string): boolean {
  return intrinsicOf(callee)?.result === 'operands';
}

/** Arithmetic of addresses, which NVVM has where the access is. */
function isPassed(instruction: Instruction, isAtEnd: boolean, known: Known): boolean {
  return isArithmetic(instruction) && (isAtEnd || isForAddresses(instruction, known));
}

function isForAddresses(instruction: Instruction, known: Known): boolean {
  if (instruction.op === 'getelementptr') return true;
  return (
    instruction.type.kind === 'int' && isArithmetic(instruction) && known.users[instruction.id].every((user) => isForAddresses(user, known))
  );
}

type Last = readonly (Instruction | undefined)[];

function storesOf(
  fn: IrFunction,
  tail: Block,
  { last, sides, known }: { readonly last: Last; readonly sides: readonly Block[]; readonly known: Known },
): Step | undefined {
  const { values, users } = known;
  const isStore = (each: Instruction | undefined): each is Store => each?.op === 'store' && isPlain(each);
  if (!last.every(isStore)) return undefined;
  if (!last.every((store) => isSameStore(store, last[0]))) return undefined;
  if (isOfLoop(fn, tail, last, known)) return { kind: 'store', accesses: last, addresses: [], hasIndices: false };
  const first = sides.indexOf(firstWayTo(fn, tail, sides)!);
  if (first < 0 ? last.some(({ value }) => isZero(value)) : isZero(last[first].value)) return undefined;
  const addresses = last.map((store, side) => addressIn(sides[side], store));
  if (!addresses.every((address): address is Address => address !== undefined)) return undefined;
  if (!addresses.every((address, side) => isForStores(address, sides[side], users))) return undefined;
  if (sides.some((side, at) => isWhereEqual(fn, side, { address: addresses[at], values }))) return undefined;
  const isOne = areAlike(addresses.map((address) => formula({ kind: 'value', id: address.id, type: address.type }, values)));
  if (!isOne && !areByIndex(addresses, values)) return undefined;
  if (!isInLoop(fn, tail) && addresses.some((address, side) => isIndexShared(fn, address, { side: sides[side], sides, users })))
    return undefined;
  return { kind: 'store', accesses: last, addresses, hasIndices: !isOne };
}

/** What each side does nothing with but store it. */
function loadsOf(
  fn: IrFunction,
  last: Last,
  { steps, sides, known }: { readonly steps: readonly Step[]; readonly sides: readonly Block[]; readonly known: Known },
): Step | undefined {
  const { users, values } = known;
  const isOne = (load: Instruction | undefined): load is Load => load?.op === 'load' && isPlain(load) && users[load.id].length === 1;
  if (!last.every(isOne)) return undefined;
  const [{ type, pointer }] = last;
  const areSame = last.every((load) => textOf(load.type) === textOf(type) && textOf(load.pointer.type) === textOf(pointer.type));
  const isStored = steps.some(
    (step) => step.kind === 'store' && step.accesses.every(({ value }, side) => value.kind === 'value' && value.id === last[side].id),
  );
  // `s[2 * t]` where t is 0 is `s[0]` to NVVM: the other side computes its address behind what is in front of the load.
  const isLast = sides.some((side, at) => {
    const compared = numberOfSide(fn, side, values);
    return compared !== undefined && isOfAlone(last[at].pointer, compared, values);
  });
  return areSame && isStored ? { kind: 'load', accesses: last, isLast } : undefined;
}

/** Whether addresses are steps of one size from one base by indices that their sides compute (`if (j == 5) o[j * w + i] = …`). */
function areByIndex(addresses: readonly Address[], values: Values): boolean {
  if (addresses.some(({ terms }) => terms.length !== 1 || terms[0].index.kind !== 'value')) return false;
  return areAlike(
    addresses.map(({ base, offset, terms: [{ index: _, ...step }] }) => `${formula(base, values)} ${offset} ${textOf(step)}`),
  );
}

function areAlike(texts: readonly string[]): boolean {
  return texts.every((text) => text === texts[0]);
}

/**
 * Whether a side has another access by the index of its store: the index in 64 bits is a value of its own then, which does not move behind
 * the sides. Where an access in front of them has it already, it need not (nvcc's PTX, 13.0, of 40 kernels like
 * `if (c) o[t] = b[t]; else o[t] = b[t + 1];`: two stores, and one behind `x = b[t]`).
 */
function isIndexShared(
  { blocks }: IrFunction,
  address: Address,
  { side, sides, users }: { readonly side: Block; readonly sides: readonly Block[]; readonly users: Known['users'] },
): boolean {
  const indices = new Set(address.terms.map(({ index }) => textOf(index)));
  const isOther = (other: Instruction) =>
    other.op === 'getelementptr' && other !== address && other.terms.some(({ index }) => indices.has(textOf(index)));
  // `b[t + 2]` has an index of its own in NVVM, where LLVM steps from `b[t]`.
  const isStep = (other: Instruction) =>
    side.instructions.some((i) => i.op === 'getelementptr' && i.terms.length === 0 && i.base.kind === 'value' && i.base.id === other.id);
  if (!side.instructions.some((other) => isOther(other) && !isStep(other))) return false;
  // What LLVM has taken out of the index of a loop's accesses, `a + i` of `a[k * n + i]`, is not there in NVVM.
  const isAccessed = (other: Instruction) => users[other.id].some(touchesMemory);
  return !blocks.some(
    (block) =>
      block.index < side.index && !sides.includes(block) && block.instructions.some((other) => isOther(other) && isAccessed(other)),
  );
}

/**
 * Whether a side is for one number of what it computes its address from, which NVVM then puts in its place: `if (i == 0) o[i] = …`. What is
 * computed in front of the branch stays as it is (nvcc's PTX of reaction, `int at = j * width + i; … if (j == 0) df[at] = …`).
 */
function isWhereEqual(
  fn: IrFunction,
  side: Block,
  { address, values }: { readonly address: Instruction; readonly values: Values },
): boolean {
  const compared = numberOfSide(fn, side, values);
  return compared !== undefined && isComputedFrom(address, compared, side);
}

/** The value that is one number throughout a side, because the branch to it asks for that. */
function numberOfSide({ blocks }: IrFunction, side: Block, values: Values): number | undefined {
  if (side.predecessors.length !== 1) return undefined;
  const branch = blocks[side.predecessors[0]].instructions.at(-1)!;
  const condition = branch.op === 'condbr' && branch.condition.kind === 'value' ? values.get(branch.condition.id) : undefined;
  if (branch.op !== 'condbr' || condition?.op !== 'icmp') return undefined;
  const [compared, number] = operandsOf(condition);
  const isEqual = condition.predicate === (branch.then === side.index ? 'eq' : 'ne');
  return isEqual && compared.kind === 'value' && number.kind !== 'value' ? compared.id : undefined;
}

/** Whether a value is computed of another and numbers, and a place that has a name. */
function isOfAlone(operand: Operand, id: number, values: Values): boolean {
  if (operand.kind !== 'value') return false;
  if (operand.id === id) return true;
  const instruction = values.get(operand.id);
  if (!instruction || !isArithmetic(instruction)) return false;
  const [part, ...others] = operandsOf(instruction).filter(({ kind }) => kind === 'value');
  return part !== undefined && others.length === 0 && isOfAlone(part, id, values);
}

function isComputedFrom(instruction: Instruction, id: number, side: Block): boolean {
  return operandsOf(instruction).some((operand) => {
    const own = ownComputation(operand, side);
    return (operand.kind === 'value' && operand.id === id) || (own !== undefined && isComputedFrom(own, id, side));
  });
}

/** Whether one of the sides is a case of several: NVVM leaves those as they are. */
function areCases({ blocks }: IrFunction, sides: readonly Block[]): boolean {
  return sides.some(({ predecessors }) =>
    predecessors.some((from) => blocks[from].instructions.at(-1)!.op === 'switch' && blocks[from].successors.length > 3),
  );
}

/** The sides of one `if`. */
function isDiamond(sides: readonly Block[]): boolean {
  const [a, b] = sides;
  const isSide = ({ predecessors }: Block) => predecessors.length === 1;
  return sides.length === 2 && isSide(a) && isSide(b) && a.predecessors[0] === b.predecessors[0];
}

/** Whether all sides store to one address that stays the same while a loop goes round. */
function isOfLoop(fn: IrFunction, tail: Block, [first, ...others]: readonly Store[], { homes }: Known): boolean {
  if (others.some(({ pointer }) => textOf(pointer) !== textOf(first.pointer))) return false;
  const { pointer } = first;
  const home = pointer.kind === 'value' ? homes.get(pointer.id) : undefined;
  return isInLoop(fn, tail) && (home === undefined || !reachedFrom(fn, tail).has(home.index));
}

function isInLoop(fn: IrFunction, block: Block): boolean {
  return reachedFrom(fn, block).has(block.index);
}

function reachedFrom({ blocks }: IrFunction, block: Block): ReadonlySet<number> {
  const reached = new Set(block.successors);
  for (const index of reached) for (const to of blocks[index].successors) reached.add(to);
  return reached;
}

/** Whether the place behind the sides is the head of a loop that one of them is in: no way leads there but through it. */
function leadsBack({ blocks }: IrFunction, tail: Block, sides: readonly Block[]): boolean {
  const reached = new Set([blocks[0]]);
  for (const block of reached) for (const to of block.successors) if (to !== tail.index) reached.add(blocks[to]);
  return sides.some((side) => !reached.has(side));
}

/** Whether an address and what it is computed of in its block are for stores of the block alone. */
function isForStores(address: Instruction, side: Block, users: Known['users']): boolean {
  return (
    isUsedByStores(address, side, users) &&
    operandsOf(address).every((operand) => {
      const own = ownComputation(operand, side);
      return !own || isForStores(own, side, users);
    })
  );
}

function isUsedByStores({ id }: Instruction, side: Block, users: Known['users']): boolean {
  return users[id].every(
    (user) =>
      side.instructions.includes(user) &&
      (user.op === 'store' ? user.value.kind !== 'value' || user.value.id !== id : isArithmetic(user) && isUsedByStores(user, side, users)),
  );
}

function touchesMemory({ op }: Instruction): boolean {
  return ['load', 'store', 'atomicrmw', 'cmpxchg', 'fence', 'call', 'callIndirect', 'alloca'].includes(op);
}

/** The last step of a store's address, if the block computes it itself. */
function addressIn({ instructions }: Block, { pointer }: Store): Address | undefined {
  const address = pointer.kind === 'value' ? instructions.find(({ id }) => id === pointer.id) : undefined;
  return address?.op === 'getelementptr' ? address : undefined;
}

/**
 * Where the first way that NVVM has in its list stores zero, of any type, it leaves all stores where they are: `if (i < n) s[t] = in[i];
 * else s[t] = 0;`, but not the other way round (nvcc's PTX, 13.0, of 336 kernels: chains of two to six, loops, trees).
 */
function isZero(value: Operand): boolean {
  const isNegative = value.kind === 'float' && value.bits === 1n << BigInt(8 * storeSizeOf(value.type) - 1);
  return (
    value.kind === 'zero' || (value.kind === 'int' && value.value === 0n) || (value.kind === 'float' && value.bits === 0n) || isNegative
  );
}

function isSameStore(a: Store, b: Store): boolean {
  return textOf(a.value.type) === textOf(b.value.type) && textOf(a.pointer.type) === textOf(b.pointer.type);
}

/** How a value is computed, as a text that is equal for equal computations. */
function formula(operand: Operand, values: Values, depth = MAX_DEPTH): string {
  const instruction = operand.kind === 'value' && depth > 0 ? values.get(operand.id) : undefined;
  if (!instruction || !isArithmetic(instruction)) return textOf(operand);
  const { id: _, site: __, location: ___, ...shape } = instruction;
  const operands = operandsOf(instruction).map((each) => formula(each, values, depth - 1));
  return `(${textOf(shape, isValue)} ${operands.join(' ')})`;
}

/** The arithmetic of the block itself that an operand is the result of. */
function ownComputation(operand: Operand, { instructions }: Block): Instruction | undefined {
  const own = operand.kind === 'value' ? instructions.find(({ id }) => id === operand.id) : undefined;
  return own && isArithmetic(own) ? own : undefined;
}

function isArithmetic(instruction: Instruction): boolean {
  return instruction.op !== 'phi' && !touchesMemory(instruction);
}

function isValue(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'value';
}

function textOf(whole: unknown, isLeftOut: (part: unknown) => boolean = () => false): string {
  return JSON.stringify(whole, (_, part) => {
    if (typeof part === 'bigint') return `${part}n`;
    return isLeftOut(part) ? undefined : part;
  });
}

/** Addresses and accesses behind the sides, and the phis of what they need. They keep the lines of the side that does most (spm, scan2). */
function draftsOf({ steps, sides, longest }: Merge, newId: () => number): { readonly phi: Draft[]; readonly accesses: Draft[] } {
  const accesses: Draft[] = [];
  const phi: Draft[] = [];
  /** By number of a value that the first side loads. */
  const loaded = new Map<number, Operand>();
  for (const step of steps.toReversed()) {
    const { site: _, ...rest } = step.accesses[longest];
    const oneOf = (operands: readonly Operand[]): Operand => {
      if (operands.every((each) => textOf(each) === textOf(operands[0]))) return operands[0];
      const { type } = operands[0];
      const id = newId();
      const incoming = operands.map((value, index) => ({ value, block: sides[index].index }));
      phi.push({ op: 'phi', id, type, location: rest.location, incoming });
      return { kind: 'value', id, type };
    };
    const align = Math.min(...step.accesses.map((each) => each.align));
    if (step.kind === 'load') {
      const id = newId();
      accesses.push({ ...rest, id, pointer: oneOf(step.accesses.map(({ pointer }) => pointer)), align } as Draft);
      loaded.set(step.accesses[0].id, { kind: 'value', id, type: step.accesses[0].type });
      continue;
    }
    const pointer = pointerOf(step, { oneOf, side: sides[0], steps: accesses, newId });
    const [{ value }] = step.accesses;
    const known = value.kind === 'value' ? loaded.get(value.id) : undefined;
    accesses.push({ ...rest, value: known ?? oneOf(step.accesses.map((each) => each.value)), pointer, align } as Draft);
  }
  return { phi, accesses };
}

function pointerOf(
  { accesses, addresses, hasIndices }: Extract<Step, { kind: 'store' }>,
  { oneOf, ...target }: Parameters<typeof copied>[1] & { readonly oneOf: (operands: readonly Operand[]) => Operand },
): Operand {
  const [address] = addresses;
  if (!address) return accesses[0].pointer;
  const terms = hasIndices ? [{ ...address.terms[0], index: oneOf(addresses.map((each) => each.terms[0].index)) }] : address.terms;
  return copied({ ...address, terms }, target);
}

/** Computes again what a side computed; `steps` gets the instructions. */
function copied(
  instruction: Instruction,
  target: { readonly side: Block; readonly steps: Draft[]; readonly newId: () => number },
): Operand {
  const { side, steps, newId } = target;
  const { site: _, ...draft } = instruction;
  const step = withOperands(draft as Draft, (operand) => {
    const own = ownComputation(operand, side);
    return own ? copied(own, target) : operand;
  });
  const id = newId();
  steps.push({ ...step, id });
  return { kind: 'value', id, type: instruction.type };
}
