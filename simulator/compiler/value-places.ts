/**
 * Where the values of a warp are while its code is emitted: scalars and masks in locals of a unit, all else in slots of the warp's
 * frame, where they live longer than a unit. Operations on lanes are collected and emitted as strips.
 */
import type { IrFunction } from '../ir/types.ts';
import { UnsupportedIr } from '../ir/types.ts';
import { slotBytes } from './components.ts';
import type { KernelContext } from './kernel-context.ts';
import type { LaneForms } from './lane-forms.ts';
import { FRAME } from './layout.ts';
import type { MemoryEmitter } from './memory-emitter.ts';
import { frameOffsetOf, launchFactOffset } from './registers.ts';
import { emitStrip, type LaneOperation, pushConstant, type StripHost, type StripOutput } from './strip.ts';
import { type Unit, type ValueReaders, type ValueReference, valueKey } from './unit-layout.ts';
import type { Reference, ValueNames } from './values.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

const W = 0;
const F = 1;

export class ValuePlaces implements StripHost, MemoryEmitter {
  readonly f: FunctionBuilder;
  readonly frame = F;
  readonly worker = W;
  readonly fn: IrFunction;
  readonly context: KernelContext;
  readonly names: ValueNames;
  readonly forms: LaneForms;
  /** Local with the mask of active lanes. */
  readonly mask: number;
  /** Bytes of a warp's frame so far. */
  frameBytes: number = FRAME.values;
  /** What code is being emitted. */
  unit!: Unit;
  readonly #readers: ValueReaders;
  readonly #slots = new Map<string, number>();
  /** Locals of the current unit that hold scalars and masks. */
  #cached = new Map<string, number>();
  #unitLocals: { readonly type: 'i32' | 'i64'; readonly local: number }[] = [];
  #pending: LaneOperation[] = [];
  /** By value and component: where the host finds a scalar or a mask as words. */
  readonly #hostSlots = new Map<string, number>();
  /** The kernel runs path by path: other paths may have paused between writing and reading what the host is to find. */
  readonly #keepsHostSlots: boolean;

  constructor({
    f,
    fn,
    context,
    names,
    forms,
    readers,
  }: Pick<ValuePlaces, 'f' | 'fn' | 'context' | 'names' | 'forms'> & { readonly readers: ValueReaders }) {
    this.f = f;
    this.fn = fn;
    this.context = context;
    this.names = names;
    this.forms = forms;
    this.#readers = readers;
    this.#keepsHostSlots = context.parting !== undefined;
    this.mask = f.local('i32');
  }

  beginUnit(unit: Unit): void {
    this.unit = unit;
    this.#cached = new Map();
  }

  endUnit(): void {
    for (const { type, local } of this.#unitLocals) this.f.release(type, local);
    this.#unitLocals = [];
  }

  scalarLocal(reference: Reference): number | undefined {
    if (reference.kind === 'constant') throw new Error('a constant has no local');
    if (!this.isScalar(reference)) return undefined;
    const name = valueKey(reference);
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const { f } = this;
    const type = reference.cls === 'double' ? 'i64' : 'i32';
    const local = this.#unitLocal(type);
    const { base, offset } = this.#scalarPlace(reference);
    f.get(base).mem(`${type}.load`, offset).set(local);
    this.#cached.set(name, local);
    return local;
  }

  isScalar(reference: Reference): boolean {
    return reference.kind === 'constant' || this.forms.isScalar(reference.id);
  }

  slotOf(reference: Reference): number {
    if (reference.kind === 'constant') throw new Error('a constant has no slot');
    const definition = this.names.definition(reference.id);
    if (definition?.op === 'call') {
      const fixed = frameOffsetOf(definition.callee);
      if (fixed !== undefined) return fixed;
    }
    const name = valueKey(reference);
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = this.allocateSlot(this.isScalar(reference) ? 16 : slotBytes(reference.cls));
      this.#slots.set(name, slot);
    }
    return slot;
  }

