/**
 * The file tree of one compiler run, from three places: memory (inputs and outputs), the package (everything under `packageRoot`) and the
 * user's disk, which is read only where Clang asks for it and may, and never written.
 */
import { paths } from '#platform';
import { LookupRecorder } from './lookups.ts';
import { asClangReads } from './nvcc-spellings.ts';
import type { ReadableFiles } from './readable-files.ts';
import { systemPlace } from './system-libraries.ts';
import { fromVirtualPath, packageRoot } from './virtual-paths.ts';

/** Files of the package by virtual path, such as `/.lanewise/usr/include/stdio.h`. */
export interface PackageFiles {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly folders: ReadonlySet<string>;
}

export type Entry = { readonly kind: 'file'; readonly id: bigint; data: Uint8Array } | { readonly kind: 'folder'; readonly id: bigint };
export type FileEntry = Entry & { readonly kind: 'file' };

/** The file tree of one run. Paths are absolute with `/`; a name under the package root never reaches the disk. */
export class FileTree {
  readonly #package: PackageFiles;
  readonly #memory = new Map<string, FileEntry>();
  /** Clang looks a file's folder up before the file. */
  readonly #memoryFolders = new Set<string>();
  readonly #ids = new Map<string, bigint>();
  readonly #readable: ReadableFiles;
  readonly lookups = new LookupRecorder();

  constructor(packageFiles: PackageFiles, memory: Iterable<readonly [string, Uint8Array]>, readable: ReadableFiles) {
    this.#package = packageFiles;
    this.#readable = readable;
    for (const [path, data] of memory) this.create(path).data = path.startsWith(packageRoot) ? data : asClangReads(data);
  }

  create(path: string): FileEntry {
    const entry: FileEntry = { kind: 'file', id: this.#id(path), data: new Uint8Array() };
    this.#memory.set(path, entry);
    this.#memoryFolders.add(path.slice(0, path.lastIndexOf('/')));
    return entry;
  }

  /** Undefined where there is nothing that a compiler could read: devices, pipes and what it may not read count as nothing. */
  find(path: string): Entry | undefined {
    const name = normalise(path);
    const inMemory = this.#memory.get(name);
    if (inMemory) return inMemory;
    if (name === '/' || name === packageRoot) return { kind: 'folder', id: this.#id(name) };
    if (name.startsWith(`${packageRoot}/`)) {
      const data = this.#package.files.get(name);
      if (data) return { kind: 'file', id: this.#id(name), data };
      const ofSystem = systemPlace(name);
      if (typeof ofSystem === 'object') return this.#onDisk(ofSystem.path);
      return ofSystem === 'folder' || this.#package.folders.has(name) ? { kind: 'folder', id: this.#id(name) } : undefined;
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
    const place = this.#readable.at(real);
    this.lookups.asked(real, place);
    if (!place) return undefined;
    if (place.kind === 'large file') throw 'file-too-large';
    const { kind } = place;
    const id = this.#id(place.identity);
    if (kind === 'folder') return { kind, id };
    const { lookups } = this;
    const readable = this.#readable;
    let data: Uint8Array | undefined;
    return {
      kind,
      id,
      get data() {
        if (!data) {
          const text = readable.text(real);
          lookups.read(real, text);
          data = text && asClangReads(text);
        }
        if (!data) throw 'access';
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

/** The standard has them since 2024, Node since 20. */
interface GrowableBuffer extends ArrayBuffer {
  readonly maxByteLength: number;
  resize(length: number): void;
}

const LARGE_BYTES = 1 << 24;
const MOST_BYTES = 1 << 30;

function growable(most: number): ArrayBuffer {
  return new (ArrayBuffer as new (length: number, options: object) => ArrayBuffer)(0, { maxByteLength: most });
}

function isGrowable(buffer: ArrayBufferLike): buffer is GrowableBuffer {
  return (buffer as { readonly resizable?: boolean }).resizable === true;
}

/** `data` with the given length; grows geometrically, since outputs arrive a few kilobytes at a time. */
export function resized(data: Uint8Array, length: number): Uint8Array {
  if (length <= data.length) return data.subarray(0, length);
  if (length <= data.buffer.byteLength && data.byteOffset === 0 && data.constructor === Uint8Array)
    return new Uint8Array(data.buffer, 0, length);
  if (isGrowable(data.buffer) && length <= data.buffer.maxByteLength) {
    data.buffer.resize(Math.max(length, data.buffer.byteLength));
    return new Uint8Array(data.buffer, 0, length);
  }
  // What comes in place of a large file is reserved at once, and real only where it is written to.
  const capacity =
    length > LARGE_BYTES ? growable(Math.max(MOST_BYTES, length)) : new ArrayBuffer(Math.max(length, 2 * data.length, 1 << 16));
  const grown = resized(new Uint8Array(capacity, 0, 0), length);
  grown.set(data);
  return grown;
}

/** Resolves `.`, `..` and doubled slashes by the text alone. */
export function normalise(path: string): string {
  if (!path.includes('/.') && !path.includes('//')) return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return paths
    .join('/', path)
    .replaceAll('\\', '/')
    .replace(/(.)\/$/, '$1');
}
