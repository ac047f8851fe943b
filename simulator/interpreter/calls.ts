/** Calls of functions that were not inlined: a frame per activation, recursion included. */

import { LOCAL_BASE } from '../ir/address-map.ts';
import { sizeOf } from '../ir/layout.ts';
import type { Instruction } from '../ir/types.ts';
import { copyLanes } from '../machine/cells.ts';
import { byvalOffsets, MAX_LOCAL_BYTES } from '../machine/stack.ts';
import type { End, Program } from '../scheduling/program.ts';
import { FaultSignal, type Frame, type Path } from '../scheduling/warp.ts';
import type { Translation } from './translate.ts';

type Call = Extract<Instruction, { op: 'call' }>;

export function callEnd(t: Translation, call: Call): End {
  const args = call.args.map((a) => t.cells(a));
  const results = t.results(call);
  const { callee } = call;
  // Looked up at the first call: a recursive function is not ready while it is being translated.
  let program: Program | undefined;
  return (path) => {
    program ??= t.set.program(callee);
    enter(path, call, program, args, results);
    return true;
  };
}

function enter(path: Path, call: Call, program: Program, args: readonly (readonly number[])[], result: readonly number[]): void {
  const caller = path.frame;
  const frame = program.frame(path.warp.block.grid.countsOf(program));
  const { offsets, bytes } = byvalOffsets(program.fn.parameters);
  frame.caller = { frame: caller, next: path.segment.next!, result };
  frame.stackBase = caller.stackTop + bytes;
  frame.stackTop = program.stackTop(frame.stackBase);
  reserveStack(path, call, frame);
  program.parameters.forEach((cells, index) => {
    cells.forEach((cell, leaf) => {
      copyLanes(frame.cells[cell], caller.cells[args[index][leaf]], path.mask);
    });
    const { byval } = program.fn.parameters[index];
    if (byval) copyByval(path, frame, cells[0], caller.stackTop + offsets[index]!, sizeOf(byval.type));
  });
  path.join = { frame, at: 'return', expected: path.mask, arrived: 0, parent: path.join };
  path.frame = frame;
  path.segment = program.entry;
}

function reserveStack(path: Path, call: Call | undefined, frame: Frame): void {
  if (frame.stackTop > MAX_LOCAL_BYTES) {
    const lane = 31 - Math.clz32(path.mask & -path.mask);
    const name = frame.program.fn.location?.scope ?? frame.program.fn.name;
    const message = `stack overflow: calls to ${name} need more than ${MAX_LOCAL_BYTES / 1024} KB of local memory (infinite recursion?)`;
    throw new FaultSignal(path, { kind: 'stack-overflow', message, lane, location: call?.location });
  }
}

/** Replaces the pointers in a cell by pointers to copies of `bytes` at `offset` of each lane's local memory. */
function copyByval(path: Path, frame: Frame, cell: number, offset: number, bytes: number): void {
  const pointers = frame.cells[cell].i;
  const { warp } = path;
  warp.local.reserve(frame.stackTop);
  for (let lane = 0; lane < 32; lane++) {
    if (((path.mask >>> lane) & 1) === 0) continue;
    const source = warp.block.bytesAt(path, lane, pointers[lane] >>> 0, bytes);
    warp.local.views.u8.set(source, lane * warp.local.capacity + offset);
    pointers[lane] = LOCAL_BASE + offset;
  }
}
