/** `lanewise check` and `lanewise explain` as processes: formats, settings, exit codes, order. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const cli = join(dirname(fileURLToPath(import.meta.url)), '../../dist/cli.mjs');
const folder = mkdtempSync(join(tmpdir(), 'lanewise-check-'));
const warned = '__global__ void spread(float* v) { v[threadIdx.x * 32] = 1.0f; }\nvoid run(float* v) { spread<<<1, 256>>>(v); }\n';
const broken = '__global__ void f(float* v) { v[0] = 1.0f; }\nvoid run(float* v) { f<<<1, 2048>>>(v); }\n';

function lanewise(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

interface SarifLog {
  readonly runs: readonly { readonly invocations: readonly { readonly toolExecutionNotifications: readonly object[] }[] }[];
}

beforeAll(() => {
  mkdirSync(join(folder, 'quiet'));
  writeFileSync(join(folder, 'b.cu'), warned);
  writeFileSync(join(folder, 'a.cu'), warned);
  writeFileSync(join(folder, 'notes.txt'), broken);
  writeFileSync(join(folder, 'quiet', 'c.cu'), warned);
  writeFileSync(join(folder, 'quiet', 'lanewise.json'), '{ "rules": { "uncoalesced-access": "off" } }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('check', () => {
  test('of many places that a finding has, ten are printed and the rest counted', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `  a[i * 32 + ${at}] = b[i * 32 + ${at}];`);
    const kernel = ['__global__ void k(float* a, const float* b) {', '  int i = threadIdx.x;', ...lines, '}'];
    const many = mkdtempSync(join(tmpdir(), 'lanewise-check-many-'));
    writeFileSync(join(many, 'many.cu'), [...kernel, 'void run(float* a, float* b) { k<<<1, 256>>>(a, b); }'].join('\n'));
    const { out } = lanewise('check', join(many, 'many.cu'));
    rmSync(many, { recursive: true, force: true });
    const places = out.split('\n').filter((line) => line.startsWith('  '));
    expect(places).toHaveLength(11);
    expect(places.at(-1)).toMatch(/many\.cu:14:3: and at 30 more places, of which this is the first$/);
  });

  test('kernels are judged with the program in another file that launches them', () => {
    const linked = mkdtempSync(join(tmpdir(), 'lanewise-check-linked-'));
    const kernel =
      '#include "scale.cuh"\n__global__ void scale(float* v, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i <= n) v[i] *= 2;\n}\n';
    writeFileSync(join(linked, 'scale.cuh'), '#pragma once\n__global__ void scale(float* v, int n);\n');
    writeFileSync(join(linked, 'scale.cu'), kernel);
    const main = (n: number) =>
      `#include "scale.cuh"\nint main() {\n  float* v;\n  cudaMalloc(&v, ${n} * sizeof(float));\n  scale<<<4, 256>>>(v, 1000);\n}\n`;
    writeFileSync(join(linked, 'main.cu'), main(1000));
    const seen = lanewise('check', '--no-compile', join(linked, 'scale.cu'));
    writeFileSync(join(linked, 'main.cu'), main(1001));
    const right = lanewise('check', '--no-compile', join(linked, 'scale.cu'));
    rmSync(linked, { recursive: true, force: true });
    expect(seen.out).toMatch(/scale\.cu:4:15: error\[index-out-of-bounds\] thread 232 of block 3 accesses element 1000 of `v`/);
    expect([seen.code, right.code]).toEqual([1, 0]);
  });

  test.each([
    [
      'macro',
      '#ifndef TILE\n#define TILE 32\n#endif\n__global__ void tr(float* out) {\n  __shared__ float s[TILE];\n  s[threadIdx.x] = 1;\n  __syncthreads();\n  out[threadIdx.x] = s[31 - threadIdx.x];\n}\n',
      '#define TILE 16\n__global__ void tr(float* out);\nint main() {\n  float* a;\n  cudaMalloc(&a, TILE * 64);\n  tr<<<1, 32>>>(a);\n}\n',
    ],
    [
      'function',
      'static __device__ int at(int x, int y) { return y * 64 + x; }\n__global__ void tr(float* out) {\n  __shared__ float s[256];\n  s[at(threadIdx.x, threadIdx.y)] = 1;\n  __syncthreads();\n  out[at(threadIdx.x, threadIdx.y)] = s[at(threadIdx.x, 3 - threadIdx.y)];\n}\n',
      'static __device__ int at(int x, int y) { return y * 1024 + x; }\n__global__ void tr(float* out);\nint main() {\n  float* a;\n  cudaMalloc(&a, 4096);\n  tr<<<1, dim3(64, 4)>>>(a);\n}\n',
    ],
  ])('a %s of the program that launches them is not that of the kernels', (_, kernels, main) => {
    const linked = mkdtempSync(join(tmpdir(), 'lanewise-check-linked-'));
    writeFileSync(join(linked, 'kernels.cu'), kernels);
    writeFileSync(join(linked, 'main.cu'), main);
    const { code, out } = lanewise('check', '--no-compile', join(linked, 'kernels.cu'));
    rmSync(linked, { recursive: true, force: true });
    expect(out).not.toContain('error[');
    expect(code).toBe(0);
  });

  test('text: sorted by file, with place, severity and rule', () => {
    const { code, out } = lanewise('check', '.');
    expect(code).toBe(0);
    expect(
      out
        .split('\n')
        .filter((l) => l.includes('uncoalesced-access'))
        .map((l) => l.slice(0, 35)),
    ).toEqual(['a.cu:1:36: warning[uncoalesced-acces', 'b.cu:1:36: warning[uncoalesced-acces'].map((l) => l.slice(0, 35)));
    expect(out).toContain('3 files: 0 errors, 2 warnings');
  });

  test('C++ files and headers that contain CUDA are read, others are not', () => {
    const mixed = mkdtempSync(join(tmpdir(), 'lanewise-check-mixed-'));
    writeFileSync(join(mixed, 'kernels.h'), warned);
    writeFileSync(join(mixed, 'spaced.hpp'), 'void run(float* v) { spread << <1, 256 >> > (v); }\n');
    writeFileSync(join(mixed, 'host.cpp'), '#include <vector>\nvoid f(void** v) { cudaMalloc(v, 4); }\n');
    writeFileSync(join(mixed, 'plain.cpp'), '#include <vector>\nint f(int v) { return v << 3; }\n');
    writeFileSync(join(mixed, 'plain.h'), '// nothing about the device\nint f(int v);\n');
    const files = JSON.parse(lanewise('check', mixed, '--format', 'json').out) as { path: string }[];
    expect(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))).toEqual(['host.cpp', 'kernels.h', 'spaced.hpp']);
    rmSync(mixed, { recursive: true, force: true });
  });

  test('hints are told where they are asked for, and counted where they are not', () => {
    const quiet = '__global__ void third(int* v, int d) { for (int i = 0; i < v[0]; ++i) v[threadIdx.x] = (v[threadIdx.x] + i) / d; }\n';
    writeFileSync(join(folder, 'quiet', 'hint.cu'), quiet);
    const file = 'quiet/hint.cu';
    const said = 'quiet/hint.cu:1:88: hint[slow-integer-division]';
    const briefly = lanewise('check', file);
    expect(briefly.out).not.toContain('hint[');
    expect(briefly.out).toMatch(/^1 file: 0 errors, 0 warnings, \d hints? \(--hints shows [1-9] more\)$/m);
    for (const asked of [['--hints'], ['--rule', 'slow-integer-division']]) {
      const { out } = lanewise('check', file, ...asked);
      expect(out).toContain(said);
      expect(out).not.toContain('more)');
    }
    expect(lanewise('check', file, '--format', 'json').out).toContain('"slow-integer-division"');
    rmSync(join(folder, 'quiet', 'hint.cu'));
  });

  test('text: what follows from a finding is indented below it', () => {
    writeFileSync(
      join(folder, 'quiet', 'race.cu'),
      '__global__ void f(int* v) {\n  __shared__ int s[64];\n  s[threadIdx.x] = v[0];\n  v[1] = s[63 - threadIdx.x];\n}\nvoid run(int* v) { f<<<1, 64>>>(v); }\n',
    );
    const lines = lanewise('check', 'quiet/race.cu').out.split('\n');
    const at = lines.findIndex((line) => line.includes('error[missing-barrier]'));
    expect(lines[at + 1]).toBe('  quiet/race.cu:3:3: written here');
    rmSync(join(folder, 'quiet', 'race.cu'));
  });

  test('json lists every file, settings of its folder applied', () => {
    const files = JSON.parse(lanewise('check', '.', '--format', 'json').out) as { path: string; findings: { rule: string }[] }[];
    expect(files.map((f) => f.path)).toEqual(['a.cu', 'b.cu', 'quiet/c.cu']);
    expect(files[0].findings.map((f) => f.rule)).toContain('uncoalesced-access');
    expect(files[2].findings.map((f) => f.rule)).not.toContain('uncoalesced-access');
  });

  test('sarif names the rule by index and counts lines from 1', () => {
    const log = JSON.parse(lanewise('check', 'a.cu', '--rule', 'uncoalesced-access', '--format', 'sarif').out);
    const [run] = log.runs;
    expect(log.version).toBe('2.1.0');
    expect(run.results).toHaveLength(1);
    const [result] = run.results;
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
    expect(result.level).toBe('warning');
    expect(result.locations[0].physicalLocation.region).toMatchObject({ startLine: 1, startColumn: 36 });
  });

  test('knows what headers beside a file define, from the folders that it may look into', () => {
    const project = join(folder, 'headers');
    mkdirSync(join(project, 'inc'), { recursive: true });
    mkdirSync(join(project, 'src'));
    writeFileSync(
      join(project, 'inc/config.cuh'),
      '#pragma once\n#define BLOCK 2048\n__global__ void g(float* v) { v[threadIdx.x * 32] = 1.0f; }\n',
    );
    const source =
      '#include "../inc/config.cuh"\n__global__ void f(float* v) { v[threadIdx.x] = 1.0f; }\nvoid run(float* v) { f<<<1, BLOCK>>>(v); g<<<1, 256>>>(v); }\n';
    writeFileSync(join(project, 'src/main.cu'), source);
    const found = (cwd: string, ...paths: string[]) => {
      const { stdout } = spawnSync(process.execPath, [cli, 'check', ...paths, '--format', 'json'], { cwd, encoding: 'utf8' });
      const files = JSON.parse(stdout) as { path: string; findings: { rule: string }[] }[];
      return files.map((f) => [f.path.split('/').at(-1), ...f.findings.map(({ rule }) => rule)]);
    };
    expect(found(project, '.')).toEqual([
      ['config.cuh', 'uncoalesced-access'],
      ['main.cu', 'invalid-launch'],
    ]);
    expect(found(project, 'src/main.cu')).toEqual([['main.cu', 'invalid-launch']]);
    expect(found(join(project, 'inc'), project)).toContainEqual(['main.cu', 'invalid-launch']);
    // Neither the current folder nor the file's own has the header.
    expect(found(join(project, 'src'), 'main.cu')).toEqual([['main.cu']]);
    rmSync(project, { recursive: true });
  });

  test('knows what headers in include paths define: those of -I first, then those of lanewise.json', () => {
    const project = join(folder, 'paths');
    for (const sub of ['src', 'first', 'second/deep', 'toolkit']) mkdirSync(join(project, sub), { recursive: true });
    const block = (threads: number) => `#define BLOCK ${threads}\n`;
    const source = (directive: string) =>
      `${directive}\n__global__ void f(float* v) { v[threadIdx.x] = 1.0f; }\nvoid run(float* v) { f<<<1, BLOCK>>>(v); }\n`;
    writeFileSync(join(project, 'src/quoted.cu'), source('#include "deep/block.h"'));
    writeFileSync(join(project, 'src/angled.cu'), source('#include <deep/block.h> // as a library is'));
    writeFileSync(join(project, 'second/deep/block.h'), block(2048));
    const refused = (...args: string[]) => {
      const files = JSON.parse(lanewise('check', 'paths/src', '--format', 'json', ...args).out) as { path: string; findings: unknown[] }[];
      return files.filter(({ findings }) => findings.length > 0).map(({ path }) => path);
    };
    const both = ['paths/src/angled.cu', 'paths/src/quoted.cu'];
    expect(refused()).toEqual([]);
    expect(refused('-I', 'paths/second')).toEqual(both);
    expect(refused('-Ipaths/first', `--include=${join(project, 'second')}`)).toEqual(both);
    writeFileSync(join(project, 'src/lanewise.json'), '{ "includePaths": ["../second"] }');
    expect(refused()).toEqual(both);
    // The first folder that has it.
    mkdirSync(join(project, 'first/deep'));
    writeFileSync(join(project, 'first/deep/block.h'), block(256));
    expect(refused('-I', 'paths/first')).toEqual([]);
    expect(refused('-I', 'paths/second', '-I', 'paths/first')).toEqual(both);
    // What lies beside the file is for quotes alone.
    mkdirSync(join(project, 'src/deep'));
    writeFileSync(join(project, 'src/deep/block.h'), block(128));
    expect(refused()).toEqual(['paths/src/angled.cu']);
    // A folder of CUDA's headers is not followed.
    writeFileSync(join(project, 'second/cuda_runtime.h'), '');
    expect(refused()).toEqual([]);
    rmSync(project, { recursive: true });
  });

  test('exit codes: 1 for errors and for more warnings than allowed, 2 for wrong usage', () => {
    writeFileSync(join(folder, 'broken.cu'), broken);
    expect(lanewise('check', 'broken.cu').code).toBe(1);
    rmSync(join(folder, 'broken.cu'));
    expect(lanewise('check', 'a.cu', '--max-warnings', '0').code).toBe(1);
    expect(lanewise('check', 'a.cu', '--max-warnings', '1').code).toBe(0);
    expect(lanewise('check').code).toBe(2);
    expect(lanewise('check', 'missing.cu')).toMatchObject({ code: 2, err: expect.stringContaining('no such file') });
    expect(lanewise('check', 'a.cu', '--rule', 'no-such-rule').code).toBe(2);
  });

  test('wrong usage is said in one line on stderr, with exit code 2', () => {
    mkdirSync(join(folder, 'empty'));
    symlinkSync('nowhere.cu', join(folder, 'empty', 'dangling.cu'));
    symlinkSync('circle.cu', join(folder, 'empty', 'circle.cu'));
    for (const [args, says] of [
      [[], 'no files or folders given'],
      [['missing.cu'], 'no such file or folder: missing.cu'],
      [['empty'], 'no CUDA files in empty'],
      [['a.cu', '--format', 'xml'], 'unknown format "xml"; choose text, json, sarif'],
      [['a.cu', '--rule', 'no-such-rule'], 'unknown rule "no-such-rule"'],
      [['a.cu', '--max-warnings', 'few'], '--max-warnings takes a number, 0 or more, not "few"'],
      [['a.cu', '--max-warnings', '-1'], '--max-warnings'],
      [['a.cu', '--loud'], "Unknown option '--loud'"],
    ] as const) {
      const { code, out, err } = lanewise('check', ...args);
      expect([code, out], says).toEqual([2, '']);
      expect(err).toMatch(/^lanewise: [^\n]*\n$/);
      expect(err).toContain(says);
    }
  });

  test('what it cannot analyse is named with the reason, fails the check, and costs the other files nothing', () => {
    const odd = join(folder, 'odd');
    mkdirSync(odd);
    writeFileSync(join(odd, 'good.cu'), warned);
    writeFileSync(join(odd, 'binary.cu'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]));
    writeFileSync(join(odd, 'utf16.cu'), Buffer.from(`\ufeff${warned}`, 'utf16le'));
    writeFileSync(join(odd, 'large.cu'), 'int table;\n'.repeat(500_000));
    const chain = Array.from({ length: 20_000 }, (_, i) => `typedef T${i} T${i + 1};`).join('\n');
    writeFileSync(join(odd, 'nested.cu'), `typedef int T0;\n${chain}\n__global__ void f(T20000* p) { p[threadIdx.x] = 1; }\n`);
    const named = process.platform === 'win32' ? [] : ['/dev/zero'];
    const { code, out } = lanewise('check', 'odd', ...named);
    expect(code).toBe(1);
    expect(out.split('\n').filter((line) => line.includes('not analysed:'))).toEqual([
      ...named.map((path) => `${path}: not analysed: it is not a regular file`),
      'odd/binary.cu: not analysed: it has NUL bytes, so it is not a source text',
      'odd/large.cu: not analysed: it has 5 MiB; the limit is 4 MiB',
      'odd/nested.cu: not analysed: its code is nested too deeply',
      'odd/utf16.cu: not analysed: it is encoded in UTF-16; save it as UTF-8',
    ]);
    expect(out).toContain('odd/good.cu:1:36: warning[uncoalesced-access]');
    expect(out).toMatch(/: 0 errors, 1 warning, 0 hints, [45] not analysed\n$/);
    const json = JSON.parse(lanewise('check', 'odd', '--format', 'json').out) as { path: string; notAnalysed?: string }[];
    expect(json.find(({ path }) => path === 'odd/utf16.cu')?.notAnalysed).toContain('UTF-16');
    const sarif = JSON.parse(lanewise('check', 'odd', '--format', 'sarif').out) as SarifLog;
    expect(sarif.runs[0].invocations[0].toolExecutionNotifications).toHaveLength(4);
    rmSync(odd, { recursive: true });
  });

  test('control characters of a source do not reach the terminal', () => {
    const file = join(folder, 'escape.cu');
    writeFileSync(file, warned.replaceAll('v[', '\u001b[31mv['));
    writeFileSync(join(folder, '\u001b[31mname.cu'), warned);
    const { out } = lanewise('check', '.');
    expect(out).toContain('\\u001b[31mname.cu:1:36: warning');
    expect(out).not.toContain('\u001b');
    for (const name of ['escape.cu', '\u001b[31mname.cu']) rmSync(join(folder, name));
  });

  test('names a file once, however it is given, and follows links to files', () => {
    symlinkSync('../a.cu', join(folder, 'quiet', 'link.cu'));
    const files = (...paths: string[]) =>
      (JSON.parse(lanewise('check', ...paths, '--format', 'json').out) as { path: string }[]).map((f) => f.path);
    expect(files('./a.cu', 'a.cu', join(folder, 'a.cu'), 'quiet/../a.cu')).toEqual(['a.cu']);
    expect(files('quiet')).toEqual(['quiet/c.cu', 'quiet/link.cu']);
    // What is named is checked, whatever its ending; what lies in a folder by its ending.
    expect(files('notes.txt')).toEqual(['notes.txt']);
    rmSync(join(folder, 'quiet', 'link.cu'));
  });

  test('several threads: the same bytes on every run, and for each file what it has alone', () => {
    const names = Array.from({ length: 40 }, (_, i) => `f${String(i).padStart(2, '0')}.cu`);
    mkdirSync(join(folder, 'many'));
    names.forEach((name, i) => {
      writeFileSync(join(folder, 'many', name), (i % 3 === 0 ? warned : broken).repeat(1 + (i % 5)));
    });
    const first = lanewise('check', 'many');
    expect(first.code).toBe(1);
    expect(lanewise('check', 'many').out).toBe(first.out);
    const order = first.out.split('\n').flatMap((line) => /^many\/(f\d+\.cu):/.exec(line)?.[1] ?? []);
    expect([...new Set(order)]).toEqual(names);
    const alone = lanewise('check', 'many/f07.cu').out.split('\n').slice(0, -2);
    expect(first.out.split('\n').filter((line) => line.trimStart().startsWith('many/f07.cu:'))).toEqual(alone);
    rmSync(join(folder, 'many'), { recursive: true });
  });

  test('lanewise.json of each folder: severities, CUDA version and device', () => {
    const texts = {
      'old.cu': 'void wait() { cudaThreadSynchronize(); }\n',
      'large.cu':
        '__global__ void f(float* v) { extern __shared__ float s[]; v[0] = s[0]; }\nvoid run(float* v) { f<<<1, 32, 100000>>>(v); }\n',
      'warned.cu': warned,
    };
    const findings = (name: string, settings: object) => {
      const project = join(folder, name);
      mkdirSync(project);
      for (const [file, text] of Object.entries(texts)) writeFileSync(join(project, file), text);
      writeFileSync(join(project, 'lanewise.json'), JSON.stringify(settings));
      const { code, out } = lanewise('check', name, '--rule', 'removed-api', '--rule', 'invalid-launch', '--rule', 'uncoalesced-access');
      return { code, found: [...out.matchAll(/\/(\w+)\.cu:.*? (\w+)\[([\w-]+)\]/g)].map((m) => m.slice(1).join(' ')), out };
    };
    expect(findings('plain', {})).toMatchObject({ code: 1, found: ['large error invalid-launch', 'warned warning uncoalesced-access'] });
    const changed = findings('changed', {
      cudaVersion: '13.0',
      device: 't4',
      rules: { 'uncoalesced-access': 'hint', 'invalid-launch': 'warning' },
    });
    expect(changed.found).toEqual(['large warning invalid-launch', 'old error removed-api', 'warned hint uncoalesced-access']);
    // 100,000 bytes: too many without an attribute on an H200, too many in any case on a T4.
    expect(changed.out).toMatch(/100000 bytes of shared memory per block exceed the limit of .* on .*T4/);
    expect(changed.code).toBe(1);
    const mild = findings('mild', { rules: { 'uncoalesced-access': 'off', 'invalid-launch': 'information' } });
    // `--rule` names what to look at: it wins over "off".
    expect(mild).toMatchObject({ code: 0, found: ['large information invalid-launch', 'warned warning uncoalesced-access'] });
  });

  test('a lanewise.json that makes no sense is said to', () => {
    writeFileSync(join(folder, 'lanewise.json'), '{ "rules": { "uncoalesced-access": "loud" } }');
    expect(lanewise('check', 'a.cu')).toMatchObject({ code: 2, err: expect.stringContaining('"loud" is not a severity') });
    rmSync(join(folder, 'lanewise.json'));
    symlinkSync('lanewise.json', join(folder, 'lanewise.json'));
    expect(lanewise('check', 'a.cu')).toMatchObject({ code: 2, err: expect.stringMatching(/lanewise\.json:1:1: cannot be read: ELOOP/) });
    rmSync(join(folder, 'lanewise.json'));
  });
});

describe('explain', () => {
  test('prints a page, and the list of rules', () => {
    expect(lanewise('explain', 'bank-conflict').out).toContain('# bank-conflict');
    expect(lanewise('explain').out).toContain('grid-sync-misuse');
    expect(lanewise('explain', 'nothing').code).toBe(2);
    expect(lanewise('explain', 'shuffle').err).toContain('did you mean shuffle-mask?');
    expect(lanewise('explain', 'bank-conflict', 'shuffle-mask').code).toBe(2);
  });
});
