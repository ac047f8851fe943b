/** A file that Nsight Compute has written: a report of its own, or what it exports as CSV. Read where it is shown, without anything of Node's. */
import { l10n } from '../counters/spoken.ts';
import type { MeasuredRun } from './launches.ts';
import { parseNsightCsv } from './nsight-csv.ts';

/** More than this no report has that somebody looks at. */
export const MOST_MEASURED_BYTES = 256 << 20;

/** Throws an Error that says what is missing. */
export function readMeasured(name: string, bytes: Uint8Array): MeasuredRun {
  if (name.endsWith('.ncu-rep') || startsWith(bytes, 'NVR\0')) {
    throw new Error(l10n.t('{0} is a report of Nsight Compute itself: ncu --import {0} --csv --page raw writes it as CSV.', name));
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
