/** Device printf of kernels that print more than the buffer between device and host holds. */
import { describe, expect, it } from 'vitest';
import { ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { startSimulation } from '../../simulator/simulate.ts';
import { fixture, request, textReport } from './simulation.ts';

const COUNTING = `#include <cstdio>
__global__ void count(int lines) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lines) printf("%d\\n", i);
}
int main() {
  printf("before ");
  count<<<(LINES + 255) / 256, 256>>>(LINES);
  printf("launched\\n");
  cudaDeviceSynchronize();
  printf("end\\n");
}`;

const counted = (from: number, end: number) => Array.from({ length: end - from }, (_, k) => `${from + k}\n`).join('');

describe('output of one kernel', () => {
  it('waits for the synchronisation while the buffer holds it', async () => {
    const { stdout } = await textReport(COUNTING, { defines: ['LINES=2000'] });
    expect(stdout).toBe(`before launched\n${counted(0, 2000)}end\n`);
  });

  it.each(ENGINE_NAMES)('is whole where the buffer does not hold it (%s)', async (engine) => {
    const { stdout } = await textReport(COUNTING, { defines: ['LINES=36000'], engine });
    const [early, late] = stdout.split('launched\n');
    expect(early.startsWith('before 0\n1\n')).toBe(true);
    const shown = early.trimEnd().split('\n').length;
    expect(shown).toBeGreaterThan(33_000);
    expect(shown).toBeLessThan(36_000);
    expect(`${early}${late}`).toBe(`before ${counted(0, 36_000)}end\n`);
  });

  it('is shown while the kernel runs', async () => {
    const text = `#include <cstdio>
      __global__ void report(volatile int* flag) {
        for (int i = 0; i < 40000; i++) printf("%d\\n", i);
        while (*flag == 0) {}
      }
      int main() {
        int* flag;
        cudaMalloc(&flag, 4);
        cudaMemset(flag, 0, 4);
        report<<<1, 1>>>(flag);
        cudaDeviceSynchronize();
      }`;
    let stdout = '';
    const simulation = startSimulation(request(fixture('from-text.cu'), { text }), {
      stdout: (bytes) => {
        stdout += new TextDecoder().decode(bytes);
        if (stdout.includes('33000\n')) simulation.cancel();
      },
    });
    expect(await simulation.result).toMatchObject({ kind: 'cancelled' });
    expect(stdout.startsWith('0\n1\n2\n')).toBe(true);
  });

  it('comes once, although the launch began again because its lanes wait for each other', async () => {
    const text = `#include <cstdio>
      __global__ void handOver(int* flag) {
        for (int i = 0; i < 1500; i++) if (threadIdx.x == 0) printf("%d\\n", i);
        if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) {}
        else if (threadIdx.x == 1) { printf("raised\\n"); atomicExch(flag, 1); }
      }
      int main() {
        int* flag;
        cudaMalloc(&flag, 4);
        cudaMemset(flag, 0, 4);
        handOver<<<1, 32>>>(flag);
        printf("%d\\n", cudaDeviceSynchronize());
      }`;
    for (const engine of ENGINE_NAMES) {
      const { stdout } = await textReport(text, { engine });
      expect(stdout).toBe(`${counted(0, 1500)}raised\n0\n`);
    }
  });
});

it('the buffer has a size, which a program may set before it launches a kernel that prints', async () => {
  const { stdout } = await textReport(`#include <cstdio>
    __global__ void silent() {}
    __global__ void loud() { if (blockIdx.x > 5) printf("never\\n"); }
    size_t size() {
      size_t bytes = 0;
      cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize);
      return bytes;
    }
    int main() {
      printf("%zu\\n", size());
      silent<<<1, 1>>>();
      printf("%d %zu\\n", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1), size());
      printf("%d %zu\\n", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20), size());
      loud<<<1, 1>>>();
      cudaDeviceSynchronize();
      printf("%d %zu\\n", cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20), size());
    }`);
  expect(stdout).toBe('8650752\n0 524288\n0 67108864\n1 67108864\n');
});
