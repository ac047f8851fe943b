/** Which bytes of their local memory threads have written. A place that is given up and taken again counts as written. */
import { LOCAL_BASE } from '../ir/address-map.ts';
import type { Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { byvalOffsets } from '../machine/stack.ts';

/** Bits of a thread that has written to no more than its first bytes. */
const FIRST_WORDS = 8;

export class LocalWrites {
  /** Bytes at the start that the launch fills: structures that the kernel gets by value. */
  readonly #given: number;
  /** By warp * 32 + lane: a bit for each byte. */
  readonly #threads = new Map<number, Uint32Array>();

  /** undefined where calls put structures there that nobody tells of. */
  static of(module: LoadedModule, { kernel }: Launch): LocalWrites | undefined {
    for (const [name, { parameters }] of module.ir.functions) {
      if (name !== kernel && !module.ir.functions.get(name)!.isKernel && parameters.some(({ byval }) => byval)) return undefined;
    }
    return new LocalWrites(byvalOffsets(module.ir.functions.get(kernel)!.parameters).bytes);
  }

  private constructor(given: number) {
    this.#given = given;
  }

  /** `thread`: warp * 32 + lane. */
  write(thread: number, address: number, bytes: number): void {
    for (let at = address - LOCAL_BASE, end = at + bytes; at < end; at++) {
      const bits = this.#bits(thread, at >>> 5);
      bits[at >>> 5] |= 1 << (at & 31);
    }
  }

  /** The bytes are a copy of some that nothing has written. */
  forget(thread: number, address: number): void {
    const at = address - LOCAL_BASE;
    const bits = this.#bits(thread, at >>> 5);
    bits[at >>> 5] &= ~(1 << (at & 31));
  }

  isWritten(thread: number, address: number): boolean {
    const at = address - LOCAL_BASE;
    return at < this.#given || (((this.#threads.get(thread)?.[at >>> 5] ?? 0) >>> (at & 31)) & 1) !== 0;
  }

  /** The threads of a block have ended. */
  endBlock(firstWarp: number, warps: number): void {
    if (this.#threads.size === 0) return;
    for (let thread = firstWarp * 32, end = thread + warps * 32; thread < end; thread++) this.#threads.delete(thread);
  }

  #bits(thread: number, word: number): Uint32Array {
    let bits = this.#threads.get(thread);
    if (bits === undefined || word >= bits.length) {
      const wider = new Uint32Array(Math.max(FIRST_WORDS, 2 * word));
      if (bits) wider.set(bits);
      bits = wider;
      this.#threads.set(thread, bits);
    }
    return bits;
  }
}
