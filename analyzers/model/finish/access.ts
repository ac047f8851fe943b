/** Accesses and atomics: their patterns over the lanes of a warp. */
import { globalPattern, sharedPattern, startBytes } from '../access-patterns.ts';
import { choosesAmongFew, comesFromLoads, dataSources, differsByData, isOfThreadsAlone } from '../conditions.ts';
import { blockSampleOf, foundAt, sampleOf } from '../context.ts';
import { partsOf } from '../distances.ts';
import type { AccessFacts, AtomicFacts, GlobalPattern, ObjectFacts, StatementFacts, TypeFacts, ValueFacts } from '../facts.ts';
import { constant, dependsOnLoop, type Form, isAnotherInEach, isDecided, op } from '../form.ts';
import { isKept } from '../kept-values.ts';
import { movedByLoop, movedTogether, type WiderAccess } from '../moved-together.ts';
import { hasOwnPlace, loadedStarts } from '../own-place.ts';
import { lanesAtOneAddress, wavefrontsOf } from '../patterns.ts';
import { allEqual, LANES, laneOf, perLane } from '../rows.ts';
import { activeLanes, dataVaries, hasDataByThread } from '../splits.ts';
import { blockCoefficient } from '../stride.ts';
import { alignOf, sizeOf, type Type } from '../types.ts';
import type { MemoryObject, RawAccess, RawAtomic, RawLoop } from '../values.ts';
import type { Finisher } from './finisher.ts';
import { Located, located } from './located.ts';
import { valueFacts } from './value.ts';

function reach(f: Finisher, a: RawAccess, innermost: RawLoop): AccessFacts['reachBytes'] {
  if (a.offset.unknown || a.offset.data || !dependsOnLoop(a.offset, innermost.shape)) return undefined;
  const base = sampleOf(f.c, 0, 0);
  const first = laneOf(base.value(a.offset), 0);
  let least = 0;
  let most = 0;
  for (let k = 1; k <= 16; k++) {
    const at = base.at(innermost.shape, k);
    const { condition } = innermost.shape;
    if (condition && !condition.data && !condition.unknown && laneOf(at.value(condition), 0) === 0) break;
    const distance = laneOf(at.value(a.offset), 0) - first;
    least = Math.min(least, distance);
    most = Math.max(most, distance);
  }
  return [least, most];
}

const LONG: Type = { t: 'int', name: 'long', size: 8, unsigned: false };

/** Patterns are computed when a rule asks for them. */
export class Access extends Located implements AccessFacts {
  readonly kind: 'load' | 'store';
  readonly readModifyWrite: boolean;
  readonly volatile: boolean;
  readonly object: ObjectFacts;
  readonly type: TypeFacts;
  private readonly a: RawAccess;
  private memo: Map<string, unknown> | undefined = undefined;
  // What rules ask of all accesses; null where nothing is known.
  private knownGlobal: AccessFacts['global'] | null = undefined;
  private knownShared: AccessFacts['shared'] | null = undefined;
  private knownOffsets: AccessFacts['laneOffsets'] | null = undefined;
  private knownKept: boolean | undefined = undefined;
  private knownOffset: ValueFacts | undefined = undefined;

  constructor(f: Finisher, a: RawAccess) {
    super(f, a);
    this.a = a;
    this.kind = a.kind;
    this.readModifyWrite = a.readModifyWrite;
    this.volatile = a.volatile;
    this.object = f.object(a.object);
    this.type = f.type(a.type);
  }

  private once<T>(key: string, compute: () => T): T {
    this.memo ??= new Map();
    if (!this.memo.has(key)) this.memo.set(key, compute());
    return this.memo.get(key) as T;
  }

  get offset(): ValueFacts {
    this.knownOffset ??= valueFacts(this.f, { form: this.a.offset, type: LONG, place: this.a.place });
    return this.knownOffset;
  }

  get field(): AccessFacts['field'] {
    const { field } = this.a;
    return field && { name: field.name, structure: this.f.type(field.structure) };
  }

  get statement(): AccessFacts['statement'] {
    return statementFacts(this.f, this.a);
  }

  get fromStart(): boolean {
    return isOfThreadsAlone(this.a.offset) && this.control.branches.every(({ branch }) => branch.splits.kind === 'guard');
  }

  get otherwise(): AccessFacts['otherwise'] {
    return this.once('otherwise', () => (this.global ? otherRequests(this.f, this.a, this.global) : undefined));
  }

  get moves(): AccessFacts['moves'] {
    return this.once('moves', () => movesOf(this.f, this.a));
  }

