/**
 * A thread that runs one compiled program, host and device, to its end, once it is told which. It ends by itself; to stop it at any moment, endless loop or
 * not, terminate the thread.
 */

import { paths, threads } from '#platform';
import { deviceNamed } from '../devices/devices.ts';
import { devicePeaks } from '../devices/peaks.ts';
import type { DevicePeaks, Report, SanitizerFinding } from '../protocol/report.ts';
import { withDefaults } from './options/limits.ts';
import { Exchange, nextPrint, type RankOptions } from './runtime/mpi/exchange.ts';
import type { CompiledSource, DeviceSource } from './runtime/nvrtc.ts';
import { InputFlow } from './runtime/program-input.ts';
import { KeptText, OutputFlow } from './runtime/program-output.ts';
import { type CountedSoFar, type ProgramOutcome, runProgram } from './runtime/run-program.ts';
import type { SimulationRequest } from './simulate.ts';
import { languageOf } from './toolchain/flags.ts';

export interface ProgramJob {
  readonly request: SimulationRequest;
  readonly deviceModules: readonly string[];
  readonly hostModule: Uint8Array;
  readonly compileMs: number;
  /** Folder for the program's temporary files, which need not exist. */
  readonly temporary: string;
  /** See OutputFlow. */
  readonly outputFlow: SharedArrayBuffer;
  /** See InputFlow. */
  readonly inputFlow: SharedArrayBuffer;
  /** What the compiler answers, as input. */
  readonly answerFlow: SharedArrayBuffer;
  /** Which of several ranks the program is. */
  readonly rank?: RankOptions;
}

export type ProgramMessage =
  /** `order`: among the outputs of all ranks. */
  | { readonly kind: 'stdout' | 'stderr'; readonly bytes: Uint8Array; readonly order?: number }
  | { readonly kind: 'progress'; readonly message: string }
  /** The program waits for a piece of its input. */
  | { readonly kind: 'reading' }
  /** It wants device code compiled, and then the answer, piece by piece. */
  | { readonly kind: 'compile'; readonly source: DeviceSource }
  | { readonly kind: 'answering' }
  /** What the launches that have ended counted, now and then. */
  | { readonly kind: 'counted'; readonly report: Report }
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'refused'; readonly message: string; readonly file?: string; readonly line?: number };

// All that runs it has been loaded by then.
const { request, deviceModules, hostModule, compileMs, temporary, outputFlow, inputFlow, answerFlow, rank } = await nextJob();

if (request.givesWay) threads.giveWay();

function nextJob(): Promise<ProgramJob> {
  return new Promise((resolve) => {
    const stop = threads.parent!.listen({
      message(job) {
        stop();
        resolve(job as ProgramJob);
      },
    });
  });
}

function send(message: ProgramMessage): void {
  threads.parent!.post(message, 'bytes' in message ? [message.bytes.buffer as ArrayBuffer] : []);
}

const folder = paths.dirname(request.file);
const workingDirectory = request.workingDirectory ?? folder;
const sourceFolders = [request.file, ...(request.others ?? [])].map((file) => paths.dirname(file));
const allowed = request.allow ?? {};
const limits = withDefaults(request.limits);
const keptText = () => new KeptText(limits.outputMB * 500_000);
const kept = { stdout: keptText(), stderr: keptText() };
const flow = new OutputFlow(outputFlow);
const input = new InputFlow(inputFlow);
const answers = new InputFlow(answerFlow);
function output(kind: 'stdout' | 'stderr', bytes: Uint8Array): void {
  kept[kind].add(bytes);
  flow.send(bytes.length);
  send({ kind, bytes, ...(rank && { order: nextPrint(rank.shared) }) });
}

function compileDevice(source: DeviceSource): CompiledSource {
  send({ kind: 'compile', source });
  const read = (length: number): Uint8Array => {
    const all = new Uint8Array(length);
    for (let filled = 0; filled < length; ) filled += answers.take(all.subarray(filled), () => send({ kind: 'answering' }));
    return all;
  };
  const [length] = new Uint32Array(read(4).buffer);
  return JSON.parse(new TextDecoder().decode(read(length))) as CompiledSource;
}

