/** The language server with Neovim as its client: push diagnostics, server-side commands, no pictures. One session, of which each test looks at a part. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(fileURLToPath(import.meta.url), '../../..');

describe('in Neovim', () => {
  let lines: readonly string[] = [];
  const said = (what: string) => lines.flatMap((line) => (line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : []));

  beforeAll(() => {
    const environment = {
      ...process.env,
      LANEWISE_FILE: join(root, 'test/fixtures/editor/doubling.cu'),
      LANEWISE_SERVER: join(root, 'dist/cli.mjs'),
      LANEWISE_NODE: process.execPath,
    };
    const options = ['--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${join(root, 'test/neovim/client.lua')}`];
    const nvim = spawnSync('nvim', options, { env: environment, encoding: 'utf8', timeout: 170_000 });
    lines = nvim.stdout.trim().split('\n');
    expect(said('ERROR')).toEqual([]);
    expect(nvim.status).toBe(0);
  });

  it('findings are diagnostics, which follow edits', () => {
    expect(said('diagnostic')).toContain('8 lanewise divergent-branch');
    expect(lines).toContain('finding gone after the edit');
  });

  it('hovers explain in words', () => expect(said('hover')).toEqual(['markdown words']));

  it('lenses run the program, whose output and table come as messages', () => {
    expect(said('lens').map((lens) => lens.split(' ').slice(1).join(' '))).toEqual([
      '▶ Run in simulator',
      '▶ Run in simulator',
      '▶ Run in simulator',
    ]);
    expect(said('run')).toEqual(['finished']);
    expect(lines).toContain('output seen');
    expect(lines).toContain('table from the lens');
  });

  it('counters are inlay hints', () => expect(said('hint')).toContainEqual(expect.stringMatching(/^18 4\.5× ideal sectors/)));

  it('actions are offered, and one that is applied takes the finding with it', () => {
    expect(said('action')).toContainEqual(expect.stringMatching(/^quickfix Pad/));
    expect(said('action')).toContainEqual(expect.stringMatching(/^quickfix Suppress bank-conflict/));
    expect(lines).toContain('fixed by the action');
  });

  it('races are diagnostics with both lines', () => {
    expect(said('race at')).toHaveLength(1);
    expect(
      said('race with')
        .map((place) => place.split(':')[0])
        .sort(),
    ).toEqual(['line 6', 'line 7']);
    expect(said('race hover')).toEqual(['says that nothing orders the two']);
  });

  it('the server ends with its client', () => expect(lines.at(-1)).toBe('server exit code 0'));
});
