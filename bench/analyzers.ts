/**
 * How fast the analyzers are: a full analysis per 1,000 lines over the .cu files of a folder with its parts, beside what tree-sitter alone
 * takes for the same texts, and an edit of one character inside one kernel of a file of 2,000 lines. `npm run bench:analyzers -- DIR`
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createAnalyzer } from '../analyzers/analyzer.ts';
import { buildModel } from '../analyzers/model/file.ts';
import { type ModelCache, newModelCache } from '../analyzers/model/model-cache.ts';
import { RULES } from '../analyzers/rules/registry.ts';
import { runRules } from '../analyzers/rules/run-rules.ts';
import { closeSource, lineTable, openSource, type Source } from '../analyzers/syntax/source.ts';
import { type Grammar, loadGrammars } from '../analyzers/syntax/tree/grammar.ts';
import { h200 } from '../devices/h200.ts';
import { keepObjectsYoung } from '../server/young-objects.ts';
import { packagedGrammars } from './grammars.ts';

const [dir] = process.argv.slice(2);
if (!dir) {
  console.error('Usage: npm run bench:analyzers -- DIR');
  process.exit(2);
}
// As the language server does.
keepObjectsYoung();
const assets = packagedGrammars();
const analyzer = await createAnalyzer(assets);
const grammars = await loadGrammars(assets);
const files = sources(dir);
const texts = files.map((file) => readFileSync(file, 'utf8'));

const insideParser = { ms: 0 };
const timed = (grammar: Grammar): Grammar => ({ ...grammar, parser: timedParser(grammar.parser) });
const measured = { ...grammars, cuda: timed(grammars.cuda), cpp: timed(grammars.cpp) };

/** Processor time in milliseconds per 1,000 lines. */
interface Times {
  /** From the text to findings, with nothing known of it. */
  readonly total: number;
  /** The part of the total that is spent inside tree-sitter's parser. */
  readonly treeSitter: number;
  /** What it takes with everything parsed. */
  readonly analysis: number;
}

/** Rounds per file, so that at least one is undisturbed by V8's compiler, which works in the background for whichever file is at hand. */
const ROUNDS = 9;

// The first round is also the time that V8 needs to compile the analyzers.
show('cold', measureAll(0));
const rounds = Array.from({ length: ROUNDS }, (_, k) => measureAll(k + 1));
const least = texts.map((_, i) => leastOf(rounds.map((times) => times[i])));
show(`least of ${ROUNDS}`, least);
showSlowest(least);
const bare = Array.from({ length: ROUNDS }, () => texts.map(parseAsItStands));
report(
  'bare tree-sitter parse of the files',
  texts.map((_, i) => Math.min(...bare.map((times) => times[i]))),
);
editBench();

function show(name: string, times: readonly Times[]): void {
  console.log(`${name}: ${times.length} files, processor time per 1,000 lines:`);
  const row = (what: string, of: (t: Times) => number) => report(what, times.map(of));
  row('full analysis', (t) => t.total);
  row('  tree-sitter', (t) => t.treeSitter);
  row('  tokens, macros, reading', (t) => Math.max(0, t.total - t.treeSitter - t.analysis));
  row('  model and rules', (t) => t.analysis);
  const share = (limit: number) => ((100 * times.filter((t) => t.total < limit).length) / times.length).toFixed(1);
  console.log(`  below 5 ms: ${share(5)} % of the files, below 50 ms: ${share(50)} %`);
}

function showSlowest(times: readonly Times[]): void {
  const order = times.map((_, i) => i).sort((a, b) => times[b].total - times[a].total);
  for (const i of order.slice(0, 5))
    console.log(`  ${times[i].total.toFixed(1)} ms: ${relative(dir, files[i])}, ${texts[i].split('\n').length} lines`);
}

/** What others on the machine add to a time is not ours. */
function leastOf(times: readonly Times[]): Times {
  return times.reduce((a, b) => (b.total < a.total ? b : a));
}

function timedParser(parser: Grammar['parser']): Grammar['parser'] {
  return Object.assign(Object.create(parser) as Grammar['parser'], {
    parse: (...args: Parameters<typeof parser.parse>) => {
      const begin = now();
      const tree = parser.parse(...args);
      insideParser.ms += now() - begin;
      return tree;
    },
  });
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sources(path) : /\.cuh?$/.test(entry.name) ? [path] : [];
  });
}

/** Whole analyses first, one after the other, and then their parts: what is measured for comparison is not to slow them down. */
function measureAll(round: number): Times[] {
  const wholes = inOrderOf(round, analyseText);
  const parts = inOrderOf(round, analyseParsed);
  return wholes.map((whole, i) => ({ ...whole, analysis: parts[i] }));
}

/** Each round goes through the files in another order: a file's garbage is collected while others are measured, and not always the same ones. */
function inOrderOf<T>(round: number, measure: (text: string) => T): T[] {
  const place = (i: number) => {
    const mixed = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b);
    return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 0;
  };
  const results: T[] = [];
  for (const i of texts.map((_, k) => k).sort((a, b) => place(a) - place(b))) results[i] = measure(texts[i]);
  return results;
}

function analyseText(text: string): Omit<Times, 'analysis'> {
  insideParser.ms = 0;
  const begin = now();
  const source = openSource(text);
  analyse(source, newModelCache(measured));
  const total = now() - begin;
  closeSource(source);
  return { total: total / thousands(text), treeSitter: insideParser.ms / thousands(text) };
}

function analyseParsed(text: string): number {
  const cache = newModelCache(measured);
  const source = openSource(text);
  analyse(source, cache);
  const begin = now();
  analyse(source, { ...newModelCache(measured, cache.table), last: cache.last });
  const analysis = now() - begin;
  closeSource(source);
  return analysis / thousands(text);
}

/** A tree of the whole text and nothing else: no part of an analysis, but what it can be compared with. */
function parseAsItStands(text: string): number {
  const begin = now();
  grammars.cuda.parser.parse(text)?.delete();
  return (now() - begin) / thousands(text);
}

/** Short files are counted as 200 lines, or the fixed cost of any file would be all that shows. */
function thousands(text: string): number {
  return Math.max(200, text.split('\n').length) / 1000;
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
  const clock: number[] = [];
  const processor: number[] = [];
  for (let i = 0; i < 60; i++) {
    const column = lines[line].length;
    const insert = i % 2 === 0;
    const begin = { clock: performance.now(), processor: now() };
    document.edit([{ range: { start: { line, column }, end: { line, column: column + (insert ? 0 : 1) } }, text: insert ? ' ' : '' }]);
    document.findings();
    clock.push(performance.now() - begin.clock);
    processor.push(now() - begin.processor);
  }
  console.log(`edit in one kernel of ${lines.length} lines:`);
  report('clock', clock);
  // On a machine that others use, processor time says more than the clock.
  report('processor time', processor);
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
