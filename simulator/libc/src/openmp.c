/*
 * OpenMP with teams of one thread, which the specification allows: regions run where they stand, loops in one piece from their first to
 * their last iteration, tasks when they are made. The entry points are those that Clang calls (their signatures stand in LLVM's
 * OMPKinds.def), and the functions of <omp.h>.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct ident ident;
typedef int32_t i32;
typedef int64_t i64;
typedef uint32_t u32;
typedef uint64_t u64;

__attribute__((import_module("linux"), import_name("team"))) void __linux_team(void);

/* ---- Regions. An outlined region takes the addresses of two thread numbers, then its variables. ---- */

enum { MOST_VARIABLES = 32 };
static int level, wanted_threads = 1;

#define V(i) , void *
#define A(i) , v[i]
#define TIMES0(M)
#define TIMES1(M) M(0)
#define TIMES2(M) TIMES1(M) M(1)
#define TIMES3(M) TIMES2(M) M(2)
#define TIMES4(M) TIMES3(M) M(3)
#define TIMES5(M) TIMES4(M) M(4)
#define TIMES6(M) TIMES5(M) M(5)
#define TIMES7(M) TIMES6(M) M(6)
#define TIMES8(M) TIMES7(M) M(7)
#define TIMES9(M) TIMES8(M) M(8)
#define TIMES10(M) TIMES9(M) M(9)
#define TIMES11(M) TIMES10(M) M(10)
#define TIMES12(M) TIMES11(M) M(11)
#define TIMES13(M) TIMES12(M) M(12)
#define TIMES14(M) TIMES13(M) M(13)
#define TIMES15(M) TIMES14(M) M(14)
#define TIMES16(M) TIMES15(M) M(15)
#define TIMES17(M) TIMES16(M) M(16)
#define TIMES18(M) TIMES17(M) M(17)
#define TIMES19(M) TIMES18(M) M(18)
#define TIMES20(M) TIMES19(M) M(19)
#define TIMES21(M) TIMES20(M) M(20)
#define TIMES22(M) TIMES21(M) M(21)
#define TIMES23(M) TIMES22(M) M(22)
#define TIMES24(M) TIMES23(M) M(23)
#define TIMES25(M) TIMES24(M) M(24)
#define TIMES26(M) TIMES25(M) M(25)
#define TIMES27(M) TIMES26(M) M(26)
#define TIMES28(M) TIMES27(M) M(27)
#define TIMES29(M) TIMES28(M) M(28)
#define TIMES30(M) TIMES29(M) M(29)
#define TIMES31(M) TIMES30(M) M(30)
#define TIMES32(M) TIMES31(M) M(31)
/* WebAssembly calls through a pointer only with the very type of the function. */
#define CALL(n) \
  case n: ((void (*)(i32 *, i32 * TIMES##n(V)))region)(&thread, &bound TIMES##n(A)); break;

static void call_region(void *region, int count, void **v) {
  i32 thread = 0, bound = 0;
  switch (count) {
    CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7) CALL(8) CALL(9) CALL(10) CALL(11) CALL(12) CALL(13) CALL(14) CALL(15)
    CALL(16) CALL(17) CALL(18) CALL(19) CALL(20) CALL(21) CALL(22) CALL(23) CALL(24) CALL(25) CALL(26) CALL(27) CALL(28) CALL(29) CALL(30)
    CALL(31) CALL(32)
    default: abort();
  }
}

static void enter(void) {
  if (level++ == 0) __linux_team();
}

void __kmpc_fork_call(ident *where, i32 count, void *region, ...) {
  void *variables[MOST_VARIABLES];
  va_list list;
  va_start(list, region);
  for (int i = 0; i < count && i < MOST_VARIABLES; i++) variables[i] = va_arg(list, void *);
  va_end(list);
  enter();
  call_region(region, count, variables);
  level--;
}

/* With a condition at run time. Its region takes one variable. */
void __kmpc_fork_call_if(ident *where, i32 count, void *region, i32 condition, void *variable) {
  enter();
  call_region(region, count, &variable);
  level--;
}

void __kmpc_fork_teams(ident *where, i32 count, void *region, ...) {
  void *variables[MOST_VARIABLES];
  va_list list;
  va_start(list, region);
  for (int i = 0; i < count && i < MOST_VARIABLES; i++) variables[i] = va_arg(list, void *);
  va_end(list);
  __linux_team();
  call_region(region, count, variables);
}

void __kmpc_serialized_parallel(ident *where, i32 thread) { enter(); }
void __kmpc_end_serialized_parallel(ident *where, i32 thread) { level--; }
i32 __kmpc_global_thread_num(ident *where) { return 0; }
i32 __kmpc_global_num_threads(ident *where) { return 1; }
i32 __kmpc_bound_thread_num(ident *where) { return 0; }
i32 __kmpc_bound_num_threads(ident *where) { return 1; }
void __kmpc_begin(ident *where, i32 flags) {}
void __kmpc_end(ident *where) {}
void __kmpc_push_num_threads(ident *where, i32 thread, i32 count) {}
void __kmpc_push_num_threads_strict(ident *where, i32 thread, i32 count, i32 severity, const char *message) {}
void __kmpc_push_num_teams(ident *where, i32 thread, i32 teams, i32 threads) {}
void __kmpc_push_num_teams_51(ident *where, i32 thread, i32 low, i32 high, i32 threads) {}
void __kmpc_set_thread_limit(ident *where, i32 thread, i32 limit) {}
void __kmpc_push_proc_bind(ident *where, i32 thread, i32 kind) {}
void __kmpc_push_target_tripcount(i64 device, u64 count) {}

/* ---- Synchronisation: nobody else is there. ---- */

void __kmpc_barrier(ident *where, i32 thread) {}
i32 __kmpc_cancel_barrier(ident *where, i32 thread) { return 0; }
/* OMP_CANCELLATION is off, as by default. */
i32 __kmpc_cancel(ident *where, i32 thread, i32 kind) { return 0; }
i32 __kmpc_cancellationpoint(ident *where, i32 thread, i32 kind) { return 0; }
void __kmpc_flush(ident *where) {}
i32 __kmpc_master(ident *where, i32 thread) { return 1; }
void __kmpc_end_master(ident *where, i32 thread) {}
i32 __kmpc_masked(ident *where, i32 thread, i32 filter) { return filter == 0; }
void __kmpc_end_masked(ident *where, i32 thread) {}
i32 __kmpc_single(ident *where, i32 thread) { return 1; }
void __kmpc_end_single(ident *where, i32 thread) {}
void __kmpc_scope(ident *where, i32 thread, void *reserved) {}
void __kmpc_end_scope(ident *where, i32 thread, void *reserved) {}
void __kmpc_ordered(ident *where, i32 thread) {}
void __kmpc_end_ordered(ident *where, i32 thread) {}
void __kmpc_copyprivate(ident *where, i32 thread, size_t size, void *data, void (*copy)(void *, void *), i32 did) {}
void *__kmpc_copyprivate_light(ident *where, i32 thread, void *data) { return data; }

/* All arguments have 64 bits: WebAssembly passes an int in 32. */
static void wait_for(const volatile int *word) { syscall(SYS_futex, word, 0L, (long)*word, 0L, 0L, 0L); }

/* A critical region within one of the same name can never begin. */
void __kmpc_critical(ident *where, i32 thread, i32 *name) {
  while (*name) wait_for(name);
  *name = 1;
}
void __kmpc_critical_with_hint(ident *where, i32 thread, i32 *name, u32 hint) { __kmpc_critical(where, thread, name); }
void __kmpc_end_critical(ident *where, i32 thread, i32 *name) { *name = 0; }

/* 1: the caller combines its copy with the original. */
i32 __kmpc_reduce(ident *where, i32 thread, i32 count, size_t size, void *data, void (*combine)(void *, void *), i32 *name) { return 1; }
i32 __kmpc_reduce_nowait(ident *where, i32 thread, i32 count, size_t size, void *data, void (*combine)(void *, void *), i32 *name) { return 1; }
void __kmpc_end_reduce(ident *where, i32 thread, i32 *name) {}
void __kmpc_end_reduce_nowait(ident *where, i32 thread, i32 *name) {}

void *__kmpc_threadprivate_cached(ident *where, i32 thread, void *data, size_t size, void ***cache) { return data; }
void __kmpc_threadprivate_register(ident *where, void *data, void *constructor, void *copy, void *destructor) {}

/* ---- Loops. Bounds are inclusive; a step goes from one piece to the next. ---- */

#define STATIC_LOOPS(name, type, signed_type) \
  void __kmpc_for_static_init_##name(ident *where, i32 thread, i32 schedule, i32 *last, type *low, type *high, signed_type *stride, signed_type step, signed_type chunk) { \
    int empty = step > 0 ? *high < *low : *low < *high; \
    if (last) *last = !empty; \
    *stride = empty ? step : step > 0 ? (signed_type)(*high - *low + 1) : -(signed_type)(*low - *high + 1); \
  } \
  void __kmpc_dist_for_static_init_##name(ident *where, i32 thread, i32 schedule, i32 *last, type *low, type *high, type *team_high, signed_type *stride, signed_type step, signed_type chunk) { \
    __kmpc_for_static_init_##name(where, thread, schedule, last, low, high, stride, step, chunk); \
    *team_high = *high; \
  } \
  void __kmpc_dispatch_init_##name(ident *where, i32 thread, i32 schedule, type low, type high, signed_type step, signed_type chunk) { \
    push_loop(step > 0 ? high < low : low < high, (i64)low, (i64)high, step); \
  } \
  void __kmpc_dist_dispatch_init_##name(ident *where, i32 thread, i32 schedule, i32 *last, type low, type high, signed_type step, signed_type chunk) { \
    push_loop(step > 0 ? high < low : low < high, (i64)low, (i64)high, step); \
  } \
  i32 __kmpc_dispatch_next_##name(ident *where, i32 thread, i32 *last, type *low, type *high, signed_type *step) { \
    struct loop *loop = &loops[loop_count - 1]; \
    if (loop->done) { \
      loop_count--; \
      return 0; \
    } \
    loop->done = 1; \
    if (last) *last = 1; \
    *low = (type)loop->low; \
    *high = (type)loop->high; \
    *step = (signed_type)loop->step; \
    return 1; \
  } \
  void __kmpc_dispatch_fini_##name(ident *where, i32 thread) {}

