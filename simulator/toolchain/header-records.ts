/**
 * A precompiled header lists the functions and variables whose bodies Clang must look at again when the whole program is known, since only
 * then it is clear on which side they are called. Clang reads all that is listed, and on the host also what their bodies name, at the end of
 * each program: 190 and 330 ms of one that says `int a;`. Of the headers' own functions there is nothing to say, and those that a program
 * instantiates or calls are looked at with the program's. So the list gets a code that Clang's reader passes over.
 */

/** LLVM's bitstreams: widths of fields, numbers of abbreviations, kinds of operands. */
const MAGIC_BITS = 32;
const OUTER_WIDTH = 2;
const END_BLOCK = 0;
const ENTER_BLOCK = 1;
const DEFINE_ABBREVIATION = 2;
const UNABBREVIATED = 3;
const FIRST_ABBREVIATION = 4;
const FIXED = 1;
const VARIABLE = 2;
const ARRAY = 3;
const CHARACTER = 4;
const BLOB = 5;
const CHARACTER_BITS = 6;

/** Clang 22's ASTBitCodes.h: AST_BLOCK_ID, DECLS_TO_CHECK_FOR_DEFERRED_DIAGS. */
const AST_BLOCK = 8;
const DEFERRED_CHECKS = 64;
/** No code of Clang's; it takes two pieces of six bits, as the other one does. */
const UNKNOWN = 1000;

/** A record of a block; `codeAt`: the bit where its code stands, if it has no abbreviation. */
interface BlockRecord {
  readonly code: number;
  readonly codeAt?: number;
}

/** A copy of a precompiled header without that list. Throws where there is not exactly one. */
export function withoutDeferredChecks(header: Uint8Array): Uint8Array {
  const places = recordsOf(header).flatMap(({ code, codeAt }) => (code === DEFERRED_CHECKS && codeAt !== undefined ? [codeAt] : []));
  if (places.length !== 1) throw new Error(`the header has ${places.length} lists of what is to be checked, not one`);
  const changed = header.slice();
  writeBits(changed, places[0], (UNKNOWN & 31) | 32);
  writeBits(changed, places[0] + 6, UNKNOWN >> 5);
  return changed;
}

/** Those that say what the whole file has: of its AST block, without the blocks inside it. */
export function recordsOf(header: Uint8Array): readonly BlockRecord[] {
  const bits = new Bits(header);
  bits.at = MAGIC_BITS;
  while (bits.at < 8 * header.length) {
    if (bits.fixed(OUTER_WIDTH) !== ENTER_BLOCK) throw new Error('the header is no bitstream');
    const { block, width, end } = enterBlock(bits);
    if (block === AST_BLOCK) return blockRecords(bits, width);
    bits.at = end;
  }
  throw new Error('the header has no tree');
}

function blockRecords(bits: Bits, width: number): readonly BlockRecord[] {
  const abbreviations: (readonly Operand[])[] = [];
  const records: BlockRecord[] = [];
  for (;;) {
    const kind = bits.fixed(width);
    if (kind === END_BLOCK) return records;
    if (kind === ENTER_BLOCK) bits.at = enterBlock(bits).end;
    else if (kind === DEFINE_ABBREVIATION) abbreviations.push(abbreviation(bits));
    else if (kind === UNABBREVIATED) records.push(unabbreviated(bits));
    else records.push({ code: passRecord(bits, abbreviations[kind - FIRST_ABBREVIATION]) });
  }
}

function enterBlock(bits: Bits): { readonly block: number; readonly width: number; readonly end: number } {
  const block = bits.variable(8);
  const width = bits.variable(4);
  bits.align();
  const words = bits.fixed(32);
  return { block, width, end: bits.at + 32 * words };
}

interface Operand {
  /** 0 for a literal. */
  readonly kind: number;
  /** Of its field, or the literal's. */
  readonly value: number;
}

function abbreviation(bits: Bits): readonly Operand[] {
  return Array.from({ length: bits.variable(5) }, () => {
    if (bits.fixed(1) === 1) return { kind: 0, value: bits.variable(8) };
    const kind = bits.fixed(3);
    return { kind, value: kind === FIXED || kind === VARIABLE ? bits.variable(5) : 0 };
  });
}

function unabbreviated(bits: Bits): BlockRecord {
  const codeAt = bits.at;
  const code = bits.variable(6);
  for (let left = bits.variable(6); left > 0; left--) bits.variable(6);
  return { code, codeAt };
}

/** Its code, which is its first operand. */
function passRecord(bits: Bits, operands: readonly Operand[]): number {
  const [first, ...others] = operands;
  const code = scalar(bits, first);
  for (let i = 0; i < others.length; i++) {
    const { kind } = others[i];
    if (kind === ARRAY) {
      const element = others[++i];
      for (let left = bits.variable(6); left > 0; left--) scalar(bits, element);
    } else if (kind === BLOB) {
      const length = bits.variable(6);
      bits.align();
      bits.at += 8 * length;
      bits.align();
    } else scalar(bits, others[i]);
  }
  return code;
}

function scalar(bits: Bits, { kind, value }: Operand): number {
  if (kind === 0) return value;
  if (kind === CHARACTER) return bits.fixed(CHARACTER_BITS);
  if (value === 0) return 0;
  return kind === FIXED ? bits.fixed(value) : bits.variable(value);
}

/** Numbers may have more than 32 bits; those that anyone looks at here have not. */
class Bits {
  readonly #data: Uint8Array;
  at = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  fixed(width: number): number {
    let value = 0;
    for (let got = 0; got < width; ) {
      if (this.at >= 8 * this.#data.length) throw new Error('the header ends too early');
      const offset = this.at % 8;
      const taken = Math.min(8 - offset, width - got);
      value += ((this.#data[this.at >>> 3] >> offset) & ((1 << taken) - 1)) * 2 ** got;
      got += taken;
      this.at += taken;
    }
    return value;
  }

  /** In pieces of so many bits, of which the highest says whether there is another one. */
  variable(width: number): number {
    const more = 2 ** (width - 1);
    let value = 0;
    for (let shift = 0; ; shift += width - 1) {
      const piece = this.fixed(width);
      value += (piece % more) * 2 ** shift;
      if (piece < more) return value;
    }
  }

  align(): void {
    this.at = Math.ceil(this.at / 32) * 32;
  }
}

function writeBits(data: Uint8Array, at: number, value: number): void {
  for (let bit = 0; bit < 6; bit++) {
    const mask = 1 << ((at + bit) % 8);
    if ((value >> bit) & 1) data[(at + bit) >>> 3] |= mask;
    else data[(at + bit) >>> 3] &= ~mask;
  }
}
