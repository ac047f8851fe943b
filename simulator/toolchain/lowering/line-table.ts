/**
 * Which source line each piece of a linked host module is of, from DWARF 4's line table (dwarfstd.org, section 6.2), as Clang and wasm-ld
 * write it: addresses are bytes from the start of the code section's contents. `debug-lines.ts` keeps it in the module that runs.
 */
import { customSection, ModuleReader } from './module-bytes.ts';

/** From `address` up to the next row the code is of this line; of none where a function ends. */
export interface LineRow {
  readonly address: number;
  /** Index into the table's files. */
  readonly file: number;
  readonly line: number;
}

export interface LineRows {
  readonly files: readonly string[];
  /** By address. */
  readonly rows: readonly LineRow[];
}

const DEBUG_LINE = '.debug_line';
const SUPPORTED_VERSION = 4;

/** Nothing for a module without line tables, or with tables of another version. */
export function lineRows(module: Uint8Array): LineRows {
  const section = customSection(module, DEBUG_LINE);
  const files = new Map<string, number>();
  const rows: LineRow[] = [];
  for (let at = 0; section && at < section.length; ) {
    const unit = new Unit(section, at);
    if (unit.version === SUPPORTED_VERSION) unit.run(files, rows);
    at = unit.end;
  }
  // Where one function ends another begins.
  rows.sort((a, b) => a.address - b.address || Math.sign(a.line) - Math.sign(b.line));
  return { files: [...files.keys()], rows };
}

const STANDARD = { copy: 1, advancePc: 2, advanceLine: 3, setFile: 4, setColumn: 5, constAddPc: 8, fixedAdvancePc: 9 };
const EXTENDED = { endSequence: 1, setAddress: 2 };

/** The table of one object's unit: a program whose every step may write a row. */
class Unit {
  readonly version: number;
  readonly end: number;
  readonly #in: ModuleReader;
  readonly #program: number;
  readonly #minimumLength: number;
  readonly #lineBase: number;
  readonly #lineRange: number;
  readonly #opcodeBase: number;
  readonly #operandCounts: readonly number[];
  #address = 0;
  #file = 1;
  #line = 1;
  #dead = true;

  constructor(section: Uint8Array, at: number) {
    const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
    this.end = at + 4 + view.getUint32(at, true);
    this.version = view.getUint16(at + 4, true);
    this.#program = at + 10 + view.getUint32(at + 6, true);
    this.#minimumLength = section[at + 10];
    this.#lineBase = view.getInt8(at + 13);
    this.#lineRange = section[at + 14];
    this.#opcodeBase = section[at + 15];
    this.#operandCounts = [0, ...section.subarray(at + 16, at + 15 + this.#opcodeBase)];
    this.#in = new ModuleReader(section);
    this.#in.at = at + 15 + this.#opcodeBase;
  }

  run(files: Map<string, number>, rows: LineRow[]): void {
    const numbers = this.#fileNames().map((name) => {
      if (!files.has(name)) files.set(name, files.size);
      return files.get(name)!;
    });
    this.#in.at = this.#program;
    this.#restart();
    while (this.#in.at < this.end) {
      if (this.#step()) this.#write(numbers, rows);
    }
  }

  #write(numbers: readonly number[], rows: LineRow[]): void {
    if (!this.#dead) rows.push({ address: this.#address, file: numbers[this.#file - 1] ?? 0, line: this.#line });
    if (this.#ended) this.#restart();
  }

  #ended = false;

  #restart(): void {
    this.#address = 0;
    this.#file = 1;
    this.#line = 1;
    this.#dead = true;
    this.#ended = false;
  }

  /** By number less one. Directory 0 is the compiler's own. */
  #fileNames(): string[] {
    const folders = [''];
    for (let name = this.#text(); name !== ''; name = this.#text()) folders.push(name);
    const names: string[] = [];
    for (let name = this.#text(); name !== ''; name = this.#text()) {
      const folder = folders[this.#in.unsigned()];
      this.#in.unsigned();
      this.#in.unsigned();
      names.push(name.startsWith('/') || folder === '' ? name : `${folder}/${name}`);
    }
    return names;
  }

  #text(): string {
    const { bytes, at } = this.#in;
    const end = bytes.indexOf(0, at);
    this.#in.at = end + 1;
    return new TextDecoder().decode(bytes.subarray(at, end));
  }

  /** Executes the next operation; whether it writes a row. */
  #step(): boolean {
    const reader = this.#in;
    const code = reader.byte();
    if (code >= this.#opcodeBase) {
      const special = code - this.#opcodeBase;
      this.#advance(Math.floor(special / this.#lineRange));
      this.#line += this.#lineBase + (special % this.#lineRange);
      return true;
    }
    if (code === 0) return this.#extended();
    if (code === STANDARD.copy) return true;
    if (code === STANDARD.advancePc) this.#advance(reader.unsigned());
    else if (code === STANDARD.advanceLine) this.#line += Number(reader.signed64());
    else if (code === STANDARD.setFile) this.#file = reader.unsigned();
    else if (code === STANDARD.constAddPc) this.#advance(Math.floor((255 - this.#opcodeBase) / this.#lineRange));
    else if (code === STANDARD.fixedAdvancePc) this.#address += reader.byte() | (reader.byte() << 8);
    else for (let operands = this.#operandCounts[code]; operands > 0; operands--) reader.skipLeb();
    return false;
  }

  #extended(): boolean {
    const reader = this.#in;
    const size = reader.unsigned();
    const end = reader.at + size;
    const code = reader.byte();
    if (code === EXTENDED.setAddress) this.#setAddress(size - 1);
    reader.at = end;
    if (code !== EXTENDED.endSequence) return false;
    this.#line = 0;
    this.#ended = true;
    return true;
  }

  /** Functions that the linker left out are at 0, or at the largest addresses. */
  #setAddress(bytes: number): void {
    const { bytes: all, at } = this.#in;
    let address = 0;
    for (let i = bytes - 1; i >= 0; i--) address = address * 256 + all[at + i];
    this.#address = address;
    this.#dead = address === 0 || address >= 2 ** 32 - 2;
  }

  #advance(operations: number): void {
    this.#address += operations * this.#minimumLength;
  }
}
