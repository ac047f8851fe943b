import { defineRule } from './define-rule.ts';

/** Shared memory that one warp writes and another reads with no barrier between. */
export const missingBarrier = defineRule({
  id: 'missing-barrier',
  summary: 'Shared memory read before a barrier orders the writes of other threads',
  category: 'synchronisation',
  severity: 'error',
  messages: {
    race: 'reads elements of `{object}` that threads of other warps write, and no barrier stands between: old and new values mix; put __syncthreads() between the write and the read',
    loop: 'reads elements of `{object}` in the next iteration while slower warps still write them in this one, and no barrier stands between; put __syncthreads() at the end of the loop’s body',
  },
  *detect(kernel) {
    const reported = new Set<string>();
    for (const hazard of kernel.hazards) {
      if (hazard.scope !== 'block') continue;
      const { read, write } = hazard;
      const key = `${read.object.id}@${read.order}`;
      if (reported.has(key)) continue;
      reported.add(key);
      yield {
        at: read.place,
        message: hazard.nextIteration ? 'loop' : 'race',
        data: { object: read.object.name },
        related: [{ at: write.place, message: 'written here' }],
      };
    }
  },
});
