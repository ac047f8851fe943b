/** CUDA texts to try the analyzers on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './open.ts';

export interface SourceText {
  readonly name: string;
  readonly text: string;
}

/** All .cu and .cuh files below a folder, by name. */
export function sourcesIn(folder: string): SourceText[] {
  return pathsIn(folder).map((path) => ({ name: relative(folder, path), text: readFileSync(path, 'utf8') }));
}

export function pathsIn(folder: string, names = /\.cuh?$/): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Fixtures of the rules and of the syntax. A `.fixed.cu` differs from its fixture by one edit, so it is left out. */
export function fixtures(): SourceText[] {
  return ['rules', 'analyzers']
    .flatMap((folder) => sourcesIn(join(root, 'test/fixtures', folder)))
    .filter((f) => !f.name.endsWith('.fixed.cu'));
}

/** All examples of each page, as one text. */
export function pagesExamples(): SourceText[] {
  const folder = join(root, 'docs/rules');
  return readdirSync(folder).map((name) => ({
    name,
    text: [...readFileSync(join(folder, name), 'utf8').matchAll(/```cuda\n([\s\S]*?)```/g)].map((m) => m[1]).join('\n'),
  }));
}
