/**
 * One inline assembly statement in the making: what its registers hold, and how values of one type are read as another. Registers are
 * variables until here and values from here on: where instructions jump, each variable becomes a phi.
 */
import { foldBinary, foldCast } from '../fold.ts';
import { I1, I32, intType, pointerType, typeName } from '../type-table.ts';
import {
  type AddressSpace,
  type Constant,
  type FloatBinary,
  type IntBinary,
  type IntPredicate,
  type Operand,
  type Type,
  UnsupportedIr,
} from '../types.ts';
import type { Draft } from '../value-parser.ts';
import { specialRegister } from './special-registers.ts';
import type { PtxOperand } from './syntax.ts';
import { ptxType, widthOf } from './types.ts';

/** What the function around the statement does for it. */
export interface Surroundings {
  add(draft: Draft): Operand;
  /** Adds an instruction without a result. */
  act(draft: Draft): void;
  /** A block without instructions; `enter` makes it the one that is added to. */
  newBlock(): number;
  enter(block: number): void;
  currentBlock(): number;
  /** The carry flag that an earlier statement of the same block has left. */
  carry: Operand | undefined;
}

export interface Variable {
  readonly type: Type;
  value: Operand | undefined;
}

export class Assembler {
  readonly #scopes: Map<string, Variable>[] = [new Map()];
  /** All variables that are written somewhere. */
  readonly variables: Variable[] = [];

  constructor(
    readonly surroundings: Surroundings,
    /** By number of the C++ statement's operand: an output's variable, or an input's value. */
    readonly parameters: readonly (Variable | Operand)[],
  ) {
    for (const parameter of parameters) if (isVariable(parameter)) this.variables.push(parameter);
  }

  open(): void {
    this.#scopes.push(new Map());
  }

