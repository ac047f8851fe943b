/**
 * Types, constants and operands of LLVM's text. Constant expressions are folded; those that have no constant of their own become
 * instructions through `materialize`, which only a function's body has.
 */

import { MAX_INDEX } from './address-map.ts';
import { bitsFromDouble, bitsOfDouble } from './float-bits.ts';
import { foldBinary, foldCast, foldOffset, signed, wrap, zeroOf } from './fold.ts';
import { elementAt, sizeOf, storeSizeOf } from './layout.ts';
import { bytesOf, type Lexer } from './lexer.ts';
import { arrayType, floatType, I8, intType, pointerType, structType, typeName, VOID, vectorType } from './type-table.ts';
import {
  type AddressSpace,
  type AddressTerm,
  type CastOp,
  type Constant,
  type Instruction,
  type IntBinary,
  type Operand,
  type Type,
  UnsupportedIr,
} from './types.ts';

type WithoutPlace<T> = T extends unknown ? Omit<T, 'id' | 'site' | 'location'> : never;
/** An instruction that has no number and no place yet. */
export type Draft = WithoutPlace<Instruction>;

/** What the module knows and its parts ask for. */
export interface Names {
  namedType(name: string, parser: ValueParser): Type;
  /** The constant that an alias stands for. */
  alias(name: string): Constant | undefined;
}

export interface AddressTerms {
  readonly base: Operand;
  readonly offset: number;
  readonly terms: readonly AddressTerm[];
}

