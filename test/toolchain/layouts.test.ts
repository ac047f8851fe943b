/** LP64 as NVIDIA's headers have it: the layout of CUDA's types on both sides, where the runtime looks for fields, overloads for `long`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FIELDS, POINTER_BYTES, SIZE_BYTES } from '../../simulator/runtime/structures.ts';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';

interface Layout {
  readonly size: number;
  readonly align: number;
  readonly fields?: Readonly<Record<string, number>>;
}
type Layouts = Readonly<Record<string, Layout>>;

const fixtures = join(import.meta.dirname, '../fixtures/toolchain');
const { cuda12, cuda13 } = JSON.parse(readFileSync(join(fixtures, 'cuda-layouts.json'), 'utf8')) as { cuda12: Layouts; cuda13: Layouts };
const nvidia: Layouts = { ...cuda13, ...cuda12 };

const HEADERS = ['cuda.h', 'cuda_fp16.h', 'cuda_bf16.h', 'cuComplex.h', 'stdint.h', 'time.h'];

/** One assertion for each number, which both passes of the compiler check. */
function assertions(layouts: Layouts): string {
  const lines = Object.entries(layouts).flatMap(([type, { size, align, fields = {} }]) => [
    `static_assert(sizeof(${type}) == ${size} && alignof(${type}) == ${align});`,
    ...Object.entries(fields).map(([field, offset]) => `static_assert(offsetof(${type}, ${field}) == ${offset});`),
  ]);
  return [...HEADERS.map((header) => `#include <${header}>`), ...lines, 'int main() {}', ''].join('\n');
}

const compile = (text: string) => compileProgram({ file: join(fixtures, 'layouts.cu'), text, includeDirs: [], defines: [] });

afterAll(releaseClang);

describe("NVIDIA's layouts on 64-bit Linux", () => {
  it('are those of our headers, on the host and on the device', async () => {
    const program = await compile(assertions(nvidia));
    expect(program.kind === 'compile-error' ? program.diagnostics : program.kind).toBe('compiled');
  }, 120_000);

  it('and are where the runtime reads and writes', () => {
    expect(nvidia['void*'].size).toBe(POINTER_BYTES);
    for (const [type, fields] of Object.entries(FIELDS)) expect(nvidia[type].fields, type).toMatchObject(fields);
    for (const [type, size] of Object.entries(SIZE_BYTES)) expect(nvidia[type].size, type).toBe(size);
  });
});

describe('overloads for long, of 8 bytes, as nvcc 13.0 takes them', () => {
  const body = (statement: string, index: number) =>
    `__device__ void f${index}(long* p, unsigned long* q, unsigned long long* r) { ${statement} }\n`;
  const refused = [
    'atomicAdd(q, 1ul);',
    'atomicSub(p, 1l);',
    'atomicSub(r, 1ull);',
    'atomicExch(q, 1ul);',
    'atomicMin(p, 1l);',
    'atomicMax(q, 1ul);',
    'atomicAnd(q, 1ul);',
    'atomicOr(p, 1l);',
    'atomicXor(q, 1ul);',
    'atomicCAS(q, 1ul, 2ul);',
    'atomicAdd(p, 1l);',
    '__reduce_add_sync(~0u, *q);',
    'max(*p, 1ll);',
    'min(*q, *r);',
  ];
  it('none where NVIDIA has none', async () => {
    const program = await compile(`${refused.map(body).join('')}int main() {}\n`);
    const lines = program.kind === 'compile-error' ? program.diagnostics.filter(({ severity }) => severity === 'error') : [];
    expect([...new Set(lines.map(({ line }) => line))].sort((a, b) => a - b)).toEqual(refused.map((_, index) => index + 1));
    expect(lines.every(({ message }) => /no matching function|ambiguous/.test(message))).toBe(true);
  }, 120_000);
});
