/** Random kernels: what the sanitizer finds is what all pairs of accesses and vector clocks say, on both engines. */
import { describe, expect, it } from 'vitest';
import { SHARED_BASE } from '../../simulator/ir/address-map.ts';
import { LaunchClock } from '../../simulator/sanitizer/clocks.ts';
import { EventTable, LONG_AGO } from '../../simulator/sanitizer/event-table.ts';
import { FlowPlans } from '../../simulator/sanitizer/flow-plan.ts';
import { FollowedValues } from '../../simulator/sanitizer/followed-values.ts';
import { MeetingChecks, type MeetingReports } from '../../simulator/sanitizer/meeting-checks.ts';
import { type Conflict, RaceDetector } from '../../simulator/sanitizer/race-detector.ts';
import { Sanitizer } from '../../simulator/sanitizer/sanitizer.ts';
import { GlobalShadow } from '../../simulator/sanitizer/shadow.ts';
import { Sites } from '../../simulator/sanitizer/sites.ts';
import { Store } from '../../simulator/sanitizer/store.ts';
import type { CreateEngine } from '../../simulator/scheduling/engine.ts';
import type { Probes } from '../../simulator/scheduling/probes.ts';
import { ENGINES, machine } from '../interpreter/engine-harness.ts';
import { type RandomOrders, randomOrders } from './random-orders.ts';
import { SlowDetector } from './slow-detector.ts';

/** Threads take what their neighbours have left in shared memory, again and again. */
const EXCHANGES = `
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 160
  %global = add i32 %first, %tid
  %word = and i32 %tid, 63
  %mine = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %word
  %other = xor i32 %word, 33
  %theirs = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 %other
  %place = getelementptr i32, ptr %out, i32 %global
  %isOwner = icmp ult i32 %tid, 64
  br label %round
round:
  %r = phi i32 [ 0, %entry ], [ %next, %taken ]
  br i1 %isOwner, label %leave, label %take
leave:
  store i32 %r, ptr %mine, align 4
  br label %take
take:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr %theirs, align 4
  store i32 %v, ptr %place, align 4
  br label %taken
taken:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %r, 1
  %again = icmp ult i32 %next, 30
  br i1 %again, label %round, label %end
end:
  ret void
}`;

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
  detect(create, kernel, ({ address, warp, site, earlier }) => {
    if (site.strength === 'atomic' && earlier.strength === 'atomic') return;
    racing.add(address >= SHARED_BASE ? `${warp.block.number}:${address}` : `${address}`);
  });
  return [...racing].sort();
}

