/**
 * Stores to one address at the ends of an `if` and its `else`, or of all branches of `if … else if … else`, are one store behind them, as
 * NVVM makes it. Nothing but the branches may lead to the place behind, and all compute the address themselves (one that two share, which
 * LLVM moves in front of both, is left alone): h200-hecbench.json, spm and scan2, and nvcc's PTX (13.0) of 800 chains of two to four
 * branches. What is loaded last in each branch, and stored as it is, is one load, too. A store that another access of memory follows stays
 * where it is, because this pass does not know what that access touches.
 */
import { storeSizeOf } from './layout.ts';
import { isPlain, operandsOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt, withOperands } from './rebuild.ts';
import type { Block, Instruction, IrFunction, IrModule, Operand } from './types.ts';

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

/** The store of each side, and the last step of its address. */
interface Merge {
  readonly stores: readonly Store[];
  readonly addresses: readonly Address[];
  /** Where the sides compute the index of their addresses in different ways. */
  readonly hasIndices: boolean;
  /** Where each side stores what it has just loaded. */
  readonly loads?: readonly Load[];
  readonly sides: readonly Block[];
  /** Which of them does most. */
  readonly longest: number;
}

function mergedFunction(fn: IrFunction): IrFunction {
  const uses = usesIn(fn);
  const values: Values = new Map(fn.blocks.flatMap(({ instructions }) => instructions.map((i) => [i.id, i] as const)));
  const merges = fn.blocks.map((tail) => mergesBefore(fn, tail, { uses, values }));
  if (merges.every((list) => list.length === 0)) return fn;
  const gone = new Set(
    merges.flat().flatMap(({ stores, addresses, loads = [] }): readonly Instruction[] => [...stores, ...addresses, ...loads]),
  );
  let valueCount = fn.valueCount;
  const newId = () => valueCount++;
  const blocks = fn.blocks.map(({ label, instructions }, index): DraftBlock => {
    const kept = instructions.filter((i) => !gone.has(i)).map(({ site: _, ...draft }): Draft => draft as Draft);
    const drafts = merges[index].map((merge) => draftsOf(merge, newId));
    const phis = kept.filter(({ op }) => op === 'phi');
    const stores = drafts.toReversed().flatMap(({ access }) => access);
    return { label, instructions: [...phis, ...drafts.flatMap(({ phi }) => phi), ...stores, ...kept.slice(phis.length)] };
  });
  return rebuilt(fn, blocks, valueCount);
}

function usesIn({ blocks }: IrFunction): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  for (const operand of blocks.flatMap(({ instructions }) => instructions.flatMap(operandsOf))) {
    if (operand.kind === 'value') uses.set(operand.id, (uses.get(operand.id) ?? 0) + 1);
  }
  return uses;
}

/** The stores that go to the start of a block, the last first. */
function mergesBefore(fn: IrFunction, tail: Block, known: Known): readonly Merge[] {
  const { uses, values } = known;
  const sides = tail.predecessors.map((p) => fn.blocks[p]);
  if (sides.length < 2 || sides.some(({ successors }) => successors.length !== 1)) return [];
  const ends = sides.map(lastStores);
  const count = Math.min(...ends.map(({ length }) => length));
  if (count === 0 || areCases(fn, sides) || (!isDiamond(sides) && leadsBack(fn, tail, sides))) return [];
  const merges: Merge[] = [];
  for (let index = 0; index < count; index++) {
    const stores = ends.map((end) => end[index]);
    const addresses = stores.map((store, side) => addressIn(sides[side], store));
    if (!addresses.every((address): address is Address => address !== undefined && uses.get(address.id) === 1)) break;
    if (!addresses.every((address, side) => isOfItself(address, sides[side], uses))) break;
    if (sides.some((side, at) => isWhereEqual(fn, side, { address: addresses[at], values }))) break;
    if (!stores.every((store) => isSameStore(store, stores[0]))) break;
    if (stores.some(({ value }, side) => isZero(value) && !isLastElse(fn, sides[side], sides)) && !isInLoop(fn, tail)) break;
    const isOne = areAlike(addresses.map((address) => formula({ kind: 'value', id: address.id, type: address.type }, values)));
    if (!isOne && !areByIndex(addresses, values)) break;
    if (addresses.some((address, side) => isIndexShared(fn, address, { side: sides[side], sides }))) break;
    const lengths = sides.map(({ instructions }) => instructions.length);
    const loads = index === count - 1 || ends.every((end) => end.length === index + 1) ? lastLoads(stores, sides, uses) : undefined;
    merges.push({ stores, addresses, hasIndices: !isOne, loads, sides, longest: lengths.indexOf(Math.max(...lengths)) });
  }
  // A load moves behind the stores of its side that are left there only if there are none.
  return merges.map((merge, index) => (index === merges.length - 1 && merge.loads ? merge : { ...merge, loads: undefined }));
}

interface Known {
  readonly uses: ReadonlyMap<number, number>;
  readonly values: Values;
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
  { side, sides }: { readonly side: Block; readonly sides: readonly Block[] },
): boolean {
  const indices = new Set(address.terms.map(({ index }) => textOf(index)));
  const isOther = (other: Instruction) =>
    other.op === 'getelementptr' && other !== address && other.terms.some(({ index }) => indices.has(textOf(index)));
  // `b[t + 2]` has an index of its own in NVVM, where LLVM steps from `b[t]`.
  const isStep = (other: Instruction) =>
    side.instructions.some((i) => i.op === 'getelementptr' && i.terms.length === 0 && i.base.kind === 'value' && i.base.id === other.id);
  if (!side.instructions.some((other) => isOther(other) && !isStep(other))) return false;
  return !blocks.some((block) => block.index < side.index && !sides.includes(block) && block.instructions.some(isOther));
}

