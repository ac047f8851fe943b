/**
 * The simulator's façade: what the command line and the language server call. `startSimulation` runs a program in a worker thread
 * of its own, so that it can be cancelled at any moment.
 */
import { files, paths } from '#platform';
import { deviceIds } from '../devices/devices.ts';
import type { ProgramDiagnostic, Report } from '../protocol/report.ts';
import type { LineTable } from './counters/launch-metrics.ts';
import type { FloatRules } from './ir/float-rules.ts';
import { type EngineName, isSanitized, type Sanitize } from './options/defaults.ts';
import type { KernelRequest } from './options/kernel-request.ts';
import type { RunLimits } from './options/limits.ts';
import type { ScheduleChoice } from './options/schedules.ts';
import type { Standard } from './options/standards.ts';
import { type ProgramThread, programThread } from './program-threads.ts';
import type { ProgramJob, ProgramMessage } from './program-worker.ts';
import { RankOutput, rankReport } from './ranks.ts';
import { type RankOptions, sharedExchange } from './runtime/mpi/exchange.ts';
import type { CompiledSource, DeviceSource } from './runtime/nvrtc.ts';
import { InputFlow } from './runtime/program-input.ts';
import { OutputFlow } from './runtime/program-output.ts';
import { type CompiledProgram, compileDevice } from './toolchain/compile.ts';
import { compileCached } from './toolchain/compile-cache.ts';
import { languageOf } from './toolchain/flags.ts';
import type { Readable, UnsavedTexts } from './toolchain/readable-files.ts';
import type { GivenName } from './toolchain/virtual-paths.ts';

export interface SimulationRequest {
  /** Absolute path of the program's first file. */
  readonly file: string;
  /** Absolute paths of its further ones: .cu, or .cpp and .c for the host alone. Their device code is linked where one uses what another defines. */
  readonly others?: readonly string[];
  /** How the user named folders: what `__FILE__` and faults say of files in them. Unless given, as if the user were in the file's folder. */
  readonly names?: readonly GivenName[];
  readonly args: readonly string[];
  /** Run this kernel alone, and no main. */
  readonly kernel?: KernelRequest;
  readonly includeDirs: readonly string[];
  /**
   * Absolute paths of folders from which files may be included, besides those that the program may read when it runs: `includeDirs`
   * unless given.
   */
  readonly includable?: readonly string[];
  /** NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  /** Of C++; the default unless given. */
  readonly standard?: Standard;
  readonly device: string;
  /** All devices of the program, `device` first; it alone unless given. */
  readonly devices?: readonly string[];
  /** How many ranks of the program run, each with devices of its own (mpi.h). One unless given. */
  readonly ranks?: number;
  /** What the options for floating-point arithmetic ask for: nvcc's defaults unless given. */
  readonly floats?: FloatRules;
  readonly engine: EngineName;
  /** Most warp-level instructions per launch. */
  readonly stepLimit: number;
  /** Those that are not given have their defaults. */
  readonly limits?: Partial<RunLimits>;
  /** Execute launches that would change nothing, too: see repeated-launches.ts. False unless given. */
  readonly everyLaunch?: boolean;
  /** Have the sanitizer look for races, wrong barriers and masks and uninitialised reads, or for nothing. */
  readonly sanitize?: Sanitize;
  /** In which order threads take turns: as launched unless given. Others are executed by the interpreter, whatever `engine` says. */
  readonly schedule?: ScheduleChoice;
  /** Keep what happens when: Report.timeline. Not unless given. */
  readonly timeline?: boolean;
  /** Lines of the report: see LineTable. The caller's unless given. */
  readonly lineTable?: LineTable;
  /** Folder that the program's relative paths refer to: the file's own unless given. */
  readonly workingDirectory?: string;
  /** What the program may do with files beyond reading its folders and writing its working directory. */
  readonly allow?: AllowedFiles;
  /** The program's environment: empty unless given. */
  readonly env?: Readonly<Record<string, string>>;
  /** Unsaved text of `file`, if it differs from the disk. */
  readonly text?: string;
  /** Unsaved texts of further files, sources and headers, by absolute path. What may not be read on the disk may not be read here. */
  readonly unsaved?: UnsavedTexts;
  /** Its threads take what the editor, and others, leave of the processors. */
  readonly givesWay?: boolean;
  /** Folder that keeps compiled programs, for runs in which nothing changed; without one each run compiles. */
  readonly cacheFolder?: string;
}

