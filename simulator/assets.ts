/** Finds the files that the build puts into dist/: they are loaded at run time, from the bundles as from the sources. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let root: string | undefined;

/** Absolute path of a file or folder in dist/. */
export function asset(...path: string[]): string {
  root ??= packageRoot(dirname(fileURLToPath(import.meta.url)));
  return join(root, 'dist', ...path);
}

function packageRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json above ${from}: the installation is incomplete`);
  }
}
