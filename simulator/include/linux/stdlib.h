/* What Linux's header declares beside WASI's: temporary files. */
#ifndef __LANEWISE_LINUX_STDLIB_H
#define __LANEWISE_LINUX_STDLIB_H
#include_next <stdlib.h>
#ifdef __cplusplus
extern "C" {
#endif
int mkstemp(char* name);
char* mkdtemp(char* name);
char* mktemp(char* name);
void* valloc(size_t size);
void* memalign(size_t alignment, size_t size);
int getloadavg(double averages[], int count);
#ifdef __cplusplus
}
#endif
#endif