/** Absolute paths of folders, or of single files. */
export interface AllowedFiles {
  readonly read?: readonly string[];
  /** May be read, too. */
  readonly write?: readonly string[];
  /** Everything that the user may. */
  readonly all?: boolean;
}

export interface SimulationEvents {
  /** Called when the program reads and there is nothing left: the next bytes of its input, or nothing at its end. Empty unless given. */
  stdin?(): Promise<Uint8Array | undefined>;
  /** Bytes of the program's output, as they come. Where they give a promise, the program prints no faster than it is kept. */
  stdout?(bytes: Uint8Array): void | Promise<void>;
  stderr?(bytes: Uint8Array): void | Promise<void>;
  /** What is being done now, for a progress line: "compiling device code", "simulating reduceModulo". */
  progress?(message: string): void;
  /** The program is compiled, or will not be. */
  compiled?(): void;
}

export type SimulationResult =
  /**
   * The program ran: to its end, to a fault or to a limit (report.faults). `warnings`: what Clang remarked. `sources`: absolute paths of
   * the user's files that were compiled, headers among them.
   */
  | {
      readonly kind: 'finished';
      readonly report: Report;
      readonly warnings: readonly ProgramDiagnostic[];
      readonly sources: readonly string[];
    }
  | { readonly kind: 'compile-error'; readonly diagnostics: readonly ProgramDiagnostic[] }
  /** With what the launches counted that had ended, the last ones perhaps left out; without a report where none had. */
  | { readonly kind: 'cancelled'; readonly report?: Report; readonly sources?: readonly string[] }
  /** The request cannot be served (no such file, no such device, an unsupported feature): one sentence that says what to do. */
  | { readonly kind: 'refused'; readonly message: string; readonly file?: string; readonly line?: number };

export interface Simulation {
  readonly result: Promise<SimulationResult>;
  cancel(): void;
}

export type StartSimulation = (request: SimulationRequest, events: SimulationEvents) => Simulation;

/** Of a run that goes on. */
interface Counted {
  report?: Report;
  sources?: readonly string[];
}

interface RunEvents extends SimulationEvents {
  counted(report: Report, sources: readonly string[]): void;
  /** What runs the program, or its first rank. */
  readonly thread?: ProgramThread;
  /** In the place of `stdout` and `stderr`, for a rank. */
  printed?(stream: 'stdout' | 'stderr', bytes: Uint8Array, order: number): void | Promise<void>;
}

export const startSimulation: StartSimulation = (request, events) => {
  const cancelling = new AbortController();
  const counted: Counted = {};
  const cancelled = new Promise<SimulationResult>((resolve) => {
    cancelling.signal.addEventListener('abort', () => resolve({ kind: 'cancelled', ...counted }), { once: true });
  });
  const finished = simulate(
    request,
    { ...events, counted: (report, sources) => Object.assign(counted, { report, sources }) },
    cancelling.signal,
  ).catch((error: unknown): SimulationResult => {
    if (cancelling.signal.aborted) return { kind: 'cancelled', ...counted };
    throw error;
  });
  return { result: Promise.race([finished, cancelled]), cancel: () => cancelling.abort() };
};

async function simulate(request: SimulationRequest, events: RunEvents, signal: AbortSignal): Promise<SimulationResult> {
  const unknown = [request.device, ...(request.devices ?? [])].find((id) => !deviceIds().includes(id));
  if (unknown !== undefined) return { kind: 'refused', message: `unknown device "${unknown}"; choose ${deviceIds().join(', ')}` };
  // It is loaded while Clang works, or longer since.
  const thread = programThread();
  try {
    const compiled = await compile(request, signal, events.progress).finally(() => events.compiled?.());
    if (compiled.kind !== 'compiled' || signal.aborted) return compiled.kind === 'compiled' ? { kind: 'cancelled' } : compiled;
    events.progress?.('running');
    const named = { ...request, names: namesOf(request) };
    const first = { ...events, thread };
    return await ((request.ranks ?? 1) > 1 ? executeRanks(named, compiled, first, signal) : execute(named, compiled, first, signal));
  } finally {
    thread.close();
  }
}