  get text(): string {
    return this.f.textOf(this.a.place);
  }

  get index(): ValueFacts | undefined {
    const { index } = this.a;
    return index && this.once('index', () => valueFacts(this.f, index));
  }

  get value(): ValueFacts | undefined {
    const { value } = this.a;
    return value && this.once('value', () => valueFacts(this.f, value));
  }

  get global(): AccessFacts['global'] {
    if (this.a.object.space !== 'global') return undefined;
    if (this.knownGlobal === undefined) this.knownGlobal = globalFacts(this.f, this.a) ?? null;
    return this.knownGlobal ?? undefined;
  }

  get shared(): AccessFacts['shared'] {
    if (this.a.object.space !== 'shared') return undefined;
    if (this.knownShared === undefined) this.knownShared = sharedFacts(this.f, this.a) ?? null;
    return this.knownShared ?? undefined;
  }

  get kept(): boolean {
    this.knownKept ??= isKept(this.f.c, this.a, this.f.run.machine.facts);
    return this.knownKept;
  }

  get placedBy(): readonly number[] {
    return [...dataSources(this.a.offset)];
  }

  get walksFrom(): readonly number[] {
    return loadedStarts(this.a.offset);
  }

  get placedByLoads(): boolean {
    return comesFromLoads(this.a.offset) && differsByData(this.a.offset);
  }

  get placedByOwnData(): boolean {
    const { offset } = this.a;
    const sample = sampleOf(this.f.c, 0, 0);
    return !offset.unknown && comesFromLoads(offset) && hasDataByThread(offset, sample) && !hasOwnPlace(this.f.c, offset);
  }

  get sameAddress(): AccessFacts['sameAddress'] {
    return this.once('sameAddress', () => sameAddress(this.f, this.a));
  }

  get laneOffsets(): readonly number[] | undefined {
    if (this.knownOffsets === undefined) this.knownOffsets = elementIndices(this.f, this.a) ?? null;
    return this.knownOffsets ?? undefined;
  }

  get blockOffsets(): readonly number[] | undefined {
    return this.once('blockOffsets', () => indicesInBlock(this.f, this.a));
  }

  get loopInvariant(): boolean {
    const innermost = this.a.loops[this.a.loops.length - 1];
    return innermost === undefined || !isAnotherInEach(this.a.offset, innermost.shape);
  }

  get padding(): number | undefined {
    return this.once('padding', () => this.shared && paddingOf(this.f, this.a, this.shared.ways));
  }

  get startBytes(): number | undefined {
    return this.a.object.space === 'global' ? this.once('startBytes', () => startBytes(this.f.c, this.a.offset)) : undefined;
  }

  get alignBytes(): number {
    let align = 16;
    for (const seed of [0, 1, 2, 3]) {
      const at = sampleOf(this.f.c, 0, seed).value(this.a.offset);
      for (let lane = 0; lane < LANES; lane++) while (align > 1 && laneOf(at, lane) % align !== 0) align /= 2;
    }
    return align;
  }

  get blockStrideBytes(): number | undefined {
    return this.once('blockStrideBytes', () => blockStride(this.f, this.a.offset));
  }

  get reachBytes(): AccessFacts['reachBytes'] {
    const innermost = this.a.loops[this.a.loops.length - 1];
    return innermost && this.once('reachBytes', () => reach(this.f, this.a, innermost));
  }
}

function statementFacts(f: Finisher, { statement, place: { item } }: RawAccess | RawAtomic): StatementFacts | undefined {
  const place = statement && { item, start: statement.start, end: statement.end };
  return place && { place, text: f.textOf(place) };
}

/** In blocks of another shape than the one that is assumed: a warp that is two rows of 16 threads is as usual as one that is a row. */
function otherRequests(f: Finisher, a: RawAccess, { sectors, idealSectors }: GlobalPattern): AccessFacts['otherwise'] {
  const c = f.otherShape();
  const other = c && globalFacts({ ...f, c }, a);
  return other && (other.sectors !== sectors || other.idealSectors !== idealSectors) ? other : undefined;
}

function movesOf(f: Finisher, { offset, loops }: RawAccess): AccessFacts['moves'] {
  if (offset.unknown || offset.data) return [];
  const base = sampleOf(f.c, 0, 0);
  return loops.flatMap((loop) => {
    if (!dependsOnLoop(offset, loop.shape)) return [];
    const bytes = laneOf(base.at(loop.shape, 1).value(offset), 0) - laneOf(base.value(offset), 0);
    return [{ bytes, trips: f.loop(loop).trips }];
  });
}

