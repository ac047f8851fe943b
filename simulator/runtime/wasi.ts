/**
 * WASI preview 1 for host programs: arguments, clock, output, files and exit. Output goes to callbacks as it is written. Random bytes
 * come from a fixed seed and standard input is empty, so that a program does the same in every run; only the clock is real.
 */
import type { HostMemory } from './host-memory.ts';
import { ERRNO, FILETYPE, FileError, FileTable } from './wasi-files.ts';

export interface WasiOptions {
  readonly memory: HostMemory;
  /** The program's name first. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder that relative paths refer to. */
  readonly workingDirectory: string;
  /** Folders below which a program may write; elsewhere it may only read. */
  readonly writable: readonly string[];
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
}

/** Thrown through the program's frames when it ends itself. */
export class ProgramExit extends Error {
  override readonly name = 'ProgramExit';
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

type WasiFunction = (...args: never[]) => number;

export function wasiImports(options: WasiOptions): Record<string, WasiFunction> {
  const files = new FileTable(options.workingDirectory, options.writable);
  const functions = {
    ...processFunctions(options),
    ...clockFunctions(options.memory),
    ...streamFunctions(options, files),
    ...descriptorFunctions(options.memory, files),
    ...pathFunctions(options.memory, files),
  };
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [name, answering(call as (...args: unknown[]) => unknown)]));
}

/** Turns unsigned arguments in, and errors into WASI's codes out. */
function answering(call: (...args: unknown[]) => unknown): WasiFunction {
  return (...raw: unknown[]) => {
    try {
      const code = call(...raw.map((value) => (typeof value === 'number' ? value >>> 0 : value)));
      return typeof code === 'number' ? code : ERRNO.success;
    } catch (error) {
      if (error instanceof FileError) return error.errno;
      if (error instanceof RangeError) return ERRNO.fault;
      throw error;
    }
  };
}

function processFunctions({ memory, args, env }: WasiOptions) {
  const encoder = new TextEncoder();
  const encoded = (texts: readonly string[]) => texts.map((text) => encoder.encode(`${text}\0`));
  const argBytes = encoded(args);
  const envBytes = encoded(Object.entries(env).map(([name, value]) => `${name}=${value}`));
  const sizes = (list: readonly Uint8Array[], countOut: number, bytesOut: number) => {
    memory.setU32(countOut, list.length);
    memory.setU32(
      bytesOut,
      list.reduce((sum, bytes) => sum + bytes.length, 0),
    );
  };
  const copy = (list: readonly Uint8Array[], pointers: number, buffer: number) => {
    let at = buffer;
    list.forEach((bytes, index) => {
      memory.setU32(pointers + 4 * index, at);
      memory.bytes.set(bytes, at);
      at += bytes.length;
    });
  };
  let state = 0x2545f491;
  return {
    args_sizes_get: (count: number, bytes: number) => sizes(argBytes, count, bytes),
    args_get: (pointers: number, buffer: number) => copy(argBytes, pointers, buffer),
    environ_sizes_get: (count: number, bytes: number) => sizes(envBytes, count, bytes),
    environ_get: (pointers: number, buffer: number) => copy(envBytes, pointers, buffer),
    random_get: (buffer: number, length: number) => {
      const bytes = memory.bytes;
      for (let i = 0; i < length; i++) {
        // xorshift32: any sequence does, as long as it is the same in every run.
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        bytes[buffer + i] = state & 0xff;
      }
    },
    proc_exit: (code: number) => {
      throw new ProgramExit(code | 0);
    },
    // 134 is what a shell reports for SIGABRT, the only signal that the C library raises by itself.
    proc_raise: (signal: number) => {
      throw new ProgramExit(128 + signal);
    },
    sched_yield: () => ERRNO.success,
  };
}

const CLOCK_REALTIME = 0;

