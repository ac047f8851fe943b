/** Headers beside a file: what they define counts, what lies in them is said elsewhere, and nothing is read twice. */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnalyzerDocument, AnalyzerSettings } from '../../analyzers/analyzer.ts';
import { INCLUDE_LIMITS, type IncludedName } from '../../analyzers/syntax/headers.ts';
import { theAnalyzer } from './open.ts';

/** Files by path, with a record of what was asked for. */
class Files {
  readonly asked: string[] = [];
  readonly texts: Map<string, string>;

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
  }

  find({ name, form }: IncludedName, from: string) {
    const path = posix.join(form === 'quoted' ? posix.dirname(from) : '/include', name);
    this.asked.push(path);
    const text = this.texts.get(path);
    return text === undefined ? undefined : { path, text };
  }
}

async function open(files: Files, path = '/a/main.cu', settings?: AnalyzerSettings): Promise<AnalyzerDocument> {
  return (await theAnalyzer()).open(files.texts.get(path)!, settings, { path, headers: files });
}

async function rulesOf(texts: Readonly<Record<string, string>>, path?: string): Promise<string[]> {
  const document = await open(new Files(texts), path);
  const found = document.findings().map((f) => `${f.range.start.line + 1} ${f.rule}`);
  document.dispose();
  return found;
}

describe('what a header defines is known', () => {
  test('constants, structures and device functions', async () => {
    const texts = {
      '/a/config.h':
        '#ifndef CONFIG_H\n#define CONFIG_H\n#define BLOCK 2048\nconstexpr int STEP = 32;\nstruct Particle { float x, y, z, w, mass; };\n#endif\n',
      '/a/inc/index.cuh': '#pragma once\n#include "../config.h"\n__device__ inline int place(int i) { return i * STEP; }\n',
      '/a/main.cu': `#include "inc/index.cuh"
__global__ void spread(float* v) { v[place(threadIdx.x)] = 1.0f; }
__global__ void move(Particle* p) { p[threadIdx.x].x += 1.0f; }
void run(float* v, Particle* p) {
  spread<<<1, 256>>>(v);
  move<<<1, BLOCK>>>(p);
}
`,
    };
    expect(await rulesOf(texts)).toEqual(['2 uncoalesced-access', '3 uncoalesced-access', '6 invalid-launch']);
    // Without the headers, nothing of that can be known.
    const document = (await theAnalyzer()).open(texts['/a/main.cu']);
    expect(document.findings()).toEqual([]);
    document.dispose();
  });

  test('kernels that are launched here, with what they say of their launches', async () => {
    const texts = {
      '/a/k.cuh': `template <int N> __global__ void __launch_bounds__(128) f(float* v) { __shared__ float s[N]; s[threadIdx.x] = v[threadIdx.x * 32]; v[threadIdx.x] = s[0]; }
__global__ void notLaunchedHere(float* v) { v[threadIdx.x * 64] = 0; }
`,
      '/a/main.cu': '#include "k.cuh"\nvoid run(float* v) { f<1024><<<1, 256>>>(v); }\n',
    };
    expect(await rulesOf(texts)).toEqual(['2 invalid-launch']);
    const document = await open(new Files(texts));
    expect(document.outline().kernels).toEqual([]);
    expect(document.hover({ line: 1, column: 21 })?.markdown).toContain('**Kernel `f`**\n\nDefined in a header.');
    document.dispose();
    // The header itself says what is wrong in its text.
    expect(await rulesOf(texts, '/a/k.cuh')).toEqual(['1 uncoalesced-access', '1 missing-barrier', '2 uncoalesced-access']);
  });

  test('shared memory of a header’s kernel, whatever stands around its declaration', async () => {
    const kernel = (tile: string) =>
      `template <typename T, int N> __global__ void tile(T* v) {\n  const int rows = 2 * N;\n  if (N > 1) { ${tile} T s[rows][1024]; s[0][threadIdx.x] = v[threadIdx.x]; }\n}\n`;
    const main = '#include "tile.cuh"\nvoid run(double* v) {\n  tile<double, 2><<<1, 256>>>(v);\n  tile<double, 16><<<1, 256>>>(v);\n}\n';
    expect(await rulesOf({ '/a/tile.cuh': kernel('__shared__'), '/a/main.cu': main })).toEqual(['4 invalid-launch']);
    expect(await rulesOf({ '/a/tile.cuh': `#define TILE __shared__\n${kernel('TILE')}`, '/a/main.cu': main })).toEqual([
      '4 invalid-launch',
    ]);
    expect(await rulesOf({ '/a/tile.cuh': kernel(''), '/a/main.cu': main })).toEqual([]);
  });

  test('launches through a function of a header, and an included .cu file', async () => {
    const texts = {
      '/a/launch.hpp': 'template <typename K> void start(K kernel, int blocks, float* v) { kernel<<<blocks, 256>>>(v); }\n',
      '/a/kernel.cu': '__global__ void g(float* v) { if (threadIdx.x % 2) v[threadIdx.x] = v[0] * 2; else v[threadIdx.x] = v[1] / 3; }\n',
      '/a/main.cu': `#include "launch.hpp"
#include "kernel.cu"
__global__ void spread(float* v) { v[threadIdx.x * 32 + blockDim.x] = 1.0f; }
void run(float* v) { start(spread, 64, v); g<<<1, 32>>>(v); }
`,
    };
    const document = await open(new Files(texts));
    expect(document.findings().map((f) => f.rule)).toEqual(['uncoalesced-access']);
    expect(document.headers()).toEqual(['/a/launch.hpp', '/a/kernel.cu']);
    expect(document.hover({ line: 2, column: 17 })?.markdown).toContain('64 blocks of 256 threads');
    document.dispose();
  });

  test('the branch of an #if that the file chooses', async () => {
    const header = '#ifdef WIDE\n#define STEP 32\n#else\n#define STEP 1\n#endif\n';
    const main =
      '#include "step.h"\n__global__ void f(float* v) { v[threadIdx.x * STEP] = 1.0f; }\nvoid run(float* v) { f<<<1, 256>>>(v); }\n';
    expect(await rulesOf({ '/a/step.h': header, '/a/main.cu': main })).toEqual([]);
    expect(await rulesOf({ '/a/step.h': header, '/a/main.cu': `#define WIDE\n${main}` })).toEqual(['3 uncoalesced-access']);
    const document = await open(new Files({ '/a/step.h': header, '/a/main.cu': `#if 0\n${main.replace('\n', '\n#endif\n')}` }));
    expect(document.headers()).toEqual([]);
    document.dispose();
  });
});

