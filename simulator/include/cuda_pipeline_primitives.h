/* Asynchronous copies to shared memory by cp.async, which happen at once here: one of the orders that hardware allows. */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_
#include "cuda_awbarrier_primitives.h"

/* Of `size` bytes (4, 8 or 16) the last `zfill` are zero instead of copied. */
#define __LANEWISE_COPY_ASYNC(cache, bytes) \
  if (__builtin_constant_p(zfill == 0) && zfill == 0) \
    asm volatile("cp.async." cache ".shared.global [%0], [%1], " #bytes ";" ::"r"(to), "l"(from) : "memory"); \
  else \
    asm volatile("cp.async." cache ".shared.global [%0], [%1], " #bytes ", %2;" ::"r"(to), "l"(from), "r"(bytes - (unsigned int)zfill) : "memory");
__LANEWISE_DEVICE void __pipeline_memcpy_async(void* __restrict__ shared, const void* __restrict__ global, size_t size, size_t zfill = 0) {
  unsigned int to = (unsigned int)__cvta_generic_to_shared(shared);
  size_t from = __cvta_generic_to_global(global);
  if (zfill > size) __trap();
  if (size == 16) { __LANEWISE_COPY_ASYNC("cg", 16) }
  else if (size == 8) { __LANEWISE_COPY_ASYNC("ca", 8) }
  else if (size == 4) { __LANEWISE_COPY_ASYNC("ca", 4) }
  else __trap();
}
#undef __LANEWISE_COPY_ASYNC
__LANEWISE_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/* The instruction takes a constant. */
__LANEWISE_DEVICE void __pipeline_wait_prior(size_t prior) {
#define __LANEWISE_WAIT(n) case n: asm volatile("cp.async.wait_group " #n ";" ::: "memory"); return;
  switch (prior) {
    __LANEWISE_WAIT(0) __LANEWISE_WAIT(1) __LANEWISE_WAIT(2) __LANEWISE_WAIT(3)
    __LANEWISE_WAIT(4) __LANEWISE_WAIT(5) __LANEWISE_WAIT(6) __LANEWISE_WAIT(7)
    default: asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
#undef __LANEWISE_WAIT
}
/* The copies add an arrival and take it back when they are done, which they are. */
__LANEWISE_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"((unsigned int)__cvta_generic_to_shared(barrier)) : "memory");
}
#endif
