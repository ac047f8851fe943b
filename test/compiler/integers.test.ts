/** Functions of integers as compiled code computes them: bit for bit as the interpreter, in each lane and where all lanes share operands. */
import { expect, it } from 'vitest';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { machine } from '../interpreter/engine-harness.ts';
import { wordsOfEngines } from './word-kernels.ts';

const call = (name: string, bits: number, ...args: string[]) =>
  `%r = call i${bits} @llvm.${name}(${args.map((arg) => `i${bits} ${arg}`).join(', ')})`;
const narrow = (name: string, ...args: string[]) => call(name, 32, ...args).replace('%r', '%o');
/** Both halves of the result. */
const wide = (name: string, ...args: string[]) =>
  `${call(name, 64, ...args)}\n%s = lshr i64 %r, 32\n%x = xor i64 %r, %s\n%t = mul i64 %x, 3\n%y = xor i64 %t, %s\n%o = trunc i64 %y to i32`;

/** From words of the input (a, b) and double words made of them (c, d) to a word of the output. */
const FUNCTIONS: readonly string[] = [
  ...['fshl.i32', 'fshr.i32'].flatMap((name) =>
    ['0', '1', '7', '31', '32', '45', '%b', '%shared'].flatMap((count) => [
      narrow(name, '%a', '%a', count),
      narrow(name, '%a', '%b', count),
    ]),
  ),
  ...['fshl.i64', 'fshr.i64'].flatMap((name) =>
    ['0', '13', '63', '64', '77', '%d', '%sharedWide'].map((count) => wide(name, '%c', '%d', count)),
  ),
  ...['bitreverse', 'bswap'].flatMap((name) => [narrow(`${name}.i32`, '%a'), wide(`${name}.i64`, '%c')]),
  ...['uadd.sat', 'usub.sat'].flatMap((name) => [narrow(`${name}.i32`, '%a', '%b'), wide(`${name}.i64`, '%c', '%d')]),
  ...['i', 'ui'].map((kind) => narrow(`nvvm.mulhi.${kind}`, '%a', '%b')),
  ...['ll', 'ull'].flatMap((kind) => [wide(`nvvm.mulhi.${kind}`, '%c', '%d'), wide(`nvvm.mulhi.${kind}`, '%c', '-3')]),
  // 0x2301, 0x7654, 0x5410, with repeated signs, and by each lane's own.
  ...['8961', '30292', '21520', '51579', '%b'].map((selector) => narrow('nvvm.prmt', '%a', '%b', selector)),
];

/** Bit casts there and back, with each part changed on the way. */
const casts = [
  ['i32', '%a', '4 x i8'],
  ['i32', '%a', '2 x i16'],
  ['i64', '%c', '2 x i32'],
  ['i64', '%c', '4 x i16'],
  ['i64', '%c', '8 x i8'],
].map(([type, value, parts]) => {
  const [count, , part] = parts.split(' ');
  const added = Array.from({ length: Number(count) }, (_, k) => `${part} ${k + 1}`).join(', ');
  const folded = type === 'i32' ? '%o = xor i32 %t, %a' : '%x = lshr i64 %t, 32\n%y = xor i64 %t, %x\n%o = trunc i64 %y to i32';
  return `%r = bitcast ${type} ${value} to <${parts}>\n%s = mul <${parts}> %r, <${added}>\n%t = bitcast <${parts}> %s to ${type}\n${folded}`;
});
const between = `%r = bitcast i64 %c to <8 x i8>\n%s = bitcast <8 x i8> %r to <4 x i16>\n%t = bitcast <4 x i16> %s to <2 x i32>\n%o = extractelement <2 x i32> %t, i32 1`;
const RESULTS: readonly string[] = [...FUNCTIONS, ...casts, between];

const named = (text: string, k: number) => text.replace(/%(r|s|t|x|y|o)\b/g, `%$1${k}`);
const declarations = [...new Set(FUNCTIONS.map((text) => /call (i\d+) (@[\w.]+)\((.*)\)/.exec(text)!))].map(
  ([, type, name, args]) => `declare ${type} ${name}(${args.replace(/ [^,]+/g, '')})`,
);

/** `place`: where a thread's two words lie. */
const kernel = (place: string): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
${[...new Set(declarations)].join('\n')}
define ptx_kernel void @k(ptr %in, ptr %out, i32 %shared) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 256
  %thread = add i32 %first, %tid
  %pair = shl i32 ${place}, 1
  %at = getelementptr i32, ptr %in, i32 %pair
  %a = load i32, ptr %at, align 8
  %next = getelementptr i8, ptr %at, i32 4
  %b = load i32, ptr %next, align 4
  %low = zext i32 %a to i64
  %high = zext i32 %b to i64
  %up = shl i64 %high, 32
  %c = or i64 %up, %low
  %turned = mul i64 %c, -7046029254386353131
  %d = xor i64 %turned, %high
  %sharedWide = zext i32 %shared to i64
  %own = mul i32 ${place}, ${RESULTS.length}
${RESULTS.map((text, k) => `${named(text, k)}\n%at${k} = add i32 %own, ${k}\n%to${k} = getelementptr i32, ptr %out, i32 %at${k}\nstore i32 %o${k}, ptr %to${k}, align 4`).join('\n')}
  ret void
}`;

/** Borders of the ranges with each other, and numbers of all sizes. */
function words(): number[] {
  const borders = [0, 1, 2, 31, 32, 33, 63, 0x7fff_ffff, -0x8000_0000, -0x7fff_ffff, -2, -1, 0x00ff_00ff, 0x8080_8080];
  const pairs = borders.flatMap((a) => borders.flatMap((b) => [a, b]));
  const spread = Array.from({ length: 1024 - pairs.length }, (_, k) => Math.imul(k + 1, 0x9e3779b1) >>> (k % 3 === 0 ? k % 20 : 0));
  return [...pairs, ...spread].map((word) => word | 0);
}

it.each([
  ['in each lane', '%thread', 256, 5],
  ['in each lane, by a whole word', '%thread', 256, 64],
  ['where all lanes share operands', '%first', 1, 31],
])('%s', (_, place, block, shared) => {
  const ir = kernel(place);
  const input = words();
  const outputWords = (input.length / 2) * RESULTS.length;
  const [expected, actual] = wordsOfEngines(ir, { input, outputWords, grid: 2, block, args: [shared] });
  const at = expected.findIndex((word, k) => word !== actual[k]);
  expect(at < 0 ? undefined : { code: RESULTS[at % RESULTS.length], expected: expected[at], got: actual[at] }).toBeUndefined();
  expect(new Set(expected).size).toBeGreaterThan(block);
  // None of it is left to the interpreter.
  expect(compileKernel(machine(createInterpreter, ir).module, 'k').steps).toEqual([]);
});
