/**
 * Which variables a loop's text assigns. Knowing them before the loop is run for the first time saves that run: it would be made only to
 * see them change. Variables that change in other ways (through references, in called functions) are not found here but by that run.
 */
import type { Declarator, Expr, Stmt } from '../syntax/ast.ts';
import { findLocal } from './frames.ts';
import type { Machine } from './machine.ts';
import type { KnownLoop, LoopText, Target } from './trial.ts';
import type { Cell } from './values.ts';

type LoopStmt = Stmt & { k: 'for' | 'while' | 'do' | 'range' };

/** Cells of variables declared outside the loop, in the order of the text. */
export function assignedCells(m: Machine, loop: LoopStmt): Cell[] {
  const cells = new Set<Cell>();
  for (const target of targetsOf(m, loop)) {
    const cell = cellOf(m, target);
    if (cell) cells.add(cell);
  }
  return [...cells];
}

function cellOf(m: Machine, [name, ...fields]: Target): Cell | undefined {
  const entry = findLocal(m, name);
  let cell = entry?.e === 'cell' ? entry.cell : undefined;
  for (const field of fields) cell = cell?.value.v === 'struct' ? cell.value.fields.get(field) : undefined;
  // A structure is its fields: they are what an assignment to the whole replaces.
  return cell?.value.v === 'struct' ? undefined : cell;
}

function knownOf(m: Machine, loop: LoopStmt): KnownLoop {
  let known: KnownLoop | undefined = m.loopTargets.get(loop);
  if (!known) {
    known = { body: { targets: new Map(), declared: new Set() } };
    inStatement(m, loop.body, known.body);
    m.loopTargets.set(loop, known);
  }
  return known;
}

function targetsOf(m: Machine, loop: LoopStmt): readonly Target[] {
  const known = knownOf(m, loop);
  if (!known.targets) {
    const found: LoopText = { targets: new Map(), declared: known.body.declared };
    if (loop.k !== 'range') inExpression(loop.c, found);
    inBody(m, loop, found);
    if (loop.k === 'for') inExpression(loop.step, found);
    known.targets = [...found.targets.values()].filter(([name]) => !found.declared.has(name));
  }
  return known.targets;
}

function inBody(m: Machine, loop: LoopStmt, found: LoopText): void {
  const { targets, declared } = knownOf(m, loop).body;
  for (const [path, target] of targets) found.targets.set(path, target);
  for (const name of declared) found.declared.add(name);
}

/** What is in a local structure runs elsewhere. */
function inStatement(m: Machine, s: Stmt | undefined, found: LoopText): void {
  switch (s?.k) {
    case 'block':
      for (const part of s.body) inStatement(m, part, found);
      break;
    case 'decl':
      for (const d of s.decls) {
        found.declared.add(d.name);
        inDeclarator(d, found);
      }
      break;
    case 'expr':
    case 'return':
      inExpression(s.e, found);
      break;
    case 'if':
      inStatement(m, s.init, found);
      inExpression(s.c, found);
      inStatement(m, s.then, found);
      inStatement(m, s.else, found);
      break;
    case 'for':
      inStatement(m, s.init, found);
      inExpression(s.c, found);
      inExpression(s.step, found);
      inBody(m, s, found);
      break;
    case 'range':
      inDeclarator(s.decl, found);
      inExpression(s.over, found);
      inBody(m, s, found);
      break;
    case 'while':
    case 'do':
      inExpression(s.c, found);
      inBody(m, s, found);
      break;
    case 'switch':
      inExpression(s.c, found);
      inStatement(m, s.body, found);
      break;
    default:
  }
}

function inDeclarator(d: Declarator, found: LoopText): void {
  inExpression(d.init, found);
  for (const arg of d.args ?? []) inExpression(arg, found);
}

/** What is in a lambda runs elsewhere. */
function inExpression(e: Expr | undefined, found: LoopText): void {
  if (!e || e.k === 'name' || e.k === 'number') return;
  switch (e.k) {
    case 'assign':
      noteTarget(e.a, found);
      inExpression(e.a, found);
      inExpression(e.b, found);
      break;
    case 'unary':
    case 'postfix':
      if (e.op === '++' || e.op === '--') noteTarget(e.a, found);
      inExpression(e.a, found);
      break;
    case 'binary':
      inExpression(e.a, found);
      inExpression(e.b, found);
      break;
    case 'cond':
      inExpression(e.c, found);
      inExpression(e.a, found);
      inExpression(e.b, found);
      break;
    case 'index':
      inExpression(e.a, found);
      inExpression(e.i, found);
      break;
    case 'member':
    case 'cast':
      inExpression(e.a, found);
      break;
    case 'call':
      inExpression(e.f, found);
      for (const arg of e.args) inExpression(arg, found);
      break;
    case 'launch':
      for (const part of e.config) inExpression(part, found);
      for (const part of e.args) inExpression(part, found);
      break;
    case 'construct':
      for (const arg of e.args) inExpression(arg, found);
      break;
    case 'new':
      for (const arg of [...e.placement, ...e.args]) inExpression(arg, found);
      break;
    case 'list':
      for (const item of e.items) inExpression(item, found);
      break;
    default:
  }
}

function noteTarget(e: Expr, found: LoopText): void {
  if (e.k === 'name') {
    if (!found.targets.has(e.name)) found.targets.set(e.name, [e.name]);
    return;
  }
  const path: string[] = [];
  let at: Expr = e;
  for (; at.k === 'member' && !at.arrow; at = at.a) path.unshift(at.name);
  if (at.k !== 'name') return;
  path.unshift(at.name);
  found.targets.set(path.join('.'), path);
}
