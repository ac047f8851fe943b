/**
 * Between which numbers the integers of a function lie, as signed numbers of their width. It knows what CUDA says of thread and block
 * indices, masks, shifts, divisions and casts, and nothing of branches; a value that grows around a loop may be anything.
 */
import { intrinsicOf } from './intrinsics.ts';
import type { Instruction, IrFunction, Operand, Type } from './types.ts';

export interface Range {
  readonly low: number;
  readonly high: number;
}

/** Beyond this a double does not hold every integer. */
const SAFE = Number.MAX_SAFE_INTEGER;
/** How often a value may grow before it is assumed to grow without end. */
const PATIENCE = 3;

export class ValueRanges {
  readonly #ranges: (Range | undefined)[];

  constructor(fn: IrFunction) {
    this.#ranges = new Array(fn.valueCount);
    for (const { id, type } of fn.parameters) this.#ranges[id] = widest(type);
    const growth = new Uint8Array(fn.valueCount);
    const instructions = fn.blocks.flatMap((block) => block.instructions).filter((i) => i.id >= 0 && i.type.kind === 'int');
    for (let changed = true; changed; ) {
      changed = false;
      for (const instruction of instructions) changed = this.#update(instruction, growth) || changed;
    }
  }

  of(operand: Operand): Range {
    if (operand.kind === 'value') return this.#ranges[operand.id] ?? widest(operand.type);
    if (operand.kind === 'int' && operand.type.kind === 'int') {
      const value = Number(BigInt.asIntN(operand.type.bits, operand.value));
      return { low: value, high: value };
    }
    return operand.kind === 'undef' || operand.kind === 'zero' ? { low: 0, high: 0 } : widest(operand.type);
  }

  /** Makes the range known of a value that a pass has added. */
  set(id: number, range: Range): void {
    this.#ranges[id] = range;
  }

  #update(instruction: Instruction, growth: Uint8Array): boolean {
    const { id, type } = instruction;
    const old = this.#ranges[id];
    const found = this.#rangeOf(instruction);
    if (!found) return false;
    const range = old ? union(old, found) : found;
    if (old && range.low === old.low && range.high === old.high) return false;
    const all = widest(type);
    // Every circle goes through a phi.
    if (old && instruction.op === 'phi' && ++growth[id] > PATIENCE) {
      this.#ranges[id] = { low: range.low < old.low ? all.low : range.low, high: range.high > old.high ? all.high : range.high };
    } else this.#ranges[id] = range;
    return true;
  }

  /** undefined while nothing is known of the operands of a loop. */
  #rangeOf(instruction: Instruction): Range | undefined {
    const known = (operand: Operand): Range | undefined => (operand.kind === 'value' ? this.#ranges[operand.id] : this.of(operand));
    switch (instruction.op) {
      case 'phi':
        return instruction.incoming.map(({ value }) => known(value)).reduce((a, b) => (a && b ? union(a, b) : (a ?? b)), undefined);
      case 'select': {
        const [a, b] = [known(instruction.a), known(instruction.b)];
        return a && b && union(a, b);
      }
      case 'freeze':
        return known(instruction.a);
      case 'call':
        return callRange(instruction, instruction.args.map(known));
      case 'ptrtoint':
        return fitted({ low: 0, high: 2 ** 32 - 1 }, instruction.type);
      case 'zext':
      case 'sext':
      case 'trunc': {
        const a = known(instruction.a);
        return a && castRange(instruction.op, a, instruction.a.type, instruction.type);
      }
      case 'add':
      case 'sub':
      case 'mul':
      case 'shl':
      case 'lshr':
      case 'ashr':
      case 'and':
      case 'or':
      case 'xor':
      case 'udiv':
      case 'urem':
      case 'sdiv':
      case 'srem': {
        const [a, b] = [known(instruction.a), known(instruction.b)];
        return a && b && fitted(binaryRange(instruction.op, a, b, instruction.type), instruction.type);
      }
      default:
        return widest(instruction.type);
    }
  }
}

/** Every number of a type's width; of what is no integer nothing is said. */
export function widest(type: Type): Range {
  if (type.kind !== 'int') return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return { low: -(2 ** (type.bits - 1)), high: 2 ** (type.bits - 1) - 1 };
}

function union(a: Range, b: Range): Range {
  return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
}

/** A range, or every number where arithmetic may have wrapped round or doubles are not exact. */
function fitted(range: Range | undefined, type: Type): Range {
  const all = widest(type);
  if (!range) return all;
  const exact = range.low >= -SAFE && range.high <= SAFE;
  return exact && range.low >= all.low && range.high <= all.high ? range : all;
}

