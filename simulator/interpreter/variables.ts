/** What variables of the source hold, in a program that is compiled for debugging: each has its place in the lanes' local memory. */

import { LOCAL_BASE } from '../ir/address-map.ts';
import type { Instruction, SourceVariable } from '../ir/types.ts';
import { type Leaf, leavesOf } from '../machine/cells.ts';
import type { VariableValue } from '../scheduling/engine.ts';
import type { Path } from '../scheduling/warp.ts';

/** The innermost variable of a name in the function that a path is in, seen from a line; undefined if there is none. */
export function variableOf(path: Path, name: string, line: number): VariableValue | undefined {
  const { fn } = path.frame.program;
  const all = (fn.variables ?? []).filter((variable) => variable.name === name);
  const variable = all.filter((v) => v.line <= line).at(-1) ?? all[0];
  const place = variable && fn.blocks.flatMap((b) => b.instructions).find(({ id }) => id === variable.id);
  if (place?.op !== 'alloca') return undefined;
  const leaves = leavesOf(place.allocated);
  const lanes = Array.from({ length: 32 }, (_, lane) => valueIn(path, lane, place, leaves, variable));
  return { type: place.allocated, lanes };
}

/** The scalars of a lane's variable, in order; undefined where the path has not come to its place yet. */
function valueIn(
  { frame, warp: { local } }: Path,
  lane: number,
  place: Extract<Instruction, { op: 'alloca' }>,
  leaves: readonly Leaf[],
  { id, unsigned }: SourceVariable,
): readonly (number | bigint)[] | undefined {
  const pointer = frame.cells[frame.program.firstCells[id]].i[lane] >>> 0;
  const offset = pointer - (place.type.kind === 'ptr' && place.type.space === 5 ? 0 : LOCAL_BASE);
  const last = leaves[leaves.length - 1];
  if (offset < frame.stackBase || offset + last.offset + last.bytes > Math.min(frame.stackTop, local.capacity)) return undefined;
  return leaves.map((leaf) => readLeaf(local.views.data, lane * local.capacity + offset + leaf.offset, leaf, unsigned));
}

function readLeaf(data: DataView, at: number, { type, bits, bytes }: Leaf, unsigned: boolean): number | bigint {
  if (type.kind === 'float' && type.format === 'float') return data.getFloat32(at, true);
  if (type.kind === 'float' && type.format === 'double') return data.getFloat64(at, true);
  let value = 0n;
  for (let byte = bytes - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(data.getUint8(at + byte));
  const exact = unsigned || type.kind === 'ptr' ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  return bits <= 32 ? Number(exact) : exact;
}
