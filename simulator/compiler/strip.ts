/**
 * Strips: runs of lane-wise operations, emitted for four lanes at a time. Inside a strip values live in WebAssembly locals; what
 * other code needs is written to the frame. Short strips are unrolled over the eight groups of four lanes, longer ones loop.
 */

import type { Instruction } from '../ir/types.ts';
import type { KernelContext } from './kernel-context.ts';
import type { EmitScalar, EmitVector } from './operation.ts';
import type { Reference } from './values.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** One scalar result of a lane-wise instruction. */
export interface LaneOperation {
  readonly instruction: Instruction;
  readonly operands: readonly Reference[];
  readonly result: Reference & { kind: 'value' };
  /** The operation on scalars, where the instruction works on vectors: what the emission looks at. */
  readonly emitted?: Instruction;
  readonly vector?: EmitVector;
  /** Replaces `vector` where all lanes share the last operand: the count of a shift. */
  readonly uniformVector?: EmitVector;
  /** Used lane by lane where there is no vector form. */
  readonly scalar?: EmitScalar;
}

/** A value that a strip writes to the frame: what it computed, or an operand that is only moved. */
export interface StripOutput {
  readonly from: Reference;
  /** Frame offset: 32 lanes of the value; of a mask, one word. */
  readonly slot: number;
  /** Only the lanes of the mask are written. */
  readonly masked: boolean;
}

/** What a strip asks of the function around it. */
export interface StripHost {
  readonly f: FunctionBuilder;
  readonly context: KernelContext;
  readonly frame: number;
  /** Local that holds the mask of active lanes. */
  readonly mask: number;
  /** Local that holds a value which all lanes share, as i32 or i64; undefined for one that differs between lanes. */
  scalarLocal(reference: Reference): number | undefined;
  /** Frame offset of a value that lies there. */
  slotOf(reference: Reference): number;
  /** Makes a mask that a strip has computed available in a local as well. */
  maskComputed(reference: Reference, local: number): void;
  /** Local that holds a mask of lanes. */
  maskLocal(reference: Reference): number;
}

/** Operations times groups of lanes up to which a strip is unrolled. */
const UNROLL_LIMIT = 5;

export function emitStrip(host: StripHost, operations: readonly LaneOperation[], outputs: readonly StripOutput[]): void {
  if (operations.length === 0 && outputs.length === 0) return;
  const strip = new Strip(host, operations, outputs);
  strip.emit();
}

const key = (r: Reference & { kind: 'value' }): string => `${r.id}:${r.component}`;

class Strip {
  readonly #values = new Map<string, readonly number[]>();
  readonly #temporaries: number[] = [];
  /** Local with 16 times the number of the group in a loop; undefined when unrolled. */
  #position: number | undefined;
  #group = 0;
  #wordBase = 0;
  #doubleBase = 0;
  #laneMask: number | undefined;
  readonly #accumulators = new Map<number, number>();

  readonly #host: StripHost;
  readonly #operations: readonly LaneOperation[];
  readonly #outputs: readonly StripOutput[];

  constructor(host: StripHost, operations: readonly LaneOperation[], outputs: readonly StripOutput[]) {
    this.#host = host;
    this.#operations = operations;
    this.#outputs = outputs;
  }

