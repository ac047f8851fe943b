/** What a run takes unless the user says otherwise, for those who name it without running anything themselves. */

/** How the sanitizer is strict. */
export interface SanitizeChoices {
  /** Stores of one value by several threads are races, too. */
  readonly equalValues?: boolean;
}

export const ENGINE_NAMES = ['compiler', 'interpreter'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];
export const DEFAULT_ENGINE: EngineName = 'compiler';

/** Maximum warp instructions of one launch: minutes of simulation, hundreds of times what lessons need. */
export const DEFAULT_STEP_LIMIT = 10_000_000_000;

export function isEngineName(name: unknown): name is EngineName {
  return ENGINE_NAMES.some((known) => known === name);
}
