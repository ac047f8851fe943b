/**
 * Has the host program count what it executes, so that its simulated time can pass. A function adds its instructions outside loops to a
 * global when it is called, and a loop those of its body, without the loops in it, to a local in each iteration. The local is added to the
 * global wherever somebody else may ask or the function may be left. Sides of branches that are not taken are counted, too.
 */
import type { ModuleWriter } from './module-bytes.ts';
import { CODE } from './opcodes.ts';

/** Bytes that one instruction of a body gets before or behind it at most. */
export const MOST_WORK_BYTES = 40;

/** A signed number of 32 bits in LEB128 that is written before it is known has so many bytes. */
const PADDED_BYTES = 5;

/** How many operations of a processor an instruction is, by its code: what becomes a name, an operand or an address costs nothing. */
const OPERATIONS = operations();

export class WorkCounter {
  readonly #out: ModuleWriter;
  readonly #global: number;
  #local = 0;
  #start = 0;
  /** Of each block that is open the innermost loop around its code, by number; 0 is the function. */
  readonly #open: number[] = [];
  /** By loop of the body that is being written, the function itself first: where its number lies, from the body's start, and its operations. */
  #places: number[] = [];
  #operations: number[] = [];

  /** `global`: a mutable i64. */
  constructor(writer: ModuleWriter, global: number) {
    this.#out = writer;
    this.#global = global;
  }

  /** The body's code begins; `local`: an i64 of its own. */
  begin(local: number): void {
    const out = this.#out;
    this.#local = local;
    this.#start = out.at;
    this.#open.length = 0;
    this.#open.push(0);
    this.#operations = [0];
    out.byte(CODE.globalGet);
    out.unsigned(this.#global);
    this.#places = [this.#padded()];
    out.byte(CODE.i64Add);
    out.byte(CODE.globalSet);
    out.unsigned(this.#global);
  }

  /** The body's code is complete, still where it was written. */
  end(): void {
    this.#places.forEach((place, loop) => {
      let rest = this.#operations[loop];
      for (let i = 0; i < PADDED_BYTES; i++) {
        this.#out.bytes[this.#start + place + i] = (rest & 0x7f) | (i < PADDED_BYTES - 1 ? 0x80 : 0);
        rest >>>= 7;
      }
    });
  }

  /** An instruction comes next; `label`: of a branch. */
  before(code: number, label: number): void {
    this.#operations[this.#open.at(-1) ?? 0] += OPERATIONS[code];
    switch (code) {
      case CODE.call:
      case CODE.callIndirect:
      case CODE.returnCall:
      case CODE.returnCallIndirect:
      case CODE.return:
      case CODE.throw:
      case CODE.rethrow:
        this.#flush();
        break;
      case CODE.branch:
      case CODE.branchIf:
        // A branch to the outermost label leaves the function.
        if (label === this.#open.length - 1) this.#flush();
        break;
      case CODE.branchTable:
        this.#flush();
        break;
      case CODE.end:
        if (this.#open.length === 1) this.#flush();
        this.#open.pop();
        break;
      case CODE.delegate:
        this.#open.pop();
        break;
    }
  }

  /** An instruction with its immediates has been written. */
  after(code: number): void {
    const inner = this.#open.at(-1) ?? 0;
    if (code === CODE.block || code === CODE.if || code === CODE.try) this.#open.push(inner);
    if (code === CODE.loop) this.#loop();
  }

  #loop(): void {
    const out = this.#out;
    this.#open.push(this.#places.length);
    this.#operations.push(0);
    out.byte(CODE.localGet);
    out.unsigned(this.#local);
    this.#places.push(this.#padded());
    out.byte(CODE.i64Add);
    out.byte(CODE.localSet);
    out.unsigned(this.#local);
  }

  /** Where the number lies that i64.const gets later, from the body's start. */
  #padded(): number {
    const out = this.#out;
    out.byte(CODE.i64Const);
    const place = out.at - this.#start;
    out.at += PADDED_BYTES;
    return place;
  }

  /** Before the first loop there is nothing in the local. */
  #flush(): void {
    if (this.#places.length === 1) return;
    const out = this.#out;
    out.byte(CODE.globalGet);
    out.unsigned(this.#global);
    out.byte(CODE.localGet);
    out.unsigned(this.#local);
    out.byte(CODE.i64Add);
    out.byte(CODE.globalSet);
    out.unsigned(this.#global);
    out.byte(CODE.i64Const);
    out.byte(0);
    out.byte(CODE.localSet);
    out.unsigned(this.#local);
  }
}

function operations(): Uint8Array {
  const table = new Uint8Array(256);
  // Branches, calls and selections; loads and stores; arithmetic; conversions between integers and floating point; vectors and atomics.
  for (const [from, to] of [
    [0x0c, 0x13],
    [0x1b, 0x1c],
    [0x28, 0x3e],
    [0x67, 0xa6],
    [0xa8, 0xab],
    [0xae, 0xbb],
    [0xfc, 0xfe],
  ])
    table.fill(1, from, to + 1);
  // Rule of thumb: cycles in which one division or square root keeps its unit busy.
  for (const [from, to] of [
    [0x6d, 0x70],
    [0x7f, 0x82],
  ])
    table.fill(8, from, to + 1);
  for (const code of [0x91, 0x95, 0x9f, 0xa3]) table[code] = 4;
  return table;
}
