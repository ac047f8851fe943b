/** Host code as rules see it: launches with their values, CUDA calls in order, and what is known of pointers. */
import type { Expr, Node } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import type { Place } from '../syntax/source.ts';
import { type EarlyAccess, earlyAccesses } from './early-accesses.ts';
import type { Dim3Facts, HostArgument, LaunchFacts } from './facts.ts';
import type {
  EarlyAccessFacts,
  HostCallFacts,
  HostFunctionFacts,
  LeakFacts,
  StreamPairFacts,
  StreamUseFacts,
  UncopiedFacts,
  UnsetFacts,
} from './file-facts.ts';
import type { Form } from './form.ts';
import type { HostRun } from './host.ts';
import { type Leak, leaksOf } from './leaks.ts';
import { type StreamPair, type StreamUse, streamPairs } from './stream-pairs.ts';
import type { FunctionEntry } from './table.ts';
import { sizeOf } from './types.ts';
import { isOpenAt, type Uncopied, uncopiedOf } from './uncopied.ts';
import { type Unset, unsetOf } from './unset.ts';
import type { RawFacts, RawHostCall, RawLaunch, Value } from './values.ts';

export type TextOf = (place: Place) => string;

/** A launch with what only the model needs of it. */
export interface LaunchEntry {
  facts: LaunchFacts;
  readonly raw: RawLaunch;
  /** Scalar arguments with known values. */
  readonly values: readonly (number | undefined)[];
  /** By argument: bytes of the allocation that it is the start of. */
  readonly allocated: readonly (number | undefined)[];
}

export function launchesOf(facts: RawFacts, textOf: TextOf, inDeviceCode: boolean): LaunchEntry[] {
  const calls = new CallsAround(facts.hostCalls);
  return facts.launches.map((raw) => {
    const grid = dimFacts(raw.grid);
    const block = dimFacts(raw.block);
    const text = (node: Expr | undefined) => (node ? textOf({ item: raw.item, start: node.start, end: node.end }) : '');
    const streamText = raw.streamNode && text(raw.streamNode);
    const launch: LaunchFacts = {
      place: raw.moment.place,
      configPlace: raw.configPlace,
      blockPlace: blockPlace(raw),
      dividend: dividendOf(raw, textOf),
      kernelName: raw.kernelName,
      templateArgs: raw.targsText,
      grid,
      block,
      gridText: text(raw.gridNode),
      blockText: text(raw.blockNode),
      sharedBytes: constantOf(raw.shared),
      stream: streamText === undefined || /^(0|NULL|nullptr)$/.test(streamText) ? 'default' : 'named',
      streamText,
      api: raw.api,
      cooperative: raw.api === 'cudaLaunchCooperativeKernel' || raw.api === 'cooperative-multi-device',
      args: raw.args.map((a) => argumentFacts(a, raw.item, textOf)),
      functionName: raw.moment.functionName,
      inDeviceCode,
      loops: raw.moment.loops.map((l) => l.headPlace),
      checked: !inDeviceCode && calls.checks(raw),
      sharedOptIn: calls.optIn(raw),
    };
    const values = raw.args.map((a) => (a.value.v === 'num' ? constantOf(a.value.form) : undefined));
    return { facts: launch, raw, values, allocated: raw.args.map((a) => allocatedBytes(a.value)) };
  });
}

function allocatedBytes(value: Value): number | undefined {
  return value.v === 'ptr' && constantOf(value.offset) === 0 ? value.object.allocatedBytes : undefined;
}

function constantOf(form: Form | undefined): number | undefined {
  return form?.f === 'const' ? form.v : undefined;
}

function dimFacts(dims: readonly (Form | undefined)[]): Dim3Facts {
  return { x: constantOf(dims[0]), y: constantOf(dims[1]), z: constantOf(dims[2]) };
}

const ERROR_QUERIES = new Set(['cudaGetLastError', 'cudaPeekAtLastError']);

function isCheck({ name, resultUsed }: RawHostCall): boolean {
  return ERROR_QUERIES.has(name) || (resultUsed && /^cuda(Device|Stream|Event|Thread)Synchronize$|^cudaMemcpy/.test(name));
}

