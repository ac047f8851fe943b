/** A program's output on its way to the editor: decoded, gathered so that a chatty program does not flood the client, and bounded. */

const gatherMs = 30;
/** In UTF-16 units. An editor's output panel is no place for more. */
const mostText = 4_000_000;

export class OutputStream {
  private readonly send: (text: string) => void;
  private readonly decoder = new TextDecoder();
  private pending = '';
  private sent = 0;
  private timer: NodeJS.Timeout | undefined = undefined;

  constructor(send: (text: string) => void) {
    this.send = send;
  }

  write(bytes: Uint8Array): void {
    if (this.sent > mostText) return;
    this.append(this.decoder.decode(bytes, { stream: true }));
  }

  end(): void {
    if (this.sent <= mostText) this.append(this.decoder.decode());
    this.flush();
  }

  private append(text: string): void {
    this.sent += text.length;
    this.pending += this.sent > mostText ? '\n[Lanewise: more output than an editor can show; the rest is left out]\n' : text;
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
