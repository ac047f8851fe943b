/** Hovers: CUDA's own names, kernels, findings, and what a warp does at the access or branch under the cursor. */
import type { Finding, Hover, Position } from '../../protocol/finding.ts';
import type { AccessFacts, BranchFacts, KernelFacts, Place } from '../model/facts.ts';
import type { FileModel } from '../model/file.ts';
import { RULES } from '../rules/registry.ts';
import { type LineTable, offsetAt, positionAt, rangeOf, type Source } from '../syntax/source.ts';
import { BUILTINS } from './builtins.ts';
import { banksPicture, levelsPicture, sectorsPicture } from './pictures.ts';

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
  const finding = innermost(findings.filter((f) => covers(f, position)));
  const rule = finding?.rule;
  const word = wordAt(source.text, offset);
  if (word) {
    const known = Object.hasOwn(BUILTINS, word.text) ? BUILTINS[word.text] : undefined;
    const range = { start: positionAt(lines, word.start), end: positionAt(lines, word.end) };
    if (known) return { range, rule, markdown: finding ? `${known}\n\n---\n\n${headline(finding)}` : known };
    const kernel = model.facts.kernels.find((k) => k.name === word.text);
    if (kernel && !finding) return { range, markdown: kernelText(kernel) };
  }
  const access = smallest(model, offset, (v) => v.accesses);
  if (access?.laneOffsets) {
    const explained = accessHover(access);
    if (explained)
      return {
        range: rangeOf(access.place, lines),
        rule,
        picture: explained.picture,
        markdown: finding ? `${headline(finding)}\n\n${explained.markdown}` : explained.markdown,
      };
  }
  const branch =
    finding &&
    smallest(model, offset, (v) =>
      v.branches.filter((b) => b.splits.kind === 'lanes').map((b) => ({ ...b, place: b.headPlace, splits: b.splits })),
    );
  if (finding) return { range: finding.range, rule, markdown: headline(finding), picture: branch && branchPicture(branch) };
  return undefined;
}

/** The innermost fact at an offset, of the variant where it is worst if there are several. */
function smallest<T extends { readonly place: Place }>(
  model: FileModel,
  offset: number,
  of: (v: KernelFacts['variants'][number]) => readonly T[],
): T | undefined {
  let best: T | undefined;
  for (const kernel of model.facts.kernels) {
    for (const variant of kernel.variants) {
      for (const fact of of(variant)) {
        const { item, start, end } = fact.place;
        if (!model.owns(fact.place)) continue;
        if (offset < item.start + start || offset > item.start + end) continue;
        if (!best || end - start < best.place.end - best.place.start) best = fact;
      }
    }
  }
  return best;
}

function accessHover(access: AccessFacts): { markdown: string; picture?: string } | undefined {
  const size = access.type.size ?? 4;
  const verb = access.kind === 'load' ? 'Load' : 'Store';
  const { global, shared, laneOffsets = [] } = access;
  if (global && !global.gathered) {
    const waste = global.sectors > global.idealSectors * 1.3 ? `, ${round(global.idealSectors)} would do` : '';
    return {
      markdown: `${verb} of \`${access.text}\` in global memory: ${round(global.sectors)} sectors of 32 bytes per request of a warp${waste} (predicted).`,
      picture: sectorsPicture(laneOffsets, size),
    };
  }
  if (shared) {
    const conflict = shared.ways > 1.1 ? `${round(shared.ways)}-way bank conflict` : 'no bank conflict';
    return {
      markdown: `${verb} of \`${access.text}\` in shared memory: ${round(shared.wavefronts)} wavefronts per request, ${conflict} (predicted).`,
      picture: banksPicture(laneOffsets, size),
    };
  }
  return undefined;
}

function branchPicture(branch: BranchFacts): string | undefined {
  const { levels } = branch.splits;
  return levels && levels.length > 1 ? levelsPicture(levels) : undefined;
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}

/** Of findings over each other, the one with the smaller range; the first of equals. */
function innermost(findings: readonly Finding[]): Finding | undefined {
  return findings.find((f) => findings.every((other) => other === f || !within(other, f) || within(f, other)));
}

function within(inner: Finding, outer: Finding): boolean {
  return covers(outer, inner.range.start) && covers(outer, inner.range.end);
}

function covers(finding: Finding, { line, column }: Position): boolean {
  const { start, end } = finding.range;
  if (line < start.line || line > end.line) return false;
  return !(line === start.line && column < start.column) && !(line === end.line && column > end.column);
}

function wordAt(text: string, offset: number): { text: string; start: number; end: number } | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && /\w/.test(text[start - 1])) start--;
  while (end < text.length && /\w/.test(text[end])) end++;
  return start === end ? undefined : { text: text.slice(start, end), start, end };
}

function headline(finding: Finding): string {
  const rule = RULES.find((r) => r.id === finding.rule);
  return `**${rule?.summary ?? finding.rule}** (predicted)`;
}

function kernelText(kernel: KernelFacts): string {
  const lines = [`**Kernel \`${kernel.name}\`**`];
  for (const variant of kernel.variants) {
    const { x, y, z } = variant.block;
    const threads = x * y * z;
    const shape = `${x}${y * z > 1 ? ` × ${y}` : ''}${z > 1 ? ` × ${z}` : ''}`;
    const { grid } = variant;
    const count = grid.x === undefined || grid.y === undefined || grid.z === undefined ? undefined : grid.x * grid.y * grid.z;
    if (!variant.blockKnown) lines.push('No launch with a known block in this file: blocks of 256 threads are assumed.');
    else {
      const blocks = count === undefined ? 'blocks' : count === 1 ? '1 block' : `${count} blocks`;
      lines.push(
        `\`${variant.label}\`: ${blocks} of ${shape} threads = ${Math.ceil(threads / 32)} warps each${threads % 32 === 0 ? '' : `, the last with ${threads % 32} lanes`}.`,
      );
    }
    if (variant.staticSharedBytes) lines.push(`${variant.staticSharedBytes} bytes of static shared memory.`);
    const global = variant.accesses.filter((a) => a.global && !a.global.gathered);
    const poor = global.filter((a) => a.global!.sectors > a.global!.idealSectors * 1.3);
    if (global.length > 0) lines.push(`${global.length} global accesses with a known pattern, ${poor.length} of them uncoalesced.`);
  }
  return lines.join('\n\n');
}
