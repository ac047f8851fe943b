/**
 * Loops that NVVM unrolls by four and ptxas again: a warp executes the most sixteens that a lane needs, eight if any lane has eight or twelve
 * rounds left then, four if any has four or twelve. Which loops these are is read from machine code of nvcc 13.0.
 */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../protocol/report.ts';
import { textReport } from '../runtime/simulation.ts';

/** Lane i needs `i / 4` times four rounds: up to 28. */
const RANGE = 'int j = ends[threadIdx.x]; j < ends[threadIdx.x + 1]; j++';
const SUM = (add: string, before = '') =>
  `(const float* a, const int* ends, float* out, int n) { float s = 0; ${before}for (${RANGE}) { ${add} } out[threadIdx.x] = s; }`;
const PROGRAM = `#include <cstdio>
__global__ void sum${SUM('s += a[j];')}
__global__ void gathered${SUM('s += a[(int)a[j + n]];')}
__global__ void asked${SUM('s += a[j];', '_Pragma("unroll 4") ')}
__global__ void large${SUM('float x = a[j]; x = x * x + 2; x = x * x + 3; x = x * x + 4; x = x * x + 5; x = x * x + 6; x = x * x + 7; x = x * x + 8; x = x * x + 9; x = x * x + 1; x = x * x + n; s += x;')}
__global__ void slow${SUM('s += sqrtf(a[j]);')}
__global__ void odd(const float* a, float* out) { float s = 0; for (int j = 0; j < threadIdx.x; j++) s += a[j] * a[j + 32]; out[threadIdx.x] = s; }
__global__ void alike(const float* a, float* out, int n) { float s = 0; for (int j = 0; j < n; j++) s += a[j]; out[threadIdx.x] = s; }
__global__ void strided(const float* a, float* out, int n) { float s = 0; for (int j = threadIdx.x; j < n; j += 32) s += a[j]; out[threadIdx.x] = s; }
__global__ void backwards(const float* a, float* out, int n) { float s = 0; for (int j = n - 1 - threadIdx.x; j >= 0; j -= 32) s += a[j]; out[threadIdx.x] = s; }
__global__ void unsignedly(const float* a, float* out, unsigned n) { float s = 0; for (unsigned j = threadIdx.x; j < n; j += 32) s += a[j]; out[threadIdx.x] = s; }
__global__ void toTheEnd(const float* a, float* out, int last) { float s = 0; for (int j = threadIdx.x; j <= last; j += 32) s += a[j]; out[threadIdx.x] = s; }
__global__ void scaled(const float* a, float* out, int n) { float scale = a[5], s = 0; for (int j = threadIdx.x; j < n; j += 32) s += a[j] * scale; out[threadIdx.x] = s; }
__global__ void added(const float* a, float* out, int n) { for (int j = threadIdx.x; j < n; j += 32) atomicAdd(out + (int)a[j], 1.0f); }
__global__ void exchanged(const float* a, float* out, unsigned n) { float s = 0; for (unsigned j = threadIdx.x; j < n; j += 32) s += __shfl_xor_sync(__activemask(), a[j], 1); out[threadIdx.x] = s; }
__global__ void few(const float* a, float* out) { float s = 0; for (int j = threadIdx.x; j < 34; j += 32) s += a[j]; out[threadIdx.x] = s; }
__global__ void copied(const float* a, float* out, unsigned n) { for (unsigned j = threadIdx.x; j < n; j += 32) out[j] = a[j]; }
int main() {
  float *a, *out, host[32]; int *ends, counts[33] = {};
  cudaMallocManaged(&a, 4096 * 4); cudaMalloc(&out, 1024); cudaMallocManaged(&ends, 33 * 4);
  for (int i = 0; i < 32; i++) counts[i + 1] = counts[i] + i / 4 * 4;
  for (int i = 0; i < 33; i++) ends[i] = counts[i];
  for (int i = 0; i < 4096; i++) a[i] = i % 7;
  auto show = [&] { cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost); float s = 0; for (int i = 0; i < 32; i++) s += host[i] * (i + 1); printf("%g\\n", s); };
  sum<<<1, 32>>>(a, ends, out, 0), show(), gathered<<<1, 32>>>(a, ends, out, 1), show(), asked<<<1, 32>>>(a, ends, out, 0), show();
  large<<<1, 32>>>(a, ends, out, 0), slow<<<1, 32>>>(a, ends, out, 0), odd<<<1, 32>>>(a, out), show(), alike<<<1, 32>>>(a, out, 28), show();
  strided<<<1, 32>>>(a, out, 240), show(), backwards<<<1, 32>>>(a, out, 240), show(), unsignedly<<<1, 32>>>(a, out, 240), show();
  toTheEnd<<<1, 32>>>(a, out, 239), show(), scaled<<<1, 32>>>(a, out, 240), show(), added<<<1, 32>>>(a, out, 240), show(), exchanged<<<1, 32>>>(a, out, 240), show(), copied<<<1, 32>>>(a, out, 240), show(), few<<<1, 32>>>(a, out), show();
}
`;

const loads = ({ kernels }: Report) =>
  Object.fromEntries(
    kernels.map(({ kernel, metrics }) => [kernel.replace(/\(.*/, ''), metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']]),
  );

describe.each(['interpreter', 'compiler'] as const)('loops unrolled twice, by the %s', (engine) => {
  it('execute what the lanes need in sixteens, eights and fours', async () => {
    const report = await textReport(PROGRAM, { engine });
    expect(loads(report)).toEqual({
      // Two of the range, 16 rounds, 8 and 4.
      sum: 2 + 16 + 8 + 4,
      gathered: 2 + 2 * (16 + 8 + 4),
      asked: 2 + 28,
      large: 2 + 28,
      slow: 2 + 28,
      // Up to three rounds for the remainder, whichever comes first.
      odd: 2 * (16 + 8 + 4 + 3),
      alike: 28,
      // Eight rounds of 16 lanes, seven of the others: three for the remainder, eight, four.
      strided: 3 + 8 + 4,
      backwards: 3 + 8 + 4,
      // Left by NVVM: four, four, two and one.
      unsignedly: 4 + 4 + 2 + 1,
      toTheEnd: 4 + 4 + 2 + 1,
      scaled: 1 + 3 + 8 + 4,
      // Atomics and exchanges are not copied, nor what reads and writes at an index of 32 bits.
      added: 3 + 8,
      exchanged: 8,
      copied: 8,
      // One round, and a second one of two lanes.
      few: 2,
    });
  });
});