/** The fields of a `float4` that are read at the same time are one request for all of it. */
function globalFacts(f: Finisher, a: RawAccess): AccessFacts['global'] {
  const alone = globalPattern(f.c, a);
  const structure = a.field?.structure;
  if (alone?.shape !== 'strided' || !structure || alignOf(structure) !== sizeOf(structure)) return alone;
  const { accesses } = f.run.machine.facts;
  const wider = movedTogether(f.c, a, accesses, true);
  if (!wider) return alone;
  // What is stored in between may be one of the other fields.
  const isBetween = ({ kind, order }: RawAccess) => kind === 'store' && order > wider.from && order < wider.to;
  if (a.kind === 'load' && !a.object.restricted && accesses.some(isBetween)) return alone;
  const moved = { ...structure, size: wider.bytes, align: wider.bytes };
  return globalPattern(f.c, { ...a, offset: op('-', a.offset, constant(wider.before)), type: moved });
}

function sharedFacts(f: Finisher, a: RawAccess): AccessFacts['shared'] {
  const alone = sharedPattern(f.c, a);
  // Only what conflicts can gain from going together with others.
  if (!alone || alone.ways <= 1) return alone;
  const { accesses } = f.run.machine.facts;
  const wider = movedTogether(f.c, a, accesses) ?? movedByLoop(f.c, a, accesses) ?? movedWhole(a);
  return wider ? sharedPattern(f.c, a, wider) : alone;
}

/** An element of a declared array that is a structure of a vector's size: the array is aligned, so that one instruction moves it, whatever its fields. */
function movedWhole({ object, type, field, volatile: isVolatile, order }: RawAccess): WiderAccess | undefined {
  const size = sizeOf(type);
  if (field || isVolatile || type.t !== 'struct' || (size !== 8 && size !== 16) || object.type.t !== 'array') return undefined;
  return innermost(object.type).of === type ? { bytes: size, before: 0, from: order, to: order } : undefined;
}

/** The fewest elements at the end of each row with which the lanes of a warp meet in fewer banks than half as often. */
function paddingOf(f: Finisher, a: RawAccess, ways: number): number | undefined {
  const { type } = a.object;
  const size = sizeOf(a.type);
  const inner = type.t === 'array' ? innermost(type) : undefined;
  const indices = elementIndices(f, a);
  const active = activeLanes(f.c, sampleOf(f.c, 0, 0), a.path, 0);
  if (!inner || !size || !indices || active === undefined || sizeOf(inner.of) !== size) return undefined;
  const row = inner.n;
  if (row === undefined) return undefined;
  for (let padding = 1; padding < LANES; padding++) {
    const offsets = indices.map((at) => (at + Math.floor(at / row) * padding) * size);
    const { wavefronts, ideal } = wavefrontsOf({ offsets, bytes: size, active }, a.kind);
    if (wavefronts / ideal <= ways / 2) return padding;
  }
  return undefined;
}

function innermost(type: Type & { t: 'array' }): Type & { t: 'array' } {
  return type.of.t === 'array' ? innermost(type.of) : type;
}

function blockStride(f: Finisher, offset: Form): number | undefined {
  const factor = blockCoefficient(f.c.memos, offset);
  if (!factor || !isDecided(factor) || factor.loopDepth > 0) return undefined;
  return laneOf(sampleOf(f.c, 0, 0).value(factor), 0);
}

export function usesOtherAxes(form: Form): boolean {
  if (form.f === 'thread') return form.axis !== 0;
  if (form.f === 'loop') return form.lane && form.loop.init.some((i) => i.f !== 'loop' && usesOtherAxes(i));
  return form.f === 'op' && form.args.some(usesOtherAxes);
}

export function sameAddress(
  f: Finisher,
  a: { readonly offset: Form; readonly object: MemoryObject; readonly loops: readonly RawLoop[] },
): AccessFacts['sameAddress'] {
  const { offset, object } = a;
  if (offset.unknown) return 'unknown';
  const shares = a.loops.filter((loop) => sharesOut(f, loop));
  if (shares.length > 0) return shares.some(({ shape }) => dependsOnLoop(offset, shape)) ? 'no' : 'unknown';
  if (!offset.lane) return object.space === 'shared' || object.space === 'local' || offset.block ? 'block' : 'grid';
  if (offset.data && dataVaries(offset, sampleOf(f.c, 0, 0))) return 'unknown';
  // How wide a block of assumed shape is decides which threads share a y.
  if (!f.spec.blockKnown && usesOtherAxes(offset)) return 'unknown';
  for (const seed of [0, 1]) if (!allEqual(sampleOf(f.c, 0, seed).value(offset))) return 'no';
  return 'warp';
}

