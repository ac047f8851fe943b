/** The language server with Neovim as its client: push diagnostics, server-side commands, no pictures. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = join(fileURLToPath(import.meta.url), '../../..');

it('finds, explains, runs and follows edits in Neovim', () => {
  const environment = {
    ...process.env,
    LANEWISE_FILE: join(root, 'test/fixtures/editor/doubling.cu'),
    LANEWISE_SERVER: join(root, 'dist/cli.mjs'),
    LANEWISE_NODE: process.execPath,
  };
  const options = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${join(root, 'test/neovim/client.lua')}`];
  const nvim = spawnSync('nvim', options, { env: environment, encoding: 'utf8', timeout: 80_000 });
  const lines = nvim.stdout.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('ERROR'))).toEqual([]);
  expect(nvim.status).toBe(0);
  expect(lines).toContain('diagnostic 8 lanewise divergent-branch');
  expect(lines.filter((line) => line.startsWith('lens')).map((line) => line.split(' ').slice(2).join(' '))).toEqual([
    '▶ Run in simulator',
    '▶ Run in simulator',
    '▶ Run in simulator',
  ]);
  expect(lines).toContainEqual(expect.stringMatching(/^hint 18 4\.5× ideal sectors/));
  expect(lines.filter((line) => !line.startsWith('hint')).slice(-6)).toEqual([
    'hover markdown words',
    'run finished',
    'output seen',
    'table from the lens',
    'finding gone after the edit',
    'server exit code 0',
  ]);
});
