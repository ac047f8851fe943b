/**
 * Makes a linked wasm64 module one with a 32-bit memory and 32-bit tables, which Node 20 and every VS Code of ours accept: the proposal
 * memory64 is not in V8 11.3, and its bounds checks cost more than a memory that the processor guards. Pointers stay 64 bits wide
 * everywhere but at the access itself. One pass over the bytes; of the custom sections only the names stay.
 */
import { CodeLowering, LineMarks } from './lowering/code.ts';
import { writeDebugLines } from './lowering/debug-lines.ts';
import { CompilationHints } from './lowering/hints.ts';
import { type LineRow, type LineRows, lineRows } from './lowering/line-table.ts';
import { HEADER_BYTES, ModuleReader, ModuleWriter, sectionsOf, UnsupportedModule } from './lowering/module-bytes.ts';
import { CODE } from './lowering/opcodes.ts';

const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  element: 9,
  code: 10,
  data: 11,
  tag: 13,
};
const EXTERNAL = { function: 0, table: 1, memory: 2, global: 3, tag: 4 };
/** Flags of limits: there is a maximum; several threads share it; addresses have 64 bits. */
const LIMITS = { maximum: 1, shared: 2, wide: 4 };
const LARGEST = { memory: 65536, table: 0xffffffff };
const TYPE = { function: 0x60, i32: 0x7f, i64: 0x7e, f32: 0x7d };
const EXCEPTION_TAG = '__cpp_exception';
const TERMINATE = '_ZSt9terminatev';
const BEGIN_CATCH = '__cxa_begin_catch';
/** Where the running thread's own data lie. The linker thinks it constant, as in a program with one thread. */
const THREAD_BASE = '__tls_base';

/** `wasm64`: what wasm-ld -m wasm64 has linked. Throws UnsupportedModule for what it does not know. */
export function lowerMemory64(wasm64: Uint8Array, options: LoweringOptions = {}): Uint8Array<ArrayBuffer> {
  return new Lowering(wasm64, options).module();
}

export interface LoweringOptions {
  /**
   * Accesses of an interval of memory are told to the function in slot 0 of the table, of type (address, bytes, writes, f32). The interval
   * is in the globals that are exported as WATCH_START and WATCH_BYTES.
   */
  readonly watched?: boolean;
}

export const WATCH_START = 'lanewise_watch_start';
export const WATCH_BYTES = 'lanewise_watch_bytes';
/** An i64 that counts what the program executes (lowering/work.ts). */
export const WORK = 'lanewise_work';

class Lowering {
  readonly #in: ModuleReader;
  readonly #out: ModuleWriter;
  /** By type, then by function: how many parameters it has. */
  readonly #parameterCounts: number[] = [];
  readonly #functionTypes: number[] = [];
  #importedFunctions = 0;
  readonly #wideTables: boolean[] = [];
  readonly #constants: (bigint | undefined)[] = [];
  readonly #threadBase: number | undefined;
  /** Those of the module that is read; behind its code section those of the one that is written. */
  /** Of the module that is read, and of the one that is written. */
  readonly #wideLines: LineRows;
  #lines: readonly LineRow[] = [];
  #written: readonly LineRow[] = [];
  #tags = 0;
  #hints: CompilationHints | undefined;
  #exceptionTag: number | undefined;
  /** Exported functions by name. */
  readonly #functions = new Map<string, number>();
  /** Our functions for memory.copy and memory.fill are of these types, and are the module's last. */
  #firstOwnType = 0;
  readonly #watched: boolean;
  /** Everything that the linker makes has global variables, and exports; modules without are not counted. */
  readonly #counted: boolean;

  constructor(wasm64: Uint8Array, { watched = false }: LoweringOptions) {
    this.#watched = watched;
    this.#in = new ModuleReader(wasm64);
    this.#out = new ModuleWriter(2 * wasm64.length + 1024);
    this.#threadBase = exportedGlobal(wasm64, THREAD_BASE);
    this.#wideLines = lineRows(wasm64);
    const sections = Array.from(sectionsOf(new ModuleReader(wasm64)), ({ id }) => id);
    this.#counted = sections.includes(SECTION.global) && sections.includes(SECTION.export);
  }

