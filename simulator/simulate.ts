/**
 * The simulator's façade: what the command line and the language server call. `startSimulation` runs a program in a worker thread
 * of its own, so that it can be cancelled at any moment.
 */
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
