/**
 * Accesses as the shadow remembers them. An event is one instruction executed by one warp between two moments at which others may have
 * come to know what the warp has done; a cell of the shadow holds an event and a lane. Events are numbered in the order in which they
 * happen, so a number is a time, too: "all events up to 17" are those before a moment.
 */

import { LEDGER } from '../scheduling/ledger.ts';
import { Store, type Table } from './store.ts';

/** A cell is the event times 32, plus the lane: it stays positive. */
export const MOST_EVENTS = 2 ** 26;
/** What a cell holds that was never written, and one that something wrote which came before everything that matters. */
export const NEVER = 0;
export const LONG_AGO = 1;

/** Its warp and its site. */
export const BYTES_PER_EVENT = 8;

export class EventTable {
  readonly #store: Store;
  #tables: { readonly warps: Table; readonly sites: Table };
  /** Number of the warp in its grid, by event. */
  warps: Int32Array;
  /** Number of the instruction's site, by event. */
  sites: Int32Array;

  constructor(store = new Store()) {
    this.#store = store;
    this.#tables = { warps: store.take(1 << 12), sites: store.take(1 << 12) };
    this.warps = this.#tables.warps.words;
    this.sites = this.#tables.sites.words;
    this.#tell();
  }

  /** The latest event; 0 is nobody's. */
  get last(): number {
    return this.#store.get(LEDGER.last);
  }

  add(warp: number, site: number): number {
    const event = this.last + 1;
    this.#store.set(LEDGER.last, event);
    if (event === this.warps.length) this.#grow();
    this.warps[event] = warp;
    this.sites[event] = site;
    return event;
  }

  /** Forgets all: the shadow must have forgotten them. */
  clear(): void {
    this.#store.set(LEDGER.last, 0);
  }

  /**
   * Forgets events behind `start`, but for those whose entry in `numbers`, by the distance from there, is not zero: it becomes the new number.
   * They keep their order.
   */
  keep(start: number, numbers: Int32Array): void {
    let last = start;
    for (let distance = 1; distance < numbers.length; distance++) {
      if (numbers[distance] === 0) continue;
      last++;
      numbers[distance] = last;
      this.warps[last] = this.warps[start + distance];
      this.sites[last] = this.sites[start + distance];
    }
    this.#store.set(LEDGER.last, last);
  }

  #grow(): void {
    const old = this.#tables;
    const grown = (table: Table): Table => {
      const wider = this.#store.take(table.words.length * 2);
      wider.words.set(table.words);
      return wider;
    };
    this.#tables = { warps: grown(old.warps), sites: grown(old.sites) };
    this.warps = this.#tables.warps.words;
    this.sites = this.#tables.sites.words;
    for (const table of [old.warps, old.sites]) this.#store.giveBack(table);
    this.#tell();
  }

  /** Compiled code may add events where it finds both tables. */
  #tell(): void {
    const { warps, sites } = this.#tables;
    this.#store.set(LEDGER.warps, warps.address);
    this.#store.set(LEDGER.sites, sites.address);
    this.#store.set(LEDGER.room, warps.address !== 0 && sites.address !== 0 ? Math.min(warps.words.length, MOST_EVENTS - 1) : 0);
  }
}
