/**
 * A buffer between Clang and the files that it writes. LLVM's streams ask the system for a block's size and do without a buffer where it
 * has none to offer, as here: the text of a module would be written a word at a time, each through the whole of WASI, which was
 * two fifths of what LLVM's passes took. Every other call that touches files writes out what waits first, so the order of events stays.
 */

/** WASI preview 1, as Clang's module imports it: integers in, an error number out. */
type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;
type Write = (file: number, vectors: number, count: number, written: number) => number;

/** They have nothing to do with files. */
const APART = new Set(['args_get', 'args_sizes_get', 'clock_time_get', 'environ_get', 'environ_sizes_get', 'random_get']);
/** Standard input, output and error. */
const LAST_STANDARD_FILE = 2;
const PAGE_BYTES = 65536;
/** At the start of the page: one pair of address and length, and the number of bytes written. */
const HEAD_BYTES = 16;
const CAPACITY = PAGE_BYTES - HEAD_BYTES;

/**
 * `calls` with a buffer before `fd_write`. `memory` is asked for when the first call is made. What is written to standard output and error
 * goes to `said`, in pieces of a few bytes, whose memory is Clang's.
 */
export function withWriteBuffer(calls: Calls, memory: () => WebAssembly.Memory, said: (piece: Uint8Array) => void): Calls {
  const buffer = new WriteBuffer(calls.fd_write as Write, memory, said);
  const flushing = Object.entries(calls).map(([name, call]) => {
    if (APART.has(name)) return [name, call] as const;
    return [name, (...args: never[]) => buffer.flush() || call(...args)] as const;
  });
  const write: Write = (file, vectors, count, written) => buffer.write(file, vectors, count, written);
  return { ...Object.fromEntries(flushing), fd_write: write };
}

class WriteBuffer {
  readonly #write: Write;
  readonly #memoryOf: () => WebAssembly.Memory;
  readonly #said: (piece: Uint8Array) => void;
  #memory: WebAssembly.Memory | undefined;
  #bytes = new Uint8Array(0);
  #words = new DataView(this.#bytes.buffer);
  /** Address of a page of Clang's memory, which the system's own call reads from. */
  #page = 0;
  #file = -1;
  #length = 0;

  constructor(write: Write, memory: () => WebAssembly.Memory, said: (piece: Uint8Array) => void) {
    this.#write = write;
    this.#memoryOf = memory;
    this.#said = said;
  }

  write(file: number, vectors: number, count: number, written: number): number {
    this.#look();
    let bytes = 0;
    for (let i = 0; i < count; i++) bytes += this.#words.getUint32(vectors + 8 * i + 4, true);
    if (file <= LAST_STANDARD_FILE) {
      this.#say(vectors, count);
      return this.#written(bytes, written);
    }
    if (file !== this.#file || this.#length + bytes > CAPACITY) {
      const error = this.flush();
      if (error) return error;
    }
    if (bytes > CAPACITY) return this.#write(file, vectors, count, written);
    this.#reserve();
    this.#file = file;
    for (let i = 0; i < count; i++)
      this.#append(this.#words.getUint32(vectors + 8 * i, true), this.#words.getUint32(vectors + 8 * i + 4, true));
    return this.#written(bytes, written);
  }

  /** Writes out what waits; an error number, 0 for none. */
  flush(): number {
    const [vector, written] = [this.#page, this.#page + 8];
    let from = this.#page + HEAD_BYTES;
    const end = from + this.#length;
    this.#length = 0;
    while (from < end) {
      this.#look();
      this.#words.setUint32(vector, from, true);
      this.#words.setUint32(vector + 4, end - from, true);
      const error = this.#write(this.#file, vector, 1, written);
      if (error) return error;
      this.#look();
      from += this.#words.getUint32(written, true);
    }
    return 0;
  }

  #say(vectors: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const from = this.#words.getUint32(vectors + 8 * i, true);
      this.#said(this.#bytes.subarray(from, from + this.#words.getUint32(vectors + 8 * i + 4, true)));
    }
  }

  #written(bytes: number, at: number): number {
    this.#words.setUint32(at, bytes, true);
    return 0;
  }

  #append(from: number, length: number): void {
    const to = this.#page + HEAD_BYTES + this.#length;
    this.#bytes.copyWithin(to, from, from + length);
    this.#length += length;
  }

  /** By the time of its first write to a file Clang's allocator has begun, and leaves alone what it has not asked for. */
  #reserve(): void {
    if (this.#page > 0) return;
    this.#page = this.#memory!.grow(1) * PAGE_BYTES;
    this.#look();
  }

  /** The memory, which moves when it grows. */
  #look(): void {
    this.#memory ??= this.#memoryOf();
    if (this.#bytes.buffer === this.#memory.buffer) return;
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#words = new DataView(this.#memory.buffer);
  }
}
