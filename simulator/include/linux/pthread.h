/* What Linux's header declares beside WASI's; a thread that is started says that there are none. */
#ifndef __LANEWISE_LINUX_PTHREAD_H
#define __LANEWISE_LINUX_PTHREAD_H
#include_next <pthread.h>
#ifdef __cplusplus
extern "C" {
#endif
struct sched_param;
int pthread_cancel(pthread_t thread);
void pthread_exit(void* result) __attribute__((noreturn));
int pthread_getschedparam(pthread_t thread, int* policy, struct sched_param* parameters);
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param* parameters);
int pthread_attr_getschedparam(const pthread_attr_t* attributes, struct sched_param* parameters);
int pthread_attr_setschedparam(pthread_attr_t* attributes, const struct sched_param* parameters);
#ifdef __cplusplus
}
#endif
#endif
