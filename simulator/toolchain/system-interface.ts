/**
 * What Clang's WebAssembly component sees of the world: WASI preview 2 reduced to arguments, an error stream, a clock and files. Files
 * come from three places: memory (inputs and outputs of a run), the package (everything under `packageRoot`), and the user's disk, which
 * is read only where Clang asks for it. There is no network, no environment, and nothing is written to the disk.
 */
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fromVirtualPath, packageRoot } from './virtual-paths.ts';

/** Files of the package by virtual path, such as `/.lanewise/usr/include/stdio.h`. */
export interface PackageFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly folders: ReadonlySet<string>;
}

/** Larger source files are refused: nobody includes them on purpose. */
const largestSourceBytes = 32 << 20;

type Entry = { readonly kind: 'file'; readonly id: bigint; data: Uint8Array } | { readonly kind: 'folder'; readonly id: bigint };

export class ProgramExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** The file tree of one run. Paths are absolute with `/`; a name under the package root never reaches the disk. */
export class FileTree {
  readonly #package: PackageFiles;
  readonly #memory = new Map<string, Entry & { kind: 'file' }>();
  /** Clang looks a file's folder up before the file. */
  readonly #memoryFolders = new Set<string>();
  readonly #ids = new Map<string, bigint>();

  constructor(packageFiles: PackageFiles, memory: Iterable<readonly [string, Uint8Array]>) {
    this.#package = packageFiles;
    for (const [path, data] of memory) this.create(path).data = data;
  }

  create(path: string): Entry & { kind: 'file' } {
    const entry = { kind: 'file' as const, id: this.#id(path), data: new Uint8Array() };
    this.#memory.set(path, entry);
    this.#memoryFolders.add(path.slice(0, path.lastIndexOf('/')));
    return entry;
  }

  /** Undefined where there is nothing that a compiler could read: devices and pipes count as nothing. */
  find(path: string): Entry | undefined {
    const name = normalise(path);
    const inMemory = this.#memory.get(name);
    if (inMemory) return inMemory;
    if (name === '/' || name === packageRoot) return { kind: 'folder', id: this.#id(name) };
    if (name.startsWith(`${packageRoot}/`)) {
      const data = this.#package.files.get(name);
      if (data) return { kind: 'file', id: this.#id(name), data };
      return this.#package.folders.has(name) ? { kind: 'folder', id: this.#id(name) } : undefined;
    }
    return this.#onDisk(path) ?? (this.#memoryFolders.has(name) ? { kind: 'folder', id: this.#id(name) } : undefined);
  }

  remove(path: string): void {
    this.#memory.delete(normalise(path));
  }

  rename(from: string, to: string): void {
    const entry = this.#memory.get(normalise(from));
    if (!entry) throw 'no-entry';
    this.#memory.delete(normalise(from));
    this.#memory.set(normalise(to), entry);
  }

  read(path: string): Uint8Array | undefined {
    return this.#memory.get(path)?.data;
  }

  #onDisk(path: string): Entry | undefined {
    const real = fromVirtualPath(path);
    // A bigint inode, because Clang takes two files with one number for the same file (and numbers on Windows exceed 2^53).
    const status = statusOf(real);
    if (!status) return undefined;
    const id = this.#id(`inode ${status.dev} ${status.ino}`);
    if (status.isDirectory()) return { kind: 'folder', id };
    if (!status.isFile()) return undefined;
    if (status.size > BigInt(largestSourceBytes)) throw 'file-too-large';
    let data: Uint8Array | undefined;
    return {
      kind: 'file',
      id,
      get data() {
        data ??= contentsOf(real);
        return data;
      },
      set data(_value) {
        throw 'read-only';
      },
    };
  }

  #id(key: string): bigint {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = BigInt(this.#ids.size + 1);
    this.#ids.set(key, id);
    return id;
  }
}

/** Undefined also for a path that the system refuses to look at: too long, forbidden, with a nul byte from a binary file. */
function statusOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

function contentsOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    throw 'access';
  }
}

