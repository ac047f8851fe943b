/** `lanewise check`: findings of files and folders, for terminals, scripts and code hosts. */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { AnalyzerSettings } from '../analyzers/analyzer.ts';
import { relatedPlaces } from '../analyzers/related-places.ts';
import { RULES } from '../analyzers/rules/registry.ts';
import type { Finding } from '../protocol/finding.ts';
import type { CheckAnswer, CheckJob } from './check-file.ts';
import type { CheckWorkerData } from './check-worker.ts';
import { type Command, UsageError } from './command.ts';
import { rulePage } from './explain.ts';
import { fixFile } from './fixes.ts';
import { projectSettings } from './project-settings.ts';
import { type FileFindings, toSarif } from './sarif.ts';
import { newSince } from './since.ts';
import { isCudaSource } from './source-files.ts';
import { printable } from './terminal.ts';

const FORMATS = ['text', 'json', 'sarif'] as const;
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', 'build', 'dist']);
/** A thread starts in a tenth of a second, so few files are not worth several. */
const FILES_PER_THREAD = 8;

export const check: Command = {
  name: 'check',
  summary: 'report performance and correctness problems without running the program',
  help: `usage: lanewise check PATH... [options]

Checks the given files, and in the given folders (except in ${[...SKIPPED_FOLDERS].join(', ')}) the .cu and .cuh files,
and those C++ files and headers that contain CUDA.
Headers beside them and in include paths are read. Settings come from the nearest lanewise.json, in a file's folder or above,
further include paths and macros from compile_commands.json there (or in build/), or else from the Makefile beside a file.
Exit code: 0 without errors, 1 with errors or more warnings than allowed, 2 for invalid usage.

  --format FORMAT     output format: ${FORMATS.join(', ')} (default: text)
  -I, --include DIR   add an include path, searched before includePaths of lanewise.json; may be repeated
  -D, --define NAME   define a macro for the compiler, as NAME or NAME=VALUE; may be repeated
  --compile           compile the device code, too, and say of accesses and branches what it shows instead of what the text does;
                      programs (files with a main function) that are named, not found in a folder, always are
  --no-compile        judge all files by their text alone
  --hints             print hints, too: what is true and costs little (json and sarif have them, and so has --rule)
  --rule RULE         check only this rule, even if lanewise.json turns it off; may be repeated
  --fix               apply the safe fixes to the files, and say which; what is left is reported
  --since REV         report only findings on lines that changed since a git revision, or that a baseline lacks:
                      a .json file that --format json wrote
  --max-warnings N    exit with 1 if there are more than N warnings (default: no limit)
`,
  run: (args) => checkPaths(optionsOf(args)),
};

interface CheckOptions {
  readonly paths: readonly string[];
  readonly format: (typeof FORMATS)[number];
  readonly rules: readonly string[];
  /** Absolute paths. */
  readonly includePaths: readonly string[];
  readonly defines: readonly string[];
  readonly compile: CheckJob['compile'] | undefined;
  readonly fix: boolean;
  readonly hints: boolean;
  readonly since: string | undefined;
  readonly maxWarnings: number;
}

function optionsOf(args: readonly string[]): CheckOptions {
  const { values, positionals } = parsed(args);
  if (positionals.length === 0) throw new UsageError('no files or folders given');
  const format = FORMATS.find((f) => f === (values.format ?? 'text'));
  if (!format) throw new UsageError(`unknown format "${values.format}"; choose ${FORMATS.join(', ')}`);
  for (const rule of values.rule ?? [])
    if (!RULES.some((r) => r.id === rule)) throw new UsageError(`unknown rule "${rule}"; lanewise explain lists all rules`);
  if (values.compile && values['no-compile']) throw new UsageError('--compile and --no-compile exclude each other');
  const limit = values['max-warnings'];
  if (limit !== undefined && !/^\d+$/.test(limit)) throw new UsageError(`--max-warnings takes a number, 0 or more, not "${limit}"`);
  return {
    paths: positionals,
    format,
    rules: values.rule ?? [],
    includePaths: (values.include ?? []).map((folder) => resolve(folder)),
    defines: values.define ?? [],
    compile: values.compile ? 'always' : values['no-compile'] ? 'never' : undefined,
    fix: values.fix ?? false,
    hints: values.hints ?? (values.rule ?? []).length > 0,
    since: values.since,
    maxWarnings: limit === undefined ? Number.POSITIVE_INFINITY : Number(limit),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: 'string' },
        include: { type: 'string', short: 'I', multiple: true },
        define: { type: 'string', short: 'D', multiple: true },
        compile: { type: 'boolean' },
        'no-compile': { type: 'boolean' },
        fix: { type: 'boolean' },
        hints: { type: 'boolean' },
        since: { type: 'string' },
        rule: { type: 'string', multiple: true },
        'max-warnings': { type: 'string' },
      },
    });
  } catch (error) {
    // Node adds several lines of hints.
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
}

