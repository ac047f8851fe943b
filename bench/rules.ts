/**
 * Compares findings about accesses and divergence with what an H200 counted on the same source lines, over the 44 HeCBench programs of
 * shared/hardware. `npm run bench:rules -- DIR [--no-compile] [--verbose] [--truth FILE]`, where DIR holds HeCBench's folders
 * (`src/adam-cuda/…`, or `adam-cuda/…`), and FILE is another file of the same form. The findings are those of `lanewise check` for each file,
 * which compiles programs; with `--no-compile` those of the text alone.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AnalyzerDocument, createAnalyzer } from '../analyzers/analyzer.ts';
import { unfolded } from '../analyzers/fold-findings.ts';
import { checkFile } from '../cli/check-file.ts';
import { HeaderTexts } from '../project/header-texts.ts';
import type { Finding } from '../protocol/finding.ts';
import { newBranchFinder, type SourceBranches } from './source-branches.ts';

interface LineCounts {
  readonly inst: number;
  readonly divergentBranches?: number;
  readonly globalSectors?: number;
  readonly globalSectorsIdeal?: number;
  readonly sharedWavefronts?: number;
  readonly sharedWavefrontsIdeal?: number;
}
interface Program {
  readonly lines: Readonly<Record<string, Readonly<Record<string, LineCounts>>>>;
}

/** More sectors or wavefronts than this many times the ideal is a mark; below lies misalignment by an element or two. */
const MARKED = 1.2;

const isUncoalesced = (c: LineCounts) => (c.globalSectors ?? 0) > MARKED * Math.max(1, c.globalSectorsIdeal ?? 0);
const hasConflicts = (c: LineCounts) => (c.sharedWavefronts ?? 0) > MARKED * Math.max(1, c.sharedWavefrontsIdeal ?? 0);
const isDivergent = (c: LineCounts) => (c.divergentBranches ?? 0) > 0;

/**
 * The hardware counts the way back of a loop like any branch, so both rules about divergence together answer for its marks, and with them the
 * one about atomics in shared memory that are loops.
 */
const FIGURES: readonly { readonly rules: readonly string[]; readonly isMarked: (c: LineCounts) => boolean }[] = [
  { rules: ['uncoalesced-access'], isMarked: isUncoalesced },
  { rules: ['divergent-branch'], isMarked: isDivergent },
  { rules: ['divergent-loop'], isMarked: isDivergent },
  { rules: ['divergent-branch', 'divergent-loop', 'hot-shared-atomic'], isMarked: isDivergent },
  { rules: ['bank-conflict'], isMarked: hasConflicts },
];

type Spot = 'loops' | 'conditions' | 'neither';

interface Score {
  right: number;
  wrong: string[];
  found: number;
  /** The same of warnings and errors alone. */
  readonly grave: { right: number; wrong: number; found: number };
  missed: string[];
  /** Marks at the heads of loops, at other conditions, and at neither (slow paths, retries of atomics). */
  readonly at: Record<Spot, { marks: number; found: number }>;
}

/** One file's, by line. */
interface Truth {
  readonly marked: ReadonlyMap<number, LineCounts>;
  readonly executed: ReadonlySet<number>;
  readonly branches: SourceBranches;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'no-compile': { type: 'boolean' },
    verbose: { type: 'boolean' },
    truth: { type: 'string', default: '../shared/hardware/h200-hecbench.json' },
  },
});
const [dir] = positionals;
if (!dir || !existsSync(options.truth)) {
  console.error(`Usage: npm run bench:rules -- DIR [--no-compile] [--verbose] [--truth FILE] (${options.truth} must exist)`);
  process.exit(2);
}
const programs = JSON.parse(readFileSync(options.truth, 'utf8')) as Record<string, Program>;
const assets = {
  runtime: readFileSync('node_modules/web-tree-sitter/web-tree-sitter.wasm'),
  cuda: readFileSync('node_modules/tree-sitter-cuda/tree-sitter-cuda.wasm'),
  cpp: readFileSync('node_modules/tree-sitter-cpp/tree-sitter-cpp.wasm'),
};
const analyzer = await createAnalyzer(assets);
const branchesOf = await newBranchFinder(assets);

