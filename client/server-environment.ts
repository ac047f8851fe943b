/**
 * What the language server's process starts with, besides what the editor's has. Programs run in its threads, and V8 compiles their kernels in
 * others: by default glibc gives each thread a heap of its own, in which a few small pieces that stay keep all that the run has freed, 75 MB
 * of a run of a hundred. One heap for all leaves 27. (Thresholds that give back more take a fifth more of Clang's time.)
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
