/**
 * Kernels whose lanes, warps or blocks wait for each other: compiled, with the interpreter's order of turns, so that even what depends on
 * who comes first is the same on both engines and for any number of threads.
 */
import { describe, expect, it, vi } from 'vitest';
import { type CompilerEngine, createCompiler } from '../../simulator/compiler/engine.ts';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import { DeviceMemory } from '../../simulator/machine/device-memory.ts';
import type { LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { type Machine, machine } from '../interpreter/engine-harness.ts';

const DECLARATIONS = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare void @__lanewise_grid_sync()
declare void @llvm.nvvm.nanosleep(i32)
@tile = internal addrspace(3) global [1024 x i32] undef, align 4
`;

/** A kernel whose threads have their number in the grid in %i; %a holds the threads' words, %b a few common ones. */
function kernel(body: string): string {
  return `${DECLARATIONS}
define ptx_kernel void @k(ptr %a, ptr %b) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %bid, %ntid
  %i = add i32 %first, %tid
  %mine = getelementptr i32, ptr %a, i32 %i
${body}
}`;
}

/** Each thread takes the lock and leaves what it found: which number it was. */
const LOCK = `  %word = getelementptr i32, ptr %b, i32 1
  br label %spin
spin:
  %pair = cmpxchg ptr %b, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %in, label %spin
in:
  %count = load volatile i32, ptr %word, align 4
  %next = add i32 %count, 1
  store volatile i32 %next, ptr %word, align 4
  %old = atomicrmw xchg ptr %b, i32 0 release
  store i32 %count, ptr %mine, align 4
  ret void`;

/** A chain over all threads of the grid: each waits for the one before. */
const CHAIN = `  %isFirst = icmp eq i32 %i, 0
  %previous = getelementptr i32, ptr %mine, i32 -1
  br i1 %isFirst, label %go, label %spin
spin:
  %seen = load volatile i32, ptr %previous, align 4
  %empty = icmp eq i32 %seen, 0
  br i1 %empty, label %spin, label %go
go:
  %value = phi i32 [ 1, %entry ], [ %seen, %spin ]
  %next = add i32 %value, 3
  store volatile i32 %next, ptr %mine, align 4
  ret void`;

/** The last block to finish adds up what the others have left, in the order of their tickets. */
const LAST_BLOCK = `  %number = atomicrmw add ptr %b, i32 1 acq_rel
  store i32 %number, ptr %mine, align 4
  fence acq_rel
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %ticket = getelementptr i32, ptr %b, i32 1
  %leads = icmp eq i32 %tid, 0
  br i1 %leads, label %lead, label %out
lead:
  %before = atomicrmw add ptr %ticket, i32 1 acq_rel
  %word = getelementptr i32, ptr %b, i32 2
  %place = getelementptr i32, ptr %word, i32 %bid
  store i32 %before, ptr %place, align 4
  br label %out
out:
  ret void`;

const BARRIER_ON_EACH_SIDE = `  %odd = and i32 %tid, 1
  %isOdd = icmp ne i32 %odd, 0
  br i1 %isOdd, label %left, label %right
left:
  store i32 7, ptr %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %out
right:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = getelementptr i32, ptr %mine, i32 1
  %theirs = load i32, ptr %next, align 4
  store i32 %theirs, ptr %mine, align 4
  br label %out
