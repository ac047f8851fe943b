/**
 * A product that is added becomes a fused multiply-add, rounded once, where nvcc (13.0, `-fmad=true`) makes one; which products it takes
 * decides about digits. Found in its PTX and SASS of some 250 expressions, and confirmed by an H200's results
 * (test/fixtures/hardware/device/fma.json):
 *
 * - NVVM takes the products of additions (not of subtractions), the last addition of a block first. A product goes into all its
 *   additions or none: at most four, in its block, and nothing else may use it. Of two products the first is taken if it can be. Twice
 *   a product is an addition to itself.
 * - ptxas then takes those of additions and subtractions, in order. All that use the product, negated perhaps, must be such, and in
 *   its block. Of two products it takes the one with fewer uses, the first if they are equal; what another product with a single use
 *   is to be added to is not taken.
 *
 * Instructions without the flag `contract` stay as they are: `__fmul_rn`, and all with `-fmad=false`.
 */
import { fusedCallee } from './intrinsics.ts';
import { operandsOf } from './operands.ts';
import { type Draft, rebuilt } from './rebuild.ts';
import type { Instruction, IrFunction, IrModule, Operand, Type } from './types.ts';

type Binary = Extract<Instruction, { readonly b: Operand; readonly contract?: boolean }>;

/** How an addition is fused. */
interface Fusion {
  readonly product: Binary;
  /** Number of the operand that the product was; -1 if it is left as the addend as well. */
  readonly index: number;
  readonly negatesProduct: boolean;
  readonly addend: Operand;
  readonly negatesAddend: boolean;
}

/** A use of a value: the instruction, and the number of its operand. */
interface Use {
  readonly user: Instruction;
  readonly index: number;
}

/** Additions into which NVVM puts one product. */
const MOST_USES = 4;

export function fuseProducts(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, hasProducts(fn) ? new Fuser(fn).result() : fn);
  return { ...module, functions };
}

function hasProducts({ blocks }: IrFunction): boolean {
  return blocks.some(({ instructions }) => instructions.some(isProduct));
}

function mayFuse(instruction: Instruction): instruction is Binary {
  return 'contract' in instruction && instruction.contract === true;
}

function isProduct(instruction: Instruction | undefined): instruction is Binary {
  return instruction?.op === 'fmul' && mayFuse(instruction);
}

function isSum(instruction: Instruction): instruction is Binary {
  return (instruction.op === 'fadd' || instruction.op === 'fsub') && mayFuse(instruction);
}

/** The formats of which NVVM knows; halves are inline PTX in CUDA's headers. */
const TWO: Readonly<Record<string, bigint>> = { float: 0x40000000n, double: 0x4000000000000000n };

/** x * 2, which NVVM makes x + x. */
function isDoubling(instruction: Instruction): boolean {
  return isProduct(instruction) && instruction.b.kind === 'float' && instruction.b.bits === TWO[formatOf(instruction.type)];
}

function formatOf(type: Type): string {
  return type.kind === 'float' ? type.format : '';
}

class Fuser {
  readonly #fn: IrFunction;
  readonly #definitions = new Map<number, Instruction>();
  readonly #blocks = new Map<Instruction, number>();
  readonly #uses: readonly Use[][];
  readonly #fusions = new Map<Instruction, Fusion>();

  constructor(fn: IrFunction) {
    this.#fn = fn;
    this.#uses = Array.from({ length: fn.valueCount }, () => []);
    for (const { index: block, instructions } of fn.blocks) {
      for (const instruction of instructions) {
        this.#blocks.set(instruction, block);
        if (instruction.id >= 0) this.#definitions.set(instruction.id, instruction);
        operandsOf(instruction).forEach((operand, index) => {
          if (operand.kind === 'value') this.#uses[operand.id].push({ user: instruction, index });
        });
      }
    }
  }