  module(): Uint8Array<ArrayBuffer> {
    const reader = this.#in;
    const out = this.#out;
    out.copy(reader.bytes, 0, HEADER_BYTES);
    for (const { id, end } of sectionsOf(reader)) this.#section(id, end);
    if (this.#lines.length > 0) writeDebugLines(out, { files: this.#wideLines.files, rows: this.#lines });
    return out.bytes.slice(0, out.at);
  }

  #section(id: number, end: number): void {
    const out = this.#out;
    if (id === SECTION.custom && !this.#isNameSection()) return;
    const functions = this.#functionTypes.length - this.#importedFunctions + this.#ownFunctions;
    if (id === SECTION.code && this.#wideLines.rows.length > 0) this.#hints = new CompilationHints(out, functions);
    out.reserve(16);
    out.byte(id);
    let bytes = 0;
    out.sized(() => {
      const start = out.at;
      this.#contents(id, end);
      bytes = out.at - start;
    });
    if (id !== SECTION.code) return;
    const rows = this.#written.map((row) => ({ ...row, address: out.at - bytes + row.address }));
    this.#lines = rows;
  }

  #contents(id: number, end: number): void {
    if (id === SECTION.type) this.#types(end);
    else if (id === SECTION.import) this.#each(() => this.#import());
    else if (id === SECTION.function) this.#functionSection();
    else if (id === SECTION.table) this.#each(() => this.#table());
    else if (id === SECTION.memory) this.#each(() => this.#limits(LARGEST.memory));
    else if (id === SECTION.tag) this.#each(() => this.#tag());
    else if (id === SECTION.global) this.#globals();
    else if (id === SECTION.export) this.#exports(end);
    else if (id === SECTION.element) this.#each(() => this.#element());
    else if (id === SECTION.code) this.#code();
    else if (id === SECTION.data) this.#each(() => this.#data());
    else this.#out.copy(this.#in.bytes, this.#in.at, end);
  }

  #isNameSection(): boolean {
    const start = this.#in.at;
    const name = this.#in.name();
    this.#in.at = start;
    return name === 'name';
  }

