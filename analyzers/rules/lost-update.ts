/** `x[0] += v` by several threads: each reads the old value, and of the stores one survives. */
import type { Wording } from '../../protocol/finding.ts';
import type { AccessFacts, AtomicFacts, BranchFacts, StatementFacts, VariantFacts } from '../model/facts.ts';
import { defineRule, type RuleFix } from './define-rule.ts';
import { phrase } from './phrases.ts';

export const lostUpdate = defineRule({
  id: 'lost-update',
  summary: 'Several threads read, modify and write one word without an atomic',
  category: 'synchronisation',
  severity: 'warning',
  messages: {
    lost: '{who} read, modify and write `{text}` without an atomic: only one update survives (on an H200, lane 0’s when 32 lanes add to one word); use an atomic, or reduce first and let one thread write',
  },
  *detect(kernel) {
    if (runsOnOneThread(kernel)) return;
    for (const access of kernel.accesses) {
      if (access.kind !== 'store' || !access.readModifyWrite) continue;
      if (access.object.space !== 'global' && access.object.space !== 'shared') continue;
      if (isUnderLock(access, kernel)) continue;
      const who = meeting(access, kernel);
      if (who) yield { at: access.place, message: 'lost', data: { who, text: access.text }, fixes: asAtomic(access) };
    }
  },
});

/** A kernel whose launch is not in this file and in which nothing depends on the thread is meant for one thread. */
function runsOnOneThread(kernel: VariantFacts): boolean {
  return kernel.launches.length === 0 && kernel.accesses.every(({ offset }) => !['lane', 'warp', 'block'].includes(offset.uniformity));
}

/** Between `while (atomicCAS(lock, 0, 1));` and what frees the lock, one thread is alone. */
function isUnderLock({ order }: AccessFacts, { atomics, accesses }: VariantFacts): boolean {
  return atomics.some((lock) => {
    if (!lock.inRetryLoop || lock.order > order) return false;
    const frees = (other: AtomicFacts | AccessFacts) => other.object.id === lock.object.id && other.order > order;
    return atomics.some(frees) || accesses.some((other) => other.kind === 'store' && frees(other));
  });
}

/** Who meets at the address; undefined when one thread is alone there or nothing is known. */
function meeting(access: AccessFacts, kernel: VariantFacts): Wording | undefined {
  const { control, sameAddress } = access;
  const oneThread = kernel.blockKnown && kernel.block.x * kernel.block.y * kernel.block.z === 1;
  // Under a condition on data that the kernel changes or on something unknown, a lock or an election may let one thread through.
  const isElection = ({ splits: { kind }, byConstantData }: BranchFacts) => kind === 'unknown' || (kind === 'data' && !byConstantData);
  if (control.branches.some(({ branch }) => isElection(branch))) return undefined;
  const isChosen = control.branches.some(({ branch }) => branch.splits.kind === 'data');
  if (control.oneThreadPerBlock || oneThread) {
    const { x = 1, y = 1, z = 1 } = kernel.grid;
    const several = kernel.grid.x !== undefined && x * y * z > 1;
    return sameAddress === 'grid' && access.object.space === 'global' && several && !control.choosesBlocks
      ? phrase('allBlocks')
      : undefined;
  }
  if (control.oneThreadPerWarp) return sameAddress === 'block' || sameAddress === 'grid' ? phrase('allWarpsOfBlock') : undefined;
  if (control.activeLanes === 1) return undefined;
  if (sameAddress === 'grid' || sameAddress === 'block') return phrase(isChosen ? 'threadsLetThrough' : 'allThreadsOfBlock');
  if (sameAddress === 'warp') return phrase(isChosen ? 'threadsLetThrough' : 'allLanesOfWarp');
  // What is no count may go by a list that has each place once.
  return access.placedByOwnData && counts(access) ? phrase('threadsSentToOne') : undefined;
}

/** `x++`, `x += 1`. */
function counts(access: AccessFacts): boolean {
  const update = updateOf(access);
  return update !== undefined && /^(\+\+|--)|(\+\+|--|[+-]=\s*\d+[uUlL]*);$/.test(update.text);
}

/** The statement that updates, alone or as the end of the `if` that it stands under. */
function updateOf({ statement, text }: AccessFacts): StatementFacts | undefined {
  if (!statement?.text.includes(text)) return statement;
  const start = statement.text.lastIndexOf(text);
  const before = statement.text.slice(0, start);
  const first = start - (/(\+\+|--)$/.exec(before)?.[0].length ?? 0);
  if (first === 0 || !/(\)|\belse)\s*$/.test(before.slice(0, first))) return statement;
  const { item, end } = statement.place;
  return { text: statement.text.slice(first), place: { item, start: end - (statement.text.length - first), end } };
}

/** `*p += v;` and `++*p;` of types that atomicAdd takes: `unsigned` and `unsigned long long` stand for all unsigned ones of their size. */
function asAtomic(access: AccessFacts): RuleFix[] {
  const { text, type } = access;
  const statement = updateOf(access);
  const isTaken = (type.kind === 'integer' && (type.size === 4 || (type.size === 8 && type.unsigned))) || type.kind === 'float';
  if (!statement || !isTaken || (type.size ?? 0) < 4) return [];
  const [target, added] = statement.text.slice(0, -1).split(/\s*\+=\s*/);
  const value = added ?? (/^(\+\+)|(\+\+);$/.test(statement.text) ? '1' : undefined);
  if (value === undefined || (added !== undefined ? target !== text : statement.text.replace('++', '') !== `${text};`)) return [];
  return [
    {
      title: phrase('replaceWith', { name: 'atomicAdd' }),
      edits: [{ at: statement.place, newText: `atomicAdd(&${text}, ${value});` }],
      safe: false,
    },
  ];
}
