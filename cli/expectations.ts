/** What a program's comments expect of its kernels, for the terminal: what is not kept. */
import { relative } from 'node:path';
import { expectationsIn, judge, unitOf } from '../counters/expectations.ts';
import { regularText } from '../project/regular-files.ts';
import type { Report } from '../protocol/report.ts';
import type { Palette } from './terminal.ts';

/** As for sources. */
const MOST_BYTES = 32 << 20;

/** A line for each, and how many there are of them. `files`: the program's own. */
export function expectationsReport(
  report: Report,
  files: readonly string[],
  palette: Palette,
): { readonly text: string; readonly broken: number } {
  const lines = files.flatMap((file) => {
    const { expectations, misread } = expectationsIn(textOf(file));
    const place = (line: number) => `${relative(process.cwd(), file) || file}:${line}`;
    return [
      ...misread.map(({ line, problem }) => `${palette.red('expectation:')} ${place(line)}: ${problem}\n`),
      ...expectations
        .map((each) => judge(each, report.kernels))
        .filter(({ kept }) => !kept)
        .map(({ line, kernel, figure, relation, bound, found }) => {
          return `${palette.red('expectation:')} ${place(line)}: ${kernel}: ${figure} ${relation} ${bound}${unitOf(figure)} is not kept: ${found}\n`;
        }),
    ];
  });
  return { text: lines.join(''), broken: lines.length };
}

function textOf(file: string): string {
  try {
    return regularText(file, MOST_BYTES) ?? '';
  } catch {
    return '';
  }
}
