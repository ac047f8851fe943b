/**
 * Predictions from the device code against the runs of the same programs, instruction by instruction: branches that part lanes, sectors,
 * wavefronts and turns of atomics. What differs has its reason in differences.json.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineLocation } from '../../simulator/counters/launch-metrics.ts';
import type { Launch } from '../../simulator/machine/launch.ts';
import type { LoadedModule } from '../../simulator/machine/load-module.ts';
import { predictShapes, type ShapePrediction } from '../../simulator/prediction/kernels.ts';
import { type LaunchPrediction, predictLaunch } from '../../simulator/prediction/predict.ts';
import { isPackageFile } from '../../simulator/toolchain/virtual-paths.ts';
import { theAnalyzer } from '../analyzers/open.ts';
import { repository } from '../runtime/simulation.ts';
import { agrees, type Compared, compared } from './compare.ts';
import { compiled, type RecordedLaunch, recorded } from './recorded.ts';

const PROGRAMS = [
  ...['access_patterns', 'atomics', 'bank_conflicts', 'divergence', 'grid_sync', 'grid_sync_misuse', 'histogram', 'l2_window'],
  ...['last_block', 'lost_update', 'math_kernels', 'matmul', 'nested_reduce', 'reduction', 'scan', 'stencil', 'streams'],
  ...['thrust_vectors', 'transpose', 'vector_add'],
].map((name) => join('test/fixtures/reference', `${name}.cu`));

/** Launches of one kernel that are looked at: some programs launch one hundreds of times. */
const MOST_LAUNCHES = 4;

interface Difference {
  readonly program: string;
  readonly line: number;
  readonly column: number;
  readonly what: string;
  readonly reason: string;
}

const DIFFERENCES: readonly Difference[] = JSON.parse(readFileSync(join(import.meta.dirname, 'differences.json'), 'utf8'));

const isOf = (difference: Difference, program: string, { instruction: { location }, what }: Compared) =>
  difference.program === program && difference.line === location?.line && difference.column === location.column && difference.what === what;

/** Launches that differ in more than what they read and write. */
function different(launches: readonly RecordedLaunch[]): RecordedLaunch[] {
  const seen = new Set<string>();
  const perKernel = new Map<string, number>();
  return launches.filter(({ launch: { kernel, grid, block, args } }) => {
    const key = JSON.stringify([kernel, grid, block, args.map((bytes) => (bytes.length === 8 ? 0 : [...bytes]))]);
    const count = perKernel.get(kernel) ?? 0;
    if (seen.has(key) || count >= MOST_LAUNCHES) return false;
    seen.add(key);
    perKernel.set(kernel, count + 1);
    return true;
  });
}

/** What is predicted of a program's launches, beside what they counted. */
interface Compares {
  /** For the shapes and arguments that the launches had. */
  readonly asRun: readonly Compared[];
  /** For what the text says of them, and nothing else. */
  readonly asText: readonly Compared[];
}

async function comparesOf(program: string): Promise<Compares> {
  const file = join(repository, program);
  const document = (await theAnalyzer()).open(readFileSync(file, 'utf8'));
  const shapes = document.shapes();
  document.dispose();
  const launches = different(recorded(file, await compiled(file)));
  const byModule = new Map<LoadedModule, readonly ShapePrediction[]>();
  const asRun: Compared[] = [];
  const asText: Compared[] = [];
  for (const { module, launch, counters } of launches) {
    const { kernel, grid, block, args, dynamicSharedBytes } = launch;
    const prediction = predictLaunch(module, { kernel, grid, block, dynamicSharedBytes, args: args.map((bytes) => ({ bytes })) });
    asRun.push(...compared(module, kernel, counters, prediction).filter(isShown));
    const predictions = byModule.get(module) ?? predictShapes(module, shapes);
    byModule.set(module, predictions);
    asText.push(...compared(module, kernel, counters, shapeOf(launch, predictions)?.prediction ?? NOTHING).filter(isShown));
  }
  return { asRun, asText };
}

/** Whether it has a line of the program: kernels of our headers for Thrust have none, and nothing is shown of them. */
function isShown({ instruction: { location } }: Compared): boolean {
  return lineLocation(location, isPackageFile) !== undefined;
}

const NOTHING: LaunchPrediction = { tallies: new Map(), incomplete: false, steps: 0 };

/** The text's shape that means this launch. */
function shapeOf({ kernel, grid, block }: Launch, predictions: readonly ShapePrediction[]): ShapePrediction | undefined {
  const isSame = (known: readonly (number | undefined)[], is: readonly number[]) =>
    known.every((n, axis) => n === undefined || n === is[axis]);
  return predictions.find(({ fn, shape }) => fn.name === kernel && isSame(shape.block, block) && isSame(shape.grid, grid));
}

function wrongOf(rows: readonly Compared[]): Compared[] {
  return rows.filter((row) => row.predicted !== undefined && !agrees(row));
}

/** Copies of one access or branch, such as those of a loop that is unrolled. */
function byPlace(rows: readonly Compared[]): readonly (readonly Compared[])[] {
  const places = new Map<string, Compared[]>();
  for (const row of rows) {
    const { location, op } = row.instruction;
    const key = JSON.stringify([row.kernel, location, op, row.what]);
    places.set(key, [...(places.get(key) ?? []), row]);
  }
  return [...places.values()];
}

function unexplained(program: string, rows: readonly Compared[]): object[] {
  return wrongOf(rows)
    .filter((row) => !DIFFERENCES.some((difference) => isOf(difference, program, row)))
    .map(({ kernel, instruction, what, run, predicted }) => ({ kernel, at: instruction.location, what, run, predicted }));
}

describe('predictions beside the runs of the same programs', () => {
  const results = new Map<string, Compares>();

  it.each(PROGRAMS)('%s', { timeout: 180_000 }, async (program) => {
    const compares = await comparesOf(program);
    results.set(program, compares);
    const { asRun, asText } = compares;
    expect(asRun.length).toBeGreaterThan(0);
    expect(unexplained(program, asRun)).toEqual([]);
    expect(unexplained(program, asText)).toEqual([]);
    const wrong = [...wrongOf(asRun), ...wrongOf(asText)];
    const stale = DIFFERENCES.filter(
      (difference) => difference.program === program && !wrong.some((row) => isOf(difference, program, row)),
    );
    expect(stale).toEqual([]);
  });

  it.each(['asText', 'asRun'] as const)('%s: at least 70 of 100 are predicted, and 99 of 100 of these are what the run counts', (how) => {
    const rows = [...results.values()].flatMap((compares) => byPlace(compares[how]));
    const predicted = rows.filter((copies) => copies.every((row) => row.predicted !== undefined));
    const right = predicted.filter((copies) => copies.every(agrees));
    console.log(`${how}: ${predicted.length} of ${rows.length} predicted, ${right.length} of these as in the run`);
    expect(results.size).toBe(PROGRAMS.length);
    expect(predicted.length / rows.length).toBeGreaterThanOrEqual(0.7);
    expect(right.length / predicted.length).toBeGreaterThanOrEqual(0.99);
  });

  it('every difference is of a program that is here', () => {
    for (const { program } of DIFFERENCES) expect(existsSync(join(repository, program)) && PROGRAMS.includes(program), program).toBe(true);
  });
});
