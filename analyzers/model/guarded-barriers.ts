/** Barriers inside a bounds guard that, as the kernel is launched, some threads of a block pass and others do not. */
import { isBoundsGuard } from './conditions.ts';
import type { Context } from './context.ts';
import type { Form } from './form.ts';
import type { VariantSpec } from './kernel.ts';
import { type Block, blocksOf, collect, isExact, type Search, sampleAt, searchOf, threadsOf } from './known-launch.ts';
import { sideForm } from './path-forms.ts';
import { laneOf } from './rows.ts';
import type { PathStep, RawBarrier, RawBranch, RawFacts } from './values.ts';

export interface GuardedBarrier {
  readonly guard: RawBranch;
  readonly block: Block;
  /** Threads of the block that come to the guard, and those of them that do not pass it. */
  readonly threads: number;
  readonly kept: number;
}

export function guardedBarriers(c: Context, spec: VariantSpec, facts: RawFacts): ReadonlyMap<RawBarrier, GuardedBarrier> {
  const search = facts.incomplete ? undefined : searchOf(c, spec);
  const found = new Map<RawBarrier, GuardedBarrier>();
  if (!search) return found;
  for (const barrier of facts.barriers) {
    if (barrier.scope !== 'block') continue;
    const first = firstParted(search, barrier);
    if (first) found.set(barrier, first);
  }
  return found;
}

/** Threads that have left the kernel are not waited for. */
function leavesOthers({ branch, side }: PathStep): boolean {
  return (side === 'then' ? branch.otherLeaves : branch.leaves) === 'return';
}

function firstParted(search: Search, { path }: RawBarrier): GuardedBarrier | undefined {
  const operations = new Set<Form>();
  const before: Form[] = [];
  for (const step of path) {
    const { branch } = step;
    const form = sideForm(step);
    if (branch.kind !== 'if' || branch.loops.length > 0 || !collect(form, operations)) return undefined;
    if (!leavesOthers(step) && isBoundsGuard(search.c.memos, branch.condition.form)) {
      for (const block of blocksOf(search)) {
        const parted = partedIn(search, block, before, form, [...operations]);
        if (parted) return { guard: branch, ...parted };
      }
    }
    before.push(form);
  }
  return undefined;
}

function partedIn(
  search: Search,
  block: Block,
  before: readonly Form[],
  guard: Form,
  operations: readonly Form[],
): Omit<GuardedBarrier, 'guard'> | undefined {
  const sample = sampleAt(search, block);
  const passed = before.map((form) => sample.value(form));
  const passes = sample.value(guard);
  let [threads, kept] = [0, 0];
  for (const thread of threadsOf(search)) {
    if (!operations.every((form) => isExact(form, sample, thread))) return undefined;
    if (!passed.every((values) => laneOf(values, thread) > 0)) continue;
    threads++;
    if (laneOf(passes, thread) === 0) kept++;
  }
  return kept > 0 && kept < threads ? { block, threads, kept } : undefined;
}
