/** What was found out about one interpretation's forms and paths. It belongs to the interpretation, and goes with it. */
import type { Form } from './form.ts';
import type { MemoryObject, PathStep, RawAccess, RawFacts } from './values.ts';

/** What each load of a kernel's accesses asks for. */
export interface AccessIndex {
  readonly positions: ReadonlyMap<RawAccess, number>;
  readonly stores: readonly RawAccess[];
  /** Positions of those that may be to the same address, in order. */
  readonly alike: (a: RawAccess) => readonly number[];
}

export interface Memos {
  /** Whether a form is a guard of bounds, repeats within a warp, is the index in a row. */
  readonly guards: Map<Form, boolean>;
  readonly cycles: Map<Form, boolean>;
  readonly rows: Map<Form, boolean>;
  readonly conjuncts: Map<Form, readonly Form[]>;
  readonly restrictions: Map<readonly PathStep[], readonly Form[]>;
  readonly pathForms: Map<readonly PathStep[], readonly Form[]>;
  /** How many lanes of a warp reach the end of a path at most. */
  readonly mostLanes: Map<readonly PathStep[], number>;
  /** Factors of threadIdx.x and blockIdx.x; null where a form is not linear. */
  readonly laneFactors: Map<Form, Form | null>;
  readonly blockFactors: Map<Form, Form | null>;
  readonly index: Map<RawFacts, AccessIndex>;
  /** Accesses by array, then by epoch. */
  readonly nearby: Map<readonly RawAccess[], Map<MemoryObject, Map<number, RawAccess[]>>>;
}

export function newMemos(): Memos {
  return {
    guards: new Map(),
    cycles: new Map(),
    rows: new Map(),
    conjuncts: new Map(),
    restrictions: new Map(),
    pathForms: new Map(),
    mostLanes: new Map(),
    laneFactors: new Map(),
    blockFactors: new Map(),
    index: new Map(),
    nearby: new Map(),
  };
}
