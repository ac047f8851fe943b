/** `lanewise run`: compiles a program and runs it in the simulator. */
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { storage } from '#platform';
import { deviceIds, deviceList } from '../devices/devices.ts';
import type { MeasuredRun } from '../measured/launches.ts';
import { MOST_MEASURED_BYTES, readMeasured } from '../measured/read-measured.ts';
import type { Report } from '../protocol/report.ts';
import { definesOfCudaVersion } from '../simulator/options/cuda-version.ts';
import {
  DEFAULT_ENGINE,
  DEFAULT_STEP_LIMIT,
  ENGINE_NAMES,
  isEngineName,
  isSanitized,
  type Sanitize,
  type SanitizeChoices,
} from '../simulator/options/defaults.ts';
import { floatRulesOf } from '../simulator/options/float-flags.ts';

import { isLimitName, LIMIT_NAMES, type LimitName, RUN_LIMITS } from '../simulator/options/limits.ts';
import { SCHEDULES, type ScheduleChoice, scheduleNamed, severalSchedules } from '../simulator/options/schedules.ts';
import type { Standard } from '../simulator/options/standards.ts';
import { runOthers, scheduledRun } from '../simulator/schedules.ts';
import { type SimulationRequest, type SimulationResult, startSimulation } from '../simulator/simulate.ts';
import { releaseClang } from '../simulator/toolchain/clang-pool.ts';
import type { GivenName } from '../simulator/toolchain/virtual-paths.ts';
import { type Command, UsageError } from './command.ts';
import { withoutCompilerFlags } from './compiler-flags.ts';
import { expectationsReport } from './expectations.ts';
import { KERNEL_HELP, KERNEL_OPTIONS, kernelRequest } from './kernel-options.ts';
import { type MeasuredBeside, measuredBeside, measuredTable, sampleShares, withMeasured } from './measured-table.ts';
import { writePictures } from './pictures.ts';
import { compileErrors, faultReport } from './problems.ts';
import { ProgramInput } from './program-input.ts';
import { projectSettings } from './project-settings.ts';
import { findingsReport, withFixes } from './sanitizer-findings.ts';
import { schedulesReport } from './schedules.ts';
import { costliestLines, interpretedKernels, kernelTable, lineText, runNotes, timesNote } from './summary.ts';
import { ProgressLine, paletteFor } from './terminal.ts';
import { lineTimeTable, timeTable } from './time-summary.ts';

