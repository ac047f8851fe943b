/* What lanes of a warp say to each other, and barriers: shuffles, votes, matches, reductions, __syncthreads and its kin, fences. */
#pragma once
#include "../host_defines.h"

/* __syncthreads itself is Clang's. */
__LANEWISE_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
__LANEWISE_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
__LANEWISE_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
__LANEWISE_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__LANEWISE_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
__LANEWISE_DEVICE void __threadfence() { __nvvm_membar_gl(); }
__LANEWISE_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

__LANEWISE_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }
__LANEWISE_DEVICE int __all_sync(unsigned int mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate != 0); }
__LANEWISE_DEVICE int __any_sync(unsigned int mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate != 0); }
__LANEWISE_DEVICE int __uni_sync(unsigned int mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate != 0); }
__LANEWISE_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate != 0); }

__LANEWISE_DEVICE unsigned int __lane_id() { return __nvvm_read_ptx_sreg_laneid(); }

/* A shuffle moves 32 bits. Wider types take two, as on the hardware. `clamp` is the last lane of the segment in the low five bits and the
   segment mask in bits 8 to 12: PTX's operand c. */
#define __LANEWISE_SHUFFLE(name, builtin, operand, last) \
  __LANEWISE_DEVICE int name(unsigned int mask, int value, operand, int width = 32) { \
    return builtin(mask, value, lane, ((32 - width) << 8) | last); \
  } \
  __LANEWISE_DEVICE unsigned int name(unsigned int mask, unsigned int value, operand, int width = 32) { \
    return (unsigned int)name(mask, (int)value, lane, width); \
  } \
  __LANEWISE_DEVICE float name(unsigned int mask, float value, operand, int width = 32) { \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, value), lane, width)); \
  } \
  __LANEWISE_DEVICE unsigned long long name(unsigned int mask, unsigned long long value, operand, int width = 32) { \
    unsigned int low = name(mask, (unsigned int)value, lane, width), high = name(mask, (unsigned int)(value >> 32), lane, width); \
    return ((unsigned long long)high << 32) | low; \
  } \
  __LANEWISE_DEVICE long long name(unsigned int mask, long long value, operand, int width = 32) { \
    return (long long)name(mask, (unsigned long long)value, lane, width); \
  } \
  __LANEWISE_DEVICE unsigned long name(unsigned int mask, unsigned long value, operand, int width = 32) { \
    return (unsigned long)name(mask, (unsigned long long)value, lane, width); \
  } \
  __LANEWISE_DEVICE long name(unsigned int mask, long value, operand, int width = 32) { \
    return (long)name(mask, (unsigned long long)value, lane, width); \
  } \
  __LANEWISE_DEVICE double name(unsigned int mask, double value, operand, int width = 32) { \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(unsigned long long, value), lane, width)); \
  }

__LANEWISE_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, int lane, 0x1f)
__LANEWISE_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, unsigned int lane, 0)
__LANEWISE_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, unsigned int lane, 0x1f)
__LANEWISE_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, int lane, 0x1f)
#undef __LANEWISE_SHUFFLE

#define __LANEWISE_MATCH(type, bits, cast) \
  __LANEWISE_DEVICE unsigned int __match_any_sync(unsigned int mask, type value) { return __nvvm_match_any_sync_i##bits(mask, cast(value)); } \
  __LANEWISE_DEVICE unsigned int __match_all_sync(unsigned int mask, type value, int* predicate) { \
    return __nvvm_match_all_sync_i##bits##p(mask, cast(value), predicate); \
  }
#define __LANEWISE_INT_BITS(v) ((int)(v))
#define __LANEWISE_LONG_BITS(v) ((long long)(v))
#define __LANEWISE_FLOAT_BITS(v) __builtin_bit_cast(int, v)
#define __LANEWISE_DOUBLE_BITS(v) __builtin_bit_cast(long long, v)
__LANEWISE_MATCH(int, 32, __LANEWISE_INT_BITS)
__LANEWISE_MATCH(unsigned int, 32, __LANEWISE_INT_BITS)
__LANEWISE_MATCH(long, 64, __LANEWISE_LONG_BITS)
__LANEWISE_MATCH(unsigned long, 64, __LANEWISE_LONG_BITS)
__LANEWISE_MATCH(long long, 64, __LANEWISE_LONG_BITS)
__LANEWISE_MATCH(unsigned long long, 64, __LANEWISE_LONG_BITS)
__LANEWISE_MATCH(float, 32, __LANEWISE_FLOAT_BITS)
__LANEWISE_MATCH(double, 64, __LANEWISE_DOUBLE_BITS)
#undef __LANEWISE_MATCH
#undef __LANEWISE_INT_BITS
#undef __LANEWISE_LONG_BITS
#undef __LANEWISE_FLOAT_BITS
#undef __LANEWISE_DOUBLE_BITS

__LANEWISE_DEVICE unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) { return (unsigned int)__nvvm_redux_sync_add((int)value, mask); }
__LANEWISE_DEVICE int __reduce_add_sync(unsigned int mask, int value) { return __nvvm_redux_sync_add(value, mask); }
__LANEWISE_DEVICE unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) { return __nvvm_redux_sync_umin(value, mask); }
__LANEWISE_DEVICE int __reduce_min_sync(unsigned int mask, int value) { return __nvvm_redux_sync_min(value, mask); }
__LANEWISE_DEVICE unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) { return __nvvm_redux_sync_umax(value, mask); }
__LANEWISE_DEVICE int __reduce_max_sync(unsigned int mask, int value) { return __nvvm_redux_sync_max(value, mask); }
__LANEWISE_DEVICE unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) { return (unsigned int)__nvvm_redux_sync_and((int)value, mask); }
__LANEWISE_DEVICE unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) { return (unsigned int)__nvvm_redux_sync_or((int)value, mask); }
__LANEWISE_DEVICE unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) { return (unsigned int)__nvvm_redux_sync_xor((int)value, mask); }

#ifdef __LANEWISE_WARPS_WITHOUT_MASKS
/* Until CUDA 9 all lanes that executed a function took part in it. */
template <class T> __LANEWISE_DEVICE T __shfl(T value, int lane, int width = 32) { return __shfl_sync(__activemask(), value, lane, width); }
template <class T> __LANEWISE_DEVICE T __shfl_up(T value, unsigned int delta, int width = 32) { return __shfl_up_sync(__activemask(), value, delta, width); }
template <class T> __LANEWISE_DEVICE T __shfl_down(T value, unsigned int delta, int width = 32) { return __shfl_down_sync(__activemask(), value, delta, width); }
template <class T> __LANEWISE_DEVICE T __shfl_xor(T value, int mask, int width = 32) { return __shfl_xor_sync(__activemask(), value, mask, width); }
__LANEWISE_DEVICE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
__LANEWISE_DEVICE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
__LANEWISE_DEVICE unsigned int __ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
#endif
