import type { Severity, Wording } from '../../protocol/finding.ts';
import type { AccessFacts, HazardFacts, LoopFacts, Uniformity, VariantFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, isWithin, type Report, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

/** Shared memory that one warp writes and another reads, before or after, with no barrier between. */
export const missingBarrier = defineRule({
  id: 'missing-barrier',
  summary: 'Shared memory read or overwritten without a barrier between warps',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    race: '{blocks}reads elements of `{object}` that threads of other warps write, with no barrier in between: old and new values mix; put __syncthreads() between the write and the read',
    loop: '{blocks}reads elements of `{object}` in the next iteration while slower warps still write them in this one, with no barrier in between; put __syncthreads() at the end of the loop body',
    overwritten:
      '{blocks}overwrites elements of `{object}` that threads of other warps may not have read yet, with no barrier in between; put __syncthreads() between the read and the write',
    overwrittenLoop:
      '{blocks}overwrites elements of `{object}` in the next iteration that slower warps may not have read yet in this one, with no barrier in between; put __syncthreads() at the end of the loop body',
    setLate:
      '{blocks}counts with `{name}` in elements of `{object}` to which other warps may not have given their first value yet, with no barrier in between: counts are lost; put __syncthreads() between the two',
    readEarly:
      '{blocks}reads `{object}` while other warps may still count in it with `{name}`, with no barrier in between; put __syncthreads() between the two',
    oneStatement:
      '{blocks}overwrites elements of `{object}` that threads of other warps may not have read yet in the same statement, into which no barrier fits: old and new values mix; read into a variable, put __syncthreads() behind that, outside of any condition, and then write',
  },
  *detect(kernel) {
    // Which threads of a multidimensional block share a warp depends on its width.
    if (!kernel.blockKnown && kernel.block.y * kernel.block.z > 1) return;
    const severity = kernel.blockKnown ? undefined : 'warning';
    const blocks = kernel.blockKnown ? '' : phrase('inBlocksOfWarps');
    const between = kernel.hazards.filter((h) => h.scope === 'block');
    const reads = once(
      between.filter((h) => h.first === 'write'),
      ({ read }) => `${read.object.id}@${read.order}`,
    );
    const earlier = newCauses();
    for (const hazard of reads) {
      const { read, write, nextIteration } = hazard;
      yield {
        at: read.place,
        ...earlier(hazard, read.place),
        message: nextIteration ? 'loop' : 'race',
        data: { object: read.object.name, blocks },
        severity,
        related: [{ at: write.place, message: phrase('writtenHere') }],
        fixes: nextIteration ? [] : barrierBefore(read, write),
      };
    }
    yield* counts(kernel, { blocks, severity });
    // Where reads come too early, the barrier that they lack orders most of these as well.
    const unread = between.filter((h) => h.first === 'read' && reads.every(({ read }) => read.object.id !== h.read.object.id));
    for (const hazard of once(unread, (h) => `${h.read.object.id}@${h.write.place.start}`)) {
      const { read, write, nextIteration } = hazard;
      yield {
        at: write.place,
        ...earlier(hazard, write.place),
        message: nextIteration ? 'overwrittenLoop' : isOneStatement(read, write) ? 'oneStatement' : 'overwritten',
        data: { object: read.object.name, blocks },
        severity,
        related: [{ at: read.place, message: phrase('readHere') }],
      };
    }
  },
});

/** One for each array and side. */
function* counts(
  { unorderedCounts }: VariantFacts,
  { blocks, severity }: { readonly blocks: Wording | ''; readonly severity: Severity | undefined },
): Iterable<Report<'setLate' | 'readEarly'>> {
  const said = new Set<string>();
  for (const { access, atomic, first } of unorderedCounts) {
    const key = `${access.object.id} ${first}`;
    if (said.has(key)) continue;
    said.add(key);
    const data = { object: access.object.name, name: atomic.name, blocks };
    if (first === 'access') {
      const related = [{ at: access.place, message: phrase('writtenHere') }];
      yield { at: atomic.place, message: 'setLate', data, severity, related };
    } else {
      const related = [{ at: atomic.place, message: phrase('countedHere') }];
      yield { at: access.place, message: 'readEarly', data, severity, related, fixes: barrierBefore(access, atomic) };
    }
  }
}

function isOneStatement({ statement }: AccessFacts, { place }: HazardFacts['write']): boolean {
  return statement !== undefined && isWithin(place, statement.place);
}

/** What a barrier mends that an earlier finding asks for is part of it. */
function newCauses(): (hazard: HazardFacts, at: Place) => Pick<Report, 'causes'> {
  let gap: { readonly after: number; readonly before: number; readonly at: Place } | undefined;
  const rounds = new Map<LoopFacts | undefined, Place>();
  return ({ read, write, nextIteration }, at) => {
    if (nextIteration) {
      // One barrier at the end of the body mends all that a loop lacks.
      const loop = read.control.loops.at(-1);
      const first = rounds.get(loop);
      if (!first) rounds.set(loop, at);
      return first ? { causes: [first] } : {};
    }
    const after = Math.max(Math.min(read.order, write.order), gap?.after ?? 0);
    const before = Math.min(Math.max(read.order, write.order), gap?.before ?? Number.POSITIVE_INFINITY);
    const main = gap && after < before ? gap.at : undefined;
    gap =
      main && gap
        ? { after, before, at: main }
        : { after: Math.min(read.order, write.order), before: Math.max(read.order, write.order), at };
    return main ? { causes: [main] } : {};
  };
}

function once(hazards: readonly HazardFacts[], key: (hazard: HazardFacts) => string): HazardFacts[] {
  return [...new Map(hazards.toReversed().map((h) => [key(h), h])).values()].reverse();
}

/** Where all threads of the block surely come to the statement that reads. */
function barrierBefore({ statement, control }: AccessFacts, write: { readonly place: Place }): RuleFix[] {
  if (!statement || /^(for|while|do)\b/.test(statement.text)) return [];
  const { item, start } = statement.place;
  if (write.place.item === item && write.place.start >= start) return [];
  const isShared = control.branches.every(({ branch: { condition } }) => !condition.fromMemory && isOfBlock(condition.uniformity));
  if (!isShared || control.loops.some((loop) => loop.condition && (loop.condition.fromMemory || !isOfBlock(loop.condition.uniformity))))
    return [];
  return [
    {
      title: phrase('syncthreadsBetween'),
      edits: [{ at: { item, start, end: start }, newText: '__syncthreads(); ' }],
      safe: true,
    },
  ];
}

function isOfBlock(uniformity: Uniformity): boolean {
  return uniformity === 'constant' || uniformity === 'grid' || uniformity === 'block';
}
