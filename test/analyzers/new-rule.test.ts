/** `npm run new-rule` in a copy of the repository: what it writes is complete, and passes the tests of rules as it stands. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './open.ts';

const copy = mkdtempSync(join(tmpdir(), 'lanewise-new-rule-'));
const ID = 'unused-shared-memory';

function run(...args: string[]): { code: number | null; out: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env: { ...process.env, CI: '' } });
  return { code: status, out: `${stdout}${stderr}` };
}

const MADE = new Set(['node_modules', 'dist', 'build', '.git'].map((name) => join(root, name)));

beforeAll(() => {
  cpSync(root, copy, { recursive: true, filter: (path) => !MADE.has(path) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a new rule: files, registry and schema that the linter and the tests accept', () => {
  const { code, out } = run('scripts/new-rule.mjs', ID);
  expect(code, out).toBe(0);
  const written = [...out.matchAll(/^wrote (.*)$/gm)].map((m) => m[1]);
  expect(written).toEqual([
    `analyzers/rules/${ID}.ts`,
    `docs/rules/${ID}.md`,
    `test/fixtures/rules/${ID}/basic.cu`,
    'analyzers/rules/registry.ts',
    'lanewise.schema.json',
  ]);
  const registry = (folder: string) => readFileSync(join(folder, 'analyzers/rules/registry.ts'), 'utf8').split('\n');
  expect(registry(copy).filter((line) => !registry(root).includes(line))).toEqual([
    `import { unusedSharedMemory } from './${ID}.ts';`,
    '  unusedSharedMemory,',
  ]);

  const lint = run(
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--vcs-enabled=false',
    ...written.filter((f) => /\.(ts|json)$/.test(f)),
  );
  expect(lint.code, lint.out).toBe(0);
  const tests = run('node_modules/vitest/vitest.mjs', 'run', 'test/analyzers/rules.test.ts', '-t', `${ID}|registry|page`);
  expect(tests.code, tests.out).toBe(0);
  const schema = run('node_modules/vitest/vitest.mjs', 'run', 'test/analyzers/project-settings.test.ts', '-t', 'schema');
  expect(schema.code, schema.out).toBe(0);
});

test.each([
  [1, 'bank-conflict'],
  [2, 'Not_A_Name'],
  [2, 'no-conflict'],
  [2, '../escape'],
])('exit code %i and nothing written for %s', (code, name) => {
  const before = readFileSync(join(copy, 'analyzers/rules/registry.ts'), 'utf8');
  expect(run('scripts/new-rule.mjs', name).code).toBe(code);
  expect(readFileSync(join(copy, 'analyzers/rules/registry.ts'), 'utf8')).toBe(before);
});
