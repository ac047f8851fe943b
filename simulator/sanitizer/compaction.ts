/**
 * Forgets events that nobody asks for any more: those of blocks that have ended whose words others have written since, or that lay in shared
 * memory. A kernel that computes much with little data would have far more events than data.
 */
import type { LaunchClock } from './clocks.ts';
import type { EventTable } from './event-table.ts';
import type { GlobalShadow } from './shadow.ts';

/** Events from which on it is worth looking, and how many there may be for each cell of the shadow. */
const FEWEST = 1 << 16;
const PER_CELL = 1 / 3;

export class Compaction {
  readonly #events: EventTable;
  readonly #global: GlobalShadow;
  /** The event from which on it is done again. */
  #next = 0;

  constructor(events: EventTable, global: GlobalShadow) {
    this.#events = events;
    this.#global = global;
  }

  /** A launch begins. */
  begin(): void {
    this.#next = this.#room;
  }

  /** A block has ended. */
  blockEnded(clock: LaunchClock): void {
    if (this.#events.last < this.#next || !clock.isBetweenBlocks) return;
    this.#compact(clock);
    // Where most events stay, looking again soon would find the same.
    const { last } = this.#events;
    this.#next = last < this.#room / 2 ? this.#room : 2 * last;
  }

  /** A launch begins before which everything is ordered: whether it is time to forget all events. */
  get isDue(): boolean {
    return this.#events.last > this.#room / 2;
  }

  get #room(): number {
    return Math.max(FEWEST, Math.floor(this.#global.cellCount * PER_CELL));
  }

  #compact(clock: LaunchClock): void {
    const { start } = clock;
    const numbers = new Int32Array(this.#events.last - start + 1);
    this.#global.forEachTable((cells) => {
      for (let at = 0; at < cells.length; at++) {
        const event = cells[at] >> 5;
        if (event > start) numbers[event - start] = 1;
      }
    });
    this.#events.keep(start, numbers);
    this.#global.forEachTable((cells) => {
      for (let at = 0; at < cells.length; at++) {
        const event = cells[at] >> 5;
        if (event > start) cells[at] = (numbers[event - start] << 5) | (cells[at] & 31);
      }
    });
    clock.forgetEvents();
  }
}
