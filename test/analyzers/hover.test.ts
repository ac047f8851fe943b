/** Hovers: what a shuffle, a barrier, a fence, a launch, an access and a branch do, in words and in pictures. */
import { describe, expect, test } from 'vitest';
import type { AnalyzerSettings } from '../../analyzers/analyzer.ts';
import { builtin, builtinNames } from '../../analyzers/hover/builtins.ts';
import { type Exchange, exchangePicture, gathered, sourceLanes } from '../../analyzers/hover/exchange.ts';
import type { Hover } from '../../protocol/finding.ts';
import { theAnalyzer } from './open.ts';

const LANES = Array.from({ length: 32 }, (_, lane) => lane);
const same = (n: number) => LANES.map(() => n);

/** The hover at `|` in the text. */
async function hoverIn(marked: string, settings?: AnalyzerSettings): Promise<Hover | undefined> {
  const at = marked.indexOf('|');
  const before = marked.slice(0, at).split('\n');
  const document = (await theAnalyzer()).open(marked.slice(0, at) + marked.slice(at + 1), settings);
  const hover = document.hover({ line: before.length - 1, column: before[before.length - 1].length });
  document.dispose();
  if (hover?.picture) expectDrawn(hover.picture);
  return hover;
}

/** As an SVG that a browser takes: all tags closed, all numbers numbers. VS Code shows 250 pixels of a hover. */
function expectDrawn(picture: string): void {
  expect(Number(/ height="([\d.]+)"/.exec(picture)?.[1])).toBeLessThan(245);
  expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="[\d.]+" viewBox="[\d. ]+">.*<\/svg>$/);
  expect(picture).not.toMatch(/NaN|undefined|Infinity|="-?"/);
  // Longer Markdown is cut off by VS Code (100,000 characters), and a picture goes into it as Base64.
  expect(picture.length).toBeLessThan(45_000);
  const open: string[] = [];
  for (const [, closing, name, self] of picture.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
    if (closing) expect(open.pop()).toBe(name);
    else if (!self) open.push(name);
  }
  expect(open).toEqual([]);
}

/** Boxes of a colour, those that are drawn as dashes of a line included. */
function boxesOf(picture: string | undefined, colour: string): number {
  let dashes = 0;
  for (const [line, x1, x2] of (picture ?? '').matchAll(/<line x1="([\d.]+)" y1="[\d.]+" x2="([\d.]+)"[^>]*>/g)) {
    const width = /stroke-dasharray="(\d+) 1"/.exec(line)?.[1];
    if (width && line.includes(`stroke="${colour}"`)) dashes += (Number(x2) - Number(x1) + 1) / (Number(width) + 1);
  }
  return dashes + count(picture, `fill="${colour}"/>`);
}

const count = (picture: string | undefined, what: string | RegExp) => (picture ?? '').split(what).length - 1;

describe('which lane a lane reads', () => {
  test.each<[Exchange['kind'], number, number, (lane: number) => number]>([
    ['down', 32, 16, (l) => (l < 16 ? l + 16 : l)],
    ['down', 8, 3, (l) => (l % 8 < 5 ? l + 3 : l)],
    ['down', 32, 33, (l) => (l < 31 ? l + 1 : l)],
    ['up', 32, 1, (l) => Math.max(0, l - 1)],
    ['up', 4, 2, (l) => (l % 4 >= 2 ? l - 2 : l)],
    ['xor', 32, 5, (l) => l ^ 5],
    // The value of an earlier group arrives, that of a later one does not.
    ['xor', 8, 8, (l) => (l & 8 ? l - 8 : l)],
    ['idx', 32, 7, () => 7],
    ['idx', 8, 11, (l) => (l & ~7) + 3],
    ['idx', 32, -1, () => 31],
  ])('%s in groups of %i by %i', (kind, width, by, expected) => {
    expect(sourceLanes({ kind, width }, same(by))).toEqual(LANES.map(expected));
  });

  test('what a tree gathers', () => {
    const tree = (kind: Exchange['kind'], rounds: readonly number[], width = 32): Exchange => ({
      kind,
      width,
      mask: -1,
      rounds: rounds.map(same),
    });
    expect(gathered(tree('down', [16, 8, 4, 2, 1]))[0].size).toBe(32);
    expect(gathered(tree('down', [16, 8, 4, 2, 1])).filter((lanes) => lanes.size === 32)).toHaveLength(1);
    expect(gathered(tree('xor', [1, 2, 4, 8, 16])).every((lanes) => lanes.size === 32)).toBe(true);
    expect(gathered(tree('up', [1, 2, 4, 8, 16])).map((lanes) => lanes.size)).toEqual(LANES.map((lane) => lane + 1));
    expect(gathered(tree('down', [16, 8]))[0].size).toBe(4);
  });

  test('one arrow for each lane that gets another lane’s value', () => {
    const arrows = (exchange: Exchange) => count(exchangePicture(exchange), 'Z');
    expect(arrows({ kind: 'down', width: 32, mask: -1, rounds: [same(16)] })).toBe(16);
    expect(arrows({ kind: 'down', width: 8, mask: -1, rounds: [same(4)] })).toBe(16);
    expect(arrows({ kind: 'xor', width: 32, mask: 0xff, rounds: [same(1)] })).toBe(8);
  });
});

