/** The grammars' bytes from their packages: benchmarks of the rules need no build. */
import { readFileSync } from 'node:fs';
import type { AnalyzerAssets } from '../analyzers/analyzer.ts';

export function packagedGrammars(): AnalyzerAssets {
  const read = (name: string) => readFileSync(`node_modules/${name}/${name}.wasm`);
  return { runtime: read('web-tree-sitter'), cuda: read('tree-sitter-cuda'), cpp: read('tree-sitter-cpp') };
}