/* Loops that hand out their pieces, the innermost last. */
struct loop {
  int done;
  i64 low, high, step;
};
static struct loop *loops;
static int loop_count, loop_room;

static void push_loop(int empty, i64 low, i64 high, i64 step) {
  if (loop_count == loop_room) loops = realloc(loops, (loop_room = 2 * loop_room + 8) * sizeof *loops);
  loops[loop_count++] = (struct loop){ empty, low, high, step };
}

STATIC_LOOPS(4, i32, i32)
STATIC_LOOPS(4u, u32, i32)
STATIC_LOOPS(8, i64, i64)
STATIC_LOOPS(8u, u64, i64)
void __kmpc_for_static_fini(ident *where, i32 thread) {}
void __kmpc_dispatch_deinit(ident *where, i32 thread) {}

/* Iterations that wait for earlier ones find them done. */
void __kmpc_doacross_init(ident *where, i32 thread, i32 count, void *dimensions) {}
void __kmpc_doacross_wait(ident *where, i32 thread, i64 *iteration) {}
void __kmpc_doacross_post(ident *where, i32 thread, i64 *iteration) {}
void __kmpc_doacross_fini(ident *where, i32 thread) {}

/* ---- Tasks: run when they are made, so what they depend on is done. ---- */

struct task;
typedef i32 (*task_entry)(i32 thread, struct task *task);
struct task {
  void *shared;
  task_entry entry;
  i32 part;
  union {
    i32 priority;
    task_entry destroy;
  } first, second;
  /* Of a loop made of tasks. */
  u64 low, high;
  i64 step;
  i32 last;
};

