/** What the benchmarks of the engines have in common: the kernels, their data, and how a launch is timed. */
import { join } from 'node:path';
import { h200 } from '../devices/h200.ts';
import { timingsOf } from '../devices/timings.ts';
import { type CompilerEngine, createCompiler } from '../simulator/compiler/engine.ts';
import { launchMetrics } from '../simulator/counters/launch-metrics.ts';
import { interpreter } from '../simulator/interpreter/interpreter.ts';
import { parseIr } from '../simulator/ir/parse.ts';
import { DeviceMemory } from '../simulator/machine/device-memory.ts';
import type { Dim3, Launch } from '../simulator/machine/launch.ts';
import type { LoadedModule } from '../simulator/machine/load-module.ts';
import { loadModule } from '../simulator/machine/load-module.ts';
import type { Engine, EngineOptions } from '../simulator/scheduling/engine.ts';
import type { Probes } from '../simulator/scheduling/probes.ts';
import { siteWeights } from '../simulator/timing/site-weights.ts';
import { compileProgram } from '../simulator/toolchain/compile.ts';

export const N = 1_048_576;

export interface WaitingCase {
  readonly name: string;
  readonly kernel: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly shared?: number;
  readonly cooperative?: boolean;
  args(memory: DeviceMemory): number[];
}

export interface Case extends WaitingCase {
  /** Million thread instructions as a GPU counts them for one launch. */
  readonly gpuMillions: number;
}

const blocks = N / 256;
export const CASES: readonly Case[] = [
  { name: 'vector add', kernel: 'vectorAdd', grid: [blocks, 1, 1], block: [256, 1, 1], gpuMillions: 22.0, args: (m) => [floats(m, N), floats(m, N), words(m, N), N] },
  { name: 'reduction, modulo', kernel: 'reduceModulo', grid: [blocks, 1, 1], block: [256, 1, 1], gpuMillions: 95.4, args: (m) => [ints(m, N), words(m, blocks), N] },
  { name: 'reduction, shuffle', kernel: 'reduceShuffle', grid: [blocks, 1, 1], block: [256, 1, 1], gpuMillions: 53.7, args: (m) => [ints(m, N), words(m, blocks), N] },
  { name: 'histogram, global atomics', kernel: 'histogramGlobal', grid: [blocks, 1, 1], block: [256, 1, 1], gpuMillions: 19.9, args: (m) => [bins(m, N), words(m, 256), N] },
  { name: 'histogram, shared atomics', kernel: 'histogramShared', grid: [1056, 1, 1], block: [256, 1, 1], shared: 1024, gpuMillions: 12.0, args: (m) => [bins(m, N), words(m, 256), N, 256] },
  { name: 'matmul 256, tiles of 16', kernel: 'matrixProduct', grid: [16, 16, 1], block: [16, 16, 1], gpuMillions: 64.9, args: (m) => [floats(m, 65536), floats(m, 65536), words(m, 65536), 256] },
]; // biome-ignore format: table

const compiled = await compileProgram({ file: join(process.cwd(), 'bench/kernels.cu'), includeDirs: [], defines: [] });
if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));

export const createFast = (options: EngineOptions): CompilerEngine => createCompiler({ fallback: interpreter }, options);

/** A fresh engine with a case's data. */
export function prepared<E extends Engine>(
  c: WaitingCase,
  create: (options: EngineOptions) => E,
): { engine: E; launch: Launch; module: LoadedModule; memory: DeviceMemory } {
  const memory = new DeviceMemory();
  if (compiled.kind !== 'compiled') throw new Error('nothing compiled');
  const module = loadModule(parseIr(compiled.deviceModules[0]), memory);
  const weigh: EngineOptions['weigh'] = (fn) => siteWeights(fn, module.ir, timingsOf(h200));
  const engine = create({ module, memory, device: h200, limits: { warpInstructions: 1e12 }, weigh });
  const launch: Launch = {
    kernel: c.kernel,
    grid: c.grid,
    block: c.block,
    dynamicSharedBytes: c.shared ?? 0,
    args: c.args(memory).map((value) => new Uint8Array(Int32Array.of(value, 0).buffer)),
    cooperative: c.cooperative ?? false,
  };
  return { engine, launch, module, memory };
}

/** `probes`: what the engine has to tell of the launch. */
export function timed(
  engine: Engine,
  launch: Launch,
  module: LoadedModule,
  probes?: Probes,
): { ms: number; cpuMs: number; threadInstructions: number } {
  const cpuBegin = process.cpuUsage();
  const begin = performance.now();
  const outcome = engine.launch(launch, probes);
  const ms = performance.now() - begin;
  const cpu = process.cpuUsage(cpuBegin);
  if (outcome.fault) throw new Error(outcome.fault.message);
  const metrics = launchMetrics({ module, launch, device: h200, counters: outcome.counters, isHeader: () => false });
  return { ms, cpuMs: (cpu.user + cpu.system) / 1000, threadInstructions: metrics['lanewise__thread_inst_executed.sum'] };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export function words(memory: DeviceMemory, count: number): number {
  const allocation = memory.allocate(4 * count, 'benchmark data');
  if (!allocation) throw new Error('the benchmark does not fit into device memory');
  return allocation.address;
}

function filled(memory: DeviceMemory, count: number, value: (index: number) => number, kind: 'int' | 'float'): number {
  const address = words(memory, count);
  const { buffer } = memory.memory;
  const at = address;
  const view = kind === 'int' ? new Int32Array(buffer, at, count) : new Float32Array(buffer, at, count);
  for (let index = 0; index < count; index++) view[index] = value(index);
  return address;
}

export function ints(memory: DeviceMemory, count: number): number {
  return filled(memory, count, (index) => (index * 37) % 101, 'int');
}

export function floats(memory: DeviceMemory, count: number): number {
  return filled(memory, count, (index) => (index % 7) - 3, 'float');
}

/** Bin numbers from 0 to 255 in no order. */
export function bins(memory: DeviceMemory, count: number): number {
  let state = 1;
  return filled(memory, count, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % 256;
  }, 'int'); // biome-ignore format: one generator
}
