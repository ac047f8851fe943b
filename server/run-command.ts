/** `lanewise.run` for clients without commands of their own: progress, log and messages of the protocol stand in for an output panel. */
import { type ClientCapabilities, type Connection, MessageType, type WorkDoneProgressServerReporter } from 'vscode-languageserver/node';
import type { RunOutcome, RunParams } from '../protocol/run.ts';

export async function runFromCommand(
  connection: Connection,
  uri: string,
  capabilities: ClientCapabilities,
  run: (params: RunParams) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  let progress: WorkDoneProgressServerReporter | undefined;
  if (capabilities.window?.workDoneProgress) {
    progress = await connection.window.createWorkDoneProgress();
    progress.begin('Running in simulator', undefined, uri.split('/').at(-1), false);
  }
  const outcome = await run({ uri });
  progress?.done();
  const [type, message] = describe(outcome);
  void connection.sendNotification('window/showMessage', { type, message });
  return outcome;
}

function describe(outcome: RunOutcome): [MessageType, string] {
  switch (outcome.kind) {
    case 'finished':
      return [
        outcome.report.faults.length > 0 ? MessageType.Error : MessageType.Info,
        `Exit code ${outcome.report.exit}\n${outcome.table}`,
      ];
    case 'compile-error':
      return [MessageType.Error, `The program does not compile: ${outcome.diagnostics.length} messages`];
    case 'cancelled':
      return [MessageType.Info, 'The run was cancelled.'];
    case 'refused':
      return [MessageType.Error, outcome.message];
  }
}
