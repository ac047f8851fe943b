/* What Linux's header declares beside WASI's: limits and priorities. */
#ifndef __LANEWISE_LINUX_SYS_RESOURCE_H
#define __LANEWISE_LINUX_SYS_RESOURCE_H
#include_next <sys/resource.h>
#include <sys/types.h>
#define RLIMIT_CPU 0
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9
#define RLIM_INFINITY (~0ULL)
#define PRIO_PROCESS 0
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned long long rlim_t;
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
int getrlimit(int resource, struct rlimit* limit);
int setrlimit(int resource, const struct rlimit* limit);
int getpriority(int which, id_t who);
int setpriority(int which, id_t who, int priority);
#ifdef __cplusplus
}
#endif
#endif
