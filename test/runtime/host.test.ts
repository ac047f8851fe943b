import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-host-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a host program', () => {
  it('has arguments, files, streams, clocks and the random numbers of Linux', async () => {
    writeFileSync(join(folder, 'input.txt'), '');
    const report = await reportOf(fixture('host.cu'), { args: ['3', 'two words'], workingDirectory: folder });
    expect(report.stdout.split('\n')).toEqual([
      '[3][two words]',
      'read first',
      'read second',
      'size 19',
      'tail 6 third',
      'input there',
      'absent No such file or directory',
      'outside refused',
      'removed 1',
      'slept 1',
      'year 1',
      'rand 1804289383 2147483647',
      'seeded 71876166 708592740',
      'heap 1999',
      'stack 50000',
      'end of input 1',
      'no newline at the end',
    ]);
    expect(report.stderr).toBe('to stderr\n');
    expect(report.exit).toBe(3);
    expect(report.faults).toEqual([]);
  });

  it('may give policies of execution to algorithms', async () => {
    const text = `#include <algorithm>
#include <cstdio>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>
int main() {
  namespace run = std::execution;
  std::vector<double> v(1000), w(1000);
  std::iota(v.begin(), v.end(), 1);
  std::for_each(run::par_unseq, v.begin(), v.end(), [](double& x) { x = x * 2; });
  double sum = std::reduce(run::par, v.begin(), v.end(), 0.0);
  double squares = std::transform_reduce(run::par_unseq, v.begin(), v.end(), 0.0, std::plus<>(), [](double x) { return x * x; });
  std::sort(run::par, v.begin(), v.end(), std::greater<>());
  std::for_each_n(run::par_unseq, v.begin(), 10, [](double& x) { x = -x; });
  std::transform(run::seq, v.begin(), v.end(), v.begin(), w.begin(), [](double x, double y) { return x - y + 1; });
  std::inclusive_scan(run::par, w.begin(), w.end(), w.begin());
  std::copy_if(run::par, v.begin(), v.end(), w.begin(), [](double x) { return x < 0; });
  auto [low, high] = std::minmax_element(run::par_unseq, v.begin(), v.end());
  printf("%g %g %g %g %g %g %ld %d\\n", sum, squares, w[0], w[999], *low, *high, std::count_if(run::par, v.begin(), v.end(), [](double x) { return x > 0; }),
         std::is_execution_policy_v<run::parallel_policy> && !std::is_execution_policy_v<int>);
}`;
    expect((await textReport(text)).stdout).toBe('1.001e+06 1.33533e+09 -2000 1000 -2000 1980 990 1\n');
  });

  it('that reads device memory is told so', async () => {
    const report = await textReport(`#include <cuda_runtime.h>
      __attribute__((noinline)) int peek(volatile int* p) { return *p; }
      int main() { int* d; cudaMalloc(&d, 4); return peek(d); }`);
    expect(report.exit).toBe(1);
    expect(report.faults).toHaveLength(1);
    expect(report.faults[0]).toMatchObject({ kind: 'host-fault', file: 'from-text.cu', line: 2 });
    expect(report.faults[0].message).toMatch(/memory that is not its own in peek: .*cudaMemcpy/);
  });

  it("that faults in a header's code is shown at its own line", async () => {
    const report = await textReport(`#include <algorithm>
      #include <vector>
      int main(int argc, char**) {
        std::vector<int> v(4);
        return
          *std::max_element(v.data() + 500000000 * argc, v.data() + 500000000 * argc + 3);
      }`);
    expect(report.faults[0]).toMatchObject({ kind: 'host-fault', file: 'from-text.cu' });
    expect([5, 6]).toContain(report.faults[0].line);
  });

  it('that throws ends as on Linux, with what it threw', async () => {
    const report = await textReport(`#include <stdexcept>
      int main() { throw std::runtime_error("no luck"); }`);
    expect(report.stderr).toBe("terminate called after throwing an instance of 'std::runtime_error'\n  what():  no luck\n");
    expect(report.exit).toBe(134);
    expect(report.faults).toEqual([]);
  });

  it("has glibc's error(), a backtrace() that finds no frames, and names that libraries had before CUDA 12", async () => {
    const report = await textReport(`#include <cusparse.h>
      #include <cerrno>
      #include <cstdio>
      #include <error.h>
      #include <execinfo.h>
      int main() {
        void* frames[4];
        const int found = backtrace(frames, 4);
        char** symbols = backtrace_symbols(frames, found);
        backtrace_symbols_fd(frames, found, 2);
        printf("%d %d ", found, symbols != nullptr);
        printf("%d\\n", CUSPARSE_MV_ALG_DEFAULT == CUSPARSE_SPMV_ALG_DEFAULT && CUSPARSE_CSRMM_ALG1 == CUSPARSE_SPMM_CSR_ALG1);
        error(0, ENOENT, "cannot read %s", "it");
        error_at_line(error_message_count + 2, 0, "a.txt", 7, "no number");
      }`);
    expect(report).toMatchObject({ exit: 3, stdout: '0 1 1\n', faults: [] });
    expect(report.stderr).toMatch(/^.+: cannot read it: No such file or directory\n.+:a\.txt:7: no number\n$/);
  });

  it('that aborts keeps its output and its exit code', async () => {
    const report = await textReport(`#include <cassert>
      #include <cstdio>
      int main() { printf("before\\n"); assert(1 == 2); }`);
    expect(report.stdout).toBe('before\n');
    expect(report.stderr).toContain('1 == 2');
    expect(report.exit).toBe(134);
  });

  it('that calls what the simulator lacks learns it at the call, by name', async () => {
    const text = `#include <cstdio>
      extern "C" int cudaNoSuchThing(int);
      int main(int argc, char**) { printf("before\\n"); if (argc > 1) cudaNoSuchThing(1); printf("after\\n"); }`;
    const without = await textReport(text);
    expect(without).toMatchObject({ stdout: 'before\nafter\n', exit: 0 });
    const calling = await textReport(text, { args: ['x'] });
    expect(calling).toMatchObject({ stdout: 'before\n', exit: 1 });
    expect(calling.faults[0]).toMatchObject({ kind: 'unsupported', file: 'from-text.cu', line: 3 });
    expect(calling.faults[0].message).toContain('cudaNoSuchThing()');
  });

  it('that ends without a synchronisation shows nothing of what kernels printed, and is told so', async () => {
    const report = await textReport(`#include <cstdio>
      __global__ void say() { printf("device\\n"); }
      int main(int argc, char**) { say<<<1, 1>>>(); printf("host\\n"); }`);
    expect(report.stdout).toBe('host\n');
    expect(report.stderr).toMatch(/7 bytes that kernels printed.*cudaDeviceSynchronize/);
  });
});
