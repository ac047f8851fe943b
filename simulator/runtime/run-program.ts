/**
 * Runs a compiled program in this thread: places the device module, links the host module to Linux and the CUDA runtime, and collects
 * what happened. Returns when the program has ended.
 */

import type { LineCounters } from '../../counters/counters.ts';
import { deviceNamed } from '../../devices/devices.ts';
import type { FaultReport, KernelReport } from '../../protocol/report.ts';
import type { LineTable } from '../counters/launch-metrics.ts';
import { parseIr } from '../ir/parse.ts';
import { UnsupportedIr } from '../ir/types.ts';
import { DeviceMemory } from '../machine/device-memory.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { loadModule, ModuleTooLarge } from '../machine/load-module.ts';
import type { EngineName } from '../options/defaults.ts';
import { demangle } from '../toolchain/demangle.ts';
import { asGiven, fromVirtualPath, type GivenName, isPackageFile } from '../toolchain/virtual-paths.ts';
import { CudaContext, type Functions } from './cuda-context.ts';
import { deviceFunctions, propertyFunctions } from './cuda-device.ts';
import { errorName, errorText } from './cuda-errors.ts';
import { launchFunctions } from './cuda-launch.ts';
import { memoryFunctions } from './cuda-memory.ts';
import { StreamTable, streamFunctions } from './cuda-streams.ts';
import { DeviceProgram, type DeviceUnit } from './device-program.ts';
import { ENGINES } from './engines.ts';
import { HostMemory } from './host-memory.ts';
import { instantiateHost, type RunningHost } from './host-program.ts';
import type { Permissions, Refusal } from './linux/confinement.ts';
import { createLinux, type Linux } from './linux/system-calls.ts';
import { ReportBuilder } from './report-builder.ts';

export interface ProgramOptions {
  /** Text of each source file's device code. */
  readonly deviceModules: readonly string[];
  readonly hostModule: Uint8Array;
  /** The program's name first. */
  readonly args: readonly string[];
  readonly workingDirectory: string;
  readonly permissions: Permissions;
  readonly env: Readonly<Record<string, string>>;
  readonly device: string;
  readonly engine: EngineName;
  readonly stepLimit: number;
  /** Execute launches that would change nothing, too. */
  readonly everyLaunch: boolean;
  readonly lineTable: LineTable;
  readonly names: readonly GivenName[];
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
  progress(message: string): void;
}

export type ProgramOutcome =
  | {
      readonly kind: 'ended';
      readonly exit: number;
      readonly kernels: KernelReport[];
      readonly lines: Record<string, Record<string, LineCounters>>;
      readonly faults: FaultReport[];
      readonly interpreted: Record<string, string>;
      readonly notes: string[];
      readonly refusedFiles: readonly Refusal[];
    }
  | { readonly kind: 'refused'; readonly message: string; readonly file?: string; readonly line?: number };

const WITHOUT_MAIN = 'no main function: add one that launches the kernels, or pass the file that defines it';

export function runProgram(options: ProgramOptions): ProgramOutcome {
  const memory = new DeviceMemory();
  let loaded: LoadedModule[];
  try {
    loaded = options.deviceModules.map((text) => loadModule(parseIr(text), memory));
  } catch (error) {
    return refusal(error);
  }
  const device = deviceNamed(options.device);
  if (!device) return { kind: 'refused', message: `unknown device "${options.device}"` };
  const limits = { warpInstructions: options.stepLimit };
  const units = loaded.map((each) => ({ module: each, engine: ENGINES[options.engine]({ module: each, memory, device, limits }) }));
  try {
    return execute(options, { units, memory });
  } finally {
    for (const { engine } of units) engine.close();
  }
}

function refusal(error: unknown): ProgramOutcome {
  if (error instanceof ModuleTooLarge) return { kind: 'refused', message: error.message };
  if (!(error instanceof UnsupportedIr)) throw error;
  const at = error.location;
  return { kind: 'refused', message: error.message, ...(at && { file: fromVirtualPath(at.file), line: at.line }) };
}

