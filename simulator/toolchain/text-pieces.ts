/** Text that arrives in pieces of a few bytes, by the ten thousand: decoded once, at the end. */
export class TextPieces {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  add(piece: Uint8Array): void {
    const end = this.#length + piece.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = end;
  }

  text(): string {
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
  }
}
