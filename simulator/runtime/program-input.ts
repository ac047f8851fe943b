/** What a program reads from its standard input: asked for when it reads, and waited for by its thread while another one fetches it. */

const STATE = 0;
const LENGTH = 1;
const HEADER_BYTES = 8;
/** As much as Linux holds in a pipe. */
const ROOM_BYTES = 1 << 16;

const WAITING = 0;
const FILLED = 1;
const ENDED = 2;

/** One piece of input at a time, shared between the program's thread, which takes, and the one that fetches. */
export class InputFlow {
  readonly #header: Int32Array;
  readonly #room: Uint8Array;
  /** Of the taker: what is left of the last piece. */
  #left = new Uint8Array();
  /** Of the giver: what did not find room. */
  #over = new Uint8Array();
  #ended = false;

  /** `shared`: of another thread's flow; a new one without. */
  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(HEADER_BYTES + ROOM_BYTES)) {
    this.#header = new Int32Array(shared, 0, 2);
    this.#room = new Uint8Array(shared, HEADER_BYTES);
  }

  /** Fills `into` with what there is and gives its length: at the end of the input none. `ask`: has the other thread fetch a piece. */
  take(into: Uint8Array, ask: () => void): number {
    if (into.length === 0) return 0;
    if (this.#left.length === 0 && !this.#ended) this.#await(ask);
    const piece = this.#left.subarray(0, into.length);
    into.set(piece);
    this.#left = this.#left.subarray(piece.length);
    return piece.length;
  }

  #await(ask: () => void): void {
    Atomics.store(this.#header, STATE, WAITING);
    ask();
    Atomics.wait(this.#header, STATE, WAITING);
    if (Atomics.load(this.#header, STATE) === ENDED) this.#ended = true;
    else this.#left = this.#room.slice(0, this.#header[LENGTH]);
  }

  /** Answers what was asked for with the next piece; `fetch` gives nothing at the end of the input. */
  async give(fetch: () => Promise<Uint8Array | undefined>): Promise<void> {
    while (this.#over.length === 0 && !this.#ended) {
      const piece = await fetch();
      if (piece) this.#over = new Uint8Array(piece);
      else this.#ended = true;
    }
    const piece = this.#over.subarray(0, ROOM_BYTES);
    this.#over = this.#over.subarray(piece.length);
    this.#room.set(piece);
    this.#header[LENGTH] = piece.length;
    Atomics.store(this.#header, STATE, piece.length > 0 ? FILLED : ENDED);
    Atomics.notify(this.#header, STATE);
  }
}
