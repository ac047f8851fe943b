/**
 * The files of a host program: descriptors over the real file system. A program reads what its user can read, and writes below its
 * working directory, its own folder and the system's folder for temporary files only.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** WASI's error codes. */
export const ERRNO = {
  success: 0,
  access: 2,
  badf: 8,
  exist: 20,
  fault: 21,
  invalid: 28,
  io: 29,
  isdir: 31,
  noent: 44,
  nosys: 52,
  notdir: 54,
  notempty: 55,
  notcapable: 76,
  spipe: 70,
} as const;

export const FILETYPE = { unknown: 0, characterDevice: 2, directory: 3, regular: 4 } as const;

export class FileError extends Error {
  override readonly name = 'FileError';
  constructor(readonly errno: number) {
    super(`WASI error ${errno}`);
  }
}

interface OpenFile {
  readonly path: string;
  /** Undefined for a folder. */
  readonly handle?: number;
  readonly append: boolean;
  position: number;
  /** Of a folder that is open from the start. */
  readonly preopen?: string;
}

interface FileInfo {
  readonly type: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface OpenMode {
  /** 1 create, 2 directory, 4 exclusive, 8 truncate. */
  readonly openFlags: number;
  readonly reading: boolean;
  readonly writing: boolean;
  readonly append: boolean;
}

const FIRST_FD = 3;
/**
 * The folders that are open from the start: where absolute paths begin, and where relative ones do. The last one is what the C library
 * takes by itself where a program changes its working directory.
 */
export const PREOPENED = { root: FIRST_FD, workingDirectory: FIRST_FD + 1 } as const;

export class FileTable {
  readonly #open = new Map<number, OpenFile>();
  readonly #writable: readonly string[];

  constructor(workingDirectory: string, writable: readonly string[]) {
    this.#writable = writable;
    this.#preopen('/', resolve(workingDirectory, '/'));
    this.#preopen('.', workingDirectory);
  }

  preopenName(fd: number): string {
    const name = this.#open.get(fd)?.preopen;
    if (name === undefined) throw new FileError(ERRNO.badf);
    return name;
  }

  open(folder: number, path: string, mode: OpenMode): number {
    const full = this.#resolve(folder, path);
    return attempt(() => {
      const exists = statSync(full, { throwIfNoEntry: false });
      if (exists?.isDirectory()) {
        if (mode.writing) throw new FileError(ERRNO.isdir);
        return this.#add({ path: full, append: false, position: 0 });
      }
      if (exists && mode.openFlags & 2) throw new FileError(ERRNO.notdir);
      const creates = (mode.openFlags & 9) !== 0 || mode.writing;
      if (creates) this.#mayWrite(full);
      const handle = openSync(full, flagText(mode, exists !== undefined));
      return this.#add({ path: full, handle, append: mode.append, position: 0 });
    });
  }

  read(fd: number, into: Uint8Array, at?: number): number {
    const file = this.#file(fd);
    return attempt(() => {
      const count = readSync(file.handle!, into, 0, into.length, at ?? file.position);
      if (at === undefined) file.position += count;
      return count;
    });
  }

  write(fd: number, bytes: Uint8Array, at?: number): void {
    const file = this.#file(fd);
    attempt(() => {
      let done = 0;
      const start = at ?? (file.append ? fstatSync(file.handle!).size : file.position);
      while (done < bytes.length) done += writeSync(file.handle!, bytes, done, bytes.length - done, start + done);
      if (at === undefined) file.position = start + done;
    });
  }

  /** `whence`: 0 from the start, 1 from here, 2 from the end. */
  seek(fd: number, offset: number, whence: number): number {
    const file = this.#file(fd);
    const base = whence === 0 ? 0 : whence === 1 ? file.position : fstatSync(file.handle!).size;
    if (base + offset < 0) throw new FileError(ERRNO.invalid);
    file.position = base + offset;
    return file.position;
  }