/** What is called before and after launches. */
class CallsAround {
  private readonly calls: readonly RawHostCall[];
  private readonly places = new Map<RawLaunch, number>();
  private readonly lastCheck: number;
  private readonly attributes: readonly { readonly place: number; readonly call: RawHostCall }[];

  constructor(calls: readonly RawHostCall[]) {
    this.calls = calls;
    for (const [i, { launch }] of calls.entries()) if (launch && !this.places.has(launch)) this.places.set(launch, i);
    this.lastCheck = calls.findLastIndex(isCheck);
    this.attributes = calls.flatMap((call, place) => (call.name === 'cudaFuncSetAttribute' ? [{ place, call }] : []));
  }

  /** Something asks whether the launch went well. */
  checks(raw: RawLaunch): boolean {
    const own = this.places.get(raw);
    if (own === undefined) return true;
    return raw.api === 'triple-chevron' ? this.lastCheck > own : this.calls[own].resultUsed;
  }

  /** The dynamic shared memory that was asked for before. */
  optIn(raw: RawLaunch): number | 'unknown' | undefined {
    const own = this.places.get(raw) ?? 0;
    for (const { place, call } of this.attributes) {
      if (place >= own) break;
      const value = call.args[2]?.value;
      const named = call.args[0]?.value;
      if (named?.v === 'fn' && !named.name.endsWith(raw.kernelName)) continue;
      return (value?.v === 'num' ? constantOf(value.form) : undefined) ?? 'unknown';
    }
    return undefined;
  }
}

export function argumentFacts(a: { readonly value: Value; readonly node: Expr }, item: Item, textOf: TextOf): HostArgument {
  const place = { item, start: a.node.start, end: a.node.end };
  const value = a.value.v === 'num' ? constantOf(a.value.form) : undefined;
  const object = a.value.v === 'ptr' ? a.value.object : undefined;
  return {
    text: textOf(place),
    place,
    value,
    variable: variableOf(a.node),
    pointsInto: pointsInto(a.value),
    onHost: onHost(a.value),
    onDevice: object?.onDevice,
    symbol: object?.symbol && object.name,
    allocation: allocationOf(a.value),
  };
}

function allocationOf(value: Value): HostArgument['allocation'] {
  const bytes = allocatedBytes(value);
  const type = value.v === 'ptr' ? value.object.type : undefined;
  const elementBytes = type && sizeOf(type);
  return bytes !== undefined && elementBytes ? { bytes, elementBytes, element: type.name } : undefined;
}

/** The variable that an argument is about: `d` of `&d`, `(void **)&d`, `d + n`, `d.get()`, `d[i]`. */
function variableOf(e: Expr): string | undefined {
  switch (e.k) {
    case 'name':
      return e.name;
    case 'cast':
    case 'unary':
    case 'index':
    case 'member':
      return variableOf(e.a);
    case 'binary':
      return variableOf(e.a) ?? variableOf(e.b);
    case 'call':
      return e.f.k === 'member' ? variableOf(e.f.a) : undefined;
    default:
      return undefined;
  }
}

