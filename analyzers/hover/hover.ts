/** Hovers: a finding under the cursor first, then CUDA's own names, then kernels. */
import type { Finding, Hover, Position } from '../../protocol/finding.ts';
import type { KernelFacts } from '../model/facts.ts';
import type { FileModel } from '../model/file.ts';
import { RULES } from '../rules/registry.ts';
import { type LineTable, offsetAt, positionAt, rangeOf, type Source } from '../syntax/source.ts';
import { BUILTINS } from './builtins.ts';

export interface HoverInput {
  readonly model: FileModel;
  readonly source: Source;
  readonly lines: LineTable;
  readonly findings: readonly Finding[];
  readonly position: Position;
}

export function hoverAt(input: HoverInput): Hover | undefined {
  const { source, lines, position, findings, model } = input;
  const offset = offsetAt(lines, position);
  const word = wordAt(source.text, offset);
  const finding = findings.find((f) => covers(f, position));
  if (word) {
    const known = Object.hasOwn(BUILTINS, word.text) ? BUILTINS[word.text] : undefined;
    const range = { start: positionAt(lines, word.start), end: positionAt(lines, word.end) };
    if (known) return { range, markdown: finding ? `${known}\n\n---\n\n${findingText(finding)}` : known };
    const kernel = model.facts.kernels.find((k) => k.name === word.text);
    if (kernel && !finding) return { range, markdown: kernelText(kernel) };
  }
  if (finding) return { range: finding.range, markdown: findingText(finding) };
  return undefined;
}

function covers(finding: Finding, { line, column }: Position): boolean {
  const { start, end } = finding.range;
  if (line < start.line || line > end.line) return false;
  return !(line === start.line && column < start.column) && !(line === end.line && column > end.column);
}

export function wordAt(text: string, offset: number): { text: string; start: number; end: number } | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && /\w/.test(text[start - 1])) start--;
  while (end < text.length && /\w/.test(text[end])) end++;
  return start === end ? undefined : { text: text.slice(start, end), start, end };
}

function findingText(finding: Finding): string {
  const rule = RULES.find((r) => r.id === finding.rule);
  return `**${rule?.summary ?? finding.rule}** (predicted)\n\n${finding.message}`;
}

function kernelText(kernel: KernelFacts): string {
  const lines = [`**Kernel \`${kernel.name}\`**`];
  for (const variant of kernel.variants) {
    const { x, y, z } = variant.block;
    const threads = x * y * z;
    const shape = `${x}${y * z > 1 ? ` × ${y}` : ''}${z > 1 ? ` × ${z}` : ''}`;
    const blocks =
      variant.grid.x === undefined ? 'unknown grid' : `${variant.grid.x * (variant.grid.y ?? 1) * (variant.grid.z ?? 1)} blocks`;
    if (!variant.blockKnown) lines.push('No launch with a known block in this file: blocks of 256 threads are assumed.');
    else
      lines.push(
        `\`${variant.label}\`: ${blocks} of ${shape} threads = ${Math.ceil(threads / 32)} warps each${threads % 32 === 0 ? '' : `, the last with ${threads % 32} lanes`}.`,
      );
    const shared = variant.staticSharedBytes;
    if (shared) lines.push(`${shared} bytes of static shared memory.`);
    const global = variant.accesses.filter((a) => a.global && !a.global.gathered);
    const poor = global.filter((a) => a.global!.sectors > a.global!.idealSectors * 1.3);
    if (global.length > 0) lines.push(`${global.length} global accesses with known pattern, ${poor.length} of them uncoalesced.`);
  }
  return lines.join('\n\n');
}

export { rangeOf };
