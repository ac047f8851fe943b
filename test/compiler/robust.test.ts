/** What users never meet: errors of the engine itself, work that grows faster than the problem, and scratch memory at the end of memory. */
import { describe, expect, it, vi } from 'vitest';
import { createCompiler } from '../../simulator/compiler/engine.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import { DEVICE_FLOOR } from '../../simulator/ir/address-map.ts';
import { ENGINES } from '../../simulator/runtime/engines.ts';
import type { CreateEngine, EngineOptions, LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { type Machine, machine } from '../interpreter/engine-harness.ts';

/** Code generation fails for kernels of this name as a bug would make it. */
const BROKEN = 'broken';

vi.mock('../../simulator/compiler/kernel-compiler.ts', async (original) => {
  const real = await original<typeof import('../../simulator/compiler/kernel-compiler.ts')>();
  return {
    ...real,
    compileKernel: (...args: Parameters<typeof real.compileKernel>) => {
      if (args[1] === BROKEN) throw new TypeError('no code for this');
      return real.compileKernel(...args);
    },
  };
});

const DECLARATIONS = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare <2 x float> @llvm.round.v2f32(<2 x float>)
`;

/** Doubles the words of %a, with an instruction of the host and an inlined call on the way. */
function doubling(name: string): string {
  return `${DECLARATIONS}
define internal float @twice(float %x) {
  %half = insertelement <2 x float> zeroinitializer, float %x, i32 0
  %pair = insertelement <2 x float> %half, float %x, i32 1
  %whole = call <2 x float> @llvm.round.v2f32(<2 x float> %pair)
  %one = extractelement <2 x float> %whole, i32 0
  %r = fadd float %one, %x
  ret float %r
}
define ptx_kernel void @${name}(ptr %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %bid, %ntid
  %i = add i32 %first, %tid
  %at = getelementptr float, ptr %a, i32 %i
  %x = load float, ptr %at, align 4
  %y = call float @twice(float %x)
  store float %y, ptr %at, align 4
  ret void
}`;
}

const THREADS = 1024;
const ones = Array.from({ length: THREADS }, () => 0x3f80_0000);
const twos = ones.map(() => 0x4000_0000);

describe('a kernel that code generation fails for', () => {
  it('is interpreted, and the engine knows why', () => {
    let why: string | undefined;
    const m = machine((options) => {
      const engine = ENGINES.compiler(options);
      why = (engine as ReturnType<typeof createCompiler>).whyInterpreted(BROKEN);
      return engine;
    }, doubling(BROKEN));
    const a = m.words(THREADS);
    m.write(a, ones);
    expect(m.launch(BROKEN, { block: THREADS, args: [a] }).fault).toBeUndefined();
    expect(m.read(a, THREADS)).toEqual(twos);
    expect(why).toBe('compiling it failed (no code for this)');
    m.engine.close();
  });

  it('is an error where bugs are looked for', () => {
    const m = machine((options: EngineOptions) => createCompiler({ fallback: interpreter, workers: 0 }, options), doubling(BROKEN));
    expect(() => m.launch(BROKEN, { block: THREADS, args: [m.words(THREADS)] })).toThrow('no code for this');
  });
});

describe('an error of the engine while compiled code runs', () => {
  it.each([0, 1])('names the kernel and the other engine, and leaves nothing behind (%i helpers)', async (workers) => {
    const { MemoryHost } = await import('../../simulator/compiler/memory-host.ts');
    const m = machine((options) => {
      const engine = createCompiler({ fallback: interpreter, workers, parallelWarps: 1 }, options);
      if (workers > 0) engine.warmUp();
      return engine;
    }, doubling('k'));
    const a = m.words(THREADS);
    m.write(a, ones);
    const bug = vi.spyOn(MemoryHost.prototype, 'describe').mockImplementation(() => {
      throw new TypeError('a bug');
    });
    const free = freeScratch(m);
    expect(() => m.launch('k', { grid: 4, block: THREADS / 4, args: [a] })).toThrow(
      /of kernel k failed \(TypeError: a bug\).*--engine interpreter/,
    );
    bug.mockRestore();
    expect(freeScratch(m)).toBe(free);
    m.write(a, ones);
    expect(m.launch('k', { grid: 4, block: THREADS / 4, args: [a] }).fault).toBeUndefined();
    expect(m.read(a, THREADS)).toEqual(twos);
    m.engine.close();
  });
});

it('without room for scratch memory the interpreter runs a launch', () => {
  const m = machine((options) => createCompiler({ fallback: interpreter, workers: 0 }, options), doubling('k'));
  const a = m.words(THREADS);
  const room = 1 << 16;
  const both = m.memory.allocateAt(DEVICE_FLOOR, 1, 'between which and the region there is room, too')!;
  m.memory.allocateScratch(both.address - freeScratch(m) - room);
  const behind = freeScratch(m) < both.address ? m.memory.allocateScratch(2 * room)! : undefined;
  expect(m.memory.allocateScratch(0x80000000 - behind!.address - 2 * room)).toBeDefined();
  m.write(a, ones);
  expect(m.launch('k', { block: THREADS, args: [a] })).toMatchObject({
    fault: undefined,
    interpretedBecause: expect.stringMatching(/memory is full/),
  });
  expect(m.read(a, THREADS)).toEqual(twos);
});

/** Where the engines' next scratch memory would lie. */
function freeScratch({ memory }: Machine): number {
  const { address } = memory.allocateScratch(1)!;
  memory.releaseScratch(address);
  return address;
}

describe('work', () => {
  const run = (create: CreateEngine, blocks: number): LaunchOutcome => {
    const m = machine(create, doubling('k'));
    const a = m.words(blocks * 64);
    return m.launch('k', { grid: blocks, block: 64, args: [a] });
  };
  const total = ({ counters }: LaunchOutcome): number =>
    [...counters.values()].reduce((sum, { data }) => sum + data.reduce((x, y) => x + y, 0), 0);

  it.each([
    ['interpreter', createInterpreter],
    ['compiler', (options: EngineOptions) => createCompiler({ fallback: interpreter, workers: 0 }, options)],
  ])('grows with the number of blocks (%s)', (_, create) => {
    const once = total(run(create, 50));
    expect(once).toBeGreaterThan(0);
    expect(total(run(create, 100))).toBe(2 * once);
  });

  it('asks the host about patterns of memory accesses no more often than once for each', async () => {
    const { MemoryHost } = await import('../../simulator/compiler/memory-host.ts');
    const asked = vi.spyOn(MemoryHost.prototype, 'describe');
    const count = (blocks: number): number => {
      asked.mockClear();
      run((options) => createCompiler({ fallback: interpreter, workers: 0 }, options), blocks);
      return asked.mock.calls.length;
    };
    const once = count(50);
    expect(once).toBeGreaterThan(0);
    expect(count(100)).toBeLessThanOrEqual(2.1 * once);
    asked.mockRestore();
  });
});
