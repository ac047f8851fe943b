/** How a run ended, as a message of the protocol. Some editors make links and commands of `[text](command:...)` in messages: not of these. */
import { MessageType, type ShowMessageParams } from 'vscode-languageserver/node';
import { printable } from '../analyzers/printable.ts';
import { l10n } from '../counters/spoken.ts';
import type { RunOutcome } from '../protocol/run.ts';

export interface Saying {
  /** By the program, of which the last lines are said. */
  readonly printed: string;
  /** The client shows one line, without the ends of lines that are in it. */
  readonly inOneLine: boolean;
}

export function outcomeMessage(outcome: RunOutcome, { printed, inOneLine }: Saying): ShowMessageParams {
  const { type, message } = saying(outcome);
  const text = printable([...lastLines(printed), message].join('\n')).replaceAll('](', '] (');
  return { type, message: inOneLine ? text.replace(/\s*\n\s*/g, ' · ') : text };
}

/** A message is no page. */
const MOST_LINES = 20;

function lastLines(printed: string): string[] {
  const lines = printed.trimEnd().split('\n');
  if (lines.length > MOST_LINES) return ['…', ...lines.slice(-MOST_LINES)];
  return lines[0] === '' && lines.length === 1 ? [] : lines;
}

function saying(outcome: RunOutcome): ShowMessageParams {
  switch (outcome.kind) {
    case 'finished':
      return {
        type: outcome.report.faults.length > 0 || (outcome.report.findings ?? []).length > 0 ? MessageType.Error : MessageType.Info,
        message: `${l10n.t('Exit code {0}', outcome.report.exit)}\n${outcome.table}`,
      };
    case 'compile-error':
      return { type: MessageType.Error, message: l10n.t('The program does not compile: {0} diagnostics', outcome.diagnostics.length) };
    case 'cancelled':
      return { type: MessageType.Info, message: [l10n.t('The run was cancelled.'), outcome.counted?.table ?? ''].join('\n').trim() };
    case 'refused':
      return { type: MessageType.Error, message: outcome.message };
  }
}
