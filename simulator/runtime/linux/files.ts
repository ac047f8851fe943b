/** The program's files: descriptors, the working directory, and what may be done to which path (see confinement.ts). */
import { files, paths } from '#platform';
import type { RunLimits } from '../../options/limits.ts';
import type { OpenOptions, FileStatus as SystemStatus } from '../../platform/platform.ts';
import { toVirtualPath } from '../../toolchain/virtual-paths.ts';
import { Confinement, inPlace, onItself, type Permissions, type Refusal } from './confinement.ts';
import { attempt, ERRNO, LinuxError } from './errors.ts';
import { FileQuota } from './file-quota.ts';
import { device, FILE_TYPE, type FileStatus, folder, type OpenFile, regularFile, statusOf, stream, suppliedFile } from './open-files.ts';

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

export interface FilesOptions {
  /** Folder that relative paths refer to, at first. */
  readonly workingDirectory: string;
  readonly permissions: Permissions;
  readonly limits: Pick<RunLimits, 'files' | 'fileMiB'>;
  /** As `StreamEnds.read`; an empty input unless given. */
  stdin?(into: Uint8Array): number;
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
  /** Fills with the program's random numbers. */
  random(into: Uint8Array): void;
  /** What a file that is not there holds when it is read, if the program is to find it. */
  supplied?(path: string): string | undefined;
}

interface Descriptor {
  readonly file: OpenFile;
  closesOnExec: boolean;
}

export class Files {
  readonly #descriptors = new Map<number, Descriptor>();
  readonly #options: FilesOptions;
  readonly #confinement: Confinement;
  readonly #quota: FileQuota;
  /** As the program sees it, like every path here that is not called real. */
  #workingDirectory: string;
  /** Permissions that new files do not get. */
  mask = 0o022;
  /** Files that the program wanted to open, as it names them, and that are not there. */
  readonly notFound = new Set<string>();

  constructor(options: FilesOptions) {
    this.#options = options;
    this.#confinement = new Confinement(options.permissions);
    this.#quota = new FileQuota(options.limits);
    this.#workingDirectory = toVirtualPath(options.workingDirectory);
    const closesOnExec = false;
    this.#descriptors.set(0, { file: stream(0, { read: options.stdin }), closesOnExec });
    this.#descriptors.set(1, { file: stream(1, { write: options.stdout }), closesOnExec });
    this.#descriptors.set(2, { file: stream(1, { write: options.stderr }), closesOnExec });
  }

  get workingDirectory(): string {
    return this.#workingDirectory;
  }

  /** What the program was not allowed to do. */
  get refusals(): readonly Refusal[] {
    return this.#confinement.refusals;
  }

  /** The limits that the program has come to. */
  get exceeded(): readonly ('files' | 'fileMiB')[] {
    return this.#quota.exceeded;
  }

  changeWorkingDirectory(path: string): void {
    const full = this.#full(AT_WORKING_DIRECTORY, path);
    const status = this.#statusOf(full, true);
    if (!status) throw new LinuxError(ERRNO.noent);
    if (status.type !== FILE_TYPE.folder) throw new LinuxError(ERRNO.notdir);
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
    try {
      return this.add(this.#opened(at, path, flags, permissions));
    } catch (error) {
      if (error instanceof LinuxError && error.errno === ERRNO.noent) this.notFound.add(path);
      throw error;
    }
  }

  #opened(at: number, path: string, flags: number, permissions: number): OpenFile {
    const special = this.#device(path, flags);
    if (special) return special;
    const full = this.#full(at, path);
    const creates = (flags & OPEN.create) !== 0;
    const writes = (flags & OPEN.accessMode) !== 0 || (flags & OPEN.truncate) !== 0;
    const follows = (flags & OPEN.noFollow) === 0 && !(creates && flags & OPEN.exclusive);
    const real = this.#confinement.allowed(full, creates ? 'create' : 'read', follows);
    const status = inPlace(real, atEnd);
    if (status && creates && flags & OPEN.exclusive) throw new LinuxError(ERRNO.exist);
    if (status?.kind === 'link') throw new LinuxError(ERRNO.loop);
    if (status?.kind === 'folder') {
      if (writes || creates) throw new LinuxError(ERRNO.isdir);
      return folder({ path: full, real, flags });
    }
    if (status && flags & OPEN.folder) throw new LinuxError(ERRNO.notdir);
    const supplied = status || creates ? undefined : this.#options.supplied?.(full);
    if (supplied !== undefined) return suppliedFile(full, new TextEncoder().encode(supplied));
    if (!status && !creates) throw new LinuxError(ERRNO.noent);
    // Opening a pipe waits for its other end, and reading a device may never end.
    if (status && status.kind !== 'file') this.#confinement.refuse(full, writes ? 'write' : 'read');
    if (writes && !creates) this.#confinement.allowed(full, 'write', follows);
    if (!status) this.#quota.creates();
    return regularFile(full, this.#openRegular(real, flags, permissions), flags & (OPEN.accessMode | OPEN.append), this.#quota);
  }

  /** A handle of Node's. What is cut is what was opened, and a file that became something else meanwhile is not opened. */
  #openRegular(real: string, flags: number, permissions: number): number {
    const handle = inPlace(real, (place) => files.open(place, openOptions(flags, permissions & 0o777 & ~this.mask)));
    try {
      if (files.statusOf(handle).kind !== 'file') throw new LinuxError(ERRNO.acces);
      if (flags & OPEN.truncate) files.truncateOpen(handle, 0);
      return handle;
    } catch (error) {
      files.close(handle);
      throw error;
    }
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
    const status = this.#statusOf(this.#full(at, path), follow);
    if (!status) throw new LinuxError(ERRNO.noent);
    return status;
  }

