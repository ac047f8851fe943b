import type { AccessFacts, LoopFacts, LoopRest, RetryFacts, VariantFacts } from '../model/facts.ts';
import type { Place } from '../syntax/source.ts';
import { defineRule, isBesideTheWork, isWithin, type Report } from './define-rule.ts';
import { phrase } from './phrases.ts';

type Message =
  | 'lanes'
  | 'uneven'
  | 'rest'
  | 'rests'
  | 'data'
  | 'found'
  | 'computed'
  | 'lock'
  | 'locks'
  | 'update'
  | 'updates'
  | 'left'
  | 'leftByData'
  | 'leftAtEnd';

/** Lanes of a warp that run a loop different numbers of times: the warp stays until the last one is done. */
export const divergentLoop = defineRule<Message>({
  id: 'divergent-loop',
  summary: 'Loop whose iteration count differs between the lanes of a warp',
  category: 'divergence',
  costs: true,
  severity: 'warning',
  messages: {
    lanes:
      'lanes of a warp run this loop {min} to {max} times: the warp takes {max} iterations where its lanes need {mean} on average; give neighbouring threads equal amounts of work',
    uneven:
      'lanes of a warp run this loop different numbers of times: the warp stays for the longest; give neighbouring threads equal amounts of work',
    rest: '{iterations} iterations take as long as {slots}: one warp goes on with {lanes} of 32 lanes in its last round; make their number a multiple of 32 if it is yours to choose',
    rests:
      '{iterations} iterations take as long as {slots}: {warps} warps go on with {lanes} of 32 lanes in their last round, since each row of the block goes through a row by itself; let all threads share all elements (`i = threadIdx.y * blockDim.x + threadIdx.x`)',
    data: 'the iteration count comes from loaded data: a warp takes as many iterations as its longest-running lane; share each item between several lanes (a whole warp where items are that long), or sort items by length',
    found:
      'in each round what the lane has loaded decides whether there is another: a warp takes as many iterations as its longest-running lane; order the data (the keys of a search, say) so that neighbouring lanes go on for equally long',
    computed:
      'each lane computes when it is done: a warp takes as many iterations as its longest-running lane; let finished lanes take new work, or give neighbouring lanes work of similar length',
    lock: 'all lanes of a warp want this lock: since compute capability 7.0 they do not deadlock, but they hold it one at a time while the others repeat `{atomic}`, which took 500 times as long on an H200 as one lane per warp; combine within the warp and let one lane take the lock, or avoid it (`atomicAdd`, or `atomicCAS` on the value itself)',
    locks:
      'lanes of a warp that want the same lock do not deadlock since compute capability 7.0, but they hold it one at a time while the others repeat `{atomic}`; let one lane do everything that needs a lock, or avoid locks (`atomicAdd`, or `atomicCAS` on the value itself)',
    update:
      'all lanes of a warp update one value: `{atomic}` succeeds for one of them per iteration, so a warp takes up to 32 iterations; combine within the warp first so that one lane updates for all, or use an atomic function for the type (`atomicAdd` for a sum of `double`; integer `atomicMax` on the bits for the maximum of numbers that are not negative)',
    updates:
      'lanes of a warp that update the same value take turns: `{atomic}` succeeds for one of them per iteration; combine updates of one value first, or use an atomic function for the type (`atomicAdd` for a sum of `double`; integer `atomicMax` on the bits for the maximum of numbers that are not negative)',
    left: 'lanes of a warp leave this loop in different rounds{assumed}, which a run counts as divergent branches of its head: those that are done wait for the last one; equal numbers of rounds for all lanes avoid it where rounds are long',
    leftByData:
      'lanes of a warp leave this loop when the values that they have loaded or computed say so, which a run counts as divergent branches of its head: those that are done wait for the last one; a change pays where the run shows that they wait for long',
    leftAtEnd:
      'unless the number of elements is a multiple of 32, one warp goes on in its last round with a part of its lanes, which a run counts as divergent branches of this line; where there are few rounds, make the rows a multiple of 32 long or the block no wider than they are',
  },
  *detect(kernel) {
    const rests = new Map<string, Place>();
    const longest = longestOfItems(kernel);
    for (const loop of kernel.loops) {
      if (loop.control.oneThreadPerWarp) continue;
      if (loop.rest && isCostly(loop.rest) && !isForSomeThreads(loop)) yield lastRound(loop, loop.rest, rests);
      if (loop.strided !== 'no') continue;
      if (loop.retries) yield* inTurn(loop.retries, triedAt(loop, kernel) ?? loop.headPlace);
      else if (loop.divergence === 'lanes') yield* byThread(loop);
      else if (loop.divergence === 'data' || loop.divergence === 'computed') {
        // Compilers know loops of a few instructions that count bits, and lanes that data has divided wait already.
        if (isBitCount(loop, kernel) || loop.control.dividedByData || loop.spinsOn !== undefined || polls(loop, kernel)) continue;
        const severity = loop === longest ? 'information' : 'hint';
        const message = loop.divergence === 'data' && loop.counted === 'no' ? 'found' : loop.divergence;
        yield { at: loop.leftAt ?? loop.headPlace, message, severity, causes: stretchesIn(loop, kernel) };
      }
    }
  },
});

/** What goes through a stretch of each lane's own here: uncoalesced-access has the same advice, and is a finding of its own where it is costly. */
function stretchesIn(loop: LoopFacts, { accesses }: VariantFacts): readonly Place[] {
  return accesses.filter(({ control, global }) => global?.anywhere && control.loops.includes(loop)).map(({ place }) => place);
}

