/**
 * A small WebAssembly encoder: a module is functions, imports and exports; a function body is written instruction by instruction by
 * name. It checks names and local types only: V8's validator is the judge of the rest.
 */
import { LANE_OPCODES, MEMORY_OPCODES, SIMPLE_OPCODES, unsignedLeb } from './wasm-opcodes.ts';

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';
export interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

const TYPE_CODE: Readonly<Record<ValueType, number>> = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** Body of one function. Emitting methods return the builder, so that short sequences read as one line. */
export class FunctionBuilder {
  readonly index: number;
  readonly name: string;
  readonly signature: Signature;
  readonly #locals: ValueType[] = [];
  readonly #free = new Map<ValueType, number[]>();
  readonly #code: number[] = [];
  #depth = 0;

  constructor(index: number, name: string, signature: Signature) {
    this.index = index;
    this.name = name;
    this.signature = signature;
  }

  /** Number of open blocks: a branch to the block that was opened at depth d goes to label `depth - d`. */
  get depth(): number {
    return this.#depth;
  }

  get sizeBytes(): number {
    return this.#code.length;
  }

  /** A local variable, perhaps one that `release` gave back: its first value is then arbitrary. */
  local(type: ValueType): number {
    const reused = this.#free.get(type)?.pop();
    if (reused !== undefined) return reused;
    this.#locals.push(type);
    return this.signature.parameters.length + this.#locals.length - 1;
  }

  release(type: ValueType, local: number): void {
    const list = this.#free.get(type);
    if (list) list.push(local);
    else this.#free.set(type, [local]);
  }

  op(...names: string[]): this {
    for (const name of names) {
      const bytes = SIMPLE_OPCODES.get(name);
      if (!bytes) throw new Error(`unknown WebAssembly instruction ${name}`);
      this.#push(bytes);
      if (name === 'end') this.#depth--;
    }
    return this;
  }

  get(local: number): this {
    return this.#with([0x20], local);
  }

  set(local: number): this {
    return this.#with([0x21], local);
  }

  tee(local: number): this {
    return this.#with([0x22], local);
  }

  i32(value: number): this {
    this.#code.push(0x41);
    let rest = value | 0;
    for (;;) {
      const low = rest & 0x7f;
      rest >>= 7;
      if ((rest === 0 && low < 0x40) || (rest === -1 && low >= 0x40)) {
        this.#code.push(low);
        return this;
      }
      this.#code.push(low | 0x80);
    }
  }

  i64(value: bigint): this {
    this.#code.push(0x42);
    this.#push(signedLeb(BigInt.asIntN(64, value)));
    return this;
  }

  f32(bits: number): this {
    this.#code.push(0x43, bits & 255, (bits >>> 8) & 255, (bits >>> 16) & 255, bits >>> 24);
    return this;
  }

  f64(bits: bigint): this {
    this.#code.push(0x44);
    for (let i = 0n; i < 8n; i++) this.#code.push(Number((bits >> (8n * i)) & 255n));
    return this;
  }

  /** A vector of four 32-bit words. */
  v128(words: readonly [number, number, number, number]): this {
    this.#code.push(0xfd, 12);
    for (const word of words) this.#code.push(word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24);
    return this;
  }

  /** Bytes of a ++ b by number. */
  shuffle(bytes: readonly number[]): this {
    this.#code.push(0xfd, 13, ...bytes);
    return this;
  }

  lane(name: string, lane: number): this {
    const bytes = LANE_OPCODES.get(name);
    if (!bytes) throw new Error(`unknown WebAssembly lane instruction ${name}`);
    this.#push(bytes);
    this.#code.push(lane);
    return this;
  }

  /** A load, store or atomic. Atomics must be aligned to their size; for the others the alignment is only a hint. */
  mem(name: string, offset: number): this {
    const entry = MEMORY_OPCODES.get(name);
    if (!entry) throw new Error(`unknown WebAssembly memory instruction ${name}`);
    this.#push(entry.bytes);
    this.#code.push(name.includes('atomic') ? entry.log2Bytes : 0);
    this.#push(unsignedLeb(offset));
    return this;
  }

  memoryFill(): this {
    this.#code.push(0xfc, 11, 0);
    return this;
  }

  memoryCopy(): this {
    this.#code.push(0xfc, 10, 0, 0);
    return this;
  }

  call(target: { readonly index: number }): this {
    return this.#with([0x10], target.index);
  }

  block(type?: ValueType): this {
    return this.#open(0x02, type);
  }

  loop(type?: ValueType): this {
    return this.#open(0x03, type);
  }

  if(type?: ValueType): this {
    return this.#open(0x04, type);
  }

  else(): this {
    return this.op('else');
  }

  end(): this {
    return this.op('end');
  }

  /** Branches to the block opened when `depth` had the given value (before the opening). */
  br(depthBefore: number): this {
    return this.#with([0x0c], this.#depth - depthBefore - 1);
  }

