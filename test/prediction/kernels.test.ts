/** What is predicted of kernels of which little is known, and what is left open. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledKernel, CompiledSite, KernelShape } from '../../protocol/compiled.ts';
import { predictFile } from '../../simulator/predict-file.ts';

const TEXT = `
__global__ void guarded(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i * 4];                                  // guarded
}
__global__ void gather(const int *index, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int at = index[i];
    out[i] = in[at];                                   // gather
  }
}
__global__ void leaving(const int *flags, float *out) {
  int i = threadIdx.x;
  if (flags[i] == 0) return;                           // leaves
  out[i] = 1;                                          // left
}
__global__ void strides(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];   // strides
  out[threadIdx.x] = sum;
}
__global__ void together(const int *flag, float *out) {
  if (*flag) { out[threadIdx.x] = 1; __syncthreads(); } // together
  out[threadIdx.x + 32] = 2;                           // met
}
__global__ void predicated(const float *in, float *out) {
  int i = threadIdx.x;
  float x = in[i];
  if (i % 2) x += 1;                                   // predicated
  out[i] = x;
}
__global__ void apart(float *out) {
  int i = threadIdx.x;
  if (i % 2)
#pragma unroll 1
    for (int k = 0; k < i; k++) out[i] += k;           // apart
}
__global__ void shifted(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }              // shifted
__global__ void counts(float *sum, float *sums) {
  atomicAdd(sum, 1.5f);                                // one word
  atomicAdd(&sums[threadIdx.x], 1.5f);                 // own words
}
template <int STRIDE> __global__ void banks(int *out) {
  __shared__ int tile[1024];
  tile[threadIdx.x * STRIDE % 1024] = threadIdx.x;     // banks
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
template __global__ void banks<2>(int *);
template __global__ void banks<8>(int *);
__global__ void lower(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int column = i % 64, row = i / 64 % 64;
    if (column <= row) atomicAdd(&out[i], in[i]);      // lower
  }
}
__global__ void unrolled(int *out) {
  __shared__ int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
#pragma unroll
  for (int step = 1; step < 8; step *= 2) {
    tile[threadIdx.x * step] = step;                   // unrolled
    __syncthreads();
  }
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void rows(const float *in, float *out, int n) {
  int at = (blockIdx.y * blockDim.y + threadIdx.y) * n + blockIdx.x * blockDim.x + threadIdx.x;
  out[at] = in[threadIdx.y * 1024 + threadIdx.x * 8];  // rows
}
__global__ void tree(const float *in, float *out) {
  __shared__ float tile[256];
  unsigned t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    unsigned k = 2 * step * t;
    if (k < 256) tile[k] += 1;                         // tree
    __syncthreads();
  }
  out[t] = tile[t];
}
__global__ void recursive(float *out, int depth) {
  for (int k = 0; k < 100000; k++) out[threadIdx.x + k % 7 * 32] += depth;   // long
}
__global__ void once(float *__restrict__ out, const float *__restrict__ in, int width) {
  for (int k = 0; k < 16; k += 16) {
    out[threadIdx.x * width + k] = in[threadIdx.x + k * width];
  }
}
__global__ void inner(const float *in, float *out, int nx, int ny, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  bool isInner = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
#pragma unroll 1
  for (int k = 0; k < n; k++)
    if (isInner) atomicAdd(&out[x], in[k]);            // inner
}
__global__ void divides(const float *in, float *out, float by) {
  float i = threadIdx.x;
  out[threadIdx.x] = i / 3.0f;                         // by three
  out[threadIdx.x + 32] = i / by;                      // by anything
  out[threadIdx.x + 64] = (i + 1.0f) / 3.0f;           // no zero
  out[threadIdx.x + 96] = in[threadIdx.x] / by;        // of data
}
__global__ void child(float *out);
__global__ void parent(float *out) {
  if (threadIdx.x == 0) child<<<1, 32>>>(out);
  out[threadIdx.x * 8] = 1;                            // parent
}
struct Rows { float *out; int *from; int width; };
__global__ void byValue(Rows rows) {
  rows.out[threadIdx.y * (rows.width / 4) + threadIdx.x] = 1;      // sizes
  rows.out[rows.from[threadIdx.x]] = 2;                            // places
}
__global__ void widening(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 5; k++)
    if (k > 0 || threadIdx.x % 2 == 0) sum += in[threadIdx.x << k];  // widening
  if (threadIdx.x % 4 == 0) sum += in[threadIdx.x + 512];          // with holes
#pragma unroll 1
  for (int k = 1; k < 5; k++) {
    sum += in[(threadIdx.x << k) + 1024] * in[(threadIdx.x << k) + 1025];   // pieces at first
    sum += in[threadIdx.x * 2 + 128 * k] * in[threadIdx.x * 2 + 128 * k + 1];  // pieces in all
  }
  out[threadIdx.x] = sum + in[threadIdx.x + 2049];                 // without holes
}
struct Table { float *out; int *from; int places[8]; };
__global__ void keeps(Table table) {
  table.places[threadIdx.x & 7] = table.from[threadIdx.x];
  table.out[table.places[(threadIdx.x + 1) & 7]] = 1;              // kept
}
`;

const BLOCK: KernelShape['block'] = [32, 1, 1];
const POINTER = { align: 256 };
const any: KernelShape['grid'] = [undefined, 1, 1];

/** What is known of the instructions on the line with this comment. */
type SitesAt = (id: string, mark: string, kind: CompiledSite['kind']) => (CompiledSite['means'] | undefined)[];

