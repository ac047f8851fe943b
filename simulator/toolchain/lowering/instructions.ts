/**
 * What follows an instruction's code in a module, and which of its operands are addresses: WebAssembly's core specification, "Binary
 * format", with the proposals of legacy exception handling, tail calls, SIMD, threads, bulk memory and memory64.
 */

/** How an instruction's immediates are laid out. */
export const IMMEDIATES = {
  unknown: 0,
  none: 1,
  blockType: 2,
  /** One number: of a label, function, local, tag. */
  index: 3,
  branchTable: 4,
  selectTypes: 5,
  /** Alignment and offset. */
  memory: 6,
  /** Alignment, offset and a lane's number. */
  memoryLane: 7,
  signed32: 8,
  signed64: 9,
  bytes4: 10,
  bytes8: 11,
  bytes16: 12,
  lane: 13,
  /** Two numbers: a function type and a table. */
  indirectCall: 14,
  globalGet: 15,
  catchAll: 16,
  prefix: 17,
  memorySize: 18,
  memoryGrow: 19,
  memoryCopy: 20,
  memoryFill: 21,
  /** Number of a data segment, and a memory. */
  memoryInit: 22,
  /** A table's number. */
  table: 23,
  /** The same, of an instruction whose result is a table's size. */
  tableResult: 24,
  /** Two numbers of tables. */
  tableCopy: 25,
  /** Number of an element segment, and a table. */
  tableInit: 26,
  zeroByte: 27,
  heapType: 28,
} as const;

type Layout = keyof typeof IMMEDIATES;
/**
 * Codes from..to, their layout, and for those that access memory or tables the operands from the bottom to the top of the stack: "a" an
 * address, index or length of 64 bits, "i" i32, "I" i64, "f" f32, "F" f64, "v" v128, "r" a reference.
 */
type Row = readonly [from: number, to: number, layout: Layout, operands?: string];

const PLAIN: readonly Row[] = [
  [0x00, 0x01, 'none'], // unreachable, nop
  [0x02, 0x04, 'blockType'], // block, loop, if
  [0x05, 0x05, 'none'], // else
  [0x06, 0x06, 'blockType'], // try
  [0x07, 0x09, 'index'], // catch, throw, rethrow
  [0x0b, 0x0b, 'none'], // end
  [0x0c, 0x0d, 'index'], // br, br_if
  [0x0e, 0x0e, 'branchTable'],
  [0x0f, 0x0f, 'none'], // return
  [0x10, 0x10, 'index'], // call
  [0x11, 0x11, 'indirectCall'],
  [0x12, 0x12, 'index'], // return_call
  [0x13, 0x13, 'indirectCall'], // return_call_indirect
  [0x18, 0x18, 'index'], // delegate
  [0x19, 0x19, 'catchAll'],
  [0x1a, 0x1b, 'none'], // drop, select
  [0x1c, 0x1c, 'selectTypes'],
  [0x20, 0x22, 'index'], // local.get, local.set, local.tee
  [0x23, 0x23, 'globalGet'],
  [0x24, 0x24, 'index'], // global.set
  [0x25, 0x25, 'table', 'a'], // table.get
  [0x26, 0x26, 'table', 'ar'], // table.set
  [0x28, 0x35, 'memory', 'a'], // loads
  [0x36, 0x36, 'memory', 'ai'],
  [0x37, 0x37, 'memory', 'aI'],
  [0x38, 0x38, 'memory', 'af'],
  [0x39, 0x39, 'memory', 'aF'],
  [0x3a, 0x3b, 'memory', 'ai'],
  [0x3c, 0x3e, 'memory', 'aI'],
  [0x3f, 0x3f, 'memorySize'],
  [0x40, 0x40, 'memoryGrow'],
  [0x41, 0x41, 'signed32'],
  [0x42, 0x42, 'signed64'],
  [0x43, 0x43, 'bytes4'],
  [0x44, 0x44, 'bytes8'],
  [0x45, 0xc4, 'none'], // arithmetic
  [0xd0, 0xd0, 'heapType'], // ref.null
  [0xd1, 0xd1, 'none'], // ref.is_null
  [0xd2, 0xd2, 'index'], // ref.func
  [0xfc, 0xfe, 'prefix'],
];

