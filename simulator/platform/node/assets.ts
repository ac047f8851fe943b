/** The build's files, for the bundles as for the sources: in dist/ beside the next package.json above this code. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Assets } from '../platform.ts';

let root: string | undefined;

export const assets: Assets = {
  path,
  has: (...parts) => existsSync(path(...parts)),
  load: (...parts) => readFileSync(path(...parts)),
};

function path(...parts: string[]): string {
  root ??= packageRoot(dirname(fileURLToPath(import.meta.url)));
  return join(root, 'dist', ...parts);
}

function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json above ${from}: the installation is incomplete`);
  }
}
