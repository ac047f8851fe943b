/** What lanes, warps, blocks and grids do together: shuffles, votes, barriers, atomics, shared memory. */
import { describe, expect, it } from 'vitest';
import { FIELD, SITE_FIELDS } from '../../simulator/counters/site-counters.ts';
import type { CreateEngine, LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { ENGINES, machine } from './engine-harness.ts';
import { DECLARATIONS, perThread } from './kernels.ts';

const lanes = Array.from({ length: 32 }, (_, lane) => lane);

function run(
  createEngine: CreateEngine,
  body: string,
  { threads = 32, grid = 1, cooperative = false } = {},
): { values: number[]; outcome: LaunchOutcome } {
  const m = machine(createEngine, perThread(body));
  const out = m.words(threads * grid);
  const outcome = m.launch('k', { grid, block: threads, args: [out], cooperative });
  const values = m.read(out, threads * grid);
  m.engine.close();
  return { values, outcome };
}

function total(outcome: LaunchOutcome, field: keyof typeof FIELD): number {
  let sum = 0;
  for (const { data } of outcome.counters.values())
    for (let row = FIELD[field]; row < data.length; row += SITE_FIELDS.length) sum += data[row];
  return sum;
}

describe.each(ENGINES)('%s', (_, createEngine) => {
  describe('shuffles', () => {
    it.each([
      { kind: 'idx', operand: '5', control: 31, expected: lanes.map(() => 50) },
      { kind: 'idx', operand: '1', control: (16 << 8) | 31, expected: lanes.map((l) => (l < 16 ? 10 : 170)) },
      { kind: 'down', operand: '8', control: 31, expected: lanes.map((l) => (l + 8 < 32 ? l + 8 : l) * 10) },
      { kind: 'down', operand: '1', control: (24 << 8) | 31, expected: lanes.map((l) => (l % 8 === 7 ? l : l + 1) * 10) },
      { kind: 'up', operand: '3', control: 0, expected: lanes.map((l) => (l >= 3 ? l - 3 : l) * 10) },
      { kind: 'bfly', operand: '16', control: 31, expected: lanes.map((l) => (l ^ 16) * 10) },
    ])('$kind $operand, control $control', ({ kind, operand, control, expected }) => {
      const { values } = run(
        createEngine,
        `  %v = mul i32 %tid, 10
  %value = call i32 @llvm.nvvm.shfl.sync.${kind}.i32(i32 -1, i32 %v, i32 ${operand}, i32 ${control})`,
      );
      expect(values).toEqual(expected);
    });

    it('wait for lanes on another path that name the same members', () => {
      const { values, outcome } = run(
        createEngine,
        `  %c = icmp ult i32 %tid, 16
  br i1 %c, label %a, label %b
a:
  %x = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  br label %join
b:
  %y = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  br label %join
join:
  %value = phi i32 [ %x, %a ], [ %y, %b ]`,
      );
      expect(outcome.fault).toBeUndefined();
      // Two instructions: each sees the lanes that execute it.
      expect(values).toEqual(lanes.map((l) => (l < 16 ? 0xffff : 0xffff0000 | 0)));
    });

    it('meet at one instruction that paths reach at different times', () => {
      const { values } = run(
        createEngine,
        `  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %done = icmp eq i32 %i, 1
  br i1 %done, label %exit, label %again
again:
  %m = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %next = add i32 %i, 1
  br label %loop
exit:
  %value = add i32 %m, 0`,
      );
      expect(values).toEqual(lanes.map(() => -1));
    });

    it('with a mask that names lanes which never come end when those have exited', () => {
      const { values, outcome } = run(
        createEngine,
        `  %c = icmp ult i32 %tid, 16
  br i1 %c, label %shuffle, label %join
shuffle:
  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, i32 8, i32 31)
  br label %join
join:
  %value = phi i32 [ %s, %shuffle ], [ %tid, %entry ]`,
      );
      expect(outcome.fault).toBeUndefined();
      // Lanes 8 to 15 read from lanes that do not take part, which is undefined: they keep their own.
      expect(values).toEqual(lanes.map((l) => (l < 8 ? l + 8 : l)));
    });
  });

  it('votes, matches and reduces among the members', () => {
    const { values } = run(
      createEngine,
      `  %k = and i32 %tid, 3
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %k)
  %all = call { i32, i1 } @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %k)
  %agree = extractvalue { i32, i1 } %all, 1
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %tid, i32 -1)
  %max = call i32 @llvm.nvvm.redux.sync.umax(i32 %tid, i32 -1)
  %small = icmp ult i32 %tid, 31
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %small)
  %every = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %small)
  %a = zext i1 %agree to i32
  %b = zext i1 %any to i32
  %c = zext i1 %every to i32
  %b2 = shl i32 %b, 1
  %c4 = shl i32 %c, 2
  %d = add i32 %sum, %max
  %e = mul i32 %d, 8
  %f = add i32 %a, %b2
  %g = add i32 %f, %c4
  %h = add i32 %e, %g
  %value = xor i32 %h, %same`,
    );
    expect(values).toEqual(lanes.map((l) => (((496 + 31) * 8 + 2) ^ (0x11111111 << (l & 3))) | 0));
  });

  it('orders shared memory by barriers', () => {
    const ir = `${DECLARATIONS}
@s = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %tid
  store i32 %tid, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = sub i32 63, %tid
  %theirs = getelementptr [64 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 %other
  %v = load i32, ptr %theirs
  %at = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %at
  ret void
}`;
    const m = machine(createEngine, ir);
    const out = m.words(64);
    const outcome = m.launch('k', { block: 64, args: [out] });
    expect(outcome.fault).toBeUndefined();
    expect(m.read(out, 64)).toEqual(Array.from({ length: 64 }, (_, i) => 63 - i));
    expect(m.module.sharedBytes.get('k')).toBe(256);
    expect(total(outcome, 'sharedRequests')).toBe(4);
    expect(total(outcome, 'sharedWavefronts')).toBe(4);
    expect(total(outcome, 'globalRequests')).toBe(2);
  });

  it('counts threads at a barrier that reduces', () => {
    const { values } = run(
      createEngine,
      `  %odd = trunc i32 %tid to i1
  %value = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)`,
      { threads: 75 },
    );
    expect(values).toEqual(Array.from({ length: 75 }, () => 37));
  });

  it('opens a barrier that part of each warp reaches when the others have exited', () => {
    const { values, outcome } = run(
      createEngine,
      `  %half = and i32 %tid, 16
  %c = icmp eq i32 %half, 0
  br i1 %c, label %waits, label %join
waits:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %join
join:
  %value = phi i32 [ 1, %waits ], [ 2, %entry ]`,
      { threads: 64 },
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(Array.from({ length: 64 }, (_, i) => (i % 32 < 16 ? 1 : 2)));
  });

  it('opens for all the grid in a cooperative launch', () => {
    const { values, outcome } = run(
      createEngine,
      `  %old = atomicrmw add ptr addrspace(1) @count, i32 1 monotonic
  call void @__lanewise_grid_sync()
  %value = load volatile i32, ptr addrspace(1) @count`,
      { threads: 40, grid: 5, cooperative: true },
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(Array.from({ length: 200 }, () => 200));
  });

  it('gives each lane of an atomic what the one before left, lanes ascending', () => {
    const { values, outcome } = run(createEngine, '  %value = atomicrmw add ptr addrspace(1) @count, i32 %tid monotonic', { threads: 64 });
    expect(values).toEqual(Array.from({ length: 64 }, (_, i) => (i * i - i) / 2));
    expect(total(outcome, 'globalRequests')).toBe(2 + 2);
  });

  it('counts lanes on one shared word once where the atomic counts up by one', () => {
    const kernel = (value: string) => `${DECLARATIONS}
@s = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k() {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = and i32 %tid, 33
  %mine = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %k
  %old = atomicrmw add ptr addrspace(3) %mine, i32 ${value} monotonic
  ret void
}`;
    const wavefronts = (value: string): number => total(machine(createEngine, kernel(value)).launch('k', {}), 'sharedWavefronts');
    expect(wavefronts('1')).toBe(1);
    expect(wavefronts('2')).toBe(16);
  });

  it('compares and swaps lane by lane', () => {
    const { values } = run(
      createEngine,
      `  %pair = cmpxchg ptr addrspace(1) @lock, i32 0, i32 99 monotonic monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  %won = extractvalue { i32, i1 } %pair, 1
  %value = select i1 %won, i32 -1, i32 %old`,
    );
    expect(values).toEqual(lanes.map((l) => (l === 0 ? -1 : 99)));
  });

  it("keeps lane 0's value when all store to one word", () => {
    const { values } = run(
      createEngine,
      `  %me = add i32 %tid, 100
  store i32 %me, ptr addrspace(1) @count
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %value = load i32, ptr addrspace(1) @count`,
    );
    expect(values).toEqual(lanes.map(() => 100));
  });
});
