/**
 * Accesses as the shadow remembers them. An event is one instruction executed by one warp between two moments at which others may have
 * come to know what the warp has done; a cell of the shadow holds an event and a lane. Events are numbered in the order in which they
 * happen, so a number is a time, too: "all events up to 17" are those before a moment.
 */

/** A cell is the event times 32, plus the lane: it stays positive. */
export const MOST_EVENTS = 2 ** 26;
/** What a cell holds that was never written, and one that something wrote which came before everything that matters. */
export const NEVER = 0;
export const LONG_AGO = 1;

export class EventTable {
  /** Number of the warp in its grid, by event. */
  warps = new Int32Array(1 << 12);
  /** Number of the instruction's site, by event. */
  sites = new Int32Array(1 << 12);
  /** The latest event; 0 is nobody's. */
  last = 0;

  add(warp: number, site: number): number {
    const event = ++this.last;
    if (event === this.warps.length) this.#grow();
    this.warps[event] = warp;
    this.sites[event] = site;
    return event;
  }

  /** Forgets all: the shadow must have forgotten them. */
  clear(): void {
    this.last = 0;
  }

  #grow(): void {
    const grown = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const wider = new Int32Array(old.length * 2);
      wider.set(old);
      return wider;
    };
    this.warps = grown(this.warps);
    this.sites = grown(this.sites);
  }
}
