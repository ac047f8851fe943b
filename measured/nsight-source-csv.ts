/**
 * Counters of source lines as Nsight Compute exports them with `ncu --csv --page source --print-source cuda` (or `cuda,sass`): for each launch
 * a table for each of its files. They say nothing of grids and blocks. Instructions of inlined calls count at the row of the call, and again
 * at their own in the file that they come from.
 */
import { l10n } from '../counters/spoken.ts';
import { csvRows, numberOf } from './csv.ts';
import type { MeasuredLaunch, MeasuredLine, MeasuredRun } from './launches.ts';

/** Nsight Compute's names by the words at the head of its columns. */
const METRICS_BY_WORDS: Readonly<Record<string, string>> = {
  'Instructions Executed': 'inst_executed',
  'Thread Instructions Executed': 'thread_inst_executed',
  '# Samples': 'smsp__pcsamp_sample_count',
  'L2 Theoretical Sectors Global': 'memory_l2_theoretical_sectors_global',
  'L2 Theoretical Sectors Global Ideal': 'memory_l2_theoretical_sectors_global_ideal',
  'L1 Wavefronts Shared': 'memory_l1_wavefronts_shared',
  'L1 Wavefronts Shared Ideal': 'memory_l1_wavefronts_shared_ideal',
};

const FIRST_ROW = /^"?(?:File Path|Function Name)"?,/m;

export function isSourcePage(text: string): boolean {
  return FIRST_ROW.test(text) && !/^(?:.*,)?"?Kernel Name"?(?:,.*)?$/m.test(text);
}

interface GrowingLaunch extends MeasuredLaunch {
  readonly files: Set<string>;
  readonly lines: MeasuredLine[];
}

/** Throws an Error that says what is missing. */
export function parseSourcePage(name: string, text: string): MeasuredRun {
  const launches: GrowingLaunch[] = [];
  let file = '';
  let columns: Columns | undefined;
  for (const row of csvRows(text.slice(text.search(FIRST_ROW)))) {
    if (row[0] === 'File Path') file = row[1];
    else if (row[0] === 'Function Name') beginTable(launches, row[1], file);
    else if (row[0] === 'Line No') columns = columnsOf(row);
    else if (columns && row.length === columns.count && launches.length > 0) addLine(launches.at(-1)!.lines, row, { file, columns });
  }
  const counted = launches.filter(({ lines }) => lines.length > 0);
  if (counted.length === 0) {
    throw new Error(l10n.t('{0} has no source lines: write them with ncu --import FILE --csv --page source --print-source cuda.', name));
  }
  return { name, launches: counted.map(({ kernel, metrics, lines }) => ({ kernel, metrics, lines })) };
}

/** The same file again is that of another launch. */
function beginTable(launches: GrowingLaunch[], kernel: string, file: string): void {
  const last = launches.at(-1);
  if (last?.kernel === kernel && !last.files.has(file)) last.files.add(file);
  else launches.push({ kernel, metrics: {}, files: new Set([file]), lines: [] });
}

interface Columns {
  readonly count: number;
  readonly metrics: readonly { readonly metric: string; readonly at: number }[];
}

function columnsOf(row: readonly string[]): Columns {
  const metrics = row.flatMap((words, at) => (Object.hasOwn(METRICS_BY_WORDS, words) ? [{ metric: METRICS_BY_WORDS[words], at }] : []));
  return { count: row.length, metrics };
}

/** Rows of machine instructions have no number of a line. */
function addLine(
  lines: MeasuredLine[],
  row: readonly string[],
  { file, columns }: { readonly file: string; readonly columns: Columns },
): void {
  const line = numberOf(row[0]);
  if (line === undefined || !Number.isSafeInteger(line) || line < 1) return;
  const counters = columns.metrics.flatMap(({ metric, at }) => {
    const value = numberOf(row[at]);
    return value ? [[metric, value] as const] : [];
  });
  if (counters.length > 0) lines.push({ places: [{ file, line }], counters: Object.fromEntries(counters) });
}
