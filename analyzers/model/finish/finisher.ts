/** What the facts of a variant are made with, and where those that were made are kept: each is computed when somebody asks for it. */
import type { AccessFacts, BranchFacts, ControlFacts, LoopFacts, ObjectFacts, TypeFacts, VariantFacts } from '../facts.ts';
import type { KernelRun, VariantSpec } from '../kernel.ts';
import { type Context, newContext } from '../splits.ts';
import type { Type } from '../types.ts';
import type { MemoryObject, Moment, PathStep, RawAccess, RawBranch, RawLoop } from '../values.ts';
import { accessFacts } from './access-facts.ts';
import { branchFacts } from './branch-facts.ts';
import { controlFacts } from './control-facts.ts';
import { loopFacts } from './loop-facts.ts';

/** What is known of an interpretation, computed as it is asked for. */
export interface Finisher {
  readonly spec: VariantSpec;
  readonly run: KernelRun;
  /** Text of a place. */
  readonly textOf: (place: { readonly item: Moment['place']['item']; readonly start: number; readonly end: number }) => string;
  readonly c: Context;
  readonly branches: Map<RawBranch, BranchFacts>;
  readonly loops: Map<RawLoop, LoopFacts>;
  readonly accesses: Map<RawAccess, AccessFacts>;
  readonly controls: Map<readonly PathStep[], Map<readonly RawLoop[], ControlFacts>>;
  readonly objects: Map<MemoryObject, ObjectFacts>;
  readonly types: Map<Type, TypeFacts>;
  readonly lists: Partial<Lists>;
  readonly control: (path: readonly PathStep[], loops: readonly RawLoop[]) => ControlFacts;
  readonly branch: (b: RawBranch) => BranchFacts;
  readonly loop: (l: RawLoop) => LoopFacts;
  readonly access: (a: RawAccess) => AccessFacts;
}

export function finisherOf(run: KernelRun, spec: VariantSpec, textOf: Finisher['textOf']): Finisher {
  const f: Finisher = {
    run,
    spec,
    textOf,
    c: newContext({ block: spec.block, grid: spec.grid }, spec.share),
    branches: new Map(),
    loops: new Map(),
    accesses: new Map(),
    controls: new Map(),
    objects: new Map(),
    types: new Map(),
    lists: {},
    control: (path, loops) => controlFacts(f, path, loops),
    branch: (b) => branchFacts(f, b),
    loop: (l) => loopFacts(f, l),
    access: (a) => accessFacts(f, a),
  };
  return f;
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
