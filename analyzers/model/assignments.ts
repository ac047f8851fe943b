/** Assignments. */
import type { Expr, ExprOf } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { load, store } from './accesses.ts';
import { binary } from './arithmetic.ts';
import { construct, convert } from './conversions.ts';
import { frameOf } from './frames.ts';
import { evaluate, lvalue, type Machine } from './machine.ts';
import { momentOf } from './recorder.ts';
import { UNKNOWN } from './types.ts';
import type { MemoryObject, Value } from './values.ts';

export function assign(m: Machine, e: ExprOf<'assign'>): Value {
  if (e.op === '=') {
    const before = m.facts.accesses.length;
    const value = evaluate(m, e.b);
    const target = lvalue(m, e.a);
    noteFieldWrite(m, e, value);
    const result = value.v === 'list' && target.l === 'cell' ? construct(m, target.cell.type, [], e, value.items) : value;
    store(m, target, result, e.a, target.l === 'mem' && readsTarget(m, target.object, e, before));
    return result;
  }
  const b = evaluate(m, e.b);
  const target = lvalue(m, e.a);
  const before = load(m, target, e.a, true);
  const after = binary(m, e.op.slice(0, -1), before, b, e);
  const type = target.l === 'cell' ? target.cell.type : target.l === 'mem' ? target.type : UNKNOWN;
  store(m, target, convert(m, after, type), e.a, true);
  return after;
}

/** `a[i] = a[i] + x` is `a[i] += x`: the load of the target among those noted since, which becomes one half of a read-modify-write. */
function readsTarget(m: Machine, object: MemoryObject, e: ExprOf<'assign'>, since: number): boolean {
  const { accesses } = m.facts;
  const { item } = frameOf(m);
  for (let i = since; i < accesses.length; i++) {
    const { kind, place } = accesses[i];
    if (kind !== 'load' || accesses[i].object.id !== object.id || place.item !== item || !sameTokens(item, place, e.a)) continue;
    accesses[i] = { ...accesses[i], readModifyWrite: true };
    return true;
  }
  return false;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function sameTokens({ tokens }: Item, a: Span, b: Span): boolean {
  const [from, to] = [firstToken(tokens, a.start), firstToken(tokens, b.start)];
  for (let i = 0; ; i++) {
    const [x, y] = [tokens[from + i], tokens[to + i]];
    const ended = [x === undefined || x.start >= a.end, y === undefined || y.start >= b.end];
    if (ended[0] || ended[1]) return ended[0] && ended[1] && i > 0;
    if (x.text !== y.text) return false;
  }
}

/** Index of the first token that does not start before an offset. */
function firstToken(tokens: Item['tokens'], offset: number): number {
  let low = 0;
  for (let high = tokens.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (tokens[middle].start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function noteFieldWrite(m: Machine, e: ExprOf<'assign'>, value: Value): void {
  if (m.mode !== 'host' || m.trial > 0 || e.a.k !== 'member') return;
  const parts: string[] = [];
  let at: Expr = e.a;
  while (at.k === 'member') {
    parts.unshift(at.name);
    at = at.a;
  }
  if (at.k === 'name')
    m.facts.fieldWrites.push({ path: [at.name, ...parts].join('.'), moment: momentOf(m, e), node: e.b, value, item: frameOf(m).item });
}
