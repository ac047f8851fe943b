/**
 * Estimated time of a launch on the device, from what an engine has counted: how long one warp takes by itself from the latencies of its
 * instructions, how long each unit of the device is busy, and what a launch takes at least (docs/time.md).
 */
import type { TimeLimit } from '../../counters/limits.ts';
import { blocksByRegisters, occupancyLimits, residentBlocks } from '../../devices/occupancy.ts';
import type { DeviceProfile } from '../../devices/profile.ts';
import { bytesPerClock, type Pipe, type Timings, timingsOf } from '../../devices/timings.ts';
import type { SiteCounters } from '../counters/site-counters.ts';
import { sizeOf } from '../ir/layout.ts';
import type { Elapsed, Launch } from '../machine/launch.ts';
import { type LoadedModule, sharedLimit } from '../machine/load-module.ts';
import { codeBytes } from './code-size.ts';
import type { Precision } from './flops.ts';
import type { Locality } from './locality.ts';
import { registersOf } from './registers.ts';
import { type Work, workOf } from './work.ts';

export interface LaunchTimeInput {
  readonly module: LoadedModule;
  readonly launch: Launch;
  readonly device: DeviceProfile;
  readonly counters: SiteCounters;
  /** What the caches hold when the grid starts: nothing, as when Nsight Compute profiles it, or what was used before. */
  readonly caches: 'cold' | 'warm';
  /** What the caches make of its accesses; without it, every sector comes from L2. */
  readonly locality?: Locality;
  /** How long the ways through its blocks are; without it, all warps are taken to go the same. */
  readonly elapsed?: Elapsed;
  readonly timings?: Timings;
}

export interface LaunchTime {
  /** Nanoseconds from the grid's start to its end on the GPU, as gpu__time_duration; what the host's call costs is not in it. */
  readonly ns: number;
  readonly limit: TimeLimit;
  /** Nanoseconds that each of these would take by itself, the limit first. */
  readonly parts: readonly TimePart[];
  readonly residency: Residency;
  readonly memory: MemoryTraffic;
  /** Warp instructions: all that are issued, and visits of pipes. */
  readonly instructions: Readonly<Record<'issued' | Pipe, number>>;
  /** Floating-point operations of all lanes: counted, not estimated. */
  readonly flops: Readonly<Record<Precision, number>>;
  /** By function and site, nanoseconds that it adds: all but what starting the grid and its blocks takes. Of estimates with cold caches. */
  readonly sites: ReadonlyMap<string, Float64Array>;
}

export interface TimePart {
  readonly limit: TimeLimit;
  readonly ns: number;
}

/** Estimated traffic of a launch. */
export interface MemoryTraffic {
  /** Sectors that multiprocessors ask of L2, and share of loaded sectors that L1 had. */
  readonly l2Sectors: { readonly read: number; readonly write: number; readonly atomic: number };
  readonly l1HitRate: number;
  /** Share of these sectors that DRAM was not asked for. */
  readonly l2HitRate: number;
  readonly dramReadBytes: number;
  readonly dramWrittenBytes: number;
  /** What is no global memory in all of these. */
  readonly code: OtherTraffic;
  readonly local: OtherTraffic;
}

/** Sectors. */
export interface OtherTraffic {
  readonly l2: number;
  readonly dramRead: number;
  readonly dramWritten: number;
}

export interface Residency {
  /** Of a thread; estimated. */
  readonly registers: number;
  /** Blocks on one multiprocessor at a time. */
  readonly resident: number;
  readonly residentWarps: number;
  readonly limitedBy: 'blocks' | 'warps' | 'shared memory' | 'registers';
  /** How often all multiprocessors are filled. */
  readonly waves: number;
}

/** Launches of this length are half way to the overlap of long ones. */
const OVERLAPPING_NS = 20_000;

export type Where = Pick<LaunchTimeInput, 'module' | 'launch' | 'device'>;

export function residency({ module, launch, device }: Where): Residency {
  const fn = module.ir.functions.get(launch.kernel);
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const sharedBytes = sharedLimit(module, launch.kernel, launch.dynamicSharedBytes);
  const registers = fn ? registersOf(fn, module.ir, device.registersPerBlock) : 32;
  const limits = occupancyLimits(device, { threads, sharedBytes });
  const byRegisters = Math.max(1, blocksByRegisters(device, { threads, registers }));
  const resident = Math.max(1, Math.min(residentBlocks(limits), byRegisters));
  const limitedBy =
    resident === byRegisters && byRegisters < limits.warps
      ? 'registers'
      : resident === limits.warps
        ? 'warps'
        : resident === limits.blocks
          ? 'blocks'
          : 'shared memory';
  const residentWarps = resident * Math.ceil(threads / device.warpSize);
  return { registers, resident, residentWarps, limitedBy, waves: gridBlocks(launch) / (resident * device.multiprocessors) };
}

