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
import type { ProgramDiagnostic } from '../../protocol/report.ts';

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

export type CompileProgram = (request: CompileRequest) => Promise<CompiledProgram | CompileFailure>;
