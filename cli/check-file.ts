/** What `lanewise check` says of one file. */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Analyzer, AnalyzerDocument, AnalyzerSettings, HeaderFindings } from '../analyzers/analyzer.ts';
import type { HeaderFiles } from '../analyzers/syntax/headers.ts';
import type { CompileCommands } from '../project/compile-commands.ts';
import { withoutDoneElsewhere } from '../project/elsewhere.ts';
import { headerFindings, linkedFindings } from '../project/header-findings.ts';
import type { HeaderTexts } from '../project/header-texts.ts';
import { hasMain, includersOf, launcherOf, mayBeIncluded } from '../project/includers.ts';
import { isInside } from '../project/regular-files.ts';
import type { Finding } from '../protocol/finding.ts';
import type { ProgramDiagnostic } from '../protocol/report.ts';
import type { PredictionRequest, PredictionResult } from '../simulator/prediction-request.ts';

export interface CheckJob {
  readonly index: number;
  readonly path: string;
  readonly settings: AnalyzerSettings;
  /** Absolute paths of folders for `#include`. */
  readonly includePaths: readonly string[];
  /** Those of them that may be read. */
  readonly includable: readonly string[];
  /** NAME or NAME=VALUE, for the compiler. */
  readonly defines: readonly string[];
  /** Whether to ask the compiler, too: `programs` for a file with a main function. */
  readonly compile: 'always' | 'programs' | 'never';
  /** Send the text along with findings that have safe fixes. */
  readonly fix: boolean;
}

export interface CheckContext {
  readonly analyzer: Analyzer;
  readonly headers: HeaderTexts;
  /** What build files say of sources, behind what a job says. */
  readonly commands: CompileCommands;
  /** Absolute paths of folders from which headers are read, besides those of a job. */
  readonly headerRoots: readonly string[];
}

/** `notAnalysed`: why there are no findings, as the end of a sentence. */
export type CheckAnswer =
  /** `notCompiled`: why the findings are the text's alone, as the end of a sentence. */
  /** `notPredicted`: of which kernels the numbers are the text's alone, and why. */
  /** `unclear`: what of the text is hardly understood, as the end of a sentence. */
  /** `text`: what was analysed. */
  | {
      readonly findings: readonly Finding[];
      readonly notCompiled?: string;
      readonly notPredicted?: string;
      readonly unclear?: string;
      readonly text?: string;
    }
  | { readonly notAnalysed: string };

/** A source of this size is a table of data, or no source. */
const MOST_SOURCE_BYTES = 4 << 20;

export async function checkFile(asked: CheckJob, context: CheckContext): Promise<CheckAnswer> {
  try {
    const job = asBuilt(asked, resolve(asked.path), context);
    const { path, settings, includePaths, includable } = job;
    const text = sourceText(path);
    if (typeof text !== 'string') return text;
    const readable = context.headers.within([...context.headerRoots, ...includable], includePaths);
    const programs = mayBeIncluded(path, text) ? await saidByPrograms(job, readable, context) : [];
    // What programs include is compiled with them: alone it may lack what they define before it.
    const linked = programs.length === 0 && mayBeIncluded(path, text) ? saidByLauncher(job, text, readable, context) : [];
    const isCompiled = programs.length === 0 && isToBeCompiled(job, text);
    const document = context.analyzer.open(text, settings, { path: resolve(path), headers: readable });
    const alone = isCompiled ? await compiledFindings(document, job, context) : textFindings(document);
    document.dispose();
    const found =
      'findings' in alone
        ? { ...alone, findings: withoutDoneElsewhere(headerFindings(alone.findings, [...programs, ...linked]), resolve(path)) }
        : alone;
    const isFixable = job.fix && 'findings' in found && found.findings.some(({ fixes }) => fixes.some(({ safe }) => safe));
    return isFixable ? { ...found, text } : found;
  } catch (error) {
    return { notAnalysed: reasonOf(error) };
  }
}

/** With the include paths and macros that build files give a source, an absolute path. */
function asBuilt(job: CheckJob, source: string, { commands, headerRoots }: CheckContext): CheckJob {
  // The folder that is checked, or the one where somebody is: what lies outside of it is nobody's project.
  const roots = [dirname(source), ...headerRoots.filter((root) => isInside(root, source))];
  const root = roots.reduce((widest, each) => (isInside(each, widest) ? each : widest));
  const found = commands.of(source, root);
  if (!found) return job;
  return {
    ...job,
    includePaths: [...job.includePaths, ...found.includePaths],
    includable: [...job.includable, ...found.includable],
    defines: [...job.defines, ...found.defines],
  };
}

function isToBeCompiled({ compile }: CheckJob, text: string): boolean {
  return compile === 'always' || (compile === 'programs' && hasMain(text));
}

/** Where the compiler is asked, it says by itself what is not C++. */
function textFindings(document: AnalyzerDocument): CheckAnswer {
  const findings = document.findings();
  const at = document.unclosed();
  return at ? { findings, unclear: `a bracket in what begins on line ${at.start.line + 1} is never closed` } : { findings };
}