const CASTS: ReadonlySet<string> = new Set<CastOp>(['trunc', 'zext', 'sext', 'ptrtoint', 'inttoptr', 'bitcast', 'addrspacecast']);
const BINARIES: ReadonlySet<string> = new Set<IntBinary>(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr']);
const FLAGS: ReadonlySet<string> = new Set(
  'nsw nuw exact disjoint samesign nneg inbounds nusw fast nnan ninf nsz arcp contract afn reassoc'.split(' '),
);
const MAX_DEPTH = 200;
/** Longest vector; LLVM's own for CUDA have at most 128 elements. */
const MAX_VECTOR = 4096;

export class ValueParser {
  #depth = 0;

  constructor(
    readonly lexer: Lexer,
    readonly names: Names,
    /** The operand that a local name stands for. */
    readonly local: (name: string, type: Type) => Operand,
    /** Makes an instruction of a constant expression that does not fold. */
    readonly materialize: (draft: Draft) => Operand,
  ) {}

  /** True where a type begins. */
  atType(): boolean {
    const { kind, text } = this.lexer;
    if (kind === 'word')
      return /^(void|half|bfloat|float|double|fp128|x86_fp80|ppc_fp128|ptr|i\d+|label|metadata|token|target|opaque)$/.test(text);
    return kind === 'local' || (kind === 'punctuation' && (text === '[' || text === '{' || text === '<'));
  }

  type(): Type {
    this.#enter();
    const type = this.#type();
    this.#depth--;
    return type;
  }

  /** A type and a value of it. */
  typed(): Operand {
    return this.operand(this.type());
  }

  operand(type: Type): Operand {
    if (this.lexer.kind === 'local') return this.local(this.lexer.take('local'), type);
    this.#enter();
    const value = this.#constant(type);
    this.#depth--;
    return value;
  }

  /** An operand that must be constant. */
  constant(type: Type): Constant {
    const value = this.operand(type);
    if (value.kind === 'value') throw this.lexer.error('expected a constant');
    return value;
  }

  /** Skips instruction flags; says whether they allow fusing a product and a sum, and whether they call an `or` a sum. */
  flags(): { readonly contract?: true; readonly disjoint?: true } {
    const found: { contract?: true; disjoint?: true } = {};
    for (;;) {
      if (this.lexer.kind !== 'word') return found;
      if (this.lexer.accept('inrange')) this.lexer.skipBracketed();
      else if (!FLAGS.has(this.lexer.text)) return found;
      else {
        if (this.lexer.text === 'contract' || this.lexer.text === 'fast') found.contract = true;
        if (this.lexer.text === 'disjoint') found.disjoint = true;
        this.lexer.next();
      }
    }
  }

  /** What follows `getelementptr` and its flags: `type, ptr base, index...`. */
  address(): AddressTerms {
    let type = this.type();
    this.lexer.expect(',');
    const base = this.typed();
    if (base.type.kind !== 'ptr') throw new UnsupportedIr(`getelementptr of ${typeName(base.type)}`);
    const terms: AddressTerm[] = [];
    let offset = 0;
    for (let first = true; this.lexer.is(',') && this.#indexFollows(); first = false) {
      const index = this.typed();
      if (index.type.kind !== 'int') throw new UnsupportedIr(`getelementptr with an index of type ${typeName(index.type)}`);
      if (!first && type.kind === 'struct') {
        const field = index.kind === 'int' ? Number(index.value) : -1;
        if (!(field in type.fields)) throw this.lexer.error(`structure without field ${field}`);
        const element = elementAt(type, field);
        offset += element.offset;
        type = element.type;
        continue;
      }
      if (!first) {
        if (type.kind !== 'array' && type.kind !== 'vector') throw this.lexer.error(`index into ${typeName(type)}`);
        type = type.element;
      }
      const scale = sizeOf(type);
      if (index.kind === 'int' && isAddressIndex(index)) offset += Number(signed(index.value, index.type.bits) * BigInt(scale));
      else if (index.kind !== 'undef') terms.push({ index, scale });
    }
    return { base, offset, terms };
  }

  /** Skips attributes up to a type: `noundef range(i32 0, 5) align 4`. */
  skipAttributes(): void {
    const { lexer } = this;
    for (;;) {
      if (lexer.kind === 'string' || lexer.kind === 'hash') {
        lexer.next();
        if (lexer.accept('=')) lexer.next();
      } else if (lexer.kind === 'word' && !this.#atOperand() && !this.atType()) this.#skipAttribute();
      else return;
    }
  }

  /** Attributes of a parameter or argument, behind its type. */
  parameterAttributes(): { byval?: Type; align?: number; attributes: ReadonlySet<string> } {
    const { lexer } = this;
    const attributes = new Set<string>();
    const found: { byval?: Type; align?: number; attributes: ReadonlySet<string> } = { attributes };
    while ((lexer.kind === 'word' && !this.#atOperand()) || lexer.kind === 'string') {
      if (lexer.accept('byval')) {
        lexer.expect('(');
        found.byval = this.type();
        lexer.expect(')');
      } else if (lexer.is('align')) {
        lexer.next();
        const bracket = lexer.accept('(');
        found.align = lexer.takeCount();
        if (bracket) lexer.expect(')');
      } else if (lexer.kind === 'string') {
        lexer.next();
        if (lexer.accept('=')) lexer.next();
      } else {
        attributes.add(lexer.text);
        this.#skipAttribute();
      }
    }
    return found;
  }

  #skipAttribute(): void {
    const takesNumber = this.lexer.is('align') || this.lexer.is('cc');
    this.lexer.next();
    if (this.lexer.is('(')) this.lexer.skipBracketed();
    else if (takesNumber) this.lexer.take('number');
  }

  /** True if the word here begins a constant, which attributes never do. */
  #atOperand(): boolean {
    return (
      /^(true|false|null|undef|poison|zeroinitializer|none|splat|getelementptr|ptrtoaddr|blockaddress|asm|dso_local_equivalent|no_cfi)$/.test(
        this.lexer.text,
      ) ||
      CASTS.has(this.lexer.text) ||
      BINARIES.has(this.lexer.text)
    );
  }

  /** At the comma behind an index: consumes it if another index follows, not metadata. */
  #indexFollows(): boolean {
    const { lexer } = this;
    const { start } = lexer;
    lexer.next();
    if (lexer.kind !== 'metadata') return true;
    lexer.seek(start);
    return false;
  }

  #enter(): void {
    if (++this.#depth > MAX_DEPTH) throw this.lexer.error('nested too deeply');
  }

  #type(): Type {
    const { lexer } = this;
    const { kind, text } = lexer;
    if (kind === 'local') {
      lexer.next();
      return this.names.namedType(text, this);
    }
    if (kind === 'word') return this.#simpleType(text);
    if (kind !== 'punctuation') throw lexer.error('expected a type');
    lexer.next();
    if (text === '[') {
      const count = this.#elementCount();
      const type = arrayType(this.type(), count);
      lexer.expect(']');
      return type;
    }
    if (text === '{') return structType(this.#fields('}'), false);
    if (text !== '<') throw lexer.error('expected a type');
    if (lexer.accept('{')) {
      const fields = this.#fields('}');
      lexer.expect('>');
      return structType(fields, true);
    }
    if (lexer.is('vscale')) throw new UnsupportedIr('scalable vector type');
    const count = this.#elementCount();
    if (count === 0 || count > MAX_VECTOR) throw lexer.error(`vector of ${count} elements`);
    const type = vectorType(this.type(), count);
    lexer.expect('>');
    return type;
  }

  #elementCount(): number {
    const count = this.lexer.takeCount();
    this.lexer.expect('x');
    return count;
  }

  #fields(close: string): Type[] {
    const fields: Type[] = [];
    if (this.lexer.accept(close)) return fields;
    do fields.push(this.type());
    while (this.lexer.accept(','));
    this.lexer.expect(close);
    return fields;
  }

  #simpleType(text: string): Type {
    const { lexer } = this;
    if (text === 'ptr') {
      lexer.next();
      return pointerType(this.addressSpace());
    }
    if (text === 'void' || text === 'float' || text === 'double' || text === 'half' || text === 'bfloat') {
      lexer.next();
      return text === 'void' ? VOID : floatType(text);
    }
    const bits = /^i(\d+)$/.exec(text);
    if (!bits) {
      if (this.atType()) throw new UnsupportedIr(`type ${text}`);
      throw lexer.error('expected a type');
    }
    lexer.next();
    const width = Number(bits[1]);
    if (width < 1 || width > 128) throw new UnsupportedIr(`type ${text}`);
    return intType(width);
  }

  /** An optional `addrspace(N)`. */
  addressSpace(): AddressSpace {
    const { lexer } = this;
    if (!lexer.accept('addrspace')) return 0;
    lexer.expect('(');
    const space = lexer.takeCount();
    lexer.expect(')');
    if (space !== 0 && space !== 1 && space !== 3 && space !== 4 && space !== 5) throw new UnsupportedIr(`address space ${space}`);
    return space;
  }

  #constant(type: Type): Operand {
    const { lexer } = this;
    const { kind, text } = lexer;
    switch (kind) {
      case 'number':
        lexer.next();
        return this.#number(text, type);
      case 'global':
        lexer.next();
        return this.#symbol(text, type);
      case 'bytes':
        lexer.next();
        return { kind: 'aggregate', type, elements: Array.from(bytesOf(text), (b) => ({ kind: 'int', type: I8, value: BigInt(b) })) };
      case 'punctuation':
        return this.#aggregate(type);
      case 'word':
        lexer.next();
        return this.#keyword(text, type);
    }
    throw lexer.error('expected a value');
  }

  #symbol(name: string, type: Type): Constant {
    const aliased = this.names.alias(name);
    return aliased ? { ...aliased, type } : { kind: 'symbol', type, name, offset: 0 };
  }

  #number(text: string, type: Type): Constant {
    if (type.kind === 'int') {
      const value = integerOf(text);
      if (value === undefined) throw this.lexer.error(`${text} is no ${typeName(type)}`);
      return { kind: 'int', type, value: wrap(value, type.bits) };
    }
    if (type.kind !== 'float') throw this.lexer.error(`${text} is no ${typeName(type)}`);
    const bits = floatBits(text, type);
    if (bits === undefined) throw this.lexer.error(`${text} is no ${typeName(type)}`);
    return { kind: 'float', type, bits };
  }

  #keyword(word: string, type: Type): Operand {
    switch (word) {
      case 'true':
      case 'false':
        return { kind: 'int', type, value: word === 'true' ? 1n : 0n };
      case 'null':
      case 'none':
      case 'zeroinitializer':
        return zeroOf(type);
      case 'undef':
      case 'poison':
        return { kind: 'undef', type };
      case 'splat':
        return this.#splat(type);
      case 'getelementptr':
        return this.#addressConstant(type);
    }
    const op = word === 'ptrtoaddr' ? 'ptrtoint' : word;
    if (CASTS.has(op)) return this.#castConstant(op as CastOp);
    if (BINARIES.has(op)) return this.#binaryConstant(op as IntBinary);
    if (/^(blockaddress|dso_local_equivalent|no_cfi|asm|ptrauth|extractelement|insertelement|shufflevector)$/.test(op)) {
      throw new UnsupportedIr(`constant ${op}`);
    }
    throw this.lexer.error(`'${word}' begins no value, then`);
  }

  #splat(type: Type): Constant {
    if (type.kind !== 'vector') throw this.lexer.error('splat of no vector');
    this.lexer.expect('(');
    const element = this.constant(this.type());
    this.lexer.expect(')');
    return { kind: 'aggregate', type, elements: new Array(type.count).fill(element) };
  }

  #aggregate(type: Type): Constant {
    const { lexer } = this;
    const packed = lexer.accept('<');
    const close = packed && !lexer.is('{') ? '>' : lexer.is('[') ? ']' : '}';
    if (close !== '>') lexer.expect(close === ']' ? '[' : '{');
    const elements: Constant[] = [];
    if (!lexer.accept(close)) {
      do elements.push(this.constant(this.type()));
      while (lexer.accept(','));
      lexer.expect(close);
    }
    if (packed && close !== '>') lexer.expect('>');
    const expected = type.kind === 'struct' ? type.fields.length : type.kind === 'array' || type.kind === 'vector' ? type.count : -1;
    if (elements.length !== expected) throw lexer.error(`${elements.length} elements for ${typeName(type)}`);
    return { kind: 'aggregate', type, elements };
  }

  #addressConstant(type: Type): Operand {
    this.flags();
    this.lexer.expect('(');
    const { base, offset, terms } = this.address();
    this.lexer.expect(')');
    const folded = base.kind !== 'value' && terms.length === 0 ? foldOffset(base, offset, type) : undefined;
    return folded ?? this.materialize({ op: 'getelementptr', type, base, offset, terms });
  }

  #castConstant(op: CastOp): Operand {
    this.flags();
    this.lexer.expect('(');
    const a = this.typed();
    this.lexer.expect('to');
    const type = this.type();
    this.lexer.expect(')');
    const folded = a.kind === 'value' ? undefined : foldCast(op, a, type);
    return folded ?? this.materialize({ op, type, a });
  }

  #binaryConstant(op: IntBinary): Operand {
    this.flags();
    this.lexer.expect('(');
    const a = this.typed();
    this.lexer.expect(',');
    const b = this.typed();
    this.lexer.expect(')');
    const folded = a.kind === 'value' || b.kind === 'value' ? undefined : foldBinary(op, a, b);
    return folded ?? this.materialize({ op, type: a.type, a, b });
  }
}

