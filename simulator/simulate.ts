/**
 * The simulator's façade: what the command line and the language server call. `startSimulation` runs a program in a worker thread
 * of its own, so that it can be cancelled at any moment.
 */
import type { ProgramDiagnostic, Report } from '../protocol/report.ts';

export interface SimulationRequest {
  /** Absolute path of the .cu file. */
  readonly file: string;
  readonly args: readonly string[];
  readonly includeDirs: readonly string[];
  /** NAME or NAME=VALUE. */
  readonly defines: readonly string[];
  readonly device: string;
  readonly engine: 'compiler' | 'interpreter';
  /** Most warp-level instructions per launch. */
  readonly stepLimit: number;
  /** Unsaved text of `file`, if it differs from the disk. */
  readonly text?: string;
}

export interface SimulationEvents {
  /** Bytes of the program's output, as they come. */
  stdout?(bytes: Uint8Array): void;
  stderr?(bytes: Uint8Array): void;
  /** What is being done now, for a progress line: "compiling device code", "simulating reduceModulo". */
  progress?(message: string): void;
}

export type SimulationResult =
  /** The program ran: to its end, to a fault or to a limit (report.faults). `warnings`: what Clang remarked. */
  | { readonly kind: 'finished'; readonly report: Report; readonly warnings: readonly ProgramDiagnostic[] }
  | { readonly kind: 'compile-error'; readonly diagnostics: readonly ProgramDiagnostic[] }
  | { readonly kind: 'cancelled' }
  /** The request cannot be served (no such file, no such device, an unsupported feature): one sentence that says what to do. */
  | { readonly kind: 'refused'; readonly message: string; readonly file?: string; readonly line?: number };

export interface Simulation {
  readonly result: Promise<SimulationResult>;
  cancel(): void;
}

export type StartSimulation = (request: SimulationRequest, events: SimulationEvents) => Simulation;
