/**
 * What is remembered of memory: for each word of 4 bytes three cells (see event-table.ts), the last write and two reads since then that
 * no order relates, which makes 3 bytes for a byte. A word of which parts have been accessed is split into its bytes: it holds the
 * complement of where the cells of the four bytes are. Pages come to be where something is accessed.
 */
import { LOCAL_BASE } from '../ir/address-map.ts';
import { LONG_AGO, NEVER } from './event-table.ts';
import { Store, type Table } from './store.ts';

/** Words of a page of global memory. */
export const PAGE_WORDS = 1 << 14;
const PAGE_BYTES = 4 * PAGE_WORDS;
/** So far is looked at a time. */
const SCANNED_WORDS = 1 << 18;
const PAGES = 2 ** 32 / PAGE_BYTES;

/** The three cells of word w are at w, w + words and w + 2 * words. */
export interface ShadowPage {
  readonly cells: Int32Array;
  readonly words: number;
}

/** Cells of words that are split: for each byte its write and its two reads. */
export class SplitWords {
  cells = new Int32Array(12 << 8);
  #used = 0;
  /** First cells of words that are whole again. */
  readonly #free: number[] = [];

  /** Splits a word; gives the number of its first cell. */
  split(page: ShadowPage, word: number): number {
    const at = this.#free.pop() ?? this.#used;
    if (at === this.#used) this.#used += 12;
    if (this.#used > this.cells.length) {
      const wider = new Int32Array(this.cells.length * 2);
      wider.set(this.cells);
      this.cells = wider;
    }
    for (let kind = 0; kind < 3; kind++) this.cells.fill(page.cells[word + kind * page.words], at + 4 * kind, at + 4 * kind + 4);
    page.cells[word] = ~at;
    return at;
  }

  /** Makes a word whole again whose bytes have all been written at once, and not been read since. */
  join({ cells, words }: ShadowPage, word: number, written: number): void {
    this.#free.push(~cells[word]);
    cells[word] = written;
    cells[word + words] = NEVER;
    cells[word + 2 * words] = NEVER;
  }

  /** Gives the bytes of a split word that one write has written another one; if these are all of it, it is whole again. */
  rewrite(page: ShadowPage, word: number, before: number, now: number): void {
    const at = ~page.cells[word];
    let count = 0;
    for (let byte = at; byte < at + 4; byte++) {
      if (this.cells[byte] !== before) continue;
      this.cells[byte] = now;
      count++;
    }
    if (count === 4) this.join(page, word, now);
  }
}

/** The last write of a word or byte is at `at`, its reads one and two strides behind. */
type CellVisitor = (cells: Int32Array, at: number, stride: number, address: number) => void;

/** Of global memory. */
export class GlobalShadow {
  readonly #pages: (ShadowPage | undefined)[] = new Array(PAGES);
  /** What the writes of a page are whose cells nobody has needed yet. */
  readonly #blank = new Uint8Array(PAGES);
  readonly split = new SplitWords();
  readonly #store: Store;
  /** Tables of pages that are not in use any more. */
  readonly #free: Table[] = [];
  readonly #tables: (Table | undefined)[] = new Array(PAGES);

  constructor(store = new Store()) {
    this.#store = store;
  }

  /** Bytes of all cells. */
  get sizeBytes(): number {
    return this.#pages.reduce((sum, page) => sum + (page?.cells.byteLength ?? 0), 0) + this.split.cells.byteLength;
  }

  page(address: number): ShadowPage {
    const number = address >>> 16;
    let page = this.#pages[number];
    if (!page) {
      page = this.#create(number);
      this.#pages[number] = page;
    }
    return page;
  }

  #create(number: number): ShadowPage {
    const reused = this.#free.pop();
    const table = reused ?? this.#store.takePart(3 * PAGE_WORDS);
    const { words: cells, address } = table;
    reused?.words.fill(NEVER);
    if (this.#blank[number] !== NEVER) cells.fill(this.#blank[number], 0, PAGE_WORDS);
    this.#tables[number] = table;
    this.#store.pages[number] = address;
    return { cells, words: PAGE_WORDS };
  }

