/* CUDA's atomics as LLVM's: relaxed read-modify-writes. The scopes _block and _system order less and more on hardware;
   here all are one, and the sanitizer knows those of a block by the functions' names, since Clang forgets scopes. */
#pragma once
#include "../host_defines.h"

/* Around an atomic of a block, so that Clang does not make one of it and another one in the other case of a condition. */
#define __LANEWISE_APART __asm__ volatile("")

#define __LANEWISE_ATOMIC(name, type, expression) \
  __LANEWISE_DEVICE type name(type* address, type value) { return expression; } \
  __LANEWISE_DEVICE_SEEN type name##_block(type* address, type value) { \
    __LANEWISE_APART; \
    type before = expression; \
    __LANEWISE_APART; \
    return before; \
  } \
  __LANEWISE_DEVICE type name##_system(type* address, type value) { return expression; }

/* As in NVIDIA's headers there is none for long and unsigned long: a pointer to uint64_t does not convert to one to unsigned long long. */
#define __LANEWISE_ATOMIC_INT(name, operation) \
  __LANEWISE_ATOMIC(name, int, operation(address, value, __ATOMIC_RELAXED)) \
  __LANEWISE_ATOMIC(name, unsigned int, operation(address, value, __ATOMIC_RELAXED))
#define __LANEWISE_ATOMIC_INTEGER(name, operation) \
  __LANEWISE_ATOMIC_INT(name, operation) \
  __LANEWISE_ATOMIC(name, unsigned long long, operation(address, value, __ATOMIC_RELAXED)) \
  __LANEWISE_ATOMIC(name, long long, operation(address, value, __ATOMIC_RELAXED))

