/** Loads, stores, atomics and whatever else is not computed lane by lane. */

import type { Effect } from '../ir/intrinsics/description.ts';
import { intrinsicOf, meaningOf } from '../ir/intrinsics.ts';
import { storeSizeOf } from '../ir/layout.ts';
import { operandsOf } from '../ir/operands.ts';
import { type Instruction, type IrFunction, type Operand, UnsupportedIr } from '../ir/types.ts';
import { emitAtomic, isLaneAtomic } from './atomic-operations.ts';
import { componentsOf } from './components.ts';
import { REDUCTION } from './helper-parts.ts';
import { emitInnerBranch } from './inner-branches.ts';
import type { HostValue, KernelContext } from './kernel-context.ts';
import { INFO, KIND } from './layout.ts';
import { emitMathCall } from './math-calls.ts';
import { servedTogether } from './pattern-helper.ts';
import { emitStrip, type LaneOperation, type StripHost } from './strip.ts';
import type { Reference, ValueNames } from './values.ts';
import { emitExchange, emitWarpBarrier, isPlainExchange } from './warp-emitter.ts';

type ValueReference = Reference & { kind: 'value' };

export interface MemoryEmitter extends StripHost {
  readonly fn: IrFunction;
  readonly context: KernelContext;
  readonly names: ValueNames;
  /** Local with the worker's area. */
  readonly worker: number;
  isScalar(reference: Reference): boolean;
  isUsed(reference: Reference): boolean;
  pushScalar(reference: Reference): void;
  pushMask(reference: Reference): void;
  defineScalar(reference: ValueReference): void;
  vectorSlot(reference: Reference): number;
  hostSlot(id: number, component: number, reference: Reference): number;
  hostResultSlot(id: number, component: number, cls: Reference['cls']): number;
  forget(reference: Reference): void;
  /** Emits what has been put off. */
  flush(): void;
  /** For conditional code. */
  scoped(emit: () => void): void;
  /** Vectors that this block computes are written for the active lanes only. */
  readonly writesMasked: boolean;
}

/** Bytes of the loads and stores that helpers move. */
const MOVED_BYTES: ReadonlySet<number> = new Set([1, 2, 4, 8]);

export function emitMemory(e: MemoryEmitter, instruction: Instruction): void {
  switch (instruction.op) {
    case 'load':
      if (isMovable(instruction.type)) emitLoad(e, instruction);
      else emitHostStep(e, instruction);
      return;
    case 'store':
      if (isMovable(instruction.value.type)) emitStore(e, instruction);
      else emitHostStep(e, instruction);
      return;
    case 'atomicrmw':
      if (isPlainSum(e, instruction)) emitReduceAdd(e, instruction);
      else if (isLaneAtomic(instruction) && !e.context.site(e.fn, instruction).countsUp) emitAtomic(e, instruction);
      else emitHostStep(e, instruction);
      return;
    case 'cmpxchg':
      if (isLaneAtomic(instruction)) emitAtomic(e, instruction);
      else emitHostStep(e, instruction);
      return;
    case 'call':
      refuseInterpreted(instruction, e.context.imports.probes !== undefined);
      if (e.context.isDefined(instruction.callee))
        throw new UnsupportedIr(`calls are not compiled (${instruction.callee})`, instruction.location);
      if (isPlainExchange(instruction)) emitExchange(e, instruction);
      else if (meaningOf(instruction)?.kind === 'warpBarrier') emitWarpBarrier(e, instruction);
      else if (meaningOf(instruction)?.kind === 'innerBranch') emitInnerBranch(e, instruction);
      else if (e.context.mathHelpers.has(instruction.callee)) emitMathCall(e, instruction);
      else emitHostStep(e, instruction);
      return;
    default:
      emitHostStep(e, instruction);
  }
}

/** They end lanes, or change how much local memory these have. */
const INTERPRETED: ReadonlySet<Effect> = new Set<Effect>(['exit', 'stack']);
/** Of these nobody would be told. */
const INTERPRETED_WITH_PROBES: ReadonlySet<Effect> = new Set<Effect>(['heap', 'launch']);

/** Calls that the compiled engine leaves to the interpreter, with the whole kernel. */
function refuseInterpreted({ callee, location }: Extract<Instruction, { op: 'call' }>, hasProbes: boolean): void {
  const effect = intrinsicOf(callee)?.effect;
  if (effect === undefined) return;
  if (INTERPRETED.has(effect)) throw new UnsupportedIr(`${callee} is not compiled`, location);
  if (hasProbes && INTERPRETED_WITH_PROBES.has(effect))
    throw new UnsupportedIr(
      `${effect === 'launch' ? 'what launches kernels' : callee} is compiled only where no checks look on (--no-sanitize)`,
      location,
    );
}

function isMovable(type: Instruction['type']): boolean {
  return componentsOf(type).every((c) => c.cls !== 'mask' && MOVED_BYTES.has(storeSizeOf(c.type)));
}

