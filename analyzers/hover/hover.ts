/** Hovers: CUDA's own names, kernels, findings, and what a warp does at the access or branch under the cursor. */

import type { Finding, Hover, Position, SourceRange } from '../../protocol/finding.ts';
import { type AccessFacts, type BranchFacts, excessOf, type KernelFacts, splitShares, type VariantFacts } from '../model/facts.ts';
import type { FileModel } from '../model/file.ts';
import { codeSpan } from '../printable.ts';
import { RULES } from '../rules/registry.ts';
import type { Place } from '../syntax/source.ts';
import { type LineTable, offsetAt, positionAt, rangeOf, type Source, type Word, wordAt } from '../syntax/source.ts';
import { builtin } from './builtins.ts';
import { launchHover } from './launches.ts';
import { banksPicture, levelsPicture, sectorsPicture } from './pictures.ts';
import { barrierHover, fenceHover } from './scopes.ts';
import { type Explanation, shuffleHover } from './shuffles.ts';

export interface HoverInput {
  readonly model: FileModel;
  readonly source: Source;
  readonly lines: LineTable;
  readonly findings: readonly Finding[];
  readonly position: Position;
}

/**
 * The name under the cursor with what stands around it: a launch, an access or a branch is in reach of all names in it. The finding's
 * title says for all of it that it is predicted.
 */
export function hoverAt(input: HoverInput): Hover | undefined {
  const { model, source, lines, position } = input;
  const offset = offsetAt(lines, position);
  const finding = innermost(input.findings.filter((f) => covers(f, position)));
  const word = wordAt(source.text, offset);
  const name = word && nameText(word, input);
  const effect = word && effectOfName(model, offset, word.text);
  const here: Explained | undefined = effect ?? explanationAt(model, offset);
  const parts = [
    name,
    name && finding && '---',
    finding && headline(finding),
    here && (here.predicted && !finding ? marked(here.markdown) : here.markdown),
  ].filter((part) => part !== undefined);
  const range = word && (name ?? effect) ? rangeOfWord(word, lines) : here?.at ? rangeOf(here.at, lines) : finding?.range;
  if (!range) return undefined;
  return { range, rule: finding?.rule, markdown: parts.join('\n\n'), picture: here?.picture };
}

/** The text on one of CUDA's names or on a kernel. */
function nameText(word: Word, { model, source }: HoverInput): string | undefined {
  const kernel = model.facts.kernels.find((k) => k.name === word.text);
  return builtin(word.text, source.text.slice(word.end, word.end + 40)) ?? (kernel && kernelText(kernel, model));
}

/** An explanation and its place. */
interface Explained extends Explanation {
  readonly at?: Place;
}

/** A shuffle, barrier or fence whose name is the word under the cursor. Its arguments are values like any others. */
function effectOfName(model: FileModel, offset: number, word: string): Explained | undefined {
  const named = <T extends { readonly name: string; readonly place: Place }>(facts: readonly T[]) =>
    facts.filter((fact) => fact.name.split(/[.:]+/).at(-1) === word);
  const shuffle = smallest(model, offset, (v) => named(v.shuffles));
  if (shuffle) return shuffleHover(shuffle.fact);
  const barrier = smallest(model, offset, (v) => named(v.barriers));
  if (barrier) return barrierHover(barrier.fact, barrier.variant);
  const fence = smallest(model, offset, (v) => named(v.fences));
  return fence && fenceHover(fence.fact);
}

function explanationAt(model: FileModel, offset: number): Explained | undefined {
  const launch = model.facts.launches.find((l) => model.owns(l.place) && covered(l.configPlace, offset));
  if (launch) return { ...launchHover(launch, model.facts.device), at: launch.configPlace };
  const access = smallest(
    model,
    offset,
    (v) => v.accesses,
    (access) => (access.kept ? 0 : excessOf(access)),
  )?.fact;
  const explained = access?.laneOffsets && accessHover(access);
  if (explained) return { ...explained, at: access.place };
  // A branch may diverge although no rule reports it.
  const branch = smallest(
    model,
    offset,
    (v) => v.branches.filter((b) => b.splits.kind === 'lanes').map((b) => ({ place: b.headPlace, branch: b })),
    ({ branch: { splits } }) => splitShares(splits.levels ?? []),
  )?.fact.branch;
  return branch && { markdown: branchText(branch), picture: branchPicture(branch), predicted: true, at: branch.headPlace };
}

