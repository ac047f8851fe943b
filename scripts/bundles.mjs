// What esbuild bundles into dist, and how.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Bundled CommonJS packages call require(); an ES module has none of its own.
const banner = { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" };
const entries = [
  { in: 'client/extension.ts', out: 'extension.cjs', format: 'cjs', external: ['vscode'] },
  { in: 'client/main.ts', out: 'client.cjs', format: 'cjs', external: ['vscode'] },
  // The report, as a page: in a panel, or in a file of its own.
  { in: 'client/webview/report-page.ts', out: 'report-page.js', format: 'iife', platform: 'browser', target: 'chrome120' },
  { in: 'client/webview/report-page.css', out: 'report-page.css', platform: 'browser' },
  { in: 'server/main.ts', out: 'server.mjs', format: 'esm', banner },
  { in: 'server/analysis/process.ts', out: 'analysis-process.mjs', format: 'esm', banner },
  { in: 'cli/main.ts', out: 'cli.mjs', format: 'esm', banner },
  { in: 'cli/check-worker.ts', out: 'check-worker.mjs', format: 'esm', banner },
  // Threads: one that runs a whole program (host and device), and those that execute blocks of a grid beside it.
  { in: 'simulator/program-worker.ts', out: 'program-worker.mjs', format: 'esm', banner },
  { in: 'simulator/compiler/block-worker.ts', out: 'block-worker.mjs', format: 'esm', banner },
  // A thread that follows the kernels of an edited file through their compiled code.
  { in: 'simulator/prediction-worker.ts', out: 'prediction-worker.mjs', format: 'esm', banner },
  // Clang's process, which goes away when idle and frees what Clang held, and the threads in it.
  { in: 'simulator/toolchain/tool-process.ts', out: 'toolchain-process.mjs', format: 'esm', banner },
  { in: 'simulator/toolchain/worker.ts', out: 'toolchain-worker.mjs', format: 'esm', banner },
];

/** esbuild's options, one set for each bundle. */
export function bundles(root, { production }) {
  return entries
    .filter((entry) => existsSync(join(root, entry.in)))
    .map(({ in: input, out, ...options }) => ({
      bundle: true,
      platform: 'node',
      target: 'node20',
      logLevel: 'warning',
      minify: production,
      sourcemap: !production,
      metafile: true,
      absWorkingDir: root,
      ...options,
      entryPoints: [input],
      outfile: `dist/${out}`,
    }));
}

/** From what esbuild says about its bundles: each npm package, by its folder, and the files of dist that have code of it. */
export function bundledPackages(metafiles) {
  const packages = new Map();
  for (const { outputs } of metafiles) {
    for (const [output, { inputs }] of Object.entries(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
        if (!folder || bytesInOutput === 0 || output.endsWith('.map')) continue;
        packages.set(folder, (packages.get(folder) ?? new Set()).add(output));
      }
    }
  }
  return packages;
}
