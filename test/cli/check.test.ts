/** `lanewise check` and `lanewise explain` as processes: formats, settings, exit codes, order. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  test('a lanewise.json that makes no sense is said to', () => {
    writeFileSync(join(folder, 'lanewise.json'), '{ "rules": { "uncoalesced-access": "loud" } }');
    expect(lanewise('check', 'a.cu')).toMatchObject({ code: 2, err: expect.stringContaining('"loud" is no severity') });
    rmSync(join(folder, 'lanewise.json'));
  });
});

describe('explain', () => {
  test('prints a page, and the list of rules', () => {
    expect(lanewise('explain', 'bank-conflict').out).toContain('# bank-conflict');
    expect(lanewise('explain').out).toContain('grid-sync-misuse');
    expect(lanewise('explain', 'nothing').code).toBe(2);
  });
});