  emit(): void {
    const { f } = this.#host;
    this.#prepareOperands();
    for (const output of this.#outputs) {
      if (output.from.cls !== 'mask') continue;
      const accumulator = f.local('i32');
      f.i32(0).set(accumulator);
      this.#accumulators.set(output.slot, accumulator);
    }
    if (this.#operations.length + this.#outputs.length <= UNROLL_LIMIT) {
      for (this.#group = 0; this.#group < 8; this.#group++) this.#emitGroup();
    } else this.#emitLoop();
    for (const output of this.#outputs) if (output.from.cls === 'mask') this.#storeMask(output);
    for (const local of this.#temporaries) f.release('v128', local);
  }

  /** Scalars and masks that the strip reads are fetched before a loop would fetch them again and again. */
  #prepareOperands(): void {
    const host = this.#host;
    const computed = new Set(this.#operations.map((o) => key(o.result)));
    const prepare = (reference: Reference): void => {
      if (reference.kind === 'constant' || computed.has(key(reference))) return;
      if (host.scalarLocal(reference) === undefined && reference.cls === 'mask') host.maskLocal(reference);
    };
    for (const operation of this.#operations) operation.operands.forEach(prepare);
    for (const output of this.#outputs) prepare(output.from);
  }

  #emitLoop(): void {
    const { f, frame } = this.#host;
    const position = f.local('i32');
    const wordBase = f.local('i32');
    const doubleBase = f.local('i32');
    this.#position = position;
    this.#wordBase = wordBase;
    this.#doubleBase = doubleBase;
    f.i32(0).set(position);
    const depth = f.depth;
    f.loop();
    f.get(frame).get(position).op('i32.add').set(wordBase);
    f.get(frame).get(position).i32(1).op('i32.shl', 'i32.add').set(doubleBase);
    this.#emitGroup();
    f.get(position).i32(16).op('i32.add').tee(position).i32(128).op('i32.ne').brIf(depth);
    f.end();
    for (const local of [position, wordBase, doubleBase]) f.release('i32', local);
  }

  #emitGroup(): void {
    this.#values.clear();
    this.#laneMask = undefined;
    const lastUse = this.#lastUses();
    this.#operations.forEach((operation, index) => {
      this.#emitOperation(operation);
      for (const operand of operation.operands) {
        if (operand.kind === 'value' && lastUse.get(key(operand)) === index) this.#forget(key(operand));
      }
    });
    for (const output of this.#outputs) this.#emitOutput(output);
    for (const name of [...this.#values.keys()]) this.#forget(name);
    if (this.#laneMask !== undefined) this.#host.f.release('v128', this.#laneMask);
  }

  /** By value: index of the last operation that reads it; values that are written out live to the end. */
  #lastUses(): Map<string, number> {
    const last = new Map<string, number>();
    this.#operations.forEach((operation, index) => {
      for (const operand of operation.operands) if (operand.kind === 'value') last.set(key(operand), index);
    });
    for (const { from } of this.#outputs) if (from.kind === 'value') last.set(key(from), Number.POSITIVE_INFINITY);
    return last;
  }

  #forget(name: string): void {
    for (const local of this.#values.get(name) ?? []) this.#host.f.release('v128', local);
    this.#values.delete(name);
  }

  #emitOperation(operation: LaneOperation): void {
    const { f } = this.#host;
    const { operands, result } = operation;
    const instruction = operation.emitted ?? operation.instruction;
    const halves = result.cls === 'double' ? ([0, 1] as const) : ([0] as const);
    const locals: number[] = [];
    if (operation.vector) {
      for (const half of halves) {
        operation.vector({
          f,
          kernel: this.#host.context,
          instruction,
          half,
          push: (index, part) => this.#push(operands[index], part ?? 0),
          constant: (index) => constantOf(operands[index]),
          scalar: (index) => this.#pushScalar(operands[index]),
        });
        const local = f.local('v128');
        f.set(local);
        locals.push(local);
      }
    } else locals.push(...this.#laneByLane(operation, halves.length));
    this.#values.set(key(result), locals);
  }

  #laneByLane({ instruction: whole, emitted, operands, result, scalar }: LaneOperation, vectors: number): number[] {
    const instruction = emitted ?? whole;
    if (!scalar) throw new Error(`no emission for ${instruction.op}`);
    const { f } = this.#host;
    const results = Array.from({ length: vectors }, () => f.local('v128'));
    const arguments_ = operands.map((o) => this.#argument(o));
    for (const local of results) f.v128([0, 0, 0, 0]).set(local);
    for (let lane = 0; lane < 4; lane++) {
      for (const argument of arguments_) argument.extract(lane);
      const target = results[vectors === 2 ? lane >> 1 : 0];
      f.get(target);
      scalar({
        f,
        kernel: this.#host.context,
        instruction,
        push: (index) => arguments_[index].push(),
        constant: (index) => constantOf(operands[index]),
      });
      if (result.cls === 'double') f.lane('i64x2.replace_lane', lane & 1);
      else {
        // A mask's lanes are all ones or zeros.
        if (result.cls === 'mask') {
          const value = f.local('i32');
          f.set(value).i32(0).get(value).op('i32.sub');
          f.release('i32', value);
        }
        f.lane('i32x4.replace_lane', lane);
      }
      f.set(target);
    }
    for (const argument of arguments_) argument.release();
    return results;
  }

  /** An operand of a lane-by-lane operation: one local that holds the lane's value in turn. */
  #argument(operand: Reference): { extract(lane: number): void; push(): void; release(): void } {
    const { f } = this.#host;
    const known = constantOf(operand);
    const nothing = (): void => {};
    if (known !== undefined) return { extract: nothing, push: () => pushConstant(f, operand.cls, known), release: nothing };
    const shared = this.#host.scalarLocal(operand);
    if (shared !== undefined) return { extract: nothing, push: () => f.get(shared), release: nothing };
    const type = operand.cls === 'double' ? 'i64' : 'i32';
    const local = f.local(type);
    return {
      extract: (lane) => {
        this.#push(operand, operand.cls === 'double' ? ((lane >> 1) as 0 | 1) : 0);
        if (operand.cls === 'double') f.lane('i64x2.extract_lane', lane & 1);
        else f.lane('i32x4.extract_lane', lane);
        if (operand.cls === 'mask') f.i32(1).op('i32.and');
        f.set(local);
      },
      push: () => f.get(local),
      release: () => f.release(type, local),
    };
  }

  #pushScalar(reference: Reference): (() => void) | undefined {
    const { f } = this.#host;
    const known = constantOf(reference);
    if (known !== undefined) return () => pushConstant(f, reference.cls, known);
    const local = this.#host.scalarLocal(reference);
    return local === undefined ? undefined : () => f.get(local);
  }

  /** Pushes the vector of this group's lanes. */
  #push(reference: Reference, half: 0 | 1): void {
    const { f } = this.#host;
    if (reference.kind === 'constant') {
      f.v128(splatWords(reference.cls, reference.bits));
      return;
    }
    const computed = this.#values.get(key(reference));
    if (computed) {
      f.get(computed[reference.cls === 'double' ? half : 0]);
      return;
    }
    const shared = this.#host.scalarLocal(reference);
    if (shared !== undefined) {
      if (reference.cls === 'mask') f.i32(0).get(shared).op('i32.sub', 'i32x4.splat');
      else f.get(shared).op(reference.cls === 'double' ? 'i64x2.splat' : 'i32x4.splat');
      return;
    }
    if (reference.cls === 'mask') this.#pushLaneMask(this.#host.maskLocal(reference));
    else this.#access('v128.load', reference.cls, this.#host.slotOf(reference), half);
  }

