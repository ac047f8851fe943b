/* The running thread's descriptor, which the scheduler in threads.c changes. */
extern __attribute__((__visibility__("hidden"))) struct __pthread *__lanewise_thread;

static inline uintptr_t __get_tp(void) { return (uintptr_t)__lanewise_thread; }

#define MC_PC gregs[REG_RIP]
