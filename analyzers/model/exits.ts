/** Lanes that leave: `return`, `break` and `continue` in branches, and what comes of them. */
import type { Stmt } from '../syntax/ast.ts';
import { select } from './conversions.ts';
import { constant, type Form, op } from './form.ts';
import { frameOf } from './frames.ts';
import type { Machine } from './machine.ts';
import { unknownOf } from './made-values.ts';
import { sideForm } from './path-forms.ts';
import { momentOf } from './recorder.ts';
import { setCell } from './trial.ts';
import { type Cell, type Frame, formOf, type RawBranch, type Value } from './values.ts';

export function noteExit(m: Machine, kind: 'return' | 'break' | 'continue', s: Stmt): void {
  if (m.trial > 0 || m.mode === 'host') return;
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, s);
  m.facts.exits.push({ place, order, path, loops, functionName, callSite, epoch, kind, depth: m.frames.length });
}

/** Whether a `break` there leaves a `switch`, and not the loop around both. */
export function isInSwitch({ path, loops }: Pick<RawBranch, 'path' | 'loops'>): boolean {
  return path.some(({ branch }) => branch.kind === 'switch' && branch.loops.at(-1) === loops.at(-1));
}

/**
 * What lanes that left do not run is the other side of their branch: its cost is known where the loop or the function ends. `since`: as
 * many exits were noted before it began.
 */
export function settleExits(m: Machine, of: 'loop' | 'function', since = 0): void {
  const depth = of === 'function' ? m.frames.length : m.loops.length;
  if (m.exits.length === 0) return;
  m.exits = m.exits.filter((e, index) => {
    if (index < since || (e.flow === 'return') !== (of === 'function') || e.depth < depth) return true;
    e.branch.elseCost = Math.max(e.branch.elseCost, m.cost - e.cost);
    e.branch.elseHeavy ||= m.weight > e.weight;
    e.branch.elseEnd = m.cost;
    return false;
  });
}

export function isBareExit(s: Stmt): boolean {
  if (s.k === 'block') return s.body.length === 1 && isBareExit(s.body[0]);
  return s.k === 'return' || s.k === 'break' || s.k === 'continue';
}

/** A side returns, after which its changes are taken back: whoever called it sees them. `log`: of the side. */
export function noteLeft(m: Machine, log: ReadonlyMap<Cell, Value>): void {
  const { left } = frameOf(m);
  if (!left) return;
  // What the sides around it have changed before counts, too.
  left.push(new Map([...(m.log?.keys() ?? []), ...log.keys()].map((cell) => [cell, cell.value])));
}

/**
 * Where a side that returned has changed a cell that others leave as it was, or give another value: a number that nobody knows, unless the
 * end of the function is never reached. A side that changes nothing is taken for one where something failed.
 */
export function settleLeft(m: Machine, { left = [], def }: Frame): void {
  const cells = new Set(left.flatMap((each) => [...each.keys()]));
  for (const cell of cells) {
    const values = left.flatMap((each) => each.get(cell) ?? []);
    const all = neverEnds(def?.body) ? values : [...values, cell.value];
    const [first] = all;
    if (!all.every((value) => isSame(value, first))) setCell(m, cell, unknownOf(cell.type));
    else if (first !== cell.value) setCell(m, cell, first);
  }
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  const [x, y] = [a, b].map(formOf);
  return a.v === 'num' && b.v === 'num' && x.f === 'const' && y.f === 'const' && x.v === y.v;
}

/** `exit(1); }` */
function neverEnds(body: Stmt | undefined): boolean {
  const last = body?.k === 'block' ? body.body.at(-1) : undefined;
  return (
    last?.k === 'expr' && last.e.k === 'call' && last.e.f.k === 'name' && /^(?:std::)?(?:exit|abort|_Exit|terminate)$/.test(last.e.f.name)
  );
}

/** Value of a function from its returns, each under its own conditions. */
export function returned(frame: ReturnType<typeof frameOf>): Value | undefined {
  const { returns } = frame;
  if (returns.length === 0) return undefined;
  let result = returns[returns.length - 1].value;
  for (let i = returns.length - 2; i >= 0; i--) {
    const { value, path } = returns[i];
    if (!value || !result) continue;
    const c = path.map((p) => sideForm(p)).reduce((a, b) => op('&&', a, b), constant(1) as Form);
    result = select(c, value, result);
  }
  return result;
}