function clockFunctions(memory: HostMemory) {
  const now = (clock: number) =>
    clock === CLOCK_REALTIME ? BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n : process.hrtime.bigint();
  return {
    clock_res_get: (_clock: number, out: number) => memory.view.setBigUint64(out, 1000n, true),
    clock_time_get: (clock: number, _precision: bigint, out: number) => memory.view.setBigUint64(out, now(clock), true),
    /** Subscriptions of 48 bytes in, events of 32 bytes out. Files are always ready; a timeout is slept. */
    poll_oneoff: (subscriptions: number, events: number, count: number, countOut: number) => {
      let shortest: bigint | undefined;
      const ready: { userdata: bigint; type: number }[] = [];
      const timers: { userdata: bigint; type: number }[] = [];
      for (let i = 0; i < count; i++) {
        const at = subscriptions + 48 * i;
        const entry = { userdata: memory.view.getBigUint64(at, true), type: memory.view.getUint8(at + 8) };
        if (entry.type !== 0) {
          ready.push(entry);
          continue;
        }
        const absolute = (memory.view.getUint16(at + 40, true) & 1) !== 0;
        const timeout = memory.view.getBigUint64(at + 24, true) - (absolute ? now(memory.view.getUint32(at + 16, true)) : 0n);
        if (shortest === undefined || timeout < shortest) shortest = timeout;
        timers.push(entry);
      }
      if (ready.length === 0 && shortest !== undefined && shortest > 0n) sleep(Number(shortest) / 1e6);
      const happened = ready.length > 0 ? ready : timers;
      happened.forEach(({ userdata, type }, index) => {
        const at = events + 32 * index;
        memory.bytes.fill(0, at, at + 32);
        memory.view.setBigUint64(at, userdata, true);
        memory.view.setUint8(at + 10, type);
      });
      memory.setU32(countOut, happened.length);
    },
  };
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The pieces that an array of (pointer, length) names, as views. */
function pieces(memory: HostMemory, vector: number, count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, i) => {
    const at = memory.u32(vector + 8 * i);
    return memory.bytes.subarray(at, at + memory.u32(vector + 8 * i + 4));
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function streamFunctions({ memory, stdout, stderr }: WasiOptions, files: FileTable) {
  return {
    fd_write: (fd: number, vector: number, count: number, writtenOut: number) => {
      const bytes = joined(pieces(memory, vector, count));
      // First, because whoever gets the bytes may pass them on to another thread and leave none here.
      memory.setU32(writtenOut, bytes.length);
      if (fd === 1) stdout(bytes);
      else if (fd === 2) stderr(bytes);
      else files.write(fd, bytes);
    },
    fd_pwrite: (fd: number, vector: number, count: number, offset: bigint, writtenOut: number) => {
      const bytes = joined(pieces(memory, vector, count));
      files.write(fd, bytes, Number(offset));
      memory.setU32(writtenOut, bytes.length);
    },
    fd_read: (fd: number, vector: number, count: number, readOut: number) => {
      let total = 0;
      if (fd !== 0) {
        for (const piece of pieces(memory, vector, count)) {
          const got = files.read(fd, piece);
          total += got;
          if (got < piece.length) break;
        }
      }
      memory.setU32(readOut, total);
    },
    fd_pread: (fd: number, vector: number, count: number, offset: bigint, readOut: number) => {
      let total = 0;
      for (const piece of pieces(memory, vector, count)) {
        const got = files.read(fd, piece, Number(offset) + total);
        total += got;
        if (got < piece.length) break;
      }
      memory.setU32(readOut, total);
    },
  };
}

function descriptorFunctions(memory: HostMemory, files: FileTable) {
  const stat = (out: number, info: { type: number; sizeBytes: number; modifiedMs: number }) => {
    memory.bytes.fill(0, out, out + 64);
    memory.view.setUint8(out + 16, info.type);
    memory.view.setBigUint64(out + 24, 1n, true);
    memory.view.setBigUint64(out + 32, BigInt(info.sizeBytes), true);
    for (const at of [40, 48, 56]) memory.view.setBigUint64(out + at, BigInt(Math.round(info.modifiedMs)) * 1_000_000n, true);
  };
  const supported = () => ERRNO.success;
  return {
    fd_close: (fd: number) => files.close(fd),
    fd_fdstat_get: (fd: number, out: number) => {
      const type = fd <= 2 ? FILETYPE.characterDevice : files.typeOf(fd);
      memory.bytes.fill(0, out, out + 24);
      memory.view.setUint8(out, type);
      // Without the rights to seek and tell, the C library takes a character device for a terminal and sends whole lines as they come.
      const rights = type === FILETYPE.characterDevice ? ~0x24n & 0xffffffffn : 0xffffffffn;
      memory.view.setBigUint64(out + 8, rights, true);
      memory.view.setBigUint64(out + 16, 0xffffffffn, true);
    },
    fd_filestat_get: (fd: number, out: number) =>
      stat(out, fd <= 2 ? { type: FILETYPE.characterDevice, sizeBytes: 0, modifiedMs: 0 } : files.stat(fd)),
    fd_filestat_set_size: (fd: number, size: bigint) => files.truncate(fd, Number(size)),
    fd_seek: (fd: number, offset: bigint, whence: number, out: number) => {
      if (fd <= 2) return ERRNO.spipe;
      memory.view.setBigUint64(out, BigInt(files.seek(fd, Number(BigInt.asIntN(64, offset)), whence)), true);
    },
    fd_tell: (fd: number, out: number) => {
      if (fd <= 2) return ERRNO.spipe;
      memory.view.setBigUint64(out, BigInt(files.seek(fd, 0, 1)), true);
    },
    fd_prestat_get: (fd: number, out: number) => {
      const name = files.preopenName(fd);
      memory.setU32(out, 0);
      memory.setU32(out + 4, new TextEncoder().encode(name).length);
    },
    fd_prestat_dir_name: (fd: number, buffer: number, capacity: number) => {
      memory.bytes.set(new TextEncoder().encode(files.preopenName(fd)).subarray(0, capacity), buffer);
    },
    fd_readdir: (fd: number, buffer: number, capacity: number, cookie: bigint, usedOut: number) => {
      const entries = joined(files.directoryEntries(fd, Number(cookie))).subarray(0, capacity);
      memory.bytes.set(entries, buffer);
      memory.setU32(usedOut, entries.length);
    },
    fd_renumber: (from: number, to: number) => files.renumber(from, to),
    path_filestat_get: (fd: number, _flags: number, path: number, length: number, out: number) =>
      stat(out, files.statPath(fd, pathText(memory, path, length))),
    fd_advise: supported,
    fd_allocate: supported,
    fd_datasync: supported,
    fd_sync: supported,
    fd_fdstat_set_flags: supported,
    fd_filestat_set_times: supported,
    path_filestat_set_times: supported,
  };
}

function pathText(memory: HostMemory, path: number, length: number): string {
  return new TextDecoder().decode(memory.bytes.slice(path, path + length));
}

function pathFunctions(memory: HostMemory, files: FileTable) {
  const unsupported = () => ERRNO.nosys;
  const text = (path: number, length: number) => pathText(memory, path, length);
  return {
    path_open: (
      fd: number,
      _lookup: number,
      path: number,
      length: number,
      openFlags: number,
      rights: bigint,
      _inheriting: bigint,
      fdFlags: number,
      out: number,
    ) => {
      const writing = (rights & 0x40n) !== 0n;
      const opened = files.open(fd, text(path, length), {
        openFlags,
        writing,
        reading: (rights & 0x2n) !== 0n,
        append: (fdFlags & 1) !== 0,
      });
      memory.setU32(out, opened);
    },
    path_create_directory: (fd: number, path: number, length: number) => files.createDirectory(fd, text(path, length)),
    path_remove_directory: (fd: number, path: number, length: number) => files.remove(fd, text(path, length)),
    path_unlink_file: (fd: number, path: number, length: number) => files.remove(fd, text(path, length)),
    path_rename: (fd: number, path: number, length: number, newFd: number, newPath: number, newLength: number) =>
      files.rename(fd, text(path, length), newFd, text(newPath, newLength)),
    path_link: unsupported,
    path_symlink: unsupported,
    path_readlink: unsupported,
    sock_accept: unsupported,
    sock_recv: unsupported,
    sock_send: unsupported,
    sock_shutdown: unsupported,
  };
}
