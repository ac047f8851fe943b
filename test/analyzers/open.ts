/** An analyzer with the grammars from node_modules, one for all tests of a file. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Analyzer, type AnalyzerAssets, createAnalyzer } from '../../analyzers/analyzer.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);

let analyzer: Promise<Analyzer> | undefined;

export function theAnalyzer(): Promise<Analyzer> {
  analyzer ??= createAnalyzer(assets());
  return analyzer;
}

export function assets(): AnalyzerAssets {
  return {
    runtime: readFileSync(join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.wasm')),
    cuda: readFileSync(join(root, 'node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm')),
    cpp: readFileSync(join(root, 'node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm')),
  };
}
