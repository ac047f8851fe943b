/* What Linux's header declares beside WASI's: timers. */
#ifndef __LANEWISE_LINUX_SYS_TIME_H
#define __LANEWISE_LINUX_SYS_TIME_H
#include_next <sys/time.h>
#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
#ifdef __cplusplus
extern "C" {
#endif
struct itimerval {
  struct timeval it_interval, it_value;
};
int getitimer(int which, struct itimerval* value);
int setitimer(int which, const struct itimerval* value, struct itimerval* old);
#ifdef __cplusplus
}
#endif
#endif