enum { TASK_IS_FINAL = 2, TASK_HAS_DESTRUCTORS = 8 };

/* In front of each task. */
struct task_head {
  i32 flags, was_final;
  char padding[56];
};
static int in_final;

static struct task_head *head_of(struct task *task) { return (struct task_head *)task - 1; }

struct task *__kmpc_omp_task_alloc(ident *where, i32 thread, i32 flags, size_t size, size_t shared_size, task_entry entry) {
  size = (size + 15) / 16 * 16;
  struct task_head *head = aligned_alloc(64, (sizeof *head + size + shared_size + 63) / 64 * 64);
  memset(head, 0, sizeof *head + size + shared_size);
  struct task *task = (struct task *)(head + 1);
  head->flags = flags;
  task->shared = shared_size ? (char *)task + size : 0;
  task->entry = entry;
  return task;
}

struct task *__kmpc_omp_target_task_alloc(ident *where, i32 thread, i32 flags, size_t size, size_t shared_size, task_entry entry, i64 device) {
  return __kmpc_omp_task_alloc(where, thread, flags, size, shared_size, entry);
}

static void begin_task(struct task *task) {
  struct task_head *head = head_of(task);
  head->was_final = in_final;
  in_final = in_final || (head->flags & TASK_IS_FINAL);
}