async function checkPaths(options: CheckOptions): Promise<number> {
  const files = [...new Set(options.paths.flatMap(sourcesUnder).map(shown))].sort();
  const named = new Set(options.paths.map(shown));
  if (files.length === 0) throw new UsageError(`no CUDA files in ${options.paths.join(', ')}`);
  const projects = new Map<string, ReturnType<typeof projectSettings>>();
  const jobs = files.map((path, index): CheckJob => {
    const folder = dirname(resolve(path));
    const project = projects.get(folder) ?? projectSettings(folder);
    projects.set(folder, project);
    const includePaths = [...options.includePaths, ...project.includePaths];
    const includable = [...options.includePaths, ...project.includable];
    const { defines, fix } = options;
    const compile = options.compile ?? (named.has(path) ? 'programs' : 'never');
    return { index, path, settings: withRules(project.settings, options.rules), includePaths, includable, defines, compile, fix };
  });
  const results = await resultsOf(jobs, options);
  print(results, options);
  const all = results.flatMap(({ findings }) => findings);
  const count = (severity: Finding['severity']) => all.filter((f) => f.severity === severity).length;
  const missed = results.some(({ notAnalysed }) => notAnalysed !== undefined);
  return missed || count('error') > 0 || count('warning') > options.maxWarnings ? 1 : 0;
}

/** Where one fix stands in the way of another, the next round applies it. */
const MOST_ROUNDS = 5;

async function resultsOf(jobs: readonly CheckJob[], options: CheckOptions): Promise<readonly FileFindings[]> {
  const filter = options.since === undefined ? undefined : newSince(options.since);
  const results: FileFindings[] = [];
  let left = jobs;
  for (let round = 1; left.length > 0; round++) {
    const answers = await analyse(left, headerRoots(options.paths));
    const changed = new Set<CheckJob>();
    for (const job of left) {
      const { text, ...answer } = { text: undefined, ...answers[job.index] };
      const found: FileFindings = { path: job.path, findings: [], ...answer };
      const findings = filter ? filter(job.path, found.findings) : found.findings;
      results[job.index] = { ...found, findings };
      if (text !== undefined && round <= MOST_ROUNDS && fix(job.path, text, findings, options.format)) changed.add(job);
    }
    left = left.filter((job) => changed.has(job)).map((job) => ({ ...job }));
  }
  return results;
}

/** Whether the file has changed. */
function fix(path: string, text: string, findings: readonly Finding[], format: CheckOptions['format']): boolean {
  const { applied, refused } = fixFile(path, text, findings);
  const said = applied.map(({ finding, title }) => `${placeIn(path, finding.range)}: fixed[${finding.rule}] ${title}`);
  if (refused !== undefined) said.push(`${path}: not fixed: ${refused}`);
  const stream = format === 'text' ? process.stdout : process.stderr;
  for (const line of said) stream.write(`${printable(line)}\n`);
  return applied.length > 0;
}

/** Headers are read from the current folder, the folders that are checked and those of files that are checked. */
function headerRoots(paths: readonly string[]): string[] {
  return [process.cwd(), ...paths.map((path) => resolve(statsOf(path)?.isDirectory() ? path : dirname(path)))];
}

function withRules(settings: AnalyzerSettings, rules: readonly string[]): AnalyzerSettings {
  if (rules.length === 0) return settings;
  const chosen = Object.entries(settings.rules ?? {}).filter(([rule, severity]) => rules.includes(rule) && severity !== 'off');
  const off = RULES.filter((r) => !rules.includes(r.id)).map((r) => [r.id, 'off' as const]);
  return { ...settings, rules: Object.fromEntries([...chosen, ...off]) };
}

export function sourcesUnder(path: string): string[] {
  const stats = statsOf(path);
  if (!stats) throw new UsageError(`no such file or folder: ${path}`);
  if (!stats.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : sourcesUnder(inside);
    // Links to files are followed, links to folders are not: they may lead in circles.
    return statsOf(inside)?.isFile() && isCudaSource(inside) ? [inside] : [];
  });
}

