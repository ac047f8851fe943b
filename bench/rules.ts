/**
 * Compares findings about accesses and divergence with what an H200 counted on the same source lines.
 * `npm run bench:rules -- DIR [--samples DIR] [--set NAME,NAME] [--only NAME,NAME] [--no-compile] [--verbose]`, where DIR holds HeCBench's
 * folders (`src/adam-cuda/…`, or `adam-cuda/…`), and that of --samples cuda-samples' (`Samples/…`, `Common`). The findings are those of
 * `lanewise check --compile`; with `--no-compile` those of the text alone. What a warning names besides its own place (one cause is one
 * finding) counts as the warning's. What the GPU counted at a call of a function that is inlined there is what the function does. Programs are in two halves by their name's hash: of half B, only sums are printed, so that it stays
 * what nobody tuned for.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type AnalyzerDocument, createAnalyzer } from '../analyzers/analyzer.ts';
import { unfolded } from '../analyzers/fold-findings.ts';
import { checkFile } from '../cli/check-file.ts';
import { CompileCommands } from '../project/compile-commands.ts';
import { HeaderTexts } from '../project/header-texts.ts';
import type { Finding } from '../protocol/finding.ts';
import { packagedGrammars } from './grammars.ts';
import { type InlinedCalls, inlinedCalls, type LineKey } from './inlined-calls.ts';
import { type Half, halfOf, hecbenchFolder, isOwn, SETS, type SetName, sampleFolder, sourcesOf } from './measured.ts';
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

/** Divergent branches for each instruction of the line: the warp at the end of the data, which is one of thousands. */
const RARE = 1e-3;

const isRare = (c: LineCounts) => (c.divergentBranches ?? 0) < RARE * c.inst;

const movesSectors = (c: LineCounts) => (c.globalSectors ?? 0) > 0;
const hasWavefronts = (c: LineCounts) => (c.sharedWavefronts ?? 0) > 0;
const hasBranches = (c: LineCounts) => c.divergentBranches !== undefined;

/**
 * The hardware counts the way back of a loop like any branch, so both rules about divergence together answer for its marks, and with them the
 * one about atomics in shared memory that are loops.
 */
const FIGURES: readonly Figure[] = [
  { rules: ['uncoalesced-access'], isMarked: isUncoalesced, isCounted: movesSectors },
  { rules: ['divergent-branch'], isMarked: isDivergent, isCounted: hasBranches },
  { rules: ['divergent-loop'], isMarked: isDivergent, isCounted: hasBranches },
  { rules: ['divergent-branch', 'divergent-loop', 'hot-shared-atomic'], isMarked: isDivergent, isCounted: hasBranches },
  { rules: ['bank-conflict'], isMarked: hasConflicts, isCounted: hasWavefronts },
];

interface Figure {
  readonly rules: readonly string[];
  readonly isMarked: (c: LineCounts) => boolean;
  /** The GPU counted something of the kind. */
  readonly isCounted: (c: LineCounts) => boolean;
}

type Spot = 'loops' | 'conditions' | 'neither';

interface Score {
  right: number;
  wrong: string[];
  found: number;
  /** The same of warnings and errors alone, with all that they name. */
  readonly grave: { right: number; wrong: number; found: number };
  missed: string[];
  /** By severity and message: how many are right, and how many are not. */
  readonly messages: Map<string, [right: number, wrong: number]>;
  /** Marks at the heads of loops, at other conditions, and at neither (slow paths, retries of atomics). */
  readonly at: Record<Spot, { marks: number; found: number }>;
  /** Of divergence: marks that are rarer than RARE, and how many of them are found. */
  readonly rare: { marks: number; found: number };
}

/** One file of a program. */
interface JudgedFile {
  readonly name: string;
  readonly text: string;
  readonly document: AnalyzerDocument;
  readonly branches: SourceBranches;
  readonly findings: readonly Finding[];
}

/** Of a program's lines. */
interface Truth {
  readonly marked: ReadonlyMap<LineKey, LineCounts>;
  readonly counted: ReadonlySet<LineKey>;
  /** That have instructions. */
  readonly known: ReadonlySet<LineKey>;
  readonly executed: ReadonlySet<LineKey>;
  readonly calls: InlinedCalls;
}

