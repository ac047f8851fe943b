/**
 * Counters as Nsight Compute writes them with `ncu --csv`: one row for each metric of each launch, or with `--page raw` one for each launch and a
 * column for each metric, units in the row below the names. Numbers have commas between their thousands.
 */
import { l10n } from '../../counters/spoken.ts';
import type { KernelReport } from '../../protocol/report.ts';

/** A kernel's launches on a GPU. */
export interface MeasuredKernel {
  readonly kernel: string;
  readonly launches: number;
  /** Sums over them. */
  readonly metrics: Readonly<Record<string, number>>;
}

export interface MeasuredRun {
  /** Name of the file. */
  readonly name: string;
  readonly kernels: readonly MeasuredKernel[];
}

/** Of files that Nsight Compute's own window opens. */
const REPORT_MAGIC = 'NVR\0';

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
  if (text.startsWith(REPORT_MAGIC) || name.endsWith('.ncu-rep')) {
    throw new Error(l10n.t('{0} is a report of Nsight Compute itself: ncu --import {0} --csv --page raw writes it as CSV.', name));
  }
  const rows = csvRows(text);
  const head = rows.findIndex((row) => row.includes('Kernel Name'));
  if (head < 0)
    throw new Error(l10n.t('{0} has no column "Kernel Name": write it with ncu --csv, or ncu --import FILE --csv --page raw.', name));
  const columns = rows[head];
  const body = rows.slice(head + 1).filter((row) => row.length === columns.length);
  const isLong = columns.includes('Metric Name');
  const launches = isLong ? longLaunches(columns, body) : wideLaunches(columns, body);
  const kernels = new Map<string, { launches: number; metrics: Record<string, number> }>();
  for (const { kernel, metrics } of launches) {
    const sums = kernels.get(kernel) ?? { launches: 0, metrics: {} };
    kernels.set(kernel, sums);
    sums.launches++;
    for (const [metric, value] of Object.entries(metrics)) sums.metrics[metric] = (sums.metrics[metric] ?? 0) + value;
  }
  if (kernels.size === 0) throw new Error(l10n.t('{0} has no launches.', name));
  return { name, kernels: [...kernels].map(([kernel, sums]) => ({ kernel, ...sums })) };
}

interface Launch {
  readonly kernel: string;
  readonly metrics: Record<string, number>;
}

function longLaunches(columns: readonly string[], rows: readonly (readonly string[])[]): Launch[] {
  const [id, kernel, metric, value] = ['ID', 'Kernel Name', 'Metric Name', 'Metric Value'].map((column) => columns.indexOf(column));
  const launches = new Map<string, Launch>();
  for (const row of rows) {
    const launch = launches.get(row[id]) ?? { kernel: row[kernel], metrics: {} };
    launches.set(row[id], launch);
    const number = numberOf(row[value]);
    if (number !== undefined) launch.metrics[row[metric]] = number;
  }
  return [...launches.values()];
}

function wideLaunches(columns: readonly string[], rows: readonly (readonly string[])[]): Launch[] {
  const kernel = columns.indexOf('Kernel Name');
  // The row of units has no kernel.
  return rows
    .filter((row) => row[kernel] !== '')
    .map((row) => ({
      kernel: row[kernel],
      metrics: Object.fromEntries(
        columns.flatMap((column, index) => {
          const number = /__|^memory_/.test(column) ? numberOf(row[index]) : undefined;
          return number === undefined ? [] : [[column, number]];
        }),
      ),
    }));
}

function numberOf(text: string): number | undefined {
  const value = Number(text.replaceAll(',', ''));
  return text.trim() === '' || Number.isNaN(value) ? undefined : value;
}

function csvRow(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
}

/** With quotes as RFC 4180 has them. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/** `reduce` of `void ns::reduce<int>(const int *)`: names of parameters differ between compilers. */
export function plainName(signature: string): string {
  let depth = 0;
  let plain = '';
  for (const character of signature.replaceAll('(anonymous namespace)::', '').replaceAll('<unnamed>::', '')) {
    if (character === '<') depth++;
    else if (character === '>') depth--;
    else if (character === '(' && depth === 0) break;
    else if (depth === 0) plain += character;
  }
  return /[\w$]+$/.exec(plain.trim())?.[0] ?? signature;
}

/** What was measured of a kernel: of several with one name, the one at the same place among them. */
export function measuredOf(run: MeasuredRun | undefined, kernel: string, all: readonly string[]): MeasuredKernel | undefined {
  const name = plainName(kernel);
  const index = all.filter((each) => plainName(each) === name).indexOf(kernel);
  return run?.kernels.filter((each) => plainName(each.kernel) === name)[index];
}
