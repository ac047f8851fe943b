/**
 * Hovers: the analyzers' picture for clients that show images, Markdown, and for a finding why it matters and the page of its rule. The
 * picture comes first: VS Code shows 250 pixels of a hover, part of them taken by the finding's message, and scrolls to the rest.
 */
import type { Hover as LspHover } from 'vscode-languageserver/node';
import { l10n } from '../counters/spoken.ts';
import type { Hover } from '../protocol/finding.ts';
import { toRange } from './convert.ts';
import { saidOfHovers } from './hover-texts.ts';
import type { RulePage } from './rule-pages.ts';

export interface HoverOptions {
  /** The ground that the client shows pictures on; undefined where it shows none. */
  readonly pictures: Ground | undefined;
  /** The client renders pages of rules itself. */
  readonly rendersPages: boolean;
  readonly pageOf: (rule: string) => RulePage | undefined;
}

export type Ground = 'light' | 'dark';

/** At least 4.5:1 on the grounds of hovers in the themes that come with VS Code. */
export const INK: Readonly<Record<Ground, string>> = { light: '#3b3b3b', dark: '#cccccc' };

export function toHover({ range, markdown: english, rule, picture }: Hover, { pictures, rendersPages, pageOf }: HoverOptions): LspHover {
  const markdown = saidOfHovers(english);
  const page = rule === undefined ? undefined : pageOf(rule);
  const parts = [
    pictures && picture ? imageOf(picture, pictures, textOf(markdown)) : undefined,
    markdown,
    page?.why,
    page?.evidence,
    page && `[${l10n.t('All about {0}', rule!)}](${rendersPages ? showRuleLink(rule!) : page.uri})`,
  ];
  return { range: toRange(range), contents: { kind: 'markdown', value: parts.filter(Boolean).join('\n\n') } };
}

function imageOf(picture: string, ground: Ground, alternative: string): string {
  const coloured = picture.replace(/^<svg/, `<svg color="${INK[ground]}"`);
  return `![${alternative}](data:image/svg+xml;base64,${Buffer.from(coloured).toString('base64')})`;
}

/** What the picture shows is what the words say: for those who do not see it. */
function textOf(markdown: string): string {
  // Brackets would end an image's text in Markdown.
  const plain = plainText(markdown).replaceAll('[', '(').replaceAll(']', ')');
  return l10n.t('Picture: {0}', plain.length > MOST_ALTERNATIVE ? `${plain.slice(0, MOST_ALTERNATIVE)}…` : plain);
}

/** Without headings and marks. */
export function plainText(markdown: string): string {
  const said = markdown.split('\n\n').filter((paragraph) => !/^(\*\*|---)/.test(paragraph));
  const paragraphs = said.length > 0 ? said : [markdown];
  return paragraphs
    .join(' ')
    .replace(/(`+) ?(.*?) ?\1(?!`)/g, (_, __, code: string) => (isPlain(code) ? code : '…'))
    .replace(/\*\*|[`<>\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Code that reads as code; comments and what stands in strings could read as anything. */
function isPlain(code: string): boolean {
  return /^[\w\s.,:()[\]{}+\-*/%<>=!&|]*$/.test(code) && !/\/[*/]|\]\s*\(/.test(code);
}

const MOST_ALTERNATIVE = 300;

/** A command of the extension. */
function showRuleLink(rule: string): string {
  return `command:lanewise.showRule?${encodeURIComponent(JSON.stringify([rule]))}`;
}
