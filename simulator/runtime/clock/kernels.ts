/** Which shares of a device a kernel takes for how long, with the kernels that it launches. */
import type { TimeLimit } from '../../../counters/limits.ts';
import { occupancyLimits } from '../../../devices/occupancy.ts';
import type { DeviceProfile } from '../../../devices/profile.ts';
import type { Dim3 } from '../../machine/launch.ts';
import type { LaunchTime } from '../../timing/launch-time.ts';
import { BLOCK_LAUNCH_NS, COLD_DEVICE_LAUNCH_NS, DEVICE_LAUNCH_NS, FIRST_DEVICE_LAUNCH_NS, TAIL_LAUNCH_NS } from './costs.ts';
import type { Phase } from './operation.ts';

export interface KernelTree {
  /** Mangled. */
  readonly name: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Of the grid by itself, with the migration of managed memory. */
  readonly ns: number;
  /** Bytes of managed memory that came to the device because of it. */
  readonly migratedBytes: number;
  /** Blocks, and how many of them the device holds at once. */
  readonly blocks: number;
  readonly residentBlocks: number;
  /** Share of what the device's busiest unit can do that it takes while it runs alone, 0 to 1. */
  readonly throughput: number;
  readonly children: readonly KernelTree[];
  /** Those that run one after the other when all else has ended. */
  readonly tails: readonly KernelTree[];
}

/** Of a device on which a grid waits for a launch. */
const IDLE_SHARE = 1e-3;

export function residentBlocks(device: DeviceProfile, threads: number, sharedBytes: number): number {
  const { blocks, warps, sharedMemory } = occupancyLimits(device, { threads, sharedBytes });
  return Math.max(1, Math.min(blocks, warps, sharedMemory)) * device.multiprocessors;
}

/** Units that all multiprocessors share. */
const SHARED_UNITS: ReadonlySet<TimeLimit> = new Set(['l2', 'dram', 'atomics']);
/** What is no unit that could be busy with something else. */
const NO_UNITS: ReadonlySet<TimeLimit> = new Set(['latency', 'launch', 'blocks', 'clock']);

/** See KernelTree. `used`: share of the multiprocessors that have blocks; the units of the others are idle. */
export function throughputOf({ ns, parts }: Pick<LaunchTime, 'ns' | 'parts'>, used: number): number {
  const shares = parts.map((part) => (NO_UNITS.has(part.limit) ? 0 : (part.ns / ns) * (SHARED_UNITS.has(part.limit) ? 1 : used)));
  return ns > 0 ? Math.min(1, Math.max(0, ...shares)) : 0;
}

/** The grid itself, then its children beside each other, then its tail launches in order. */
export function phasesOf(tree: KernelTree): readonly Phase[] {
  return [...ownPhases(tree), ...childPhases(tree), ...tree.tails.flatMap(tailPhases)];
}

/** How much longer it takes to the end of all that it launches when caches are cold. */
export function coldLaunchesNs({ children, tails }: KernelTree): number {
  const below = Math.max(0, ...children.map(coldLaunchesNs));
  return (children.length > 0 ? COLD_DEVICE_LAUNCH_NS : 0) + below + tails.reduce((sum, tail) => sum + coldLaunchesNs(tail), 0);
}

/** Whole waves fill the device; the last one leaves room. Blocks of a wave are taken to last equally long. */
function ownPhases({ ns, blocks, residentBlocks: resident, throughput }: KernelTree): readonly Phase[] {
  const share = (part: number): number => Math.min(1, Math.max(part, throughput));
  if (blocks <= resident) return [{ ns, share: share(blocks / resident) }];
  const waves = Math.ceil(blocks / resident);
  const lastNs = ns / waves;
  // Of more blocks than a double counts, what is left over may be nothing.
  const last = Math.max(1, blocks - (waves - 1) * resident) / resident;
  return [
    { ns: ns - lastNs, share: 1 },
    { ns: lastNs, share: share(last) },
  ];
}

function tailPhases(tree: KernelTree): readonly Phase[] {
  return [{ ns: TAIL_LAUNCH_NS, share: IDLE_SHARE }, ...phasesOf(tree)];
}

/**
 * Children of a grid run beside each other as far as the device has room, and begin one after the other. Launches are taken to be spread
 * evenly over the grid's blocks.
 */
function childPhases({ children, blocks }: KernelTree): readonly Phase[] {
  if (children.length === 0) return [];
  let longestNs = 0;
  let areaNs = 0;
  for (const child of children) {
    const phases = phasesOf(child);
    longestNs = Math.max(
      longestNs,
      phases.reduce((sum, { ns }) => sum + ns, 0),
    );
    areaNs += phases.reduce((sum, { ns, share }) => sum + ns * share, 0);
  }
  const ofBlock = children.length / Math.min(blocks, children.length);
  const ns = Math.max(longestNs, areaNs, children.length * DEVICE_LAUNCH_NS, ofBlock * BLOCK_LAUNCH_NS);
  return [
    { ns: FIRST_DEVICE_LAUNCH_NS, share: IDLE_SHARE },
    { ns, share: Math.min(1, areaNs / ns) },
  ];
}
