/** Settings, suppressions, fixes, outline and hovers of a document. */
import { describe, expect, test } from 'vitest';
import type { AnalyzerSettings } from '../../analyzers/analyzer.ts';
import { applyFixes } from './markers.ts';
import { theAnalyzer } from './open.ts';

const strided = (comment: string) =>
  `__global__ void spread(float* v) {\n${comment}  v[threadIdx.x * 32] = 1.0f;\n}\nvoid run(float* v) { spread<<<1, 256>>>(v); }\n`;

async function rulesOf(text: string, settings?: AnalyzerSettings): Promise<string[]> {
  const document = (await theAnalyzer()).open(text, settings);
  const found = document.findings().map((f) => `${f.severity}[${f.rule}]`);
  document.dispose();
  return found;
}

describe('suppression', () => {
  test('a comment with a reason silences its rule on the next line', async () => {
    expect(await rulesOf(strided('  // lanewise: allow(uncoalesced-access) the layout is given\n'))).toEqual([]);
    expect(await rulesOf(strided('').replace('1.0f;', '1.0f; // lanewise: allow(uncoalesced-access) given'))).toEqual([]);
    expect(await rulesOf(`${strided('')}\n// lanewise: allow-file(uncoalesced-access) generated\n`)).toEqual([]);
    expect(await rulesOf(`// lanewise: allow-file(uncoalesced-access) reason: \n${strided('')}`)).toEqual(['warning[uncoalesced-access]']);
    expect(await rulesOf(strided('  /* lanewise: allow(bank-conflict, uncoalesced-access) both given */\n'))).toEqual([]);
  });

  test('without a reason, for another rule or on another line it does not', async () => {
    expect(await rulesOf(strided('  // lanewise: allow(uncoalesced-access)\n'))).toEqual(['warning[uncoalesced-access]']);
    expect(await rulesOf(strided('  // lanewise: allow(bank-conflict) given\n'))).toEqual(['warning[uncoalesced-access]']);
    expect(await rulesOf(`// lanewise: allow(uncoalesced-access) too far away\n${strided('')}`)).toEqual(['warning[uncoalesced-access]']);
  });
});

test('a limit that several lanes of a short row share is not said to want a multiple of 32', async () => {
  const limited = (place: string, block: string) => `__global__ void sums(const float* a, float* out, int count) {
  float s = 0;
  if (${place} < count) for (int k = 0; k < 100; k++) s += a[k];
  out[blockIdx.x * 256 + threadIdx.y * blockDim.x + threadIdx.x] = s;
}
void run(const float* a, float* out, int count) { sums<<<64, ${block}>>>(a, out, count); }
`;
  const edges = async (text: string) => {
    const document = (await theAnalyzer()).open(text);
    const found = document.findings().filter(({ message }) => message.includes('unless the limit is a multiple of 32'));
    document.dispose();
    return found.length;
  };
  expect(await edges(limited('threadIdx.x', '256'))).toBe(1);
  expect(await edges(limited('threadIdx.y', 'dim3(8, 32)'))).toBe(0);
  expect(await edges(limited('threadIdx.x', 'dim3(16, 16)'))).toBe(0);
});

test('a function that is called as what all objects of JavaScript have is no barrier', async () => {
  const between = (call: string) =>
    `__global__ void reverse(float* v) {
  __shared__ float tile[256];
  tile[threadIdx.x] = v[threadIdx.x];
  ${call}();
  v[threadIdx.x] = tile[255 - threadIdx.x];
}
void run(float* v) { reverse<<<1, 256>>>(v); }
`;
  expect(await rulesOf(between('__syncthreads'))).toEqual([]);
  for (const name of ['wait', 'toString', 'valueOf']) expect(await rulesOf(between(name))).toEqual(['error[missing-barrier]']);
});