  result(): IrFunction {
    for (const { instructions } of this.#fn.blocks) for (const instruction of instructions.toReversed()) this.#fuseAsNvvm(instruction);
    for (const { instructions } of this.#fn.blocks) for (const instruction of instructions) this.#fuseAsPtxas(instruction);
    return this.#fusions.size === 0 ? this.#fn : this.#rewritten();
  }

  /** Uses that the fusions so far have left. */
  #usesLeft({ id }: Instruction): readonly Use[] {
    return this.#uses[id].filter(({ user, index }) => this.#fusions.get(user)?.index !== index);
  }

  #fuseAsNvvm(sum: Instruction): void {
    if (!mayFuse(sum) || TWO[formatOf(sum.type)] === undefined) return;
    if (isDoubling(sum)) {
      if (this.#usesLeft(sum).length > 0) this.#tryNvvm(sum, -1, sum.a);
    } else if (sum.op === 'fadd') {
      if (!this.#tryNvvm(sum, 0, sum.b)) this.#tryNvvm(sum, 1, sum.a);
    }
  }

  #tryNvvm(sum: Binary, index: number, addend: Operand): boolean {
    const product = this.#definition(index === 1 ? sum.b : sum.a);
    if (!isProduct(product) || this.#blockOf(product) !== this.#blockOf(sum)) return false;
    const uses = this.#usesLeft(product);
    // As an addition to itself, twice a product uses it twice.
    if (uses.length + (index < 0 ? 1 : 0) > MOST_USES) return false;
    const isAddition = ({ user }: Use) =>
      user === sum || (user.op === 'fadd' && !this.#fusions.has(user) && this.#blockOf(user) === this.#blockOf(product));
    if (!uses.every(isAddition)) return false;
    this.#fusions.set(sum, { product, index, negatesProduct: false, addend, negatesAddend: false });
    return true;
  }

  #fuseAsPtxas(sum: Instruction): void {
    if (!isSum(sum) || this.#fusions.has(sum)) return;
    const choices = [sum.a, sum.b].flatMap((operand, index) => {
      const factor = this.#factor(operand);
      return factor && this.#ptxasTakes(factor.product, sum) ? [{ ...factor, index }] : [];
    });
    const count = ({ product }: { readonly product: Binary }) => this.#sumsOf(product)?.length ?? 0;
    // LLVM puts the operands of an addition in an order of its own. NVVM does as well, but for halves, whose PTX keeps the program's.
    const isReordered = sum.op === 'fadd' && TWO[formatOf(sum.type)] === undefined;
    const [choice] = choices.toSorted((x, y) => count(x) - count(y) || (isReordered ? x.product.id - y.product.id : 0));
    if (!choice) return;
    const { product, index, negated } = choice;
    const subtracts = sum.op === 'fsub';
    this.#fusions.set(sum, {
      product,
      index,
      negatesProduct: negated !== (subtracts && index === 1),
      addend: index === 0 ? sum.b : sum.a,
      negatesAddend: subtracts && index === 0,
    });
  }

  #ptxasTakes(product: Binary, sum: Binary): boolean {
    const sums = this.#sumsOf(product);
    if (!sums || new Set(sums).size < sums.length || this.#blockOf(product) !== this.#blockOf(sum)) return false;
    return sums.every((user) => {
      const fusion = this.#fusions.get(user);
      if (fusion) return fusion.product === product;
      return sums.length === 1 || ![user.a, user.b].some((operand) => this.#isOnlyAdded(this.#factor(operand)?.product, user));
    });
  }

  /** The product's only use is the sum. */
  #isOnlyAdded(product: Binary | undefined, sum: Binary): boolean {
    return product !== undefined && this.#blockOf(product) === this.#blockOf(sum) && this.#sumsOf(product)?.length === 1;
  }

  /** The additions and subtractions in its block that use a product, negated or not; undefined if something else does. */
  #sumsOf(product: Binary): readonly Binary[] | undefined {
    const uses = this.#uses[product.id].flatMap((use) => (use.user.op === 'fneg' ? this.#uses[use.user.id] : [use]));
    const users = uses.map(({ user }) => user);
    const block = this.#blockOf(product);
    return users.every((user) => isSum(user) && this.#blockOf(user) === block) ? (users as Binary[]) : undefined;
  }

  /** The product that an operand is, or is the negation of. */
  #factor(operand: Operand): { readonly product: Binary; readonly negated: boolean } | undefined {
    const definition = this.#definition(operand);
    const negated = definition?.op === 'fneg';
    const product = negated ? this.#definition(definition.a) : definition;
    return isProduct(product) && !isDoubling(product) ? { product, negated } : undefined;
  }

  #definition(operand: Operand): Instruction | undefined {
    return operand.kind === 'value' ? this.#definitions.get(operand.id) : undefined;
  }

  #blockOf(instruction: Instruction): number | undefined {
    return this.#blocks.get(instruction);
  }

  #rewritten(): IrFunction {
    let { valueCount } = this.#fn;
    const newId = () => valueCount++;
    const gone = this.#gone();
    const blocks = this.#fn.blocks.map(({ label, instructions }) => ({
      label,
      instructions: instructions.flatMap((instruction): readonly Draft[] => {
        if (gone.has(instruction)) return [];
        const fusion = this.#fusions.get(instruction);
        const { site: _, ...draft } = instruction;
        return fusion ? fused(instruction, fusion, newId) : [draft as Draft];
      }),
    }));
    return rebuilt(this.#fn, blocks, valueCount);
  }

  /** Products that are only added, and their negations. */
  #gone(): ReadonlySet<Instruction> {
    const gone = new Set<Instruction>();
    const products = new Set([...this.#fusions.values()].map(({ product }) => product));
    const negations = [...products].flatMap(({ id }) => this.#uses[id].map(({ user }) => user).filter(({ op }) => op === 'fneg'));
    for (const value of [...negations, ...products])
      if (this.#usesLeft(value).every(({ user }) => user.op === 'fneg' && gone.has(user))) gone.add(value);
    return gone;
  }
}

/** The call that takes an addition's place, and negations before it: on hardware they are part of the instruction. */
function fused({ id, type, location }: Instruction, fusion: Fusion, newId: () => number): readonly Draft[] {
  const drafts: Draft[] = [];
  const at = location ? { location } : {};
  const negated = (operand: Operand): Operand => {
    const value = { kind: 'value', id: newId(), type } as const;
    drafts.push({ op: 'fneg', id: value.id, type, a: operand, ...at });
    return value;
  };
  const { product, addend, negatesProduct, negatesAddend } = fusion;
  const args = [negatesProduct ? negated(product.a) : product.a, product.b, negatesAddend ? negated(addend) : addend];
  return [...drafts, { op: 'call', id, type, callee: fusedCallee(type), args, ...at }];
}
