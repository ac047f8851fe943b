/**
 * Runs a compiled program in this thread: places the device module, links the host module to Linux and the CUDA runtime, and collects
 * what happened. Returns when the program has ended.
 */

import type { LineCounters } from '../../counters/counters.ts';
import { deviceNamed } from '../../devices/devices.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import { timingsOf } from '../../devices/timings.ts';
import type { BufferReport, FaultReport, KernelReport, NestedParent, Report, SanitizerFinding } from '../../protocol/report.ts';
import type { Timeline } from '../../protocol/timeline.ts';
import type { LineTable } from '../counters/launch-metrics.ts';
import type { FloatRules } from '../ir/float-rules.ts';
import { parseIr } from '../ir/parse.ts';
import { type IrFunction, UnsupportedIr } from '../ir/types.ts';
import { DeviceMemory } from '../machine/device-memory.ts';
import type { Assertion, Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { loadModule, ModuleTooLarge } from '../machine/load-module.ts';
import { type EngineName, isSanitized, type Sanitize } from '../options/defaults.ts';
import type { KernelRequest } from '../options/kernel-request.ts';
import type { RunLimits } from '../options/limits.ts';
import { isAsLaunched, type ScheduleChoice } from '../options/schedules.ts';
import { Sanitizer } from '../sanitizer/sanitizer.ts';
import type { LaunchOutcome } from '../scheduling/engine.ts';
import type { PrintedPiece } from '../scheduling/printed-output.ts';
import { siteWeights } from '../timing/site-weights.ts';
import { demangle } from '../toolchain/demangle.ts';
import { asGiven, fromVirtualPath, type GivenName, isPackageFile } from '../toolchain/virtual-paths.ts';
import { ProgramClock } from './clock/program-clock.ts';
import { Recorder } from './clock/recorder.ts';
import { CudaContext } from './cuda-context.ts';
import { cudaFunctions } from './cuda-functions.ts';
import { DeviceProgram, type DeviceUnit } from './device-program.ts';
import { DriverModules } from './driver-modules.ts';
import { ENGINES } from './engines.ts';
import { HostMemory } from './host-memory.ts';
import { type HostOutcome, instantiateHost, type RunningHost } from './host-program.ts';
import { HostWatch } from './host-watch.ts';
import { KernelRefused, type KernelRun, runKernel } from './kernel-run.ts';
import type { Permissions, Refusal } from './linux/confinement.ts';
import { createLinux } from './linux/system-calls.ts';
import { mergedFindings } from './merged-findings.ts';
import type { RankOptions } from './mpi/exchange.ts';
import type { CompiledSource, DeviceCompiler, DeviceSource } from './nvrtc.ts';
import { ReportBuilder } from './report-builder.ts';
import { kernelName, MEBIBYTE, notesOf } from './run-notes.ts';
import { opensWindows } from './window/window.ts';

export interface ProgramOptions {
  /** Text of each source file's device code. */
  readonly deviceModules: readonly string[];
  /** Their names, without folders and extensions: what files of compiled code stand for them. */
  readonly deviceFiles?: readonly string[];
  readonly hostModule: Uint8Array;
  /** Run this kernel instead of main. */
  readonly kernel?: KernelRequest;
  /** The program's name first. */
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string>>;
  readonly device: string;
  /** All devices, `device` first; it alone unless given. */
  readonly devices?: readonly string[];
  /** What the options for floating-point arithmetic ask for: nvcc's defaults unless given. */
  readonly floats?: FloatRules;
  readonly engine: EngineName;
  readonly stepLimit: number;
  readonly limits: RunLimits;
  /** Execute launches that would change nothing, too. */
  readonly everyLaunch: boolean;
  /** What the sanitizer is to look for. */
  readonly sanitize?: Sanitize;
  /** In which order threads take turns; as launched unless given. */
  readonly schedule?: ScheduleChoice;
  readonly lineTable: LineTable;
  readonly names: readonly GivenName[];
  /** Keep what happens when. */
  readonly timeline?: boolean;
  /** Compiles device code that the program has made; it cannot unless given. */
  compileDevice?(source: DeviceSource): CompiledSource;
  /** Which of several ranks it is; the only one unless given. */
  readonly rank?: RankOptions;
  /** Fills the bytes from their start and says how many there were, none at the end of the input; an empty input unless given. */
  stdin?(into: Uint8Array): number;
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
  progress(message: string): void;
  /** Before each launch: what the ones before it counted, for those who may end the run. */
  launching?(soFar: () => CountedSoFar): void;
  /** Told of each launch that has run, and what memory was then, for those who want more than the report. */
  launched?(module: LoadedModule, launch: Launch, outcome: LaunchOutcome, memory: DeviceMemory): void;
}

export type CountedSoFar = Pick<Report, 'kernels' | 'lines'> & Required<Pick<Report, 'lineTimes'>>;

export type ProgramOutcome =
  | {
      readonly kind: 'ended';
      readonly exit: number;
      readonly kernels: KernelReport[];
      readonly lines: Record<string, Record<string, LineCounters>>;
      readonly lineTimes: Record<string, Record<string, number>>;
      readonly nested: readonly NestedParent[];
      readonly faults: FaultReport[];
      readonly findings: SanitizerFinding[] | undefined;
      readonly interpreted: Record<string, string>;
      readonly notes: string[];
      readonly refusedFiles: readonly Refusal[];
      /** The GPUs for which times that the program read are estimated; undefined if it read none. */
      readonly estimatedFor: string[] | undefined;
      readonly timeline: Timeline | undefined;
      readonly buffers: readonly BufferReport[];
    }
  | { readonly kind: 'refused'; readonly message: string; readonly file?: string; readonly line?: number };

const WITHOUT_MAIN = 'no main function: add one that launches the kernels, or pass the file that defines it';

export function runProgram(options: ProgramOptions): ProgramOutcome {
  const memory = new DeviceMemory(options.limits.deviceMemoryMiB * MEBIBYTE);
  const { floats } = options;
  let loaded: LoadedModule[];
  try {
    loaded = options.deviceModules.map((text) => loadModule(parseIr(text), memory, { floats }));
  } catch (error) {
    return refusal(error);
  }
  const ids = options.devices ?? [options.device];
  const unknown = ids.find((id) => !deviceNamed(id));
  if (unknown !== undefined) return { kind: 'refused', message: `unknown device "${unknown}"` };
  const devices = ids.map((id) => deviceNamed(id)!);
  const limits = { warpInstructions: options.stepLimit, pendingLaunches: options.limits.pendingLaunches };
  const printing: Parts['printing'] = {};
  const printed = (piece: PrintedPiece) => printing.take?.(piece);
  const { schedule } = options;
  const engine = isAsLaunched(schedule) ? options.engine : 'interpreter';
  const unitsOf = (modules: readonly LoadedModule[], device: DeviceProfile) =>
    modules.map((module) => {
      const weigh = (fn: IrFunction) => siteWeights(fn, module.ir, timingsOf(device));
      return { module, engine: ENGINES[engine]({ module, memory, device, limits, printed, schedule, weigh }) };
    });
  const texts = [...options.deviceModules];
  const rules = texts.map(() => floats);
  const units = new Map([[0, unitsOf(loaded, devices[0])]]);
  const loadedOn = (index: number, unit: number): LoadedModule => {
    const { owner } = memory;
    memory.owner = index;
    const module = loadModule(parseIr(texts[unit]), memory, { first: loaded[unit], floats: rules[unit] });
    memory.owner = owner;
    return module;
  };
  /** A module that the program has compiled, on all devices that are in use. */
  const add = (text: string, floatRules: FloatRules): DeviceUnit => {
    const unit = texts.push(text) - 1;
    rules.push(floatRules);
    for (const [index, known] of units) {
      const module = loadedOn(index, unit);
      loaded[unit] ??= module;
      known.push(...unitsOf([module], devices[index]));
    }
    return units.get(0)![unit];
  };
  /** On further devices when they are used. */
  const unitsOn = (index: number) => {
    let known = units.get(index);
    if (!known) {
      known = unitsOf(
        texts.map((_, unit) => loadedOn(index, unit)),
        devices[index],
      );
      units.set(index, known);
    }
    return known;
  };
  try {
    return execute(options, { unitsOn, add, devices, memory, printing });
  } finally {
    for (const { engine } of [...units.values()].flat()) engine.close();
  }
}

function refusal(error: unknown): ProgramOutcome {
  if (error instanceof ModuleTooLarge) return { kind: 'refused', message: error.message };
  if (!(error instanceof UnsupportedIr)) throw error;
  const at = error.location;
  return { kind: 'refused', message: error.message, ...(at && { file: fromVirtualPath(at.file), line: at.line }) };
}

interface Parts {
  readonly unitsOn: (device: number) => readonly DeviceUnit[];
  readonly add: DeviceCompiler['add'];
  readonly devices: readonly DeviceProfile[];
  readonly memory: DeviceMemory;
  /** Where device printf goes: engines begin before there is a program. */
  readonly printing: { take?: (piece: PrintedPiece) => void };
}

/** The host program, once it is there. */
interface Running {
  host?: RunningHost;
}

/** What the caller says of the program's surroundings. */
function linuxOptions(options: ProgramOptions, running: Running) {
  const { args, workingDirectory, permissions, limits, stdout, stderr } = options;
  const env = { ...(opensWindows(options.hostModule) && { DISPLAY: ':0' }), ...options.env };
  const stdin = (into: Uint8Array): number => {
    // Who is to answer has to see the question.
    running.host?.flush();
    return options.stdin?.(into) ?? 0;
  };
  return { args, env, workingDirectory, permissions, limits, stdout, stderr, stdin };
}

function execute(options: ProgramOptions, { unitsOn, add, devices, memory, printing }: Parts): ProgramOutcome {
  const host = new HostMemory(memory.line, options.limits.hostMemoryMiB * MEBIBYTE);
  const nameOf = (file: string) => asGiven(fromVirtualPath(file), options.names);
  const { lineTable, limits } = options;
  const report = new ReportBuilder({ isHeader: isPackageFile, lineTable, mostLaunches: limits.reportLaunches, nameOf });
  // The host is linked to functions that call it back: they reach it through this.
  const running: Running = {};
  const recorder = options.timeline ? new Recorder() : undefined;
  const clock = new ProgramClock(devices, recorder);
  const sanitizer = newSanitizer(options, memory);
  const context = new CudaContext({
    tasks: sanitizer?.tasks,
    isSanitized: isSanitized(options.sanitize),
    hostPlace: () => running.host?.place(),
    hostTrace: () => running.host?.trace(),
    exitHost: (status) => running.host?.exit(status),
    host,
    memory,
    devices,
    clock,
    printed: (bytes) => {
      running.host?.flush();
      options.stdout(bytes);
    },
    asserted: (fault) => options.stderr(assertionText(report.fault(fault), fault.assertion)),
  });
  printing.take = (piece) => context.printf.add(piece);
  const program = newDeviceProgram(options, { unitsOn, context, report, sanitizer });
  const callHost = (pointer: number, ...args: (number | bigint)[]) => running.host!.call(pointer, ...args);
  const modules = new DriverModules(program.units, options.deviceFiles ?? []);
  const linux = createLinux({
    ...linuxOptions(options, running),
    supplied: (path) => modules.imageOf(path),
    memory: host,
    clock: clock.host,
    callHost,
  });
  const compiler = { add, compile: (source: DeviceSource) => options.compileDevice?.(source) ?? { log: 'there is no compiler' } };
  const env = cudaFunctions(context, program, { callHost, modules, compiler, rank: options.rank });
  const watch = new HostWatch(context, () => running.host!);
  running.host = instantiateHost({
    bytes: options.hostModule,
    memory: host,
    imports: { linux: linux.imports, env },
    isUsers: (file) => !isPackageFile(file),
    nameOf,
    accessed: (address, bytes, writes) => watch.accessed({ address, bytes, writes }),
  });
  clock.host.operations = running.host.operations;
  if (sanitizer) hostTells(sanitizer, { context, host: running.host, watch });
  const alone = options.kernel && kernelAlone(options, { context, program });
  if (typeof alone === 'string') return { kind: 'refused', message: alone };
  const { exit, fault, withoutMain }: HostOutcome = alone ? { exit: 0 } : running.host.run();
  if (withoutMain) return { kind: 'refused', message: WITHOUT_MAIN };
  if (context.printf.heldBytes > 0) options.stderr(unseenNote(context.printf.heldBytes));
  const faults = [...context.faults.map((each) => report.fault(each)), ...hostFaults(fault, host.writtenNullAddress)];
  const { kernels, interpreted } = report;
  const parts = { limits, linux, context, report, sanitizer };
  const notes = notesOf({ ...parts, notes: alone?.notes ?? [], failed: faults.length > 0, exit });
  return {
    kind: 'ended',
    exit: faults.length > 0 ? 1 : exit,
    kernels,
    lines: report.lines(),
    lineTimes: report.lineTimes(),
    nested: report.nested,
    faults,
    findings: program.findings && mergedFindings(program.findings.map((each) => report.finding(each))),
    interpreted,
    notes,
    refusedFiles: linux.refusals,
    estimatedFor: clock.wasRead ? devices.map(({ name }) => name) : undefined,
    timeline: recorder?.timeline({ devices: devices.map(({ name }) => name), endNs: clock.end(), nameOf: demangle }),
    buffers: context.shownBuffers,
  };
}

/** Runs of which nobody has said anything are looked at as far as that is cheap. */
function newSanitizer({ sanitize }: ProgramOptions, memory: DeviceMemory): Sanitizer | undefined {
  if (sanitize === 'off') return undefined;
  return new Sanitizer({ memory, brief: sanitize === undefined, ...sanitize });
}

/** What the sanitizer asks of the host program, and when the host's accesses are watched. */
function hostTells(
  sanitizer: Sanitizer,
  { context, host, watch }: { readonly context: CudaContext; readonly host: RunningHost; readonly watch: HostWatch },
): void {
  sanitizer.hostPlace = () => host.place();
  sanitizer.sharedRanges = () => context.unified.ranges;
  // Whose code does not tell cannot be watched.
  if (sanitizer.isBrief) return;
  sanitizer.tasks.onOpen = () => watch.sanitize();
}

interface DeviceParts extends Pick<Parts, 'unitsOn'> {
  readonly context: CudaContext;
  readonly report: ReportBuilder;
  readonly sanitizer: Sanitizer | undefined;
}

function newDeviceProgram(options: ProgramOptions, { unitsOn, context, report, sanitizer }: DeviceParts): DeviceProgram {
  const names = new Map<string, string>();
  return new DeviceProgram({
    sanitizer,
    units: unitsOn(0),
    others: unitsOn,
    context,
    starting: ({ kernel }) => {
      let name = names.get(kernel);
      if (name === undefined) {
        name = kernelName(kernel);
        names.set(kernel, name);
      }
      options.progress(`simulating ${name}`);
      options.launching?.(() => ({ kernels: report.kernels, lines: report.lines(), lineTimes: report.lineTimes() }));
    },
    everyLaunch: options.everyLaunch || !isAsLaunched(options.schedule),
    nested: (tree) => report.addNested(tree),
    finished: (of, launch, outcome, { repeats, time }) => {
      const { index, profile } = context.busy;
      const { counters, interpretedBecause } = outcome;
      report.add({ module: of, launch, device: profile, counters }, { interpretedBecause, repeats, on: index, time });
      options.launched?.(of, launch, outcome, context.memory);
    },
  });
}

/** What running one kernel gave; why it cannot be run. */
function kernelAlone(options: ProgramOptions, parts: Parameters<typeof runKernel>[1]): KernelRun | string {
  try {
    const run = runKernel(options.kernel!, parts);
    options.stdout(new TextEncoder().encode(run.printed));
    return run;
  } catch (error) {
    if (error instanceof KernelRefused) return error.message;
    throw error;
  }
}

/** What the host did wrong, the cause before what came of it. */
function hostFaults(fault: FaultReport | undefined, writtenNullAddress: number | undefined): FaultReport[] {
  const trap = fault ? [fault] : [];
  // A stack that overflows has gone through the null page.
  if (writtenNullAddress === undefined || fault?.kind === 'stack-overflow') return trap;
  const message = `the host program wrote through a null pointer (address 0x${writtenNullAddress.toString(16)}): check the result of malloc, fopen or cudaMallocHost`;
  return [{ kind: 'host-fault', message }, ...trap];
}

/** As the CUDA runtime prints it, for the threads that failed together first. */
function assertionText({ file, line, kernel, block, message }: FaultReport, assertion: Assertion | undefined): Uint8Array {
  const where = `${file ?? '?'}:${line ?? 0}: ${assertion?.function ?? kernel}: block: [${block}], thread: `;
  const lines = (assertion?.threads ?? []).map((thread) => `${where}[${thread}] ${message.replace(/^a/, 'A')}.\n`);
  return new TextEncoder().encode(lines.join(''));
}

function unseenNote(sizeBytes: number): Uint8Array {
  return new TextEncoder().encode(
    `lanewise: ${sizeBytes} bytes that kernels printed were never shown, as on a GPU: call cudaDeviceSynchronize() before the program ends\n`,
  );
}
