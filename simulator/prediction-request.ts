/** What is asked of the predictor about a file, and what it answers. Types only. */
import type { KernelShape } from '../protocol/compiled.ts';
import type { ProgramDiagnostic } from '../protocol/report.ts';
import type { RunLimits } from './options/limits.ts';
import type { ModulePrediction } from './predict-module.ts';
import type { Readable, UnsavedTexts } from './toolchain/readable-files.ts';

export interface PredictionRequest {
  /** Absolute path. */
  readonly file: string;
  /** Absolute path of the header that is asked about; the file itself unless given. */
  readonly header?: string;
  /** Unsaved text of the file, if it differs from the disk. */
  readonly text?: string;
  /** Unsaved texts of further files. */
  readonly unsaved?: UnsavedTexts;
  readonly includeDirs: readonly string[];
  /** What the compiler may read besides the file's own folder; the include paths unless given. */
  readonly readable?: Readable;
  /** NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  readonly shapes: readonly KernelShape[];
  /** Those that are Clang's. */
  readonly limits?: Partial<RunLimits>;
  readonly signal?: AbortSignal;
}

export type PredictionResult = ModulePrediction | { readonly kind: 'compile-error'; readonly diagnostics: readonly ProgramDiagnostic[] };