describe('shuffles', () => {
  const kernel = (body: string) =>
    `#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void f(float* v, int n) {\n  float x = v[threadIdx.x];\n  ${body}\n  v[threadIdx.x] = x;\n}\nvoid run(float* v, int n) { f<<<1, 64>>>(v, n); }\n`;
  const hovered = (body: string) => hoverIn(kernel(body));

  test('a reduction: each round, and what it leads to', async () => {
    const hover = await hovered('for (int o = 16; o > 0; o >>= 1) x += __shfl_|down_sync(0xffffffff, x, o);');
    expect(hover?.markdown).toContain('reads the one 16, then 8, then 4, then 2, then 1 above it');
    expect(hover?.markdown).toContain('the first lane has the sum of all 32 after 5 iterations');
    expect(count(hover?.picture, 'Z')).toBe(16 + 24 + 28 + 30 + 31);
    const butterfly = await hovered('for (int o = 1; o < 32; o *= 2) x += __shfl_xor|_sync(0xffffffff, x, o);');
    expect(butterfly?.markdown).toContain('every lane has the sum of all 32 after 5 iterations');
    const scan = await hovered(
      'for (int o = 1; o < 32; o *= 2) { float y = __shfl_up|_sync(0xffffffff, x, o); if (threadIdx.x >= o) x += y; }',
    );
    expect(scan?.markdown).toContain('the sum of itself and all lanes before it');
  });

  test('width, source lane, masks', async () => {
    expect((await hovered('x += __shfl_up|_sync(0xffffffff, x, 1, 8);'))?.markdown).toContain(
      'In each group of 8 lanes, each lane reads the one 1 below it; the first keeps its own',
    );
    expect((await hovered('x = __shfl|_sync(0xffffffff, x, 0);'))?.markdown).toContain('All lanes of the warp read lane 0.');
    const rotated = await hovered('x = __shfl|_sync(0xffff, x, (threadIdx.x + 5) & 31);');
    expect(rotated?.markdown).toContain('16 lanes are not in the mask');
    expect(rotated?.markdown).toContain('undefined values (red)');
    expect((await hovered('x = __shfl|_sync(0xffffffff, x, 0, 12);'))?.markdown).toContain('12 is not a power of two');
  });

  test('tiles, and what is not known', async () => {
    expect((await hovered('auto t = cg::tiled_partition<16>(cg::this_thread_block()); x += t.shfl_do|wn(x, 8);'))?.markdown).toContain(
      'In each group of 16 lanes',
    );
    const unknown = await hovered('x = __shfl|_sync(0xffffffff, x, n);');
    expect(unknown?.markdown).toContain('not known from the source');
    expect(unknown?.picture).toBeUndefined();
    expect((await hovered('x = __ballot|_sync(0xffffffff, x > 0);'))?.markdown).toContain('one bit for each lane');
  });
});

