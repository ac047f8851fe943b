/**
 * Memory that two streams use with nothing that orders them: a copy or a launch on one stream, and a later one on another that is given the
 * same place. Only streams that the function itself has created by different names are taken for different ones.
 */
import type { Expr } from '../syntax/ast.ts';
import type { Place } from '../syntax/source.ts';
import { isOnWay } from './early-accesses.ts';
import type { MemoryObject, Moment, RawFacts, RawHostCall } from './values.ts';

/** What a call does with memory that it is given. What a launch does is for its kernel to say. */
export interface StreamUse {
  readonly call: RawHostCall;
  readonly stream: Expr;
  readonly object: MemoryObject;
  /** By the argument's index, and where it stands. */
  readonly argument: number;
  readonly argumentPlace: Place;
  readonly does: 'read' | 'write' | 'launch';
}

export interface StreamPair {
  readonly earlier: StreamUse;
  readonly later: StreamUse;
}

/** Calls that order nothing. Others do, or may. */
const ORDERS_NOTHING =
  /^(cudaGetLastError|cudaPeekAtLastError|cudaGetErrorString|cudaEventRecord|cudaEventCreate(WithFlags)?|cudaMemcpyAsync|cudaMemsetAsync|cudaStreamCreate(WithFlags|WithPriority)?)$/;

const CREATES = /^cudaStreamCreate(WithFlags|WithPriority)?$/;

/** Argument with the stream, and with memory that is written and read. */
const COPIES: Readonly<Record<string, { readonly stream: number; readonly written: number; readonly read?: number }>> = {
  cudaMemcpyAsync: { stream: 4, written: 0, read: 1 },
  cudaMemsetAsync: { stream: 3, written: 0 },
};

export function streamPairs(facts: RawFacts, textOf: (place: Place) => string): StreamPair[] {
  const { hostCalls, foreignCalls } = facts;
  const created = hostCalls.filter(({ name }) => CREATES.test(name));
  if (created.length === 0) return [];
  const uses = hostCalls.flatMap((call) => usesOf(call));
  const nameOf = ({ stream, call }: StreamUse) => streamName(stream, call, created, textOf);
  return uses.flatMap((later): StreamPair[] => {
    const own = nameOf(later);
    if (own === undefined) return [];
    const isBetween = (from: Moment) => (order: number) => order > from.order && order < later.call.order;
    return uses.flatMap((earlier): StreamPair[] => {
      if (earlier.call.order >= later.call.order || earlier.object.id !== later.object.id || !isOnWay(earlier.call, later.call)) return [];
      if (earlier.does === 'read' && later.does === 'read') return [];
      const other = nameOf(earlier);
      if (other === undefined || other === own) return [];
      const within = isBetween(earlier.call);
      const isOrdered = foreignCalls.some(within) || hostCalls.some((call) => within(call.order) && mayOrder(call));
      return isOrdered ? [] : [{ earlier, later }];
    });
  });
}

/** The default stream waits for others and lets them wait. */
function mayOrder({ name, launch, args }: RawHostCall): boolean {
  if (launch) return !launch.streamNode || launch.api !== 'triple-chevron';
  const copy = COPIES[name];
  return copy ? args.length <= copy.stream : !ORDERS_NOTHING.test(name);
}

/** Of memory of the device from its first byte on: parts further on may be apart. */
function usesOf(call: RawHostCall): StreamUse[] {
  const { launch, name, args } = call;
  const copy = COPIES[name];
  const stream = launch?.api === 'triple-chevron' ? launch.streamNode : copy && args[copy.stream]?.node;
  if (!stream) return [];
  const given = launch ? launch.args : args;
  return given.flatMap(({ value, node }, argument): StreamUse[] => {
    if (value.v !== 'ptr' || value.offset.f !== 'const' || value.offset.v !== 0) return [];
    const { object } = value;
    if (!object.onDevice && !object.inCommon) return [];
    const does = launch ? 'launch' : argument === copy.written ? 'write' : argument === copy.read ? 'read' : undefined;
    const argumentPlace = { item: call.item, start: node.start, end: node.end };
    return does ? [{ call, stream, object, argument, argumentPlace, does }] : [];
  });
}

/** A variable, or an element by its number, that the same function has created; undefined where it may be any. */
function streamName(e: Expr, use: RawHostCall, created: readonly RawHostCall[], textOf: (place: Place) => string): string | undefined {
  const variable = e.k === 'name' ? e.name : e.k === 'index' && e.a.k === 'name' && isNumber(e, use, textOf) ? e.a.name : undefined;
  if (variable === undefined) return undefined;
  const isOwn = (call: RawHostCall) =>
    call.order < use.order && call.functionName === use.functionName && createdBy(call.args[0]?.node) === variable;
  return created.some(isOwn) ? textOf({ item: use.item, start: e.start, end: e.end }) : undefined;
}

function isNumber(e: Expr & { k: 'index' }, { item }: RawHostCall, textOf: (place: Place) => string): boolean {
  return /\[\s*\d+\s*\]$/.test(textOf({ item, start: e.start, end: e.end }));
}

/** `s` of `&s` and `&s[i]`. */
function createdBy(e: Expr | undefined): string | undefined {
  if (e?.k !== 'unary' || e.op !== '&') return undefined;
  const variable = e.a.k === 'index' ? e.a.a : e.a;
  return variable.k === 'name' ? variable.name : undefined;
}
