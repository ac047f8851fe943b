/**
 * What is certain of a launch: the grid is known, and so is every value that a condition or an index is made of. What hangs on data, on
 * values that launches do not agree on, or on arithmetic that may wrap around is not.
 */
import type { Context } from './context.ts';
import { Sample } from './evaluate.ts';
import type { Form } from './form.ts';
import type { VariantSpec } from './kernel.ts';
import { LANES, laneOf } from './rows.ts';

export type Block = readonly [x: number, y: number, z: number];

export interface Search {
  readonly c: Context;
  readonly budget: { left: number };
  readonly grid: Block;
}

/** Values that are computed for all that is asked of a variant together. */
const BUDGET = 60_000;
/** Blocks of a grid that are all looked at; of more those at its corners. */
const FEW_BLOCKS = 16;
const MOST_NODES = 200;
const KNOWN_OPERATIONS = new Set([
  ...['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^', '!', '<', '<=', '>', '>=', '==', '!=', '&&', '||', 'select', 'min', 'max'],
]);
/** What they make of an unsigned number that went below zero, nobody knows here. */
const READS_ALL_BITS = new Set(['/', '%', '>>', '<', '<=', '>', '>=', 'min', 'max']);
const MOST_INT = 2 ** 31 - 1;

/** Undefined where the launch is not known. */
export function searchOf(c: Context, { blockKnown, grid: [x, y, z] }: VariantSpec): Search | undefined {
  if (!blockKnown || x === undefined || y === undefined || z === undefined) return undefined;
  return { c, budget: { left: BUDGET }, grid: [x, y, z] };
}

export function blocksOf({ grid: [x, y, z] }: Search): readonly Block[] {
  if (x * y * z <= FEW_BLOCKS) return Array.from({ length: x * y * z }, (_, i) => [i % x, Math.floor(i / x) % y, Math.floor(i / (x * y))]);
  const along = (extent: number) => (extent === 1 ? [0] : [0, extent - 1]);
  return along(z).flatMap((bz) => along(y).flatMap((by) => along(x).map((bx) => [bx, by, bz] as const)));
}

/** Places in the block of the threads that exist, x changing fastest. */
export function* threadsOf({ c }: Search): Iterable<number> {
  for (let thread = 0; thread < c.warps * LANES; thread++)
    if (((c.existing[Math.floor(thread / LANES)] >>> (thread % LANES)) & 1) !== 0) yield thread;
}

export function sampleAt({ c, budget }: Search, block: Block): Sample {
  return new Sample({ shape: c.shape, budget, warp: 0, warps: c.warps, seed: 0, block }, undefined);
}

/** Whether all that a form is made of is known once the block is; its operations are noted. */
export function collect(form: Form, operations: Set<Form>): boolean {
  if (operations.has(form)) return true;
  switch (form.f) {
    case 'const':
    case 'thread':
      return true;
    case 'symbol':
      return form.role === 'blockIdx';
    case 'op':
      operations.add(form);
      return operations.size <= MOST_NODES && KNOWN_OPERATIONS.has(form.op) && form.args.every((arg) => collect(arg, operations));
    case 'loop': {
      const { loop, index, after } = form;
      operations.add(form);
      const next = loop.next[index];
      return !after && next !== undefined && collect(loop.init[index], operations) && collect(next, operations);
    }
    default:
      return false;
  }
}

/** No value that 32 bits do not hold, and none below zero where it matters whether it is unsigned. */
export function isExact(form: Form, sample: Sample, thread: number): boolean {
  const value = laneOf(sample.value(form), thread);
  if (Number.isNaN(value) || Math.abs(value) > MOST_INT) return false;
  return form.f !== 'op' || !READS_ALL_BITS.has(form.op) || form.args.every((arg) => laneOf(sample.value(arg), thread) >= 0);
}
