/** What goes into the package: an exact allow-list, since whatever else lies about in the folder must stay out. */
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from './editor.ts';

const allowed = [
  /^(package(\.nls(\.(ja|ko|fr))?)?\.json|l10n\/(bundle\.l10n|hovers|pages|rules|runs)\.(ja|ko|fr)\.json|lanewise\.schema\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/((extension|client)\.cjs|report-page\.(js|css)|(server|analysis-process|cli|prediction-worker|program-worker|block-worker|check-worker|toolchain-process|toolchain-worker)\.mjs|icon\.png|stamp)$/,
  /^dist\/tree-sitter\/(web-tree-sitter|tree-sitter-cuda|tree-sitter-cpp)\.wasm$/,
  /^dist\/clang\/(llvm\.core\d?\.wasm|llvm\.mjs|headers\.tar|stamp)$/,
  /^dist\/(THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json)$/,
  /^dist\/sysroot\/(sysroot\.tar|stamp)$/,
  // Compressed only; absent until the package is built.
  /^dist\/pch\/(device|host)\.pch\.br$/,
  /^dist\/rules\/[a-z0-9-]+\.md$/,
  /^dist\/lessons\/[a-z-]+\/([a-z-]+\.cu|lesson\.json)$/,
  /^dist\/walkthrough\/[a-z-]+(\.nls\.(fr|ja|ko))?\.md$/,
  /^dist\/include\/.+/,
];

describe('the package', () => {
  // Every file of the folder is looked at, those of editors in build among them.
  it('contains what is allowed and all that is needed', { timeout: 180_000 }, async () => {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const needed of [
      'package.json',
      'lanewise.schema.json',
      'LICENSE',
      'l10n/rules.fr.json',
      'dist/extension.cjs',
      'dist/client.cjs',
      'dist/server.mjs',
      'dist/report-page.js',
      'dist/report-page.css',
      'dist/analysis-process.mjs',
      'dist/prediction-worker.mjs',
      'dist/icon.png',
      'dist/include/cuda_runtime.h',
      'dist/lessons/coalescing/lesson.json',
      'dist/sbom.cdx.json',
      'dist/THIRD-PARTY-NOTICES.txt',
    ]) {
      expect(files).toContain(needed);
    }
  });

  it('needs nothing from node_modules', () => {
    for (const name of ['dist/extension.cjs', 'dist/client.cjs', 'dist/server.mjs', 'dist/analysis-process.mjs']) {
      const bundle = readFileSync(join(root, name), 'utf8');
      const required = [...bundle.matchAll(/(?:\brequire\(|\bfrom ?|\bimport\()"([^".][^"]*)"/g)].map(([, module]) => module);
      const known = new Set(['vscode', ...builtinModules]);
      expect([...new Set(required)].filter((module) => !known.has(module.replace(/^node:/, '')))).toEqual([]);
    }
  });

  it('starts programs from a server that has no engine in it', async () => {
    const { metafile } = await build({
      entryPoints: ['server/main.ts'],
      absWorkingDir: root,
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
      metafile: true,
      logLevel: 'error',
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs).toContain('simulator/simulate.ts');
    expect(inputs.filter((path) => /^simulator\/(interpreter|compiler|scheduling|machine|simt|ir)\//.test(path))).toEqual([]);
  });
});
