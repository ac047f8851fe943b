/** What a run takes unless the user says otherwise, for those who name it without running anything themselves. */

/** How the sanitizer is strict. */
export interface SanitizeChoices {
  /** Stores of one value by several threads are races, too. */
  readonly equalValues?: boolean;
}

/**
 * What the sanitizer does in a run: with choices all that it can, nothing at all, or, unless something is given, races and uninitialised
 * reads as far as they cost little.
 */
export type Sanitize = SanitizeChoices | 'off' | undefined;

/** Somebody has asked for all that the sanitizer can find. */
export function isSanitized(sanitize: Sanitize): sanitize is SanitizeChoices {
  return typeof sanitize === 'object';
}

export const ENGINE_NAMES = ['compiler', 'interpreter'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];
export const DEFAULT_ENGINE: EngineName = 'compiler';

/** Maximum warp instructions of one launch: minutes of simulation, hundreds of times what lessons need. */
export const DEFAULT_STEP_LIMIT = 10_000_000_000;

export function isEngineName(name: unknown): name is EngineName {
  return ENGINE_NAMES.some((known) => known === name);
}
