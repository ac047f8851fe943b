/*
 * Threads that run one after the other: pthread_create calls the new thread's function at once, on the creator's stack, and returns when it
 * has ended. So nothing ever runs beside anything else, every run is the same, and a wait for what did not come before can never end: the
 * futex call that musl's locks come down to is then a fault that names it (simulator/runtime/linux/thread-calls.ts).
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include "pthread_impl.h"

__attribute__((import_module("linux"), import_name("threads"))) void __linux_threads(void);
/* Calls a thread's function; an exception that leaves it ends the program. */
void *__lanewise_call_thread(void *(*function)(void *), void *argument);

/* A thread's own data lie around the address in this global of the linker's, which lower-memory64.ts makes one that can be set. */
__asm__(".globaltype __tls_base, i64\n");
static inline char *thread_data(void) {
  char *data;
  __asm__ volatile("global.get __tls_base\nlocal.set %0\n" : "=r"(data));
  return data;
}
static inline void set_thread_data(char *data) { __asm__ volatile("local.get %0\nglobal.set __tls_base\n" ::"r"(data) : "memory"); }

/* The linker puts the threads' data first and constants behind them. What lies between is copied for nothing. */
static const char behind_thread_data[1] __attribute__((aligned(16))) = { 1 };
enum { DATA_ALIGNMENT = 64 };

struct thread {
  struct __pthread descriptor;
  jmp_buf end;
  void *specific[];
};

static struct __pthread main_thread = {
  .self = &main_thread,
  .prev = &main_thread,
  .next = &main_thread,
  .tid = 1000,
  .locale = &libc.global_locale,
  .detach_state = DT_JOINABLE,
  .robust_list = { .head = &main_thread.robust_list.head },
};

hidden struct __pthread *__lanewise_thread = &main_thread;
static int last_number = 1000;
/* The threads' data as the program has them in the beginning. */
static char *first_data;
static size_t data_bytes;

static pthread_t running_thread(void) { return __lanewise_thread; }
weak_alias(running_thread, pthread_self);
weak_alias(running_thread, thrd_current);

/* Before the program's first instruction changes its thread's data. */
void __lanewise_keep_thread_data(void) {
  data_bytes = behind_thread_data - thread_data();
  first_data = malloc(data_bytes);
  memcpy(first_data, thread_data(), data_bytes);
}

static void weak_nothing(void) {}
weak_alias(weak_nothing, __pthread_tsd_run_dtors);

/* Cleanup handlers and the destructors of what belongs to the thread. */
static void finish(struct __pthread *self) {
  self->canceldisable = PTHREAD_CANCEL_DISABLE;
  while (self->cancelbuf) {
    struct __ptcb *handler = self->cancelbuf;
    self->cancelbuf = handler->__next;
    handler->__f(handler->__x);
  }
  __pthread_tsd_run_dtors();
  self->prev->next = self->next;
  self->next->prev = self->prev;
}

int __pthread_create(pthread_t *restrict out, const pthread_attr_t *restrict attributes, void *(*function)(void *), void *restrict argument) {
  size_t head_bytes = sizeof(struct thread) + __pthread_tsd_size;
  size_t size = head_bytes + DATA_ALIGNMENT + data_bytes;
  char *block = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return EAGAIN;
  struct thread *thread = (struct thread *)block;
  struct __pthread *self = &thread->descriptor, *creator = __lanewise_thread;
  char *data = block + (head_bytes + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT, *creators_data = thread_data();
  memcpy(data, first_data, data_bytes);
  self->self = self;
  self->tid = ++last_number;
  self->detach_state = attributes && attributes->_a_detach ? DT_DETACHED : DT_JOINABLE;
  self->map_base = (unsigned char *)block;
  self->map_size = size;
  self->tsd = thread->specific;
  self->locale = &libc.global_locale;
  self->robust_list.head = &self->robust_list.head;
  self->next = creator->next;
  self->prev = creator;
  self->next->prev = creator->next = self;
  *out = self;
  __linux_threads();

  __lanewise_thread = self;
  set_thread_data(data);
  if (!setjmp(thread->end)) self->result = __lanewise_call_thread(function, argument);
  finish(self);
  set_thread_data(creators_data);
  __lanewise_thread = creator;

  if (self->detach_state == DT_DETACHED) munmap(block, size);
  else self->detach_state = DT_EXITED;
  return 0;
}

/* Destructors of what lies on the thread's stack do not run. */
_Noreturn void __pthread_exit(void *result) {
  struct __pthread *self = __lanewise_thread;
  if (self == &main_thread) {
    finish(self);
    exit(0);
  }
  self->result = result;
  longjmp(((struct thread *)self)->end, 1);
}

/* Only the thread that runs can end early: the others have ended, or wait for this one below it on the stack. */
int pthread_cancel(pthread_t thread) {
  thread->cancel = 1;
  if (thread == __lanewise_thread && thread->cancelasync && !thread->canceldisable) __pthread_exit(PTHREAD_CANCELED);
  return 0;
}

void __testcancel(void) {
  struct __pthread *self = __lanewise_thread;
  if (self->cancel && !self->canceldisable) __pthread_exit(PTHREAD_CANCELED);
}

void __do_cleanup_push(struct __ptcb *handler) {
  handler->__next = __lanewise_thread->cancelbuf;
  __lanewise_thread->cancelbuf = handler;
}

void __do_cleanup_pop(struct __ptcb *handler) { __lanewise_thread->cancelbuf = handler->__next; }

/* Whoever holds it waits below on the stack, and never lets go. */
int pthread_spin_lock(pthread_spinlock_t *lock) {
  while (*lock) __syscall(SYS_futex, lock, FUTEX_WAIT, *lock, 0);
  *lock = EBUSY;
  return 0;
}

long __syscall_cp_c(syscall_arg_t number, syscall_arg_t a, syscall_arg_t b, syscall_arg_t c, syscall_arg_t d, syscall_arg_t e, syscall_arg_t f) {
  __testcancel();
  return __syscall(number, a, b, c, d, e, f);
}

/* The list of threads changes in no one's absence. */
void __tl_lock(void) {}
void __tl_unlock(void) {}
void __tl_sync(pthread_t thread) {}
void __membarrier_init(void) {}
void __synccall(void (*call)(void *), void *argument) { call(argument); }

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  *attributes = (pthread_attr_t){ 0 };
  attributes->_a_detach = thread->detach_state >= DT_DETACHED;
  attributes->_a_stacksize = 8 << 20;
  return 0;
}

weak_alias(__pthread_create, pthread_create);
weak_alias(__pthread_exit, pthread_exit);