export function gridBlocks({ grid }: Launch): number {
  return grid[0] * grid[1] * grid[2];
}

export function estimateLaunch(input: LaunchTimeInput): LaunchTime {
  const { launch, device } = input;
  const timings = input.timings ?? timingsOf(device);
  const fits = residency(input);
  const coldness = coldnessOf(input);
  const work = workOf({ ...input, timings, fits, coldness });
  const blocks = gridBlocks(launch);
  const misses = missesOf(input, timings);
  const traffic = trafficOf(work, input, { timings, coldness, misses, fits });
  const perClock = device.clockKHz / 1e6;
  const code = input.caches === 'cold' ? codeBytes(input.module.ir, input.counters, timings) : 0;
  const busy = busyParts({ work, traffic, misses, timings, device, blocks, fits, code });
  const parts: TimePart[] = busy.map(({ limit, cycles }) => ({ limit, ns: cycles / perClock }));
  const overhead = timings.emptyNs + (input.caches === 'warm' ? 0 : work.loadSectors > 0 ? timings.coldNs : timings.coldCodeNs);
  parts.push({ limit: 'launch', ns: overhead });
  parts.sort((a, b) => b.ns - a.ns);
  const longest = Math.max(...busy.map(({ cycles }) => cycles / perClock));
  // The phases of a short launch come one after the other in all warps; in a long one, some warps compute while others wait.
  const p = timings.overlap + (timings.longOverlap * longest) / (longest + OVERLAPPING_NS);
  const powers = powersOf(parts, p, timings.dramOverlap);
  const total = [...powers.values()].reduce((sum, power) => sum + power, 0);
  const together = total ** (1 / p);
  return {
    ns: overhead + together,
    limit: parts[0].limit,
    parts,
    residency: fits,
    memory: traffic,
    instructions: { issued: work.issues, ...work.visits },
    flops: work.flops,
    sites: sitesOf(work, new Map([...powers].map(([limit, power]) => [limit, total > 0 ? (power / total) * together : 0]))),
  };
}

/**
 * What each busy time adds to the sum of powers. DRAM answers later the busier it is: with the waiting of warps it overlaps less than other
 * units do.
 */
function powersOf(parts: readonly TimePart[], p: number, dramOverlap: number): ReadonlyMap<TimeLimit, number> {
  const powers = new Map(parts.filter(({ limit }) => limit !== 'launch').map(({ limit, ns }) => [limit, ns ** p]));
  const waits: readonly TimePart[] = parts.filter(({ limit }) => limit === 'latency' || limit === 'dram');
  const own = Math.min(p, dramOverlap);
  const whole = waits.reduce((sum, { ns }) => sum + ns ** own, 0) ** (p / own);
  const before = waits.reduce((sum, { ns }) => sum + ns ** p, 0);
  for (const { limit, ns } of waits) if (before > 0) powers.set(limit, (ns ** p * whole) / before);
  return powers;
}

/** What each limit adds to the whole is shared by the sites that use it. */
function sitesOf({ uses }: Work, added: ReadonlyMap<TimeLimit, number>): ReadonlyMap<string, Float64Array> {
  const nsOf = new Map<TimeLimit, number>();
  for (const [limit, ns] of added) {
    let total = 0;
    for (const byLimit of uses.values()) total += byLimit.get(limit)?.reduce((sum, use) => sum + use, 0) ?? 0;
    if (total > 0) nsOf.set(limit, ns / total);
  }
  return new Map(
    [...uses].map(([name, byLimit]) => {
      const sites = new Float64Array(Math.max(0, ...[...byLimit.values()].map(({ length }) => length)));
      for (const [limit, all] of byLimit) {
        const ns = nsOf.get(limit) ?? 0;
        if (ns > 0) for (let site = 0; site < all.length; site++) sites[site] += all[site] * ns;
      }
      return [name, sites];
    }),
  );
}

/** Share of what the grid reads that L2 does not have at its start. */
function coldnessOf({ caches, locality, device }: LaunchTimeInput): number {
  if (caches === 'cold') return 1;
  const touchedBytes = 32 * ((locality?.readSectors ?? 0) + (locality?.writtenSectors ?? 0));
  return touchedBytes > device.l2Bytes ? 1 - device.l2Bytes / touchedBytes : 0;
}

/** Sectors that L2 had once and has no more when they are asked for again. */
interface Misses {
  readonly loads: number;
  readonly atomics: number;
}

