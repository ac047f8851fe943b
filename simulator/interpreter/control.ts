/** Ends of blocks: branches with their phis, divergence, returns. */

import { FIELD, SITE_FIELDS } from '../counters/site-counters.ts';
import { reconvergenceBlocks } from '../ir/reconvergence.ts';
import type { Instruction } from '../ir/types.ts';
import { copyLanes, createCell, leavesOf, sameLanes } from '../machine/cells.ts';
import { lanesThatHold } from '../machine/lanes.ts';
import type { End, Program, Segment } from '../scheduling/program.ts';
import { ADVANCING_COST, FaultSignal, type Frame, type Path } from '../scheduling/warp.ts';
import { waitingBackEdges } from '../simt/waiting-loops.ts';
import type { Translation } from './translate.ts';

export interface Edge {
  readonly target: Segment;
  /** Gives the target's phis their values for the lanes that take this edge. */
  readonly copies: ((frame: Frame, mask: number) => void) | undefined;
  /** For a back edge of a loop whose lanes may be waiting for other lanes: whether an iteration has got anywhere, that is
   *  changed a value that the loop carries. */
  readonly advances: ((frame: Frame, mask: number) => boolean) | undefined;
}

type BranchInstruction = Extract<Instruction, { op: 'br' | 'condbr' | 'switch' }>;

/** Edges of a function by the blocks they join. */
export function edgesOf(t: Translation): (from: number, to: number) => Edge {
  const waiting = waitingBackEdges(t.fn, t.set.module.ir);
  const edges = new Map<string, Edge>();
  return (from, to) => {
    const key = `${from} ${to}`;
    let edge = edges.get(key);
    if (!edge) {
      const copies = phiCopies(t, from, to);
      const advances = waiting.has(key) ? (frame: Frame, mask: number) => copiesChange(copies, frame, mask) : undefined;
      edge = { target: t.program.blocks[to], copies: copyStep(t, copies), advances };
      edges.set(key, edge);
    }
    return edge;
  };
}

export function branchEnd(t: Translation, branch: BranchInstruction, edges: (from: number, to: number) => Edge, block: number): End {
  if (branch.op === 'br') {
    const edge = edges(block, branch.target);
    return (path) => follow(path, edge);
  }
  const meeting = meetingSegment(t, block);
  const count = divergenceCounter(branch.site);
  if (branch.op === 'condbr') {
    const condition = t.cell(branch.condition);
    const then = edges(block, branch.then);
    const otherwise = edges(block, branch.else);
    return (path) => {
      const taken = lanesThatHold(path.frame.cells[condition].i, path.mask);
      if (taken === path.mask || then.target === otherwise.target) return followBoth(path, then, otherwise, taken);
      if (taken === 0) return follow(path, otherwise);
      count(path);
      return part(path, meeting, [
        { mask: taken, edge: then },
        { mask: path.mask & ~taken, edge: otherwise },
      ]);
    };
  }
  return switchEnd(t, branch, edges, block, meeting, count);
}

/** A kernel's lanes exit; a function's go back to the caller and meet there. */
export function returnEnd(t: Translation, instruction: Extract<Instruction, { op: 'ret' }>): End {
  const values = instruction.value ? t.cells(instruction.value) : [];
  return (path) => {
    const { frame, warp, mask } = path;
    if (!frame.caller) {
      warp.exit(path, mask);
      return false;
    }
    const { caller } = frame;
    values.forEach((from, index) => {
      copyLanes(caller.frame.cells[caller.result[index]], frame.cells[from], mask);
    });
    let join = path.join;
    while (join && !(join.at === 'return' && join.frame === frame)) join = join.parent;
    if (!join) throw new Error('a call without a place to return to');
    warp.leave(path, mask, join);
    warp.arrive(path, join);
    return false;
  };
}

export function unreachableEnd(instruction: Instruction): End {
  return (path) => {
    const lane = 31 - Math.clz32(path.mask & -path.mask);
    const message = 'the kernel reached code that the compiler considers unreachable: the program has undefined behaviour';
    throw new FaultSignal(path, { kind: 'illegal-instruction', message, lane, location: instruction.location });
  };
}

interface Side {
  readonly mask: number;
  readonly edge: Edge;
}

function follow(path: Path, edge: Edge): boolean {
  const { frame, join, warp } = path;
  if (edge.advances) path.patience -= edge.advances(frame, path.mask) ? ADVANCING_COST : 1;
  edge.copies?.(frame, path.mask);
  if (join && join.at === edge.target && join.frame === frame) {
    warp.arrive(path, join);
    return false;
  }
  path.segment = edge.target;
  if (edge.advances && path.patience < 0) {
    warp.giveWay(path);
    return false;
  }
  return true;
}

