/**
 * Two stores to one address at the ends of an `if` and its `else` are one store behind both, as LLVM's MergedLoadStoreMotion makes it
 * at -O2, where nvcc works and our -O1 does not. As there, nothing but the two sides may lead to the place behind, and both compute
 * the address themselves (one that both share is left alone): h200-hecbench.json, spm and scan2. A store that another access of
 * memory follows stays where it is, because this pass does not know what that access touches; LLVM knows, but gives up on long sides.
 */
import { isPlain, operandsOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt, withOperands } from './rebuild.ts';
import type { Block, Instruction, IrFunction, IrModule, Operand } from './types.ts';

type Store = Extract<Instruction, { op: 'store' }>;
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

/** Store of each side, and the last step of its address. */
interface Merge {
  readonly stores: readonly [Store, Store];
  readonly addresses: readonly [Address, Address];
  readonly sides: readonly [Block, Block];
  /** Which of the two does more. */
  readonly longer: 0 | 1;
}

function mergedFunction(fn: IrFunction): IrFunction {
  const uses = usesIn(fn);
  const values: Values = new Map(fn.blocks.flatMap(({ instructions }) => instructions.map((i) => [i.id, i] as const)));
  const merges = fn.blocks.map((tail) => mergesBefore(fn, tail, { uses, values }));
  if (merges.every((list) => list.length === 0)) return fn;
  const gone = new Set(merges.flat().flatMap(({ stores, addresses }): readonly Instruction[] => [...stores, ...addresses]));
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
function mergesBefore(
  { blocks }: IrFunction,
  tail: Block,
  { uses, values }: { readonly uses: ReadonlyMap<number, number>; readonly values: Values },
): readonly Merge[] {
  const sides = tail.predecessors.map((p) => blocks[p]);
  if (sides.length !== 2) return [];
  const [a, b] = sides;
  const isSide = (side: Block) => side.successors.length === 1 && side.predecessors.length === 1;
  if (!isSide(a) || !isSide(b) || a.predecessors[0] !== b.predecessors[0]) return [];
  const merges: Merge[] = [];
  const [inA, inB] = [lastStores(a), lastStores(b)];
  for (let index = 0; index < Math.min(inA.length, inB.length); index++) {
    const stores = [inA[index], inB[index]] as const;
    const addresses = [addressIn(a, stores[0]), addressIn(b, stores[1])] as const;
    const [first, second] = addresses;
    if (!first || !second || uses.get(first.id) !== 1 || uses.get(second.id) !== 1) break;
    if (!isSameStore(stores) || formula(stores[0].pointer, values) !== formula(stores[1].pointer, values)) break;
    merges.push({
      stores,
      addresses: [first, second],
      sides: [a, b],
      longer: a.instructions.length >= b.instructions.length ? 0 : 1,
    });
  }
  return merges;
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

function isSameStore([a, b]: readonly [Store, Store]): boolean {
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

/** Address and store behind both sides, and the phi of the value. The store keeps the line of the side that does more (spm, scan2). */
function draftsOf(
  { stores, addresses: [address], sides, longer }: Merge,
  newId: () => number,
): { readonly phi: Draft[]; readonly access: Draft[] } {
  const [a, b] = stores;
  const { site: _, ...rest } = stores[longer];
  const steps: Draft[] = [];
  const pointer = copied(address, { side: sides[0], steps, newId });
  const phi: Draft[] = [];
  let value = a.value;
  if (textOf(a.value) !== textOf(b.value)) {
    value = { kind: 'value', id: newId(), type: a.value.type };
    const incoming = [a, b].map((store, index) => ({ value: store.value, block: sides[index].index }));
    phi.push({ op: 'phi', id: value.id, type: value.type, location: rest.location, incoming });
  }
  const align = Math.min(a.align, b.align);
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
