/** What the facts of a variant are made with, and where those that were made are kept: each is computed when somebody asks for it. */
import type { Context } from '../context.ts';
import type { AccessFacts, BranchFacts, ControlFacts, LoopFacts, ObjectFacts, TypeFacts, VariantFacts } from '../facts.ts';
import type { KernelRun, VariantSpec } from '../kernel.ts';
import type { Type } from '../types.ts';
import type { MemoryObject, Moment, PathStep, RawAccess, RawBranch, RawLoop } from '../values.ts';

/** What is known of an interpretation, computed as it is asked for. */
export interface Finisher {
  readonly spec: VariantSpec;
  readonly run: KernelRun;
  /** Text of a place. */
  readonly textOf: (place: { readonly item: Moment['place']['item']; readonly start: number; readonly end: number }) => string;
  readonly c: Context;
  /** Where the block has rows and its shape is assumed: the same in another usual shape. */
  readonly otherShape: () => Context | undefined;
  readonly lists: Partial<Lists>;
  readonly control: (path: readonly PathStep[], loops: readonly RawLoop[]) => ControlFacts;
  readonly branch: (b: RawBranch) => BranchFacts;
  readonly loop: (l: RawLoop) => LoopFacts;
  readonly access: (a: RawAccess) => AccessFacts;
  readonly object: (o: MemoryObject) => ObjectFacts;
  readonly type: (type: Type) => TypeFacts;
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
    | 'generatorCalls'
    | 'divisions'
    | 'widenings'
    | 'literals'
    | 'arrays'
    | 'conflicts'
    | 'blockConflicts'
    | 'hazards'
    | 'unorderedCounts'
    | 'structureArrays'
    | 'products'
    | 'outside'
    | 'pastTheEnd']: VariantFacts[K];
};
