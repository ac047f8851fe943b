/** Predictions from the device code beside what the run of the same program counted, instruction by instruction. */
import { readFileSync } from 'node:fs';
import type { Analyzer } from '../analyzers/analyzer.ts';
import { lineLocation } from '../simulator/counters/launch-metrics.ts';
import { FIELD, SITE_FIELDS, type SiteCounters } from '../simulator/counters/site-counters.ts';
import type { Instruction, IrFunction } from '../simulator/ir/types.ts';
import type { Launch } from '../simulator/machine/launch.ts';
import type { LoadedModule } from '../simulator/machine/load-module.ts';
import { COST } from '../simulator/machine/request.ts';
import { predictShapes, type ShapePrediction } from '../simulator/prediction/kernels.ts';
import { type LaunchPrediction, predictLaunch } from '../simulator/prediction/predict.ts';
import { meanOf } from '../simulator/prediction/tally.ts';
import { functionFacts } from '../simulator/simt/analyze.ts';
import { isPackageFile } from '../simulator/toolchain/virtual-paths.ts';
import { compiled, type RunnableProgram, recorded } from './recorded-launches.ts';

type What = 'divergent' | 'sectors' | 'wavefronts' | 'local sectors' | 'atomic sectors' | 'atomic turns';

/** One instruction that the run executed. */
export interface Compared {
  readonly kernel: string;
  readonly instruction: Instruction;
  readonly what: What;
  /** Of each execution or request, in the mean. */
  readonly run: number;
  readonly executions: number;
  /** undefined: not predicted. */
  readonly predicted: number | undefined;
}

const COLUMNS: readonly { readonly what: What; readonly column: keyof typeof COST; readonly per: keyof typeof COST }[] = [
  { what: 'sectors', column: 'globalSectors', per: 'globalRequests' },
  { what: 'wavefronts', column: 'sharedWavefronts', per: 'sharedRequests' },
  { what: 'local sectors', column: 'localSectors', per: 'localRequests' },
  { what: 'atomic sectors', column: 'globalAtomicSectors', per: 'globalRequests' },
  { what: 'atomic turns', column: 'globalAtomicTurns', per: 'globalRequests' },
];

/** Launches of one kernel that are looked at: some programs launch one hundreds of times. */
const MOST_LAUNCHES = 4;

/** What is predicted of a program's launches, beside what they counted. */
export interface Compares {
  /** For the shapes and arguments that the launches had. */
  readonly asRun: readonly Compared[];
  /** For what the text says of them, and nothing else: this is what users see. */
  readonly asText: readonly Compared[];
}

export async function comparesOf(program: RunnableProgram, analyzer: Analyzer): Promise<Compares> {
  const shapes = program.files.flatMap((file) => {
    const document = analyzer.open(readFileSync(file, 'utf8'));
    const found = document.shapes();
    document.dispose();
    return found;
  });
  const launches = recorded(program, await compiled(program), newDifference());
  const byModule = new Map<LoadedModule, readonly ShapePrediction[]>();
  const asRun: Compared[] = [];
  const asText: Compared[] = [];
  for (const { module, launch, counters } of launches) {
    const { kernel, grid, block, args, dynamicSharedBytes } = launch;
    const asLaunched = predictLaunch(module, { kernel, grid, block, dynamicSharedBytes, args: args.map((bytes) => ({ bytes })) });
    asRun.push(...compared(module, kernel, counters, [asLaunched]).filter(isShown));
    const predictions = byModule.get(module) ?? predictShapes(module, shapes);
    byModule.set(module, predictions);
    const said = shapeOf(launch, predictions);
    asText.push(...compared(module, kernel, counters, said ? [said.prediction, ...said.others] : []).filter(isShown));
  }
  return { asRun, asText };
}

