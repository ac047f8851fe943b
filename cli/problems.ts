/** Compile errors and faults as text for a terminal. */
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { FaultReport, ProgramDiagnostic } from '../protocol/report.ts';
import type { SourceContext } from './summary.ts';
import type { Palette } from './terminal.ts';

/** `a.cu:6:3: error: ...` with the line and a caret under the column, as compilers write it. */
export function compileErrors(diagnostics: readonly ProgramDiagnostic[], palette: Palette): string {
  const colour = { error: palette.red, warning: palette.yellow, note: palette.dim };
  return diagnostics
    .map(({ file, line, column, severity, message }) => {
      const where = palette.bold(`${relative(process.cwd(), file) || file}:${line}:${column}:`);
      return `${where} ${colour[severity](`${severity}:`)} ${message}\n${excerpt(file, line, column, palette)}`;
    })
    .join('');
}

function excerpt(file: string, line: number, column: number, palette: Palette): string {
  const text = lineOf(file, line);
  if (text === undefined) return '';
  const caret = text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, ' ');
  return `  ${text}\n  ${caret}${palette.green('^')}\n`;
}

function lineOf(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1];
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
    rows.push(['line', `${file}:${line}${text ? `   ${palette.dim(text)}` : ''}`]);
  }
  if (block && thread) rows.push(['thread', `(${thread.join(', ')}) of block (${block.join(', ')})`]);
  if (address) rows.push(['address', address]);
  return `\n${title}\n${rows.map(([name, value]) => `  ${palette.dim(name.padEnd(8))} ${value}\n`).join('')}`;
}
