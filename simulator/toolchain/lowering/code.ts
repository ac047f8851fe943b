/**
 * Function bodies: every address and every table index is cut to 32 bits where it is used. Pointers stay i64 in locals, globals and
 * memory, so nothing else changes.
 */
import { AddressCutter, MOST_DECLARATION_BYTES, OTHER, PUSHES, PUSHES_I64_CONST } from './cut.ts';
import {
  FIRST_PREFIX,
  IMMEDIATES,
  type InstructionTable,
  instructionName,
  OPERANDS,
  PLAIN_INSTRUCTIONS,
  PREFIXED_INSTRUCTIONS,
} from './instructions.ts';
import type { LineRow } from './line-table.ts';
import { type ModuleReader, type ModuleWriter, UnsupportedModule } from './module-bytes.ts';
import { CODE } from './opcodes.ts';
import { MOST_WORK_BYTES, WorkCounter } from './work.ts';

/** What a body needs to know of its module. */
export interface CodeContext {
  /** Constant globals' values, which stand for `global.get`; undefined for the others. */
  readonly constants: readonly (bigint | undefined)[];
  /** By table: whether its indices are 64 bits wide. */
  readonly wideTables: readonly boolean[];
  /** The tag of C++ exceptions; undefined where the module has none. */
  readonly exceptionTag: number | undefined;
  /** std::terminate() and what takes an exception over; undefined where the module exports none. */
  readonly terminate: number | undefined;
  readonly beginCatch: number | undefined;
  /** Functions for memory.copy and memory.fill that trap for what 32 bits do not hold: cut lengths would do too little without a word. */
  readonly copyFunction: number;
  readonly fillFunction: number;
  /** Is told of each access, of its address, offset, size and whether it writes, and gives the address back. undefined for nobody. */
  readonly noteFunction: number | undefined;
  /** Global that counts what the program executes: see WorkCounter. undefined for a module without. */
  readonly workGlobal: number | undefined;
  readonly lines: LineMarks;
}

/** Notes where the code of each source line begins in what is written. */
export class LineMarks {
  readonly #rows: readonly LineRow[];
  readonly #inStart: number;
  readonly #outStart: number;
  /** Rows of what is written, with addresses from the start of its code section's contents. */
  readonly written: LineRow[] = [];
  #next = 0;
  /** Those of the body that is being written, whose place is not known yet. */
  #ofBody: LineRow[] = [];

  /** Where the contents of the code section start in what is read and in what is written. */
  constructor(rows: readonly LineRow[], inStart: number, outStart: number) {
    this.#rows = rows;
    this.#inStart = inStart;
    this.#outStart = outStart;
  }

