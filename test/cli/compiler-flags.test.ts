/** nvcc's flags, files of options and compile_commands.json, as options of the command; a program that needs them. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withoutCompilerFlags } from '../../cli/compiler-flags.ts';
import { repository } from '../runtime/simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-flags-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  mkdirSync(join(folder, 'inc'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

it('flags of nvcc that change nothing are left out, and others are said as the command does', () => {
  const flags = [
    '-O3',
    '-arch=sm_90',
    '-gencode',
    'arch=compute_80,code=sm_80',
    '-rdc=true',
    '-lineinfo',
    '-Xcompiler',
    '-Wall',
    '-lcublas',
  ];
  expect(withoutCompilerFlags(['a.cu', ...flags, '-Iinc', '-DN=4', '-o', 'a.out', '--quiet'])).toEqual([
    'a.cu',
    '-Iinc',
    '-DN=4',
    '--quiet',
  ]);
  expect(withoutCompilerFlags(['-fmad=false', '-use_fast_math', '-fPIC'])).toEqual(['-fmad=false', '-use_fast_math']);
  expect(withoutCompilerFlags(['-std=c++20'])).toEqual(['--standard=c++20']);
  expect(withoutCompilerFlags(['--std', 'gnu++2a'])).toEqual(['--standard=c++20']);
  expect(withoutCompilerFlags(['--default-stream', 'per-thread'])).toEqual(['-D', 'CUDA_API_PER_THREAD_DEFAULT_STREAM=1']);
  expect(withoutCompilerFlags(['--default-stream=legacy'])).toEqual([]);
});

it('what cannot be is said', () => {
  expect(() => withoutCompilerFlags(['-std=c++98'])).toThrow('unknown standard "c++98"; choose c++11, c++14, c++17, c++20, c++23');
  expect(() => withoutCompilerFlags(['@absent'])).toThrow('absent cannot be read as a file of options');
  expect(() => withoutCompilerFlags(['-p', folder, 'a.cu'])).toThrow('cannot be read as compile commands');
  const self = file('self.txt', `@${join(folder, 'self.txt')}`);
  expect(() => withoutCompilerFlags([`@${self}`])).toThrow('files of options name each other');
});

it('compile_commands.json gives the options of the files that are named', () => {
  const commands = [
    { directory: folder, file: 'one.cu', command: 'nvcc -Iinc -DNAME="\\"a b\\"" -std=c++17 -O2 -c one.cu -o one.o' },
    { directory: folder, file: 'two.cu', arguments: ['nvcc', '-I', 'inc', '-DTWO', '-c', 'two.cu'] },
    { directory: folder, file: 'other.cu', arguments: ['nvcc', '-DOTHER', '-c', 'other.cu'] },
  ];
  file('compile_commands.json', JSON.stringify(commands));
  const files = [join(folder, 'one.cu'), join(folder, 'two.cu')];
  expect(withoutCompilerFlags(['-p', folder, ...files])).toEqual([
    '-I',
    join(folder, 'inc'),
    '-D',
    'NAME="a b"',
    '--standard=c++17',
    '-D',
    'TWO',
    ...files,
  ]);
  expect(() => withoutCompilerFlags(['-p', folder, 'absent.cu'])).toThrow('has no entry for');
});

it('a program is compiled by a later standard and a default stream of its own, as a file of options says', () => {
  file('inc/n.h', '#define N 4\n');
  const source = file(
    'main.cu',
    `#include <concepts>
#include <cstdio>
#include "n.h"
template <std::integral T> __global__ void fill(T* p, T value) { p[threadIdx.x] = value; }
int main() {
  int* p;
  cudaMallocManaged(&p, 4 * N);
  cudaStreamCaptureStatus status;
  fill<<<1, N>>>(p, 7);
  cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal);
  bool captures = cudaStreamIsCapturing(cudaStreamPerThread, &status) == cudaSuccess && status == cudaStreamCaptureStatusActive;
  printf("%ld %d %d\\n", __cplusplus, p[N - 1], captures);
}
`,
  );
  const options = file('options.txt', `-std=c++20 --default-stream per-thread\n-I '${join(folder, 'inc')}' -rdc=true`);
  const stdout = execFileSync(process.execPath, [join(repository, 'dist', 'cli.mjs'), 'run', source, '--options-file', options, '-q'], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('202002 7 1\n');
});