/** Whether a launch differs from those before it in more than what it reads and writes. */
function newDifference(): (launch: Launch) => boolean {
  const seen = new Set<string>();
  const perKernel = new Map<string, number>();
  return ({ kernel, grid, block, args }) => {
    const key = JSON.stringify([kernel, grid, block, args.map((bytes) => (bytes.length === 8 ? 0 : [...bytes]))]);
    const count = perKernel.get(kernel) ?? 0;
    if (seen.has(key) || count >= MOST_LAUNCHES) return false;
    seen.add(key);
    perKernel.set(kernel, count + 1);
    return true;
  };
}

/** Whether it has a line of the program: kernels of our headers for Thrust have none, and nothing is shown of them. */
function isShown({ instruction: { location } }: Compared): boolean {
  return lineLocation(location, isPackageFile) !== undefined;
}

/** The text's shape that means this launch; one whose block is assumed may mean any. */
function shapeOf({ kernel, grid, block }: Launch, predictions: readonly ShapePrediction[]): ShapePrediction | undefined {
  const isSame = (known: readonly (number | undefined)[], is: readonly number[]) =>
    known.every((n, axis) => n === undefined || n === is[axis]);
  const own = predictions.filter(({ fn, shape }) => fn.name === kernel && isSame(shape.grid, grid));
  return own.find(({ shape }) => isSame(shape.block, block)) ?? own.find(({ shape }) => shape.otherBlocks !== undefined);
}

/** Predictions of several shapes are one where they say the same. */
function compared(module: LoadedModule, kernel: string, counters: SiteCounters, predictions: readonly LaunchPrediction[]): Compared[] {
  const result: Compared[] = [];
  for (const [name, { data }] of counters) {
    const fn = module.ir.functions.get(name)!;
    const { predicated } = functionFacts(fn, module.ir);
    for (const instruction of instructionsOf(fn)) {
      const { site, op } = instruction;
      const count = (field: keyof typeof FIELD) => data[site * SITE_FIELDS.length + FIELD[field]];
      if (count('executions') === 0) continue;
      const mean = agreedMean(predictions, name, site);
      if ((op === 'condbr' || op === 'switch') && !predicated.has(site)) {
        const run = count('divergent') / count('executions');
        result.push({ kernel, instruction, what: 'divergent', run, executions: count('executions'), predicted: mean?.[0] });
      }
      for (const { what, column, per } of COLUMNS) {
        if (count(per) === 0 || (count(column) === 0 && what.startsWith('atomic'))) continue;
        const requests = mean?.[COST[per]];
        const predicted = mean && requests ? mean[COST[column]] / requests : undefined;
        result.push({ kernel, instruction, what, run: count(column) / count(per), executions: count(per), predicted });
      }
    }
  }
  return result;
}

function agreedMean(predictions: readonly LaunchPrediction[], fn: string, site: number): readonly number[] | undefined {
  const means = predictions.map(({ tallies }) => {
    const tally = tallies.get(fn)?.sites.get(site);
    return tally && meanOf(tally);
  });
  const [first] = means;
  return means.every((mean) => mean?.every((n, at) => Math.abs(n - first![at]) < 1e-9)) ? first : undefined;
}

function instructionsOf(fn: IrFunction): readonly Instruction[] {
  return fn.blocks.flatMap(({ instructions }) => instructions);
}

/** Equal as it is shown, to two digits behind the point, or but for the few warps at the edges of a grid. */
export function agrees({ run, predicted }: Compared): boolean {
  return predicted !== undefined && Math.abs(run - predicted) <= Math.max(0.005, 0.02 * run);
}

/** Copies of one access or branch, such as those of a loop that is unrolled. */
export function byPlace(rows: readonly Compared[]): readonly (readonly Compared[])[] {
  const places = new Map<string, Compared[]>();
  for (const row of rows) {
    const { location, op } = row.instruction;
    const key = JSON.stringify([row.kernel, location, op, row.what]);
    places.set(key, [...(places.get(key) ?? []), row]);
  }
  return [...places.values()];
}

/** Copies together: one that is not predicted leaves all of them open. */
export function isPredicted(copies: readonly Compared[]): boolean {
  return copies.every(({ predicted }) => predicted !== undefined);
}
