/** Shuffles and barriers of a warp whose named lanes are all here. Compiled code cannot let lanes wait for others of their warp. */

import type { Meaning } from '../ir/intrinsics/description.ts';
import { meaningOf } from '../ir/intrinsics.ts';
import type { Instruction } from '../ir/types.ts';
import { FRAME } from './layout.ts';
import { emitHostStep, type MemoryEmitter } from './memory-emitter.ts';
import type { Reference } from './values.ts';

export function isPlainShuffle(instruction: Instruction): boolean {
  return plainShuffle(instruction) !== undefined;
}

/** A shuffle of one word that does not ask whether its source was inside the segment. */
function plainShuffle(instruction: Instruction): Extract<Meaning, { kind: 'shuffle' }> | undefined {
  const meaning = meaningOf(instruction);
  return meaning?.kind === 'shuffle' && meaning.word ? meaning : undefined;
}

type Call = Extract<Instruction, { op: 'call' }>;

export function emitShuffle(e: MemoryEmitter, call: Call): void {
  if (!hasScalarControl(e, call)) {
    emitHostStep(e, call);
    return;
  }
  const exchange = prepareExchange(e, call);
  requireMembers(e, e.names.references(call.args[0])[0]);
  exchange();
}

/** Where the host schedules paths: executes a shuffle or warp barrier and then `goOn`, if all lanes that it names are here. */
export function emitMetShuffle(e: MemoryEmitter, call: Call, goOn: () => void): void {
  if (!hasScalarControl(e, call)) return;
  const { f } = e;
  const exchange = isPlainShuffle(call) ? prepareExchange(e, call) : undefined;
  pushMissing(e, e.names.references(call.args[0])[0]);
  f.op('i32.eqz').if();
  exchange?.();
  goOn();
  f.end();
}

/** All lanes name the same members, and a shuffle's distance. */
function hasScalarControl(e: MemoryEmitter, call: Call): boolean {
  return call.args.every((a, index) => (index === 1 && isPlainShuffle(call)) || e.isScalar(e.names.references(a)[0]));
}

/** What exchanges the values, with all that it reads fetched already. */
function prepareExchange(e: MemoryEmitter, call: Call): () => void {
  const { f } = e;
  const { mode } = plainShuffle(call)!;
  const [, value, b, c] = call.args.map((a) => e.names.references(a)[0]);
  const [result] = e.names.ofValue(call.id, call.type) as readonly (Reference & { kind: 'value' })[];
  const from = e.vectorSlot(value);
  const to = e.slotOf(result);
  for (const reference of [b, c]) if (reference.kind === 'value') e.scalarLocal(reference);
  return () => {
    f.get(e.frame).i32(from).op('i32.add').get(e.frame).i32(to).op('i32.add');
    e.pushScalar(b);
    e.pushScalar(c);
    f.get(e.mask).call(e.context.warpHelpers.shuffle[mode]);
  };
}

/** __syncwarp: where all lanes that have not exited are here there is nobody to wait for. */
export function emitWarpBarrier(e: MemoryEmitter, call: Extract<Instruction, { op: 'call' }>): void {
  const [members] = e.names.references(call.args[0]);
  if (e.isScalar(members)) requireMembers(e, members);
  else emitHostStep(e, call);
}

/** Pushes the lanes that are named and have neither exited nor come here. */
function pushMissing(e: MemoryEmitter, members: Reference): void {
  e.pushScalar(members);
  e.f.get(e.frame).mem('i32.load', FRAME.live).op('i32.and').get(e.mask).i32(-1).op('i32.xor', 'i32.and');
}

/** Leaves the compiled code for good if a lane that is named has neither exited nor come here. */
function requireMembers(e: MemoryEmitter, members: Reference): void {
  const { f } = e;
  pushMissing(e, members);
  f.if();
  f.call(e.context.imports.parted);
  f.end();
}