out:
  ret void`;

const CLOCK = `  %start = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %end = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %long = sub i64 %end, %start
  %cycles = trunc i64 %long to i32
  store i32 %cycles, ptr %mine, align 4
  ret void`;

const GRID_BARRIER = `  %ticket = atomicrmw add ptr %b, i32 1 monotonic
  store i32 %ticket, ptr %mine, align 4
  call void @__lanewise_grid_sync()
  %mirrored = sub i32 159, %i
  %its = getelementptr i32, ptr %a, i32 %mirrored
  %value = load i32, ptr %its, align 4
  call void @__lanewise_grid_sync()
  %again = atomicrmw add ptr %b, i32 %value monotonic
  %sum = add i32 %again, %value
  store i32 %sum, ptr %mine, align 4
  ret void`;

const BLOCKS = 4;
const THREADS = 40;

interface Run {
  readonly outcome: LaunchOutcome;
  readonly words: number[];
}

function execute(m: Machine, cooperative: boolean): Run {
  const a = m.words(BLOCKS * THREADS + 1);
  const b = m.words(16);
  const outcome = m.launch('k', { grid: BLOCKS, block: THREADS, args: [a, b], cooperative });
  return { outcome, words: [...m.read(a, BLOCKS * THREADS), ...m.read(b, 16)] };
}

function compiled(ir: string, workers: number, limits = {}): { m: Machine; engine: CompilerEngine } {
  let engine: CompilerEngine | undefined;
  const create = (options: Parameters<typeof createInterpreter>[0]): CompilerEngine => {
    engine = createCompiler({ fallback: interpreter, workers, parallelWarps: 1 }, options);
    if (workers > 0) engine.warmUp();
    return engine;
  };
  const m = machine(create, ir, limits);
  return { m, engine: engine! };
}

describe('threads that wait for each other take turns as in the interpreter', () => {
  it.each([
    ['at a lock', LOCK, false],
    ['in a chain through all blocks', CHAIN, false],
    ['for tickets', LAST_BLOCK, false],
    ['at barriers on either side of a branch', BARRIER_ON_EACH_SIDE, false],
    ['while a clock runs', CLOCK, false],
    ['at a barrier of the grid', GRID_BARRIER, true],
    ['at a lock, all blocks at once', LOCK, true],
  ])('%s', (_, body, cooperative) => {
    const oracle = execute(machine(createInterpreter, kernel(body)), cooperative);
    expect(oracle.outcome.fault).toBeUndefined();
    for (const workers of [0, 1, 3]) {
      const { m, engine } = compiled(kernel(body), workers);
      expect(engine.whyInterpreted('k')).toBeUndefined();
      const { outcome, words } = execute(m, cooperative);
      expect(outcome.fault).toBeUndefined();
      expect(words).toEqual(oracle.words);
      expect([...outcome.counters.get('k')!.data]).toEqual([...oracle.outcome.counters.get('k')!.data]);
      engine.close();
    }
  });

  it('and every thread has had the lock once', () => {
    const { m, engine } = compiled(kernel(LOCK), 0);
    const { words } = execute(m, false);
    expect(words.slice(0, BLOCKS * THREADS).sort((x, y) => x - y)).toEqual(Array.from({ length: BLOCKS * THREADS }, (_, k) => k));
    expect(words[BLOCKS * THREADS + 1]).toBe(BLOCKS * THREADS);
    engine.close();
  });
});

describe('kernels with loops in which somebody could wait', () => {
  /** One thread of each block takes a lock, which is free in blocks that run one after the other. */
  const FREE_LOCK = `  %leads = icmp eq i32 %tid, 0
  %word = getelementptr i32, ptr %b, i32 1
  br i1 %leads, label %spin, label %locked
spin:
  %pair = cmpxchg ptr %b, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %locked, label %spin
locked:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %count = load i32, ptr %word, align 4
  store i32 %count, ptr %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %leads, label %free, label %out
free:
  %next = add i32 %count, 1
  store i32 %next, ptr %word, align 4
  %old = atomicrmw xchg ptr %b, i32 0 release
  br label %out
out:
  ret void`;
  const isPathByPath = (body: string): boolean =>
    compileKernel(machine(createInterpreter, kernel(body)).module, 'k', { mayHope: true }).paths !== undefined;

  it('run warp by warp while nobody does', () => {
    expect(isPathByPath(FREE_LOCK)).toBe(false);
    const oracle = execute(machine(createInterpreter, kernel(FREE_LOCK)), false);
    for (const workers of [0, 3]) {
      const { m, engine } = compiled(kernel(FREE_LOCK), workers);
      // Path by path, it would run on one thread.
      for (const _ of [1, 2]) {
        const { outcome, words } = execute(m, false);
        expect(words).toEqual(oracle.words);
        expect([...outcome.counters.get('k')!.data]).toEqual([...oracle.outcome.counters.get('k')!.data]);
      }
      engine.close();
    }
  });

  it('begin again where somebody does, from the state before, and for good', () => {
    const counted = `  %seen = atomicrmw add ptr %mine, i32 5 monotonic\n${CHAIN.replaceAll('%seen', '%before').replaceAll('%previous', '%other')}`;
    expect(isPathByPath(counted)).toBe(false);
    const oracle = machine(createInterpreter, kernel(counted));
    const { m, engine } = compiled(kernel(counted), 2);
    for (const _ of [1, 2]) {
      const expected = execute(oracle, false);
      const { outcome, words } = execute(m, false);
      expect(words).toEqual(expected.words);
      expect([...outcome.counters.get('k')!.data]).toEqual([...expected.outcome.counters.get('k')!.data]);
    }
    engine.close();
  });

  it('run path by path from the start if a loop lets others go on', () => {
    expect(isPathByPath(FREE_LOCK.replace('spin:', 'spin:\n  call void @llvm.nvvm.nanosleep(i32 20)'))).toBe(true);
  });
});

describe('what never ends, or would not', () => {
  const limits = { warpInstructions: 20_000 };
  const FOREVER = `  br label %spin
