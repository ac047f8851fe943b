/**
 * What Clang's WebAssembly component sees of the world: WASI preview 2 reduced to arguments, an error stream, a clock and files. There is
 * no network and no environment.
 */
import { type Entry, type FileEntry, type FileTree, normalise, resized } from './file-tree.ts';
import { isZero } from './sparse-bytes.ts';

export class ProgramExit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

export interface SystemEvents {
  errorText(bytes: Uint8Array): void;
  askedTime(): void;
}

/** The imports of the component, in the shape that its generated JavaScript expects. */
export function systemInterface(args: readonly string[], tree: FileTree, events: SystemEvents) {
  const standardError = new CallbackStream(events.errorText);
  const standardInput = new InputStream(new Uint8Array(), 0);
  const root = new Descriptor(tree, '/', { kind: 'folder', id: 0n });
  return {
    monotonicClock: { now: () => BigInt(Math.floor(performance.now() * 1e6)) },
    wallClock: {
      now() {
        events.askedTime();
        const now = Date.now();
        return { seconds: BigInt(Math.floor(now / 1000)), nanoseconds: (now % 1000) * 1_000_000 };
      },
    },
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

/** Zeros in smaller pieces are written. */
const SPARE_BYTES = 256;

class FileOutput extends OutputStream {
  readonly #file: FileEntry;
  #offset: number;
  constructor(file: FileEntry, offset: number) {
    super();
    this.#file = file;
    this.#offset = offset;
  }
  override write(bytes: Uint8Array): void {
    const end = this.#offset + bytes.length;
    const fresh = this.#offset >= this.#file.data.buffer.byteLength;
    this.#file.data = resized(this.#file.data, Math.max(end, this.#file.data.length));
    // A buffer that has grown is zero behind its former end.
    if (!fresh || bytes.length < SPARE_BYTES || !isZero(bytes)) this.#file.data.set(bytes, this.#offset);
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
  #file(): FileEntry {
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