/** `for (k = n * i / threads; k < n * (i + 1) / threads; ++k)`: each thread goes on to where the next one begins. */
function sharesOut(f: Finisher, { shape }: RawLoop): boolean {
  const { condition } = shape;
  if (condition?.f !== 'op' || !/^(<|!=)$/.test(condition.op) || condition.data || condition.unknown) return false;
  const [counter, limit] = condition.args;
  if (counter.f !== 'loop' || counter.loop !== shape || !limit.lane || dependsOnLoop(limit, shape)) return false;
  if (!shape.init[counter.index].lane) return false;
  return [0, 1].every((seed) => {
    const sample = sampleOf(f.c, 0, seed);
    const [first, end] = [shape.init[counter.index], limit].map((form) => sample.value(form));
    return perLane((lane) => lane).every((lane) => lane === LANES - 1 || laneOf(end, lane) === laneOf(first, lane + 1));
  });
}

export function atomicFacts(f: Finisher, a: RawAtomic): AtomicFacts {
  const varies = a.offset.data && dataVaries(a.offset, sampleOf(f.c, 0, 0));
  let lanesPerAddress: number | undefined;
  if (!a.offset.unknown && !varies) {
    for (const seed of [0, 1]) {
      const sample = sampleOf(f.c, 0, seed);
      const active = activeLanes(f.c, sample, a.path, 0) ?? -1;
      const n = lanesAtOneAddress({ offsets: sample.value(a.offset), bytes: 4, active });
      lanesPerAddress = Math.min(lanesPerAddress ?? LANES, n);
    }
  }
  const integer = a.type.t === 'int';
  const same = sameAddress(f, a);
  let request: AccessFacts | undefined;
  return {
    ...located(f, a),
    get request() {
      request ??= new Access(f, { ...a, kind: 'store', readModifyWrite: false, volatile: false });
      return request;
    },
    name: a.name,
    object: f.object(a.object),
    type: f.type(a.type),
    text: f.textOf(a.place),
    offset: valueFacts(f, { form: a.offset, type: a.type, place: a.place }),
    resultUsed: a.resultUsed,
    result: a.result,
    statement: statementFacts(f, a),
    operands: a.operands.map((o) => valueFacts(f, o)),
    sameAddress: same,
    placedByThread: varies && hasOwnPlace(f.c, a.offset),
    fewTargets: varies && choosesAmongFew(a.offset),
    lanesPerAddress,
    loopInvariant: a.loops.every((loop) => !isAnotherInEach(a.offset, loop.shape)),
    inRetryLoop: /^atomic(CAS|Exch)/.test(a.name) && a.loops.some((l) => l.kind !== 'for' || l.shape.condition?.data === true),
    aggregatedByCompiler:
      integer &&
      /^atomic(Add|Sub|Min|Max|And|Or|Xor|Inc|Dec)$/.test(a.name) &&
      (same === 'grid' || same === 'block') &&
      a.name !== 'atomicInc' &&
      a.name !== 'atomicDec',
  };
}

/** In elements, with every symbol at one typical value: comparable between accesses of a variant. */
function elementIndices({ c }: Finisher, a: RawAccess): readonly number[] | undefined {
  const size = sizeOf(a.type);
  if (!size || a.offset.data || a.offset.unknown) return undefined;
  const { base, scale, distance } = partsOf(c, a.offset);
  const found = foundAt(c.elements, base, distance);
  const before = found.find((x) => x.scale === scale && x.size === size);
  if (before) return before.indices;
  const value = sampleOf(c, 0, 0).value(a.offset);
  const indices = typeof value === 'number' ? new Array<number>(LANES).fill(value / size) : value.map((at) => at / size);
  found.push({ scale, size, indices });
  return indices;
}

function indicesInBlock({ c, spec: { block } }: Finisher, a: RawAccess): readonly number[] | undefined {
  const size = sizeOf(a.type);
  if (!size || a.offset.data || a.offset.unknown) return undefined;
  const value = blockSampleOf(c, 0).value(a.offset);
  const threads = Math.min(block[0] * block[1] * block[2], c.warps * LANES);
  return Array.from({ length: threads }, (_, thread) => laneOf(value, thread) / size);
}
