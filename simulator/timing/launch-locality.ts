/** Gathers what the model of the caches asks about a launch: how much of L1 its blocks have, and which accesses the trace does not show. */
import { timingsOf } from '../../devices/timings.ts';
import { FIELD, SITE_FIELDS, type SiteCounters } from '../counters/site-counters.ts';
import type { Trace, TraceSample } from '../machine/access-trace.ts';
import { type LoadedModule, sharedLimit } from '../machine/load-module.ts';
import { gridBlocks, residency, type Where } from './launch-time.ts';
import { type Locality, type LocalityInput, localityOf, siteKey } from './locality.ts';
import { machineCode } from './machine-code.ts';

export interface LocalityQuestion extends Where {
  readonly counters: SiteCounters;
  readonly trace: Trace;
  readonly sample: TraceSample;
  readonly allocationOf: (address: number) => { readonly address: number; readonly sizeBytes: number } | undefined;
}

export function launchLocality({ module, launch, device, counters, trace, sample, allocationOf }: LocalityQuestion): Locality {
  const timings = timingsOf(device);
  const { resident } = residency({ module, launch, device });
  const blocks = gridBlocks(launch);
  let requests = 0;
  for (const [name, { data }] of counters) {
    for (let row = 0; row < data.length; row += SITE_FIELDS.length) requests += data[row + FIELD.globalRequests];
    const fn = module.ir.functions.get(name);
    const costs = fn ? machineCode(fn, module.ir, timings) : [];
    costs.forEach(({ image }, site) => {
      if (image) requests += data[site * SITE_FIELDS.length + FIELD.executions];
    });
  }
  const sharedBytes = sharedLimit(module, launch.kernel, launch.dynamicSharedBytes) + device.reservedSharedPerBlock;
  const together = Math.min(resident, Math.ceil(blocks / device.multiprocessors));
  const wantedKB = (together * sharedBytes) / 1024;
  const carvedKB = timings.sharedSizesKB.find((size) => size >= wantedKB) ?? timings.sharedSizesKB.at(-1)!;
  const l1Bytes = timings.l1Bytes - carvedKB * 1024;
  const crowding = Math.max(1, together / sample.groups[0].length);
  const turns = blocks / (sample.groups[0].length * device.multiprocessors);
  const found = localityOf({ trace, sample, blocks, requests, turns, l1Bytes, crowding, allocationOf, bypasses: bypassing(module) });
  return withUntraced(found, module, counters);
}

/** Reads that L1 does not serve. */
function bypassing({ ir }: LoadedModule): LocalityInput['bypasses'] {
  const volatile = new Map<string, ReadonlySet<number>>();
  return (at) => {
    let sites = volatile.get(at.function);
    if (!sites) {
      const all = ir.functions.get(at.function)?.blocks.flatMap(({ instructions }) => instructions) ?? [];
      sites = new Set(all.filter((each) => each.op === 'load' && (each.volatile || each.order)).map(({ site }) => site));
      volatile.set(at.function, sites);
    }
    return sites.has(at.site);
  };
}

/** Where no block that is followed comes to an access, it is taken to touch each sector once. */
function withUntraced(found: Locality, { ir }: LoadedModule, counters: SiteCounters): Locality {
  let { readSectors, writtenSectors } = found;
  for (const [name, { data }] of counters) {
    for (const { site, op } of ir.functions.get(name)?.blocks.flatMap(({ instructions }) => instructions) ?? []) {
      const sectors = data[site * SITE_FIELDS.length + FIELD.globalSectors];
      if (!(sectors > 0) || found.sites.has(siteKey(name, site))) continue;
      if (op !== 'store') readSectors += sectors;
      if (op !== 'load') writtenSectors += sectors;
    }
  }
  return { ...found, readSectors, writtenSectors };
}
