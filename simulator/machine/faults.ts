/** What a fault says about memory: sentences with everything a reader needs. Both engines use them. */
import { CLUSTER_WINDOW_BYTES, INVALID_START, LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import type { DeviceMemory } from './device-memory.ts';

export interface BadAccess {
  readonly access: 'read' | 'write' | 'atomic';
  /** Generic address. */
  readonly address: number;
  readonly bytes: number;
  /** Bytes of shared memory that the block has. */
  readonly sharedBytes: number;
  /** Bytes of local memory that the thread has in use. */
  readonly localBytes: number;
}

const NULL_PAGE_BYTES = 1024;
/** Host memory so near behind an allocation is met by wrong indices, too. */
const BEHIND_BYTES = 2 ** 20;

export function hex(address: number): string {
  return `0x${(address >>> 0).toString(16)}`;
}

export function outOfBoundsMessage(memory: DeviceMemory, bad: BadAccess): string {
  const address = bad.address >>> 0;
  if (address >= INVALID_START) {
    return `out-of-bounds ${bad.access} of ${bad.bytes} bytes outside the address space: an index is far out of range, or the pointer is uninitialised`;
  }
  if (address >= SHARED_BASE) {
    const offset = address - SHARED_BASE;
    if (offset >= CLUSTER_WINDOW_BYTES) {
      const rank = Math.floor(offset / CLUSTER_WINDOW_BYTES) - 1;
      const what = `out-of-bounds ${bad.access} of ${bad.bytes} bytes at byte ${offset % CLUSTER_WINDOW_BYTES} of the shared memory of block ${rank} of the cluster`;
      return `${what}: the cluster has no such block, or it has ended, or each block has ${bad.sharedBytes} bytes`;
    }
    const size = bad.sharedBytes === 0 ? 'the kernel has no shared memory' : `the block has ${bad.sharedBytes} bytes`;
    return `out-of-bounds __shared__ ${bad.access} of ${bad.bytes} bytes at byte ${offset} of shared memory: ${size}`;
  }
  if (address >= LOCAL_BASE) {
    const offset = address - LOCAL_BASE;
    return `out-of-bounds local ${bad.access} of ${bad.bytes} bytes at byte ${offset} of the thread's local memory, of which ${bad.localBytes} are in use`;
  }
  if (address < NULL_PAGE_BYTES) return `${bad.access} of ${bad.bytes} bytes through a null pointer (address ${hex(address)})`;
  if (memory.line.isHost(address)) return hostMessage(memory, bad, address);
  return globalMessage(memory, bad, address);
}

/** A host pointer that was passed, or an index that left memory which host and device share. */
function hostMessage(memory: DeviceMemory, bad: BadAccess, address: number): string {
  const start = `${bad.access} of ${bad.bytes} bytes at ${hex(address)}, which is host memory: a kernel cannot access it`;
  const nearest = memory.nearest(address);
  const past = nearest ? address - (nearest.address + nearest.sizeBytes) : -1;
  if (!nearest || past < 0 || past > BEHIND_BYTES) return `${start}; copy the data to memory from cudaMalloc, or use cudaMallocManaged`;
  return `${start}. Either a pointer of the host was passed, or an index is out of range: the address is ${past} bytes after the end of ${nearest.label} (${nearest.sizeBytes} bytes)`;
}

export function misalignedMessage(bad: BadAccess, align: number): string {
  // A load of one part of a vector that hardware moves at once is aligned to more bytes than its own.
  return `misaligned ${bad.access} of ${Math.max(bad.bytes, align)} bytes at ${hex(bad.address)}: the address must be a multiple of ${align}`;
}

function globalMessage(memory: DeviceMemory, bad: BadAccess, address: number): string {
  const start = `out-of-bounds __global__ ${bad.access} of ${bad.bytes} bytes at ${hex(address)}`;
  const hidden = memory.hiddenAt(address);
  if (hidden) {
    const where = `${start}, in ${hidden.label} (${hidden.sizeBytes} bytes) of device ${hidden.owner}`;
    return `${where}: a kernel sees the memory of another device only behind cudaDeviceEnablePeerAccess(${hidden.owner}, 0)`;
  }
  const freed = memory.freedAt(address);
  if (freed) {
    const where = address === freed.address ? 'the start' : `byte ${address - freed.address}`;
    return `${start}, which was ${where} of ${freed.label} (${freed.sizeBytes} bytes) until ${freed.freedBy}: use after free`;
  }
  const nearest = memory.nearest(address);
  if (!nearest) return `${start}: no device memory is allocated`;
  const size = `${nearest.label} (${nearest.sizeBytes} bytes at ${hex(nearest.address)})`;
  const end = nearest.address + nearest.sizeBytes;
  if (address < nearest.address) return `${start}, ${nearest.address - address} bytes before ${size}`;
  if (address < end) return `${start}, which starts inside ${size} and ends ${address + bad.bytes - end} bytes after it`;
  return `${start}, ${address === end ? 'directly' : `${address - end} bytes`} after the end of ${size}`;
}
