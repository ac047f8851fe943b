/* What Linux's header declares beside WASI's: processes and users. */
#ifndef __LANEWISE_LINUX_UNISTD_H
#define __LANEWISE_LINUX_UNISTD_H
#include_next <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif
pid_t fork(void);
pid_t vfork(void);
pid_t getppid(void);
pid_t getpgrp(void);
pid_t gettid(void);
pid_t setsid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int execv(const char* path, char* const arguments[]);
int execve(const char* path, char* const arguments[], char* const environment[]);
int execvp(const char* file, char* const arguments[]);
int execl(const char* path, const char* argument, ...);
int execlp(const char* file, const char* argument, ...);
int pipe(int ends[2]);
int dup(int file);
int dup2(int file, int other);
int pause(void);
int nice(int change);
unsigned int alarm(unsigned int seconds);
long syscall(long number, ...);
void sync(void);
#ifdef __cplusplus
}
#endif
#endif
