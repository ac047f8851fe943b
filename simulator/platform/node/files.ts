import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { FileKind, FileStatus, Files, OpenOptions } from '../platform.ts';

export const files: Files = {
  status(path, { followLinks } = { followLinks: true }) {
    // Inodes of Windows exceed 2^53.
    const options = { throwIfNoEntry: false, bigint: true } as const;
    const stats = followLinks ? statSync(path, options) : lstatSync(path, options);
    return stats && statusOf(stats);
  },
  realPath,
  read: (path) => readFileSync(path),
  list: (folder) => readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
  open: (path, options) => openSync(path, flagsOf(options), options.permissions),
  statusOf: (handle) => statusOf(fstatSync(handle, { bigint: true })),
  readAt: (handle, into, position) => readSync(handle, into, 0, into.length, position),
  writeAt: (handle, bytes, position) => writeSync(handle, bytes, 0, bytes.length, position),
  truncateOpen: ftruncateSync,
  close: closeSync,
  createFolder: mkdirSync,
  removeFolder: rmdirSync,
  remove: unlinkSync,
  rename: renameSync,
  createLink: symlinkSync,
  linkTarget: (path) => readlinkSync(path),
  changePermissions: chmodSync,
  changeTimes: (path, accessedMs, modifiedMs) => utimesSync(path, accessedMs / 1000, modifiedMs / 1000),
  inPlace,
  onItself,
  temporaryName: (prefix) => join(tmpdir(), prefix + randomUUID()),
  removeAtExit,
};

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

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

/** The numbers differ between systems; Windows has no links to follow here and no pipes to wait for. */
function flagsOf({ read, write, create, exclusive }: OpenOptions): number {
  return (
    (write ? (read ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY) |
    (create ? constants.O_CREAT : 0) |
    (exclusive ? constants.O_EXCL : 0) |
    (constants.O_NOFOLLOW ?? 0) |
    (constants.O_NONBLOCK ?? 0)
  );
}

/** Linux's, which Node does not name: a descriptor that stands for a place and opens nothing (asm-generic/fcntl.h). */
const O_PATH = 0o10000000;
const OWN_DESCRIPTORS = '/proc/self/fd';
const canAnchor = process.platform === 'linux' && existsSync(OWN_DESCRIPTORS);

function inPlace<T>(path: string, action: (path: string) => T): T {
  const folder = dirname(path);
  if (!canAnchor || folder === path) return action(path);
  return anchored(folder, constants.O_DIRECTORY, folder, (anchor) => action(`${anchor}/${basename(path)}`));
}

function onItself<T>(path: string, action: (path: string) => T): T {
  if (!canAnchor) return action(path);
  return inPlace(path, (place) => anchored(place, 0, path, action));
}

/** `action` on a name for what is at `path`, which must be `expected`. */
function anchored<T>(path: string, flags: number, expected: string, action: (anchor: string) => T): T {
  const handle = openSync(path, O_PATH | constants.O_NOFOLLOW | flags);
  try {
    const anchor = `${OWN_DESCRIPTORS}/${handle}`;
    if (fstatSync(handle).isSymbolicLink()) throw Object.assign(new Error(`${path} is a link`), { code: 'ELOOP' });
    if (readlinkSync(anchor) !== expected) throw Object.assign(new Error(`${path} is not ${expected} any more`), { code: 'EACCES' });
    return action(anchor);
  } finally {
    closeSync(handle);
  }
}

function removeAtExit(folder: string): () => void {
  const remove = () => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return remove;
}
