/**
 * Which variables a loop's text assigns. Knowing them before the first trial of the loop saves that trial: it would be made only to see
 * them change. Variables that change in other ways (through references, in called functions) are not found here but by the trial.
 */
import type { Expr, Stmt } from '../syntax/ast.ts';
import { findLocal, type Machine } from './machine.ts';
import type { Cell } from './values.ts';

/** A variable, or a field of one: `p.x` is ['p', 'x']. */
type Target = readonly string[];

type LoopStmt = Stmt & { k: 'for' | 'while' | 'do' | 'range' };

const TARGETS = new WeakMap<LoopStmt, readonly Target[]>();

/** Cells of variables declared outside the loop, in the order of the text. */
export function assignedCells(m: Machine, loop: LoopStmt): Cell[] {
  const cells = new Set<Cell>();
  for (const target of targetsOf(loop)) {
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

function targetsOf(loop: LoopStmt): readonly Target[] {
  let targets = TARGETS.get(loop);
  if (!targets) {
    const found: Found = { targets: new Map(), declared: new Set() };
    const parts = loop.k === 'range' ? [loop.body] : loop.k === 'for' ? [loop.c, loop.body, loop.step] : [loop.c, loop.body];
    for (const part of parts) visit(part, found);
    targets = [...found.targets.values()].filter(([name]) => !found.declared.has(name));
    TARGETS.set(loop, targets);
  }
  return targets;
}

interface Found {
  readonly targets: Map<string, Target>;
  readonly declared: Set<string>;
}

/** Statements, expressions and lists of them; what is in a lambda or a local structure runs elsewhere. */
function visit(node: unknown, found: Found): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const part of node) visit(part, found);
    return;
  }
  const part = node as Stmt | Expr;
  switch (part.k) {
    case 'lambda':
    case 'aggregate':
      return;
    case 'decl':
      for (const d of part.decls) found.declared.add(d.name);
      break;
    case 'assign':
    case 'postfix':
      noteTarget(part.a, found);
      break;
    case 'unary':
      if (part.op === '++' || part.op === '--') noteTarget(part.a, found);
      break;
    default:
  }
  for (const value of Object.values(part)) visit(value, found);
}

function noteTarget(e: Expr, found: Found): void {
  const path: string[] = [];
  let at = e;
  for (; at.k === 'member' && !at.arrow; at = at.a) path.unshift(at.name);
  if (at.k !== 'name') return;
  path.unshift(at.name);
  found.targets.set(path.join('.'), path);
}