/** Behind 0xfc. */
const MISCELLANEOUS: readonly Row[] = [
  [0, 7, 'none'], // saturating conversions
  [8, 8, 'memoryInit', 'aii'],
  [9, 9, 'index'], // data.drop
  [10, 10, 'memoryCopy'],
  [11, 11, 'memoryFill'],
  [12, 12, 'tableInit', 'aii'],
  [13, 13, 'index'], // elem.drop
  [14, 14, 'tableCopy', 'aaa'],
  [15, 15, 'tableResult', 'ra'], // table.grow
  [16, 16, 'tableResult', ''], // table.size
  [17, 17, 'table', 'ara'], // table.fill
];

/** Behind 0xfd. */
const VECTOR: readonly Row[] = [
  [0, 10, 'memory', 'a'], // loads
  [11, 11, 'memory', 'av'], // v128.store
  [12, 13, 'bytes16'], // v128.const, i8x16.shuffle
  [14, 20, 'none'],
  [21, 34, 'lane'],
  [35, 83, 'none'],
  [84, 91, 'memoryLane', 'av'],
  [92, 93, 'memory', 'a'],
  [94, 275, 'none'], // with relaxed SIMD
];

/** Behind 0xfe. The read-modify-write instructions come in rows of seven: i32, i64, and five narrow ones. */
const ATOMIC: readonly Row[] = [
  [0x00, 0x00, 'memory', 'ai'], // notify
  [0x01, 0x01, 'memory', 'aiI'], // wait32
  [0x02, 0x02, 'memory', 'aII'], // wait64
  [0x03, 0x03, 'zeroByte'], // fence
  [0x10, 0x16, 'memory', 'a'], // loads
  ...[0x17, 0x1e, 0x25, 0x2c, 0x33, 0x3a, 0x41].flatMap((first) => atomicRow(first, 1)),
  ...atomicRow(0x48, 2), // cmpxchg
];

function atomicRow(first: number, operands: number): readonly Row[] {
  const row = (at: number, to: number, type: string): Row => [first + at, first + to, 'memory', `a${type.repeat(operands)}`];
  return [row(0, 0, 'i'), row(1, 1, 'I'), row(2, 3, 'i'), row(4, 6, 'I')];
}

/** Every list of operands that occurs: the tables hold its index. */
export const OPERANDS: readonly string[] = [
  ...new Set(['', ...[PLAIN, MISCELLANEOUS, VECTOR, ATOMIC].flat().map(([, , , operands = '']) => operands)]),
];

export interface InstructionTable {
  /** By code: a value of IMMEDIATES. */
  readonly immediates: Uint8Array;
  /** By code: an index of OPERANDS. */
  readonly operands: Uint8Array;
}

function tableOf(rows: readonly Row[], size: number): InstructionTable {
  const table = { immediates: new Uint8Array(size), operands: new Uint8Array(size) };
  for (const [from, to, layout, operands = ''] of rows) {
    table.immediates.fill(IMMEDIATES[layout], from, to + 1);
    table.operands.fill(OPERANDS.indexOf(operands), from, to + 1);
  }
  return table;
}

export const PLAIN_INSTRUCTIONS = tableOf(PLAIN, 256);
/** By prefix: 0xfc, 0xfd, 0xfe. */
export const PREFIXED_INSTRUCTIONS: readonly InstructionTable[] = [tableOf(MISCELLANEOUS, 512), tableOf(VECTOR, 512), tableOf(ATOMIC, 512)];
export const FIRST_PREFIX = 0xfc;

/** Known and refused: V8 11.3 in Node 20 does not have them. */
const REFUSED: Readonly<Record<number, string>> = {
  10: 'throw_ref',
  20: 'call_ref',
  21: 'return_call_ref',
  31: 'try_table',
  251: 'garbage collection',
};

export function instructionName(code: number, sub?: number): string {
  const number = `0x${code.toString(16)}${sub === undefined ? '' : ` ${sub}`}`;
  return REFUSED[code] ? `${REFUSED[code]} (${number})` : number;
}
