/** System calls on the address space. Files are mapped by reading them; what was written to a shared one goes back to the file. */
import type { HostMemory } from '../host-memory.ts';
import { type AddressSpace, PAGE_BYTES, pageEnd } from './address-space.ts';
import { ERRNO, LinuxError } from './errors.ts';
import type { Files } from './files.ts';
import type { OpenFile } from './open-files.ts';
import type { SystemCalls } from './system-calls.ts';

const PROTECTION_WRITE = 2;
const MAP = { shared: 1, type: 0xf, fixed: 0x10, anonymous: 0x20, fixedNoReplace: 0x100000 };
const REMAP_MAY_MOVE = 1;
const ADVICE_DONT_NEED = 4;

interface SharedMapping {
  readonly address: number;
  readonly sizeBytes: number;
  readonly file: OpenFile;
  readonly offset: number;
}

export interface MemoryCalls {
  readonly calls: SystemCalls;
  /** Writes shared mappings back to their files: before the program ends. */
  writeBack(): void;
}

export function memoryCalls(memory: HostMemory, space: () => AddressSpace, files: Files): MemoryCalls {
  let shared: SharedMapping[] = [];

  function map(address: number, sizeBytes: number, protection: number, flags: number, fd: number, offset: number): number {
    if (sizeBytes <= 0 || offset % PAGE_BYTES !== 0) throw new LinuxError(ERRNO.inval);
    const file = flags & MAP.anonymous ? undefined : files.file(fd);
    const at = flags & (MAP.fixed | MAP.fixedNoReplace) ? fixed(address, sizeBytes, flags) : space().map(sizeBytes);
    if (at === undefined) throw new LinuxError(ERRNO.nomem);
    if (file) readAll(file, memory.bytes.subarray(at, at + sizeBytes), offset);
    if (file && (flags & MAP.type) !== 2 && protection & PROTECTION_WRITE) shared.push({ address: at, sizeBytes, file, offset });
    return at;
  }

  /** Only over what the program has already: elsewhere may be anything. */
  function fixed(address: number, sizeBytes: number, flags: number): number {
    if (flags & MAP.fixedNoReplace && space().holds(address, sizeBytes)) throw new LinuxError(ERRNO.exist);
    if (!space().holds(address, sizeBytes)) throw new LinuxError(ERRNO.nomem);
    memory.bytes.fill(0, address, address + pageEnd(sizeBytes));
    return address;
  }

  function writeBack(from = 0, end = Number.POSITIVE_INFINITY): SharedMapping[] {
    const touched = shared.filter(({ address, sizeBytes }) => address < end && address + sizeBytes > from);
    for (const { address, sizeBytes, file, offset } of touched) {
      const count = Math.min(sizeBytes, file.status().sizeBytes - offset);
      if (count > 0) file.write(memory.bytes.slice(address, address + count), offset);
    }
    return touched;
  }

  return {
    writeBack: () => void writeBack(),
    calls: {
      brk: (end) => space().brk(end),
      mmap: map,
      munmap: (address, sizeBytes) => {
        if (address % PAGE_BYTES !== 0 || sizeBytes <= 0) throw new LinuxError(ERRNO.inval);
        const ended = writeBack(address, address + sizeBytes);
        shared = shared.filter((mapping) => !ended.includes(mapping));
        space().unmap(address, sizeBytes);
      },
      mremap: (address, oldBytes, newBytes, flags) =>
        space().remap(address, oldBytes, newBytes, (flags & REMAP_MAY_MOVE) !== 0) ?? -ERRNO.nomem,
      msync: (address, sizeBytes) => void writeBack(address, address + sizeBytes),
      madvise: (address, sizeBytes, advice) => {
        if (advice === ADVICE_DONT_NEED && space().holds(address, sizeBytes)) memory.bytes.fill(0, address, address + sizeBytes);
      },
      mprotect: () => 0,
      mlock: () => 0,
      munlock: () => 0,
      mlockall: () => 0,
      munlockall: () => 0,
    },
  };
}

function readAll(file: OpenFile, into: Uint8Array, offset: number): void {
  for (let done = 0; done < into.length; ) {
    const count = file.read(into.subarray(done), offset + done);
    if (count === 0) return;
    done += count;
  }
}