  truncate(fd: number, sizeBytes: number): void {
    attempt(() => ftruncateSync(this.#file(fd).handle!, sizeBytes));
  }

  close(fd: number): void {
    if (fd < FIRST_FD) return;
    const file = this.#entry(fd);
    this.#open.delete(fd);
    if (file.handle !== undefined) attempt(() => closeSync(file.handle!));
  }

  renumber(from: number, to: number): void {
    const file = this.#entry(from);
    if (this.#open.has(to)) this.close(to);
    this.#open.delete(from);
    this.#open.set(to, file);
  }

  typeOf(fd: number): number {
    return this.#entry(fd).handle === undefined ? FILETYPE.directory : FILETYPE.regular;
  }

  stat(fd: number): FileInfo {
    return info(this.#entry(fd).path);
  }

  statPath(folder: number, path: string): FileInfo {
    return info(this.#resolve(folder, path));
  }

  createDirectory(folder: number, path: string): void {
    this.#change(folder, path, (full) => mkdirSync(full));
  }

  remove(folder: number, path: string): void {
    this.#change(folder, path, (full) => (statSync(full).isDirectory() ? rmdirSync(full) : rmSync(full)));
  }

  rename(folder: number, path: string, newFolder: number, newPath: string): void {
    const target = this.#resolve(newFolder, newPath);
    this.#mayWrite(target);
    this.#change(folder, path, (full) => renameSync(full, target));
  }

  /** Directory entries from number `first` on, in WASI's form, one piece of bytes each. */
  directoryEntries(fd: number, first: number): Uint8Array[] {
    const folder = this.#entry(fd);
    if (folder.handle !== undefined) throw new FileError(ERRNO.notdir);
    const entries = attempt(() => readdirSync(folder.path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.slice(first).map((entry, index) => {
      const name = new TextEncoder().encode(entry.name);
      const bytes = new Uint8Array(24 + name.length);
      const view = new DataView(bytes.buffer);
      view.setBigUint64(0, BigInt(first + index + 1), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, entry.isDirectory() ? FILETYPE.directory : FILETYPE.regular);
      bytes.set(name, 24);
      return bytes;
    });
  }

  #change(folder: number, path: string, change: (full: string) => void): void {
    const full = this.#resolve(folder, path);
    this.#mayWrite(full);
    attempt(() => change(full));
  }

  #mayWrite(path: string): void {
    if (!this.#writable.some((folder) => isInside(folder, path))) throw new FileError(ERRNO.notcapable);
  }

  #resolve(fd: number, path: string): string {
    return resolve(this.#entry(fd).path, path);
  }

  #entry(fd: number): OpenFile {
    const file = this.#open.get(fd);
    if (!file) throw new FileError(ERRNO.badf);
    return file;
  }

  #file(fd: number): OpenFile {
    const file = this.#entry(fd);
    if (file.handle === undefined) throw new FileError(ERRNO.isdir);
    return file;
  }

  #preopen(name: string, path: string): void {
    this.#add({ path, append: false, position: 0, preopen: name });
  }

  #add(file: OpenFile): number {
    let fd = FIRST_FD;
    while (this.#open.has(fd)) fd++;
    this.#open.set(fd, file);
    return fd;
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function flagText({ openFlags, reading, writing }: OpenMode, exists: boolean): string {
  const exclusive = openFlags & 4 ? 'x' : '';
  if (!writing && !(openFlags & 9)) return 'r';
  if (openFlags & 8) return `w${exclusive}${reading ? '+' : ''}`;
  if (openFlags & 1 && (!exists || exclusive)) return `w${exclusive}+`;
  return writing ? 'r+' : 'r';
}

function info(path: string): FileInfo {
  return attempt(() => {
    const stat = statSync(path);
    const type = stat.isDirectory() ? FILETYPE.directory : stat.isFile() ? FILETYPE.regular : FILETYPE.unknown;
    return { type, sizeBytes: stat.size, modifiedMs: stat.mtimeMs };
  });
}

const SYSTEM_ERRORS: Readonly<Record<string, number>> = {
  ENOENT: ERRNO.noent,
  EACCES: ERRNO.access,
  EPERM: ERRNO.access,
  EEXIST: ERRNO.exist,
  EISDIR: ERRNO.isdir,
  ENOTDIR: ERRNO.notdir,
  ENOTEMPTY: ERRNO.notempty,
  EINVAL: ERRNO.invalid,
};

function attempt<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(SYSTEM_ERRORS[(error as NodeJS.ErrnoException).code ?? ''] ?? ERRNO.io);
  }
}