/** In the words of a run: a branch diverges, or lanes are active and others idle. */
function branchText({ splits: { levels = [] }, predicated }: BranchFacts): string {
  const split = levels.filter((level) => level.splitWarps > 0);
  const lanes = split.map((level) => level.thenLanes).join(', then ');
  const where = levels.length > 1 ? `in ${split.length} of ${levels.length} iterations of the loop` : '';
  if (predicated === 'yes' || predicated === 'exit') {
    const why = predicated === 'yes' ? 'the compiler predicates so little code' : 'the others exit and little is left to do';
    const active = `${lanes} of 32 lanes are active behind this condition and the others idle`;
    return capitalised(`${where && `${where}, `}${active}: no branch diverges, because ${why}.`);
  }
  const unless = predicated === 'maybe' ? ', unless the compiler predicates it and they idle' : '';
  return capitalised(`${where && `${where}, `}this diverges: ${lanes} of 32 lanes take one side while the others wait${unless}.`);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With the grade of evidence at the end of its first paragraph. */
function marked(markdown: string): string {
  return markdown.replace(/\.?(\n\n|$)/, ` ${PREDICTED}$&`);
}

const PREDICTED = '(predicted)';

function covered({ item, start, end }: Place, offset: number): boolean {
  return offset >= item.start + start && offset <= item.start + end;
}

/** The innermost fact at an offset, of the variant where it costs most if there are several: findings show that one, too. */
function smallest<T extends { readonly place: Place }>(
  model: FileModel,
  offset: number,
  of: (v: VariantFacts) => readonly T[],
  cost: (fact: T) => number = () => 0,
): { readonly fact: T; readonly variant: VariantFacts } | undefined {
  let best: { readonly fact: T; readonly variant: VariantFacts } | undefined;
  const length = ({ place: { start, end } }: T) => end - start;
  for (const variant of model.facts.kernels.flatMap((kernel) => kernel.variants)) {
    for (const fact of of(variant)) {
      if (!model.owns(fact.place) || !covered(fact.place, offset)) continue;
      const shorter = best ? length(best.fact) - length(fact) : 1;
      if (!best || shorter > 0 || (shorter === 0 && cost(fact) > cost(best.fact))) best = { fact, variant };
    }
  }
  return best;
}

function accessHover(access: AccessFacts): Explanation | undefined {
  const size = access.type.size ?? 4;
  const verb = access.kind === 'load' ? 'Load' : 'Store';
  const { global, shared, laneOffsets = [] } = access;
  if ((global || shared) && access.kept)
    return {
      markdown: `${verb} of ${codeSpan(access.text)}: no request, because the compiler keeps the value in a register from the previous access.`,
      predicted: true,
    };
  if (global && !global.gathered) {
    const waste = global.sectors > global.idealSectors * 1.3 ? `, where ${round(global.idealSectors)} would do` : '';
    return {
      markdown: `${verb} of ${codeSpan(access.text)} in global memory: ${counted(global.sectors, 'sector')} of 32 bytes per request${waste}.`,
      predicted: true,
      picture: sectorsPicture(laneOffsets, size, { wasteful: waste !== '' }),
    };
  }
  if (shared) {
    const conflict = shared.ways > 1.1 ? `${round(shared.ways)}-way bank conflict` : 'no bank conflict';
    return {
      markdown: `${verb} of ${codeSpan(access.text)} in shared memory: ${counted(shared.wavefronts, 'wavefront')} per request, ${conflict}.`,
      predicted: true,
      picture: banksPicture(laneOffsets, size),
    };
  }
  return undefined;
}

function branchPicture(branch: BranchFacts): string | undefined {
  const { levels } = branch.splits;
  return levels?.some((level) => level.masks) ? levelsPicture(levels) : undefined;
}

function counted(n: number, what: string): string {
  const shown = round(n);
  return `${shown} ${what}${shown === 1 ? '' : 's'}`;
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}

/** Where findings overlap, the one with the smaller range; the first of equals. */
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

function rangeOfWord({ start, end }: Word, lines: LineTable): SourceRange {
  return { start: positionAt(lines, start), end: positionAt(lines, end) };
}

function headline(finding: Finding): string {
  const rule = RULES.find((r) => r.id === finding.rule);
  return `**${rule?.summary ?? finding.rule}** ${PREDICTED}`;
}

function kernelText(kernel: KernelFacts, model: FileModel): string {
  const lines = [`**Kernel ${codeSpan(kernel.name)}**`];
  if (!model.owns(kernel.place)) lines.push('Defined in a header.');
  for (const variant of kernel.variants) {
    const { x, y, z } = variant.block;
    const threads = x * y * z;
    const shape = `${x}${y * z > 1 ? ` × ${y}` : ''}${z > 1 ? ` × ${z}` : ''}`;
    const { grid } = variant;
    const count = grid.x === undefined || grid.y === undefined || grid.z === undefined ? undefined : grid.x * grid.y * grid.z;
    if (!variant.blockKnown) lines.push('No launch with a known block size in this file: blocks of 256 threads are assumed.');
    else {
      const blocks = count === undefined ? 'blocks' : count === 1 ? '1 block' : `${count} blocks`;
      lines.push(
        `${codeSpan(variant.label)}: ${blocks} of ${shape} threads = ${counted(Math.ceil(threads / 32), 'warp')} each${threads % 32 === 0 ? '' : `, the last with ${threads % 32} lanes`}.`,
      );
    }
    if (variant.staticSharedBytes) lines.push(`${variant.staticSharedBytes} bytes of static shared memory.`);
    const global = variant.accesses.filter((a) => a.global && !a.global.gathered && !a.kept);
    const poor = global.filter((a) => a.global!.sectors > a.global!.idealSectors * 1.3);
    if (global.length > 0)
      lines.push(
        `${global.length} global ${global.length === 1 ? 'access' : 'accesses'} with a known pattern, ${poor.length} uncoalesced.`,
      );
  }
  if (kernel.otherVariants > 0)
    lines.push(
      `${counted(kernel.otherVariants, 'more combination')} of template arguments and block sizes ${kernel.otherVariants === 1 ? 'is' : 'are'} launched; the ${kernel.variants.length} above stand for them.`,
    );
  return lines.join('\n\n');
}