__LANEWISE_ATOMIC_INT(atomicAdd, __atomic_fetch_add)
__LANEWISE_ATOMIC(atomicAdd, unsigned long long, __atomic_fetch_add(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicAdd, float, __atomic_fetch_add(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicAdd, double, __atomic_fetch_add(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC_INT(atomicSub, __atomic_fetch_sub)
__LANEWISE_ATOMIC_INTEGER(atomicMin, __atomic_fetch_min)
__LANEWISE_ATOMIC_INTEGER(atomicMax, __atomic_fetch_max)
__LANEWISE_ATOMIC_INTEGER(atomicAnd, __atomic_fetch_and)
__LANEWISE_ATOMIC_INTEGER(atomicOr, __atomic_fetch_or)
__LANEWISE_ATOMIC_INTEGER(atomicXor, __atomic_fetch_xor)
__LANEWISE_ATOMIC(atomicExch, int, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, unsigned int, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, unsigned long long, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, float, __builtin_bit_cast(float, __atomic_exchange_n((unsigned int*)address, __builtin_bit_cast(unsigned int, value), __ATOMIC_RELAXED)))
__LANEWISE_ATOMIC(atomicInc, unsigned int, __atomic_fetch_uinc(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicDec, unsigned int, __atomic_fetch_udec(address, value, __ATOMIC_RELAXED))
#undef __LANEWISE_ATOMIC_INTEGER
#undef __LANEWISE_ATOMIC_INT
#undef __LANEWISE_ATOMIC

#define __LANEWISE_CAS(device, name, type, apart) \
  device type name(type* address, type compare, type value) { \
    apart; \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    apart; \
    return compare; \
  }
#define __LANEWISE_CAS_SCOPES(type) \
  __LANEWISE_CAS(__LANEWISE_DEVICE, atomicCAS, type, ) \
  __LANEWISE_CAS(__LANEWISE_DEVICE_SEEN, atomicCAS_block, type, __LANEWISE_APART) \
  __LANEWISE_CAS(__LANEWISE_DEVICE, atomicCAS_system, type, )
__LANEWISE_CAS_SCOPES(int)
__LANEWISE_CAS_SCOPES(unsigned int)
__LANEWISE_CAS_SCOPES(unsigned long long)
__LANEWISE_CAS_SCOPES(unsigned short)
#undef __LANEWISE_CAS_SCOPES
#undef __LANEWISE_CAS

/* nvcc's built-in atomics with an order and a scope (CUDA C++ Programming Guide, "Built-in Atomic Functions"; since CUDA 12.8). What is
   not relaxed is sequentially consistent here, and every scope is the system. */
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#ifdef __cplusplus
namespace __lanewise {
template <class T> struct Identity { using Type = T; };
/* A value that takes the type of the object it goes to. */
template <class T> using Plain = typename Identity<T>::Type;
}

#define __LANEWISE_ORDERED(order, call) \
  if (order == __NV_ATOMIC_RELAXED) { constexpr int __order = __ATOMIC_RELAXED; call; } \
  else { constexpr int __order = __ATOMIC_SEQ_CST; call; }
#define __LANEWISE_ORDER int order, int = __NV_THREAD_SCOPE_SYSTEM

template <class T> __LANEWISE_DEVICE T __nv_atomic_load_n(T* address, __LANEWISE_ORDER) {
  __LANEWISE_ORDERED(order, return __atomic_load_n(address, __order))
}
template <class T> __LANEWISE_DEVICE void __nv_atomic_load(T* address, T* result, __LANEWISE_ORDER) {
  __LANEWISE_ORDERED(order, __atomic_load(address, result, __order))
}
template <class T> __LANEWISE_DEVICE void __nv_atomic_store_n(T* address, __lanewise::Plain<T> value, __LANEWISE_ORDER) {
  __LANEWISE_ORDERED(order, __atomic_store_n(address, value, __order))
}
template <class T> __LANEWISE_DEVICE void __nv_atomic_store(T* address, T* value, __LANEWISE_ORDER) {
  __LANEWISE_ORDERED(order, __atomic_store(address, value, __order))
}
template <class T> __LANEWISE_DEVICE T __nv_atomic_exchange_n(T* address, __lanewise::Plain<T> value, __LANEWISE_ORDER) {
  __LANEWISE_ORDERED(order, return __atomic_exchange_n(address, value, __order))
}
template <class T> __LANEWISE_DEVICE void __nv_atomic_exchange(T* address, T* value, T* result, __LANEWISE_ORDER) {
  __LANEWISE_ORDERED(order, __atomic_exchange(address, value, result, __order))
}
template <class T>
__LANEWISE_DEVICE bool __nv_atomic_compare_exchange_n(T* address, T* expected, __lanewise::Plain<T> desired, bool, int order, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __LANEWISE_ORDERED(order, return __atomic_compare_exchange_n(address, expected, desired, false, __order, __order))
}
template <class T>
__LANEWISE_DEVICE bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool, int order, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  __LANEWISE_ORDERED(order, return __atomic_compare_exchange(address, expected, desired, false, __order, __order))
}
#define __LANEWISE_FETCH(operation) \
  template <class T> __LANEWISE_DEVICE T __nv_atomic_fetch_##operation(T* address, __lanewise::Plain<T> value, __LANEWISE_ORDER) { \
    __LANEWISE_ORDERED(order, return __atomic_fetch_##operation(address, value, __order)) \
  } \
  template <class T> __LANEWISE_DEVICE void __nv_atomic_##operation(T* address, __lanewise::Plain<T> value, __LANEWISE_ORDER) { \
    __LANEWISE_ORDERED(order, __atomic_fetch_##operation(address, value, __order)) \
  }
__LANEWISE_FETCH(add)
__LANEWISE_FETCH(sub)
__LANEWISE_FETCH(min)
__LANEWISE_FETCH(max)
__LANEWISE_FETCH(and)
__LANEWISE_FETCH(or)
__LANEWISE_FETCH(xor)
__LANEWISE_DEVICE void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  if (order != __NV_ATOMIC_RELAXED) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#undef __LANEWISE_FETCH
#undef __LANEWISE_ORDERED
#undef __LANEWISE_ORDER
#endif
