/** Runs `if` and `switch`: each side by itself, with its changes taken back, and then both together. */
import type { Stmt } from '../syntax/ast.ts';
import { evaluateCondition } from './arithmetic.ts';
import { newBranch } from './branch-records.ts';
import { select } from './conversions.ts';
import { isBareExit, noteLeft } from './exits.ts';
import { constant, type Form, op } from './form.ts';
import { frameOf, withScope } from './frames.ts';
import { evaluate, execute, type Flow, type Machine } from './machine.ts';
import { setCell } from './trial.ts';
import { type Cell, formOf, type PathStep, type RawBranch, type Value } from './values.ts';

export function executeAll(m: Machine, body: readonly Stmt[]): Flow {
  for (const s of body) {
    const flow = execute(m, s);
    if (flow !== 'next') return flow;
  }
  return 'next';
}

interface Outcome {
  readonly flow: Flow;
  /** Cells changed on the side, with what they hold at its end. */
  readonly changed: ReadonlyMap<Cell, Value>;
}

export const NOTHING: ReadonlyMap<Cell, Value> = new Map();

const UNCHANGED: Outcome = { flow: 'next', changed: NOTHING };

/** Runs one side of a branch and takes its changes back. */
export function side(m: Machine, branch: RawBranch, which: PathStep['side'], body: readonly Stmt[]): Outcome {
  const { path, log: outer } = m;
  const { scopes } = frameOf(m);
  const log = new Map<Cell, Value>();
  m.log = log;
  m.path = [...path, { branch, side: which }];
  scopes.push(undefined);
  const flow = executeAll(m, body);
  scopes.pop();
  m.path = path;
  m.log = outer;
  if (flow === 'return') noteLeft(m, log);
  // The log itself becomes the list of changes: what each cell holds now against what it held.
  for (const [cell, before] of log) {
    log.set(cell, cell.value);
    cell.value = before;
  }
  return { flow, changed: log };
}

export function ifStatement(m: Machine, s: Stmt & { k: 'if' }): Flow {
  if (s.init) execute(m, s.init);
  const c = evaluateCondition(m, s.c);
  const form = formOf(c);
  if (form.f === 'const') {
    if (form.v !== 0) return execute(m, s.then);
    return s.else ? execute(m, s.else) : 'next';
  }
  const branch = newBranch(m, 'if', s, c, s.head, s.c);
  return split(m, branch, form, s);
}

function split(m: Machine, branch: RawBranch, c: Form, s: Stmt & { k: 'if' }): Flow {
  const barriers = m.facts.barriers.length;
  const loops = m.facts.loops.length;
  const branches = m.facts.branches.length;
  const start = { cost: m.cost, weight: m.weight };
  const a = side(m, branch, 'then', [s.then]);
  branch.thenCost = m.cost - start.cost;
  branch.thenHeavy = m.weight > start.weight;
  branch.loopInside = m.facts.loops.length > loops;
  branch.barrierInside = hasBlockBarrier(m, barriers);
  const middle = { cost: m.cost, weight: m.weight };
  const b = s.else ? side(m, branch, 'else', [s.else]) : UNCHANGED;
  branch.elseCost = m.cost - middle.cost;
  branch.elseHeavy = m.weight > middle.weight;
  branch.nested = hasBranch(m, branches);
  branch.thenEnd = middle.cost;
  branch.elseEnd = m.cost;
  if (a.flow !== 'next' && isBareExit(s.then)) branch.exits = a.flow;
  if (a.flow !== 'next') branch.leaves = a.flow;
  if (b.flow !== 'next') branch.otherLeaves = b.flow;
  merge(m, c, a, b);
  if (a.flow !== 'next' && b.flow !== 'next') return a.flow === b.flow ? a.flow : a.flow === 'return' ? b.flow : a.flow;
  if (a.flow !== 'next') {
    m.path = [...m.path, { branch, side: 'else' }];
    if (m.mode === 'device')
      m.exits.push({ branch, flow: a.flow, cost: m.cost, weight: m.weight, depth: a.flow === 'return' ? m.frames.length : m.loops.length });
  }
  if (b.flow !== 'next') m.path = [...m.path, { branch, side: 'then' }];
  return 'next';
}

