/* CUDA's atomics as LLVM's: relaxed read-modify-writes. The scopes _block and _system order less and more on hardware; here all are one. */
#pragma once
#include "../host_defines.h"

#define __LANEWISE_ATOMIC(name, type, expression) \
  __LANEWISE_DEVICE type name(type* address, type value) { return expression; } \
  __LANEWISE_DEVICE type name##_block(type* address, type value) { return expression; } \
  __LANEWISE_DEVICE type name##_system(type* address, type value) { return expression; }

#define __LANEWISE_ATOMIC_INTEGER(name, operation) \
  __LANEWISE_ATOMIC(name, int, operation(address, value, __ATOMIC_RELAXED)) \
  __LANEWISE_ATOMIC(name, unsigned int, operation(address, value, __ATOMIC_RELAXED)) \
  __LANEWISE_ATOMIC(name, unsigned long long, operation(address, value, __ATOMIC_RELAXED)) \
  __LANEWISE_ATOMIC(name, unsigned long, operation(address, value, __ATOMIC_RELAXED))

__LANEWISE_ATOMIC_INTEGER(atomicAdd, __atomic_fetch_add)
__LANEWISE_ATOMIC(atomicAdd, float, __atomic_fetch_add(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicAdd, double, __atomic_fetch_add(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC_INTEGER(atomicSub, __atomic_fetch_sub)
__LANEWISE_ATOMIC_INTEGER(atomicMin, __atomic_fetch_min)
__LANEWISE_ATOMIC(atomicMin, long long, __atomic_fetch_min(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC_INTEGER(atomicMax, __atomic_fetch_max)
__LANEWISE_ATOMIC(atomicMax, long long, __atomic_fetch_max(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC_INTEGER(atomicAnd, __atomic_fetch_and)
__LANEWISE_ATOMIC_INTEGER(atomicOr, __atomic_fetch_or)
__LANEWISE_ATOMIC_INTEGER(atomicXor, __atomic_fetch_xor)
__LANEWISE_ATOMIC(atomicExch, int, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, unsigned int, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, unsigned long, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, unsigned long long, __atomic_exchange_n(address, value, __ATOMIC_RELAXED))
__LANEWISE_ATOMIC(atomicExch, float, __builtin_bit_cast(float, __atomic_exchange_n((unsigned int*)address, __builtin_bit_cast(unsigned int, value), __ATOMIC_RELAXED)))
__LANEWISE_ATOMIC(atomicExch, double, __builtin_bit_cast(double, __atomic_exchange_n((unsigned long long*)address, __builtin_bit_cast(unsigned long long, value), __ATOMIC_RELAXED)))
__LANEWISE_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui(address, value))
__LANEWISE_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui(address, value))
#undef __LANEWISE_ATOMIC_INTEGER
#undef __LANEWISE_ATOMIC

#define __LANEWISE_CAS(name, type) \
  __LANEWISE_DEVICE type name(type* address, type compare, type value) { \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare; \
  }
#define __LANEWISE_CAS_SCOPES(type) __LANEWISE_CAS(atomicCAS, type) __LANEWISE_CAS(atomicCAS_block, type) __LANEWISE_CAS(atomicCAS_system, type)
__LANEWISE_CAS_SCOPES(int)
__LANEWISE_CAS_SCOPES(unsigned int)
__LANEWISE_CAS_SCOPES(unsigned long)
__LANEWISE_CAS_SCOPES(unsigned long long)
__LANEWISE_CAS_SCOPES(unsigned short)
#undef __LANEWISE_CAS_SCOPES
#undef __LANEWISE_CAS