/** Facts of functions, each of its own text, from whichever runs passed through it. */
export function hostFunctionFacts(
  entries: readonly FunctionEntry[],
  runs: readonly HostRun[],
  launches: readonly LaunchEntry[],
  textOf: TextOf,
): HostFunctionFacts[] {
  const calls = byItem(
    runs.flatMap((r) => r.facts.hostCalls),
    (c) => c.place,
  );
  const dereferences = byItem(
    runs.flatMap((r) => r.facts.dereferences.filter(({ object }) => object.onDevice)),
    (d) => d.moment.place,
  );
  const early = byItem(
    runs.flatMap((r) => earlyAccesses(r.facts).filter(isInSight)),
    ({ access }) => access.moment.place,
    ({ user }) => user.place.start,
  );
  const pairs = byItem(
    runs.flatMap((r) => streamPairs(r.facts, textOf)),
    ({ later }) => later.argumentPlace,
  );
  const writes = byItem(
    runs.flatMap((r) => r.facts.fieldWrites),
    (w) => w.moment.place,
  );
  return entries.map(({ item, def }) => ({
    name: def.name,
    place: { item, start: def.start, end: def.end },
    namePlace: { item, start: def.nameStart, end: def.nameEnd },
    calls: calls(item, def).map((c) => callFacts(c, launches, textOf)),
    launches: launches.filter((l) => l.facts.place.item === item && isInside(l.facts.place, def)).map((l) => l.facts),
    isIdle: !doesSomething(def.body),
    dereferences: dereferences(item, def).map((d) => ({ pointer: textOf(d.pointer), place: d.moment.place })),
    earlyAccesses: early(item, def).map((e) => earlyAccessFacts(e, textOf)),
    streamPairs: pairs(item, def).flatMap((pair) => streamPairFacts(pair, launches, textOf)),
    leaks: leaksOf(calls(item, def)).map(leakFacts),
    uncopied: uncopiedOf(item, def, calls(item, def)).flatMap((each) => uncopiedFacts(each, item, launches, textOf)),
    unset: unsetOf(item, def, calls(item, def)).flatMap((each) => unsetFacts(each, item, launches, textOf)),
    fieldWrites: writes(item, def).map((w) => ({
      path: w.path,
      place: w.moment.place,
      value: argumentFacts({ value: w.value, node: w.node }, w.item, textOf),
      order: w.moment.order,
    })),
  }));
}

function leakFacts({ call, variable, bodyEnd }: Leak): LeakFacts {
  const { item, namePlace: place } = call;
  const size = call.args[1]?.value;
  const bytes = size?.v === 'num' && call.name !== 'cudaMallocPitch' ? constantOf(size.form) : undefined;
  return { variable, place, bytes, bodyEnd: { item, start: bodyEnd, end: bodyEnd } };
}

/** Objects that go with a block may wait as they do. Of memory that the launch is not given, nothing is said then. */
function isInSight({ access: { object, moment }, user }: EarlyAccess): boolean {
  const { item, end } = user.place;
  return !object.managed || (moment.place.item === item && isOpenAt(item.tokens, end, moment.place.start));
}

/** Undefined where one of them is not at hand. */
function givenTo(given: Uncopied['launches'], launches: readonly LaunchEntry[]): UncopiedFacts['launches'] | undefined {
  const uses = given.flatMap(({ launch, argument }) => {
    const entry = launches.find(({ raw }) => raw === launch);
    return entry ? [{ launch: entry.facts, argument }] : [];
  });
  return uses.length === given.length ? uses : undefined;
}

function unsetFacts({ device, size, launches: given }: Unset, item: Item, launches: readonly LaunchEntry[], textOf: TextOf): UnsetFacts[] {
  const uses = givenTo(given, launches);
  if (!uses) return [];
  const { place } = uses[0].launch;
  const before = item.tokens.findLast(({ end }) => end <= place.start)?.text ?? '';
  const fill = `cudaMemset(${device}, 0, ${textOf({ item, start: size.start, end: size.end })})`;
  return [{ device, fill, launches: uses, isStatement: /^[;{}]$/.test(before) }];
}

function uncopiedFacts(
  { device, size, host, isInput, read, behind, launches: given }: Uncopied,
  item: Item,
  launches: readonly LaunchEntry[],
  textOf: TextOf,
): UncopiedFacts[] {
  const uses = givenTo(given, launches);
  if (!uses) return [];
  const bytes = textOf({ item, start: size.start, end: size.end });
  return [
    {
      device,
      host,
      isInput,
      copy: `cudaMemcpy(${host}, ${device}, ${bytes}, cudaMemcpyDeviceToHost)`,
      launches: uses,
      read: { item, start: read.start, end: read.end },
      behind: behind === undefined ? undefined : { item, start: behind, end: behind },
    },
  ];
}

function earlyAccessFacts({ access, user }: EarlyAccess, textOf: TextOf): EarlyAccessFacts {
  const { pointer, moment, statement } = access;
  const { item } = moment.place;
  const isOnce = statement !== undefined && moment.loops.every((loop) => user.loops.includes(loop));
  return {
    pointer: textOf(pointer),
    place: moment.place,
    variable: access.object.managed && { id: access.object.id, isWritten: access.writes === true },
    user: user.launch?.kernelName ?? user.name,
    userPlace: user.place,
    statementPlace: isOnce ? { item, start: statement.start, end: statement.end } : undefined,
  };
}