/** The imports of the component, in the shape that its generated JavaScript expects. */
export function systemInterface(args: readonly string[], tree: FileTree, writeError: (bytes: Uint8Array) => void) {
  const standardError = new CallbackStream(writeError);
  const standardInput = new InputStream(new Uint8Array(), 0);
  const root = new Descriptor(tree, '/', { kind: 'folder', id: 0n });
  return {
    monotonicClock: { now: () => BigInt(Math.floor(performance.now() * 1e6)) },
    wallClock: { now: () => ({ seconds: BigInt(Math.floor(Date.now() / 1000)), nanoseconds: (Date.now() % 1000) * 1_000_000 }) },
    random: { getRandomBytes: (length: bigint) => new Uint8Array(Number(length)) },
    io: { Error: StreamError, InputStream, OutputStream },
    cli: {
      exit(status: { tag: string }) {
        throw new ProgramExit(status.tag === 'ok' ? 0 : 1);
      },
      getEnvironment: () => [],
      getArguments: () => args,
      getStdin: () => standardInput,
      getStdout: () => standardError,
      getStderr: () => standardError,
      getTerminalStdin: () => undefined,
      getTerminalStdout: () => undefined,
      getTerminalStderr: () => undefined,
      TerminalInput: class {},
      TerminalOutput: class {},
    },
    fs: {
      Descriptor,
      DirectoryEntryStream,
      filesystemErrorCode: () => undefined,
      getDirectories: () => [[root, '/']],
    },
  };
}

class StreamError extends Error {}

