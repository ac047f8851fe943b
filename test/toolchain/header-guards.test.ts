/** Public code such as NVIDIA's helper_cuda.h asks for the guards of NVIDIA's headers to decide what it declares. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';

const include = join(import.meta.dirname, '../../simulator/include');
const fixtures = join(import.meta.dirname, '../fixtures/toolchain');
const { guards, seenByEveryCuFile, seenAfterCudaRuntimeInCpp } = JSON.parse(readFileSync(join(fixtures, 'header-guards.json'), 'utf8')) as {
  guards: Record<string, string | null>;
  seenByEveryCuFile: string[];
  seenAfterCudaRuntimeInCpp: string[];
};
const guarded = Object.entries(guards).flatMap(([header, guard]) => (guard ? [{ header, guard }] : []));
const names = [...new Set(guarded.map(({ guard }) => guard))];

afterAll(releaseClang);

/** Lines that fail to compile unless exactly these of all guards are defined. */
function exactly(seen: readonly string[]): string {
  return names.map((name) => `${seen.includes(name) ? '#ifndef' : '#ifdef'} ${name}\n#error ${name}\n#endif\n`).join('');
}

/** What Clang says of a program with this text; empty if it compiles. */
async function errors(text: string, { extension = 'cu', defines = [] as readonly string[] } = {}) {
  const result = await compileProgram({ file: join(fixtures, `guards.${extension}`), text, includeDirs: [fixtures], defines });
  if (result.kind === 'compile-error') return result.diagnostics.map(({ message }) => message);
  return result.kind === 'compiled' ? [] : [result.message];
}

const belowTheDriver = [
  ...['__CUDA_DEVICE_RUNTIME_API_H__', '__CUDA_RUNTIME_API_H__', '__DEVICE_TYPES_H__', '__DRIVER_TYPES_H__'],
  ...['__HOST_DEFINES_H__', '__SURFACE_TYPES_H__', '__TEXTURE_TYPES_H__', '__VECTOR_TYPES_H__'],
];

/** A name with an underscore rules the precompiled headers out. */
const withoutPrecompiled = { defines: ['_ANY=1'] };

describe("the guards of NVIDIA's headers", () => {
  it('are known for every header that stands for one of them', () => {
    const ours = readdirSync(include, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'));
    const standing = ours.filter(
      (name) =>
        /\.(h|hpp)$/.test(name) &&
        !/^((lanewise|libstdcxx|thrust|cub|bits|samples|GL)\/|(error|execinfo|omp|mpi|[a-z]mmintrin|x86intrin)\.h$)/.test(name),
    );
    expect(standing.sort()).toEqual(Object.keys(guards).sort());
  });

  it('are seen by a .cu file that includes nothing as with nvcc', async () => {
    const text = `${exactly(seenByEveryCuFile)}int main() {}\n`;
    expect(await errors(text)).toEqual([]);
    expect(await errors(text, withoutPrecompiled)).toEqual([]);
  }, 120_000);

  it('are defined by the header itself, once its file is included', async () => {
    const text = guarded.map(({ header, guard }) => `#include <${header}>\n#ifndef ${guard}\n#error ${header}\n#endif\n`).join('');
    expect(await errors(`${text}int main() {}\n`)).toEqual([]);
    expect(await errors(`${text}int main() {}\n`, withoutPrecompiled)).toEqual([]);
  }, 120_000);

  it('are seen by a .cpp file that includes cuda_runtime.h or cuda.h alone as with g++', async () => {
    const runtime = `#include <cuda_runtime.h>\n${exactly(seenAfterCudaRuntimeInCpp)}int main() {}\n`;
    // Ours is on top of the runtime's headers, whose guards are there as well.
    const driver = `#include <cuda.h>\n${exactly(['__cuda_cuda_h__', ...belowTheDriver])}int main() { return CUDA_VERSION > 9000 ? 0 : 1; }\n`;
    expect(await errors(runtime, { extension: 'cpp' })).toEqual([]);
    expect(await errors(driver, { extension: 'cpp' })).toEqual([]);
  });

  it("bring what GCC's bring along: with <math.h> comes <stdlib.h>", async () => {
    const text = '#include <math.h>\nsize_t words = 3;\nint main() { return fabs(drand48()) < 2 ? 0 : 1; }\n';
    expect(await errors(text, { extension: 'cpp' })).toEqual([]);
  });

  it("leave names to programs that GCC's stream headers do not declare", async () => {
    const text = `#include <fstream>\n#include <iomanip>\n#include <iostream>\nusing namespace std;\n__constant__ int stack;\nint queue, deque;\nint main() { return queue + deque + (int)sizeof(stack); }\n`;
    expect(await errors(text)).toEqual([]);
    expect(await errors(text, withoutPrecompiled)).toEqual([]);
    const all =
      '#include <queue>\n#include <stack>\n#include <bitset>\nint main() { std::stack<int> s; std::queue<int> q; std::bitset<4> b; return s.size() + q.size() + b.count(); }\n';
    expect(await errors(all)).toEqual([]);
  }, 120_000);

  it("keep a program's own copy of a header and ours apart", async () => {
    const text = `#define CU_COMPLEX_H_\nstruct cuFloatComplex { float re, im; };\n#include <cuComplex.h>\nint main() { return cuFloatComplex{}.re; }\n`;
    expect(await errors(text)).toEqual([]);
  });
});
