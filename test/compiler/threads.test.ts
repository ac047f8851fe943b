/** Grids spread over threads: the same bytes and counters for any number of them, clean ends at faults, and who has to stay alone. */
import { describe, expect, it } from 'vitest';
import { type CompilerEngine, createCompiler } from '../../simulator/compiler/engine.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import type { LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import { type Machine, machine } from '../interpreter/engine-harness.ts';

const DECLARATIONS = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
`;

/** A kernel whose threads have their number in the grid in %i. */
function kernel(body: string): string {
  return `${DECLARATIONS}
define ptx_kernel void @k(ptr %a, ptr %b, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %bid, %ntid
  %i = add i32 %first, %tid
${body}
}`;
}

const DOUBLED = `  %from = getelementptr i32, ptr %a, i32 %i
  %value = load i32, ptr %from, align 4
  %twice = shl i32 %value, 1
  %to = getelementptr i32, ptr %b, i32 %i
  store i32 %twice, ptr %to, align 4
  ret void`;
const COUNTED = `  %from = getelementptr i32, ptr %a, i32 %i
  %value = load i32, ptr %from, align 4
  %bin = and i32 %value, 63
  %to = getelementptr i32, ptr %b, i32 %bin
  %old = atomicrmw add ptr %to, i32 %value monotonic
  ret void`;

/** Blocks with an even number take far longer to come to the body, so that threads come to it in another order. */
function uneven(body: string): string {
  return `  %odd = and i32 %bid, 1
  %short = icmp eq i32 %odd, 1
  %rounds = select i1 %short, i32 1, i32 20000
  br label %spin
spin:
  %k = phi i32 [ 0, %entry ], [ %next, %spin ]
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %spin, label %out
out:
${body}`;
}

const BLOCKS = 40;
const THREADS = 96;
const COUNT = BLOCKS * THREADS;

interface Run {
  readonly outcome: LaunchOutcome;
  readonly words: number[];
  readonly helpers: number;
}

function together(workers: number): (ir: string) => { m: Machine; engine: CompilerEngine } {
  return (ir) => {
    let engine: CompilerEngine | undefined;
    const m = machine((options) => {
      engine = createCompiler({ fallback: interpreter, workers, parallelWarps: 1 }, options);
      if (workers > 0) engine.warmUp();
      return engine;
    }, ir);
    return { m, engine: engine! };
  };
}

function execute(m: Machine, n = COUNT): { outcome: LaunchOutcome; words: number[] } {
  const a = m.words(COUNT);
  const b = m.words(COUNT);
  m.write(
    a,
    Array.from({ length: COUNT }, (_, k) => Math.imul(k, 2654435761) >>> 5),
  );
  const outcome = m.launch('k', { grid: BLOCKS, block: THREADS, args: [a, b, n] });
  return { outcome, words: [...m.read(a, COUNT), ...m.read(b, COUNT)] };
}

function run(ir: string, workers: number): Run {
  const { m, engine } = together(workers)(ir);
  const result = { ...execute(m), helpers: engine.helpers };
  engine.close();
  return result;
}

describe('blocks on several threads', () => {
  it.each([
    ['stores of their own', DOUBLED],
    ['sums into common words', COUNTED],
  ])('%s', (_, body) => {
    const oracle = execute(machine(createInterpreter, kernel(body)));
    for (const workers of [0, 1, 3]) {
      const { outcome, words, helpers } = run(kernel(body), workers);
      expect(helpers).toBe(workers);
      expect(words).toEqual(oracle.words);
      expect([...outcome.counters.get('k')!.data]).toEqual([...oracle.outcome.counters.get('k')!.data]);
    }
  });

  it('are handed to threads that have not started yet, which come late or never', () => {
    const ir = kernel(COUNTED);
    const expected = execute(machine(createInterpreter, ir)).words;
    let engine: CompilerEngine | undefined;
    const m = machine((options) => {
      engine = createCompiler({ fallback: interpreter, workers: 2, parallelWarps: 1 }, options);
      return engine;
    }, ir);
    const helpers: number[] = [];
    // More launches than a thread may miss: most of them end before it is up.
    for (let launch = 0; launch < 24; launch++) {
      expect(execute(m).words).toEqual(expected);
      helpers.push(engine!.helpers);
    }
    expect(helpers[0]).toBe(2);
    engine!.warmUp();
    expect(execute(m).words).toEqual(expected);
    expect(engine!.helpers).toBe(2);
    engine!.close();
  });

  it.each([
    [
      'sums of floats',
      COUNTED.replace(
        '  %old = atomicrmw add ptr %to, i32 %value',
        '  %number = sitofp i32 %value to float\n  %old = atomicrmw fadd ptr %to, float %number',
      ),
    ],
    ['old values of sums', COUNTED.replace('  ret void', '  store i32 %old, ptr %from, align 4\n  ret void')],
    ['one word of all', DOUBLED.replace('ptr %b, i32 %i', 'ptr %b, i32 %tid')],
    ['words of others', DOUBLED.replace('getelementptr i32, ptr %a, i32 %i', 'getelementptr i32, ptr %b, i32 %n')],
    [
      'places that are loaded',
      DOUBLED.replace('ptr %b, i32 %i', 'ptr %b, i32 %bin').replace('  %to =', '  %bin = and i32 %value, 63\n  %to ='),
    ],
    [
      'volatile accesses',
      DOUBLED.replace('load i32, ptr %from', 'load volatile i32, ptr %to')
        .replace(/( {2}%to = .*\n)/, '')
        .replace('  %value', '  %to = getelementptr i32, ptr %b, i32 %tid\n  %value'),
    ],
    [
      'compare and swap',
      `  %to = getelementptr i32, ptr %b, i32 %tid
  %pair = cmpxchg ptr %to, i32 %bid, i32 %i monotonic monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  %from = getelementptr i32, ptr %a, i32 %i
  store i32 %old, ptr %from, align 4
  ret void`,
    ],
  ])('come in their turn where blocks could see each other: %s', (_, body) => {
    const oracle = execute(machine(createInterpreter, kernel(uneven(body))), 5);
    for (const workers of [1, 3]) {
      const { m, engine } = together(workers)(kernel(uneven(body)));
      const { outcome, words } = execute(m, 5);
      expect(engine.helpers).toBe(workers);
      expect(words).toEqual(oracle.words);
      expect([...outcome.counters.get('k')!.data]).toEqual([...oracle.outcome.counters.get('k')!.data]);
      engine.close();
    }
  });

  it('stay on one thread where sums are read', () => {
    const body = COUNTED.replace('  ret void', '  %now = load i32, ptr %to, align 4\n  store i32 %now, ptr %from, align 4\n  ret void');
    const oracle = execute(machine(createInterpreter, kernel(body)));
    const { m, engine } = together(2)(kernel(body));
    expect(execute(m).words).toEqual(oracle.words);
    expect(engine.helpers).toBe(0);
    engine.close();
  });

  it('wait at sites that only a later launch shows to conflict', () => {
    // With %n = 1 each thread has a word of its own; with 0 all have the same.
    const body = `  %at = mul i32 %i, %n
  %from = getelementptr i32, ptr %a, i32 %i
  %value = load i32, ptr %from, align 4
  %to = getelementptr i32, ptr %b, i32 %at
  store i32 %value, ptr %to, align 4
  ret void`;
    const oracle = machine(createInterpreter, kernel(body));
    const { m, engine } = together(2)(kernel(body));
    const helpers: number[] = [];
    for (const n of [1, 0, 1, 0]) {
      expect(execute(m, n).words).toEqual(execute(oracle, n).words);
      helpers.push(engine.helpers);
    }
    // Blocks that only wait for each other need no second thread the next time.
    expect(helpers.slice(0, 3)).toEqual([2, 2, 2]);
    engine.close();
  });

  it('report the fault of the lowest block, and the next launch is right', () => {
    const ir = kernel(`  %limit = mul i32 %ntid, 7
  %late = icmp uge i32 %i, %limit
  %wrong = select i1 %late, i32 %n, i32 0
  %index = add i32 %i, %wrong
