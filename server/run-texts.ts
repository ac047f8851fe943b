/**
 * What runs say of faults and what the sanitizer has found, in the editor's language. A report has them in English; here they are known
 * again by the templates of l10n/runs.*.json. A place in capitals takes words that have a translation themselves, or a name; others take
 * what is the same in every language. What no template knows is said in English.
 */
import { filled } from '../analyzers/wording.ts';
import { localTable } from './local-tables.ts';

interface Template {
  readonly pattern: RegExp;
  readonly said: string;
}

/** Somebody's own text may be in a message, of any length. */
const MOST_CHARACTERS = 2000;

let templates: readonly Template[] = [];

/** By a tag such as `fr`. */
export function speakOfRuns(locale: string | undefined): void {
  const table = Object.entries(localTable<Readonly<Record<string, string>>>('runs', locale) ?? {});
  templates = table.map(([english, said]) => ({ pattern: patternOf(english), said }));
}

export function saidOfRuns(english: string): string {
  return english.length > MOST_CHARACTERS ? english : (known(english) ?? english);
}

export function patternOf(english: string): RegExp {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const parts = english.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? literal(part) : `(?<${part}>.+?)`));
  return new RegExp(`^${parts.join('')}$`, 's');
}

function known(text: string): string | undefined {
  for (const { pattern, said } of templates) {
    const match = pattern.exec(text);
    if (!match) continue;
    const parts = Object.entries(match.groups ?? {}).map(
      ([place, part]) => [place, place === place.toUpperCase() ? word(part) : part] as const,
    );
    if (parts.every(([, part]) => part !== undefined))
      return filled(said, Object.fromEntries(parts) as Record<string, string>, () => undefined);
  }
  return undefined;
}

function word(part: string): string | undefined {
  return known(part) ?? (/\s/.test(part) ? undefined : part);
}
