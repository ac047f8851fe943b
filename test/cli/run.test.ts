import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../protocol/report.ts';
import { repository } from '../runtime/simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Circumstances {
  readonly cwd?: string;
  /** Sends Ctrl-C once this has been printed, and so much later. */
  readonly interruptAt?: string;
  readonly interruptAfterMs?: number;
  readonly stdin?: string;
}

/** Runs the built command as a user does, in a folder of its own. */
function lanewise(
  args: readonly string[],
  { interruptAt, interruptAfterMs = 0, cwd = folder, stdin }: Circumstances = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, [join(repository, 'dist', 'cli.mjs'), ...args], { cwd });
  if (stdin !== undefined) child.stdin.end(stdin);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (interruptAt && stdout.includes(interruptAt)) setTimeout(() => child.kill('SIGINT'), interruptAfterMs);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

function program(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const READING = `#include <cstdio>
__global__ void count(const char* text, int n, int* lines) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) if (text[i] == 10) atomicAdd(lines, 1);
}
int main() {
  char* text;
  int n = 0, *lines;
  cudaMallocManaged(&text, 1 << 20);
  cudaMallocManaged(&lines, sizeof(int));
  while (size_t more = fread(text + n, 1, 4000, stdin)) n += more;
  count<<<1, 32>>>(text, n, lines);
  cudaDeviceSynchronize();
  printf("%d bytes, %d lines, more: %d\\n", n, *lines, getchar());
}
`;

it('reads its standard input, whatever its length, in every schedule', async () => {
  const stdin = 'twelve bytes\n'.repeat(20_000);
  const { code, stdout, stderr } = await lanewise(['run', program('reading.cu', READING), '--schedules', '2', '-q'], { stdin });
  expect(stdout).toBe('260000 bytes, 20000 lines, more: -1\n');
  expect(stderr).toContain('2 runs, all with the same output');
  expect(code).toBe(0);
});

const STRIDED = `#include <cstdio>
#include "factor.h"
#include <far.h>
__global__ void strided(const int* in, int* out) {
  __shared__ int tile[32 * 32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 32] = in[i];
  __syncwarp();
  out[i] = tile[threadIdx.x * 32] * FACTOR + FAR;
}
int main(int argc, char** argv) {
  int *in, *out, result[64], numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof numbers);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  for (int round = 0; round < 3; ++round) strided<<<2, 32>>>(in, out);
  cudaMemcpy(result, out, sizeof numbers, cudaMemcpyDeviceToHost);
  printf("%d %s", result[63], argc > 1 ? argv[1] : "none");
  return ROUND;
}
`;

it('is a command that npx can start', () => {
  const { bin } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  expect(readFileSync(join(repository, bin.lanewise), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

describe('a budget', () => {
  it('is held, and what is not kept is said with its line and in the exit code', async () => {
    const file = program(
      'budget.cu',
      `__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[4 * threadIdx.x]; }
// lanewise: expect(copy) sectors per store <= 4
// lanewise: expect(copy) sectors per load <= 4
// lanewise: expect copy
`,
    );
    const args = ['--kernel', 'copy', '--grid', '1', '--block', '32', '--arg', 'in=iota:128:int', '--arg', 'out=zeros:32:int'];
    const { code, stderr } = await lanewise(['run', file, '--quiet', ...args]);
    expect(code).toBe(1);
    expect(stderr.split('\n').filter((line) => line.startsWith('expectation:'))).toEqual([
      'expectation: budget.cu:4: write it as // lanewise: expect(KERNEL) sectors per load <= 4',
      'expectation: budget.cu:3: copy: sectors per load <= 4 is not kept: 16',
    ]);
  });
});

describe('a kernel without a main', () => {
  const file = program(
    'kernels.cu',
    `struct Pair { int a, b; };
template <class T> __global__ void scale(const T* in, T* out, int n, T factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}
template __global__ void scale<float>(const float*, float*, int, float);
template __global__ void scale<long long>(const long long*, long long*, int, long long);
extern "C" __global__ void plain(int* data, Pair pair) { data[threadIdx.x] += pair.a + 1; }
`,
  );
  const run = (...args: string[]) => lanewise(['run', file, '--quiet', ...args]);
  const float = ['--kernel', 'scale<float>', '--grid', '4', '--block', '256', '--arg', 'in=iota:1024:float', '--arg', 'factor=0.5'];

  it('runs with the arguments that it is given, makes up the others and says so, and prints buffers', async () => {
    const { code, stdout, stderr } = await run(...float, '--arg', 'n=1024', '--print', 'out:5');
    expect(stdout).toBe('out = [0, 0.5, 1, 1.5, 2, 1019 more]\n');
    expect(stderr).toBe('note: out was not given: 1024 zeros of float\n');
    expect(code).toBe(0);
    const other = await run('--kernel', 'plain', '--grid', '1', '--block', '4', '--arg', 'data=values:7,8,9,10:int', '--print', 'data');
    expect(other.stdout).toBe('data = [8, 9, 10, 11]\n');
    expect(other.stderr).toBe('note: pair was not given: a structure of zeros\n');
  });

  it('is refused with what to do', async () => {
    const said = async (...args: string[]) => (await run(...args, '--grid', '1', '--block', '4')).stderr;
    expect(await said('--kernel', 'scale')).toContain('there are several kernels "scale": name one of ');
    expect(await said('--kernel', 'gone')).toContain('there is no kernel "gone"; the file has ');
    expect(await said('--kernel', 'plain')).toContain('the type of its elements is not known: give data as --arg data=zeros:4:float');
    expect(await said('--kernel', 'plain', '--arg', 'date=1')).toContain('the kernel has no parameter "date"; it has data, pair');
    expect(await said('--kernel', 'plain', '--arg', 'data=iota:x:int')).toContain('data of --arg takes how many elements it has');
  });

  it('wants options that make sense', async () => {
    expect((await run('--grid', '4')).stderr).toContain('--grid goes with --kernel NAME');
    expect((await run('--kernel', 'plain', '--grid', '0', '--block', '4')).stderr).toContain(
      '--grid takes one to three whole numbers above 0',
    );
  });
});

describe('lanewise run', () => {
  it('looks for headers where lanewise.json says', async () => {
    mkdirSync(join(folder, 'project/include'), { recursive: true });
    writeFileSync(join(folder, 'project/lanewise.json'), '{ "includePaths": ["include"] }');
    writeFileSync(join(folder, 'project/include/code.h'), '#define CODE 5\n');
    const file = program('project/coded.cu', '#include <code.h>\nint main() { return CODE; }\n');
    expect(await lanewise(['run', file])).toMatchObject({ code: 5 });
  });

  it('prints what the program prints, tables on stderr, and writes the report', async () => {
    mkdirSync(join(folder, 'far'), { recursive: true });
    writeFileSync(join(folder, 'factor.h'), '#define FACTOR 10\n');
    writeFileSync(join(folder, 'far', 'far.h'), '#define FAR 1\n');
    const file = program('strided.cu', STRIDED);
    const { code, stdout, stderr } = await lanewise([
      'run',
      file,
      '-I',
      'far',
      '-D',
      'ROUND=7',
      '--json',
      'report.json',
      '--timeline',
      'timeline.json',
      '--roofline',
      'roofline.svg',
      '--line-times',
      '--',
      'an argument',
    ]);
    expect(stdout).toBe('631 an argument');
    expect(code).toBe(7);
    const rows = stderr.split('\n');
    const header = rows.find((row) => row.startsWith('kernel'));
    expect(header?.split(/ {2,}/)).toEqual([
      'kernel',
      'grid',
      'block',
      'warps',
      'sectors/req',
      'conflicts',
      'divergent',
      'lanes',
      'atomics',
    ]);
    const row = rows.find((each) => each.startsWith('strided x3'));
    expect(row?.split(/ {2,}/)).toEqual(['strided x3', '2', '32', '6', '4.0', '372', '-', '32.0', '-']);
    expect(rows).toContain('2 of 3 launches repeat an earlier one: counted, not executed (--every-launch executes all)');
    expect(stderr).toMatch(
      /strided\.cu:7 +tile\[threadIdx\.x \* 32\] = in\[i\];\n +192 shared-memory wavefronts where 6 would do \(32\.0 times as many\)/,
    );
    for (const each of rows) expect(each.length).toBeLessThanOrEqual(100);
    expect(stderr).not.toContain('\x1b');

    const { traceEvents } = JSON.parse(readFileSync(join(folder, 'timeline.json'), 'utf8'));
    const spans = traceEvents.filter(({ ph }: { ph: string }) => ph === 'X').map(({ name }: { name: string }) => name);
    expect(spans.filter((name: string) => !name.startsWith('cuda'))).toEqual([
      'Memcpy HtoD',
      ...Array.from({ length: 3 }, () => 'strided(const int *, int *)'),
      'Memcpy DtoH',
    ]);
    expect(spans).toContain('cudaLaunchKernel');
    expect(readFileSync(join(folder, 'roofline.svg'), 'utf8')).toContain('1  strided x3: ');
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
    expect(report.timeline).toBeUndefined();
    const [times, counted] = [Object.values(report.lineTimes!)[0], Object.values(report.lines)[0]];
    expect(Object.keys(counted)).toEqual(expect.arrayContaining(Object.keys(times)));
    const ofLines = Object.values(times).reduce((sum, ns) => sum + ns, 0);
    const ofLaunches = report.kernels.reduce((sum, { estimate }) => sum + estimate!.ns, 0);
    // What starts a grid is in no line, and nothing is in two: lines are rounded to nanoseconds.
    expect(ofLines).toBeGreaterThan(0.1 * ofLaunches);
    expect(ofLines).toBeLessThan(ofLaunches);
    // 32 lanes meet in one bank.
    const slowest = Object.entries(times).sort(([, a], [, b]) => b - a)[0][0];
    expect(stderr).toMatch(new RegExp(`share of all kernels' time\\)\n${slowest} +[\\d.]+ µs +\\d+ %  `));
    expect(report).toMatchObject({
      schema: 1,
      program: 'strided.cu',
      args: ['an argument'],
      device: 'h200',
      exit: 7,
      stdout: '631 an argument',
      stderr: '',
      faults: [],
    });
    expect(report.kernels).toHaveLength(3);
    expect(report.kernels.map(({ repeats }) => repeats)).toEqual([undefined, true, true]);
    expect(report.kernels[0]).toMatchObject({ kernel: 'strided(const int *, int *)', grid: [2, 1, 1], block: [32, 1, 1] });
    expect(report.kernels[0].metrics).toMatchObject({
      'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum': 2,
      'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': 8,
      'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum': 8,
      'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum': 62,
      'l1tex__t_requests_pipe_lsu_mem_global_op_red.sum': 0,
      launch__shared_mem_per_block_static: 4096,
    });
    expect(report.lines['strided(const int *, int *)']['strided.cu:7']).toMatchObject({
      globalSectors: 24,
      sharedWavefronts: 192,
      sharedWavefrontsIdeal: 6,
    });
  });

  it('exits with 1 after a fault, and says where it was', async () => {
    const { code, stdout, stderr } = await lanewise(['run', join(repository, 'examples', 'out-of-bounds.cu')]);
    expect(stdout).toBe('saxpy: an illegal memory access was encountered\n');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^out-of-bounds: .*cudaMalloc/m);
    expect(stderr).toMatch(/^\w+ faulted: its counters end there$/m);
    expect(stderr).not.toContain('No line has');
    expect(stderr).toMatch(/^ {2}kernel +saxpy\(int, float, const float \*, float \*\)$/m);
    expect(stderr).toMatch(/^ {2}line +\S*\/examples\/out-of-bounds\.cu:10 +if \(i <= n\) y\[i\] = a \* x\[i\] \+ y\[i\];$/m);
    expect(stderr).toMatch(/^ {2}thread +\(232, 0, 0\) of block \(3, 0, 0\)$/m);
  });

  it('lets a program use its own folders, and what the user allows', async () => {
    mkdirSync(join(folder, 'inside', '.git'), { recursive: true });
    writeFileSync(join(folder, 'outside.txt'), 'outside');
    writeFileSync(
      join(folder, 'inside', 'files.cu'),
      `#include <cstdio>
#include <cstdlib>
int main() {
  char text[32] = "";
  if (FILE* in = fopen("../outside.txt", "r")) { fgets(text, 32, in); fclose(in); }
  const char* names[] = {"made.txt", ".git/config", "/tmp/made.txt"};
  for (const char* name : names) {
    FILE* out = fopen(name, "w");
    printf("%d ", out != nullptr);
    if (out) fclose(out);
  }
  const char* home = getenv("HOME");
  const char* given = getenv("GIVEN");
  printf("%s %s %s\\n", text, home ? home : "-", given ? given : "-");
}
`,
    );
    const inside = { cwd: join(folder, 'inside') };
    const confined = await lanewise(['run', 'files.cu', '--json', 'confined.json'], inside);
    expect(confined.stdout).toBe('1 0 1  - -\n');
    expect(confined.stderr).toMatch(/may not read .*outside\.txt: it is outside the program's folders\. .*--allow-read=/);
    expect(confined.stderr).toMatch(/may not write .*\.git\/config: .* read-only/);
    const { refusedFiles } = JSON.parse(readFileSync(join(folder, 'inside', 'confined.json'), 'utf8')) as Report;
    expect(refusedFiles?.map(({ access, protected: kept }) => [access, kept])).toEqual([
      ['read', false],
      ['write', true],
    ]);
    const allowed = await lanewise(['run', 'files.cu', '-q', '--allow-read', '..', '--env', 'HOME', '--env=GIVEN=a b'], inside);
    expect(allowed.stdout).toBe(`1 0 1 outside ${process.env.HOME ?? '-'} a b\n`);
    expect((await lanewise(['run', 'files.cu', '-q', '--allow-all'], inside)).stdout).toMatch(/^1 1 1 outside/);
    rmSync('/tmp/made.txt');
  });

  it('passes on all that a program prints, and reports its beginning and its end', async () => {
    program(
      'chatty.cu',
      `#include <cstdio>
#include <cstring>
int main() {
  static char line[1 << 20];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\\n';
  puts("first");
  for (int i = 0; i < 24; i++) fwrite(line, 1, sizeof line, stdout);
  puts("last");
}
`,
    );
    const { code, stdout } = await lanewise(['run', 'chatty.cu', '-q', '--json', 'chatty.json']);
    expect({ code, length: stdout.length }).toEqual({ code: 0, length: 24 * 2 ** 20 + 11 });
    const report = JSON.parse(readFileSync(join(folder, 'chatty.json'), 'utf8')) as Report;
    expect(report.stdout.length).toBeLessThan(12e6);
    expect(report.stdout).toMatch(/^first\nx+/);
    expect(report.stdout).toMatch(/\n\[Lanewise: \d+ characters of output are left out here[^\n]*\]\n/);
    expect(report.stdout).toMatch(/x\nlast\n$/);
  });

  it('keeps the lines of files with one name in several folders apart', async () => {
    for (const [sub, stride] of [
      ['left', 32],
      ['right', 16],
    ] as const) {
      mkdirSync(join(folder, 'twins', sub), { recursive: true });
      program(
        `twins/${sub}/kernels.cu`,
        `__global__ void ${sub}(int* p) { p[threadIdx.x * ${stride}] = 1; }\nvoid run_${sub}(int* p) { ${sub}<<<1, 32>>>(p); }\n`,
      );
    }
    const main = program(
      'twins/main.cu',
      `#include "left/../shared.cuh"
void run_left(int*); void run_right(int*);
__global__ void own(int* p) { store(p); }
int main() { int* p; cudaMalloc(&p, 4096); run_left(p); run_right(p); own<<<1, 32>>>(p); return cudaDeviceSynchronize(); }
`,
    );
    writeFileSync(join(folder, 'twins/shared.cuh'), '__device__ inline void store(int* p) { p[threadIdx.x * 8] = 2; }\n');
    const { code, stderr } = await lanewise(['run', main, 'twins/left/kernels.cu', 'twins/right/kernels.cu', '--json', 'twins.json']);
    expect(code).toBe(0);
    const { lines } = JSON.parse(readFileSync(join(folder, 'twins.json'), 'utf8')) as Report;
    expect(Object.keys(lines['left(int *)'])).toEqual(['left/kernels.cu:1']);
    expect(Object.keys(lines['right(int *)'])).toEqual(['right/kernels.cu:1']);
    expect(Object.keys(lines['own(int *)'])).toEqual(expect.arrayContaining(['shared.cuh:1', 'main.cu:3']));
    expect(stderr).toMatch(/^left\/kernels\.cu:1 +__global__ void left\(int\* p\)/m);
    expect(stderr).toMatch(/^right\/kernels\.cu:1 +__global__ void right\(int\* p\)/m);
  });

  it('runs several files, shows the lines of each, and notes what was interpreted', async () => {
    mkdirSync(join(folder, 'code'), { recursive: true });
    const main = program('several.cpp', '#include <cstdio>\nint run();\nint main() { std::printf("%d", run()); }\n');
    const device = program(
      'code/device.cu',
      `#include <cstdio>
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void strided(int* p) { p[threadIdx.x * 32] = fibonacci(p[0] + 6); }
int run() {
  int *p, value;
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  strided<<<1, 32>>>(p);
  cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
  std::printf("%s ", __FILE__);
  return value;
}
`,
    );
    const { code, stdout, stderr } = await lanewise(['run', main, device]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'code/device.cu 8' });
    expect(stderr).toMatch(/^device\.cu:3 +__global__ void strided/m);
    expect(stderr).toMatch(/^note: strided was interpreted, which is much slower than compiled code: .*recursion/m);
  });

  it('shows compile errors as compilers do', async () => {
    const { code, stdout, stderr } = await lanewise(['run', program('broken.cu', 'int main() {\n  return missing;\n}\n')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe("broken.cu:2:10: error: use of undeclared identifier 'missing'\n    return missing;\n           ^\n");
  });

  it('ends at Ctrl-C, even in an endless loop', async () => {
    const file = program('endless.cu', '#include <cstdio>\nint main() { printf("going\\n"); for (volatile int i = 0;; i = i + 1) {} }\n');
    const { code, stdout, stderr } = await lanewise(['run', file], { interruptAt: 'going\n' });
    expect({ code, stdout }).toEqual({ code: 130, stdout: 'going\n' });
    expect(stderr).toContain('cancelled');
  });

  it('shows at Ctrl-C what the launches counted that had ended', async () => {
    const file = program(
      'half.cu',
      `#include <cstdio>
__global__ void quick(int* p) { p[threadIdx.x * 8] = 1; }
__global__ void endless(volatile int* p) { while (*p == 1) {} }
int main() {
  int* p;
  cudaMalloc(&p, 4096);
  quick<<<2, 32>>>(p);
  cudaDeviceSynchronize();
  puts("going");
  fflush(stdout);
  endless<<<1, 32>>>(p);
  return cudaDeviceSynchronize();
}
`,
    );
    const report = join(folder, 'half.json');
    const { code, stderr } = await lanewise(['run', file, '--json', report], { interruptAt: 'going\n', interruptAfterMs: 300 });
    expect(code).toBe(130);
    expect(stderr).toMatch(/^quick +2 +32 +2 +32\.0 for 4\.0/m);
    expect(stderr).toContain('cancelled: only launches that had ended are counted');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ exit: 130, kernels: [{ kernel: 'quick(int *)' }] });
  });
});

describe('what a GPU measured', () => {
  const fixtures = join(repository, 'test/fixtures/nsight');
  const file = join(folder, 'sections.ncu-rep');
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, 'sections.ncu-rep.gz'))));

  it('stands beside what is simulated of the same launches, in tables and reports', async () => {
    const { code, stderr } = await lanewise([
      'run',
      join(fixtures, 'measured.cu'),
      '--measured',
      file,
      '--line-times',
      '--json',
      'beside.json',
    ]);
    expect(code).toBe(0);
    const table = stderr.slice(stderr.indexOf('measured (sections.ncu-rep, NVIDIA H200)'));
    expect(table).toMatch(/^scale x2\n {2}time \(estimated\) +4\.\d+ µs +5\.\d+ µs +−\d/m);
    expect(table).toMatch(/^shapes::collatz\n(?: {2}.*\n)*? {2}global memory sectors +(\S+) +\1 +equal$/m);
    expect(table).toMatch(/^The GPU ran at 1\.4\d GHz, and times are estimated for 1\.98 GHz: with --clock-control none/m);
    const { kernels, lines, measured } = JSON.parse(readFileSync(join(folder, 'beside.json'), 'utf8')) as Report;
    expect(measured).toMatchObject({ file: 'sections.ncu-rep', device: 'NVIDIA H200', launches: 6, alone: 0 });
    for (const name of ['memory_l2_theoretical_sectors_global', 'smsp__sass_branch_targets_threads_divergent.sum'])
      expect(kernels.map(({ metrics }) => metrics[name])).toEqual(kernels.map((each) => each.measured![name]));
    // Each line of each kernel, calls of CUDA's headers among them (half precision, atomicAdd).
    const same = {
      globalSectors: 'memory_l2_theoretical_sectors_global',
      globalSectorsIdeal: 'memory_l2_theoretical_sectors_global_ideal',
      sharedWavefronts: 'memory_l1_wavefronts_shared',
      sharedWavefrontsIdeal: 'memory_l1_wavefronts_shared_ideal',
      divergentBranches: 'smsp__branch_targets_threads_divergent',
    } as const;
    const numbers = (of: (kernel: string, line: string, counter: keyof typeof same) => number | undefined) =>
      Object.entries(lines).flatMap(([kernel, own]) =>
        [...new Set([...Object.keys(own), ...Object.keys(measured!.lines![kernel])])]
          .sort()
          .flatMap((line) =>
            (Object.keys(same) as (keyof typeof same)[]).map((counter) => [line, counter, of(kernel, line, counter) ?? 0]),
          ),
      );
    const simulated = numbers((kernel, line, counter) => lines[kernel][line]?.[counter]);
    expect(numbers((kernel, line, counter) => measured!.lines![kernel][line]?.[same[counter]])).toEqual(simulated);
    expect(simulated.filter(([, , value]) => value !== 0).length).toBe(35);
    expect(stderr).toMatch(/^measured\.cu:41 +\S+ µs +[\d.]+ % +1\d % +while \(value != 1\)/m);
    expect(kernels.map((each) => each.measured!.launch__registers_per_thread)).toEqual([16, 16, 16, 16, 16, 16]);
  });

  it('is refused before anything is compiled where the file is damaged', async () => {
    writeFileSync(join(folder, 'cut.ncu-rep'), readFileSync(file).subarray(0, 300_000));
    const { code, stdout, stderr } = await lanewise(['run', 'not-there.cu', '--measured', 'cut.ncu-rep']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--measured: cut.ncu-rep is cut off or damaged.');
    expect(stderr).toContain('ncu --import cut.ncu-rep --csv --page raw');
  });
});

describe('wrong usage exits with 2 and says what is wrong', () => {
  const cases: [args: string[], message: RegExp][] = [
    [['frobnicate'], /unknown command "frobnicate"; .*run/],
    [['run'], /no input files: lanewise run FILE\.cu/],
    [['run', 'a.cu', 'b.cpp', '65536', 'x'], /"65536" is not a \.cu, \.cpp or \.c file; .* after --: lanewise run a\.cu b\.cpp -- 65536 x/],
    [['run', 'a.cu', '--nonsense'], /--nonsense/],
    [['run', 'a.cu', '--device', 'h9000'], /unknown device "h9000"; choose h200/],
    [['run', 'a.cu', '--engine', 'steam'], /unknown engine "steam"; choose .*interpreter/],
    [['run', 'a.cu', '--step-limit', 'many'], /--step-limit takes a whole number/],
    [['run', 'a.cu', '--step-limit', '-5'], /--step-limit takes a whole number/],
    [['run', 'a.cu', '--limit', 'files'], /--limit takes NAME=N .*, not "files"; the names are compileSeconds, /],
    [['run', 'a.cu', '--limit', 'flies=3'], /--limit takes NAME=N/],
    [['run', 'a.cu', '--limit', 'files=0'], /--limit takes NAME=N/],
    [['run', 'a.cu', '--json', 'absent/report.json'], /the report cannot be written: .*absent/],
    [['run', 'a.cu', '--allow-write', 'absent'], /no such file or folder: absent/],
    [['run', 'a.cu', '--env', '=1'], /--env takes NAME or NAME=VALUE/],
    [['run', 'a.cu', '--timeline', 'absent/t.json'], /the timeline cannot be written: .*absent/],
    [['run', 'a.cu', '--roofline', 'absent/r.svg'], /the roofline cannot be written: .*absent/],
    [['run', 'a.cu', '--json', '.'], /the report cannot be written: \. is a folder/],
    [['run', 'a.cu', '--measured', 'absent.csv'], /--measured: .*absent\.csv/],
    [['run', 'a.cu', '--measured', '.'], /--measured: /],
  ];
  for (const [args, message] of cases) {
    it(args.join(' '), async () => {
      const { code, stdout, stderr } = await lanewise(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    });
  }
});

describe('lanewise', () => {
  it('says that a file is not there', async () => {
    const { code, stdout, stderr } = await lanewise(['run', 'not-there.cu']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/not-there\.cu: no such file/);
  });

  it('has help and a version', async () => {
    const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string };
    expect(await lanewise(['--version'])).toEqual({ code: 0, stdout: `lanewise ${manifest.version}\n`, stderr: '' });
    const help = await lanewise(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^ {2}run +compile/m);
    const ofRun = await lanewise(['run', '--help']);
    expect(ofRun).toMatchObject({ code: 0, stderr: '' });
    for (const option of ['--json FILE', '--device NAME', '--engine NAME', '-I', '-D', '--step-limit N', '-- PROGRAM ARGUMENTS'])
      expect(ofRun.stdout).toContain(option);
  });
});

it('shows the text of the lines of headers, too', async () => {
  program('spread.cuh', '__device__ void spread(float *out) {\n  out[threadIdx.x * 8] = 1;\n}\n');
  const text = `#include "spread.cuh"
__global__ void k(float *out) { spread(out); }
int main() { float *out; cudaMalloc(&out, 4096); k<<<1, 32>>>(out); cudaDeviceSynchronize(); }
`;
  const { code, stderr } = await lanewise(['run', program('includes.cu', text)]);
  expect(stderr).toMatch(/costliest lines\nspread\.cuh:2 {2}out\[threadIdx\.x \* 8\] = 1;\n/);
  expect(code).toBe(0);
});

it('a current folder that is gone is an error of one line', () => {
  const command = `mkdir -p gone && cd gone && rmdir ../gone && "${process.execPath}" "${join(repository, 'dist', 'cli.mjs')}" run a.cu`;
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, 'lanewise: the current folder does not exist any more; change to one that does\n']);
});
