/** The defects that a GPU and its tools were asked about: each is named at its line. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportOf, repository, textReport } from '../runtime/simulation.ts';

const FOLDER = join(repository, 'test', 'fixtures', 'defects');

/** Checks with the lines of what they are about, the lowest first. launch_errors.cu has a race of its own, on line 5. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  divergent_barrier: ['divergent-barrier 7'],
  launch_errors: ['race 5 5'],
  missing_syncwarp: ['race 9 10', 'race 10 11', 'race 11 12', 'race 12 13', 'race 13 14'],
  shared_race: ['race 6 7'],
  uninitialised: ['uninitialised-read 4'],
  wrong_shuffle_mask: ['wrong-mask 6'],
  out_of_bounds: [],
  shared_out_of_bounds: [],
};

it.each(Object.keys(FOUND))('%s', async (name) => {
  const { findings = [] } = await reportOf(join(FOLDER, `${name}.cu`), { sanitize: {} });
  const lines = ({ places }: (typeof findings)[number]) => places.map(({ line }) => line ?? 0).sort((a, b) => a - b);
  expect(findings.map((each) => [each.check, ...lines(each)].join(' '))).toEqual(FOUND[name]);
});

const LONELY = `#include <cooperative_groups.h>
__global__ void half(int* out) {
  int v = threadIdx.x;
  if (threadIdx.x < 16) v += __shfl_down_sync(0xffffffffu, v, 8);
  out[threadIdx.x] = v;
}
__global__ void early(int* out) {
  auto grid = cooperative_groups::this_grid();
  if (grid.thread_rank() == 5) return;
  out[grid.thread_rank()] = 1;
  grid.sync();
}
int main() {
  int* out;
  cudaMalloc(&out, 1024);
  void* args[] = {&out};
  for (int k = 0; k < 3; ++k) half<<<2, 32>>>(out);
  cudaLaunchCooperativeKernel((void*)early, dim3(2), dim3(64), args);
  cudaDeviceSynchronize();
}`;

it('masks and barriers of the grid whose threads never come are named in every run, by both engines', async () => {
  const sanitized = await textReport(LONELY, { sanitize: {}, everyLaunch: true });
  expect(sanitized.findings!.map(({ check, count }) => `${check} ${count}`)).toEqual(['wrong-mask 6', 'divergent-barrier 1']);
  for (const engine of ['compiler', 'interpreter'] as const) {
    const { findings } = await textReport(LONELY, { engine, everyLaunch: true });
    expect(findings).toEqual(sanitized.findings);
  }
  expect((await textReport(MISUSE, { args: ['1'] })).findings).toBeUndefined();
});

const MISUSE = `#include <cstdio>
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main(int count, char**) {
  int *a, *b;
  cudaMalloc(&a, 4000);
  if (count == 1) cudaFree(a);
  cudaMalloc(&b, 4000);
  fill<<<1, 32>>>(a + (count == 1 ? 0 : 1100));
  cudaDeviceSynchronize();
}`;

it('memory that was freed is not given out again, and nothing lies directly behind an allocation', async () => {
  const [freed, behind] = [await textReport(MISUSE, { sanitize: {} }), await textReport(MISUSE, { sanitize: {}, args: ['1'] })];
  expect(freed.faults.map(({ message }) => message).join()).toContain('use after free');
  expect(behind.faults.map(({ message }) => message).join()).toContain('400 bytes after the end of cudaMalloc no. 1');
});

it('an index that leaves managed memory may have come to memory of the host', async () => {
  const [passed, left] = await Promise.all(
    ['malloc(4000)', 'managed'].map((pointer) =>
      textReport(`#include <cstdlib>
__global__ void fill(char* p) { p[4010] = 1; }
int main() {
  char* managed;
  cudaMallocManaged(&managed, 4000);
  fill<<<1, 1>>>((char*)${pointer});
  return cudaDeviceSynchronize();
}`),
    ),
  );
  expect(passed.faults[0].message).toMatch(/host memory: a kernel cannot access it; copy the data/);
  expect(left.faults[0].message).toMatch(/ 10 bytes after the end of cudaMallocManaged no\. 1 \(4000 bytes\)$/);
});

const BROUGHT_BACK = `__global__ void hand(int* to, const int* from, int used) {
  if (threadIdx.x < used) to[threadIdx.x] = from[threadIdx.x];
}
int main() {
  int *a, *b, *c, host[64];
  cudaMalloc(&a, 256);
  cudaMalloc(&b, 256);
  cudaMalloc(&c, 256);
  cudaMemset(a, 0, 128);
  hand<<<1, 64>>>(b, a, 32);
  cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);
  hand<<<1, 64>>>(b, a, 64);
  cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, c, 256, cudaMemcpyDeviceToHost);
}`;

it('what nothing has written may not reach the host: copies that kernels have made, and whole ranges', async () => {
  const { findings = [] } = await textReport(BROUGHT_BACK, { sanitize: {} });
  expect(findings.map(({ check, places, where }) => [check, places[0].line, where])).toEqual([
    ['uninitialised-read', 13, 'byte 128 of cudaMalloc no. 2 (256 bytes)'],
    ['uninitialised-read', 14, 'byte 0 of cudaMalloc no. 3 (256 bytes)'],
  ]);
});

const IN_FRONT_OF_A_LOOP = `__global__ void scale(float* out, const float* factor, int n) {
  float by = factor[0];
  for (int i = threadIdx.x; i < n; i += 32) out[i] = i * by;
}
int main() {
  float *out, *factor;
  cudaMalloc(&out, 4096);
  cudaMalloc(&factor, 4);
  scale<<<1, 32>>>(out, factor, 1000);
  cudaDeviceSynchronize();
}`;

it('what is loaded in front of a loop is used in it, whichever copy of its rounds a thread comes to', async () => {
  const { findings = [] } = await textReport(IN_FRONT_OF_A_LOOP, { sanitize: {} });
  expect(findings.map(({ check, places }) => [check, places[0].line])).toEqual([['uninitialised-read', 2]]);
});

const STACK = `struct Node {
  Node* next;
};
__device__ Node* head;
__global__ void push(Node* nodes) {
  Node* node = &nodes[blockIdx.x * blockDim.x + threadIdx.x];
  Node* old = head;
  do {
    node->next = old;
    old = (Node*)atomicCAS((unsigned long long*)&head, (unsigned long long)node->next, (unsigned long long)node);
  } while (old != node->next);
}
int main() {
  Node* nodes;
  cudaMalloc(&nodes, 128 * sizeof(Node));
  push<<<2, 64>>>(nodes);
  cudaDeviceSynchronize();
}`;

it('the read that a compare-and-swap of a pointer begins with counts as atomic', async () => {
  const { faults, findings = [] } = await textReport(STACK, { sanitize: {} });
  expect({ faults, findings }).toEqual({ faults: [], findings: [] });
});