/** The loop over items of loaded lengths that takes most of the time: of other loops on data nobody chooses how long they run. */
function longestOfItems({ loops, accesses }: VariantFacts): LoopFacts | undefined {
  const isOfItems = (loop: LoopFacts) => loop.divergence === 'data' && loop.counted === 'data' && !loop.control.dividedByData;
  // The cells around a thread's own have few items each.
  const isAround = ({ trips = 1 }: LoopFacts) => trips > 1 && trips <= MOST_NEIGHBOURS;
  const items = loops.filter((loop) => isOfItems(loop) && !loop.control.loops.some((around) => isOfItems(around) || isAround(around)));
  const [longest] = items.toSorted((a, b) => b.bodyCost - a.bodyCost);
  if (!longest) return undefined;
  // Rows of a sparse matrix, and lists that are stored one behind the other: of other numbers nobody says that they differ much.
  const isInside = ({ kind, control, place }: AccessFacts) =>
    kind === 'load' && control.loops.includes(longest) && !isWithin(place, longest.headPlace);
  const isRow = longest.fromData && accesses.some(isInside);
  if (!isRow) return undefined;
  const others = loops.filter((loop) => !loop.control.loops.includes(longest));
  return isBesideTheWork({ loops: others }, [...longest.control.loops, longest]) ? undefined : longest;
}

const MOST_NEIGHBOURS = 32;

/** Numbers that hang on values which launches choose are none. */
function* byThread(loop: LoopFacts): Iterable<Report<Message>> {
  const { headPlace: at, bodyCost, ofBlock, laneTrips: ofFirst } = loop;
  if (ofFirst && ofFirst[1] <= ofFirst[0] + 1) return;
  const { laneTrips, meanTrips } = ofBlock ?? loop;
  if (!laneTrips || meanTrips === undefined) {
    yield { at, message: 'uneven', severity: 'hint' };
    return;
  }
  const [least, max] = laneTrips;
  const rounded = (count: number) => Math.round(10 * count) / 10;
  const inMean = (count: number) => (ofBlock ? phrase('about', { count: rounded(count) }) : rounded(count));
  const [most, mean] = [max, meanTrips].map(inMean);
  // Then all warps have such a lane.
  const min = least === 0 ? 0 : inMean(least);
  yield {
    at,
    message: 'lanes',
    data: { min, max: most, mean },
    severity: meanTrips > MOSTLY * max || (max - meanTrips) * bodyCost < FEW ? 'hint' : undefined,
  };
}

/** Of the longest lane's iterations: where lanes need so many on average, little is gained by sharing them out. */
const MOSTLY = 0.75;

/** Few instructions, none of which goes to global memory or chooses between two ways: Collatz's rounds are as short, and many. */
export function isBitCount(loop: LoopFacts, { accesses, branches }: VariantFacts): boolean {
  const goesThere = ({ object, control, place }: AccessFacts) =>
    object.space === 'global' && control.loops.at(-1) === loop && !isWithin(place, loop.headPlace);
  const chooses = branches.some(
    ({ kind, control, place }) => kind !== 'loop-exit' && control.loops.at(-1) === loop && !isWithin(place, loop.headPlace),
  );
  return loop.bodyCost < 8 && !chooses && !accesses.some(goesThere);
}

/** Instructions in all that lanes wait for: nobody orders work anew for them. */
const FEW = 32;

/** Reads in each round what other threads may have changed. */
function polls(loop: LoopFacts, { accesses }: VariantFacts): boolean {
  return accesses.some(({ kind, volatile, control }) => kind === 'load' && volatile && control.loops.at(-1) === loop);
}

/** One lane in fifty has nothing to do. A loop of one round is a guard at the end of the data. */
function isCostly({ iterations, slots, rounds }: LoopRest): boolean {
  return rounds > 1 && iterations <= 0.98 * slots;
}

/** Under a condition on the thread: how many threads of the block come here is not what its shape says. */
function isForSomeThreads({ control }: LoopFacts): boolean {
  return control.branches.some(({ branch: { condition } }) => condition.uniformity === 'lane' || condition.splitsBlock);
}

/** Loops over equally many elements leave the same rest. */
function lastRound(
  { headPlace: at }: LoopFacts,
  { iterations, slots, warps, lanes }: LoopRest,
  rests: Map<string, Place>,
): Report<Message> {
  const key = `${iterations} ${lanes}`;
  const first = rests.get(key);
  if (!first) rests.set(key, at);
  return {
    at,
    message: warps > 1 ? 'rests' : 'rest',
    data: { iterations, slots, warps, lanes },
    severity: 'hint',
    ...(first ? { causes: [first], short: phrase('andHere') } : {}),
  };
}

/** `if ((now = atomicCAS(p, old, next)) == old) break;`: the test at which those leave who succeed. */
function triedAt(loop: LoopFacts, { branches, atomics }: VariantFacts): Place | undefined {
  const isOfLoop = ({ control }: Pick<LoopFacts, 'control'>) => control.loops.at(-1) === loop;
  const tests = branches.filter((branch) => branch.exits === 'break' && isOfLoop(branch));
  return tests.find(({ headPlace }) => atomics.some((atomic) => isOfLoop(atomic) && isWithin(atomic.place, headPlace)))?.headPlace;
}

/** Lanes that go for words of their own do not wait for each other. */
function* inTurn({ atomic, kind, sameAddress, compares }: RetryFacts, at: Place): Iterable<Report<Message>> {
  if (sameAddress === 'no') return;
  const data = { atomic };
  // The least of all values, say: soon few lanes have one to set.
  if (compares && kind === 'update') {
    yield { at, message: 'updates', data, severity: 'hint' };
    return;
  }
  if (sameAddress === 'unknown') yield { at, message: `${kind}s`, data, severity: kind === 'lock' ? 'information' : 'hint' };
  else yield { at, message: kind, data };
}
