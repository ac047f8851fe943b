/** The way to the client: standard streams, an IPC channel, a pipe or a socket, as the arguments say. The server ends when the client goes. */
import { createConnection as connect } from 'node:net';
import type { Duplex, Readable, Writable } from 'node:stream';
import {
  type Connection,
  createConnection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
  type Message,
  type MessageReader,
  type MessageStrategy,
  type MessageWriter,
  ProposedFeatures,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { FrameReader } from './frames.ts';

export interface Transport {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
}

/** `gone`: the client will say nothing more. */
export function transportOf(args: readonly string[], gone: () => void): Transport {
  const value = (name: string) => {
    const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
    return at < 0 ? undefined : args[at].includes('=') ? args[at].slice(name.length + 1) : args[at + 1];
  };
  const pipe = value('--pipe');
  const port = value('--socket');
  if (args.includes('--node-ipc')) {
    process.on('disconnect', gone);
    return { reader: new IPCMessageReader(process), writer: new IPCMessageWriter(process) };
  }
  if (pipe !== undefined) return overSocket(connect(pipe), gone);
  if (port !== undefined) return overSocket(connect(Number(port), '127.0.0.1'), gone);
  // Whatever else would write to the protocol's stream goes to the one for people.
  console.log = console.info = console.debug = console.error;
  return overStreams(process.stdin, process.stdout, gone);
}

export function connectionOver({ reader, writer }: Transport, messageStrategy: MessageStrategy): Connection {
  return createConnection(ProposedFeatures.all, reader, writer, { messageStrategy });
}

function overSocket(socket: Duplex, gone: () => void): Transport {
  return overStreams(socket, socket, gone);
}

function overStreams(input: Readable, output: Writable, gone: () => void): Transport {
  input.on('end', gone);
  input.on('close', gone);
  // A client that reads nothing more is gone, too.
  output.on('error', gone);
  const writer = new StreamMessageWriter(output);
  const error = { code: ErrorCodes.ParseError, message: 'the message is not valid JSON' };
  const broken = () => void writer.write({ jsonrpc: '2.0', id: null, error } as unknown as Message).catch(() => undefined);
  return { reader: new FrameReader(input, broken), writer };
}
