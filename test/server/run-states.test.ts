/** What `Runs` keeps of programs, with simulations that the tests end as they please: by dying, late, or never. */
import { describe, expect, it } from 'vitest';
import { type LineCounters, noCounts } from '../../counters/counters.ts';
import type { KernelReport, Report, SanitizerFinding } from '../../protocol/report.ts';
import { reportOf } from '../../server/reports.ts';
import type { FoundData } from '../../server/run-diagnostics.ts';
import { outcomeOf } from '../../server/run-outcomes.ts';
import { type RunEvents, Runs } from '../../server/runs.ts';
import type { SimulationRequest, SimulationResult } from '../../simulator/simulate.ts';

const noAnalysis = { findings: async () => undefined, hover: async () => undefined };

const uri = 'file:///ws/a.cu';
const request: SimulationRequest = {
  file: '/ws/a.cu',
  text: 'first\nsecond\nthird\n',
  args: [],
  includeDirs: [],
  defines: [],
  device: 'h200',
  engine: 'interpreter',
  stepLimit: 1000,
};
const counters: LineCounters = { ...noCounts(), inst: 100, threadInst: 3200 };
const report: Report = {
  schema: 1,
  program: 'a.cu',
  args: [],
  device: 'h200',
  exit: 0,
  stdout: '',
  stderr: '',
  compileMs: 1,
  simulateMs: 1,
  kernels: [],
  lines: { 'k()': { 'a.cu:2': counters } },
  faults: [{ kind: 'out-of-bounds', message: 'outside', file: 'a.cu', line: 3 }],
};

interface Begun {
  end(result: SimulationResult): void;
  die(error: Error): void;
  cancelled: boolean;
}

function runsWithSimulations(events: Partial<RunEvents> = {}): { runs: Runs; begun: Begun[] } {
  const begun: Begun[] = [];
  const start = () => {
    const simulation: Begun = { end: () => undefined, die: () => undefined, cancelled: false };
    const result = new Promise<SimulationResult>((resolve, reject) => Object.assign(simulation, { end: resolve, die: reject }));
    begun.push(simulation);
    const cancel = () => {
      simulation.cancelled = true;
      simulation.end({ kind: 'cancelled' });
    };
    return { result, cancel };
  };
  return { runs: new Runs(start, { output: () => undefined, progress: () => undefined, changed: () => undefined, ...events }), begun };
}

describe('runs', () => {
  it('outlive a simulation that dies', async () => {
    const { runs, begun } = runsWithSimulations();
    const first = runs.run(uri, request);
    begun[0].die(new Error('worker gone'));
    expect(await first).toEqual({ kind: 'refused', message: 'The simulator stopped unexpectedly: worker gone' });
    const second = runs.run(uri, request);
    begun[1].end({ kind: 'finished', report, warnings: [], sources: ['/ws/a.cu'] });
    expect(await second).toMatchObject({ kind: 'finished', report: { exit: 0 } });
  });

  it('move what they say with edits that were made while they ran', async () => {
    const { runs, begun } = runsWithSimulations();
    const run = runs.run(uri, request);
    const start = { line: 0, column: 0 };
    runs.edited(uri, [{ range: { start, end: start }, newText: 'new\n' }]);
    begun[0].end({ kind: 'finished', report, warnings: [], sources: ['/ws/a.cu'] });
    await run;
    const state = runs.state(uri);
    expect(state.stale).toBe(true);
    expect(state.annotations.map(({ line }) => line)).toEqual([2]);
    expect(state.diagnostics.byFile.get(uri)).toMatchObject([
      { range: { start: { line: 3, character: 0 }, end: { line: 3, character: 5 } } },
    ]);
    runs.closed(uri);
    expect(runs.state(uri).annotations).toEqual([]);
  });

  it('replace each other: only the newest of several requests runs', async () => {
    const { runs, begun } = runsWithSimulations();
    const first = runs.run(uri, request);
    const second = runs.run(uri, request);
    const third = runs.run(uri, request);
    expect(await first).toEqual({ kind: 'cancelled' });
    expect(await second).toEqual({ kind: 'cancelled' });
    expect(begun.map(({ cancelled }) => cancelled)).toEqual([true, false]);
    expect(runs.state(uri).running).toBe(true);
    runs.cancel(uri);
    expect(await third).toEqual({ kind: 'cancelled' });
    expect(runs.state(uri)).toMatchObject({ running: false, hasRun: true, counted: undefined });
  });

  it('that end early take no counters away', async () => {
    const { runs, begun } = runsWithSimulations();
    const start = { line: 0, column: 0 };
    const first = runs.run(uri, request);
    begun[0].end({ kind: 'finished', report, warnings: [], sources: ['/ws/a.cu'] });
    await first;
    const cancelled = runs.run(uri, request);
    runs.cancel(uri);
    await cancelled;
    expect(runs.state(uri)).toMatchObject({ stale: false, annotations: [{ line: 1 }], counted: { report: { exit: 0 } } });
    const failing = runs.run(uri, request);
    runs.edited(uri, [{ range: { start, end: start }, newText: 'new\n' }]);
    const error = { severity: 'error', file: '/ws/a.cu', line: 3, column: 1, message: 'no' } as const;
    begun[2].end({ kind: 'compile-error', diagnostics: [error] });
    await failing;
    const state = runs.state(uri);
    expect(state).toMatchObject({ stale: true, annotations: [{ line: 2 }], counted: { report: { exit: 0 } } });
    expect(state.diagnostics.byFile.get(uri)).toMatchObject([{ message: 'no', range: { start: { line: 3 } } }]);
  });

  it('that are cancelled keep what the launches counted that had ended', async () => {
    const { runs, begun } = runsWithSimulations();
    const kernel = { kernel: 'k()', grid: [1, 1, 1], block: [32, 1, 1], metrics: {} } as const satisfies KernelReport;
    const run = runs.run(uri, request);
    begun[0].end({ kind: 'cancelled', report: { ...report, exit: 130, kernels: [kernel], faults: [] } });
    expect(await run).toMatchObject({ kind: 'cancelled', counted: { report: { exit: 130 } } });
    const { annotations, counted } = runs.state(uri);
    expect(annotations).toMatchObject([{ line: 1 }]);
    expect(counted?.summaries[0].text).toMatch(/^until you cancelled it: 1 launch of/);
  });

  it('of different files know nothing of each other', async () => {
    const changed: string[] = [];
    const { runs, begun } = runsWithSimulations({ changed: (which) => changed.push(which) });
    const other = runs.run('file:///ws/b.cu', { ...request, file: '/ws/b.cu' });
    const run = runs.run(uri, request);
    runs.cancel(uri);
    expect(await run).toEqual({ kind: 'cancelled' });
    expect(runs.state('file:///ws/b.cu').running).toBe(true);
    begun[0].end({
      kind: 'compile-error',
      diagnostics: [{ severity: 'error', file: '/ws/shared.cuh', line: 7, column: 3, message: 'no' }],
    });
    expect(await other).toMatchObject({ kind: 'compile-error' });
    expect([...runs.diagnostics().byFile.keys()]).toEqual(['file:///ws/shared.cuh']);
    expect(changed).toEqual(['file:///ws/b.cu', uri, uri, 'file:///ws/b.cu']);
  });
});

