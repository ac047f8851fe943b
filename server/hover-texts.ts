/** What hovers explain, in the editor's language, as l10n/hovers.*.json has it: paragraph by paragraph, else sentence by sentence. */
import { l10n, type Texts } from '../counters/spoken.ts';
import { localTable } from './local-tables.ts';
import { sayings } from './templates.ts';

let said = sayings({});

/** By a tag such as `fr`. */
export function speakOfHovers(locale: string | undefined): void {
  said = sayings(localTable<Texts>('hovers', locale) ?? {});
}

export function saidOfHovers(markdown: string): string {
  return markdown.split('\n\n').map(paragraphSaid).join('\n\n');
}

const PREDICTED = ' (predicted)';

function paragraphSaid(paragraph: string): string {
  const plain = paragraph.replace(PREDICTED, '');
  const own = said(plain) ?? sentencesSaid(plain);
  if (own === undefined || plain === paragraph) return own ?? paragraph;
  // Before the full stop, as in English.
  return own.replace(/[.。]?$/, (end) => ` (${l10n.t('predicted')})${end}`);
}

function sentencesSaid(paragraph: string): string | undefined {
  const sentences = paragraph.split(/(?<=\.) (?=[A-Z\d])/).map((sentence) => said(sentence));
  return sentences.includes(undefined) ? undefined : sentences.join(' ');
}
