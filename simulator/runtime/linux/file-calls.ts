/** System calls on files: descriptors and paths in, the structures of x86_64 out. */
import type { HostMemory } from '../host-memory.ts';
import { ERRNO, LinuxError } from './errors.ts';
import { type Files, OPEN } from './files.ts';
import type { FileStatus, OpenFile } from './open-files.ts';
import type { SystemCalls } from './system-calls.ts';

const AT_WORKING_DIRECTORY = -100;
const AT = { noFollow: 0x100, removeFolder: 0x200, emptyPath: 0x1000 };
const FCNTL = { duplicate: 0, getDescriptorFlags: 1, setDescriptorFlags: 2, getFlags: 3, setFlags: 4, duplicateClosing: 1030 };
const CLOSE_ON_EXEC = 1;
const SEEK_SET = 0;
/** Size of struct iovec: address and length. */
const VECTOR_BYTES = 16;
const STATUS_BYTES = 144;
const BLOCK_BYTES = 4096;
const USER = 1000;
const NOW = 0x3fffffff;
const OMIT = 0x3ffffffe;

export function fileCalls(memory: HostMemory, files: Files): SystemCalls {
  return {
    ...transferCalls(memory, files),
    ...descriptorCalls(memory, files),
    ...pathCalls(memory, files),
    ...statusCalls(memory, files),
  };
}

function transferCalls(memory: HostMemory, files: Files): SystemCalls {
  const piece = (address: number, count: number) => {
    if (count < 0 || address < 0 || address + count > memory.sizeBytes) throw new LinuxError(ERRNO.fault);
    return memory.bytes.subarray(address, address + count);
  };
  const pieces = (vector: number, count: number) =>
    Array.from({ length: count }, (_, i) => piece(memory.u64(vector + VECTOR_BYTES * i), memory.u64(vector + VECTOR_BYTES * i + 8)));
  const read = (file: OpenFile, into: readonly Uint8Array[], at?: number) => {
    let total = 0;
    for (const each of into) {
      const count = each.length === 0 ? 0 : file.read(each, at === undefined ? undefined : at + total);
      total += count;
      if (count < each.length) break;
    }
    return total;
  };
  const write = (file: OpenFile, from: readonly Uint8Array[], at?: number) => file.write(joined(from), at);
  return {
    read: (fd, buffer, count) => read(files.file(fd), [piece(buffer, count)]),
    write: (fd, buffer, count) => write(files.file(fd), [piece(buffer, count)]),
    readv: (fd, vector, count) => read(files.file(fd), pieces(vector, count)),
    writev: (fd, vector, count) => write(files.file(fd), pieces(vector, count)),
    pread64: (fd, buffer, count, at) => read(files.file(fd), [piece(buffer, count)], at),
    pwrite64: (fd, buffer, count, at) => write(files.file(fd), [piece(buffer, count)], at),
    preadv: (fd, vector, count, at) => read(files.file(fd), pieces(vector, count), at),
    pwritev: (fd, vector, count, at) => write(files.file(fd), pieces(vector, count), at),
    sendfile: (to, from, offset, count) => {
      const bytes = new Uint8Array(Math.min(count, 1 << 24));
      const at = offset === 0 ? undefined : memory.u64(offset);
      const got = read(files.file(from), [bytes], at);
      if (at !== undefined) memory.setU64(offset, at + got);
      return files.file(to).write(bytes.subarray(0, got));
    },
  };
}

