/** Probes: both engines tell the same in the same order, and code without them is what it would be if there were none. */
import { describe, expect, it } from 'vitest';
import { type CompilerEngine, createCompiler } from '../../simulator/compiler/engine.ts';
import { compileKernel } from '../../simulator/compiler/kernel-compiler.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import { LOCAL_BASE, SHARED_BASE } from '../../simulator/ir/address-map.ts';
import type { CreateEngine, LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import {
  type AccessEvent,
  type BarrierEvent,
  type BranchEvent,
  type ExchangeEvent,
  type MeetingEvent,
  NO_PROBES,
  type Probes,
  type WarpEvent,
} from '../../simulator/scheduling/probes.ts';
import { type RandomKernel, randomKernel } from '../compiler/random-kernel.ts';
import { machine } from '../interpreter/engine-harness.ts';

const COMPILED: CreateEngine = (options) => createCompiler({ fallback: interpreter, workers: 0 }, options);

const KERNEL = `
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i32 @twice(ptr %p) noinline {
  %v = load i32, ptr %p, align 4
  %w = add i32 %v, %v
  ret i32 %w
}
define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %own = alloca [4 x i32], align 4
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %tid
  %v = load i32, ptr %at, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i32 %tid
  store i32 %v, ptr addrspace(3) %mine, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %odd = and i32 %tid, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %even, label %uneven
even:
  %one = atomicrmw add ptr %out, i32 1 seq_cst
  br label %meet
uneven:
  %len = zext i32 %odd to i64
  %bytes = mul i64 %len, 8
  call void @llvm.memset.p0.i64(ptr %own, i8 0, i64 %bytes, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %out, i64 %bytes, i1 false)
  br label %meet
meet:
  %x = phi i32 [ 1, %even ], [ %tid, %uneven ]
  call void @llvm.nvvm.membar.gl()
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)
  %z = call i32 @twice(ptr %at)
  switch i32 %n, label %end [ i32 3, label %more ]
more:
  %first = load i32, ptr %own, align 4
  store i32 %first, ptr %out, align 4
  br label %end
end:
  ret void
}`;

/** Blocks that write to words of their own. */
const INDEPENDENT = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 32
  %thread = add i32 %first, %tid
  %at = getelementptr i32, ptr %out, i32 %thread
  store i32 %thread, ptr %at, align 4
  ret void
}`;

const ALL = ['access', 'atomic', 'fence', 'barrier', 'exchange', 'meeting', 'branch'] as const;

/** What happens as lines of text. */
function recorder(chosen: readonly (keyof Probes)[] = ALL): { readonly lines: string[]; readonly probes: Probes } {
  const lines: string[] = [];
  const lanes = (values: ArrayLike<number>, mask: number): string =>
    Array.from(values)
      .filter((_, lane) => (mask >>> lane) & 1)
      .join(' ');
  const say = (name: string, event: WarpEvent, more = ''): void => {
    const { block, warp, mask, alive, instruction } = event;
    lines.push(
      `${name} ${block}/${warp} ${(mask >>> 0).toString(16)}/${(alive >>> 0).toString(16)} ${event.function}:${instruction.site}:${instruction.op} ${more}`,
    );
  };
  const access = (name: string) => (event: AccessEvent) => {
    const lengths = event.lengths ? ` of ${lanes(event.lengths, event.mask)}` : '';
    const values = event.values.map((words) => ` = ${lanes(words, words.length > 32 ? -1 : event.mask)}`).join('');
    say(name, event, `${event.access} ${event.bytes}: ${lanes(event.addresses, event.mask)}${lengths}${values}`);
  };
  const all: Probes = {
    launchBegin: ({ launch }) => lines.push(`begin ${launch.kernel}`),
    launchEnd: ({ outcome }) => lines.push(`end ${outcome.fault?.message ?? ''}`),
    blockBegin: ({ block }) => lines.push(`block ${block}`),
    blockEnd: ({ block }) => lines.push(`block ${block} ends`),
    access: access('access'),
    atomic: access('atomic'),
    fence: (event) => say('fence', event),
    barrier: (event: BarrierEvent) => say('barrier', event, event.scope),
    exchange: (event: ExchangeEvent) => {
      const operands = event.operands.map((words) => `, ${lanes(words, event.mask)}`).join('');
      say('exchange', event, `${lanes(event.members, event.mask)}${operands}`);
    },
    meeting: ({ scope, arrivals, lonely }: MeetingEvent) => {
      const met = arrivals.map(({ block, warp, mask, passing }) => `${block}/${warp}:${(mask >>> 0).toString(16)}${passing ? '+' : ''}`);
      lines.push(`meeting ${scope} ${met.sort().join(' ')}${lonely ? ' lonely' : ''}`);
    },
    branch: (event: BranchEvent) => say('branch', event, lanes(event.values, event.mask)),
  };
  const names = [...chosen, 'launchBegin', 'launchEnd', 'blockBegin', 'blockEnd'];
  return { lines, probes: Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) };
}

interface Told {
  readonly lines: readonly string[];
  readonly outcome: LaunchOutcome;
}

function runRandom(create: CreateEngine, kernel: RandomKernel, probes: Probes | undefined): LaunchOutcome {
  const m = machine(create, kernel.ir);
  const { words, threads, blocks, cooperative } = kernel;
  const [input, out, sums] = [m.words(words.in), m.words(words.out), m.words(words.sums)];
  m.write(
    input,
    Array.from({ length: words.in }, (_, index) => Math.imul(index + 1, 0x9e3779b1)),
  );
  const outcome = m.launch('k', { grid: blocks, block: threads, args: [input, out, sums, 5], cooperative, probes });
  m.engine.close();
  return outcome;
}

function runKernel(create: CreateEngine, chosen?: readonly (keyof Probes)[]): Told & { readonly out: number } {
  const { lines, probes } = recorder(chosen);
  const m = machine(create, KERNEL);
  const out = m.words(64);
  const outcome = m.launch('k', { grid: 2, block: 64, args: [out, 3], probes });
  m.engine.close();
  return { lines, outcome, out };
}

describe('what both engines tell', () => {
  it('is the same of a kernel with everything in it', () => {
    const told = runKernel(createInterpreter);
    expect(told.outcome.fault).toBeUndefined();
    expect(runKernel(COMPILED).lines).toEqual(told.lines);
    for (const name of ALL) expect(told.lines.some((line) => line.startsWith(name))).toBe(true);
    expect(told.lines.filter((line) => line.startsWith('access') && line.includes('twice:'))).toHaveLength(4);
  });

  it.each(Array.from({ length: 30 }, (_, index) => index + 1))('is the same of a random kernel (seed %i)', (seed) => {
    const kernel = randomKernel(seed);
    const [oracle, compiled] = [createInterpreter, COMPILED].map((create) => {
      const { lines, probes } = recorder();
      return { lines, outcome: runRandom(create, kernel, probes) };
    });
    expect(compiled.lines).toEqual(oracle.lines);
    expect(compiled.outcome.fault).toEqual(oracle.outcome.fault);
    if (!oracle.outcome.fault) expect(compiled.outcome.counters).toEqual(runRandom(COMPILED, kernel, undefined).counters);
  });

  it.each([['access'], ['atomic'], ['branch', 'barrier'], []] as const)('is what has been chosen alone (%s %s)', (...chosen) => {
    const told = runKernel(createInterpreter, chosen);
    expect(runKernel(COMPILED, chosen).lines).toEqual(told.lines);
    const everything = runKernel(createInterpreter).lines;
    const wanted = everything.filter((line) => !ALL.some((name) => line.startsWith(name) && !(chosen as readonly string[]).includes(name)));
    expect(told.lines).toEqual(wanted);
  });
});

describe.each([
  ['interpreter', createInterpreter],
  ['compiler', COMPILED],
])('an event (%s)', (_, create) => {
  it('says who accesses what, block by block', () => {
    const { lines, out } = runKernel(create);
    const words = (from: number, warp: number): string => Array.from({ length: 32 }, (__, lane) => from + 4 * (32 * warp + lane)).join(' ');
    expect(lines.slice(0, 6)).toEqual([
      'begin k',
      'block 0',
      `access 0/0 ffffffff/ffffffff k:3:load read 4: ${words(out, 0)}`,
      `access 0/0 ffffffff/ffffffff k:5:store write 4: ${words(SHARED_BASE, 0)} = ${Array(32).fill(0).join(' ')}`,
      'barrier 0/0 ffffffff/ffffffff k:6:call block',
      `access 0/1 ffffffff/ffffffff k:3:load read 4: ${words(out, 1)}`,
    ]);
    const odd = (text: string): string => Array(16).fill(text).join(' ');
    const own = `write 8: ${odd(String(LOCAL_BASE + 64))} of ${odd('8')}`;
    expect(lines).toContain(`access 1/1 aaaaaaaa/ffffffff k:14:call ${own} = ${odd('0')}`);
    expect(lines).toContain(`access 1/1 aaaaaaaa/ffffffff k:15:call ${own} = ${odd(String(out | 0))}`);
    expect(lines).toContain('meeting block 0/0:ffffffff 0/1:ffffffff');
    expect(lines.at(-1)).toBe('end ');
  });
});

describe('code without probes', () => {
  it.each(Array.from({ length: 6 }, (_, index) => index + 1))('is the same with an empty choice (seed %i)', (seed) => {
    const { ir } = randomKernel(seed);
    const { module } = machine(createInterpreter, ir);
    const plain = compileKernel(module, 'k').bytes;
    expect(compileKernel(module, 'k', { probes: NO_PROBES }).bytes).toEqual(plain);
    const probed = (): Uint8Array => compileKernel(module, 'k', { probes: new Set(['access']) }).bytes;
    // What takes memory from the device's heap is interpreted where somebody looks on.
    if (/call [^\n]*@malloc\(/.test(ir)) expect(probed).toThrow('malloc is compiled only where no checks look on');
    else expect(probed()).not.toEqual(plain);
  });

  it('runs on several threads, and with probes on one', () => {
    let engine: CompilerEngine | undefined;
    const m = machine((options) => {
      engine = createCompiler({ fallback: interpreter, workers: 1, parallelWarps: 1 }, options);
      engine.warmUp();
      return engine;
    }, INDEPENDENT);
    const out = m.words(256);
    m.launch('k', { grid: 8, block: 32, args: [out] });
    expect(engine!.helpers).toBe(1);
    const { lines, probes } = recorder();
    m.launch('k', { grid: 8, block: 32, args: [out], probes });
    expect(engine!.helpers).toBe(0);
    expect(lines.filter((line) => /^block \d$/.test(line))).toEqual(Array.from({ length: 8 }, (_, block) => `block ${block}`));
    m.engine.close();
  });

  it.each([
    ['interpreter', createInterpreter],
    ['compiler', COMPILED],
  ])('tells some branches where only these are asked for (%s)', (_, create) => {
    const m = machine(create, KERNEL);
    const out = m.words(64);
    const told = (branches?: Probes['branches']): string[] => {
      const { lines, probes } = recorder(['branch']);
      m.launch('k', { grid: 1, block: 32, args: [out, 3], probes: { ...probes, branches } });
      return lines.filter((line) => line.startsWith('branch'));
    };
    const all = told();
    const sites = new Set(all.map((line) => line.split(':')[1]));
    expect(sites.size).toBeGreaterThan(1);
    const [site] = sites;
    const instructions = m.module.ir.functions.get('k')!.blocks.flatMap((block) => block.instructions);
    const one = instructions.filter((instruction) => String(instruction.site) === site);
    expect(told(new Set(one))).toEqual(all.filter((line) => line.split(':')[1] === site));
    m.engine.close();
  });

  it('is kept beside that with probes', () => {
    const m = machine(COMPILED, KERNEL);
    const out = m.words(64);
    const told = [recorder(), recorder(['branch']), recorder()].map(({ lines, probes }) => {
      m.launch('k', { grid: 1, block: 32, args: [out, 3] });
      m.launch('k', { grid: 1, block: 32, args: [out, 3], probes });
      return lines.length;
    });
    m.engine.close();
    expect(told[0]).toBe(told[2]);
    expect(told[1]).toBeLessThan(told[0]);
  });
});
