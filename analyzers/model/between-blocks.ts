/**
 * What one block reads where another one writes, in a grid whose blocks nothing orders. Addresses are computed for every thread of the
 * first blocks, and only of accesses that happen once, whatever data and parameters are.
 */
import { blockAt, type Context } from './context.ts';
import type { VariantSpec } from './kernel.ts';
import { sideForm } from './path-forms.ts';
import { LANES, laneOf } from './rows.ts';
import { activeInBlock } from './splits.ts';
import { sizeOf } from './types.ts';
import type { RawAccess, RawFacts } from './values.ts';

export interface BlockConflict {
  readonly write: RawAccess;
  readonly read: RawAccess;
  /** Numbers of the two blocks in the grid. */
  readonly blocks: readonly [write: number, read: number];
}

/** Those that are looked at. */
const MOST_BLOCKS = 8;
const MOST_PAIRS = 16;
/** What holds for one choice of parameters may be chance. */
const SEEDS = [0, 1];

/** At most one for each array. */
export function betweenBlocks(c: Context, { block, blockKnown, grid }: VariantSpec, facts: RawFacts): BlockConflict[] {
  const [x, y, z] = grid;
  if (!blockKnown || x === undefined || x < 2 || y !== 1 || z !== 1 || block[1] * block[2] !== 1) return [];
  if (facts.incomplete || facts.fences.length > 0 || facts.atomics.length > 0 || facts.barriers.some(mayOrderBlocks)) return [];
  const accesses = facts.accesses.filter(isComparable);
  const found = new Map<string, BlockConflict>();
  let pairs = 0;
  for (const write of accesses) {
    if (write.kind !== 'store') continue;
    for (const read of accesses) {
      const { id } = write.object;
      if (read.kind !== 'load' || read.readModifyWrite || read.object.id !== id || read.order < write.order || found.has(id)) continue;
      if (pairs++ >= MOST_PAIRS) return [...found.values()];
      const blocks = meeting(c, Math.min(x, MOST_BLOCKS), write, read);
      if (blocks) found.set(id, { write, read, blocks });
    }
  }
  return [...found.values()];
}

function mayOrderBlocks({ scope }: RawFacts['barriers'][number]): boolean {
  return scope !== 'block' && scope !== 'warp';
}

function isComparable({ object, offset, loops, path, volatile, type }: RawAccess): boolean {
  if (object.space !== 'global' || !/^(parameter:|::)/.test(object.id) || /[[\]|~*]/.test(object.id) || loops.length > 0) return false;
  if (volatile || object.volatile || sizeOf(type) === undefined || offset.unknown || offset.data || !offset.block) return false;
  return path.every(({ branch: { condition, kind } }) => !condition.form.unknown && !condition.form.data && kind !== 'switch');
}

function meeting(c: Context, blocks: number, write: RawAccess, read: RawAccess): BlockConflict['blocks'] | undefined {
  const inSamples = SEEDS.map((seed) => {
    const written = Array.from({ length: blocks }, (_, block) => addressesIn(c, write, block, seed));
    const asked = Array.from({ length: blocks }, (_, block) => addressesIn(c, read, block, seed));
    return { written, asked };
  });
  for (let reader = 0; reader < blocks; reader++)
    for (let writer = 0; writer < blocks; writer++)
      if (writer !== reader && inSamples.every(({ written, asked }) => meets(asked[reader], written, reader, writer)))
        return [writer, reader];
  return undefined;
}

function meets(asked: ReadonlySet<number>, written: readonly ReadonlySet<number>[], reader: number, writer: number): boolean {
  for (const address of asked) if (written[writer].has(address) && !written[reader].has(address)) return true;
  return false;
}

function addressesIn(c: Context, { offset, path }: RawAccess, block: number, seed: number): ReadonlySet<number> {
  const sample = blockAt(c, block, seed);
  const masks = activeInBlock(c, sample, path.map(sideForm), 'strict');
  const value = sample.value(offset);
  const found = new Set<number>();
  for (const [warp, mask] of masks.entries())
    for (let lane = 0; lane < LANES; lane++) {
      const address = laneOf(value, warp * LANES + lane);
      if ((mask >>> lane) & 1 && !Number.isNaN(address)) found.add(address);
    }
  return found;
}
