/** Which programs include a file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { includersOf, launchersOf, mayBeIncluded } from '../../project/includers.ts';

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

it('programs that launch the kernels of a source that is linked with them', () => {
  const found = (name: keyof typeof FILES) => launchersOf(join(folder, name), FILES[name]);
  expect(found('d/scale.cu')).toEqual([{ path: join(folder, 'd/main.cu'), text: `${FILES['d/main.cu']}\n#include "scale.cu"\n` }]);
  expect(found('a/kernels.cu')).toEqual([]);
  expect(found('d/scale.cuh')).toEqual([]);
});
