/**
 * How fast the compiled engine runs six kernels, with all counters on: median of five launches, in million thread instructions per
 * second, by our own count of executed LLVM instructions and by the GPU's count of its own. CPU ms: processor time of all threads. Beside it scalar C on one core, where gcc
 * is there. Then what estimating a launch's time costs: the same launches in turns with and without. `npm run bench`; with `--headline`
 * also the large sizes. `npm run bench -- --programs DIR` measures that cost alone, also for programs of HeCBench in DIR.
 */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterpreter } from '../simulator/interpreter/interpreter.ts';
import type { Engine, EngineOptions } from '../simulator/scheduling/engine.ts';
import { bins, CASES, type Case, createFast, floats, geometricMean, median, N, prepared, timed, type WaitingCase, words } from './cases.ts';
import { reportCostForKernels, reportCostForPrograms } from './model-cost.ts';

const ROUNDS = 5;

/** Kernels whose threads wait for each other: run path by path, on one thread. */
const WAITING: readonly WaitingCase[] = [
  { name: 'sum with barriers of the grid', kernel: 'cooperativeSum', grid: [132, 1, 1], block: [256, 1, 1], cooperative: true, args: (m) => [floats(m, N), words(m, 132), N] },
  { name: 'lock of the whole grid', kernel: 'locked', grid: [16, 1, 1], block: [256, 1, 1], args: (m) => [words(m, 1), words(m, 1), words(m, 4096), 2] },
  { name: 'maximum by compare and swap', kernel: 'largest', grid: [64, 1, 1], block: [256, 1, 1], args: (m) => [floats(m, N), words(m, 1024), N, 1024] },
]; // biome-ignore format: table

const HEADLINES: readonly Case[] = [
  {
    name: 'histogram of 268,435,456, global atomics',
    kernel: 'histogramGlobal',
    grid: [1_048_576, 1, 1],
    block: [256, 1, 1],
    gpuMillions: 4563.4,
    args: (m) => [bins(m, 268_435_456), words(m, 256), 268_435_456],
  },
  {
    name: 'matmul 1024, tiles of 16',
    kernel: 'matrixProduct',
    grid: [64, 64, 1],
    block: [16, 16, 1],
    gpuMillions: 3018.9,
    args: (m) => [floats(m, 1_048_576), floats(m, 1_048_576), words(m, 1_048_576), 1024],
  },
];

