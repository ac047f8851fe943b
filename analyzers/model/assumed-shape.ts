/** The shape of blocks that is assumed where no launch at hand gives it: the first of the usual ones whose threads stay in the kernel's arrays. */
import { outsideAccess } from './bounds.ts';
import { newContext } from './context.ts';
import { type KernelRun, usesAxis, type VariantSpec } from './kernel.ts';
import type { FunctionEntry } from './table.ts';

type Block = VariantSpec['block'];

/** Threads of a block that is assumed. */
export const ASSUMED_THREADS = 256;

export function usualBlock({ def, item }: FunctionEntry): Block {
  return usesAxis(def, item, 'y') ? [32, ASSUMED_THREADS / 32, 1] : [ASSUMED_THREADS, 1, 1];
}

const LINES: readonly Block[] = [128, 64, 32].map((x) => [x, 1, 1]);
const PLANES: readonly Block[] = [
  [16, 16, 1],
  [16, 8, 1],
  [8, 8, 1],
];
const CUBES: readonly Block[] = [
  [8, 8, 4],
  [8, 8, 2],
  [4, 4, 4],
];

/** Part of a variant's budget for each shape that is tried. */
const SHARE = 0.1;

export function withFittingBlock(spec: VariantSpec, entry: FunctionEntry, { machine: { facts } }: KernelRun): VariantSpec {
  if (spec.blockKnown) return spec;
  const placed = facts.accesses.filter(({ offset, object }) => offset.lane && (object.space === 'shared' || object.space === 'local'));
  if (placed.length === 0) return spec;
  const fits = (block: Block) => {
    const c = newContext({ block, grid: spec.grid }, spec.share * SHARE);
    return !placed.some((access) => outsideAccess(c, access, { blockKnown: true, uniformPasses: true }));
  };
  if (fits(spec.block)) return spec;
  const smaller = usesAxis(entry.def, entry.item, 'z') ? [...CUBES, ...PLANES] : spec.block[1] > 1 ? PLANES : LINES;
  return { ...spec, block: smaller.find(fits) ?? spec.block };
}

/** Of another usual shape, which the kernel's arrays allow if they allow the first. */
export function otherBlocks([x, y, z]: Block): Block[] {
  if (y * z === 1) return x > 32 ? [[x / 2, 1, 1]] : [];
  return x * y * z === ASSUMED_THREADS && z === 1 && x !== 16 ? [[16, 16, 1]] : [];
}
