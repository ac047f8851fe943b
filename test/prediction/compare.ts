/** Predictions of launches beside what their runs counted, instruction by instruction. */
import { FIELD, SITE_FIELDS, type SiteCounters } from '../../simulator/counters/site-counters.ts';
import type { Instruction, IrFunction } from '../../simulator/ir/types.ts';
import type { LoadedModule } from '../../simulator/machine/load-module.ts';
import { COST } from '../../simulator/machine/request.ts';
import type { LaunchPrediction } from '../../simulator/prediction/predict.ts';
import { meanOf } from '../../simulator/prediction/tally.ts';
import { functionFacts } from '../../simulator/simt/analyze.ts';

export type What = 'divergent' | 'sectors' | 'wavefronts' | 'local sectors' | 'atomic sectors' | 'atomic turns';

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

export function compared(module: LoadedModule, kernel: string, counters: SiteCounters, prediction: LaunchPrediction): Compared[] {
  const result: Compared[] = [];
  for (const [name, { data }] of counters) {
    const fn = module.ir.functions.get(name)!;
    const { predicated } = functionFacts(fn, module.ir);
    const sites = prediction.tallies.get(name)?.sites;
    for (const instruction of instructionsOf(fn)) {
      const { site, op } = instruction;
      const count = (field: keyof typeof FIELD) => data[site * SITE_FIELDS.length + FIELD[field]];
      if (count('executions') === 0) continue;
      const tally = sites?.get(site);
      const mean = tally && meanOf(tally);
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

function instructionsOf(fn: IrFunction): readonly Instruction[] {
  return fn.blocks.flatMap(({ instructions }) => instructions);
}

/** Equal as it is shown, to two digits behind the point, or but for the few warps at the edges of a grid. */
export function agrees({ run, predicted }: Compared): boolean {
  return predicted !== undefined && Math.abs(run - predicted) <= Math.max(0.005, 0.02 * run);
}