function castRange(op: 'zext' | 'sext' | 'trunc', a: Range, from: Type, to: Type): Range {
  if (op === 'zext' && a.low < 0 && from.kind === 'int') return fitted({ low: 0, high: 2 ** from.bits - 1 }, to);
  if (op !== 'trunc' && a.low === widest(from).low && a.high === widest(from).high && a.high > SAFE) return widest(to);
  return fitted(a, to);
}

type Binary = 'add' | 'sub' | 'mul' | 'shl' | 'lshr' | 'ashr' | 'and' | 'or' | 'xor' | 'udiv' | 'urem' | 'sdiv' | 'srem';

function binaryRange(op: Binary, a: Range, b: Range, type: Type): Range | undefined {
  switch (op) {
    case 'add':
      return { low: a.low + b.low, high: a.high + b.high };
    case 'sub':
      return { low: a.low - b.high, high: a.high - b.low };
    case 'mul':
      return productRange(a, b);
    case 'shl':
      return b.low === b.high && b.low >= 0 && b.low < 53 ? productRange(a, { low: 2 ** b.low, high: 2 ** b.low }) : undefined;
    case 'lshr':
    case 'ashr':
      return shiftedRange(op, a, b, type);
    case 'and': {
      const bounds = [a, b].filter(({ low }) => low >= 0).map(({ high }) => high);
      return bounds.length === 0 ? undefined : { low: 0, high: Math.min(...bounds) };
    }
    case 'or':
    case 'xor':
      if (a.low < 0 || b.low < 0) return undefined;
      return { low: 0, high: 2 ** Math.ceil(Math.log2(Math.max(a.high, b.high) + 1)) - 1 };
    default:
      return quotientRange(op, a, b);
  }
}

function productRange(a: Range, b: Range): Range {
  const corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
  return { low: Math.min(...corners), high: Math.max(...corners) };
}

function shiftedRange(op: 'lshr' | 'ashr', a: Range, b: Range, type: Type): Range | undefined {
  const bits = type.kind === 'int' ? type.bits : 0;
  if (b.low !== b.high || b.low < 0 || b.low >= bits) return undefined;
  const divisor = 2 ** b.low;
  if (op === 'ashr' || a.low >= 0) return { low: Math.floor(a.low / divisor), high: Math.floor(a.high / divisor) };
  return b.low === 0 ? a : { low: 0, high: 2 ** (bits - b.low) - 1 };
}

/** Division by zero gives all ones, its remainder the dividend. */
function quotientRange(op: 'udiv' | 'urem' | 'sdiv' | 'srem', a: Range, b: Range): Range | undefined {
  const byZero = b.low <= 0 && b.high >= 0;
  if (op === 'urem' && b.low > 0 && a.low < 0) return { low: 0, high: b.high - 1 };
  if (op[0] === 'u' && (a.low < 0 || b.low < 0)) return undefined;
  if (op === 'udiv') return { low: byZero ? -1 : 0, high: Math.floor(a.high / Math.max(1, b.low)) };
  if (op === 'urem') return { low: 0, high: byZero ? a.high : Math.min(a.high, b.high - 1) };
  const most = Math.max(Math.abs(a.low), Math.abs(a.high));
  if (op === 'sdiv') return a.low >= 0 && b.low > 0 ? { low: 0, high: a.high } : { low: -Math.max(1, most), high: Math.max(1, most) };
  return { low: Math.min(0, a.low), high: Math.max(0, a.high) };
}

type Call = Extract<Instruction, { op: 'call' }>;

function callRange({ callee, type }: Call, args: readonly (Range | undefined)[]): Range | undefined {
  const intrinsic = intrinsicOf(callee);
  if (intrinsic?.range) return fitted(intrinsic.range(type.kind === 'int' ? type.bits : 0), type);
  const [a, b] = args;
  switch (intrinsic?.code) {
    case 'smin':
    case 'umin':
      return a && b && minMaxRange(intrinsic.code === 'smin', 'min', a, b, type);
    case 'smax':
    case 'umax':
      return a && b && minMaxRange(intrinsic.code === 'smax', 'max', a, b, type);
    default:
      return widest(type);
  }
}

function minMaxRange(isSigned: boolean, which: 'min' | 'max', a: Range, b: Range, type: Type): Range {
  const choose = Math[which];
  if (isSigned || (a.low >= 0 && b.low >= 0)) return { low: choose(a.low, b.low), high: choose(a.high, b.high) };
  const bounds = [a, b].filter(({ low }) => low >= 0).map(({ high }) => high);
  return which === 'min' && bounds.length > 0 ? { low: 0, high: Math.min(...bounds) } : widest(type);
}