interface Parts {
  readonly units: readonly DeviceUnit[];
  readonly memory: DeviceMemory;
}

function execute(options: ProgramOptions, { units, memory }: Parts): ProgramOutcome {
  const device = deviceNamed(options.device)!;
  const host = new HostMemory(memory.line);
  const report = new ReportBuilder({
    isHeader: isPackageFile,
    lineTable: options.lineTable,
    nameOf: (file) => asGiven(fromVirtualPath(file), options.names),
  });
  // The host is linked to functions that call it back: they reach it through this.
  const running: { host?: RunningHost } = {};
  const context = new CudaContext({
    host,
    memory,
    device,
    printed: (bytes) => {
      running.host?.flush();
      options.stdout(bytes);
    },
    asserted: (fault) => options.stderr(assertionText(report.fault(fault))),
  });
  const program = new DeviceProgram({
    units,
    context,
    starting: ({ kernel }) => options.progress(`simulating ${kernelName(kernel)}`),
    everyLaunch: options.everyLaunch,
    finished: (of, launch, { counters, interpretedBecause }, repeats) =>
      report.add({ module: of, launch, device, counters }, { interpretedBecause, repeats }),
  });
  const callHost = (pointer: number, ...args: (number | bigint)[]) => running.host!.call(pointer, ...args);
  const linux = createLinux({
    memory: host,
    args: options.args,
    env: options.env,
    workingDirectory: options.workingDirectory,
    permissions: options.permissions,
    stdout: options.stdout,
    stderr: options.stderr,
    callHost,
  });
  const env = cudaFunctions(context, program, callHost);
  running.host = instantiateHost({ bytes: options.hostModule, memory: host, imports: { linux: linux.imports, env } });
  const { exit, fault, withoutMain } = running.host.run();
  if (withoutMain) return { kind: 'refused', message: WITHOUT_MAIN };
  if (context.unseenOutput.length > 0) options.stderr(unseenNote(context.unseenOutput));
  const faults = [...context.faults.map((each) => report.fault(each)), ...hostFaults(fault, host.writtenNullAddress)];
  const { kernels, interpreted } = report;
  const notes = [
    ...concurrencyNote(linux),
    ...exhaustionNote(linux),
    ...refusedFileNotes(linux),
    ...shortageNote(context),
    ...(faults.length > 0 || exit !== 0 ? missingCallNotes(linux) : []),
    ...(faults.length > 0 ? failedCallNotes(context) : refusalNotes(context)),
  ];
  return {
    kind: 'ended',
    exit: faults.length > 0 ? 1 : exit,
    kernels,
    lines: report.lines(),
    faults,
    interpreted,
    notes,
    refusedFiles: linux.refusals,
  };
}

/** What the host did wrong, the cause before what came of it. */
function hostFaults(fault: FaultReport | undefined, writtenNullAddress: number | undefined): FaultReport[] {
  const trap = fault ? [fault] : [];
  if (writtenNullAddress === undefined) return trap;
  const message = `the host program wrote through a null pointer (address 0x${writtenNullAddress.toString(16)}): check the result of malloc or cudaMallocHost`;
  return [{ kind: 'host-fault', message }, ...trap];
}

/** The order of what a program started is one that a machine might have chosen, and the same in every run. */
function concurrencyNote({ concurrency }: Linux): string[] {
  if (concurrency.threads) return ['threads of the host program ran one after the other, each when it was created'];
  return concurrency.teams ? ['OpenMP regions of the host program ran with one thread'] : [];
}

/** Unlike the machine that the program was written for, a simulated program has addresses of 32 bits. */
function exhaustionNote({ refusedMemory }: Linux): string[] {
  if (!refusedMemory) return [];
  return [
    `host memory ran out: malloc or new asked for ${mebibytes(refusedMemory.sizeBytes)} more while the program held ` +
      `${mebibytes(refusedMemory.heldBytes)}; host and device have addresses below 4 GiB between them, so run it with a smaller size`,
  ];
}