function emitLoad(e: MemoryEmitter, load: Extract<Instruction, { op: 'load' }>): void {
  const { f } = e;
  const site = e.context.site(e.fn, load);
  const [pointer] = e.names.references(load.pointer);
  const results = e.names.ofValue(load.id, load.type) as readonly ValueReference[];
  if (e.isScalar(results[0])) {
    const address = f.local('i32');
    const known = e.context.structureOffset(load);
    if (known === undefined) pushUniformAddress(e, pointer, site);
    else f.get(e.worker).mem('i32.load', INFO.localBase).i32(known).op('i32.add');
    f.set(address);
    for (const [index, component] of componentsOf(load.type).entries()) {
      const bytes = storeSizeOf(component.type);
      f.get(address).mem(
        bytes === 8 ? 'i64.load' : bytes === 4 ? 'i32.load' : bytes === 2 ? 'i32.load16_u' : 'i32.load8_u',
        component.offset,
      );
      e.defineScalar(results[index]);
    }
    f.release('i32', address);
    return;
  }
  const kind = pushCheckedKind(e, pointer, site);
  moveComponents(e, e.context.helpers.load, load.type, kind, (index) => e.slotOf(results[index]));
}

function pushUniformAddress(e: MemoryEmitter, pointer: Reference, site: ReturnType<KernelContext['site']>): void {
  const { f } = e;
  f.get(e.worker);
  e.pushScalar(pointer);
  if (site.base !== 0) f.i32(site.base).op('i32.add');
  f.get(e.mask).get(e.worker).i32(site.record).op('i32.add').i32(site.bytes).i32(site.align);
  f.i32(servedTogether((site.counted ?? site).bytes)).call(e.context.helpers.uniform);
}

/** Local with the kind of the request's pattern, after its addresses have been checked and counted. */
function pushCheckedKind(e: MemoryEmitter, pointer: Reference, site: ReturnType<KernelContext['site']>): number {
  const { f } = e;
  const slot = e.vectorSlot(pointer);
  const kind = f.local('i32');
  f.get(e.worker).get(e.frame).i32(slot).op('i32.add').get(e.mask);
  f.get(e.worker).i32(site.record).op('i32.add').i32(site.base).call(e.context.helpers.check).set(kind);
  return kind;
}

function moveComponents(
  e: MemoryEmitter,
  move: MemoryEmitter['context']['helpers']['load'],
  type: Instruction['type'],
  kind: number,
  slotOf: (component: number) => number,
): void {
  const { f } = e;
  const components = componentsOf(type);
  if (components.length > 1) {
    // Lanes that follow one another are not so for each of several components.
    f.i32(KIND.general).get(kind).get(kind).i32(KIND.consecutive).op('i32.eq', 'select').set(kind);
  }
  for (const [index, component] of components.entries()) {
    f.get(kind).get(e.worker).get(e.frame).i32(slotOf(index)).op('i32.add').get(e.mask).i32(component.offset);
    f.call(move[storeSizeOf(component.type)]);
  }
  f.release('i32', kind);
}

function emitStore(e: MemoryEmitter, store: Extract<Instruction, { op: 'store' }>): void {
  const site = e.context.site(e.fn, store);
  const [pointer] = e.names.references(store.pointer);
  const slots = e.names.references(store.value).map((r) => e.vectorSlot(r));
  const kind = pushCheckedKind(e, pointer, site);
  moveComponents(e, e.context.helpers.store, store.value.type, kind, (index) => slots[index]);
}

/** A 32-bit integer addition whose old value nobody reads. */
function isPlainSum(e: MemoryEmitter, atomic: Extract<Instruction, { op: 'atomicrmw' }>): boolean {
  if (atomic.operation !== 'add' || atomic.type.kind !== 'int' || atomic.type.bits !== 32) return false;
  return !e.isUsed(e.names.ofValue(atomic.id, atomic.type)[0]);
}

function emitReduceAdd(e: MemoryEmitter, atomic: Extract<Instruction, { op: 'atomicrmw' }>): void {
  const { f } = e;
  const site = e.context.site(e.fn, atomic);
  const addresses = e.vectorSlot(e.names.references(atomic.pointer)[0]);
  const values = e.vectorSlot(e.names.references(atomic.value)[0]);
  const pushArguments = (): void => {
    f.get(e.worker).get(e.frame).i32(addresses).op('i32.add').get(e.frame).i32(values).op('i32.add').get(e.mask);
    f.get(e.worker).i32(site.record).op('i32.add').i32(site.base);
    if (site.aggregation === 'full-warp') f.get(e.mask).i32(-1).op('i32.eq');
    else f.i32(site.aggregation === 'always' ? REDUCTION.combined : 0);
    if (site.countsUp) f.i32(REDUCTION.countsUp).op('i32.or');
  };
  pushArguments();
  f.call(e.context.helpers.reduceAdd).op('i32.eqz').if();
  pushArguments();
  f.call(e.context.imports.reduceAdd);
  f.end();
}

/** Has the host execute the instruction for the active lanes, on values in the frame. */
export function emitHostStep(e: MemoryEmitter, instruction: Instruction): void {
  const { f } = e;
  const values = emitOperands(e, instruction);
  const step = e.context.addStep({ fn: e.fn, instruction, values });
  f.get(e.worker).get(e.frame).get(e.mask).i32(step).call(e.context.imports.host);
  const slots = values.filter((v) => v.operand === 'result').map((v) => v.slot);
  resultsOf(e, instruction).forEach((result, component) => {
    takeWords(e, result, slots[component]);
  });
}