  /** Functions that stand behind the module's. */
  get #ownFunctions(): number {
    return this.#watched ? 3 : 2;
  }

  /** Names of globals that stand behind the module's. */
  get #ownGlobals(): readonly string[] {
    return [...(this.#counted ? [WORK] : []), ...(this.#watched ? [WATCH_START, WATCH_BYTES] : [])];
  }

  #each(write: () => unknown): void {
    this.#out.reserve(16);
    for (let left = this.#copyUnsigned(); left > 0; left--) {
      this.#out.reserve(64);
      write();
    }
  }

  #types(end: number): void {
    const reader = this.#in;
    const out = this.#out;
    const count = reader.unsigned();
    this.#firstOwnType = count;
    out.unsigned(count + (this.#watched ? 4 : 2));
    const start = reader.at;
    for (let i = 0; i < count; i++) {
      const form = reader.byte();
      if (form !== TYPE.function) throw new UnsupportedModule(`the host module contains a type of the form 0x${form.toString(16)}`);
      const parameters = reader.unsigned();
      this.#parameterCounts.push(parameters);
      reader.at += parameters;
      reader.skip(reader.unsigned());
    }
    out.copy(reader.bytes, start, end);
    out.reserve(16);
    for (const second of [TYPE.i64, TYPE.i32]) for (const byte of [TYPE.function, 3, TYPE.i64, second, TYPE.i64, 0]) out.byte(byte);
    if (!this.#watched) return;
    const { i32, i64, f32 } = TYPE;
    for (const byte of [TYPE.function, 4, i64, i32, i32, i32, 1, i64, TYPE.function, 4, i32, i32, i32, f32, 0]) out.byte(byte);
  }

  #import(): void {
    const reader = this.#in;
    const start = reader.at;
    reader.skip(reader.unsigned());
    reader.skip(reader.unsigned());
    const kind = reader.byte();
    this.#out.copy(reader.bytes, start, reader.at);
    this.#out.reserve(64);
    if (kind === EXTERNAL.function) {
      this.#functionTypes.push(this.#copyUnsigned());
      this.#importedFunctions++;
    } else if (kind === EXTERNAL.table) this.#table();
    else if (kind === EXTERNAL.memory) this.#limits(LARGEST.memory);
    else if (kind === EXTERNAL.tag) this.#tag();
    else if (kind === EXTERNAL.global) {
      this.#copyBytes(2);
      this.#constants.push(undefined);
    } else throw new UnsupportedModule(`the host module imports something of kind ${kind}`);
  }

  #functionSection(): void {
    const count = this.#in.unsigned();
    this.#out.reserve(5 * (count + 3));
    const own = this.#ownFunctions;
    this.#out.unsigned(count + own);
    for (let i = 0; i < count; i++) this.#functionTypes.push(this.#copyUnsigned());
    for (let i = 0; i < own; i++) this.#out.unsigned(this.#firstOwnType + i);
  }

  #table(): void {
    // An element type, or 0x40 0x00 before one with a first value for all elements.
    if (this.#in.bytes[this.#in.at] === 0x40) throw new UnsupportedModule('the host module has a table with an initial value');
    this.#copyBytes(1);
    this.#wideTables.push(this.#limits(LARGEST.table));
  }

  /** Whether they were 64 bits wide. */
  #limits(largest: number): boolean {
    const flags = this.#in.byte();
    if (flags & ~(LIMITS.maximum | LIMITS.shared | LIMITS.wide)) throw new UnsupportedModule(`the host module has limits of kind ${flags}`);
    this.#out.byte(flags & ~LIMITS.wide);
    this.#out.unsigned(Math.min(this.#in.unsigned(), largest));
    if (flags & LIMITS.maximum) this.#out.unsigned(Math.min(this.#in.unsigned(), largest));
    return (flags & LIMITS.wide) !== 0;
  }

  #tag(): void {
    this.#copyBytes(1);
    this.#copyUnsigned();
    // With one tag there is no doubt; the exports say which it is of several.
    this.#exceptionTag = this.#tags++ === 0 ? 0 : undefined;
  }

  #globals(): void {
    const count = this.#in.unsigned();
    this.#out.reserve(16);
    this.#out.unsigned(count + this.#ownGlobals.length);
    for (let left = count; left > 0; left--) {
      this.#out.reserve(64);
      this.#global();
    }
    this.#out.reserve(32);
    if (this.#counted) for (const byte of [TYPE.i64, 1, CODE.i64Const, 0, CODE.end]) this.#out.byte(byte);
    if (this.#watched) for (const byte of [0, 0].flatMap(() => [TYPE.i32, 1, CODE.i32Const, 0, CODE.end])) this.#out.byte(byte);
  }

  #global(): void {
    const type = this.#in.byte();
    const mutable = this.#in.byte() === 1 || this.#constants.length === this.#threadBase;
    this.#out.byte(type);
    this.#out.byte(mutable ? 1 : 0);
    const start = this.#in.at;
    const value = type === TYPE.i64 ? this.#constantExpression() : undefined;
    this.#constants.push(mutable ? undefined : value);
    if (value === undefined) {
      this.#in.at = start;
      this.#skipExpression();
      this.#out.copy(this.#in.bytes, start, this.#in.at);
      return;
    }
    this.#out.byte(CODE.i64Const);
    this.#out.signed64(value);
    this.#out.byte(CODE.end);
  }

  #exports(end: number): void {
    const reader = this.#in;
    const count = reader.unsigned();
    const start = reader.at;
    for (let left = count; left > 0; left--) {
      const name = reader.name();
      const kind = reader.byte();
      const index = reader.unsigned();
      if (kind === EXTERNAL.tag && name === EXCEPTION_TAG) this.#exceptionTag = index;
      if (kind === EXTERNAL.function) this.#functions.set(name, index);
    }
    const out = this.#out;
    out.reserve(5);
    const own = this.#ownGlobals;
    out.unsigned(count + own.length);
    out.copy(reader.bytes, start, end);
    own.forEach((name, index) => {
      out.reserve(64);
      out.unsigned(name.length);
      for (const byte of new TextEncoder().encode(name)) out.byte(byte);
      out.byte(EXTERNAL.global);
      out.unsigned(this.#constants.length + index);
    });
  }

  /** Bit 0 of the flags: not placed by itself; bit 1: into a table that is named, or only declared; bit 2: expressions, not functions. */
  #element(): void {
    const reader = this.#in;
    const flags = this.#copyUnsigned();
    if (flags & 4) throw new UnsupportedModule('the host module has elements that are expressions');
    if ((flags & 1) === 0) {
      const table = flags & 2 ? this.#copyUnsigned() : 0;
      this.#offset(this.#wideTables[table]);
    }
    if (flags & 3) this.#copyBytes(1);
    const count = this.#copyUnsigned();
    this.#out.reserve(5 * count);
    for (let i = 0; i < count; i++) this.#out.unsigned(reader.unsigned());
  }

  #data(): void {
    const flags = this.#copyUnsigned();
    if (flags > 2) throw new UnsupportedModule(`the host module has data of kind ${flags}`);
    if (flags === 2) this.#copyUnsigned();
    if (flags !== 1) this.#offset(true);
    const size = this.#copyUnsigned();
    this.#out.copy(this.#in.bytes, this.#in.at, this.#in.at + size);
    this.#in.at += size;
  }

  /** Where a segment goes. */
  #offset(wide: boolean): void {
    if (!wide) {
      const start = this.#in.at;
      this.#skipExpression();
      this.#out.copy(this.#in.bytes, start, this.#in.at);
      return;
    }
    const value = this.#constantExpression();
    if (value === undefined || value < 0n || value > 0xffffffffn) {
      throw new UnsupportedModule(`the host module has a segment at ${value === undefined ? 'an address that is not constant' : value}`);
    }
    this.#out.byte(CODE.i32Const);
    this.#out.signed32(Number(value));
    this.#out.byte(CODE.end);
  }

  /** The value of an expression of 64-bit constants, which Node 20 does not add up by itself; undefined for any other. */
  #constantExpression(): bigint | undefined {
    const stack: bigint[] = [];
    for (;;) {
      const code = this.#in.byte();
      if (code === CODE.end) return stack.pop();
      if (code === CODE.i64Const) stack.push(this.#in.signed64());
      else if (code === CODE.globalGet) {
        const value = this.#constants[this.#in.unsigned()];
        if (value === undefined) return undefined;
        stack.push(value);
      } else if (code === CODE.i64Add || code === CODE.i64Sub || code === CODE.i64Mul) {
        const right = stack.pop()!;
        const left = stack.pop()!;
        const value = code === CODE.i64Add ? left + right : code === CODE.i64Sub ? left - right : left * right;
        stack.push(BigInt.asIntN(64, value));
      } else return undefined;
    }
  }

  /** Past an expression of one constant. */
  #skipExpression(): void {
    const reader = this.#in;
    const code = reader.byte();
    if (code === CODE.f32Const) reader.at += 4;
    else if (code === CODE.f64Const) reader.at += 8;
    else reader.skipLeb();
    if (reader.byte() !== CODE.end) throw new UnsupportedModule('the host module has a constant expression of several terms');
  }

  #code(): void {
    const reader = this.#in;
    const lines = new LineMarks(this.#wideLines.rows, reader.at, this.#out.at);
    const count = reader.unsigned();
    const functions = this.#importedFunctions + count;
    if (this.#tags > 1 && this.#exceptionTag === undefined) {
      throw new UnsupportedModule(`the host module has ${this.#tags} tags and exports none of them as ${EXCEPTION_TAG}`);
    }
    this.#out.unsigned(count + this.#ownFunctions);
    const code = new CodeLowering(reader, this.#out, {
      constants: this.#constants,
      wideTables: this.#wideTables,
      exceptionTag: this.#exceptionTag,
      terminate: this.#functions.get(TERMINATE),
      beginCatch: this.#functions.get(BEGIN_CATCH),
      copyFunction: functions,
      fillFunction: functions + 1,
      noteFunction: this.#watched ? functions + 2 : undefined,
      workGlobal: this.#counted ? this.#constants.length : undefined,
      lines,
    });
    for (let i = 0; i < count; i++) {
      const body = code.body(this.#parameterCounts[this.#functionTypes[this.#importedFunctions + i]]);
      this.#hints?.consider(i, body);
    }
    this.#checkedFunction(COPY);
    this.#checkedFunction(FILL);
    if (this.#watched) this.#noteFunction();
    this.#written = lines.written;
  }

  /** The interval from a parameter on, of so many bytes as the last one says. */
  #noteRange(address: number, writes: number): void {
    const out = this.#out;
    const range = [CODE.localGet, address, CODE.i32Const, 0, CODE.localGet, 2, CODE.wrap, CODE.i32Const, writes, CODE.call];
    for (const byte of range) out.byte(byte);
    out.unsigned(this.#functionTypes.length + 2);
    out.byte(CODE.drop);
  }

  #checkedFunction({ addresses, instruction, notes }: CheckedFunction): void {
    const out = this.#out;
    out.reserve(128);
    out.sized(() => {
      out.byte(0);
      addresses.forEach((local, index) => {
        out.byte(CODE.localGet);
        out.byte(local);
        if (index > 0) out.byte(CODE.i64Or);
      });
      for (const byte of [CODE.i64Const, 32, CODE.i64ShrU, CODE.i64Eqz, CODE.i32Eqz, CODE.if, VOID]) out.byte(byte);
      for (const byte of ACCESS_OUT_OF_BOUNDS) out.byte(byte);
      out.byte(CODE.end);
      if (this.#watched) for (const [address, writes] of notes) this.#noteRange(address, writes);
      for (let local = 0; local < 3; local++) {
        out.byte(CODE.localGet);
        out.byte(local);
        if (addresses.includes(local)) out.byte(CODE.wrap);
      }
      for (const byte of instruction) out.byte(byte);
      if (this.#counted) this.#countBytes();
      out.byte(CODE.end);
    });
  }

  /** Rule of thumb: one core copies and fills a byte in the time of an operation. */
  #countBytes(): void {
    const out = this.#out;
    const work = this.#constants.length;
    out.byte(CODE.globalGet);
    out.unsigned(work);
    for (const byte of [CODE.localGet, 2, CODE.i64Add, CODE.globalSet]) out.byte(byte);
    out.unsigned(work);
  }

  /** (address, offset, bytes, writes): tells of an access in the interval, and gives the address back. */
  #noteFunction(): void {
    const out = this.#out;
    const start = this.#constants.length + (this.#counted ? 1 : 0);
    const bytes = start + 1;
    const at = 4;
    out.reserve(128);
    out.sized(() => {
      for (const byte of [1, 1, TYPE.i32]) out.byte(byte);
      for (const byte of [CODE.localGet, 0, CODE.wrap, CODE.localGet, 1, CODE.i32Add, CODE.localTee, at, CODE.globalGet]) out.byte(byte);
      out.unsigned(start);
      for (const byte of [CODE.i32Sub, CODE.globalGet]) out.byte(byte);
      out.unsigned(bytes);
      for (const byte of [CODE.i32LtU, CODE.if, VOID]) out.byte(byte);
      for (const local of [at, 2, 3]) for (const byte of [CODE.localGet, local]) out.byte(byte);
      for (const byte of [CODE.f32Const, 0, 0, 0, 0, CODE.i32Const, 0, CODE.callIndirect]) out.byte(byte);
      out.unsigned(this.#firstOwnType + 3);
      for (const byte of [0, CODE.end, CODE.localGet, 0, CODE.end]) out.byte(byte);
    });
  }

  #copyUnsigned(): number {
    const value = this.#in.unsigned();
    this.#out.unsigned(value);
    return value;
  }

  #copyBytes(count: number): void {
    for (let left = count; left > 0; left--) this.#out.byte(this.#in.byte());
  }
}

