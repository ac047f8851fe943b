/**
 * Raw counts of one launch: one row per instruction of each function that ran, filled by an engine, summed over warps, blocks and
 * workers. Rows are Float64Array (exact up to 2^53). `launch-metrics.ts` turns them into Nsight Compute's names.
 */
import { COLUMNS, type Column } from '../../counters/counters.ts';

export const SITE_FIELDS = COLUMNS;
export type SiteField = Column;
export const FIELD: Readonly<Record<SiteField, number>> = Object.freeze(
  Object.fromEntries(SITE_FIELDS.map((name, index) => [name, index])) as Record<SiteField, number>,
);

/** What a load of a word of global memory by all lanes from one address counts once in each. */
export const BROADCAST_FIELDS = [FIELD.globalRequests, FIELD.globalSectors, FIELD.globalSectorsIdeal] as const;

/** Rows of one function: `data[site * SITE_FIELDS.length + FIELD.x]`. */
export interface FunctionCounters {
  readonly function: string;
  readonly data: Float64Array;
}

/** Counters of one launch: the kernel's function and every function it called, in the module's order. */
export type SiteCounters = ReadonlyMap<string, FunctionCounters>;

export function createFunctionCounters(name: string, siteCount: number): FunctionCounters {
  return { function: name, data: new Float64Array(siteCount * SITE_FIELDS.length) };
}

/** Adds the counts of as many equal launches to those of others of the same kernel. */
export function addCounters(sums: Map<string, FunctionCounters>, counters: SiteCounters, launches = 1): void {
  for (const [name, { data }] of counters) {
    const into = sums.get(name);
    if (into) for (let k = 0; k < data.length; k++) into.data[k] += launches * data[k];
    else sums.set(name, { function: name, data: data.map((count) => launches * count) });
  }
}
