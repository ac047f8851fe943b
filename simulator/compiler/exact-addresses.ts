/**
 * Address arithmetic that must not wrap round, taken apart for emission: a sum modulo 2^32, and a test that chooses INVALID_ADDRESS
 * where it differs from the exact one. What differs between lanes is tested by one comparison, with bounds that are computed from what all
 * lanes share: where the base is defined, if they depend on nothing else, so that a loop finds them ready.
 */

import { BELOW_ADDRESS, INVALID_ADDRESS, INVALID_START, MAX_INDEX, ORDER_SHIFT } from '../ir/address-map.ts';
import { I1, I32, I64, POINTER } from '../ir/type-table.ts';
import type { AddressTerm, Block, CastOp, Instruction, IntBinary, IntPredicate, Operand, Type } from '../ir/types.ts';
import { accessedOnly } from '../ir/wrapping-addresses.ts';
import type { ResolveSymbol } from '../machine/constant-bytes.ts';
import { scalarBits } from '../machine/constant-bytes.ts';
import { bitsOf } from './components.ts';
import type { InlinedKernel } from './inlining.ts';

type Address = Extract<Instruction, { op: 'getelementptr' }>;

interface Surroundings {
  /** All lanes have the same value. Where this is wrong the code is slower, not wrong. */
  isUniform(operand: Operand): boolean;
  readonly resolve: ResolveSymbol;
}

/** The kernel for emission. Instructions that stay are the same objects; what is new has no origin. */
export function expandAddresses(inlined: InlinedKernel, surroundings: Surroundings): InlinedKernel {
  return new Expansion(inlined, surroundings).run();
}

/** The numbers that may vary for an address to be valid: `count` of them from `low` on. */
interface Bounds {
  readonly low: Operand;
  readonly count: Operand;
  /** What all lanes add. */
  readonly base: Operand;
}

/** What an index is limited to, after `quotient` has been added to it; what is added to it times its scale. */
interface Limit {
  readonly quotient?: Operand;
  readonly count: Operand;
  readonly base: Operand;
}

/** What differs between lanes: an index, or the base. */
interface Varying {
  readonly index: Operand;
  readonly scale: number;
  readonly lowest: number;
  readonly highest: number;
}

/** As far behind INVALID_ADDRESS nothing is either. */
const NEAR_BYTES = 0x4000;

class Expansion {
  readonly #inlined: InlinedKernel;
  readonly #surroundings: Surroundings;
  #valueCount: number;
  #siteCount: number;
  /** Instructions that are being added, and where they belong. */
  #steps: Instruction[] = [];
  /** By value: what is computed behind its definition. */
  readonly #behind = new Map<number, Instruction[]>();
  readonly #known = new Map<string, Bounds>();
  readonly #limits = new Map<string, Limit>();
  readonly #words = new Map<string, Operand>();
  /** Addresses of which only that they are invalid matters, not which number says so. */
  readonly #accessed: ReadonlySet<number>;

  constructor(inlined: InlinedKernel, surroundings: Surroundings) {
    this.#inlined = inlined;
    this.#surroundings = surroundings;
    this.#valueCount = inlined.fn.valueCount;
    this.#siteCount = inlined.origins.length;
    this.#accessed = accessedOnly(inlined.fn);
  }

