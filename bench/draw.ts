/**
 * Draws findings on public programs for a reader to judge: `npm run bench:draw -- DIR [--seed N] [--findings N] [--pool N] [--without FILE]
 * [--only NAME,NAME] [--ending=-cuda] [--hints] [--no-compile]`. DIR holds folders of programs; of those whose names half A has (bench/measured.ts), in an order
 * that the seed decides, so many are checked that they have a pool of findings, from which as many as asked for are drawn. Hints are no part of it, as
 * `lanewise check` does not print them. FILE lists folders to leave out, one a line.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createAnalyzer } from '../analyzers/analyzer.ts';
import { relatedPlaces } from '../analyzers/related-places.ts';
import { checkFile } from '../cli/check-file.ts';
import { isCudaSource } from '../cli/source-files.ts';
import { CompileCommands } from '../project/compile-commands.ts';
import { HeaderTexts } from '../project/header-texts.ts';
import type { Finding } from '../protocol/finding.ts';
import { packagedGrammars } from './grammars.ts';
import { halfOf } from './measured.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    findings: { type: 'string', default: '40' },
    pool: { type: 'string', default: '80' },
    without: { type: 'string' },
    only: { type: 'string' },
    ending: { type: 'string', default: '' },
    hints: { type: 'boolean' },
    'no-compile': { type: 'boolean' },
  },
});
const [dir] = positionals;
if (!dir) {
  console.error('Usage: npm run bench:draw -- DIR [--seed N] [--findings N] [--pool N] [--without FILE] [--only NAME,NAME] [--hints]');
  process.exit(2);
}

let state = Number(options.seed) >>> 0;

/** Mulberry32. */
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

function shuffled<T>(list: readonly T[]): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

interface Drawn {
  readonly path: string;
  readonly finding: Finding;
}

const analyzer = await createAnalyzer(packagedGrammars());

async function foundIn(folder: string): Promise<Drawn[]> {
  const context = { analyzer, headers: new HeaderTexts(), commands: new CompileCommands(), headerRoots: [resolve(folder)] };
  const found: Drawn[] = [];
  for (const path of sourcesIn(folder)) {
    const compile = options['no-compile'] ? 'never' : 'always';
    const answer = await checkFile(
      { index: 0, path, settings: {}, includePaths: [], includable: [], defines: [], compile, fix: false },
      context,
    );
    if ('notAnalysed' in answer) console.error(`${path}: ${answer.notAnalysed}`);
    else found.push(...answer.findings.map((finding) => ({ path, finding })));
  }
  return found.filter(({ finding }) => options.hints || finding.severity !== 'hint');
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return entry.isFile() && isCudaSource(path) ? [path] : [];
  });
}

const left = new Set(options.without ? readFileSync(options.without, 'utf8').split('\n') : []);
const folders = readdirSync(dir, { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() &&
      entry.name.endsWith(options.ending) &&
      !left.has(entry.name) &&
      halfOf(entry.name.replace(/-cuda$/, '')) === 'A',
  )
  .map(({ name }) => name)
  .sort();
const chosen = options.only?.split(',') ?? shuffled(folders);
const pool: Drawn[] = [];
let checked = 0;
for (const name of chosen) {
  if (!options.only && pool.length >= Number(options.pool)) break;
  pool.push(...(await foundIn(join(dir, name))));
  checked++;
}
const drawn = options.only ? pool : shuffled(pool).slice(0, Number(options.findings));
console.log(`seed ${options.seed}: ${drawn.length} of ${pool.length} findings of ${checked} folders`);
for (const { path, finding } of drawn.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
  const { rule, severity, range, message } = finding;
  console.log(`${relative(dir, path)}:${range.start.line + 1} ${severity}[${rule}] ${message}`);
  for (const each of relatedPlaces(finding)) console.log(`    ${each.range.start.line + 1}: ${each.message}`);
}
process.exit(0);
