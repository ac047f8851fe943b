/** Accesses through casts are as wide as nvcc's (13.0, machine code of sm_90): what each kernel asks of shared and global memory by it. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cuda_runtime.h>
#include <cstring>
__global__ void numbers(float* out, const float* in) {
  __shared__ char bytes[256];
  ((float*)bytes)[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = ((float*)bytes)[threadIdx.x ^ 1] + *(float*)&bytes[4 * threadIdx.x];
}
__global__ void dynamic(float* out, const float* in) {
  extern __shared__ unsigned char parts[];
  ((float*)parts)[threadIdx.x] = in[threadIdx.x];
  *(int*)(parts + 128 + 4 * threadIdx.x) = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = ((float*)parts)[threadIdx.x ^ 1] + ((int*)(parts + 128))[threadIdx.x ^ 2];
}
__global__ void vectors(float4* out, const float4* in) {
  __shared__ char bytes[512];
  ((float4*)bytes)[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  float4 mine = *(float4*)&bytes[16 * (threadIdx.x ^ 1)];
  out[threadIdx.x] = mine;
}
__global__ void pairs(int2* out, const int* in) {
  __shared__ int words[64];
  *(int2*)&words[2 * threadIdx.x] = *(const int2*)&in[2 * threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = *(int2*)&words[2 * (threadIdx.x ^ 1)];
}
__global__ void halves(short* out, const char* in) {
  __shared__ char bytes[64];
  bytes[threadIdx.x] = in[threadIdx.x];
  bytes[threadIdx.x + 32] = in[threadIdx.x + 32];
  __syncthreads();
  out[threadIdx.x] = *(short*)&bytes[2 * threadIdx.x];
}
struct __attribute__((packed)) Packed { char tag; float value; };
__global__ void packed(float* out, const float* in) {
  __shared__ Packed all[32];
  all[threadIdx.x].value = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = all[threadIdx.x ^ 1].value;
}
#pragma pack(push, 1)
struct Triple { float x, y, z; };
#pragma pack(pop)
__global__ void tight(float* out, const float* in) {
  __shared__ Triple all[32];
  all[threadIdx.x].y = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = all[threadIdx.x ^ 1].y;
}
__global__ void copied(float* out, const float* in) {
  __shared__ char bytes[128];
  memcpy(bytes + 4 * threadIdx.x, in + threadIdx.x, 4);
  __syncthreads();
  float value;
  memcpy(&value, bytes + 4 * (threadIdx.x ^ 1), 4);
  out[threadIdx.x] = value;
}
__global__ void known(unsigned* out, const float* in) {
  float value = in[threadIdx.x];
  unsigned bits;
  memcpy(&bits, &value, 4);
  out[threadIdx.x] = bits;
}
__global__ void own(float* out, const float* in) {
  char bytes[64];
  for (int i = 0; i < 16; i++) ((float*)bytes)[i] = in[i * 32 + threadIdx.x];
  out[threadIdx.x] = ((float*)bytes)[(int)in[0] & 15];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  float host[1024];
  for (int i = 0; i < 1024; i++) host[i] = i;
  cudaMemcpy(in, host, 4096, cudaMemcpyHostToDevice);
  numbers<<<1, 32>>>(out, in);
  dynamic<<<1, 32, 256>>>(out, in);
  vectors<<<1, 32>>>((float4*)out, (float4*)in);
  pairs<<<1, 32>>>((int2*)out, (int*)in);
  halves<<<1, 32>>>((short*)out, (char*)in);
  packed<<<1, 32>>>(out, in);
  tight<<<1, 32>>>(out, in);
  copied<<<1, 32>>>(out, in);
  known<<<1, 32>>>((unsigned*)out, in);
  own<<<1, 32>>>(out, in);
  cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
  return host[5] != 5;
}`;

it.each(['compiler', 'interpreter'] as const)('accesses are as wide as their casts say, %s', { timeout: 120_000 }, async (engine) => {
  const { kernels, faults, exit } = await textReport(PROGRAM, { engine });
  expect(faults).toEqual([]);
  expect(exit).toBe(0);
  const counted = Object.fromEntries(
    kernels.map(({ kernel, metrics }) => [
      kernel.replace(/\(.*/, ''),
      [
        ...['ld', 'st'].map((op) => metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`]),
        ...['ld', 'st'].map((op) => metrics[`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_${op}.sum`]),
      ],
    ]),
  );
  // Requests of loads and stores, wavefronts of shared loads and stores.
  expect(counted).toEqual({
    numbers: [1, 1, 2, 1],
    dynamic: [1, 1, 2, 2],
    vectors: [1, 1, 4, 4],
    pairs: [1, 1, 2, 2],
    halves: [2, 1, 1, 2],
    // Words of five bytes: four accesses of a byte each.
    packed: [1, 1, 8, 8],
    tight: [1, 1, 4, 4],
    copied: [4, 1, 4, 4],
    known: [1, 1, 0, 0],
    own: [17, 1, 0, 0],
  });
});
