/** What estimating times costs: launches and programs in turns with and without it, medians. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { h200 } from '../devices/h200.ts';
import type { Report } from '../protocol/report.ts';
import { LaunchEstimator } from '../simulator/timing/estimator.ts';
import { CASES, createFast, geometricMean, median, prepared } from './cases.ts';

const LAUNCHES = 15;
const RUNS = 5;
/** Programs of HeCBench with launches of all sizes, with the arguments of their measurements. */
const PROGRAMS = ['aidw', 'asmooth', 'atomicPerf', 'bilateral', 'contract', 'ecdh', 'interleave', 'keogh', 'matrix-rotate', 'murmurhash3'];
const MEASURED = 'test/fixtures/hardware/h200-hecbench-times.json';

/** Prints a table: a first launch, which is traced and estimated, and one without both. */
export function reportCostForKernels(): void {
  console.log('\n| kernel | CPU ms without the model of time | with | more |');
  console.log('|---|---:|---:|---:|');
  const ratios = CASES.map((c) => {
    const { engine, launch, module, memory } = prepared(c, createFast);
    engine.warmUp();
    const plain: number[] = [];
    const modelled: number[] = [];
    for (let round = 0; round < LAUNCHES + 2; round++) {
      plain.push(cpuMsOf(() => engine.launch(launch)));
      modelled.push(
        cpuMsOf(() => {
          const estimator = new LaunchEstimator(h200, memory);
          estimator.times(module, launch, engine.launch(estimator.traced(module, launch)));
        }),
      );
    }
    engine.close();
    return printed(c.name, plain.slice(2), modelled.slice(2));
  });
  console.log(`\nWith the model of time: ${geometricMean(ratios).toFixed(2)} times the processor time (geometric mean)`);
}

/** Prints a table: what programs take when they run, compiling not counted. `folder` holds HeCBench's folders. */
export async function reportCostForPrograms(folder: string): Promise<void> {
  const without = await distWithoutModel();
  console.log('\n| program | ms without the model of time | with | more |');
  console.log('|---|---:|---:|---:|');
  const ratios: number[] = [];
  const measured = JSON.parse(readFileSync(MEASURED, 'utf8')) as Record<string, { readonly args: readonly string[] }>;
  for (const name of PROGRAMS) {
    const { args } = measured[name];
    const source = [join(folder, 'src', `${name}-cuda`, 'main.cu'), join(folder, `${name}-cuda`, 'main.cu')].find(existsSync);
    if (!source) continue;
    const plain: number[] = [];
    const modelled: number[] = [];
    for (let round = 0; round < RUNS; round++) {
      for (const [dist, into] of [
        [without, plain],
        [resolve('dist'), modelled],
      ] as const) {
        // biome-ignore format: pairs
        const ms = simulateMs(dist, source, args);
        if (ms !== undefined) into.push(ms);
      }
    }
    if (plain.length === RUNS && modelled.length === RUNS) ratios.push(printed(name, plain, modelled));
    else console.log(`| ${name} | did not run | | |`);
  }
  console.log(`\nWith the model of time: ${geometricMean(ratios).toFixed(2)} times the time (geometric mean)`);
}

function printed(name: string, plain: readonly number[], modelled: readonly number[]): number {
  const [without, withModel] = [median(plain), median(modelled)];
  console.log(`| ${name} | ${without.toFixed(1)} | ${withModel.toFixed(1)} | ${(100 * (withModel / without - 1)).toFixed(0)} % |`);
  return withModel / without;
}

function cpuMsOf(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

function simulateMs(dist: string, source: string, args: readonly string[]): number | undefined {
  const cwd = mkdtempSync(join(tmpdir(), 'model-cost-'));
  const json = join(cwd, 'report.json');
  const command = [join(dist, 'cli.mjs'), 'run', '--no-sanitize', '--quiet', '--json', json, source, '--', ...args];
  spawnSync(process.execPath, command, { cwd, stdio: 'ignore', timeout: 120_000 });
  const ms = existsSync(json) ? (JSON.parse(readFileSync(json, 'utf8')) as Report).simulateMs : undefined;
  rmSync(cwd, { recursive: true, force: true });
  return ms;
}

/** In place of the estimator: no launch is traced, and each takes a microsecond. */
const NO_MODEL = `
const sums = { read: 0, write: 0, atomic: 0 };
const memory = { l2Sectors: sums, l1HitRate: 0, l2HitRate: 0, dramReadBytes: 0, dramWrittenBytes: 0 };
const residency = { registers: 32, resident: 1, residentWarps: 1, limitedBy: 'warps', waves: 1 };
const instructions = { issued: 0, fp32: 0, int: 0, fp64: 0, special: 0 };
const flops = { fp16: 0, fp32: 0, fp64: 0 };
const time = { ns: 1000, limit: 'launch', parts: [{ limit: 'launch', ns: 1000 }], residency, memory, instructions, flops, sites: new Map() };
export class LaunchEstimator {
  traced(_, launch) { return launch; }
  times() { return { cold: time, warm: time }; }
}`;

/** A copy of dist/ whose programs run without the model. */
async function distWithoutModel(): Promise<string> {
  const root = resolve('build/bench/without-model');
  const dist = join(root, 'dist');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  cpSync('package.json', join(root, 'package.json'));
  for (const name of readdirSync('dist')) {
    // What looks for files beside itself would find those of the original.
    if (name.endsWith('.mjs')) cpSync(join('dist', name), join(dist, name));
    else symlinkSync(resolve('dist', name), join(dist, name));
  }
  await build({
    entryPoints: ['simulator/program-worker.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    outfile: join(dist, 'program-worker.mjs'),
    logLevel: 'warning',
    plugins: [
      {
        name: 'without the model',
        setup: (own) => own.onLoad({ filter: /timing[\\/]estimator\.ts$/ }, () => ({ contents: NO_MODEL, loader: 'js' })),
      },
    ],
  });
  return dist;
}