class InputStream {
  readonly #data: Uint8Array;
  #offset: number;
  constructor(data: Uint8Array, offset: number) {
    this.#data = data;
    this.#offset = offset;
  }
  read(length: bigint): Uint8Array {
    if (this.#offset >= this.#data.length) throw { tag: 'closed' };
    const bytes = this.#data.subarray(this.#offset, this.#offset + Number(length));
    this.#offset += bytes.length;
    return bytes;
  }
  blockingRead(length: bigint): Uint8Array {
    return this.read(length);
  }
}

class OutputStream {
  checkWrite(): bigint {
    return 1n << 20n;
  }
  write(_bytes: Uint8Array): void {}
  flush(): void {}
  blockingFlush(): void {}
  blockingWriteAndFlush(bytes: Uint8Array): void {
    this.write(bytes);
  }
}

class CallbackStream extends OutputStream {
  readonly #callback: (bytes: Uint8Array) => void;
  constructor(callback: (bytes: Uint8Array) => void) {
    super();
    this.#callback = callback;
  }
  override write(bytes: Uint8Array): void {
    this.#callback(bytes);
  }
}

class FileOutput extends OutputStream {
  readonly #file: Entry & { kind: 'file' };
  #offset: number;
  constructor(file: Entry & { kind: 'file' }, offset: number) {
    super();
    this.#file = file;
    this.#offset = offset;
  }
  override write(bytes: Uint8Array): void {
    const end = this.#offset + bytes.length;
    this.#file.data = resized(this.#file.data, Math.max(end, this.#file.data.length));
    this.#file.data.set(bytes, this.#offset);
    this.#offset = end;
  }
}

class DirectoryEntryStream {
  readDirectoryEntry(): undefined {
    return undefined;
  }
}

class Descriptor {
  readonly #tree: FileTree;
  readonly #path: string;
  readonly #entry: Entry;
  constructor(tree: FileTree, path: string, entry: Entry) {
    this.#tree = tree;
    this.#path = path;
    this.#entry = entry;
  }
  getType(): string {
    return this.#entry.kind === 'folder' ? 'directory' : 'regular-file';
  }
  getFlags(): object {
    return {};
  }
  metadataHash(): { upper: bigint; lower: bigint } {
    return { upper: 0n, lower: this.#entry.id };
  }
  metadataHashAt(_flags: object, path: string): { upper: bigint; lower: bigint } {
    return { upper: 0n, lower: this.#existing(path).id };
  }
  stat(): object {
    return status(this.#entry);
  }
  statAt(_flags: object, path: string): object {
    return status(this.#existing(path));
  }
  openAt(
    _pathFlags: object,
    path: string,
    open: { create?: boolean; directory?: boolean; truncate?: boolean; exclusive?: boolean },
  ): Descriptor {
    const full = this.#child(path);
    const found = this.#tree.find(full);
    if (found && open.exclusive) throw 'exist';
    if (!found && !open.create) throw 'no-entry';
    const entry = !found || (open.truncate && found.kind === 'file') ? this.#tree.create(normalise(full)) : found;
    if (open.directory && entry.kind !== 'folder') throw 'not-directory';
    return new Descriptor(this.#tree, full, entry);
  }
  read(length: bigint, offset: bigint): [Uint8Array, boolean] {
    const { data } = this.#file();
    const end = Number(offset) + Number(length);
    return [data.subarray(Number(offset), end), end >= data.length];
  }
  readViaStream(offset: bigint): InputStream {
    return new InputStream(this.#file().data, Number(offset));
  }
  writeViaStream(offset: bigint): OutputStream {
    return new FileOutput(this.#file(), Number(offset));
  }
  appendViaStream(): OutputStream {
    return new FileOutput(this.#file(), this.#file().data.length);
  }
  setSize(size: bigint): void {
    const file = this.#file();
    file.data = resized(file.data, Number(size));
  }
  setTimes(): void {}
  readDirectory(): DirectoryEntryStream {
    return new DirectoryEntryStream();
  }
  createDirectoryAt(_path: string): void {
    throw 'read-only';
  }
  removeDirectoryAt(_path: string): void {
    throw 'read-only';
  }
  unlinkFileAt(path: string): void {
    this.#tree.remove(this.#child(path));
  }
  renameAt(path: string, target: Descriptor, newPath: string): void {
    this.#tree.rename(this.#child(path), target.#child(newPath));
  }
  readlinkAt(_path: string): string {
    throw 'invalid';
  }

  #child(path: string): string {
    if (path.startsWith('/')) return path;
    return this.#path === '/' ? `/${path}` : `${this.#path}/${path}`;
  }
  #existing(path: string): Entry {
    const entry = this.#tree.find(this.#child(path));
    if (!entry) throw 'no-entry';
    return entry;
  }
  #file(): Entry & { kind: 'file' } {
    if (this.#entry.kind === 'folder') throw 'is-directory';
    return this.#entry;
  }
}

function status(entry: Entry): object {
  return {
    type: entry.kind === 'folder' ? 'directory' : 'regular-file',
    linkCount: 1n,
    size: BigInt(entry.kind === 'folder' ? 0 : entry.data.length),
    // No times: precompiled headers stay valid wherever and whenever the package is installed.
    dataAccessTimestamp: undefined,
    dataModificationTimestamp: undefined,
    statusChangeTimestamp: undefined,
  };
}

/** `data` with the given length; grows geometrically, since outputs arrive a few kilobytes at a time. */
function resized(data: Uint8Array, length: number): Uint8Array {
  if (length <= data.length) return data.subarray(0, length);
  if (length <= data.buffer.byteLength && data.byteOffset === 0 && data.constructor === Uint8Array)
    return new Uint8Array(data.buffer, 0, length);
  const grown = new Uint8Array(new ArrayBuffer(Math.max(length, 2 * data.length, 1 << 16)), 0, length);
  grown.set(data);
  return grown;
}

/** Resolves `.`, `..` and doubled slashes by the text alone. */
function normalise(path: string): string {
  if (!path.includes('/.') && !path.includes('//')) return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return join('/', path)
    .replaceAll('\\', '/')
    .replace(/(.)\/$/, '$1');
}
