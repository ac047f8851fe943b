/**
 * Estimated time of a launch on the device, from what an engine has counted: the larger of issuing its instructions and moving its
 * sectors, after what a launch takes at least.
 */
import type { TimeLimit } from '../../counters/limits.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import { FIELD, SITE_FIELDS, type SiteCounters } from '../counters/site-counters.ts';
import type { Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';

export interface LaunchTimeInput {
  readonly module: LoadedModule;
  readonly launch: Launch;
  readonly device: DeviceProfile;
  readonly counters: SiteCounters;
  /** What the caches hold when the grid starts: nothing, as when Nsight Compute profiles it, or what was used before. */
  readonly caches: 'cold' | 'warm';
}

export interface LaunchTime {
  /** Nanoseconds from the grid's start to its end on the GPU, as gpu__time_duration; what the host's call costs is not in it. */
  readonly ns: number;
  readonly limit: TimeLimit;
  /** Nanoseconds that each of these would take by itself, the limit first. */
  readonly parts: readonly TimePart[];
}

export interface TimePart {
  readonly limit: TimeLimit;
  readonly ns: number;
}

export function estimateLaunch({ launch, counters, device }: LaunchTimeInput): LaunchTime {
  let executions = 0;
  let sectors = 0;
  for (const { data } of counters.values()) {
    for (let row = 0; row < data.length; row += SITE_FIELDS.length) {
      executions += data[row + FIELD.executions];
      sectors += data[row + FIELD.globalSectors];
    }
  }
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const issuesPerNs = (Math.min(blocks, device.multiprocessors) * device.prices.issuesPerClock * device.clockKHz) / 1e6;
  const bytesPerNs = (2 * device.memoryClockKHz * (device.memoryBusBits / 8)) / 1e6;
  const busy: TimePart[] = [
    { limit: 'issue', ns: executions / issuesPerNs },
    { limit: 'dram', ns: (sectors * 32) / bytesPerNs },
  ];
  const overhead: TimePart = { limit: 'launch', ns: device.prices.launchNs };
  const parts = [...busy, overhead].sort((a, b) => b.ns - a.ns);
  return { ns: overhead.ns + Math.max(...busy.map(({ ns }) => ns)), limit: parts[0].limit, parts };
}
