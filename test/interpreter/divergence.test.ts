/** Control flow of a warp whose lanes part: who runs when, where they meet, and what is counted. */
import { describe, expect, it } from 'vitest';
import { FIELD, SITE_FIELDS } from '../../simulator/counters/site-counters.ts';
import type { CreateEngine, LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { ENGINES, machine } from './engine-harness.ts';
import { perThread } from './kernels.ts';

const lanes = Array.from({ length: 32 }, (_, lane) => lane);

function run(createEngine: CreateEngine, body: string, { threads = 32, grid = 1 } = {}): { values: number[]; outcome: LaunchOutcome } {
  const m = machine(createEngine, perThread(body));
  const out = m.words(threads * grid);
  const outcome = m.launch('k', { grid, block: threads, args: [out] });
  const values = m.read(out, threads * grid);
  m.engine.close();
  return { values, outcome };
}

/** Sum of a counter over the sites of the kernel whose instruction matches. */
function counter(outcome: LaunchOutcome, field: keyof typeof FIELD): number[] {
  const rows = outcome.counters.get('k')!.data;
  return Array.from({ length: rows.length / SITE_FIELDS.length }, (_, site) => rows[site * SITE_FIELDS.length + FIELD[field]]);
}

describe.each(ENGINES)('%s', (_, createEngine) => {
  it('runs both sides of an if/else and meets behind it', () => {
    const { values, outcome } = run(
      createEngine,
      `  %odd = trunc i32 %tid to i1
  br i1 %odd, label %a, label %b
a:
  %x = mul i32 %tid, 10
  %maskA = call i32 @llvm.nvvm.activemask()
  br label %join
b:
  %y = add i32 %tid, 1000
  br label %join
join:
  %p = phi i32 [ %x, %a ], [ %y, %b ]
  %m = phi i32 [ %maskA, %a ], [ 0, %b ]
  %now = call i32 @llvm.nvvm.activemask()
  %full = icmp eq i32 %now, -1
  %value = select i1 %full, i32 %p, i32 %m`,
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(lanes.map((l) => (l % 2 ? l * 10 : l + 1000)));
    expect(counter(outcome, 'divergent').filter((n) => n > 0)).toEqual([1]);
  });

  it('nests, and meets level by level', () => {
    const { values } = run(
      createEngine,
      `  %c = icmp ult i32 %tid, 16
  br i1 %c, label %outer, label %join
outer:
  %d = icmp ult i32 %tid, 4
  br i1 %d, label %inner, label %middle
inner:
  br label %middle
middle:
  %i = phi i32 [ 100, %inner ], [ 200, %outer ]
  %m = call i32 @llvm.nvvm.activemask()
  br label %join
join:
  %v = phi i32 [ %i, %middle ], [ 300, %entry ]
  %w = phi i32 [ %m, %middle ], [ 0, %entry ]
  %now = call i32 @llvm.nvvm.activemask()
  %s = add i32 %v, %w
  %value = xor i32 %s, %now`,
    );
    expect(values).toEqual(lanes.map((l) => (((l < 4 ? 100 : l < 16 ? 200 : 300) + (l < 16 ? 0xffff : 0)) ^ -1) | 0));
  });

  it('keeps the values of lanes that have left a loop', () => {
    const { values, outcome } = run(
      createEngine,
      `  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %more = add i32 %sum, %i
  %next = add i32 %i, 1
  %again = icmp ule i32 %next, %tid
  br i1 %again, label %loop, label %exit
exit:
  %now = call i32 @llvm.nvvm.activemask()
  %all = icmp eq i32 %now, -1
  %value = select i1 %all, i32 %more, i32 -1`,
    );
    expect(values).toEqual(lanes.map((l) => (l * (l + 1)) / 2));
    // 32 rounds of the loop, in round r the lanes from r on.
    const executions = counter(outcome, 'executions');
    const active = counter(outcome, 'lanes');
    expect(Math.max(...executions)).toBe(32);
    expect(active[executions.indexOf(32)]).toBe((32 * 33) / 2);
  });

  it('leaves a loop by break at different places', () => {
    const { values } = run(
      createEngine,
      `  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %continue ]
  %hit = icmp eq i32 %i, %tid
  br i1 %hit, label %found, label %check
check:
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, 20
  br i1 %end, label %missing, label %continue
continue:
  br label %loop
found:
  br label %join
missing:
  br label %join
join:
  %value = phi i32 [ %i, %found ], [ -1, %missing ]`,
    );
    expect(values).toEqual(lanes.map((l) => (l < 20 ? l : -1)));
  });

  it('ends lanes that return early', () => {
    const { values, outcome } = run(
      createEngine,
      `  %c = icmp ult i32 %tid, 7
  br i1 %c, label %gone, label %rest
gone:
  ret void
rest:
  %value = call i32 @llvm.nvvm.activemask()`,
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(lanes.map((l) => (l < 7 ? 0 : 0xffffff80 | 0)));
  });

  it('takes switches apart, several cases to one block included', () => {
    const { values } = run(
      createEngine,
      `  %k = and i32 %tid, 7
  switch i32 %k, label %other [ i32 0, label %zero
    i32 1, label %few
    i32 2, label %few ]
zero:
  br label %join
few:
  %f = phi i32 [ 5, %entry ], [ 5, %entry ]
  %g = add i32 %f, %k
  br label %join
other:
  br label %join
join:
  %value = phi i32 [ 100, %zero ], [ %g, %few ], [ -3, %other ]`,
    );
    expect(values).toEqual(lanes.map((l) => (l % 8 === 0 ? 100 : l % 8 <= 2 ? 5 + (l % 8) : -3)));
  });

  it('exchanges phis that read each other', () => {
    const { values } = run(
      createEngine,
      `  %start = add i32 %tid, 100
  br label %loop
loop:
  %a = phi i32 [ %tid, %entry ], [ %b, %loop ]
  %b = phi i32 [ %start, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %again = icmp ult i32 %n, 4
  br i1 %again, label %loop, label %exit
exit:
  %value = sub i32 %a, %b`,
    );
    expect(values).toEqual(lanes.map(() => 100));
  });

  it('goes through irreducible control flow', () => {
    const { values } = run(
      createEngine,
      `  %odd = trunc i32 %tid to i1
  br i1 %odd, label %x, label %y
x:
  %i = phi i32 [ 0, %entry ], [ %j1, %y ]
  %i1 = add i32 %i, 1
  %endX = icmp uge i32 %i1, 9
  br i1 %endX, label %exit, label %y
y:
  %j = phi i32 [ 0, %entry ], [ %i1, %x ]
  %j1 = add i32 %j, 2
  %endY = icmp uge i32 %j1, 9
  br i1 %endY, label %exit, label %x
exit:
  %value = phi i32 [ %i1, %x ], [ %j1, %y ]`,
    );
    const expected = (odd: boolean): number => {
      for (let v = 0, inX = odd; ; inX = !inX) {
        v += inX ? 1 : 2;
        if (v >= 9) return v;
      }
    };
    expect(values).toEqual(lanes.map((l) => expected(l % 2 === 1)));
  });

  it('runs the last warp of a block with the lanes that it has', () => {
    const { values } = run(createEngine, '  %value = call i32 @llvm.nvvm.activemask()', { threads: 45 });
    expect(values.slice(0, 32)).toEqual(lanes.map(() => -1));
    expect(values.slice(32)).toEqual(Array.from({ length: 13 }, () => (1 << 13) - 1));
  });

  it('lets the holder of a lock go on while other lanes of its warp spin', () => {
    const { values, outcome } = run(
      createEngine,
      `  br label %try
try:
  %old = atomicrmw xchg ptr addrspace(1) @lock, i32 1 acquire
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %critical, label %try
critical:
  %n = load volatile i32, ptr addrspace(1) @count
  %n1 = add i32 %n, 1
  store volatile i32 %n1, ptr addrspace(1) @count
  %ignored = atomicrmw xchg ptr addrspace(1) @lock, i32 0 release
  %value = add i32 %n1, 0`,
      { threads: 64, grid: 2 },
    );
    expect(outcome.fault).toBeUndefined();
    expect([...values].sort((a, b) => a - b)).toEqual(Array.from({ length: 128 }, (_, i) => i + 1));
  });

  it('keeps lanes waiting behind a long loop that works, atomics in it or not', () => {
    const { values, outcome } = run(
      createEngine,
      `  %isLong = icmp eq i32 %tid, 3
  %rounds = select i1 %isLong, i32 1000, i32 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %old = atomicrmw add ptr addrspace(1) @count, i32 1 monotonic
  %n = add i32 %i, 1
  %again = icmp ult i32 %n, %rounds
  br i1 %again, label %loop, label %exit
exit:
  %value = call i32 @llvm.nvvm.activemask()`,
    );
    expect(outcome.fault).toBeUndefined();
    expect(values).toEqual(lanes.map(() => -1));
  });

  it('lets a lane wait for what another lane of its warp stores later', () => {
    const { values, outcome } = run(
      createEngine,
      `  %isConsumer = icmp eq i32 %tid, 0
  br i1 %isConsumer, label %wait, label %produce
wait:
  %flag = load volatile i32, ptr addrspace(1) @lock
  %ready = icmp ne i32 %flag, 0
  br i1 %ready, label %consumed, label %wait
consumed:
  br label %join
produce:
  store volatile i32 77, ptr addrspace(1) @lock
  br label %join
join:
  %value = phi i32 [ %flag, %consumed ], [ 0, %produce ]`,
    );
    expect(outcome.fault).toBeUndefined();
    expect(values[0]).toBe(77);
  });

  it('lets a block wait for a later one', () => {
    const { values, outcome } = run(
      createEngine,
      `  %isFirst = icmp eq i32 %bid, 0
  br i1 %isFirst, label %wait, label %produce
wait:
  %flag = load volatile i32, ptr addrspace(1) @lock
  %ready = icmp ne i32 %flag, 0
  br i1 %ready, label %join, label %wait
produce:
  store volatile i32 5, ptr addrspace(1) @lock
  br label %join
join:
  %value = phi i32 [ %flag, %wait ], [ 1, %produce ]`,
      { grid: 3 },
    );
    expect(outcome.fault).toBeUndefined();
    expect(values[0]).toBe(5);
    expect(values[95]).toBe(1);
  });
});