/** What comes again from all over shares L2 by size; a window of the stream keeps what it covers in the part that is set aside. */
function missesOf({ locality, device, launch: { window } }: LaunchTimeInput, { l2Share, uncoveredShare, l2Knee }: Timings): Misses {
  const far = locality?.far ?? [];
  const setAside = window?.setAsideBytes ?? 0;
  const spans = far.reduce((sum, { spanBytes }) => sum + spanBytes, 0);
  const misses = { loads: 0, atomics: 0 };
  for (const { address, sizeBytes, spanBytes, sectors, atomic } of far) {
    // Not below nothing: a window may lie elsewhere.
    const covered = window ? Math.min(address + sizeBytes, window.address + window.sizeBytes) - Math.max(address, window.address) : 0;
    const kept = Math.min(setAside, spanBytes, Math.max(0, covered) * (window?.hitRatio ?? 0));
    const others = (device.l2Bytes - (covered > 0 ? kept : setAside)) * (spanBytes / spans);
    const rest = spanBytes - kept;
    if (rest <= 0) continue;
    const crowd = rest / (others * (covered > 0 ? uncoveredShare : l2Share));
    misses[atomic ? 'atomics' : 'loads'] += sectors * (rest / spanBytes) * (1 - (1 + crowd ** l2Knee) ** (-1 / l2Knee));
  }
  return misses;
}

function trafficOf(
  work: Work,
  input: LaunchTimeInput,
  {
    timings,
    coldness,
    misses,
    fits,
  }: { readonly timings: Timings; readonly coldness: number; readonly misses: Misses; readonly fits: Residency },
): MemoryTraffic {
  const { locality, device } = input;
  // L2 is asked once for what neighbours ask for at the same time (Nsight Compute: the L2 request coalescer).
  const coalesced = 1 - timings.coalescedShare * (locality?.neighbourShare ?? 0);
  const local = localTraffic(work, input, { timings, fits });
  const code = input.caches === 'cold' ? codeBytes(input.module.ir, input.counters, timings) / 32 : 0;
  const loaded = (work.loadSectors - work.l1HitSectors) * coalesced;
  const stored = work.storeSectors + work.localStoreSectors;
  const read = loaded + local.loadSectors + timings.codeReaders * code;
  const readSectors = coldness * Math.min(locality?.readSectors ?? loaded, loaded + work.atomicSectors);
  const written = Math.min(locality?.writtenSectors ?? work.storeSectors, work.storeSectors + work.atomicSectors);
  const asked = read + stored + work.atomicSectors;
  const fetched = readSectors + misses.loads + misses.atomics + local.missedSectors + code;
  // What was written last stays in L2. Of what is written in part, the rest is read before it goes.
  const filled = written > 0 ? Math.min(1, (work.wholeStores + work.atomicSectors) / written) : 1;
  const partial = Math.min(1, 2 * (1 - filled));
  const { whole, partial: ofPartial } = timings.dirtyShare;
  const crowd = written > 0 ? 1 + (timings.readsPushOut * readSectors) / written : 1;
  const held = ((whole + partial * (ofPartial - whole)) * device.l2Bytes) / 32 / crowd;
  const evicted = Math.max(0, written - held);
  return {
    l2Sectors: { read, write: stored, atomic: work.atomicSectors },
    l1HitRate: work.loadSectors > 0 ? work.l1HitSectors / work.loadSectors : 0,
    l2HitRate: asked > 0 ? Math.max(0, 1 - fetched / asked) : 0,
    dramReadBytes: 32 * (fetched + partial * evicted),
    dramWrittenBytes: 32 * (evicted + misses.atomics + local.evictedSectors),
    code: { l2: timings.codeReaders * code, dramRead: code, dramWritten: 0 },
    local: { l2: local.loadSectors + work.localStoreSectors, dramRead: local.missedSectors, dramWritten: local.evictedSectors },
  };
}

interface LocalTraffic {
  /** That L1 does not have, and of these that L2 does not have. */
  readonly loadSectors: number;
  readonly missedSectors: number;
  /** Stored, and written back before the end. */
  readonly evictedSectors: number;
}

