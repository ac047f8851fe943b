/**
 * The program's files: descriptors, the working directory, and what may be written. A program reads what the user can read, and writes
 * below the folders that are given to it only.
 */
import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fromVirtualPath, toVirtualPath } from '../../toolchain/virtual-paths.ts';
import { attempt, ERRNO, LinuxError } from './errors.ts';
import { device, type FileStatus, folder, type OpenFile, regularFile, statusOf, stream } from './open-files.ts';

/** Flags of open() on x86_64 (asm-generic/fcntl.h). */
export const OPEN = {
  accessMode: 3,
  writeOnly: 1,
  create: 0o100,
  exclusive: 0o200,
  truncate: 0o1000,
  append: 0o2000,
  folder: 0o200000,
  noFollow: 0o400000,
} as const;
/** Stands for the working directory where a folder's descriptor is asked for. */
const AT_WORKING_DIRECTORY = -100;
const MOST_DESCRIPTORS = 1024;
const LINK_DEPTH_EXCEEDED = ERRNO.loop;

export interface FilesOptions {
  /** Folder that relative paths refer to, at first. */
  readonly workingDirectory: string;
  /** Folders below which the program may write; elsewhere it may only read. */
  readonly writable: readonly string[];
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
  /** Fills with the program's random numbers. */
  random(into: Uint8Array): void;
}

interface Descriptor {
  readonly file: OpenFile;
  closesOnExec: boolean;
}

export class Files {
  readonly #descriptors = new Map<number, Descriptor>();
  readonly #options: FilesOptions;
  #workingDirectory: string;
  /** Permissions that new files do not get. */
  mask = 0o022;

  constructor(options: FilesOptions) {
    this.#options = options;
    this.#workingDirectory = options.workingDirectory;
    const closesOnExec = false;
    this.#descriptors.set(0, { file: stream(0, () => {}), closesOnExec });
    this.#descriptors.set(1, { file: stream(1, options.stdout), closesOnExec });
    this.#descriptors.set(2, { file: stream(1, options.stderr), closesOnExec });
  }

  get workingDirectory(): string {
    return toVirtualPath(this.#workingDirectory);
  }

  changeWorkingDirectory(path: string): void {
    const full = this.#resolve(AT_WORKING_DIRECTORY, path);
    if (!attempt(() => statSync(full)).isDirectory()) throw new LinuxError(ERRNO.notdir);
    this.#workingDirectory = full;
  }

  /** The file behind a descriptor. */
  file(fd: number): OpenFile {
    return this.descriptor(fd).file;
  }

  descriptor(fd: number): Descriptor {
    const found = this.#descriptors.get(fd);
    if (!found) throw new LinuxError(ERRNO.badf);
    return found;
  }

  open(at: number, path: string, flags: number, permissions: number): number {
    return this.add(this.#opened(at, path, flags, permissions));
  }

  #opened(at: number, path: string, flags: number, permissions: number): OpenFile {
    const special = this.#device(path, flags);
    if (special) return special;
    const full = this.#resolve(at, path);
    const status = attempt(() => statSync(full, { throwIfNoEntry: false }));
    const creates = (flags & OPEN.create) !== 0;
    const writes = (flags & OPEN.accessMode) !== 0 || (flags & OPEN.truncate) !== 0;
    if (status && creates && flags & OPEN.exclusive) throw new LinuxError(ERRNO.exist);
    if (flags & OPEN.noFollow && attempt(() => lstatSync(full, { throwIfNoEntry: false }))?.isSymbolicLink()) {
      throw new LinuxError(LINK_DEPTH_EXCEEDED);
    }
    if (status?.isDirectory()) {
      if (writes || creates) throw new LinuxError(ERRNO.isdir);
      return folder(full, flags);
    }
    if (status && flags & OPEN.folder) throw new LinuxError(ERRNO.notdir);
    if (!status && !creates) throw new LinuxError(ERRNO.noent);
    if (writes || !status) this.#mayWrite(full);
    const handle = attempt(() => openSync(full, nodeFlags(flags), permissions & ~this.mask));
    return regularFile(full, handle, flags & (OPEN.accessMode | OPEN.append));
  }

  #device(path: string, flags: number): OpenFile | undefined {
    if (path === '/dev/null') return device(flags & OPEN.accessMode);
    if (path === '/dev/zero') return device(flags & OPEN.accessMode, (into) => into.fill(0));
    if (path === '/dev/urandom' || path === '/dev/random') return device(flags & OPEN.accessMode, this.#options.random);
    if (path === '/dev/tty') throw new LinuxError(ERRNO.nxio);
    const copied = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 }[path];
    return copied === undefined ? undefined : this.file(copied);
  }

