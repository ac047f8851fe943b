/** The shape of blocks that is assumed where no launch at hand gives it: the first of the usual ones whose threads stay in the kernel's arrays. */
import { outsideAccess } from './bounds.ts';
import { newContext } from './context.ts';
import type { Dim3Facts } from './facts.ts';
import { type KernelRun, type KnownAxes, usesAxis, type VariantSpec } from './kernel.ts';
import type { FunctionEntry } from './table.ts';

type Block = VariantSpec['block'];

/** Threads of a block that is assumed. */
export const ASSUMED_THREADS = 256;

/** Of a whole block that cannot be launched nothing is believed. */
export function knownAxes({ x, y, z }: Dim3Facts): KnownAxes {
  return x !== undefined && y !== undefined && z !== undefined ? [] : [x, y, z];
}

export function usualBlock({ def, item }: FunctionEntry, [x, y, z = 1]: KnownAxes = []): Block {
  const usesY = usesAxis(def, item, 'y');
  const rest = (known: number) => Math.max(1, ASSUMED_THREADS / 2 ** Math.ceil(Math.log2(known * z)));
  const usual: Block = usesY ? [32, ASSUMED_THREADS / 32, 1] : [ASSUMED_THREADS, 1, 1];
  if (x === undefined && y === undefined) return usual;
  const block: Block = [x ?? rest(y!), y ?? (usesY ? rest(x!) : 1), z];
  return isLaunchable(block) ? block : usual;
}

/** Some thread of it, and no more than there may be. */
export function isLaunchable([x, y, z]: Block): boolean {
  return x > 0 && y > 0 && z > 0 && x * y * z <= 1024;
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
  const possible = smaller.filter((block) => agrees(block, spec.axes));
  return { ...spec, block: possible.find(fits) ?? spec.block };
}

/** Of another usual shape, which the kernel's arrays allow if they allow the first. */
export function otherBlocks([x, y, z]: Block, axes: KnownAxes): Block[] {
  const others: Block[] = [];
  if (y * z === 1) {
    if (x > 32) others.push([x / 2, 1, 1]);
  } else if (x * y * z === ASSUMED_THREADS && z === 1 && x !== 16) others.push([16, 16, 1], [x, y / 2, 1]);
  return others.filter((block) => agrees(block, axes)).slice(0, 1);
}

function agrees(block: Block, axes: KnownAxes): boolean {
  return axes.every((size, axis) => size === undefined || size === block[axis]);
}
