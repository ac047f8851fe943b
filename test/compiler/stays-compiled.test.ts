/** Calls through pointers, shuffles of tiles, the device's heap, launches of further kernels, matches, narrow atomics: alike on both engines, and compiled. */
import { describe, expect, it } from 'vitest';
import { type CompilerEngine, createCompiler } from '../../simulator/compiler/engine.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import type { LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { type Machine, machine } from '../interpreter/engine-harness.ts';

const WORDS = 64;

/** What the kernel k does with the words at its argument, on an engine. */
function run(ir: string, create: (ir: string) => { m: Machine; engine?: CompilerEngine }): { words: number[]; outcome: LaunchOutcome } {
  const { m, engine } = create(ir);
  const out = m.words(WORDS);
  const outcome = m.launch('k', { args: [out] });
  if (engine) expect(engine.whyInterpreted('k')).toBeUndefined();
  const words = m.read(out, WORDS);
  m.engine.close();
  return { words, outcome };
}

function compiled(ir: string, pathByPath: boolean) {
  let engine: CompilerEngine | undefined;
  const m = machine((options) => {
    engine = createCompiler({ fallback: interpreter, workers: 0, pathByPath }, options);
    return engine;
  }, ir);
  return { m, engine };
}

/** The interpreter's results, which those of compiled code must be, in both of its forms. */
function alike(ir: string): { words: number[]; outcome: LaunchOutcome } {
  const oracle = run(ir, (text) => ({ m: machine(createInterpreter, text) }));
  for (const pathByPath of [false, true]) {
    const { words, outcome } = run(ir, (text) => compiled(text, pathByPath));
    expect(outcome.fault).toEqual(oracle.outcome.fault);
    expect(outcome.children).toEqual(oracle.outcome.children);
    expect(words).toEqual(oracle.words);
    if (!outcome.fault) expect([...outcome.counters]).toEqual([...oracle.outcome.counters]);
  }
  return oracle;
}

const START = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare ptr @malloc(i64)
declare void @free(ptr)
declare ptr @cudaGetParameterBuffer(i64, i64)
declare i32 @cudaLaunchDevice(ptr, ptr, ptr, ptr, i32, ptr)
define i32 @twice(i32 %n) {
  %m = call i32 @llvm.nvvm.activemask()
  %ones = and i32 %m, 3
  %r = mul i32 %n, %ones
  ret i32 %r
}
define i32 @negated(i32 %n) {
  %r = sub i32 0, %n
  ret i32 %r
}
define i64 @other(i32 %n) {
  ret i64 7
}
@table = addrspace(1) global [3 x ptr] [ptr @twice, ptr @negated, ptr @other]
define ptx_kernel void @child(ptr %p, i32 %n) {
  ret void
}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %tid
`;

describe('calls through pointers', () => {
  it('part the lanes, and what stands before them is done once', () => {
    const { words, outcome } = alike(`${START}
  %odd = and i32 %tid, 1
  %count = getelementptr i32, ptr %out, i32 40
  %seen = atomicrmw add ptr %count, i32 1 monotonic
  %slot = getelementptr ptr, ptr addrspacecast (ptr addrspace(1) @table to ptr), i32 %odd
  %f = load ptr, ptr %slot, align 8
  %r = call i32 %f(i32 %tid)
  %m = call i32 @llvm.nvvm.activemask()
  %whole = icmp eq i32 %m, -1
  %value = select i1 %whole, i32 %r, i32 -1000
  store i32 %value, ptr %at, align 4
  ret void
}`);
    expect(outcome.fault).toBeUndefined();
    expect(words.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, lane) => (lane % 2 ? 0 - lane : lane)));
    expect(words[40]).toBe(32);
  });

  it.each([
    ['no function', 'i32 9999', 'i32'],
    ['a function of another type', 'i64 ptrtoint (ptr @other to i64)', 'i32'],
    ['a type of which there is no function', 'i64 ptrtoint (ptr @other to i64)', 'float'],
  ])('to %s are a fault', (_, address, type) => {
    const { outcome } = alike(`${START}
  %f = inttoptr ${address} to ptr
  %r = call ${type} %f(i32 %tid)
  store ${type} %r, ptr %at, align 4
  ret void
}`);
    expect(outcome.fault).toMatchObject({ kind: 'illegal-instruction', message: expect.stringContaining('not a function') });
  });
});

describe('lanes of tiles', () => {
  /** Each lane names its half of the warp, and those that `first` holds for go another way. */
  const tiles = (first: string) => `${START}
  %upper = icmp uge i32 %tid, 16
  %members = select i1 %upper, i32 -65536, i32 65535
  %first = ${first}
  br i1 %first, label %a, label %b
