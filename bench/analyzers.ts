/**
 * How fast the analyzers are: a full analysis per 1,000 lines over the .cu files of a folder, split into parsing and the rest, and an edit
 * of one character inside one kernel of a file of 2,000 lines. `npm run bench:analyzers -- DIR`
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnalyzer } from '../analyzers/analyzer.ts';

const [dir] = process.argv.slice(2);
if (!dir) {
  console.error('Usage: npm run bench:analyzers -- DIR');
  process.exit(2);
}
const analyzer = await createAnalyzer({
  runtime: readFileSync('node_modules/web-tree-sitter/web-tree-sitter.wasm'),
  cuda: readFileSync('node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm'),
});
const texts = sources(dir).map((file) => readFileSync(file, 'utf8'));

// Twice: the first round is also the time that V8 needs to compile the analyzers.
for (const round of ['cold', 'warm']) {
  const times = texts.map((text) => perThousandLines(text)).sort((a, b) => a - b);
  console.log(
    `full analysis, ${round}: ${times.length} files, median ${quantile(times, 0.5)} ms, 95 % ${quantile(times, 0.95)} ms, worst ${quantile(times, 1)} ms per 1,000 lines`,
  );
}
editBench();

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.cuh?$/.test(entry.name) ? [path] : [];
  });
}

function perThousandLines(text: string): number {
  const begin = performance.now();
  const document = analyzer.open(text);
  document.findings();
  const elapsed = performance.now() - begin;
  document.dispose();
  // Short files are counted as 200 lines, or the fixed cost of any file would be all that shows.
  return (elapsed / Math.max(200, text.split('\n').length)) * 1000;
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
