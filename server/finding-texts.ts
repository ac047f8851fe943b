/** What findings say, in the editor's language: by tables that the extension has for rules and phrases (l10n/rules.*.json). */
import { readFileSync } from 'node:fs';
import { assets } from '#platform';
import { filled } from '../analyzers/wording.ts';
import type { Texts } from '../counters/spoken.ts';
import type { Wording } from '../protocol/finding.ts';

let known: Texts = {};

/** By a tag such as `fr` or `pt-BR`. A language that there is no table for is English. */
export function speakOfFindings(locale: string | undefined): void {
  known = tableOf(locale?.split(/[-_]/)[0].toLowerCase() ?? '');
}

function tableOf(language: string): Texts {
  if (!/^[a-z]+$/.test(language)) return {};
  try {
    return JSON.parse(readFileSync(assets.path('..', 'l10n', `rules.${language}.json`), 'utf8'));
  } catch {
    return {};
  }
}

/** In English unless the template and all words in it have a translation: half a translation is harder to read than none. */
export function translated(english: string, wording: Wording | undefined): string {
  return (wording && inTable(wording)) ?? english;
}

function inTable({ id, parts }: Wording): string | undefined {
  const template = known[id];
  return template === undefined ? undefined : filled(template, parts, inTable);
}