/** Takes over what the host has left of an instruction that a path paused at. */
export function emitResults(e: MemoryEmitter, instruction: Instruction): void {
  resultsOf(e, instruction).forEach((result, component) => {
    takeWords(e, result, slotForWords(e, instruction.id, component, result));
  });
}

function resultsOf(e: MemoryEmitter, { id, type }: Instruction): readonly ValueReference[] {
  return id < 0 ? [] : (e.names.ofValue(id, type) as readonly ValueReference[]);
}

function slotForWords(e: MemoryEmitter, id: number, component: number, result: ValueReference): number {
  return result.cls === 'mask' || e.isScalar(result) ? e.hostResultSlot(id, component, result.cls) : e.slotOf(result);
}

/** Where an instruction's only result may be left as words, for `takeResult`. */
export function resultSlot(e: MemoryEmitter, instruction: Instruction): number {
  return slotForWords(e, instruction.id, 0, resultsOf(e, instruction)[0]);
}

export function takeResult(e: MemoryEmitter, instruction: Instruction, slot: number): void {
  takeWords(e, resultsOf(e, instruction)[0], slot);
}

/** Puts an instruction's operands where the host finds them; says where, and where results are to go. */
export function emitOperands(e: MemoryEmitter, instruction: Instruction): readonly HostValue[] {
  const values: HostValue[] = [];
  operandsOf(instruction).forEach((operand: Operand, index) => {
    e.names.references(operand).forEach((reference, component) => {
      // The interpreter has cells for constants of the text, not for values that turned out constant.
      if (operand.kind !== 'value') return;
      values.push({
        operand: 'argument',
        index,
        component,
        slot: e.hostSlot(operand.id, component, reference),
        wide: reference.cls === 'double',
      });
    });
  });
  resultsOf(e, instruction).forEach((result, component) => {
    const slot = slotForWords(e, instruction.id, component, result);
    values.push({ operand: 'result', index: 0, component, slot, wide: result.cls === 'double' });
  });
  return values;
}

function takeWords(e: MemoryEmitter, result: ValueReference, slot: number): void {
  const { f } = e;
  const wide = result.cls === 'double';
  if (e.isScalar(result)) {
    f.get(e.frame)
      .get(e.mask)
      .op('i32.ctz')
      .i32(wide ? 3 : 2)
      .op('i32.shl', 'i32.add')
      .mem(wide ? 'i64.load' : 'i32.load', slot);
    e.defineScalar(result);
    return;
  }
  if (result.cls !== 'mask') return;
  emitFromWord(e, result, { slot }, { slot: e.slotOf(result), masked: e.writesMasked });
}

/** Gives an instruction's only result, in all active lanes, the word in a local: 0 or 1 for a mask. */
export function takeOutcome(e: MemoryEmitter, instruction: Instruction, local: number): void {
  const [result] = resultsOf(e, instruction);
  if (!e.isScalar(result)) {
    emitFromWord(e, result, { local }, { slot: e.slotOf(result), masked: e.writesMasked });
    return;
  }
  e.f.get(local);
  e.defineScalar(result);
}

/** The same where the path then goes on as if the host had executed the instruction. */
export function emitResultFor(e: MemoryEmitter, instruction: Instruction, local: number): void {
  const [result] = resultsOf(e, instruction);
  const slot = slotForWords(e, instruction.id, 0, result);
  const words: ValueReference = { ...result, cls: 'word', id: -3, component: slot };
  emitFromWord(e, words, { local }, { slot, masked: true });
}

/** Lanes' results from their words, or from one that they share. */
function emitFromWord(
  e: MemoryEmitter,
  result: ValueReference,
  from: { readonly slot: number } | { readonly local: number },
  to: { readonly slot: number; readonly masked: boolean },
): void {
  const words: ValueReference = { ...result, cls: 'word', id: -4, component: to.slot };
  const operation: LaneOperation = {
    instruction: { op: 'unreachable', id: -1, type: { kind: 'void' }, site: -1 },
    operands: [words],
    result,
    vector: ({ f, push }) => {
      push(0);
      if (result.cls === 'mask') f.v128([0, 0, 0, 0]).op('i32x4.ne');
    },
  };
  const host: StripHost = {
    ...stripHost(e),
    slotOf: (r) => (r === words && 'slot' in from ? from.slot : e.slotOf(r)),
    scalarLocal: (r) => (r === words ? ('local' in from ? from.local : undefined) : e.scalarLocal(r)),
  };
  emitStrip(host, [operation], [{ from: result, ...to }]);
}

function stripHost(e: MemoryEmitter): StripHost {
  return {
    f: e.f,
    context: e.context,
    frame: e.frame,
    mask: e.mask,
    scalarLocal: (r) => e.scalarLocal(r),
    slotOf: (r) => e.slotOf(r),
    maskComputed: (r, l) => e.maskComputed(r, l),
    maskLocal: (r) => e.maskLocal(r),
  };
}