export type CompilerRemarks = (request: SimulationRequest, signal: AbortSignal) => Promise<readonly ProgramDiagnostic[] | undefined>;

/** What the compiler says of a program, which is not run: undefined where it cannot be asked. Rejected with the signal's reason. */
export const compilerRemarks: CompilerRemarks = async (request, signal) => {
  const compiled = await compile(request, signal);
  if (compiled.kind === 'refused') return undefined;
  return compiled.kind === 'compiled' ? compiled.warnings : compiled.diagnostics;
};

function compile(request: SimulationRequest, signal: AbortSignal, progress?: SimulationEvents['progress']) {
  const { file, others, text, unsaved, includeDirs, defines, standard } = request;
  return compileCached(
    {
      file,
      others,
      names: namesOf(request),
      text,
      unsaved,
      includeDirs,
      readable: readableBy(request),
      defines,
      standard,
      debug: request.lineTable === 'nvcc' ? 'headers' : isSanitized(request.sanitize) ? 'blocks' : 'lines',
      watched: isSanitized(request.sanitize),
      limits: request.limits,
      signal,
      progress,
    },
    request.cacheFolder,
  );
}

/** What a program's device code becomes, as bytes behind their number. */
async function compiledSource(request: SimulationRequest, source: DeviceSource, signal: AbortSignal): Promise<Uint8Array> {
  const { folder, file, unsaved, includeDirs } = placesOf(request, source);
  const result = await compileDevice({
    file,
    text: source.text,
    unsaved,
    includeDirs: [folder, ...includeDirs, ...request.includeDirs],
    readable: readableBy(request),
    defines: ['__CUDACC_RTC__', ...source.defines],
    standard: source.standard,
    names: namesOf(request),
    limits: request.limits,
    signal,
  });
  const compiled: CompiledSource =
    result.kind === 'compiled'
      ? { module: result.deviceModule, log: '' }
      : { log: result.kind === 'refused' ? `${result.message}\n` : compilerLog(result.diagnostics, source.name) };
  const bytes = new TextEncoder().encode(JSON.stringify(compiled));
  const whole = new Uint8Array(4 + bytes.length);
  new DataView(whole.buffer).setUint32(0, bytes.length, true);
  whole.set(bytes, 4);
  return whole;
}

/**
 * A source that the program has made has no file: it is taken to lie in the program's working folder, as its headers are. The folder is
 * never the program's choice, because what lies beside a source may be included.
 */
function placesOf({ file, workingDirectory }: SimulationRequest, { name, headers, includeDirs }: DeviceSource) {
  const folder = workingDirectory ?? paths.dirname(file);
  const named = paths.basename(name);
  const source = paths.join(folder, /^\.{0,2}$/.test(named) ? 'default_program' : named);
  return {
    folder,
    file: languageOf(source) === 'cuda' && paths.extname(source) !== '' ? source : `${source}.cu`,
    unsaved: Object.fromEntries(Object.entries(headers).map(([header, text]) => [paths.resolve(folder, header), text])),
    includeDirs: includeDirs.map((each) => paths.resolve(folder, each)),
  };
}

function compilerLog(diagnostics: readonly ProgramDiagnostic[], name: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const lines = errors.map(({ line, message }) => `${name}(${line}): error: ${message}\n\n`);
  return `${lines.join('')}${errors.length} error${errors.length === 1 ? '' : 's'} detected in the compilation of "${name}".\n`;
}

function namesOf({ file, names }: SimulationRequest): readonly GivenName[] {
  return names ?? [{ folder: paths.join(paths.dirname(file), paths.separator), given: '' }];
}

/** What a program may read when it runs may be compiled into it. */
function readableBy({ file, includeDirs, includable = includeDirs, workingDirectory, allow = {} }: SimulationRequest): Readable {
  if (allow.all) return 'everything';
  return [workingDirectory ?? paths.dirname(file), ...includable, ...(allow.read ?? []), ...(allow.write ?? [])];
}

/** What Clang read of the user's disk, and the sources themselves, which may have been read from memory. */
function sourcesOf({ file, others = [] }: SimulationRequest, { inputs }: CompiledProgram): readonly string[] {
  const read = inputs.lookups.flat().flatMap(({ path, found }) => (typeof found === 'object' ? [path] : []));
  return [...new Set([file, ...others, ...read])];
}

