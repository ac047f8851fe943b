/** How a run ended, as a message of the protocol. Some editors make links and commands of `[text](command:...)` in messages: not of these. */
import { MessageType, type ShowMessageParams } from 'vscode-languageserver/node';
import { printable } from '../analyzers/printable.ts';
import { l10n } from '../counters/spoken.ts';
import type { RunOutcome } from '../protocol/run.ts';

export function outcomeMessage(outcome: RunOutcome): ShowMessageParams {
  const { type, message } = saying(outcome);
  return { type, message: printable(message).replaceAll('](', '] (') };
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
