import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

/** NAME.stdout is what NAME.cu printed on an H200 (CUDA 13.0, driver 580). */
const lines = (text: string) => text.trimEnd().split('\n');
const hardware = (name: string) => lines(readFileSync(fixture(`${name}.stdout`), 'utf8'));

describe('the CUDA runtime answers as on an H200', () => {
  for (const name of ['memory', 'launches', 'streams', 'device', 'lp64', 'l2-policy']) {
    it(name, async () => {
      const report = await reportOf(fixture(`${name}.cu`));
      expect(report.faults).toEqual([]);
      expect(lines(report.stdout)).toEqual(hardware(name));
      expect(report.exit).toBe(0);
    });
  }
});

describe('textures, surfaces, arrays, graphs and pools give what the CUDA C++ Programming Guide says', () => {
  for (const engine of ['compiler', 'interpreter'] as const) {
    it(`on the ${engine}`, async () => {
      const report = await reportOf(fixture('textures.cu'), { engine });
      expect(report.faults).toEqual([]);
      expect(report.stdout).toBe('0 failures\n');
    });
  }

  for (const engine of ['compiler', 'interpreter'] as const) {
    it(`shuffles of whole warps, on the ${engine}`, async () => {
      const report = await reportOf(fixture('shuffles.cu'), { engine });
      expect(report.faults).toEqual([]);
      expect(report.stdout).toBe('0 failures\n');
    });
  }

  it.each(['graphs', 'pools'])('%s', async (name) => {
    const report = await reportOf(fixture(`${name}.cu`));
    expect(report.faults).toEqual([]);
    expect(report.stdout).toBe('0 failures\n');
    const refused = 'cudaIpcGetMemHandle() failed: the simulator does not have memory and events of other processes';
    expect(report.notes?.filter((note) => note.includes('does not have')) ?? []).toEqual(name === 'pools' ? [refused] : []);
  });

  it('the driver API runs kernels of the program, by files of compiled code that stand for them', async () => {
    const report = await reportOf(fixture('driver/main.cu'), { others: [fixture('driver/kernels.cu')] });
    expect(report.faults).toEqual([]);
    expect(report.stdout).toBe('0 failures\n');
    const refused = report.notes?.filter((note) => note.includes('does not have'));
    expect(refused?.filter((note) => note.startsWith('cuIpc'))).toHaveLength(5);
    expect(refused?.filter((note) => !note.startsWith('cuIpc'))).toEqual([
      'cuModuleLoadData() failed: the simulator does not have a compiler of PTX or machine code: it runs kernels of the .cu files that it is given',
      'cuLinkCreate() failed: the simulator does not have a linker of device code',
      'cuMemExportToShareableHandle() failed: the simulator does not have memory and events of other processes',
      'cuMemImportFromShareableHandle() failed: the simulator does not have memory and events of other processes',
    ]);
  });

  it("the driver has the runtime's functions by its own names", async () => {
    const report = await reportOf(fixture('driver/extras.cu'), { others: [fixture('driver/kernels.cu')] });
    expect(report.faults).toEqual([]);
    expect(report.stdout).toBe('0 failures\n');
  });

  it('a capture into a graph of the program may end without asking for the graph', async () => {
    const text = `#include <cstdio>
__global__ void add(int* p) { ++*p; }
int main() {
  int* p;
  cudaMallocManaged(&p, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphCreate(&graph, 0);
  cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed);
  add<<<1, 1, 0, stream>>>(p);
  printf("%d ", cudaStreamEndCapture(stream, nullptr));
  cudaGraphNode_t node, empty;
  size_t count = 1;
  cudaGraphGetNodes(graph, &node, &count);
  cudaGraphAddEmptyNode(&empty, graph, &node, 1);
  cudaGraphDebugDotPrint(graph, "/tmp/graph.dot", 0);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  printf("%d\\n", *p);
  char line[200];
  FILE* dot = fopen("/tmp/graph.dot", "r");
  while (fgets(line, sizeof line, dot)) printf("%s", line);
}`;
    expect((await textReport(text)).stdout).toBe(`0 1
digraph dot {
subgraph cluster_1 {
label="graph_1" graph[style="dashed"];
"graph_1_node_0"[style="bold" shape="octagon" label="0
KERNEL
_Z3addPi"];
"graph_1_node_1"[style="solid" shape="rectangle" label="1
EMPTY"];
"graph_1_node_0" -> "graph_1_node_1";
}
}
`);
  });

  it("a kernel's printf returns the number of its arguments, not of characters", async () => {
    const text = `#include <cstdio>
__global__ void k() {
  int none = printf("none\\n"), two = printf("%d %s 100%%\\n", 1, "b"), star = printf("%*d\\n", 5, 3);
  printf("%d %d %d", none, two, star);
}
int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }`;
    const stdout = 'none\n1 b 100%\n    3\n0 2 2';
    expect((await textReport(text)).stdout).toBe(stdout);
    expect((await textReport(text, { engine: 'interpreter' })).stdout).toBe(stdout);
  });

  it('the driver API is there for programs in C', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'lanewise-c-')), 'driver.c');
    writeFileSync(
      file,
      '#include <cuda.h>\n#include <stdio.h>\nint main(void) {\n  CUdevice device;\n  CUcontext context;\n  cuInit(0);\n' +
        '  cuDeviceGet(&device, 0);\n  printf("%d", cuCtxCreate(&context, 0, device));\n  return 0;\n}\n',
    );
    const { stdout } = await reportOf(file);
    rmSync(dirname(file), { recursive: true });
    expect(stdout).toBe('0');
  });

  it('the runtime begins the driver, and makes a context when it needs one', async () => {
    const text = `#include <cstdio>
#include <cuda.h>
int main() {
  CUdevice device;
  CUcontext current = nullptr;
  int count, codes[5] = {};
  codes[0] = cuCtxGetDevice(&device);
  cudaGetDeviceCount(&count);
  codes[1] = cuDeviceGet(&device, 0), codes[2] = cuCtxGetDevice(&device);
  cudaSetDevice(0);
  codes[3] = cuCtxGetDevice(&device), codes[4] = cuCtxGetCurrent(&current);
  for (int code : codes) printf("%d ", code);
  printf("%d", current != nullptr);
}`;
    expect((await textReport(text)).stdout).toBe('3 0 201 0 0 1');
  });

  it('a surface that is left, a texture that is gone and one whose memory is gone are faults', async () => {
    const text = (use: string) => `#include <cstdio>
__global__ void write(cudaSurfaceObject_t s) { surf2Dwrite(1, s, threadIdx.x * 4, 0); }
__global__ void read(cudaTextureObject_t t, int* out) { *out = tex2D<int>(t, 0, 0); }
int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaResourceDesc resource = {};
  cudaMallocArray(&resource.res.array.array, &format, 4, 4, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  int* out;
  cudaMalloc(&out, 4);
  ${use}
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
`;
    for (const engine of ['compiler', 'interpreter'] as const) {
      const messages = await Promise.all(
        [
          'write<<<1, 5>>>(surface);',
          'read<<<1, 1>>>(texture + 7, out);',
          'cudaFreeArray(resource.res.array.array); read<<<1, 1>>>(texture, out);',
        ].map(async (use) => (await textReport(text(use), { engine })).faults[0]?.message),
      );
      expect(messages).toEqual([
        'a surface write of 4 bytes at (16, 0, 0), x in bytes, is outside its 16 bytes by 4 by 1',
        'the texture object 8 does not exist: cudaCreateTextureObject makes them',
        'the memory behind a texture or surface has been freed',
      ]);
    }
  });
});

