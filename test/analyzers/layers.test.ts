/** No file of the analyzers needs one that needs it: what is built on something is not known to it. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './open.ts';
import { pathsIn } from './sources.ts';

const folder = join(root, 'analyzers');

function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, to]) => join(dirname(path), to)).filter((to) => to.startsWith(folder));
}

/** Files that import each other in a circle, each circle once. */
function circles(paths: readonly string[]): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push(way.slice(at).map((p) => relative(folder, p)));
    if (at >= 0 || done.has(path)) return;
    for (const next of importsOf(path)) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of paths) visit(path, []);
  return found;
}

test('files of the model import each other in one direction', () => {
  const files = pathsIn(join(folder, 'model'), /\.ts$/);
  expect(files.length).toBeGreaterThan(40);
  expect(circles(files).filter((circle) => circle.some((file) => file.startsWith('model')))).toEqual([]);
});
