/**
 * A reusable set of at most 256 unsigned 32-bit keys with a counter each: the inner tool of the memory counters, which ask for
 * every warp instruction which sectors and words its lanes touch. Clearing costs nothing: entries carry the epoch they belong to.
 */
const SLOTS = 1024;

export class DistinctSet {
  size = 0;
  readonly #keys = new Int32Array(SLOTS);
  readonly #epochs = new Int32Array(SLOTS);
  readonly #counts = new Int32Array(SLOTS);
  #epoch = 1;

  clear(): void {
    this.size = 0;
    this.#epoch++;
  }

  /** Adds 1 to the counter of a key and returns it: 1 says that the key is new. */
  add(key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 22) & (SLOTS - 1);
    while (this.#epochs[slot] === this.#epoch) {
      if (this.#keys[slot] === (key | 0)) return ++this.#counts[slot];
      slot = (slot + 1) & (SLOTS - 1);
    }
    this.#epochs[slot] = this.#epoch;
    this.#keys[slot] = key;
    this.#counts[slot] = 1;
    this.size++;
    return 1;
  }
}
