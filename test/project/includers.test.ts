/** Which programs include a file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HeaderTexts } from '../../project/header-texts.ts';
import { includersOf, launcherOf, mayBeIncluded } from '../../project/includers.ts';

const FILES = {
  'a/kernels.cu': '__global__ void f() {}\n',
  'a/all.h': '#include "kernels.cu"\n',
  'a/main.cu': '#include "kernels.cu"\nint main() {}\n',
  'a/test.cu': '#include "all.h"\nint main() {}\n',
  'b/kernels.cu': '__global__ void g() {}\n',
  'b/main.cu': '#include "kernels.cu"\nint main() {}\n',
  'c/use.cu': '#include "../a/kernels.cu"\nint main() {}\n',
  'd/scale.cu':
    '#include "scale.cuh"\n__global__ void __launch_bounds__(256) scale(float* v, int n) {\n  if (threadIdx.x <= n) v[threadIdx.x] *= 2;\n}\n',
  'd/scale.cuh': '__global__ void scale(float* v, int n);\n',
  'd/main.cu': '#include "scale.cuh"\nint main() {\n  scale<<<1, 64>>>(nullptr, 3);\n}\n',
  'd/other.cu': 'int main() {}\n',
};

const folder = mkdtempSync(join(tmpdir(), 'lanewise-includers-'));

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('programs that include a source, by a header or not, but none that include another of its name', () => {
  const found = (name: string) => includersOf(join(folder, name)).map((path) => path.slice(folder.length + 1));
  expect(found('a/kernels.cu')).toEqual(['a/main.cu', 'a/test.cu', 'c/use.cu']);
  expect(found('b/kernels.cu')).toEqual(['b/main.cu']);
});

it('headers may be included, and sources without a main function', () => {
  const may = (name: keyof typeof FILES) => mayBeIncluded(join(folder, name), FILES[name]);
  expect([may('a/kernels.cu'), may('a/all.h'), may('a/main.cu')]).toEqual([true, true, false]);
});

const readable = (place: string) => new HeaderTexts(() => undefined).within([place]);

it('the program that launches the kernels of a source that is linked with it', () => {
  const found = (name: keyof typeof FILES) => launcherOf(join(folder, name), FILES[name], readable(folder));
  expect(found('d/scale.cu')).toEqual({ path: join(folder, 'd/main.cu'), text: `${FILES['d/main.cu']}\n#include "scale.cu"\n` });
  expect(found('a/kernels.cu')).toBeUndefined();
  expect(found('d/scale.cuh')).toBeUndefined();
});

const HEAD = '#include "scale.cuh"\n';
const MAIN = 'int main() {\n  scale<<<1, 64>>>(nullptr, 3);\n}\n';
const KERNEL = '__global__ void scale(float* v, int n) {\n  v[at(n)] *= TILE;\n}\n';

it.each([
  ['a macro', '#define TILE 16\n', '#ifndef TILE\n#define TILE 32\n#endif\n'],
  ['a function', 'static __device__ int at(int x) { return x; }\n', 'static __device__ int at(int x) { return x + 1; }\n'],
  ['a constant', 'constexpr int a = 1, TILE = 16;\n', ''],
  ['an enumerator', 'enum { TILE = 16 };\n', ''],
  ['a name in a namespace', 'namespace {\nint used() { return 1; }\n__constant__ float TILE[4];\n}\n', ''],
  ['a type', 'template <typename T> struct at : Base<T> { T x; };\n', ''],
  ['a function pointer', 'typedef int (*at)(int);\n', ''],
  ['an operator', '__device__ float2 operator*(float2 a, float b) { return a; }\n', ''],
  ['brackets without a partner', '#if A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n}\n', ''],
  ['a header of its own', '#include "tile.h"\n', ''],
])('no program that would change what the source means: %s', (_, defined, own) => {
  const place = mkdtempSync(join(folder, 'names-'));
  writeFileSync(join(place, 'scale.cuh'), FILES['d/scale.cuh']);
  writeFileSync(join(place, 'tile.h'), '#define TILE 16\n');
  const found = (before: string, text: string) => {
    writeFileSync(join(place, 'main.cu'), HEAD + before + MAIN);
    return launcherOf(join(place, 'scale.cu'), HEAD + text + KERNEL, readable(place));
  };
  expect(found(defined, own)).toBeUndefined();
  expect(found('// TILE, at\n#define OTHER 1\nstatic float other(int n) { int TILE = n, at; return TILE; }\n', own)).toBeDefined();
  // What both include is one and the same.
  expect(found('#include "tile.h"\n', `#include "tile.h"\n`)).toBeDefined();
});
