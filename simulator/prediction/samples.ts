/**
 * Which blocks of a grid are looked at. Those at the edges are by themselves, since that is where bounds cut: along each axis the first, the
 * last, and some from between that stand for all others, as long as they do the same. A grid of few blocks is looked at whole.
 */

export interface BlockSample {
  /** undefined along an axis: any. */
  readonly index: readonly (number | undefined)[];
  /** Blocks of the grid that it stands for. */
  readonly weight: number;
  /** The same for blocks that stand for the same others; undefined for one that stands for itself. */
  readonly kind: string | undefined;
}

type Sizes = readonly [x: number | undefined, y: number | undefined, z: number | undefined];

/** So many blocks are looked at each. */
const MOST_BLOCKS = 16;
const MOST_OF_ALL = 4096;

export function blocksOf(grid: Sizes): readonly BlockSample[] {
  const known = grid.map((size) => size ?? 1);
  const few = known.reduce((product, size) => product * size, 1) <= MOST_BLOCKS;
  const shares = INNER[Math.max(0, known.filter((size) => size > FEW_ALONG_AXIS).length - 1)];
  const [x, y, z] = grid.map((size) => alongAxis(size, few, shares));
  return x.flatMap((a) =>
    y.flatMap((b) =>
      z.map((c) => ({
        index: [a.index, b.index, c.index],
        weight: a.weight * b.weight * c.weight,
        kind: a.isInner || b.isInner || c.isInner ? [a, b, c].map(({ isInner, index }) => (isInner ? 'inner' : index)).join() : undefined,
      })),
    ),
  );
}

/** One block that stands for all. */
export function anyBlock(grid: Sizes): readonly BlockSample[] {
  return [{ index: grid.map((size) => (size === 1 ? 0 : undefined)), weight: 1, kind: undefined }];
}

/** All blocks of a grid, each for itself; undefined where their number is not known or large. */
export function everyBlock(grid: Sizes): readonly BlockSample[] | undefined {
  const [x, y, z] = grid;
  if (x === undefined || y === undefined || z === undefined || x * y * z > MOST_OF_ALL) return undefined;
  return Array.from({ length: x * y * z }, (_, linear) => {
    return { index: [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))], weight: 1, kind: undefined };
  });
}

interface Along {
  readonly index: number | undefined;
  readonly weight: number;
  readonly isInner: boolean;
}

/** Where the blocks from between are taken, by the number of long axes: at no regular distances, so that what repeats shows. */
const INNER: readonly (readonly number[])[] = [
  [0.004, 0.03, 0.11, 0.23, 0.37, 0.5, 0.66, 0.83, 0.97],
  [0.13, 0.46, 0.81],
  [0.3, 0.6],
];
const FEW_ALONG_AXIS = 4;

function alongAxis(size: number | undefined, all: boolean, shares: readonly number[]): readonly Along[] {
  if (size === undefined) return [{ index: undefined, weight: 1, isInner: false }];
  if (all || size <= FEW_ALONG_AXIS) return Array.from({ length: size }, (_, index) => ({ index, weight: 1, isInner: false }));
  const inner = new Set(shares.map((share) => 1 + Math.floor((size - 2) * share)));
  // Even and odd ones: what blocks do by turns shows.
  if (new Set([...inner].map((index) => index % 2)).size === 1) inner.add(([...inner].at(-1)! % (size - 2)) + 1);
  const weight = (size - 2) / inner.size;
  const between = [...inner].map((index) => ({ index, weight, isInner: true }));
  return [{ index: 0, weight: 1, isInner: false }, ...between, { index: size - 1, weight: 1, isInner: false }];
}
