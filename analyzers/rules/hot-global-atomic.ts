import type { AtomicFacts } from '../model/facts.ts';
import { defineRule, isBesideTheWork } from './define-rule.ts';

/** Many threads adding to one word of global memory are served one after the other. */
export const hotGlobalAtomic = defineRule({
  id: 'hot-global-atomic',
  summary: 'Contended atomic in global memory',
  category: 'atomics',
  costs: true,
  severity: 'warning',
  messages: {
    aggregated:
      'all threads of the grid update one word: the compiler combines integer updates within a warp, but an H200 still serves only 0.69 of them per clock for the whole grid; reduce within the block first',
    float:
      'all threads of the grid update one word, and float updates are not combined: an H200 serves 0.29 per clock for the whole grid, 58 times slower than combined integer updates; reduce with warp shuffles, then within the block, and update once per block',
    rounds:
      'in each iteration the lanes of a warp update one word, and float updates are not combined: they take turns; add up with warp shuffles first and let one lane update the word',
    block:
      'all threads of a block update one word: an H200 serves 25 updates per clock instead of 243 to neighbouring words; reduce within the warp or in shared memory first',
    histogram:
      'every thread updates a bin in global memory: an H200 filled 256 bins from 268 million elements 167 times faster in shared memory; keep a private histogram per block in shared memory and merge it once, if the bins fit in {kib} KiB',
    counts:
      'loaded data says which element every thread counts in: lanes that meet at one take turns; where there are few of them (an H200 filled 256 bins from 268 million elements 167 times faster so), keep a private copy per block in shared memory and merge it once, if they fit in {kib} KiB',
    scatter:
      'the target of `{name}` depends on loaded data: lanes that update the same word wait for each other; group the data by target so that one thread adds it up, or accumulate in shared memory if the targets of a block fit in {kib} KiB',
  },
  *detect(kernel, file) {
    for (const atomic of kernel.atomics) {
      if (atomic.object.space !== 'global' || atomic.control.oneThreadPerBlock || atomic.control.oneThreadPerWarp) continue;
      if (atomic.name === 'atomicCAS' || atomic.name === 'atomicExch') continue;
      const isFloat = atomic.type.kind === 'float';
      const at = atomic.place;
      // Once for each thread, beside all that it computes.
      const severity = isBesideTheWork(kernel, atomic.control.loops) ? ('hint' as const) : undefined;
      if (atomic.sameAddress === 'grid') {
        // Another word in each round, to which threads of the grid come at different times.
        if (isFloat && !atomic.loopInvariant) yield { at, message: 'rounds', severity: isForSomeLanes(atomic) ? 'hint' : severity };
        else if (isFloat) yield { at, message: 'float', severity };
        else if (!isForLeaders(atomic)) yield { at, message: 'aggregated', severity: 'hint' };
      } else if (atomic.sameAddress === 'block' && isFloat) yield { at, message: 'block', severity };
      else if (goesByData(atomic) && ADDITIONS.has(atomic.name) && !atomic.resultUsed) {
        const data = { name: atomic.name, kib: Math.floor(file.device.sharedPerBlockOptin / 1024) };
        if (isCount(atomic) && isHistogram(atomic)) yield { at, message: 'histogram', data, severity };
        else if (isCount(atomic)) yield { at, message: 'counts', data, severity: 'hint' };
        else yield { at, message: 'scatter', data, severity: 'hint' };
      }
    }
  },
});

/** A few lanes of each warp, as the first one of each tile is: not all threads. */
function isForLeaders({ control: { activeLanes } }: AtomicFacts): boolean {
  return activeLanes !== undefined && activeLanes <= 4;
}

/** Those that data lets through: of a warp there may be one at a time. */
function isForSomeLanes({ control: { branches, dividedByData } }: AtomicFacts): boolean {
  return dividedByData || branches.some(({ branch }) => branch.splits.kind === 'data');
}

const ADDITIONS: ReadonlySet<string> = new Set(['atomicAdd', 'atomicInc']);

/** Where loaded data says, and nothing else. */
function goesByData({ sameAddress, offset, placedByThread }: AtomicFacts): boolean {
  return sameAddress === 'unknown' && offset.fromMemory && !offset.unknown && !placedByThread;
}

/** Few targets, by what places them or by name. */
function isHistogram({ fewTargets, object }: AtomicFacts): boolean {
  return fewTargets || /hist|bin|bucket/i.test(object.name);
}

/** By the same amount in all threads: counting. Sums of what each thread computed seldom go to few words. */
function isCount({ name, operands }: AtomicFacts): boolean {
  return name === 'atomicInc' || operands[0]?.constant !== undefined;
}