/** All that is printed of some programs together. */
interface Sums {
  readonly scores: readonly Score[];
  findings: number;
  /** Of them, what is no more than information. */
  lesser: number;
  lines: number;
  /** Findings whose message is that of another within ten lines. */
  repeated: string[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'no-compile': { type: 'boolean' },
    verbose: { type: 'boolean' },
    samples: { type: 'string' },
    set: { type: 'string', default: 'hecbench' },
    only: { type: 'string' },
  },
});
const [dir] = positionals;
const sets = options.set.split(',').filter((name): name is SetName => name in SETS && name !== 'reference');
if (!dir || sets.length < options.set.split(',').length) {
  console.error('Usage: npm run bench:rules -- DIR [--samples DIR] [--set NAME,NAME] [--only NAME,NAME] [--no-compile] [--verbose]');
  console.error(
    `Sets: ${Object.keys(SETS)
      .filter((name) => name !== 'reference')
      .join(', ')}`,
  );
  process.exit(2);
}
const folders = { hecbench: dir, samples: options.samples };
const assets = packagedGrammars();
const analyzer = await createAnalyzer(assets);
const branchesOf = await newBranchFinder(assets);

const context = {
  analyzer,
  headers: new HeaderTexts(),
  commands: new CompileCommands(),
  headerRoots: [dir, ...(options.samples ? [options.samples] : [])].map((d) => resolve(d)),
};
// HeCBench's makefiles say theirs.
const includePaths = options.samples ? [resolve(options.samples, 'Common')] : [];
const only = options.only?.split(',');
for (const set of sets) {
  const halves = { A: newSums(), B: newSums() };
  for (const [name, program] of Object.entries(JSON.parse(readFileSync(SETS[set], 'utf8')) as Record<string, Program>)) {
    if (only && !only.includes(name)) continue;
    const files = filesOf(set, name);
    if (!files) console.error(`no folder for ${name}`);
    else await judge(halves[halfOf(name)], name, files, program);
  }
  for (const half of ['A', 'B'] as const) print(`${set}, half ${half}`, halves[half], half);
}

function filesOf(set: SetName, name: string): readonly string[] | undefined {
  if (isOwn(set)) return sourcesOf(set, folders, name, {})!.files;
  const folder = set === 'samples' ? sampleFolder(folders, name) : hecbenchFolder(folders, name);
  if (!folder) return undefined;
  const names = readdirSync(folder).filter((file) => /\.(cu|cuh|h|hpp)$/.test(file));
  return names.map((file) => join(folder, file));
}

function print(title: string, { scores, findings, lesser, lines, repeated }: Sums, half: Half): void {
  console.log(title);
  for (const [i, s] of scores.entries()) {
    const { rules } = FIGURES[i];
    const marks = s.found + s.missed.length;
    console.log(`  ${rules.join(' and ').padEnd(35)} ${shares(s.right, s.wrong.length, s.found, marks)}`);
    console.log(`    warnings and errors alone: ${shares(s.grave.right, s.grave.wrong, s.grave.found, marks)}`);
    if (rules.includes('divergent-branch')) {
      const { loops, conditions, neither } = s.at;
      console.log(
        `    of the marks, ${loops.marks} at heads of loops (found ${loops.found}), ${conditions.marks} at other conditions (found ${conditions.found}), ${neither.marks} at neither (found ${neither.found})`,
      );
      // Slow paths of divisions and functions, and retries of atomics, which the source does not show.
      const shown = { marks: loops.marks + conditions.marks, found: loops.found + conditions.found };
      console.log(`    where the source has a loop or a condition: recall ${share(shown.found, shown.marks)}`);
      const { rare } = s;
      console.log(
        `    ${rare.marks} marks are of fewer than one branch in ${1 / RARE} instructions of their line (found ${rare.found}); of the others, recall ${share(s.found - rare.found, marks - rare.marks)}`,
      );
    }
    if (!options.verbose) continue;
    for (const [message, [right, wrong]] of [...s.messages].sort()) console.log(`    ${message}: ${right} of ${right + wrong}`);
    if (half === 'B') continue;
    for (const w of s.wrong) console.log(`    wrong  ${w}`);
    for (const m of s.missed) console.log(`    missed ${m}`);
  }
  const per = (n: number) => ((100 * n) / Math.max(1, lines)).toFixed(2);
  const grave = findings - lesser;
  console.log(
    `  all rules: ${grave} warnings and errors in ${lines} lines, ${per(grave)} per 100 lines; and ${lesser} of information and hints, ${per(lesser)} per 100 lines; ${repeated.length} repeated within ten lines`,
  );
  if (options.verbose && half === 'A') for (const each of repeated) console.log(`    repeated ${each}`);
}