describe('barriers and fences', () => {
  const around = (body: string) =>
    hoverIn(
      `#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void f(float* v) { v[0] = 1; ${body} v[1] = 2; }\nvoid run(float* v) { f<<<4, 96>>>(v); }\n`,
    );
  const BLUE = '#3b82c4';

  test('the scope that waits', async () => {
    const block = await around('__sync|threads();');
    expect(block?.markdown).toContain('The 96 threads (3 warps) of a block wait');
    // Three warps of one block in the picture, and the legend.
    expect(boxesOf(block?.picture, BLUE)).toBe(96 + 1);
    const warp = await around('__sync|warp(0xff);');
    expect(warp?.markdown).toContain('8 lanes of the warp wait');
    expect(boxesOf(warp?.picture, BLUE)).toBe(8 + 1);
    expect(boxesOf((await around('__sync|warp();'))?.picture, BLUE)).toBe(32 + 1);
    const tile = await around('auto t = cg::tiled_partition<4>(cg::this_thread_block()); t.sy|nc();');
    expect(tile?.markdown).toContain('The 4 threads of a tile');
    const grid = await around('cg::this_grid().sy|nc();');
    expect(grid?.markdown).toContain('cooperative launch');
    expect(boxesOf(grid?.picture, BLUE)).toBe(3 * 96 + 1);
  });

  test('fences: nobody waits, and who sees the order', async () => {
    const GREEN = '#3a9a6a';
    const seen = async (name: string) => boxesOf((await around(`__thread|fence${name}();`))?.picture, GREEN);
    expect(await seen('_block')).toBe(95 + 1);
    expect(await seen('')).toBe(3 * 96 - 1 + 1);
    const system = await around('__thread|fence_system();');
    expect(system?.markdown).toContain('the host and other devices before its later ones. No thread waits.');
  });
});

describe('launches', () => {
  const launch = (config: string, settings?: AnalyzerSettings, shared = '') =>
    hoverIn(
      `__global__ void f(float* v) { ${shared} v[threadIdx.x] = 1; }\nvoid run(float* v, int n) { f<|<<${config}>>>(v); }\n`,
      settings,
    );

  test('warps, residency by each limit, waves', async () => {
    const whole = await launch('1000, 256');
    expect(whole?.markdown).toContain('1,000 blocks of 256 threads: 8 warps each.');
    expect(whole?.markdown).toContain(
      'NVIDIA H200: 8 blocks resident on a multiprocessor, 64 of 64 warps; the limit is the number of warps.',
    );
    expect(whole?.markdown).toContain('132 multiprocessors hold 1,056 blocks at a time: one wave, 95 % full.');
    expect(whole?.markdown).toContain('registers');
    expect(whole?.picture).toContain('known after compilation');
    expect(whole?.picture).toContain('resident on one multiprocessor: 64 of 64 warps, 8 blocks');
    expect(whole?.range).toEqual({ start: { line: 1, column: 29 }, end: { line: 1, column: 44 } });
    const partial = await launch('dim3(64, 64), dim3(20, 15)', undefined, '__shared__ float s[10240]; s[threadIdx.x] = v[0];');
    expect(partial?.markdown).toContain('4,096 blocks of 20 × 15 = 300 threads: 10 warps each, the last with 12 of 32 lanes.');
    expect(partial?.markdown).toContain('5 blocks resident on a multiprocessor, 50 of 64 warps; the limit is shared memory');
    expect(partial?.markdown).toContain('7 waves, the last 21 % full');
    expect(partial?.rule).toBeUndefined();
    const block = await hoverIn('__global__ void f(float* v) { v[0] = 1; }\nvoid run(float* v) { f<<<64, dim3(|20, 15)>>>(v); }\n');
    expect(block?.rule).toBe('partial-warp-block');
    expect(block?.picture).toContain('one block: 10 warps');
    expect((await launch('7, 1024'))?.markdown).toContain('125 multiprocessors stay idle');
    expect((await launch('100000, 32'))?.markdown).toContain('32 of 64 warps; the limit is the number of blocks');
  });

  test('by the device of the settings', async () => {
    const t4 = await launch('1000, 256', { device: 't4' });
    expect(t4?.markdown).toContain('Tesla T4: 4 blocks resident on a multiprocessor, 32 of 32 warps');
    expect(t4?.markdown).toContain('40 multiprocessors hold 160 blocks at a time: 7 waves, the last 25 % full');
  });

  test('by a function of the runtime: the function, and the launch', async () => {
    const text = `__global__ void f(float* v) { v[threadIdx.x] = 1; }
void run(float* v) { void* args[] = {&v}; cudaLaunchCoop|erativeKernel((void*)f, 264, 256, args, 0, 0); }
`;
    const hover = await hoverIn(text);
    expect(hover?.markdown).toContain('All blocks must be resident at once');
    expect(hover?.markdown).toContain('264 blocks of 256 threads: 8 warps each.');
    expect(hover?.picture).toContain('1 wave');
  });

  test('what is not known, or refused', async () => {
    expect((await launch('1, n'))?.markdown).toContain('The block size is not known');
    const grid = await launch('n, 128, n');
    expect(grid?.markdown).toContain('Blocks of 128 threads: 4 warps each.');
    expect(grid?.markdown).toContain('Possibly limited further by shared memory and registers, not known from the source.');
    expect((await launch('1, 2048'))?.markdown).toContain('The runtime rejects this launch: 2048 threads per block');
    expect((await launch('1, 128, 200 * 1024', { device: 't4' }))?.markdown).toContain('exceed what a multiprocessor of the');
  });
});

