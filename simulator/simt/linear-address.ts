/**
 * Addresses as sums: base + constant + terms, with everything that 32-bit arithmetic modulo 2^32 allows folded, so that two addresses
 * that differ by a constant are recognised.
 */
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { ValueRanges } from '../ir/value-ranges.ts';

export interface LinearAddress {
  /** Equal for addresses that differ by a constant. */
  readonly key: string;
  /** What is added to the base, by value: how many times. */
  readonly terms: readonly (readonly [value: number, times: number])[];
  /** Bytes behind what the key stands for, signed. */
  readonly offset: number;
  /**
   * What the key stands for is a multiple of this power of two, as far as its terms tell; the bases' alignment is not in it. Of terms that
   * the program adds one by one each tells for itself, as to ptxas: `tile - 68 * x + 4 * x` is aligned to 4 (skewed_align.cu).
   */
  readonly termAlign: number;
  /** The pointer that everything is added to; undefined if there is none. */
  readonly base: Operand | undefined;
}

interface Sum {
  constant: number;
  readonly terms: Map<number, number>;
  align: number;
}

const MAX_DEPTH = 24;
const MAX_PRODUCTS = 9;
/** More alignment than any access needs. */
const MAX_ZEROS = 8;
const MAX_ALIGN = 2 ** MAX_ZEROS;

export class LinearAddresses {
  readonly #definitions = new Map<number, Instruction>();
  /** By value: low bits that are known to be zero. */
  readonly #zeros: Uint8Array;
  readonly #fn: IrFunction;
  #ranges: ValueRanges | undefined;
  /** By a value, and how many of its low bits they clear: the values that are the same but for these. */
  #cleared: ReadonlyMap<string, Operand> | undefined;
  /** Numbers of products, behind those of values; undefined if a product of two values is a value like others. */
  readonly #products: Map<string, number> | undefined;
  readonly #joins: boolean;

  /** `products`: `(x - 1) * n` is known to be `x * n - n`. `joins`: an `or` of what has no bit in common is known to be a sum. */
  constructor(fn: IrFunction, { products = false, joins = false }: { readonly products?: boolean; readonly joins?: boolean } = {}) {
    this.#products = products ? new Map() : undefined;
    this.#joins = joins;
    this.#fn = fn;
    for (const { instructions } of fn.blocks) for (const i of instructions) if (i.id >= 0) this.#definitions.set(i.id, i);
    this.#zeros = new Uint8Array(fn.valueCount).fill(MAX_ZEROS);
    for (const p of fn.parameters) this.#zeros[p.id] = 0;
    this.#findTrailingZeros([...this.#definitions.values()]);
  }

  of(pointer: Operand): LinearAddress {
    const sum: Sum = { constant: 0, terms: new Map(), align: MAX_ALIGN };
    const base = this.#addPointer(pointer, sum);
    const terms = [...sum.terms].filter(([, scale]) => scale !== 0).sort(([a], [b]) => a - b);
    const name = base === undefined ? '0' : base.kind === 'value' ? `%${base.id}` : base.kind === 'symbol' ? `@${base.name}` : 'constant';
    return {
      key: `${name} ${terms.map(([id, scale]) => `${id}*${scale}`).join(' ')}`,
      terms,
      offset: sum.constant | 0,
      termAlign: sum.align,
      base,
    };
  }

