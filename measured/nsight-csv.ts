/**
 * Counters as Nsight Compute writes them with `ncu --csv`: one row for each metric of each launch, its unit beside it, or with `--page raw`
 * one for each launch and a column for each metric, units in the row below the names.
 */
import { l10n } from '../counters/spoken.ts';
import type { KernelReport } from '../protocol/report.ts';
import { csvRow, csvRows, numberOf } from './csv.ts';
import type { MeasuredLaunch, MeasuredRun } from './launches.ts';
import { isSourcePage, parseSourcePage } from './nsight-source-csv.ts';

const LONG_COLUMNS = [
  'ID',
  'Process ID',
  'Process Name',
  'Host Name',
  'Kernel Name',
  'Context',
  'Stream',
  'Block Size',
  'Grid Size',
  'Device',
  'CC',
  'Section Name',
  'Metric Name',
  'Metric Unit',
  'Metric Value',
];

/** Of the page of details, which has words for names. */
const NAMES_OF_WORDS: Readonly<Record<string, string>> = {
  Duration: 'gpu__time_duration.sum',
};

export function toNsightCsv(program: string, kernels: readonly KernelReport[]): string {
  const rows = kernels.flatMap(({ kernel, grid, block, metrics }, id) =>
    Object.entries(metrics).map(([name, value]) =>
      csvRow([
        String(id),
        '0',
        program,
        'simulated',
        kernel,
        '1',
        '7',
        `(${block.join(', ')})`,
        `(${grid.join(', ')})`,
        '0',
        '',
        'Simulated by Lanewise',
        name,
        '',
        value.toLocaleString('en-US'),
      ]),
    ),
  );
  return `${[csvRow(LONG_COLUMNS), ...rows].join('\n')}\n`;
}

/** Throws an Error that says what is missing. */
export function parseNsightCsv(name: string, text: string): MeasuredRun {
  if (isSourcePage(text)) return parseSourcePage(name, text);
  const rows = csvRows(fromHeader(text));
  const [columns, ...body] = rows;
  if (!columns?.includes('Kernel Name'))
    throw new Error(l10n.t('{0} has no column "Kernel Name": write it with ncu --csv, or ncu --import FILE --csv --page raw.', name));
  const launches = columns.includes('Metric Name') ? longLaunches(columns, body) : wideLaunches(columns, body);
  if (launches.length === 0) throw new Error(l10n.t('{0} has no launches.', name));
  const device = textOf(columns, body, 'device__attribute_display_name');
  return { name, ...(device && { device }), launches };
}

/** What a column says of the first launch; undefined where there is none. */
function textOf(columns: readonly string[], rows: readonly (readonly string[])[], column: string): string | undefined {
  const at = columns.indexOf(column);
  return at < 0 ? undefined : rows.find((row) => row[at])?.[at];
}

/** What `ncu` and the program have said before is no CSV: a quotation mark in it would never end. */
function fromHeader(text: string): string {
  const at = text.search(/^(?:.*,)?"?Kernel Name"?(?:,.*)?$/m);
  return at < 0 ? text : text.slice(at);
}

/** While its rows are read. */
interface GrowingLaunch extends MeasuredLaunch {
  readonly metrics: Record<string, number>;
}

function longLaunches(columns: readonly string[], rows: readonly (readonly string[])[]): MeasuredLaunch[] {
  const at = placesOf(columns);
  const launches = new Map<string, GrowingLaunch>();
  // Rows of metrics end where those of rules have columns of their own.
  for (const row of rows.filter(({ length }) => length > at('Metric Value') && length <= columns.length)) {
    const key = `${row[at('ID')]}|${row[at('Process ID')]}`;
    const launch = launches.get(key) ?? { ...headOf(row, at), metrics: {} };
    launches.set(key, launch);
    const value = numberOf(row[at('Metric Value')], row[at('Metric Unit')]);
    const metric = row[at('Metric Name')];
    if (value !== undefined) launch.metrics[NAMES_OF_WORDS[metric] ?? metric] = value;
  }
  return [...launches.values()];
}

function wideLaunches(columns: readonly string[], rows: readonly (readonly string[])[]): MeasuredLaunch[] {
  const at = placesOf(columns);
  // The row of units has no kernel.
  const units = rows.find((row) => row[at('Kernel Name')] === '');
  const metrics = columns.flatMap((column, index) => (LONG_COLUMNS.includes(column) ? [] : [{ column, index }]));
  return rows
    .filter((row) => row !== units && row.length === columns.length)
    .map((row) => {
      const values = metrics.flatMap(({ column, index }) => {
        const value = numberOf(row[index], units?.[index]);
        return value === undefined ? [] : [[column, value] as const];
      });
      return { ...headOf(row, at), metrics: Object.fromEntries(values) };
    });
}

type Places = (column: string) => number;

function placesOf(columns: readonly string[]): Places {
  const places = new Map(columns.map((column, index) => [column, index]));
  return (column) => places.get(column) ?? -1;
}

function headOf(row: readonly string[], at: Places): Omit<MeasuredLaunch, 'metrics'> {
  return { kernel: row[at('Kernel Name')], grid: sizeOf(row[at('Grid Size')]), block: sizeOf(row[at('Block Size')]) };
}

/** `(64, 1, 1)`, in some versions without spaces. */
function sizeOf(text: string | undefined): MeasuredLaunch['grid'] {
  const [, x, y, z] = /^\(?(\d+)\D+(\d+)\D+(\d+)\)?$/.exec(text?.trim() ?? '') ?? [];
  return z === undefined ? undefined : [Number(x), Number(y), Number(z)];
}
