/*
 * cuRAND's generators XORWOW, Philox4x32-10 and MRG32k3a, for device and host: the same numbers as cuRAND's, bit for bit
 * (test/fixtures/runtime/curand.json). Written from the papers: Marsaglia (2003), Salmon et al. (2011), L'Ecuyer (1999).
 */
#pragma once
#include "../host_defines.h"
#include "../vector_types.h"
#include "curand-jumps.h"

#define CURAND_2POW32_INV (2.3283064e-10f)
#define CURAND_2POW32_INV_DOUBLE (2.3283064365386963e-10)
#define CURAND_2POW53_INV_DOUBLE (1.1102230246251565e-16)
#define MRG32K3A_NORM (2.3283065498378288e-10)

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace __lanewise {

template <class State> __LANEWISE_BOTH void forgetNormals(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

__LANEWISE_BOTH void stepXorwow(unsigned int* v) {
  unsigned int t = v[0] ^ (v[0] >> 2);
  v[0] = v[1];
  v[1] = v[2];
  v[2] = v[3];
  v[3] = v[4];
  v[4] = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
}

/* Moves v by n times the table's distance, one hexadecimal digit of n after the other. */
static __host__ __device__ inline void jumpXorwow(unsigned int* v, const unsigned int* table, unsigned long long n) {
  for (; n; n >>= 4, table += 15 * 5) {
    unsigned int digit = (unsigned int)n & 15;
    if (digit == 0) continue;
    const unsigned int* polynomial = table + 5 * (digit - 1);
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (unsigned int word = 0; word < 5; ++word) {
      for (unsigned int bits = polynomial[word], k = 0; k < 32; ++k, bits >>= 1) {
        unsigned int wanted = 0u - (bits & 1u);
        for (unsigned int j = 0; j < 5; ++j) sum[j] ^= v[j] & wanted;
        stepXorwow(v);
      }
    }
    for (unsigned int j = 0; j < 5; ++j) v[j] = sum[j];
  }
}

__LANEWISE_BOTH uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = uint4{(unsigned int)(b >> 32) ^ c.y ^ key.x, (unsigned int)b, (unsigned int)(a >> 32) ^ c.w ^ key.y, (unsigned int)a};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
__LANEWISE_BOTH void countPhilox(curandStatePhilox4_32_10_t* state) {
  if (++state->ctr.x == 0 && ++state->ctr.y == 0 && ++state->ctr.z == 0) ++state->ctr.w;
  state->output = philox(state->ctr, state->key);
}

/* A 3 by 3 matrix over the integers modulo m. */
struct Matrix3 { unsigned int at[9]; };
__LANEWISE_BOTH Matrix3 product(const Matrix3& a, const Matrix3& b, unsigned int m) {
  Matrix3 c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k) sum = (sum + (unsigned long long)a.at[3 * i + k] * b.at[3 * k + j] % m) % m;
      c.at[3 * i + j] = (unsigned int)sum;
    }
  }
  return c;
}
/* Moves a state by n times what `step` does. */
static __host__ __device__ inline void jumpMrg(unsigned int* s, Matrix3 step, unsigned int m, unsigned long long n) {
  for (; n; n >>= 1) {
    if (n & 1) {
      unsigned long long next[3];
      for (int i = 0; i < 3; ++i) {
        next[i] = 0;
        for (int k = 0; k < 3; ++k) next[i] = (next[i] + (unsigned long long)step.at[3 * i + k] * s[k] % m) % m;
      }
      for (int i = 0; i < 3; ++i) s[i] = (unsigned int)next[i];
    }
    if (n > 1) step = product(step, step, m);
  }
}
__LANEWISE_BOTH void jumpMrg(curandStateMRG32k3a_t* state, const Matrix3& first, const Matrix3& second, unsigned long long n) {
  jumpMrg(state->s1, first, 4294967087u, n);
  jumpMrg(state->s2, second, 4294944443u, n);
}
/* From 1 to 4294967087. */
__LANEWISE_BOTH double mrg(curandStateMRG32k3a_t* state) {
  unsigned int *a = state->s1, *b = state->s2;
  unsigned long long p = (1403580ull * a[1] + 810728ull * (4294967087u - a[0])) % 4294967087u;
  unsigned long long q = (527612ull * b[2] + 1370589ull * (4294944443u - b[0])) % 4294944443u;
  a[0] = a[1];
  a[1] = a[2];
  a[2] = (unsigned int)p;
  b[0] = b[1];
  b[1] = b[2];
  b[2] = (unsigned int)q;
  return p > q ? (double)(p - q) : (double)(p + 4294967087u - q);
}

