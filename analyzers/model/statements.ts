/** Runs statements: both sides of every undecided branch, and loop bodies once, with their variables as functions of the iteration. */
import type { Expr, Stmt } from '../syntax/ast.ts';
import { executeAll, ifStatement, switchStatement } from './branches.ts';
import { narrowsBack } from './conversions.ts';
import { declaration } from './declarations.ts';
import { structType, typeOfRef } from './definitions.ts';
import { noteExit } from './exits.ts';
import { declare, frameOf, withScope } from './frames.ts';
import { loop } from './loops.ts';
import { evaluate, evaluateDiscarded, type Flow, type Machine } from './machine.ts';
import { copyValue } from './made-values.ts';
import { momentOf } from './recorder.ts';
import { mayStep } from './trial.ts';
import { NO_BINDINGS, type Type } from './types.ts';

/** `SYNC;` and `syncThreads();` of a file that is not at hand. CUDA's own functions are known. */
function soundsLikeBarrier(e: Expr): boolean {
  const named = e.k === 'call' ? e.f : e;
  return named.k === 'name' && /sync|barrier/i.test(named.name) && !named.name.startsWith('__');
}

function noteUnknownBarrier(m: Machine, s: Stmt): void {
  if (m.mode !== 'device') return;
  m.epoch++;
  if (m.trial === 0) m.facts.barriers.push({ ...momentOf(m, s), name: '', scope: 'unknown' });
}

export function executeStatement(m: Machine, s: Stmt): Flow {
  if (!mayStep(m)) return 'next';
  switch (s.k) {
    case 'block': {
      const { scopes } = frameOf(m);
      scopes.push(undefined);
      const flow = executeAll(m, s.body);
      scopes.pop();
      return flow;
    }
    case 'decl':
      for (const d of s.decls) declaration(m, d);
      return 'next';
    case 'expr': {
      const before = m.facts.barriers.length;
      evaluateDiscarded(m, s.e);
      if (m.mode === 'device' && m.facts.barriers.length === before && soundsLikeBarrier(s.e)) noteUnknownBarrier(m, s);
      return 'next';
    }
    case 'if':
      return withScope(m, () => ifStatement(m, s));
    case 'for':
    case 'while':
    case 'do':
    case 'range':
      return withScope(m, () => loop(m, s));
    case 'switch':
      return switchStatement(m, s);
    case 'return': {
      const frame = frameOf(m);
      const value = s.e && evaluate(m, s.e);
      if (value && frame.def) narrowsBack(m, value, typeOfRef(m, frame.def.returns));
      frame.returns.push({ value: value && copyValue(value), path: m.path.slice(frame.pathBase) });
      noteExit(m, 'return', s);
      return 'return';
    }
    case 'break':
    case 'continue':
      noteExit(m, s.k, s);
      return s.k;
    case 'goto':
    case 'asm':
      m.facts.incomplete = true;
      m.weight++;
      if (s.k === 'asm') noteUnknownBarrier(m, s);
      return 'next';
    case 'aggregate':
      declare(m, s.def.name, { e: 'type', type: structType(m, s.def, NO_BINDINGS) as Type });
      return 'next';
    case 'alias':
      declare(m, s.def.name, { e: 'type', type: typeOfRef(m, s.def.type) });
      return 'next';
    default:
      return 'next';
  }
}
