/** Runs statements: both sides of every undecided branch, and loop bodies once, with their variables as functions of the iteration. */
import type { Expr, Stmt } from '../syntax/ast.ts';
import { ifStatement, switchStatement } from './branches.ts';
import { narrowsBack } from './conversions.ts';
import { declaration } from './declarations.ts';
import { structType, typeOfRef } from './definitions.ts';
import { noteExit } from './exits.ts';
import { declare, frameOf, withScope } from './frames.ts';
import { loop } from './loops.ts';
import { evaluate, evaluateDiscarded, execute, type Flow, type Machine } from './machine.ts';
import { copyValue } from './made-values.ts';
import { mayStep } from './trial.ts';
import { NO_BINDINGS, type Type } from './types.ts';
import { noteUnknownBarrier } from './unknown-calls.ts';

/** `SYNC;` and `syncThreads();` of a file that is not at hand. CUDA's own functions are known. */
function soundsLikeBarrier(e: Expr): boolean {
  const named = e.k === 'call' ? e.f : e;
  return named.k === 'name' && /sync|barrier/i.test(named.name) && !named.name.startsWith('__');
}

function executeBlock(m: Machine, body: readonly Stmt[]): Flow {
  const outer = m.statement;
  let flow: Flow = 'next';
  for (const s of body) {
    m.statement = s;
    flow = execute(m, s);
    if (flow !== 'next') break;
  }
  m.statement = outer;
  return flow;
}

export function executeStatement(m: Machine, s: Stmt): Flow {
  if (!mayStep(m)) return 'next';
  switch (s.k) {
    case 'block': {
      const { scopes } = frameOf(m);
      const { dereferences } = m.facts;
      const before = dereferences.length;
      scopes.push(undefined);
      const flow = executeBlock(m, s.body);
      scopes.pop();
      // OpenACC and OpenMP run it on the device.
      if (s.offloaded) dereferences.length = before;
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
