/** Copies and fills of memory, cache-hinted loads, questions about address spaces, the stack. */

import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { storeSizeOf } from '../ir/layout.ts';
import type { Type } from '../ir/types.ts';
import { leavesOf } from '../machine/cells.ts';
import { forLanes, lowestLane } from '../machine/lanes.ts';
import { windowOf } from '../machine/request.ts';
import type { Step } from '../scheduling/program.ts';
import type { Path } from '../scheduling/warp.ts';
import type { Call } from './intrinsics.ts';
import { loadLanes } from './memory-access.ts';
import { accessSite } from './memory-steps.ts';
import type { Translation } from './translate.ts';

export function saveStack(t: Translation, call: Call): Step {
  const [result] = t.results(call);
  return ({ frame }) => void frame.cells[result].i.fill(frame.stackTop);
}

export function restoreStack(t: Translation, call: Call): Step {
  const saved = t.cell(call.args[0]);
  return ({ frame, mask }) => {
    frame.stackTop = frame.cells[saved].i[lowestLane(mask)];
  };
}

/** Address in the generic space. */
function generic(type: Type, pointer: number): number {
  const space = type.kind === 'ptr' ? type.space : 0;
  return ((pointer >>> 0) + windowOf(space)) >>> 0;
}

function length(path: Path, cell: number, lane: number, wide: boolean): number {
  const { i, q } = path.frame.cells[cell];
  return wide ? Number(q[lane]) : i[lane] >>> 0;
}

export function copyMemory(t: Translation, call: Call): Step {
  const [to, from, count] = call.args.map((a) => t.cell(a));
  const [toType, fromType] = call.args.map((a) => a.type);
  const wide = leavesOf(call.args[2].type)[0].bits > 32;
  return (path) => {
    const { cells } = path.frame;
    forLanes(path.mask, (lane) => {
      const bytes = length(path, count, lane, wide);
      if (bytes === 0) return;
      const { block } = path.warp;
      const source = block.bytesAt(path, lane, generic(fromType, cells[from].i[lane]), bytes, 'read').slice();
      block.bytesAt(path, lane, generic(toType, cells[to].i[lane]), bytes, 'write').set(source);
    });
  };
}

export function fillMemory(t: Translation, call: Call): Step {
  const [to, value, count] = call.args.map((a) => t.cell(a));
  const toType = call.args[0].type;
  const wide = leavesOf(call.args[2].type)[0].bits > 32;
  return (path) => {
    const { cells } = path.frame;
    forLanes(path.mask, (lane) => {
      const bytes = length(path, count, lane, wide);
      if (bytes > 0) path.warp.block.bytesAt(path, lane, generic(toType, cells[to].i[lane]), bytes, 'write').fill(cells[value].i[lane]);
    });
  };
}

/** ldg and ldu: loads through the read-only path, which count as global loads. Operands: pointer, alignment. */
export function cachedLoad(t: Translation, call: Call): Step {
  const [pointer, align] = call.args;
  const leaves = leavesOf(call.type);
  const results = t.results(call);
  const site = accessSite(t, call, {
    access: 'read',
    pointer,
    bytes: storeSizeOf(call.type),
    align: align?.kind === 'int' ? Number(align.value) : 1,
  });
  const cell = t.cell(pointer);
  return (path) => {
    const { cells } = path.frame;
    loadLanes(
      path,
      cells[cell].i,
      site,
      leaves,
      results.map((r) => cells[r]),
    );
  };
}

export function isInSpace(t: Translation, call: Call, space: string): Step {
  const pointer = t.cell(call.args[0]);
  const [result] = t.results(call);
  return ({ frame: { cells }, mask, warp }) => {
    forLanes(mask, (lane) => {
      cells[result].i[lane] = Number(spaceOf(warp.block.grid, cells[pointer].i[lane] >>> 0) === space);
    });
  };
}

function spaceOf(grid: Path['warp']['block']['grid'], address: number): string {
  if (address >= LOCAL_BASE) return address >= SHARED_BASE ? 'shared' : 'local';
  const allocation = grid.memory.find(address, 1);
  return allocation && grid.isConstant(allocation) ? 'const' : 'global';
}
