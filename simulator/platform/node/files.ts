import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileKind, FileStatus, Files, OpenOptions } from '../platform.ts';

export const files: Files = {
  status(path, { followLinks } = { followLinks: true }) {
    // Inodes of Windows exceed 2^53.
    const options = { throwIfNoEntry: false, bigint: true } as const;
    const stats = followLinks ? statSync(path, options) : lstatSync(path, options);
    return stats && statusOf(stats);
  },
  read: (path) => readFileSync(path),
  list: (folder) => readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  open: (path, options) => openSync(path, flagsOf(options), options.permissions),
  statusOf: (handle) => statusOf(fstatSync(handle, { bigint: true })),
  readAt: (handle, into, position) => readSync(handle, into, 0, into.length, position),
  writeAt: (handle, bytes, position) => writeSync(handle, bytes, 0, bytes.length, position),
  truncateOpen: ftruncateSync,
  close: closeSync,
  truncate: truncateSync,
  createFolder: mkdirSync,
  removeFolder: rmdirSync,
  remove: unlinkSync,
  rename: renameSync,
  createLink: symlinkSync,
  linkTarget: (path) => readlinkSync(path),
  changePermissions: chmodSync,
  changeTimes: (path, accessedMs, modifiedMs) => utimesSync(path, accessedMs / 1000, modifiedMs / 1000),
  temporaryFolder,
};

function statusOf(stats: BigIntStats): FileStatus {
  return {
    kind: kindOf(stats),
    sizeBytes: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs) / 1e6,
    permissions: Number(stats.mode) & 0o7777,
    links: Number(stats.nlink),
    device: stats.dev,
    inode: stats.ino,
  };
}

function kindOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean; isFile(): boolean }): FileKind {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}

/** The numbers differ between systems. */
function flagsOf({ read, write, create, exclusive, truncate }: OpenOptions): number {
  return (
    (write ? (read ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY) |
    (create ? constants.O_CREAT : 0) |
    (exclusive ? constants.O_EXCL : 0) |
    (truncate ? constants.O_TRUNC : 0)
  );
}

function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = join(tmpdir(), `lanewise-${randomUUID()}`);
  const tidy = () => rmSync(path, { recursive: true, force: true });
  // Whoever waits for a result only may end before the thread that makes files here does.
  process.on('exit', tidy);
  const remove = () => {
    tidy();
    process.off('exit', tidy);
  };
  return { path, remove };
}