/** Nothing for what is not there, links that lead nowhere or in circles included. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Answers per job, in the jobs' order whatever thread finishes first. */
async function analyse(jobs: readonly CheckJob[], roots: readonly string[]): Promise<CheckAnswer[]> {
  const workerData: CheckWorkerData = { dist: fileURLToPath(new URL('.', import.meta.url)), headerRoots: roots };
  const answers: CheckAnswer[] = [];
  const threads = Math.min(availableParallelism(), Math.ceil(jobs.length / FILES_PER_THREAD));
  let next = 0;
  await Promise.all(
    Array.from({ length: threads }, async () => {
      let worker: Worker | undefined;
      while (next < jobs.length) {
        const job = jobs[next++];
        worker ??= new Worker(new URL('./check-worker.mjs', import.meta.url), { workerData, resourceLimits });
        const answer = await inWorker(worker, job);
        answers[job.index] = answer ?? { notAnalysed: `its analysis took more than ${MOST_SECONDS} seconds, or more memory than there is` };
        if (answer) continue;
        await worker.terminate();
        worker = undefined;
      }
      await worker?.terminate();
    }),
  );
  return answers;
}

/** Files of 10,000 lines take a tenth of a second. */
const MOST_SECONDS = 60;
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

/** undefined where the thread failed, or gave no answer in time. */
function inWorker(worker: Worker, job: CheckJob): Promise<CheckAnswer | undefined> {
  return new Promise((resolveJob) => {
    const end = (answer: CheckAnswer | undefined) => {
      clearTimeout(watchdog);
      worker.off('error', fail);
      worker.off('message', end);
      resolveJob(answer);
    };
    const fail = () => end(undefined);
    const watchdog = setTimeout(fail, MOST_SECONDS * 1000);
    worker.once('error', fail);
    worker.once('message', end);
    worker.postMessage(job);
  });
}

/** Short where the file lies below the working folder, with forward slashes. */
export function shown(path: string): string {
  const short = relative(process.cwd(), resolve(path));
  return (short.startsWith('..') ? path : short).split(sep).join('/');
}

function print(files: readonly FileFindings[], { format, hints }: CheckOptions): void {
  if (format === 'json') process.stdout.write(`${JSON.stringify(files, withoutWordings, 2)}\n`);
  else if (format === 'sarif') process.stdout.write(`${JSON.stringify(toSarif(files, { version: version(), page: rulePage }), null, 2)}\n`);
  else process.stdout.write(asText(files, hints));
}

/** What texts are made of is for those who translate. */
function withoutWordings(key: string, value: unknown): unknown {
  return key === 'wording' ? undefined : value;
}

function placeIn(path: string, { start }: Finding['range']): string {
  return `${path}:${start.line + 1}:${start.column + 1}`;
}

function asText(files: readonly FileFindings[], hints: boolean): string {
  const lines = files.flatMap(({ path, findings, notAnalysed, notCompiled, notPredicted, unclear }) => [
    ...(notAnalysed === undefined ? [] : [`${path}: not analysed: ${notAnalysed}`]),
    ...(notCompiled === undefined ? [] : [`${path}: not compiled, so findings are from the text alone: ${notCompiled}`]),
    ...(notPredicted === undefined ? [] : [`${path}: ${notPredicted}`]),
    ...(unclear === undefined ? [] : [`${path}: not understood: ${unclear}`]),
    ...findings
      .filter(({ severity }) => hints || severity !== 'hint')
      .flatMap((f) => [
        `${placeIn(path, f.range)}: ${f.severity}[${f.rule}] ${f.message}`,
        ...relatedPlaces(f).map(({ range, message }) => `  ${placeIn(path, range)}: ${message}`),
        ...f.fixes.map(({ title, safe }) => `  fix: ${title}${safe ? ' (--fix applies it)' : ''}`),
      ]),
  ]);
  const all = files.flatMap((f) => f.findings);
  const count = (severity: Finding['severity']) => all.filter((f) => f.severity === severity).length;
  const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
  const rest = count('information') + count('hint');
  const untold = hints || count('hint') === 0 ? '' : ` (--hints shows ${count('hint')} more)`;
  const summary = `${plural(files.length, 'file')}: ${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}, ${plural(rest - (hints ? 0 : count('hint')), 'hint')}${untold}`;
  const missed = files.filter(({ notAnalysed }) => notAnalysed !== undefined).length;
  return [...lines.map(printable), missed === 0 ? summary : `${summary}, ${missed} not analysed`, ''].join('\n');
}

export function version(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
