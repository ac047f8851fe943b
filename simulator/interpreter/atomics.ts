/** Atomic read-modify-writes: lanes one after the other, ascending. Where several lanes meet at one address, each sees what the one before left. */
import { storeSizeOf } from '../ir/layout.ts';
import { type AtomicOp, type Instruction, type Type, UnsupportedIr } from '../ir/types.ts';
import { getBits, type Leaf, leavesOf, setBits } from '../machine/cells.ts';
import { bfloatToNumber, halfToNumber, numberToBfloat, numberToHalf } from '../machine/half.ts';
import { forLanes } from '../machine/lanes.ts';
import type { MemoryViews } from '../machine/memory-views.ts';
import type { Step } from '../scheduling/program.ts';
import { laneMemory, resolveLanes } from './memory-access.ts';
import { accessSite } from './memory-steps.ts';
import type { Translation } from './translate.ts';

/** The new value from the old one and the operand, as bits. */
type Combine = (old: bigint, operand: bigint) => bigint;

export function atomicStep(t: Translation, instruction: Extract<Instruction, { op: 'atomicrmw' }>): Step {
  const leaves = leavesOf(instruction.type);
  const bytes = storeSizeOf(instruction.type);
  const pointer = t.cell(instruction.pointer);
  const values = t.cells(instruction.value);
  const results = t.results(instruction);
  const combine = leaves.map((leaf) => combination(instruction.operation, leaf));
  if (combine.includes(undefined)) throw new UnsupportedIr(`atomicrmw ${instruction.operation} is not supported`, instruction.location);
  const options = { access: 'atomic', pointer: instruction.pointer, bytes, align: bytes } as const;
  const site = accessSite(t, instruction, options);
  return (path) => {
    const { cells } = path.frame;
    resolveLanes(path, cells[pointer].i, site);
    forLanes(path.mask, (lane) => {
      const { views, offset } = laneMemory(path, lane);
      leaves.forEach((leaf, index) => {
        const at = offset + leaf.offset;
        const old = readBits(views, at, leaf.bytes);
        writeBits(views, at, leaf.bytes, combine[index]!(old, getBits(cells[values[index]], leaf.kind, lane)));
        setBits(cells[results[index]], leaf.kind, lane, old);
      });
    });
  };
}

export function cmpxchgStep(t: Translation, instruction: Extract<Instruction, { op: 'cmpxchg' }>): Step {
  const type = instruction.expected.type;
  const [leaf, ...rest] = leavesOf(type);
  if (rest.length > 0) throw new UnsupportedIr('cmpxchg of an aggregate is not supported', instruction.location);
  const pointer = t.cell(instruction.pointer);
  const expected = t.cell(instruction.expected);
  const replacement = t.cell(instruction.replacement);
  const [oldCell, successCell] = t.results(instruction);
  const bytes = storeSizeOf(type);
  const site = accessSite(t, instruction, { access: 'atomic', pointer: instruction.pointer, bytes, align: bytes });
  return (path) => {
    const { cells } = path.frame;
    resolveLanes(path, cells[pointer].i, site);
    forLanes(path.mask, (lane) => {
      const { views, offset } = laneMemory(path, lane);
      const old = readBits(views, offset, bytes);
      const success = old === getBits(cells[expected], leaf.kind, lane);
      if (success) writeBits(views, offset, bytes, getBits(cells[replacement], leaf.kind, lane));
      setBits(cells[oldCell], leaf.kind, lane, old);
      cells[successCell].i[lane] = success ? 1 : 0;
    });
  };
}

function combination(operation: AtomicOp, leaf: Leaf): Combine | undefined {
  const { bits } = leaf;
  const signed = (value: bigint): bigint => BigInt.asIntN(bits, value);
  const wrapped = (value: bigint): bigint => BigInt.asUintN(bits, value);
  switch (operation) {
    case 'xchg':
      return (_, operand) => operand;
    case 'add':
      return (old, operand) => wrapped(old + operand);
    case 'sub':
      return (old, operand) => wrapped(old - operand);
    case 'and':
      return (old, operand) => old & operand;
    case 'nand':
      return (old, operand) => wrapped(~(old & operand));
    case 'or':
      return (old, operand) => old | operand;
    case 'xor':
      return (old, operand) => old ^ operand;
    case 'max':
      return (old, operand) => (signed(old) > signed(operand) ? old : operand);
    case 'min':
      return (old, operand) => (signed(old) < signed(operand) ? old : operand);
    case 'umax':
      return larger;
    case 'umin':
      return (old, operand) => (larger(old, operand) === old ? operand : old);
    case 'uinc_wrap':
      return (old, operand) => (old >= operand ? 0n : old + 1n);
    case 'udec_wrap':
      return (old, operand) => (old === 0n || old > operand ? operand : old - 1n);
    default:
      return floatCombination(operation, leaf.type);
  }
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function floatCombination(operation: AtomicOp, type: Type): Combine | undefined {
  if (type.kind !== 'float') return undefined;
  const arithmetic = FLOAT[operation];
  const { read, write } = FORMATS[type.format];
  return arithmetic && ((old, operand) => write(arithmetic(read(old), read(operand))));
}

const FLOAT: Readonly<Partial<Record<AtomicOp, (a: number, b: number) => number>>> = {
  fadd: (a, b) => a + b,
  fsub: (a, b) => a - b,
  fmax: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
  fmin: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
};

const word = new DataView(new ArrayBuffer(8));

const FORMATS = {
  half: { read: (bits: bigint) => halfToNumber(Number(bits)), write: (value: number) => BigInt(numberToHalf(value)) },
  bfloat: { read: (bits: bigint) => bfloatToNumber(Number(bits)), write: (value: number) => BigInt(numberToBfloat(value)) },
  float: {
    read: (bits: bigint) => {
      word.setUint32(0, Number(bits));
      return word.getFloat32(0);
    },
    write: (value: number) => {
      word.setFloat32(0, value);
      return BigInt(word.getUint32(0));
    },
  },
  double: {
    read: (bits: bigint) => {
      word.setBigUint64(0, bits);
      return word.getFloat64(0);
    },
    write: (value: number) => {
      word.setFloat64(0, value);
      return word.getBigUint64(0);
    },
  },
};

function readBits(views: MemoryViews, offset: number, bytes: number): bigint {
  if (bytes === 4) return BigInt(views.data.getUint32(offset, true));
  if (bytes === 8) return views.data.getBigUint64(offset, true);
  let bits = 0n;
  for (let byte = bytes - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(views.u8[offset + byte]);
  return bits;
}

function writeBits(views: MemoryViews, offset: number, bytes: number, bits: bigint): void {
  if (bytes === 4) views.data.setUint32(offset, Number(bits), true);
  else if (bytes === 8) views.data.setBigUint64(offset, bits, true);
  else for (let byte = 0; byte < bytes; byte++) views.u8[offset + byte] = Number((bits >> BigInt(8 * byte)) & 0xffn);
}
