/**
 * What a listener keeps in the engines' part of device memory, so that compiled code can check and note the common accesses by itself.
 * simulator/sanitizer fills it in and does the same for all others; compiler/ledger-emitter.ts has the code. All offsets are in bytes.
 * Events and cells are those of sanitizer/event-table.ts: a cell is an event times 32, plus the lane.
 */

export const LEDGER = {
  /** Not zero: nothing but barriers orders anything in the launch, and all earlier work has ended. */
  open: 0,
  /** The latest event, and how many there is room for. */
  last: 4,
  room: 8,
  /** Addresses of the tables of events: number of the warp in its grid, number of the site. */
  warps: 12,
  sites: 16,
  /** Everybody knows all events up to here. */
  floor: 20,
  /** Address of a table by address >>> 16: where the cells of the page are, or 0. */
  pages: 24,
  /** Address of the record of the block that runs; 0 if it has none. */
  block: 28,
  /** Address of a table by site: 1 for atomics. */
  atomics: 32,
  /** Not zero: that warps come to a barrier of the block, as a whole, need not be told before it opens. */
  barriers: 36,
  /** Not zero: what becomes of some values is looked at, so the points of `Probes.flows` have to be told. */
  flows: 40,
  bytes: 64,
} as const;

/** Cells of a page of 64 KiB: for each word three, one page of cells behind the other. */
export const LEDGER_PAGE_BYTES = 1 << 16;
export const LEDGER_PAGES = 1 << 16;
/** Sites with higher numbers are left to the listener. */
export const LEDGER_SITES = 1 << 14;

export const LEDGER_BLOCK = {
  /** Not zero: only barriers of the whole block and of whole warps have been there. */
  open: 0,
  /** Threads of the block know each other's events up to here. */
  all: 4,
  /** Number of its first warp in the grid, and its warps. */
  first: 8,
  count: 12,
  /** Address of the cells of its shared memory, and the words of it. */
  shared: 16,
  words: 20,
  /** Records of its warps. */
  warps: 32,
} as const;

export const LEDGER_WARP = {
  /** The last event that others may know. */
  tick: 0,
  /** Lanes know each other's events up to here. */
  all: 4,
  /** One more than the number of the probe at whose barrier the warp waits; 0 if that has been told, or it does not wait. */
  arrived: 8,
  /** By slot of a site: the event of the warp's last access there. */
  events: 16,
  slots: 252,
  bytes: 1024,
} as const;

/** Words of a record of a block. */
export function ledgerBlockWords(warps: number): number {
  return (LEDGER_BLOCK.warps + warps * LEDGER_WARP.bytes) >> 2;
}
