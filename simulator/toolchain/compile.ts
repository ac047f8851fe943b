/**
 * Compiles a CUDA C++ program with Clang: `compileProgram` gives the device's LLVM IR (text) and the host's WebAssembly module.
 *
 *   const result = await compileProgram({ file: '/abs/a.cu', includeDirs: [], defines: [] });
 *   if (result.kind === 'compiled') use(result.deviceIr, result.hostModule, result.warnings);
 *
 * It never throws for what the user wrote: syntax errors are `compile-error`, a missing file is `refused`. The host module is a WASI
 * command: it exports `memory`, `_start`, `malloc`, `free` and the function table `__indirect_function_table`, and imports
 * `wasi_snapshot_preview1.*` and, from `env`, every CUDA runtime function that it uses by its real name (see ../include/README.md).
 * Clang runs in worker threads that end by themselves when idle; they never keep the process alive.
 */
import { statSync } from 'node:fs';
import type { ProgramDiagnostic } from '../../protocol/report.ts';
import { runTool } from './clang-pool.ts';
import { mergeDiagnostics, parseDiagnostics } from './diagnostics.ts';
import { compileArgs, type FlagOptions, gpuBinary, linkArgs, output, type Side } from './flags.ts';
import { toVirtualPath } from './virtual-paths.ts';
import type { ToolResult } from './worker.ts';

export interface CompileRequest {
  /** Absolute path of the .cu file. */
  readonly file: string;
  /** Unsaved text of `file`, if it differs from the disk. */
  readonly text?: string;
  /** Absolute paths (-I), searched in order after the file's own folder. */
  readonly includeDirs: readonly string[];
  /** NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  /** `lines`: !dbg locations with inlining chains. `full`: variables and types as well. Default: lines. */
  readonly debug?: 'lines' | 'full';
  /** Told what is being done, for a progress line. */
  readonly progress?: (message: string) => void;
  /** Ends the compilation; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface CompiledProgram {
  readonly kind: 'compiled';
  /** Text of the optimised device module. */
  readonly deviceIr: string;
  readonly hostModule: Uint8Array;
  readonly warnings: readonly ProgramDiagnostic[];
  readonly milliseconds: { readonly device: number; readonly host: number; readonly link: number; readonly total: number };
}

export type CompileFailure =
  | { readonly kind: 'compile-error'; readonly diagnostics: readonly ProgramDiagnostic[] }
  /** No such file, not a text file, or the toolchain itself failed: one sentence that says what to do. */
  | { readonly kind: 'refused'; readonly message: string };

export async function compileProgram(request: CompileRequest): Promise<CompiledProgram | CompileFailure> {
  const start = performance.now();
  const refusal = request.text === undefined ? refuseFile(request.file) : undefined;
  if (refusal) return { kind: 'refused', message: refusal };
  request.progress?.('compiling');
  const [device, host] = await Promise.all([compileSide('device', request), compileSide('host', request)]);
  const diagnostics = mergeDiagnostics(device.diagnostics, host.diagnostics);
  const crash = device.crash ?? host.crash;
  if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'compile-error', diagnostics };
  if (crash || !device.output || !host.output) return { kind: 'refused', message: internalError(crash ?? 'no output') };

  request.progress?.('linking');
  const linkStart = performance.now();
  const linked = await runTool({ args: linkArgs(), files: [[output.host, host.output]], output: output.link }, request.signal);
  if (!linked.output) return linkFailure(linked, request.file);
  return {
    kind: 'compiled',
    deviceIr: new TextDecoder().decode(device.output),
    hostModule: linked.output,
    warnings: diagnostics,
    milliseconds: {
      device: device.milliseconds,
      host: host.milliseconds,
      link: performance.now() - linkStart,
      total: performance.now() - start,
    },
  };
}

interface SideResult {
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly output?: Uint8Array;
  readonly crash?: string;
  readonly milliseconds: number;
}

async function compileSide(side: Side, request: CompileRequest): Promise<SideResult> {
  const start = performance.now();
  const options: FlagOptions = {
    includeDirs: request.includeDirs,
    defines: request.defines,
    debug: request.debug ?? 'lines',
    deviceLaunches: false,
  };
  const files: [string, Uint8Array][] = [];
  if (side === 'host') files.push([gpuBinary, new Uint8Array([1])]);
  if (request.text !== undefined) files.push([toVirtualPath(request.file), new TextEncoder().encode(request.text)]);
  const result = await runTool({ args: compileArgs(side, request.file, options), files, output: output[side] }, request.signal);
  return {
    diagnostics: parseDiagnostics(result.errorText, request.file),
    output: result.exit === 0 ? result.output : undefined,
    crash: result.crash ?? (result.exit !== 0 ? lastLine(result.errorText) : undefined),
    milliseconds: performance.now() - start,
  };
}

/** Undefined symbols become imports, so what is left is the likes of two definitions of one name. */
function linkFailure(linked: ToolResult, file: string): CompileFailure {
  const diagnostics = parseDiagnostics(linked.errorText, file);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'compile-error', diagnostics };
  return { kind: 'refused', message: internalError(linked.crash ?? lastLine(linked.errorText)) };
}

function refuseFile(file: string): string | undefined {
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status) return `${file}: no such file`;
  if (!status.isFile()) return `${file} is not a file`;
  return undefined;
}

function internalError(reason: string): string {
  return `the compiler failed (${reason}); please report this with the program that caused it`;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
