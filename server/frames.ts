/**
 * Messages from a stream: JSON behind a header with its length, as the protocol has it. What is no message is skipped up to where the next
 * one may begin, so a client that has erred once is understood again. Says nothing of contents when it complains.
 */
import type { Readable } from 'node:stream';
import { AbstractMessageReader, type DataCallback, type Disposable, type Message } from 'vscode-languageserver/node';

/** Far more than an editor sends; whoever announces more has erred. */
const MOST_MESSAGE_BYTES = 256 << 20;
const MOST_HEADER_BYTES = 4096;
const LENGTH = 'Content-Length:';

export class FrameReader extends AbstractMessageReader {
  private readonly stream: Readable;
  /** Called for a message whose JSON is broken, which somebody may wait for. */
  private readonly broken: () => void;
  private chunks: Buffer[] = [];
  private bytes = 0;
  /** Bytes of the message that is being received. */
  private expected: number | undefined;

  constructor(stream: Readable, broken: () => void) {
    super();
    this.stream = stream;
    this.broken = broken;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (data: Buffer) => this.receive(data, callback);
    this.stream.on('data', onData);
    this.stream.on('error', (error) => this.fireError(error));
    this.stream.on('close', () => this.fireClose());
    return { dispose: () => this.stream.off('data', onData) };
  }

  private receive(data: Buffer, callback: DataCallback): void {
    this.chunks.push(data);
    this.bytes += data.length;
    // Pieces of a long message are put together once.
    while (this.bytes > 0 && !(this.expected !== undefined && this.bytes < this.expected)) {
      const buffer = this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks);
      const rest = this.expected === undefined ? this.header(buffer) : this.body(buffer, this.expected, callback);
      this.chunks = rest && rest.length > 0 ? [rest] : rest ? [] : [buffer];
      this.bytes = rest?.length ?? buffer.length;
      if (!rest) return;
    }
  }

  /** What comes after the header; nothing while it is not whole. */
  private header(buffer: Buffer): Buffer | undefined {
    const end = buffer.subarray(0, MOST_HEADER_BYTES).indexOf('\r\n\r\n');
    if (end < 0) {
      if (buffer.length < MOST_HEADER_BYTES) return undefined;
      return this.skip(buffer, buffer.length - LENGTH.length, 'no header where a message should begin');
    }
    const header = buffer.toString('latin1', 0, end);
    const [, digits] = /^Content-Length: *(\d{1,15}) *$/im.exec(header) ?? [];
    const wellFormed = header.split('\r\n').every((line) => /^[\w-]+:/.test(line));
    const length = Number(digits);
    if (!wellFormed || digits === undefined) return this.skip(buffer, end + 4, 'a header without a valid Content-Length');
    if (length > MOST_MESSAGE_BYTES) return this.skip(buffer, end + 4, `a message of ${length} bytes; the limit is ${MOST_MESSAGE_BYTES}`);
    this.expected = length;
    return buffer.subarray(end + 4);
  }

  private body(buffer: Buffer, length: number, callback: DataCallback): Buffer {
    this.expected = undefined;
    const body = buffer.subarray(0, length);
    let message: Message;
    try {
      message = JSON.parse(body.toString('utf8')) as Message;
    } catch {
      this.fireError(new Error(`a message of ${length} bytes is not valid JSON`));
      this.broken();
      // The length may have been wrong, and the next message begin inside.
      const next = body.indexOf(LENGTH);
      return buffer.subarray(next < 0 ? length : next);
    }
    try {
      callback(message);
    } catch (error) {
      this.fireError(new Error(`a message could not be handled: ${error instanceof Error ? error.name : typeof error}`));
    }
    return buffer.subarray(length);
  }

  /** To where the next header may begin: `otherwise` many bytes on where none is to be seen. */
  private skip(buffer: Buffer, otherwise: number, problem: string): Buffer {
    this.fireError(new Error(problem));
    const next = buffer.indexOf(LENGTH, 1);
    return buffer.subarray(next < 0 ? otherwise : next);
  }
}
