/** What the passes make of a module before an engine sees it: conditions joined, stores of both sides merged. Programs show the counts. */
import { describe, expect, it } from 'vitest';
import { joinConditions } from '../../simulator/ir/join-conditions.ts';
import { mergeStores } from '../../simulator/ir/merge-stores.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import type { IrModule } from '../../simulator/ir/types.ts';
import { verifyModule } from '../../simulator/ir/verify.ts';
import { ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { textReport } from '../runtime/simulation.ts';

const HEADER = 'target triple = "nvptx-nvidia-cuda"\n';

/** A kernel of one condition, whose sides are given. */
const parsed = (body: string) => parseIr(`${HEADER}define ptx_kernel void @k(i1 %a, i1 %b, i1 %c, ptr %out, i32 %i) {\nentry:\n${body}\n}`);
/** The same, where the first condition differs from lane to lane. */
const ofLanes = (body: string) =>
  parseIr(`${HEADER}declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(i1 %b, i1 %c, ptr %out, i32 %i) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = icmp ult i32 %lane, 7
${body}
}`);
const blocksOf = (module: IrModule) => module.functions.get('k')!.blocks;
const stores = (module: IrModule) => blocksOf(module).flatMap(({ instructions }) => instructions.filter(({ op }) => op === 'store'));

const OR = `  br i1 %a, label %then, label %second
second:
  %v = load i32, ptr %out
  br i1 %b, label %then, label %else
then:
  %p = phi i32 [ 1, %entry ], [ %v, %second ]
  store i32 %p, ptr %out
  br label %end
else:
  store i32 %v, ptr %out
  br label %end
end:
  ret void`;

const AND = `  br i1 %a, label %second, label %else
second:
  %v = load i32, ptr %out
  br i1 %b, label %third, label %else
third:
  br i1 %c, label %then, label %else
then:
  store i32 %v, ptr %out
  br label %end
else:
  store i32 2, ptr %out
  br label %end
end:
  ret void`;

/** `(a && b) || (c && %d)`, where the second term is a condition itself. */
const EITHER = `  br i1 %a, label %second, label %third
second:
  br i1 %b, label %then, label %third
third:
  %v = load i32, ptr %out
  br i1 %c, label %fourth, label %else
fourth:
  %w = load i32, ptr %out
  %d = icmp eq i32 %v, %w
  br i1 %d, label %then, label %else
then:
  %p = phi i32 [ 1, %second ], [ %w, %fourth ]
  store i32 %p, ptr %out
  br label %end
else:
  store i32 2, ptr %out
  br label %end
end:
  ret void`;

describe('conditions of several terms', () => {
  it.each([
    ['or', OR, 1],
    ['and', AND, 2],
    ['or of ands', EITHER, 3],
  ])('%s: what they guard is reached one way', (_, body, joins) => {
    const module = parsed(body);
    const result = joinConditions(module);
    expect(verifyModule(result)).toEqual([]);
    expect(blocksOf(result)).toHaveLength(blocksOf(module).length + joins);
    for (const label of ['then', 'else']) expect(blocksOf(result).find((block) => block.label === label)!.predecessors).toHaveLength(1);
  });

  it.each([
    [
      'an if without else',
      OR.replace('store i32 %v, ptr %out', '')
        .replace(/then:[\s\S]*?br label %end\n/, '')
        .replaceAll('%then', '%end'),
    ],
    ['a side that only computes', OR.replaceAll(/ {2}store.*\n/g, '')],
    [
      'another way to the guarded block',
      OR.replace('else:\n', 'else:\n  br i1 %c, label %other, label %more\nother:\n  br label %then\nmore:\n').replace(
        '%v, %second ]',
        '%v, %second ], [ 3, %other ]',
      ),
    ],
  ])('%s stays as it is', (_, body) => {
    const module = parsed(body);
    expect(verifyModule(module)).toEqual([]);
    expect(joinConditions(module).functions.get('k')).toBe(module.functions.get('k'));
  });
});

const SIDES = `  br i1 %a, label %then, label %else
then:
  %p = getelementptr i32, ptr %out, i32 %i
  store i32 1, ptr %p, align 8
  br label %end
else:
  %v = load i32, ptr %out
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %v, ptr %q, align 4
  br label %end
end:
  ret void`;

describe('stores of both sides', () => {
  it('to one address are one behind them', () => {
    const result = mergeStores(ofLanes(SIDES));
    expect(verifyModule(result)).toEqual([]);
    expect(stores(result)).toMatchObject([{ align: 4 }]);
    expect(
      blocksOf(result)
        .at(-1)!
        .instructions.map(({ op }) => op),
    ).toEqual(['phi', 'getelementptr', 'store', 'ret']);
  });

  it('to one address are one where an access in front of them has the index, too', () => {
    const before = SIDES.replace('  br i1 %a', '  %s = getelementptr float, ptr %out, i32 %i\n  %y = load i32, ptr %s\n  br i1 %a');
    const result = mergeStores(
      ofLanes(before.replace('store i32 1', '%r = getelementptr i32, ptr %out, i32 %i\n  %x = load i32, ptr %r\n  store i32 %x')),
    );
    expect(verifyModule(result)).toEqual([]);
    expect(stores(result)).toHaveLength(1);
  });

  it('stay where they are if no branch parts lanes', () => {
    expect(stores(mergeStores(parsed(SIDES)))).toHaveLength(2);
  });

  // nvcc's PTX (13.0): the last `if` of a `for` ends where the loop goes on, so that the order of its sides is the other way round.
  it.each([
    ['the if', 'end', 'store i32 1', 1],
    ['the else', 'end', 'store i32 %v', 2],
    ['the if, last of a for', 'for.inc', 'store i32 1', 2],
    ['the else, last of a for', 'for.inc', 'store i32 %v', 1],
  ])('of zero, in %s', (_, end, store, count) => {
    const sides = SIDES.replace(store, 'store i32 0').replace('  br i1 %a, label', '  br label %head\nhead:\n  br i1 %a, label');
    const loop = sides.replace('  ret void', '  br i1 %b, label %head, label %done\ndone:\n  ret void');
    const result = mergeStores(ofLanes(loop.replaceAll('%end', `%${end}`).replace('end:', `${end}:`)));
    expect(verifyModule(result)).toEqual([]);
    expect(stores(result)).toHaveLength(count);
  });

  it('to an address that stays the same in a loop are one', () => {
    const sides = SIDES.replace(/ {2}%[pq] = .*\n/g, '')
      .replaceAll(/ptr %[pq],/g, 'ptr %out,')
      .replace('store i32 %v', 'store i32 0');
    const loop = sides.replace('  br i1 %a, label', '  br label %head\nhead:\n  br i1 %a, label');
    const result = mergeStores(ofLanes(loop.replace('  ret void', '  br i1 %b, label %head, label %done\ndone:\n  ret void')));
    expect(verifyModule(result)).toEqual([]);
    expect(stores(result)).toHaveLength(1);
  });

  it('by indices that each side computes are one behind them, with its index from either', () => {
    const sides = SIDES.replace(
      '%p = getelementptr i32, ptr %out, i32 %i',
      '%m = mul i32 %i, 5\n  %p = getelementptr i32, ptr %out, i32 %m',
    ).replace('%q = getelementptr i32, ptr %out, i32 %i', '%n = add i32 %i, %v\n  %q = getelementptr i32, ptr %out, i32 %n');
    const result = mergeStores(ofLanes(sides));
    expect(verifyModule(result)).toEqual([]);
    expect(
      blocksOf(result)
        .at(-1)!
        .instructions.map(({ op }) => op),
    ).toEqual(['phi', 'phi', 'getelementptr', 'store', 'ret']);
  });

  it('where a side is for one value are one if the address was computed in front of it', () => {
    const equal = SIDES.replaceAll('i32 %i', 'i32 %lane').replace('  br i1 %a', '  %e = icmp eq i32 %lane, 3\n  br i1 %e');
    expect(stores(mergeStores(ofLanes(equal)))).toHaveLength(2);
    const before = equal.replace('  %e =', '  %k = mul i32 %lane, 7\n  %e =').replaceAll('ptr %out, i32 %lane', 'ptr %out, i32 %k');
    expect(stores(mergeStores(ofLanes(before)))).toHaveLength(1);
  });

  it.each([
    ['that an access of memory follows', SIDES.replace('align 8\n', 'align 8\n  %w = load i32, ptr %out\n')],
    ['to other addresses', SIDES.replace('%q = getelementptr i32, ptr %out, i32 %i', '%q = getelementptr i32, ptr %out, i32 1')],
    ['of other types', SIDES.replace('store i32 1', 'store float 1.0')],
    ['of zero', SIDES.replace('store i32 %v', 'store i32 0')],
    [
      'by an index that another access of their side has',
      SIDES.replace('store i32 1', '%r = getelementptr float, ptr %out, i32 %i\n  %x = load i32, ptr %r\n  store i32 %x'),
    ],
    ['that are volatile', SIDES.replace('store i32 1', 'store volatile i32 1')],
    [
      'whose address both share',
      SIDES.replace(/ {2}%p = .*\n/, '')
        .replace(/ {2}%q = .*\n/, '')
        .replace('ptr %p', 'ptr %out')
        .replace('ptr %q', 'ptr %out'),
    ],
    [
      'with a third way to the end',
      SIDES.replace('label %then, label %else', 'label %then, label %test\ntest:\n  br i1 %b, label %else, label %end'),
    ],
  ])('%s stay where they are', (_, body) => {
    const module = ofLanes(body);
    expect(verifyModule(module)).toEqual([]);
    expect(stores(mergeStores(module))).toHaveLength(2);
  });
});

/** PTX and machine code of nvcc 13.0 -O3 -arch=sm_90: one store of both sides in either kernel. */
const PROGRAM = `#include <cstdio>
__global__ void either(const int* in, int* out) {
  int i = threadIdx.x;
  if (in[i] > 20 || in[i + 32] > 20) out[i] = in[i] / 3; else out[i] = in[i + 32] % 7;
}
__global__ void sides(const int* in, int* out, int n) {
  int i = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    if (in[i] & 1) out[k * 32 + i] = in[i] / 3; else out[k * 32 + i] = in[i + 32] % 7;
  }
}
int main() {
  int h[64], r[96], *in, *out;
  for (int i = 0; i < 64; ++i) h[i] = i * 37 % 41;
  cudaMalloc(&in, sizeof h); cudaMalloc(&out, sizeof r); cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  int wrong = 0;
  either<<<1, 32>>>(in, out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) wrong += r[i] != (h[i] > 20 || h[i + 32] > 20 ? h[i] / 3 : h[i + 32] % 7);
  sides<<<1, 32>>>(in, out, 3);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; ++i) wrong += r[i] != (h[i % 32] & 1 ? h[i % 32] / 3 : h[i % 32 + 32] % 7);
  printf("%d wrong\\n", wrong);
}
`;

it.each(ENGINE_NAMES)('requests of stores, %s', { timeout: 240_000 }, async (engine) => {
  const { stdout, kernels } = await textReport(PROGRAM, { engine });
  expect(stdout).toBe('0 wrong\n');
  expect(kernels.map(({ metrics }) => metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'])).toEqual([1, 3]);
});
