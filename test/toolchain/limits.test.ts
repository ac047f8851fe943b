/** Programs that ask for more of Clang than there is: each ends with a sentence that says so, and Clang compiles the next one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { clangProcessId, releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { type CompileRequest, compileProgram } from '../../simulator/toolchain/compile.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-limits-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
  releaseClang();
});
vi.setConfig({ testTimeout: 180_000 });

function compiled(name: string, text: string, changes: Partial<CompileRequest> = {}) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return compileProgram({ file, includeDirs: [], defines: [], ...changes });
}

const INCLUDED_TWICE = `#if __INCLUDE_LEVEL__ < 180
#include "twice.cpp"
#include "twice.cpp"
#endif
int main() {}
`;

test('time', async () => {
  expect(await compiled('twice.cpp', INCLUDED_TWICE, { limits: { compileSeconds: 3 } })).toEqual({
    kind: 'refused',
    message:
      'the program cannot be compiled: Clang did not finish in 3 seconds; templates, constant expressions, macros or includes that expand without end are the usual cause, or a function with thousands of launches; to allow more, pass --limit compileSeconds=N, or set lanewise.limits.compileSeconds',
  });
  expect(await compiled('next.cpp', 'int main() {}\n')).toMatchObject({ kind: 'compiled' });
});

test('size of what comes out', async () => {
  expect(await compiled('large.cpp', 'int table[140000000] = {1};\nint main() { return table[5]; }\n')).toEqual({
    kind: 'refused',
    message: 'the program cannot be compiled: it becomes more than 512 MiB of code and data; initialise large arrays when the program runs',
  });
  expect(
    await compiled(
      'huge.cpp',
      'static char big[1ul << 40];\nchar* where(long i) { return big + i; }\nint main(int n, char**) { return *where(n); }\n',
    ),
  ).toEqual({
    kind: 'refused',
    message: 'the static variable big takes 1099511627776 bytes; the simulator has at most 3.9 GB on the host and 3.4 GB on the device',
  });
  expect(await compiled('zeros.cpp', 'int table[80000000];\nint main() { return table[5]; }\n')).toMatchObject({ kind: 'compiled' });
});

test('size of a source', async () => {
  const long = `/* ${'x'.repeat(2 ** 20)} */\nint main() {}\n`;
  expect(await compiled('long.cpp', long, { limits: { sourceMiB: 1 } })).toEqual({
    kind: 'refused',
    message: `${join(folder, 'long.cpp')} is larger than 1 MiB; to allow more, pass --limit sourceMiB=N, or set lanewise.limits.sourceMiB`,
  });
  expect(await compiled('long.cpp', long)).toMatchObject({ kind: 'compiled' });
});

test('nesting, which fills the stack of Clang or of the engine', async () => {
  const negations = `int main(int n, char**) { return ${'!'.repeat(100_000)}n; }\n`;
  const types = `int ${'*'.repeat(100_000)} p;\nint main() {}\n`;
  for (const text of [negations, types]) {
    expect(await compiled('deep.cpp', text)).toEqual({
      kind: 'refused',
      message:
        'the program cannot be compiled: Clang ran over the end of its stack or its memory; an expression that nests thousands of times, or an array of 4 GiB and more, is the usual cause',
    });
  }
  expect(await compiled('next.cpp', 'int main() {}\n')).toMatchObject({ kind: 'compiled' });
});

test('templates and constant expressions, by limits of Clang itself', async () => {
  const nested =
    'template <int N> struct F { static const int v = F<N - 1>::v; };\ntemplate <> struct F<0> { static const int v = 0; };\nint main() { return F<1200>::v; }\n';
  const text =
    'constexpr long f(long n) { long s = 0; for (long i = 0; i < n; i++) s += i; return s; }\nconstexpr long x = f(1L << 40);\nint main() { return x; }\n';
  expect(await compiled('deeper.cpp', nested, { limits: { templateDepth: 1300 } })).toMatchObject({ kind: 'compiled' });
  const brackets = `int main() { return ${'('.repeat(300)}0${')'.repeat(300)}; }\n`;
  expect(await compiled('brackets.cpp', brackets)).toMatchObject({ kind: 'compile-error' });
  expect(await compiled('brackets.cpp', brackets, { limits: { bracketDepth: 400 } })).toMatchObject({ kind: 'compiled' });
  for (const [name, program] of [
    ['nested.cpp', nested],
    ['constant.cpp', text],
  ]) {
    const result = await compiled(name, program);
    expect(result.kind).toBe('compile-error');
  }
});

test('time in which Clang waits for the processor is not counted', async () => {
  expect(await compiled('warm.cu', '__global__ void f() {}\nint main() {}\n')).toMatchObject({ kind: 'compiled' });
  const waiting = compiled('waiting.cu', '__global__ void g(int* p) { *p = 1; }\nint main() { g<<<1, 1>>>(nullptr); }\n', {
    limits: { compileSeconds: 4 },
  });
  process.kill(clangProcessId()!, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 6000));
  process.kill(clangProcessId()!, 'SIGCONT');
  expect(await waiting).toMatchObject({ kind: 'compiled' });
});
