/** Parts of the estimate of a launch's time that hang on the IR alone. */
import { describe, expect, it } from 'vitest';
import { h200 } from '../../devices/h200.ts';
import { timingsOf } from '../../devices/timings.ts';
import { memoryRoots } from '../../simulator/ir/memory-roots.ts';
import { machineCode } from '../../simulator/timing/machine-code.ts';
import { sitesInRegisters } from '../../simulator/timing/register-arrays.ts';
import { registersOf } from '../../simulator/timing/registers.ts';
import { retryLoops } from '../../simulator/timing/retries.ts';
import { straightPieces } from '../../simulator/timing/straight-code.ts';
import { instructionsOf, kernel } from '../ir/ir-fixtures.ts';

/** A loop of so many rounds, with a compare-and-swap that expects `expected`; it ends by `condition`. */
const tries = (expected: string, condition: string) => `entry:
  br label %try
try:
  %i = phi i32 [ 0, %entry ], [ %next, %try ]
  %old = phi i32 [ 0, %entry ], [ %seen, %try ]
  %other = add i32 %i, %n
  %r = cmpxchg ptr %p, i32 ${expected}, i32 %n monotonic monotonic
  %seen = extractvalue { i32, i1 } %r, 0
  %done = extractvalue { i32, i1 } %r, 1
  %next = add i32 %i, 1
  %last = icmp sgt i32 %next, 100
  br i1 ${condition}, label %end, label %try
end:
  ret void`;

