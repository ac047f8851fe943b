/*
 * SSE and AVX of host code, by the compiler's vectors: what programs use for a comparison on the processor. Loads, stores, arithmetic,
 * comparisons, bits, conversions, shuffles of floats, fused products, prefetches and the time stamp.
 */
#pragma once
#pragma GCC system_header
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef __SSE__
#define __SSE__ 1
#endif
typedef float __m128 __attribute__((__vector_size__(16), __aligned__(16)));
typedef double __m128d __attribute__((__vector_size__(16), __aligned__(16)));
typedef long long __m128i __attribute__((__vector_size__(16), __aligned__(16)));
typedef float __m256 __attribute__((__vector_size__(32), __aligned__(32)));
typedef double __m256d __attribute__((__vector_size__(32), __aligned__(32)));
typedef long long __m256i __attribute__((__vector_size__(32), __aligned__(32)));
#define __LANEWISE_SIMD static inline __attribute__((always_inline, unused))
#define _MM_SHUFFLE(z, y, x, w) ((z) << 6 | (y) << 4 | (x) << 2 | (w))
#define _MM_HINT_T0 3
#define _MM_HINT_T1 2
#define _MM_HINT_T2 1
#define _MM_HINT_NTA 0
#define _mm_prefetch(address, hint) ((void)(address))

