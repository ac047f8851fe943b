/** Local memory of one warp: each lane sees its own bytes behind the same addresses. Grows as frames need it; new bytes are zero. */
import { MemoryViews } from './memory-views.ts';

const FIRST_CAPACITY = 256;

export class LocalMemory {
  /** Bytes per lane. */
  capacity = 0;
  views = new MemoryViews(new ArrayBuffer(0));

  /** Makes room for `bytes` per lane. */
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
