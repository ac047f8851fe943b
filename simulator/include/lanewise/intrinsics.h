/* Integer and bit intrinsics, type casts, cache-hinted loads and stores, clocks. */
#pragma once
#include "../host_defines.h"
#include "../vector_types.h"

__LANEWISE_DEVICE int __popc(unsigned int v) { return __builtin_popcount(v); }
__LANEWISE_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
__LANEWISE_DEVICE int __clz(int v) { return __builtin_clzg((unsigned int)v, 32); }
__LANEWISE_DEVICE int __clzll(long long v) { return __builtin_clzg((unsigned long long)v, 64); }
__LANEWISE_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
__LANEWISE_DEVICE int __ffsll(long long v) { return __builtin_ffsll(v); }
__LANEWISE_DEVICE unsigned int __brev(unsigned int v) { return __builtin_bitreverse32(v); }
__LANEWISE_DEVICE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
__LANEWISE_DEVICE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  return __nvvm_prmt(a, b, selector & 0x7777u);
}
__LANEWISE_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return __builtin_elementwise_fshl(high, low, shift);
}
__LANEWISE_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return __builtin_elementwise_fshr(high, low, shift);
}
__LANEWISE_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__LANEWISE_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
__LANEWISE_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset) { return __nvvm_fns(mask, base, offset); }

__LANEWISE_DEVICE int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
__LANEWISE_DEVICE unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
__LANEWISE_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
__LANEWISE_DEVICE unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a * b) >> 32); }
__LANEWISE_DEVICE long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
__LANEWISE_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
__LANEWISE_DEVICE unsigned int __sad(int a, int b, unsigned int c) { return (a > b ? (unsigned int)a - b : (unsigned int)b - a) + c; }
__LANEWISE_DEVICE unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
__LANEWISE_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__LANEWISE_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__LANEWISE_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b) >> 1); }
__LANEWISE_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b + 1) >> 1); }

__LANEWISE_DEVICE int __dp4a(int a, int b, int c) {
  for (int k = 0; k < 32; k += 8) c += ((a << (24 - k)) >> 24) * ((b << (24 - k)) >> 24);
  return c;
}
__LANEWISE_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int k = 0; k < 32; k += 8) c += ((a >> k) & 0xffu) * ((b >> k) & 0xffu);
  return c;
}
__LANEWISE_DEVICE int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__LANEWISE_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__LANEWISE_DEVICE int __dp2a_lo(int a, int b, int c) { return c + (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8); }
__LANEWISE_DEVICE int __dp2a_hi(int a, int b, int c) { return c + (short)a * (signed char)(b >> 16) + (a >> 16) * (b >> 24); }
__LANEWISE_DEVICE unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a & 0xffffu) * (b & 0xffu) + (a >> 16) * ((b >> 8) & 0xffu);
}
__LANEWISE_DEVICE unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a & 0xffffu) * ((b >> 16) & 0xffu) + (a >> 16) * (b >> 24);
}

__LANEWISE_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
__LANEWISE_DEVICE unsigned int __float_as_uint(float v) { return __builtin_bit_cast(unsigned int, v); }
__LANEWISE_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
__LANEWISE_DEVICE float __uint_as_float(unsigned int v) { return __builtin_bit_cast(float, v); }
__LANEWISE_DEVICE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
__LANEWISE_DEVICE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
__LANEWISE_DEVICE int __double2loint(double v) { return (int)__builtin_bit_cast(long long, v); }
__LANEWISE_DEVICE int __double2hiint(double v) { return (int)(__builtin_bit_cast(long long, v) >> 32); }
__LANEWISE_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, ((unsigned long long)(unsigned int)high << 32) | (unsigned int)low);
}