__LANEWISE_SIMD void* _mm_malloc(size_t bytes, size_t alignment) {
  void* p = 0;
  return posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes) ? 0 : p;
}
__LANEWISE_SIMD void _mm_free(void* p) { free(p); }
__LANEWISE_SIMD void _mm_pause(void) {}
__LANEWISE_SIMD void _mm_sfence(void) { __sync_synchronize(); }
__LANEWISE_SIMD void _mm_lfence(void) { __sync_synchronize(); }
__LANEWISE_SIMD void _mm_mfence(void) { __sync_synchronize(); }
__LANEWISE_SIMD void _mm256_zeroupper(void) {}
__LANEWISE_SIMD void _mm256_zeroall(void) {}
/* Nanoseconds stand for cycles. */
__LANEWISE_SIMD unsigned long long __rdtsc(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}
#define _rdtsc() __rdtsc()
typedef int __lanewise_ps128_bits __attribute__((__vector_size__(16)));
__LANEWISE_SIMD __m128 _mm_setzero_ps(void) { return (__m128){0}; }
__LANEWISE_SIMD __m128 _mm_undefined_ps(void) { return (__m128){0}; }
__LANEWISE_SIMD __m128 _mm_set1_ps(float v) { return (__m128){v, v, v, v}; }
__LANEWISE_SIMD __m128 _mm_setr_ps(float e0, float e1, float e2, float e3) { return (__m128){e0, e1, e2, e3}; }
__LANEWISE_SIMD __m128 _mm_set_ps(float e3, float e2, float e1, float e0) { return (__m128){e0, e1, e2, e3}; }
__LANEWISE_SIMD __m128 _mm_load_ps(const float* p) { __m128 v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m128 _mm_loadu_ps(const float* p) { __m128 v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD void _mm_store_ps(float* p, __m128 v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm_storeu_ps(float* p, __m128 v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm_stream_ps(float* p, __m128 v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD __m128 _mm_add_ps(__m128 a, __m128 b) { return a + b; }
__LANEWISE_SIMD __m128 _mm_sub_ps(__m128 a, __m128 b) { return a - b; }
__LANEWISE_SIMD __m128 _mm_mul_ps(__m128 a, __m128 b) { return a * b; }
__LANEWISE_SIMD __m128 _mm_div_ps(__m128 a, __m128 b) { return a / b; }
__LANEWISE_SIMD __m128 _mm_min_ps(__m128 a, __m128 b) { for (int k = 0; k < 4; ++k) a[k] = a[k] < b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m128 _mm_max_ps(__m128 a, __m128 b) { for (int k = 0; k < 4; ++k) a[k] = a[k] > b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m128 _mm_sqrt_ps(__m128 a) { for (int k = 0; k < 4; ++k) a[k] = __builtin_sqrtf(a[k]); return a; }
__LANEWISE_SIMD __m128 _mm_floor_ps(__m128 a) { for (int k = 0; k < 4; ++k) a[k] = __builtin_floorf(a[k]); return a; }
__LANEWISE_SIMD __m128 _mm_ceil_ps(__m128 a) { for (int k = 0; k < 4; ++k) a[k] = __builtin_ceilf(a[k]); return a; }
__LANEWISE_SIMD __m128 _mm_rcp_ps(__m128 a) { return _mm_set1_ps(1.0f) / a; }
__LANEWISE_SIMD __m128 _mm_rsqrt_ps(__m128 a) { return _mm_set1_ps(1.0f) / _mm_sqrt_ps(a); }
__LANEWISE_SIMD __m128 _mm_and_ps(__m128 a, __m128 b) { return (__m128)((__lanewise_ps128_bits)a & (__lanewise_ps128_bits)b); }
__LANEWISE_SIMD __m128 _mm_or_ps(__m128 a, __m128 b) { return (__m128)((__lanewise_ps128_bits)a | (__lanewise_ps128_bits)b); }
__LANEWISE_SIMD __m128 _mm_xor_ps(__m128 a, __m128 b) { return (__m128)((__lanewise_ps128_bits)a ^ (__lanewise_ps128_bits)b); }
__LANEWISE_SIMD __m128 _mm_andnot_ps(__m128 a, __m128 b) { return (__m128)(~(__lanewise_ps128_bits)a & (__lanewise_ps128_bits)b); }
__LANEWISE_SIMD __m128 _mm_cmpeq_ps(__m128 a, __m128 b) { return (__m128)(a == b); }
__LANEWISE_SIMD __m128 _mm_cmpneq_ps(__m128 a, __m128 b) { return (__m128)(a != b); }
__LANEWISE_SIMD __m128 _mm_cmplt_ps(__m128 a, __m128 b) { return (__m128)(a < b); }
__LANEWISE_SIMD __m128 _mm_cmple_ps(__m128 a, __m128 b) { return (__m128)(a <= b); }
__LANEWISE_SIMD __m128 _mm_cmpgt_ps(__m128 a, __m128 b) { return (__m128)(a > b); }
__LANEWISE_SIMD __m128 _mm_cmpge_ps(__m128 a, __m128 b) { return (__m128)(a >= b); }
__LANEWISE_SIMD int _mm_movemask_ps(__m128 a) { __lanewise_ps128_bits bits = (__lanewise_ps128_bits)a; int mask = 0; for (int k = 0; k < 4; ++k) mask |= (bits[k] < 0) << k; return mask; }
__LANEWISE_SIMD __m128 _mm_blendv_ps(__m128 a, __m128 b, __m128 mask) { __lanewise_ps128_bits bits = (__lanewise_ps128_bits)mask; for (int k = 0; k < 4; ++k) a[k] = bits[k] < 0 ? b[k] : a[k]; return a; }
__LANEWISE_SIMD __m128 _mm_fmadd_ps(__m128 a, __m128 b, __m128 c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fmaf(a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m128 _mm_fmsub_ps(__m128 a, __m128 b, __m128 c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fmaf(a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m128 _mm_fnmadd_ps(__m128 a, __m128 b, __m128 c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fmaf(-a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m128 _mm_fnmsub_ps(__m128 a, __m128 b, __m128 c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fmaf(-a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m128 _mm_hadd_ps(__m128 a, __m128 b) { return (__m128){a[0] + a[1], a[2] + a[3], b[0] + b[1], b[2] + b[3]}; }
__LANEWISE_SIMD __m128 _mm_hsub_ps(__m128 a, __m128 b) { return (__m128){a[0] - a[1], a[2] - a[3], b[0] - b[1], b[2] - b[3]}; }
__LANEWISE_SIMD __m128 _mm_unpacklo_ps(__m128 a, __m128 b) { return (__m128){a[0], b[0], a[1], b[1]}; }
__LANEWISE_SIMD __m128 _mm_unpackhi_ps(__m128 a, __m128 b) { return (__m128){a[2], b[2], a[3], b[3]}; }
typedef long long __lanewise_pd128_bits __attribute__((__vector_size__(16)));
__LANEWISE_SIMD __m128d _mm_setzero_pd(void) { return (__m128d){0}; }
__LANEWISE_SIMD __m128d _mm_undefined_pd(void) { return (__m128d){0}; }
__LANEWISE_SIMD __m128d _mm_set1_pd(double v) { return (__m128d){v, v}; }
__LANEWISE_SIMD __m128d _mm_setr_pd(double e0, double e1) { return (__m128d){e0, e1}; }
__LANEWISE_SIMD __m128d _mm_set_pd(double e1, double e0) { return (__m128d){e0, e1}; }
__LANEWISE_SIMD __m128d _mm_load_pd(const double* p) { __m128d v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m128d _mm_loadu_pd(const double* p) { __m128d v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD void _mm_store_pd(double* p, __m128d v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm_storeu_pd(double* p, __m128d v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm_stream_pd(double* p, __m128d v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD __m128d _mm_add_pd(__m128d a, __m128d b) { return a + b; }
__LANEWISE_SIMD __m128d _mm_sub_pd(__m128d a, __m128d b) { return a - b; }
__LANEWISE_SIMD __m128d _mm_mul_pd(__m128d a, __m128d b) { return a * b; }
__LANEWISE_SIMD __m128d _mm_div_pd(__m128d a, __m128d b) { return a / b; }
__LANEWISE_SIMD __m128d _mm_min_pd(__m128d a, __m128d b) { for (int k = 0; k < 2; ++k) a[k] = a[k] < b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m128d _mm_max_pd(__m128d a, __m128d b) { for (int k = 0; k < 2; ++k) a[k] = a[k] > b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m128d _mm_sqrt_pd(__m128d a) { for (int k = 0; k < 2; ++k) a[k] = __builtin_sqrt(a[k]); return a; }
__LANEWISE_SIMD __m128d _mm_floor_pd(__m128d a) { for (int k = 0; k < 2; ++k) a[k] = __builtin_floor(a[k]); return a; }
__LANEWISE_SIMD __m128d _mm_ceil_pd(__m128d a) { for (int k = 0; k < 2; ++k) a[k] = __builtin_ceil(a[k]); return a; }
__LANEWISE_SIMD __m128d _mm_and_pd(__m128d a, __m128d b) { return (__m128d)((__lanewise_pd128_bits)a & (__lanewise_pd128_bits)b); }
__LANEWISE_SIMD __m128d _mm_or_pd(__m128d a, __m128d b) { return (__m128d)((__lanewise_pd128_bits)a | (__lanewise_pd128_bits)b); }
__LANEWISE_SIMD __m128d _mm_xor_pd(__m128d a, __m128d b) { return (__m128d)((__lanewise_pd128_bits)a ^ (__lanewise_pd128_bits)b); }
__LANEWISE_SIMD __m128d _mm_andnot_pd(__m128d a, __m128d b) { return (__m128d)(~(__lanewise_pd128_bits)a & (__lanewise_pd128_bits)b); }
__LANEWISE_SIMD __m128d _mm_cmpeq_pd(__m128d a, __m128d b) { return (__m128d)(a == b); }
__LANEWISE_SIMD __m128d _mm_cmpneq_pd(__m128d a, __m128d b) { return (__m128d)(a != b); }
__LANEWISE_SIMD __m128d _mm_cmplt_pd(__m128d a, __m128d b) { return (__m128d)(a < b); }
__LANEWISE_SIMD __m128d _mm_cmple_pd(__m128d a, __m128d b) { return (__m128d)(a <= b); }
__LANEWISE_SIMD __m128d _mm_cmpgt_pd(__m128d a, __m128d b) { return (__m128d)(a > b); }
__LANEWISE_SIMD __m128d _mm_cmpge_pd(__m128d a, __m128d b) { return (__m128d)(a >= b); }
__LANEWISE_SIMD int _mm_movemask_pd(__m128d a) { __lanewise_pd128_bits bits = (__lanewise_pd128_bits)a; int mask = 0; for (int k = 0; k < 2; ++k) mask |= (bits[k] < 0) << k; return mask; }
__LANEWISE_SIMD __m128d _mm_blendv_pd(__m128d a, __m128d b, __m128d mask) { __lanewise_pd128_bits bits = (__lanewise_pd128_bits)mask; for (int k = 0; k < 2; ++k) a[k] = bits[k] < 0 ? b[k] : a[k]; return a; }
__LANEWISE_SIMD __m128d _mm_fmadd_pd(__m128d a, __m128d b, __m128d c) { for (int k = 0; k < 2; ++k) c[k] = __builtin_fma(a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m128d _mm_fmsub_pd(__m128d a, __m128d b, __m128d c) { for (int k = 0; k < 2; ++k) c[k] = __builtin_fma(a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m128d _mm_fnmadd_pd(__m128d a, __m128d b, __m128d c) { for (int k = 0; k < 2; ++k) c[k] = __builtin_fma(-a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m128d _mm_fnmsub_pd(__m128d a, __m128d b, __m128d c) { for (int k = 0; k < 2; ++k) c[k] = __builtin_fma(-a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m128d _mm_hadd_pd(__m128d a, __m128d b) { return (__m128d){a[0] + a[1], b[0] + b[1]}; }
__LANEWISE_SIMD __m128d _mm_hsub_pd(__m128d a, __m128d b) { return (__m128d){a[0] - a[1], b[0] - b[1]}; }
__LANEWISE_SIMD __m128d _mm_unpacklo_pd(__m128d a, __m128d b) { return (__m128d){a[0], b[0]}; }
__LANEWISE_SIMD __m128d _mm_unpackhi_pd(__m128d a, __m128d b) { return (__m128d){a[1], b[1]}; }
typedef int __lanewise_ps256_bits __attribute__((__vector_size__(32)));
__LANEWISE_SIMD __m256 _mm256_setzero_ps(void) { return (__m256){0}; }
__LANEWISE_SIMD __m256 _mm256_undefined_ps(void) { return (__m256){0}; }
__LANEWISE_SIMD __m256 _mm256_set1_ps(float v) { return (__m256){v, v, v, v, v, v, v, v}; }
__LANEWISE_SIMD __m256 _mm256_setr_ps(float e0, float e1, float e2, float e3, float e4, float e5, float e6, float e7) { return (__m256){e0, e1, e2, e3, e4, e5, e6, e7}; }
__LANEWISE_SIMD __m256 _mm256_set_ps(float e7, float e6, float e5, float e4, float e3, float e2, float e1, float e0) { return (__m256){e0, e1, e2, e3, e4, e5, e6, e7}; }
__LANEWISE_SIMD __m256 _mm256_load_ps(const float* p) { __m256 v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m256 _mm256_loadu_ps(const float* p) { __m256 v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD void _mm256_store_ps(float* p, __m256 v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm256_storeu_ps(float* p, __m256 v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm256_stream_ps(float* p, __m256 v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD __m256 _mm256_add_ps(__m256 a, __m256 b) { return a + b; }
__LANEWISE_SIMD __m256 _mm256_sub_ps(__m256 a, __m256 b) { return a - b; }
__LANEWISE_SIMD __m256 _mm256_mul_ps(__m256 a, __m256 b) { return a * b; }
__LANEWISE_SIMD __m256 _mm256_div_ps(__m256 a, __m256 b) { return a / b; }
__LANEWISE_SIMD __m256 _mm256_min_ps(__m256 a, __m256 b) { for (int k = 0; k < 8; ++k) a[k] = a[k] < b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m256 _mm256_max_ps(__m256 a, __m256 b) { for (int k = 0; k < 8; ++k) a[k] = a[k] > b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m256 _mm256_sqrt_ps(__m256 a) { for (int k = 0; k < 8; ++k) a[k] = __builtin_sqrtf(a[k]); return a; }
__LANEWISE_SIMD __m256 _mm256_floor_ps(__m256 a) { for (int k = 0; k < 8; ++k) a[k] = __builtin_floorf(a[k]); return a; }
__LANEWISE_SIMD __m256 _mm256_ceil_ps(__m256 a) { for (int k = 0; k < 8; ++k) a[k] = __builtin_ceilf(a[k]); return a; }
__LANEWISE_SIMD __m256 _mm256_rcp_ps(__m256 a) { return _mm256_set1_ps(1.0f) / a; }
__LANEWISE_SIMD __m256 _mm256_rsqrt_ps(__m256 a) { return _mm256_set1_ps(1.0f) / _mm256_sqrt_ps(a); }
__LANEWISE_SIMD __m256 _mm256_and_ps(__m256 a, __m256 b) { return (__m256)((__lanewise_ps256_bits)a & (__lanewise_ps256_bits)b); }
__LANEWISE_SIMD __m256 _mm256_or_ps(__m256 a, __m256 b) { return (__m256)((__lanewise_ps256_bits)a | (__lanewise_ps256_bits)b); }
__LANEWISE_SIMD __m256 _mm256_xor_ps(__m256 a, __m256 b) { return (__m256)((__lanewise_ps256_bits)a ^ (__lanewise_ps256_bits)b); }
__LANEWISE_SIMD __m256 _mm256_andnot_ps(__m256 a, __m256 b) { return (__m256)(~(__lanewise_ps256_bits)a & (__lanewise_ps256_bits)b); }
__LANEWISE_SIMD int _mm256_movemask_ps(__m256 a) { __lanewise_ps256_bits bits = (__lanewise_ps256_bits)a; int mask = 0; for (int k = 0; k < 8; ++k) mask |= (bits[k] < 0) << k; return mask; }
__LANEWISE_SIMD __m256 _mm256_blendv_ps(__m256 a, __m256 b, __m256 mask) { __lanewise_ps256_bits bits = (__lanewise_ps256_bits)mask; for (int k = 0; k < 8; ++k) a[k] = bits[k] < 0 ? b[k] : a[k]; return a; }
__LANEWISE_SIMD __m256 _mm256_fmadd_ps(__m256 a, __m256 b, __m256 c) { for (int k = 0; k < 8; ++k) c[k] = __builtin_fmaf(a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m256 _mm256_fmsub_ps(__m256 a, __m256 b, __m256 c) { for (int k = 0; k < 8; ++k) c[k] = __builtin_fmaf(a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m256 _mm256_fnmadd_ps(__m256 a, __m256 b, __m256 c) { for (int k = 0; k < 8; ++k) c[k] = __builtin_fmaf(-a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m256 _mm256_fnmsub_ps(__m256 a, __m256 b, __m256 c) { for (int k = 0; k < 8; ++k) c[k] = __builtin_fmaf(-a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m256 _mm256_hadd_ps(__m256 a, __m256 b) { return (__m256){a[0] + a[1], a[2] + a[3], b[0] + b[1], b[2] + b[3], a[4] + a[5], a[6] + a[7], b[4] + b[5], b[6] + b[7]}; }
__LANEWISE_SIMD __m256 _mm256_hsub_ps(__m256 a, __m256 b) { return (__m256){a[0] - a[1], a[2] - a[3], b[0] - b[1], b[2] - b[3], a[4] - a[5], a[6] - a[7], b[4] - b[5], b[6] - b[7]}; }
__LANEWISE_SIMD __m256 _mm256_unpacklo_ps(__m256 a, __m256 b) { return (__m256){a[0], b[0], a[1], b[1], a[4], b[4], a[5], b[5]}; }
__LANEWISE_SIMD __m256 _mm256_unpackhi_ps(__m256 a, __m256 b) { return (__m256){a[2], b[2], a[3], b[3], a[6], b[6], a[7], b[7]}; }
typedef long long __lanewise_pd256_bits __attribute__((__vector_size__(32)));
__LANEWISE_SIMD __m256d _mm256_setzero_pd(void) { return (__m256d){0}; }
__LANEWISE_SIMD __m256d _mm256_undefined_pd(void) { return (__m256d){0}; }
__LANEWISE_SIMD __m256d _mm256_set1_pd(double v) { return (__m256d){v, v, v, v}; }
__LANEWISE_SIMD __m256d _mm256_setr_pd(double e0, double e1, double e2, double e3) { return (__m256d){e0, e1, e2, e3}; }
__LANEWISE_SIMD __m256d _mm256_set_pd(double e3, double e2, double e1, double e0) { return (__m256d){e0, e1, e2, e3}; }
__LANEWISE_SIMD __m256d _mm256_load_pd(const double* p) { __m256d v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m256d _mm256_loadu_pd(const double* p) { __m256d v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD void _mm256_store_pd(double* p, __m256d v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm256_storeu_pd(double* p, __m256d v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm256_stream_pd(double* p, __m256d v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD __m256d _mm256_add_pd(__m256d a, __m256d b) { return a + b; }
__LANEWISE_SIMD __m256d _mm256_sub_pd(__m256d a, __m256d b) { return a - b; }
__LANEWISE_SIMD __m256d _mm256_mul_pd(__m256d a, __m256d b) { return a * b; }
__LANEWISE_SIMD __m256d _mm256_div_pd(__m256d a, __m256d b) { return a / b; }
__LANEWISE_SIMD __m256d _mm256_min_pd(__m256d a, __m256d b) { for (int k = 0; k < 4; ++k) a[k] = a[k] < b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m256d _mm256_max_pd(__m256d a, __m256d b) { for (int k = 0; k < 4; ++k) a[k] = a[k] > b[k] ? a[k] : b[k]; return a; }
__LANEWISE_SIMD __m256d _mm256_sqrt_pd(__m256d a) { for (int k = 0; k < 4; ++k) a[k] = __builtin_sqrt(a[k]); return a; }
__LANEWISE_SIMD __m256d _mm256_floor_pd(__m256d a) { for (int k = 0; k < 4; ++k) a[k] = __builtin_floor(a[k]); return a; }
__LANEWISE_SIMD __m256d _mm256_ceil_pd(__m256d a) { for (int k = 0; k < 4; ++k) a[k] = __builtin_ceil(a[k]); return a; }
__LANEWISE_SIMD __m256d _mm256_and_pd(__m256d a, __m256d b) { return (__m256d)((__lanewise_pd256_bits)a & (__lanewise_pd256_bits)b); }
__LANEWISE_SIMD __m256d _mm256_or_pd(__m256d a, __m256d b) { return (__m256d)((__lanewise_pd256_bits)a | (__lanewise_pd256_bits)b); }
__LANEWISE_SIMD __m256d _mm256_xor_pd(__m256d a, __m256d b) { return (__m256d)((__lanewise_pd256_bits)a ^ (__lanewise_pd256_bits)b); }
__LANEWISE_SIMD __m256d _mm256_andnot_pd(__m256d a, __m256d b) { return (__m256d)(~(__lanewise_pd256_bits)a & (__lanewise_pd256_bits)b); }
__LANEWISE_SIMD int _mm256_movemask_pd(__m256d a) { __lanewise_pd256_bits bits = (__lanewise_pd256_bits)a; int mask = 0; for (int k = 0; k < 4; ++k) mask |= (bits[k] < 0) << k; return mask; }
__LANEWISE_SIMD __m256d _mm256_blendv_pd(__m256d a, __m256d b, __m256d mask) { __lanewise_pd256_bits bits = (__lanewise_pd256_bits)mask; for (int k = 0; k < 4; ++k) a[k] = bits[k] < 0 ? b[k] : a[k]; return a; }
__LANEWISE_SIMD __m256d _mm256_fmadd_pd(__m256d a, __m256d b, __m256d c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fma(a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m256d _mm256_fmsub_pd(__m256d a, __m256d b, __m256d c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fma(a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m256d _mm256_fnmadd_pd(__m256d a, __m256d b, __m256d c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fma(-a[k], b[k], c[k]); return c; }
__LANEWISE_SIMD __m256d _mm256_fnmsub_pd(__m256d a, __m256d b, __m256d c) { for (int k = 0; k < 4; ++k) c[k] = __builtin_fma(-a[k], b[k], -c[k]); return c; }
__LANEWISE_SIMD __m256d _mm256_hadd_pd(__m256d a, __m256d b) { return (__m256d){a[0] + a[1], b[0] + b[1], a[2] + a[3], b[2] + b[3]}; }
__LANEWISE_SIMD __m256d _mm256_hsub_pd(__m256d a, __m256d b) { return (__m256d){a[0] - a[1], b[0] - b[1], a[2] - a[3], b[2] - b[3]}; }
__LANEWISE_SIMD __m256d _mm256_unpacklo_pd(__m256d a, __m256d b) { return (__m256d){a[0], b[0], a[2], b[2]}; }
__LANEWISE_SIMD __m256d _mm256_unpackhi_pd(__m256d a, __m256d b) { return (__m256d){a[1], b[1], a[3], b[3]}; }
__LANEWISE_SIMD float _mm_cvtss_f32(__m128 a) { return a[0]; }
__LANEWISE_SIMD double _mm_cvtsd_f64(__m128d a) { return a[0]; }
__LANEWISE_SIMD __m128 _mm_set_ss(float v) { return (__m128){v, 0, 0, 0}; }
__LANEWISE_SIMD __m128d _mm_set_sd(double v) { return (__m128d){v, 0}; }
__LANEWISE_SIMD __m128 _mm_load_ss(const float* p) { return (__m128){*p, 0, 0, 0}; }
__LANEWISE_SIMD __m128 _mm_load1_ps(const float* p) { return _mm_set1_ps(*p); }
__LANEWISE_SIMD __m128 _mm_set_ps1(float v) { return _mm_set1_ps(v); }
__LANEWISE_SIMD void _mm_store_ss(float* p, __m128 v) { *p = v[0]; }
__LANEWISE_SIMD void _mm_store_sd(double* p, __m128d v) { *p = v[0]; }
__LANEWISE_SIMD __m128 _mm_add_ss(__m128 a, __m128 b) { a[0] += b[0]; return a; }
__LANEWISE_SIMD __m128 _mm_mul_ss(__m128 a, __m128 b) { a[0] *= b[0]; return a; }
__LANEWISE_SIMD __m128 _mm_sqrt_ss(__m128 a) { a[0] = __builtin_sqrtf(a[0]); return a; }
__LANEWISE_SIMD __m128d _mm_add_sd(__m128d a, __m128d b) { a[0] += b[0]; return a; }
__LANEWISE_SIMD __m128 _mm_movehl_ps(__m128 a, __m128 b) { return (__m128){b[2], b[3], a[2], a[3]}; }
__LANEWISE_SIMD __m128 _mm_movelh_ps(__m128 a, __m128 b) { return (__m128){a[0], a[1], b[0], b[1]}; }
__LANEWISE_SIMD __m128 _mm_movehdup_ps(__m128 a) { return (__m128){a[1], a[1], a[3], a[3]}; }
__LANEWISE_SIMD __m128 _mm_moveldup_ps(__m128 a) { return (__m128){a[0], a[0], a[2], a[2]}; }
__LANEWISE_SIMD __m128 __lanewise_shuffle(__m128 a, __m128 b, int by) { return (__m128){a[by & 3], a[by >> 2 & 3], b[by >> 4 & 3], b[by >> 6 & 3]}; }
#define _mm_shuffle_ps(a, b, by) __lanewise_shuffle(a, b, by)
__LANEWISE_SIMD __m256 _mm256_broadcast_ss(const float* p) { return _mm256_set1_ps(*p); }
__LANEWISE_SIMD __m256d _mm256_broadcast_sd(const double* p) { return _mm256_set1_pd(*p); }
__LANEWISE_SIMD float _mm256_cvtss_f32(__m256 a) { return a[0]; }
__LANEWISE_SIMD double _mm256_cvtsd_f64(__m256d a) { return a[0]; }
__LANEWISE_SIMD __m128 _mm256_castps256_ps128(__m256 a) { return (__m128){a[0], a[1], a[2], a[3]}; }
__LANEWISE_SIMD __m128d _mm256_castpd256_pd128(__m256d a) { return (__m128d){a[0], a[1]}; }
__LANEWISE_SIMD __m128 __lanewise_half_ps(__m256 a, int high) { return high ? (__m128){a[4], a[5], a[6], a[7]} : _mm256_castps256_ps128(a); }
__LANEWISE_SIMD __m128d __lanewise_half_pd(__m256d a, int high) { return high ? (__m128d){a[2], a[3]} : _mm256_castpd256_pd128(a); }
#define _mm256_extractf128_ps(a, high) __lanewise_half_ps(a, high)
#define _mm256_extractf128_pd(a, high) __lanewise_half_pd(a, high)
__LANEWISE_SIMD __m256 __lanewise_compare_ps(__m256 a, __m256 b, int how) { return (__m256)(how == 0 ? a == b : how == 1 || how == 17 ? a < b : how == 2 || how == 18 ? a <= b : how == 4 ? a != b : how == 13 || how == 29 ? a >= b : a > b); }
__LANEWISE_SIMD __m256d __lanewise_compare_pd(__m256d a, __m256d b, int how) { return (__m256d)(how == 0 ? a == b : how == 1 || how == 17 ? a < b : how == 2 || how == 18 ? a <= b : how == 4 ? a != b : how == 13 || how == 29 ? a >= b : a > b); }
#define _CMP_EQ_OQ 0
#define _CMP_LT_OS 1
#define _CMP_LE_OS 2
#define _CMP_NEQ_UQ 4
#define _CMP_GE_OS 13
#define _CMP_GT_OS 14
#define _CMP_LT_OQ 17
#define _CMP_LE_OQ 18
#define _CMP_GE_OQ 29
#define _CMP_GT_OQ 30
#define _mm256_cmp_ps(a, b, how) __lanewise_compare_ps(a, b, how)
#define _mm256_cmp_pd(a, b, how) __lanewise_compare_pd(a, b, how)

/* Integers */
typedef signed char __lanewise_i8_128 __attribute__((__vector_size__(16)));
__LANEWISE_SIMD __m128i _mm_set1_epi8(char v) { return (__m128i)(__lanewise_i8_128){(signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v}; }
__LANEWISE_SIMD __m128i _mm_add_epi8(__m128i a, __m128i b) { return (__m128i)((__lanewise_i8_128)a + (__lanewise_i8_128)b); }
__LANEWISE_SIMD __m128i _mm_sub_epi8(__m128i a, __m128i b) { return (__m128i)((__lanewise_i8_128)a - (__lanewise_i8_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpeq_epi8(__m128i a, __m128i b) { return (__m128i)((__lanewise_i8_128)a == (__lanewise_i8_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpgt_epi8(__m128i a, __m128i b) { return (__m128i)((__lanewise_i8_128)a > (__lanewise_i8_128)b); }
typedef short __lanewise_i16_128 __attribute__((__vector_size__(16)));
__LANEWISE_SIMD __m128i _mm_set1_epi16(short v) { return (__m128i)(__lanewise_i16_128){(short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v}; }
__LANEWISE_SIMD __m128i _mm_add_epi16(__m128i a, __m128i b) { return (__m128i)((__lanewise_i16_128)a + (__lanewise_i16_128)b); }
__LANEWISE_SIMD __m128i _mm_sub_epi16(__m128i a, __m128i b) { return (__m128i)((__lanewise_i16_128)a - (__lanewise_i16_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpeq_epi16(__m128i a, __m128i b) { return (__m128i)((__lanewise_i16_128)a == (__lanewise_i16_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpgt_epi16(__m128i a, __m128i b) { return (__m128i)((__lanewise_i16_128)a > (__lanewise_i16_128)b); }
__LANEWISE_SIMD __m128i _mm_min_epi16(__m128i a, __m128i b) { __lanewise_i16_128 x = (__lanewise_i16_128)a, y = (__lanewise_i16_128)b; for (int k = 0; k < 8; ++k) x[k] = x[k] < y[k] ? x[k] : y[k]; return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_max_epi16(__m128i a, __m128i b) { __lanewise_i16_128 x = (__lanewise_i16_128)a, y = (__lanewise_i16_128)b; for (int k = 0; k < 8; ++k) x[k] = x[k] > y[k] ? x[k] : y[k]; return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_mullo_epi16(__m128i a, __m128i b) { return (__m128i)((__lanewise_i16_128)a * (__lanewise_i16_128)b); }
__LANEWISE_SIMD __m128i _mm_slli_epi16(__m128i a, int n) { return n >= 16 ? (__m128i){0} : (__m128i)((__lanewise_i16_128)a << (short)n); }
__LANEWISE_SIMD __m128i _mm_srli_epi16(__m128i a, int n) { __lanewise_i16_128 x = (__lanewise_i16_128)a; for (int k = 0; k < 8; ++k) x[k] = n >= 16 ? 0 : (short)((unsigned short)x[k] >> n); return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_srai_epi16(__m128i a, int n) { return (__m128i)((__lanewise_i16_128)a >> (short)(n >= 16 ? 15 : n)); }
typedef int __lanewise_i32_128 __attribute__((__vector_size__(16)));
__LANEWISE_SIMD __m128i _mm_set1_epi32(int v) { return (__m128i)(__lanewise_i32_128){(int)v, (int)v, (int)v, (int)v}; }
__LANEWISE_SIMD __m128i _mm_add_epi32(__m128i a, __m128i b) { return (__m128i)((__lanewise_i32_128)a + (__lanewise_i32_128)b); }
__LANEWISE_SIMD __m128i _mm_sub_epi32(__m128i a, __m128i b) { return (__m128i)((__lanewise_i32_128)a - (__lanewise_i32_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpeq_epi32(__m128i a, __m128i b) { return (__m128i)((__lanewise_i32_128)a == (__lanewise_i32_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpgt_epi32(__m128i a, __m128i b) { return (__m128i)((__lanewise_i32_128)a > (__lanewise_i32_128)b); }
__LANEWISE_SIMD __m128i _mm_min_epi32(__m128i a, __m128i b) { __lanewise_i32_128 x = (__lanewise_i32_128)a, y = (__lanewise_i32_128)b; for (int k = 0; k < 4; ++k) x[k] = x[k] < y[k] ? x[k] : y[k]; return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_max_epi32(__m128i a, __m128i b) { __lanewise_i32_128 x = (__lanewise_i32_128)a, y = (__lanewise_i32_128)b; for (int k = 0; k < 4; ++k) x[k] = x[k] > y[k] ? x[k] : y[k]; return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_mullo_epi32(__m128i a, __m128i b) { return (__m128i)((__lanewise_i32_128)a * (__lanewise_i32_128)b); }
__LANEWISE_SIMD __m128i _mm_slli_epi32(__m128i a, int n) { return n >= 32 ? (__m128i){0} : (__m128i)((__lanewise_i32_128)a << (int)n); }
__LANEWISE_SIMD __m128i _mm_srli_epi32(__m128i a, int n) { __lanewise_i32_128 x = (__lanewise_i32_128)a; for (int k = 0; k < 4; ++k) x[k] = n >= 32 ? 0 : (int)((unsigned int)x[k] >> n); return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_srai_epi32(__m128i a, int n) { return (__m128i)((__lanewise_i32_128)a >> (int)(n >= 32 ? 31 : n)); }
typedef long long __lanewise_i64_128 __attribute__((__vector_size__(16)));
__LANEWISE_SIMD __m128i _mm_set1_epi64x(long long v) { return (__m128i)(__lanewise_i64_128){(long long)v, (long long)v}; }
__LANEWISE_SIMD __m128i _mm_add_epi64(__m128i a, __m128i b) { return (__m128i)((__lanewise_i64_128)a + (__lanewise_i64_128)b); }
__LANEWISE_SIMD __m128i _mm_sub_epi64(__m128i a, __m128i b) { return (__m128i)((__lanewise_i64_128)a - (__lanewise_i64_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpeq_epi64(__m128i a, __m128i b) { return (__m128i)((__lanewise_i64_128)a == (__lanewise_i64_128)b); }
__LANEWISE_SIMD __m128i _mm_cmpgt_epi64(__m128i a, __m128i b) { return (__m128i)((__lanewise_i64_128)a > (__lanewise_i64_128)b); }
__LANEWISE_SIMD __m128i _mm_slli_epi64(__m128i a, int n) { return n >= 64 ? (__m128i){0} : (__m128i)((__lanewise_i64_128)a << (long long)n); }
__LANEWISE_SIMD __m128i _mm_srli_epi64(__m128i a, int n) { __lanewise_i64_128 x = (__lanewise_i64_128)a; for (int k = 0; k < 2; ++k) x[k] = n >= 64 ? 0 : (long long)((unsigned long long)x[k] >> n); return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_setzero_si128(void) { return (__m128i){0}; }
__LANEWISE_SIMD __m128i _mm_load_si128(const __m128i* p) { __m128i v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m128i _mm_loadu_si128(const __m128i* p) { __m128i v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m128i _mm_lddqu_si128(const __m128i* p) { __m128i v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD void _mm_store_si128(__m128i* p, __m128i v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm_storeu_si128(__m128i* p, __m128i v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm_stream_si128(__m128i* p, __m128i v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD __m128i _mm_and_si128(__m128i a, __m128i b) { return a & b; }
__LANEWISE_SIMD __m128i _mm_or_si128(__m128i a, __m128i b) { return a | b; }
__LANEWISE_SIMD __m128i _mm_xor_si128(__m128i a, __m128i b) { return a ^ b; }
__LANEWISE_SIMD __m128i _mm_andnot_si128(__m128i a, __m128i b) { return ~a & b; }
__LANEWISE_SIMD __m128i _mm_setr_epi32(int e0, int e1, int e2, int e3) { return (__m128i)(__lanewise_i32_128){e0, e1, e2, e3}; }
__LANEWISE_SIMD __m128i _mm_set_epi32(int e3, int e2, int e1, int e0) { return (__m128i)(__lanewise_i32_128){e0, e1, e2, e3}; }
__LANEWISE_SIMD __m128 _mm_cvtepi32_ps(__m128i a) { __lanewise_i32_128 x = (__lanewise_i32_128)a; __m128 v; for (int k = 0; k < 4; ++k) v[k] = (float)x[k]; return v; }
__LANEWISE_SIMD __m128i _mm_cvttps_epi32(__m128 a) { __lanewise_i32_128 x; for (int k = 0; k < 4; ++k) x[k] = (int)a[k]; return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_cvtps_epi32(__m128 a) { __lanewise_i32_128 x; for (int k = 0; k < 4; ++k) x[k] = (int)__builtin_rintf(a[k]); return (__m128i)x; }
__LANEWISE_SIMD __m128i _mm_castps_si128(__m128 a) { return (__m128i)a; }
__LANEWISE_SIMD __m128 _mm_castsi128_ps(__m128i a) { return (__m128)a; }
__LANEWISE_SIMD int _mm_movemask_epi8(__m128i a) { __lanewise_i8_128 x = (__lanewise_i8_128)a; unsigned int mask = 0; for (int k = 0; k < 16; ++k) mask |= (unsigned int)(x[k] < 0) << k; return (int)mask; }
typedef signed char __lanewise_i8_256 __attribute__((__vector_size__(32)));
__LANEWISE_SIMD __m256i _mm256_set1_epi8(char v) { return (__m256i)(__lanewise_i8_256){(signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v, (signed char)v}; }
__LANEWISE_SIMD __m256i _mm256_add_epi8(__m256i a, __m256i b) { return (__m256i)((__lanewise_i8_256)a + (__lanewise_i8_256)b); }
__LANEWISE_SIMD __m256i _mm256_sub_epi8(__m256i a, __m256i b) { return (__m256i)((__lanewise_i8_256)a - (__lanewise_i8_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpeq_epi8(__m256i a, __m256i b) { return (__m256i)((__lanewise_i8_256)a == (__lanewise_i8_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpgt_epi8(__m256i a, __m256i b) { return (__m256i)((__lanewise_i8_256)a > (__lanewise_i8_256)b); }
typedef short __lanewise_i16_256 __attribute__((__vector_size__(32)));
__LANEWISE_SIMD __m256i _mm256_set1_epi16(short v) { return (__m256i)(__lanewise_i16_256){(short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v, (short)v}; }
__LANEWISE_SIMD __m256i _mm256_add_epi16(__m256i a, __m256i b) { return (__m256i)((__lanewise_i16_256)a + (__lanewise_i16_256)b); }
__LANEWISE_SIMD __m256i _mm256_sub_epi16(__m256i a, __m256i b) { return (__m256i)((__lanewise_i16_256)a - (__lanewise_i16_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpeq_epi16(__m256i a, __m256i b) { return (__m256i)((__lanewise_i16_256)a == (__lanewise_i16_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpgt_epi16(__m256i a, __m256i b) { return (__m256i)((__lanewise_i16_256)a > (__lanewise_i16_256)b); }
__LANEWISE_SIMD __m256i _mm256_min_epi16(__m256i a, __m256i b) { __lanewise_i16_256 x = (__lanewise_i16_256)a, y = (__lanewise_i16_256)b; for (int k = 0; k < 16; ++k) x[k] = x[k] < y[k] ? x[k] : y[k]; return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_max_epi16(__m256i a, __m256i b) { __lanewise_i16_256 x = (__lanewise_i16_256)a, y = (__lanewise_i16_256)b; for (int k = 0; k < 16; ++k) x[k] = x[k] > y[k] ? x[k] : y[k]; return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_mullo_epi16(__m256i a, __m256i b) { return (__m256i)((__lanewise_i16_256)a * (__lanewise_i16_256)b); }
__LANEWISE_SIMD __m256i _mm256_slli_epi16(__m256i a, int n) { return n >= 16 ? (__m256i){0} : (__m256i)((__lanewise_i16_256)a << (short)n); }
__LANEWISE_SIMD __m256i _mm256_srli_epi16(__m256i a, int n) { __lanewise_i16_256 x = (__lanewise_i16_256)a; for (int k = 0; k < 16; ++k) x[k] = n >= 16 ? 0 : (short)((unsigned short)x[k] >> n); return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_srai_epi16(__m256i a, int n) { return (__m256i)((__lanewise_i16_256)a >> (short)(n >= 16 ? 15 : n)); }
typedef int __lanewise_i32_256 __attribute__((__vector_size__(32)));
__LANEWISE_SIMD __m256i _mm256_set1_epi32(int v) { return (__m256i)(__lanewise_i32_256){(int)v, (int)v, (int)v, (int)v, (int)v, (int)v, (int)v, (int)v}; }
__LANEWISE_SIMD __m256i _mm256_add_epi32(__m256i a, __m256i b) { return (__m256i)((__lanewise_i32_256)a + (__lanewise_i32_256)b); }
__LANEWISE_SIMD __m256i _mm256_sub_epi32(__m256i a, __m256i b) { return (__m256i)((__lanewise_i32_256)a - (__lanewise_i32_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpeq_epi32(__m256i a, __m256i b) { return (__m256i)((__lanewise_i32_256)a == (__lanewise_i32_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpgt_epi32(__m256i a, __m256i b) { return (__m256i)((__lanewise_i32_256)a > (__lanewise_i32_256)b); }
__LANEWISE_SIMD __m256i _mm256_min_epi32(__m256i a, __m256i b) { __lanewise_i32_256 x = (__lanewise_i32_256)a, y = (__lanewise_i32_256)b; for (int k = 0; k < 8; ++k) x[k] = x[k] < y[k] ? x[k] : y[k]; return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_max_epi32(__m256i a, __m256i b) { __lanewise_i32_256 x = (__lanewise_i32_256)a, y = (__lanewise_i32_256)b; for (int k = 0; k < 8; ++k) x[k] = x[k] > y[k] ? x[k] : y[k]; return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_mullo_epi32(__m256i a, __m256i b) { return (__m256i)((__lanewise_i32_256)a * (__lanewise_i32_256)b); }
__LANEWISE_SIMD __m256i _mm256_slli_epi32(__m256i a, int n) { return n >= 32 ? (__m256i){0} : (__m256i)((__lanewise_i32_256)a << (int)n); }
__LANEWISE_SIMD __m256i _mm256_srli_epi32(__m256i a, int n) { __lanewise_i32_256 x = (__lanewise_i32_256)a; for (int k = 0; k < 8; ++k) x[k] = n >= 32 ? 0 : (int)((unsigned int)x[k] >> n); return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_srai_epi32(__m256i a, int n) { return (__m256i)((__lanewise_i32_256)a >> (int)(n >= 32 ? 31 : n)); }
typedef long long __lanewise_i64_256 __attribute__((__vector_size__(32)));
__LANEWISE_SIMD __m256i _mm256_set1_epi64x(long long v) { return (__m256i)(__lanewise_i64_256){(long long)v, (long long)v, (long long)v, (long long)v}; }
__LANEWISE_SIMD __m256i _mm256_add_epi64(__m256i a, __m256i b) { return (__m256i)((__lanewise_i64_256)a + (__lanewise_i64_256)b); }
__LANEWISE_SIMD __m256i _mm256_sub_epi64(__m256i a, __m256i b) { return (__m256i)((__lanewise_i64_256)a - (__lanewise_i64_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpeq_epi64(__m256i a, __m256i b) { return (__m256i)((__lanewise_i64_256)a == (__lanewise_i64_256)b); }
__LANEWISE_SIMD __m256i _mm256_cmpgt_epi64(__m256i a, __m256i b) { return (__m256i)((__lanewise_i64_256)a > (__lanewise_i64_256)b); }
__LANEWISE_SIMD __m256i _mm256_slli_epi64(__m256i a, int n) { return n >= 64 ? (__m256i){0} : (__m256i)((__lanewise_i64_256)a << (long long)n); }
__LANEWISE_SIMD __m256i _mm256_srli_epi64(__m256i a, int n) { __lanewise_i64_256 x = (__lanewise_i64_256)a; for (int k = 0; k < 4; ++k) x[k] = n >= 64 ? 0 : (long long)((unsigned long long)x[k] >> n); return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_setzero_si256(void) { return (__m256i){0}; }
__LANEWISE_SIMD __m256i _mm256_load_si256(const __m256i* p) { __m256i v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m256i _mm256_loadu_si256(const __m256i* p) { __m256i v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD __m256i _mm256_lddqu_si256(const __m256i* p) { __m256i v; memcpy(&v, p, sizeof v); return v; }
__LANEWISE_SIMD void _mm256_store_si256(__m256i* p, __m256i v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm256_storeu_si256(__m256i* p, __m256i v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD void _mm256_stream_si256(__m256i* p, __m256i v) { memcpy(p, &v, sizeof v); }
__LANEWISE_SIMD __m256i _mm256_and_si256(__m256i a, __m256i b) { return a & b; }
__LANEWISE_SIMD __m256i _mm256_or_si256(__m256i a, __m256i b) { return a | b; }
__LANEWISE_SIMD __m256i _mm256_xor_si256(__m256i a, __m256i b) { return a ^ b; }
__LANEWISE_SIMD __m256i _mm256_andnot_si256(__m256i a, __m256i b) { return ~a & b; }
__LANEWISE_SIMD __m256i _mm256_setr_epi32(int e0, int e1, int e2, int e3, int e4, int e5, int e6, int e7) { return (__m256i)(__lanewise_i32_256){e0, e1, e2, e3, e4, e5, e6, e7}; }
__LANEWISE_SIMD __m256i _mm256_set_epi32(int e7, int e6, int e5, int e4, int e3, int e2, int e1, int e0) { return (__m256i)(__lanewise_i32_256){e0, e1, e2, e3, e4, e5, e6, e7}; }
__LANEWISE_SIMD __m256 _mm256_cvtepi32_ps(__m256i a) { __lanewise_i32_256 x = (__lanewise_i32_256)a; __m256 v; for (int k = 0; k < 8; ++k) v[k] = (float)x[k]; return v; }
__LANEWISE_SIMD __m256i _mm256_cvttps_epi32(__m256 a) { __lanewise_i32_256 x; for (int k = 0; k < 8; ++k) x[k] = (int)a[k]; return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_cvtps_epi32(__m256 a) { __lanewise_i32_256 x; for (int k = 0; k < 8; ++k) x[k] = (int)__builtin_rintf(a[k]); return (__m256i)x; }
__LANEWISE_SIMD __m256i _mm256_castps_si256(__m256 a) { return (__m256i)a; }
__LANEWISE_SIMD __m256 _mm256_castsi256_ps(__m256i a) { return (__m256)a; }
__LANEWISE_SIMD int _mm256_movemask_epi8(__m256i a) { __lanewise_i8_256 x = (__lanewise_i8_256)a; unsigned int mask = 0; for (int k = 0; k < 32; ++k) mask |= (unsigned int)(x[k] < 0) << k; return (int)mask; }
__LANEWISE_SIMD int _mm_cvtsi128_si32(__m128i a) { return (int)a[0]; }
__LANEWISE_SIMD long long _mm_cvtsi128_si64(__m128i a) { return a[0]; }
__LANEWISE_SIMD __m128i _mm_cvtsi32_si128(int v) { return (__m128i){(long long)(unsigned int)v, 0}; }
__LANEWISE_SIMD int _mm_popcnt_u32(unsigned int v) { return __builtin_popcount(v); }
__LANEWISE_SIMD long long _mm_popcnt_u64(unsigned long long v) { return __builtin_popcountll(v); }
#undef __LANEWISE_SIMD
