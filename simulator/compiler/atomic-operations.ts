/**
 * Atomics whose old values are wanted, and all that are no plain sums, lane by lane in ascending order: each lane sees what the one
 * before left. On several threads, blocks wait for their turn where they could meet others here, so nothing has to be locked.
 */
import type { AtomicOp, Instruction, Type } from '../ir/types.ts';
import { spinsInShared } from '../simt/atomics.ts';
import { bitsOf } from './components.ts';
import { type Callable, forActiveLanes, REDUCTION } from './helper-parts.ts';
import { INFO } from './layout.ts';
import type { MemoryEmitter } from './memory-emitter.ts';
import type { Reference } from './values.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

type Atomic = Extract<Instruction, { op: 'atomicrmw' }>;
type CompareAndSwap = Extract<Instruction, { op: 'cmpxchg' }>;
type ValueReference = Reference & { kind: 'value' };

/** Pushes the new value from the locals with the old one and the operand, both as bits. */
type Combine = (f: FunctionBuilder, old: number, operand: number) => void;

/** True for an atomic that `emitAtomic` knows. */
export function isLaneAtomic(instruction: Instruction): boolean {
  if (instruction.op === 'cmpxchg') return wordOf(instruction.expected.type) !== undefined;
  if (instruction.op !== 'atomicrmw') return false;
  return wordOf(instruction.type) !== undefined && combination(instruction.operation, instruction.type) !== undefined;
}

export function emitAtomic(e: MemoryEmitter, instruction: Atomic | CompareAndSwap): void {
  const { f } = e;
  const site = e.context.site(e.fn, instruction);
  const addresses = e.vectorSlot(e.names.references(instruction.pointer)[0]);
  const operands = (instruction.op === 'cmpxchg' ? [instruction.expected, instruction.replacement] : [instruction.value]).map((o) =>
    e.vectorSlot(e.names.references(o)[0]),
  );
  const [old, success] = e.names.ofValue(instruction.id, instruction.type) as readonly ValueReference[];
  const flags = f.local('i32');
  if (site.aggregation === 'full-warp') f.get(e.mask).i32(-1).op('i32.eq');
  else f.i32(site.aggregation === 'always' ? REDUCTION.combined : 0);
  f.i32(instruction.op === 'atomicrmw' && spinsInShared(instruction) ? REDUCTION.spins : 0)
    .op('i32.or')
    .set(flags);
  f.get(e.worker).get(e.frame).i32(addresses).op('i32.add').get(e.mask).get(e.worker).i32(site.record).op('i32.add');
  f.i32(site.base).i32(site.bytes).get(flags).call(e.context.helpers.atomic);
  f.release('i32', flags);
  f.get(e.worker);
  for (const slot of [...operands, e.slotOf(old)]) f.get(e.frame).i32(slot).op('i32.add');
  f.get(e.mask).call(laneFunction(e, instruction));
  if (instruction.op === 'cmpxchg') takeMask(e, success);
}

/** Gives a mask the lanes on the stack. */
function takeMask(e: MemoryEmitter, result: ValueReference): void {
  const { f } = e;
  const lanes = f.local('i32');
  f.set(lanes);
  const slot = e.slotOf(result);
  f.get(e.frame).get(lanes);
  if (e.writesMasked) f.get(e.frame).mem('i32.load', slot).get(e.mask).i32(-1).op('i32.xor', 'i32.and', 'i32.or');
  f.mem('i32.store', slot);
  f.release('i32', lanes);
  e.forget(result);
}

