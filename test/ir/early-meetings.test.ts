/** Where lanes meet before all of their paths do, by the requests that a warp then makes, and what the pass makes of the IR. */
import { describe, expect, it } from 'vitest';
import { meetEarly } from '../../simulator/ir/early-meetings.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cuda_runtime.h>
#include <cstdio>
// Every fourth lane leaves in the first round. Those that stay meet before the last store of each round.
__host__ __device__ void breaksAt(int t, const int* a, int* out, int rounds) {
  for (int j = 0; j < rounds; j++) {
    if (a[t] > 1) {
      out[64 * j + t] = j + t;
      if (a[t] > 2) break;
      out[64 * j + 512 + t] = j - t;
    }
    out[64 * j + 32 + t] = j * t;
  }
}
// Out of two conditions, and a value of the way goes along.
__host__ __device__ void leavesAt(int t, const int* a, int* out) {
  int last = 7;
  if (a[t] > 0) {
    out[t] = a[t];
    last = out[t + 512] + 1;
    if (a[t] > 2) goto end;
    out[32 + t] = last;
  }
  out[64 + t] = last * 3;
end:
  out[96 + t] = last;
}
// Each case meets those that fall into it.
__host__ __device__ void fallsAt(int t, const int* a, int* out) {
  int sum = 0;
  switch (a[t]) {
    case 3: out[t] = sum += t;
    case 2: out[32 + t] = sum += 2;
    case 1: out[64 + t] = sum += 3;
  }
}
__global__ void breaks(const int* a, int* out, int rounds) { breaksAt(threadIdx.x, a, out, rounds); }
__global__ void leaves(const int* a, int* out) { leavesAt(threadIdx.x, a, out); }
__global__ void falls(const int* a, int* out) { fallsAt(threadIdx.x, a, out); }
int a[32], expected[1024], found[1024];
int main() {
  int *dA, *dOut;
  cudaMalloc(&dA, sizeof a);
  cudaMalloc(&dOut, sizeof found);
  cudaMemset(dOut, 0, sizeof found);
  for (int i = 0; i < 32; i++) a[i] = i % 4;
  cudaMemcpy(dA, a, sizeof a, cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int kernel = 0; kernel < 3; kernel++) {
    if (kernel == 0) breaks<<<1, 32>>>(dA, dOut, 6);
    if (kernel == 1) leaves<<<1, 32>>>(dA, dOut);
    if (kernel == 2) falls<<<1, 32>>>(dA, dOut);
    for (int t = 0; t < 32; t++) {
      if (kernel == 0) breaksAt(t, a, expected, 6);
      if (kernel == 1) leavesAt(t, a, expected);
      if (kernel == 2) fallsAt(t, a, expected);
    }
    cudaMemcpy(found, dOut, sizeof found, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1024; i++) wrong += found[i] != expected[i];
  }
  printf("%d wrong\\n", wrong);
}`;

describe.each(ENGINE_NAMES)('%s engine', (engine) => {
  it('lanes meet although some leave further', { timeout: 120_000 }, async () => {
    const { stdout, kernels } = await textReport(PROGRAM, { engine });
    expect(stdout).toBe('0 wrong\n');
    // Three stores in each of six rounds; two ways and what follows each; one for each case.
    expect(kernels.map(({ metrics }) => metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'])).toEqual([18, 4, 3]);
  });
});

const HEADER = 'target triple = "nvptx-nvidia-cuda"\n';
const parsed = (body: string) => parseIr(`${HEADER}define ptx_kernel void @k(i1 %a, i1 %b, i32 %n, ptr %out) {\nentry:\n${body}\n}`);
const blocksOf = (module: ReturnType<typeof parsed>) => module.functions.get('k')!.blocks;
const labels = (module: ReturnType<typeof parsed>) => blocksOf(module).map(({ label }) => label);

const BREAK = `  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 1, %entry ], [ %more, %latch ]
  br i1 %a, label %inner, label %latch
inner:
  %x = load i32, ptr %out
  br i1 %b, label %exit, label %latch
latch:
  %more = phi i32 [ %sum, %loop ], [ %x, %inner ]
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %exit, label %loop
exit:
  %found = phi i32 [ %x, %inner ], [ 0, %latch ]
  store i32 %found, ptr %out
  ret void`;

describe('meetings before the last', () => {
  it('one that lanes leave with a value', () => {
    const result = meetEarly(parsed(BREAK));
    expect(verifyModule(result)).toEqual([]);
    expect(labels(result)).toEqual(['entry', 'loop', 'inner', 'inner.leave', 'loop.meet', 'latch', 'exit']);
    const ends = blocksOf(result).map(({ instructions }) => instructions.at(-1)!);
    expect(ends.flatMap((end) => (end.op === 'condbr' && end.onHardware ? [end.onHardware] : []))).toEqual(['branch', 'none']);
  });

  it.each([
    [
      'a loop that lanes leave at once',
      BREAK.replace('br i1 %a, label %inner, label %latch', 'br label %inner').replace('[ %sum, %loop ], ', ''),
    ],
    ['an if that none leaves', BREAK.replace('br i1 %b, label %exit, label %latch', 'br label %latch').replace('[ %x, %inner ], ', '')],
    [
      'a region with another way in',
      BREAK.replace('  br label %loop\n', '  br i1 %b, label %loop, label %inner\n')
        .replace('%x = load', '%p = phi i32 [ 0, %entry ], [ %i, %loop ]\n  %x = load')
        .replace('%i, 1', '%n, 1')
        .replace('[ %sum, %loop ]', '[ 5, %loop ]'),
    ],
  ])('%s stays as it is', (_, body) => {
    const module = parsed(body);
    expect(verifyModule(module)).toEqual([]);
    expect(meetEarly(module).functions.get('k')).toBe(module.functions.get('k'));
  });

  const SWITCH = (first: string) => `  switch i32 %n, label %end [
    i32 1, label %one
    i32 2, label %two
    i32 5, label %five
    i32 6, label %five
    i32 9, label %one
  ]
five:
  store i32 5, ptr %out
  br label ${first}
two:
  store i32 2, ptr %out
  br label ${first === '%end' ? '%end' : '%one'}
one:
  %v = phi i32 [ 1, %entry ], [ 1, %entry ]${first === '%end' ? '' : ', [ 3, %two ]'}
  store i32 %v, ptr %out
  br label %end
end:
  ret void`;

  it('a switch that falls through becomes a tree of comparisons', () => {
    const result = meetEarly(parsed(SWITCH('%two')));
    expect(verifyModule(result)).toEqual([]);
    const tests = blocksOf(result).flatMap(({ instructions }) =>
      instructions.flatMap((i) => (i.op === 'icmp' ? [`${i.predicate} ${i.b.kind === 'int' ? i.b.value : ''}`] : [])),
    );
    expect(tests).toEqual(['slt 5', 'eq 1', 'eq 2', 'ule 1', 'eq 9']);
  });

  it('one whose cases lead to its end stays', () => {
    const module = parsed(SWITCH('%end'));
    expect(verifyModule(module)).toEqual([]);
    expect(meetEarly(module).functions.get('k')).toBe(module.functions.get('k'));
  });
});