__LANEWISE_BOTH double fineUniform(unsigned int low, unsigned int high) {
  return ((unsigned long long)low ^ ((unsigned long long)high << 21)) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
}
__LANEWISE_BOTH float uniform(unsigned int x) { return x * CURAND_2POW32_INV + CURAND_2POW32_INV / 2.0f; }

/* Box and Muller's two normals of two uniforms, the second of them an angle. */
__LANEWISE_BOTH float2 normals(float u, float angle) {
  float length = sqrtf(-2.0f * logf(u));
#ifdef __CUDA_ARCH__
  return float2{__sinf(angle) * length, __cosf(angle) * length};
#else
  return float2{sinf(angle) * length, cosf(angle) * length};
#endif
}
__LANEWISE_BOTH double2 normals(double u, double halfTurns) {
  double length = sqrt(-2.0 * log(u));
#ifdef __CUDA_ARCH__
  return double2{sinpi(halfTurns) * length, cospi(halfTurns) * length};
#else
  return double2{sin(halfTurns * 3.1415926535897932) * length, cos(halfTurns * 3.1415926535897932) * length};
#endif
}
__LANEWISE_BOTH float2 normals(unsigned int x, unsigned int y) {
  constexpr float turn = CURAND_2POW32_INV * 6.2831855f;
  return normals(uniform(x), y * turn + turn / 2);
}
__LANEWISE_BOTH double2 normals(uint4 x) {
  unsigned long long angle = (unsigned long long)x.z ^ ((unsigned long long)x.w << 21);
  return normals(fineUniform(x.x, x.y), angle * (CURAND_2POW53_INV_DOUBLE * 2) + CURAND_2POW53_INV_DOUBLE);
}

}  // namespace __lanewise

__LANEWISE_BOTH void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  __lanewise::jumpXorwow(state->v, __lanewise_xorwow_offsets, n);
  state->d += 362437u * (unsigned int)n;
}
__LANEWISE_BOTH void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  __lanewise::jumpXorwow(state->v, __lanewise_xorwow_sequences, n);
}
__LANEWISE_BOTH void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  unsigned int place = state->STATE + ((unsigned int)n & 3);
  state->STATE = place & 3;
  unsigned long long blocks = n / 4 + place / 4;
  unsigned long long low = ((unsigned long long)state->ctr.y << 32) | state->ctr.x, sum = low + blocks;
  if (sum < low && ++state->ctr.z == 0) ++state->ctr.w;
  state->ctr.x = (unsigned int)sum;
  state->ctr.y = (unsigned int)(sum >> 32);
  state->output = __lanewise::philox(state->ctr, state->key);
}
__LANEWISE_BOTH void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  unsigned long long sum = (((unsigned long long)state->ctr.w << 32) | state->ctr.z) + n;
  state->ctr.z = (unsigned int)sum;
  state->ctr.w = (unsigned int)(sum >> 32);
  state->output = __lanewise::philox(state->ctr, state->key);
}
/* One step, 2^76 steps and 2^127 steps of both recurrences, as matrices. */
__LANEWISE_BOTH void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  using __lanewise::Matrix3;
  __lanewise::jumpMrg(state, Matrix3{{0u, 1u, 0u, 0u, 0u, 1u, 4294156359u, 1403580u, 0u}},
                      Matrix3{{0u, 1u, 0u, 0u, 0u, 1u, 4293573854u, 0u, 527612u}}, n);
}
__LANEWISE_BOTH void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  using __lanewise::Matrix3;
  __lanewise::jumpMrg(state, Matrix3{{82758667u, 1871391091u, 4127413238u, 3672831523u, 69195019u, 1871391091u, 3672091415u, 3528743235u, 69195019u}},
                      Matrix3{{1511326704u, 3759209742u, 1610795712u, 4292754251u, 1511326704u, 3889917532u, 3859662829u, 4292754251u, 3708466080u}}, n);
}
__LANEWISE_BOTH void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  using __lanewise::Matrix3;
  __lanewise::jumpMrg(state, Matrix3{{2427906178u, 3580155704u, 949770784u, 226153695u, 1230515664u, 3580155704u, 1988835001u, 986791581u, 1230515664u}},
                      Matrix3{{1464411153u, 277697599u, 1610723613u, 32183930u, 1464411153u, 1022607788u, 2824425944u, 32183930u, 2093834863u}}, n);
}

