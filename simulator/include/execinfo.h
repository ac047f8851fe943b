/* glibc's view of the stack. The host program's stack is not in its memory, so that no frames are found. */
#ifndef _EXECINFO_H
#define _EXECINFO_H 1
#pragma GCC system_header
#include <stdlib.h>

static inline __attribute__((unused)) int backtrace(void** buffer, int size) { return (void)buffer, (void)size, 0; }
static inline __attribute__((unused)) char** backtrace_symbols(void* const* buffer, int size) {
  return (void)buffer, (char**)malloc(size > 0 ? size * sizeof(char*) : 1);
}
static inline __attribute__((unused)) void backtrace_symbols_fd(void* const* buffer, int size, int fd) { (void)buffer, (void)size, (void)fd; }
#endif
