/**
 * Files that Clang opens to read, straight from the file tree into Clang's memory. Otherwise they would go through a component that copies
 * them twice and knows 128 open files at most: Clang leaves each header open that it need not read, because a precompiled header has it,
 * and a program that includes a few more of the standard library could not be compiled. What is written, and whatever fails in
 * an unusual way, goes through the component.
 */
import { type Entry, type FileEntry, type FileTree, normalise } from './file-tree.ts';

/** WASI preview 1, as Clang's module imports it: integers in, an error number out. */
type Calls = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Of WASI: types of files, flags, rights, error numbers, where one seeks from. */
const FOLDER = 3;
const REGULAR_FILE = 4;
const FLAGS_OF_OTHERS = 1 | 2 | 4 | 8;
const RIGHT_TO_WRITE = 1n << 6n;
const RIGHTS_OF_READERS = (1n << 1n) | (1n << 2n) | (1n << 5n) | (1n << 21n);
const DONE = 0;
const NO_ENTRY = 44;
const INVALID = 28;
const ERRORS: Readonly<Record<string, number>> = { access: 2, 'is-directory': 31, 'file-too-large': 22 };
const BAD_IO = 29;
const FROM_START = 0;
const FROM_HERE = 1;
const FROM_END = 2;

/** The folder that Clang finds open, which is the root. */
const ROOT = 3;
/** The component's own numbers are smaller. */
const FIRST = 1 << 16;

interface OpenedFile {
  readonly entry: FileEntry;
  position: number;
}

/** `memory` is asked for when the first call is made. */
export function withOpenedFiles(calls: Calls, memory: () => WebAssembly.Memory, tree: FileTree): Calls {
  return { ...calls, ...new OpenedFiles(calls, memory, tree).calls() };
}

class OpenedFiles {
  readonly #system: Record<string, (...args: unknown[]) => unknown>;
  readonly #memory: () => WebAssembly.Memory;
  readonly #tree: FileTree;
  readonly #opened = new Map<number, OpenedFile>();
  #next = FIRST;

  constructor(system: Calls, memory: () => WebAssembly.Memory, tree: FileTree) {
    this.#system = system as Record<string, (...args: unknown[]) => unknown>;
    this.#memory = memory;
    this.#tree = tree;
  }

  calls(): Calls {
    return {
      path_open: (...args: Parameters<OpenedFiles['open']>) => this.open(...args),
      path_filestat_get: (...args: Parameters<OpenedFiles['status']>) => this.status(...args),
      fd_filestat_get: this.#of('fd_filestat_get', ({ entry }, at: number) => this.#writeStatus(entry, at)),
      fd_fdstat_get: this.#of('fd_fdstat_get', (_file, at: number) => this.#writeRights(at)),
      fd_pread: this.#of('fd_pread', ({ entry }, vectors: number, count: number, from: bigint, at: number) => {
        this.#words().setUint32(at, this.#read(entry, vectors, count, Number(from)), true);
        return DONE;
      }),
      fd_read: this.#of('fd_read', (file, vectors: number, count: number, at: number) => {
        const bytes = this.#read(file.entry, vectors, count, file.position);
        file.position += bytes;
        this.#words().setUint32(at, bytes, true);
        return DONE;
      }),
      fd_seek: this.#of('fd_seek', (file, by: bigint, from: number, at: number) => this.#seek(file, Number(by), from, at)),
      fd_close: (number: number) => (this.#opened.delete(number) ? DONE : this.#system.fd_close(number)),
    };
  }

  open(
    folder: number,
    lookup: number,
    path: number,
    length: number,
    flags: number,
    rights: bigint,
    inherited: bigint,
    state: number,
    at: number,
  ): unknown {
    const pass = () => this.#system.path_open(folder, lookup, path, length, flags, rights, inherited, state, at);
    if (folder !== ROOT || flags & FLAGS_OF_OTHERS || rights & RIGHT_TO_WRITE) return pass();
    return guarded(() => {
      const entry = this.#find(path, length);
      if (!entry) return NO_ENTRY;
      if (entry.kind !== 'file') return pass();
      this.#opened.set(this.#next, { entry, position: 0 });
      this.#words().setUint32(at, this.#next++, true);
      return DONE;
    });
  }

  status(folder: number, lookup: number, path: number, length: number, at: number): unknown {
    if (folder !== ROOT) return this.#system.path_filestat_get(folder, lookup, path, length, at);
    return guarded(() => {
      const entry = this.#find(path, length);
      return entry ? this.#writeStatus(entry, at) : NO_ENTRY;
    });
  }

  /** A call for an open file, or the system's where it is none of these. */
  #of<Args extends unknown[]>(name: string, action: (file: OpenedFile, ...args: Args) => number) {
    return (number: number, ...args: Args): unknown => {
      const file = this.#opened.get(number);
      if (!file) return this.#system[name](number, ...args);
      return guarded(() => action(file, ...args));
    };
  }

  #find(path: number, length: number): Entry | undefined {
    const name = new TextDecoder().decode(new Uint8Array(this.#memory().buffer, path, length));
    return this.#tree.find(normalise(name.startsWith('/') ? name : `/${name}`));
  }

  #read({ data }: FileEntry, vectors: number, count: number, from: number): number {
    const bytes = new Uint8Array(this.#memory().buffer);
    const words = this.#words();
    let position = from;
    for (let i = 0; i < count && position < data.length; i++) {
      const room = words.getUint32(vectors + 8 * i + 4, true);
      const piece = data.subarray(position, position + room);
      bytes.set(piece, words.getUint32(vectors + 8 * i, true));
      position += piece.length;
    }
    return Math.max(0, position - from);
  }

  #seek(file: OpenedFile, by: number, from: number, at: number): number {
    const starts: Readonly<Record<number, number>> = {
      [FROM_START]: 0,
      [FROM_HERE]: file.position,
      [FROM_END]: file.entry.data.length,
    };
    const position = starts[from] + by;
    if (!(position >= 0)) return INVALID;
    file.position = position;
    this.#words().setBigUint64(at, BigInt(position), true);
    return DONE;
  }

  /** Without times, as the system interface has it. */
  #writeStatus(entry: Entry, at: number): number {
    const words = this.#words();
    const size = entry.kind === 'folder' ? 0 : entry.data.length;
    new Uint8Array(this.#memory().buffer, at, 64).fill(0);
    words.setBigUint64(at, 1n, true);
    words.setBigUint64(at + 8, entry.id, true);
    words.setUint8(at + 16, entry.kind === 'folder' ? FOLDER : REGULAR_FILE);
    words.setBigUint64(at + 24, 1n, true);
    words.setBigUint64(at + 32, BigInt(size), true);
    return DONE;
  }

  #writeRights(at: number): number {
    new Uint8Array(this.#memory().buffer, at, 24).fill(0);
    this.#words().setUint8(at, REGULAR_FILE);
    this.#words().setBigUint64(at + 8, RIGHTS_OF_READERS, true);
    return DONE;
  }

  #words(): DataView {
    return new DataView(this.#memory().buffer);
  }
}

/** The file tree throws what is wrong as a word. */
function guarded(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    if (typeof error !== 'string') throw error;
    return ERRORS[error] ?? BAD_IO;
  }
}