const context = { analyzer, headers: new HeaderTexts(), headerRoots: [resolve(dir)] };
const includePaths = [resolve(dir, 'include')];
const scores = FIGURES.map(newScore);
let findingsTotal = 0;
/** Of them, what is no more than information. */
let lesserTotal = 0;
let linesTotal = 0;
for (const [name, program] of Object.entries(programs)) {
  const folder = [join(dir, 'src', `${name}-cuda`), join(dir, `${name}-cuda`)].find(existsSync);
  if (!folder) {
    console.error(`no folder for ${name}`);
    continue;
  }
  for (const file of readdirSync(folder).filter((f) => /\.(cu|cuh|h|hpp)$/.test(f))) await judge(name, file, join(folder, file), program);
}
for (const [i, s] of scores.entries()) {
  const precision = s.right / Math.max(1, s.right + s.wrong.length);
  const recall = s.found / Math.max(1, s.found + s.missed.length);
  console.log(
    `${FIGURES[i].rules.join(' and ').padEnd(35)} precision ${precision.toFixed(3)} (${s.right} of ${s.right + s.wrong.length})  recall ${recall.toFixed(3)} (${s.found} of ${s.found + s.missed.length})`,
  );
  const { right, wrong, found } = s.grave;
  const marks = s.found + s.missed.length;
  console.log(
    `  warnings and errors alone: precision ${(right / Math.max(1, right + wrong)).toFixed(3)} (${right} of ${right + wrong})  recall ${(found / Math.max(1, marks)).toFixed(3)} (${found} of ${marks})`,
  );
  if (FIGURES[i].rules.includes('divergent-branch')) {
    const { loops, conditions, neither } = s.at;
    const atConditions = (conditions.found / Math.max(1, conditions.marks)).toFixed(3);
    console.log(
      `  of the marks, ${loops.marks} at heads of loops (found ${loops.found}), ${conditions.marks} at other conditions (found ${conditions.found}, recall ${atConditions}), ${neither.marks} at neither (found ${neither.found})`,
    );
  }
  if (options.verbose) {
    for (const w of s.wrong) console.log(`  wrong  ${w}`);
    for (const m of s.missed) console.log(`  missed ${m}`);
  }
}
const graveTotal = findingsTotal - lesserTotal;
console.log(
  `all rules: ${graveTotal} warnings and errors in ${linesTotal} lines, ${((100 * graveTotal) / linesTotal).toFixed(2)} per 100 lines; and ${lesserTotal} of information and hints, ${((100 * lesserTotal) / linesTotal).toFixed(2)} per 100 lines`,
);

function isLesser({ severity }: Finding): boolean {
  return severity === 'information' || severity === 'hint';
}

function newScore(): Score {
  const none = () => ({ marks: 0, found: 0 });
  return {
    right: 0,
    wrong: [],
    found: 0,
    missed: [],
    grave: { right: 0, wrong: 0, found: 0 },
    at: { loops: none(), conditions: none(), neither: none() },
  };
}

async function judge(program: string, file: string, path: string, { lines }: Program): Promise<void> {
  const text = readFileSync(path, 'utf8');
  const branches = branchesOf(text);
  const document = analyzer.open(text);
  const compile = options['no-compile'] ? 'never' : 'programs';
  const answer = await checkFile({ index: 0, path, settings: {}, includePaths, includable: includePaths, compile, fix: false }, context);
  if ('notAnalysed' in answer) throw new Error(`${path}: ${answer.notAnalysed}`);
  if (answer.notCompiled) console.error(`${path}: not compiled: ${answer.notCompiled}`);
  const { findings } = answer;
  findingsTotal += findings.length;
  lesserTotal += findings.filter(isLesser).length;
  linesTotal += text.split('\n').length;
  for (const [i, { rules, isMarked }] of FIGURES.entries()) {
    const marked = new Map<number, LineCounts>();
    const executed = new Set<number>();
    for (const counts of Object.values(lines)) {
      for (const [at, c] of Object.entries(counts)) {
        const [name, line] = [at.slice(0, at.lastIndexOf(':')), Number(at.slice(at.lastIndexOf(':') + 1))];
        if (name !== file) continue;
        executed.add(line);
        if (isMarked(c)) marked.set(line, c);
      }
    }
    score(
      scores[i],
      `${program}/${file}`,
      unfolded(findings).filter((f) => rules.includes(f.rule)),
      { marked, executed, branches },
      document,
    );
  }
  document.dispose();
}

function score(
  s: Score,
  where: string,
  findings: readonly Finding[],
  { marked, executed, branches }: Truth,
  document: AnalyzerDocument,
): void {
  const covered = new Set<number>();
  const gravely = new Set<number>();
  const byLine = new Map<number, Finding>();
  // Of several at a line the gravest.
  for (const f of [...findings.filter(isLesser), ...findings.filter((x) => !isLesser(x))]) byLine.set(f.range.start.line, f);
  for (const f of byLine.values()) {
    const from = f.range.start.line + 1;
    const to = f.range.end.line + 1;
    const head = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const ends = f.rule === 'divergent-branch' ? (branches.ends.get(from) ?? []) : [];
    const lines = [...head, ...ends.filter((l) => !branches.loops.has(l) && !branches.conditions.has(l))];
    for (const l of lines) covered.add(l);
    if (!isLesser(f)) for (const l of lines) gravely.add(l);
    if (!ran(document, from, executed)) continue;
    const isRight = lines.some((l) => marked.has(l));
    if (isRight) s.right++;
    else s.wrong.push(`${where}:${from} ${f.message.slice(0, 110)}`);
    if (!isLesser(f)) s.grave[isRight ? 'right' : 'wrong']++;
  }
  for (const [line, c] of marked) {
    const at = s.at[branches.loops.has(line) ? 'loops' : branches.conditions.has(line) ? 'conditions' : 'neither'];
    at.marks++;
    if (covered.has(line)) at.found++;
    if (gravely.has(line)) s.grave.found++;
    if (covered.has(line)) s.found++;
    else s.missed.push(`${where}:${line} ${JSON.stringify(c)}`);
  }
}

/** Whether the GPU executed anything of the function around a line: what did not run says nothing. */
function ran(document: AnalyzerDocument, line: number, executed: ReadonlySet<number>): boolean {
  if (executed.has(line)) return true;
  const kernel = document.outline().kernels.find((k) => k.range.start.line < line && line <= k.range.end.line + 1);
  if (!kernel) return false;
  for (let l = kernel.range.start.line + 1; l <= kernel.range.end.line + 1; l++) if (executed.has(l)) return true;
  return false;
}
