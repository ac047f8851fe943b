/** `lanewise run`: compiles a program and runs it in the simulator. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { deviceIds } from '../devices/devices.ts';
import type { Report } from '../protocol/report.ts';
import { DEFAULT_ENGINE, ENGINES } from '../simulator/runtime/engines.ts';
import { DEFAULT_STEP_LIMIT, type SimulationRequest, type SimulationResult, startSimulation } from '../simulator/simulate.ts';
import { type Command, UsageError } from './command.ts';
import { compileErrors, faultReport } from './problems.ts';
import { projectSettings } from './project-settings.ts';
import { costliestLines, kernelTable } from './summary.ts';
import { ProgressLine, paletteFor } from './terminal.ts';

const EXIT_FAILED = 1;
/** What shells report for a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

export const run: Command = {
  name: 'run',
  summary: 'compile a CUDA program and run it in the simulator',
  help: `usage: lanewise run FILE.cu [options] [-- ARGUMENTS OF THE PROGRAM]

The program's output goes to stdout as it comes, and its exit code is the command's. What its kernels did goes to
stderr afterwards. A fault on the device or the host exits with 1.

  --json FILE         write the report: output, counters per launch and per line, faults
  --device NAME       the GPU to stand for: ${deviceIds().join(', ')} (default: lanewise.json's, or h200)
  --engine NAME       ${Object.keys(ENGINES).join(' or ')} (default: ${DEFAULT_ENGINE})
  -I, --include DIR   look for headers here, too
  -D, --define NAME   define a macro: NAME or NAME=VALUE
  --lines WHOSE       where code of CUDA's headers counts: caller, at the line that calls it (default), or nvcc, at the
                      header's line, as in a profile of Nsight Compute
  --step-limit N      stop a launch after N warp instructions (default: ${DEFAULT_STEP_LIMIT.toLocaleString('en-US')})
  -q, --quiet         no tables
`,
  run: (args) => simulate(optionsOf(args)),
};

interface RunOptions {
  readonly request: SimulationRequest;
  readonly json?: string;
  readonly quiet: boolean;
}

function optionsOf(args: readonly string[]): RunOptions {
  const end = args.indexOf('--');
  const { values, positionals } = parsed(end < 0 ? args : args.slice(0, end));
  if (positionals.length !== 1) {
    const hint =
      positionals.length > 1 ? `; arguments of the program go behind --: lanewise run ${positionals[0]} -- ${positionals[1]}` : '';
    throw new UsageError(`run takes one file${hint}`);
  }
  const engine = values.engine ?? DEFAULT_ENGINE;
  if (!isEngine(engine)) throw new UsageError(`there is no engine "${engine}": known are ${Object.keys(ENGINES).join(', ')}`);
  const stepLimit = Number(values['step-limit'] ?? DEFAULT_STEP_LIMIT);
  if (!(Number.isInteger(stepLimit) && stepLimit > 0)) throw new UsageError('--step-limit takes a whole number above 0');
  const lineTable = values.lines ?? 'caller';
  if (lineTable !== 'caller' && lineTable !== 'nvcc') throw new UsageError(`--lines takes caller or nvcc, not "${lineTable}"`);
  const file = resolve(positionals[0]);
  const device = values.device ?? projectSettings(dirname(file)).device ?? deviceIds()[0];
  if (!deviceIds().includes(device)) throw new UsageError(`there is no device "${device}": known are ${deviceIds().join(', ')}`);
  return {
    json: values.json,
    quiet: values.quiet ?? false,
    request: {
      file,
      args: end < 0 ? [] : args.slice(end + 1),
      includeDirs: (values.include ?? []).map((folder) => resolve(folder)),
      defines: values.define ?? [],
      device,
      engine,
      stepLimit,
      lineTable,
      workingDirectory: process.cwd(),
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'string' },
        device: { type: 'string' },
        engine: { type: 'string' },
        include: { type: 'string', short: 'I', multiple: true },
        define: { type: 'string', short: 'D', multiple: true },
        lines: { type: 'string' },
        'step-limit': { type: 'string' },
        quiet: { type: 'boolean', short: 'q' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('\n')[0] : String(error));
  }
}

function isEngine(name: string): name is SimulationRequest['engine'] {
  return Object.hasOwn(ENGINES, name);
}

async function simulate({ request, json, quiet }: RunOptions): Promise<number> {
  const progress = new ProgressLine(process.stderr);
  const simulation = startSimulation(request, {
    stdout: (bytes) => {
      progress.beforeOutput(bytes);
      process.stdout.write(bytes);
    },
    stderr: (bytes) => {
      progress.beforeOutput(bytes);
      process.stderr.write(bytes);
    },
    progress: (message) => progress.show(message),
  });
  const interrupt = () => simulation.cancel();
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const result = await simulation.result;
  progress.endOutput();
  if (result.kind === 'finished' && json) writeReport(json, result.report);
  return conclude(request.file, result, quiet);
}

function writeReport(file: string, report: Report): void {
  try {
    writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
  } catch (error) {
    throw new UsageError(`the report cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Says how the run ended; the exit code. */
function conclude(file: string, result: SimulationResult, quiet: boolean): number {
  const palette = paletteFor(process.stderr);
  const say = (text: string) => process.stderr.write(text);
  switch (result.kind) {
    case 'cancelled':
      say(`${palette.yellow('cancelled')}\n`);
      return EXIT_INTERRUPTED;
    case 'refused':
      say(`${palette.red('lanewise:')} ${result.message}${result.file ? ` (${result.file}:${result.line})` : ''}\n`);
      return EXIT_FAILED;
    case 'compile-error':
      say(compileErrors(result.diagnostics, palette));
      return EXIT_FAILED;
    case 'finished': {
      const { report, warnings } = result;
      const source = sourceLines(file);
      if (warnings.length > 0 && !quiet) say(compileErrors(warnings, palette));
      if (!quiet) say(kernelTable(report, palette) + costliestLines(report, { palette, source }));
      say(report.faults.map((fault) => faultReport(fault, { palette, program: report.program, source })).join(''));
      return report.exit;
    }
  }
}

function sourceLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
