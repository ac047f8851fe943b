/** What runs say of faults and what the sanitizer has found, in the editor's language, as l10n/runs.*.json has it. */
import type { Texts } from '../counters/spoken.ts';
import { localTable } from './local-tables.ts';
import { sayings } from './templates.ts';

let said = sayings({});

/** By a tag such as `fr`. */
export function speakOfRuns(locale: string | undefined): void {
  said = sayings(localTable<Texts>('runs', locale) ?? {});
}

export function saidOfRuns(english: string): string {
  return said(english) ?? english;
}