/** Whether a barrier of the whole block or grid was noted since there were `before`. */
export function hasBlockBarrier(m: Machine, before: number): boolean {
  const { barriers } = m.facts;
  for (let i = before; i < barriers.length; i++) if (barriers[i].scope === 'block' || barriers[i].scope === 'grid') return true;
  return false;
}

/** Whether an `if`, `?:` or `switch` was noted since there were `before` branches. */
function hasBranch(m: Machine, before: number): boolean {
  const { branches } = m.facts;
  for (let i = before; i < branches.length; i++) if (branches[i].kind !== 'logical') return true;
  return false;
}

/** Lanes that left do not come back: their values do not count after the branch. */
function merge(m: Machine, c: Form, a: Outcome, b: Outcome): void {
  const leaves = (o: Outcome) => o.flow === 'return' || o.flow === 'break';
  const cells =
    b.changed.size === 0 ? a.changed.keys() : a.changed.size === 0 ? b.changed.keys() : new Set([...a.changed.keys(), ...b.changed.keys()]);
  for (const cell of cells) {
    const before = cell.value;
    const va = leaves(a) ? undefined : (a.changed.get(cell) ?? before);
    const vb = leaves(b) ? undefined : (b.changed.get(cell) ?? before);
    if (va && vb) setCell(m, cell, select(c, va, vb));
    else if (va ?? vb) setCell(m, cell, (va ?? vb)!);
  }
}

export function switchStatement(m: Machine, s: Stmt & { k: 'switch' }): Flow {
  const subject = evaluate(m, s.c);
  const form = formOf(subject);
  const groups = caseGroups(m, s.body.k === 'block' ? s.body.body : [s.body]);
  if (form.f === 'const') {
    const at = groups.findIndex((g) => g.values.includes(form.v));
    const chosen = at >= 0 ? at : groups.findIndex((g) => g.isDefault);
    if (chosen < 0) return 'next';
    const flow = withScope(m, () =>
      executeAll(
        m,
        groups.slice(chosen).flatMap((g) => g.body),
      ),
    );
    return flow === 'break' ? 'next' : flow;
  }
  const branch = newBranch(m, 'switch', s, subject, s.head, s.c);
  branch.cases = groups.map((g) => g.values);
  const start = { cost: m.cost, weight: m.weight };
  const outcomes = groups.map((group) => side(m, branch, 'then', group.body));
  branch.thenCost = m.cost - start.cost;
  branch.thenHeavy = m.weight > start.weight;
  branch.thenEnd = m.cost;
  branch.elseEnd = m.cost;
  const cells = new Set(outcomes.flatMap((o) => [...o.changed.keys()]));
  for (const cell of cells) {
    let value = cell.value;
    groups.forEach((group, i) => {
      if (outcomes[i].flow === 'return') return;
      const taken =
        group.isDefault && group.values.length === 0
          ? op(
              '!',
              groups
                .flatMap((g) => g.values)
                .map((v) => op('==', form, constant(v)))
                .reduce((x, y) => op('||', x, y), constant(0) as Form),
            )
          : group.values.map((v) => op('==', form, constant(v))).reduce((x, y) => op('||', x, y), constant(0) as Form);
      value = select(taken, outcomes[i].changed.get(cell) ?? cell.value, value);
    });
    setCell(m, cell, value);
  }
  const allReturn = outcomes.length > 0 && outcomes.every((o) => o.flow === 'return') && groups.some((g) => g.isDefault);
  return allReturn ? 'return' : 'next';
}

interface CaseGroup {
  readonly values: number[];
  isDefault: boolean;
  readonly body: Stmt[];
}

function caseGroups(m: Machine, body: readonly Stmt[]): CaseGroup[] {
  const groups: CaseGroup[] = [];
  let open: CaseGroup | undefined;
  for (const s of body) {
    if (s.k === 'case') {
      if (!open || open.body.length > 0) {
        open = { values: [], isDefault: false, body: [] };
        groups.push(open);
      }
      const value = s.value && formOf(evaluate(m, s.value));
      if (!s.value) open.isDefault = true;
      else if (value?.f === 'const') open.values.push(value.v);
    } else open?.body.push(s);
  }
  return groups;
}
