/* The running thread. */
#include "pthread_impl.h"

static struct __pthread main_thread = { .self = &main_thread, .tid = 1, .locale = &libc.global_locale, .detach_state = DT_JOINABLE };

hidden struct __pthread *__lanewise_thread = &main_thread;

pthread_t __pthread_self_fn(void) { return __lanewise_thread; }