/** All lanes go to one block, though perhaps along two edges that give its phis different values. */
function followBoth(path: Path, then: Edge, otherwise: Edge, taken: number): boolean {
  const rest = path.mask & ~taken;
  if (rest === 0) return follow(path, then);
  if (taken !== 0) then.copies?.(path.frame, taken);
  otherwise.copies?.(path.frame, rest);
  return follow(path, { ...then, copies: undefined });
}

/** Lanes part: the first side goes on, the others run after it in order, and all meet at `meeting` if there is such a place. */
function part(path: Path, meeting: Segment | undefined, sides: readonly Side[]): boolean {
  const { warp, frame, mask } = path;
  if (meeting && !(path.join && path.join.at === meeting && path.join.frame === frame)) {
    path.join = { frame, at: meeting, expected: mask, arrived: 0, parent: path.join };
  }
  for (const side of sides.slice(1).toReversed()) {
    const other: Path = { ...path, mask: side.mask };
    if (follow(other, side.edge)) warp.runnable.push(other);
  }
  path.mask = sides[0].mask;
  return follow(path, sides[0].edge);
}

function switchEnd(
  t: Translation,
  branch: Extract<Instruction, { op: 'switch' }>,
  edges: (from: number, to: number) => Edge,
  block: number,
  meeting: Segment | undefined,
  count: (path: Path) => void,
): End {
  const value = t.cell(branch.value);
  const wide = leavesOf(branch.value.type)[0].bits > 32;
  const targets = new Map(branch.cases.map((c) => [wide ? c.value : Number(BigInt.asIntN(32, c.value)), edges(block, c.block)] as const));
  const fallback = edges(block, branch.default);
  // Sides run in the order of the cases, the default's last.
  const order = [...new Set([...targets.values(), fallback])];
  return (path) => {
    const cell = path.frame.cells[value];
    const masks = new Map<Edge, number>();
    for (let rest = path.mask; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const lane = 31 - Math.clz32(bit);
      const edge = targets.get(wide ? cell.q[lane] : cell.i[lane]) ?? fallback;
      masks.set(edge, (masks.get(edge) ?? 0) | bit);
    }
    const sides = order.filter((edge) => masks.has(edge)).map((edge) => ({ mask: masks.get(edge)!, edge }));
    if (sides.length === 1) return follow(path, sides[0].edge);
    count(path);
    return part(path, meeting, sides);
  };
}

function meetingSegment(t: Translation, block: number): Segment | undefined {
  let blocks = meetings.get(t.program);
  if (!blocks) {
    blocks = reconvergenceBlocks(t.fn);
    meetings.set(t.program, blocks);
  }
  return t.program.blocks[blocks[block]];
}

const meetings = new WeakMap<Program, Int32Array>();

/** Counts that lanes part at a branch. */
function divergenceCounter(site: number): (path: Path) => void {
  const row = site * SITE_FIELDS.length + FIELD.divergent;
  return ({ frame }) => {
    frame.counts.rows[row]++;
  };
}

interface Copy {
  readonly from: number;
  readonly to: number;
}

function phiCopies(t: Translation, from: number, to: number): Copy[] {
  const copies: Copy[] = [];
  for (const phi of t.fn.blocks[to].instructions) {
    if (phi.op !== 'phi') break;
    const incoming = phi.incoming.find((i) => i.block === from);
    if (!incoming) throw new Error(`a phi without a value for its predecessor ${from}`);
    const sources = t.cells(incoming.value);
    t.results(phi).forEach((result, index) => {
      if (result !== sources[index]) copies.push({ from: sources[index], to: result });
    });
  }
  return copies;
}

function copiesChange(copies: readonly Copy[], { cells }: Frame, mask: number): boolean {
  return copies.some((copy) => !sameLanes(cells[copy.to], cells[copy.from], mask));
}

/** Phis take their values all at once: through scratch cells where one of them reads what another writes. */
function copyStep(t: Translation, copies: readonly Copy[]): Edge['copies'] {
  if (copies.length === 0) return undefined;
  const written = new Set<number>();
  let first = copies;
  const second: Copy[] = [];
  if (copies.some(({ from: source, to: target }) => (written.has(source) ? true : !written.add(target)))) {
    first = copies.map(({ from: source, to: target }) => {
      const scratch = t.scratch(createCell(t.program.kinds[target]));
      second.push({ from: scratch, to: target });
      return { from: source, to: scratch };
    });
  }
  const all = [...first, ...second];
  return ({ cells }, mask) => {
    for (const copy of all) copyLanes(cells[copy.to], cells[copy.from], mask);
  };
}
