/** The grammars' bytes from the build's folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalyzerAssets } from '../analyzers/analyzer.ts';

export function grammars(dist: string): AnalyzerAssets {
  const read = (name: string) => readFileSync(join(dist, 'tree-sitter', name));
  return { runtime: read('web-tree-sitter.wasm'), cuda: read('tree-sitter-cuda.wasm'), cpp: read('tree-sitter-cpp.wasm') };
}