  run(): InlinedKernel {
    const { fn } = this.#inlined;
    const expanded = fn.blocks.map(({ instructions }) => instructions.map((instruction) => this.#expanded(instruction)));
    const entry = fn.parameters.flatMap(({ id }) => this.#behind.get(id) ?? []);
    const blocks = fn.blocks.map((block, index): Block => {
      const own = expanded[index].flatMap((steps) => [...steps, ...(this.#behind.get(steps.at(-1)!.id) ?? [])]);
      const instructions = index === 0 ? [...entry, ...own] : own;
      const phis = instructions.filter(({ op }) => op === 'phi');
      return { ...block, instructions: [...phis, ...instructions.filter(({ op }) => op !== 'phi')] };
    });
    return { ...this.#inlined, fn: { ...fn, blocks, valueCount: this.#valueCount, siteCount: this.#siteCount } };
  }

  #expanded(instruction: Instruction): readonly Instruction[] {
    this.#steps = [];
    if (instruction.op === 'icmp' && instruction.ordered) this.#comparison(instruction);
    else if (instruction.op === 'getelementptr' && !instruction.wraps) this.#address(instruction);
    else if (instruction.op === 'inttoptr' && instruction.a.type.kind === 'int' && instruction.a.type.bits > 32) this.#pointer(instruction);
    else return [instruction];
    return this.#steps;
  }

  #address(address: Address): void {
    const { base, offset } = address;
    const terms = address.terms.filter(({ scale }) => scale !== 0);
    const isUniform = (operand: Operand): boolean => operand.kind !== 'value' || this.#surroundings.isUniform(operand);
    const varying = terms.filter(({ index }) => !isUniform(index));
    const shared = terms.filter(({ index }) => isUniform(index));
    const whole = { ...address, terms };
    if (address.ordered) this.#ordered(whole);
    else if (isUniform(base) && varying.length === 0) this.#uniform(whole);
    else if (this.#isClamped(whole) && isUniform(base)) this.#clamped(whole, terms[0]);
    else if (isUniform(base) && varying.length === 1) this.#oneTerm(whole, varying[0], shared);
    else if (varying.length === 0 && offset > 0 && terms.length === 0 && this.#accessed.has(address.id)) this.#clampedBase(whole);
    else if (varying.length === 0) this.#varyingBase(whole, shared);
    else this.#anything(whole);
  }

  // Forms.

  /** Nothing differs between lanes. */
  #uniform(address: Address): void {
    const sum = this.#sum(address);
    const inside = this.#compare('ult', sum, wide(INVALID_START));
    const valid = this.#all([inside, ...this.#conditions(address.base, address.terms)]);
    this.#choose(address, { valid, sum: this.#cast('inttoptr', address.type, sum) });
  }

  /** One index differs between lanes. */
  #oneTerm(address: Address, { index, scale, unsigned }: AddressTerm, shared: readonly AddressTerm[]): void {
    const bits = bitsOf(index.type);
    const lowest = unsigned ? 0 : bits > 32 ? -MAX_INDEX : -(2 ** (bits - 1));
    const highest = unsigned ? Math.min(2 ** bits, MAX_INDEX) - 1 : bits > 32 ? MAX_INDEX - 1 : 2 ** (bits - 1) - 1;
    const bounds = this.#bounds({ ...address, terms: shared }, { index, scale, lowest, highest });
    const term = { index, scale, ...(unsigned ? { unsigned } : {}) };
    const sum = this.#add({ op: 'getelementptr', type: address.type, base: bounds.base, offset: 0, terms: [term], wraps: true });
    this.#choose(address, { invalid: this.#outside(index, bounds, unsigned === true), sum });
  }

  /** The base differs between lanes, and nothing else. */
  #varyingBase(address: Address, shared: readonly AddressTerm[]): void {
    const index = this.#cast('ptrtoint', I32, address.base);
    const zero: Operand = { kind: 'int', type: address.type, value: 0n };
    const bounds = this.#bounds({ ...address, base: zero, terms: shared }, { index, scale: 1, lowest: 0, highest: INVALID_START - 1 });
    const term = { index: this.#cast('ptrtoint', I32, bounds.base), scale: 1 };
    const sum = this.#add({ op: 'getelementptr', type: address.type, base: address.base, offset: 0, terms: [term], wraps: true });
    this.#choose(address, { invalid: this.#outside(index, bounds, true), sum });
  }

  /**
   * An index of 32 bits that only accesses need is limited to the first at which the address is invalid: smaller ones than there are
   * become larger ones, where they are added to a base modulo 2^32 that is a multiple of the scale.
   */
  #isClamped({ id, base, offset, terms }: Address): boolean {
    if (!this.#accessed.has(id) || offset !== 0 || terms.length !== 1 || base.kind !== 'value') return false;
    const [{ index, scale, unsigned }] = terms;
    if (scale > NEAR_BYTES) return false;
    return bitsOf(index.type) === 32 ? unsigned === true || scale > 1 : bitsOf(index.type) === 64 && !unsigned && scale > 1;
  }

  #clamped(address: Address, { index, scale, unsigned }: AddressTerm): void {
    const limit = this.#limit(address.base, scale, unsigned === true);
    const word = bitsOf(index.type) > 32 ? this.#saturated(index) : index;
    const { id, type, site, location } = address;
    const args = [word, limit.quotient ?? integer(I32, 0), limit.count, limit.base, integer(I32, scale)];
    this.#steps.push({ op: 'call', callee: 'lanewise.address', args, id, type, site, location });
  }

  /** An index of 64 bits as one of 32: the smallest there is, for which no address is valid, where it does not fit. */
  #saturated(index: Operand): Operand {
    const id = (index as { readonly id: number }).id;
    return this.#behindDefinition(id, this.#words, `${id}`, () => {
      const low = this.#cast('trunc', I32, index);
      const fits = this.#compare('eq', this.#highWord(index), this.#binary('ashr', I32, low, word(31)));
      return this.#select(fits, low, word(-(2 ** 31)));
    });
  }

  /** A constant distance ahead. */
  #clampedBase({ id, type, site, location, base, offset }: Address): void {
    const limited = this.#least(this.#cast('ptrtoint', I32, base), word(INVALID_ADDRESS - offset));
    const pointers = this.#cast('inttoptr', type, limited);
    this.#steps.push({ op: 'getelementptr', base: pointers, offset, terms: [], wraps: true, id, type, site, location });
  }

