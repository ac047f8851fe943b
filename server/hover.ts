/** Hovers: Markdown, with the analyzers' picture above it for clients that show images. */
import type { Hover as LspHover } from 'vscode-languageserver/node';
import type { Hover } from '../protocol/finding.ts';
import { toRange } from './convert.ts';

export function toHover(hover: Hover, { pictures }: { pictures: boolean }): LspHover {
  const picture = pictures && hover.picture ? `\n\n![](data:image/svg+xml;base64,${Buffer.from(hover.picture).toString('base64')})` : '';
  return { range: toRange(hover.range), contents: { kind: 'markdown', value: hover.markdown + picture } };
}