/** Each in a thread; what they print comes in the order in which they took turns. */
async function executeRanks(
  request: SimulationRequest,
  compiled: CompiledProgram,
  events: RunEvents,
  signal: AbortSignal,
): Promise<SimulationResult> {
  const ranks = request.ranks!;
  const shared = sharedExchange(ranks);
  const printed = new RankOutput(request.limits, events);
  // Where one cannot go on, nobody needs the others.
  const others = new AbortController();
  signal.addEventListener('abort', () => others.abort(), { once: true });
  const run = async (rank: number): Promise<SimulationResult> => {
    const own: RunEvents = rank === 0 ? events : { ...events, thread: undefined, stdin: undefined, counted: () => undefined };
    const { result, failed } = await execute(
      request,
      compiled,
      { ...own, printed: (...output) => printed.take(...output) },
      others.signal,
      { rank, ranks, shared },
    ).then(
      (each) => ({ result: each, failed: undefined }),
      (error: unknown) => ({ result: undefined, failed: error }),
    );
    if (!result || result.kind === 'refused') others.abort();
    if (!result) throw failed;
    return result;
  };
  const results = await Promise.all(Array.from({ length: ranks }, (_, rank) => run(rank)));
  const refused = results.find(({ kind }) => kind === 'refused') ?? results.find(({ kind }) => kind !== 'finished');
  if (refused) return refused;
  const finished = results.filter((each) => each.kind === 'finished');
  const report = rankReport(
    finished.map((each) => each.report),
    printed.texts,
  );
  return { ...finished[0], report };
}

function execute(
  request: SimulationRequest,
  compiled: CompiledProgram,
  events: RunEvents,
  signal: AbortSignal,
  rank?: RankOptions,
): Promise<SimulationResult> {
  const { deviceModules, hostModule, warnings, milliseconds } = compiled;
  const sources = sourcesOf(request, compiled);
  const temporary = files.temporaryName('lanewise-');
  const flow = new OutputFlow();
  const input = new InputFlow();
  const answers = new InputFlow();
  let answer: Promise<Uint8Array> | undefined;
  const job: ProgramJob = {
    request,
    deviceModules,
    hostModule,
    compileMs: milliseconds.total,
    temporary,
    outputFlow: flow.shared,
    inputFlow: input.shared,
    answerFlow: answers.shared,
    rank,
  };
  const started = events.thread ?? programThread();
  const { thread } = started;
  if (started.failure) return Promise.reject(started.failure);
  started.run(job);
  signal.addEventListener('abort', () => thread.close(), { once: true });
  // Who waits for the result only may end before the thread does.
  const tidied = files.removeAtExit(temporary);
  const take = async (stream: 'stdout' | 'stderr', bytes: Uint8Array, order?: number) => {
    const { length } = bytes;
    await (order === undefined ? events[stream]?.(bytes) : events.printed?.(stream, bytes, order));
    flow.taken(length);
  };
  return new Promise((resolve, reject) => {
    thread.listen({
      message(received) {
        const message = received as ProgramMessage;
        if (signal.aborted) return;
        if (message.kind === 'finished') resolve({ kind: 'finished', report: message.report, warnings, sources });
        else if (message.kind === 'refused') resolve(message);
        else if (message.kind === 'counted') events.counted(message.report, sources);
        else if (message.kind === 'reading') input.give(async () => events.stdin?.()).catch(reject);
        else if (message.kind === 'compile') {
          answer = compiledSource(request, message.source, signal);
          // Whoever asks for it hears of it; a program that has been cancelled asks no more.
          answer.catch(() => {});
        } else if (message.kind === 'answering') answers.give(async () => answer).catch(reject);
        else if (message.kind === 'progress') events.progress?.(message.message);
        else take(message.kind, message.bytes, message.order);
      },
      failed(error, outOfMemory) {
        if (!outOfMemory) reject(error);
        else
          resolve({ kind: 'refused', message: 'the program needs more memory than the simulator has: run it with a smaller problem size' });
      },
      ended() {
        tidied();
        if (signal.aborted) resolve({ kind: 'cancelled' });
        else reject(new Error('the simulation ended without a result'));
      },
    });
  });
}
