/** Functions of singles that compiled code computes by itself: bit for bit as the interpreter, and correctly rounded but for very few. */
import { expect, it } from 'vitest';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { LIBDEVICE } from '../../simulator/ir/math/libdevice.ts';
import { machine } from '../interpreter/engine-harness.ts';
import { wordsOfEngines } from './word-kernels.ts';

const ONE = ['expf', 'exp2f', 'logf', 'log2f', 'rsqrtf', 'sinf', 'cosf', 'tanhf', 'fast_expf', 'fast_exp10f', 'fast_logf', 'fast_log2f', 'fast_log10f', 'fast_sinf', 'fast_cosf']; // biome-ignore format: one line
const TWO = ['powf', 'fast_powf', 'fast_fdividef'];
const NVVM = ['rsqrt.approx.f', 'ex2.approx.ftz.f', 'lg2.approx.f', 'sin.approx.f', 'cos.approx.f'];
const CALLEES = [...ONE.map((name) => `__nv_${name}`), ...NVVM.map((name) => `llvm.nvvm.${name}`), ...TWO.map((name) => `__nv_${name}`)];
const operandsOf = (callee: string): string[] => (TWO.some((name) => callee.endsWith(name)) ? ['%a', '%b'] : ['%a']);

/** `place`: where a thread's two singles lie. */
const kernel = (place: string): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
${CALLEES.map((callee) => `declare float @${callee}(${operandsOf(callee).map(() => 'float').join(', ')})`).join('\n')}
define ptx_kernel void @k(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 256
  %thread = add i32 %first, %tid
  %pair = shl i32 ${place}, 1
  %at = getelementptr float, ptr %in, i32 %pair
  %a = load float, ptr %at, align 8
  %next = getelementptr i8, ptr %at, i32 4
  %b = load float, ptr %next, align 4
  %own = mul i32 ${place}, ${CALLEES.length}
${CALLEES.map((callee, k) => `  %r${k} = call float @${callee}(${operandsOf(callee).map((name) => `float ${name}`).join(', ')})\n  %at${k} = add i32 %own, ${k}\n  %to${k} = getelementptr float, ptr %out, i32 %at${k}\n  store float %r${k}, ptr %to${k}, align 4`).join('\n')}
  ret void
}`; // biome-ignore format: a text

/** Singles of every size, more of them of those that programs have, and the borders of the ranges. */
function singles(count: number): number[] {
  const borders = [0, -0, 1, -1, 0.5, 2, 2 ** -126, 2 ** -149, 2 ** -127, 88.72283, 88.72284, -103.97, -87.4, 127.99999, 128, -149, -150.1, 3.4028235e38, Infinity, -Infinity, NaN]; // biome-ignore format: one line
  const pairs = borders.flatMap((a) => borders.flatMap((b) => [a, b]));
  const word = new DataView(new ArrayBuffer(4));
  const spread = Array.from({ length: count - pairs.length }, (_, k) => {
    const bits = Math.imul(k + 1, 0x9e3779b1);
    word.setInt32(0, bits);
    return k % 2 === 0 ? word.getFloat32(0) : Math.fround(bits * 2 ** (-31 + (k % 9)));
  });
  return [...pairs, ...spread].map(Math.fround);
}

const COUNT = 32_768;

it.each([
  ['in each lane', '%thread', 256],
  ['where all lanes share operands', '%first', 1],
])('%s', (_, place, block) => {
  const ir = kernel(place);
  const input = [...new Int32Array(Float32Array.from(singles(COUNT)).buffer)];
  const outputWords = (COUNT / 2) * CALLEES.length;
  const [expected, actual] = wordsOfEngines(ir, { input, outputWords, grid: COUNT / 512, block });
  const at = expected.findIndex((word, k) => word !== actual[k]);
  const operands = singles(COUNT)
    .slice(2 * Math.floor(at / CALLEES.length))
    .slice(0, 2);
  expect(at < 0 ? undefined : { callee: CALLEES[at % CALLEES.length], operands, expected: expected[at], got: actual[at] }).toBeUndefined();
  expect(new Set(expected).size).toBeGreaterThan(block);
  // None of it is left to the interpreter or to functions of JavaScript, but large angles and powers of no positive number.
  const compiled = compileKernel(machine(createInterpreter, ir).module, 'k');
  expect(compiled.steps).toEqual([]);
  expect(
    WebAssembly.Module.imports(new WebAssembly.Module(compiled.bytes)).filter(({ name }) => /^(__nv_(?!(sin|cos|pow)f)|llvm)/.test(name)),
  ).toEqual([]);
});

it.each([
  ['__nv_expf', Math.exp],
  ['__nv_exp2f', (x: number) => 2 ** x],
  ['__nv_logf', Math.log],
  ['__nv_log2f', Math.log2],
  ['__nv_sinf', Math.sin],
  ['__nv_cosf', Math.cos],
  ['__nv_tanhf', Math.tanh],
  ['__nv_powf', (x: number) => x ** 2.5, 2.5],
  ['__nv_powf', (x: number) => x ** -7, -7],
] as [string, (x: number) => number, number?][])('%s is the correctly rounded result', (name, exact, second = 0) => {
  const of = LIBDEVICE[name];
  const wrong = singles(200_000).filter((x) => !Object.is(Math.fround(of(x, second)), Math.fround(exact(x))));
  expect(wrong).toEqual([]);
});

it('sines and cosines of __sinf are those of the turns that it gets', () => {
  const most = (limit: number) =>
    singles(200_000)
      .filter((x) => Math.abs(x) < limit)
      .reduce(
        (most, x) =>
          Math.max(most, Math.abs(LIBDEVICE.__nv_fast_sinf(x) - Math.sin(x)), Math.abs(LIBDEVICE.__nv_fast_cosf(x) - Math.cos(x))),
        0,
      );
  // 100 radians are 16 turns, whose single is cut off at 2^-19 of a turn; 3 are less than one.
  expect(most(100)).toBeLessThan(2 * Math.PI * 2 ** -19);
  expect(most(3)).toBeLessThan(2 * Math.PI * 2 ** -24 + 2 ** -24);
});