__LANEWISE_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW_t* state) {
  unsigned int a = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u), b = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + a + b;
  state->v[0] = 123456789u + a;
  state->v[1] = 362436069u ^ a;
  state->v[2] = 521288629u + b;
  state->v[3] = 88675123u ^ b;
  state->v[4] = 5783321u + a;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  __lanewise::forgetNormals(state);
}
__LANEWISE_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = uint4{0, 0, (unsigned int)subsequence, (unsigned int)(subsequence >> 32)};
  state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
  state->STATE = 0;
  skipahead(offset, state);
  __lanewise::forgetNormals(state);
}
__LANEWISE_BOTH void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a_t* state) {
  unsigned int low = 1, high = 1;
  if (seed != 0) {
    low = (unsigned int)seed ^ 0x55555555u;
    high = (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
  }
  for (int k = 0; k < 3; ++k) {
    state->s1[k] = (unsigned int)((k & 1 ? high : low) * 12345ull % 4294967087u);
    state->s2[k] = (unsigned int)((k & 1 ? low : high) * 12345ull % 4294944443u);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  __lanewise::forgetNormals(state);
}

__LANEWISE_BOTH unsigned int curand(curandStateXORWOW_t* state) {
  __lanewise::stepXorwow(state->v);
  state->d += 362437u;
  return state->v[4] + state->d;
}
__LANEWISE_BOTH unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const uint4& block = state->output;
  unsigned int place = state->STATE, result = place == 0 ? block.x : place == 1 ? block.y : place == 2 ? block.z : block.w;
  if (place == 3) __lanewise::countPhilox(state);
  state->STATE = (place + 1) & 3;
  return result;
}
__LANEWISE_BOTH uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 a = state->output;
  __lanewise::countPhilox(state);
  const uint4& b = state->output;
  switch (state->STATE) {
    case 1: return uint4{a.y, a.z, a.w, b.x};
    case 2: return uint4{a.z, a.w, b.x, b.y};
    case 3: return uint4{a.w, b.x, b.y, b.z};
    default: return a;
  }
}
__LANEWISE_BOTH unsigned int curand(curandStateMRG32k3a_t* state) { return (unsigned int)(__lanewise::mrg(state) * 1.000000048662); }

__LANEWISE_BOTH float curand_uniform(curandStateXORWOW_t* state) { return __lanewise::uniform(curand(state)); }
__LANEWISE_BOTH float curand_uniform(curandStatePhilox4_32_10_t* state) { return __lanewise::uniform(curand(state)); }
__LANEWISE_BOTH float curand_uniform(curandStateMRG32k3a_t* state) { return (float)(__lanewise::mrg(state) * MRG32K3A_NORM); }
__LANEWISE_BOTH float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  return float4{__lanewise::uniform(x.x), __lanewise::uniform(x.y), __lanewise::uniform(x.z), __lanewise::uniform(x.w)};
}
__LANEWISE_BOTH double curand_uniform_double(curandStateXORWOW_t* state) {
  unsigned int low = curand(state), high = curand(state);
  return __lanewise::fineUniform(low, high);
}
/* Of 32 bits only, unlike curand_uniform2_double. */
__LANEWISE_BOTH double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE;
}
__LANEWISE_BOTH double curand_uniform_double(curandStateMRG32k3a_t* state) { return __lanewise::mrg(state) * MRG32K3A_NORM; }
__LANEWISE_BOTH double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  return double2{__lanewise::fineUniform(x.x, x.y), __lanewise::fineUniform(x.z, x.w)};
}