  #statusOf(full: string, follow: boolean): FileStatus | undefined {
    const real = this.#confinement.allowed(full, 'read', follow);
    const stats = inPlace(real, atEnd);
    return stats && statusOf(stats);
  }

  /** Fails unless the program may do this to the file: 0 it is there, 1 execute, 2 write, 4 read. */
  checkAccess(at: number, path: string, mode: number): void {
    const { permissions } = this.status(at, path, true);
    if (mode & 2 && !path.startsWith('/dev/')) this.#confinement.allowed(this.#full(at, path), 'write', true);
    if (mode & 1 && (permissions & 0o111) === 0) throw new LinuxError(ERRNO.acces);
  }

  createFolder(at: number, path: string, permissions: number): void {
    const real = this.#creatable(at, path);
    this.#quota.creates();
    inPlace(real, (place) => files.createFolder(place, permissions & ~this.mask));
  }

  removeFolder(at: number, path: string): void {
    inPlace(this.#writable(at, path), (place) => files.removeFolder(place));
  }

  unlink(at: number, path: string): void {
    inPlace(this.#writable(at, path), (place) => {
      if (atEnd(place)?.kind === 'folder') throw new LinuxError(ERRNO.isdir);
      files.remove(place);
    });
  }

  /** What is moved leaves its folder, so both must be the program's to write. */
  rename(at: number, path: string, newAt: number, newPath: string): void {
    const from = this.#writable(at, path);
    const to = this.#creatable(newAt, newPath);
    inPlace(from, (place) => inPlace(to, (target) => files.rename(place, target)));
  }

  /** A link may only lead to where the program may write. */
  createLink(target: string, at: number, path: string): void {
    const real = this.#creatable(at, path);
    const leadsTo = posixPath(this.#confinement.seen(paths.dirname(real)), target);
    this.#confinement.allowed(leadsTo, 'create', true);
    this.#quota.creates();
    const onDisk = target.startsWith('/') ? this.#confinement.onDisk(target, 'create') : target;
    inPlace(real, (place) => files.createLink(onDisk, place));
  }

  linkTarget(at: number, path: string): string {
    const real = this.#confinement.allowed(this.#full(at, path), 'read', false);
    const target = inPlace(real, (place) => files.linkTarget(place));
    return paths.isAbsolute(target) ? this.#confinement.seen(target) : toVirtualPath(target);
  }

  truncate(path: string, sizeBytes: number): void {
    const handle = this.#openRegular(this.#writable(AT_WORKING_DIRECTORY, path, true), OPEN.writeOnly, 0);
    try {
      this.#quota.writes(sizeBytes - files.statusOf(handle).sizeBytes);
      attempt(() => files.truncateOpen(handle, sizeBytes));
    } finally {
      files.close(handle);
    }
  }

  changePermissions(at: number, path: string, permissions: number): void {
    // Nothing gets the rights of its owner, or of a group, for others who run it.
    onItself(this.#writable(at, path, true), (place) => files.changePermissions(place, permissions & 0o777));
  }

  changeTimes(at: number, path: string, accessedMs: number, modifiedMs: number): void {
    onItself(this.#writable(at, path, true), (place) => files.changeTimes(place, accessedMs, modifiedMs));
  }

  /** The real path of what the program may change. `follow`: also through a link at its end. */
  #writable(at: number, path: string, follow = false): string {
    return this.#confinement.allowed(this.#full(at, path), 'write', follow);
  }

  #creatable(at: number, path: string): string {
    return this.#confinement.allowed(this.#full(at, path), 'create', false);
  }

  #full(at: number, path: string): string {
    if (path === '') throw new LinuxError(ERRNO.noent);
    if (at === AT_WORKING_DIRECTORY || path.startsWith('/')) return posixPath(this.#workingDirectory, path);
    const from = this.file(at).path;
    if (from === undefined) throw new LinuxError(ERRNO.notdir);
    return posixPath(from, path);
  }
}

/** What is there, without following it. */
function atEnd(path: string): SystemStatus | undefined {
  return files.status(path, { followLinks: false });
}

/** Both as the program writes them. */
function posixPath(from: string, path: string): string {
  const full = paths.normalizePosix(path.startsWith('/') ? path : `${from}/${path}`);
  return full.length > 1 && full.endsWith('/') ? full.slice(0, -1) : full;
}

/** Appending is done by position, so that pwrite and files on Windows agree. */
function openOptions(flags: number, permissions: number): OpenOptions {
  const access = flags & OPEN.accessMode;
  return {
    read: access !== OPEN.writeOnly,
    write: access !== 0,
    create: (flags & OPEN.create) !== 0,
    exclusive: (flags & OPEN.exclusive) !== 0,
    permissions,
  };
}
