/** What a descriptor may stand for: a file or folder of the disk, the program's streams, and the devices that every Linux has. */
import { files } from '#platform';
import type { FileKind, FileStatus as SystemStatus } from '../../platform/platform.ts';
import { onItself } from './confinement.ts';
import { attempt, ERRNO, LinuxError } from './errors.ts';
import type { FileQuota } from './file-quota.ts';

/** Types of files in st_mode (sys/stat.h). */
export const FILE_TYPE = { pipe: 0o010000, device: 0o020000, folder: 0o040000, regular: 0o100000, link: 0o120000 } as const;

export interface FileStatus {
  readonly type: number;
  readonly permissions: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly inode: number;
  readonly links: number;
}

/** What several descriptors may share, with one position. */
export interface OpenFile {
  /** Access mode and status flags, as fcntl(F_GETFL) gives them. */
  flags: number;
  /** Absolute, as the program sees it; undefined where it has none. */
  readonly path?: string;
  status(): FileStatus;
  /** At the position, which it moves; or at `at`. */
  read(into: Uint8Array, at?: number): number;
  write(bytes: Uint8Array, at?: number): number;
  /** `whence`: 0 from the start, 1 from here, 2 from the end. */
  seek(offset: number, whence: number): number;
  truncate(sizeBytes: number): void;
  /** Name and type of each, with "." and "..", in a fixed order. */
  entries(): readonly FolderEntry[];
  close(): void;
}

interface FolderEntry {
  readonly name: string;
  readonly type: number;
}

const APPEND = 0o2000;
const ACCESS_MODE = 3;
const WRITE_ONLY = 1;

function fail(errno: number): never {
  throw new LinuxError(errno);
}

/** What most files cannot do. */
const unable = {
  truncate: () => fail(ERRNO.inval),
  entries: () => fail(ERRNO.notdir),
  close: () => {},
};

const TYPES: Readonly<Record<FileKind, number>> = {
  file: FILE_TYPE.regular,
  folder: FILE_TYPE.folder,
  link: FILE_TYPE.link,
  other: FILE_TYPE.device,
};

export function statusOf({ kind, permissions, sizeBytes, modifiedMs, inode, links }: SystemStatus): FileStatus {
  return { type: TYPES[kind], permissions, sizeBytes, modifiedMs, inode: Number(inode), links };
}

/** `handle`: an open one of Node's, which the file closes. */
export function regularFile(path: string, handle: number, flags: number, quota: FileQuota): OpenFile {
  let position = 0;
  const size = () => attempt(() => files.statusOf(handle).sizeBytes);
  const file: OpenFile = {
    ...unable,
    flags,
    path,
    status: () => attempt(() => statusOf(files.statusOf(handle))),
    read: (into, at) => {
      if ((file.flags & ACCESS_MODE) === WRITE_ONLY) fail(ERRNO.badf);
      const count = attempt(() => files.readAt(handle, into, at ?? position));
      if (at === undefined) position += count;
      return count;
    },
    write: (bytes, at) => {
      if ((file.flags & ACCESS_MODE) === 0) fail(ERRNO.badf);
      quota.writes(bytes.length);
      const start = at ?? (file.flags & APPEND ? size() : position);
      let done = 0;
      while (done < bytes.length) done += attempt(() => files.writeAt(handle, bytes.subarray(done), start + done));
      if (at === undefined) position = start + done;
      return done;
    },
    seek: (offset, whence) => {
      const base = [0, position, size()][whence] ?? fail(ERRNO.inval);
      if (base + offset < 0) fail(ERRNO.inval);
      position = base + offset;
      return position;
    },
    truncate: (sizeBytes) => {
      quota.writes(sizeBytes - size());
      attempt(() => files.truncateOpen(handle, sizeBytes));
    },
    close: () => attempt(() => files.close(handle)),
  };
  return file;
}

/** A file that is read and is on no disk. */
export function suppliedFile(path: string, content: Uint8Array): OpenFile {
  let position = 0;
  return {
    ...unable,
    flags: 0,
    path,
    status: () => ({ ...noFile, type: FILE_TYPE.regular, permissions: 0o444, sizeBytes: content.length }),
    read: (into, at) => {
      const bytes = content.subarray(at ?? position, (at ?? position) + into.length);
      into.set(bytes);
      if (at === undefined) position += bytes.length;
      return bytes.length;
    },
    write: () => fail(ERRNO.badf),
    seek: (offset, whence) => {
      const base = [0, position, content.length][whence] ?? fail(ERRNO.inval);
      if (base + offset < 0) fail(ERRNO.inval);
      position = base + offset;
      return position;
    },
  };
}

/** `path`: as the program sees it; `real`: on the disk. */
export function folder({ path, real, flags }: { readonly path: string; readonly real: string; readonly flags: number }): OpenFile {
  return {
    ...unable,
    flags,
    path,
    status: () => attempt(() => statusOf(files.status(real)!)),
    read: () => fail(ERRNO.isdir),
    write: () => fail(ERRNO.badf),
    seek: () => 0,
    entries: () => {
      const inside = onItself(real, (place) => files.list(place).toSorted((a, b) => (a.name < b.name ? -1 : 1)));
      const self = ['.', '..'].map((name) => ({ name, type: FILE_TYPE.folder }));
      return [...self, ...inside.map((entry) => ({ name: entry.name, type: TYPES[entry.kind] }))];
    },
  };
}

const noFile = { sizeBytes: 0, modifiedMs: 0, inode: 1, links: 1 };

/** What a program prints to, and what it reads from: neither, where nothing is given for it. */
export interface StreamEnds {
  write?(bytes: Uint8Array): void;
  /** Fills the bytes from their start and says how many there were: none at the end. */
  read?(into: Uint8Array): number;
}

/** A standard stream, which looks like a pipe: the C library then sends what it has when its buffer is full. */
export function stream(flags: number, { write, read }: StreamEnds): OpenFile {
  return {
    ...unable,
    flags,
    status: () => ({ ...noFile, type: FILE_TYPE.pipe, permissions: 0o600 }),
    read: (into, at) => {
      if (at !== undefined) fail(ERRNO.spipe);
      return read?.(into) ?? 0;
    },
    write: (bytes, at) => {
      if (at !== undefined) fail(ERRNO.spipe);
      const { length } = bytes;
      // Whoever gets the bytes may pass them on to another thread and leave none here.
      write?.(bytes);
      return length;
    },
    seek: () => fail(ERRNO.spipe),
  };
}

/** /dev/null and its kin. `fill`: makes the bytes that are read from it; nothing is read from it without. */
export function device(flags: number, fill?: (into: Uint8Array) => void): OpenFile {
  return {
    ...unable,
    flags,
    status: () => ({ ...noFile, type: FILE_TYPE.device, permissions: 0o666 }),
    read: (into) => {
      fill?.(into);
      return fill ? into.length : 0;
    },
    write: ({ length }) => length,
    seek: () => 0,
  };
}