  close(): void {
    if (this.#scopes.length === 1) throw new UnsupportedIr('inline PTX: "}" without "{"');
    this.#scopes.pop();
  }

  declare(name: string, typeOf: string): void {
    const type = ptxType(typeOf);
    if (!type) throw new UnsupportedIr(`inline PTX: a register of type .${typeOf}`);
    const variable: Variable = { type: type.type, value: undefined };
    this.variables.push(variable);
    this.#scopes[this.#scopes.length - 1].set(name, variable);
  }

  add(draft: Draft): Operand {
    return folded(draft) ?? this.surroundings.add(draft);
  }

  act(draft: Draft): void {
    this.surroundings.act(draft);
  }

  call(callee: string, type: Type, args: readonly Operand[]): Operand {
    return this.add({ op: 'call', type, callee, args });
  }

  binary(op: IntBinary | FloatBinary, a: Operand, b: Operand): Operand {
    return this.add({ op, type: a.type, a, b });
  }

  select(condition: Operand, a: Operand, b: Operand): Operand {
    return this.add({ op: 'select', type: a.type, condition, a, b });
  }

  int(type: Type, value: number | bigint): Constant {
    return { kind: 'int', type, value: BigInt.asUintN(widthOf(type), BigInt(value)) };
  }

  /** The operand as a value of this type; a wider register is cut. */
  read(operand: PtxOperand, type: Type): Operand {
    switch (operand.kind) {
      case 'integer':
        return type.kind === 'int' ? this.int(type, operand.value) : this.convert(this.int(intType(widthOf(type)), operand.value), type);
      case 'float':
        return floatConstant(operand, type);
      case 'not': {
        const value = this.read(operand.operand, I1);
        return this.binary('xor', value, this.int(I1, 1));
      }
      case 'vector':
        return this.convert(this.#packed(operand.elements), type);
      default:
        return this.convert(this.raw(operand), type);
    }
  }

  /** What a register or operand holds, of the type that it was written with. */
  raw(operand: PtxOperand): Operand {
    if (operand.kind === 'special') return specialRegister(this, operand.name);
    const variable = this.#find(operand);
    if (!isVariable(variable)) return variable;
    return variable.value ?? { kind: 'undef', type: variable.type };
  }

  /** Type of the register that an instruction writes. */
  typeOf(operand: PtxOperand): Type {
    if (operand.kind === 'sink') return I32;
    const variable = this.#find(operand);
    return variable.type;
  }

  /** `signed`: how a narrower value fills a wider register. */
  write(operand: PtxOperand, value: Operand, signed = false) {
    if (operand.kind === 'sink') return;
    if (operand.kind === 'vector') return this.#unpack(operand.elements, value);
    const variable = this.#find(operand);
    if (!isVariable(variable)) throw new UnsupportedIr('inline PTX: an instruction writes to an operand that is an input');
    const from = widthOf(value.type);
    const to = widthOf(variable.type);
    if ((from === 1) !== (to === 1)) throw new UnsupportedIr('inline PTX: a predicate where another register must be, or the reverse');
    variable.value = from === to ? value : this.#resized(value, variable.type, signed);
  }

  /** The same bits as another type. */
  convert(value: Operand, to: Type): Operand {
    if (value.type === to) return value;
    const from = widthOf(value.type);
    const bits = widthOf(to);
    if ((from === 1) !== (bits === 1)) throw new UnsupportedIr('inline PTX: a predicate where another register must be, or the reverse');
    return from === bits ? this.#bitcast(value, to) : this.#resized(value, to, false);
  }

  /** The address as a pointer of the space. */
  pointer(operand: PtxOperand, space: AddressSpace): Operand {
    if (operand.kind !== 'address') return this.pointer({ kind: 'address', base: operand, offset: 0n }, space);
    const type = pointerType(space);
    const base = operand.base.kind === 'integer' ? this.int(intType(64), operand.base.value) : this.raw(operand.base);
    const isPointer = base.type.kind === 'ptr';
    // Generic and global addresses are the same.
    const direct = isPointer && (space === 0 || space === 1);
    const address = isPointer && !direct ? this.convert(base, I32) : base;
    const start = direct
      ? base.type === type
        ? base
        : this.add({ op: 'addrspacecast', type, a: base })
      : this.add({ op: 'inttoptr', type, a: address });
    if (operand.offset === 0n) return start;
    return this.add({ op: 'getelementptr', type, base: start, offset: Number(operand.offset), terms: [] });
  }

  #bitcast(value: Operand, to: Type): Operand {
    if (value.type.kind === 'ptr') return this.convert(this.add({ op: 'ptrtoint', type: intType(64), a: value }), to);
    if (value.kind === 'undef') return { kind: 'undef', type: to };
    if (value.kind === 'int' && to.kind === 'float') return { kind: 'float', type: to, bits: value.value };
    if (value.kind === 'float' && to.kind === 'int') return { kind: 'int', type: to, value: value.bits };
    return this.add({ op: 'bitcast', type: to, a: value });
  }

  #resized(value: Operand, to: Type, signed: boolean): Operand {
    const [from, bits] = [widthOf(value.type), widthOf(to)];
    const whole = this.convert(value, intType(from));
    const op = from > bits ? 'trunc' : signed ? 'sext' : 'zext';
    const folded = whole.kind !== 'value' ? foldCast(op, whole, intType(bits)) : undefined;
    return this.convert(folded ?? this.add({ op, type: intType(bits), a: whole }), to);
  }

  /** `{low, high}`: the first is in the lowest bits. */
  #packed(elements: readonly PtxOperand[]): Operand {
    const parts = elements.map((element) => {
      if (element.kind === 'integer' || element.kind === 'float')
        throw new UnsupportedIr('inline PTX: a number among the parts of a vector');
      const value = this.raw(element);
      return this.convert(value, intType(widthOf(value.type)));
    });
    const bits = widthOf(parts[0].type);
    const whole = intType(bits * parts.length);
    const wide = parts.map((part) => this.#resized(this.convert(part, intType(bits)), whole, false));
    return wide.reduce((sum, part, index) => this.binary('or', sum, this.binary('shl', part, this.int(whole, index * bits))));
  }

