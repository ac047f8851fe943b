/** A program that is compiled for debugging stops after each instruction, and says what its variables hold in all lanes. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';
import { machine } from '../interpreter/engine-harness.ts';

afterAll(releaseClang);

const SOURCE = `__device__ int square(int base) {
  int result = base * base;
  return result;
}
__global__ void kernel(float* out, unsigned limit) {
  int lane = threadIdx.x;
  float sum = 0;
  double wide[2] = {0.5, 1.5};
  for (int i = 0; i < 3; i++) sum += lane * i + wide[1];
  bool odd = lane % 2;
  if (odd) sum = square(lane);
  out[lane] = sum;
}
int main() { kernel<<<1, 32>>>(nullptr, 4000000000u); }
`;

const LANES = Array.from({ length: 32 }, (_, lane) => lane);

it('shows variables after each instruction', { timeout: 120_000 }, async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'lanewise-variables-')), 'kernel.cu');
  writeFileSync(file, SOURCE);
  const program = await compileProgram({ file, includeDirs: [], defines: [], debug: 'full' });
  if (program.kind !== 'compiled') throw new Error(JSON.stringify(program));
  const m = machine(createInterpreter, program.deviceModules[0]);
  const out = m.words(32);
  const kernel = [...m.module.ir.functions.values()].find(({ isKernel }) => isKernel)!.name;
  const run = createInterpreter(m.options).begin({
    kernel,
    grid: [1, 1, 1],
    block: [32, 1, 1],
    dynamicSharedBytes: 0,
    args: [new Uint8Array(Int32Array.of(out, 0).buffer), new Uint8Array(Uint32Array.of(4_000_000_000).buffer)],
    cooperative: false,
  });
  /** Values of `sum`, of lane 5, in the order in which they came. */
  const sums: number[] = [];
  const results: number[] = [];
  let seen: Readonly<Record<string, unknown>> = {};
  for (let outcome = run.step(0); !outcome; outcome = run.step(1)) {
    const { instruction, function: name } = run.position!;
    const of = (variable: string): (number | bigint | undefined)[] => run.variable(variable)!.lanes.map((scalars) => scalars?.[0]);
    if (name !== kernel) {
      if (run.variable('result') && instruction.location?.line === 3)
        results.push(...(of('result').filter((_, lane) => lane % 2) as number[]));
      continue;
    }
    expect(run.variable('nothing')).toBeUndefined();
    const sum = run.variable('sum')!.lanes[5]?.[0] as number | undefined;
    if (instruction.location?.line === 9 && sum !== undefined && sum !== sums.at(-1)) sums.push(sum);
    if (instruction.location?.line === 12) {
      seen = { lane: of('lane'), odd: of('odd'), limit: of('limit'), wide: run.variable('wide')!.lanes[3] };
    }
  }
  expect(sums).toEqual([0, 1.5, 8, 19.5]);
  expect(seen).toEqual({
    lane: LANES,
    odd: LANES.map((lane) => lane % 2),
    limit: LANES.map(() => 4_000_000_000),
    wide: [0.5, 1.5],
  });
  expect(new Set(results)).toEqual(new Set(LANES.filter((lane) => lane % 2).map((lane) => lane * lane)));
  expect(run.variable('sum')).toBeUndefined();
  const floats = new Float32Array(Int32Array.from(m.read(out, 32)).buffer);
  expect([...floats]).toEqual(LANES.map((lane) => (lane % 2 ? lane * lane : 3 * lane + 4.5)));
});
