/**
 * Where things lie in the generic address space that a program sees: pointers have 64 bits, of which the upper 32 are zero. Host and
 * device pointers can be told apart by value, unless together they need more addresses than there are (address-line.ts).
 *
 *   0x0000_0000 .. the line      host memory (the host program's own WebAssembly memory); the first 1,024 bytes are the null page
 *   the line .. 0xFAFF_FFFF      global memory; behind it a gap, so that an index that is too large does not lead into a window
 *   0xFC00_0000 .. 0xFCFF_FFFF   local window: each lane sees its own bytes behind the same address
 *   0xFD00_0000 .. 0xFDFF_FFFF   shared window: each block sees its own bytes, and behind them those of all blocks of its cluster
 *   0xFE00_0000 .. 0xFFFF_FFFF   nothing: pointers that have left the address space point to the end of it
 *
 * The line moves with need (address-line.ts). Global memory lies at the byte of its address in the device's WebAssembly memory. Memory
 * that host and device both see lies below the line, from DEVICE_FLOOR on, at the same address in both WebAssembly memories.
 *
 * Pointers of address space 3 and 5 count from 0 within their window; adding the window's base makes them generic. Pointers of
 * spaces 1 (global) and 4 (constant) have the generic value.
 */
export const LOCAL_BASE = 0xfc000000;
export const SHARED_BASE = 0xfd000000;
/** The shared memory of the block of rank r in its cluster is seen by all its blocks at SHARED_BASE + (r + 1) * this. */
export const CLUSTER_WINDOW_BYTES = 1 << 18;
/** All memory of the device lies below. */
export const DEVICE_TOP = 0xfb000000;
/** No memory of the device lies below. What its WebAssembly memory has there is the engines' own scratch space. */
export const DEVICE_FLOOR = 0x20000000;
/**
 * cudaMalloc aligns to this many bytes: what it gives can be bound to a texture as it is (cudaBindTexture in the manual of CUDA 11's
 * runtime), and that wants cudaDevAttrTextureAlignment, 512 on an H200.
 */
export const ALLOCATION_ALIGN_BYTES = 512;
/** No pointer from here on points to anything. */
export const INVALID_START = 0xffff0000;
/**
 * What a pointer becomes when it leaves the address space, as an index that is too large makes it: an access through it always faults.
 * In the middle of what is kept free, so that fields of a structure and neighbours in an array fault like it, and aligned, so that
 * this is what the fault speaks of.
 */
export const INVALID_ADDRESS = 0xffff8000;

/** What such a pointer becomes instead where it is compared with others and lies below zero: see `ordered` in types.ts. */
export const BELOW_ADDRESS = 0xffffc000;
/** Added modulo 2^32 to addresses that are compared: BELOW_ADDRESS then comes before all others, INVALID_ADDRESS behind them. */
export const ORDER_SHIFT = 2 ** 32 - BELOW_ADDRESS;

/** Indices of address arithmetic from here on, or as far below zero, leave the address space whatever is added to them. */
export const MAX_INDEX = 2 ** 32;

/** A pointer of 64 bits as it is held. */
export function heldPointer(bits: bigint): number {
  return bits >> 32n === 0n ? Number(bits) : INVALID_ADDRESS;
}

/** `sum` as an address: INVALID_ADDRESS if it is none. */
export function addressOf(sum: number): number {
  return sum >= 0 && sum < INVALID_START ? sum : INVALID_ADDRESS;
}
