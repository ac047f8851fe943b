/*
 * cuRAND's generator MTGP32 in kernels. A call is one step of a block: each of its threads, at most 256, takes the number at its own place,
 * and the state moves on by as many. All threads of the block make it together.
 */
#ifndef CURAND_MTGP32_KERNEL_H
#define CURAND_MTGP32_KERNEL_H
#pragma GCC system_header
#include "cuda_runtime.h"
#include "curand_mtgp32.h"
#include "lanewise/curand-distributions.h"
#include "lanewise/curand-mtgp32.h"

namespace __lanewise {

/* From 1 to 2, by the bits. cuRAND stores the word at its place, not behind the sequence's words. */
__LANEWISE_DEVICE float mtgpSingle(curandStateMtgp32_t* state, unsigned int place) {
  MtgpWord next = mtgpWord(state, place);
  state->s[place] = next.word;
  return __uint_as_float((next.word >> 9) ^ state->k->single_temper_tbl[state->pIdx][next.row]);
}

/* Once all threads have their number, `mover` moves the state on. */
__LANEWISE_DEVICE void mtgpStep(curandStateMtgp32_t* state, bool mover, unsigned int count) {
  __syncthreads();
  if (mover) mtgpMove(state, count);
  __syncthreads();
}

}  // namespace __lanewise

__LANEWISE_DEVICE unsigned int curand(curandStateMtgp32_t* state) {
  /* In blocks of depth, cuRAND counts with the wrong extents; its numbers follow from that. */
  unsigned int place = blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
  unsigned int number = __lanewise::mtgpNumber(state, place);
  __lanewise::mtgpStep(state, place == 0, blockDim.x * blockDim.y * blockDim.z);
  return number;
}
__LANEWISE_DEVICE unsigned int curand_mtgp32_specific(curandStateMtgp32_t* state, unsigned char index, unsigned char n) {
  unsigned int number = __lanewise::mtgpNumber(state, index);
  __lanewise::mtgpStep(state, index == 0, n);
  return number;
}
__LANEWISE_DEVICE float curand_mtgp32_single(curandStateMtgp32_t* state) {
  float number = __lanewise::mtgpSingle(state, blockDim.z * blockDim.y + threadIdx.x);
  __lanewise::mtgpStep(state, threadIdx.x == 0, blockDim.x * blockDim.y * blockDim.z);
  return number;
}
__LANEWISE_DEVICE float curand_mtgp32_single_specific(curandStateMtgp32_t* state, unsigned char index, unsigned char n) {
  float number = __lanewise::mtgpSingle(state, index);
  __lanewise::mtgpStep(state, threadIdx.x == 0, n);
  return number;
}

__LANEWISE_DEVICE float curand_uniform(curandStateMtgp32_t* state) { return __lanewise::uniform(curand(state)); }
__LANEWISE_DEVICE double curand_uniform_double(curandStateMtgp32_t* state) { return __lanewise::coarseUniform(curand(state)); }
__LANEWISE_DEVICE float curand_normal(curandStateMtgp32_t* state) { return __lanewise::inverseNormal(curand(state)); }
__LANEWISE_DEVICE double curand_normal_double(curandStateMtgp32_t* state) { return __lanewise::fineInverseNormal(curand(state)); }
__LANEWISE_DEVICE float curand_log_normal(curandStateMtgp32_t* state, float mean, float deviation) { return expf(mean + deviation * curand_normal(state)); }
__LANEWISE_DEVICE double curand_log_normal_double(curandStateMtgp32_t* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
__LANEWISE_DEVICE unsigned int curand_poisson(curandStateMtgp32_t* state, double lambda) { return __lanewise::inversePoisson(curand(state), lambda); }

#endif
