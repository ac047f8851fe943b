/** What the pages of docs/rules say in short: the first paragraph, which is why a rule exists, and the first of the evidence. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { assets } from '#platform';

export interface RulePage {
  readonly why: string;
  readonly evidence: string | undefined;
  readonly uri: string;
}

const pages = new Map<string, RulePage | undefined>();

/** Nothing for what has no page. */
export function rulePage(rule: string): RulePage | undefined {
  if (!pages.has(rule)) pages.set(rule, readPage(assets.path('rules', `${rule}.md`)));
  return pages.get(rule);
}

function readPage(path: string): RulePage | undefined {
  try {
    return { ...excerpts(readFileSync(path, 'utf8')), uri: pathToFileURL(path).href };
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
