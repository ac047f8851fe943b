/** What a program prints, on its way to whoever reads it: no faster than it is read, and kept for the report in part if there is much of it. */

import { howToRaise } from '../options/limits.ts';

/** Bytes that may be on their way before the program waits. */
const MOST_ON_THE_WAY = 8 << 20;

/** Counts the bytes that have been sent and not been taken; shared between the program's thread and the one that reads. */
export class OutputFlow {
  readonly #onTheWay: Int32Array;

  /** `shared`: of another thread's flow; a new one without. */
  constructor(readonly shared: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#onTheWay = new Int32Array(shared);
  }

  /** Waits until there is room, and counts what is sent now. */
  send(sizeBytes: number): void {
    for (let sent = Atomics.load(this.#onTheWay, 0); sent > MOST_ON_THE_WAY; sent = Atomics.load(this.#onTheWay, 0)) {
      Atomics.wait(this.#onTheWay, 0, sent);
    }
    Atomics.add(this.#onTheWay, 0, sizeBytes);
  }

  taken(sizeBytes: number): void {
    Atomics.sub(this.#onTheWay, 0, sizeBytes);
    Atomics.notify(this.#onTheWay, 0);
  }
}

/** A text of any length of which the beginning and the end are kept. */
export class KeptText {
  readonly #decoder = new TextDecoder();
  #head = '';
  readonly #tail: string[] = [];
  #tailLength = 0;
  #leftOut = 0;
  readonly #kept: number;

  /** `kept`: UTF-16 units of the beginning, and of the end. */
  constructor(kept: number) {
    this.#kept = kept;
  }

  add(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    const room = this.#kept - this.#head.length;
    this.#head += text.slice(0, room);
    if (text.length <= room) return;
    const rest = text.slice(Math.max(0, room));
    this.#tail.push(rest);
    this.#tailLength += rest.length;
    while (this.#tailLength - this.#tail[0].length >= this.#kept) {
      const { length } = this.#tail.shift()!;
      this.#tailLength -= length;
      this.#leftOut += length;
    }
  }

  toString(): string {
    const gap =
      this.#leftOut > 0 ? `\n[Lanewise: ${this.#leftOut} characters of output are left out here; ${howToRaise('outputMB')}]\n` : '';
    return this.#head + gap + this.#tail.join('');
  }
}