describe('what is read', () => {
  const kernel = '__global__ void f(float* v) { v[threadIdx.x * STEP] = 1.0f; }\nvoid run(float* v) { f<<<1, 256>>>(v); }\n';

  test('headers that include each other, or the file, end', async () => {
    const texts = {
      '/a/a.h': '#include "b.h"\n#include "a.h"\n#include "main.cu"\n#define STEP 32\n',
      '/a/b.h': '#include "a.h"\n#include "missing.h"\n',
      '/a/main.cu': `#include "a.h"\n#include "a.h"\n#include <vector>\n${kernel}`,
    };
    const files = new Files(texts);
    const document = await open(files);
    expect(document.findings().map((f) => f.rule)).toEqual(['uncoalesced-access']);
    expect(document.headers()).toEqual(['/a/a.h', '/a/b.h']);
    document.dispose();
  });

  test('too long or too deep a header is left out', async () => {
    const long = `#define STEP 1\n${'// x\n'.repeat(INCLUDE_LIMITS.headerLength / 5)}`;
    const including = await open(new Files({ '/a/long.h': long, '/a/main.cu': `#include "long.h"\n${kernel}` }));
    expect(including.headers()).toEqual([]);
    including.dispose();
    const chain = Object.fromEntries(
      Array.from({ length: INCLUDE_LIMITS.depth + 1 }, (_, i) => [`/a/${i}.h`, `#include "${i + 1}.h"\n#define D${i}\n`]),
    );
    const document = await open(new Files({ ...chain, '/a/main.cu': '#include "0.h"\n' }));
    expect(document.headers()).toHaveLength(INCLUDE_LIMITS.depth);
    document.dispose();
  });

  test('an edit of the file asks for nothing; a changed header is asked for when that is said', async () => {
    const files = new Files({ '/a/step.h': '#define STEP 1\n', '/a/main.cu': `#include "step.h"\n${kernel}` });
    const document = await open(files);
    expect(document.findings()).toEqual([]);
    expect(files.asked).toEqual(['/a/step.h']);
    document.edit([{ range: { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }, text: '\n' }]);
    expect(document.findings()).toEqual([]);
    expect(files.asked).toEqual(['/a/step.h']);
    files.texts.set('/a/step.h', '// Wider.\n#define STEP 32\n');
    expect(document.findings()).toEqual([]);
    document.headersChanged();
    expect(document.findings().map((f) => f.range.start.line)).toEqual([2]);
    files.texts.delete('/a/step.h');
    document.headersChanged();
    expect(document.findings().map((f) => f.message)).toEqual([expect.stringContaining('STEP × 4 bytes apart')]);
    expect(document.headers()).toEqual([]);
    document.dispose();
  });

  test('files that include one header see its edits', async () => {
    const header = (constant: string) =>
      `#define OTHER ${constant}\n__device__ inline int place(int i) { return i * 32; }\nstruct S { int a; };\n`;
    const files = new Files({
      '/a/place.cuh': header('1'),
      '/a/main.cu':
        '#include "place.cuh"\n__global__ void f(float* v) { v[place(threadIdx.x)] = 1.0f; }\nvoid run(float* v) { f<<<1, 256>>>(v); }\n',
    });
    const [one, other] = [await open(files), await open(files)];
    const expected = ['uncoalesced-access'];
    expect([one, other].map((d) => d.findings().map((f) => f.rule))).toEqual([expected, expected]);
    files.texts.set('/a/place.cuh', header('12345'));
    one.headersChanged();
    expect(one.findings().map((f) => f.rule)).toEqual(expected);
    other.headersChanged();
    expect(other.findings().map((f) => f.message)).toEqual(one.findings().map((f) => f.message));
    one.dispose();
    other.headersChanged();
    expect(other.findings().map((f) => f.rule)).toEqual(expected);
    other.dispose();
  });
});