/** The module's function for an operation: (W, operands ..., results, mask). Of a compare-and-swap it returns the lanes that succeeded. */
function laneFunction(e: MemoryEmitter, instruction: Atomic | CompareAndSwap): Callable {
  const type = instruction.op === 'cmpxchg' ? instruction.expected.type : instruction.type;
  const word = wordOf(type)!;
  const name = `${instruction.op === 'cmpxchg' ? 'cmpxchg' : instruction.operation} ${type.kind === 'float' ? 'f' : 'i'}${bitsOf(type)}`;
  return e.context.sharedFunction(name, (module) => {
    const operands = instruction.op === 'cmpxchg' ? 2 : 1;
    const f = module.function(name, {
      parameters: new Array(operands + 3).fill('i32'),
      results: instruction.op === 'cmpxchg' ? ['i32'] : [],
    });
    const [w, results, mask] = [0, operands + 1, operands + 2];
    const at = f.local('i32');
    const old = f.local(word);
    const values = Array.from({ length: operands }, () => f.local(word));
    const swapped = f.local('i32');
    f.i32(0).set(swapped);
    const shift = word === 'i64' ? 3 : 2;
    const { load, store } = storage(type);
    const pushLane = (slot: number, lane: number): FunctionBuilder => f.get(slot).get(lane).i32(shift).op('i32.shl', 'i32.add');
    forActiveLanes(f, mask, 'ascending', (lane) => {
      f.get(w).mem('i32.load', INFO.addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0);
      f.get(w).mem('i32.load', INFO.delta).op('i32.add').tee(at).mem(load, 0).set(old);
      values.forEach((local, index) => {
        pushLane(1 + index, lane)
          .mem(`${word}.load`, 0)
          .set(local);
      });
      pushLane(results, lane).get(old).mem(`${word}.store`, 0);
      if (instruction.op === 'cmpxchg') {
        f.get(old).get(values[0]).op(`${word}.eq`).if();
        f.get(at).get(values[1]).mem(store, 0);
        f.get(swapped).i32(1).get(lane).op('i32.shl', 'i32.or').set(swapped);
        f.end();
      } else {
        f.get(at);
        combination(instruction.operation, type)!(f, old, values[0]);
        f.mem(store, 0);
      }
    });
    if (instruction.op === 'cmpxchg') f.get(swapped);
    return f;
  });
}

function wordOf(type: Type): 'i32' | 'i64' | undefined {
  if (type.kind !== 'int' && type.kind !== 'ptr' && type.kind !== 'float') return undefined;
  const bits = bitsOf(type);
  if (type.kind === 'int' && (bits === 8 || bits === 16)) return 'i32';
  return bits === 32 ? 'i32' : bits === 64 ? 'i64' : undefined;
}

/** How a value lies in memory: whole, or as the low bits of its word, the others being zero. */
function storage(type: Type): { readonly load: string; readonly store: string; readonly bits: number | undefined } {
  const bits = bitsOf(type);
  const word = wordOf(type)!;
  return bits < 32
    ? { load: `i32.load${bits}_u`, store: `i32.store${bits}`, bits }
    : { load: `${word}.load`, store: `${word}.store`, bits: undefined };
}

function combination(operation: AtomicOp, type: Type): Combine | undefined {
  const p = wordOf(type);
  if (!p) return undefined;
  const simple =
    (...ops: string[]): Combine =>
    (f, old, operand) =>
      f
        .get(old)
        .get(operand)
        .op(...ops.map((op) => `${p}.${op}`));
  const { bits } = storage(type);
  const chosen =
    (compare: string): Combine =>
    (f, old, operand) => {
      f.get(old).get(operand);
      for (const local of [old, operand]) {
        f.get(local);
        if (bits && compare.endsWith('_s')) f.op(`i32.extend${bits}_s`);
      }
      return f.op(`${p}.${compare}`, 'select');
    };
  switch (operation) {
    case 'xchg':
      return (f, _, operand) => f.get(operand);
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
      return simple(operation);
    case 'max':
      return chosen('gt_s');
    case 'min':
      return chosen('lt_s');
    case 'umax':
      return chosen('gt_u');
    case 'umin':
      return chosen('lt_u');
    case 'fadd':
    case 'fsub': {
      const float = p === 'i32' ? 'f32' : 'f64';
      return (f, old, operand) => {
        for (const local of [old, operand]) f.get(local).op(`${float}.reinterpret_${p}`);
        f.op(`${float}.${operation.slice(1)}`, `${p}.reinterpret_${float}`);
      };
    }
    case 'uinc_wrap':
      return p === 'i32' && !bits ? increment : undefined;
    case 'udec_wrap':
      return p === 'i32' && !bits ? decrement : undefined;
    default:
      return undefined;
  }
}

/** 0 behind the operand. */
const increment: Combine = (f, old, operand) => f.i32(0).get(old).i32(1).op('i32.add').get(old).get(operand).op('i32.ge_u', 'select');

/** The operand behind 0 and for what is larger than it. */
const decrement: Combine = (f, old, operand) =>
  f.get(operand).get(old).i32(1).op('i32.sub').get(old).op('i32.eqz').get(old).get(operand).op('i32.gt_u', 'i32.or', 'select');