a:
  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %members, i32 %tid, i32 3, i32 31)
  call void @llvm.nvvm.bar.warp.sync(i32 %members)
  br label %end
b:
  %p = mul i32 %tid, 5
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %members, i32 %p, i32 1, i32 31)
  br label %end
end:
  %r = phi i32 [ %w, %a ], [ %v, %b ]
  store i32 %r, ptr %at, align 4
  ret void
}`;

  it('exchange without the host, a tile here and a tile there', () => {
    const { words } = alike(tiles('icmp uge i32 %tid, 16'));
    expect(words.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, lane) => (lane < 16 ? 5 * (lane ^ 1) : lane ^ 3)));
  });

  it('wait where a part of their tile is elsewhere', () => {
    const { words } = alike(tiles('icmp uge i32 %tid, 24'));
    const expected = Array.from({ length: 32 }, (_, lane) => (lane < 24 ? 5 * (lane ^ 1) : lane ^ 3));
    expect(words.slice(0, 32)).toEqual(expected);
  });
});

describe('the heap', () => {
  it('gives each lane memory of its own, in code whose lanes have parted', () => {
    const { words, outcome } = alike(`${START}
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %one, label %two
one:
  %p = call ptr @malloc(i64 8)
  store i32 %tid, ptr %p, align 4
  %v = load i32, ptr %p, align 4
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1431655766, i32 %v, i32 2, i32 31)
  call void @free(ptr %p)
  br label %end
two:
  br label %end
end:
  %w = phi i32 [ %x, %one ], [ -1, %two ]
  store i32 %w, ptr %at, align 4
  ret void
}`);
    expect(outcome.fault).toBeUndefined();
    expect(words.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, lane) => (lane % 2 ? lane ^ 2 : -1)));
  });

  it('is watched: a read of what was freed is a fault, also by code that has read it before', () => {
    const { outcome } = alike(`${START}
  %p = call ptr @malloc(i64 256)
  %q = getelementptr i32, ptr %p, i32 %tid
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %v = load volatile i32, ptr %q, align 4
  %last = icmp eq i32 %n, 1
  %gone = select i1 %last, ptr %p, ptr null
  call void @free(ptr %gone)
  %n1 = add i32 %n, 1
  %more = icmp ult i32 %n1, 3
  br i1 %more, label %loop, label %end
end:
  store i32 %v, ptr %at, align 4
  ret void
}`);
    expect(outcome.fault).toMatchObject({ kind: 'out-of-bounds', message: expect.stringContaining('use after free') });
  });
});

it('launches of further kernels are left to whoever runs them, with their arguments', () => {
  const { outcome } = alike(`${START}
  %first = icmp ult i32 %tid, 2
  br i1 %first, label %start, label %end
start:
  %dims = alloca [3 x i32], align 4
  store i32 1, ptr %dims, align 4
  %y = getelementptr i32, ptr %dims, i32 1
  store i32 1, ptr %y, align 4
  %z = getelementptr i32, ptr %dims, i32 2
  store i32 1, ptr %z, align 4
  %buffer = call ptr @cudaGetParameterBuffer(i64 8, i64 16)
  store ptr %out, ptr %buffer, align 8
  %second = getelementptr i8, ptr %buffer, i32 8
  store i32 %tid, ptr %second, align 4
  %r = call i32 @cudaLaunchDevice(ptr @child, ptr %buffer, ptr %dims, ptr %dims, i32 0, ptr null)
  br label %end
