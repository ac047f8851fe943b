import { describe, expect, it } from 'vitest';
import { startSimulation } from '../../simulator/simulate.ts';
import { fixture, request, simulate, textReport } from './simulation.ts';

const ENDLESS_KERNEL = `#include <cstdio>
__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}
int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  printf("waiting\\n");
  wait<<<1, 32>>>(flag);
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}`;

describe('what cannot run', () => {
  it('a file that does not compile comes back with its errors', async () => {
    const result = await simulate(fixture('from-text.cu'), { text: 'int main() {\n  int x = "text";\n  return missing;\n}\n' });
    expect(result.kind).toBe('compile-error');
    const errors = result.kind === 'compile-error' ? result.diagnostics.filter(({ severity }) => severity === 'error') : [];
    expect(errors.map(({ line, column }) => [line, column])).toEqual([
      [2, 7],
      [3, 10],
    ]);
    expect(errors[0].file).toBe(fixture('from-text.cu'));
    expect(errors[1].message).toContain("undeclared identifier 'missing'");
  });

  it('a file that is not there is refused by name', async () => {
    const result = await simulate(fixture('not-there.cu'));
    expect(result).toMatchObject({ kind: 'refused', message: expect.stringMatching(/not-there\.cu: no such file/) });
  });

  it('a file without main is refused with what to do', async () => {
    const result = await simulate(fixture('from-text.cu'), { text: '__global__ void kernel(int* p) { *p = 1; }\n' });
    expect(result).toMatchObject({ kind: 'refused', message: expect.stringMatching(/no main function: add one/) });
  });

  it('a device that is not known is refused by name', async () => {
    const result = await simulate(fixture('host.cu'), { device: 'h9000' });
    expect(result).toMatchObject({ kind: 'refused', message: expect.stringContaining('h9000') });
  });
});

describe('what does not end', () => {
  it('an endless kernel stops at the step limit, with its line', async () => {
    const report = await textReport(ENDLESS_KERNEL, { stepLimit: 20_000 });
    expect(report.stdout).toBe('waiting\ncudaErrorLaunchTimeout\n');
    expect(report.exit).toBe(1);
    expect(report.faults).toHaveLength(1);
    expect(report.faults[0]).toMatchObject({ kind: 'step-limit', kernel: 'wait(volatile int *)', file: 'from-text.cu', line: 3 });
  });

  for (const [what, text] of [
    ['kernel', ENDLESS_KERNEL],
    [
      'kernel that does nothing',
      '#include <cstdio>\n__global__ void spin() { while (true); }\nint main() { printf("waiting\\n"); fflush(stdout); spin<<<1, 32>>>(); cudaDeviceSynchronize(); printf("x"); }',
    ],
    ['host loop that does nothing', '#include <cstdio>\nint main() { printf("waiting\\n"); fflush(stdout); while (true); }'],
    ['host loop', '#include <cstdio>\nint main() { printf("waiting\\n"); for (volatile int i = 0;; i = i + 1) {} }'],
  ]) {
    it(`an endless ${what} ends when it is cancelled`, async () => {
      let stdout = '';
      const simulation = startSimulation(request(fixture('from-text.cu'), { text }), {
        stdout: (bytes) => {
          stdout += new TextDecoder().decode(bytes);
          simulation.cancel();
        },
      });
      expect(await simulation.result).toMatchObject({ kind: 'cancelled' });
      expect(stdout).toBe('waiting\n');
    });
  }

  it('a loop that does nothing is not removed', async () => {
    const report = await textReport(
      `#include <cstdio>
__global__ void spin() {
  while (true) {
  }
}
__global__ void search(unsigned n) {
  while (n != 0) n = n & 1 ? 3 * n + 1 : n / 2;
}
int main(int count, char**) {
  if (count > 1) spin<<<1, 32>>>();
  else search<<<1, 32>>>(6);
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}`,
      { stepLimit: 20_000 },
    );
    expect(report).toMatchObject({ stdout: 'cudaErrorLaunchTimeout\n', faults: [{ kind: 'step-limit', kernel: 'search(unsigned int)' }] });
  });

  it('a compilation ends when it is cancelled', async () => {
    const simulation = startSimulation(request(fixture('host.cu')), {});
    simulation.cancel();
    expect(await simulation.result).toMatchObject({ kind: 'cancelled' });
  });
});

