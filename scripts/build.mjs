// Bundles the programs and their threads into dist/ and puts beside them what they load at run time.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { iconPng } from './icon.mjs';
import { makeClang } from './make-clang.mjs';
import { makePrecompiledHeaders } from './make-pch.mjs';
import { makeSysroot } from './make-sysroot.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);
const production = process.argv.includes('--production');

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  minify: production,
  sourcemap: !production,
  absWorkingDir: root,
};
// Bundled CommonJS packages call require(); an ES module has none of its own.
const banner = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" };
const entries = [
  { in: 'client/extension.ts', out: 'extension.cjs', format: 'cjs', external: ['vscode'] },
  { in: 'server/main.ts', out: 'server.mjs', format: 'esm', banner },
  { in: 'cli/main.ts', out: 'cli.mjs', format: 'esm', banner },
  { in: 'cli/check-worker.ts', out: 'check-worker.mjs', format: 'esm', banner },
  // Threads: one that runs a whole program (host and device), and those that execute blocks of a grid beside it.
  { in: 'simulator/program-worker.ts', out: 'program-worker.mjs', format: 'esm', banner },
  { in: 'simulator/compiler/block-worker.ts', out: 'block-worker.mjs', format: 'esm', banner },
  // Clang's process, which goes away when idle and frees what Clang held, and the threads in it.
  { in: 'simulator/toolchain/tool-process.ts', out: 'toolchain-process.mjs', format: 'esm', banner },
  { in: 'simulator/toolchain/worker.ts', out: 'toolchain-worker.mjs', format: 'esm', banner },
].filter((entry) => existsSync(join(root, entry.in)));

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

await mkdir(dist, { recursive: true });
await Promise.all(
  entries.map(({ in: input, out, ...options }) => build({ ...common, ...options, entryPoints: [input], outfile: join('dist', out) })),
);

const copies = [
  [join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.wasm'), 'tree-sitter/web-tree-sitter.wasm'],
  [join(root, 'node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm'), 'tree-sitter/tree-sitter-cuda.wasm'],
  [join(root, 'node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm'), 'tree-sitter/tree-sitter-cpp.wasm'],
  [join(root, 'simulator/include'), 'include'],
  [join(root, 'docs/rules'), 'rules'],
];
await Promise.all(copies.map(([from, to]) => cp(from, join(dist, to), { recursive: true, force: true, preserveTimestamps: true })));
await makeClang(join(root, 'node_modules/@yowasp/clang'), join(dist, 'clang'));
await makeSysroot({ root, dist });
await makePrecompiledHeaders({ root, dist, compress: production });
await writeFile(join(dist, 'icon.png'), iconPng());
await writeFile(join(dist, 'stamp'), await compilerStamp());