describe('an assertion of a template', () => {
  const text = `#include <cassert>
#include <cstdio>
template <class T, int N> __device__ T above(T x) { assert(x > N); return x; }
template <class T, int N> __global__ void check(T* p) { p[threadIdx.x] = above<T, N>(threadIdx.x); }
int main() {
  float* p;
  cudaMalloc(&p, 128);
  check<float, 0><<<1, 32>>>(p);
  printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
`;
  for (const engine of ['compiler', 'interpreter'] as const) {
    it(`names its function and arguments as nvcc does, on the ${engine}`, async () => {
      const report = await textReport(text, { engine });
      expect(report.stderr).toMatch(
        /:3: T above\(T\) \[with T = float, N = 0\]: block: \[0,0,0\], thread: \[0,0,0\] Assertion `x > N` failed\.\n$/,
      );
      expect(report.stdout).toBe('device-side assert triggered\n');
    });
  }
});

describe('kernels that are given lambdas', () => {
  it('run in programs whose kernels launch others, too', async () => {
    const report = await textReport(`#include <cstdio>
static __device__ int factor = 2;
template <class F> __global__ void each(F f) { f(threadIdx.x); }
__global__ void child(int* p) { p[threadIdx.x] *= factor; }
__global__ void parent(int* p) { if (threadIdx.x == 0) child<<<1, 32>>>(p); }
int main() {
  int three = 3, *p;
  cudaMallocManaged(&p, 128);
  cudaMemcpyToSymbol(factor, &three, sizeof three);
  each<<<1, 32>>>([=] __device__(int i) { p[i] = i * three; });
  each<<<1, 32>>>([=] __host__ __device__(int i) { p[i] += 1; });
  parent<<<1, 32>>>(p);
  printf("%s ", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%d\\n", p[31]);
}
`);
    expect(report.faults).toEqual([]);
    expect(report.stdout).toBe('no error 282\n');
  });
});

