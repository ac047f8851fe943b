/* cuda::atomic and cuda::atomic_ref by the compiler's atomics, with the order that is asked for. Clang forgets scopes: that of a block is
   in the functions' names, from which the sanitizer knows it; every other scope is the system's. */
#pragma once
#include "cuda-std.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
using memory_order = ::std::memory_order;
using ::std::memory_order_acq_rel; using ::std::memory_order_acquire; using ::std::memory_order_consume;
using ::std::memory_order_relaxed; using ::std::memory_order_release; using ::std::memory_order_seq_cst;
}  // namespace cuda

namespace __lanewise {
#define __LANEWISE_BOTH_SEEN static inline __host__ __device__ __attribute__((always_inline, unused))
/* Around an atomic of a block, so that Clang does not make one of it and another one in the other case of a condition. */
struct Apart {
  __LANEWISE_METHOD Apart() { __asm__ volatile(""); }
  __LANEWISE_METHOD ~Apart() { __asm__ volatile(""); }
};
#define __LANEWISE_SCOPED(result, name, parameters, body) \
  template <class T> __LANEWISE_BOTH result atomic##name parameters body \
  template <class T> __LANEWISE_BOTH_SEEN result atomic##name##_block parameters { Apart apart; body }
__LANEWISE_SCOPED(T, Load, (T* at, int order), { T value; __atomic_load(at, &value, order); return value; })
__LANEWISE_SCOPED(void, Store, (T* at, T value, int order), { __atomic_store(at, &value, order); })
__LANEWISE_SCOPED(T, Swap, (T* at, T value, int order), { T old; __atomic_exchange(at, &value, &old, order); return old; })
__LANEWISE_SCOPED(bool, Compare, (T* at, T* expected, T value, int order, int failure), { return __atomic_compare_exchange(at, expected, &value, false, order, failure); })
/* Volatile: on a GPU each of these returns what was there, even if nobody reads it. */
#define __LANEWISE_SCOPED_FETCH(name, operation) __LANEWISE_SCOPED(T, name, (T* at, T value, int order), { return __atomic_fetch_##operation((volatile T*)at, value, order); })
__LANEWISE_SCOPED_FETCH(Plus, add)
__LANEWISE_SCOPED_FETCH(Minus, sub)
__LANEWISE_SCOPED_FETCH(Least, min)
__LANEWISE_SCOPED_FETCH(Most, max)
__LANEWISE_SCOPED_FETCH(Both, and)
__LANEWISE_SCOPED_FETCH(Either, or)
__LANEWISE_SCOPED_FETCH(Differ, xor)
#undef __LANEWISE_SCOPED_FETCH
#undef __LANEWISE_SCOPED

constexpr __host__ __device__ int failureOrder(int order) {
  return order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

/* The methods of an object whose address() is that of a T; of a volatile one, too. Only address() looks into the object, as one that is not. */
template <class Self, class T, cuda::thread_scope Scope> struct AtomicMethods {
  using value_type = T;
  using Order = ::std::memory_order;
  static constexpr bool isBlock = Scope == cuda::thread_scope_block || Scope == cuda::thread_scope_thread;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
  static constexpr Order strongest = ::std::memory_order_seq_cst;
  __LANEWISE_METHOD T* at() const volatile { return ((const Self*)this)->address(); }
  __LANEWISE_METHOD bool is_lock_free() const volatile { return sizeof(T) <= 8; }
  __LANEWISE_METHOD T load(Order order = strongest) const volatile { return isBlock ? atomicLoad_block(at(), (int)order) : atomicLoad(at(), (int)order); }
  __LANEWISE_METHOD operator T() const volatile { return load(); }
  __LANEWISE_METHOD T exchange(T value, Order order = strongest) const volatile { return isBlock ? atomicSwap_block(at(), value, (int)order) : atomicSwap(at(), value, (int)order); }
  __LANEWISE_METHOD void store(T value, Order order = strongest) const volatile { isBlock ? atomicStore_block(at(), value, (int)order) : atomicStore(at(), value, (int)order); }
  __LANEWISE_METHOD bool compare_exchange_strong(T& expected, T value, Order order, Order failure) const volatile {
    return isBlock ? atomicCompare_block(at(), &expected, value, (int)order, (int)failure) : atomicCompare(at(), &expected, value, (int)order, (int)failure);
  }
  __LANEWISE_METHOD bool compare_exchange_strong(T& expected, T value, Order order = strongest) const volatile {
    return compare_exchange_strong(expected, value, order, (Order)failureOrder((int)order));
  }
  __LANEWISE_METHOD bool compare_exchange_weak(T& expected, T value, Order order, Order failure) const volatile { return compare_exchange_strong(expected, value, order, failure); }
  __LANEWISE_METHOD bool compare_exchange_weak(T& expected, T value, Order order = strongest) const volatile { return compare_exchange_strong(expected, value, order); }
#define __LANEWISE_FETCH(method, name) \
  __LANEWISE_METHOD T method(T value, Order order = strongest) const volatile { return isBlock ? atomic##name##_block(at(), value, (int)order) : atomic##name(at(), value, (int)order); }
  __LANEWISE_FETCH(fetch_min, Least)
  __LANEWISE_FETCH(fetch_max, Most)
  __LANEWISE_FETCH(fetch_and, Both)
  __LANEWISE_FETCH(fetch_or, Either)
  __LANEWISE_FETCH(fetch_xor, Differ)
#undef __LANEWISE_FETCH
  /* What is added to a pointer counts elements. */
  using Change = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;
#define __LANEWISE_SUM(method, name) \
  __LANEWISE_METHOD T method(Change change, Order order = strongest) const volatile { \
    if constexpr (::std::is_pointer_v<T>) { \
      auto bytes = change * (Change)sizeof(::std::remove_pointer_t<T>); \
      return (T)(isBlock ? atomic##name##_block((Change*)at(), bytes, (int)order) : atomic##name((Change*)at(), bytes, (int)order)); \
    } else return isBlock ? atomic##name##_block(at(), change, (int)order) : atomic##name(at(), change, (int)order); \
  }
  __LANEWISE_SUM(fetch_add, Plus)
  __LANEWISE_SUM(fetch_sub, Minus)
#undef __LANEWISE_SUM
  __LANEWISE_METHOD T operator++() const volatile { return fetch_add(1) + 1; }
  __LANEWISE_METHOD T operator++(int) const volatile { return fetch_add(1); }
  __LANEWISE_METHOD T operator--() const volatile { return fetch_sub(1) - 1; }
  __LANEWISE_METHOD T operator--(int) const volatile { return fetch_sub(1); }
  __LANEWISE_METHOD T operator+=(Change change) const volatile { return fetch_add(change) + change; }
  __LANEWISE_METHOD T operator-=(Change change) const volatile { return fetch_sub(change) - change; }
  __LANEWISE_METHOD T operator&=(T value) const volatile { return fetch_and(value) & value; }
  __LANEWISE_METHOD T operator|=(T value) const volatile { return fetch_or(value) | value; }
  __LANEWISE_METHOD T operator^=(T value) const volatile { return fetch_xor(value) ^ value; }
  using Bits = ::std::conditional_t<sizeof(T) == 1, unsigned char, ::std::conditional_t<sizeof(T) == 2, unsigned short, ::std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long>>>;
  /* Waiting is asking again and again, so that nobody need be told. */
  __LANEWISE_METHOD void wait(T old, Order order = strongest) const volatile {
    while (__builtin_bit_cast(Bits, load(order)) == __builtin_bit_cast(Bits, old)) {}
  }
  __LANEWISE_METHOD void notify_one() const volatile {}
  __LANEWISE_METHOD void notify_all() const volatile {}
};
}  // namespace __lanewise

namespace cuda {
template <class T, thread_scope Scope = thread_scope_system> class atomic : public __lanewise::AtomicMethods<atomic<T, Scope>, T, Scope> {
  static_assert(::std::is_trivially_copyable_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8),
                "the simulator's cuda::atomic takes trivially copyable types of 1, 2, 4 or 8 bytes");
  alignas(sizeof(T)) T value;

public:
  atomic() = default;
  __LANEWISE_METHOD constexpr atomic(T initial) : value(initial) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  __LANEWISE_METHOD T* address() const { return (T*)&value; }
  __LANEWISE_METHOD T operator=(T next) { return this->store(next), next; }
  __LANEWISE_METHOD T operator=(T next) volatile { return this->store(next), next; }
};
template <class T, thread_scope Scope = thread_scope_system> class atomic_ref : public __lanewise::AtomicMethods<atomic_ref<T, Scope>, T, Scope> {
  T* object;

public:
  static constexpr ::std::size_t required_alignment = sizeof(T);
  __LANEWISE_METHOD explicit atomic_ref(T& of) : object(&of) {}
  atomic_ref(const atomic_ref&) = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  __LANEWISE_METHOD T* address() const { return object; }
  __LANEWISE_METHOD T operator=(T next) const { return this->store(next), next; }
};

__LANEWISE_BOTH void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
#ifdef __CUDA_ARCH__
  if (scope == thread_scope_block || scope == thread_scope_thread) return __threadfence_block();
#endif
  __atomic_thread_fence((int)order);
}

namespace std {
using cuda::atomic_thread_fence;
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
}  // namespace std
}  // namespace cuda