  /** The instruction at `inAt` of what is read becomes what follows `codeBytes` bytes of the body's code. */
  at(inAt: number, codeBytes: number): void {
    const rows = this.#rows;
    if (this.#next === rows.length || rows[this.#next].address > inAt - this.#inStart) return;
    while (this.#next < rows.length && rows[this.#next].address <= inAt - this.#inStart) this.#next++;
    this.#ofBody.push({ ...rows[this.#next - 1], address: codeBytes });
  }

  /** Whether the body that is being written has lines: those of libraries have none. */
  get ofUser(): boolean {
    // A row of line 0 says that the lines before it have ended.
    return this.#ofBody.some(({ line }) => line > 0);
  }

  /** The body's code lies there now. */
  place(codeStart: number, codeEnd: number): void {
    if (this.#ofBody.length === 0) return;
    const first = codeStart - this.#outStart;
    for (const row of this.#ofBody) this.written.push({ ...row, address: first + row.address });
    this.written.push({ address: codeEnd - this.#outStart, file: 0, line: 0 });
    this.#ofBody = [];
  }
}

const TYPE_I64 = 0x7e;
/** By instruction, from the first load on. */
const FIRST_LOAD = 0x28;
const FIRST_STORE = 0x36;
const ACCESS_BYTES = [4, 8, 4, 8, 1, 1, 2, 2, 1, 1, 2, 2, 4, 4, 4, 8, 4, 8, 1, 2, 1, 2, 4];
const LARGEST_OFFSET = 0xffffffff;
/** A byte of code becomes at most this many: cut, and counted. */
const GROWTH = 12 + MOST_WORK_BYTES;

/** What was written. */
export interface Body {
  readonly isUsers: boolean;
  readonly hasLoop: boolean;
  readonly codeBytes: number;
}

export class CodeLowering {
  readonly #in: ModuleReader;
  readonly #out: ModuleWriter;
  readonly #context: CodeContext;
  readonly #cutter: AddressCutter;
  readonly #work: WorkCounter | undefined;
  #hasLoop = false;

  constructor(reader: ModuleReader, writer: ModuleWriter, context: CodeContext) {
    this.#in = reader;
    this.#out = writer;
    this.#context = context;
    this.#cutter = new AddressCutter(writer);
    this.#work = context.workGlobal === undefined ? undefined : new WorkCounter(writer, context.workGlobal);
  }

  /** Lowers the next body of the code section. */
  body(parameterCount: number): Body {
    const reader = this.#in;
    const out = this.#out;
    const size = reader.unsigned();
    const end = reader.at + size;
    out.reserve(GROWTH * size + 64);
    const groupCount = reader.unsigned();
    const groupsAt = reader.at;
    let locals = parameterCount;
    for (let i = 0; i < groupCount; i++) {
      locals += reader.unsigned();
      reader.at++;
    }
    const groupsEnd = reader.at;
    const cutter = this.#cutter;
    const { lines } = this.#context;
    let codeBytes = 0;
    this.#hasLoop = false;
    // The local that counts comes right behind the body's own.
    cutter.begin(locals + 1);
    // The declarations of locals come first but are known last: the code is moved up to them.
    out.sized(() => {
      const declarationsAt = out.at;
      out.at += 5 + (groupsEnd - groupsAt) + 2 + MOST_DECLARATION_BYTES;
      const codeAt = out.at;
      this.#work?.begin(locals);
      while (reader.at < end) {
        lines.at(reader.at, out.at - codeAt);
        this.#instruction();
      }
      this.#work?.end();
      const codeEnd = out.at;
      codeBytes = codeEnd - codeAt;
      out.at = declarationsAt;
      out.unsigned(groupCount + 1 + cutter.freshLocals);
      out.copy(reader.bytes, groupsAt, groupsEnd);
      out.byte(1);
      out.byte(TYPE_I64);
      cutter.declareLocals();
      out.bytes.copyWithin(out.at, codeAt, codeEnd);
      out.at += codeEnd - codeAt;
    });
    const { ofUser: isUsers } = lines;
    lines.place(out.at - codeBytes, out.at);
    if (reader.at !== end) throw new UnsupportedModule('a function of the host module ends inside an instruction');
    return { isUsers, hasLoop: this.#hasLoop, codeBytes };
  }

  #instruction(): void {
    const out = this.#out;
    const code = this.#in.bytes[this.#in.at++];
    // An index into a table is cut before the call that it is for.
    if (code !== CODE.callIndirect && code !== CODE.returnCallIndirect) this.#work?.before(code, this.#labelOf(code));
    const start = out.at;
    const layout = PLAIN_INSTRUCTIONS.immediates[code];
    let kind = OTHER;
    // The most frequent ones first.
    if (layout === IMMEDIATES.index) {
      out.byte(code);
      this.#copyUnsigned();
      if (code === CODE.localGet) kind = PUSHES;
    } else if (layout === IMMEDIATES.none) {
      out.byte(code);
    } else if (layout === IMMEDIATES.memory) {
      this.#access(PLAIN_INSTRUCTIONS, code, -1);
    } else if (layout === IMMEDIATES.prefix) {
      this.#prefixed(code);
    } else {
      kind = this.#rarer(code, layout);
    }
    this.#cutter.wrote(start, kind);
    this.#work?.after(code);
  }

  /** The label that comes next, of a branch. */
  #labelOf(code: number): number {
    if (code !== CODE.branch && code !== CODE.branchIf) return 0;
    const { at } = this.#in;
    const label = this.#in.unsigned();
    this.#in.at = at;
    return label;
  }

  /** Answers what the instruction does: OTHER, PUSHES ... */
  #rarer(code: number, layout: number): number {
    const reader = this.#in;
    const out = this.#out;
    switch (layout) {
      case IMMEDIATES.signed32:
        out.byte(code);
        this.#copySigned();
        return PUSHES;
      case IMMEDIATES.signed64:
        out.byte(code);
        this.#copySigned();
        return PUSHES_I64_CONST;
      case IMMEDIATES.bytes4:
      case IMMEDIATES.bytes8:
        out.byte(code);
        this.#copyBytes(layout === IMMEDIATES.bytes4 ? 4 : 8);
        return PUSHES;
      case IMMEDIATES.globalGet:
        return this.#globalGet(code);
      case IMMEDIATES.blockType:
        if (code === CODE.loop) this.#hasLoop = true;
        out.byte(code);
        this.#copySigned();
        return OTHER;
      case IMMEDIATES.heapType:
        out.byte(code);
        this.#copySigned();
        return OTHER;
      case IMMEDIATES.branchTable:
        out.byte(code);
        for (let left = this.#copyUnsigned() + 1; left > 0; left--) this.#copyUnsigned();
        return OTHER;
      case IMMEDIATES.selectTypes:
        out.byte(code);
        this.#copyBytes(this.#copyUnsigned());
        return OTHER;
      case IMMEDIATES.indirectCall: {
        const type = reader.unsigned();
        const table = reader.unsigned();
        if (this.#context.wideTables[table]) this.#cutter.cutTop();
        this.#work?.before(code, 0);
        out.byte(code);
        out.unsigned(type);
        out.unsigned(table);
        return OTHER;
      }
      case IMMEDIATES.table:
        this.#tableInstruction(PLAIN_INSTRUCTIONS, code, -1);
        return OTHER;
      case IMMEDIATES.catchAll:
        this.#catchAll();
        return OTHER;
      case IMMEDIATES.memorySize:
        this.#opcode(code, -1);
        this.#onlyMemory();
        out.byte(CODE.extendUnsigned);
        return OTHER;
      case IMMEDIATES.memoryGrow:
        this.#cutter.cutTop();
        this.#opcode(code, -1);
        this.#onlyMemory();
        out.byte(CODE.extendSigned);
        return OTHER;
    }
    throw new UnsupportedModule(`the host module contains the instruction ${instructionName(code)}`);
  }

  #prefixed(prefix: number): void {
    const sub = this.#in.unsigned();
    const table = PREFIXED_INSTRUCTIONS[prefix - FIRST_PREFIX];
    const layout = sub < table.immediates.length ? table.immediates[sub] : IMMEDIATES.unknown;
    switch (layout) {
      case IMMEDIATES.none:
        this.#opcode(prefix, sub);
        return;
      case IMMEDIATES.index:
        this.#opcode(prefix, sub);
        this.#copyUnsigned();
        return;
      case IMMEDIATES.lane:
      case IMMEDIATES.zeroByte:
        this.#opcode(prefix, sub);
        this.#copyBytes(1);
        return;
      case IMMEDIATES.bytes16:
        this.#opcode(prefix, sub);
        this.#copyBytes(16);
        return;
      case IMMEDIATES.memory:
        this.#access(table, prefix, sub);
        return;
      case IMMEDIATES.memoryLane:
        this.#access(table, prefix, sub);
        this.#copyBytes(1);
        return;
      case IMMEDIATES.memoryCopy:
        this.#in.at += 2;
        this.#call(this.#context.copyFunction);
        return;
      case IMMEDIATES.memoryFill:
        this.#in.at += 1;
        this.#call(this.#context.fillFunction);
        return;
      case IMMEDIATES.memoryInit:
        this.#cutter.cut(OPERANDS[table.operands[sub]]);
        this.#opcode(prefix, sub);
        this.#copyUnsigned();
        this.#onlyMemory();
        return;
      case IMMEDIATES.table:
      case IMMEDIATES.tableResult:
      case IMMEDIATES.tableCopy:
      case IMMEDIATES.tableInit:
        this.#tableInstruction(table, prefix, sub);
        return;
    }
    throw new UnsupportedModule(`the host module contains the instruction ${instructionName(prefix, sub)}`);
  }

  /** A load, store or atomic. */
  #access({ operands }: InstructionTable, code: number, sub: number): void {
    const align = this.#in.unsigned();
    if (align >= 0x40) throw new UnsupportedModule('the host module has several memories');
    let offset = this.#in.unsigned();
    const list = OPERANDS[operands[sub < 0 ? code : sub]];
    if (offset > LARGEST_OFFSET) {
      // Nothing lies there. The access is never reached, but its types are checked.
      this.#out.byte(CODE.unreachable);
      offset = 0;
    } else if (this.#context.noteFunction !== undefined && sub < 0) {
      this.#cutter.cut(list, () => this.#note(code, offset));
    } else if (list.length === 1) {
      this.#cutter.cutTop();
    } else if (list.length === 2 && this.#cutter.lastPushes) {
      this.#cutter.cutBelowLast();
    } else {
      this.#cutter.cut(list);
    }
    this.#opcode(code, sub);
    this.#out.unsigned(align);
    this.#out.unsigned(offset);
  }

  #note(code: number, offset: number): void {
    const out = this.#out;
    const writes = code >= FIRST_STORE;
    for (const value of [offset, ACCESS_BYTES[code - FIRST_LOAD], writes ? 1 : 0]) {
      out.byte(CODE.i32Const);
      out.signed32(value | 0);
    }
    this.#call(this.#context.noteFunction!);
  }

  #tableInstruction({ immediates, operands }: InstructionTable, code: number, sub: number): void {
    const layout = immediates[sub < 0 ? code : sub];
    const first = this.#in.unsigned();
    const two = layout === IMMEDIATES.tableCopy || layout === IMMEDIATES.tableInit;
    const second = two ? this.#in.unsigned() : first;
    const wide = this.#context.wideTables[second];
    if (layout === IMMEDIATES.tableCopy && this.#context.wideTables[first] !== wide) {
      throw new UnsupportedModule('the host module copies between tables of different widths');
    }
    if (wide) this.#cutter.cut(OPERANDS[operands[sub < 0 ? code : sub]]);
    this.#opcode(code, sub);
    this.#out.unsigned(first);
    if (two) this.#out.unsigned(second);
    if (wide && layout === IMMEDIATES.tableResult) this.#out.byte(CODE.extendSigned);
  }

  #globalGet(code: number): number {
    const out = this.#out;
    const index = this.#in.unsigned();
    const value = this.#context.constants[index];
    if (value === undefined) {
      out.byte(code);
      out.unsigned(index);
      return PUSHES;
    }
    out.byte(CODE.i64Const);
    out.signed64(value);
    return PUSHES_I64_CONST;
  }

  /**
   * Where the program cleans up, it may meet C++'s exceptions only: what the simulator throws to end it, at exit() or a fault, passes as
   * if the process were gone.
   */
  #catchAll(): void {
    const out = this.#out;
    const tag = this.#context.exceptionTag;
    if (tag === undefined) {
      out.byte(CODE.catchAll);
      out.byte(CODE.rethrow);
      out.byte(0);
      return;
    }
    out.byte(CODE.catch);
    out.unsigned(tag);
    // A function that must not throw ends the program: there the exception counts as caught, and can be asked for.
    const { beginCatch } = this.#context;
    if (beginCatch !== undefined && this.#terminates()) this.#call(beginCatch);
    out.byte(CODE.drop);
  }

  /** Whether std::terminate() is all that follows, behind what restores the stack. */
  #terminates(): boolean {
    const reader = this.#in;
    const start = reader.at;
    while (reader.bytes[reader.at] === CODE.localGet || reader.bytes[reader.at] === CODE.globalSet) {
      reader.at++;
      reader.skipLeb();
    }
    const found = reader.byte() === CODE.call && reader.unsigned() === this.#context.terminate;
    reader.at = start;
    return found;
  }

