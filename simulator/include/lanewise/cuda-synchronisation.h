/* cuda::barrier, latch and counting_semaphore, by atomics. */
#pragma once
#include "barrier-word.h"
#include "cuda-atomic.h"

namespace __lanewise {
template <cuda::thread_scope Scope, class Completion> struct BarrierWordOf { using type = BarrierWord; };
template <> struct BarrierWordOf<cuda::thread_scope_block, NoCompletion> { using type = BlockBarrierWord; };
struct BarrierBytes;
}  // namespace __lanewise

namespace cuda {
template <thread_scope Scope, class Completion = __lanewise::NoCompletion> class barrier {
  typename __lanewise::BarrierWordOf<Scope, Completion>::type word;
  [[no_unique_address]] Completion completion;
  friend __lanewise::BarrierBytes;
  template <thread_scope S, class C> friend __host__ __device__ void init(barrier<S, C>*, ::std::ptrdiff_t);
  template <thread_scope S, class C> friend __host__ __device__ void init(barrier<S, C>*, ::std::ptrdiff_t, C);

public:
  class arrival_token {
    friend class barrier;
    bool phase;
    __LANEWISE_METHOD explicit arrival_token(unsigned int before) : phase(before >> 31 != 0) {}

  public:
    /* Programs declare one and give it a value later. */
    arrival_token() = default;
  };
  barrier() = default;
  __LANEWISE_METHOD explicit barrier(::std::ptrdiff_t expected, Completion then = Completion()) : completion(then) { __lanewise::initBarrier(&word, (unsigned int)expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  __LANEWISE_METHOD static constexpr ::std::ptrdiff_t max() { return (1 << 20) - 1; }
  __LANEWISE_METHOD arrival_token arrive(::std::ptrdiff_t count = 1) { return arrival_token(__lanewise::arriveAtBarrier(&word, (unsigned int)count, 0, completion)); }
  __LANEWISE_METHOD bool try_wait_parity(bool parity) const { return __lanewise::barrierPhase(&word) != parity; }
  __LANEWISE_METHOD void wait_parity(bool parity) const { while (!try_wait_parity(parity)) {} }
  __LANEWISE_METHOD bool try_wait(arrival_token&& token) const { return try_wait_parity(token.phase); }
  __LANEWISE_METHOD void wait(arrival_token&& token) const { wait_parity(token.phase); }
  __LANEWISE_METHOD void arrive_and_wait() { wait(arrive()); }
  __LANEWISE_METHOD void arrive_and_drop() { __lanewise::arriveAtBarrier(&word, 1, 1, completion); }
};
template <thread_scope S, class C> __host__ __device__ void init(barrier<S, C>* at, ::std::ptrdiff_t expected) { __lanewise::initBarrier(&at->word, (unsigned int)expected); }
template <thread_scope S, class C> __host__ __device__ void init(barrier<S, C>* at, ::std::ptrdiff_t expected, C completion) {
  at->completion = completion;
  init(at, expected);
}

template <thread_scope Scope> class latch {
  atomic<int, Scope> left;

public:
  __LANEWISE_METHOD explicit latch(::std::ptrdiff_t count) : left((int)count) {}
  latch(const latch&) = delete;
  __LANEWISE_METHOD static constexpr ::std::ptrdiff_t max() { return 0x7fffffff; }
  __LANEWISE_METHOD void count_down(::std::ptrdiff_t count = 1) { left.fetch_sub((int)count, memory_order_release); }
  __LANEWISE_METHOD bool try_wait() const { return left.load(memory_order_acquire) == 0; }
  __LANEWISE_METHOD void wait() const { while (!try_wait()) {} }
  __LANEWISE_METHOD void arrive_and_wait(::std::ptrdiff_t count = 1) { count_down(count), wait(); }
};

template <thread_scope Scope, ::std::ptrdiff_t Most = 0x7fffffff> class counting_semaphore {
  atomic<int, Scope> free;

public:
  __LANEWISE_METHOD explicit counting_semaphore(::std::ptrdiff_t count) : free((int)count) {}
  counting_semaphore(const counting_semaphore&) = delete;
  __LANEWISE_METHOD static constexpr ::std::ptrdiff_t max() { return Most; }
  __LANEWISE_METHOD void release(::std::ptrdiff_t count = 1) { free.fetch_add((int)count, memory_order_release); }
  __LANEWISE_METHOD bool try_acquire() {
    int now = free.load(memory_order_relaxed);
    while (now > 0) if (free.compare_exchange_weak(now, now - 1, memory_order_acquire, memory_order_relaxed)) return true;
    return false;
  }
  __LANEWISE_METHOD void acquire() { while (!try_acquire()) {} }
};
template <thread_scope Scope> using binary_semaphore = counting_semaphore<Scope, 1>;

namespace device {
__LANEWISE_DEVICE ::std::uint64_t* barrier_native_handle(barrier<thread_scope_block>& of) { return (::std::uint64_t*)&of; }
}  // namespace device

}  // namespace cuda
/* Bytes that a phase waits for besides arrivals. */
struct __lanewise::BarrierBytes {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  static __LANEWISE_METHOD void expect(Barrier& barrier, ::std::ptrdiff_t bytes) { expectBytes(&barrier.word, (unsigned int)bytes); }
};
namespace cuda {
namespace device {
__LANEWISE_DEVICE void barrier_expect_tx(barrier<thread_scope_block>& at, ::std::ptrdiff_t bytes) { __lanewise::BarrierBytes::expect(at, bytes); }
__LANEWISE_DEVICE barrier<thread_scope_block>::arrival_token barrier_arrive_tx(barrier<thread_scope_block>& at, ::std::ptrdiff_t arrivals, ::std::ptrdiff_t bytes) {
  barrier_expect_tx(at, bytes);
  return at.arrive(arrivals);
}
}  // namespace device

namespace std {
template <class C = __lanewise::NoCompletion> using barrier = cuda::barrier<thread_scope_system, C>;
using latch = cuda::latch<thread_scope_system>;
template <::std::ptrdiff_t Most = 0x7fffffff> using counting_semaphore = cuda::counting_semaphore<thread_scope_system, Most>;
using binary_semaphore = cuda::binary_semaphore<thread_scope_system>;
}  // namespace std
}  // namespace cuda