  #drop(number: number): void {
    this.#pages[number] = undefined;
    this.#store.pages[number] = 0;
    const table = this.#tables[number];
    if (table) this.#free.push(table);
    this.#tables[number] = undefined;
  }

  /** From where on all has been written up to an address, as far as it is worth looking. */
  writtenFrom(address: number): number {
    let at = address & ~3;
    for (let steps = 0; steps < SCANNED_WORDS && at > 0; steps++) {
      const { cells, isBlank } = this.#look(at - 4);
      if (isBlank) at = (at - 4) & ~(PAGE_BYTES - 1);
      else if (cells && cells[((at - 4) & (PAGE_BYTES - 1)) >>> 2] > NEVER) at -= 4;
      else break;
      at >>>= 0;
    }
    return at;
  }

  /** Up to where all has been written from an address on, as far as it is worth looking. */
  writtenUntil(address: number): number {
    let at = address & ~3;
    at >>>= 0;
    for (let steps = 0; steps < SCANNED_WORDS && at < LOCAL_BASE; steps++) {
      const { cells, isBlank } = this.#look(at);
      if (isBlank) at = ((at | (PAGE_BYTES - 1)) >>> 0) + 1;
      else if (cells && cells[(at & (PAGE_BYTES - 1)) >>> 2] > NEVER) at += 4;
      else break;
    }
    return at;
  }

  /** The page of an address if its cells have been needed. */
  known(address: number): ShadowPage | undefined {
    return this.#pages[address >>> 16];
  }

  /** The cells of an address's page; of one whose cells nobody has needed, whether all of it was written long ago. */
  #look(address: number): { readonly cells: Int32Array | undefined; readonly isBlank: boolean } {
    const number = address >>> 16;
    const page = this.#pages[number];
    return { cells: page?.cells, isBlank: !page && this.#blank[number] === LONG_AGO };
  }

  /** The cells of words, and of single bytes where words are split or not whole. */
  forEach(address: number, bytes: number, visit: CellVisitor): void {
    for (let at = address; at < address + bytes; ) at = this.#visit(this.page(at), at, address + bytes, visit);
  }

  /** As `forEach`, of pages whose cells have been needed. */
  forEachKnown(address: number, bytes: number, visit: CellVisitor): void {
    for (let at = address; at < address + bytes; ) {
      const page = this.known(at);
      at = page ? this.#visit(page, at, address + bytes, visit) : (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES;
    }
  }