const programs = process.argv.indexOf('--programs');
if (programs > 0) {
  reportCostForKernels();
  await reportCostForPrograms(process.argv[programs + 1]);
  process.exit(0);
}
const native = nativeTimes();
const machine = `${cpus().length} x ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`;
console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}, Node ${process.versions.node}\n`);
console.log(
  '| kernel | ms | CPU ms | threads | M thread-inst/s (GPU count) | M thread-inst/s (own count) | compile ms | scalar C, 1 core, ms |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
const rates = CASES.map((c) => measure(c, ROUNDS));
console.log(`\nGeometric mean: ${geometricMean(rates).toFixed(0)} million thread instructions per second (GPU count)`);
reportGrowth();
reportCompileTime();
console.log('\n| kernel whose threads wait | compiled, CPU ms | interpreted, CPU ms | own M thread-inst |');
console.log('|---|---:|---:|---:|');
for (const c of WAITING) compareEngines(c);
reportCostForKernels();
if (process.argv.includes('--headline')) for (const c of HEADLINES) measure(c, 1);
process.exit(0);

/** Prints a row; returns the rate by the GPU's count. */
function measure(c: Case, rounds: number): number {
  const { engine, launch, module } = prepared(c, createFast);
  engine.warmUp();
  const begin = performance.now();
  const reason = engine.whyInterpreted(c.kernel);
  if (reason) throw new Error(`${c.kernel} is not compiled: ${reason}`);
  const compileMs = performance.now() - begin;
  const times: number[] = [];
  const cpuTimes: number[] = [];
  let own = 0;
  if (rounds > 1) timed(engine, launch, module);
  for (let round = 0; round < rounds; round++) {
    const result = timed(engine, launch, module);
    times.push(result.ms);
    cpuTimes.push(result.cpuMs);
    own = result.threadInstructions;
  }
  const ms = median(times);
  const rate = (c.gpuMillions / ms) * 1000;
  const c1 = native.get(c.kernel);
  console.log(
    `| ${c.name} | ${ms.toFixed(1)} | ${median(cpuTimes).toFixed(1)} | ${1 + engine.helpers} | ${rate.toFixed(0)} | ${(own / ms / 1000).toFixed(0)} | ${compileMs.toFixed(0)} | ${rounds > 1 && c1 ? c1.toFixed(2) : ''} |`,
  );
  engine.close();
  return rate;
}

/** Prints a row: both engines on the same launches. */
function compareEngines(c: WaitingCase): void {
  const [fast, slow] = [createFast, createInterpreter].map((create: (options: EngineOptions) => Engine) => {
    const { engine, launch, module } = prepared(c, create);
    timed(engine, launch, module);
    const runs = Array.from({ length: 3 }, () => timed(engine, launch, module));
    engine.close();
    return { cpuMs: median(runs.map((r) => r.cpuMs)), threadInstructions: runs[0].threadInstructions };
  });
  console.log(`| ${c.name} | ${fast.cpuMs.toFixed(1)} | ${slow.cpuMs.toFixed(1)} | ${(fast.threadInstructions / 1e6).toFixed(1)} |`);
}

/** Twice the blocks: how much more work (executed instructions) and time. */
function reportGrowth(): void {
  const matmul = (rows: number): Case => ({
    ...CASES[5],
    grid: [16, rows, 1],
    args: (m) => [floats(m, 131_072), floats(m, 65536), words(m, 131_072), 256],
  });
  const [once, twice] = [matmul(16), matmul(32)].map((c) => {
    const { engine, launch, module } = prepared(c, createFast);
    engine.warmUp();
    timed(engine, launch, module);
    const runs = Array.from({ length: ROUNDS }, () => timed(engine, launch, module));
    engine.close();
    return { cpuMs: Math.min(...runs.map((r) => r.cpuMs)), work: runs[0].threadInstructions };
  });
  console.log(
    `Twice the blocks of matmul: ${(twice.work / once.work).toFixed(2)} times the instructions, ${(twice.cpuMs / once.cpuMs).toFixed(2)} times the CPU time`,
  );
}

/** All kernels one after the other in fresh engines, the first of which has warmed our own code up. */
function reportCompileTime(): void {
  const run = (): { ms: number; cpuMs: number; instructions: number } => {
    let [ms, cpuMs, instructions] = [0, 0, 0];
    for (const c of CASES) {
      const { engine, module } = prepared(c, createFast);
      const cpu = process.cpuUsage();
      const begin = performance.now();
      engine.whyInterpreted(c.kernel);
      ms += performance.now() - begin;
      const used = process.cpuUsage(cpu);
      cpuMs += (used.user + used.system) / 1000;
      instructions += module.ir.functions.get(c.kernel)!.siteCount;
      engine.close();
    }
    return { ms, cpuMs, instructions };
  };
  const runs = Array.from({ length: ROUNDS + 1 }, run).slice(1);
  const per1000 = (field: 'ms' | 'cpuMs'): string => median(runs.map((r) => (1000 * r[field]) / r.instructions)).toFixed(0);
  console.log(
    `Compiling the six kernels (${runs[0].instructions} LLVM instructions): ${per1000('ms')} ms per 1,000 instructions, ${per1000('cpuMs')} ms of CPU time`,
  );
}

/** Milliseconds of the scalar C versions by kernel; none without gcc. */
function nativeTimes(): ReadonlyMap<string, number> {
  const binary = join(process.cwd(), 'build/bench/kernels-c');
  try {
    execFileSync('gcc', ['-O2', '-o', binary, join(process.cwd(), 'bench/kernels.c')], { stdio: 'ignore' });
    const lines = execFileSync(binary, { encoding: 'utf8' }).trim().split('\n');
    return new Map(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]));
  } catch {
    return new Map();
  }
}
