/**
 * Loops in which a block combines rows of one array with columns of another: in each iteration, every element of the one meets every element
 * of the other, so that threads load what others of their block load, too. What L1 serves of it is not known here.
 */
import { restrictionsOf } from './conditions.ts';
import { blockSampleOf, type Context, sampleOf } from './context.ts';
import { dependsOnLoop, type Form, type SymbolForm, same } from './form.ts';
import { LANES, laneOf } from './rows.ts';
import { activeInBlock } from './splits.ts';
import { sizeOf } from './types.ts';
import type { RawAccess, RawLoop } from './values.ts';

export interface Product {
  readonly loop: RawLoop;
  readonly a: Operand;
  readonly b: Operand;
}

/** A load with the number of threads of a block that load each element in one iteration; 1 where the block's threads have one each. */
interface Operand {
  readonly access: RawAccess;
  readonly times: number;
}

export function productsOf(c: Context, accesses: readonly RawAccess[]): Product[] {
  const byLoop = new Map<RawLoop, RawAccess[]>();
  for (const access of accesses) {
    const loop = access.loops.at(-1);
    if (!loop || !isOperand(access, loop)) continue;
    const known = byLoop.get(loop);
    if (known) known.push(access);
    else byLoop.set(loop, [access]);
  }
  return [...byLoop].flatMap(([loop, loads]) => productIn(c, loop, loads) ?? []);
}

function isOperand({ kind, volatile, object, offset }: RawAccess, { shape }: RawLoop): boolean {
  if (kind !== 'load' || volatile || object.space !== 'global' || offset.data || offset.unknown) return false;
  return (offset.lane || offset.block) && dependsOnLoop(offset, shape);
}

/** More operands than a product of two or three matrices has are something else. */
const MOST_OPERANDS = 6;

function productIn(c: Context, loop: RawLoop, loads: readonly RawAccess[]): Product | undefined {
  if (loads.length < 2 || loads.length > MOST_OPERANDS) return undefined;
  const operands = loads.map((access) => ({ access, times: sharersOf(c, access) }));
  for (const a of operands)
    for (const b of operands) {
      if (a === b || a.times < b.times || a.access.order === b.access.order) continue;
      if (crosses(c, a, b)) return { loop, a, b };
    }
  return undefined;
}

/** How many threads of the block load each element, in the first iteration; the fewest of several samples. */
function sharersOf(c: Context, access: RawAccess): number {
  let fewest = threadsOf(c);
  for (const seed of [0, 1]) {
    const places = placesOf(c, access, seed);
    if (places.some(Number.isNaN)) return 1;
    fewest = Math.min(fewest, places.length / Math.max(1, new Set(places).size));
  }
  return fewest;
}

function threadsOf({ shape: { block } }: Context): number {
  return block[0] * block[1] * block[2];
}

/** Of the threads that the conditions around the access let through, as far as they are known. */
function placesOf(c: Context, { offset, path }: RawAccess, seed: number): number[] {
  const sample = blockSampleOf(c, seed);
  const values = sample.value(offset);
  const masks = activeInBlock(c, sample, restrictionsOf(c.memos, path));
  const threads = Array.from({ length: Math.min(threadsOf(c), c.warps * LANES) }, (_, thread) => thread);
  return threads
    .filter((thread) => ((masks[Math.floor(thread / LANES)] >>> (thread % LANES)) & 1) !== 0)
    .map((thread) => laneOf(values, thread));
}

/** Fewer threads for each element are not worth two tiles and two barriers. */
const LEAST_SHARERS = 4;

function crosses(c: Context, a: Operand, b: Operand): boolean {
  if (a.times < LEAST_SHARERS || !Number.isInteger(a.times) || !Number.isInteger(b.times)) return false;
  if (b.times >= LEAST_SHARERS) return a.access.offset.lane && b.access.offset.lane && pairsDiffer(c, a, b);
  // Where a block has one row, the columns are shared with the blocks of other rows: those have an index of their own.
  const [x, y] = [a.access.offset, b.access.offset];
  if (!y.lane || b.times !== 1 || a.access.object === b.access.object || !goesDown(c, b.access)) return false;
  return haveOwnAxes(x, y) || isQuotientAndRest(x, y);
}

/** Lanes lie side by side, and the loop goes on to another row: not a window that slides over what the next lane has, too. */
function goesDown(c: Context, access: RawAccess): boolean {
  const { offset, type, loops } = access;
  const here = placesOf(c, access, 0);
  const next = laneOf(sampleOf(c, 0, 0, [{ loop: loops.at(-1)!.shape, iteration: 1 }]).value(offset), 0);
  return here[1] - here[0] === sizeOf(type) && next !== here[1];
}

/** No two threads of the block combine the same two elements. */
function pairsDiffer(c: Context, a: Operand, b: Operand): boolean {
  const [x, y] = [placesOf(c, a.access, 0), placesOf(c, b.access, 0)];
  return new Set(x.map((place, thread) => `${place} ${y[thread]}`)).size === x.length;
}

function haveOwnAxes(x: Form, y: Form): boolean {
  const [rows, columns] = [blockAxesIn(x), blockAxesIn(y)];
  return rows.size > 0 && columns.size > 0 && [...rows].every((axis) => !columns.has(axis));
}

function blockAxesIn(form: Form): ReadonlySet<SymbolForm['axis']> {
  const axes = new Set<SymbolForm['axis']>();
  visit(form, (part) => {
    if (part.f === 'symbol' && part.role === 'blockIdx') axes.add(part.axis);
  });
  return axes;
}

/** `i / n` and `i % n` of one index. */
function isQuotientAndRest(x: Form, y: Form): boolean {
  const quotients: Form[] = [];
  const rests: Form[] = [];
  visit(x, (part) => {
    if (part.f === 'op' && part.op === '/' && part.lane) quotients.push(part);
  });
  visit(y, (part) => {
    if (part.f === 'op' && part.op === '%' && part.lane) rests.push(part);
  });
  const isOfOne = (q: Form, r: Form) => q.f === 'op' && r.f === 'op' && same(q.args[0], r.args[0]) && same(q.args[1], r.args[1]);
  return quotients.some((q) => rests.some((r) => isOfOne(q, r)));
}

function visit(form: Form, note: (part: Form) => void, seen = new Set<Form>()): void {
  if (seen.has(form)) return;
  seen.add(form);
  note(form);
  if (form.f === 'op') for (const part of form.args) visit(part, note, seen);
  else if (form.f === 'loop') visit(form.loop.init[form.index], note, seen);
}