test('a branch: which lanes go which way, in each iteration of its loop', async () => {
  const tree = await hoverIn(`__global__ void f(float* v) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = v[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    |if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  v[t] = s[0];
}
void run(float* v) { f<<<1, 256>>>(v); }
`);
  const YELLOW = '#e0a33c';
  expect(count(tree?.picture, YELLOW)).toBe(16 + 24 + 28 + 30 + 31 * 4);
  expect(tree?.picture).toContain('iteration 8');
  const nested = await hoverIn(
    '__global__ void f(float* v) { int t = threadIdx.x; if (t & 4) { v[t] = 1; |if (t % 3 == 0) v[t] = sinf(v[t]); } }\nvoid run(float* v) { f<<<1, 32>>>(v); }\n',
  );
  expect(count(nested?.picture, 'fill="none"')).toBe(16);
});

test('a kernel: its launches and accesses', async () => {
  const kernel = (body: string) => `__global__ void co|py(float* v, int n) { ${body} }\nvoid run(float* v) { copy<<<3, 100>>>(v, 7); }\n`;
  const one = await hoverIn(kernel('v[threadIdx.x] = 1;'));
  expect(one?.markdown).toContain('3 blocks of 100 threads = 4 warps each, the last with 4 lanes.');
  expect(one?.markdown).toContain('1 global access with a known pattern, 0 uncoalesced.');
  const two = await hoverIn(kernel('v[threadIdx.x] = v[threadIdx.x * 32];'));
  expect(two?.markdown).toContain('2 global accesses with a known pattern, 1 uncoalesced.');
});

describe('CUDA’s names', () => {
  test('each has a line that names it', () => {
    for (const name of builtinNames()) {
      const text = builtin(name, '(');
      if (text === undefined) continue;
      expect(text.startsWith(`\`${name}`), text).toBe(true);
      expect(text).not.toContain('{}');
      expect(text.length).toBeLessThan(330);
    }
    expect(builtinNames().length).toBeGreaterThan(250);
  });

  test.each([
    'threadIdx dim3 float4 half2 __restrict__ __launch_bounds__ __constant__ __shared__ __global__',
    'atomicAdd atomicCAS atomicMax_block atomicOr_system __shfl_down_sync __ballot_sync __match_any_sync __reduce_add_sync __activemask',
    '__syncthreads __syncwarp __threadfence __threadfence_system memcpy_async __pipeline_commit tiled_partition this_grid',
    'cudaMalloc cudaMemcpy cudaMemcpyAsync cudaMallocManaged cudaStreamCreate cudaEventElapsedTime cudaFuncSetAttribute',
    'cudaOccupancyMaxActiveBlocksPerMultiprocessor cudaGraphLaunch cudaStreamBeginCapture cudaGetLastError cudaDeviceSynchronize',
  ])('%s', (names) => {
    for (const name of names.split(' ')) expect(builtin(name, '('), name).toBeDefined();
  });

  test('words that variables have, too, only where they can be meant', async () => {
    expect((await hoverIn('__device__ ha|lf twice(half x) { return x + x; }\n'))?.markdown).toContain('16-bit');
    expect(await hoverIn('int middle(int n) { int ha|lf = n / 2; return half; }\n')).toBeUndefined();
    expect(await hoverIn('int middle(int clo|ck) { return clock; }\n')).toBeUndefined();
  });
});

