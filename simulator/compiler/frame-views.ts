/** What the interpreter's code gets to see of a compiled kernel's values and local memory. */
import type { Cell } from '../machine/cells.ts';
import { LocalMemory } from '../machine/local-memory.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import type { BlockRunner } from './block-runner.ts';

/** The lanes of a value in a frame. Most are looked at in one way only. */
export class CellView implements Cell {
  readonly #buffer: ArrayBuffer;
  readonly #at: number;
  readonly #words: number;
  #i: Int32Array | undefined;
  #f: Float32Array | undefined;
  #d: Float64Array | undefined;
  #q: BigUint64Array | undefined;
  #s: BigInt64Array | undefined;

  /** `wide`: 64 bits for each lane instead of 32. */
  constructor(buffer: ArrayBufferLike, at: number, wide: boolean) {
    this.#buffer = buffer as ArrayBuffer;
    this.#at = at;
    this.#words = wide ? 64 : 32;
  }

  get i(): Int32Array {
    this.#i ??= new Int32Array(this.#buffer, this.#at, this.#words);
    return this.#i;
  }

  get f(): Float32Array {
    this.#f ??= new Float32Array(this.#buffer, this.#at, this.#words);
    return this.#f;
  }

  get d(): Float64Array {
    this.#d ??= new Float64Array(this.#buffer, this.#at, this.#words / 2);
    return this.#d;
  }

  get q(): BigUint64Array {
    this.#q ??= new BigUint64Array(this.#buffer, this.#at, this.#words / 2);
    return this.#q;
  }

  get s(): BigInt64Array {
    this.#s ??= new BigInt64Array(this.#buffer, this.#at, this.#words / 2);
    return this.#s;
  }
}

/** Local memory of a warp of the block that the runner's context holds. */
export function lentLocalMemory(runner: BlockRunner, warp: number): LocalMemory {
  const { usesLocal, localBytes } = runner.kernel;
  // Structures by value that stay in the kernel's parameters have a place in local memory, but no memory.
  return Object.assign(Object.create(LocalMemory.prototype), {
    capacity: usesLocal ? localBytes : 0,
    views: usesLocal ? new MemoryViews(runner.words.buffer, runner.local(warp)) : NO_MEMORY,
    reserve: () => {},
  });
}

const NO_MEMORY = new MemoryViews(new ArrayBuffer(0));
