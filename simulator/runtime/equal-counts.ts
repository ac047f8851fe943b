/**
 * Launches of one kernel in one shape often count the same. Their counters become one object, by which what was made of them (estimates,
 * metrics, the report's entry) is known again.
 */
import type { SiteCounters } from '../counters/site-counters.ts';
import type { Launch } from '../machine/launch.ts';
import type { DeviceUnit } from './device-program.ts';

/** Counters of a kernel in one shape that are remembered, those that came last first; and shapes, of which all are forgotten at once. */
const MOST_REMEMBERED = 4;
const MOST_SHAPES = 256;

export class EqualCounts {
  readonly #units = new Map<DeviceUnit, Map<string, SiteCounters[]>>();

  /** Equal counters of an earlier launch, or these. */
  of(unit: DeviceUnit, { kernel, grid, block, cluster, dynamicSharedBytes }: Launch, counters: SiteCounters): SiteCounters {
    let shapes = this.#units.get(unit);
    if (!shapes) {
      shapes = new Map();
      this.#units.set(unit, shapes);
    }
    const shape = `${kernel} ${grid[0]} ${grid[1]} ${grid[2]} ${block[0]} ${block[1]} ${block[2]} ${dynamicSharedBytes} ${cluster ?? ''}`;
    const latest = shapes.get(shape);
    if (!latest) {
      if (shapes.size === MOST_SHAPES) shapes.clear();
      shapes.set(shape, [counters]);
      return counters;
    }
    const found = latest.findIndex((each) => areEqual(each, counters));
    const [known] = found < 0 ? [counters] : latest.splice(found, 1);
    latest.unshift(known);
    if (latest.length > MOST_REMEMBERED) latest.pop();
    return known;
  }
}

function areEqual(a: SiteCounters, b: SiteCounters): boolean {
  if (a.size !== b.size) return false;
  for (const [name, { data }] of a) {
    const other = b.get(name)?.data;
    if (other?.length !== data.length) return false;
    for (let k = 0; k < data.length; k++) if (data[k] !== other[k]) return false;
  }
  return true;
}