it('a notification says what a fault is, once', () => {
  const said = (message: string) => {
    const faults = [{ kind: 'out-of-bounds', message, file: 'a.cu', line: 3 }] as Report['faults'];
    const outcome = outcomeOf({ kind: 'finished', report: { ...report, faults }, sources: [], warnings: [] }, undefined);
    return outcome.kind === 'finished' ? outcome.trouble?.text : outcome.kind;
  };
  expect(said('out-of-bounds __global__ write of 4 bytes')).toBe('a.cu:3: out-of-bounds __global__ write of 4 bytes');
  expect(said('a store outside')).toBe('out of bounds at a.cu:3: a store outside');
});

describe('what a run finds in another file of the program', () => {
  const other = 'file:///ws/b.cu';
  const text = '__global__ void k() {\r\n  s[t] = 1;\r\n  u = s[t + 1];\r\n}\r\n';
  const places = [
    { access: 'read', file: 'b.cu', line: 3 },
    { access: 'write', file: 'b.cu', line: 2 },
  ];
  const race = (kernel: string, count: number): SanitizerFinding => ({
    check: 'race',
    message: 'in no order',
    kernel,
    places,
    count,
    repair: 'block-barrier',
  });
  const found: Report = {
    ...report,
    faults: [{ kind: 'out-of-bounds', message: 'outside', file: 'b.cu', line: 2 }],
    findings: [race('k<float>()', 30), race('k<int>()', 1200)],
  };

  it('is underlined as what it finds in the first one is, with its repair', async () => {
    // That it is open at the end, with another text by then, does not matter.
    const { runs, begun } = runsWithSimulations({
      openTexts: () => new Map([['/ws/b.cu', text]]),
      textOf: () => 'another\n',
    });
    const run = runs.run(uri, request);
    begun[0].end({ kind: 'finished', report: found, warnings: [], sources: ['/ws/a.cu', '/ws/b.cu'] });
    await run;
    const [fault, finding] = runs.diagnostics().byFile.get(other)!;
    expect(fault.range).toEqual({ start: { line: 1, character: 2 }, end: { line: 1, character: 11 } });
    expect(finding.range).toEqual({ start: { line: 2, character: 2 }, end: { line: 2, character: 15 } });
    expect((finding.data as FoundData).fix?.edits).toEqual([
      { range: { start: { line: 2, column: 0 }, end: { line: 2, column: 0 } }, newText: '  __syncthreads();\r\n' },
    ]);
  });

  it('is told once for all kernels of a template, with the places of each', async () => {
    const { runs, begun } = runsWithSimulations({ textOf: () => text });
    const run = runs.run(uri, request);
    begun[0].end({ kind: 'finished', report: found, warnings: [], sources: ['/ws/a.cu', '/ws/b.cu'] });
    expect(await run).toMatchObject({ table: expect.stringMatching(/\nb\.cu:3: race: in no order \(in 2 kernels\)$/) });
    const races = runs
      .diagnostics()
      .byFile.get(other)!
      .filter(({ code }) => code === 'race');
    expect(races.map(({ message, relatedInformation }) => [message, relatedInformation?.length])).toEqual([
      ['in no order (1,230 times)', 4],
    ]);
    const view = await reportOf(uri, { runs, documents: new Map(), analysis: noAnalysis });
    expect(view?.faults.map(({ text: said }) => said).filter((said) => said.includes('race'))).toEqual([
      'b.cu:3: race: in no order (in 2 kernels)',
    ]);
  });
});