  #unpack(elements: readonly PtxOperand[], value: Operand): void {
    const bits = widthOf(value.type) / elements.length;
    const whole = this.convert(value, intType(widthOf(value.type)));
    elements.forEach((element, index) => {
      if (element.kind === 'sink') return;
      const shifted = index === 0 ? whole : this.binary('lshr', whole, this.int(whole.type, index * bits));
      this.write(element, this.add({ op: 'trunc', type: intType(bits), a: shifted }));
    });
  }

  #find(operand: PtxOperand): Variable | Operand {
    if (operand.kind === 'parameter') {
      const parameter = this.parameters[operand.index];
      if (!parameter) throw new UnsupportedIr(`inline PTX: operand %${operand.index} is missing`);
      return parameter;
    }
    if (operand.kind !== 'register') throw new UnsupportedIr(`inline PTX: expected a register, found a ${operand.kind}`);
    for (const scope of this.#scopes.toReversed()) {
      const variable = scope.get(operand.name);
      if (variable) return variable;
    }
    throw new UnsupportedIr(`inline PTX: the register ${operand.name} is not declared in the statement`);
  }
}

export function isVariable(parameter: Variable | Operand): parameter is Variable {
  return !('kind' in parameter);
}

function floatConstant({ bits, double }: Extract<PtxOperand, { kind: 'float' }>, type: Type): Constant {
  if (type.kind === 'int') return { kind: 'int', type, value: bits };
  if (type.kind !== 'float' || (type.format !== 'float' && type.format !== 'double'))
    throw new UnsupportedIr(`inline PTX: a number as ${typeName(type)}`);
  if (!double) {
    if (type.format === 'double') throw new UnsupportedIr('inline PTX: a number of single precision where double precision must be');
    return { kind: 'float', type, bits };
  }
  if (type.format === 'double') return { kind: 'float', type, bits };
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  view.setFloat32(0, view.getFloat64(0));
  return { kind: 'float', type, bits: BigInt(view.getUint32(0)) };
}

/** What positions and lengths that are numbers make of an instruction, as ptxas finds out too. */
function folded(draft: Draft): Operand | undefined {
  switch (draft.op) {
    case 'select':
      return draft.condition.kind === 'int' ? (draft.condition.value === 0n ? draft.b : draft.a) : undefined;
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
    case 'shl':
    case 'lshr':
    case 'ashr':
      if (draft.b.kind !== 'int') return undefined;
      if (draft.b.value === 0n && draft.op !== 'and') return draft.a;
      return draft.a.kind === 'int' ? foldBinary(draft.op, draft.a, draft.b) : undefined;
    case 'icmp':
      return draft.a.kind === 'int' && draft.b.kind === 'int' ? compared(draft.predicate, draft.a, draft.b) : undefined;
    case 'call':
      return draft.args.every((arg) => arg.kind === 'int') ? clamped(draft.callee, draft.args as readonly Integer[]) : undefined;
    default:
      return undefined;
  }
}

type Integer = Extract<Constant, { kind: 'int' }>;

function compared(predicate: IntPredicate, a: Integer, b: Integer): Operand | undefined {
  const results: Partial<Record<IntPredicate, boolean>> = {
    eq: a.value === b.value,
    ne: a.value !== b.value,
    ult: a.value < b.value,
    ugt: a.value > b.value,
    uge: a.value >= b.value,
  };
  const result = results[predicate];
  return result === undefined ? undefined : { kind: 'int', type: I1, value: BigInt(result) };
}

/** Of 32-bit numbers. */
function clamped(callee: string, [a, b]: readonly Integer[]): Operand | undefined {
  const results: Readonly<Record<string, () => bigint>> = {
    'llvm.umin.i32': () => (a.value < b.value ? a.value : b.value),
    'llvm.usub.sat.i32': () => (a.value > b.value ? a.value - b.value : 0n),
    'llvm.smax.i32': () => (BigInt.asIntN(32, a.value) > BigInt.asIntN(32, b.value) ? a.value : b.value),
  };
  const value = results[callee]?.();
  return value === undefined ? undefined : { kind: 'int', type: I32, value };
}
