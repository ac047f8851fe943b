/*
 * cuRAND's functions for the host. Numbers come in the order in which cuRAND's generators give them (measured with those that it runs on
 * the host); they are made by host code and copied, so no launch counts them. XORWOW, MRG32k3a, Philox4x32-10, MTGP32 and MT19937,
 * orderings default, best, dynamic and legacy (a GPU may have another order of its own for the dynamic one), and Sobol's sequences of 32 and
 * 64 bits in 257 dimensions. Left out: scrambled Sobol, the seeded ordering.
 */
#ifndef CURAND_H_
#define CURAND_H_
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include "lanewise/curand-generators.h"
#include "lanewise/curand-mt19937.h"
#include "lanewise/curand-mtgp32.h"
#include "lanewise/curand-poisson.h"
#include "lanewise/curand-sobol.h"
#include <cmath>
#include <vector>

#define CURAND_VERSION 10400
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 4
#define CURAND_VER_PATCH 0
#define CURAND_VER_BUILD 0

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef struct curandGenerator_st {
  curandRngType_t type;
  bool onHost;
  unsigned long long seed, offset;
  /* Sequences that take turns; Philox4x32-10 gives four numbers at each, MTGP32 256. */
  unsigned int sequences;
  cudaStream_t stream;
  /* Numbers given so far: with XORWOW and MRG32k3a turns. */
  unsigned long long position;
  std::vector<curandStateXORWOW_t> xorwow;
  std::vector<curandStateMRG32k3a_t> mrg;
  __lanewise::Mtgp32 mtgp;
  __lanewise::Mt19937 twister;
  /* A Mersenne Twister's sequence starts when it is first used. */
  bool started = false;
  unsigned int dimensions = 1;
}* curandGenerator_t;

extern "C" void __lanewise_library(const char* name);

