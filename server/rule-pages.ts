/**
 * What the pages of docs/rules say in short: the first paragraph, which is why a rule exists, and the first of the evidence; in the editor's
 * language where the extension has them (l10n/pages.*.json).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { assets } from '#platform';
import { localTable } from './local-tables.ts';

export interface RulePage {
  readonly why: string;
  readonly evidence: string | undefined;
  readonly uri: string;
}

/** By rule. `of` is the digest of the English text: a translation of what has been rewritten since is not shown. */
type Pages = Readonly<Record<string, { readonly why: string; readonly evidence: string; readonly of: string }>>;

const pages = new Map<string, RulePage | undefined>();
let translations: Pages = {};

/** By a tag such as `fr`. */
export function speakOfPages(locale: string | undefined): void {
  translations = localTable<Pages>('pages', locale) ?? {};
  pages.clear();
}

/** Nothing for what has no page. */
export function rulePage(rule: string): RulePage | undefined {
  if (!pages.has(rule)) pages.set(rule, readPage(rule, assets.path('rules', `${rule}.md`)));
  return pages.get(rule);
}

function readPage(rule: string, path: string): RulePage | undefined {
  try {
    const english = excerpts(readFileSync(path, 'utf8'));
    const own = translations[rule];
    const said = own?.of === digestOf(english) ? { why: own.why, evidence: own.evidence } : english;
    return { ...said, uri: pathToFileURL(path).href };
  } catch {
    return undefined;
  }
}

export function excerpts(page: string): Pick<RulePage, 'why' | 'evidence'> {
  const paragraphs = page.split(/\r?\n(?:[ \t]*\r?\n)+/).map((paragraph) => paragraph.trim());
  const why = paragraphs.find((paragraph) => !paragraph.startsWith('#')) ?? '';
  const evidence = paragraphs.indexOf('## Evidence');
  return { why, evidence: evidence < 0 ? undefined : paragraphs[evidence + 1] };
}

export function digestOf({ why, evidence }: Pick<RulePage, 'why' | 'evidence'>): string {
  return createHash('sha256').update(`${why}\n${evidence}`).digest('hex').slice(0, 8);
}
