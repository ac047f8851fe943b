/** Where variables of a module lie, and what small copies become. */
import { describe, expect, it } from 'vitest';
import { SHARED_BASE } from '../../simulator/ir/address-map.ts';
import { lowerCopies } from '../../simulator/ir/lower-copies.ts';
import { lowerPointers } from '../../simulator/ir/lower-pointers.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import { typeName } from '../../simulator/ir/type-table.ts';
import { DeviceMemory } from '../../simulator/machine/device-memory.ts';
import { externSharedOffset, loadModule, ModuleTooLarge, resolveSymbol, sharedLimit } from '../../simulator/machine/load-module.ts';

const HEADER = 'target triple = "nvptx64-nvidia-cuda"\n';
const load = (ir: string) => {
  const memory = new DeviceMemory();
  return { memory, module: loadModule(parseIr(HEADER + ir), memory) };
};

describe('variables', () => {
  it('get addresses and initial bytes, addresses of later variables included', () => {
    const { memory, module } = load(`
@first = addrspace(1) global { i8, ptr, [2 x i16] } { i8 7, ptr addrspacecast (ptr addrspace(1) @second to ptr), [2 x i16] [i16 1, i16 -1] }, align 4
@second = addrspace(1) global i32 -2, align 4
define ptx_kernel void @k() {
  %a = load i32, ptr addrspace(1) @second
  %b = load i8, ptr addrspace(1) @first
  ret void
}`);
    const first = module.addresses.get('first')!;
    const second = module.addresses.get('second')!;
    const view = new DataView(memory.memory.buffer);
    expect(view.getUint8(first)).toBe(7);
    expect(view.getBigUint64(first + 8, true)).toBe(BigInt(second));
    expect([view.getInt16(first + 16, true), view.getInt16(first + 18, true)]).toEqual([1, -1]);
    expect(view.getInt32(second, true)).toBe(-2);
    expect(memory.find(second, 4)?.label).toBe('__device__ second');
  });

  it('that do not fit are refused', () => {
    expect(() =>
      load(`@huge = addrspace(1) global [3700000000 x i8] zeroinitializer
define ptx_kernel void @k() {
  %a = load i8, ptr addrspace(1) @huge
  ret void
}`),
    ).toThrow(ModuleTooLarge);
  });
});

describe('shared memory', () => {
  const { module } = load(`
@a = internal addrspace(3) global [8 x i32] undef, align 4
@b = internal addrspace(3) global [3 x i8] undef, align 1
@c = internal addrspace(3) global double undef, align 8
@dynamic = external addrspace(3) global [0 x i32], align 4
define void @uses() {
  store double 0.0, ptr addrspace(3) @c
  ret void
}
define ptx_kernel void @one() {
  store i32 0, ptr addrspace(3) @a
  store i8 0, ptr addrspace(3) @b
  call void @uses()
  ret void
}
define ptx_kernel void @two() {
  store i8 0, ptr addrspace(3) @b
  store i32 0, ptr addrspace(3) @dynamic
  ret void
}
define ptx_kernel void @three() {
  call void @uses()
  ret void
}`);

  it('holds what a kernel and its callees use, aligned and apart', () => {
    expect(module.sharedBytes.get('one')).toBe(48);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => module.addresses.get(name)!);
    expect([a, b, c]).toEqual([0, 32, 40]);
  });

  it('ends with the extern arrays, behind the static ones at a multiple of 16', () => {
    const staticBytes = module.sharedBytes.get('two')!;
    expect(staticBytes).toBe(35);
    expect(externSharedOffset(module, 'two')).toBe(48);
    expect(sharedLimit(module, 'two', 100)).toBe(148);
    expect(sharedLimit(module, 'two', 0)).toBe(35);
    expect(resolveSymbol(module, 'two', 'dynamic', 3)).toBe(48);
    expect(resolveSymbol(module, 'two', 'dynamic', 0)).toBe(SHARED_BASE + 48);
  });
});

describe('copies', () => {
  const ops = (ir: string): string[] =>
    lowerCopies(parseIr(HEADER + ir))
      .functions.get('k')!
      .blocks.flatMap((b) => b.instructions.map((i) => i.op));

  it('of a known size become loads before stores', () => {
    expect(
      ops(`declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
define ptx_kernel void @k(ptr %a, ptr %b) {
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %a, ptr align 4 %b, i32 10, i1 false)
  ret void
}`),
    ).toEqual([...Array(4).fill('getelementptr'), 'load', 'load', 'load', 'store', 'store', 'store', 'ret']);
  });

  it('move pointers and doubles of local variables whole', () => {
    const module = lowerCopies(
      lowerPointers(
        parseIr(`${HEADER}declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @k(ptr %a) {
  %v = alloca { ptr, i32, i32, double }, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %v, ptr align 8 %a, i64 24, i1 false)
  %p = load ptr, ptr %v, align 8
  %n = getelementptr i8, ptr %v, i64 12
  %i = load i32, ptr %n, align 4
  store i32 %i, ptr %p, align 4
  %d = getelementptr i8, ptr %v, i64 16
  %x = load double, ptr %d, align 8
  store double %x, ptr %p, align 8
  ret void
}`),
      ),
    );
    const instructions = module.functions.get('k')!.blocks.flatMap((b) => b.instructions);
    expect(instructions.filter(({ op }) => op === 'alloca')).toEqual([]);
    expect(instructions.flatMap((i) => (i.op === 'load' ? [typeName(i.type)] : []))).toEqual(['i64', 'i32', 'i32', 'i64']);
  });

  it('of unknown or large size stay calls', () => {
    expect(
      ops(`declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %a, ptr align 4 %b, i32 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %a, ptr align 4 %b, i32 4096, i1 false)
  ret void
}`),
    ).toEqual(['call', 'call', 'ret']);
  });

  it('through a local variable within a block need no memory for it', () => {
    expect(
      ops(`declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
define ptx_kernel void @k(ptr %a, ptr %b) {
  %v = alloca { float, float }, align 8
  call void @llvm.memcpy.p0.p0.i32(ptr align 8 %v, ptr align 4 %b, i32 8, i1 false)
  %y = getelementptr i8, ptr %v, i32 4
  %f = load float, ptr %y
  %g = fadd float %f, 1.0
  store float %g, ptr %y
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %a, ptr align 8 %v, i32 8, i1 false)
  ret void
}`),
    ).toEqual(['getelementptr', 'load', 'load', 'bitcast', 'fadd', 'getelementptr', 'freeze', 'bitcast', 'store', 'store', 'ret']);
  });

  it('through a local variable that is read in another block keep it', () => {
    expect(
      ops(`declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
define ptx_kernel void @k(ptr %a, ptr %b) {
  %v = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %v, ptr align 4 %b, i32 4, i1 false)
  br label %next
next:
  %x = load i32, ptr %v
  store i32 %x, ptr %a
  ret void
}`),
    ).toEqual(['alloca', 'load', 'store', 'br', 'load', 'store', 'ret']);
  });
});