function streamPairFacts({ earlier, later }: StreamPair, launches: readonly LaunchEntry[], textOf: TextOf): StreamPairFacts[] {
  const [first, second] = [earlier, later].map((use) => streamUseFacts(use, launches, textOf));
  return first && second ? [{ memory: later.object.name, earlier: first, later: second }] : [];
}

function streamUseFacts(
  { call, stream, argument, does }: StreamUse,
  launches: readonly LaunchEntry[],
  textOf: TextOf,
): StreamUseFacts | undefined {
  const { item, place } = call;
  const launch = call.launch && launches.find(({ raw }) => raw === call.launch)?.facts;
  if (does === 'launch' && !launch) return undefined;
  const before = item.tokens.findLast(({ end }) => end <= place.start)?.text ?? '';
  return {
    name: call.launch?.kernelName ?? call.name,
    place,
    stream: textOf({ item, start: stream.start, end: stream.end }),
    does: does === 'launch' ? { launch: launch!, argument } : does,
    isStatement: /^[;{}]$/.test(before),
  };
}

/** A call, an exception, output, or something that is kept, wherever in it. */
function doesSomething(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { k, op } = node as { readonly k?: string; readonly op?: string };
  if (k !== undefined && (DOING.has(k) || (op !== undefined && KEEPING.has(op)))) return true;
  return Object.values(node).some(doesSomething);
}

const DOING: ReadonlySet<string> = new Set(['call', 'launch', 'throw', 'assign', 'opaque', 'unknown']);
const KEEPING: ReadonlySet<string> = new Set(['<<', '++', '--']);

/** Finds what lies in a function, of several at one place that are about the same the first. */
function byItem<T>(facts: readonly T[], placeOf: (fact: T) => Place, about?: (fact: T) => number): (item: Item, def: Node) => T[] {
  const items = new Map<Item, T[]>();
  for (const fact of facts) {
    const { item } = placeOf(fact);
    const known = items.get(item);
    if (known) known.push(fact);
    else items.set(item, [fact]);
  }
  return (item, def) => {
    const found = new Map<string, T>();
    for (const fact of items.get(item) ?? []) {
      const place = placeOf(fact);
      const key = `${place.start}:${about?.(fact)}`;
      if (isInside(place, def) && !found.has(key)) found.set(key, fact);
    }
    return [...found.values()];
  };
}

function isInside({ start, end }: Place, def: Node): boolean {
  return start >= def.start && end <= def.end;
}

function callFacts(c: RawHostCall, launches: readonly LaunchEntry[], textOf: TextOf): HostCallFacts {
  return {
    name: c.name,
    place: c.place,
    namePlace: c.namePlace,
    args: c.args.map((a) => argumentFacts(a, c.item, textOf)),
    order: c.order,
    loops: c.loops.map((l) => l.headPlace),
    resultUsed: c.resultUsed,
    launch: c.launch && launches.find((l) => l.raw === c.launch)?.facts,
  };
}

function pointsInto(value: Value): HostArgument['pointsInto'] {
  if (value.v === 'ptr') return { name: value.object.name, space: value.object.space };
  return value.v === 'ref' && value.lv.l === 'cell' ? { name: value.lv.cell.name, space: 'local' } : undefined;
}

function onHost(value: Value): HostArgument['onHost'] {
  if (value.v === 'ptr') return value.object.onHost ? 'heap' : value.object.space === 'local' ? 'stack' : undefined;
  return value.v === 'ref' && value.lv.l === 'cell' ? 'stack' : undefined;
}

function dividendOf({ gridNode, item }: RawLaunch, textOf: TextOf): LaunchFacts['dividend'] {
  if (gridNode?.k !== 'binary' || gridNode.op !== '/') return undefined;
  const place = { item, start: gridNode.a.start, end: gridNode.a.end };
  return { place, text: textOf(place) };
}

function blockPlace({ api, blockNode, configPlace }: RawLaunch): Place | undefined {
  return api === 'triple-chevron' && blockNode ? { ...configPlace, start: blockNode.start, end: blockNode.end } : undefined;
}