/* Hints about caches do not change a value or a counter of the first level. Those that bypass it are read anew each time. */
template <class T> __LANEWISE_DEVICE T __ldcv(const T* p) {
  if constexpr (__is_arithmetic(T)) return *(const volatile T*)p;
  else return *p;
}
template <class T> __LANEWISE_DEVICE T __ldcg(const T* p) { return __ldcv(p); }
/* As in CUDA an instruction of its own for the compiler. ptxas makes one of two of one address (simulator/simt/forwarded-loads.ts). */
#ifndef __assume
#define __assume(condition) __builtin_assume(condition)
#endif
template <class T> __LANEWISE_DEVICE T __ldg(const T* p) {
  if constexpr (__is_same(T, float)) {
    float x;
    [[clang::noconvergent]] asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
  } else if constexpr (__is_same(T, double)) {
    double x;
    [[clang::noconvergent]] asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(x) : "l"(p));
    return x;
  } else if constexpr (__is_same(T, float2)) {
    float2 v;
    [[clang::noconvergent]] asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p));
    return v;
  } else if constexpr (__is_same(T, float4)) {
    float4 v;
    [[clang::noconvergent]] asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
  } else if constexpr (__is_same(T, double2)) {
    double2 v;
    [[clang::noconvergent]] asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p));
    return v;
  } else if constexpr (__is_same(T, int2) || __is_same(T, uint2)) {
    T v;
    [[clang::noconvergent]] asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(p));
    return v;
  } else if constexpr (__is_same(T, int4) || __is_same(T, uint4)) {
    T v;
    [[clang::noconvergent]] asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
    return v;
  } else if constexpr (sizeof(T) == 8 && __is_integral(T)) {
    T n;
    [[clang::noconvergent]] asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(n) : "l"(p));
    return n;
  } else if constexpr (sizeof(T) == 4 && __is_integral(T)) {
    T n;
    [[clang::noconvergent]] asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(n) : "l"(p));
    return n;
  } else {
    return *p;
  }
}
template <class T> __LANEWISE_DEVICE T __ldca(const T* p) { return *p; }
template <class T> __LANEWISE_DEVICE T __ldcs(const T* p) { return *p; }
template <class T> __LANEWISE_DEVICE T __ldlu(const T* p) { return *p; }
template <class T> __LANEWISE_DEVICE void __stwb(T* p, T v) { *p = v; }
template <class T> __LANEWISE_DEVICE void __stcg(T* p, T v) { *p = v; }
template <class T> __LANEWISE_DEVICE void __stcs(T* p, T v) { *p = v; }
template <class T> __LANEWISE_DEVICE void __stwt(T* p, T v) { *p = v; }

__LANEWISE_DEVICE void __nanosleep(unsigned int nanoseconds) { __nvvm_nanosleep(nanoseconds); }
__LANEWISE_DEVICE long long clock64() { return (long long)__nvvm_read_ptx_sreg_clock64(); }
__LANEWISE_DEVICE clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock64(); }
__LANEWISE_DEVICE void __trap() { __builtin_trap(); }
__LANEWISE_DEVICE void __brkpt() { __builtin_debugtrap(); }
__LANEWISE_DEVICE void __prof_trigger(int) {}

/* Address spaces, told apart at run time. */
__LANEWISE_DEVICE unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
__LANEWISE_DEVICE unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
__LANEWISE_DEVICE unsigned int __isClusterShared(const void* p) { return __nvvm_isspacep_shared_cluster(p); }
__LANEWISE_DEVICE unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
__LANEWISE_DEVICE unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
__LANEWISE_DEVICE size_t __cvta_generic_to_shared(const void* p) { return (size_t)(__attribute__((address_space(3))) const void*)p; }
__LANEWISE_DEVICE size_t __cvta_generic_to_global(const void* p) { return (size_t)(__attribute__((address_space(1))) const void*)p; }
__LANEWISE_DEVICE void* __cvta_shared_to_generic(size_t p) { return (void*)(__attribute__((address_space(3))) void*)p; }
__LANEWISE_DEVICE void* __cvta_global_to_generic(size_t p) { return (void*)(__attribute__((address_space(1))) void*)p; }