const VOID = 0x40;
/** A load behind all that a 32-bit memory can have: i32.const -1, i32.load8_u with the largest offset, drop. */
const ACCESS_OUT_OF_BOUNDS = [CODE.i32Const, 0x7f, CODE.i32Load8, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, CODE.drop];

interface CheckedFunction {
  /** Which of the three parameters are addresses or lengths. */
  readonly addresses: readonly number[];
  readonly instruction: readonly number[];
  /** Parameters that are the start of what is accessed, and 1 where it is written. */
  readonly notes: readonly (readonly [number, number])[];
}

const COPY: CheckedFunction = {
  addresses: [0, 1, 2],
  instruction: [0xfc, 10, 0, 0],
  notes: [
    [1, 0],
    [0, 1],
  ],
};
const FILL: CheckedFunction = { addresses: [0, 2], instruction: [0xfc, 11, 0], notes: [[0, 1]] };

/** Index of an exported global. The exports stand behind the globals. */
function exportedGlobal(module: Uint8Array, wanted: string): number | undefined {
  const reader = new ModuleReader(module);
  for (const { id } of sectionsOf(reader)) {
    for (let left = id === SECTION.export ? reader.unsigned() : 0; left > 0; left--) {
      const name = reader.name();
      const kind = reader.byte();
      const index = reader.unsigned();
      if (kind === EXTERNAL.global && name === wanted) return index;
    }
  }
  return undefined;
}