/** A GPU has more memory than 32-bit addresses reach. */
function shortageNote({ shortage, device }: CudaContext): string[] {
  if (!shortage) return [];
  const { call, sizeBytes, heldBytes } = shortage;
  return [
    `device memory ran out: ${call} asked for ${mebibytes(sizeBytes)} while the program held ${mebibytes(heldBytes)}, which an ${device.name} ` +
      'has and the simulator, with addresses below 4 GiB for host and device together, has not: run it with a smaller size',
  ];
}

function mebibytes(sizeBytes: number): string {
  return `${Math.ceil(sizeBytes / 2 ** 20)} MiB`;
}

const MOST_REFUSED_FILES = 3;

/** What to allow, once for each file; the program itself was told EACCES. */
function refusedFileNotes({ refusals }: Linux): string[] {
  const more = refusals.length - MOST_REFUSED_FILES;
  return [
    ...refusals.slice(0, MOST_REFUSED_FILES).map(refusalNote),
    ...(more > 0 ? [`and ${more} more files were out of the program's reach`] : []),
  ];
}

function refusalNote(refusal: Refusal): string {
  const { access, path } = refusal;
  if (refusal.protected) {
    return `the program may not write ${path}: below the folders that it may write, names that begin with a dot and node_modules are read-only`;
  }
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  return `the program may not ${access} ${path}: it is outside the program's folders. To allow it, pass --allow-${access}=${folder}, or set lanewise.run.allow${access === 'read' ? 'Read' : 'Write'}`;
}

/** A program that failed may have needed what the simulated Linux does not have. */
function missingCallNotes({ missing }: Linux): string[] {
  return [...missing].map(
    (name) => `the program asked Linux for ${name}(), which the simulator does not have: the call failed with ENOSYS`,
  );
}

const MOST_FAILED_CALLS = 3;

function failedCallNotes({ failedCalls }: CudaContext): string[] {
  const calls = [...failedCalls];
  const more = calls.length - MOST_FAILED_CALLS;
  return [
    ...calls.slice(0, MOST_FAILED_CALLS).map((call) => `before the fault a call failed: ${call}`),
    ...(more > 0 ? [`and ${more} more calls failed`] : []),
  ];
}

/** Without a check, a program goes on with what memory held before. */
function refusalNotes({ unseenRefusals }: CudaContext): string[] {
  const notes = unseenRefusals.map(
    ({ kernel, code }) =>
      `a launch of ${kernelName(kernel)} failed, so the kernel did not run: ${errorName(code)} (${errorText(code)}); ` +
      'the program never asked for it by cudaGetLastError()',
  );
  return [...new Set(notes)].slice(0, MOST_FAILED_CALLS);
}

/** `reduce` for `void reduce<int>(const int *)`. */
function kernelName(mangled: string): string {
  return demangle(mangled)
    .replace(/^\w+ /, '')
    .replace(/[<(].*$/s, '');
}

/** As the CUDA runtime prints it, for the first thread that failed. */
function assertionText({ file, line, kernel, block, thread, message }: FaultReport): Uint8Array {
  const where = `${file ?? '?'}:${line ?? 0}: ${kernel}: block: [${block}], thread: [${thread}]`;
  return new TextEncoder().encode(`${where} ${message.replace(/^a/, 'A')}.\n`);
}

function unseenNote(output: readonly Uint8Array[]): Uint8Array {
  const sizeBytes = output.reduce((sum, { length }) => sum + length, 0);
  return new TextEncoder().encode(
    `lanewise: ${sizeBytes} bytes that kernels printed were never shown, as on a GPU: call cudaDeviceSynchronize() before the program ends\n`,
  );
}

function cudaFunctions(
  context: CudaContext,
  program: DeviceProgram,
  callHost: (pointer: number, ...args: (number | bigint)[]) => number,
): Functions {
  const streams = new StreamTable();
  const symbols = new Map<number, { address: number; sizeBytes: number }>();
  return {
    ...propertyFunctions(context),
    ...deviceFunctions(context),
    ...memoryFunctions(context, { symbols, streams }),
    ...streamFunctions({ context, streams, callHost }),
    ...launchFunctions({ context, program, streams, symbols, callHost }),
  };
}
