/**
 * The file tree of one compiler run, from three places: memory (inputs and outputs), the package (everything under `packageRoot`) and the
 * user's disk, which is read only where Clang asks for it and never written.
 */
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LookupRecorder } from './lookups.ts';
import { joinSplitLaunches } from './split-launches.ts';
import { fromVirtualPath, packageRoot } from './virtual-paths.ts';

/** Files of the package by virtual path, such as `/.lanewise/usr/include/stdio.h`. */
export interface PackageFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly folders: ReadonlySet<string>;
}

/** Larger source files are refused: nobody includes them on purpose. */
const largestSourceBytes = 32 << 20;

export type Entry = { readonly kind: 'file'; readonly id: bigint; data: Uint8Array } | { readonly kind: 'folder'; readonly id: bigint };
export type FileEntry = Entry & { readonly kind: 'file' };

/** The file tree of one run. Paths are absolute with `/`; a name under the package root never reaches the disk. */
export class FileTree {
  readonly #package: PackageFiles;
  readonly #memory = new Map<string, FileEntry>();
  /** Clang looks a file's folder up before the file. */
  readonly #memoryFolders = new Set<string>();
  readonly #ids = new Map<string, bigint>();
  readonly lookups = new LookupRecorder();

  constructor(packageFiles: PackageFiles, memory: Iterable<readonly [string, Uint8Array]>) {
    this.#package = packageFiles;
    for (const [path, data] of memory) this.create(path).data = path.startsWith(packageRoot) ? data : joinSplitLaunches(data);
  }

  create(path: string): FileEntry {
    const entry: FileEntry = { kind: 'file', id: this.#id(path), data: new Uint8Array() };
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
    const kind = status?.isDirectory() ? 'folder' : status?.isFile() ? 'file' : undefined;
    if (!status || !kind) {
      this.lookups.foundNothing(real);
      return undefined;
    }
    const inode = `inode ${status.dev} ${status.ino}`;
    const id = this.#id(inode);
    this.lookups.found(real, kind, inode);
    if (kind === 'folder') return { kind, id };
    if (status.size > BigInt(largestSourceBytes)) throw 'file-too-large';
    let data: Uint8Array | undefined;
    const { lookups } = this;
    return {
      kind,
      id,
      get data() {
        if (!data) {
          const contents = contentsOf(real);
          lookups.read(real, contents);
          data = joinSplitLaunches(contents);
        }
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

/** `data` with the given length; grows geometrically, since outputs arrive a few kilobytes at a time. */
export function resized(data: Uint8Array, length: number): Uint8Array {
  if (length <= data.length) return data.subarray(0, length);
  if (length <= data.buffer.byteLength && data.byteOffset === 0 && data.constructor === Uint8Array)
    return new Uint8Array(data.buffer, 0, length);
  const grown = new Uint8Array(new ArrayBuffer(Math.max(length, 2 * data.length, 1 << 16)), 0, length);
  grown.set(data);
  return grown;
}

/** Resolves `.`, `..` and doubled slashes by the text alone. */
export function normalise(path: string): string {
  if (!path.includes('/.') && !path.includes('//')) return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return join('/', path)
    .replaceAll('\\', '/')
    .replace(/(.)\/$/, '$1');
}
