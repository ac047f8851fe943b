/** Tables of text with commas, as Nsight Compute writes them: quotes as RFC 4180 has them, numbers with commas between their thousands. */
import { baseUnits } from './units.ts';

export function csvRow(cells: readonly string[]): string {
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
}

export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}

/** In base units; undefined for what is no number. */
export function numberOf(text: string, unit = ''): number | undefined {
  const value = Number(text.replaceAll(',', ''));
  return text.trim() === '' || Number.isNaN(value) ? undefined : value * baseUnits(unit);
}