  /** One word or byte; gives the address of the next. */
  #visit(page: ShadowPage, at: number, end: number, visit: CellVisitor): number {
    const word = (at & (PAGE_BYTES - 1)) >>> 2;
    const whole = (at & 3) === 0 && end - at >= 4;
    if (whole && page.cells[word] >= 0) {
      visit(page.cells, word, page.words, at);
      return at + 4;
    }
    const first = page.cells[word] < 0 ? ~page.cells[word] : this.split.split(page, word);
    visit(this.split.cells, first + (at & 3), 4, at);
    return at + 1;
  }

  /** Bytes that all begin anew: written by something that came before all else, or by nobody. */
  reset(address: number, bytes: number, written: typeof LONG_AGO | typeof NEVER): void {
    const end = address + bytes;
    for (let at = address; at < end; ) {
      const next = Math.min(end, (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES);
      if (next - at === PAGE_BYTES) {
        this.#drop(at >>> 16);
        this.#blank[at >>> 16] = written;
      } else this.#resetPart(at, next, written);
      at = next;
    }
  }

  /** Gives bytes what others have: never written, or long ago. */
  copy(to: number, from: number, bytes: number): void {
    for (let k = 0; k < bytes; ) {
      const inPage = (address: number): number => PAGE_BYTES - (address & (PAGE_BYTES - 1));
      const page = this.known(from + k);
      if (!page) {
        const size = Math.min(bytes - k, inPage(from + k));
        this.reset(to + k, size, this.#blank[(from + k) >>> 16] as typeof LONG_AGO | typeof NEVER);
        k += size;
        continue;
      }
      const words = ((to | from) & 3) === 0 ? Math.min(bytes - k, inPage(from + k), inPage(to + k)) >>> 2 : 0;
      const copied = this.#copyWords(page, { from: from + k, to: to + k, words });
      if (copied === 0) this.reset(to + k, 1, this.isWritten(from + k) ? LONG_AGO : NEVER);
      k += Math.max(1, 4 * copied);
    }
  }

  /** So many words, up to one that is split; how many it has copied. */
  #copyWords(source: ShadowPage, { from, to, words }: { readonly from: number; readonly to: number; readonly words: number }): number {
    if (words === 0) return 0;
    const first = (from & (PAGE_BYTES - 1)) >>> 2;
    let count = 0;
    while (count < words && source.cells[first + count] >= 0) count++;
    const written = source.cells.slice(first, first + count);
    for (let k = 0; k < count; k++) if (written[k] !== NEVER) written[k] = LONG_AGO;
    const { cells, words: stride } = this.page(to);
    const at = (to & (PAGE_BYTES - 1)) >>> 2;
    cells.set(written, at);
    for (const kind of [1, 2]) cells.fill(NEVER, at + kind * stride, at + kind * stride + count);
    return count;
  }

  /** Whether any of these bytes has been written. */
  isWrittenIn(address: number, bytes: number): boolean {
    for (let at = address; at < address + bytes; ) {
      const page = this.known(at);
      if (!page && this.#blank[at >>> 16] !== NEVER) return true;
      if (page && this.isWritten(at)) return true;
      at = page ? at + 1 : (Math.floor(at / PAGE_BYTES) + 1) * PAGE_BYTES;
    }
    return false;
  }

  /** Whether any of these bytes has never been written. */
  isUnwrittenIn(address: number, bytes: number): boolean {
    for (let at = address; at < address + bytes; at++) if (!this.isWritten(at)) return true;
    return false;
  }

  isWritten(address: number): boolean {
    const { cells } = this.page(address);
    const cell = cells[(address & (PAGE_BYTES - 1)) >>> 2];
    return (cell < 0 ? this.split.cells[~cell + (address & 3)] : cell) !== NEVER;
  }

  /** Forgets who has done what: all that was written was written long ago. */
  forgetEvents(): void {
    for (const page of this.#pages) {
      if (!page) continue;
      const { cells, words } = page;
      for (let word = 0; word < words; word++) if (cells[word] > LONG_AGO) cells[word] = LONG_AGO;
      cells.fill(NEVER, words);
    }
    const { cells } = this.split;
    for (let at = 0; at < cells.length; at++) {
      const write = at % 12 < 4;
      cells[at] = write && cells[at] !== NEVER ? LONG_AGO : NEVER;
    }
  }

  get cellCount(): number {
    return this.sizeBytes >> 2;
  }

  /** All cells of words and of bytes. */
  forEachTable(visit: (cells: Int32Array) => void): void {
    for (const page of this.#pages) if (page) visit(page.cells);
    visit(this.split.cells);
  }

  #resetPart(start: number, end: number, written: number): void {
    const page = this.page(start);
    const { cells, words } = page;
    const first = start & (PAGE_BYTES - 1);
    const last = first + (end - start);
    const [from, to] = [(first + 3) >>> 2, last >>> 2];
    if (from < to) {
      cells.fill(written, from, to);
      cells.fill(NEVER, from + words, to + words);
      cells.fill(NEVER, from + 2 * words, to + 2 * words);
    }
    for (let at = first; at < last; at++) if (at < 4 * from || at >= 4 * to) this.#resetByte(page, at, written);
  }

  #resetByte(page: ShadowPage, at: number, written: number): void {
    const cell = page.cells[at >>> 2];
    const first = cell < 0 ? ~cell : this.split.split(page, at >>> 2);
    this.split.cells[first + (at & 3)] = written;
    this.split.cells[first + 4 + (at & 3)] = NEVER;
    this.split.cells[first + 8 + (at & 3)] = NEVER;
  }
}
