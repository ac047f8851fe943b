/**
 * Line tables of device code: what a cubin (ELF) says in `.debug_line` (DWARF 2 to 4) of the source lines of its instructions, with nvcc's
 * own opcode for inlined calls. Where there is no such table, as without -lineinfo, nothing is known of any instruction. Nothing here is
 * trusted: reading ends with a RangeError at the end of what is there.
 */

export interface SourcePlace {
  /** As it was compiled. */
  readonly file: string;
  readonly line: number;
}

/** Rows of a table: more are in no module whose kernels somebody profiles. */
const MOST_ROWS = 2_000_000;
/** Calls that are inlined by each other. */
const MOST_CALLS = 64;

export class CubinLines {
  private readonly symbols: readonly ElfSymbol[];
  private readonly sections: ReadonlyMap<number, readonly Sequence[]>;

  constructor(cubin: Uint8Array) {
    const elf = new Elf(cubin);
    this.symbols = elf.symbols();
    this.sections = sequencesOf(elf, this.symbols);
  }

  /** The section of a function's code, and where it begins if the function was loaded at that address. */
  sectionOf(symbol: number, address: number): { readonly section: number; readonly base: number } | undefined {
    const found = this.symbols[symbol];
    return found && { section: found.section, base: address - found.value };
  }

  /** The line of an instruction, innermost first: the calls that it is inlined by follow. Empty where nothing is known. */
  places(section: number, offset: number): readonly SourcePlace[] {
    const sequences = this.sections.get(section) ?? [];
    const sequence = sequences[behind(sequences, offset, ({ start }) => start) - 1];
    return sequence && offset < sequence.end ? placesIn(sequence, offset) : [];
  }
}

/** How many of a sorted list are not above a number. */
function behind<T>(sorted: readonly T[], number: number, of: (each: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of(sorted[middle]) <= number) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface ElfSection {
  /** Of its name in the table of names. */
  readonly name: number;
  readonly offset: number;
  readonly bytes: number;
}

interface ElfSymbol {
  readonly section: number;
  readonly value: number;
}

/** 64 bits, little endian, as all cubins are. */
class Elf {
  private readonly file: Uint8Array;
  private readonly sections: readonly ElfSection[];
  private readonly names: Bytes;

  constructor(file: Uint8Array) {
    this.file = file;
    const header = new Bytes(file);
    if (header.u32() !== 0x464c457f || header.u16() !== 0x0102) throw new RangeError('no ELF of 64 bits');
    const [table, size, count, names] = [header.at(0x28).u64(), header.at(0x3a).u16(), header.at(0x3c).u16(), header.at(0x3e).u16()];
    const entry = (index: number) => header.at(table + index * size);
    const place = (index: number) => ({ offset: entry(index).skip(24).u64(), bytes: header.u64() });
    this.names = this.part(place(names));
    this.sections = Array.from({ length: count }, (_, index) => ({ name: entry(index).u32(), ...place(index) }));
  }

  /** Undefined where there is none of that name. */
  section(name: string): Bytes | undefined {
    const found = this.sections.find((each) => this.names.at(each.name).isText(name));
    return found && this.part(found);
  }

  symbols(): ElfSymbol[] {
    const table = this.section('.symtab');
    const symbols: ElfSymbol[] = [];
    while (table && !table.atEnd) {
      const section = table.skip(6).u16();
      symbols.push({ section, value: table.u64() });
      table.skip(8);
    }
    return symbols;
  }

  /** By the place in the table of lines that an address stands at. */
  relocations(): ReadonlyMap<number, { readonly symbol: number; readonly addend: number }> {
    const table = this.section('.rela.debug_line');
    const relocations = new Map<number, { readonly symbol: number; readonly addend: number }>();
    while (table && !table.atEnd) {
      const place = table.u64();
      const symbol = table.skip(4).u32();
      relocations.set(place, { symbol, addend: table.u64() });
    }
    return relocations;
  }

  private part({ offset, bytes }: Pick<ElfSection, 'offset' | 'bytes'>): Bytes {
    if (!(offset + bytes <= this.file.length)) throw new RangeError('a section is cut off');
    return new Bytes(this.file.subarray(offset, offset + bytes));
  }
}

/** Instructions that follow each other. */
interface Sequence {
  readonly start: number;
  readonly end: number;
  /** By address. */
  readonly rows: readonly Row[];
}

interface Row {
  readonly address: number;
  readonly file: string;
  readonly line: number;
  /** Row of the call that it is inlined by, from 1; 0 where it is not. */
  readonly call: number;
}

/** By section: addresses are relative to it. */
function sequencesOf(elf: Elf, symbols: readonly ElfSymbol[]): ReadonlyMap<number, readonly Sequence[]> {
  const table = elf.section('.debug_line');
  const sequences = new Map<number, Sequence[]>();
  if (!table) return sequences;
  const relocations = elf.relocations();
  let rows = 0;
  const add = (place: number, sequence: Sequence) => {
    const { symbol, addend } = relocations.get(place) ?? { symbol: -1, addend: 0 };
    const found = symbols[symbol];
    rows += sequence.rows.length;
    if (rows > MOST_ROWS) throw new RangeError('too many rows');
    if (!found) return;
    const moved = found.value + addend;
    const own = sequences.get(found.section) ?? [];
    sequences.set(found.section, own);
    const { start, end, rows: all } = sequence;
    own.push({ start: start + moved, end: end + moved, rows: all.map((row) => ({ ...row, address: row.address + moved })) });
  };
  while (!table.atEnd) readUnit(table, add);
  for (const own of sequences.values()) own.sort((a, b) => a.start - b.start);
  return sequences;
}

const SET_ADDRESS = 2;
const END_OF_SEQUENCE = 1;
/** nvcc's: the row of the call in this sequence, and where the callee's name stands in `.debug_str`. */
const INLINED_CALL = 0x90;

/** What DWARF's section 6.2 calls a line number program. */
function readUnit(table: Bytes, add: (place: number, sequence: Sequence) => void): void {
  const end = table.u32() + table.position;
  const version = table.u16();
  if (version < 2 || version > 4) {
    table.at(end);
    return;
  }
  const program = table.u32() + table.position;
  const step = table.u8();
  if (version === 4) table.skip(1);
  const [lineBase, lineRange, opcodeBase] = [table.skip(1).i8(), table.u8(), table.u8()];
  if (lineRange === 0) throw new RangeError('no range of lines');
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => table.u8());
  const files = fileNames(table);
  // Each byte is read once.
  if (table.position > program || program > end) throw new RangeError('a header is longer than it says');
  table.at(program);

  let [address, file, line, call, place] = [0, 1, 1, 0, -1];
  let rows: Row[] = [];
  const row = () => {
    if (rows.length === MOST_ROWS) throw new RangeError('too many rows');
    rows.push({ address, file: files[file] ?? '', line, call });
  };
  while (table.position < end) {
    const opcode = table.u8();
    if (opcode >= opcodeBase) {
      const special = opcode - opcodeBase;
      address += step * Math.floor(special / lineRange);
      line += lineBase + (special % lineRange);
      row();
    } else if (opcode === 0) {
      const next = table.uleb() + table.position;
      const extended = table.u8();
      if (extended === SET_ADDRESS) {
        place = table.position;
        address = table.u64();
      } else if (extended === INLINED_CALL) {
        call = table.uleb();
      } else if (extended === END_OF_SEQUENCE) {
        add(place, { start: rows[0]?.address ?? address, end: address, rows });
        [address, file, line, call, place] = [0, 1, 1, 0, -1];
        rows = [];
      }
      table.at(next);
    } else if (opcode === 1) row();
    else if (opcode === 2) address += step * table.uleb();
    else if (opcode === 3) line += table.sleb();
    else if (opcode === 4) file = table.uleb();
    else if (opcode === 8) address += step * Math.floor((255 - opcodeBase) / lineRange);
    else if (opcode === 9) address += table.u16();
    else for (let operand = 0; operand < operands[opcode - 1]; operand++) table.uleb();
  }
}

