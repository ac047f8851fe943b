/** Random kernels: what the sanitizer finds is what all pairs of accesses and vector clocks say, on both engines. */
import { describe, expect, it } from 'vitest';
import { SHARED_BASE } from '../../simulator/ir/address-map.ts';
import { LaunchClock } from '../../simulator/sanitizer/clocks.ts';
import { EventTable, LONG_AGO } from '../../simulator/sanitizer/event-table.ts';
import { MeetingChecks, type MeetingReports } from '../../simulator/sanitizer/meeting-checks.ts';
import { type Conflict, RaceDetector } from '../../simulator/sanitizer/race-detector.ts';
import { GlobalShadow } from '../../simulator/sanitizer/shadow.ts';
import { Sites } from '../../simulator/sanitizer/sites.ts';
import type { CreateEngine } from '../../simulator/scheduling/engine.ts';
import type { Probes } from '../../simulator/scheduling/probes.ts';
import { ENGINES, machine } from '../interpreter/engine-harness.ts';
import { type RandomOrders, randomOrders } from './random-orders.ts';
import { SlowDetector } from './slow-detector.ts';

const SILENT: MeetingReports = { incomplete() {}, incompleteGrid() {}, different() {}, leftOut() {}, absent() {}, readsAbsent() {} };

function launch(create: CreateEngine, kernel: RandomOrders, probes: (m: ReturnType<typeof machine>, launch: object) => Probes): void {
  const m = machine(create, kernel.ir);
  const options = { grid: kernel.blocks, block: kernel.threads, args: [m.words(kernel.words)] };
  const outcome = m.launch('k', { ...options, probes: probes(m, options) });
  m.engine.close();
  if (outcome.fault) throw new Error(outcome.fault.message);
}

/** Words of races, as SlowDetector names bytes. */
function fastRaces(create: CreateEngine, kernel: RandomOrders): string[] {
  const racing = new Set<string>();
  detect(create, kernel, ({ address, warp }) => racing.add(address >= SHARED_BASE ? `${warp.block.number}:${address}` : `${address}`));
  return [...racing].sort();
}

/** All that is reported, in its order. */
function reports(create: CreateEngine, kernel: RandomOrders): string[] {
  const all: string[] = [];
  detect(create, kernel, ({ address, site, warp, lane, earlier, before }) =>
    all.push(`${address}: ${site.instruction.id} of ${warp.number}/${lane} after ${earlier.instruction.id} of lane ${before & 31}`),
  );
  return all;
}

function detect(create: CreateEngine, kernel: RandomOrders, race: (conflict: Conflict) => void): void {
  launch(create, kernel, (m) => {
    const events = new EventTable();
    const global = new GlobalShadow();
    for (const { address, sizeBytes } of m.memory.allocations) global.reset(address, sizeBytes, LONG_AGO);
    const shape = {
      kernel: 'k',
      grid: [kernel.blocks, 1, 1],
      block: [kernel.threads, 1, 1],
      dynamicSharedBytes: 0,
      args: [],
      cooperative: false,
    } as const;
    const clock = new LaunchClock(shape, events, { floor: 0, sharedBytes: 256 });
    const detector = new RaceDetector({
      clock,
      events,
      sites: new Sites([], (name) => m.module.ir.functions.get(name)),
      global,
      memory: m.memory.bytes,
      variables: new Map(),
      equalValues: true,
      reports: {
        race,
        uninitialised() {},
      },
    });
    const meetings = new MeetingChecks(clock, SILENT);
    return {
      access: (event) => detector.access(event),
      atomic: (event) => detector.atomic(event),
      fence: (event) => detector.fence(event),
      barrier: (event) => meetings.barrier(event),
      exchange: (event) => meetings.exchange(event),
      meeting: (event) => meetings.meeting(event),
      blockEnd: ({ block }) => clock.endBlock(block),
    };
  });
}

function slowRaces(create: CreateEngine, kernel: RandomOrders): string[] {
  const slow = new SlowDetector(kernel.blocks, kernel.threads);
  launch(create, kernel, () => slow.probes);
  const words = [...slow.racing].map((key) => {
    const [address, block] = key.split(':').reverse();
    return `${block === undefined ? '' : `${block}:`}${Number(address) & ~3 ? Math.floor(Number(address) / 4) * 4 : address}`;
  });
  return [...new Set(words)].sort();
}

describe.each(ENGINES)('races of random kernels (%s)', (_, create) => {
  it.each(Array.from({ length: 60 }, (__, index) => index + 1))('seed %i', (seed) => {
    const kernel = randomOrders(seed);
    expect(fastRaces(create, kernel)).toEqual(slowRaces(create, kernel));
  });
});

// Several warps that read the same words: what compiled code need not tell may not matter. It tells all where threads publish.
describe('reports on blocks of several warps', () => {
  const [[, interpreted], [, compiled]] = ENGINES;
  const kernels = Array.from({ length: 120 }, (_, seed) => randomOrders(seed + 1, [128, 160])).filter(
    ({ ir }) => !ir.includes('call void @llvm.nvvm.membar.gl'),
  );
  it.each(kernels)('kernel %#', (kernel) => {
    expect(reports(compiled, kernel)).toEqual(reports(interpreted, kernel));
  });
});
