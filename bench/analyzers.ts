/**
 * How fast the analyzers are: a full analysis per 1,000 lines over the .cu files of a folder, split into parsing and the rest, and an edit
 * of one character inside one kernel of a file of 2,000 lines. `npm run bench:analyzers -- DIR`
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnalyzer } from '../analyzers/analyzer.ts';
import { buildModel, type ModelCache, newModelCache } from '../analyzers/model/file.ts';
import { RULES } from '../analyzers/rules/registry.ts';
import { runRules } from '../analyzers/rules/run-rules.ts';
import { closeSource, lineTable, openSource, type Source } from '../analyzers/syntax/source.ts';
import { loadGrammar } from '../analyzers/syntax/tree/grammar.ts';
import { h200 } from '../devices/h200.ts';

const [dir] = process.argv.slice(2);
if (!dir) {
  console.error('Usage: npm run bench:analyzers -- DIR');
  process.exit(2);
}
const assets = {
  runtime: readFileSync('node_modules/web-tree-sitter/web-tree-sitter.wasm'),
  cuda: readFileSync('node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm'),
};
const analyzer = await createAnalyzer(assets);
const grammar = await loadGrammar(assets);
const texts = sources(dir).map((file) => readFileSync(file, 'utf8'));

// Twice: the first round is also the time that V8 needs to compile the analyzers.
for (const round of ['cold', 'warm']) {
  const times = texts.map(processorTimes);
  console.log(`${round}, ${times.length} files, processor time per 1,000 lines:`);
  report(
    'parsing',
    times.map((t) => t.parsing),
  );
  report(
    'model and rules',
    times.map((t) => t.analysis),
  );
}
editBench();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.cuh?$/.test(entry.name) ? [path] : [];
  });
}

/** Per 1,000 lines, parsing apart: an analysis that finds everything parsed is what the model and the rules take. */
function processorTimes(text: string): { readonly parsing: number; readonly analysis: number } {
  const cache = newModelCache(grammar);
  const begin = now();
  const source = openSource(text);
  analyse(source, cache);
  const parsed = now();
  analyse(source, { ...newModelCache(grammar, cache.table), last: cache.last });
  const end = now();
  closeSource(source);
  // Short files are counted as 200 lines, or the fixed cost of any file would be all that shows.
  const thousands = Math.max(200, text.split('\n').length) / 1000;
  return { parsing: Math.max(0, 2 * parsed - begin - end) / thousands, analysis: (end - parsed) / thousands };
}

function analyse(source: Source, cache: ModelCache): void {
  const { facts } = buildModel(source, cache, { cudaVersion: 12.8, device: h200 });
  runRules(facts, { rules: RULES, severities: {}, lines: lineTable(source.text), source, reports: new WeakMap() });
}

/** Milliseconds: on a machine that others use, the clock says little. */
function now(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function report(what: string, times: number[]): void {
  times.sort((a, b) => a - b);
  console.log(`  ${what}: median ${quantile(times, 0.5)} ms, 95 % ${quantile(times, 0.95)} ms, worst ${quantile(times, 1)} ms`);
}

function quantile(sorted: readonly number[], q: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0).toFixed(1);
}

function editBench(): void {
  const kernels = Array.from({ length: 100 }, (_, k) => kernel(k)).join('\n');
  const text = `${kernels}\nint main() {\n${Array.from({ length: 100 }, (_, k) => `  kernel${k}<<<64, 256>>>(nullptr, nullptr, 1000);`).join('\n')}\n}\n`;
  const lines = text.split('\n');
  const document = analyzer.open(text);
  document.findings();
  const line = lines.findIndex((l) => l.includes('kernel50(')) + 9;
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let i = 0; i < 60; i++) {
    const column = lines[line].length;
    const insert = i % 2 === 0;
    const begin = performance.now();
    document.edit([{ range: { start: { line, column }, end: { line, column: column + (insert ? 0 : 1) } }, text: insert ? ' ' : '' }]);
    document.findings();
    times.push(performance.now() - begin);
  }
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  // On a machine that others use, processor time says more than the clock.
  const mean = ((user + system) / 1000 / times.length).toFixed(1);
  console.log(
    `edit in one kernel of ${lines.length} lines: median ${quantile(times, 0.5)} ms, worst ${quantile(times, 1)} ms, processor time ${mean} ms on average`,
  );
}

/** Twenty lines with a tile, a loop and a tree. */
function kernel(k: number): string {
  return `__global__ void kernel${k}(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  float v = 0.0f;
  for (int j = i; j < n; j += gridDim.x * blockDim.x) {
    v += in[j] * ${k}.0f;
  }
  s[t] = v;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      s[t] += s[t + stride];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = s[0];
  }
}`;
}
