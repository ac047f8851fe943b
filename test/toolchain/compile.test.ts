import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseIr } from '../../simulator/ir/parse.ts';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { type CompileRequest, compileProgram } from '../../simulator/toolchain/compile.ts';

const fixtures = join(import.meta.dirname, '../fixtures/toolchain');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-toolchain-'));
const kernel = '__global__ void kernel(int* out) { out[threadIdx.x] = 1; }\n';

afterAll(releaseClang);

function compile(file: string, request: Partial<CompileRequest> = {}) {
  return compileProgram({ file, includeDirs: [], defines: [], ...request });
}

/** Compiles a text as if it were the unsaved contents of a file. */
function compileText(text: string, request: Partial<CompileRequest> = {}) {
  return compile(join(folder, 'unsaved.cu'), { text, ...request });
}

async function compiled(result: ReturnType<typeof compile>) {
  const program = await result;
  if (program.kind !== 'compiled') throw new Error(JSON.stringify(program, undefined, 1));
  return program;
}

async function errorsOf(result: ReturnType<typeof compile>) {
  const program = await result;
  if (program.kind !== 'compile-error') throw new Error(`expected errors, got ${program.kind}`);
  return program.diagnostics.filter(({ severity }) => severity === 'error');
}

describe('a program that compiles', () => {
  it('may have what nvcc and GCC only warn about', async () => {
    const text = `#include <cstdio>
#include <cinttypes>
struct Pair { float x; int n; };
__global__ void k(float* out, double d, long long n) { register int q = 3; Pair p{d, n}; float a[2] = {d, d}; out[0] = p.x + a[1] + q; }
int main() { long long n = 5; printf("%"PRId64"\\n", (int64_t)n); k<<<1, 1>>>(nullptr, 1.0, n); }
`;
    const { warnings } = await compiled(compileText(text));
    const flags = new Set(warnings.flatMap(({ message }) => /\[-W([\w+-]+)\]/.exec(message)?.[1] ?? []));
    expect([...flags].sort()).toEqual(['c++11-narrowing', 'register', 'reserved-user-defined-literal']);
  });

  it('is silent about what nvcc and GCC are silent about', async () => {
    const text = `#include <cstdlib>
#include <string>
typedef struct { std::string name = ""; int n = 3; } options;
__global__ void k(int* lock) { while (atomicCAS(lock, 0, 1) != 0); *lock = 0; }
__global__ void sum(int* a, int n) {
#pragma unroll
  for (int i = 0; i < n; i += 8) { a[i] += i; __syncthreads(); a += n; }
}
__global__ void leaves(int* a, int n) {
#pragma unroll
  for (int i = 0; i < n; i++) {
    if (a[i] == 3) break;
    a[i] = a[i + n] % (i + 1);
  }
}
int main() {
  const int width = 1024, height = 1024, tile = 32;
  if (width % tile || height % tile) return 1;
  options o; float x = (float)rand() / RAND_MAX; k<<<1, 1>>>(nullptr); return x < o.n;
}
`;
    expect((await compiled(compileText(text))).warnings).toEqual([]);
  });

  it('gives device IR with locations and a host module with the CUDA runtime as imports', async () => {
    const program = await compiled(compileText(`${kernel}int main() { kernel<<<1, 32>>>(nullptr); return cudaDeviceSynchronize(); }\n`));
    expect(program.deviceModules[0]).toMatch(/define .*ptx_kernel void @_Z6kernelPi\(/);
    expect(program.deviceModules[0]).toMatch(/DILocation\(line: 1, column: \d+/);
    expect(program.deviceModules[0]).toContain('unsaved.cu');
    const module = new WebAssembly.Module(program.hostModule as BufferSource);
    const imports = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
    for (const name of ['cudaLaunchKernel', 'cudaDeviceSynchronize', '__cudaRegisterFunction', '__cudaPushCallConfiguration']) {
      expect(imports).toContain(`env.${name}`);
    }
    const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
    expect(exports).toEqual(expect.arrayContaining(['memory', '_start', 'malloc', 'free', '__indirect_function_table']));
    expect(program.warnings).toEqual([]);
  });

  it('reads files beside it, in nested folders and in include folders, and takes definitions', async () => {
    const file = join(fixtures, 'includes/program.cu');
    const program = await compiled(compile(file, { includeDirs: [join(fixtures, 'extra')], defines: ['FACTOR=5'] }));
    // (tid + 1) + (5 + 1) * 2 + 7
    expect(program.deviceModules[0]).toMatch(/add .*i32 %\d+, 20/);
  });

  it('compiles the unsaved text instead of the file', async () => {
    const file = join(folder, 'saved.cu');
    writeFileSync(file, '#error "the file on the disk"\n');
    expect((await compiled(compile(file, { text: `${kernel}int main() {}\n` }))).deviceModules[0]).toContain('@_Z6kernelPi');
  });

  it('is optimised alike with and without the precompiled headers', async () => {
    const text = `${readFileSync(join(fixtures, 'headers/groups.cu'), 'utf8')}`;
    const file = join(fixtures, 'headers/groups.cu');
    const fast = await compiled(compile(file, { text }));
    // A definition with an underscore rules the precompiled headers out.
    const slow = await compiled(compile(file, { text, defines: ['_UNUSED=1'] }));
    expect(kernelsOf(fast.deviceModules[0])).toEqual(kernelsOf(slow.deviceModules[0]));
  });

  it('may use names that only the precompiled headers clash with', async () => {
    expect((await compiled(compile(join(fixtures, 'clash.cu')))).warnings).toEqual([]);
  });

  it('may launch kernels from kernels', async () => {
    const text =
      '__global__ void child(int* p) { p[threadIdx.x] = 1; }\n__global__ void parent(int* p) { child<<<1, 32>>>(p); }\nint main() { parent<<<1, 1>>>(nullptr); }\n';
    expect((await compiled(compileText(text))).deviceModules[0]).toContain('@cudaLaunchDevice(');
  });

  it('keeps __FILE__ and assert', async () => {
    const text = '#include <cassert>\n__global__ void kernel(int n) { assert(n > 2 && "large"); }\nint main() { kernel<<<1, 1>>>(1); }\n';
    const [deviceIr] = (await compiled(compileText(text))).deviceModules;
    expect(deviceIr).toContain('@__assertfail(');
    expect(deviceIr).toContain('unsaved.cu');
    expect((await compiled(compileText(text, { defines: ['NDEBUG'] }))).deviceModules[0]).not.toContain('@__assertfail(');
  });

  it("may include the toolkit's cuRAND, whose host pass declares what launches set once more", async () => {
    const text = `#ifndef __CUDA_ARCH__
extern const dim3 blockDim;
extern const uint3 threadIdx;
#endif
__NV_SILENCE_DEPRECATION_BEGIN
static inline __host__ __device__ unsigned lane() { return threadIdx.x % blockDim.x; }
__NV_SILENCE_DEPRECATION_END
__global__ void k(unsigned* out) { uint3 at = threadIdx; dim3 size = blockDim; out[at.x] = lane() + size.x; }
int main() { k<<<1, 32>>>(nullptr); }
`;
    await compiled(compileText(text));
  });

  it('may throw and catch on the host, which ends the program at the throw', async () => {
    const text =
      '#include <stdexcept>\nint main(int n, char**) { try { if (n > 9) throw std::runtime_error("n"); } catch (const std::exception&) { return 2; } return 0; }\n';
    await compiled(compileText(text));
  });
});

it('the blocks of the source change no instruction', async () => {
  const text = `__global__ void k(int* p, int n) {
  int local[4] = {1, 2, 3, n};
  for (int i = 0; i < n; ++i) { if (p[i] > 3) { __syncthreads(); p[i] = local[p[i] & 3]; } else p[i] -= i; }
}
int main() {}`;
  const functions = async (debug: 'lines' | 'blocks') => {
    const [device] = (await compiled(compileText(text, { debug }))).deviceModules;
    return [...parseIr(device).functions.values()];
  };
  const code = (fns: Awaited<ReturnType<typeof functions>>) =>
    fns.map(({ blocks }) => blocks.map((b) => b.instructions.map(({ op }) => op)));
  const [lines, blocks] = [await functions('lines'), await functions('blocks')];
  expect(code(blocks)).toEqual(code(lines));
  const barrier = blocks[0].blocks.flatMap((b) => b.instructions).find((i) => i.op === 'call' && i.callee.includes('barrier'));
  const columns: number[] = [];
  for (let at = barrier?.location?.block; at; at = at.outer) columns.push(at.column);
  // The block of the condition, the condition, the loop's body, its head and the loop.
  expect(columns[0]).toBe(text.split('\n')[2].indexOf('{ __sync') + 1);
  expect(columns.length).toBe(5);
});

describe('a program that does not compile', () => {
  it('tells file, line, column and text of each error once, although two passes saw it', async () => {
    const file = join(fixtures, 'errors.cu');
    const errors = await errorsOf(compile(file));
    expect(errors.every((error) => error.file === file)).toBe(true);
    const places = errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toContain("3:22 use of undeclared identifier 'undeclared'");
    expect(places).toContain("4:23 use of undeclared identifier 'hostOnly'");
    expect(places).toContain("8:7 cannot initialize a variable of type 'int' with an lvalue of type 'const char[5]'");
    expect(places).toContain("9:29 expected ';' after expression");
  });

  it('names the missing header', async () => {
    const [error] = await errorsOf(compileText('#include "absent.cuh"\nint main() {}\n'));
    expect(error).toMatchObject({ line: 1, column: 10, message: "'absent.cuh' file not found" });
  });

  it('tells a header of the user by its own path', async () => {
    const header = join(folder, 'broken.cuh');
    writeFileSync(header, 'int a;\nint b = ;\n');
    const [error] = await errorsOf(compileText('#include "broken.cuh"\nint main() {}\n'));
    expect(error).toMatchObject({ file: header, line: 2, message: 'expected expression' });
  });

  it('names a variable that no file defines, and one that only device code has', async () => {
    const messages = async (text: string) => (await errorsOf(compileText(text))).map(({ message }) => message);
    expect(await messages('extern int missing;\nint main() { return missing; }\n')).toEqual([
      "the variable missing is not defined in any of the program's files: add the file that defines it to the command, or define it here",
    ]);
    expect(await messages('int main() { return blockIdx.x; }\n')).toEqual([
      'blockIdx has a value in device code only: a __host__ function cannot read it',
    ]);
  });

  it('refuses a file that is absent or a folder', async () => {
    expect(await compile(join(folder, 'absent.cu'))).toMatchObject({ kind: 'refused', message: expect.stringContaining('no such file') });
    expect(await compile(folder)).toMatchObject({ kind: 'refused', message: expect.stringContaining('is not a regular file') });
  });

  it('says why a kernel cannot call a host function', async () => {
    const text = 'int host(int v) { return v; }\n__global__ void kernel(int* p) { p[0] = host(p[1]); }\nint main() {}\n';
    const result = await compileText(text);
    expect(result).toMatchObject({
      kind: 'compile-error',
      diagnostics: [
        { severity: 'error', line: 2, message: 'host is a __host__ function: a __global__ function cannot call it' },
        { severity: 'note', line: 1, message: 'host is declared here' },
      ],
    });
  });
});

describe('hostile input', () => {
  it('survives binary text, a nul byte and wrong encodings', async () => {
    const bytes = Uint8Array.from({ length: 4096 }, (_, k) => (k * 131 + (k >> 3)) & 255);
    const file = join(folder, 'binary.cu');
    writeFileSync(file, bytes);
    expect(await compile(file)).toMatchObject({ kind: 'refused', message: expect.stringContaining('NUL') });
    writeFileSync(
      file,
      bytes.filter((byte) => byte !== 0),
    );
    expect((await compile(file)).kind).toBe('compile-error');
    writeFileSync(file, Buffer.from([...Buffer.from('int main() { return 0; } // caf'), 0xe9, 0x0a]));
    expect((await compile(file)).kind).toBe('compiled');
  });

  it('survives a program cut off anywhere', async () => {
    const text = readFileSync(join(fixtures, 'headers/groups.cu'), 'utf8');
    for (const share of [0.1, 0.33, 0.77]) {
      const result = await compileText(text.slice(0, Math.floor(text.length * share)));
      expect(['compile-error', 'compiled']).toContain(result.kind);
    }
  });

  it('takes names that no system accepts for missing files', async () => {
    for (const name of ['x'.repeat(5000), '..//../nowhere/./x.h']) {
      expect((await compileText(`#include "${name}"\nint main() {}\n`)).kind).toBe('compile-error');
    }
  });

  it('follows links and stops at a header that includes itself', async () => {
    writeFileSync(join(folder, 'self.cuh'), '#include "self.cuh"\n');
    symlinkSync(join(folder, 'self.cuh'), join(folder, 'link.cuh'));
    const [error] = await errorsOf(compileText('#include "link.cuh"\nint main() {}\n'));
    expect(error.message).toContain('nested too deeply');
  });

  it('ends at once when cancelled, and works again', async () => {
    const cancelling = new AbortController();
    const running = compileText(`#include <regex>\n${kernel}int main() {}\n`, { signal: cancelling.signal });
    setTimeout(() => cancelling.abort(new Error('cancelled')), 100);
    await expect(running).rejects.toThrow('cancelled');
    await compiled(compileText(`${kernel}int main() {}\n`));
  });
});

/** The IR of the functions, without numbers of metadata and attributes, which depend on what else was declared. */
function kernelsOf(ir: string): string[] {
  return Array.from(ir.matchAll(/^define .*?^}/gms), ([text]) => text.replace(/, ![\w.]+ !\d+|#\d+|!dbg !\d+/g, ''));
}
