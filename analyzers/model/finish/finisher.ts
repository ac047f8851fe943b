/** What the facts of a variant are made with, and where those that were made are kept: each is computed when somebody asks for it. */
import { type Context, newContext } from '../context.ts';
import type { AccessFacts, BranchFacts, ControlFacts, LoopFacts, ObjectFacts, TypeFacts, VariantFacts } from '../facts.ts';
import type { KernelRun, VariantSpec } from '../kernel.ts';
import type { Type } from '../types.ts';
import type { MemoryObject, Moment, PathStep, RawAccess, RawBranch, RawLoop } from '../values.ts';
import { Access } from './access.ts';
import { Branch } from './branch.ts';
import { Control } from './control.ts';
import { Loop } from './loop.ts';
import { objectFacts, typeFacts } from './value.ts';

/** What is known of an interpretation, computed as it is asked for. */
export interface Finisher {
  readonly spec: VariantSpec;
  readonly run: KernelRun;
  /** Text of a place. */
  readonly textOf: (place: { readonly item: Moment['place']['item']; readonly start: number; readonly end: number }) => string;
  readonly c: Context;
  readonly lists: Partial<Lists>;
  readonly control: (path: readonly PathStep[], loops: readonly RawLoop[]) => ControlFacts;
  readonly branch: (b: RawBranch) => BranchFacts;
  readonly loop: (l: RawLoop) => LoopFacts;
  readonly access: (a: RawAccess) => AccessFacts;
  readonly object: (o: MemoryObject) => ObjectFacts;
  readonly type: (type: Type) => TypeFacts;
}

export function finisherOf(run: KernelRun, spec: VariantSpec, textOf: Finisher['textOf']): Finisher {
  const f: Finisher = {
    run,
    spec,
    textOf,
    c: newContext({ block: spec.block, grid: spec.grid }, spec.share),
    lists: {},
    control: (path, loops) => controls(path)(loops),
    branch: oneFor((b) => new Branch(f, b)),
    loop: oneFor((l) => new Loop(f, l)),
    access: oneFor((a) => new Access(f, a)),
    object: oneFor((o) => objectFacts(f, o)),
    type: oneFor((type) => typeFacts(f, type)),
  };
  const controls = oneFor((path: readonly PathStep[]) => oneFor((loops: readonly RawLoop[]) => new Control(f, path, loops)));
  return f;
}

/** Makes the facts of each noted thing once. */
function oneFor<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

/** Rules ask for few of a variant's lists, and for most only when others say so. */
export type Lists = {
  -readonly [K in
    | 'parameters'
    | 'branches'
    | 'loops'
    | 'accesses'
    | 'atomics'
    | 'barriers'
    | 'fences'
    | 'shuffles'
    | 'divisions'
    | 'literals'
    | 'arrays'
    | 'hazards'
    | 'structureArrays']: VariantFacts[K];
};
