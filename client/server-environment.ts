/**
 * What the language server's process starts with, besides what the editor's has. Programs run in its threads, and V8 compiles their kernels in
 * others: by default glibc gives each thread a heap of its own, in which a few small pieces that stay keep all that the run has freed, 60 MB
 * of a run of a hundred. One heap, whose end goes back to the system, and large pieces outside it leave 20. Other allocators ignore it.
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '16384',
};
