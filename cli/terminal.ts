/** Colours and the progress line, for terminals only. */
export type Paint = (text: string) => string;

export interface Palette {
  readonly bold: Paint;
  /** Headings and notes. Dim text has a contrast of 3.6 in usual dark themes, so they are in italics, in the terminal's own colour. */
  readonly quiet: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly green: Paint;
  readonly cyan: Paint;
}

const plain: Paint = (text) => text;
const sgr =
  (code: number): Paint =>
  (text) =>
    `\x1b[${code}m${text}\x1b[0m`;

export const noColours: Palette = { bold: plain, quiet: plain, red: plain, yellow: plain, green: plain, cyan: plain };
const colours: Palette = { bold: sgr(1), quiet: sgr(3), red: sgr(31), yellow: sgr(33), green: sgr(32), cyan: sgr(36) };

/** https://no-color.org, and FORCE_COLOR as other Node programs read it. */
export function paletteFor(stream: { readonly isTTY?: boolean }): Palette {
  if (process.env.NO_COLOR) return noColours;
  return stream.isTTY || process.env.FORCE_COLOR ? colours : noColours;
}

/** One line on stderr that says what is being done, and goes away before anything else is written. */
export class ProgressLine {
  readonly #active: boolean;
  #shown = false;
  /** The program has written half a line: the terminal's cursor is not ours. */
  #midLine = false;

  constructor(stream: { readonly isTTY?: boolean }) {
    this.#active = stream.isTTY === true;
  }

  show(message: string): void {
    if (!this.#active || this.#midLine) return;
    process.stderr.write(`\r\x1b[2K\x1b[3m${message} ...\x1b[0m`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) process.stderr.write('\r\x1b[2K');
    this.#shown = false;
  }

  /** Clears the line for output of the program. */
  beforeOutput(bytes: Uint8Array): void {
    this.clear();
    this.#midLine = bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a;
  }

  /** Begins a new line if the program has not ended its last. */
  endOutput(): void {
    this.clear();
    if (this.#active && this.#midLine) process.stderr.write('\n');
    this.#midLine = false;
  }
}

/** What a source has of control characters would reach the terminal; some turn the direction of what follows. */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (c) =>
    c === '\t' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
