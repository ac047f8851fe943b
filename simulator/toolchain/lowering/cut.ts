/** Cuts 64-bit operands on the stack to 32 bits, in code that is just being written. */
import type { ModuleWriter } from './module-bytes.ts';
import { CODE } from './opcodes.ts';

/** What an instruction does, as far as the one behind it asks. */
export const OTHER = 0;
/** It pushes one value and has no other effect. */
export const PUSHES = 1;
export const PUSHES_I64_CONST = 2;

const TYPE_CODES: Readonly<Record<string, number>> = { i: 0x7f, I: 0x7e, f: 0x7d, F: 0x7c, v: 0x7b, r: 0x70 };
const MOST_FRESH_LOCALS = 16;
/** What declareLocals() writes at most. */
export const MOST_DECLARATION_BYTES = 2 * MOST_FRESH_LOCALS;

export class AddressCutter {
  readonly #out: ModuleWriter;
  /** Types of the body's fresh locals, which keep what lies above an address while the address is cut: letters of TYPE_CODES. */
  #fresh = '';
  #firstFresh = 0;
  /** Where the last two instructions begin in the output, and what they do. */
  #start = 0;
  #kind = OTHER;
  #earlierStart = 0;
  #earlierKind = OTHER;

  constructor(writer: ModuleWriter) {
    this.#out = writer;
  }

  /** Starts a function with this many parameters and locals. */
  begin(locals: number): void {
    this.#fresh = '';
    this.#firstFresh = locals;
    this.#kind = OTHER;
    this.#earlierKind = OTHER;
  }

  /** An instruction that begins at `start` was written. */
  wrote(start: number, kind: number): void {
    this.#earlierStart = this.#start;
    this.#earlierKind = this.#kind;
    this.#start = start;
    this.#kind = kind;
  }

  get lastPushes(): boolean {
    return this.#kind !== OTHER;
  }

  get freshLocals(): number {
    return this.#fresh.length;
  }

  /** Groups of one local each. */
  declareLocals(): void {
    for (const letter of this.#fresh) {
      this.#out.byte(1);
      this.#out.byte(TYPE_CODES[letter]);
    }
  }

  /** Cuts the value on top of the stack to 32 bits. */
  cutTop(): void {
    if (this.#kind === PUSHES_I64_CONST) this.#shortenConstant(this.#start);
    else this.#out.byte(CODE.wrap);
  }

  /** Cuts the value below the one that the last instruction has pushed. */
  cutBelowLast(): void {
    const out = this.#out;
    const start = this.#start;
    if (this.#earlierKind !== PUSHES_I64_CONST) {
      out.bytes.copyWithin(start + 1, start, out.at++);
      out.bytes[start] = CODE.wrap;
      return;
    }
    const end = out.at;
    out.at = start;
    this.#shortenConstant(this.#earlierStart);
    out.bytes.copyWithin(out.at, start, end);
    out.at += end - start;
  }

  /** The i64.const at `start`, with which the output ends, becomes an i32.const. */
  #shortenConstant(start: number): void {
    const out = this.#out;
    let value = 0;
    let shift = 0;
    let at = start + 1;
    let byte: number;
    do {
      byte = out.bytes[at++];
      if (shift < 32) value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    if (shift < 32 && byte & 0x40) value |= -1 << shift;
    out.at = start;
    out.byte(CODE.i32Const);
    out.signed32(value);
  }

  /** Cuts every "a" of the operands on the stack. `before`: told when the lowest is on top, still whole. */
  cut(operands: string, before?: () => void): void {
    const lowest = operands.indexOf('a');
    if (lowest < 0) return;
    const out = this.#out;
    // Kept in fresh locals, from the top down.
    let kept = '';
    for (let i = operands.length - 1; i > lowest; i--) {
      const isAddress = operands[i] === 'a';
      if (isAddress) out.byte(CODE.wrap);
      kept += isAddress ? 'i' : operands[i];
      out.byte(CODE.localSet);
      out.unsigned(this.#freshLocal(kept));
    }
    before?.();
    out.byte(CODE.wrap);
    for (; kept.length > 0; kept = kept.slice(0, -1)) {
      out.byte(CODE.localGet);
      out.unsigned(this.#freshLocal(kept));
    }
  }

  /** The local for the last of the values in `kept`: values of one type have different ones. */
  #freshLocal(kept: string): number {
    const type = kept[kept.length - 1];
    let position = -1;
    for (const other of kept) {
      if (other === type) position = this.#fresh.indexOf(type, position + 1);
      if (other === type && position < 0) {
        position = this.#fresh.length;
        this.#fresh += type;
      }
    }
    return this.#firstFresh + position;
  }
}