  allocateSlot(bytes: number): number {
    const slot = this.frameBytes;
    this.frameBytes += bytes;
    return slot;
  }

  maskComputed(reference: Reference, local: number): void {
    this.#unitLocals.push({ type: 'i32', local });
    if (reference.kind === 'value') this.#cached.set(valueKey(reference), local);
  }

  maskLocal(reference: Reference): number {
    if (reference.kind === 'constant') throw new Error('a constant has no local');
    const name = valueKey(reference);
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const local = this.#unitLocal('i32');
    this.f.get(F).mem('i32.load', this.slotOf(reference)).set(local);
    this.#cached.set(name, local);
    return local;
  }

  /** Pushes the bit mask of lanes in which an i1 is set; lanes that are not active may be anything. */
  pushMask(reference: Reference): void {
    if (reference.kind === 'constant') {
      this.f.i32(reference.bits & 1n ? -1 : 0);
      return;
    }
    const scalar = this.scalarLocal(reference);
    if (scalar === undefined) this.f.get(this.maskLocal(reference));
    else this.f.i32(0).get(scalar).op('i32.sub');
  }

  /** Pushes a scalar: i32, or i64 for doubles. */
  pushScalar(reference: Reference): void {
    if (reference.kind === 'constant') {
      pushConstant(this.f, reference.cls, reference.bits);
      return;
    }
    const local = this.scalarLocal(reference);
    if (local === undefined) throw new Error('the value differs between lanes');
    this.f.get(local);
  }

  /** Frame offset at which all 32 lanes of a value lie, put there if need be. Masks become words of 0 and 1. */
  vectorSlot(reference: Reference): number {
    this.flush();
    if (reference.kind === 'value' && !this.isScalar(reference) && reference.cls !== 'mask') return this.slotOf(reference);
    const cls = reference.cls === 'mask' ? 'word' : reference.cls;
    const slot = this.allocateSlot(slotBytes(cls));
    const moved: ValueReference = { kind: 'value', cls, type: reference.type, id: -1, component: slot };
    emitStrip(this, [asWords(reference, moved)], [{ from: moved, slot, masked: false }]);
    return slot;
  }