function share(part: number, all: number): string {
  return `${(part / Math.max(1, all)).toFixed(3)} (${part} of ${all})`;
}

function shares(right: number, wrong: number, found: number, marks: number): string {
  return `precision ${share(right, right + wrong)}  recall ${share(found, marks)}`;
}

function newSums(): Sums {
  return { scores: FIGURES.map(newScore), findings: 0, lesser: 0, lines: 0, repeated: [] };
}

function isLesser({ severity }: Finding): boolean {
  return severity === 'information' || severity === 'hint';
}

/** A place that is named, and whether who reads warnings and errors alone gets to see it. */
interface Named {
  readonly finding: Finding;
  readonly isGrave: boolean;
}

function placesOf(shown: Finding): Named[] {
  return unfolded([shown]).map((finding) => ({ finding, isGrave: !isLesser(shown) }));
}

function newScore(): Score {
  const none = () => ({ marks: 0, found: 0 });
  return {
    right: 0,
    wrong: [],
    found: 0,
    missed: [],
    messages: new Map(),
    grave: { right: 0, wrong: 0, found: 0 },
    at: { loops: none(), conditions: none(), neither: none() },
    rare: none(),
  };
}

async function judge(sums: Sums, program: string, paths: readonly string[], { lines }: Program): Promise<void> {
  const files: JudgedFile[] = [];
  for (const path of paths) files.push(await judgedFile(path));
  for (const { name, text, findings } of files) {
    sums.findings += findings.length;
    sums.lesser += findings.filter(isLesser).length;
    sums.lines += text.split('\n').length;
    sums.repeated.push(
      ...repeatedOf(findings).map((f) => `${program}/${name}:${f.range.start.line + 1} ${f.rule}: ${f.message.slice(0, 110)}`),
    );
  }
  const names = new Set(files.map(({ name }) => name));
  const all = Object.values(lines)
    .flatMap((counts) => Object.entries(counts) as [LineKey, LineCounts][])
    .filter(([at]) => names.has(fileOf(at)));
  const known = new Set(all.map(([at]) => at));
  const executed = new Set(all.filter(([, { inst }]) => inst > 0).map(([at]) => at));
  const calls = inlinedCalls(files.map(({ name, text, branches: { functions } }) => ({ name, text, functions })));
  for (const [i, figure] of FIGURES.entries()) {
    const marked = new Map(all.filter(([, c]) => figure.isMarked(c)));
    const counted = new Set(all.filter(([, c]) => figure.isCounted(c)).map(([at]) => at));
    score(sums.scores[i], { program, files, figure }, { marked, counted, known, executed, calls });
  }
  for (const { document } of files) document.dispose();
}

async function judgedFile(path: string): Promise<JudgedFile> {
  const text = readFileSync(path, 'utf8');
  const document = analyzer.open(text);
  const compile = options['no-compile'] ? 'never' : 'always';
  const answer = await checkFile(
    { index: 0, path, settings: {}, includePaths, includable: includePaths, defines: [], compile, fix: false },
    context,
  );
  if ('notAnalysed' in answer) throw new Error(`${path}: ${answer.notAnalysed}`);
  if (answer.notCompiled) console.error(`${path}: not compiled: ${answer.notCompiled}`);
  return { name: basename(path), text, document, branches: branchesOf(text), findings: answer.findings };
}

function fileOf(at: LineKey): string {
  return at.slice(0, at.lastIndexOf(':'));
}

function repeatedOf(findings: readonly Finding[]): Finding[] {
  const line = (f: Finding) => f.range.start.line;
  return findings.filter((f, i) => findings.slice(0, i).some((g) => g.message === f.message && Math.abs(line(f) - line(g)) <= 10));
}