/** False for an index that leaves the address space whatever else is added. */
function isAddressIndex({ value, type }: Extract<Constant, { kind: 'int' }>): boolean {
  const index = signed(value, type.kind === 'int' ? type.bits : 64);
  return index >= -BigInt(MAX_INDEX) && index < BigInt(MAX_INDEX);
}

function integerOf(text: string): bigint | undefined {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  // u0x and s0x: hexadecimal with as many bits as digits.
  const hex = /^[us]0x([0-9a-fA-F]+)$/.exec(text);
  if (!hex) return undefined;
  const value = BigInt(`0x${hex[1]}`);
  return text[0] === 's' ? signed(value, hex[1].length * 4) : value;
}

function floatBits(text: string, type: Extract<Type, { kind: 'float' }>): bigint | undefined {
  if (/^-?\d+(\.\d*)?([eE][-+]?\d+)?$/.test(text)) return bitsFromDouble(bitsOfDouble(Number(text)), type.format);
  const plain = /^f0x([0-9a-fA-F]{1,16})$/.exec(text);
  if (plain) return BigInt.asUintN(storeSizeOf(type) * 8, BigInt(`0x${plain[1]}`));
  const hex = /^0x([HR]?)([0-9a-fA-F]{1,16})$/.exec(text);
  if (!hex) return undefined;
  const bits = BigInt(`0x${hex[2]}`);
  if (hex[1] === '') return bitsFromDouble(bits, type.format);
  return (hex[1] === 'H') === (type.format === 'half') && bits < 65536n ? bits : undefined;
}
