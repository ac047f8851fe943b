/** A client of the language server that sends what it is told to, sense or not: bytes in, messages out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './editor.ts';

export interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says.
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RawOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Called with what is no answer to a request; otherwise such messages are kept. */
  readonly heard?: (message: Message) => void;
}

export class RawClient {
  readonly process: ChildProcess;
  /** What was no answer to a request. */
  readonly heard: Message[] = [];
  readonly exit: Promise<number | null>;
  /** The number of the last request. */
  id = 0;
  private readonly listener: ((message: Message) => void) | undefined;
  private readonly asked = new Map<number, (reply: Message) => void>();
  private buffer: Buffer = Buffer.alloc(0);

  constructor({ environment, heard }: RawOptions = {}) {
    this.listener = heard;
    this.process = spawn(process.execPath, [join(root, 'dist/server.mjs'), '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    this.exit = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.stdin?.on('error', () => undefined);
    this.process.stdout?.on('data', (data: Buffer) => this.receive(data));
  }

  static async initialized(params: object = {}, options?: RawOptions): Promise<RawClient> {
    const client = new RawClient(options);
    const capabilities = { textDocument: { diagnostic: {} } };
    await client.request('initialize', { processId: process.pid, rootUri: null, capabilities, ...params });
    client.notify('initialized', {});
    return client;
  }

  bytes(text: string | Buffer): void {
    this.process.stdin?.write(text);
  }

  frame(body: string): void {
    this.bytes(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  notify(method: string, params?: unknown): void {
    this.frame(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  request(method: string, params?: unknown): Promise<Message> {
    const id = ++this.id;
    const reply = new Promise<Message>((resolve) => this.asked.set(id, resolve));
    this.frame(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return reply;
  }

  answer(id: unknown, result: unknown): void {
    this.frame(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }

  open(uri: string, text: string, version = 1): void {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cuda-cpp', version, text } });
  }

  close(uri: string): void {
    this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  async rules(uri: string): Promise<string[] | undefined> {
    const { result } = await this.request('textDocument/diagnostic', { textDocument: { uri } });
    return result?.items?.map(({ code }: { code: string }) => code);
  }

  get logged(): string {
    return this.heard.flatMap(({ method, params }) => (method === 'window/logMessage' ? [params.message] : [])).join('\n');
  }

  async stop(): Promise<number | null> {
    await this.request('shutdown');
    this.notify('exit');
    return this.exit;
  }

  private receive(data: Buffer): void {
    this.buffer = this.buffer.length === 0 ? data : Buffer.concat([this.buffer, data]);
    for (;;) {
      const end = this.buffer.indexOf('\r\n\r\n');
      if (end < 0) break;
      const length = Number(/Content-Length: (\d+)/.exec(this.buffer.toString('latin1', 0, end))?.[1]);
      if (this.buffer.length < end + 4 + length) break;
      this.take(JSON.parse(this.buffer.toString('utf8', end + 4, end + 4 + length)) as Message);
      this.buffer = this.buffer.subarray(end + 4 + length);
    }
  }

  private take(message: Message): void {
    const asked = typeof message.id === 'number' && message.method === undefined ? this.asked.get(message.id) : undefined;
    if (asked) {
      this.asked.delete(message.id as number);
      asked(message);
    } else if (this.listener) this.listener(message);
    else this.heard.push(message);
  }
}
