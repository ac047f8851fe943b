/** Constant memory serves a warp one address at a time: it is for what all lanes read alike. */
import { defineRule, isBesideTheWork } from './define-rule.ts';

/** Lanes that read so few places cost little beside the load itself. */
const LEAST_PLACES = 4;

export const divergentConstant = defineRule({
  id: 'divergent-constant',
  summary: 'Constant memory at an index that differs between lanes',
  category: 'memory',
  costs: true,
  severity: 'information',
  messages: {
    lanes:
      'lanes of a warp read {places} places of `{name}` at once, and constant memory serves one address at a time, so that the load takes {places} turns instead of 1; keep the table in global memory (`__device__`), where neighbours come together, or in shared memory',
    data: 'loaded data says which place of `{name}` each lane reads, and constant memory serves one address at a time: up to 32 turns for a load; where lanes seldom agree, keep the table in shared or global memory (`__device__`)',
  },
  *detect(kernel) {
    const seen = new Set<string>();
    for (const { object, kind, laneOffsets, offset, control, place, kept } of kernel.accesses) {
      if (object.space !== 'constant' || kind !== 'load' || kept || offset.uniformity !== 'lane' || control.oneThreadPerWarp) continue;
      const isData = laneOffsets === undefined && offset.fromMemory && !offset.unknown;
      const places = isData ? LEAST_PLACES : placesOf(laneOffsets, control.activeLanes);
      // One for each table: what follows reads it by the same index.
      if (places < LEAST_PLACES || seen.has(object.id)) continue;
      seen.add(object.id);
      const severity = isData || isBesideTheWork(kernel, control.loops) ? 'hint' : undefined;
      yield isData
        ? { at: place, message: 'data', severity, data: { name: object.name } }
        : { at: place, message: 'lanes', severity, data: { name: object.name, places } };
    }
  },
});

/** Different addresses of the lanes that come there. */
function placesOf(offsets: readonly number[] = [], activeLanes = offsets.length): number {
  const known = offsets.filter((at) => !Number.isNaN(at));
  return Math.min(new Set(known).size, activeLanes);
}
