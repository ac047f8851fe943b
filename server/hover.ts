/**
 * Hovers: the analyzers' picture for clients that show images, Markdown, and for a finding why it matters and the page of its rule. The
 * picture comes first: VS Code shows 250 pixels of a hover, part of them taken by the finding's message, and scrolls to the rest.
 */
import type { Hover as LspHover } from 'vscode-languageserver/node';
import type { Hover } from '../protocol/finding.ts';
import { toRange } from './convert.ts';
import type { RulePage } from './rule-pages.ts';

export interface HoverOptions {
  readonly pictures: boolean;
  readonly pageOf: (rule: string) => RulePage | undefined;
}

export function toHover({ range, markdown, rule, picture }: Hover, { pictures, pageOf }: HoverOptions): LspHover {
  const page = rule === undefined ? undefined : pageOf(rule);
  const parts = [
    pictures && picture ? `![](data:image/svg+xml;base64,${Buffer.from(picture).toString('base64')})` : undefined,
    markdown,
    page?.why,
    page?.evidence,
    page && `[All about ${rule}](${page.uri})`,
  ];
  return { range: toRange(range), contents: { kind: 'markdown', value: parts.filter(Boolean).join('\n\n') } };
}
