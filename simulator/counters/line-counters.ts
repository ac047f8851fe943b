/** Counters of source lines as sums. */
import type { LineCounters } from '../../protocol/report.ts';

export function emptyLine(): LineCounters {
  return {
    inst: 0,
    threadInst: 0,
    divergentBranches: 0,
    globalSectors: 0,
    globalSectorsIdeal: 0,
    sharedWavefronts: 0,
    sharedWavefrontsIdeal: 0,
  };
}

export function addLine(into: LineCounters, line: LineCounters): void {
  for (const key of Object.keys(into) as (keyof LineCounters)[]) into[key] += line[key];
}