describe('what does not fit', () => {
  it('a stack that overflows is named', async () => {
    const deep = await textReport(`#include <cstdio>
      int depth(volatile int* p) { int here[200]; here[7] = *p + 1; return depth(here + 7) + here[7]; }
      int main() { int zero = 0; printf("%d\\n", depth(&zero)); }`);
    const wide = await textReport(`#include <cstdio>
      int main() { volatile double a[3000][1000]; for (int i = 2999; i >= 0; i--) a[i][5] = i; printf("%g\\n", a[7][5]); }`);
    for (const { exit, faults } of [deep, wide]) {
      expect(exit).toBe(1);
      expect(faults).toMatchObject([
        { kind: 'stack-overflow', message: expect.stringMatching(/^the host program's stack overflowed \(8 MB, as on Linux\)/) },
      ]);
    }
    expect(deep.faults[0].message).toMatch(/ in depth: it recursed too deeply/);
  });

  it('an allocation larger than memory fails as on a GPU, and the program goes on', async () => {
    const report = await textReport(`#include <cstdio>
      int main() {
        void *big, *small;
        printf("%s\\n", cudaGetErrorName(cudaMalloc(&big, (size_t)-1)));
        printf("%s\\n", cudaGetErrorName(cudaMalloc(&big, 1ull << 40)));
        printf("%s\\n", cudaGetErrorName(cudaMalloc(&small, 1 << 20)));
        printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
      }`);
    expect(report.stdout.split('\n')).toEqual([
      'cudaErrorMemoryAllocation',
      'cudaErrorMemoryAllocation',
      'cudaSuccess',
      'out of memory',
      '',
    ]);
    expect(report).toMatchObject({ exit: 0, faults: [] });
    expect(report.notes).toBeUndefined();
  });

  it('an allocation that a GPU has room for and the simulator has not fails, and a note says why', async () => {
    const report = await textReport(`#include <cstdio>
      int main() {
        size_t free, total;
        cudaMemGetInfo(&free, &total);
        char *first, *rest;
        cudaMalloc(&first, 1 << 20);
        printf("%s\\n", cudaGetErrorName(cudaMalloc(&rest, free / 2)));
        printf("%s\\n", cudaGetErrorName(cudaMalloc(&rest, 60ul << 30)));
        printf("%d\\n", rest == nullptr && total > 139ul << 30);
      }`);
    expect(report).toMatchObject({ stdout: 'cudaErrorMemoryAllocation\ncudaErrorMemoryAllocation\n1\n', exit: 0, faults: [] });
    expect(report.notes).toEqual([
      expect.stringMatching(
        /^device memory ran out: cudaMalloc asked for 71\d{3} MiB while the program held 1 MiB, which an NVIDIA H200 has/,
      ),
    ]);
  });

  it('host memory ends where it ends on a small machine', async () => {
    const report = await textReport(`#include <cstdio>
      #include <cstdlib>
      int main() {
        size_t total = 0;
        static void* volatile kept;
        while (total < 5000ul << 20 && (kept = malloc(100 << 20))) total += 100 << 20;
        printf("%d\\n", total > 3700ul << 20 && total < 4096ul << 20);
      }`);
    expect(report).toMatchObject({ stdout: '1\n', exit: 0, faults: [] });
    expect(report.notes).toEqual([
      expect.stringMatching(/^host memory ran out: malloc or new asked for 10[01] MiB more while .* held \d+ MiB/),
    ]);
  });

  it('the host may have most of memory where the device has little, beside memory that both see', async () => {
    const report = await textReport(`#include <cstdio>
      #include <cstdlib>
      __global__ void add(int* a) { a[threadIdx.x] += threadIdx.x; }
      int main() {
        int *device, *both;
        cudaMalloc(&device, 1 << 20);
        cudaMallocManaged(&both, 1 << 20);
        size_t size = 2400ul << 20;
        char* large = (char*)malloc(size);
        char* more = (char*)malloc(700u << 20);
        if (!large || !more) return 1;
        large[0] = 1, large[size - 1] = 2, more[0] = 3, both[5] = 100;
        add<<<1, 32>>>(both);
        add<<<1, 32>>>(device);
        cudaMemcpy(large + size / 2, device, 128, cudaMemcpyDeviceToHost);
        printf("%d %d %d\\n", both[5], ((int*)(large + size / 2))[31], large[0] + large[size - 1] + more[0]);
        printf("%s\\n", cudaGetErrorName(cudaMalloc(&device, 3700u << 20)));
      }`);
    expect(report).toMatchObject({ stdout: '105 31 6\ncudaErrorMemoryAllocation\n', exit: 0, faults: [] });
  });

  it('both may have most of it: where they have the same addresses, calls know which one is meant, or say that they do not', async () => {
    const report = await textReport(`#include <cublas_v2.h>
      #include <cuda.h>
      #include <cstdio>
      #include <cstdlib>
      __global__ void count(int* a, size_t n) { for (size_t i = threadIdx.x; i < n; i += 1 << 20) a[i] += 1 + threadIdx.x; }
      int main() {
        size_t bytes = 2700ul << 20, n = bytes / 4;
        int* host = (int*)malloc(bytes);
        int *device, *both;
        if (!host || cudaMalloc(&device, bytes)) return 2;
        size_t same = (size_t)device > (size_t)host ? (size_t)device : (size_t)host;
        same += 64ul << 20;
        if (same + 4096 > (size_t)host + bytes || same + 4096 > (size_t)device + bytes) return 3;
        int *hosts = (int*)same, *devices = (int*)same;
        for (int k = 0; k < 8; k++) hosts[k] = 10 * k;
        cudaMemset(devices, 0, 4096);
        cudaMemcpy(devices + 2, hosts, 16, cudaMemcpyHostToDevice);
        count<<<1, 8>>>(devices, 8);
        cudaMemcpy2D(hosts + 100, 32, devices, 32, 32, 1, cudaMemcpyDeviceToHost);
        for (int k = 0; k < 8; k++) printf("%d ", hosts[100 + k]);
        printf("%d\\n", hosts[3]);
        printf("%s\\n", cudaGetErrorName(cudaMemcpy(hosts, devices, 16, cudaMemcpyDefault)));
        printf("%s\\n", cudaGetErrorName(cudaHostRegister(hosts, 4096, 0)));
        printf("%s\\n", cudaGetErrorName(cudaMallocHost(&both, 64 << 20)));
        cudaMemcpyPeer(devices + 4, 0, devices + 2, 0, 8);
        CUDA_MEMCPY2D box = {};
        box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        box.srcDevice = (CUdeviceptr)devices;
        box.dstMemoryType = CU_MEMORYTYPE_HOST;
        box.dstHost = hosts + 200;
        box.WidthInBytes = 24;
        box.Height = 1;
        printf("%d %d %d\\n", cuMemcpy2D(&box), hosts[204], hosts[205]);
        cudaPointerAttributes attributes;
        printf("%s\\n", cudaGetErrorName(cudaPointerGetAttributes(&attributes, hosts)));
        cublasHandle_t blas;
        cublasCreate(&blas);
        float two = 2;
        int either = cublasSscal(blas, 4, (float*)hosts, (float*)devices, 1) != 0;
        printf("%d %d\\n", either, cublasSscal(blas, 4, &two, (float*)devices, 1));
        cudaFree(device);
        free(host);
        if (cudaMallocManaged(&both, 4096)) return 4;
        count<<<1, 8>>>(both, 8);
        cudaDeviceSynchronize();
        printf("%d\\n", both[7]);
      }`);
    expect(report).toMatchObject({
      stdout:
        '1 2 3 14 25 36 7 8 30\ncudaErrorInvalidValue\ncudaErrorMemoryAllocation\ncudaErrorMemoryAllocation\n0 3 14\ncudaErrorInvalidValue\n1 0\n8\n',
      exit: 0,
      faults: [],
      notes: expect.arrayContaining([
        expect.stringMatching(/^device memory ran out: cudaMallocHost asked for 64 MiB .* together where both see some of the memory/),
      ]),
    });
  });

  it('the device may have most of memory where the host has little, and no host pointer leads there', async () => {
    const report = await textReport(`#include <cstdio>
      __global__ void ends(int* a, size_t n) { a[threadIdx.x] = threadIdx.x; a[n - 1 - threadIdx.x] = 7; }
      int main() {
        int *pinned, *parts[15], last;
        cudaMallocHost(&pinned, 4096);
        size_t n = (200u << 20) / 4;
        for (int*& part : parts) {
          if (cudaMalloc(&part, 4 * n)) return 2;
          ends<<<1, 64>>>(part, n);
        }
        for (int* part : parts) {
          cudaMemcpy(&last, part + n - 5, 4, cudaMemcpyDeviceToHost);
          if (last != 7 || cudaFree(part)) return 3;
        }
        int* whole;
        n *= 15;
        if (cudaMalloc(&whole, 4 * n)) return 4;
        cudaMemcpy(&last, whole + n - 5, 4, cudaMemcpyDeviceToHost);
        ends<<<1, 64>>>(whole, n);
        pinned[1] = last;
        cudaMemcpy(&last, whole + n - 5, 4, cudaMemcpyDeviceToHost);
        printf("%d %d\\n", pinned[1], last);
        fflush(stdout);
        return *(volatile int*)whole;
      }`);
    expect(report).toMatchObject({ stdout: '0 7\n', exit: 1 });
    expect(report.faults).toMatchObject([
      { kind: 'host-fault', message: expect.stringContaining('pointers from cudaMalloc are for kernels only') },
    ]);
  });

  it('memory that both see may be most of it', async () => {
    const report = await textReport(`#include <cstdio>
      __global__ void ends(int* a, size_t n) { a[threadIdx.x] += threadIdx.x; a[n - 1 - threadIdx.x] = 7; }
      int main() {
        int *both, *device;
        size_t n = (3000u << 20) / 4;
        if (cudaMallocManaged(&both, 4 * n) || cudaMalloc(&device, 100 << 20)) return 2;
        both[5] = 100;
        for (int k = 0; k < 2; k++) ends<<<1, 64>>>(both, n);
        cudaDeviceSynchronize();
        printf("%d %d\\n", both[5], both[n - 3]);
      }`);
    expect(report).toMatchObject({ stdout: '110 7\n', exit: 0, faults: [] });
  });

  it('a null pointer that the host writes through is a fault, although nothing stops it', async () => {
    const report = await textReport(`#include <cstdlib>
      struct Sums { int first; int second; };
      int main() {
        void* volatile held = malloc(200000000u);
        Sums* volatile sums = (Sums*)malloc(4200000000u);
        sums->second = 7;
        return 0;
      }`);
    expect(report).toMatchObject({
      exit: 1,
      faults: [{ kind: 'host-fault', message: expect.stringMatching(/null pointer \(address 0x4\)/) }],
    });
    expect(report.notes).toEqual([expect.stringMatching(/^host memory ran out/)]);
  });

  it('a file that was not there is named when a fault follows, and only then', async () => {
    const text = (read: string) => `#include <cstdio>
      int main() {
        FILE* file = fopen("board.txt", "r");
        int size = 0;
        ${read}
        return size;
      }`;
    const report = await textReport(text('fscanf(file, "%d", &size);'));
    expect(report.faults[0]).toMatchObject({ kind: 'host-fault', message: expect.stringContaining('check the result of malloc, fopen') });
    expect(report.notes).toEqual(['before the fault the program did not find a file that it wanted to open: board.txt']);
    expect((await textReport(text(''))).notes).toBeUndefined();
  });

  it('a call that failed unseen is named when a fault follows, and only then', async () => {
    const text = (launch: string) => `__global__ void fill(int* p) { *p = 1; }
      int main() {
        int* data = nullptr;
        cudaMalloc(&data, 1ull << 40);
        ${launch}
        return cudaDeviceSynchronize() != cudaSuccess;
      }`;
    const report = await textReport(text('fill<<<1, 1>>>(data);'));
    expect(report.faults).toMatchObject([{ kind: 'out-of-bounds' }]);
    expect(report.notes).toEqual([
      'before the fault a call failed: cudaMalloc of 1099511627776 bytes: cudaErrorMemoryAllocation (out of memory)',
    ]);
    expect((await textReport(text(''))).notes).toBeUndefined();
  });

  it('a launch that fails without anyone asking is named', async () => {
    const text = (check: string) => `__global__ void fill(int* p) { *p = 1; }
      int main() {
        int* data;
        cudaMalloc(&data, 4);
        for (int i = 0; i < 2; ++i) fill<<<1, 2048>>>(data);
        ${check}
        return cudaDeviceSynchronize();
      }`;
    const unchecked = await textReport(text(''));
    expect(unchecked).toMatchObject({ exit: 0, faults: [], kernels: [] });
    expect(unchecked.notes).toEqual([
      'a launch of fill failed, so the kernel did not run: cudaErrorInvalidValue (invalid argument); the program never asked for it by cudaGetLastError()',
    ]);
    expect((await textReport(text('cudaGetLastError();'))).notes).toBeUndefined();
    expect((await textReport(text('cudaPeekAtLastError();'))).notes).toBeUndefined();
  });
});

describe('limits that the user sets', () => {
  it('of memory: calls fail, and notes say what to raise', async () => {
    const text = `#include <cstdio>
      #include <cstdlib>
      int main() {
        void *device, *both;
        printf("%d %d ", cudaMalloc(&device, 20 << 20), cudaMalloc(&device, 20 << 20));
        printf("%d ", cudaMallocManaged(&both, 20 << 20));
        void* volatile first = malloc(30 << 20);
        void* volatile second = malloc(30 << 20);
        printf("%d %d\\n", first != nullptr, second != nullptr);
      }`;
    const report = await textReport(text, { limits: { deviceMemoryMiB: 32, hostMemoryMiB: 64 } });
    expect(report).toMatchObject({ stdout: '0 2 2 1 0\n', faults: [] });
    expect(report.notes).toEqual([
      expect.stringMatching(
        /^host memory ran out: .* and the limit is 64 MiB; .*--limit hostMemoryMiB=N, or set lanewise.limits.hostMemoryMiB/,
      ),
      expect.stringMatching(/^device memory ran out: cudaMalloc asked for 20 MiB while the program held 20 MiB, and the limit is 32 MiB; /),
    ]);
  });

  it('of memory that host and device see: the note names the call that asked for it', async () => {
    const text = `#include <cstdio>
      int main() {
        void *first, *second;
        printf("%d %d\\n", cudaMallocManaged(&first, 20 << 20), cudaHostAlloc(&second, 100 << 20, 0));
      }`;
    const report = await textReport(text, { limits: { hostMemoryMiB: 64 } });
    expect(report).toMatchObject({ stdout: '0 2\n', faults: [] });
    expect(report.notes).toEqual([
      expect.stringMatching(
        /^memory of both host and device ran out: cudaHostAlloc asked for 100 MiB more than \d+ MiB, and the limit is 64 MiB; .*hostMemoryMiB/,
      ),
    ]);
  });

  it('of launches in the report: all are counted', async () => {
    const text = `__global__ void store(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = n; }
      int main() {
        int* p;
        cudaMalloc(&p, 128);
        for (int n = 1; n <= 30; n++) store<<<1, 32>>>(p, n);
        return cudaDeviceSynchronize();
      }`;
    const report = await textReport(text, { limits: { reportLaunches: 10 } });
    const all = await textReport(text);
    expect([report.kernels.length, all.kernels.length]).toEqual([10, 30]);
    expect(report.lines).toEqual(all.lines);
    expect(report.notes).toEqual([
      expect.stringMatching(/^the report lists the first 10 launches; 20 more are counted in its lines only: /),
    ]);
  });

  it('of launches that wait in device code: a fault with the line', async () => {
    const text = `__global__ void child() {}
      __global__ void parent() {
        for (int i = 0; i < 100; i++)
          child<<<1, 1>>>();
      }
      int main() {
        parent<<<1, 1>>>();
        return cudaDeviceSynchronize();
      }`;
    const report = await textReport(text, { limits: { pendingLaunches: 60 } });
    expect(report.faults).toMatchObject([
      {
        kind: 'unsupported',
        kernel: 'parent()',
        line: 4,
        message: expect.stringMatching(/^stopped with 60 launches .*--limit pendingLaunches=N/),
      },
    ]);
  });
});

describe('what the simulator does not execute', () => {
  const text = `#include <cstdio>
__global__ void fine(int* p) { *p = 4; }
__global__ void assembly(int* p) {
  asm("tcgen05.wait::ld.sync.aligned;");
}
int main(int argc, char**) {
  int *p, result = 0;
  cudaMalloc(&p, 8);
  if (argc > 1) assembly<<<1, 1>>>(p);
  fine<<<1, 1>>>(p);
  cudaMemcpy(&result, p, 4, cudaMemcpyDeviceToHost);
  printf("%d %s\\n", result, cudaGetErrorName(cudaGetLastError()));
}`;

  it('matters only to the kernel that contains it', async () => {
    expect(await textReport(text)).toMatchObject({ stdout: '4 cudaSuccess\n', exit: 0, faults: [] });
  });

  it('is named with its line when that kernel is launched', async () => {
    const report = await textReport(text, { args: ['launch'] });
    expect(report.stdout).toBe('0 cudaErrorLaunchFailure\n');
    expect(report.exit).toBe(1);
    expect(report.faults).toHaveLength(1);
    expect(report.faults[0]).toMatchObject({ kind: 'unsupported', kernel: 'assembly(int *)', file: 'from-text.cu', line: 4 });
    expect(report.faults[0].message).toContain('tcgen05.wait');
  });
});