  #call(target: number): void {
    this.#out.byte(CODE.call);
    this.#out.unsigned(target);
  }

  #opcode(code: number, sub: number): void {
    this.#out.byte(code);
    if (sub >= 0) this.#out.unsigned(sub);
  }

  #onlyMemory(): void {
    if (this.#in.byte() !== 0) throw new UnsupportedModule('the host module has several memories');
    this.#out.byte(0);
  }

  #copyUnsigned(): number {
    const value = this.#in.unsigned();
    this.#out.unsigned(value);
    return value;
  }

  /** Relocated constants come padded; short ones are read faster. */
  #copySigned(): void {
    const { bytes } = this.#in;
    const out = this.#out;
    const start = out.at;
    let byte: number;
    do {
      byte = bytes[this.#in.at++];
      out.byte(byte);
    } while (byte >= 0x80);
    // A last byte that only repeats the sign of the one before says nothing.
    while (out.at > start + 1 && byte === (out.bytes[out.at - 2] & 0x40 ? 0x7f : 0)) {
      out.at--;
      byte = out.bytes[out.at - 1] &= 0x7f;
    }
  }

  #copyBytes(count: number): void {
    const { bytes } = this.#in;
    for (let left = count; left > 0; left--) this.#out.byte(bytes[this.#in.at++]);
  }
}
