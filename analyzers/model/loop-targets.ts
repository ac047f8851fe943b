/**
 * Which variables a loop's text assigns. Knowing them before the first trial of the loop saves that trial: it would be made only to see
 * them change. Variables that change in other ways (through references, in called functions) are not found here but by the trial;
 * of a loop in which nothing can do so, no trial is made where only constants count.
 */
import type { Declarator, Expr, Stmt } from '../syntax/ast.ts';
import { findLocal, frameOf, type Machine } from './machine.ts';
import { Memo } from './memo.ts';
import type { Cell } from './values.ts';

/** A variable, or a field of one: `p.x` is ['p', 'x']. */
type Target = readonly string[];

type LoopStmt = Stmt & { k: 'for' | 'while' | 'do' | 'range' };

/** Cells of variables declared outside the loop, in the order of the text. */
export function assignedCells(m: Machine, loop: LoopStmt): Cell[] {
  const cells = new Set<Cell>();
  for (const target of foundIn(loop).targets) {
    const cell = cellOf(m, target);
    if (cell) cells.add(cell);
  }
  return [...cells];
}

/**
 * The same where no trial would find others: every round assigns these numbers, and nothing in the loop changes a variable in any other
 * way. Undefined where that is not sure.
 */
export function surelyAssignedCells(m: Machine, loop: LoopStmt): Cell[] | undefined {
  const { isPlain, calls, targets } = foundIn(loop);
  if (!isPlain || !calls.every((name) => takesValues(m, name))) return undefined;
  if (targets.some(([name]) => findLocal(m, name)?.e === 'alias')) return undefined;
  const cells = assignedCells(m, loop);
  return cells.length === targets.length && cells.every(({ value }) => value.v === 'num') ? cells : undefined;
}

/** A function that cannot reach the variables of its caller, given values. */
function takesValues(m: Machine, name: string): boolean {
  if (findLocal(m, name) || frameOf(m).bindings.has(name) || (name.includes('::') && !name.startsWith('std::'))) return false;
  return (m.table.functions.get(name) ?? []).every(({ def }) => def.params.every((p) => !p.type.reference && !p.pack));
}

function cellOf(m: Machine, [name, ...fields]: Target): Cell | undefined {
  const entry = findLocal(m, name);
  let cell = entry?.e === 'cell' ? entry.cell : undefined;
  for (const field of fields) cell = cell?.value.v === 'struct' ? cell.value.fields.get(field) : undefined;
  // A structure is its fields: they are what an assignment to the whole replaces.
  return cell?.value.v === 'struct' ? undefined : cell;
}

interface Known {
  readonly targets: readonly Target[];
  readonly isPlain: boolean;
  /** Names of the functions that are called. */
  readonly calls: readonly string[];
}

const KNOWN = new Memo<LoopStmt, Known>();

function foundIn(loop: LoopStmt): Known {
  let known = KNOWN.get(loop);
  if (!known) {
    const found: Found = {
      targets: new Map(),
      declared: new Set(),
      calls: new Set(),
      conditional: new Set(),
      conditions: 0,
      isPlain: loop.k !== 'range',
    };
    if (loop.k !== 'range') inExpression(loop.c, found);
    inStatement(loop.body, found);
    if (loop.k === 'for') inExpression(loop.step, found);
    const isOutside = (name: string) => !found.declared.has(name);
    known = {
      targets: [...found.targets.values()].filter(([name]) => isOutside(name)),
      isPlain: found.isPlain && ![...found.conditional].some(isOutside),
      calls: [...found.calls],
    };
    KNOWN.set(loop, known);
  }
  return known;
}

interface Found {
  readonly targets: Map<string, Target>;
  readonly declared: Set<string>;
  readonly calls: Set<string>;
  /** Variables that are assigned in some rounds, perhaps. */
  readonly conditional: Set<string>;
  /** Conditions around what is being looked at. */
  conditions: number;
  /** No exits, and no way to a variable but by its name. */
  isPlain: boolean;
}

function underCondition(found: Found, look: () => void): void {
  found.conditions++;
  look();
  found.conditions--;
}

/** What is in a local structure runs elsewhere. */
function inStatement(s: Stmt | undefined, found: Found): void {
  switch (s?.k) {
    case 'block':
      for (const part of s.body) inStatement(part, found);
      break;
    case 'decl':
      for (const d of s.decls) found.declared.add(d.name);
      for (const d of s.decls) inDeclarator(d, found);
      break;
    case 'expr':
      inExpression(s.e, found);
      break;
    case 'if':
      inStatement(s.init, found);
      inExpression(s.c, found);
      underCondition(found, () => {
        inStatement(s.then, found);
        inStatement(s.else, found);
      });
      break;
    case 'for':
      inStatement(s.init, found);
      inExpression(s.c, found);
      underCondition(found, () => {
        inExpression(s.step, found);
        inStatement(s.body, found);
      });
      break;
    case 'range':
      found.isPlain = false;
      inDeclarator(s.decl, found);
      inExpression(s.over, found);
      inStatement(s.body, found);
      break;
    case 'while':
    case 'do':
    case 'switch':
      inExpression(s.c, found);
      underCondition(found, () => inStatement(s.body, found));
      break;
    case 'return':
      found.isPlain = false;
      inExpression(s.e, found);
      break;
    case 'break':
    case 'continue':
    case 'goto':
    case 'asm':
      found.isPlain = false;
      break;
    default:
  }
}

function inDeclarator(d: Declarator, found: Found): void {
  if (d.type.reference) found.isPlain = false;
  inExpression(d.init, found);
  for (const arg of d.args ?? []) inExpression(arg, found);
}

/** What is in a lambda runs elsewhere. */
function inExpression(e: Expr | undefined, found: Found): void {
  switch (e?.k) {
    case 'assign':
      noteTarget(e.a, found);
      inExpression(e.a, found);
      inExpression(e.b, found);
      break;
    case 'unary':
    case 'postfix':
      if (e.op === '++' || e.op === '--') noteTarget(e.a, found);
      // Of an element, what gets the address may change the element alone.
      if (e.op === '&' && e.a.k !== 'index') found.isPlain = false;
      inExpression(e.a, found);
      break;
    case 'binary':
      inExpression(e.a, found);
      if (e.op === '&&' || e.op === '||') underCondition(found, () => inExpression(e.b, found));
      else inExpression(e.b, found);
      break;
    case 'cond':
      inExpression(e.c, found);
      underCondition(found, () => {
        inExpression(e.a, found);
        inExpression(e.b, found);
      });
      break;
    case 'lambda':
      found.isPlain = false;
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
      if (e.f.k === 'name') found.calls.add(e.f.name);
      else found.isPlain = false;
      inExpression(e.f, found);
      for (const arg of e.args) inExpression(arg, found);
      break;
    case 'launch':
      for (const part of [...e.config, ...e.args]) inExpression(part, found);
      break;
    case 'construct':
    case 'new':
      for (const arg of e.args) inExpression(arg, found);
      break;
    case 'list':
      for (const item of e.items) inExpression(item, found);
      break;
    default:
  }
}

function noteTarget(e: Expr, found: Found): void {
  const path: string[] = [];
  let at = e;
  for (; at.k === 'member' && !at.arrow; at = at.a) path.unshift(at.name);
  if (at.k !== 'name') {
    if (at.k !== 'index') found.isPlain = false;
    return;
  }
  path.unshift(at.name);
  if (found.conditions > 0) found.conditional.add(at.name);
  found.targets.set(path.join('.'), path);
}