/** Accesses that an engine has told of, in all launches. */
let told = 0;

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
    const store = new Store(m.memory);
    const events = new EventTable(store);
    const global = new GlobalShadow(store);
    for (const { address, sizeBytes } of m.memory.allocations) global.reset(address, sizeBytes, LONG_AGO);
    const shape = {
      kernel: 'k',
      grid: [kernel.blocks, 1, 1],
      block: [kernel.threads, 1, 1],
      dynamicSharedBytes: 0,
      args: [],
      cooperative: false,
    } as const;
    const clock = new LaunchClock(shape, events, { floor: 0, sharedBytes: 256, store });
    const detector = new RaceDetector({
      clock,
      events,
      sites: new Sites([], (name) => m.module.ir.functions.get(name), store),
      global,
      local: undefined,
      copies: new Map(),
      memory: m.memory.bytes,
      variables: new Map(),
      equalValues: true,
      followed: new FollowedValues({ plans: new FlowPlans(m.module, 'k'), follows() {}, read() {}, used() {} }),
      reports: {
        race,
        uninitialised() {},
      },
    });
    const meetings = new MeetingChecks(clock, SILENT);
    return {
      ledger: store.ledger.address,
      blockBegin: ({ block }) => clock.beginBlock(block),
      access: (event) => {
        told++;
        return detector.access(event);
      },
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

/** The repaired twin: accesses of shared words are atomics. */
function allAtomic(ir: string): string {
  let values = 0;
  return ir
    .replace(
      /store i32 (%v\d+), ptr (%v\d+), align 4/g,
      (_, value, at) => `%w${values++} = atomicrmw xchg ptr ${at}, i32 ${value} monotonic`,
    )
    .replace(/(%v\d+) = load i32, ptr (%v\d+), align 4/g, '$1 = atomicrmw add ptr $2, i32 0 monotonic');
}

describe.each(ENGINES)('races of random kernels (%s)', (_, create) => {
  it.each(Array.from({ length: 60 }, (__, index) => index + 1))('seed %i', (seed) => {
    const kernel = randomOrders(seed);
    expect(fastRaces(create, kernel)).toEqual(slowRaces(create, kernel));
  });

  it.each(Array.from({ length: 20 }, (__, index) => index + 1))('with barriers of some of the warps, seed %i', (seed) => {
    const kernel = randomOrders(seed, { sizes: [96, 128] });
    expect(fastRaces(create, kernel)).toEqual(slowRaces(create, kernel));
  });

  it.each(Array.from({ length: 20 }, (__, index) => index + 1))('with fences and atomics of blocks, seed %i', (seed) => {
    const kernel = randomOrders(seed, { isScoped: true });
    expect(fastRaces(create, kernel)).toEqual(slowRaces(create, kernel));
  });

  it('many of them race, and none does when each access is an atomic', () => {
    const racy = Array.from({ length: 20 }, (__, index) => randomOrders(index + 1)).filter(
      (kernel) => slowRaces(create, kernel).length > 0,
    );
    expect(racy.length).toBeGreaterThan(8);
    for (const kernel of racy) {
      const repaired = { ...kernel, ir: allAtomic(kernel.ir) };
      expect([fastRaces(create, repaired), slowRaces(create, repaired)]).toEqual([[], []]);
    }
  });
});

// Several warps that access the same words, again and again: what compiled code checks by itself or need not tell may not matter.
describe('reports on blocks of several warps', () => {
  const [[, interpreted], [, compiled]] = ENGINES;
  const kernels = Array.from({ length: 140 }, (_, seed) =>
    randomOrders(seed + 1, { sizes: [128, 160], rounds: 1 + 2 * (seed % 2) }),
  ).filter(({ ir }, seed) => seed % 8 === 0 || !ir.includes('call void @llvm.nvvm.membar.gl'));
  it.each(kernels)('kernel %#', (kernel) => {
    expect(reports(compiled, kernel)).toEqual(reports(interpreted, kernel));
  });

  it.each(ENGINES)('races with blocks that ended long ago are found, and other events of theirs are forgotten (%s)', (_, create) => {
    const blocks = 300;
    const m = machine(create, EXCHANGES.replace('mul i32 %block, 160', 'mul i32 %block, 0'));
    const sanitizer = new Sanitizer({ memory: m.memory, equalValues: true });
    const options = { grid: blocks, block: 160, args: [m.words(320)] };
    const shape = { kernel: 'k', grid: [blocks, 1, 1], block: [160, 1, 1], dynamicSharedBytes: 0, args: [], cooperative: false } as const;
    m.launch('k', { ...options, probes: sanitizer.probes(m.module, shape) });
    sanitizer.endKernel();
    m.engine.close();
    // Each word of each block with that of the block before.
    expect(sanitizer.findings.map(({ check, count }) => [check, count])).toEqual([['race', 160 * (blocks - 1)]]);
    // Of 300 blocks' 300 and more, 8 bytes each.
    expect(sanitizer.sizeBytes.events).toBeLessThanOrEqual(8 << 17);
  });

  it('most accesses of one that orders its threads are not told', () => {
    const kernel = { ir: EXCHANGES, blocks: 2, threads: 160, words: 320 };
    expect(reports(compiled, kernel)).toEqual([]);
    told = 0;
    reports(interpreted, kernel);
    const all = told;
    told = 0;
    reports(compiled, kernel);
    expect(told).toBeLessThan(all / 5);
  });
});