/** A copy: the program may change its memory while the bytes are on their way. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function descriptorCalls(memory: HostMemory, files: Files): SystemCalls {
  /** Entries of each folder that is being read, as they were when it began. */
  const reading = new WeakMap<OpenFile, { readonly entries: ReturnType<OpenFile['entries']>; next: number }>();
  return {
    close: (fd) => files.close(fd),
    lseek: (fd, offset, whence) => {
      const file = files.file(fd);
      const state = reading.get(file);
      if (!state || whence !== SEEK_SET) return file.seek(offset, whence);
      // In a folder, the offset is the number of an entry. Seeking to the start reads the folder again.
      if (offset === 0) reading.delete(file);
      state.next = offset;
      return offset;
    },
    dup: (fd) => files.add(files.file(fd)),
    dup2: (from, to) => files.duplicateTo(from, to),
    dup3: (from, to, flags) => {
      if (from === to) throw new LinuxError(ERRNO.inval);
      files.duplicateTo(from, to);
      files.descriptor(to).closesOnExec = flags !== 0;
      return to;
    },
    fcntl: (fd, command, argument) => {
      const descriptor = files.descriptor(fd);
      if (command === FCNTL.duplicate || command === FCNTL.duplicateClosing) return files.add(descriptor.file, argument);
      if (command === FCNTL.getDescriptorFlags) return descriptor.closesOnExec ? CLOSE_ON_EXEC : 0;
      if (command === FCNTL.getFlags) return descriptor.file.flags;
      if (command === FCNTL.setDescriptorFlags) descriptor.closesOnExec = (argument & CLOSE_ON_EXEC) !== 0;
      else if (command === FCNTL.setFlags) descriptor.file.flags = (descriptor.file.flags & OPEN.accessMode) | (argument & OPEN.append);
      else throw new LinuxError(ERRNO.inval);
      return 0;
    },
    // No descriptor is a terminal.
    ioctl: (fd) => {
      files.file(fd);
      throw new LinuxError(ERRNO.notty);
    },
    ftruncate: (fd, sizeBytes) => files.file(fd).truncate(sizeBytes),
    fsync: (fd) => void files.file(fd),
    fdatasync: (fd) => void files.file(fd),
    fallocate: (fd, mode, offset, sizeBytes) => {
      if (mode !== 0) throw new LinuxError(ERRNO.inval);
      const file = files.file(fd);
      if (file.status().sizeBytes < offset + sizeBytes) file.truncate(offset + sizeBytes);
    },
    fadvise64: () => 0,
    flock: () => 0,
    sync: () => 0,
    umask: (mask) => {
      const old = files.mask;
      files.mask = mask & 0o777;
      return old;
    },
    getdents64: (fd, buffer, sizeBytes) => {
      const file = files.file(fd);
      const state = reading.get(file) ?? { entries: file.entries(), next: 0 };
      reading.set(file, state);
      let used = 0;
      for (; state.next < state.entries.length; state.next++) {
        const { name, type } = state.entries[state.next];
        const bytes = new TextEncoder().encode(`${name}\0`);
        const length = Math.ceil((19 + bytes.length) / 8) * 8;
        if (used + length > sizeBytes) break;
        const at = buffer + used;
        memory.bytes.fill(0, at, at + length);
        memory.setU64(at, state.next + 1);
        memory.setU64(at + 8, state.next + 1);
        memory.view.setUint16(at + 16, length, true);
        memory.view.setUint8(at + 18, type >> 12);
        memory.bytes.set(bytes, at + 19);
        used += length;
      }
      if (used === 0 && state.next < state.entries.length) throw new LinuxError(ERRNO.inval);
      return used;
    },
  };
}

function pathAt(memory: HostMemory, address: number): string {
  if (address <= 0 || address >= memory.sizeBytes) throw new LinuxError(ERRNO.fault);
  return memory.text(address);
}