  /** The last step of an address that adds more than a constant. */
  lastIndexing(pointer: Operand): Extract<Instruction, { op: 'getelementptr' }> | undefined {
    let at = pointer;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const definition = at.kind === 'value' ? this.#definitions.get(at.id) : undefined;
      if (definition?.op === 'addrspacecast' || definition?.op === 'freeze' || definition?.op === 'bitcast') at = definition.a;
      else if (definition?.op !== 'getelementptr') return undefined;
      else if (definition.terms.length > 0) return definition;
      else at = definition.base;
    }
    return undefined;
  }

  /** Adds what the pointer adds to its base to the sum; the base. */
  #addPointer(pointer: Operand, sum: Sum): Operand | undefined {
    let at = pointer;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      if (at.kind === 'symbol') {
        sum.constant += at.offset;
        return at;
      }
      if (at.kind === 'int') {
        sum.constant += Number(at.value);
        return undefined;
      }
      const definition = at.kind === 'value' ? this.#definitions.get(at.id) : undefined;
      if (definition?.op === 'addrspacecast' || definition?.op === 'freeze' || definition?.op === 'bitcast') at = definition.a;
      else if (definition?.op === 'getelementptr') {
        sum.constant += definition.offset;
        for (const { index, scale } of definition.terms) this.#add(index, scale, sum, 0);
        at = definition.base;
      } else return at;
    }
    return at;
  }

  /** Adds `scale` times the integer to the sum, modulo 2^32. */
  #add(operand: Operand, scale: number, sum: Sum, depth: number): void {
    if (operand.kind === 'undef' || operand.kind === 'zero' || scale === 0) return;
    if (operand.kind === 'int') {
      const bits = operand.type.kind === 'int' ? operand.type.bits : 32;
      sum.constant = (sum.constant + Math.imul(Number(BigInt.asIntN(32, BigInt.asIntN(bits, operand.value))), scale)) | 0;
      return;
    }
    if (operand.kind !== 'value') return;
    const definition = depth < MAX_DEPTH && isWord(operand) ? this.#definitions.get(operand.id) : undefined;
    if (!definition || !this.#addDefinition(definition, scale, sum, depth + 1)) {
      sum.terms.set(operand.id, ((sum.terms.get(operand.id) ?? 0) + scale) | 0);
      sum.align = Math.min(sum.align, lowestBit(scale) * 2 ** this.#zeros[operand.id]);
    }
  }

  /** False if the instruction is no sum. */
  #addDefinition(definition: Instruction, scale: number, sum: Sum, depth: number): boolean {
    switch (definition.op) {
      case 'add':
        this.#add(definition.a, scale, sum, depth);
        this.#add(definition.b, scale, sum, depth);
        return true;
      case 'sub':
        this.#add(definition.a, scale, sum, depth);
        this.#add(definition.b, -scale | 0, sum, depth);
        return true;
      case 'xor':
        // All bits turned round: -1 - a.
        if (definition.b.kind !== 'int' || BigInt.asIntN(32, definition.b.value) !== -1n) return false;
        sum.constant = (sum.constant - scale) | 0;
        this.#add(definition.a, -scale | 0, sum, depth);
        return true;
      case 'or': {
        if (this.#joins && definition.disjoint) {
          this.#add(definition.a, scale, sum, depth);
          this.#add(definition.b, scale, sum, depth);
          return true;
        }
        // The bits of a constant that fit below the other's zeros add without a carry.
        if (definition.b.kind !== 'int' || definition.a.kind !== 'value') return false;
        const zeros = this.#zeros[definition.a.id];
        const fits = definition.b.value >> BigInt(zeros) === 0n;
        // `(i & ~3) + 3` is `i | 3` to Clang.
        const rest = fits ? definition.a : this.#withoutLowBits(definition.a, definition.b.value);
        if (!rest) return false;
        this.#add(rest, scale, sum, depth);
        this.#add(definition.b, scale, sum, depth);
        return true;
      }
      case 'mul':
      case 'shl': {
        if (definition.b.kind !== 'int') return definition.op === 'mul' && this.#addProduct(definition.a, definition.b, scale, sum, depth);
        const factor = definition.op === 'mul' ? Number(BigInt.asIntN(32, definition.b.value)) : 2 ** Number(definition.b.value);
        this.#add(definition.a, Math.imul(scale, factor), sum, depth);
        return true;
      }
      case 'freeze':
        this.#add(definition.a, scale, sum, depth);
        return true;
      case 'zext':
      case 'sext':
      case 'trunc':
        // The low words are the same.
        if (!isWord(definition.a)) return false;
        this.#add(definition.a, scale, sum, depth);
        return true;
    }
    return false;
  }

  /** What the function has of a value with these bits cleared, if they are its lowest. */
  #withoutLowBits(value: Extract<Operand, { kind: 'value' }>, bits: bigint): Operand | undefined {
    if (bits <= 0n || (bits & (bits + 1n)) !== 0n) return undefined;
    this.#cleared ??= this.#findCleared();
    return this.#cleared.get(`${value.id} ${bits}`);
  }

  /** A mask counts if it keeps all bits but the lowest that the value may have: `threadIdx.x & 1020` as `threadIdx.x & ~3`. */
  #findCleared(): ReadonlyMap<string, Operand> {
    const cleared = new Map<string, Operand>();
    for (const definition of this.#definitions.values()) {
      if (definition.op !== 'and') continue;
      const { a, b, id, type } = definition;
      if (a.kind !== 'value' || b.kind !== 'int' || type.kind !== 'int') continue;
      const mask = BigInt.asUintN(type.bits, b.value);
      const low = mask === 0n ? 0n : (mask & -mask) - 1n;
      if (low === 0n) continue;
      const all = mask | low;
      this.#ranges ??= new ValueRanges(this.#fn);
      const { low: least, high: most } = this.#ranges.of(a);
      const keepsAll = all === BigInt.asUintN(type.bits, -1n) || (least >= 0 && (all & (all + 1n)) === 0n && BigInt(most) <= all);
      const key = `${a.id} ${low}`;
      if (keepsAll && !cleared.has(key)) cleared.set(key, { kind: 'value', id, type });
    }
    return cleared;
  }

  /** Adds `scale` times the product of two sums, each term of the one times each of the other. */
  #addProduct(a: Operand, b: Operand, scale: number, sum: Sum, depth: number): boolean {
    if (!this.#products) return false;
    const [x, y] = [a, b].map((factor) => {
      const factors: Sum = { constant: 0, terms: new Map(), align: MAX_ALIGN };
      this.#add(factor, 1, factors, depth);
      return [[-1, factors.constant] as const, ...factors.terms].filter(([, times]) => times !== 0);
    });
    if (x.length * y.length > MAX_PRODUCTS) return false;
    for (const [idX, timesX] of x) {
      for (const [idY, timesY] of y) {
        const times = Math.imul(scale, Math.imul(timesX, timesY));
        if (idX < 0 && idY < 0) {
          sum.constant = (sum.constant + times) | 0;
          continue;
        }
        const id = idX < 0 ? idY : idY < 0 ? idX : this.#productOf(Math.min(idX, idY), Math.max(idX, idY));
        sum.terms.set(id, ((sum.terms.get(id) ?? 0) + times) | 0);
        sum.align = Math.min(sum.align, lowestBit(times));
      }
    }
    return true;
  }

  #productOf(a: number, b: number): number {
    const key = `${a} ${b}`;
    let id = this.#products!.get(key);
    if (id === undefined) {
      id = this.#fn.valueCount + this.#products!.size;
      this.#products!.set(key, id);
    }
    return id;
  }

  #zerosOfOperand(operand: Operand): number {
    if (operand.kind === 'value') return this.#zeros[operand.id];
    if (operand.kind !== 'int' || operand.value === 0n) return MAX_ZEROS;
    return Math.log2(lowestBit(Number(BigInt.asIntN(32, operand.value))));
  }

  /** Lowers the assumption for each value until it holds; what phis and their loops agree on stays. */
  #findTrailingZeros(instructions: readonly Instruction[]): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const instruction of instructions) {
        const zeros = instruction.type.kind === 'int' ? this.#zerosOf(instruction) : 0;
        if (zeros >= this.#zeros[instruction.id]) continue;
        this.#zeros[instruction.id] = zeros;
        changed = true;
      }
    }
  }

  #zerosOf(definition: Instruction): number {
    const zeros = (operand: Operand) => this.#zerosOfOperand(operand);
    switch (definition.op) {
      case 'add':
      case 'sub':
      case 'or':
      case 'xor':
      case 'select':
        return Math.min(zeros(definition.a), zeros(definition.b));
      case 'and':
        return Math.max(zeros(definition.a), zeros(definition.b));
      case 'mul':
        return Math.min(MAX_ZEROS, zeros(definition.a) + zeros(definition.b));
      case 'shl':
        return definition.b.kind === 'int' ? Math.min(MAX_ZEROS, zeros(definition.a) + Number(definition.b.value)) : zeros(definition.a);
      case 'zext':
      case 'sext':
      case 'trunc':
      case 'freeze':
        return zeros(definition.a);
      case 'phi':
        return Math.min(MAX_ZEROS, ...definition.incoming.map((i) => zeros(i.value)));
    }
    return 0;
  }
}

/** Types whose low word is a number modulo 2^32. */
function isWord(operand: Operand): boolean {
  return operand.type.kind === 'int' && (operand.type.bits === 32 || operand.type.bits === 64);
}

function lowestBit(value: number): number {
  return Math.min(MAX_ALIGN, (value & -value) >>> 0 || MAX_ALIGN);
}

/** Whether a write of so many bytes may touch what is read: surely not if both addresses differ by a known constant that is large enough. */
export function mayOverlap(read: LinearAddress, readBytes: number, written: LinearAddress, writtenBytes: number): boolean {
  if (read.key !== written.key) return true;
  const distance = (written.offset - read.offset) | 0;
  return distance < readBytes && -distance < writtenBytes;
}
