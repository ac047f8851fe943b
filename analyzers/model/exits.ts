/** Lanes that leave: `return`, `break` and `continue` in branches, and what comes of them. */
import type { Stmt } from '../syntax/ast.ts';
import { select } from './conversions.ts';
import { constant, type Form, op } from './form.ts';
import type { frameOf } from './frames.ts';
import type { Machine } from './machine.ts';
import { sideForm } from './path-forms.ts';
import { momentOf } from './recorder.ts';
import type { RawBranch, Value } from './values.ts';

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