  brIf(depthBefore: number): this {
    return this.#with([0x0d], this.#depth - depthBefore - 1);
  }

  brTable(depthsBefore: readonly number[], defaultDepthBefore: number): this {
    this.#with([0x0e], depthsBefore.length);
    for (const depth of [...depthsBefore, defaultDepthBefore]) this.#push(unsignedLeb(this.#depth - depth - 1));
    return this;
  }

  /** The body with its local declarations, in pieces. */
  encode(): readonly (readonly number[])[] {
    const groups: [number, ValueType][] = [];
    for (const type of this.#locals) {
      const last = groups.at(-1);
      if (last && last[1] === type) last[0]++;
      else groups.push([1, type]);
    }
    return [vector(groups.map(([count, type]) => [...unsignedLeb(count), TYPE_CODE[type]])), this.#code, [0x0b]];
  }

  #open(code: number, type?: ValueType): this {
    this.#code.push(code, type ? TYPE_CODE[type] : 0x40);
    this.#depth++;
    return this;
  }

  #with(bytes: readonly number[], operand: number): this {
    this.#push(bytes);
    this.#push(unsignedLeb(operand));
    return this;
  }

  #push(bytes: readonly number[]): void {
    for (const byte of bytes) this.#code.push(byte);
  }
}

/** A module that imports one shared memory and host functions. Imports must be declared before functions. */
export class ModuleBuilder {
  readonly #types: string[] = [];
  readonly #typeBytes: number[][] = [];
  readonly #imports: { readonly name: string; readonly type: number }[] = [];
  readonly #functions: FunctionBuilder[] = [];
  readonly #exports: { readonly name: string; readonly index: number }[] = [];

  importFunction(name: string, signature: Signature): { readonly index: number } {
    if (this.#functions.length > 0) throw new Error('imports must be declared before functions');
    this.#imports.push({ name, type: this.#type(signature) });
    return { index: this.#imports.length - 1 };
  }

  function(name: string, signature: Signature): FunctionBuilder {
    const builder = new FunctionBuilder(this.#imports.length + this.#functions.length, name, signature);
    this.#functions.push(builder);
    return builder;
  }

  export(builder: FunctionBuilder, name = builder.name): void {
    this.#exports.push({ name, index: builder.index });
  }

  /** Bytes of the module: imports are `host.memory` (shared, up to 4 GB) and `host.<function>`. */
  encode(): Uint8Array<ArrayBuffer> {
    const functionTypes = this.#functions.map((f) => this.#type(f.signature));
    const memory = [...text('host'), ...text('memory'), 0x02, 0x03, ...unsignedLeb(1), ...unsignedLeb(65536)];
    const imports = this.#imports.map((i) => [...text('host'), ...text(i.name), 0x00, ...unsignedLeb(i.type)]);
    const names = vector(this.#functions.map((f) => [...unsignedLeb(f.index), ...text(f.name)]));
    return joined([
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, [vector(this.#typeBytes)]),
      ...section(2, [vector([...imports, memory])]),
      ...section(3, [vector(functionTypes.map((t) => unsignedLeb(t)))]),
      ...section(7, [vector(this.#exports.map((f) => [...text(f.name), 0x00, ...unsignedLeb(f.index)]))]),
      ...section(10, [unsignedLeb(this.#functions.length), ...this.#functions.flatMap((f) => sized(f.encode()))]),
      ...section(0, [text('name'), [1], ...sized([names])]),
    ]);
  }

  #type(signature: Signature): number {
    const bytes = [
      0x60,
      ...vector(signature.parameters.map((t) => [TYPE_CODE[t]])),
      ...vector(signature.results.map((t) => [TYPE_CODE[t]])),
    ];
    const key = bytes.join();
    const known = this.#types.indexOf(key);
    if (known >= 0) return known;
    this.#types.push(key);
    this.#typeBytes.push(bytes);
    return this.#types.length - 1;
  }
}

function signedLeb(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = Number(rest & 127n);
    rest >>= 7n;
    if ((rest === 0n && !(low & 0x40)) || (rest === -1n && low & 0x40)) {
      bytes.push(low);
      return bytes;
    }
    bytes.push(low | 0x80);
  }
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...unsignedLeb(bytes.length), ...bytes];
}

function concat(parts: readonly (readonly number[])[]): number[] {
  const all: number[] = [];
  for (const part of parts) for (const byte of part) all.push(byte);
  return all;
}

function vector(items: readonly (readonly number[])[]): number[] {
  return concat([unsignedLeb(items.length), ...items]);
}

/** Parts behind the number of their bytes. */
function sized(parts: readonly (readonly number[])[]): (readonly number[])[] {
  return [unsignedLeb(parts.reduce((sum, part) => sum + part.length, 0)), ...parts];
}

function section(id: number, parts: readonly (readonly number[])[]): (readonly number[])[] {
  return [[id], ...sized(parts)];
}

function joined(parts: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
