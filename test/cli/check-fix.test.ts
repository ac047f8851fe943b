/** `lanewise check --fix` and `--since` as processes: what is applied, what is left alone, what counts as new. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fixFile } from '../../cli/fixes.ts';
import type { Finding } from '../../protocol/finding.ts';

const cli = join(dirname(fileURLToPath(import.meta.url)), '../../dist/cli.mjs');
const race = `__global__ void f(int* v) {
  __shared__ int s[64];
  s[threadIdx.x] = v[0];
  v[1] = s[63 - threadIdx.x];
}
void run(int* v) { f<<<1, 64>>>(v); }
`;
const spread = '__global__ void spread(float* v) { v[threadIdx.x * 32] = 1.0f; }\nvoid run(float* v) { spread<<<1, 256>>>(v); }\n';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lanewise-fix-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function lanewise(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'check', ...args], { cwd: folder, encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('--fix', () => {
  test('applies safe fixes, says which, and reports what is left', () => {
    write('race.cu', race);
    write('spread.cu', spread);
    expect(lanewise('race.cu').out).toContain('(--fix applies it)');
    expect(read('race.cu')).toBe(race);
    const { code, out } = lanewise('.', '--fix');
    expect(out).toContain('race.cu:4:10: fixed[missing-barrier] ');
    expect(out).not.toContain('error[missing-barrier]');
    expect(out).toContain('spread.cu:1:36: warning[uncoalesced-access]');
    expect(read('race.cu')).toContain('__syncthreads();');
    expect(read('spread.cu')).toBe(spread);
    expect(code).toBe(0);
    expect(lanewise('.', '--fix').out).not.toContain('fixed[');
  });

  test('keeps the ends of lines, and JSON free of what it says', () => {
    write('race.cu', race.replaceAll('\n', '\r\n'));
    const { out, err } = lanewise('race.cu', '--fix', '--format', 'json');
    expect(JSON.parse(out)[0].findings).toEqual([]);
    expect(err).toContain('fixed[missing-barrier]');
    expect(read('race.cu').replaceAll('\r\n', '')).not.toContain('\r');
  });

  test('leaves alone what was not named, what a link leads to, and what is no UTF-8', () => {
    const outside = write('outside.cu', race);
    mkdirSync(join(folder, 'inside'));
    symlinkSync(outside, join(folder, 'inside', 'link.cu'));
    writeFileSync(join(folder, 'inside', 'latin.cu'), Buffer.from(`// caf\xe9\n${race}`, 'latin1'));
    const { out } = lanewise('inside', '--fix');
    expect(out).toContain('inside/link.cu: not fixed: it is a link');
    expect(out).toContain('inside/latin.cu: not fixed: it is not valid UTF-8');
    expect(read('outside.cu')).toBe(race);
    expect(lanewise('inside', '--fix', '--rule', 'uncoalesced-access').out).not.toContain('not fixed');
  });

  test('writes nothing where the text has changed since, and does not edit one place twice', () => {
    const path = write('a.cu', 'abc\n');
    const at = (from: number, to: number) => ({ start: { line: 0, column: from }, end: { line: 0, column: to } });
    const finding = (from: number, to: number, newText: string): Finding => ({
      rule: 'r',
      severity: 'warning',
      range: at(from, to),
      message: '',
      related: [],
      fixes: [{ title: newText, safe: true, edits: [{ range: at(from, to), newText }] }],
    });
    expect(fixFile(path, 'abd\n', [finding(0, 1, 'x')]).refused).toContain('changed');
    expect(read('a.cu')).toBe('abc\n');
    const { applied } = fixFile(path, 'abc\n', [finding(0, 2, 'x'), finding(1, 3, 'y'), finding(0, 2, 'x'), finding(3, 3, '!')]);
    expect(applied.map(({ title }) => title)).toEqual(['x', 'x', '!']);
    expect(read('a.cu')).toBe('xc!\n');
  });
});

describe('--since', () => {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@localhost', ...args], { cwd: folder, encoding: 'utf8' });

  test('a revision: findings on lines that changed, all of a new file', () => {
    git('init', '-q');
    write('a.cu', `${spread.replaceAll('spread', 'old')}`);
    git('add', '.');
    git('commit', '-qm', 'one');
    expect(lanewise('.', '--since', 'HEAD').out).toContain('0 errors, 0 warnings');
    write('a.cu', `${spread.replaceAll('spread', 'old')}\n${spread}`);
    write('new.cu', spread);
    const { out } = lanewise('.', '--since', 'HEAD');
    expect(out.match(/^\S+: warning\[uncoalesced-access\]/gm)).toEqual([
      'a.cu:4:36: warning[uncoalesced-access]',
      'new.cu:1:36: warning[uncoalesced-access]',
    ]);
    expect(lanewise('.', '--since', 'HEAD', '--max-warnings', '1').code).toBe(1);
    expect(lanewise('.', '--since', 'HEAD', '--max-warnings', '2').code).toBe(0);
    expect(lanewise('.', '--since', 'nowhere')).toMatchObject({ code: 2, err: expect.stringContaining('knows no revision "nowhere"') });
    expect(lanewise('.', '--since=--output=x').code).toBe(2);
  });

  test('a line that was taken out: what its absence causes is new', () => {
    git('init', '-q');
    write('race.cu', race.replace('  v[1]', '  __syncthreads();\n  v[1]'));
    git('add', '.');
    git('commit', '-qm', 'one');
    write('race.cu', race);
    expect(lanewise('.', '--since', 'HEAD').out).toContain('error[missing-barrier]');
  });

  test('a baseline: as many of a message as it has are old, wherever they stand', () => {
    write('a.cu', spread);
    write('base.json', lanewise('a.cu', '--format', 'json').out);
    write('a.cu', `\n\n${spread}`);
    expect(lanewise('a.cu', '--since', 'base.json').out).toContain('0 errors, 0 warnings');
    write('a.cu', `${spread}${'\n'.repeat(20)}${spread.replaceAll('spread', 'again').replaceAll('run', 'go')}`);
    expect(lanewise('a.cu', '--since', 'base.json').out).toContain('0 errors, 1 warning');
    write('base.json', '{}');
    expect(lanewise('a.cu', '--since', 'base.json')).toMatchObject({ code: 2, err: expect.stringContaining('no baseline') });
  });

  test('outside of a repository it says so', () => {
    write('a.cu', spread);
    expect(lanewise('a.cu', '--since', 'HEAD')).toMatchObject({ code: 2, err: expect.stringContaining('in no git repository') });
  });
});
