import { defineRule } from './define-rule.ts';

/** Lanes of a warp exchange data through shared memory and trust that they run in lockstep, which Volta and later do not promise. */
export const implicitWarpSync = defineRule({
  id: 'implicit-warp-sync',
  summary: 'Warp-synchronous code without __syncwarp()',
  category: 'synchronisation',
  severity: 'warning',
  messages: {
    lockstep:
      'reads what other lanes of the warp have just written to `{object}`, but since Volta lanes advance independently{volatile}; put __syncwarp() between the write and the read, or use shuffles',
  },
  *detect(kernel) {
    const reported = new Set<string>();
    const unordered = new Set(kernel.hazards.filter((h) => h.scope === 'block' && h.first === 'write').map((h) => h.read.order));
    for (const { scope, read, write, nextIteration } of kernel.hazards) {
      // What needs a barrier of the block is missing-barrier's.
      if (scope !== 'warp' || nextIteration || unordered.has(read.order)) continue;
      const key = `${read.object.id}@${read.place.start}`;
      if (reported.has(key)) continue;
      reported.add(key);
      yield {
        at: read.place,
        message: 'lockstep',
        data: { object: read.object.name, volatile: read.object.volatile ? ', and `volatile` does not order lanes' : '' },
        related: [{ at: write.place, message: 'written here' }],
      };
    }
  },
});
