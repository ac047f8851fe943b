import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';
import { asClangReads } from '../../simulator/toolchain/nvcc-spellings.ts';

const file = join(import.meta.dirname, '../fixtures/toolchain/split.cu');
const joined = (text: string) => new TextDecoder().decode(asClangReads(new TextEncoder().encode(text)));

afterAll(releaseClang);

describe('what nvcc reads and Clang does not', () => {
  it.each([
    ['k << <1, 1 >> > (x);', 'k <<< 1, 1 >>>  (x);'],
    ['k<< <1, 1>> >(x), k << <2, 2>>>(y);', 'k<<< 1, 1>>> (x), k <<< 2, 2>>>(y);'],
    ['k<<<1, 1>>\n  >(x);', 'k<<<1, 1>>>\n  (x);'],
    ['k << /* é */ <1, (a >> 1) >> // so\n > (x);', 'k <<< /* é */ 1, (a >> 1) >>> // so\n  (x);'],
    ['#define RUN(...) k << <1, 1 >> \\\n > (__VA_ARGS__)\n', '#define RUN(...) k <<< 1, 1 >>> \\\n  (__VA_ARGS__)\n'],
    ['k<<<1, n >> 1 >> >(x);', 'k<<<1, n >> 1 >>> (x);'],
    ['k<<<a < b, 1 >> >(x);', 'k<<<a < b, 1 >>> (x);'],
    ['k<<<1, A<A<A<int>> >(3) >> >(x);', 'k<<<1, A<A<A<int>> >(3) >>> (x);'],
    ["k<<<1'000, ')' >> >(x);", "k<<<1'000, ')' >>> (x);"],
  ])('%j is joined', (split, whole) => {
    expect(joined(split)).toBe(whole);
    expect(new TextEncoder().encode(whole).length).toBe(new TextEncoder().encode(split).length);
  });

  it.each([
    'A<A<A<int>> > x; a = 1 << 2 >> 3 > (4);',
    'const char* s = "k << <1, 1 >> > (x)"; // k << <1, 1 >> > (x)',
    'auto s = R"(k << <1, 1)" " >> > (x))"; /* k << <1, 1 >> > (x) */',
    'operator<< <int>(a, b); f(k<<<1, 1>>>(x), a >> (b > (c)));',
    // nvcc takes no line break here, and no other way to part the brackets.
    'k <<\n<1, 1>>>(x); k < <<1, 1 > >>(x);',
    'if (a << b < c && d >> e > (f)) g();',
  ])('%j stays as it is', (text) => {
    expect(joined(text)).toBe(text);
  });

  it.each([
    ['extern "C"__global__ void k();', 'extern"C" __global__ void k();'],
    ['extern  "C"__device__ int f();', 'extern"C"  __device__ int f();'],
  ])('%j has its language apart from the macro', (written, read) => expect(joined(written)).toBe(read));

  it.each(['extern "C" __global__ void k();', 'extern "C"{ int f(); }', 'auto s = "C"_mine;'])('%j stays as it is', (text) =>
    expect(joined(text)).toBe(text),
  );

  it.each([
    ['asm volatile("mov.u32 %0, %smid;" : "=r"(v));', 'asm volatile("mov.u32 %0,%%smid;" : "=r"(v));'],
    [
      '__asm__("{ mov.u64 %0, %globaltimer;\\n" "}" : "=l"(t) : "r"(%2));',
      '__asm__("{ mov.u64 %0,%%globaltimer;\\n" "}" : "=l"(t) : "r"(%2));',
    ],
  ])('%j has its registers told from operands', (written, read) => expect(joined(written)).toBe(read));

  it.each([
    'asm("mov.u32 %0, %%smid;" : "=r"(v));',
    'asm("add.u32 %0, %1, %w2; mov %[sum], %h1;" : "=r"(v) : "r"(a));',
    'asm("mov.u32 t, %smid;");',
    'printf("asm(%s: %d", " %smid");',
  ])('%j stays as it is', (text) => expect(joined(text)).toBe(text));

  it('compiles, in a header too, and errors keep their places', async () => {
    const text = `#include "split.h"
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
extern "C"__global__ void plain(int* out) { out[threadIdx.x] = 2; }
__global__ void where(unsigned* out) { asm("mov.u32 %0, %laneid;" : "=r"(out[threadIdx.x])); }
template <int N> __global__ void sized(int* out) { out[threadIdx.x] = N; }
int main() {
  kernel << <1, 32 >> > (nullptr);
  sized<3> << <dim3(1), dim3(32), 0 >> > (nullptr);
  fromHeader();
  LAUNCH(nullptr);
}
`;
    const compiled = await compileProgram({ file, text, includeDirs: [], defines: [] });
    expect(compiled.kind).toBe('compiled');
    const wrong = text.replace('(nullptr);\n  sized', '(nullptr); nowhere();\n  sized');
    const failed = await compileProgram({ file, text: wrong, includeDirs: [], defines: [] });
    if (failed.kind !== 'compile-error') throw new Error(failed.kind);
    expect(failed.diagnostics.map(({ line, column }) => [line, column])).toEqual([[7, 36]]);
  });

  it("defines __NVCC__, unless NVIDIA's libcu++ would take it for more than it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lanewise-cccl-'));
    mkdirSync(join(folder, 'cuda', 'std'), { recursive: true });
    const kindWith = async (text: string, includeDirs: string[]) => (await compileProgram({ file, text, includeDirs, defines: [] })).kind;
    expect(await kindWith('#ifndef __NVCC__\n#error\n#endif\nint main() {}\n', [])).toBe('compiled');
    expect(await kindWith('#ifdef __NVCC__\n#error\n#endif\nint main() {}\n', [folder])).toBe('compiled');
    rmSync(folder, { recursive: true });
  });
});