static void end_task(struct task *task) {
  struct task_head *head = head_of(task);
  if (head->flags & TASK_HAS_DESTRUCTORS) task->first.destroy(0, task);
  in_final = head->was_final;
  free(head);
}

i32 __kmpc_omp_task(ident *where, i32 thread, struct task *task) {
  begin_task(task);
  task->entry(thread, task);
  end_task(task);
  return 0;
}

i32 __kmpc_omp_task_parts(ident *where, i32 thread, struct task *task) { return __kmpc_omp_task(where, thread, task); }

i32 __kmpc_omp_task_with_deps(ident *where, i32 thread, struct task *task, i32 count, void *list, i32 more, void *more_list) {
  return __kmpc_omp_task(where, thread, task);
}

/* The caller runs the task itself between these two. */
void __kmpc_omp_task_begin_if0(ident *where, i32 thread, struct task *task) { begin_task(task); }
void __kmpc_omp_task_complete_if0(ident *where, i32 thread, struct task *task) { end_task(task); }

i32 __kmpc_omp_taskwait(ident *where, i32 thread) { return 0; }
i32 __kmpc_omp_taskyield(ident *where, i32 thread, int end) { return 0; }
void __kmpc_omp_wait_deps(ident *where, i32 thread, i32 count, void *list, i32 more, void *more_list) {}
void __kmpc_omp_taskwait_deps_51(ident *where, i32 thread, i32 count, void *list, i32 more, void *more_list, i32 nowait) {}
void __kmpc_taskgroup(ident *where, i32 thread) {}
void __kmpc_end_taskgroup(ident *where, i32 thread) {}
i32 __kmpc_omp_reg_task_with_affinity(ident *where, i32 thread, struct task *task, i32 count, void *list) { return 0; }

/* One task for all iterations. */
void __kmpc_taskloop(ident *where, i32 thread, struct task *task, i32 condition, u64 *low, u64 *high, i64 step, i32 nogroup, i32 kind, u64 size, void *duplicate) {
  i64 first = (i64)*low, end = (i64)*high;
  if (step > 0 ? first > end : first < end) {
    free(head_of(task));
    return;
  }
  task->last = 1;
  __kmpc_omp_task(where, thread, task);
}

void __kmpc_taskloop_5(ident *where, i32 thread, struct task *task, i32 condition, u64 *low, u64 *high, i64 step, i32 nogroup, i32 kind, u64 size, i32 strict, void *duplicate) {
  __kmpc_taskloop(where, thread, task, condition, low, high, step, nogroup, kind, size, duplicate);
}

/* Tasks that reduce work on the original, one after the other. */
void *__kmpc_taskred_init(i32 thread, i32 count, void *items) { return items; }
void *__kmpc_task_reduction_init(i32 thread, i32 count, void *items) { return items; }
void *__kmpc_taskred_modifier_init(ident *where, i32 thread, i32 worksharing, i32 count, void *items) { return items; }
void *__kmpc_task_reduction_modifier_init(ident *where, i32 thread, i32 worksharing, i32 count, void *items) { return items; }
void __kmpc_task_reduction_modifier_fini(ident *where, i32 thread, i32 worksharing) {}
void *__kmpc_task_reduction_get_th_data(i32 thread, void *group, void *item) { return item; }

