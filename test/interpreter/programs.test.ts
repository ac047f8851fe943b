/** Calls, recursion, local memory, printf, the heap, parameters, faults and limits. */
import { describe, expect, it } from 'vitest';
import { FIELD, SITE_FIELDS } from '../../simulator/counters/site-counters.ts';
import { LOCAL_BASE, SHARED_BASE } from '../../simulator/ir/address-map.ts';
import { UnsupportedIr } from '../../simulator/ir/types.ts';
import type { CreateEngine, LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { ENGINES, machine } from './engine-harness.ts';
import { DECLARATIONS, perThread } from './kernels.ts';

const lanes = Array.from({ length: 32 }, (_, lane) => lane);

function run(
  createEngine: CreateEngine,
  body: string,
  { threads = 32, functions = '', limit = undefined as number | undefined } = {},
): { values: number[]; outcome: LaunchOutcome } {
  const m = machine(createEngine, perThread(body) + functions, { warpInstructions: limit });
  const out = m.words(threads, 'cudaMalloc out');
  const outcome = m.launch('k', { block: threads, args: [out] });
  const values = m.read(out, threads);
  m.engine.close();
  return { values, outcome };
}

function text(outcome: LaunchOutcome): string {
  return new TextDecoder().decode(outcome.output);
}

describe.each(ENGINES)('%s', (_, createEngine) => {
  it('calls recursive functions with as many activations as each lane needs', () => {
    const { values, outcome } = run(createEngine, '  %n = and i32 %tid, 15\n  %value = call i32 @fib(i32 %n)', {
      functions: `
define i32 @fib(i32 %n) {
  %small = icmp ult i32 %n, 2
  br i1 %small, label %base, label %more
base:
  ret i32 %n
more:
  %a = sub i32 %n, 1
  %x = call i32 @fib(i32 %a)
  %b = sub i32 %n, 2
  %y = call i32 @fib(i32 %b)
  %s = add i32 %x, %y
  ret i32 %s
}`,
    });
    const fib = (n: number): number => (n < 2 ? n : fib(n - 1) + fib(n - 2));
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(lanes.map((l) => fib(l & 15)));
  });

  it('calls through pointers that differ between lanes', () => {
    const { values } = run(
      createEngine,
      `  %odd = trunc i32 %tid to i1
  %f = select i1 %odd, ptr @double, ptr @negate
  %r = call i32 %f(i32 %tid)
  %m = call i32 @llvm.nvvm.activemask()
  %whole = icmp eq i32 %m, -1
  %value = select i1 %whole, i32 %r, i32 -1000`,
      {
        functions: `
define i32 @double(i32 %n) {
  %r = mul i32 %n, 2
  ret i32 %r
}
define i32 @negate(i32 %n) {
  %r = sub i32 0, %n
  ret i32 %r
}`,
      },
    );
    expect(values).toEqual(lanes.map((l) => (l % 2 ? 2 * l : 0 - l)));
  });

  it('gives each lane its own local array and counts its accesses', () => {
    const { values, outcome } = run(
      createEngine,
      `  %array = alloca [8 x i32], align 4
  %k = and i32 %tid, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %slot = getelementptr [8 x i32], ptr %array, i32 0, i32 %i
  %v = mul i32 %i, %tid
  store i32 %v, ptr %slot
  %n = add i32 %i, 1
  %again = icmp ult i32 %n, 8
  br i1 %again, label %loop, label %exit
exit:
  %pick = getelementptr [8 x i32], ptr %array, i32 0, i32 %k
  %value = load i32, ptr %pick`,
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(lanes.map((l) => (l & 7) * l));
    const rows = outcome.counters.get('k')!.data;
    let requests = 0;
    let sectors = 0;
    for (let row = 0; row < rows.length; row += SITE_FIELDS.length) {
      requests += rows[row + FIELD.localRequests];
      sectors += rows[row + FIELD.localSectors];
    }
    // Eight stores at one offset in all lanes: 4 sectors each. The load goes to 8 different words: one sector per 8 neighbouring
    // lanes and word they touch, 32 in all.
    expect(requests).toBe(9);
    expect(sectors).toBe(8 * 4 + 32);
  });

  it('passes structures by value as copies', () => {
    const { values } = run(
      createEngine,
      `  %s = alloca { i32, i32 }, align 4
  store i32 %tid, ptr %s
  %second = getelementptr { i32, i32 }, ptr %s, i32 0, i32 1
  store i32 5, ptr %second
  %r = call i32 @spoil(ptr byval({ i32, i32 }) align 4 %s)
  %after = load i32, ptr %s
  %x = mul i32 %r, 1000
  %value = add i32 %x, %after`,
      {
        functions: `
define i32 @spoil(ptr byval({ i32, i32 }) align 4 %s) {
  %a = load i32, ptr %s
  store i32 -7, ptr %s
  %second = getelementptr { i32, i32 }, ptr %s, i32 0, i32 1
  %b = load i32, ptr %second
  %r = add i32 %a, %b
  ret i32 %r
}`,
      },
    );
    expect(values).toEqual(lanes.map((l) => (l + 5) * 1000 + l));
  });

  it('reads parameters of every size', () => {
    const m = machine(
      createEngine,
      `define ptx_kernel void @p(ptr %out, i8 %a, i64 %b, double %c, ptr byval({ i32, i16 }) align 4 %d) {
  %x = zext i8 %a to i32
  store i32 %x, ptr %out
  %o1 = getelementptr i8, ptr %out, i32 8
  store i64 %b, ptr %o1
  %o2 = getelementptr i8, ptr %out, i32 16
  store double %c, ptr %o2
  %f = getelementptr i8, ptr %d, i32 4
  %y = load i16, ptr %f
  %z = sext i16 %y to i32
  %o3 = getelementptr i8, ptr %out, i32 24
  store i32 %z, ptr %o3
  ret void
}`,
    );
    const out = m.words(8);
    const struct = new Uint8Array(8);
    new DataView(struct.buffer).setInt16(4, -9, true);
    const args = [
      out,
      Uint8Array.of(200),
      new Uint8Array(BigInt64Array.of(-5n).buffer),
      new Uint8Array(Float64Array.of(0.5).buffer),
      struct,
    ];
    const outcome = m.launch('p', { block: 1, args });
    expect(outcome.fault).toBeUndefined();
    expect(m.read(out, 7)).toEqual([200, 0, -5, -1, 0, 0x3fe00000, -9]);
  });

  it('prints lane by lane in the order of the arguments', () => {
    const ir = `${DECLARATIONS}
@f = internal constant [23 x i8] c"%d:%5.2f|%-4s|%llx|%c\\0A\\00"
@s = internal constant [3 x i8] c"ab\\00"
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = alloca { i32, double, ptr, i64, i32 }, align 8
  store i32 %tid, ptr %b
  %b1 = getelementptr i8, ptr %b, i32 8
  store double 2.5, ptr %b1
  %b2 = getelementptr i8, ptr %b, i32 16
  store ptr @s, ptr %b2
  %b3 = getelementptr i8, ptr %b, i32 24
  store i64 68719476735, ptr %b3
  %b4 = getelementptr i8, ptr %b, i32 32
  store i32 33, ptr %b4
  %r = call i32 @vprintf(ptr @f, ptr %b)
  ret void
}`;
    const m = machine(createEngine, ir);
    const outcome = m.launch('k', { block: 3 });
    expect(outcome.fault).toBeUndefined();
    expect(text(outcome)).toBe('0: 2.50|ab  |fffffffff|!\n1: 2.50|ab  |fffffffff|!\n2: 2.50|ab  |fffffffff|!\n');
  });

  it('allocates and frees on the device', () => {
    const { values, outcome } = run(
      createEngine,
      `  %p = call ptr @malloc(i32 4)
  store i32 %tid, ptr %p
  %value = load i32, ptr %p
  call void @free(ptr %p)`,
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(lanes);
  });

  it('copies and fills memory', () => {
    const { values } = run(
      createEngine,
      `  %a = alloca [5 x i32], align 4
  %b = alloca [5 x i32], align 4
  call void @llvm.memset.p0.i32(ptr align 4 %a, i8 1, i32 20, i1 false)
  %a3 = getelementptr i32, ptr %a, i32 3
  store i32 %tid, ptr %a3
  %n = add i32 %tid, 12
  %most = call i32 @llvm.umin.i32(i32 %n, i32 20)
  call void @llvm.memset.p0.i32(ptr align 4 %b, i8 0, i32 20, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %b, ptr align 4 %a, i32 %most, i1 false)
  %b3 = getelementptr i32, ptr %b, i32 3
  %x = load i32, ptr %b3
  %y = load i32, ptr %b
  %value = add i32 %x, %y`,
      { functions: 'declare i32 @llvm.umin.i32(i32, i32)' },
    );
    expect(values).toEqual(lanes.map((l) => 0x01010101 + (l < 1 ? 0 : l)));
  });

  describe('faults', () => {
    it('name the allocation behind whose end a thread writes', () => {
      const { outcome } = run(
        createEngine,
        `  %far = getelementptr i32, ptr %out, i32 32
  %c = icmp eq i32 %tid, 5
  %p = select i1 %c, ptr %far, ptr %at
  store i32 1, ptr %p
  %value = add i32 0, 0`,
      );
      expect(outcome.fault).toMatchObject({ kind: 'out-of-bounds', kernel: 'k', block: [0, 0, 0], thread: [5, 0, 0] });
      expect(outcome.fault!.message).toContain('cudaMalloc out (128 bytes');
      expect(outcome.fault!.message).toContain('write of 4 bytes');
    });

    it('are where the kernel uses what the compiler has moved out of a loop, which has no line of its own', () => {
      const { outcome } = run(
        createEngine,
        `  %far = getelementptr i32, ptr %out, i32 32
  %moved = load i32, ptr %far
  br label %next
next:
  %value = add i32 %moved, 1, !dbg !10`,
        {
          functions: `
!10 = !DILocation(line: 7, column: 3, scope: !11)
!11 = distinct !DISubprogram(name: "k", scope: !12, file: !12, line: 5)
!12 = !DIFile(filename: "a.cu", directory: "/t")`,
        },
      );
      expect(outcome.fault).toMatchObject({ kind: 'out-of-bounds', location: { line: 7 } });
    });

    it.each([
      { name: 'a null pointer', pointer: 'null', message: 'null pointer' },
      { name: 'a host pointer', pointer: 'inttoptr (i32 70000 to ptr)', message: 'host memory' },
      { name: 'local memory that nobody has', pointer: `inttoptr (i64 ${LOCAL_BASE + 0x100000} to ptr)`, message: 'local memory' },
      { name: 'shared memory of a kernel without', pointer: `inttoptr (i64 ${SHARED_BASE} to ptr)`, message: 'no shared memory' },
    ])('say so of $name', ({ pointer, message }) => {
      const { outcome } = run(createEngine, `  %value = load i32, ptr ${pointer}`);
      expect(outcome.fault?.kind).toBe('out-of-bounds');
      expect(outcome.fault?.message).toContain(message);
    });

    it('of misaligned accesses', () => {
      const { outcome } = run(createEngine, '  %odd = getelementptr i8, ptr %out, i32 2\n  %value = load i32, ptr %odd, align 4');
      expect(outcome.fault).toMatchObject({ kind: 'misaligned', thread: [0, 0, 0] });
    });

    it('of misaligned vectors, which hardware moves at once however the IR splits them', () => {
      const parts = [0, 4, 8, 12].map(
        (offset, part) => `  %p${part} = getelementptr i8, ptr %four, i32 ${offset}
  %v${part} = load float, ptr %p${part}, align ${[16, 4, 8, 4][part]}`,
      );
      const sums = '  %a = fadd float %v0, %v1\n  %b = fadd float %v2, %v3\n  %c = fadd float %a, %b\n  %value = fptosi float %c to i32';
      const load = (offset: number) => `  %four = getelementptr i8, ptr %out, i32 ${offset}\n${parts.join('\n')}\n${sums}`;
      expect(run(createEngine, load(16)).outcome.fault).toBeUndefined();
      const { fault } = run(createEngine, load(4)).outcome;
      expect(fault).toMatchObject({ kind: 'misaligned', thread: [0, 0, 0] });
      expect(fault!.message).toContain('misaligned read of 16 bytes');
    });

    it('of misaligned words of shared memory behind aligned ones of the same pattern', () => {
      const { outcome } = run(
        createEngine,
        `  %own = mul i32 %tid, 8
  br label %again
again:
  %offset = phi i32 [ 0, %entry ], [ %next, %again ]
  %byte = add i32 %own, %offset
  %p = getelementptr i8, ptr addrspace(3) @words, i32 %byte
  %d = load double, ptr addrspace(3) %p, align 8
  %next = add i32 %offset, 4
  %more = icmp ult i32 %next, 8
  br i1 %more, label %again, label %end
end:
  %value = fptosi double %d to i32`,
        { functions: '@words = internal addrspace(3) global [64 x double] undef, align 16' },
      );
      expect(outcome.fault).toMatchObject({ kind: 'misaligned', thread: [0, 0, 0] });
    });

    it('of endless recursion', () => {
      const { outcome } = run(createEngine, '  %value = call i32 @down(i32 %tid)', {
        functions: 'define i32 @down(i32 %n) {\n  %m = add i32 %n, 1\n  %r = call i32 @down(i32 %m)\n  %s = add i32 %r, 1\n  ret i32 %s\n}',
      });
      expect(outcome.fault).toMatchObject({ kind: 'stack-overflow' });
    });

    it('of endless loops, at the step limit', () => {
      const { outcome } = run(createEngine, '  br label %forever\nforever:\n  br label %forever\nnever:\n  %value = add i32 0, 0', {
        limit: 5000,
      });
      expect(outcome.fault).toMatchObject({ kind: 'step-limit' });
      expect(outcome.fault!.message).toContain('5000');
    });

    it('of waiting for ever', () => {
      const { outcome } = run(
        createEngine,
        `  br label %wait
wait:
  %flag = load volatile i32, ptr addrspace(1) @lock
  %ready = icmp ne i32 %flag, 0
  br i1 %ready, label %exit, label %wait
exit:
  %value = add i32 %flag, 0`,
        { limit: 5000 },
      );
      expect(outcome.fault).toMatchObject({ kind: 'step-limit' });
    });

    it('of traps', () => {
      const { outcome } = run(createEngine, '  call void @llvm.trap()\n  %value = add i32 0, 0');
      expect(outcome.fault).toMatchObject({ kind: 'trap' });
    });

    it('of barriers that never open', () => {
      const ir = `${DECLARATIONS}
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
define ptx_kernel void @k() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 96)
  ret void
}`;
      const outcome = machine(createEngine, ir).launch('k', { block: 64 });
      expect(outcome.fault).toMatchObject({ kind: 'barrier' });
      expect(outcome.fault!.message).toContain('64 of 64 threads');
    });

    it('of assertions that fail', () => {
      const ir = `${DECLARATIONS}
@c = internal constant [6 x i8] c"x > 0\\00"
@file = internal constant [5 x i8] c"a.cu\\00"
@fn = internal constant [4 x i8] c"k()\\00"
define ptx_kernel void @k() {
  call void @__assertfail(ptr @c, ptr @file, i32 12, ptr @fn, i32 1)
  unreachable
}`;
      const outcome = machine(createEngine, ir).launch('k', { block: 1 });
      expect(outcome.fault).toMatchObject({ kind: 'assert', message: 'assertion `x > 0` failed' });
      // The runtime prints the message to the host's stderr.
      expect(text(outcome)).toBe('');
    });
  });

  it('refuses functions that it does not know, by name', () => {
    const call = () => run(createEngine, '  %value = call i32 @mystery(i32 1)', { functions: 'declare i32 @mystery(i32)' });
    expect(call).toThrow(UnsupportedIr);
    expect(call).toThrow(/mystery/);
  });

  it('gives the same bytes each time', () => {
    const once = () => run(createEngine, '  %value = atomicrmw add ptr addrspace(1) @count, i32 3 monotonic', { threads: 96 });
    const [a, b] = [once(), once()];
    expect(a.values).toEqual(b.values);
    expect(a.outcome.counters.get('k')!.data).toEqual(b.outcome.counters.get('k')!.data);
  });
});
