/**
 * A thread that runs one compiled program, host and device, to its end. It ends by itself; to stop it at any moment, endless loop or
 * not, terminate the thread.
 */

import { paths, threads } from '#platform';
import type { Report } from '../protocol/report.ts';
import { KeptText, OutputFlow } from './runtime/program-output.ts';
import { runProgram } from './runtime/run-program.ts';
import type { SimulationRequest } from './simulate.ts';

export interface ProgramJob {
  readonly request: SimulationRequest;
  readonly deviceModules: readonly string[];
  readonly hostModule: Uint8Array;
  readonly compileMs: number;
  /** Folder for the program's temporary files, which need not exist. */
  readonly temporary: string;
  /** See OutputFlow. */
  readonly outputFlow: SharedArrayBuffer;
}

export type ProgramMessage =
  | { readonly kind: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | { readonly kind: 'progress'; readonly message: string }
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'refused'; readonly message: string; readonly file?: string; readonly line?: number };

const { request, deviceModules, hostModule, compileMs, temporary, outputFlow } = threads.data as ProgramJob;

function send(message: ProgramMessage): void {
  threads.parent!.post(message, 'bytes' in message ? [message.bytes.buffer as ArrayBuffer] : []);
}

const folder = paths.dirname(request.file);
const workingDirectory = request.workingDirectory ?? folder;
const sourceFolders = [request.file, ...(request.others ?? [])].map((file) => paths.dirname(file));
const allowed = request.allow ?? {};
const kept = { stdout: new KeptText(), stderr: new KeptText() };
const flow = new OutputFlow(outputFlow);
function output(kind: 'stdout' | 'stderr', bytes: Uint8Array): void {
  kept[kind].add(bytes);
  flow.send(bytes.length);
  send({ kind, bytes });
}

let shown = '';
/** A program may launch one kernel thousands of times. */
function progress(message: string): void {
  if (message === shown) return;
  shown = message;
  send({ kind: 'progress', message });
}

const start = performance.now();
const outcome = runProgram({
  deviceModules,
  hostModule,
  args: [paths.basename(request.file, paths.extname(request.file)), ...request.args],
  workingDirectory,
  permissions: {
    read: [...sourceFolders, ...(allowed.read ?? [])],
    write: [workingDirectory, ...(allowed.write ?? [])],
    all: allowed.all ?? false,
    temporary,
  },
  env: request.env ?? {},
  device: request.device,
  engine: request.engine,
  stepLimit: request.stepLimit,
  everyLaunch: request.everyLaunch ?? false,
  lineTable: request.lineTable ?? 'caller',
  names: request.names ?? [],
  stdout: (bytes) => output('stdout', bytes),
  stderr: (bytes) => output('stderr', bytes),
  progress,
});
if (outcome.kind === 'refused') {
  send(outcome);
} else {
  const { exit, kernels, lines, faults, interpreted, notes, refusedFiles } = outcome;
  send({
    kind: 'finished',
    report: {
      schema: 1,
      program: paths.basename(request.file),
      args: [...request.args],
      device: request.device,
      exit,
      stdout: kept.stdout.toString(),
      stderr: kept.stderr.toString(),
      compileMs: Math.round(compileMs),
      simulateMs: Math.round(performance.now() - start),
      kernels,
      lines,
      faults,
      ...(notes.length > 0 && { notes }),
      ...(refusedFiles.length > 0 && { refusedFiles: [...refusedFiles] }),
      ...(Object.keys(interpreted).length > 0 && { interpreted }),
    },
  });
}
