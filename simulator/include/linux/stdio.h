/* What Linux's header declares beside WASI's: pipes to other programs and locks of streams. */
#ifndef __LANEWISE_LINUX_STDIO_H
#define __LANEWISE_LINUX_STDIO_H
#include_next <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif
FILE* popen(const char* command, const char* mode);
int pclose(FILE* stream);
void flockfile(FILE* stream);
int ftrylockfile(FILE* stream);
void funlockfile(FILE* stream);
char* tempnam(const char* folder, const char* prefix);
#ifdef __cplusplus
}
#endif
#endif