const EXIT_FAILED = 1;
/** What shells report for a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

export const run: Command = {
  name: 'run',
  summary: 'compile a CUDA program and run it in the simulator',
  help: `usage: lanewise run FILES [options] [-- PROGRAM ARGUMENTS]

FILES are .cu files, and .cpp and .c files with host code. Each is compiled by itself; where device code of one uses what
another defines, the device code of all is linked, as with nvcc -rdc=true.

The program reads stdin, its output goes to stdout as it is written, and its exit code becomes the exit code of the
command. A table of what its kernels did follows on stderr. The exit code is 1 after a fault on the device or the host, and
where a comment such as // lanewise: expect(scale) sectors per load <= 4 is not kept.

  --json FILE         write a report to FILE: output, counters per launch and per line, faults
  --timeline FILE     write what ran when to FILE, by the estimated times: calls, streams, copies, kernels. Chrome's trace
                      format, for ui.perfetto.dev, chrome://tracing and viewers of VS Code; a picture if FILE ends in .svg
  --roofline FILE     write a picture of how much each kernel computes for every byte of DRAM, and how fast, by the
                      estimated times, beside what the device could do: SVG
  --measured FILE     set what a GPU measured beside what is simulated and estimated, in the tables and in --json: FILE is a
                      report of Nsight Compute's (.ncu-rep, .ncu-repz) or its CSV, of the same program
  --line-times        say in which source lines kernels take longest, by the estimated times; reports always have it
  --device NAME       the GPU to simulate: ${deviceIds().join(', ')} (default: from lanewise.json, else h200)
  --devices LIST      several GPUs, as h200,h200,a100, or a number of them: 4. cudaSetDevice chooses by their places
  --ranks N           run N ranks of an MPI program, each with devices of its own, one after the other where they wait for
                      messages
  --engine NAME       how to execute kernels: ${ENGINE_NAMES.join(' or ')} (default: ${DEFAULT_ENGINE})
  -I, --include DIR   add an include path, searched before includePaths of lanewise.json; may be repeated
  -D, --define NAME   define a macro, as NAME or NAME=VALUE; may be repeated
  --fmad, --ftz, --prec-div, --prec-sqrt=true|false, --use_fast_math
                      floating-point arithmetic of device code as nvcc does it with these options, which may be spelt with
                      one - as well. Quotients and roots stay exact where they need not be
  -std=NAME           c++17 (default) or later; older ones are compiled as c++17
  -p, --compile-commands FILE
                      take include paths, macros and the standard of FILES from a compile_commands.json, or from the folder
                      that has one
  --default-stream per-thread
                      as with nvcc. Other flags of nvcc may be there and change nothing (-rdc=true, -O3, -arch=sm_90, -lcublas)
  @FILE, --options-file FILE
                      options that a file has
  --lines WHERE       where to count code from CUDA's headers: caller, on the line that calls it (default), or nvcc,
                      on the line of the header, as Nsight Compute does
  --allow-read DIR    let the program read DIR, besides the current folder and the folders of its files
  --allow-write DIR   let the program write DIR, besides the current folder (never .git and the like)
  --allow-all         let the program access every file that you can access
  --env NAME[=VALUE]  set an environment variable of the program; without VALUE, to its value here
  --step-limit N      stop a launch after N warp instructions (default: ${DEFAULT_STEP_LIMIT.toLocaleString('en-US')})
  --limit NAME=N      another limit of the run; may be repeated. At most
${limitsHelp()}
  --sanitize          look for races, divergent barriers, wrong masks and uninitialised reads; the exit code is then 1 if any
                      is found. With --sanitize=equal-values, stores of one value by several threads are races, too.
                      Unless it is given, races and uninitialised reads are looked for as far as that costs little
  --no-sanitize       do not look for them at all
  --schedule NAME     the order in which threads take turns: ${SCHEDULES.join(', ')}. random takes a seed, as random:7.
                      Other orders than as-launched are executed by the interpreter
  --schedules N       run the program in N such orders, and say which outputs and results differ between them. The first,
                      as launched, is what the tables are about; --sanitize, which is then on, looks at all of them
${KERNEL_HELP}  --every-launch      execute every launch, even if it repeats an earlier one and would change nothing
  --no-cache          compile again, and do not cache the compiled program (${storage.defaultFolder()})
  -q, --quiet         print no tables
`,
  run: (args) => simulate(optionsOf(args)),
};

export interface RunOptions {
  readonly request: SimulationRequest;
  /** File for the report. */
  readonly json?: string;
  /** File for the timeline. */
  readonly timeline?: string;
  /** File for the roofline. */
  readonly roofline?: string;
  /** By a GPU, of the same program. */
  readonly measured?: MeasuredRun;
  /** Say in which lines kernels take longest. */
  readonly lineTimes: boolean;
  readonly quiet: boolean;
  /** In so many orders of its threads. */
  readonly schedules?: number;
}

