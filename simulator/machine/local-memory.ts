/** Local memory of one warp: each lane sees its own bytes behind the same addresses. */
import { MemoryViews } from './memory-views.ts';

const FIRST_CAPACITY = 256;

export interface LocalMemory {
  /** Bytes per lane. */
  readonly capacity: number;
  readonly views: MemoryViews;
  /** Makes room for `bytes` per lane. */
  reserve(bytes: number): void;
}

/** Grows as frames need it; new bytes are zero. */
export class GrowingLocalMemory implements LocalMemory {
  capacity = 0;
  views = new MemoryViews(new ArrayBuffer(0));

  reserve(bytes: number): void {
    if (bytes <= this.capacity) return;
    const capacity = Math.max(FIRST_CAPACITY, 2 ** Math.ceil(Math.log2(bytes)));
    const grown = new MemoryViews(new ArrayBuffer(32 * capacity));
    for (let lane = 0; lane < 32; lane++) {
      grown.u8.set(this.views.u8.subarray(lane * this.capacity, (lane + 1) * this.capacity), lane * capacity);
    }
    this.capacity = capacity;
    this.views = grown;
  }
}
