/** `lanewise lsp`: the language server, for editors that start one by a command. */
import { type Command, UsageError } from './command.ts';

const TRANSPORTS = /^--(stdio|node-ipc|clientProcessId|(pipe|socket)(=.*)?)$/;

export const lsp: Command = {
  name: 'lsp',
  summary: 'start the language server, for editors',
  help: `usage: lanewise lsp [--stdio | --pipe=NAME | --socket=PORT]

Speaks the language server protocol over standard streams unless told otherwise. docs/editors.md says how Neovim, Helix
and Emacs start it. The server ends with the editor.
`,
  run: (args) => {
    const unknown = args.find((arg, index) => !TRANSPORTS.test(arg) && !/^--(pipe|socket|clientProcessId)$/.test(args[index - 1] ?? ''));
    if (unknown !== undefined) throw new UsageError(`lanewise lsp does not take "${unknown}"; see lanewise lsp --help`);
    // It reads the same arguments, and ends this process itself.
    return import(new URL('./server.mjs', import.meta.url).href).then(() => new Promise<never>(() => {}));
  },
};
