/** Launches whose counters depend on the order in which warps run are told from those that every GPU counts alike. */
import { describe, expect, it } from 'vitest';
import { memoryRoots } from '../../simulator/ir/memory-roots.ts';
import { functionFacts } from '../../simulator/simt/analyze.ts';
import { timingSites } from '../../simulator/simt/timing.ts';
import { instructionsOf, kernel } from '../ir/ir-fixtures.ts';
import { textReport } from '../runtime/simulation.ts';

const SHARED = '@s = internal addrspace(3) global i32 undef, align 4\n';

/** The operations that depend on the order, with the reason. */
function causes(body: string, parameters = 'ptr %p, ptr %out, i32 %n'): string[] {
  const { module, fn } = kernel(parameters, body, SHARED);
  const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
  const sites = timingSites(fn, { module, roots, predicated: functionFacts(fn, module).predicated });
  return instructionsOf(fn).flatMap(({ site, op }) => (sites.has(site) ? [`${op}: ${sites.get(site)}`] : []));
}

describe('what depends on the order of warps', () => {
  it('a loop that retries', () => {
    const body = `entry:
  br label %try
try:
  %old = load i32, ptr %p
  %new = add i32 %old, %n
  %r = cmpxchg ptr %p, i32 %old, i32 %new monotonic monotonic
  %done = extractvalue { i32, i1 } %r, 1
  br i1 %done, label %end, label %try
end:
  ret void`;
    expect(causes(body)).toEqual(['condbr: branch']);
  });

  it('a place in a list', () => {
    const body = `  %i = atomicrmw add ptr %p, i32 1 monotonic
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %q
  ret void`;
    expect(causes(body)).toEqual(['store: address']);
  });

  it('a ticket that goes through shared memory', () => {
    const body = `entry:
  %i = atomicrmw add ptr %p, i32 1 monotonic
  store i32 %i, ptr addrspace(3) @s
  call void @llvm.nvvm.barrier0()
  %all = load i32, ptr addrspace(3) @s
  %last = icmp eq i32 %all, %n
  br i1 %last, label %more, label %end
more:
  call void @llvm.nvvm.barrier0()
  store i32 0, ptr %p
  br label %end
end:
  ret void`;
    expect(causes(body)).toEqual(['condbr: branch']);
  });

  it('a clock', () => {
    const body = `entry:
  br label %wait
wait:
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %late = icmp ugt i32 %c, %n
  br i1 %late, label %end, label %wait
end:
  ret void`;
    expect(causes(body)).toEqual(['condbr: clock']);
  });

  it('not a sum, a result that is only stored, or a value that is chosen', () => {
    const body = `  %a = atomicrmw add ptr %p, i32 %n monotonic
  %small = icmp slt i32 %a, 5
  %x = select i1 %small, i32 %a, i32 5
  store i32 %x, ptr %out
  %unused = atomicrmw fadd ptr %p, float 1.0 monotonic
  ret void`;
    expect(causes(body)).toEqual([]);
  });
});

describe('in a report', () => {
  const program = (body: string, threads: number) => `#include <cstdio>
__device__ int count, list[4096];
__device__ float sum;
__global__ void kernel() {
  __shared__ float s;
  s = 0;
  ${body}
}
int main() {
  kernel<<<1, ${threads}>>>();
  return cudaDeviceSynchronize();
}`;
  const timing = async (body: string, threads: number) => (await textReport(program(body, threads))).kernels[0].timing;

  it('the launch says why, and at which line', { timeout: 180_000 }, async () => {
    expect(await timing('list[atomicAdd(&count, 1)] = threadIdx.x;', 128)).toMatch(/^the order of atomics decides an address at .*:7$/);
    expect(await timing('atomicAdd(&s, 1.0f); sum = s;', 128)).toMatch(/^warps spoil each other's tries .*:7$/);
  });

  it('of blocks that wait for each other, too', { timeout: 180_000 }, async () => {
    const cooperative = (blocks: number) => `#include <cooperative_groups.h>
__global__ void k() { cooperative_groups::this_grid().sync(); }
int main() {
  cudaLaunchCooperativeKernel((void*)k, dim3(${blocks}), dim3(64), nullptr);
  cudaDeviceSynchronize();
}`;
    const [two, one] = [(await textReport(cooperative(2))).kernels[0].timing, (await textReport(cooperative(1))).kernels[0].timing];
    expect(two).toMatch(/^blocks wait for each other at a barrier of the grid at .*:2$/);
    expect(one).toBeUndefined();
  });

  it('one warp has an order, and so have sums', { timeout: 180_000 }, async () => {
    expect(await timing('list[atomicAdd(&count, 1)] = threadIdx.x;', 32)).toBeUndefined();
    expect(await timing('atomicAdd(&count, threadIdx.x); atomicAdd(&sum, 1.0f);', 128)).toBeUndefined();
  });
});