  /**
   * Frame offset at which the host finds an operand, or leaves a result, by the number of the value. Of a kernel that runs path by path
   * it is always the same for a value, and only active lanes are written: other paths may have paused between writing and reading.
   */
  hostSlot(id: number, component: number, reference: Reference): number {
    if (!this.#keepsHostSlots) return this.vectorSlot(reference);
    this.flush();
    const own = reference.kind === 'value' && !this.isScalar(reference) && reference.cls !== 'mask';
    if (own) return this.slotOf(reference);
    const slot = this.hostResultSlot(id, component, reference.cls);
    const cls = reference.cls === 'mask' ? 'word' : reference.cls;
    const moved: ValueReference = { kind: 'value', cls, type: reference.type, id: -1, component: slot };
    emitStrip(this, [asWords(reference, moved)], [{ from: moved, slot, masked: true }]);
    return slot;
  }

  /** Frame offset of a result that is a scalar or a mask, as words. */
  hostResultSlot(id: number, component: number, cls: Reference['cls']): number {
    const bytes = slotBytes(cls === 'double' ? 'double' : 'word');
    if (!this.#keepsHostSlots) return this.allocateSlot(bytes);
    const name = `${id}:${component}`;
    let slot = this.#hostSlots.get(name);
    if (slot === undefined) {
      slot = this.allocateSlot(bytes);
      this.#hostSlots.set(name, slot);
    }
    return slot;
  }

  /** Gives a scalar result the value on the stack. */
  defineScalar(reference: ValueReference): void {
    const { f } = this;
    const type = reference.cls === 'double' ? 'i64' : 'i32';
    const local = this.#unitLocal(type);
    f.set(local);
    this.#cached.set(valueKey(reference), local);
    if (this.#readers.areElsewhere(reference, this.unit.index)) f.get(F).get(local).mem(`${type}.store`, this.slotOf(reference));
  }

  /** Stores a scalar in the frame, where the host finds it. */
  storeScalar(reference: ValueReference): number {
    const slot = this.slotOf(reference);
    this.f.get(F);
    this.pushScalar(reference);
    this.f.mem(reference.cls === 'double' ? 'i64.store' : 'i32.store', slot);
    return slot;
  }

  get writesMasked(): boolean {
    return this.forms.overwritten(this.unit.block);
  }

  /** True if some instruction reads the value. */
  isUsed(reference: Reference): boolean {
    return reference.kind === 'value' && this.#readers.isRead(reference);
  }

  forget(reference: Reference): void {
    if (reference.kind === 'value') this.#cached.delete(valueKey(reference));
  }

  flush(): void {
    if (this.#pending.length === 0) return;
    const operations = this.#pending;
    this.#pending = [];
    const inside = new Set(operations.map((o) => o.instruction));
    const masked = this.forms.overwritten(this.unit.block);
    const outputs: StripOutput[] = [];
    for (const { result } of operations) {
      if (this.#readers.areOutside(result, this.unit.index, inside)) outputs.push({ from: result, slot: this.slotOf(result), masked });
    }
    emitStrip(this, operations, outputs);
  }

  /** Computes something: at once if it is a scalar, with others in a strip if not. */
  compute(operation: LaneOperation): void {
    const { result, operands } = operation;
    const instruction = operation.emitted ?? operation.instruction;
    if (!this.isScalar(result)) {
      const shared = operation.uniformVector && this.isScalar(operands[operands.length - 1]);
      this.#pending.push(shared ? { ...operation, vector: operation.uniformVector } : operation);
      return;
    }
    const { scalar } = operation;
    if (!scalar) throw new UnsupportedIr(`no scalar form of ${instruction.op}`, instruction.location);
    // Operations may read an operand in conditional code only: all are fetched before.
    for (const operand of operands) if (operand.kind === 'value') this.scalarLocal(operand);
    scalar({
      f: this.f,
      kernel: this.context,
      instruction,
      push: (index) => this.pushScalar(operands[index]),
      constant: (index) => constantBits(operands[index]),
    });
    this.defineScalar(result);
  }

  /** What is cached inside conditional code is not known outside. */
  scoped(emit: () => void): void {
    const saved = this.#cached;
    this.#cached = new Map(saved);
    emit();
    this.#cached = saved;
  }

  #unitLocal(type: 'i32' | 'i64'): number {
    const local = this.f.local(type);
    this.#unitLocals.push({ type, local });
    return local;
  }

  /** Where a scalar that no local of this unit holds is kept. */
  #scalarPlace(reference: ValueReference): { base: number; offset: number } {
    const definition = this.names.definition(reference.id);
    if (!definition) return { base: W, offset: this.context.parameterOffset(this.fn, reference.id, reference.component) };
    if (definition.op === 'call') {
      const offset = launchFactOffset(definition.callee);
      if (offset !== undefined) return { base: W, offset };
    }
    return { base: F, offset: this.slotOf(reference) };
  }
}

/** A value as words: masks become words of 0 and 1. */
function asWords(from: Reference, result: ValueReference): LaneOperation {
  return {
    instruction: MOVE,
    operands: [from],
    result,
    vector: ({ f, push, half }) => {
      push(0, half);
      if (from.cls === 'mask') f.v128([1, 1, 1, 1]).op('v128.and');
    },
  };
}

function constantBits(reference: Reference): bigint | undefined {
  return reference.kind === 'constant' ? reference.bits : undefined;
}

export const MOVE = { op: 'freeze', id: -1, type: { kind: 'void' }, site: -1, a: { kind: 'undef', type: { kind: 'void' } } } as const;