function pathCalls(memory: HostMemory, files: Files): SystemCalls {
  const text = (address: number) => pathAt(memory, address);
  const here = AT_WORKING_DIRECTORY;
  const readlink = (at: number, path: number, buffer: number, sizeBytes: number) => {
    const bytes = new TextEncoder().encode(files.linkTarget(at, text(path))).subarray(0, sizeBytes);
    memory.bytes.set(bytes, buffer);
    return bytes.length;
  };
  return {
    open: (path, flags, mode) => files.open(here, text(path), flags, mode),
    openat: (at, path, flags, mode) => files.open(at | 0, text(path), flags, mode),
    creat: (path, mode) => files.open(here, text(path), OPEN.create | OPEN.writeOnly | OPEN.truncate, mode),
    access: (path, mode) => files.checkAccess(here, text(path), mode),
    faccessat: (at, path, mode) => files.checkAccess(at | 0, text(path), mode),
    mkdir: (path, mode) => files.createFolder(here, text(path), mode),
    mkdirat: (at, path, mode) => files.createFolder(at | 0, text(path), mode),
    rmdir: (path) => files.removeFolder(here, text(path)),
    unlink: (path) => files.unlink(here, text(path)),
    unlinkat: (at, path, flags) => (flags & AT.removeFolder ? files.removeFolder(at | 0, text(path)) : files.unlink(at | 0, text(path))),
    rename: (from, to) => files.rename(here, text(from), here, text(to)),
    renameat: (at, from, newAt, to) => files.rename(at | 0, text(from), newAt | 0, text(to)),
    renameat2: (at, from, newAt, to) => files.rename(at | 0, text(from), newAt | 0, text(to)),
    symlink: (target, path) => files.createLink(text(target), here, text(path)),
    symlinkat: (target, at, path) => files.createLink(text(target), at | 0, text(path)),
    readlink: (path, buffer, sizeBytes) => readlink(here, path, buffer, sizeBytes),
    readlinkat: (at, path, buffer, sizeBytes) => readlink(at | 0, path, buffer, sizeBytes),
    truncate: (path, sizeBytes) => files.truncate(text(path), sizeBytes),
    chmod: (path, mode) => files.changePermissions(here, text(path), mode),
    fchmodat: (at, path, mode) => files.changePermissions(at | 0, text(path), mode),
    fchmod: (fd, mode) => files.changePermissions(here, files.file(fd).path ?? '', mode),
    utimensat: (at, path, times) => {
      const time = (index: number, now: number) => {
        const nanoseconds = times === 0 ? NOW : memory.u64(times + 16 * index + 8);
        if (nanoseconds === NOW) return now;
        return nanoseconds === OMIT ? undefined : memory.u64(times + 16 * index) * 1000 + nanoseconds / 1e6;
      };
      const name = path === 0 ? (files.file(at).path ?? '') : text(path);
      const modified = time(1, Date.now()) ?? files.status(at | 0, name, true).modifiedMs;
      files.changeTimes(at | 0, name, time(0, Date.now()) ?? modified, modified);
    },
    getcwd: (buffer, sizeBytes) => {
      const bytes = new TextEncoder().encode(`${files.workingDirectory}\0`);
      if (bytes.length > sizeBytes) throw new LinuxError(ERRNO.range);
      memory.bytes.set(bytes, buffer);
      return bytes.length;
    },
    chdir: (path) => files.changeWorkingDirectory(text(path)),
    fchdir: (fd) => files.changeWorkingDirectory(files.file(fd).path ?? ''),
  };
}

function statusCalls(memory: HostMemory, files: Files): SystemCalls {
  const text = (address: number) => pathAt(memory, address);
  const put = (out: number, status: FileStatus) => putStatus(memory, out, status);
  /** struct statfs: a disk with room, whose numbers are the same everywhere. */
  const putFileSystem = (out: number) => {
    memory.bytes.fill(0, out, out + 120);
    for (const [index, value] of [0xef53, BLOCK_BYTES, 1 << 24, 1 << 23, 1 << 23, 1 << 20, 1 << 19].entries())
      memory.setU64(out + 8 * index, value);
    memory.setU64(out + 64, 255);
    memory.setU64(out + 72, BLOCK_BYTES);
  };
  return {
    stat: (path, out) => put(out, files.status(AT_WORKING_DIRECTORY, text(path), true)),
    lstat: (path, out) => put(out, files.status(AT_WORKING_DIRECTORY, text(path), false)),
    fstat: (fd, out) => put(out, files.file(fd).status()),
    newfstatat: (at, path, out, flags) => {
      const name = text(path);
      const status = name === '' && flags & AT.emptyPath ? files.file(at).status() : files.status(at | 0, name, !(flags & AT.noFollow));
      put(out, status);
    },
    statfs: (path, out) => {
      files.status(AT_WORKING_DIRECTORY, text(path), true);
      putFileSystem(out);
    },
    fstatfs: (fd, out) => {
      files.file(fd);
      putFileSystem(out);
    },
  };
}

/** struct stat of x86_64. */
function putStatus(memory: HostMemory, out: number, status: FileStatus): void {
  memory.bytes.fill(0, out, out + STATUS_BYTES);
  memory.setU64(out, 1);
  memory.setU64(out + 8, status.inode);
  memory.setU64(out + 16, status.links);
  memory.setU32(out + 24, status.type | status.permissions);
  memory.setU32(out + 28, USER);
  memory.setU32(out + 32, USER);
  memory.setU64(out + 48, status.sizeBytes);
  memory.setU64(out + 56, BLOCK_BYTES);
  memory.setU64(out + 64, Math.ceil(status.sizeBytes / 512));
  const seconds = Math.floor(status.modifiedMs / 1000);
  for (const at of [72, 88, 104]) {
    memory.setU64(out + at, seconds);
    memory.setU64(out + at + 8, Math.floor((status.modifiedMs - seconds * 1000) * 1e6));
  }
}