describe('what a launch is estimated with', () => {
  it('is a loop of tries where one ends by their success, and none where it counts', () => {
    const loops = (expected: string, condition: string) => retryLoops(kernel('ptr %p, i32 %n', tries(expected, condition)).fn).length;
    expect(loops('%old', '%done')).toBe(1);
    expect(loops('%other', '%last')).toBe(0);
  });

  it('knows tries that change nothing once the word has its largest value', () => {
    const settles = (value: string) => {
      const body = tries('%old', '%done').replace('i32 %n monotonic', 'i32 %new monotonic').replace('  %r =', `${value}\n  %r =`);
      return retryLoops(kernel('ptr %p, i32 %n', body).fn).map((loop) => loop.settles);
    };
    const floats = '%f = bitcast i32 %old to float\n  %g = bitcast i32 %n to float\n';
    const back = '\n  %new = bitcast float %h to i32';
    expect(settles(`  ${floats}  %h = call float @llvm.maxnum.f32(float %g, float %f)${back}`)).toEqual([true]);
    expect(settles(`  ${floats}  %h = fadd float %g, %f${back}`)).toEqual([false]);
    expect(settles('  %less = icmp slt i32 %old, %n\n  %new = select i1 %less, i32 %n, i32 %old')).toEqual([true]);
    expect(settles('  %new = or i32 %old, %n')).toEqual([true]);
    expect(settles('  %new = add i32 %old, %n')).toEqual([false]);
  });

  it('has both sides of a predicated branch and of a condition that comes again in one piece with what follows', () => {
    const body = (second: string) => `entry:
  %x = load i32, ptr %p
  %c = icmp eq i32 %n, 3
  %d = icmp eq i32 %n, 4
  br i1 %c, label %one, label %join
one:
  %y = add i32 %x, 1
  br label %join
join:
  %z = phi i32 [ %x, %entry ], [ %y, %one ]
  br i1 ${second}, label %two, label %end
two:
  store i32 %z, ptr %p
  br label %end
end:
  store i32 %n, ptr %p
  ret void`;
    const pieces = (second: string, predicated: readonly number[], executions: readonly number[]) => {
      const { fn } = kernel('ptr %p, i32 %n', body(second));
      const ends = fn.blocks.map(({ instructions }) => instructions.at(-1)!.site);
      return straightPieces(fn, new Set(predicated.map((block) => ends[block])), executions).map((piece) =>
        piece.map(({ index }) => index),
      );
    };
    const all = [1, 1, 1, 1, 1];
    expect(pieces('%d', [], all)).toEqual([[0], [1], [2], [3], [4]]);
    expect(pieces('%d', [0], all)).toEqual([[0, 1, 2], [3], [4]]);
    expect(pieces('%c', [], all)).toEqual([[0, 1, 2, 3, 4]]);
    // A side that few warps come to is waited for by those alone.
    expect(pieces('%c', [], [10, 1, 10, 1, 10])).toEqual([[0, 2, 4], [1], [3]]);
  });

  it('has arrays in registers whose indices are constants once short loops are written out', () => {
    const rounds = (bound: string) => `entry:
  %own = alloca [9 x float], align 4
  br label %next
next:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %at = getelementptr float, ptr %own, i32 %i
  store float 1.0, ptr %at
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, ${bound}
  br i1 %more, label %next, label %end
end:
  %first = load float, ptr %own
  store float %first, ptr %p
  ret void`;
    const kept = (bound: string) => {
      const { fn, module } = kernel('ptr %p, i32 %n', rounds(bound));
      return sitesInRegisters(
        fn,
        memoryRoots(fn, (name) => module.globals.get(name)?.space),
      ).size;
    };
    expect(kept('9')).toBe(2);
    expect(kept('%n')).toBe(0);
  });

  it('has the instructions that nvcc makes of functions of doubles', () => {
    const body = `  %x = load double, ptr %p
  %e = call double @__nv_exp(double %x)
  store double %e, ptr %p
  ret void`;
    const { fn, module } = kernel('ptr %p', body, 'declare double @__nv_exp(double)\n');
    const { site } = instructionsOf(fn).find(({ op }) => op === 'call')!;
    const { issues, visits } = machineCode(fn, module, timingsOf(h200))[site];
    expect(issues).toBe(55);
    expect(issues * visits!).toBeCloseTo(17);
  });

  it('has one instruction for a conversion to 8 or 16 bits, and none of the special function units', () => {
    const body = `  %x = load float, ptr %p
  %h = fptrunc float %x to half
  %b = fptrunc float %x to bfloat
  %w = fpext half %h to float
  %e = call i32 @__lanewise_fp8_pair(float %x, float %w, i32 0, i32 1)
  %i = fptosi float %x to i32
  store i32 %e, ptr %p
  store bfloat %b, ptr %p
  store i32 %i, ptr %p
  ret void`;
    const { fn, module } = kernel('ptr %p', body, 'declare i32 @__lanewise_fp8_pair(float, float, i32, i32)\n');
    const costs = machineCode(fn, module, timingsOf(h200));
    const converting = instructionsOf(fn).filter(({ op }) => ['fptrunc', 'fpext', 'call', 'fptosi'].includes(op));
    expect(converting.map(({ site }) => costs[site].issues)).toEqual([1, 1, 1, 1, 1]);
    expect(converting.map(({ site }) => costs[site].pipe === 'special')).toEqual([false, false, false, false, true]);
  });

  it('has the few instructions of approximate functions', () => {
    const body = `  %x = load float, ptr %p
  %e = call float @__nv_fast_expf(float %x)
  %s = call float @__nv_fast_sinf(float %e)
  store float %s, ptr %p
  ret void`;
    const { fn, module } = kernel('ptr %p', body, 'declare float @__nv_fast_expf(float)\ndeclare float @__nv_fast_sinf(float)\n');
    const costs = machineCode(fn, module, timingsOf(h200));
    const calls = instructionsOf(fn).filter(({ op }) => op === 'call');
    expect(calls.map(({ site }) => [costs[site].issues, costs[site].special])).toEqual([
      [5, 1],
      [2, 1],
    ]);
  });

  it('has 32 registers where a few more values are live, and more only where many are', () => {
    const registers = (values: number) => {
      const index = Array.from({ length: values }, (_, k) => k);
      const loads = index.map((k) => `  %a${k} = getelementptr i32, ptr %p, i32 ${k}\n  %v${k} = load i32, ptr %a${k}`);
      const stores = index.map((k) => `  %b${k} = getelementptr i32, ptr %q, i32 ${k}\n  store i32 %v${k}, ptr %b${k}`);
      const { fn, module } = kernel('ptr %p, ptr %q', [...loads, ...stores, '  ret void'].join('\n'));
      return registersOf(fn, module, h200.registersPerBlock);
    };
    expect(registers(4)).toBe(16);
    expect(registers(14)).toBeGreaterThan(22);
    expect(registers(14)).toBeLessThan(32);
    expect(registers(30)).toBe(32);
    expect(registers(45)).toBe(32);
    expect(registers(100)).toBeGreaterThan(64);
    expect(registers(100)).toBeLessThan(100);
  });
});
