/** 16-bit floats as compiled code computes them: bit for bit as the interpreter, in each lane and where all lanes share operands. */
import { expect, it } from 'vitest';
import { createCompiler } from '../../simulator/compiler/engine.ts';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import { machine } from '../interpreter/engine-harness.ts';

const PREDICATES = ['oeq', 'ogt', 'oge', 'one', 'ord', 'ueq', 'ult', 'ule', 'une', 'uno'];
const BINARY = ['fadd', 'fsub', 'fmul', 'fdiv'];

/** A word becomes two halves (its own halves), a single and a bfloat; each result is a word of the output. */
const RESULTS: readonly string[] = [
  ...BINARY.map((op) => `%r = ${op} half %a, %b\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32`),
  ...PREDICATES.map((predicate) => `%r = fcmp ${predicate} half %a, %b\n%o = zext i1 %r to i32`),
  '%r = fpext half %a to float\n%o = bitcast float %r to i32',
  '%r = fpext bfloat %c to float\n%o = bitcast float %r to i32',
  '%r = fptrunc float %f to half\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32',
  '%r = fptrunc float %f to bfloat\n%w = bitcast bfloat %r to i16\n%o = zext i16 %w to i32',
  ...['sitofp', 'uitofp'].map((op) => `%r = ${op} i32 %word to half\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32`),
  ...['fptosi', 'fptoui'].map((op) => `%o = ${op} half %a to i32`),
];

const named = (text: string, k: number) => text.replace(/%(r|w|o)\b/g, `%$1${k}`);

/** `place`: where a thread's word lies. */
const kernel = (place: string): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 256
  %thread = add i32 %first, %tid
  %at = getelementptr i32, ptr %in, i32 ${place}
  %word = load i32, ptr %at, align 4
  %low = trunc i32 %word to i16
  %shifted = lshr i32 %word, 16
  %high = trunc i32 %shifted to i16
  %a = bitcast i16 %low to half
  %b = bitcast i16 %high to half
  %c = bitcast i16 %low to bfloat
  %f = bitcast i32 %word to float
  %own = mul i32 ${place}, ${RESULTS.length}
${RESULTS.map((text, k) => `${named(text, k)}\n%at${k} = add i32 %own, ${k}\n%to${k} = getelementptr i32, ptr %out, i32 %at${k}\nstore i32 %o${k}, ptr %to${k}, align 4`).join('\n')}
  ret void
}`;

/** Halves at the borders of their ranges with each other; singles about what rounds to them; numbers of all sizes. */
function words(): number[] {
  const borders = [0, 1, 2, 0x3ff, 0x400, 0x401, 0x3bff, 0x3c00, 0x3c01, 0x57ff, 0x7bfe, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7f81, 0x7fff];
  const halves = borders.flatMap((bits) => [bits, bits | 0x8000]);
  const pairs = halves.flatMap((a) => halves.map((b) => a | (b << 16)));
  const singles = [0x33000000, 0x33800000, 0x387fc000, 0x387fe000, 0x38800000, 0x477fe000, 0x477ff000, 0x47800000, 0x4b800000, 0x7f7fffff];
  const around = singles.flatMap((bits) =>
    [-1, 0, 1, 0x1000, 0x1001, 0x3000, 0x8000, 0x18000].flatMap((by) => [bits + by, (bits + by) | 0x80000000]),
  );
  const spread = Array.from(
    { length: 4096 - pairs.length - around.length },
    (_, k) => Math.imul(k + 1, 0x9e3779b1) >>> (k % 3 === 0 ? k % 20 : 0),
  );
  return [...pairs, ...around, ...spread].map((word) => word | 0);
}

function results(create: Parameters<typeof machine>[0], ir: string, inputs: readonly number[], grid: number, block: number): number[] {
  const m = machine(create, ir);
  const [input, output] = [m.words(inputs.length), m.words(inputs.length * RESULTS.length)];
  m.write(input, inputs);
  expect(m.launch('k', { grid, block, args: [input, output] }).fault).toBeUndefined();
  const all = m.read(output, inputs.length * RESULTS.length);
  m.engine.close();
  return all;
}

it.each([
  ['in each lane', '%thread', 256],
  ['where all lanes share operands', '%first', 1],
])('%s', (_, place, block) => {
  const ir = kernel(place);
  const inputs = words();
  const [grid, fast] = [
    inputs.length / 256,
    (options: Parameters<typeof createInterpreter>[0]) => createCompiler({ fallback: interpreter, workers: 0 }, options),
  ];
  const expected = results(createInterpreter, ir, inputs, grid, block);
  const actual = results(fast, ir, inputs, grid, block);
  const at = expected.findIndex((word, k) => word !== actual[k]);
  const wrong = at < 0 ? undefined : { word: inputs[Math.floor(at / RESULTS.length)], code: RESULTS[at % RESULTS.length], got: actual[at] };
  expect(wrong).toBeUndefined();
  expect(new Set(expected).size).toBeGreaterThan(block);
  // None of it is left to the interpreter.
  expect(compileKernel(machine(createInterpreter, ir).module, 'k').steps).toEqual([]);
});
