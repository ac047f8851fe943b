/**
 * The types of what a host module imports, exports and has in its table. JavaScript passes i64 values as bigints and cannot ask a
 * function for its type, so the module's own sections are read.
 */
import { ModuleReader, sectionsOf } from '../toolchain/lowering/module-bytes.ts';

type ValueKind = 'i32' | 'i64' | 'f32' | 'f64' | 'other';

export interface HostSignature {
  readonly parameters: readonly ValueKind[];
  readonly result: ValueKind | undefined;
}

export interface HostImport {
  readonly module: string;
  readonly name: string;
  readonly signature: HostSignature;
}

export interface HostSignatures {
  readonly imports: readonly HostImport[];
  readonly exports: ReadonlyMap<string, HostSignature>;
  /** By number in the program's table; undefined where it has no function. */
  readonly table: readonly (HostSignature | undefined)[];
}

const KINDS: Readonly<Record<number, ValueKind>> = { 127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64' };
const SECTION = { type: 1, import: 2, function: 3, export: 7, element: 9 };
const FUNCTION = 0;

/** `module`: linked and lowered. A host module imports functions only, and has one table. */
export function readSignatures(module: Uint8Array): HostSignatures {
  const reader = new ModuleReader(module);
  const types: HostSignature[] = [];
  const functions: HostSignature[] = [];
  const imports: HostImport[] = [];
  const exports = new Map<string, HostSignature>();
  const table: HostSignature[] = [];
  const sections: Readonly<Record<number, () => void>> = {
    [SECTION.type]: () => types.push(readType(reader)),
    [SECTION.import]: () => {
      const from = reader.name();
      const name = reader.name();
      if (reader.byte() !== FUNCTION) throw new Error(`the host module imports ${from}.${name}, which is no function`);
      const signature = types[reader.unsigned()];
      imports.push({ module: from, name, signature });
      functions.push(signature);
    },
    [SECTION.function]: () => functions.push(types[reader.unsigned()]),
    [SECTION.export]: () => {
      const name = reader.name();
      const kind = reader.byte();
      const index = reader.unsigned();
      if (kind === FUNCTION) exports.set(name, functions[index]);
    },
    [SECTION.element]: () => readElements(reader, (slot, index) => (table[slot] = functions[index])),
  };
  for (const { id } of sectionsOf(reader)) {
    const entry = sections[id];
    if (entry) for (let left = reader.unsigned(); left > 0; left--) entry();
  }
  return { imports, exports, table };
}

function readType(reader: ModuleReader): HostSignature {
  reader.byte();
  const kinds = () => Array.from({ length: reader.unsigned() }, () => KINDS[reader.byte()] ?? 'other');
  const parameters = kinds();
  return { parameters, result: kinds()[0] };
}

/** Elements of functions: placed at a constant, or only declared (bit 0 of the flags). */
function readElements(reader: ModuleReader, place: (slot: number, index: number) => void): void {
  const flags = reader.unsigned();
  if (flags & 2 && !(flags & 1)) reader.unsigned();
  let first = 0;
  if (!(flags & 1)) {
    reader.byte();
    first = Number(reader.signed64());
    reader.byte();
  }
  if (flags & 3) reader.byte();
  const count = reader.unsigned();
  for (let i = 0; i < count; i++) {
    const index = reader.unsigned();
    if (!(flags & 1)) place(first + i, index);
  }
}

type Raw = number | bigint;

/** A function of ours as the program calls it: it gets numbers, unsigned of 32 bits and signed of 64, and its result gets the right type. */
export function importable(
  { parameters, result }: HostSignature,
  call: (...args: number[]) => number | undefined,
): (...args: Raw[]) => Raw {
  return (...raw) => {
    const args = raw.map((value, index) => (parameters[index] === 'i32' ? (value as number) >>> 0 : Number(value)));
    const value = call(...args) ?? 0;
    return result === 'i64' ? BigInt(value) : value;
  };
}

/** A function of the program as we call it: any number goes in, and a number comes out, 0 where it gives nothing. */
export function callable({ parameters }: HostSignature, target: (...args: Raw[]) => Raw | undefined): (...args: Raw[]) => number {
  return (...args) => Number(target(...args.map((value, index) => (parameters[index] === 'i64' ? BigInt(value) : Number(value)))) ?? 0);
}