${DOUBLED.replace('ptr %b, i32 %i', 'ptr %b, i32 %index')}`);
    const oracle = machine(createInterpreter, ir);
    const expected = execute(oracle, 1 << 24).outcome.fault;
    const { m, engine } = together(3)(ir);
    expect(execute(m, 1 << 24).outcome.fault).toEqual(expected);
    expect(expected?.block).toEqual([7, 0, 0]);
    expect(execute(m, 0).words).toEqual(execute(oracle, 0).words);
    engine.close();
  });

  it('leave the memory and counters of one thread when one of them faults', () => {
    // The seventh block works for long before it faults, while others go on.
    const ir = kernel(`  %slow = icmp eq i32 %bid, 7
  %rounds = select i1 %slow, i32 20000, i32 1
  br label %spin
spin:
  %k = phi i32 [ 0, %entry ], [ %next, %spin ]
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %spin, label %out
out:
  %wrong = select i1 %slow, i32 %n, i32 0
  %index = add i32 %i, %wrong
${DOUBLED.replace('ptr %b, i32 %i', 'ptr %b, i32 %index')}`);
    const left = (workers: number) => {
      const { m, engine } = together(workers)(ir);
      const { outcome, words } = execute(m, 1 << 24);
      const again = execute(m, 0);
      engine.close();
      return {
        fault: outcome.fault,
        counters: [...outcome.counters.get('k')!.data],
        words,
        again: again.words,
        free: m.memory.allocations.length,
      };
    };
    const alone = left(0);
    expect(alone.fault).toMatchObject({ kind: 'out-of-bounds', block: [7, 0, 0] });
    for (const workers of [1, 3, 3]) expect(left(workers)).toEqual(alone);
  });

  it('end at the limit of instructions', () => {
    const ir = kernel(`  br label %spin
spin:
  %k = phi i32 [ 0, %entry ], [ %next, %spin ]
  %next = add i32 %k, 1
  %more = icmp ne i32 %k, -1
  br i1 %more, label %spin, label %out
out:
${DOUBLED}`);
    const { m, engine } = together(2)(ir);
    expect(execute(m).outcome.fault).toMatchObject({ kind: 'step-limit' });
    engine.close();
  });
});