/** As the programs beside a header use it. */
async function saidByPrograms(asked: CheckJob, headers: HeaderFiles, context: CheckContext): Promise<HeaderFindings[]> {
  const header = resolve(asked.path);
  const found: HeaderFindings[] = [];
  for (const program of includersOf(header)) {
    const job = asBuilt(asked, program, context);
    const text = sourceText(program);
    if (typeof text !== 'string') continue;
    const document = context.analyzer.open(text, job.settings, { path: program, headers });
    const compiled = isToBeCompiled(job, text) ? await compiledFindingsIn(document, { header, program }, job, context) : undefined;
    const said = compiled ?? document.findingsIn(header);
    document.dispose();
    if (said) found.push(said);
  }
  return found;
}

/** As the program launches it that is linked with it. */
function saidByLauncher(job: CheckJob, text: string, headers: HeaderFiles, context: CheckContext): HeaderFindings[] {
  const path = resolve(job.path);
  const program = launcherOf(path, text, headers);
  if (!program) return [];
  const document = context.analyzer.open(program.text, job.settings, { path: program.path, headers });
  try {
    const said = document.findingsIn(path);
    return said ? [linkedFindings(said)] : [];
  } finally {
    document.dispose();
  }
}

/** Undefined where the compiler has nothing to say: the header is judged by its text then. */
async function compiledFindingsIn(
  document: AnalyzerDocument,
  { header, program }: { readonly header: string; readonly program: string },
  job: CheckJob,
  context: CheckContext,
): Promise<HeaderFindings | undefined> {
  const shapes = document.shapesIn(header);
  if (shapes.length === 0 || !program.endsWith('.cu')) return undefined;
  const result = await predict({ file: program, header, shapes }, job, context);
  return result.kind === 'predicted' ? document.compiledFindingsIn(header, result.kernels) : undefined;
}

/** Clang gets less time than the analysis of a file. */
const COMPILE_SECONDS = 30;

async function compiledFindings(document: AnalyzerDocument, job: CheckJob, context: CheckContext): Promise<CheckAnswer> {
  const findings = document.findings();
  const shapes = document.shapes();
  // Headers are compiled with the programs that include them.
  if (shapes.length === 0 || !job.path.endsWith('.cu')) return { findings };
  const result = await predict({ file: resolve(job.path), shapes }, job, context);
  if (result.kind === 'predicted') {
    const { kernels, tooLong } = result;
    return { findings: document.compiledFindings(kernels), ...(tooLong.length > 0 && { notPredicted: textAlone(tooLong) }) };
  }
  if (result.kind === 'refused') return { findings, notCompiled: result.message };
  const error = result.diagnostics.find(({ severity }) => severity === 'error');
  return { findings, notCompiled: error ? `${placeOf(error, job.path)}: ${error.message}` : 'Clang failed' };
}

function textAlone(kernels: readonly string[]): string {
  const names = kernels.map((name) => `\`${name}\``).join(', ');
  return `numbers in ${names} are from the text alone: a way through ${kernels.length === 1 ? 'it' : 'them'} is too long to follow`;
}

function placeOf({ file, line }: ProgramDiagnostic, path: string): string {
  return resolve(file) === resolve(path) ? `line ${line}` : `${basename(file)}, line ${line}`;
}

async function predict(
  asked: Pick<PredictionRequest, 'file' | 'header' | 'shapes'>,
  { includePaths, includable, defines }: CheckJob,
  { headerRoots }: CheckContext,
): Promise<PredictionResult> {
  // Loaded by those alone who ask for it.
  const { predictFile } = await import('../simulator/predict-file.ts');
  return predictFile({
    ...asked,
    includeDirs: includePaths,
    readable: [...headerRoots, ...includable],
    defines,
    limits: { compileSeconds: COMPILE_SECONDS },
  });
}

function sourceText(path: string): string | CheckAnswer {
  const stats = statSync(path);
  // Reading a pipe waits for its other end, and a device may never end.
  if (!stats.isFile()) return { notAnalysed: 'it is not a regular file' };
  if (stats.size > MOST_SOURCE_BYTES)
    return { notAnalysed: `it has ${Math.round(stats.size / 2 ** 20)} MiB; the limit is ${MOST_SOURCE_BYTES >> 20} MiB` };
  const bytes = readFileSync(path);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { notAnalysed: 'it is encoded in UTF-16; save it as UTF-8' };
  if (bytes.includes(0)) return { notAnalysed: 'it has NUL bytes, so it is not a source text' };
  return bytes.toString('utf8');
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError && /call stack/i.test(error.message)) return 'its code is nested too deeply';
  const { code } = error as NodeJS.ErrnoException;
  if (code) return `it cannot be read (${(error as Error).message})`;
  return `Lanewise failed, which is a bug (${error instanceof Error ? (error.stack ?? error.message) : String(error)})`;
}