  /** Pushes the four bits of this group in a mask as a vector of all ones or zeros. */
  #pushLaneMask(mask: number): void {
    const { f } = this.#host;
    f.get(mask);
    if (this.#position !== undefined) f.get(this.#position).i32(2).op('i32.shr_u', 'i32.shr_u');
    else if (this.#group > 0) f.i32(4 * this.#group).op('i32.shr_u');
    f.op('i32x4.splat').v128([1, 2, 4, 8]).op('v128.and').v128([1, 2, 4, 8]).op('i32x4.eq');
  }

  /** Loads or stores this group's part of a slot; the value to store is pushed by `value`. */
  #access(name: 'v128.load' | 'v128.store', cls: 'word' | 'double' | 'mask', slot: number, half: 0 | 1, value?: () => void): void {
    const { f, frame } = this.#host;
    const wide = cls === 'double';
    let offset = slot + 16 * half;
    if (this.#position === undefined) {
      f.get(frame);
      offset += (wide ? 32 : 16) * this.#group;
    } else f.get(wide ? this.#doubleBase : this.#wordBase);
    value?.();
    f.mem(name, offset);
  }

  #emitOutput({ from, slot, masked }: StripOutput): void {
    const { f, mask } = this.#host;
    if (from.cls === 'mask') {
      const accumulator = this.#accumulators.get(slot)!;
      f.get(accumulator);
      this.#push(from, 0);
      f.op('i32x4.bitmask');
      if (this.#position !== undefined) f.get(this.#position).i32(2).op('i32.shr_u', 'i32.shl');
      else if (this.#group > 0) f.i32(4 * this.#group).op('i32.shl');
      f.op('i32.or').set(accumulator);
      return;
    }
    const cls = from.cls;
    for (const half of cls === 'double' ? ([0, 1] as const) : ([0] as const)) {
      this.#access('v128.store', cls, slot, half, () => {
        this.#push(from, half);
        if (!masked) return;
        this.#access('v128.load', cls, slot, half);
        if (this.#laneMask === undefined) {
          this.#laneMask = f.local('v128');
          this.#pushLaneMask(mask);
          f.set(this.#laneMask);
        }
        f.get(this.#laneMask);
        if (cls === 'double') f.get(this.#laneMask).shuffle(half === 0 ? SPREAD_LOW : SPREAD_HIGH);
        f.op('v128.bitselect');
      });
    }
  }

  #storeMask({ from, slot, masked }: StripOutput): void {
    const { f, frame, mask } = this.#host;
    const accumulator = this.#accumulators.get(slot)!;
    if (masked) {
      f.get(accumulator).get(mask).op('i32.and').get(frame).mem('i32.load', slot);
      f.get(mask).i32(-1).op('i32.xor', 'i32.and', 'i32.or').set(accumulator);
    }
    f.get(frame).get(accumulator).mem('i32.store', slot);
    this.#host.maskComputed(from, accumulator);
  }
}

const SPREAD_LOW = [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7];
const SPREAD_HIGH = [8, 9, 10, 11, 8, 9, 10, 11, 12, 13, 14, 15, 12, 13, 14, 15];

function constantOf(reference: Reference): bigint | undefined {
  return reference.kind === 'constant' ? reference.bits : undefined;
}

export function pushConstant(f: FunctionBuilder, cls: Reference['cls'], bits: bigint): void {
  if (cls === 'double') f.i64(bits);
  else f.i32(Number(BigInt.asIntN(32, bits)));
}

function splatWords(cls: Reference['cls'], bits: bigint): [number, number, number, number] {
  const low = cls === 'mask' ? (bits & 1n ? -1 : 0) : Number(BigInt.asIntN(32, bits));
  const high = cls === 'double' ? Number(BigInt.asIntN(32, bits >> 32n)) : low;
  return [low, high, low, high];
}