export function optionsOf(args: readonly string[]): RunOptions {
  const end = args.indexOf('--');
  const { values, positionals } = parsed(withoutCompilerFlags(end < 0 ? args : args.slice(0, end)).map(withValue));
  requireSources(positionals);
  const engine = values.engine ?? DEFAULT_ENGINE;
  if (!isEngineName(engine)) throw new UsageError(`unknown engine "${engine}"; choose ${ENGINE_NAMES.join(', ')}`);
  const stepLimit = Number(values['step-limit'] ?? DEFAULT_STEP_LIMIT);
  if (!(Number.isInteger(stepLimit) && stepLimit > 0)) throw new UsageError(STEP_LIMIT_USAGE);
  const lineTable = values.lines ?? 'caller';
  if (lineTable !== 'caller' && lineTable !== 'nvcc') throw new UsageError(`--lines takes caller or nvcc, not "${lineTable}"`);
  if (values.json !== undefined) requireWritable(values.json, 'report');
  if (values.timeline !== undefined) requireWritable(values.timeline, 'timeline');
  if (values.roofline !== undefined) requireWritable(values.roofline, 'roofline');
  const [file, ...others] = positionals.map((each) => resolve(each));
  const project = projectSettings(dirname(file));
  const devices = devicesOf(values, { device: project.settings.device, devices: project.devices });
  const named = (values.include ?? []).map((folder) => resolve(folder));
  return {
    json: values.json,
    timeline: values.timeline,
    roofline: values.roofline,
    measured: values.measured === undefined ? undefined : measuredIn(values.measured),
    lineTimes: values['line-times'] ?? false,
    quiet: values.quiet ?? false,
    schedules: schedulesOf(values),
    request: {
      file,
      others,
      names: [...positionals.map((each) => dirname(each)), ...(values.include ?? [])].map(givenName),
      kernel: kernelRequest(values),
      args: end < 0 ? [] : args.slice(end + 1),
      includeDirs: [...named, ...project.includePaths],
      includable: [...named, ...project.includable],
      defines: [...definesOfCudaVersion(project.settings.cudaVersion), ...(values.define ?? [])],
      standard: values.standard as Standard | undefined,
      device: devices[0],
      devices,
      ranks: ranksOf(values.ranks),
      floats: floatRules(values),
      engine,
      stepLimit,
      limits: Object.fromEntries((values.limit ?? []).map(limitOf)),
      everyLaunch: values['every-launch'] ?? false,
      sanitize: sanitizeOf(values),
      schedule: scheduleOf(values.schedule),
      lineTable,
      timeline: values.timeline !== undefined,
      workingDirectory: process.cwd(),
      allow: {
        read: (values['allow-read'] ?? []).map(existing),
        write: (values['allow-write'] ?? []).map(existing),
        all: values['allow-all'] ?? false,
      },
      env: Object.fromEntries((values.env ?? []).flatMap(environmentVariable)),
      cacheFolder: values['no-cache'] ? undefined : storage.defaultFolder(),
    },
  };
}

/** CUDA programs meet no more in one machine. */
const MOST_DEVICES = 16;

/** In the order of their numbers. */
function devicesOf(
  { device, devices }: { readonly device?: string; readonly devices?: string },
  project: { readonly device?: string; readonly devices?: readonly string[] | number },
): readonly string[] {
  if (device !== undefined && devices !== undefined && !/^\d+$/.test(devices)) {
    throw new UsageError('--device and a list of --devices do not go together; --device NAME --devices 4 is four of one kind');
  }
  const asked = devices ?? (device === undefined ? project.devices : undefined) ?? 1;
  const one = device ?? project.device ?? deviceIds()[0];
  const given = typeof asked !== 'string' ? asked : /^\d+$/.test(asked) ? Math.min(Number(asked), MOST_DEVICES + 1) : asked.split(',');
  const list = deviceList(given, one);
  const unknown = list.find((id) => !deviceIds().includes(id));
  if (unknown !== undefined) throw new UsageError(`unknown device "${unknown}"; choose ${deviceIds().join(', ')}`);
  if (list.length === 0 || list.length > MOST_DEVICES) throw new UsageError(`--devices takes 1 to ${MOST_DEVICES} devices`);
  return list;
}

const MOST_RANKS = 64;

function ranksOf(text: string | undefined): number {
  const ranks = Number(text ?? 1);
  if (!(Number.isInteger(ranks) && ranks >= 1 && ranks <= MOST_RANKS))
    throw new UsageError(`--ranks takes a whole number from 1 to ${MOST_RANKS}`);
  return ranks;
}

/** parseArgs knows no option that may go without its value, and no long one with a single minus as nvcc has them. */
function withValue(arg: string): string {
  if (/^-(use_fast_math$|(fmad|ftz|prec-div|prec-sqrt)=)/.test(arg)) return `-${arg}`;
  return arg === '--sanitize' ? '--sanitize=default' : arg;
}