describe('variables of host code in a loop', () => {
  const launching = (inLoop: string) =>
    `__global__ void fill(float* v) { v[threadIdx.x] = 1.0f; }
void halve(int& n) { n /= 2; }
int half(int n) { n /= 2; return n; }
void run(float* v, int rounds) {
  int threads = 2048;
  int* pointer = &threads;
  int& alias = threads;
  auto shrink = [&] { threads /= 2; };
  for (int i = 0; i < rounds; i++) {
    fill<<<1, threads>>>(v);
    ${inLoop}
  }
}
`;

  test.each([
    'threads /= 2;',
    'if (i > 2) threads /= 2;',
    'for (int k = 0; k < i; k++) threads--;',
    'halve(threads);',
    'ask(&threads);',
    'shrink();',
    'alias = 64;',
    '*pointer = 64;',
    'int& same = threads; same /= 2;',
    'i > 2 && (threads /= 2);',
    'if (i > 2) ask(&threads);',
    'for (int k = 0; k < i; k++) ask(&threads);',
    'while (i > 5) { halve(threads); break; }',
  ])('change by `%s`', async (change) => {
    expect(await rulesOf(launching(change))).not.toContain('error[invalid-launch]');
  });

  test.each([
    '',
    'half(threads);',
    'ask(threads);',
    'if (0) threads = 64;',
    'for (int k = 0; k < 0; k++) threads--;',
    'int threads = 64;',
    'rounds -= threads;',
  ])('stay with `%s`', async (same) => {
    expect(await rulesOf(launching(same))).toContain('error[invalid-launch]');
  });
});

test('settings change the severity of a rule or turn it off', async () => {
  expect(await rulesOf(strided(''), { rules: { 'uncoalesced-access': 'hint' } })).toEqual(['hint[uncoalesced-access]']);
  expect(await rulesOf(strided(''), { rules: { 'uncoalesced-access': 'off' } })).toEqual([]);
  const document = (await theAnalyzer()).open(strided(''));
  expect(document.findings()).toHaveLength(1);
  document.configure({ rules: { 'uncoalesced-access': 'off' } });
  expect(document.findings()).toEqual([]);
  document.dispose();
});

test('the modulo tree becomes sequential addressing, offered but not safe in bulk', async () => {
  const text = `__global__ void reduce(const int* in, int* out) {
  __shared__ int s[256];
  int tid = threadIdx.x;
  s[tid] = in[blockIdx.x * 256 + tid];
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
void run(const int* in, int* out) { reduce<<<64, 256>>>(in, out); }
`;
  const document = (await theAnalyzer()).open(text, { rules: { 'divergent-branch': 'off' } });
  const findings = document.findings().filter((f) => f.rule === 'modulo-indexing');
  expect(applyFixes(text, findings, 'safe')).toBe(text);
  const fixed = applyFixes(text, findings, 'all');
  expect(fixed).toContain('for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {');
  expect(fixed).toContain('if (tid < stride) s[tid] += s[tid + stride];');
  document.edit([{ range: { start: { line: 0, column: 0 }, end: { line: 999, column: 0 } }, text: fixed }]);
  expect(document.findings().filter((f) => f.rule === 'modulo-indexing')).toEqual([]);
  document.dispose();
});

describe('values of launches', () => {
  test.each([
    ['constants and arithmetic', 'constexpr int B = 96; void run(float* v) { k<<<(1000 + B - 1) / B, B + 4>>>(v); }'],
    ['dim3 variables', 'void run(float* v) { dim3 block(20, 5); dim3 grid = dim3(70); k<<<grid, block>>>(v); }'],
    ['macros', '#define BLOCK 100\nvoid run(float* v) { k<<<80, BLOCK>>>(v); }'],
    ['helper functions', 'int blockFor(int n) { return n * 10; }\nvoid run(float* v) { k<<<80, blockFor(10)>>>(v); }'],
    [
      'a kernel as template argument',
      'template <class K> void start(K kernel, float* v) { kernel<<<80, 100>>>(v); }\nvoid run(float* v) { start(k, v); }',
    ],
    ['cudaLaunchKernel', 'void run(float* v) { void* args[] = {&v}; cudaLaunchKernel((void*)k, dim3(80), dim3(100), args, 0, 0); }'],
  ])('%s', async (_, host) => {
    const document = (await theAnalyzer()).open(
      `__global__ void k(float* v) { v[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }\n${host}\n`,
    );
    expect(
      document
        .findings()
        .map((f) => f.message)
        .join(),
    ).toContain('blocks of 100 threads take 4 warps');
    expect(document.outline().kernels[0].launches).toHaveLength(1);
    document.dispose();
  });
});

