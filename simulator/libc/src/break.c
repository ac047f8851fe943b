/* The end of the program's data. It is asked for each time: the system's mappings share the space and may lie above what was the end. */
#include <errno.h>
#include <unistd.h>
#include "syscall.h"

int brk(void *end) {
  if ((void *)__syscall(SYS_brk, end) == end) return 0;
  errno = ENOMEM;
  return -1;
}

void *sbrk(intptr_t increment) {
  char *before = (char *)__syscall(SYS_brk, 0);
  return increment == 0 || brk(before + increment) == 0 ? before : (void *)-1;
}