  /** What indices are limited to, computed behind the definition of the base. */
  #limit(base: Operand, scale: number, isUnsigned: boolean): Limit {
    const id = (base as { readonly id: number }).id;
    return this.#behindDefinition(id, this.#limits, `${id} ${scale} ${isUnsigned}`, () => this.#computeLimit(base, scale, isUnsigned));
  }

  /** What `compute` adds comes behind the definition of a value, once for each key. */
  #behindDefinition<T>(id: number, known: Map<string, T>, key: string, compute: () => T): T {
    const found = known.get(key);
    if (found) return found;
    const here = this.#steps;
    this.#steps = [];
    const made = compute();
    this.#behind.set(id, [...(this.#behind.get(id) ?? []), ...this.#steps]);
    this.#steps = here;
    known.set(key, made);
    return made;
  }

  #computeLimit(base: Operand, scale: number, isUnsigned: boolean): Limit {
    const number = this.#cast('ptrtoint', I32, base);
    const invalid = this.#compare('uge', number, word(INVALID_START));
    const divided = (value: Operand): Operand => {
      const log = Math.log2(scale);
      if (log === 0) return value;
      return Number.isInteger(log) ? this.#binary('lshr', I32, value, word(log)) : this.#binary('udiv', I32, value, word(scale));
    };
    if (isUnsigned) {
      const room = this.#binary('sub', I32, word(INVALID_ADDRESS + scale - 1), number);
      return { count: this.#select(invalid, word(0), divided(room)), base };
    }
    const quotient = divided(number);
    const rest = this.#binary('sub', I32, number, this.#binary('mul', I32, quotient, word(scale)));
    const count = this.#select(invalid, word(0), word(Math.ceil(INVALID_ADDRESS / scale)));
    const start = this.#select(invalid, word(INVALID_ADDRESS), rest);
    return { quotient, count, base: this.#cast('inttoptr', base.type, start) };
  }

  /** In 64 bits. */
  #anything(address: Address): void {
    const sum = this.#sum(address);
    const high = this.#highWord(sum);
    const low = this.#cast('inttoptr', address.type, sum);
    const isInside = this.#compare('eq', high, word(0));
    const isBelow = this.#compare('ult', low, pointer(address.type, INVALID_START));
    const valid = this.#all([isInside, isBelow, ...this.#conditions(address.base, address.terms)]);
    this.#choose(address, { valid, sum: low });
  }

  /** In 64 bits; below zero it is BELOW_ADDRESS. */
  #ordered(address: Address): void {
    const { base, terms } = address;
    const sum = this.#sum(address);
    const conditions = this.#conditions(base, terms);
    const below = this.#compare('slt', sum, wide(0));
    const hasBase = base.kind === 'value' || (base.kind === 'int' && base.value !== 0n);
    const isBelow = hasBase ? this.#select(conditions[0], below, this.#compare('eq', base, pointer(base.type, BELOW_ADDRESS))) : below;
    const none = this.#select(isBelow, pointer(address.type, BELOW_ADDRESS), pointer(address.type, INVALID_ADDRESS));
    const valid = this.#all([this.#compare('ult', sum, wide(INVALID_START)), ...conditions]);
    this.#choose(address, { valid, sum: this.#cast('inttoptr', address.type, sum), none });
  }

  #comparison({ id, type, site, location, predicate, a, b }: Extract<Instruction, { op: 'icmp' }>): void {
    const shifted = (operand: Operand) => this.#binary('add', I32, this.#cast('ptrtoint', I32, operand), word(ORDER_SHIFT));
    this.#steps.push({ op: 'icmp', predicate, a: shifted(a), b: shifted(b), id, type, site, location });
  }

  /** An integer of 64 bits that becomes a pointer. */
  #pointer(instruction: Extract<Instruction, { op: CastOp }>): void {
    const high = this.#highWord(instruction.a);
    const invalid = this.#compare('ne', high, word(0));
    this.#choose(instruction, { invalid, sum: this.#cast('inttoptr', instruction.type, instruction.a) });
  }

  // Their parts.

  /** Base, offset and terms added in 64 bits. */
  #sum({ base, offset, terms }: Address): Operand {
    let sum = isNull(base) ? undefined : this.#cast('ptrtoint', I64, base);
    for (const { index, scale, unsigned } of terms) {
      const extended = bitsOf(index.type) > 32 ? index : this.#cast(unsigned ? 'zext' : 'sext', I64, index);
      const log = Math.log2(scale);
      const term = Number.isInteger(log) ? this.#binary('shl', I64, extended, wide(log)) : this.#binary('mul', I64, extended, wide(scale));
      sum = sum ? this.#binary('add', I64, sum, term) : term;
    }
    if (!sum) return wide(offset);
    return offset === 0 ? sum : this.#binary('add', I64, sum, wide(offset));
  }

  /** What must hold besides the sum: the base is valid, and so are the indices of 64 bits. */
  #conditions(base: Operand, terms: readonly AddressTerm[]): readonly Operand[] {
    const wideTerms = terms.filter(({ index }) => bitsOf(index.type) > 32);
    return [
      ...(base.kind === 'value' || (base.kind === 'int' && base.value !== 0n)
        ? [this.#compare('ult', base, pointer(base.type, INVALID_START))]
        : []),
      ...wideTerms.map(({ index, unsigned }) => {
        const shifted = unsigned ? index : this.#binary('add', I64, index, wide(MAX_INDEX));
        return this.#compare('ult', shifted, wide(unsigned ? MAX_INDEX : 2 * MAX_INDEX));
      }),
    ];
  }

  /** Bounds of what varies, computed behind the definition of the base if they depend on it alone. */
  #bounds(address: Address, varying: Varying): Bounds {
    const { base, offset, terms } = address;
    if (terms.length > 0) return this.#computeBounds(address, varying);
    if (base.kind !== 'value') return this.#constantBounds(base, offset, varying);
    const key = `${base.id} ${offset} ${varying.scale} ${varying.lowest} ${varying.highest}`;
    return this.#behindDefinition(base.id, this.#known, key, () => this.#computeBounds(address, varying));
  }

  #constantBounds(base: Operand, offset: number, { scale, lowest, highest, index }: Varying): Bounds {
    const start = base.kind === 'value' ? 0 : Number(scalarBits(base, this.#surroundings.resolve));
    const sum = start + offset;
    const low = Math.max(lowest, -Math.floor(sum / scale));
    const high = Math.min(highest, Math.floor((INVALID_START - 1 - sum) / scale));
    const count = start < INVALID_START ? Math.max(0, high - low + 1) : 0;
    const type = bitsOf(index.type) > 32 ? I64 : I32;
    return { low: integer(type, low), count: integer(type, count), base: pointer(POINTER, sum) };
  }

  #computeBounds(address: Address, { scale, lowest, highest, index }: Varying): Bounds {
    const sum = this.#sum(address);
    const lowEnd = this.#binary('sub', I64, wide(0), this.#floor(sum, scale));
    const highEnd = this.#floor(this.#binary('sub', I64, wide(INVALID_START - 1), sum), scale);
    const low = this.#select(this.#compare('sgt', lowEnd, wide(lowest)), lowEnd, wide(lowest));
    const high = this.#select(this.#compare('slt', highEnd, wide(highest)), highEnd, wide(highest));
    const count = this.#binary('add', I64, this.#binary('sub', I64, high, low), wide(1));
    const some = this.#all([this.#compare('sgt', count, wide(0)), ...this.#conditions(address.base, address.terms)]);
    const checked = this.#select(some, count, wide(0));
    const base = this.#cast('inttoptr', address.type, sum);
    if (bitsOf(index.type) > 32) return { low, count: checked, base };
    return { low: this.#cast('trunc', I32, low), count: this.#cast('trunc', I32, checked), base };
  }

  /** Whether what varies is none of the numbers that it may be. */
  #outside(index: Operand, { low, count }: Bounds, isUnsigned: boolean): Operand {
    const bits = bitsOf(index.type);
    if (bits <= 32) {
      const extended = bits === 32 ? index : this.#cast(isUnsigned ? 'zext' : 'sext', I32, index);
      return this.#compare('uge', this.#binary('sub', I32, extended, low), count);
    }
    const distance = this.#binary('sub', I64, index, low);
    const high = this.#highWord(distance);
    const far = this.#compare('ne', high, word(0));
    const behind = this.#compare('uge', this.#cast('trunc', I32, distance), this.#cast('trunc', I32, count));
    return this.#binary('or', I1, far, behind);
  }

  /** The quotient rounded down. */
  #floor(value: Operand, scale: number): Operand {
    const log = Math.log2(scale);
    if (log === 0) return value;
    if (Number.isInteger(log)) return this.#binary('ashr', I64, value, wide(log));
    const sign = this.#binary('ashr', I64, this.#binary('srem', I64, value, wide(scale)), wide(63));
    return this.#binary('add', I64, this.#binary('sdiv', I64, value, wide(scale)), sign);
  }

  /** Gives the instruction's result its value. */
  #choose(
    instruction: Instruction,
    found: { readonly sum: Operand; readonly none?: Operand } & ({ readonly valid: Operand } | { readonly invalid: Operand }),
  ): void {
    const { id, type, site, location } = instruction;
    const none = found.none ?? pointer(type, INVALID_ADDRESS);
    const [condition, a, b] = 'valid' in found ? [found.valid, found.sum, none] : [found.invalid, none, found.sum];
    this.#steps.push({ op: 'select', condition, a, b, id, type, site, location });
  }

  #all(conditions: readonly Operand[]): Operand {
    return conditions.reduce((a, b) => this.#binary('and', I1, a, b));
  }

  #binary(op: IntBinary, type: Type, a: Operand, b: Operand): Operand {
    return this.#add({ op, type, a, b });
  }

  #highWord(a: Operand): Operand {
    return this.#add({ op: 'call', type: I32, callee: 'lanewise.high', args: [a] });
  }

  #least(a: Operand, b: Operand): Operand {
    return this.#add({ op: 'call', type: I32, callee: 'llvm.umin.i32', args: [a, b] });
  }

  #compare(predicate: IntPredicate, a: Operand, b: Operand): Operand {
    return this.#add({ op: 'icmp', type: I1, predicate, a, b });
  }

  #select(condition: Operand, a: Operand, b: Operand): Operand {
    return this.#add({ op: 'select', type: a.type, condition, a, b });
  }

  #cast(op: CastOp, type: Type, a: Operand): Operand {
    return this.#add({ op, type, a });
  }

  #add(draft: { readonly type: Type } & Record<string, unknown>): Operand {
    const id = this.#valueCount++;
    this.#steps.push({ ...draft, id, site: this.#siteCount++ } as unknown as Instruction);
    return { kind: 'value', id, type: draft.type };
  }
}

function isNull(operand: Operand): boolean {
  return operand.kind === 'int' && operand.value === 0n;
}

function integer(type: Type, value: number): Operand {
  return { kind: 'int', type, value: BigInt.asUintN(bitsOf(type), BigInt(value)) };
}

function word(value: number): Operand {
  return integer(I32, value);
}

function wide(value: number): Operand {
  return integer(I64, value);
}

function pointer(type: Type, address: number): Operand {
  return { kind: 'int', type, value: BigInt.asUintN(32, BigInt(address)) };
}
