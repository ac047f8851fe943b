/** Reading and writing the bytes of a WebAssembly module: no objects per instruction, one buffer that grows. */

/** A module that cannot be lowered, with what it contains. A bug of ours or a new compiler, never the user's program. */
export class UnsupportedModule extends Error {
  override readonly name = 'UnsupportedModule';
}

export class ModuleReader {
  at = 0;
  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    return this.bytes[this.at++];
  }

  /** An unsigned number in LEB128; exact below 2^53. */
  unsigned(): number {
    const first = this.bytes[this.at++];
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let factor = 0x80; ; factor *= 0x80) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** A signed number in LEB128 of up to 64 bits. */
  signed64(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, byte & 0x40 ? value - (1n << (shift + 7n)) : value);
    }
  }

  name(): string {
    const length = this.unsigned();
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(this.at - length, this.at));
  }

  skip(count: number): void {
    this.at += count;
  }

  skipLeb(): void {
    while (this.bytes[this.at++] >= 0x80);
  }
}

export interface Section {
  readonly id: number;
  /** Where its contents end. */
  readonly end: number;
}

/** Magic number and version. */
export const HEADER_BYTES = 8;

/** Each section of a module, with the reader at its contents. */
export function* sectionsOf(reader: ModuleReader): Generator<Section> {
  reader.at = HEADER_BYTES;
  while (reader.at < reader.bytes.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    const end = reader.at + size;
    yield { id, end };
    reader.at = end;
  }
}

export const CUSTOM_SECTION = 0;
const IMPORT_SECTION = 2;

/** Contents of a custom section. */
export function customSection(module: Uint8Array, wanted: string): Uint8Array | undefined {
  const reader = new ModuleReader(module);
  for (const { id, end } of sectionsOf(reader)) {
    if (id === CUSTOM_SECTION && reader.name() === wanted) return module.subarray(reader.at, end);
  }
  return undefined;
}

/** The names of what the module imports, among others' bytes. */
export function importText(module: Uint8Array): string {
  const reader = new ModuleReader(module);
  for (const { id, end } of sectionsOf(reader)) {
    if (id === IMPORT_SECTION) return new TextDecoder('latin1').decode(module.subarray(reader.at, end));
  }
  return '';
}

export class ModuleWriter {
  bytes: Uint8Array<ArrayBuffer>;
  at = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Room for `count` more bytes; the methods below do not look. */
  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const grown = new Uint8Array(2 * (this.at + count));
    grown.set(this.bytes.subarray(0, this.at));
    this.bytes = grown;
  }

  byte(value: number): void {
    this.bytes[this.at++] = value;
  }

  unsigned(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.at++] = rest;
  }

  /** A signed number of 32 bits. */
  signed32(value: number): void {
    let rest = value | 0;
    while (rest < -0x40 || rest >= 0x40) {
      this.bytes[this.at++] = (rest & 0x7f) | 0x80;
      rest >>= 7;
    }
    this.bytes[this.at++] = rest & 0x7f;
  }

  signed64(value: bigint): void {
    let rest = value;
    while (rest < -0x40n || rest >= 0x40n) {
      this.bytes[this.at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.bytes[this.at++] = Number(rest & 0x7fn);
  }

  copy(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    this.bytes.set(source.subarray(from, to), this.at);
    this.at += to - from;
  }

  /** Runs `write` and puts the number of bytes that it wrote before them. */
  sized(write: () => void): void {
    this.reserve(5);
    const place = this.at;
    this.at += 5;
    write();
    const end = this.at;
    const size = end - place - 5;
    this.at = place;
    this.unsigned(size);
    this.bytes.copyWithin(this.at, place + 5, end);
    this.at += size;
  }
}