namespace __lanewise {

template <class State> struct Sequences;
template <> struct Sequences<curandStateXORWOW_t> {
  static std::vector<curandStateXORWOW_t>& of(curandGenerator_t g) { return g->xorwow; }
  static void next(curandStateXORWOW_t* state) { skipahead_sequence(1, state); }
};
template <> struct Sequences<curandStateMRG32k3a_t> {
  static std::vector<curandStateMRG32k3a_t>& of(curandGenerator_t g) { return g->mrg; }
  static void next(curandStateMRG32k3a_t* state) { skipahead_subsequence(1, state); }
};

/* The state whose turn it is. */
template <class State> State* turn(curandGenerator_t g) {
  std::vector<State>& states = Sequences<State>::of(g);
  if (states.empty()) {
    State state;
    curand_init(g->seed, 0, 0, &state);
    states.reserve(g->sequences);
    for (unsigned int k = 0; k < g->sequences; ++k) {
      states.push_back(state);
      Sequences<State>::next(&state);
    }
    /* The offset counts numbers of all sequences together. */
    for (unsigned long long k = 0; g->offset && k < g->sequences; ++k) {
      skipahead(g->offset / g->sequences + (k < g->offset % g->sequences), &states[k]);
    }
    g->position = g->offset;
  }
  return &states[g->position++ % g->sequences];
}

inline double2 both(double a, double b) { return double2{a, b}; }

/* What one turn gives: `one` for numbers that come alone, `two` for those that come in pairs. */
template <class State, class T> void fillTurns(curandGenerator_t g, T* out, size_t n, int kind) {
  if (kind == 2) {
    for (size_t k = 0; k + 1 < n; k += 2) {
      if constexpr (sizeof(T) == 8) { double2 pair = curand_normal2_double(turn<State>(g)); out[k] = pair.x; out[k + 1] = pair.y; }
      else { float2 pair = curand_normal2(turn<State>(g)); out[k] = (T)pair.x; out[k + 1] = (T)pair.y; }
    }
    return;
  }
  for (size_t k = 0; k < n; ++k) {
    State* state = turn<State>(g);
    if constexpr (std::is_integral<T>::value) out[k] = curand(state);
    else if constexpr (sizeof(T) == 8) out[k] = curand_uniform_double(state);
    else out[k] = curand_uniform(state);
  }
}

/* Philox4x32-10 computes each number from its place. Doubles take two words each, from the row on in which the call starts. */
template <class T> void fillPhilox(curandGenerator_t g, T* out, size_t n, int kind, unsigned long long firstRow) {
  constexpr unsigned int words = sizeof(T) / 4;
  size_t k = 0;
  while (k < n) {
    unsigned long long p = g->position + g->offset, quad = p / 4, row = quad / 65536;
    uint4 block[2];
    for (unsigned int w = 0; w < words; ++w) {
      unsigned long long count = firstRow + (row - firstRow) * words + w, sequence = quad % 65536;
      uint4 counter = {(unsigned int)count, (unsigned int)(count >> 32), (unsigned int)sequence, 0};
      block[w] = philox(counter, uint2{(unsigned int)g->seed, (unsigned int)(g->seed >> 32)});
    }
    T values[4];
    if constexpr (std::is_integral<T>::value) {
      values[0] = block[0].x; values[1] = block[0].y; values[2] = block[0].z; values[3] = block[0].w;
    } else if constexpr (words == 2) {
      for (unsigned int w = 0; w < 2; ++w) {
        double2 pair = kind == 2 ? normals(block[w]) : both(fineUniform(block[w].x, block[w].y), fineUniform(block[w].z, block[w].w));
        values[2 * w] = pair.x;
        values[2 * w + 1] = pair.y;
      }
    } else if (kind == 2) {
      float2 a = normals(block[0].x, block[0].y), b = normals(block[0].z, block[0].w);
      values[0] = a.x; values[1] = a.y; values[2] = b.x; values[3] = b.y;
    } else {
      values[0] = uniform(block[0].x); values[1] = uniform(block[0].y); values[2] = uniform(block[0].z); values[3] = uniform(block[0].w);
    }
    for (unsigned int place = p % 4; place < 4 && k < n; ++place, ++g->position) out[k++] = values[place];
  }
}

inline bool isTwister(curandGenerator_t g) { return g->type == CURAND_RNG_PSEUDO_MTGP32 || g->type == CURAND_RNG_PSEUDO_MT19937; }

/* Mersenne Twisters give a number of any kind for a word. */
template <class Twister, class T> void fillTwister(curandGenerator_t g, Twister* twister, T* out, size_t n, int kind) {
  for (size_t k = 0; k < n; ++k) {
    unsigned int x = twister->next();
    if constexpr (std::is_integral<T>::value) out[k] = x;
    else if (kind == 2) out[k] = sizeof(T) == 4 ? inverseNormal(x) : fineInverseNormal(x);
    else if (g->type == CURAND_RNG_PSEUDO_MT19937) out[k] = (T)((x + 0.5) * CURAND_2POW32_INV_DOUBLE);
    else out[k] = sizeof(T) == 4 ? uniform(x) : coarseUniform(x);
  }
}

inline bool isSobol(curandGenerator_t g) { return g->type == CURAND_RNG_QUASI_SOBOL32 || g->type == CURAND_RNG_QUASI_SOBOL64; }

template <class T, class State> T sobolNumber(State* state, int kind) {
  if constexpr (std::is_integral<T>::value) return (T)curand(state);
  else if constexpr (sizeof(T) == 8) return kind == 1 ? curand_uniform_double(state) : curand_normal_double(state);
  else return kind == 1 ? curand_uniform(state) : curand_normal(state);
}
/* All numbers of the first dimension, then those of the next. */
template <class State, class T> void fillSobol(curandGenerator_t g, T* out, size_t n, int kind) {
  size_t points = n / g->dimensions;
  for (unsigned int d = 0; d < g->dimensions; ++d) {
    State state;
    if constexpr (sizeof(state.x) == 4) curand_init(sobolVectors<unsigned int, 32>()[d], (unsigned int)(g->offset + g->position), &state);
    else curand_init(sobolVectors<unsigned long long, 64>()[d], g->offset + g->position, &state);
    for (size_t k = 0; k < points; ++k) out[d * points + k] = sobolNumber<T>(&state, kind);
  }
  g->position += points;
}

template <class T> curandStatus_t deliver(curandGenerator_t g, const std::vector<T>& values, T* out) {
  if (g->onHost) std::copy(values.begin(), values.end(), out);
  else if (!values.empty() && cudaMemcpyAsync(out, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, g->stream) != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
  return CURAND_STATUS_SUCCESS;
}

inline void start(curandGenerator_t g) {
  if (g->started) return;
  if (g->type == CURAND_RNG_PSEUDO_MTGP32) g->mtgp.restart(g->seed, g->sequences);
  else if (g->type == CURAND_RNG_PSEUDO_MT19937) g->twister.restart(g->seed);
  g->started = true;
}

/* kind 1: integers or uniform numbers, 2: normal ones, 3: log-normal ones. */
template <class T> curandStatus_t generate(curandGenerator_t g, T* out, size_t n, int kind, double mean = 0, double deviation = 1) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (isSobol(g)) {
    if (n % g->dimensions) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (std::is_integral<T>::value && sizeof(T) != (g->type == CURAND_RNG_QUASI_SOBOL64 ? 8 : 4)) return CURAND_STATUS_TYPE_ERROR;
    std::vector<T> values(n);
    if (g->type == CURAND_RNG_QUASI_SOBOL64) fillSobol<curandStateSobol64_t>(g, values.data(), n, kind);
    else fillSobol<curandStateSobol32_t>(g, values.data(), n, kind);
    if (kind > 1) for (T& value : values) { value = (T)deviation * value + (T)mean; if (kind == 3) value = (T)std::exp(value); }
    return deliver(g, values, out);
  }
  if (sizeof(T) == 8 && std::is_integral<T>::value) return CURAND_STATUS_TYPE_ERROR;
  start(g);
  bool philoxes = g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
  if (kind > 1 && n % 2 && !philoxes && !isTwister(g)) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  constexpr size_t most = 1 << 16;
  unsigned long long firstRow = (g->position + g->offset) / (4 * 65536);
  std::vector<T> buffer(g->onHost ? 0 : (n < most ? n : most));
  for (size_t done = 0; done < n;) {
    size_t count = g->onHost ? n : (n - done < most ? n - done : most);
    T* to = g->onHost ? out : buffer.data();
    if (philoxes) fillPhilox(g, to, count, kind == 1 ? 1 : 2, firstRow);
    else if (g->type == CURAND_RNG_PSEUDO_MTGP32) fillTwister(g, &g->mtgp, to, count, kind == 1 ? 1 : 2);
    else if (g->type == CURAND_RNG_PSEUDO_MT19937) fillTwister(g, &g->twister, to, count, kind == 1 ? 1 : 2);
    else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) fillTurns<curandStateMRG32k3a_t>(g, to, count, kind == 1 ? 1 : 2);
    else fillTurns<curandStateXORWOW_t>(g, to, count, kind == 1 ? 1 : 2);
    if (kind > 1) for (size_t k = 0; k < count; ++k) {
      T value = (T)deviation * to[k] + (T)mean;
      to[k] = kind == 3 ? (T)std::exp(value) : value;
    }
    if (!g->onHost && cudaMemcpyAsync(out + done, to, count * sizeof(T), cudaMemcpyHostToDevice, g->stream) != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
    done += count;
  }
  return CURAND_STATUS_SUCCESS;
}

template <class T> void fill(curandGenerator_t g, std::vector<T>* values, int kind) {
  start(g);
  T* out = values->data();
  size_t n = values->size();
  switch (g->type) {
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: return fillPhilox(g, out, n, kind, (g->position + g->offset) / (4 * 65536));
    case CURAND_RNG_PSEUDO_MTGP32: return fillTwister(g, &g->mtgp, out, n, kind);
    case CURAND_RNG_PSEUDO_MT19937: return fillTwister(g, &g->twister, out, n, kind);
    case CURAND_RNG_PSEUDO_MRG32K3A: return fillTurns<curandStateMRG32k3a_t>(g, out, n, kind);
    case CURAND_RNG_QUASI_SOBOL32: return fillSobol<curandStateSobol32_t>(g, out, n, kind);
    case CURAND_RNG_QUASI_SOBOL64: return fillSobol<curandStateSobol64_t>(g, out, n, kind);
    default: return fillTurns<curandStateXORWOW_t>(g, out, n, kind);
  }
}
/* One normal number of each turn: the second one that comes with it waits in the state. */
template <class State> void fillNormals(curandGenerator_t g, std::vector<float>* values) {
  for (float& value : *values) value = curand_normal(turn<State>(g));
}

/* The mean from which a generator's Poisson numbers are searched for. Others have a table below 2000, and normal numbers from there on. */
inline double leastSearched(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_QUASI_SOBOL64: return 0;
    case CURAND_RNG_QUASI_SOBOL32: return 10;
    case CURAND_RNG_PSEUDO_MTGP32: return 32;
    default: return INFINITY;
  }
}
inline void poissonNumbers(curandGenerator_t g, double lambda, std::vector<unsigned int>* numbers) {
  size_t n = numbers->size();
  bool fine = g->type == CURAND_RNG_QUASI_SOBOL64, searched = lambda >= leastSearched(g->type) && !(fine && lambda >= 2000);
  std::vector<double> values(n);
  if (lambda >= 2000 && !searched) {
    std::vector<float> normals(n);
    if (g->type == CURAND_RNG_PSEUDO_XORWOW) fillNormals<curandStateXORWOW_t>(g, &normals);
    else if (g->type == CURAND_RNG_PSEUDO_MRG32K3A) fillNormals<curandStateMRG32k3a_t>(g, &normals);
    else fill(g, &normals, 2);
    for (size_t k = 0; k < n; ++k) {
      if (g->type == CURAND_RNG_PSEUDO_MT19937) (*numbers)[k] = (unsigned int)((float)std::sqrt(lambda) * normals[k] + (float)lambda + 0.5f);
      else (*numbers)[k] = (unsigned int)(std::sqrt(lambda) * normals[k] + lambda + 0.5);
    }
    return;
  }
  if (fine) {
    std::vector<unsigned long long> words(n);
    fill(g, &words, 1);
    for (size_t k = 0; k < n; ++k) values[k] = (words[k] >> 11) * CURAND_2POW53_INV_DOUBLE + CURAND_2POW53_INV_DOUBLE / 2;
  } else {
    fill(g, numbers, 1);
    for (size_t k = 0; k < n; ++k) values[k] = searched ? coarseUniform((*numbers)[k]) : ((*numbers)[k] + 0.5) * CURAND_2POW32_INV_DOUBLE;
  }
  PoissonTable table(lambda, searched);
  for (size_t k = 0; k < n; ++k) (*numbers)[k] = table.number(values[k]);
}

