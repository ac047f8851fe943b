/**
 * What lanes of a warp and threads of a block do together: shuffles, votes, matches, reductions and barriers. The lanes that a
 * member mask names wait for each other; lanes that have exited are not waited for.
 */
import type { ShuffleMode } from '../ir/intrinsics/description.ts';
import { type Cell, type CellKind, getBits, leavesOf } from '../machine/cells.ts';
import { forLanes, lanesThatHold } from '../machine/lanes.ts';
import { multiplyMatrices } from '../machine/matrix-product.ts';
import type { Meaning, Segment } from '../scheduling/program.ts';
import type { Path } from '../scheduling/warp.ts';
import type { Call, HowOf } from './intrinsics.ts';
import type { Translation } from './translate.ts';

type Exchange = NonNullable<Segment['exchange']>;

export function activeMask(t: Translation, call: Call): Meaning {
  const [result] = t.results(call);
  return { step: ({ frame: { cells }, mask }) => setLanes(cells[result], mask, () => mask) };
}

export function warpBarrier(t: Translation, call: Call): Meaning {
  return meet(t.cell(call.args[0]), () => {});
}

/** An end at which the lanes named by the masks in a cell meet before they exchange values. */
function meet(maskCell: number, exchange: Exchange): Meaning {
  return {
    exchange,
    end: (path) => {
      const { warp, frame, mask, segment } = path;
      const masks = frame.cells[maskCell].i;
      if (warp.covers(path, masks, mask)) {
        exchange(path, mask);
        path.segment = segment.next!;
        return true;
      }
      warp.park(path, { kind: 'lanes', masks: masks.slice(), missing: warp.missing(path, masks) });
      warp.releaseMetLanes();
      return false;
    },
  };
}

/** shfl.sync.{idx,up,down,bfly}.{i32,f32}[p](mask, value, lane or delta, c); c holds the segment mask and the clamp. */
export function shuffle(t: Translation, call: Call, { mode }: HowOf<'shuffle'>): Meaning {
  const [maskCell, value, operand, control] = call.args.map((a) => t.cell(a));
  const [result, predicate] = t.results(call);
  return meet(maskCell, ({ frame: { cells }, mask }, partners) => {
    // A copy, because a lane may be a source after it has become a target.
    const values = cells[value].i.slice();
    forLanes(mask, (lane) => {
      const source = shuffleSource(mode, lane, cells[operand].i[lane], cells[control].i[lane]);
      // What a lane reads from one that does not take part is undefined: it keeps its own value.
      const valid = source !== undefined;
      const from = valid && (partners >>> source) & 1 ? source : lane;
      cells[result].i[lane] = values[from];
      if (predicate !== undefined) cells[predicate].i[lane] = valid ? 1 : 0;
    });
  });
}

/** Follows the pseudocode of shfl.sync in the PTX manual; undefined if the source lies outside the segment. */
function shuffleSource(mode: ShuffleMode, lane: number, operand: number, control: number): number | undefined {
  const segment = (control >>> 8) & 31;
  const clamp = control & 31;
  const b = operand & 31;
  const last = (lane & segment) | (clamp & ~segment);
  const first = lane & segment;
  const source = mode === 'up' ? lane - b : mode === 'down' ? lane + b : mode === 'bfly' ? lane ^ b : first | (b & ~segment);
  return (mode === 'up' ? source >= last : source <= last) ? source : undefined;
}

export function vote(t: Translation, call: Call, { vote: kind, withMask }: HowOf<'vote'>): Meaning {
  const [result] = t.results(call);
  const predicate = t.cell(call.args[withMask ? 1 : 0]);
  const exchange: Exchange = ({ frame: { cells }, mask }, partners) => {
    const ballot = lanesThatHold(cells[predicate].i, partners);
    setLanes(cells[result], mask, (lane) => {
      const members = withMask ? partners & cells[t.cell(call.args[0])].i[lane] : partners;
      const holding = ballot & members;
      if (kind === 'ballot') return holding;
      if (kind === 'any') return Number(holding !== 0);
      if (kind === 'all') return Number(holding === members);
      return Number(holding === 0 || holding === members);
    });
  };
  return withMask ? meet(t.cell(call.args[0]), exchange) : { step: (path) => exchange(path, path.mask) };
}

