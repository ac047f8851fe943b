/** The math library as compiled code calls it: bit for bit what the interpreter computes, in each lane and where all lanes share operands. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createCompiler } from '../../simulator/compiler/engine.ts';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import { LIBDEVICE } from '../../simulator/ir/math/libdevice.ts';
import type { CreateEngine } from '../../simulator/scheduling/engine.ts';
import { machine } from '../interpreter/engine-harness.ts';

interface External {
  readonly result: string;
  readonly parameters: readonly string[];
}

const externals = JSON.parse(readFileSync('simulator/include/device-externals.json', 'utf8')) as { functions: Record<string, External> };
const FUSED = { 'llvm.fma.f32': 'float', 'llvm.fma.f64': 'double', 'llvm.nvvm.fma.rn.f': 'float', 'llvm.nvvm.fma.rn.d': 'double' };
const FUNCTIONS: readonly (readonly [string, External])[] = [
  ...Object.entries(externals.functions).filter(([name]) => Object.hasOwn(LIBDEVICE, name)),
  ...Object.entries(FUSED).map(([name, type]) => [name, { result: type, parameters: [type, type, type] }] as const),
];
const NUMBERS = [0, -0, 1, -1, 0.5, 2, 3.75, -7.25, 1e-40, 1e30, -1e300, 5e-324, 88.5, 710, 1e9, Infinity, -Infinity, NaN];
const LANES = 32;

/** `%x` holds two doubles a lane; each function's results come twice: of the lane's own operands, and of lane 0's. */
function kernel(name: string, { result, parameters }: External): string {
  const operands = (prefix: string): string =>
    parameters.map((type, k) => `${type} ${converted(type, `%${prefix}${k % 2}`, `%${prefix}c${k}`).name}`).join(', ');
  const conversions = (prefix: string): string =>
    parameters.map((type, k) => converted(type, `%${prefix}${k % 2}`, `%${prefix}c${k}`).code).join('');
  const bytes = result === 'double' ? 8 : 4;
  return `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ${result} @${name}(${parameters.join(', ')})
define ptx_kernel void @k(ptr %x, ptr %own, ptr %shared) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr [2 x double], ptr %x, i32 %tid
  %l0 = load double, ptr %at, align 8
  %behind = getelementptr i8, ptr %at, i32 8
  %l1 = load double, ptr %behind, align 8
  %u0 = load double, ptr %x, align 8
  %next = getelementptr i8, ptr %x, i32 8
  %u1 = load double, ptr %next, align 8
${conversions('l')}${conversions('u')}
  %lr = call ${result} @${name}(${operands('l')})
  %ur = call ${result} @${name}(${operands('u')})
  %to = getelementptr i8, ptr %own, i32 %offset
  store ${result} %lr, ptr %to, align ${bytes}
  store ${result} %ur, ptr %shared, align ${bytes}
  ret void
}`.replace('  %to = ', `  %offset = mul i32 %tid, ${bytes}\n  %to = `);
}

function converted(type: string, double: string, name: string): { readonly name: string; readonly code: string } {
  if (type === 'double') return { name: double, code: '' };
  if (type === 'float') return { name, code: `  ${name} = fptrunc double ${double} to float\n` };
  return { name, code: `  ${name} = call ${type} @llvm.fptosi.sat.${type}.f64(double ${double})\n` };
}

function results(createEngine: CreateEngine, ir: string): number[] {
  const m = machine(createEngine, `declare i32 @llvm.fptosi.sat.i32.f64(double)\ndeclare i64 @llvm.fptosi.sat.i64.f64(double)\n${ir}`);
  const [x, own, shared] = [m.words(4 * LANES), m.words(2 * LANES), m.words(2)];
  const outputs: number[] = [];
  for (let round = 0; round < NUMBERS.length; round++) {
    const doubles = Float64Array.from(
      { length: 2 * LANES },
      (_, k) => NUMBERS[(k + round * (k % 2)) % NUMBERS.length] * (k % 5 === 4 ? 1.3 : 1),
    );
    m.write(x, [...new Int32Array(doubles.buffer)]);
    expect(m.launch('k', { args: [x, own, shared] }).fault).toBeUndefined();
    outputs.push(...m.read(own, 2 * LANES), ...m.read(shared, 2));
  }
  m.engine.close();
  return outputs;
}

it.each(FUNCTIONS)('%s', (name, external) => {
  const ir = kernel(name, external);
  expect(results((options) => createCompiler({ fallback: interpreter, workers: 0 }, options), ir)).toEqual(results(createInterpreter, ir));
});

it('leaves to the host what has 64-bit integers, and nothing else', () => {
  const steps = FUNCTIONS.filter(([name, external]) => {
    const m = machine(createInterpreter, `declare i64 @llvm.fptosi.sat.i64.f64(double)\n${kernel(name, external)}`);
    return compileKernel(m.module, 'k').steps.some(({ instruction }) => instruction.op === 'call' && instruction.callee === name);
  });
  expect(steps.map(([name]) => name)).toEqual(FUNCTIONS.filter(([, { parameters }]) => parameters.includes('i64')).map(([name]) => name));
});