/** Every thread has its own local memory, as much as it stores to at most, and the next one on its place takes it over. */
function localTraffic(
  { localLoadSectors, localStoreSectors }: Work,
  { module, counters, launch, device }: LaunchTimeInput,
  { timings, fits }: { readonly timings: Timings; readonly fits: Residency },
): LocalTraffic {
  if (localLoadSectors + localStoreSectors === 0) return { loadSectors: 0, missedSectors: 0, evictedSectors: 0 };
  const blocks = gridBlocks(launch);
  const threads = launch.block[0] * launch.block[1] * launch.block[2];
  const stored = (32 * localStoreSectors) / (blocks * threads);
  const bytes = Math.min(localBytes(module, counters), stored);
  const onOne = Math.min(fits.resident, Math.ceil(blocks / device.multiprocessors)) * threads * bytes;
  const onAll = Math.min(blocks, fits.resident * device.multiprocessors) * threads * bytes;
  const loadSectors = localLoadSectors * Math.max(0, 1 - timings.l1Bytes / Math.max(1, onOne));
  const past = Math.max(0, 1 - (timings.l2Share * device.l2Bytes) / Math.max(1, onAll));
  return { loadSectors, missedSectors: loadSectors * past, evictedSectors: localStoreSectors * past };
}

/** Of a thread: variables of the functions that the launch has executed. */
function localBytes({ ir }: LaunchTimeInput['module'], counters: SiteCounters): number {
  let bytes = 0;
  for (const name of counters.keys()) {
    for (const { instructions } of ir.functions.get(name)?.blocks ?? []) {
      for (const each of instructions) {
        if (each.op === 'alloca') bytes += sizeOf(each.allocated) * (each.count.kind === 'int' ? Number(each.count.value) : 1);
      }
    }
  }
  return bytes;
}

interface Busy {
  readonly work: Work;
  readonly traffic: MemoryTraffic;
  readonly misses: Misses;
  readonly timings: Timings;
  readonly device: DeviceProfile;
  readonly blocks: number;
  readonly fits: Residency;
  /** Bytes that have to be fetched. */
  readonly code: number;
}

function busyParts({ work, traffic, misses, timings, device, blocks, fits, code }: Busy): { limit: TimeLimit; cycles: number }[] {
  // The multiprocessor that gets the most blocks ends last.
  const share = Math.ceil(blocks / device.multiprocessors) / blocks;
  const { waves } = fits;
  const turns = waves <= 1 ? 1 : waves < 4 ? Math.ceil(waves) : waves + 0.5;
  // A block stays until its longest warp ends, and the longest block is alone at the end.
  const blockCycles = (work.warpCycles + work.blockExcess) * turns + Math.max(0, work.longestExcess - work.blockExcess);
  const codeCycles = Math.max(0, code - timings.codeAhead) * timings.cyclesPerCodeByte;
  const peakBytesPerClock = bytesPerClock(device);
  const readBytes = traffic.dramReadBytes + 32 * (timings.farSectorCost - 1) * misses.loads;
  const { dramEfficiency, dramWriteEfficiency } = timings;
  const l2 = traffic.l2Sectors;
  const l2Sectors = l2.read + l2.write;
  const partialStores = Math.max(0, work.storeSectors - work.wholeStores);
  const atDevice = Math.max(
    (l2Sectors + (timings.partialStoreCost - 1) * partialStores) / timings.l2SectorsPerClock,
    work.l2Lines / timings.l2LinesPerClock,
  );
  const localStores = work.localStoreSectors * (timings.localStoreCycles - 1 / 2);
  const atMultiprocessor = ((l2Sectors + l2.atomic) / 2 + partialStores * timings.partialStoreCycles + localStores) * share;
  const { turnCycles } = timings;
  const waiting = (turns - 1) * (turnCycles.block + turnCycles.warp * (fits.residentWarps / fits.resident));
  return [
    { limit: 'latency', cycles: blockCycles + waiting + codeCycles },
    { limit: 'issue', cycles: (work.issues * share) / device.prices.issuesPerClock },
    { limit: 'fp32', cycles: (work.visits.fp32 * share * 32) / timings.lanes.fp32 },
    { limit: 'int', cycles: (work.visits.int * share * 32) / timings.lanes.int },
    { limit: 'fp64', cycles: (work.visits.fp64 * share * 32) / timings.lanes.fp64 },
    { limit: 'special', cycles: (work.visits.special * share * 32) / timings.lanes.special },
    { limit: 'shared', cycles: work.sharedWavefronts * timings.sharedCost * share },
    { limit: 'constant', cycles: work.constantLanes * timings.constantCost * share },
    { limit: 'l1', cycles: work.l1Lines * timings.l1Cost * share },
    { limit: 'l2', cycles: Math.max(atDevice, atMultiprocessor) },
    { limit: 'dram', cycles: (readBytes / dramEfficiency + traffic.dramWrittenBytes / dramWriteEfficiency) / peakBytesPerClock },
    { limit: 'atomics', cycles: work.atomicCycles + misses.atomics * timings.atomicMissClocks },
    { limit: 'blocks', cycles: blocks * timings.blockCycles },
  ];
}
