/** All that the static analyses know of a function, computed once per function and shared by both engines and the counters. */

import { memoryRoots } from '../ir/memory-roots.ts';
import type { IrFunction, IrModule } from '../ir/types.ts';
import { type MergedAccess, mergedAccesses } from './access-merging.ts';
import { type Aggregation, aggregatedAtomics, countingAtomics } from './atomics.ts';
import { guardedLoads } from './guarded-loads.ts';
import { narrowedLoads } from './narrowed-loads.ts';
import { predicatedBranches } from './predication.ts';
import { analyzeUniformity, type Uniformity } from './uniformity.ts';

export interface FunctionFacts {
  readonly uniformity: Uniformity;
  /** By site of a load or store: those that the hardware merges with others, and loads of which it reads a part. */
  readonly merged: ReadonlyMap<number, MergedAccess>;
  /** By site of an atomic. */
  readonly aggregated: ReadonlyMap<number, Aggregation>;
  /** Sites of atomics that count up by one; in shared memory lanes on one word are one access. */
  readonly counting: ReadonlySet<number>;
  /** Sites of branches that hardware does not have. */
  readonly predicated: ReadonlySet<number>;
}

const cache = new WeakMap<IrFunction, FunctionFacts>();

export function functionFacts(fn: IrFunction, module: IrModule): FunctionFacts {
  let facts = cache.get(fn);
  if (!facts) {
    const roots = memoryRoots(fn, (name) => module.globals.get(name)?.space);
    const uniformity = analyzeUniformity(fn, roots);
    const inBlocks = mergedAccesses(fn, roots, module.globals);
    facts = {
      uniformity,
      // Clang merges before it narrows.
      merged: new Map([...narrowedLoads(fn), ...inBlocks, ...guardedLoads(fn, roots, module.globals, inBlocks)]),
      aggregated: aggregatedAtomics(fn, uniformity),
      counting: countingAtomics(fn),
      predicated: predicatedBranches(fn, roots),
    };
    cache.set(fn, facts);
  }
  return facts;
}

/** Gives a function that was made from others (by inlining) the facts that hold for them. */
export function adoptFacts(fn: IrFunction, facts: FunctionFacts): void {
  cache.set(fn, facts);
}