describe('memory that comes again', () => {
  it('is zero, below managed memory and in it, however often that has come and gone', async () => {
    const report = await textReport(`#include <cstdio>
#include <cstdlib>
#include <cstring>
static size_t written(const char* p, size_t n) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += p[i] != 0;
  return found;
}
int main() {
  const size_t n = 64 << 20;
  size_t found = 0;
  for (int round = 0; round < 300; round++) {
    char* both;
    if (round == 0 || round == 298) {
      char* heap = (char*)calloc(n, 1);
      found += written(heap, n);
      memset(heap, 7, n);
      free(heap);
    }
    cudaMallocManaged(&both, 100000);
    found += written(both, 100000);
    memset(both, 9, 100000);
    char* later = round % 100 == 1 ? (char*)calloc(n, 1) : nullptr;
    if (later) found += written(later, n);
    free(later);
    cudaFree(both);
  }
  printf("%zu\\n", found);
}`);
    expect(report.stdout).toBe('0\n');
  });
});

describe('a fault on the device', () => {
  const cases = [
    { which: 'out of bounds', argument: '0', error: 'cudaErrorIllegalAddress', kind: 'out-of-bounds', line: 10, thread: [5, 0, 0] },
    { which: 'misaligned', argument: '1', error: 'cudaErrorMisalignedAddress', kind: 'misaligned', line: 11, thread: [0, 0, 0] },
    { which: 'assertion', argument: '2', error: 'cudaErrorAssert', kind: 'assert', line: 12, thread: [0, 0, 0] },
    { which: 'trap', argument: '3', error: 'cudaErrorLaunchFailure', kind: 'trap', line: 13, thread: [0, 0, 0] },
    { which: 'null pointer', argument: '4', error: 'cudaErrorIllegalAddress', kind: 'out-of-bounds', line: 14, thread: [1, 0, 0] },
  ];
  for (const { which, argument, error, kind, line, thread } of cases) {
    it(`${which}: every later call fails as on an H200, and the report names the place`, async () => {
      const report = await reportOf(fixture('faults.cu'), { args: [argument] });
      expect(lines(report.stdout)).toEqual([
        'launch: cudaSuccess',
        `synchronise: ${error}`,
        `last: ${error}`,
        'last again: cudaSuccess',
        `malloc: ${error}`,
        `copy: ${error}`,
        `launch: ${error}`,
        `free: ${error}`,
      ]);
      // By all lanes of the warp, with the function as nvcc 13.0 hands it to the runtime.
      const assertion = Array.from(
        { length: 32 },
        (_, lane) => `faults.cu:12: void fault(int *, int): block: [0,0,0], thread: [${lane},0,0] Assertion \`p == nullptr\` failed.\n`,
      ).join('');
      expect(report.stderr).toBe(kind === 'assert' ? assertion : '');
      expect(report.exit).toBe(1);
      expect(report.faults).toHaveLength(1);
      expect(report.faults[0]).toMatchObject({ kind, file: 'faults.cu', line, block: [0, 0, 0], thread, kernel: 'fault(int *, int)' });
      if (which === 'out of bounds') expect(report.faults[0].message).toMatch(/outside the address space: an index is far out of range/);
    });
  }
});