end:
  ret void
}`);
  expect(outcome.fault).toBeUndefined();
  expect(outcome.children.map(({ kernel, args }) => [kernel, args[1][0]])).toEqual([
    ['child', 0],
    ['child', 1],
  ]);
});

describe('votes of lanes that name different members', () => {
  /** Lanes below `lanes` vote, each among its four neighbours; %p holds for those that are no multiple of 3. */
  const votes = (lanes: number, vote: string) => `${START}
  %some = icmp ult i32 %tid, ${lanes}
  br i1 %some, label %voting, label %end
voting:
  %first = and i32 %tid, 28
  %members = shl i32 15, %first
  %third = urem i32 %tid, 3
  %p = icmp ne i32 %third, 0
${vote}
  store i32 %r, ptr %at, align 4
  br label %end
end:
  ret void
}`;
  const holding = (lane: number) => [0, 1, 2, 3].map((k) => (lane & 28) + k).filter((other) => other % 3 !== 0);
  const bits = (lanes: readonly number[]) => lanes.reduce((mask, lane) => mask | (1 << lane), 0);

  it.each([32, 20])('are those of their own members, %i lanes', (lanes) => {
    const ballot = alike(votes(lanes, '  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 %members, i1 %p)'));
    expect(ballot.outcome.fault).toBeUndefined();
    expect(ballot.words.slice(0, lanes)).toEqual(Array.from({ length: lanes }, (_, lane) => bits(holding(lane))));
    expect(ballot.words.slice(lanes)).toEqual(new Array(WORDS - lanes).fill(0));
  });

  it.each([
    ['any', 'icmp ult i32 %tid, 2', (lane: number) => lane < 4],
    ['all', 'icmp uge i32 %tid, 6', (lane: number) => lane >= 8],
    ['uni', 'icmp uge i32 %tid, 6', (lane: number) => lane < 4 || lane >= 8],
  ])('%s', (kind, predicate, holds) => {
    const call = `call i1 @llvm.nvvm.vote.${kind}.sync(i32 %members, i1 %q)`;
    const { words } = alike(votes(32, `  %q = ${predicate}\n  %v = ${call}\n  %r = zext i1 %v to i32`));
    expect(words.slice(0, 32)).toEqual(Array.from({ length: 32 }, (_, lane) => Number(holds(lane))));
  });

  it('one of which names a lane that is elsewhere waits for it', () => {
    const { words, outcome } = alike(`${START}
  %low = icmp ult i32 %tid, 8
  %members = select i1 %low, i32 65535, i32 -1
  br i1 %low, label %a, label %b
a:
  %x = call i32 @llvm.nvvm.vote.ballot.sync(i32 %members, i1 true)
  br label %end
b:
  %odd = trunc i32 %tid to i1
  %y = call i32 @llvm.nvvm.vote.ballot.sync(i32 %members, i1 %odd)
  br label %end
end:
  %r = phi i32 [ %x, %a ], [ %y, %b ]
  store i32 %r, ptr %at, align 4
  ret void
}`);
    expect(outcome.fault).toBeUndefined();
    expect(words.slice(0, 32).every((word) => word !== 0)).toBe(true);
  });
});

it.each([
  ['few blocks', 8, 1.02, 300],
  ['very many', 16_384, 1.3, 25],
])('warps of %s wait for time to pass in so many looks at the clock, and not much longer', (_, grid, longer, mostLooks) => {
  const ir = `${START}
  %start = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  br label %look
look:
  %n = phi i32 [ 0, %entry ], [ %n1, %look ]
  %n1 = add i32 %n, 1
  %now = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %passed = sub i64 %now, %start
  %more = icmp ult i64 %passed, 10000
  br i1 %more, label %look, label %end