/** match.any.sync gives the lanes with the same value; match.all.sync all members if they agree (and a predicate). */
export function match(t: Translation, call: Call, { all }: HowOf<'match'>): Meaning {
  const [maskCell, value] = call.args.map((a) => t.cell(a));
  const [result, predicate] = t.results(call);
  const { kind } = leavesOf(call.args[1].type)[0];
  return meet(maskCell, ({ frame: { cells }, mask }, partners) => {
    forLanes(mask, (lane) => {
      const members = partners & cells[maskCell].i[lane];
      const same = lanesWithValue(cells[value], kind, members, lane);
      cells[result].i[lane] = all && same !== members ? 0 : same;
      if (predicate !== undefined) cells[predicate].i[lane] = Number(same === members);
    });
  });
}

function lanesWithValue(cell: Cell, kind: CellKind, members: number, lane: number): number {
  const wanted = getBits(cell, kind, lane);
  let same = 0;
  forLanes(members, (other) => {
    if (getBits(cell, kind, other) === wanted) same |= 1 << other;
  });
  return same;
}

export function reduceLanes(t: Translation, call: Call, { combine }: HowOf<'reduceLanes'>): Meaning {
  const [value, maskCell] = call.args.map((a) => t.cell(a));
  const [result] = t.results(call);
  return meet(maskCell, ({ frame: { cells }, mask }, partners) => {
    const values = cells[value].i.slice();
    setLanes(cells[result], mask, (lane) => {
      let total: number | undefined;
      forLanes(partners & cells[maskCell].i[lane], (other) => {
        total = total === undefined ? values[other] : combine(total, values[other]);
      });
      return total ?? values[lane];
    });
  });
}

/** The lanes' registers are read before any is written: D may lie in those of C. */
export function matrixProduct(t: Translation, call: Call, { product }: HowOf<'matrixProduct'>): Meaning {
  const [maskCell, ...inputs] = call.args.map((a) => t.cell(a));
  const results = t.results(call);
  return meet(maskCell, ({ frame: { cells }, mask }) => {
    const of = (places: readonly number[]): Cell[] => places.map((place) => cells[place]);
    multiplyMatrices(product, of(inputs), of(results), mask);
  });
}

/** Threads are counted one by one, as since sm_70, so that parts of a warp may arrive at different places. */
export function blockBarrier(
  t: Translation,
  call: Call,
  { numbered, counted, reduction: kind, arriveOnly }: HowOf<'blockBarrier'>,
): Meaning {
  const args = call.args.map((a) => t.cell(a));
  const id = numbered ? args[0] : undefined;
  const count = counted ? args[numbered ? 1 : 0] : undefined;
  const predicate = kind && args[(numbered ? 1 : 0) + (counted ? 1 : 0)];
  const read = (path: Path, cell: number | undefined): number | undefined =>
    cell === undefined ? undefined : path.frame.cells[cell].i[31 - Math.clz32(path.mask & -path.mask)];
  return {
    reduction: kind && { kind, predicate: predicate!, result: t.results(call)[0] },
    end: (path) => {
      const { block } = path.warp;
      if (arriveOnly) {
        block.arriveWithoutWaiting(path, read(path, id) ?? 0, read(path, count) ?? block.aliveThreads);
        path.segment = path.segment.next!;
        return true;
      }
      block.arrive(path, read(path, id) ?? 0, read(path, count));
      return false;
    },
  };
}

export function gridBarrier(): Meaning {
  return {
    end: (path) => {
      path.warp.block.grid.arriveAtGridBarrier(path);
      return false;
    },
  };
}

export function clusterBarrier(_: Translation, __: Call, { part }: HowOf<'clusterBarrier'>): Meaning {
  if (part === 'arrive') return { step: (path) => path.warp.block.arriveInCluster(path) };
  return {
    end: (path) => {
      if (path.warp.block.waitInCluster(path)) return false;
      path.segment = path.segment.next!;
      return true;
    },
  };
}

export function gridIsCooperative(t: Translation, call: Call): Meaning {
  const [result] = t.results(call);
  return { step: ({ frame: { cells }, mask, warp }) => setLanes(cells[result], mask, () => Number(warp.block.grid.launch.cooperative)) };
}

function setLanes(cell: Cell, mask: number, value: (lane: number) => number): void {
  forLanes(mask, (lane) => {
    cell.i[lane] = value(lane);
  });
}
