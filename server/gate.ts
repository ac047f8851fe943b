/**
 * Which messages get through to the server: those whose time it is (nothing but `initialize` before that, nothing but `exit` after
 * `shutdown`), with parameters of the protocol's types. A refused request gets the protocol's error, a refused notification is dropped.
 */
import { ErrorCodes, LSPErrorCodes, Message, type MessageStrategy, ResponseError } from 'vscode-languageserver/node';

/** A request that the gate has refused goes on under this name, and fails with what it carries. */
export const REFUSED = 'lanewise/refused';

export interface Refused {
  readonly code: number;
  readonly message: string;
}

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isAnything: Check = () => true;
const orNothing =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([name, check]) => check((value as Record<string, unknown>)[name]));

const position = fields({ line: isCount, character: isCount });
const range = fields({ start: position, end: position });
const document = { textDocument: fields({ uri: isString }) };
const uri = fields({ uri: isString });

/** Edits one by one: a document of which one does not fit is not lost on the way here. */
export const isContentChange: Check = fields({ text: isString, range: (value) => value === undefined || range(value) });

const checks: Readonly<Record<string, Check>> = {
  initialize: fields({ capabilities: isObject, workspaceFolders: orNothing(listOf(uri)) }),
  'textDocument/didOpen': fields({ textDocument: fields({ uri: isString, version: Number.isInteger as Check, text: isString }) }),
  'textDocument/didChange': fields({ ...document, contentChanges: isAnything }),
  'textDocument/didClose': fields(document),
  'textDocument/didSave': fields(document),
  'textDocument/hover': fields({ ...document, position }),
  'textDocument/completion': fields({ ...document, position }),
  'textDocument/signatureHelp': fields({ ...document, position }),
  'textDocument/definition': fields({ ...document, position }),
  'textDocument/references': fields({ ...document, position }),
  'textDocument/rename': fields({ ...document, position, newName: isString }),
  'textDocument/documentSymbol': fields(document),
  'textDocument/codeLens': fields(document),
  'textDocument/codeAction': fields({ ...document, range, context: fields({ only: orNothing(listOf(isString)) }) }),
  'textDocument/diagnostic': fields({ ...document, previousResultId: orNothing(isString) }),
  'workspace/didChangeConfiguration': isObject,
  'workspace/didChangeWatchedFiles': fields({ changes: listOf(uri) }),
  'workspace/executeCommand': fields({ command: isString, arguments: orNothing(listOf(isAnything)) }),
  'lanewise/run': fields({ uri: isString, args: orNothing(listOf(isString)), orders: orNothing(isCount) }),
  'lanewise/device': uri,
  'lanewise/cudaVersion': uri,
  'lanewise/cancel': uri,
};

type State = 'new' | 'running' | 'shut down';

export class Gate implements MessageStrategy {
  private state: State = 'new';
  private readonly log: (text: string) => void;

  constructor(log: (text: string) => void) {
    this.log = log;
  }

  get isShutDown(): boolean {
    return this.state === 'shut down';
  }

  handleMessage(message: Message, next: (message: Message) => void | Promise<void>): void | Promise<void> {
    const problem = this.problem(message);
    if (!problem) return next(message);
    const id = (message as { id?: unknown } | null)?.id;
    if (typeof id === 'number' || typeof id === 'string')
      return next({ jsonrpc: '2.0', id, method: REFUSED, params: problem } as unknown as Message);
    this.log(`A message was dropped: ${problem.message}`);
  }

  private problem(message: Message): Refused | undefined {
    if (Message.isResponse(message)) return undefined;
    const isRequest = Message.isRequest(message);
    if (!isRequest && !Message.isNotification(message))
      return { code: ErrorCodes.InvalidRequest, message: 'neither request, response nor notification' };
    const { method, params } = message as { method: string; params?: unknown };
    const late = this.wrongTime(method, isRequest);
    if (late) return late;
    if (checks[method] && !checks[method](params))
      return { code: ErrorCodes.InvalidParams, message: `${method} has parameters of the wrong types` };
    return undefined;
  }

  private wrongTime(method: string, isRequest: boolean): Refused | undefined {
    if (method === 'exit') return undefined;
    if (this.state === 'shut down') return { code: ErrorCodes.InvalidRequest, message: `${method} came after shutdown` };
    if (this.state === 'running') {
      if (method === 'initialize') return { code: ErrorCodes.InvalidRequest, message: 'initialize came a second time' };
      if (method === 'shutdown' && isRequest) this.state = 'shut down';
      return undefined;
    }
    if (method !== 'initialize' || !isRequest)
      return { code: ErrorCodes.ServerNotInitialized, message: `${method} came before initialize` };
    return undefined;
  }

  /** The client has been told what the server can do. */
  initialized(): void {
    this.state = 'running';
  }
}

export const requestCancelled: Refused = { code: LSPErrorCodes.RequestCancelled, message: 'the request was cancelled' };
export const contentModified: Refused = { code: LSPErrorCodes.ContentModified, message: 'the text has changed meanwhile' };

export function errorOf({ code, message }: Refused): ResponseError<void> {
  return new ResponseError(code, message);
}
