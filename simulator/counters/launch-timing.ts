/** Whether counters of a launch depend on the order in which warps happened to run, and where. */
import { paths } from '#platform';
import { memoryRoots } from '../ir/memory-roots.ts';
import type { IrFunction, IrModule } from '../ir/types.ts';
import { functionFacts } from '../simt/analyze.ts';
import { type TimingCause, timingSites } from '../simt/timing.ts';
import { lineKey, type MetricsInput } from './launch-metrics.ts';
import { FIELD, SITE_FIELDS } from './site-counters.ts';

const WARP = 32;

const WORDS: Readonly<Record<TimingCause, string>> = {
  branch: 'the order of atomics decides a branch',
  address: 'the order of atomics decides an address',
  clock: 'a clock decides a branch or an address',
  awaited: 'threads wait for what others write',
  'grid barrier': 'blocks wait for each other at a barrier of the grid',
  spoiled: "warps spoil each other's tries of an atomic in shared memory",
};

/** The first reason in the order of the code; undefined if all counters are the same in every order. */
export function launchTiming({ module, launch, counters, isHeader }: MetricsInput): string | undefined {
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (const [name, { data }] of counters) {
    const fn = module.ir.functions.get(name);
    if (!fn) continue;
    for (const [site, cause] of sitesOf(fn, module.ir)) {
      if (data[site * SITE_FIELDS.length + FIELD.executions] === 0) continue;
      if (cause === 'grid barrier' && blocks === 1) continue;
      // Lanes of one warp have an order. Only warps of a block share its shared memory.
      if (cause !== 'clock' && threads * (cause === 'spoiled' ? 1 : blocks) <= WARP) continue;
      return `${WORDS[cause]}${placeOf(fn, site, isHeader)}`;
    }
  }
  return undefined;
}

function placeOf(fn: IrFunction, site: number, isHeader: MetricsInput['isHeader']): string {
  for (const { instructions } of fn.blocks) {
    const found = instructions.find((instruction) => instruction.site === site);
    const key = found && lineKey(found.location, isHeader);
    if (key) return ` at ${paths.basename(key)}`;
  }
  return '';
}

/** Programs may launch a kernel thousands of times. */
const known = new WeakMap<IrFunction, ReadonlyMap<number, TimingCause>>();

function sitesOf(fn: IrFunction, module: IrModule): ReadonlyMap<number, TimingCause> {
  let sites = known.get(fn);
  if (!sites) {
    const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
    sites = timingSites(fn, { module, roots, predicated: functionFacts(fn, module).predicated });
    known.set(fn, sites);
  }
  return sites;
}