spin:
  %seen = load volatile i32, ptr %b, align 4
  %empty = icmp eq i32 %seen, 0
  br i1 %empty, label %spin, label %out
out:
  ret void`;
  const TWO_BARRIERS = `  %low = icmp ult i32 %tid, 32
  br i1 %low, label %grid, label %block
grid:
  call void @__lanewise_grid_sync()
  br label %out
block:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %out
out:
  ret void`;

  it.each([
    ['waiting for a flag that nobody raises', FOREVER, false, 'step-limit'],
    ['a barrier of the grid in a launch that is not cooperative', GRID_BARRIER, false, 'trap'],
    ['one warp at the barrier of the block and one at that of the grid', TWO_BARRIERS, true, 'barrier'],
  ])('%s: one fault on both engines', (_, body, cooperative, kind) => {
    const oracle = execute(machine(createInterpreter, kernel(body), limits), cooperative).outcome.fault;
    expect(oracle?.kind).toBe(kind);
    const { m, engine } = compiled(kernel(body), 0, limits);
    const before = m.memory.allocations.length;
    expect(execute(m, cooperative).outcome.fault).toEqual(oracle);
    expect(m.memory.allocations.length).toBe(before + 2);
    engine.close();
  });
});

describe('blocks that are all there at once', () => {
  const GRID = 3000;
  it('need memory, and the fault says how much where there is too little', () => {
    const { m, engine } = compiled(kernel(GRID_BARRIER), 0);
    const a = m.words(GRID * THREADS);
    let bytes = 0;
    const free = m.memory.allocateScratch(1)!.address;
    m.memory.releaseScratch(free);
    const reserve = vi.spyOn(m.memory, 'allocateScratch').mockImplementation(function (this: DeviceMemory, size) {
      bytes += size;
      return bytes > 1 << 23 ? undefined : DeviceMemory.prototype.allocateScratch.call(this, size);
    });
    const { fault } = m.launch('k', { grid: GRID, block: THREADS, args: [a, a], shared: 48 * 1024, cooperative: true });
    expect(fault?.kind).toBe('unsupported');
    expect(fault?.message).toMatch(/^\d+ blocks of the grid must run at the same time, and each needs \d+ KB .* than the simulator has$/);
    reserve.mockRestore();
    // What the blocks had is free again.
    expect(m.memory.allocateScratch(1 << 24)?.address).toBe(free);
    m.memory.releaseScratch(free);
    expect(execute(m, true).outcome.fault).toBeUndefined();
    engine.close();
  });
});

it('a shuffle that lanes come to on two ways makes the kernel run path by path, from the state before', () => {
  const body = `  %old = load i32, ptr %mine, align 4
  %more = add i32 %old, 1
  store i32 %more, ptr %mine, align 4
  %odd = and i32 %tid, 1
  %isOdd = icmp ne i32 %odd, 0
  br i1 %isOdd, label %left, label %right
left:
  %x = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, i32 1, i32 31)
  br label %out
right:
  %y = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 2, i32 31)
  br label %out
out:
  %z = phi i32 [ %x, %left ], [ %y, %right ]
  %sum = add i32 %z, %more
  store i32 %sum, ptr %mine, align 4
  ret void`;
  const oracle = execute(machine(createInterpreter, kernel(body)), false);
  const { m, engine } = compiled(kernel(body), 0);
  const first = execute(m, false);
  expect(first.words).toEqual(oracle.words);
  expect(execute(m, false).words).toEqual(oracle.words);
  expect([...first.outcome.counters.get('k')!.data]).toEqual([...oracle.outcome.counters.get('k')!.data]);
  expect(engine.whyInterpreted('k')).toBeUndefined();
  engine.close();
});