/** From 1. */
function fileNames(table: Bytes): readonly string[] {
  const folders = [''];
  for (let folder = table.text(); folder !== ''; folder = table.text()) folders.push(folder);
  const files = [''];
  for (let name = table.text(); name !== ''; name = table.text()) {
    const folder = folders[table.uleb()] ?? '';
    table.uleb();
    table.uleb();
    files.push(folder === '' || /^([\\/]|\w:)/.test(name) ? name : `${folder}/${name}`);
  }
  return files;
}

/** Of rows with one address the last says what the instruction is, those before it what calls it. */
function placesIn({ rows }: Sequence, offset: number): SourcePlace[] {
  const places: SourcePlace[] = [];
  for (let at = behind(rows, offset, ({ address }) => address); at > 0 && places.length < MOST_CALLS; ) {
    const { file, line, call } = rows[at - 1];
    places.push({ file, line });
    // Calls stand before what they call.
    at = call < at ? call : 0;
  }
  return places;
}

/** Little endian. */
class Bytes {
  position = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  at(position: number): this {
    if (!(position <= this.bytes.length)) throw new RangeError('a table is cut off');
    this.position = position;
    return this;
  }

  skip(bytes: number): this {
    return this.at(this.position + bytes);
  }

  u8(): number {
    return this.view.getUint8(this.taken(1));
  }

  i8(): number {
    return this.view.getInt8(this.taken(1));
  }

  u16(): number {
    return this.view.getUint16(this.taken(2), true);
  }

  u32(): number {
    return this.view.getUint32(this.taken(4), true);
  }

  /** Exact below 2^53, which all that is read here is. */
  u64(): number {
    return this.u32() + 0x1_0000_0000 * this.u32();
  }

  uleb(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.u8();
      value += factor * (byte & 0x7f);
      if (byte < 128) return value;
    }
  }

  sleb(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.u8();
      value += factor * (byte & 0x7f);
      if (byte < 128) return byte & 0x40 ? value - 128 * factor : value;
    }
  }

  text(): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0) throw new RangeError('a text has no end');
    const text = new TextDecoder().decode(this.bytes.subarray(this.position, end));
    this.position = end + 1;
    return text;
  }

  isText(text: string): boolean {
    const here = this.bytes.subarray(this.position, this.position + text.length + 1);
    return here.length > text.length && here[text.length] === 0 && [...text].every((each, index) => here[index] === each.charCodeAt(0));
  }

  private taken(bytes: number): number {
    this.skip(bytes);
    return this.position - bytes;
  }
}
