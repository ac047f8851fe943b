/**
 * What device printf prints in one launch. Whoever wants it while the launch goes on gets it in pieces of bounded size; otherwise it is
 * kept until the end.
 */

export interface PrintedPiece {
  readonly bytes: Uint8Array;
  /** Calls of printf, counted by thread. */
  readonly calls: number;
}

/** A piece is handed on when it has as many bytes, or calls. */
const PIECE_BYTES = 1 << 16;
const PIECE_CALLS = 1024;

export class PrintedOutput {
  #buffer = new Uint8Array(0);
  #used = 0;
  #calls = 0;
  readonly #take: ((piece: PrintedPiece) => void) | undefined;
  #beforePiece: (() => void) | undefined;

  constructor(take: ((piece: PrintedPiece) => void) | undefined) {
    this.#take = take;
  }

  add(text: Uint8Array): void {
    this.#makeRoom(text.length);
    this.#buffer.set(text, this.#used);
    this.#used += text.length;
    this.#calls++;
    if (this.#take && (this.#used >= PIECE_BYTES || this.#calls >= PIECE_CALLS)) {
      this.#beforePiece?.();
      this.#hand();
    }
  }

  /** `before` is called before a piece is handed on while the launch goes on, and may throw: what was handed on cannot be taken back. */
  guard(before: () => never): void {
    this.#beforePiece = before;
  }

  /** At the launch's end: what nobody has taken. */
  rest(): Uint8Array {
    if (this.#take && this.#calls > 0) this.#hand();
    return this.#buffer.slice(0, this.#used);
  }

  #hand(): void {
    const piece = { bytes: this.#buffer.slice(0, this.#used), calls: this.#calls };
    this.#used = 0;
    this.#calls = 0;
    this.#take?.(piece);
  }

  #makeRoom(sizeBytes: number): void {
    const needed = this.#used + sizeBytes;
    if (needed <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(needed, 2 * this.#buffer.length, 1024));
    grown.set(this.#buffer.subarray(0, this.#used));
    this.#buffer = grown;
  }
}