/** What a shell reports for a program that was interrupted. */
const EXIT_CANCELLED = 130;

const NOTHING = {
  nested: [],
  faults: [],
  interpreted: {},
  notes: [],
  refusedFiles: [],
  estimatedFor: undefined,
  timeline: undefined,
  buffers: [],
};

let shown = '';
/** A program may launch one kernel thousands of times. */
function progress(message: string): void {
  if (message === shown) return;
  shown = message;
  send({ kind: 'progress', message });
}

/** The first few times at once; later with at most this share of the time. */
const COUNTED_AT_ONCE = 8;
const COUNTING_SHARE = 0.02;
let timesCounted = 0;
let nextCount = 0;

/** A cancelled run ends at once, whatever it is doing: what has been counted until then has to be out of this thread before. */
function launching(soFar: () => CountedSoFar): void {
  const begin = performance.now();
  if (timesCounted >= COUNTED_AT_ONCE && begin < nextCount) return;
  const counted = soFar();
  if (counted.kernels.length > 0) {
    send({
      kind: 'counted',
      report: reportOf({ ...counted, ...NOTHING, exit: EXIT_CANCELLED }),
    });
    timesCounted++;
  }
  const end = performance.now();
  nextCount = end + (end - begin) / COUNTING_SHARE;
}

const exchange = rank && new Exchange(rank);
exchange?.begin();
const start = performance.now();
const outcome = runProgram({
  deviceModules,
  deviceFiles: [request.file, ...(request.others ?? [])]
    .filter((file) => languageOf(file) === 'cuda')
    .map((file) => paths.basename(file, paths.extname(file))),
  hostModule,
  kernel: request.kernel,
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
  devices: request.devices,
  floats: request.floats,
  engine: request.engine,
  stepLimit: request.stepLimit,
  limits,
  everyLaunch: request.everyLaunch ?? false,
  sanitize: request.sanitize,
  schedule: request.schedule,
  lineTable: request.lineTable ?? 'caller',
  names: request.names ?? [],
  timeline: request.timeline ?? false,
  rank,
  stdin: (into) => input.take(into, () => send({ kind: 'reading' })),
  stdout: (bytes) => output('stdout', bytes),
  stderr: (bytes) => output('stderr', bytes),
  progress,
  launching,
  compileDevice,
});
// A launcher ends the other ranks, too.
if (outcome.kind === 'refused' || outcome.faults.length > 0) exchange?.abort();
send(outcome.kind === 'refused' ? outcome : { kind: 'finished', report: reportOf(outcome) });
exchange?.end();

function reportOf(
  ended: Omit<Extract<ProgramOutcome, { kind: 'ended' }>, 'kind' | 'findings'> & { findings?: SanitizerFinding[] },
): Report {
  const { exit, kernels, lines, lineTimes, nested, faults, findings, interpreted, notes, refusedFiles, estimatedFor, timeline, buffers } =
    ended;
  return {
    schema: 1,
    program: paths.basename(request.file),
    args: [...request.args],
    device: request.device,
    ...(request.devices && request.devices.length > 1 && { devices: [...request.devices] }),
    exit,
    stdout: kept.stdout.toString(),
    stderr: kept.stderr.toString(),
    compileMs: Math.round(compileMs),
    simulateMs: Math.round(performance.now() - start),
    kernels,
    lines,
    ...(Object.values(lineTimes).some((table) => Object.keys(table).length > 0) && { lineTimes }),
    faults,
    ...(findings && { findings }),
    ...(notes.length > 0 && { notes }),
    ...(refusedFiles.length > 0 && { refusedFiles: [...refusedFiles] }),
    ...(Object.keys(interpreted).length > 0 && { interpreted }),
    ...(estimatedFor && { estimatedFor }),
    ...(kernels.some(({ estimate }) => estimate) && { peaks: peaksOf(request.devices ?? [request.device]) }),
    ...(nested.length > 0 && { nested: [...nested] }),
    ...(timeline && { timeline }),
    ...(buffers.length > 0 && { buffers: [...buffers] }),
  };
}

function peaksOf(devices: readonly string[]): DevicePeaks[] {
  return devices.flatMap((id) => deviceNamed(id) ?? []).map(devicePeaks);
}
