/** A launch that stops between instructions, and one that is told from outside when to. */
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createInterpreter } from '../../simulator/interpreter/interpreter.ts';
import type { LaunchOutcome, Position, Run } from '../../simulator/scheduling/engine.ts';
import { controlMemory, RunControl, runUnderControl } from '../../simulator/scheduling/run-control.ts';
import { type RandomKernel, randomKernel } from '../compiler/random-kernel.ts';
import { type Machine, machine } from '../interpreter/engine-harness.ts';

const KERNEL = `
@tile = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define i32 @twice(i32 %v) noinline {
  %w = add i32 %v, %v
  ret i32 %w
}
define ptx_kernel void @k(ptr %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %tid, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %even, label %meet
even:
  %two = call i32 @twice(i32 %tid)
  br label %meet
meet:
  %x = phi i32 [ 7, %entry ], [ %two, %even ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr i32, ptr %out, i32 %tid
  store i32 %x, ptr %at, align 4
  ret void
}`;

const ENDLESS = `
define ptx_kernel void @k() {
entry:
  br label %loop
loop:
  br label %loop
}`;

function begin(
  m: Machine,
  kernel: string,
  options: { grid?: number; block?: number; args: readonly number[]; cooperative?: boolean },
): Run {
  const { grid = 1, block = 32, args, cooperative = false } = options;
  return createInterpreter(m.options).begin({
    kernel,
    grid: [grid, 1, 1],
    block: [block, 1, 1],
    dynamicSharedBytes: 0,
    args: args.map((arg) => new Uint8Array(Int32Array.of(arg, 0).buffer)),
    cooperative,
  });
}

const placeOf = ({ block, warp, mask, instruction, ...position }: Position): string =>
  `${block[0]}/${warp} ${(mask >>> 0).toString(16)} ${position.function} ${instruction.op}`;

/** The places at which a launch stops if it is stopped before each instruction. */
function placesOf(run: Run): { readonly places: string[]; readonly outcome: LaunchOutcome } {
  const places: string[] = [];
  let outcome = run.step(0);
  while (!outcome) {
    places.push(placeOf(run.position!));
    outcome = run.step(1);
  }
  return { places, outcome };
}

describe('a launch in steps', () => {
  it('stops before each instruction', () => {
    const m = machine(createInterpreter, KERNEL);
    const out = m.words(64);
    const run = begin(m, 'k', { block: 33, args: [out] });
    expect(run.position).toBeUndefined();
    const { places, outcome } = placesOf(run);
    expect(outcome.fault).toBeUndefined();
    expect(run.position).toBeUndefined();
    expect(run.step()).toBe(outcome);
    const start = ['call', 'and', 'icmp', 'condbr'];
    expect(places).toEqual([
      ...start.map((op) => `0/0 ffffffff k ${op}`),
      ...['k call', 'twice add', 'twice ret', 'k br'].map((place) => `0/0 55555555 ${place}`),
      '0/0 ffffffff k call',
      ...start.map((op) => `0/1 1 k ${op}`),
      ...['k call', 'twice add', 'twice ret', 'k br', 'k call'].map((place) => `0/1 1 ${place}`),
      // The last warp to come opens the barrier.
      ...['getelementptr', 'store', 'ret'].map((op) => `0/1 1 k ${op}`),
      ...['getelementptr', 'store', 'ret'].map((op) => `0/0 ffffffff k ${op}`),
    ]);
    expect(m.read(out, 33)).toEqual(Array.from({ length: 33 }, (_, tid) => (tid % 2 === 0 ? 2 * tid : 7)));
  });

  it('is not disturbed by another one on the same engine', () => {
    const m = machine(createInterpreter, KERNEL);
    const [a, b, c] = [m.words(32), m.words(32), m.words(32)];
    const alone = begin(m, 'k', { args: [c] }).step()!;
    const [first, second] = [begin(m, 'k', { args: [a] }), begin(m, 'k', { args: [b] })];
    let [one, two] = [first.step(3), second.step(5)];
    while (!one || !two) {
      one ??= first.step(2);
      two ??= second.step(3);
    }
    expect(one.counters).toEqual(alone.counters);
    expect(two.counters).toEqual(alone.counters);
    expect(m.read(a, 32)).toEqual(m.read(c, 32));
    expect(m.read(b, 32)).toEqual(m.read(c, 32));
  });

  it.each(Array.from({ length: 8 }, (_, index) => index + 1))('comes to what it comes to in one piece (seed %i)', (seed) => {
    const kernel = randomKernel(seed);
    const whole = runRandom(kernel, Number.POSITIVE_INFINITY);
    for (const budget of [1, 7, 100]) expect(runRandom(kernel, budget)).toEqual(whole);
  });
});

function runRandom({ ir, words, threads, blocks, cooperative }: RandomKernel, budget: number): unknown {
  const m = machine(createInterpreter, ir);
  const args = [m.words(words.in), m.words(words.out), m.words(words.sums)];
  m.write(
    args[0],
    Array.from({ length: words.in }, (_, index) => Math.imul(index + 1, 0x9e3779b1)),
  );
  const run = begin(m, 'k', { grid: blocks, block: threads, args: [...args, 5], cooperative });
  let outcome = run.step(budget);
  while (!outcome) outcome = run.step(budget);
  return { outcome, memory: [m.read(args[1], words.out), m.read(args[2], words.sums)] };
}

describe('a launch that is told what to do', () => {
  const controlled = (paused: (control: RunControl, run: Run) => void) => {
    const m = machine(createInterpreter, KERNEL);
    const out = m.words(32);
    const words = controlMemory();
    const control = new RunControl(words);
    control.pause();
    const outcome = runUnderControl(begin(m, 'k', { args: [out] }), words, (run) => paused(control, run));
    return { outcome, state: control.state, out: m.read(out, 32) };
  };

  it('pauses, goes on by steps, and runs to its end', () => {
    const places: string[] = [];
    const { outcome, state, out } = controlled((control, run) => {
      expect(control.state).toBe('paused');
      places.push(placeOf(run.position!));
      if (places.length === 3) control.run();
      else control.step(places.length);
    });
    expect(places).toEqual(['call', 'and', 'condbr'].map((op) => `0/0 ffffffff k ${op}`));
    expect(outcome?.fault).toBeUndefined();
    expect(state).toBe('ended');
    expect(out[2]).toBe(4);
  });

  it('stops for good', () => {
    const { outcome, state, out } = controlled((control) => control.stop());
    expect(outcome).toBeUndefined();
    expect(state).toBe('ended');
    expect(out).toEqual(new Array(32).fill(0));
  });

  it('obeys another thread', { timeout: 60_000 }, async () => {
    const m = machine(createInterpreter, ENDLESS, { warpInstructions: Number.POSITIVE_INFINITY });
    const words = controlMemory();
    // Pauses the launch that runs, and stops it when it has paused.
    const program = `
      const { workerData: words } = require('node:worker_threads');
      const tell = (command) => { Atomics.store(words, 0, command); Atomics.notify(words, 0); };
      tell(1);
      while (Atomics.load(words, 1) !== 1);
      tell(3);`;
    const worker = new Worker(program, { eval: true, workerData: words });
    const pauses: Position[] = [];
    const outcome = runUnderControl(begin(m, 'k', { args: [] }), words, (run) => pauses.push(run.position!));
    await worker.terminate();
    expect(outcome).toBeUndefined();
    expect(pauses.map(placeOf)).toEqual([expect.stringMatching(/^0\/0 ffffffff k br$/)]);
  });
});
