/**
 * The buffer of device printf between a kernel and the program's standard output. A synchronisation shows what it holds. A kernel that
 * prints more than fits does not lose lines, since the driver empties the buffer of an H100 while a kernel runs: here it is emptied when
 * it is full. So the order of all output depends on the program alone.
 */
import type { LoadedModule } from '../machine/load-module.ts';
import type { PrintedPiece } from '../scheduling/printed-output.ts';
import { mayPrint } from './repeatability.ts';

/** cudaLimitPrintfFifoSize at the start, and the least that it can be set to (H100, H200: 132 multiprocessors of 64 KB; 8 of 64 KB). */
const INITIAL_BYTES = 8_650_752;
const LEAST_BYTES = 524_288;
/** What a call takes at least: a warp's takes 8,192 bytes (H100). */
const CALL_BYTES = 256;
/** A program may ask for more than is sensible to hold. */
const MOST_HELD_BYTES = 1 << 26;

export class PrintfFifo {
  #sizeBytes = INITIAL_BYTES;
  #usedBytes = 0;
  #pieces: Uint8Array[] = [];
  /** A kernel that may print has been launched: the size stays. */
  #inUse = false;
  readonly #kernels = new WeakMap<LoadedModule, Set<string>>();
  readonly #show: (bytes: Uint8Array) => void;

  constructor(show: (bytes: Uint8Array) => void) {
    this.#show = show;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Bytes of text that nobody has seen. */
  get heldBytes(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** False once a kernel that prints has been launched, as CUDA's reference has it. A size below the least becomes that. */
  resize(sizeBytes: number): boolean {
    if (this.#inUse || sizeBytes < 0) return false;
    this.#sizeBytes = Math.max(LEAST_BYTES, sizeBytes);
    return true;
  }

  launched(module: LoadedModule, kernel: string): void {
    if (this.#inUse) return;
    const known = this.#kernels.get(module) ?? new Set();
    if (known.has(kernel)) return;
    this.#kernels.set(module, known.add(kernel));
    this.#inUse = mayPrint(module, kernel);
  }

  add({ bytes, calls }: PrintedPiece): void {
    this.#pieces.push(bytes);
    this.#usedBytes += Math.max(bytes.length, calls * CALL_BYTES);
    if (this.#usedBytes > Math.min(this.#sizeBytes, MOST_HELD_BYTES)) this.drain();
  }

  drain(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#usedBytes = 0;
    for (const bytes of pieces) this.#show(bytes);
  }
}
