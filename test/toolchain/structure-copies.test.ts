/** Structures are copied field by field: requests as nvcc's PTX (13.0) has them for the same kernels. */
import { expect, it } from 'vitest';
import { withStructuresByField } from '../../simulator/toolchain/structure-copies.ts';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cuda_runtime.h>
struct Entry { int key; int value; };
struct Ranked { double key; int id; };
struct Body { float3 at; float mass; float3 speed; int kind; };
template <class T> __device__ void exchange(T* all, int distance) {
  int i = threadIdx.x, other = i ^ distance;
  if (other > i && all[i].key > all[other].key) {
    T kept = all[i];
    all[i] = all[other];
    all[other] = kept;
  }
}
__global__ void entries(Entry* all) { exchange(all, 1); }
__global__ void ranked(Ranked* all) { exchange(all, 1); }
__global__ void chosen(Entry* out, const Entry* in) { if (in[threadIdx.x].key > 0) out[threadIdx.x] = in[threadIdx.x]; }
__global__ void moved(Body* out, const Body* in) {
  int i = threadIdx.x;
  out[i] = in[i];
  out[i].at.x += out[i].speed.x;
}
__global__ void whole(float4* out, const float4* in) { if (in[threadIdx.x].x > 0) out[threadIdx.x] = in[threadIdx.x]; }
int main() {
  char* memory;
  cudaMallocManaged(&memory, 1 << 16);
  for (int i = 0; i < 32; i++) {
    ((Entry*)memory)[i] = {40 - i, i};
    ((Ranked*)(memory + 4096))[i] = {40.0 - i, i};
    ((Body*)(memory + 8192))[i] = {{1, 2, 3}, 4, {5, 6, 7}, i};
    ((float4*)(memory + 16384))[i] = {1, 2, 3, 4};
  }
  entries<<<1, 32>>>((Entry*)memory);
  ranked<<<1, 32>>>((Ranked*)(memory + 4096));
  chosen<<<1, 32>>>((Entry*)(memory + 1024), (Entry*)memory);
  moved<<<1, 32>>>((Body*)(memory + 24576), (Body*)(memory + 8192));
  whole<<<1, 32>>>((float4*)(memory + 20480), (float4*)(memory + 16384));
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  Body body = ((Body*)(memory + 24576))[5];
  Ranked first = ((Ranked*)(memory + 4096))[0];
  return ((Entry*)memory)[1].value != 0 || first.key != 39 || first.id != 1 || body.at.x != 6 || body.kind != 5;
}`;

it.each(['compiler', 'interpreter'] as const)('a field that is known is not loaded again, %s', { timeout: 120_000 }, async (engine) => {
  const { kernels, faults, exit } = await textReport(PROGRAM, { engine });
  expect(faults).toEqual([]);
  expect(exit).toBe(0);
  const counted = kernels.map(({ kernel, metrics }) => [
    kernel.replace(/\(.*/, ''),
    ...['ld', 'st'].map((op) => metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`]),
  ]);
  expect(counted).toEqual([
    ['entries', 4, 4],
    ['ranked', 4, 4],
    ['chosen', 2, 2],
    ['moved', 8, 8],
    ['whole', 2, 1],
  ]);
});

it('fields, what is between them, and arrays are copied', () => {
  const copy = (fields: string, bytes: number) =>
    withStructuresByField(`define void @f() {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 ${bytes}, i1 false), !dbg !1, !tbaa.struct !2
  %x = load i32, ptr %p, align 4, !dbg !1, !tbaa !3
}
!2 = !{${fields}}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"omnipotent char", !6, i64 0}
!6 = !{!"Simple C++ TBAA"}
!7 = !{!8, !8, i64 0}
!8 = !{!"double", !5, i64 0}
!9 = !{!5, !5, i64 0}`);
  const padded = copy('i64 0, i64 8, !7, i64 8, i64 4, !3', 16);
  expect([...padded.matchAll(/ = load (\w+), .*(align \d+)/g)].map(([, ...parts]) => parts.join(' '))).toEqual([
    'double align 8',
    'i32 align 8',
    'i32 align 4',
    'i32 align 4',
  ]);
  expect(padded).not.toContain('tbaa !');
  const named = copy('i64 0, i64 16, !9, i64 16, i64 8, !7', 24);
  expect(named).toContain(
    'call void @llvm.memcpy.p0.p0.i64(ptr align 8 %copied.0.to0, ptr align 8 %copied.0.from0, i64 16, i1 false), !dbg !1\n',
  );
  expect(named).toContain('store double %copied.0.16, ptr %copied.0.to16, align 8, !dbg !1\n');
  // A gap between fields (a `char` in front of an `int`), an array or a union alone, and what nvcc copies in a loop.
  expect(copy('i64 0, i64 1, !9, i64 4, i64 4, !3', 8)).toContain('i64 8, i1 false), !dbg !1\n');
  expect(copy('i64 0, i64 16, !9', 16)).toContain('i64 16, i1 false), !dbg !1\n');
  expect(copy('i64 0, i64 8, !7, i64 8, i64 120, !9', 128)).toContain('i64 128, i1 false), !dbg !1\n');
});
