import { defineRule } from './define-rule.ts';

/** Lanes of a warp that run a loop different numbers of times: the warp stays until the last one is done. */
export const divergentLoop = defineRule({
  id: 'divergent-loop',
  summary: 'Loop whose number of iterations differs between the lanes of a warp',
  category: 'divergence',
  severity: 'warning',
  messages: {
    lanes:
      'lanes of a warp run this loop {min} to {max} times: the warp takes {max} rounds for work worth {mean}; give neighbouring threads equally much to do',
    data: 'the number of iterations comes from loaded data: a warp takes as many rounds as its longest lane; give each item to a whole warp, or sort items by length',
    computed:
      'each lane computes when it is done: a warp takes as many rounds as its longest lane; let lanes that are done take up new work, or give neighbours work of like length',
  },
  *detect(kernel) {
    for (const loop of kernel.loops) {
      if (loop.control.oneThreadPerWarp || loop.strided !== 'no') continue;
      if (loop.divergence === 'lanes' && loop.laneTrips && loop.laneTrips[1] > loop.laneTrips[0] + 1) {
        const [min, max] = loop.laneTrips;
        yield { at: loop.headPlace, message: 'lanes', data: { min, max, mean: (min + max) / 2 } };
      } else if (loop.divergence === 'data' || loop.divergence === 'computed') {
        // Compilers know loops of a few instructions that count bits, and lanes that data has divided wait already.
        if (loop.bodyCost < 8 || loop.control.dividedByData || loop.spinsOn !== undefined) continue;
        yield { at: loop.headPlace, message: loop.divergence, severity: 'information' };
      }
    }
  },
});
