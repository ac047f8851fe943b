/** What is known of a warp at one place of a function: of its values, and of its lanes. */
import type { Block } from '../ir/types.ts';
import { originOf } from './arithmetic.ts';
import { alignOf, either, NOTHING, sameTerms, type Value, written } from './values.ts';

export interface State {
  /** By SSA value. Values are never changed, so that a copy of the list is a copy of the state. */
  values: (Value | undefined)[];
  /** Lanes that are here; if not `certain`, some of these. */
  readonly mask: number;
  certain: boolean;
  /** Which of them are here, each lane decides by a value that nobody knows, and not just those at an edge. */
  open: boolean;
}

/** How two paths come to meet. */
export interface Meeting {
  /** They are two ways that all lanes may have come; otherwise each has lanes of its own, or may have any. */
  readonly together: boolean;
  /** But for the one warp of many that holds an edge: what is not the same on both is not the same for its lanes. */
  readonly isEdge: boolean;
}

/** Two paths made one. */
export function merged(a: State, b: State, { together, isEdge }: Meeting): State {
  const certain = a.certain && b.certain;
  const mask = a.mask | b.mask;
  const open = a.open || b.open;
  if (a.values === b.values) return { values: a.values, mask, certain, open };
  const isDisjoint = (a.mask & b.mask) === 0 && certain;
  const values = a.values;
  for (let id = 0; id < values.length; id++) {
    const [left, right] = [values[id], b.values[id]];
    if (left === right || right === undefined) continue;
    if (left === undefined) values[id] = right;
    else if (isDisjoint) values[id] = written(left, right, b.mask);
    else values[id] = written(left, either(left, right, mask, together, isEdge ? 'edge' : originOf([left, right])), mask);
  }
  return { values, mask, certain: certain && (isDisjoint || a.mask === b.mask), open };
}

/**
 * The state at a loop's header before any iteration, from those before one and after it. undefined if there is no difference. `carried`: the
 * loop's variables that have been widened already. `giveUp`: nothing is known of what still changes.
 */
export function widened(before: State, after: State, header: Block, carried: Map<number, Value>, giveUp: boolean): State | undefined {
  const values = before.values.slice();
  let changed = false;
  for (const phi of header.instructions) {
    if (phi.op !== 'phi') break;
    const [old, next] = [before.values[phi.id] ?? NOTHING, after.values[phi.id] ?? NOTHING];
    const wide = widenedValue(old, next, carried.get(phi.id) === old, before.mask);
    if (wide === old) continue;
    changed = true;
    values[phi.id] = giveUp ? NOTHING : wide;
    carried.set(phi.id, values[phi.id]!);
  }
  const certain = before.certain && after.certain && before.mask === after.mask;
  const open = before.open || after.open;
  if (certain !== before.certain || open !== before.open) changed = true;
  return changed ? { values, mask: before.mask | after.mask, certain, open } : undefined;
}

function widenedValue(old: Value, next: Value, isWide: boolean, mask: number): Value {
  if (old === next || (old.known & mask) === 0) return old;
  if (sameTerms(old.terms, next.terms) && (old.known & mask & ~next.known) === 0 && sameLanes(old, next, old.known & mask)) return old;
  const data = originOf([old, next]);
  const wide = either(old, next, mask, true, data === 'data' || data === 'edge' ? data : 'loop');
  // An unknown that stands for all iterations stands for this one, too.
  const isCovered = isWide && (old.known & mask & ~wide.known) === 0 && alignOf(wide.terms) >= alignOf(old.terms);
  return isCovered ? old : wide;
}

function sameLanes(a: Value, b: Value, mask: number): boolean {
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if (!Object.is(a.lanes[lane], b.lanes[lane])) return false;
  }
  return true;
}
