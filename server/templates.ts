/**
 * Texts that are made in English and known again by templates, to be said in another language. A place in capitals takes words that have a
 * translation themselves, or a name; others take what is the same in every language. What no template knows stays English.
 */
import { filled } from '../analyzers/wording.ts';
import type { Texts } from '../counters/spoken.ts';

interface Template {
  readonly pattern: RegExp;
  readonly said: string;
}

/** Somebody's own text may be in a text, of any length. */
const MOST_CHARACTERS = 2000;

/** What a table has of a text: undefined for what it does not know. */
export function sayings(table: Texts): (english: string) => string | undefined {
  const literal = ([english]: readonly [string, string]) => english.replace(/\{\w+\}/g, '').length;
  // What says more by itself first: the others would take its words for theirs.
  const entries = Object.entries(table).sort((a, b) => literal(b) - literal(a));
  const templates = entries.map(([english, said]): Template => ({ pattern: patternOf(english), said }));
  const known = (text: string): string | undefined => {
    if (Object.hasOwn(table, text)) return table[text];
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
  };
  const word = (part: string): string | undefined => known(part) ?? (/\s/.test(part) ? undefined : part);
  return (english) => (english.length > MOST_CHARACTERS ? undefined : known(english));
}

/** A place that comes again has the same text again. */
function patternOf(english: string): RegExp {
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const seen = new Set<string>();
  const place = (name: string): string => {
    if (seen.has(name)) return `\\k<${name}>`;
    seen.add(name);
    return `(?<${name}>.+?)`;
  };
  const parts = english.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? literal(part) : place(part)));
  return new RegExp(`^${parts.join('')}$`, 's');
}
