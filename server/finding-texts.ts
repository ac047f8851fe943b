/** What findings say, in the editor's language: by tables that the extension has for rules and phrases (l10n/rules.*.json). */
import { filled } from '../analyzers/wording.ts';
import type { Texts } from '../counters/spoken.ts';
import type { Wording } from '../protocol/finding.ts';
import { speakOfHovers } from './hover-texts.ts';
import { localTable } from './local-tables.ts';
import { speakOfPages } from './rule-pages.ts';
import { speakOfRuns } from './run-texts.ts';

let known: Texts = {};

/** And the pages of their rules, hovers and runs. By a tag such as `fr`; a language that there is no table for is English. */
export function speakOfFindings(locale: string | undefined): void {
  speakOfPages(locale);
  speakOfHovers(locale);
  speakOfRuns(locale);
  known = localTable<Texts>('rules', locale) ?? {};
}

/** In English unless the template and all words in it have a translation: half a translation is harder to read than none. */
export function translated(english: string, wording: Wording | undefined): string {
  return (wording && inTable(wording)) ?? english;
}

function inTable({ id, parts }: Wording): string | undefined {
  const template = known[id];
  return template === undefined ? undefined : filled(template, parts, inTable);
}