describe('kernels in shapes of which not all is known', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-kernels-'));
  const file = join(folder, 'kernels.cu');
  const shape = (kernel: string, args: KernelShape['args'], more: Partial<KernelShape> = {}): KernelShape => {
    return { id: kernel, kernel, templateArgs: [], block: BLOCK, grid: any, args, ...more };
  };
  let at: SitesAt;
  let kernels: readonly CompiledKernel[];

  beforeAll(async () => {
    writeFileSync(file, TEXT);
    const shapes = [
      shape('guarded', [POINTER, POINTER, undefined]),
      shape('gather', [POINTER, POINTER, POINTER, undefined]),
      shape('leaving', [POINTER, POINTER], { grid: [1, 1, 1] }),
      shape('strides', [POINTER, POINTER, undefined]),
      shape('together', [POINTER, POINTER]),
      shape('predicated', [POINTER, POINTER]),
      shape('apart', [POINTER]),
      shape('shifted', [{ align: 4 }, POINTER]),
      shape('counts', [POINTER, POINTER]),
      shape('banks', [POINTER], { id: 'banks 2', templateArgs: ['2'] }),
      shape('banks', [POINTER], { id: 'banks 8', templateArgs: ['8'] }),
      shape('lower', [POINTER, POINTER, { value: 64 * 64 * 256 }], { id: 'lower, idle blocks', block: [256, 1, 1], grid: [16384, 1, 1] }),
      shape('lower', [POINTER, POINTER, { value: 64 * 64 * 4 }], { id: 'lower, all blocks', block: [256, 1, 1], grid: [128, 1, 1] }),
      shape('unrolled', [POINTER]),
      shape('rows', [POINTER, POINTER, { value: 1024 }], { block: [32, 8, 1], otherBlocks: [[16, 16, 1]] }),
      shape('tree', [POINTER, POINTER], { block: [256, 1, 1] }),
      shape('tree', [POINTER, POINTER], { id: 'tree, assumed', block: [256, 1, 1], otherBlocks: [[64, 1, 1]] }),
      shape('recursive', [POINTER, undefined]),
      shape('once', [POINTER, POINTER, undefined]),
      shape('inner', [POINTER, POINTER, undefined, undefined, undefined], { grid: [undefined, undefined, 1] }),
      shape('divides', [POINTER, POINTER, undefined], { grid: [1, 1, 1] }),
      shape('parent', [POINTER]),
      shape('byValue', [undefined], { block: [8, 4, 1] }),
      shape('keeps', [undefined]),
      shape('widening', [POINTER, POINTER], { grid: [1, 1, 1] }),
      shape('missing', []),
    ];
    const result = await predictFile({ file, includeDirs: [], defines: [], shapes });
    if (result.kind !== 'predicted') throw new Error(JSON.stringify(result));
    kernels = result.kernels;
    const lines = TEXT.split('\n');
    at = (id, mark, kind) => {
      const line = lines.findIndex((text) => text.includes(`// ${mark}`)) + 1;
      const kernel = result.kernels.find((k) => k.id === id);
      if (!kernel) throw new Error(`no prediction of ${id}`);
      return kernel.sites.filter((site) => site.line === line && site.kind === kind).map(({ means }) => means);
    };
    expect(result.kernels.some(({ id }) => id === 'missing')).toBe(false);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('a bound that nobody knows does not hide what most warps do', () => {
    expect(at('guarded', 'guarded', 'load')).toMatchObject([{ sectors: 16, idealSectors: 4 }]);
    expect(at('guarded', 'guarded', 'store')).toMatchObject([{ sectors: 4, idealSectors: 4 }]);
  });

  it('an index that is loaded leaves its access open, and no other', () => {
    expect(at('gather', 'gather', 'load')).toEqual([undefined]);
    expect(at('gather', 'gather', 'store')).toMatchObject([{ sectors: 4 }]);
  });

  it('fields of a structure that is passed by value are no loaded data', () => {
    const storeAt = (mark: string) => {
      const line = TEXT.split('\n').findIndex((text) => text.includes(`// ${mark}`)) + 1;
      return kernels.flatMap(({ sites }) => sites).find((site) => site.line === line && site.kind === 'store');
    };
    expect(storeAt('sizes')).toMatchObject({ means: undefined, parts: undefined });
    expect(storeAt('places')?.parts).toBe('data');
    expect(storeAt('kept')?.parts).toBe('data');
  });

  it('lanes are side by side, or their bytes pieces of more, if they are in all requests', () => {
    const loadAt = (mark: string) => {
      const line = TEXT.split('\n').findIndex((text) => text.includes(`// ${mark}`)) + 1;
      return kernels.find(({ id }) => id === 'widening')!.sites.find((site) => site.line === line && site.kind === 'load');
    };
    expect(loadAt('with holes')).toMatchObject({ isSparse: true, means: { sectors: 4 } });
    expect(loadAt('without holes')).toMatchObject({ isSparse: undefined, means: { sectors: 5 } });
    expect(loadAt('widening')).toMatchObject({ isSparse: undefined, pieceOf: undefined });
    expect(loadAt('pieces in all')).toMatchObject({ pieceOf: 8, means: { sectors: 8 } });
    expect(loadAt('pieces at first')).toMatchObject({ pieceOf: undefined, means: { sectors: 22 } });
  });

  it('after lanes have left by data, nobody knows who is there', () => {
    expect(at('leaving', 'leaves', 'load')).toMatchObject([{ sectors: 4 }]);
    expect(at('leaving', 'left', 'store')).toEqual([undefined]);
  });

  it('a loop of unknown length is looked at once for all iterations', () => {
    for (const means of at('strides', 'strides', 'load')) expect(means).toMatchObject({ sectors: 4, idealSectors: 4 });
    expect(at('strides', 'strides', 'load').length).toBeGreaterThan(0);
    // How many warps lie at the bound is not known.
    expect(new Set(at('strides', 'strides', 'branch'))).toEqual(new Set([undefined]));
  });

  it('what the ways of a condition at the edge of the data leave behind parts lanes there, too', () => {
    expect(new Set(at('inner', 'inner', 'branch'))).toEqual(new Set([undefined]));
  });

  it('kinds of instructions whose lines the compiler has lost are named', () => {
    const unplaced = (name: string) => kernels.find(({ id }) => id === name)!.unplaced;
    expect(unplaced('once')?.toSorted()).toEqual(['load', 'store']);
    expect(unplaced('guarded')).toEqual([]);
  });

  it('copies of an unrolled access count as often as they are executed, which hangs on the block', () => {
    // 4 requests of 2 wavefronts, 2 of 4, and then 8, 8, 8, 4, 2 and 1.
    const mean = expect.closeTo(47 / 12, 9);
    expect(at('tree', 'tree', 'load')).toMatchObject([{ wavefronts: mean, idealWavefronts: 1 }]);
    expect(at('tree', 'tree', 'store')).toMatchObject([{ wavefronts: mean, idealWavefronts: 1 }]);
    // In blocks of 64 the first iteration has half as many.
    expect(at('tree, assumed', 'tree', 'load')).toEqual([undefined]);
  });

  it('data that is the same for all lanes parts none of them', () => {
    for (const means of at('together', 'together', 'branch')) expect(means).toMatchObject({ divergent: 0 });
    expect(at('together', 'met', 'store')).toMatchObject([{ sectors: 4 }]);
  });

  it('the lane that divides zero parts from the others inside of the division', () => {
    const partings = (mark: string) => {
      const line = TEXT.split('\n').findIndex((text) => text.includes(`// ${mark}`)) + 1;
      return kernels.find(({ id }) => id === 'divides')!.sites.filter((site) => site.line === line && site.kind === 'slowPath');
    };
    expect(partings('by three')).toMatchObject([{ parts: 'sure', means: { divergent: 1 } }]);
    // Whether the others take the slow path, too, hangs on the divisor.
    expect(partings('by anything')).toMatchObject([{ parts: 'data', means: undefined }]);
    expect(partings('no zero')).toMatchObject([{ parts: undefined, means: { divergent: 0 } }]);
    expect(partings('of data')).toMatchObject([{ parts: undefined, means: undefined }]);
  });

  it('a branch that hardware does not have is none', () => {
    expect(at('predicated', 'predicated', 'branch')).toEqual([]);
  });

  it('lanes that part by their index are counted', () => {
    // 15 lanes of 16 leave the loop one by one.
    expect(Math.max(...at('apart', 'apart', 'branch').map((means) => means?.divergent ?? -1))).toBeCloseTo(15 / 31, 5);
  });

  it('a pointer into an allocation may start anywhere in a sector', () => {
    expect(at('shifted', 'shifted', 'load')).toEqual([undefined]);
    expect(at('shifted', 'shifted', 'store')).toMatchObject([{ sectors: 4 }]);
  });

  it('lanes on one word take turns', () => {
    expect(at('counts', 'one word', 'atomic')).toMatchObject([{ turns: 32 }]);
    expect(at('counts', 'own words', 'atomic')).toMatchObject([{ turns: 1 }]);
  });

  it('instantiations are told apart', () => {
    expect(at('banks 2', 'banks', 'store')).toMatchObject([{ wavefronts: 2, idealWavefronts: 1 }]);
    expect(at('banks 8', 'banks', 'store')).toMatchObject([{ wavefronts: 8, idealWavefronts: 1 }]);
  });

  it('copies of an access in an unrolled loop are one, in the mean', () => {
    // One, two and four ways.
    expect(at('unrolled', 'unrolled', 'store')).toMatchObject([{ wavefronts: expect.closeTo(7 / 3, 5), idealWavefronts: 1 }]);
  });

  it('of a block that is assumed only what holds for others, too', () => {
    expect(at('rows', 'rows', 'load')).toMatchObject([{ sectors: 32 }]);
    expect(at('rows', 'rows', 'store')).toMatchObject([{ sectors: 4 }]);
  });

  it('blocks that stand for others say nothing where these do something else', () => {
    expect(at('lower, idle blocks', 'lower', 'load')).toEqual([undefined]);
  });

  it('a grid whose blocks differ is walked whole if it is small', () => {
    // Each row of 64 is two warps' requests: the first has one lane more from row to row, up to 32; the second begins in row 32.
    const sectors = Array.from({ length: 64 }, (_, row) => [Math.min(row + 1, 32), row - 31]).flat();
    const requests = sectors.filter((lanes) => lanes > 0).map((lanes) => Math.ceil(lanes / 8));
    const mean = requests.reduce((sum, n) => sum + n, 0) / requests.length;
    expect(at('lower, all blocks', 'lower', 'load').map((means) => means?.sectors)).toEqual([expect.closeTo(mean, 5)]);
  });

  it('a kernel that launches one of another file is followed', () => {
    expect(at('parent', 'parent', 'store')).toMatchObject([{ sectors: 32 }]);
  });

  it('a long loop is cut short without making numbers up', () => {
    for (const means of at('recursive', 'long', 'load')) expect(means).toMatchObject({ sectors: 4 });
    expect(at('recursive', 'long', 'load').length).toBeGreaterThan(0);
  });
});