  /** A descriptor for the file: the lowest that is free from `from` on. */
  add(file: OpenFile, from = 0): number {
    let fd = from;
    while (this.#descriptors.has(fd)) fd++;
    if (fd >= MOST_DESCRIPTORS) throw new LinuxError(ERRNO.mfile);
    this.#descriptors.set(fd, { file, closesOnExec: false });
    return fd;
  }

  duplicateTo(from: number, to: number): number {
    const file = this.file(from);
    if (to < 0 || to >= MOST_DESCRIPTORS) throw new LinuxError(ERRNO.badf);
    if (from === to) return to;
    if (this.#descriptors.has(to)) this.close(to);
    this.#descriptors.set(to, { file, closesOnExec: false });
    return to;
  }

  close(fd: number): void {
    const { file } = this.descriptor(fd);
    this.#descriptors.delete(fd);
    if (![...this.#descriptors.values()].some((other) => other.file === file)) file.close();
  }

  status(at: number, path: string, follow: boolean): FileStatus {
    const special = path.startsWith('/dev/') ? this.#device(path, 0) : undefined;
    if (special) return special.status();
    const full = this.#resolve(at, path);
    return attempt(() => statusOf(follow ? statSync(full) : lstatSync(full)));
  }

  /** Fails unless the program may do this to the file: 0 it is there, 1 execute, 2 write, 4 read. */
  checkAccess(at: number, path: string, mode: number): void {
    const { permissions } = this.status(at, path, true);
    if (mode & 2 && !path.startsWith('/dev/')) this.#mayWrite(this.#resolve(at, path));
    if (mode & 1 && (permissions & 0o111) === 0) throw new LinuxError(ERRNO.acces);
  }

  createFolder(at: number, path: string, permissions: number): void {
    this.#change(at, path, (full) => mkdirSync(full, permissions & ~this.mask));
  }

  removeFolder(at: number, path: string): void {
    this.#change(at, path, (full) => rmdirSync(full));
  }

  unlink(at: number, path: string): void {
    this.#change(at, path, (full) => {
      if (lstatSync(full).isDirectory()) throw new LinuxError(ERRNO.isdir);
      unlinkSync(full);
    });
  }

  rename(at: number, path: string, newAt: number, newPath: string): void {
    const target = this.#resolve(newAt, newPath);
    this.#mayWrite(target);
    this.#change(at, path, (full) => renameSync(full, target));
  }

  createLink(target: string, at: number, path: string): void {
    this.#change(at, path, (full) => {
      this.#mayWrite(resolve(full, '..', fromVirtualPath(target)));
      symlinkSync(fromVirtualPath(target), full);
    });
  }

  linkTarget(at: number, path: string): string {
    const full = this.#resolve(at, path);
    return attempt(() => toVirtualPath(readlinkSync(full)));
  }

  truncate(path: string, sizeBytes: number): void {
    this.#change(AT_WORKING_DIRECTORY, path, (full) => truncateSync(full, sizeBytes));
  }

  changePermissions(at: number, path: string, permissions: number): void {
    this.#change(at, path, (full) => chmodSync(full, permissions));
  }

  changeTimes(at: number, path: string, accessedMs: number, modifiedMs: number): void {
    this.#change(at, path, (full) => utimesSync(full, accessedMs / 1000, modifiedMs / 1000));
  }

  #change(at: number, path: string, change: (full: string) => void): void {
    const full = this.#resolve(at, path);
    this.#mayWrite(full);
    attempt(() => change(full));
  }

  #mayWrite(path: string): void {
    if (!this.#options.writable.some((folder) => isInside(folder, path))) throw new LinuxError(ERRNO.acces);
  }

  #resolve(at: number, path: string): string {
    if (path === '') throw new LinuxError(ERRNO.noent);
    if (at === AT_WORKING_DIRECTORY || path.startsWith('/')) return resolve(this.#workingDirectory, fromVirtualPath(path));
    const from = this.file(at).path;
    if (from === undefined) throw new LinuxError(ERRNO.notdir);
    return resolve(from, fromVirtualPath(path));
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Node's numbers differ between systems. Appending is done by position, so that pwrite and files on Windows agree. */
function nodeFlags(flags: number): number {
  const access = [constants.O_RDONLY, constants.O_WRONLY, constants.O_RDWR][flags & OPEN.accessMode] ?? constants.O_RDWR;
  return (
    access |
    (flags & OPEN.create ? constants.O_CREAT : 0) |
    (flags & OPEN.exclusive ? constants.O_EXCL : 0) |
    (flags & OPEN.truncate ? constants.O_TRUNC : 0)
  );
}
