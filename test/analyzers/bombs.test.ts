/** Short texts that ask for endless work: each is analysed within its budget, and what stands beside it is still found. */
import { describe, expect, test } from 'vitest';
import { theAnalyzer } from './open.ts';

const KERNEL = '__global__ void strided(float* v) { v[threadIdx.x * 32] = 1; }\nvoid host(float* v) { strided<<<1, 256>>>(v); }\n';

function nested(name: string, depth: number, innermost = 'n'): string {
  return `${`${name}(`.repeat(depth)}${innermost}${')'.repeat(depth)}`;
}

function chain(count: number, link: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => link(index)).join('\n');
}

const BOMBS: readonly (readonly [what: string, text: string])[] = [
  ['a macro that doubles its argument, 40 deep', `#define F(x) (x+x)\n__device__ int f(int n) { return ${nested('F', 40)}; }\n`],
  [
    'MAX, 24 deep',
    `#define MAX(a, b) ((a) > (b) ? (a) : (b))\n__device__ int f(int n) { return ${'MAX('.repeat(24)}n${', n)'.repeat(24)}; }\n`,
  ],
  [
    'macros that double, by name',
    `#define A0 1 +\n${chain(40, (i) => `#define A${i + 1} A${i} A${i}`)}\n__device__ int f() { return A40 0; }\n`,
  ],
  [
    'a body that repeats its argument a thousand times',
    `#define R(x) ${'x '.repeat(1000)}\n__device__ int f(int n) { return ${nested('R', 6)}; }\n`,
  ],
  [
    '__VA_ARGS__ that doubles',
    `#define V(...) __VA_ARGS__, __VA_ARGS__\n__device__ int g(int, ...); __device__ int f(int n) { return g(${nested('V', 40)}); }\n`,
  ],
  ['a condition that doubles', `#define F(x) (x+x)\n#if ${nested('F', 40, '1')}\n__device__ int f();\n#endif\n`],
  ['a condition of 50,000 parentheses', `#if ${'('.repeat(50_000)}1${')'.repeat(50_000)}\n__device__ int f();\n#endif\n`],
  ['a condition of 50,000 signs', `#if ${'!'.repeat(50_000)}1\n__device__ int f();\n#endif\n`],
  ['a chain of 20,000 macros', `${chain(20_000, (i) => `#define C${i + 1} C${i}`)}\n__device__ int f() { return C20000; }\n`],
  [
    'an index of loads that double, 40 deep',
    `__global__ void d(float* s, const int* a, const int* b, int n) { for (int i = 0; i < n; i++) { int x = n; ${'x = a[x] + b[x]; '.repeat(40)}s[x + threadIdx.x] += 1; } }\n`,
  ],
  [
    'an index of 20,000 loads behind each other',
    `__global__ void c(float* s, const int* a, int n) { for (int i = 0; i < n; i++) { int x = n; ${'x = a[x];\n'.repeat(20_000)}s[x + threadIdx.x] += 1; } }\n`,
  ],
  ['two macros that name each other', '#define A B\n#define B A\n__device__ int f() { return A; }\n'],
];

describe('beside a bomb, the rest is analysed', () => {
  test.each(BOMBS)('%s', { timeout: 20_000 }, async (_, text) => {
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    const document = (await theAnalyzer()).open(text + KERNEL);
    expect(document.findings().map(({ rule }) => rule)).toContain('uncoalesced-access');
    document.dispose();
    expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(600e6);
  });
});

test('a macro of ordinary size is expanded', async () => {
  const document = (await theAnalyzer()).open(
    `#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define AT(i) v[(i) * MAX(8, MAX(16, MAX(32, 4)))]\n__global__ void f(float* v) { AT(threadIdx.x) = 1; }\nvoid host(float* v) { f<<<1, 256>>>(v); }\n`,
  );
  expect(
    document
      .findings()
      .map(({ message }) => message)
      .join(),
  ).toContain('128 bytes apart');
  document.dispose();
});
