import type { BranchFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Levels whose lanes the message lists: those of a warp. */
const SHOWN_LEVELS = 5;

/** A tree in which thread `t` works when `t % (2 * stride) == 0`: fewer and fewer lanes of every warp are active. */
export const moduloIndexing = defineRule({
  id: 'modulo-indexing',
  summary: 'Tree reduction that selects threads by modulo',
  category: 'divergence',
  costs: true,
  severity: 'warning',
  messages: {
    tree: 'selecting threads by `{modulo}` leaves {lanes} lanes of every warp active, level after level, and frees no warp meanwhile; let the first threads work instead: an H200 took 2.8 times the instructions and twice the time to sum 1 M integers by modulo',
    rows: 'selecting rows of the block by `{modulo}` leaves {lanes} lanes active in each warp that works, in {split} of {levels} levels; let the first rows work instead, which fill their warps',
  },
  *detect(kernel) {
    for (const branch of kernel.branches) {
      const loop = branch.control.loops[branch.control.loops.length - 1];
      if (branch.kind !== 'if' || !loop || branch.splits.kind !== 'lanes') continue;
      const modulo = kernel.divisions.find(
        (d) =>
          d.operator === '%' &&
          d.place.item === branch.condition.place.item &&
          d.place.start >= branch.condition.place.start &&
          d.place.end <= branch.condition.place.end,
      );
      if (modulo?.dividend.uniformity !== 'lane' || modulo.divisor.uniformity === 'lane' || modulo.divisor.constant !== undefined) continue;
      const all = branch.splits.levels ?? [];
      const split = all.filter((l) => l.splitWarps > 0);
      const isOfRows = split.some(({ splitWarps, warps }, level) => level < SHOWN_LEVELS && splitWarps < warps);
      const levels = isOfRows ? split.slice(0, 1) : split;
      if (split.length < 2 || (isOfRows && split.some(({ thenLanes }) => thenLanes !== split[0].thenLanes))) continue;
      const lanes = levels
        .map((l) => l.thenLanes)
        .slice(0, SHOWN_LEVELS)
        .join(', ');
      yield {
        at: branch.condition.place,
        message: isOfRows ? 'rows' : 'tree',
        data: {
          modulo: modulo.place === branch.condition.place ? branch.condition.text : `${modulo.dividend.text} % ${modulo.divisor.text}`,
          lanes,
          ...(isOfRows && { split: split.length, levels: all.length }),
        },
        fixes: sequential(kernel, branch),
      };
    }
  },
});

/**
 * `for (stride = 1; stride < blockDim.x; stride *= 2) if (tid % (2 * stride) == 0) s[tid] = … s[tid + stride]` becomes the same tree from
 * the other end. The order of the operands changes, which matters for floats and operations that do not commute: not safe in bulk.
 */
function sequential(kernel: VariantFacts, branch: BranchFacts): RuleFix[] {
  const loop = branch.control.loops[branch.control.loops.length - 1];
  const head = loop.headText;
  const match = /^for\s*\(\s*([\w\s]*?)(\w+)\s*=\s*1\s*;\s*\2\s*<\s*([\w.]+)\s*;\s*\2\s*(?:\*=\s*2|<<=\s*1)\s*\)$/.exec(head);
  const condition = /^\(?\s*(\w+)\s*%\s*\(\s*2\s*\*\s*(\w+)\s*\)\s*==\s*0\s*\)?$/.exec(branch.condition.text);
  if (!match || !condition || condition[2] !== match[2] || loop.headPlace.item !== branch.condition.place.item) return [];
  // Elements of the block's own shared array alone: with a global index the first threads are not the block's.
  const accesses = kernel.accesses.filter((a) => a.control.branches.some((b) => b.branch === branch));
  if (accesses.length === 0 || accesses.some((a) => a.object.space !== 'shared')) return [];
  const [, declaration, stride, limit] = match;
  return [
    {
      title: phrase('sequentialAddressing'),
      safe: false,
      edits: [
        { at: loop.headPlace, newText: `for (${declaration}${stride} = ${limit} / 2; ${stride} > 0; ${stride} /= 2)` },
        { at: branch.condition.place, newText: `${condition[1]} < ${stride}` },
      ],
    },
  ];
}
