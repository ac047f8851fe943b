/** Estimated times of kernels whose warps wait for each other: for the longest one, at barriers, for locks and for what was launched. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, textReport } from './simulation.ts';

const path = join(repository, 'test/fixtures/hardware/h200-waits.json');
const waits = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<'locks' | 'barriers', Readonly<Record<string, number>>>>;

function near(ours: number, theirs: number): void {
  expect(ours / theirs).toBeGreaterThan(0.75);
  expect(ours / theirs).toBeLessThan(1.25);
}

async function timesOf(text: string): Promise<readonly number[]> {
  const { kernels, faults } = await textReport(text);
  expect(faults).toEqual([]);
  return kernels.map(({ estimate }) => estimate!.ns);
}

describe('the estimated time of a kernel', () => {
  it('has a test for each way out of a loop, and one branch for many rounds where their number is known', async () => {
    const kernel = (name: string, unroll: string) => `
      __global__ void ${name}(float *out) {
        float x = threadIdx.x * 1e-6f, y = 0;
        int n = 0;
        ${unroll}
        for (; n < 4096; ++n) { const float a = x * x, b = y * y; if (a + b > 4.0f) break; y = 2 * x * y + 0.1f; x = a - b - 0.2f; }
        out[threadIdx.x] = x + n;
      }`;
    const [out, kept] = await timesOf(`${kernel('writtenOut', '')}${kernel('kept', '#pragma unroll 1')}
      int main() { float *out; cudaMalloc(&out, 128); writtenOut<<<1, 32>>>(out); kept<<<1, 32>>>(out); }`);
    // Without writing out, a round takes 54 cycles on an H200 (h200-waits.json), and in a picture of 128 rounds at most 40.
    near(kept - 2000, (4096 * 54) / 1.98);
    near(out - 2000, (4096 * 38) / 1.98);
  });

  it('has several rounds of a loop under way, also where a predicated load and a store are in it', async () => {
    const kernel = (name: string, load: string) => `
      __global__ void ${name}(int *counts, int n) {
        int carry = 0;
        for (int b = 0; b < n; b += 32) {
          const int i = b + threadIdx.x, v = ${load};
          int s = v;
          for (int o = 1; o < 32; o <<= 1) { const int t = __shfl_up_sync(~0u, s, o); if (threadIdx.x >= o) s += t; }
          if (i < n) counts[i] = carry + s - v;
          carry += __shfl_sync(~0u, s, 31);
        }
      }`;
    const [guarded] = await timesOf(`${kernel('scan', 'i < n ? counts[i] : 0')}
      int main() { int *counts; cudaMalloc(&counts, 4096); cudaMemset(counts, 0, 4096); scan<<<1, 32>>>(counts, 586); }`);
    // Measured: 5,280 ns with cold caches (h200-textbook.json, scanCounts).
    near(guarded, 5280);
  });

  it('is that of its longest warp, also where all warps come to the loop', async () => {
    const [all, one, none] = await timesOf(`
      __global__ void work(float *out, int longWarps, int rounds) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x, mine = i / 32 < longWarps ? rounds : 10;
        float x = i;
        #pragma unroll 1
        for (int r = 0; r < mine; ++r) x = x * 0.999f + 1.0f;
        out[i] = x;
      }
      int main() {
        float *out; cudaMalloc(&out, 64 * 32 * 4);
        work<<<8, 256>>>(out, 64, 5000); work<<<8, 256>>>(out, 1, 5000); work<<<8, 256>>>(out, 0, 5000);
      }`);
    expect(one).toBeGreaterThan(0.9 * all);
    expect(one).toBeLessThan(1.1 * all);
    expect(none).toBeLessThan(0.1 * all);
  });

  it('has what one warp does while the others wait at a barrier', async () => {
    const [first, turns] = await timesOf(`
      __global__ void work(float *out, int rounds, int step) {
        float x = threadIdx.x;
        for (int k = 0; k < 8; ++k) {
          if (threadIdx.x / 32 == (k * step) % 8)
            #pragma unroll 1
            for (int r = 0; r < rounds; ++r) x = x * 0.999f + 1.0f;
          __syncthreads();
        }
        out[threadIdx.x] = x;
      }
      int main() {
        float *out; cudaMalloc(&out, 1024);
        work<<<1, 256>>>(out, 2000, 0); work<<<1, 256>>>(out, 2000, 1);
      }`);
    // 8 times 2,000 additions that wait for each other, 4 cycles each at least.
    for (const ns of [first, turns]) expect(ns).toBeGreaterThan((8 * 2000 * 4) / 1.98);
    expect(Math.max(first, turns)).toBeLessThan(1.1 * Math.min(first, turns));
  });

  it('does not load ahead of a division of 64 bits, which is a branch and a call', async () => {
    const [products, quotients] = await timesOf(`
      template <bool Divides> __global__ void work(const unsigned long long *a, const unsigned long long *b, unsigned long long *out, int rounds) {
        unsigned long long sum = 0;
        for (int r = 0; r < rounds; ++r) sum += Divides ? a[32 * r + threadIdx.x] / b[32 * r + threadIdx.x] : a[32 * r + threadIdx.x] * b[32 * r + threadIdx.x];
        out[threadIdx.x] = sum;
      }
      int main() {
        unsigned long long *a; cudaMalloc(&a, 1 << 20); cudaMemset(a, 1, 1 << 20);
        work<false><<<1, 32>>>(a, a + 65536, a, 256); work<true><<<1, 32>>>(a, a + 65536, a, 256);
      }`);
    // From L2 at least, one round after the other.
    expect(quotients).toBeGreaterThan((256 * 270) / 1.98);
    expect(quotients).toBeGreaterThan(2.5 * products);
  });

  it('has loads under way in the order of the longest way behind them, and more of them where they share an address', async () => {
    const [rows, gathers] = await timesOf(`
      __global__ void rows(const float *a, const int *index, float *out, int rounds) {
        float sum = 0;
        for (int r = 0; r < rounds; ++r) sum += a[16 * (threadIdx.x + 32 * (r / 16)) + r % 16] * index[r];
        out[threadIdx.x] = sum;
      }
      __global__ void gathers(const float *a, const int *index, float *out, int rounds) {
        float sum = 0;
        for (int r = 0; r < rounds; ++r) sum += a[index[32 * r + threadIdx.x]];
        out[threadIdx.x] = sum;
      }
      int main() {
        float *a; int *index; cudaMalloc(&a, 1 << 20); cudaMalloc(&index, 1 << 20); cudaMemset(index, 0, 1 << 20);
        rows<<<1, 32>>>(a, index, a, 256); gathers<<<1, 32>>>(a, index, a, 256);
      }`);
    // Not one round trip after the other for each: sixteen rounds are written out, and what their addresses need comes first.
    expect(gathers).toBeLessThan((256 * 270) / 1.98);
    expect(rows).toBeLessThan(2 * gathers);
  });

  it('has what is loaded ahead of a barrier under way while the block does something else', async () => {
    const kernel = (name: string, ahead: string, behind: string) => `
      __global__ void ${name}(const float *a, float *out, int rounds, int work) {
        __shared__ float s[256];
        float x = 0;
        for (int r = 0; r < rounds; ++r) {
          float next;
          ${ahead}
          s[threadIdx.x] = x;
          __syncthreads();
          float y = s[255 - threadIdx.x];
          #pragma unroll 1
          for (int k = 0; k < work; ++k) y = y * 0.5f + 1.0f;
          __syncthreads();
          ${behind}
          x += y + next;
        }
        out[threadIdx.x] = x;
      }`;
    const load = 'next = a[256 * r + threadIdx.x];';
    const [before, after] = await timesOf(`
      ${kernel('before', load, '')}
      ${kernel('after', '', load)}
      int main() {
        float *a; cudaMalloc(&a, 1 << 20);
        before<<<1, 256>>>(a, a, 100, 24); after<<<1, 256>>>(a, a, 100, 24);
      }`);
    expect(before).toBeLessThan(0.75 * after);
  });

  it('has two sectors of cold memory come at once', async () => {
    const text = readFileSync(join(repository, 'test/fixtures/hardware/h200-latency.json'), 'utf8');
    const { loads } = JSON.parse(text) as { readonly loads: readonly { what: string; blocks: number; stride: number; mean: number }[] };
    const strides = [32, 64, 128];
    const ours = await timesOf(`
      __global__ void walk(const char *p, int stride, int rounds, int *out) {
        const char *at = p;
        #pragma unroll 1
        for (int r = 0; r < rounds; ++r) at += stride + *(const int *)at;
        *out = at - p;
      }
      int main() {
        char *p; cudaMalloc(&p, 1 << 20); cudaMemset(p, 0, 1 << 20); int *out; cudaMalloc(&out, 4);
        for (int stride : {${strides}}) { walk<<<1, 32>>>(p, stride, 512, out); walk<<<1, 32>>>(p, stride, 2560, out); }
      }`);
    for (const [index, stride] of strides.entries()) {
      const { mean } = loads.find(({ what, blocks, stride: own }) => what === 'chase' && blocks === 1 && own === stride)!;
      near(((ours[2 * index + 1] - ours[2 * index]) * 1.98) / 2048, mean);
    }
  });

  it('hardly hangs on how often a warp looks at what it waits for', async () => {
    const [few, many] = await timesOf(`
      #include <cuda/barrier>
      __global__ void work(int *out, int rounds) {
        __shared__ cuda::barrier<cuda::thread_scope_block> all;
        if (threadIdx.x == 0) init(&all, blockDim.x);
        __syncthreads();
        int x = threadIdx.x;
        if (threadIdx.x >= 224) for (int r = 0; r < rounds; ++r) x = x * 1664525 + out[x & 255];
        all.arrive_and_wait();
        out[threadIdx.x] = x;
      }
      int main() {
        int *out; cudaMalloc(&out, 1024); cudaMemset(out, 0, 1024);
        work<<<1, 256>>>(out, 1); work<<<1, 256>>>(out, 2);
      }`);
    expect(few).toBeLessThan(6000);
    expect(many).toBeLessThan(6000);
  });

  it('has the turns of all who want one lock', async () => {
    const [one, many, apart, tickets] = await timesOf(`
      __device__ int locks[4096];
      __device__ volatile int sums[4096];
      __global__ void work(int words) {
        if (threadIdx.x) return;
        const int at = blockIdx.x % words * 64;
        while (atomicCAS(&locks[at], 0, 1) != 0) {}
        __threadfence();
        sums[at] = sums[at] + 1;
        sums[at + 1] = sums[at + 1] + 1;
        __threadfence();
        atomicExch(&locks[at], 0);
      }
      __device__ volatile int turn;
      __global__ void tickets() {
        if (threadIdx.x) return;
        const int mine = atomicAdd(&locks[0], 1);
        while (turn != mine) {}
        __threadfence();
        sums[0] = sums[0] + 1;
        sums[1] = sums[1] + 1;
        __threadfence();
        turn = turn + 1;
      }
      __global__ void single() {
        if (threadIdx.x) return;
        while (atomicCAS(&locks[0], 0, 1) != 0) {}
        __threadfence();
        sums[0] = sums[0] + 1;
        sums[1] = sums[1] + 1;
        __threadfence();
        atomicExch(&locks[0], 0);
      }
      int main() { single<<<1, 64>>>(); single<<<40, 64>>>(); work<<<40, 64>>>(40); tickets<<<40, 64>>>(); }`);
    expect(one).toBeLessThan(6000);
    expect(apart).toBeLessThan(many / 4);
    const { locks } = waits;
    const measured = (kind: string) => locks[`lock ns: ${kind}, blocks 40, rounds 1, updates 2, words 1`] - locks['empty ns'];
    near(many - one, measured('compare-and-swap'));
    near(tickets - one, measured('ticket'));
  });

  it('has barriers of the grid, behind which L1 is empty', async () => {
    const { kernels, faults } = await textReport(`
      #include <cooperative_groups.h>
      __global__ void work(const float *in, float *out, int rounds, int *ended) {
        float x = 0;
        for (int r = 0; r < rounds; ++r) { x += in[threadIdx.x]; cooperative_groups::this_grid().sync(); }
        out[blockIdx.x * blockDim.x + threadIdx.x] = x;
      }
      __global__ void barriers(int rounds) { for (int r = 0; r < rounds; ++r) cooperative_groups::this_grid().sync(); }
      int main() {
        float *in, *out; cudaMalloc(&in, 4096); cudaMalloc(&out, 1 << 20); cudaMemset(in, 0, 4096);
        int *ended = nullptr;
        for (int rounds : {1, 21}) {
          void *args[] = {&in, &out, &rounds, &ended};
          cudaLaunchCooperativeKernel((void *)work, dim3(8), dim3(128), args, 0, 0);
        }
        for (int blocks : {8, 132}) for (int rounds : {1, 21}) {
          void *args[] = {&rounds};
          cudaLaunchCooperativeKernel((void *)barriers, dim3(blocks), dim3(128), args, 0, 0);
        }
      }`);
    expect(faults).toEqual([]);
    const [once, often, ...barriers] = kernels.map(({ estimate }) => estimate!);
    [8, 132].forEach((blocks, index) => {
      const measured = (rounds: number) => waits.barriers[`barrier ns: grid, ${blocks} blocks of 128, rounds ${rounds}`];
      near((barriers[2 * index + 1].ns - barriers[2 * index].ns) / 20, (measured(60) - measured(10)) / 50);
    });
    expect(often.l2Sectors.read - once.l2Sectors.read).toBeGreaterThan(1000);
  });

  it('ends when all has ended that it has launched', async () => {
    const { kernels, faults } = await textReport(`
      __global__ void child(int *out) { int x = threadIdx.x; for (int r = 0; r < 1000; ++r) x = x * 1664525 + r; out[threadIdx.x] = x; }
      __global__ void parent(int *out) { child<<<1, 32>>>(out); }
      int main() { int *out; cudaMalloc(&out, 128); child<<<1, 32>>>(out); parent<<<1, 1>>>(out); cudaDeviceSynchronize(); }`);
    expect(faults).toEqual([]);
    const [alone, parent] = kernels.map(({ estimate }) => estimate!);
    expect(alone.wholeNs).toBeUndefined();
    // h200-waits.json, "one thread launches 1": 46 and 30 microseconds more than an empty parent.
    expect(parent.wholeNs! - parent.ns).toBeGreaterThan(30_000 + 0.5 * alone.ns);
    expect(parent.wholeNs! - parent.ns).toBeLessThan(46_000 + alone.ns);
  });
});
