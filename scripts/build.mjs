// Bundles the programs and their threads into dist/ and puts beside them what they load at run time.

import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledPackages, bundles } from './bundles.mjs';
import { iconPng } from './icon.mjs';
import { makeClang } from './make-clang.mjs';
import { makeNotices } from './make-notices.mjs';
import { makePrecompiledHeaders } from './make-pch.mjs';
import { makeSysroot } from './make-sysroot.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);
const production = process.argv.includes('--production');

/** Hash of everything that affects how a program compiles. Programs cached by another version must not be used. */
async function compilerStamp() {
  const hash = createHash('sha256');
  for (const folder of ['simulator/toolchain', 'simulator/include', 'dist']) {
    for (const name of (await readdir(join(root, folder), { recursive: true })).sort()) {
      const file = join(root, folder, name);
      // The parts of dist that take long to make have stamps of their own.
      const counts = folder === 'dist' ? /[\\/]stamp$/.test(name) : (await stat(file)).isFile();
      if (counts) hash.update(`${name}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** The pages of rules without what their examples say to the tests. */
async function copyRules() {
  const folder = join(root, 'docs/rules');
  await mkdir(join(dist, 'rules'), { recursive: true });
  for (const name of await readdir(folder)) {
    const page = await readFile(join(folder, name), 'utf8');
    await writeFile(join(dist, 'rules', name), page.replace(/^\s*\/\/ ~\^.*\n/gm, ''));
  }
}

await mkdir(dist, { recursive: true });
const built = await Promise.all(bundles(root, { production }).map(build));

const copies = [
  [join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.wasm'), 'tree-sitter/web-tree-sitter.wasm'],
  [join(root, 'node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm'), 'tree-sitter/tree-sitter-cuda.wasm'],
  [join(root, 'node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm'), 'tree-sitter/tree-sitter-cpp.wasm'],
  [join(root, 'simulator/include'), 'include'],
  [join(root, 'examples/lessons'), 'lessons'],
  [join(root, 'docs/walkthrough'), 'walkthrough'],
];
await Promise.all(copies.map(([from, to]) => cp(from, join(dist, to), { recursive: true, force: true, preserveTimestamps: true })));
await copyRules();
await makeClang(join(root, 'node_modules/@yowasp/clang'), join(dist, 'clang'));
await makeSysroot({ root, dist });
await makePrecompiledHeaders({ root, dist, compress: production });
await makeNotices({ root, dist, packages: bundledPackages(built.map(({ metafile }) => metafile)) });
await writeFile(join(dist, 'icon.png'), iconPng());
await writeFile(join(dist, 'stamp'), await compilerStamp());