__LANEWISE_BOTH float2 curand_normal2(curandStateXORWOW_t* state) {
  unsigned int x = curand(state), y = curand(state);
  return __lanewise::normals(x, y);
}
__LANEWISE_BOTH float2 curand_normal2(curandStatePhilox4_32_10_t* state) {
  unsigned int x = curand(state), y = curand(state);
  return __lanewise::normals(x, y);
}
__LANEWISE_BOTH float2 curand_normal2(curandStateMRG32k3a_t* state) {
  float u = curand_uniform(state), angle = curand_uniform(state) * 6.2831855f;
  return __lanewise::normals(u, angle);
}
__LANEWISE_BOTH float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  float2 a = __lanewise::normals(x.x, x.y), b = __lanewise::normals(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}
__LANEWISE_BOTH double2 curand_normal2_double(curandStateXORWOW_t* state) {
  uint4 x;
  x.x = curand(state);
  x.y = curand(state);
  x.z = curand(state);
  x.w = curand(state);
  return __lanewise::normals(x);
}
__LANEWISE_BOTH double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) { return __lanewise::normals(curand4(state)); }
__LANEWISE_BOTH double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  double u = curand_uniform_double(state), angle = curand_uniform_double(state) * 2.0;
  return __lanewise::normals(u, angle);
}

/* The second normal of a pair waits in the state for the next call of the same function. */
#define __LANEWISE_CURAND_NORMALS(State) \
  __LANEWISE_BOTH float curand_normal(State* state) { \
    if (state->boxmuller_flag == 1) { state->boxmuller_flag = 0; return state->boxmuller_extra; } \
    float2 pair = curand_normal2(state); \
    state->boxmuller_extra = pair.y; \
    state->boxmuller_flag = 1; \
    return pair.x; \
  } \
  __LANEWISE_BOTH double curand_normal_double(State* state) { \
    if (state->boxmuller_flag_double == 1) { state->boxmuller_flag_double = 0; return state->boxmuller_extra_double; } \
    double2 pair = curand_normal2_double(state); \
    state->boxmuller_extra_double = pair.y; \
    state->boxmuller_flag_double = 1; \
    return pair.x; \
  } \
  __LANEWISE_BOTH float2 curand_log_normal2(State* state, float mean, float deviation) { \
    float2 pair = curand_normal2(state); \
    return float2{expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)}; \
  } \
  __LANEWISE_BOTH double2 curand_log_normal2_double(State* state, double mean, double deviation) { \
    double2 pair = curand_normal2_double(state); \
    return double2{exp(mean + deviation * pair.x), exp(mean + deviation * pair.y)}; \
  } \
  __LANEWISE_BOTH float curand_log_normal(State* state, float mean, float deviation) { \
    if (state->boxmuller_flag == 2) { state->boxmuller_flag = 0; return expf(mean + deviation * state->boxmuller_extra); } \
    float2 pair = curand_normal2(state); \
    state->boxmuller_extra = pair.y; \
    state->boxmuller_flag = 2; \
    return expf(mean + deviation * pair.x); \
  } \
  __LANEWISE_BOTH double curand_log_normal_double(State* state, double mean, double deviation) { \
    if (state->boxmuller_flag_double == 2) { state->boxmuller_flag_double = 0; return exp(mean + deviation * state->boxmuller_extra_double); } \
    double2 pair = curand_normal2_double(state); \
    state->boxmuller_extra_double = pair.y; \
    state->boxmuller_flag_double = 2; \
    return exp(mean + deviation * pair.x); \
  }
__LANEWISE_CURAND_NORMALS(curandStateXORWOW_t)
__LANEWISE_CURAND_NORMALS(curandStatePhilox4_32_10_t)
__LANEWISE_CURAND_NORMALS(curandStateMRG32k3a_t)
#undef __LANEWISE_CURAND_NORMALS
