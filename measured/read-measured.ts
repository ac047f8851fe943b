/** A file that Nsight Compute has written: a report of its own, or what it exports as CSV. Read where it is shown, without anything of Node's. */
import { l10n } from '../counters/spoken.ts';
import type { MeasuredRun } from './launches.ts';
import { parseNsightCsv } from './nsight-csv.ts';
import { parseNsightReport, REPORT_MAGIC } from './nsight-report.ts';

/** More than this no report has that somebody looks at. */
export const MOST_MEASURED_BYTES = 256 << 20;

/** Throws an Error that says what is wrong, and what to do. */
export function readMeasured(name: string, bytes: Uint8Array): MeasuredRun {
  if (startsWith(bytes, REPORT_MAGIC)) return parseNsightReport(name, bytes);
  if (/\.(ncu-rep|nsight-cuprof-report)z?$/.test(name)) {
    throw new Error(
      l10n.t('{0} is no report of Nsight Compute’s that can be read: ncu --import {0} --csv --page raw exports it as CSV.', name),
    );
  }
  return parseNsightCsv(name, textOf(bytes));
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}

/** What `>` writes in a Windows shell is UTF-16. */
function textOf(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