describe('names within an access, a launch or a branch', () => {
  const kernel = (body: string) =>
    `__global__ void f(float* v, const float* w) { __shared__ float s[256]; ${body} }\nvoid run(float* v) { f<<<4, 256>>>(v, v); }\n`;

  test('the name first, then what the access does, with its picture', async () => {
    const hover = await hoverIn(kernel('v[blockIdx.x * blockDim.x + thread|Idx.x] = 1;'));
    expect(hover?.markdown).toMatch(
      /^`threadIdx`: index of the thread.*\n\nStore of `v\[.*` in global memory: 4 sectors of 32 bytes .* \(predicted\)\.$/s,
    );
    expect(hover?.picture).toContain('sectors');
    expect(hover?.range).toEqual({ start: { line: 0, column: 99 }, end: { line: 0, column: 108 } });
    // Wherever in the index one points.
    for (const body of ['v[block|Idx.x * blockDim.x + threadIdx.x] = 1;', 'v[blockIdx.x * block|Dim.x + threadIdx.x] = 1;'])
      expect((await hoverIn(kernel(body)))?.picture).toBe(hover?.picture);
    const other = await hoverIn(kernel('v[blockIdx.x * blockDim.x + threadIdx.x] = |1;'));
    expect(other).toBeUndefined();
  });

  test('the innermost access', async () => {
    const hover = await hoverIn(kernel('s[threadIdx.x] = w[s[thread|Idx.x * 2]];'));
    expect(hover?.markdown).toContain('Load of `s[threadIdx.x * 2]` in shared memory: 2 wavefronts per request, 2-way bank conflict.');
  });

  test('a value that is in a register already', async () => {
    const hover = await hoverIn(kernel('float x = w[threadIdx.x * 32]; v[threadIdx.x] = x + w[thread|Idx.x * 32];'));
    expect(hover?.markdown).toContain('no request, because the compiler keeps the value in a register');
    expect(hover?.picture).toBeUndefined();
  });

  test('with a finding: its title, then what the access does', async () => {
    const hover = await hoverIn(kernel('v[blockIdx.x * blockDim.x + threadIdx.x] = w[32 * thread|Idx.x];'));
    expect(hover?.rule).toBe('uncoalesced-access');
    expect(hover?.markdown).toMatch(
      /\n\n---\n\n\*\*Global memory access .*\*\* \(predicted\)\n\nLoad of `w\[.*\]` in global memory: 32 sectors/s,
    );
    expect(hover?.picture).toContain('sectors');
  });

  test('in a launch and in a branch', async () => {
    const launch = await hoverIn(
      '__global__ void f(float* v) { v[threadIdx.x] = 1; }\nvoid run(float* v) { f<<<4, di|m3(16, 16)>>>(v); }\n',
    );
    expect(launch?.markdown).toContain('**Launch of `f`** (predicted)');
    expect(launch?.picture).toContain('one block: 8 warps');
    const branch = await hoverIn(kernel('if (thread|Idx.x % 2 == 0) v[threadIdx.x] = sinf(w[threadIdx.x]); else v[threadIdx.x] = 0;'));
    expect(branch?.markdown).toMatch(/threadIdx[\s\S]*16 of 32 lanes (take one side|are active)/);
    expect(branch?.picture).toContain('svg');
  });
});

test('the grade of evidence stands once, with and without a finding', async () => {
  const text = (body: string) =>
    `__global__ void f(float* v) { __shared__ float s[2048]; ${body} }\nvoid run(float* v) { f<<<1000, 100>>>(v); }\n`;
  for (const marked of [
    text('|v[threadIdx.x * 32] = 1;'),
    text('|v[threadIdx.x] = 1;'),
    text('v[threadIdx.x] = |s[threadIdx.x * 32];'),
    text('v[thread|Idx.x * 32] = 1;'),
    text('|if (threadIdx.x % 2) v[threadIdx.x] = sinf(v[threadIdx.x]);'),
    '__global__ void f(float* v) { v[threadIdx.x] = 1; }\nvoid run(float* v) { f<|<<1000, 100>>>(v); }\n',
    '__global__ void f(float* v) { v[threadIdx.x] = 1; }\nvoid run(float* v) { f<<<1000, 1|00>>>(v); }\n',
  ]) {
    const hover = await hoverIn(marked);
    expect(hover?.markdown.split('(predicted)').length, marked).toBe(2);
  }
});