function score(
  s: Score,
  { program, files, figure }: { readonly program: string; readonly files: readonly JudgedFile[]; readonly figure: Figure },
  truth: Truth,
): void {
  const covered = new Set<LineKey>();
  const gravely = new Set<LineKey>();
  for (const { name, document, branches, findings } of files) {
    const byLine = new Map<number, Named>();
    // Of several at a line the gravest.
    const gravity = ({ finding, isGrave }: Named) => Number(isGrave) + Number(!isLesser(finding));
    const named = findings.flatMap(placesOf).filter(({ finding: { rule } }) => figure.rules.includes(rule));
    for (const each of named.toSorted((a, b) => gravity(a) - gravity(b))) byLine.set(each.finding.range.start.line, each);
    for (const { finding: f, isGrave } of byLine.values()) {
      const from = f.range.start.line + 1;
      const head = Array.from({ length: f.range.end.line + 2 - from }, (_, i) => from + i);
      const ends = f.rule === 'divergent-branch' ? (branches.ends.get(from) ?? []) : [];
      const lines = [...head, ...ends.filter((l) => !branches.loops.has(l) && !branches.conditions.has(l))].map(
        (l): LineKey => `${name}:${l}`,
      );
      for (const l of lines) covered.add(l);
      if (isGrave) for (const l of lines) gravely.add(l);
      const isRight = isTrue(lines, { name, document, from }, truth);
      if (isRight === undefined) continue;
      if (isRight) s.right++;
      else s.wrong.push(`${program}/${name}:${from} ${f.message.slice(0, 110)}`);
      const message = `${f.severity} ${messageOf(f)}`;
      const [right, wrong] = s.messages.get(message) ?? [0, 0];
      s.messages.set(message, isRight ? [right + 1, wrong] : [right, wrong + 1]);
      if (isGrave) s.grave[isRight ? 'right' : 'wrong']++;
    }
  }
  const branchesIn = new Map(files.map(({ name, branches }) => [name, branches]));
  for (const [at, c] of truth.marked) {
    const branches = branchesIn.get(fileOf(at))!;
    const line = Number(at.slice(fileOf(at).length + 1));
    const spot = s.at[branches.loops.has(line) ? 'loops' : branches.conditions.has(line) ? 'conditions' : 'neither'];
    // At the line, or in a function that is inlined there.
    const isIn = (places: ReadonlySet<LineKey>) => places.has(at) || [...truth.calls.below(at)].some((below) => places.has(below));
    const isFound = isIn(covered);
    spot.marks++;
    if (isFound) spot.found++;
    if (isRare(c)) {
      s.rare.marks++;
      if (isFound) s.rare.found++;
    }
    if (isIn(gravely)) s.grave.found++;
    if (isFound) s.found++;
    else s.missed.push(`${program}/${at} ${JSON.stringify(c)}`);
  }
}

/** Whether the GPU counted it there, or, where it counted nothing of the kind, at a call of the function; undefined where nothing of it ran. */
function isTrue(
  lines: readonly LineKey[],
  { name, document, from }: { readonly name: string; readonly document: AnalyzerDocument; readonly from: number },
  truth: Truth,
): boolean | undefined {
  if (lines.some((at) => truth.marked.has(at))) return true;
  const isHere = lines.some((at) => truth.counted.has(at));
  const above = isHere ? [] : lines.flatMap((at) => [...truth.calls.above(at)]);
  if (above.some((at) => truth.marked.has(at))) return true;
  if (above.some((at) => truth.counted.has(at))) return false;
  return ran(document, { name, from }, truth) ? false : undefined;
}

/** The name of a rule's message, whichever variants it is said of. */
function messageOf({ rule, wording }: Finding): string {
  const inner = wording?.parts?.message;
  return (typeof inner === 'object' && 'id' in inner ? inner.id : wording?.id) ?? rule;
}

/** Whether the GPU executed the line, or, where the compiler left nothing of it, anything of the function around it: what did not run says nothing. */
function ran(
  document: AnalyzerDocument,
  { name, from }: { readonly name: string; readonly from: number },
  { known, executed }: Pick<Truth, 'known' | 'executed'>,
): boolean {
  if (known.has(`${name}:${from}`)) return executed.has(`${name}:${from}`);
  const kernel = document.outline().kernels.find((k) => k.range.start.line < from && from <= k.range.end.line + 1);
  if (!kernel) return false;
  for (let l = kernel.range.start.line + 1; l <= kernel.range.end.line + 1; l++) if (executed.has(`${name}:${l}`)) return true;
  return false;
}