void *__kmpc_alloc(i32 thread, size_t size, uintptr_t allocator) { return malloc(size); }
void *__kmpc_aligned_alloc(i32 thread, size_t alignment, size_t size, uintptr_t allocator) {
  return aligned_alloc(alignment < 8 ? 8 : alignment, (size + alignment - 1) / alignment * alignment);
}
void *__kmpc_calloc(i32 thread, size_t count, size_t size, uintptr_t allocator) { return calloc(count, size); }
void __kmpc_free(i32 thread, void *block, uintptr_t allocator) { free(block); }

/* ---- <omp.h> ---- */

int omp_get_num_threads(void) { return 1; }
int omp_get_thread_num(void) { return 0; }
int omp_get_max_threads(void) { return wanted_threads; }
void omp_set_num_threads(int count) { wanted_threads = count > 0 ? count : 1; }
int omp_get_num_procs(void) { return 1; }
/* In a team of several threads, which there is none of. */
int omp_in_parallel(void) { return 0; }
int omp_get_active_level(void) { return 0; }
int omp_get_level(void) { return level; }
int omp_get_ancestor_thread_num(int of) { return of >= 0 && of <= level ? 0 : -1; }
int omp_get_team_size(int of) { return of >= 0 && of <= level ? 1 : -1; }
int omp_get_thread_limit(void) { return INT_MAX; }
int omp_in_final(void) { return in_final; }
int omp_get_cancellation(void) { return 0; }

static int dynamic, most_levels = 1, schedule_kind = 2, schedule_chunk = 1, default_device;
void omp_set_dynamic(int on) { dynamic = on != 0; }
int omp_get_dynamic(void) { return dynamic; }
void omp_set_nested(int on) { most_levels = on ? INT_MAX : 1; }
int omp_get_nested(void) { return most_levels > 1; }
void omp_set_max_active_levels(int count) { most_levels = count; }
int omp_get_max_active_levels(void) { return most_levels; }
int omp_get_supported_active_levels(void) { return INT_MAX; }
void omp_set_schedule(int kind, int chunk) {
  schedule_kind = kind;
  schedule_chunk = chunk;
}
void omp_get_schedule(int *kind, int *chunk) {
  *kind = schedule_kind;
  *chunk = schedule_chunk;
}
int omp_get_max_task_priority(void) { return 0; }

int omp_get_proc_bind(void) { return 0; }
int omp_get_num_places(void) { return 0; }
int omp_get_place_num(void) { return -1; }
int omp_get_place_num_procs(int place) { return 0; }
void omp_get_place_proc_ids(int place, int *ids) {}
int omp_get_partition_num_places(void) { return 0; }
void omp_get_partition_place_nums(int *places) {}

void omp_set_default_device(int device) { default_device = device; }
int omp_get_default_device(void) { return default_device; }
int omp_get_num_devices(void) { return 0; }
int omp_get_initial_device(void) { return 0; }
int omp_get_device_num(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
int omp_get_num_teams(void) { return 1; }
int omp_get_team_num(void) { return 0; }

double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}
double omp_get_wtick(void) { return 1e-9; }

/* A lock is how often it is held. */
void omp_init_lock(int *lock) { *lock = 0; }
void omp_init_lock_with_hint(int *lock, int hint) { *lock = 0; }
void omp_destroy_lock(int *lock) { *lock = 0; }
void omp_set_lock(int *lock) {
  while (*lock) wait_for(lock);
  *lock = 1;
}
void omp_unset_lock(int *lock) { *lock = 0; }
int omp_test_lock(int *lock) {
  if (*lock) return 0;
  return *lock = 1;
}
void omp_init_nest_lock(int *lock) { *lock = 0; }
void omp_init_nest_lock_with_hint(int *lock, int hint) { *lock = 0; }
void omp_destroy_nest_lock(int *lock) { *lock = 0; }
void omp_set_nest_lock(int *lock) { ++*lock; }
void omp_unset_nest_lock(int *lock) { --*lock; }
int omp_test_nest_lock(int *lock) { return ++*lock; }

void *omp_alloc(size_t size, uintptr_t allocator) { return malloc(size); }
void omp_free(void *block, uintptr_t allocator) { free(block); }
void *omp_target_alloc(size_t size, int device) { return malloc(size); }
void omp_target_free(void *block, int device) { free(block); }