test('what is said of one launch lies side by side, so that a hover shows one message above the picture', async () => {
  const text = `#include <cstdlib>
__global__ void small(float* v) { __shared__ float s[20000]; s[threadIdx.x] = v[threadIdx.x]; v[threadIdx.x] = s[0]; }
void run(float* v) {
  if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  small<<<1000, 100>>>(v);
  cudaMemPrefetchAsync(v, 400, 0);
}
`;
  const document = (await theAnalyzer()).open(text, { device: 'rtx3060' });
  const onLaunch = document.findings().filter((f) => f.range.start.line === 4);
  const at = Object.fromEntries(onLaunch.map((f) => [f.rule, text.split('\n')[4].slice(f.range.start.column, f.range.end.column)]));
  expect(at).toMatchObject({ 'unchecked-launch': 'small', 'partial-warp-block': '100' });
  const kernel = document.hover({ line: 4, column: 4 });
  expect(kernel?.rule).toBe('unchecked-launch');
  expect(kernel?.markdown).toContain('**Kernel `small`**');
  document.dispose();
});

test('of many instantiations some stand for all, and a launch of another one claims nothing of its shared memory', async () => {
  const launches = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((n) => `  k<float, ${n}><<<100, 64>>>(a);`);
  const text = `template <typename T, int N> __global__ void |k(T* v) { __shared__ T s[N * 64]; s[threadIdx.x] = v[threadIdx.x]; v[threadIdx.x] = s[N]; }
void run(float* a, double* b) {
${launches.join('\n')}
  k<double, 256><<<100, 64>>>(b);
}
`;
  expect((await hoverIn(text))?.markdown).toContain(
    '2 more combinations of template arguments and block sizes are launched; the 8 above stand for them.',
  );
  const at = (launch: string) => text.replace('|', '').replace(`${launch}<<<`, `${launch}<|<<`);
  expect((await hoverIn(at('k<float, 2>')))?.markdown).toContain('Possibly limited further by registers, not known from the source.');
  expect((await hoverIn(at('k<float, 256>')))?.markdown).toContain('shared memory and registers');
});

describe('accesses', () => {
  const HOT = '#d9553f';
  test('sectors are red where fewer would do, and not where a vector takes many', async () => {
    const text = (body: string) => `__global__ void f(float4* v, float* w, float* u) { int i = threadIdx.x; ${body} }
void run(float4* v, float* w) { f<<<1, 256>>>(v, w, w); }
`;
    const copy = await hoverIn(text('v[i] = |v[i + 256];'));
    expect(copy?.markdown).toContain('16 sectors of 32 bytes per request');
    expect(boxesOf(copy?.picture, HOT)).toBe(0);
    const strided = await hoverIn(text('w[i] = |u[i * 4];'));
    expect(strided?.markdown).toContain('where 4 would do');
    expect(boxesOf(strided?.picture, HOT)).toBe(16);
  });
});

describe('branches', () => {
  const text = (body: string) => `__global__ void f(float* v, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = v[t];
  __syncthreads();
  for (unsigned o = 1; o < 256; o *= 2) {
    |if (t % (2 * o) == 0) ${body}
    __syncthreads();
  }
  v[t] = s[t];
}
void run(float* v) { f<<<1, 256>>>(v, 4); }
`;
  test('that are predicated leave lanes idle and do not diverge', async () => {
    const hover = await hoverIn(text('s[t] += s[t + o];'));
    expect(hover?.markdown).toContain(
      '16, then 8, then 4, then 2, then 1, then 1, then 1, then 1 of 32 lanes are active behind this condition',
    );
    expect(hover?.markdown).toContain('no branch diverges, because the compiler predicates so little code');
  });
  test('with loops diverge', async () => {
    const hover = await hoverIn(text('for (int k = 0; k < n; k++) s[t] += v[k] / s[t + o];'));
    expect(hover?.markdown).toContain('In 8 of 8 iterations of the loop, this diverges');
  });
});

test('where a kernel is launched in several ways, the hover is of the one that the finding is of', async () => {
  const text = `template <int S> __global__ void k(float* v) { __shared__ float s[2048]; |s[threadIdx.x * S] = v[threadIdx.x]; v[threadIdx.x] = s[0]; }
void run(float* v) { k<1><<<1, 64>>>(v); k<2><<<1, 64>>>(v); k<32><<<1, 64>>>(v); }
`;
  const document = (await theAnalyzer()).open(text.replace('|', ''));
  expect(document.findings().map((f) => f.message)).toContainEqual(
    expect.stringContaining('in k<32> (different numbers in k<2>): 32-way bank conflict'),
  );
  document.dispose();
  expect((await hoverIn(text))?.markdown).toContain('32 wavefronts per request, 32-way bank conflict');
});