/**
 * Whether a side is for one number of what it computes its address from, which NVVM then puts in its place: `if (i == 0) o[i] = …`. What is
 * computed in front of the branch stays as it is (nvcc's PTX of reaction, `int at = j * width + i; … if (j == 0) df[at] = …`).
 */
function isWhereEqual(
  { blocks }: IrFunction,
  side: Block,
  { address, values }: { readonly address: Instruction; readonly values: Values },
): boolean {
  if (side.predecessors.length !== 1) return false;
  const branch = blocks[side.predecessors[0]].instructions.at(-1)!;
  const condition = branch.op === 'condbr' && branch.condition.kind === 'value' ? values.get(branch.condition.id) : undefined;
  if (branch.op !== 'condbr' || condition?.op !== 'icmp') return false;
  const [compared, number] = operandsOf(condition);
  const isEqual = condition.predicate === (branch.then === side.index ? 'eq' : 'ne');
  return isEqual && compared.kind === 'value' && number.kind !== 'value' && isComputedFrom(address, compared.id, side);
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

/** Whether a side is behind the last `else` of `if … else if … else`. */
function isLastElse({ blocks }: IrFunction, side: Block, sides: readonly Block[]): boolean {
  if (sides.length < 3 || side.predecessors.length !== 1) return false;
  const branch = blocks[side.predecessors[0]].instructions.at(-1)!;
  return branch.op === 'condbr' && branch.else === side.index && sides.some(({ index }) => index === branch.then);
}

function isInLoop({ blocks }: IrFunction, block: Block): boolean {
  const reached = new Set(block.successors);
  for (const index of reached) for (const to of blocks[index].successors) reached.add(to);
  return reached.has(block.index);
}

/** Whether the place behind the sides is the head of a loop that one of them is in: no way leads there but through it. */
function leadsBack({ blocks }: IrFunction, tail: Block, sides: readonly Block[]): boolean {
  const reached = new Set([blocks[0]]);
  for (const block of reached) for (const to of block.successors) if (to !== tail.index) reached.add(blocks[to]);
  return sides.some((side) => !reached.has(side));
}

/** Whether an address and what it is computed of in its block are for the store alone. */
function isOfItself(address: Instruction, side: Block, uses: ReadonlyMap<number, number>): boolean {
  return (
    uses.get(address.id) === 1 &&
    operandsOf(address).every((operand) => {
      const own = ownComputation(operand, side);
      return !own || isOfItself(own, side, uses);
    })
  );
}

/** What each side loads last and does nothing with but store it. */
function lastLoads(stores: readonly Store[], sides: readonly Block[], uses: ReadonlyMap<number, number>): readonly Load[] | undefined {
  const loads = stores.map(({ value }, side) => {
    const accesses = sides[side].instructions.filter(touchesMemory);
    const before = accesses.at(accesses.indexOf(stores[side]) - 1);
    return before?.op === 'load' && isPlain(before) && value.kind === 'value' && before.id === value.id && uses.get(value.id) === 1
      ? before
      : undefined;
  });
  const isOne = (load: Load | undefined): load is Load =>
    load !== undefined &&
    loads[0] !== undefined &&
    textOf(load.type) === textOf(loads[0].type) &&
    textOf(load.pointer.type) === textOf(loads[0].pointer.type);
  return loads.every(isOne) ? loads : undefined;
}

/** Plain stores that no other access of memory follows, the last first. */
function lastStores({ instructions }: Block): readonly Store[] {
  const stores: Store[] = [];
  for (const instruction of instructions.toReversed()) {
    if (instruction.op === 'store' && isPlain(instruction)) stores.push(instruction);
    else if (touchesMemory(instruction)) break;
  }
  return stores;
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
 * NVVM leaves stores of zero, of any type, where they are: `if (i < n) s[t] = in[i]; else s[t] = 0;` (nvcc's PTX, 13.0, of 70 kernels), but
 * for the last `else` of a longer chain. In loops it is one of both, in most of 17 kernels and in zoom (h200-hecbench-sixth.json).
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

/** Address and store behind the sides, and the phis of what they store. The store keeps the line of the side that does most (spm, scan2). */
function draftsOf(
  { stores, addresses, loads, sides, longest, hasIndices }: Merge,
  newId: () => number,
): { readonly phi: Draft[]; readonly access: Draft[] } {
  const { site: _, ...rest } = stores[longest];
  const steps: Draft[] = [];
  const phi: Draft[] = [];
  const oneOf = (operands: readonly Operand[]): Operand => {
    if (operands.every((each) => textOf(each) === textOf(operands[0]))) return operands[0];
    const { type } = operands[0];
    const id = newId();
    const incoming = operands.map((value, index) => ({ value, block: sides[index].index }));
    phi.push({ op: 'phi', id, type, location: rest.location, incoming });
    return { kind: 'value', id, type };
  };
  const [address] = addresses;
  const terms = hasIndices ? [{ ...address.terms[0], index: oneOf(addresses.map((each) => each.terms[0].index)) }] : address.terms;
  const pointer = copied({ ...address, terms }, { side: sides[0], steps, newId });
  let value: Operand;
  if (loads) {
    const { site: __, ...load } = loads[longest];
    const align = Math.min(...loads.map((each) => each.align));
    value = { kind: 'value', id: newId(), type: load.type };
    steps.push({ ...load, id: value.id, pointer: oneOf(loads.map((each) => each.pointer)), align } as Draft);
  } else value = oneOf(stores.map((each) => each.value));
  const align = Math.min(...stores.map((each) => each.align));
  return { phi, access: [...steps, { ...rest, value, pointer, align } as Draft] };
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
