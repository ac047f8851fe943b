/**
 * Where things lie in the 32-bit generic address space that a program sees. Host and device pointers can be told apart by value.
 *
 *   0x0000_0000 .. 0x7DFF_FFFF   host memory (the host program's own WebAssembly memory); the first 1,024 bytes are the null page
 *   0x7E00_0000 .. 0x7EFF_FFFF   local window: each lane sees its own bytes behind the same address
 *   0x7F00_0000 .. 0x7FFF_FFFF   shared window: each block sees its own bytes
 *   0x8000_0000 .. 0xFFFF_FFFF   global memory: address g lies at byte g - 0x8000_0000 of the device's WebAssembly memory
 *
 * Pointers of address space 3 and 5 count from 0 within their window; adding the window's base makes them generic. Pointers of
 * spaces 1 (global) and 4 (constant) have the generic value.
 */
export const HOST_END = 0x7e000000;
export const LOCAL_BASE = 0x7e000000;
export const SHARED_BASE = 0x7f000000;
export const GLOBAL_BASE = 0x80000000;
/** cudaMalloc aligns to this many bytes (CUDA C++ Programming Guide, "Device Memory Accesses": at least 256). */
export const ALLOCATION_ALIGN_BYTES = 256;
