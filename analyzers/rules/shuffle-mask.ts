/** A mask promises which lanes take part. A named lane that is elsewhere makes the result undefined, and no tool reports it. */
import type { Wording } from '../../protocol/finding.ts';
import type { BranchFacts, ControlFacts, ShuffleFacts, VariantFacts } from '../model/facts.ts';
import { LANES } from '../model/rows.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

const FULL = 0xffffffff;

export const shuffleMask = defineRule({
  id: 'shuffle-mask',
  summary: 'Warp function whose mask does not match the lanes that execute it',
  category: 'synchronisation',
  severity: 'warning',
  messages: {
    full: '`{name}` names all 32 lanes, but {lanes} execute it: the values of absent lanes are undefined; move it before the branch, or compute the mask with __ballot_sync before the branch',
    few: 'the mask {mask} of `{name}` leaves out lanes that execute it, which is undefined: all 32 lanes of a warp get here; name every lane that calls',
    active:
      '`__activemask()` returns the lanes that happen to run together, not those that should: lanes of the same branch may arrive later in another group; compute the mask with __ballot_sync before the branch',
  },
  *detect(kernel) {
    const firsts = new Map<BranchFacts, Place>();
    for (const shuffle of kernel.shuffles) {
      if (shuffle.maskIsActive) {
        if (!takesAnyGroup(shuffle) && /_sync$|shfl|reduce/.test(shuffle.name))
          yield { at: shuffle.place, message: 'active', fixes: fullMask(shuffle) };
        continue;
      }
      if (shuffle.mask?.constant === undefined) continue;
      const named = shuffle.mask.constant >>> 0;
      const lanes = present(shuffle.control);
      if (named !== FULL && comeAll(shuffle, kernel))
        yield { at: shuffle.place, message: 'few', data: { name: shuffle.name, mask: hex(named) }, fixes: fullMask(shuffle) };
      else if (named === FULL && lanes) {
        // One branch keeps lanes from all that stand behind it.
        const step = splittingOf(shuffle.control)!;
        const first = firsts.get(step.branch);
        if (!first) firsts.set(step.branch, shuffle.place);
        const causes = first ? { causes: [first], short: phrase('andHere') } : {};
        yield { at: shuffle.place, message: 'full', data: { name: shuffle.name, lanes }, ...causes };
      }
    }
  },
});

/** Aggregation: one of the lanes that are here does the work of these, or of those with its key. It is right for whatever group comes. */
function takesAnyGroup({ name, picksActive }: ShuffleFacts): boolean {
  return picksActive || name === '__match_any_sync';
}

/** How many lanes get here, in words; undefined when all do or when it is unknown. A bounds guard splits at most one warp and is ignored. */
function present(control: ControlFacts): Wording | undefined {
  const splitting = splittingOf(control);
  if (!splitting) return undefined;
  const { side, branch } = splitting;
  if (branch.splits.kind === 'data')
    return phrase('onlyThoseWith', { condition: side === 'then' ? branch.condition.text : `!(${branch.condition.text})` });
  return control.activeLanes !== undefined && control.activeLanes < 32 && control.activeLanes > 0
    ? phrase('onlyCount', { count: control.activeLanes })
    : undefined;
}

function splittingOf({ branches }: ControlFacts): ControlFacts['branches'][number] | undefined {
  // What other data leads to may be the same for all lanes, as a tree's node is that a warp walks to together.
  return branches.findLast(
    ({ branch }) => ['lanes', 'leader'].includes(branch.splits.kind) || (branch.splits.kind === 'data' && branch.dataByThread),
  );
}

/** Nothing stands around it, and the launches have full warps. */
function comeAll({ control }: ShuffleFacts, { blockKnown, block: { x, y, z } }: VariantFacts): boolean {
  return blockKnown && x * y * z >= LANES && control.branches.length === 0 && control.loops.length === 0;
}

function hex(mask: number): string {
  return `0x${mask.toString(16).padStart(8, '0')}`;
}

/** Where nothing keeps lanes away, those that should take part are all. */
function fullMask({ mask, maskIsActive, control }: ShuffleFacts): RuleFix[] {
  if (!mask || (maskIsActive && mask.text !== '__activemask()') || control.branches.length > 0 || control.loops.length > 0) return [];
  return [{ title: phrase('nameAllLanes'), edits: [{ at: mask.place, newText: '0xffffffffu' }], safe: false }];
}
