/** Structures passed by value, to kernels and to functions that are called: both engines agree, and reading them keeps no kernel on one thread. */
import { expect, it } from 'vitest';
import { type CompilerEngine, createCompiler } from '../../simulator/compiler/engine.ts';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import type { CreateEngine } from '../../simulator/scheduling/engine.ts';
import { machine } from '../interpreter/engine-harness.ts';

const THREADS = 64;
const BLOCKS = 3;

/** `%struct.S` is a pointer to the output, a word, four words and a byte; the body stores its result %v at %to. */
function kernel(body: string, functions = ''): string {
  return `
%struct.S = type { ptr, i32, [4 x i32], i8 }
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
${functions}
define ptx_kernel void @k(i32 %n, ptr byval(%struct.S) align 8 %s) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %bid, %ntid
  %thread = add i32 %first, %tid
  %out = load ptr, ptr %s, align 8
  %to = getelementptr i32, ptr %out, i32 %thread
${body}
  store i32 %v, ptr %to, align 4
  ret void
}`;
}

const FIELD = '  %f = getelementptr i8, ptr %s, i32 8\n  %x = load i32, ptr %f, align 4\n';
const CALLEE = `define internal i32 @f(ptr byval(%struct.S) align 8 %t, i32 %y) noinline {
  %f = getelementptr i8, ptr %t, i32 8
  %x = load i32, ptr %f, align 4
  %sum = add i32 %x, %y
  store i32 %sum, ptr %f, align 4
  %last = getelementptr i8, ptr %t, i32 28
  %c = load i8, ptr %last, align 4
  %w = zext i8 %c to i32
  %again = load i32, ptr %f, align 4
  %r = mul i32 %again, %w
  ret i32 %r
}`;

const KERNELS: Readonly<Record<string, string>> = {
  'fields that all lanes share': kernel(`${FIELD}  %v = add i32 %x, %thread`),
  'a field of some lanes': kernel(`  %odd = trunc i32 %tid to i1
  br i1 %odd, label %some, label %end
some:
${FIELD}  br label %end
end:
  %v = phi i32 [ 7, %entry ], [ %x, %some ]`),
  'an element for each lane': kernel(`  %low = and i32 %tid, 3
  %o = shl i32 %low, 2
  %o2 = add i32 %o, 12
  %f = getelementptr i8, ptr %s, i32 %o2
  %v = load i32, ptr %f, align 4`),
  'a structure that is written to': kernel(`${FIELD}  %y = add i32 %x, %tid
  store i32 %y, ptr %f, align 4
  %g = getelementptr i8, ptr %s, i32 8
  %v = load i32, ptr %g, align 4`),
  'a structure that goes on to a function, which changes its copy': kernel(
    `  %r = call i32 @f(ptr byval(%struct.S) align 8 %s, i32 %tid)
${FIELD}  %v = add i32 %r, %x`,
    CALLEE,
  ),
  'a structure of each lane, for a function that some call': kernel(
    `  %own = alloca %struct.S, align 8
  %a = getelementptr i8, ptr %own, i32 8
  store i32 %thread, ptr %a, align 4
  %b = getelementptr i8, ptr %own, i32 28
  store i8 9, ptr %b, align 4
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %some, label %end
some:
  %r = call i32 @f(ptr byval(%struct.S) align 8 %own, i32 100)
  br label %end
end:
  %w = phi i32 [ 7, %entry ], [ %r, %some ]
  %x = load i32, ptr %a, align 4
  %v = add i32 %w, %x`,
    CALLEE,
  ),
  'a field outside the structure': kernel('  %f = getelementptr i8, ptr %s, i32 400000\n  %v = load i32, ptr %f, align 4'),
};

function outcome(createEngine: CreateEngine, ir: string) {
  const m = machine(createEngine, ir);
  const out = m.words(THREADS * BLOCKS);
  const structure = new Uint8Array(Int32Array.of(out, 0, 1000, 11, 22, 33, 44, 5).buffer);
  const { fault, counters } = m.launch('k', { grid: BLOCKS, block: THREADS, args: [3, structure] });
  const result = { fault, counters: [...counters].map(([name, { data }]) => [name, [...data]]), memory: m.read(out, THREADS * BLOCKS) };
  m.engine.close();
  return result;
}

it.each(Object.entries(KERNELS))('%s', (_, ir) => {
  const interpreted = outcome(createInterpreter, ir);
  const compiled = outcome((options) => createCompiler({ fallback: interpreter, workers: 0 }, options), ir);
  const m = machine(createInterpreter, ir);
  expect(compileKernel(m.module, 'k').steps).toEqual([]);
  if (interpreted.fault) expect(compiled.fault).toMatchObject({ kind: interpreted.fault.kind, block: [0, 0, 0], thread: [0, 0, 0] });
  else expect(compiled).toEqual(interpreted);
});

it('a pointer in a structure keeps no kernel on one thread', () => {
  let engine: CompilerEngine | undefined;
  const m = machine((options) => {
    engine = createCompiler({ fallback: interpreter, workers: 1, parallelWarps: 1 }, options);
    engine.warmUp();
    return engine;
  }, KERNELS['fields that all lanes share']);
  const out = m.words(THREADS * BLOCKS);
  const structure = new Uint8Array(Int32Array.of(out, 0, 1000, 11, 22, 33, 44, 5).buffer);
  expect(m.launch('k', { grid: BLOCKS, block: THREADS, args: [3, structure] }).fault).toBeUndefined();
  expect(engine!.helpers).toBe(1);
  expect(m.read(out, THREADS * BLOCKS)).toEqual(Array.from({ length: THREADS * BLOCKS }, (_, thread) => 1000 + thread));
  m.engine.close();
});