describe('use after free', () => {
  const text = (free: string) => `#include <cstdio>
__global__ void touch(int* p) { p[threadIdx.x + 4] = 1; }
int main() {
  int *first, *p;
  cudaMalloc(&first, 64);
  cudaMalloc(&p, 4096);
  touch<<<1, 4>>>(p);
  ${free}
  touch<<<1, 4>>>(p);
  return cudaDeviceSynchronize();
}
`;
  const where = /^out-of-bounds __global__ write of 4 bytes at 0x[0-9a-f]+, which was byte 16 of cudaMalloc no\. 2 \(4096 bytes\) until /;

  it('names the memory, and when it was freed', async () => {
    const [{ message }] = (await textReport(text('cudaFree(p);'))).faults;
    expect(message).toMatch(where);
    expect(message.replace(where, '')).toBe('cudaFree after 1 kernel launch: use after free');
    const [reset] = (await textReport(text('cudaDeviceReset();'))).faults;
    expect(reset.message.replace(where, '')).toBe('cudaDeviceReset after 1 kernel launch: use after free');
  });

  it('is no fault where other memory lies now, as on a GPU', async () => {
    expect((await textReport(text('cudaFree(p); cudaMalloc(&first, 4096);'))).faults).toEqual([]);
  });
});

it('device printf shows pointers as an H200 does', async () => {
  const program = `#include <cstdio>
__global__ void show() { printf("%p %p [%10p]", (void*)0, (void*)0x1234, (void*)0); }
int main() { show<<<1, 1>>>(); return cudaDeviceSynchronize(); }
`;
  expect((await textReport(program)).stdout).toBe('(nil) 0x1234 [     (nil)]');
});

it('atomics with an order and a scope, as CUDA 12.8 brought them', async () => {
  const program = `#include <cstdio>
__global__ void k(unsigned* counters, float* sum, int* flags) {
  unsigned old = __nv_atomic_fetch_add(&counters[0], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(&counters[1], threadIdx.x, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_or(&counters[2], 1u << (threadIdx.x & 31), __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED);
  unsigned expected = 7;
  bool won = __nv_atomic_compare_exchange_n(&counters[3], &expected, 100 + threadIdx.x, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
  if (won) flags[0] = expected;
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  if (old == 63) {
    __nv_atomic_store_n(&flags[1], 5, __NV_ATOMIC_RELEASE);
    flags[2] = __nv_atomic_load_n(&flags[1], __NV_ATOMIC_ACQUIRE);
    int v = 9, was;
    __nv_atomic_exchange(&flags[1], &v, &was, __NV_ATOMIC_RELAXED);
    flags[3] = was;
  }
}
int main() {
  unsigned* c; float* s; int* f;
  cudaMallocManaged(&c, 16); cudaMallocManaged(&s, 4); cudaMallocManaged(&f, 16);
  c[0] = c[1] = c[2] = 0; c[3] = 7; *s = 0; f[0] = f[1] = f[2] = f[3] = 0;
  k<<<1, 64>>>(c, s, f);
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%u %u %x %u %g %d %d %d %d\\n", c[0], c[1], c[2], c[3], *s, f[0], f[1], f[2], f[3]);
}
`;
  for (const engine of ['compiler', 'interpreter'] as const) {
    expect((await textReport(program, { engine })).stdout).toBe('cudaSuccess\n64 63 ffffffff 100 32 7 9 5 5\n');
  }
});