inline unsigned int sequencesOf(curandRngType_t type, bool legacy) {
  if (type == CURAND_RNG_PSEUDO_MTGP32) return legacy ? 64 : 192;
  return type == CURAND_RNG_PSEUDO_MRG32K3A && !legacy ? 81920 : 4096;
}
inline curandStatus_t create(curandGenerator_t* g, curandRngType_t type, bool onHost) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) type = CURAND_RNG_PSEUDO_XORWOW;
  if (type == CURAND_RNG_QUASI_DEFAULT) type = CURAND_RNG_QUASI_SOBOL32;
  switch (type) {
    case CURAND_RNG_PSEUDO_XORWOW: case CURAND_RNG_PSEUDO_MRG32K3A: case CURAND_RNG_PSEUDO_PHILOX4_32_10: case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937: case CURAND_RNG_QUASI_SOBOL32: case CURAND_RNG_QUASI_SOBOL64: break;
    default:
      fprintf(stderr, "cuRAND in the simulator does not have generator number %d; scrambled Sobol sequences are left out\n", (int)type);
      return CURAND_STATUS_TYPE_ERROR;
  }
  __lanewise_library("cuRAND");
  *g = new curandGenerator_st{type, onHost, 0, 0, __lanewise::sequencesOf(type, false), nullptr, 0, {}, {}};
  return CURAND_STATUS_SUCCESS;
}
inline void restart(curandGenerator_t g) {
  g->position = 0;
  g->started = false;
  g->xorwow.clear();
  g->mrg.clear();
}

}  // namespace __lanewise

