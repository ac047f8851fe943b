/** Notes branches, and runs what stands on one side of them. */
import type { Node } from '../syntax/ast.ts';
import { placeOf } from './frames.ts';
import type { Machine } from './machine.ts';
import { momentOf, rawValue } from './recorder.ts';
import type { PathStep, RawBranch, RawValue, Value } from './values.ts';

export function newBranch(
  m: Machine,
  kind: RawBranch['kind'],
  node: { start: number; end: number },
  condition: Value,
  head: { start: number; end: number },
  written: { start: number; end: number } = head,
): RawBranch {
  if (m.hostBranch) return m.hostBranch;
  const branch = makeBranch(m, kind, node, rawValue(m, condition, written), placeOf(m, head));
  if (m.mode === 'host') m.hostBranch = branch;
  else if (m.trial === 0) m.facts.branches.push(branch);
  return branch;
}

/** A branch that is in no list of facts. Trials make many, so it is made in one piece. */
export function makeBranch(
  m: Machine,
  kind: RawBranch['kind'],
  node: Node,
  condition: RawValue,
  headPlace: RawBranch['headPlace'],
): RawBranch {
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, node);
  return {
    place,
    order,
    path,
    loops,
    functionName,
    callSite,
    epoch,
    kind,
    condition,
    headPlace,
    thenCost: 0,
    elseCost: 0,
    thenHeavy: false,
    elseHeavy: false,
    nested: false,
    keptLoad: false,
    exits: undefined,
    barrierInside: false,
    loopInside: undefined,
    leaves: undefined,
    otherLeaves: undefined,
    otherSide: undefined,
    cases: undefined,
  };
}

export function onSide<T>(m: Machine, branch: RawBranch, side: PathStep['side'], body: () => T): T {
  const before = m.path;
  m.path = [...before, { branch, side }];
  const result = body();
  m.path = before;
  return result;
}