function floatRules(values: ReturnType<typeof parsed>['values']): NonNullable<SimulationRequest['floats']> {
  const flags = (['fmad', 'ftz', 'prec-div', 'prec-sqrt'] as const).flatMap((name) => {
    const value = values[name];
    if (value !== undefined && value !== 'true' && value !== 'false') throw new UsageError(`--${name} takes true or false, not "${value}"`);
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  return floatRulesOf([...flags, ...(values.use_fast_math ? ['--use_fast_math'] : [])]);
}

function sanitizeOf({ sanitize, 'no-sanitize': off, schedules }: ReturnType<typeof parsed>['values']): Sanitize {
  if (off && sanitize !== undefined) throw new UsageError('--sanitize and --no-sanitize contradict each other');
  if (off) return 'off';
  return sanitizeChoices(sanitize ?? (schedules === undefined ? undefined : 'default'));
}

function sanitizeChoices(value: string | undefined): SanitizeChoices | undefined {
  if (value === undefined) return undefined;
  const words = value === 'default' ? [] : value.split(',');
  const unknown = words.find((word) => word !== 'equal-values');
  if (unknown !== undefined) throw new UsageError(`--sanitize takes equal-values or nothing, not "${unknown}"`);
  return { equalValues: words.includes('equal-values') };
}

function scheduleOf(text: string | undefined): ScheduleChoice | undefined {
  const choice = text === undefined ? undefined : scheduleNamed(text);
  if (text !== undefined && !choice) throw new UsageError(`unknown schedule "${text}"; choose ${SCHEDULES.join(', ')} (random:SEED)`);
  return choice;
}

function schedulesOf({ schedule, schedules }: { readonly schedule?: string; readonly schedules?: string }): number | undefined {
  if (schedules === undefined) return undefined;
  if (schedule !== undefined) throw new UsageError('--schedule and --schedules do not go together');
  const count = Number(schedules);
  if (!(Number.isInteger(count) && count >= 2 && count <= 1000)) throw new UsageError('--schedules takes a whole number from 2 to 1000');
  return count;
}

const STEP_LIMIT_USAGE = '--step-limit takes a whole number above 0';

function requireSources(files: readonly string[]): void {
  if (files.length === 0) throw new UsageError('no input files: lanewise run FILE.cu');
  const stray = files.findIndex((each, index) => index > 0 && !SOURCE.test(each));
  if (stray < 0) return;
  const command = ['lanewise', 'run', ...files.slice(0, stray), '--', ...files.slice(stray)].join(' ');
  throw new UsageError(`"${files[stray]}" is not a .cu, .cpp or .c file; put arguments of the program after --: ${command}`);
}

const SOURCE = /\.(cu|cpp|cc|cxx|c\+\+|C|c)$/;

/** A file or folder that the program may use. Checked now: a misspelled one would fail in the middle of the run. */
function existing(path: string): string {
  if (!existsSync(path)) throw new UsageError(`no such file or folder: ${path}`);
  return resolve(path);
}

/** NAME=VALUE, or NAME for the value that it has here; none where it has none. */
function environmentVariable(text: string): [string, string][] {
  const at = text.indexOf('=');
  if (at > 0) return [[text.slice(0, at), text.slice(at + 1)]];
  if (at === 0 || text === '') throw new UsageError(`--env takes NAME or NAME=VALUE, not "${text}"`);
  const value = process.env[text];
  return value === undefined ? [] : [[text, value]];
}

/** NAME=N of --limit. */
function limitOf(text: string): [LimitName, number] {
  const [, name, value] = /^(\w+)=(\d+)$/.exec(text) ?? [];
  if (!name || !isLimitName(name) || Number(value) < 1) {
    throw new UsageError(`--limit takes NAME=N with a whole number above 0, not "${text}"; the names are ${LIMIT_NAMES.join(', ')}`);
  }
  return [name, Number(value)];
}

function limitsHelp(): string {
  const width = Math.max(...LIMIT_NAMES.map(({ length }) => length));
  const lines = LIMIT_NAMES.map((name) => `${name.padEnd(width)}  ${RUN_LIMITS[name].what} (default: ${RUN_LIMITS[name].default})`);
  return lines.map((line) => `                      ${line}`).join('\n');
}

/** Read before minutes of simulation, not after. */
function measuredIn(file: string): MeasuredRun {
  try {
    if (statSync(file).size > MOST_MEASURED_BYTES) throw new Error(`${basename(file)} is larger than ${MOST_MEASURED_BYTES >> 20} MiB.`);
    return readMeasured(basename(file), readFileSync(file));
  } catch (error) {
    throw new UsageError(`--measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Before minutes of simulation, not after. */
function requireWritable(file: string, what: string): void {
  try {
    accessSync(existsSync(file) ? file : dirname(resolve(file)), constants.W_OK);
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${file} is a folder`);
  } catch (error) {
    throw new UsageError(`the ${what} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A folder as it was typed: what `__FILE__` says of files in it, as with nvcc. */
function givenName(folder: string): GivenName {
  const withSeparator = (path: string): string => (path.endsWith(sep) ? path : path + sep);
  return { folder: withSeparator(resolve(folder)), given: folder === '.' ? '' : withSeparator(folder) };
}

function parsed(args: readonly string[]) {
  // parseArgs mistakes a value that starts with a minus for the next option.
  if (args.some((arg, index) => arg === '--step-limit' && /^-\d/.test(args[index + 1] ?? ''))) throw new UsageError(STEP_LIMIT_USAGE);
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'string' },
        timeline: { type: 'string' },
        roofline: { type: 'string' },
        measured: { type: 'string' },
        'line-times': { type: 'boolean' },
        device: { type: 'string' },
        devices: { type: 'string' },
        ranks: { type: 'string' },
        fmad: { type: 'string' },
        ftz: { type: 'string' },
        'prec-div': { type: 'string' },
        'prec-sqrt': { type: 'string' },
        use_fast_math: { type: 'boolean' },
        engine: { type: 'string' },
        include: { type: 'string', short: 'I', multiple: true },
        define: { type: 'string', short: 'D', multiple: true },
        standard: { type: 'string' },
        lines: { type: 'string' },
        'allow-read': { type: 'string', multiple: true },
        'allow-write': { type: 'string', multiple: true },
        'allow-all': { type: 'boolean' },
        env: { type: 'string', multiple: true },
        'step-limit': { type: 'string' },
        limit: { type: 'string', multiple: true },
        'every-launch': { type: 'boolean' },
        sanitize: { type: 'string' },
        'no-sanitize': { type: 'boolean' },
        schedule: { type: 'string' },
        schedules: { type: 'string' },
        'no-cache': { type: 'boolean' },
        quiet: { type: 'boolean', short: 'q' },
        ...KERNEL_OPTIONS,
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('\n')[0] : String(error));
  }
}

async function simulate(options: RunOptions): Promise<number> {
  const { request, json, timeline, roofline, schedules } = options;
  const progress = new ProgressLine(process.stderr);
  const input = new ProgramInput(process.stdin);
  const simulation = startSimulation(request, {
    stdin: input.fromStart(),
    stdout: (bytes) => {
      progress.beforeOutput(bytes);
      return written(process.stdout, bytes);
    },
    stderr: (bytes) => {
      progress.beforeOutput(bytes);
      return written(process.stderr, bytes);
    },
    progress: (message) => progress.show(message),
    // This process compiles nothing else, unless the program is run again.
    compiled: schedules === undefined ? releaseClang : undefined,
  });
  const interrupt = () => simulation.cancel();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const result = await simulation.result;
  progress.endOutput();
  if (result.kind === 'finished' && result.report.findings) result.report.findings = withFixes(result.report.findings, sourceLines);
  if (result.kind === 'finished') writePictures(result.report, { timeline, roofline });
  if (schedules !== undefined && result.kind === 'finished') return concludeSeveral({ ...options, schedules }, result, { progress, input });
  const beside = 'report' in result && result.report ? besideRun(options, result.report) : undefined;
  if ('report' in result && result.report && json) writeReport(json, beside ? withMeasured(result.report, beside) : result.report);
  return conclude(options, result, beside);
}

type Finished = Extract<SimulationResult, { kind: 'finished' }>;

/** Runs the other schedules, too, and says what differs. */
async function concludeSeveral(
  { schedules, ...options }: RunOptions & { readonly schedules: number },
  result: Finished,
  { progress, input }: { readonly progress: ProgressLine; readonly input: ProgramInput },
): Promise<number> {
  const { request, json } = options;
  const [first] = severalSchedules(1);
  const known = result.report.findings;
  const others = await runOthers(
    startSimulation,
    { request, count: schedules },
    { starting: (name) => progress.show(`schedule ${name}`), stdin: () => input.fromStart(), known: known ?? [] },
  );
  progress.endOutput();
  releaseClang();
  const runs = [scheduledRun(first, result), ...others.runs];
  const report = { ...result.report, findings: known && [...known, ...withFixes(others.findings, sourceLines)] };
  const beside = besideRun(options, report);
  const scheduled = { ...report, schedules: runs };
  if (json) writeReport(json, beside ? withMeasured(scheduled, beside) : scheduled);
  const code = conclude(options, { ...result, report }, beside);
  process.stderr.write(schedulesReport(runs, report.findings, paletteFor(process.stderr)));
  return code;
}

function besideRun({ measured }: Pick<RunOptions, 'measured'>, report: Report): MeasuredBeside | undefined {
  return measured && measuredBeside(measured, report);
}

/** A reader that is gone takes everything. */
function written(stream: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => stream.write(bytes, () => resolve()));
}

/** Piece by piece: the text of hundreds of thousands of launches is longer than a string may be. */
function writeReport(path: string, { kernels, timeline: _, ...report }: Report): void {
  const file = openSync(path, 'w');
  const rest = JSON.stringify(report, null, 1);
  writeSync(file, `${rest.slice(0, -2)},\n "kernels": [`);
  for (let start = 0; start < kernels.length; start += LAUNCHES_AT_ONCE) {
    const pieces = kernels.slice(start, start + LAUNCHES_AT_ONCE).map((kernel) => JSON.stringify(kernel, null, 1).replaceAll('\n', '\n  '));
    writeSync(file, `${start > 0 ? ',' : ''}\n  ${pieces.join(',\n  ')}`);
  }
  writeSync(file, `${kernels.length > 0 ? '\n ' : ''}]\n}\n`);
  closeSync(file);
}

const LAUNCHES_AT_ONCE = 1000;

/** Says how the run ended; the exit code. */
function conclude({ request, quiet, lineTimes }: RunOptions, result: SimulationResult, measured?: MeasuredBeside): number {
  const { file, others = [] } = request;
  const folders = [process.cwd(), ...[file, ...others].flatMap((each) => [each, dirname(each)]), ...(request.includable ?? [])];
  const palette = paletteFor(process.stderr);
  const say = (text: string) => process.stderr.write(text);
  switch (result.kind) {
    case 'cancelled':
      if (result.report && !quiet) say(kernelTable(result.report, palette));
      say(`${palette.yellow(result.report ? 'cancelled: only launches that had ended are counted' : 'cancelled')}\n`);
      return EXIT_INTERRUPTED;
    case 'refused':
      say(`${palette.red('lanewise:')} ${result.message}${result.file ? ` (${result.file}:${result.line})` : ''}\n`);
      return EXIT_FAILED;
    case 'compile-error':
      say(compileErrors(result.diagnostics, folders, palette));
      return EXIT_FAILED;
    case 'finished': {
      const { report, warnings } = result;
      const sources = new Map([file, ...others, ...result.sources].map((each) => [each, sourceLines(each)] as const));
      if (warnings.length > 0 && !quiet) say(compileErrors(warnings, folders, palette));
      if (!quiet)
        say(
          kernelTable(report, palette) +
            timeTable(report, palette) +
            (measured ? measuredTable(measured, palette) : '') +
            (lineTimes
              ? lineTimeTable(report, {
                  palette,
                  textOf: (line) => lineText(line, sources),
                  measured: measured && sampleShares(measured, report),
                })
              : '') +
            costliestLines(report, { palette, sources }) +
            interpretedKernels(report, palette),
        );
      if (!quiet) say(timesNote(report, palette));
      say(report.faults.map((fault) => faultReport(fault, { palette, sources })).join('') + runNotes(report, palette));
      say(findingsReport(report, { palette, sources }, isSanitized(request.sanitize)));
      const expectations = expectationsReport(report, result.sources, palette);
      say(expectations.text);
      return report.exit || ((isSanitized(request.sanitize) && report.findings?.length) || expectations.broken > 0 ? EXIT_FAILED : 0);
    }
  }
}

export function sourceLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
