/** 16-bit floats as compiled code computes them: bit for bit as the interpreter, in each lane and where all lanes share operands. */
import { expect, it } from 'vitest';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { machine } from '../interpreter/engine-harness.ts';
import { wordsOfEngines } from './word-kernels.ts';

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
  ...[
    ['%a', '%b', '%c16'],
    ['%b', '%a', '%a'],
    ['%a', '%a', '%negative'],
  ].map(
    ([a, b, c]) => `%r = call half @llvm.fma.f16(half ${a}, half ${b}, half ${c})\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32`,
  ),
  ...['minnum', 'maxnum'].map(
    (name) => `%r = call half @llvm.${name}.f16(half %a, half %b)\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32`,
  ),
  ...['half', 'bfloat'].map((type) => {
    const suffix = type === 'half' ? 'f16' : 'bf16';
    return `%r = call ${type} @llvm.fabs.${suffix}(${type} ${type === 'half' ? '%a' : '%c'})\n%w = bitcast ${type} %r to i16\n%o = zext i16 %w to i32`;
  }),
  '%r = call half @llvm.copysign.f16(half %a, half %b)\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32',
  '%r = call float @llvm.copysign.f32(float %f, float %g)\n%o = bitcast float %r to i32',
  '%r = call float @llvm.round.f32(float %g)\n%o = bitcast float %r to i32',
  '%r = call float @llvm.fabs.f32(float %g)\n%o = bitcast float %r to i32',
  ...['copysign.f64(double %close, double %wide)', 'round.f64(double %scaled)', 'fabs.f64(double %wide)'].map(
    (call) =>
      `%r = call double @llvm.${call}\n%w = bitcast double %r to i64\n%x = lshr i64 %w, 32\n%t = xor i64 %w, %x\n%o = trunc i64 %t to i32`,
  ),
  ...['sqrt', 'floor', 'rint'].map(
    (name) => `%r = call half @llvm.${name}.f16(half %a)\n%w = bitcast half %r to i16\n%o = zext i16 %w to i32`,
  ),
  ...BINARY.map((op) => `%r = ${op} bfloat %c, %d\n%w = bitcast bfloat %r to i16\n%o = zext i16 %w to i32`),
  ...PREDICATES.map((predicate) => `%r = fcmp ${predicate} bfloat %c, %d\n%o = zext i1 %r to i32`),
  ...[
    ['%c', '%d', '%e'],
    ['%c', '%c', '%d'],
  ].map(
    ([a, b, c]) =>
      `%r = call bfloat @llvm.fma.bf16(bfloat ${a}, bfloat ${b}, bfloat ${c})\n%w = bitcast bfloat %r to i16\n%o = zext i16 %w to i32`,
  ),
  ...['minnum', 'maxnum'].map(
    (name) => `%r = call bfloat @llvm.${name}.bf16(bfloat %c, bfloat %d)\n%w = bitcast bfloat %r to i16\n%o = zext i16 %w to i32`,
  ),
  ...['sitofp', 'uitofp'].map((op) => `%r = ${op} i32 %word to bfloat\n%w = bitcast bfloat %r to i16\n%o = zext i16 %w to i32`),
  ...['fptosi', 'fptoui'].map((op) => `%o = ${op} bfloat %c to i32`),
  ...['half', 'bfloat'].flatMap((type) => [
    `%r = fptrunc double %wide to ${type}\n%w = bitcast ${type} %r to i16\n%o = zext i16 %w to i32`,
    `%r = fptrunc double %close to ${type}\n%w = bitcast ${type} %r to i16\n%o = zext i16 %w to i32`,
    `%r = fpext ${type} ${type === 'half' ? '%a' : '%c'} to double\n%w = bitcast double %r to i64\n%x = lshr i64 %w, 29\n%o = trunc i64 %x to i32`,
  ]),
];

const named = (text: string, k: number) => text.replace(/%(r|w|x|t|o)\b/g, `%$1${k}`);

/** `place`: where a thread's word lies. */
const kernel = (place: string): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare half @llvm.fma.f16(half, half, half)
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
declare half @llvm.minnum.f16(half, half)
declare half @llvm.maxnum.f16(half, half)
declare bfloat @llvm.minnum.bf16(bfloat, bfloat)
declare bfloat @llvm.maxnum.bf16(bfloat, bfloat)
declare half @llvm.sqrt.f16(half)
declare half @llvm.fabs.f16(half)
declare bfloat @llvm.fabs.bf16(bfloat)
declare half @llvm.copysign.f16(half, half)
declare float @llvm.copysign.f32(float, float)
declare float @llvm.round.f32(float)
declare float @llvm.fabs.f32(float)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.round.f64(double)
declare double @llvm.fabs.f64(double)
declare half @llvm.floor.f16(half)
declare half @llvm.rint.f16(half)
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
  %d = bitcast i16 %high to bfloat
  %mixed = mul i32 %word, -1640531527
  %third = lshr i32 %mixed, 16
  %thirdLow = trunc i32 %third to i16
  %c16 = bitcast i16 %thirdLow to half
  %e = bitcast i16 %thirdLow to bfloat
  %product = fmul half %a, %a
  %negative = fneg half %product
  %wideWord = zext i32 %word to i64
  %wideHigh = shl i64 %wideWord, 32
  %wideBits = or i64 %wideHigh, %wideWord
  %wide = bitcast i64 %wideBits to double
  %f = bitcast i32 %word to float
  %near = fpext float %f to double
  %nearBits = bitcast double %near to i64
  %closeBits = xor i64 %nearBits, 1
  %close = bitcast i64 %closeBits to double
  %whole = sitofp i32 %word to float
  %g = fmul float %whole, 0.0625
  %wideWhole = sitofp i32 %word to double
  %scaled = fmul double %wideWhole, 0.25
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

it.each([
  ['in each lane', '%thread', 256],
  ['where all lanes share operands', '%first', 1],
])('%s', (_, place, block) => {
  const ir = kernel(place);
  const inputs = words();
  const size = { grid: inputs.length / 256, block, outputWords: inputs.length * RESULTS.length };
  const [expected, actual] = wordsOfEngines(ir, { input: inputs, ...size });
  const at = expected.findIndex((word, k) => word !== actual[k]);
  const wrong = at < 0 ? undefined : { word: inputs[Math.floor(at / RESULTS.length)], code: RESULTS[at % RESULTS.length], got: actual[at] };
  expect(wrong).toBeUndefined();
  expect(new Set(expected).size).toBeGreaterThan(block);
  // None of it is left to the interpreter.
  expect(compileKernel(machine(createInterpreter, ir).module, 'k').steps).toEqual([]);
});