end:
  %cycles = trunc i64 %passed to i32
  %a = atomicrmw umax ptr %out, i32 %cycles monotonic
  %second = getelementptr i32, ptr %out, i32 1
  %b = atomicrmw umax ptr %second, i32 %n1 monotonic
  ret void
}`;
  const results = [
    createInterpreter,
    (options: Parameters<typeof createInterpreter>[0]) => createCompiler({ fallback: interpreter, workers: 0 }, options),
  ].map((create) => {
    const m = machine(create, ir, { warpInstructions: 1e8 });
    const out = m.words(2);
    const { fault } = m.launch('k', { args: [out], grid });
    expect(fault).toBeUndefined();
    const words = m.read(out, 2);
    m.engine.close();
    return words;
  });
  expect(results[1]).toEqual(results[0]);
  const [cycles, looks] = results[0];
  expect(cycles).toBeGreaterThanOrEqual(10_000);
  expect(cycles).toBeLessThanOrEqual(10_000 * longer);
  expect(looks).toBeLessThanOrEqual(mostLooks);
});

it('matches give each lane those of its value, in words and double words, in part of a warp', () => {
  const { words, outcome } = alike(`${START}
  %low = and i32 %tid, 3
  %small = icmp ult i32 %tid, 24
  br i1 %small, label %some, label %end
some:
  %a = call i32 @llvm.nvvm.match.any.sync.i32(i32 16777215, i32 %low)
  %wide = zext i32 %low to i64
  %high = shl i64 %wide, 40
  %b = call i32 @llvm.nvvm.match.any.sync.i64(i32 16777215, i64 %high)
  store i32 %a, ptr %at, align 4
  %next = getelementptr i32, ptr %at, i32 32
  store i32 %b, ptr %next, align 4
  br label %end
end:
  ret void
}`);
  expect(outcome.fault).toBeUndefined();
  const peers = Array.from({ length: 32 }, (_, lane) => (lane < 24 ? 0x111111 << (lane & 3) : 0));
  expect(words).toEqual([...peers, ...peers]);
});

it.each([
  ['i8', 'add', [200, 1, 2, 3]],
  ['i8', 'max', [5, 0xff, 7, 0x80]],
  ['i16', 'umax', [5, 0xffff, 7, 0x8000]],
  ['i16', 'min', [5, 0xffff, 7, 0x8000]],
  ['i16', 'xchg', [5, 0xffff, 7, 0x8000]],
])('an atomic of %s, %s, changes its own bytes alone and counts by its address', (type, operation, values) => {
  const bits = Number(type.slice(1));
  const { words, outcome } = alike(`${START}
  %k = and i32 %tid, 3
  ${values.map((value, k) => `%is${k} = icmp eq i32 %k, ${k}\n  %v${k} = select i1 %is${k}, ${type} ${value}, ${type} ${k === 0 ? 9 : `%v${k - 1}`}`).join('\n  ')}
  %half = lshr i32 %k, 1
  %place = getelementptr ${type}, ptr %out, i32 %half
  %old = atomicrmw ${operation} ptr %place, ${type} %v3 monotonic
  %wide = zext ${type} %old to i32
  %behind = getelementptr i32, ptr %at, i32 32
  store i32 %wide, ptr %behind, align 4
  %pair = cmpxchg ptr %place, ${type} 7, ${type} %v3 monotonic monotonic
  ret void
}`);
  expect(outcome.fault).toBeUndefined();
  const signed = (value: number): number => (value << (32 - bits)) >> (32 - bits);
  const cells = [0, 0];
  const olds = Array.from({ length: 32 }, (_, lane) => {
    const cell = (lane & 3) >> 1;
    const old = cells[cell];
    const value = values[lane & 3];
    const next = {
      add: old + value,
      max: Math.max(signed(old), signed(value)),
      umax: Math.max(old, value),
      min: Math.min(signed(old), signed(value)),
      xchg: value,
    };
    cells[cell] = next[operation as keyof typeof next] & (2 ** bits - 1);
    return old;
  });
  for (let lane = 0; lane < 32; lane++) if (cells[(lane & 3) >> 1] === 7) cells[(lane & 3) >> 1] = values[lane & 3];
  expect(words.slice(32)).toEqual(olds);
  expect(words[0]).toBe((cells[1] << bits) | cells[0] | 0);
});