it('qsort keeps the order of equal elements and sorts by a comparison that never says less, as with glibc', async () => {
  const program = `#include <cstdio>
#include <cstdlib>
struct Entry { int key; char name; };
int byKey(const void* a, const void* b) { return ((const Entry*)a)->key - ((const Entry*)b)->key; }
int isGreater(const void* a, const void* b) { return *(const float*)a > *(const float*)b; }
int main() {
  Entry entries[] = {{3, 'a'}, {1, 'b'}, {3, 'c'}, {2, 'd'}, {1, 'e'}, {3, 'f'}, {2, 'g'}};
  qsort(entries, 7, sizeof(Entry), byKey);
  for (const Entry& e : entries) printf("%d%c ", e.key, e.name);
  float numbers[100];
  for (int i = 0; i < 100; i++) numbers[i] = i * 37 % 100;
  qsort(numbers, 100, sizeof(float), isGreater);
  int sorted = 0;
  for (int i = 0; i < 100; i++) sorted += numbers[i] == i;
  printf("%d", sorted);
}
`;
  expect((await textReport(program)).stdout).toBe('1b 1e 2d 2g 3a 3c 3f 100');
});

describe('constant memory that a kernel writes', () => {
  const program = `#include <cstdio>
#include <cstdlib>
__constant__ int c[4] = {1, 2, 3, 4};
__global__ void through(int* p) { atomicAdd(p + threadIdx.x % 2, 1); p[3] = 9; }
__global__ void byName() { atomicAdd(&c[threadIdx.x % 2], 1); }
int main(int argc, char** argv) {
  int* p;
  cudaGetSymbolAddress((void**)&p, c);
  if (argc == 1) through<<<1, 64>>>(p); else byName<<<1, 64>>>();
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  int h[4] = {};
  cudaMemcpyFromSymbol(h, c, sizeof h);
  printf("%d %d %d %d\\n", h[0], h[1], h[2], h[3]);
}
`;

  // As an H200 does (CUDA 13.0, driver 580.159.04): it is global memory to the instructions that a generic pointer becomes.
  it.each(['compiler', 'interpreter'] as const)('is written and counted through a pointer that the host got (%s)', async (engine) => {
    const report = await textReport(program, { engine });
    expect(report.stdout).toBe('cudaSuccess\n33 34 3 9\n');
    const metrics = report.kernels[0]?.metrics ?? {};
    expect(metrics['smsp__sass_inst_executed_op_global_red.sum']).toBe(2);
    expect(metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum']).toBe(2);
  });

  // nvcc compiles a write through the variable's name to a trap.
  it.each(['compiler', 'interpreter'] as const)('by its name is a fault (%s)', async (engine) => {
    const report = await textReport(program, { engine, args: ['x'] });
    expect(report.stdout).toBe('cudaErrorLaunchFailure\n0 0 0 0\n');
    expect(report.faults).toHaveLength(1);
    expect(report.faults[0]).toMatchObject({ kind: 'trap', line: 5, message: expect.stringContaining('writes to __constant__ memory') });
  });
});

it('a kernel without parameters is launched from device code, too', async () => {
  const report = await textReport(`#include <cstdio>
    __device__ int count;
    __global__ void child() { atomicAdd(&count, 1); }
    __global__ void parent() { for (int i = 0; i < 10; i++) child<<<1, 1>>>(); }
    int main() {
      int counted;
      parent<<<1, 1>>>();
      cudaDeviceSynchronize();
      cudaMemcpyFromSymbol(&counted, count, sizeof counted);
      printf("%d\\n", counted);
    }`);
  expect(report).toMatchObject({ stdout: '10\n', faults: [] });
  expect(report.kernels).toHaveLength(11);
});