test('device and version decide what the compiler defines', async () => {
  const text = `#if __CUDA_ARCH__ >= 800
#define STEP 32
#else
#define STEP 1
#endif
#if CUDART_VERSION >= 13000
__global__ void f(float* v) { v[threadIdx.x * STEP] = 1.0f; }
#endif
void run(float* v) { f<<<1, 256>>>(v); }
`;
  const document = (await theAnalyzer()).open(text);
  const count = (settings: AnalyzerSettings) => {
    document.configure(settings);
    return document.findings().length;
  };
  expect(count({ cudaVersion: '12.8' })).toBe(0);
  expect(count({ cudaVersion: '13.0' })).toBe(1);
  expect(count({ cudaVersion: '13.0', device: 't4' })).toBe(0);
  expect(count({ cudaVersion: '13.0', device: 'b200' })).toBe(1);
  document.dispose();
});

test('launches in a header that checks nothing are not held to what the program checks', async () => {
  const kernel = '__global__ void f(int* v) { v[threadIdx.x] = 1; }\n';
  const checked = 'void twice(int* v) {\n  if (cudaMemset(v, 0, 4) != cudaSuccess) return;\n  f<<<1, 32>>>(v);\n}\n';
  const main = '#include "f.cuh"\nint main() { int* v; if (cudaMalloc(&v, 128) != cudaSuccess) return 1; twice(v); return 0; }\n';
  for (const [header, count] of [
    [`${kernel}void twice(int* v) { f<<<1, 32>>>(v); }\n`, 0],
    [kernel + checked, 1],
  ] as const) {
    const document = await open(new Files({ '/a/f.cuh': header, '/a/main.cu': main }));
    const said = document.findingsIn('/a/f.cuh')!.findings;
    document.dispose();
    expect(said.filter(({ rule }) => rule === 'unchecked-launch').length).toBe(count);
  }
});
