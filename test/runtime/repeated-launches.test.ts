import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KernelReport } from '../../protocol/report.ts';
import { DEFAULT_STEP_LIMIT, ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { withDefaults } from '../../simulator/options/limits.ts';
import { type ProgramOutcome, runProgram } from '../../simulator/runtime/run-program.ts';
import { type CompiledProgram, compileProgram } from '../../simulator/toolchain/compile.ts';
import { fixture } from './simulation.ts';

async function compiled(name: string): Promise<CompiledProgram> {
  const program = await compileProgram({ file: fixture(name), includeDirs: [], defines: [] });
  if (program.kind !== 'compiled') throw new Error(JSON.stringify(program));
  return program;
}

type Ended = Extract<ProgramOutcome, { kind: 'ended' }> & { readonly stdout: string };

interface Choices {
  readonly engine: (typeof ENGINE_NAMES)[number];
  readonly everyLaunch: boolean;
  readonly args?: readonly string[];
}

function run({ deviceModules, hostModule }: CompiledProgram, { engine, everyLaunch, args = [] }: Choices): Ended {
  const written: Uint8Array[] = [];
  const outcome = runProgram({
    deviceModules,
    hostModule,
    args: ['program', ...args],
    workingDirectory: tmpdir(),
    permissions: { read: [], write: [], all: false, temporary: `${tmpdir()}/unused` },
    env: {},
    device: 'h200',
    engine,
    stepLimit: DEFAULT_STEP_LIMIT,
    limits: withDefaults(),
    everyLaunch,
    // It would look at fewer launches where some are not executed.
    sanitize: 'off',
    lineTable: 'caller',
    names: [],
    stdout: (bytes) => written.push(bytes.slice()),
    stderr: () => {},
    progress: () => {},
  });
  if (outcome.kind !== 'ended') throw new Error(outcome.message);
  return { ...outcome, stdout: Buffer.concat(written).toString() };
}

/** An outcome without the marks, and without the estimates: which launches are traced for them depends on which are executed. */
function counted({ kernels, lineTimes, ...rest }: Ended) {
  return { ...rest, kernels: kernels.map(({ repeats, estimate, ...kernel }) => kernel) };
}

/** For each kernel its launches in order: + for one that was counted, - for one that was executed. */
function marks(kernels: readonly KernelReport[]): Record<string, string> {
  const all: Record<string, string> = {};
  for (const { kernel, repeats } of kernels) {
    const name = kernel.replace(/\(.*/, '');
    all[name] = (all[name] ?? '') + (repeats ? '+' : '-');
  }
  return all;
}

const EXPECTED = {
  product: '-++++',
  accumulate: '-----',
  // The second one shows that nothing changes any more.
  settle: '--+++',
  swapEnds: '----',
  withinOne: '--++',
  copied: '-+-+--',
  filled: '-+--',
  managed: '-+--+-',
  mapped: '-+-',
  watched: '--',
  unwatched: '-+',
  registered: '-+-',
  symbols: '-+--',
  prints: '---',
  timed: '---',
  heap: '---',
  counts: '---',
  highest: '--++',
  tickets: '---',
  claims: '---',
  first: '-+++',
  second: '-+++',
  ping: '----',
  pong: '----',
  scaled: '--++++--',
  byValue: '-+-',
  again: '--+',
  shaped: '---+',
  captured: '--++++--',
  parent: '---',
  child: '---',
  through: '-+-',
  straysInto: '-++-',
  // The second execution from the same data is the last one.
  gathered: '--++-++',
  setBack: '--++-++',
  counted: '--+-+',
};

describe('launches that would change nothing are counted, all others executed', () => {
  let program: CompiledProgram;
  beforeAll(async () => {
    program = await compiled('repeated.cu');
  });
  for (const engine of ENGINE_NAMES) {
    it(`by the ${engine}`, () => {
      const some = run(program, { engine, everyLaunch: false });
      expect(some.faults).toEqual([]);
      expect(marks(some.kernels)).toEqual(EXPECTED);
      const every = run(program, { engine, everyLaunch: true });
      expect(every.kernels.filter(({ repeats }) => repeats)).toEqual([]);
      expect(counted(some)).toEqual(counted(every));
    });
  }
});

describe('random sequences of launches, copies and fills', () => {
  let program: CompiledProgram;
  beforeAll(async () => {
    program = await compiled('repeated-random.cu');
  });
  for (const engine of ENGINE_NAMES) {
    it(`have the results and counters of executing every launch, by the ${engine}`, () => {
      let repeated = 0;
      for (let seed = 1; seed <= 4; seed++) {
        const args = [String(seed)];
        const some = run(program, { engine, everyLaunch: false, args });
        expect(counted(some)).toEqual(counted(run(program, { engine, everyLaunch: true, args })));
        repeated += some.kernels.filter(({ repeats }) => repeats).length;
      }
      expect(repeated).toBeGreaterThan(200);
    });
  }
});
