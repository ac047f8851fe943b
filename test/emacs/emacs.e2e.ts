/** The language server with Emacs' Eglot as its client: no lenses, pushed diagnostics, actions that are waited for. One session, of which each test looks at a part. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(fileURLToPath(import.meta.url), '../../..');

describe('in Emacs', () => {
  let lines: readonly string[] = [];
  const said = (what: string) => lines.flatMap((line) => (line.startsWith(`${what} `) ? [line.slice(what.length + 1)] : []));

  beforeAll(() => {
    const environment = {
      ...process.env,
      LANEWISE_FILE: join(root, 'test/fixtures/editor/doubling.cu'),
      LANEWISE_SERVER: join(root, 'dist/cli.mjs'),
      LANEWISE_NODE: process.execPath,
    };
    const options = ['-Q', '--batch', '-l', join(root, 'test/emacs/client.el')];
    const emacs = spawnSync('emacs', options, { env: environment, encoding: 'utf8', timeout: 250_000 });
    lines = emacs.stdout.trim().split('\n');
    expect(emacs.status, emacs.stderr).toBe(0);
  });

  it('findings are diagnostics, and hovers explain', () => {
    expect(said('diagnostic')).toContainEqual(expect.stringMatching(/^8 lanewise \[divergent-branch\]: diverges in all of the warps/));
    expect(said('hover')).toEqual(['`threadIdx`']);
  });

  it('names are completed and lead to their definitions', () => {
    expect(said('completion')).toEqual(['data']);
    expect(said('definition')).toEqual(['at line 16']);
  });

  it('a program runs from the menu of actions, and its output comes with its counters', () => {
    expect(said('action')).toEqual(['▶ Run in simulator']);
    expect(said('run')).toEqual(['says output and counters']);
  });

  it('hints are counters and names of parameters', () => {
    expect(said('hint')).toContainEqual(expect.stringMatching(/^18 4\.5× ideal sectors/));
    expect(said('hint')).toContain('28 grid:');
  });
});
