/** A program's output on its way to the editor: decoded, gathered so that a chatty program does not flood the client, and bounded. */
import { howToRaise } from '../simulator/options/limits.ts';

const gatherMs = 30;

export class OutputStream {
  private readonly send: (text: string) => void;
  private readonly most: number;
  private readonly decoder = new TextDecoder();
  private pending = '';
  private sent = 0;
  private timer: NodeJS.Timeout | undefined = undefined;

  /** `most`: UTF-16 units. An editor's output panel is no place for more than millions of them. */
  constructor(send: (text: string) => void, most: number) {
    this.send = send;
    this.most = most;
  }

  write(bytes: Uint8Array): void {
    if (this.sent > this.most) return;
    this.append(this.decoder.decode(bytes, { stream: true }));
  }

  end(): void {
    if (this.sent <= this.most) this.append(this.decoder.decode());
    this.flush();
  }

  private append(text: string): void {
    this.sent += text.length;
    this.pending += this.sent > this.most ? `\n[Lanewise: the rest of the output is left out; ${howToRaise('outputMB')}]\n` : text;
    this.timer ??= setTimeout(() => this.flush(), gatherMs);
  }

  /** Sends what waits: before text of the program's other stream, so that their order stays. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending !== '') this.send(this.pending);
    this.pending = '';
  }
}