describe('outline and hovers', () => {
  const text =
    'template <class T>\n__global__ void fill(T* v) {\n  v[threadIdx.x * 8] = T(0);\n}\nint main() {\n  fill<<<1, 64>>>((float*)nullptr);\n}\n';

  test('kernels with their launches, and main', async () => {
    const document = (await theAnalyzer()).open(text);
    const { kernels, main } = document.outline();
    expect(kernels).toHaveLength(1);
    expect(kernels[0]).toMatchObject({
      name: 'fill',
      nameRange: { start: { line: 1, column: 16 }, end: { line: 1, column: 20 } },
      launches: [{ grid: '1', block: '64' }],
    });
    expect(main?.start.line).toBe(4);
    document.dispose();
  });

  test('a kernel, a builtin and a finding explain themselves', async () => {
    const document = (await theAnalyzer()).open(text);
    expect(document.hover({ line: 1, column: 18 })?.markdown).toContain('1 block of 64 threads = 2 warps each');
    expect(document.hover({ line: 2, column: 7 })?.markdown).toContain('index of the thread in its block');
    expect(document.hover({ line: 2, column: 2 })?.markdown).toContain('32 sectors of 32 bytes per request');
    expect(document.hover({ line: 6, column: 0 })).toBeUndefined();
    // One line per lane, to 32 sectors of their own.
    const picture = document.hover({ line: 2, column: 2 })?.picture ?? '';
    expect(picture.match(/<line/g)).toHaveLength(32);
    expect(picture.match(/<rect/g)).toHaveLength(64);
    document.dispose();
  });
});

test('the mask of a warp function goes behind its parenthesis, wherever that stands', async () => {
  const text = '__global__ void f(int* v) { v[0] = __shfl_down (v[1], 1) + __any(v[2]); }\n';
  const document = (await theAnalyzer()).open(text);
  const fixed = applyFixes(
    text,
    document.findings().filter((f) => f.rule === 'removed-api'),
    'all',
  );
  expect(fixed).toBe('__global__ void f(int* v) { v[0] = __shfl_down_sync (0xffffffffu, v[1], 1) + __any_sync(0xffffffffu, v[2]); }\n');
  document.dispose();
});

describe('what a loop makes of its variables', () => {
  const inLoop = (step: string, body: string) => `__global__ void k(const int* table, float* out, int n) {
  int at = 0, next = 0, spare = 0;
  for (int round = 0; round < n; ${step}) {
    ${body}
  }
  out[threadIdx.x] = spare;
}
void run(const int* table, float* out, int n) { k<<<1, 256>>>(table, out, n); }
`;
  const divides = 'if (at > 3) { out[threadIdx.x] = sinf(out[threadIdx.x]); out[threadIdx.x + 256] = 1.0f; __syncwarp(); }';

  // Only the round after next brings it: from the lane to the index, and from there to what is loaded.
  test('is found out where it takes two rounds and a load', async () => {
    expect(await rulesOf(inLoop('round++', `${divides} at = table[next]; next = threadIdx.x;`))).toContain('hint[divergent-branch]');
    expect(await rulesOf(inLoop('round++', `${divides} at = table[next]; next = n;`))).not.toContain('hint[divergent-branch]');
  });
});

test('the main function is one whatever a macro calls another, as in harnesses', async () => {
  const text = '#define main mainOfProgram\n#include "program.cu"\n#undef main\nint main() { return 0; }\n';
  expect((await theAnalyzer()).open(text).outline().main).toMatchObject({ start: { line: 3, column: 4 } });
});
