/** What an interpretation notes: facts, each with its moment, and what the work so far costs. */
import type { Expr, Node } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { anything, type Form } from './form.ts';
import { type Frames, frameOf, placeOf } from './frames.ts';
import { UNKNOWN } from './types.ts';
import { type Moment, type NarrowProduct, newRawFacts, type RawBranch, type RawFacts, type RawValue, type Value } from './values.ts';

/** What is noted on the way. */
export interface Recorder {
  readonly facts: RawFacts;
  order: number;
  epoch: number;
  /** Machine instructions so far, estimated. */
  cost: number;
  /** Loads from global memory so far, without those that a register saves. */
  globalLoads: number;
  /** Loops, barriers, atomics, calls and slow paths passed so far: what cannot be predicated makes a side of a branch heavy. */
  weight: number;
  /** By what their addresses have in common: objects whose address is computed, and elements of them that are in registers. */
  addresses: Map<Form, Set<string>>;
  /** By local array: the first value stored in it that comes from memory and differs between lanes. */
  localData: Map<string, Form>;
  /** Variables and arrays that hold pointers, some of them to shared or local memory. */
  pointsAside: Set<string>;
  /** Branches whose lanes left, until the loop or function that they left ends. */
  exits: OpenExit[];
  /** Nobody asks what host code branches on, only that something is undecided: its first branch stands for all. */
  hostBranch: RawBranch | undefined;
  /** Results of one double operation on a float and a literal that a float holds exactly, by the literal's place among those noted. */
  readonly narrowable: WeakMap<Value, number>;
  /** Doubles that floats and literals alone gave, by the literals' places. */
  readonly promoted: WeakMap<Value, readonly number[]>;
  /** The product of 32 bits in a value, for whoever widens it. */
  readonly narrowProducts: WeakMap<Value, NarrowProduct>;
  /** Quotients of 32 bits. */
  readonly narrowQuotients: WeakSet<Form>;
  /** Conditions, as against logical values that are kept. */
  readonly deciding: WeakSet<Expr>;
  /** Definitions that were looked at: what the facts depend on. */
  readonly uses: Set<Item>;
  /** Names looked up, so that adding a definition elsewhere is noticed. */
  readonly names: Set<string>;
}

export interface OpenExit {
  readonly branch: RawBranch;
  readonly flow: 'return' | 'break' | 'continue';
  readonly cost: number;
  readonly weight: number;
  readonly depth: number;
}

export function newRecorder(): Recorder {
  return {
    facts: newRawFacts(),
    order: 0,
    epoch: 0,
    cost: 0,
    globalLoads: 0,
    weight: 0,
    addresses: new Map(),
    localData: new Map(),
    pointsAside: new Set(),
    exits: [],
    hostBranch: undefined,
    narrowable: new WeakMap(),
    promoted: new WeakMap(),
    narrowProducts: new WeakMap(),
    narrowQuotients: new WeakSet(),
    deciding: new WeakSet(),
    uses: new Set(),
    names: new Set(),
  };
}

export function momentOf(m: Frames & Recorder, node: Node): Moment {
  const frame = frameOf(m);
  return {
    place: { item: frame.item, start: node.start, end: node.end },
    order: m.order++,
    path: m.path,
    loops: m.loops,
    functionName: frame.name,
    callSite: frame.callSite,
    epoch: m.epoch,
  };
}

export function rawValue(m: Frames, value: Value, node: Node): RawValue {
  if (value.v === 'num') return { form: value.form, type: value.type, place: placeOf(m, node) };
  if (value.v === 'ptr')
    return {
      form: value.offset,
      type: { t: 'pointer', name: `${value.to.name} *`, to: value.to, size: 8 },
      place: placeOf(m, node),
      object: value.object,
    };
  return { form: anything({ data: false, unknown: true }), type: value.v === 'struct' ? value.type : UNKNOWN, place: placeOf(m, node) };
}

/** A pointer that is kept somewhere: what is done through it no longer shows the array's own shape. */
export function noteEscape(m: Recorder, value: Value): void {
  if (value.v === 'ptr') m.facts.escaped.add(value.object.id);
}
