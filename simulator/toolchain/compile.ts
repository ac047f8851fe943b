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
import { compileArgs, type Debug, type FlagOptions, gpuBinary, linkArgs, output, type Side } from './flags.ts';
import { fitsPrecompiledHeader, precompiledHeader, precompiledHeaderPath } from './precompiled-headers.ts';
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
  /** Default: lines. */
  readonly debug?: Debug;
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
  /**
   * Device symbols of `__managed__` variables. They are registered as ordinary device variables; the host reads and writes its own copy
   * (the shadow that __cudaRegisterVar names), which the runtime keeps equal at launches and synchronisations.
   */
  readonly managedVariables: readonly string[];
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
  const { device, host } = await compileBothSides(request);
  const diagnostics = mergeDiagnostics(device.diagnostics, host.diagnostics);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { kind: 'compile-error', diagnostics };
  const failure = device.failure ?? host.failure;
  if (failure || !device.output || !host.output) return { kind: 'refused', message: internalError(failure ?? 'no output') };

  request.progress?.('linking');
  const linkStart = performance.now();
  const linked = await runTool({ args: linkArgs(), files: [[output.host, host.output]], output: output.link }, request.signal);
  if (!linked.output) return linkFailure(linked, request.file);
  const milliseconds = { device: device.milliseconds, host: host.milliseconds, link: since(linkStart), total: since(start) };
  const deviceIr = new TextDecoder().decode(device.output);
  const managedVariables = Array.from(deviceIr.matchAll(/^@"?([^ "]+)"? = .*, section "managed"/gm), ([, name]) => name);
  return { kind: 'compiled', deviceIr, hostModule: linked.output, managedVariables, warnings: diagnostics, milliseconds };
}

interface SideResult {
  readonly diagnostics: readonly ProgramDiagnostic[];
  readonly output?: Uint8Array;
  /** Why there is no output although the program has no error. */
  readonly failure?: string;
  readonly milliseconds: number;
}

type Attempt = Pick<FlagOptions, 'deviceLaunches'> & { readonly precompiled: boolean };

/**
 * Compiles with the precompiled headers first. They show a program names that it did not include, which may clash with its own: so an error
 * counts only if it remains without them, unless it is of a kind that no clash causes. Kernels that launch kernels show themselves by Clang's error, and need another mode of both passes.
 */
async function compileBothSides(request: CompileRequest): Promise<Record<Side, SideResult>> {
  let attempt: Attempt = { precompiled: fitsPrecompiledHeader(request.defines), deviceLaunches: false };
  for (;;) {
    const [device, host] = await Promise.all([compileSide('device', request, attempt), compileSide('host', request, attempt)]);
    const launches = attempt.deviceLaunches || [device, host].some(({ diagnostics }) => diagnostics.some(wantsDeviceLaunches));
    // The precompiled headers are made for the usual mode.
    if (launches !== attempt.deviceLaunches) attempt = { deviceLaunches: true, precompiled: false };
    else if (attempt.precompiled && [device, host].some(mayBeClash)) attempt = { ...attempt, precompiled: false };
    else return { device, host };
  }
}

/** Errors that more declarations cannot cause: these stand at once, so that a forgotten semicolon is told without a second compilation. */
const plainError =
  /^(expected |use of undeclared identifier|unknown type name|.* file not found$|no member named|unterminated|extraneous|cannot open file|source file is not)/;

function mayBeClash({ output: compiled, diagnostics }: SideResult): boolean {
  if (compiled) return false;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0 || errors.some(({ message }) => !plainError.test(message));
}

function wantsDeviceLaunches({ message }: ProgramDiagnostic): boolean {
  return message.includes('requires -fgpu-rdc');
}

async function compileSide(side: Side, request: CompileRequest, attempt: Attempt): Promise<SideResult> {
  const start = performance.now();
  const files: [string, Uint8Array][] = [];
  const precompiled = attempt.precompiled && !(side === 'device' && request.debug === 'headers');
  const header = precompiled ? await precompiledHeader(side) : undefined;
  if (header) files.push([precompiledHeaderPath[side], header]);
  if (side === 'host') files.push([gpuBinary, new Uint8Array([1])]);
  if (request.text !== undefined) files.push([toVirtualPath(request.file), new TextEncoder().encode(request.text)]);
  const args = compileArgs(side, request.file, {
    includeDirs: request.includeDirs,
    defines: request.defines,
    debug: request.debug ?? 'lines',
    deviceLaunches: attempt.deviceLaunches,
    precompiledHeader: header && precompiledHeaderPath[side],
  });
  const result = await runTool({ args, files, output: output[side] }, request.signal);
  const succeeded = result.exit === 0 && result.output !== undefined;
  return {
    diagnostics: parseDiagnostics(result.errorText, request.file),
    output: succeeded ? result.output : undefined,
    failure: succeeded ? undefined : (result.crash ?? lastLine(result.errorText)),
    milliseconds: since(start),
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

function since(start: number): number {
  return performance.now() - start;
}
