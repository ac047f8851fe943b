/** Values, types and memory objects: forms become numbers about warps. */
import { blockSampleOf, sampleOf } from '../context.ts';
import type { ObjectFacts, TypeFacts, Uniformity, ValueFacts } from '../facts.ts';
import { dependsOnLoop, type Form } from '../form.ts';
import { allEqual, laneOf, perLane } from '../rows.ts';
import { dataVaries } from '../splits.ts';
import { alignOf, dataBytes, isVector, sizeOf, type Type } from '../types.ts';
import type { MemoryObject, RawLoop, RawValue } from '../values.ts';
import type { Finisher } from './finisher.ts';

export function typeFacts(f: Finisher, type: Type): TypeFacts {
  const kinds = {
    int: 'integer',
    float: 'float',
    bool: 'bool',
    void: 'void',
    pointer: 'pointer',
    array: 'pointer',
    struct: 'struct',
    unknown: 'unknown',
  } as const;
  const element = type.t === 'pointer' ? type.to : type.t === 'array' ? type.of : undefined;
  return {
    name: type.name,
    kind: kinds[type.t],
    size: sizeOf(type),
    align: alignOf(type),
    dataBytes: dataBytes(type),
    unsigned: type.t === 'int' && type.unsigned,
    vector: isVector(type),
    volatile: false,
    isConst: false,
    element: element && f.type(element),
  };
}

export function valueFacts(f: Finisher, v: RawValue): ValueFacts {
  return new Value(f, v);
}

/** Computed when asked for: most values are never asked most questions. */
class Value implements ValueFacts {
  private readonly f: Finisher;
  private readonly v: RawValue;
  private knownUniformity: Uniformity | undefined = undefined;
  private knownLanes: readonly number[] | null | undefined = undefined;
  private knownSplitsBlock: boolean | undefined = undefined;

  constructor(f: Finisher, v: RawValue) {
    this.f = f;
    this.v = v;
  }

  get text(): string {
    return this.f.textOf(this.v.place).replace(/\s+/g, ' ');
  }

  get place(): ValueFacts['place'] {
    return this.v.place;
  }

  get uniformity(): Uniformity {
    this.knownUniformity ??= uniformity(this.f, this.v.form);
    return this.knownUniformity;
  }

  get fromMemory(): boolean {
    return this.v.form.data;
  }

  get unknown(): boolean {
    return this.v.form.unknown;
  }

  get perBlock(): boolean {
    return this.v.form.block;
  }

  get splitsBlock(): boolean {
    this.knownSplitsBlock ??= splitsBlock(this.f, this.v.form);
    return this.knownSplitsBlock;
  }

  get operator(): string | undefined {
    return this.v.form.f === 'op' ? this.v.form.op : undefined;
  }

  get constant(): number | undefined {
    return this.v.form.f === 'const' ? this.v.form.v : undefined;
  }

  get lanes(): readonly number[] | undefined {
    if (this.knownLanes === undefined) this.knownLanes = lanesOf(this.f, this.v.form) ?? null;
    return this.knownLanes ?? undefined;
  }

  get type(): TypeFacts {
    return this.f.type(this.v.type);
  }
}

export function isInvariant(form: Form, loop: RawLoop | undefined): boolean {
  return loop === undefined || (!form.data && !form.unknown && !dependsOnLoop(form, loop.shape));
}

function lanesOf(f: Finisher, form: Form): number[] | undefined {
  if (!form.lane || form.data || form.unknown || form.symbolic) return undefined;
  const value = sampleOf(f.c, 0, 0).value(form);
  return perLane((lane) => laneOf(value, lane));
}

function uniformity(f: Finisher, form: Form): Uniformity {
  if (form.f === 'const') return 'constant';
  if (!form.lane) return form.block ? 'block' : 'grid';
  if (form.unknown) return 'lane';
  for (const seed of [0, 1]) {
    const sample = sampleOf(f.c, seed === 0 ? 0 : Math.min(1, f.c.warps - 1), seed);
    if (!allEqual(sample.value(form)) || dataVaries(form, sample)) return 'lane';
  }
  return 'warp';
}

function splitsBlock(f: Finisher, form: Form): boolean {
  if (!form.lane || form.data || form.unknown) return false;
  const value = blockSampleOf(f.c, 0).value(form);
  return typeof value === 'number' ? Number.isNaN(value) : value.some((v) => v !== value[0]);
}

export function objectFacts(f: Finisher, o: MemoryObject): ObjectFacts {
  const dims: (number | undefined)[] = [];
  let type = o.type;
  for (; type.t === 'array'; type = type.of) dims.push(type.n);
  return {
    id: o.id,
    name: o.name,
    space: o.space,
    declaredAt: o.declaredAt,
    element: f.type(type),
    dims: dims.length > 0 ? dims : undefined,
    volatile: o.volatile,
    restricted: o.restricted === true,
    dynamicShared: o.dynamicShared,
  };
}
