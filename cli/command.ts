/** What a command of `lanewise` is, and how commands report wrong usage. */
export interface Command {
  readonly name: string;
  /** One line for `lanewise --help`. */
  readonly summary: string;
  /** Full text for `lanewise NAME --help`. */
  readonly help: string;
  /** Runs with the arguments behind its name; the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** The command line makes no sense: the message says why, the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const EXIT_USAGE = 2;
