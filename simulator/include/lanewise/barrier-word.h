/* A barrier with phases in a word of 64 bits, of which the low half says how many of this phase are still to arrive, and in its highest
   bit the parity of the phase, and the high half how many are expected in each. Hardware has instructions for these; here arrivals are
   atomics of 32 bits, which memory of all kinds executes without retries. */
#pragma once
#include "../host_defines.h"

namespace __lanewise {
using BarrierWord = unsigned long;

__LANEWISE_BOTH unsigned int* barrierHalf(const BarrierWord* word, int half) { return (unsigned int*)word + half; }
__LANEWISE_BOTH void initBarrier(BarrierWord* word, unsigned int count) {
  __atomic_store_n(barrierHalf(word, 1), count, __ATOMIC_RELAXED);
  __atomic_store_n(barrierHalf(word, 0), count, __ATOMIC_RELEASE);
}
struct NoCompletion {
  __LANEWISE_METHOD void operator()() const {}
};
/* The low half before. The last one of a phase completes it: nobody may arrive again before that. */
template <class Completion = NoCompletion>
__LANEWISE_BOTH unsigned int arriveAtBarrier(BarrierWord* word, unsigned int count, unsigned int dropped, Completion&& completion = {}) {
  if (dropped) __atomic_fetch_sub(barrierHalf(word, 1), dropped, __ATOMIC_RELAXED);
  unsigned int old = __atomic_fetch_sub(barrierHalf(word, 0), count, __ATOMIC_ACQ_REL);
  if ((old & 0x7fffffff) == count) {
    completion();
    __atomic_fetch_add(barrierHalf(word, 0), 0x80000000 | __atomic_load_n(barrierHalf(word, 1), __ATOMIC_RELAXED), __ATOMIC_RELEASE);
  }
  return old;
}
__LANEWISE_BOTH bool barrierPhase(const BarrierWord* word) { return __atomic_load_n(barrierHalf(word, 0), __ATOMIC_ACQUIRE) >> 31 != 0; }

/* A block's barrier, on which inline PTX works as well: ir/ptx/barrier-instructions.ts says what is where. */
struct alignas(8) BlockBarrierWord {
  unsigned int counts, bytes;
};
__LANEWISE_BOTH void initBarrier(BlockBarrierWord* word, unsigned int count) {
  __atomic_store_n(&word->bytes, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&word->counts, count | count << 16, __ATOMIC_RELEASE);
}
__LANEWISE_BOTH unsigned int arriveAtBarrier(BlockBarrierWord* word, unsigned int count, unsigned int dropped, NoCompletion = {}) {
  unsigned int change = count + (dropped << 16), old = __atomic_fetch_sub(&word->counts, change, __ATOMIC_ACQ_REL), now = old - change;
  if ((now & 0xffff) == 0 && __atomic_load_n(&word->bytes, __ATOMIC_ACQUIRE) == 0) {
    unsigned int found = now;
    __atomic_compare_exchange_n(&word->counts, &found, 0x80000000 + now + (now >> 16 & 0x7fff), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  return old;
}
__LANEWISE_BOTH void expectBytes(BlockBarrierWord* word, unsigned int bytes) { __atomic_fetch_add(&word->bytes, bytes, __ATOMIC_ACQ_REL); }
__LANEWISE_BOTH bool barrierPhase(const BlockBarrierWord* word) { return __atomic_load_n(&word->counts, __ATOMIC_ACQUIRE) >> 31 != 0; }
}  // namespace __lanewise
