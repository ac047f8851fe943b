/** `lanewise sanitize`: runs programs with the sanitizer, for scripts and code hosts. */
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Report } from '../protocol/report.ts';
import { startSimulation } from '../simulator/simulate.ts';
import { releaseClang } from '../simulator/toolchain/clang-pool.ts';
import { shown, sourcesUnder, version } from './check.ts';
import { type Command, UsageError } from './command.ts';
import { optionsOf, sourceLines } from './run.ts';
import { findingsReport, withFixes } from './sanitizer-findings.ts';
import { sanitizerSarif } from './sanitizer-sarif.ts';
import { paletteFor } from './terminal.ts';

const FORMATS = ['text', 'json', 'sarif'] as const;

/** A program that was run, or why it was not. */
export interface SanitizedProgram {
  /** As given, with forward slashes. */
  readonly path: string;
  readonly report?: Pick<Report, 'findings' | 'faults'>;
  readonly notRun?: string;
}

export const sanitize: Command = {
  name: 'sanitize',
  summary: 'run programs and report races, wrong barriers and masks, and uninitialised reads',
  help: `usage: lanewise sanitize PATH... [options] [-- PROGRAM ARGUMENTS]

Runs each of the given files, and in the given folders each CUDA file with a main function, as \`lanewise run --sanitize\`
does. What the programs print is not shown.
Exit code: 0 without findings and faults, 1 with some or if a program could not be run, 2 for invalid usage.

  --format FORMAT     output format: ${FORMATS.join(', ')} (default: text)
  --equal-values      stores of one value by several threads are races, too
  --device NAME, -I, --include DIR, -D, --define NAME, --engine NAME, --step-limit N   as for lanewise run
`,
  run: async (args) => {
    const end = args.indexOf('--');
    const { values, positionals } = parsed(end < 0 ? args : args.slice(0, end));
    if (positionals.length === 0) throw new UsageError('no files or folders given');
    const format = FORMATS.find((each) => each === (values.format ?? 'text'));
    if (!format) throw new UsageError(`unknown format "${values.format}"; choose ${FORMATS.join(', ')}`);
    const files = [...new Set(positionals.flatMap(programsUnder).map(shown))].sort();
    if (files.length === 0) throw new UsageError(`no CUDA files with a main function in ${positionals.join(', ')}`);
    const passed = [...runOptions(values), ...(end < 0 ? [] : args.slice(end))];
    const programs: SanitizedProgram[] = [];
    for (const path of files) programs.push(await runOne(path, [path, ...passed]));
    releaseClang();
    process.stdout.write(formatted(programs, format));
    return programs.every(isClean) ? 0 : 1;
  },
};

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: 'string' },
        'equal-values': { type: 'boolean' },
        device: { type: 'string' },
        engine: { type: 'string' },
        include: { type: 'string', short: 'I', multiple: true },
        define: { type: 'string', short: 'D', multiple: true },
        'step-limit': { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('\n')[0] : String(error));
  }
}

/** What `lanewise run` is given. */
function runOptions(values: ReturnType<typeof parsed>['values']): string[] {
  const single = (['device', 'engine', 'step-limit'] as const).flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, values[name]],
  );
  const several = (['include', 'define'] as const).flatMap((name) => (values[name] ?? []).flatMap((value) => [`--${name}`, value]));
  return [values['equal-values'] ? '--sanitize=equal-values' : '--sanitize', ...single, ...several];
}

function programsUnder(path: string): string[] {
  const sources = sourcesUnder(path);
  if (!statSync(path).isDirectory()) return sources;
  return sources.filter((file) => /\.(cu|cpp|cc|cxx)$/.test(file) && /\bmain\s*\(/.test(readFileSync(file, 'utf8')));
}

async function runOne(path: string, args: readonly string[]): Promise<SanitizedProgram> {
  const result = await startSimulation(optionsOf(args).request, {}).result;
  switch (result.kind) {
    case 'finished':
      return { path, report: { findings: withFixes(result.report.findings ?? [], sourceLines), faults: result.report.faults } };
    case 'compile-error':
      return { path, notRun: result.diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'it does not compile' };
    case 'refused':
      return { path, notRun: result.message };
    case 'cancelled':
      return { path, notRun: 'it was cancelled' };
  }
}

function isClean({ report }: SanitizedProgram): boolean {
  return report !== undefined && report.faults.length === 0 && (report.findings?.length ?? 0) === 0;
}

function formatted(programs: readonly SanitizedProgram[], format: (typeof FORMATS)[number]): string {
  if (format === 'json') return `${JSON.stringify(programs, null, 2)}\n`;
  if (format === 'sarif') return `${JSON.stringify(sanitizerSarif(programs, version()), null, 2)}\n`;
  const palette = paletteFor(process.stdout);
  const pieces = programs.map(({ path, report, notRun }) => {
    if (!report) return `${palette.bold(path)}: not run: ${notRun}\n`;
    const faults = report.faults.map(
      ({ kind, message, line }) => `${palette.red(`${kind}:`)} ${message}${line ? ` (line ${line})` : ''}\n`,
    );
    const findings = findingsReport(report, { palette, sources: new Map() }, true);
    return `${palette.bold(path)}\n${faults.join('')}${findings.trimStart()}\n`;
  });
  const bad = programs.filter((each) => !isClean(each)).length;
  return `${pieces.join('')}${programs.length} program${programs.length === 1 ? '' : 's'}, ${bad} with findings or faults or not run\n`;
}
