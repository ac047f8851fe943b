/* Barriers in shared memory as words of 64 bits, by atomics: NVIDIA's own layout is not documented either. */
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_
#include "cuda_runtime.h"
#include "lanewise/barrier-word.h"
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

__LANEWISE_HOST uint32_t __mbarrier_maximum_count() { return (1u << 20) - 1; }
__LANEWISE_DEVICE void __mbarrier_init(__mbarrier_t* barrier, uint32_t count) { __lanewise::initBarrier((__lanewise::BlockBarrierWord*)barrier, count); }
__LANEWISE_DEVICE void __mbarrier_inval(__mbarrier_t*) {}
__LANEWISE_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return __lanewise::arriveAtBarrier((__lanewise::BlockBarrierWord*)barrier, 1, 0); }
__LANEWISE_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) { return __lanewise::arriveAtBarrier((__lanewise::BlockBarrierWord*)barrier, 1, 1); }
__LANEWISE_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return __lanewise::barrierPhase((const __lanewise::BlockBarrierWord*)barrier) != (token >> 31 != 0);
}
__LANEWISE_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) { return __lanewise::barrierPhase((const __lanewise::BlockBarrierWord*)barrier) != parity; }
__LANEWISE_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t) { return __mbarrier_test_wait(barrier, token); }
__LANEWISE_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t) { return __mbarrier_test_wait_parity(barrier, parity); }
__LANEWISE_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return (uint32_t)token & 0xffff; }
#endif