inline curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) { return __lanewise::create(g, type, false); }
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) { return __lanewise::create(g, type, true); }
inline curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  delete g;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) { *version = CURAND_VERSION; return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (__lanewise::isSobol(g)) return CURAND_STATUS_TYPE_ERROR;
  g->seed = seed;
  __lanewise::restart(g);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (__lanewise::isTwister(g)) return CURAND_STATUS_TYPE_ERROR;
  g->offset = offset;
  __lanewise::restart(g);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (__lanewise::isSobol(g)) return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
  if (order == CURAND_ORDERING_PSEUDO_SEEDED && !__lanewise::isTwister(g)) {
    fprintf(stderr, "cuRAND in the simulator does not have CURAND_ORDERING_PSEUDO_SEEDED\n");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  if (order < CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_SEEDED || order > CURAND_ORDERING_PSEUDO_DYNAMIC) return CURAND_STATUS_OUT_OF_RANGE;
  if (g->type == CURAND_RNG_PSEUDO_MT19937 && order == CURAND_ORDERING_PSEUDO_DYNAMIC) return CURAND_STATUS_OUT_OF_RANGE;
  g->sequences = __lanewise::sequencesOf(g->type, order == CURAND_ORDERING_PSEUDO_LEGACY);
  __lanewise::restart(g);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned int dimensions) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (!__lanewise::isSobol(g)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > __lanewise::curandDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  if (dimensions > __lanewise::sobolDimensions) {
    fprintf(stderr, "cuRAND in the simulator has Sobol's sequences in %u dimensions, not in %u\n", __lanewise::sobolDimensions, dimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  g->dimensions = dimensions;
  __lanewise::restart(g);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[], curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) {
    fprintf(stderr, "cuRAND in the simulator has Sobol's direction vectors as Joe and Kuo give them, not scrambled\n");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  *vectors = __lanewise::sobolVectors<unsigned int, 32>();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[], curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) {
    fprintf(stderr, "cuRAND in the simulator has Sobol's direction vectors as Joe and Kuo give them, not scrambled\n");
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  *vectors = __lanewise::sobolVectors<unsigned long long, 64>();
  return CURAND_STATUS_SUCCESS;
}
/* Nothing to prepare: the sequences start when they are first used. */
inline curandStatus_t curandGenerateSeeds(curandGenerator_t g) { return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED; }
inline curandStatus_t curandGenerate(curandGenerator_t g, unsigned int* out, size_t n) { return __lanewise::generate(g, out, n, 1); }
inline curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long* out, size_t n) { return __lanewise::generate(g, out, n, 1); }
inline curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t n) { return __lanewise::generate(g, out, n, 1); }
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t n) { return __lanewise::generate(g, out, n, 1); }
inline curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) { return __lanewise::generate(g, out, n, 2, mean, deviation); }
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t n, double mean, double deviation) { return __lanewise::generate(g, out, n, 2, mean, deviation); }
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) { return __lanewise::generate(g, out, n, 3, mean, deviation); }
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* out, size_t n, double mean, double deviation) { return __lanewise::generate(g, out, n, 3, mean, deviation); }
inline curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned int* out, size_t n, double lambda) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  if (__lanewise::isSobol(g) && n % g->dimensions) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  std::vector<unsigned int> numbers(n);
  __lanewise::poissonNumbers(g, lambda, &numbers);
  return __lanewise::deliver(g, numbers, out);
}
#endif
#endif
