/** A file that Nsight Compute has written: a report of its own, compressed or not, or what it exports as CSV. Read where it is shown, without anything of Node's. */
import type { MeasuredRun } from './launches.ts';
import { parseNsightCsv } from './nsight-csv.ts';
import { parseNsightReport, REPORT_MAGIC } from './nsight-report.ts';
import { decompressed, unreadable, ZSTANDARD_MAGIC } from './zstandard.ts';

/** More than this no report has that somebody looks at. */
export const MOST_MEASURED_BYTES = 256 << 20;

/** Throws an Error that says what is wrong, and what to do. */
export function readMeasured(name: string, bytes: Uint8Array): MeasuredRun {
  const content = startsWith(bytes, ZSTANDARD_MAGIC) ? decompressed(name, bytes, MOST_MEASURED_BYTES) : bytes;
  if (startsWith(content, REPORT_MAGIC)) return parseNsightReport(name, content);
  if (/\.(ncu-rep|nsight-cuprof-report)z?$/.test(name)) throw new Error(unreadable(name));
  return parseNsightCsv(name, textOf(content));
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}

/** What `>` writes in a Windows shell is UTF-16. */
function textOf(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
