/* What Linux's header declares beside WASI's: which processors a thread may use. */
#ifndef __LANEWISE_LINUX_SCHED_H
#define __LANEWISE_LINUX_SCHED_H
#include_next <sched.h>
#include <sys/types.h>
#define CPU_SETSIZE 1024
#define CPU_ZERO(set) __builtin_memset((set), 0, sizeof(cpu_set_t))
#define CPU_SET(number, set) ((void)((set)->__bits[(number) / 32] |= 1u << (number) % 32))
#define CPU_CLR(number, set) ((void)((set)->__bits[(number) / 32] &= ~(1u << (number) % 32)))
#define CPU_ISSET(number, set) (((set)->__bits[(number) / 32] >> (number) % 32) & 1u)
#ifdef __cplusplus
extern "C" {
#endif
typedef struct cpu_set_t {
  unsigned int __bits[CPU_SETSIZE / 32];
} cpu_set_t;
int sched_getcpu(void);
int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set);
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set);
int sched_get_priority_max(int policy);
int sched_get_priority_min(int policy);
#ifdef __cplusplus
}
#endif
#endif
