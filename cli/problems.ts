/** Compile errors and faults as text for a terminal. */
import { relative, resolve } from 'node:path';
import { isInside, realPath, regularText } from '../project/regular-files.ts';
import type { FaultReport, ProgramDiagnostic } from '../protocol/report.ts';
import type { SourceContext } from './summary.ts';
import { type Palette, printable } from './terminal.ts';

/**
 * `a.cu:6:3: error: ...` with the line and a caret under the column, as compilers write it. Lines are shown of files below `folders` alone: with
 * `#line` a program names whatever file it likes.
 */
export function compileErrors(diagnostics: readonly ProgramDiagnostic[], folders: readonly string[], palette: Palette): string {
  const shown = folders.flatMap((folder) => realPath(folder) ?? []);
  const colour = { error: palette.red, warning: palette.yellow, note: palette.quiet };
  return diagnostics
    .map(({ file, line, column, severity, message }) => {
      const where = palette.bold(`${relative(process.cwd(), file) || file}:${line}:${column}:`);
      return `${where} ${colour[severity](`${severity}:`)} ${printable(message)}\n${excerpt(lineOf(file, line, shown), column, palette)}`;
    })
    .join('');
}

function excerpt(text: string | undefined, column: number, palette: Palette): string {
  if (text === undefined) return '';
  // A line of megabytes helps nobody.
  if (text.length > MOST_SHOWN_COLUMNS) return '';
  const caret = text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, ' ');
  return `  ${printable(text)}\n  ${caret}${palette.green('^')}\n`;
}

const MOST_SHOWN_BYTES = 4 << 20;
const MOST_SHOWN_COLUMNS = 1000;

function lineOf(file: string, line: number, folders: readonly string[]): string | undefined {
  try {
    const real = realPath(file);
    if (real === undefined || !folders.some((folder) => isInside(folder, real))) return undefined;
    return regularText(real, MOST_SHOWN_BYTES)?.split(/\r?\n/)[line - 1];
  } catch {
    return undefined;
  }
}

/** What went wrong, where, and who did it. */
export function faultReport(fault: FaultReport, { palette, sources }: SourceContext): string {
  const { kind, message, kernel, file, line, block, thread, address } = fault;
  const title = `${palette.red(`${kind}:`)} ${message}`;
  const rows: [string, string][] = [];
  if (kernel) rows.push(['kernel', kernel]);
  if (file && line) {
    const text = sources.get(resolve(file))?.[line - 1]?.trim();
    rows.push(['line', `${file}:${line}${text ? `   ${palette.quiet(text)}` : ''}`]);
  }
  if (block && thread) rows.push(['thread', `(${thread.join(', ')}) of block (${block.join(', ')})`]);
  if (address) rows.push(['address', address]);
  return `\n${title}\n${rows.map(([name, value]) => `  ${palette.quiet(name.padEnd(8))} ${value}\n`).join('')}`;
}
