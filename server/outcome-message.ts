/** How a run ended, as a message of the protocol. */
import { MessageType, type ShowMessageParams } from 'vscode-languageserver/node';
import type { RunOutcome } from '../protocol/run.ts';

export function outcomeMessage(outcome: RunOutcome): ShowMessageParams {
  switch (outcome.kind) {
    case 'finished':
      return {
        type: outcome.report.faults.length > 0 ? MessageType.Error : MessageType.Info,
        message: `Exit code ${outcome.report.exit}\n${outcome.table}`,
      };
    case 'compile-error':
      return { type: MessageType.Error, message: `The program does not compile: ${outcome.diagnostics.length} diagnostics` };
    case 'cancelled':
      return { type: MessageType.Info, message: 'The run was cancelled.' };
    case 'refused':
      return { type: MessageType.Error, message: outcome.message };
  }
}
