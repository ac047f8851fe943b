/** Asks the client to ask again for what is shown: clients that can be asked. */
import { type ClientCapabilities, CodeLensRefreshRequest, type Connection } from 'vscode-languageserver/node';

export interface Refreshes {
  lenses(): void;
  hints(): void;
}

export function refreshes(
  connection: Connection,
  { capabilities, failed }: { capabilities(): ClientCapabilities; failed(error: unknown): void },
): Refreshes {
  return {
    lenses() {
      if (!capabilities().workspace?.codeLens?.refreshSupport) return;
      connection.sendRequest(CodeLensRefreshRequest.type).catch(failed);
    },
    hints() {
      if (!capabilities().workspace?.inlayHint?.refreshSupport) return;
      connection.languages.inlayHint.refresh().catch(() => undefined);
    },
  };
}
