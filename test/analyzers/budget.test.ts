/** The time that any text can take is bounded: kernels whose evaluation grows exponentially, or without end, when done naively. */
import { describe, expect, test } from 'vitest';
import { buildModel } from '../../analyzers/model/file.ts';
import { newModelCache } from '../../analyzers/model/model-cache.ts';
import { openSource } from '../../analyzers/syntax/source.ts';
import { loadGrammars } from '../../analyzers/syntax/tree/grammar.ts';
import { h200 } from '../../devices/h200.ts';
import { assets, theAnalyzer } from './open.ts';

const HEAD = `__global__ void k(float *a, int n, int m) {
  int t = threadIdx.x;
  int x = blockIdx.x * blockDim.x + t;
  int y = x + 1;
`;

const TEXTS: Readonly<Record<string, string>> = {
  'offsets beyond what a double counts': `${HEAD}${repeat(30, () => 'x = x * n;')} a[x] = 1; }`,
  'values that double in every statement': `${HEAD}${repeat(60, () => 'x = x + x; y = y + y;')} if (x < n) a[x - y] = 1; a[x * 4] = 3; }`,
  'thousands of operations in a row': `${HEAD}${repeat(5000, () => 'x = x * 3 + t;')} if (x < n) a[x] = 1; }`,
  'deeply nested loops': `${HEAD}${repeat(12, (j) => `for (int j${j} = t; j${j} < n; j${j} += x) { x += j${j};`)} a[x] += 1; ${'}'.repeat(12)} }`,
  'nested counting loops': `${HEAD}${repeat(8, (j) => `for (int j${j} = 0; j${j} < 40; j${j}++) { x = (x * 5 + j${j}) % 97;`)} if (x & 1) a[x] += 1; ${'}'.repeat(8)} }`,
  'functions that call the next one twice': `${repeat(12, helper)} ${HEAD} x = f11(x); a[x] = 1; }`,
  'branches that depend on all before': `${HEAD}${repeat(400, (j) => `if (x > ${j}) x += y; else y += x;`)} a[x] = 1; }`,
  'loops one after the other': `${HEAD}${repeat(300, (j) => `while (x < n) { x = x * 2 + y; y++; if (x > ${j}) break; }`)} a[x] = 1; }`,
  'conditions of hundreds of parts': `${HEAD}if (${repeat(300, (j) => `x > ${j} && y < ${j} ||`)} t) a[x] = 1; }`,
  'launches with a dozen shapes': `template <int N> ${HEAD.replace('int m', 'int m = N')}
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) for (int q = 0; q < N; q++) for (int w = t; w < N; w++)
      a[i * j + q * w] += t % (j + 1) == 0 ? a[w] : a[q]; }
    int main() { ${repeat(12, (j) => `k<${j + 2}><<<64, ${32 * (j + 1)}>>>(nullptr, ${j}, 1);`)} }`,
};

describe('bounded work', () => {
  test.each(Object.entries(TEXTS))('%s', async (_, text) => {
    const analyzer = await theAnalyzer();
    const document = analyzer.open(text);
    const begin = process.cpuUsage();
    document.findings();
    const { user, system } = process.cpuUsage(begin);
    document.dispose();
    // A tenth of this is usual; unbounded, each takes minutes or never ends.
    expect((user + system) / 1000).toBeLessThan(3000);
  });

  test('nested loops are tried once each, not once for every loop around them', async () => {
    const cache = newModelCache(await loadGrammars(assets()));
    const steps = (depth: number): number => {
      const text = `${HEAD}${repeat(depth, (j) => `for (int j${j} = 0; j${j} < 40; j${j}++) {`)} x += 5; ${'}'.repeat(depth)} a[x] = 1; }`;
      const model = buildModel(openSource(text), newModelCache(cache.table.grammars), { cudaVersion: 12.8, device: h200 });
      return model.runs.get(model.facts.kernels[0].variants[0])!.machine.steps;
    };
    // Doubling with every level would make it 256 times as many.
    expect(steps(12)).toBeLessThan(16 * steps(4));
  });

  test('a kernel beyond its budget says that its facts are incomplete', async () => {
    const cache = newModelCache(await loadGrammars(assets()));
    const model = buildModel(openSource(TEXTS['functions that call the next one twice']), cache, { cudaVersion: 12.8, device: h200 });
    const [variant] = model.facts.kernels[0].variants;
    const { machine } = model.runs.get(variant)!;
    expect(machine.steps).toBeLessThan(200_000);
    const long = `__device__ int step(int x, int y) { ${repeat(200, () => 'x = x * 3 + y;')} return x; }
      ${HEAD}${repeat(300, () => 'x += step(x, y);')} a[x] = 1; }`;
    const beyond = buildModel(openSource(long), newModelCache(cache.table.grammars), { cudaVersion: 12.8, device: h200 });
    expect(beyond.facts.kernels[0].variants[0].incomplete).toBe(true);
  });
});

function repeat(n: number, text: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => text(i)).join('\n');
}

function helper(j: number): string {
  const next = j === 0 ? 'q' : `f${j - 1}(v) + f${j - 1}(v + 1)`;
  return `__device__ int f${j}(int v) { for (int q = 0; q < v; q++) v += ${next}; return v; }`;
}
