/** CONTRIBUTING.md and ARCHITECTURE.md: what they name exists. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'build']);

/** All files and folders below the root, with a slash before each. */
const present = pathsBelow(root, '').map((path) => `/${path}`);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe.each(['CONTRIBUTING.md', 'ARCHITECTURE.md'])('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const code = [...text.matchAll(/`([^`\n]+)`/g)].map(([, inner]) => inner);

  it('names files and folders that exist', () => {
    // Pages may leave out the folders that the sentence is about: `lower-memory64.ts`.
    const named = code.filter(isPath).map((path) => path.replace(/\/$/, ''));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !present.some((each) => each.endsWith(`/${path}`)))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('code of the walkthrough fits beside its steps, where nothing scrolls', () => {
  const folder = join(root, 'docs/walkthrough');
  // VS Code keeps the colours of the theme in which it has shown a page first: coloured code is unreadable when the theme has changed.
  const lines = readdirSync(folder).flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/^```\n([\s\S]*?)^```/gm)].flatMap(([, code]) => code.split('\n')),
  );
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.length > 44)).toEqual([]);
});

it('what stands below its title fits into three lines, after which VS Code cuts it', () => {
  const files = readdirSync(root).filter((name) => /^package\.nls(\.\w+)?\.json$/.test(name));
  expect(files).toHaveLength(4);
  const said = files.map((name) => JSON.parse(readFileSync(join(root, name), 'utf8'))['walkthrough.description'] as string);
  expect(said.filter((text) => text.length > 75)).toEqual([]);
});

/** `simulator/ir/`, `counters.ts`; not `.i32`, `x.fixed.cu`, names with placeholders or what a step is to create. */
function isPath(text: string): boolean {
  if (/[\s<>*=(]/.test(text) || /my-|^x\.|^\.\.|^\./.test(text)) return false;
  return /^[\w.-]+(\/[\w.-]+)*\/$/.test(text) || /^[\w./-]+\.(ts|mjs|json|md)$/.test(text);
}

function pathsBelow(folder: string, name: string): string[] {
  return readdirSync(join(folder, name)).flatMap((entry) => {
    if (SKIPPED.has(entry)) return [];
    const path = name ? `${name}/${entry}` : entry;
    return statSync(join(folder, path)).isDirectory() ? [path, ...pathsBelow(folder, path)] : [path];
  });
}
