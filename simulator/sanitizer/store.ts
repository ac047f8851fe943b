/** Where the sanitizer's tables are: in the engines' part of device memory, as long as there is room, so that compiled code finds them. */
import type { DeviceMemory } from '../machine/device-memory.ts';
import { LEDGER, LEDGER_PAGES, LEDGER_SITES } from '../scheduling/ledger.ts';

/** Words of a table, and the address that compiled code knows them by; 0 if it cannot. */
export interface Table {
  readonly words: Int32Array;
  readonly address: number;
}

/** Most bytes of device memory; what is needed beyond is the host's. */
const MOST_BYTES = 1 << 28;
/** Pages of the shadow come in pieces of so many words. */
const PIECE_WORDS = 1 << 20;

export class Store {
  readonly #memory: DeviceMemory | undefined;
  #left = MOST_BYTES;
  #piece: Table | undefined;
  #used = 0;
  readonly #reused = new Map<string, Table>();
  /** As `LEDGER` says. */
  readonly ledger: Table;
  /** Addresses of pages of the shadow. */
  readonly pages: Int32Array;
  /** By site: whether it is an atomic. */
  readonly atomics: Int32Array;

  /** Without a device's memory, all tables are the host's. */
  constructor(memory?: DeviceMemory) {
    this.#memory = memory;
    this.ledger = this.take(LEDGER.bytes >> 2);
    const pages = this.take(LEDGER_PAGES);
    const atomics = this.take(LEDGER_SITES);
    this.pages = pages.words;
    this.atomics = atomics.words;
    this.set(LEDGER.pages, pages.address);
    this.set(LEDGER.atomics, atomics.address);
  }

  set(offset: number, value: number): void {
    this.ledger.words[offset >> 2] = value;
  }

  get(offset: number): number {
    return this.ledger.words[offset >> 2];
  }

  /** Words that are zero. */
  take(words: number): Table {
    const bytes = 4 * words;
    const scratch = bytes <= this.#left ? this.#memory?.allocateScratch(bytes) : undefined;
    if (!this.#memory || !scratch) return { words: new Int32Array(words), address: 0 };
    this.#left -= bytes;
    return { words: new Int32Array(this.#memory.memory.buffer, scratch.address, words), address: scratch.address };
  }

  giveBack({ words, address }: Table): void {
    if (address === 0) return;
    this.#left += words.byteLength;
    this.#memory!.releaseScratch(address);
  }

  /** As `take`: the table that the last call for this purpose gave must not be in use any more. */
  reuse(purpose: string, words: number): Table {
    const known = this.#reused.get(purpose);
    if (known?.words.length === words) {
      known.words.fill(0);
      return known;
    }
    if (known) this.giveBack(known);
    const table = this.take(words);
    this.#reused.set(purpose, table);
    return table;
  }

  /** As `take`, for small tables of one size that are never given back. */
  takePart(words: number): Table {
    if (!this.#piece || this.#used + words > this.#piece.words.length) {
      this.#piece = this.take(Math.max(words, PIECE_WORDS));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += words;
    const { address } = this.#piece;
    return { words: this.#piece.words.subarray(from, from + words), address: address === 0 ? 0 : address + 4 * from };
  }
}
