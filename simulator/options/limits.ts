/** What a run may take beside steps. Each limit has a name, which the command line, the settings and the messages share. */

export interface RunLimit {
  readonly default: number;
  /** What it limits, for help and settings: goes behind "Most". */
  readonly what: string;
}

export const RUN_LIMITS = {
  compileSeconds: { default: 60, what: 'seconds that Clang may take for each source file' },
  sourceMiB: { default: 32, what: 'MiB of a source file or header' },
  bracketDepth: { default: 256, what: 'brackets inside one another in a source file' },
  templateDepth: { default: 1024, what: 'templates inside one another' },
  hostMemoryMiB: { default: 4096, what: 'MiB of memory of the host program; host and device have less than 4096 between them' },
  deviceMemoryMiB: { default: 4096, what: 'MiB of device memory; host and device have less than 4096 between them' },
  outputMB: { default: 10, what: 'million characters of output that the report keeps and the editor shows' },
  files: { default: 10_000, what: 'files, folders and links that a program may create' },
  fileMiB: { default: 1024, what: 'MiB that a program may write to files' },
  pendingLaunches: { default: 100_000, what: 'launches of one kernel in device code that may wait for its end' },
  reportLaunches: { default: 100_000, what: 'launches that the report lists one by one; the counters of lines include all' },
} as const satisfies Readonly<Record<string, RunLimit>>;

export type LimitName = keyof typeof RUN_LIMITS;
export type RunLimits = Readonly<Record<LimitName, number>>;

export const LIMIT_NAMES = Object.keys(RUN_LIMITS) as readonly LimitName[];

export function isLimitName(name: string): name is LimitName {
  return LIMIT_NAMES.some((known) => known === name);
}

/** All limits, with their defaults where nothing else is said. */
export function withDefaults(limits: Partial<RunLimits> = {}): RunLimits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name] ?? RUN_LIMITS[name].default])) as Record<LimitName, number>;
}

/** For messages: how to allow more. */
export function howToRaise(name: LimitName): string {
  return `to allow more, pass --limit ${name}=N, or set lanewise.limits.${name}`;
}
