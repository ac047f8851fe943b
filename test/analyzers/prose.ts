/** Words of English that a message has without a name for them: its translations would have them, too. */
import type { Finding, Part, Wording } from '../../protocol/finding.ts';

export function proseIn(findings: readonly Finding[], text: string): string[] {
  const wordings = findings.flatMap(({ wording, related, fixes }) => [wording, ...[...related, ...fixes].map((each) => each.wording)]);
  return wordings.flatMap((wording) => (wording ? stringsIn(wording) : ['no wording'])).filter((part) => isProse(part, text));
}

function stringsIn({ parts = {} }: Wording): string[] {
  return Object.values(parts).flatMap((part) => (part === undefined ? [] : stringsOf(part)));
}

function stringsOf(part: Part): string[] {
  if (typeof part === 'string') return [part];
  if (typeof part === 'number') return [];
  return 'id' in part ? stringsIn(part) : part.flatMap(stringsOf);
}

/** The members of a launch are CUDA's names for them. */
const NAMES = ['grid', 'block'];

function isProse(part: string, text: string): boolean {
  if (text.includes(part) || NAMES.includes(part)) return false;
  const words = part.replace(/`[^`]*`/g, '').match(/(?<![\w.])[a-z]{2,}(?![\w(.])/g) ?? [];
  return words.some((word) => !text.includes(word));
}
