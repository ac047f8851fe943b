/** Shuffles and barriers of a warp whose named lanes are all here. Compiled code cannot let lanes wait for others of their warp. */
import type { Instruction } from '../ir/types.ts';
import { FRAME } from './layout.ts';
import { emitHostStep, type MemoryEmitter } from './memory-emitter.ts';
import type { Reference } from './values.ts';
import type { ShuffleMode } from './warp-helpers.ts';

const PLAIN = /^llvm\.nvvm\.shfl\.sync\.(up|down|bfly|idx)\.[if]32$/;

export function isPlainShuffle(instruction: Instruction): boolean {
  return instruction.op === 'call' && PLAIN.test(instruction.callee);
}

export function emitShuffle(e: MemoryEmitter, call: Extract<Instruction, { op: 'call' }>): void {
  const { f } = e;
  const mode = PLAIN.exec(call.callee)![1] as ShuffleMode;
  const [members, value, b, c] = call.args.map((a) => e.names.references(a)[0]);
  if (![members, b, c].every((r) => e.isScalar(r))) {
    emitHostStep(e, call);
    return;
  }
  const [result] = e.names.ofValue(call.id, call.type) as readonly (Reference & { kind: 'value' })[];
  const from = e.vectorSlot(value);
  const to = e.slotOf(result);
  requireMembers(e, members);
  f.get(e.frame).i32(from).op('i32.add').get(e.frame).i32(to).op('i32.add');
  e.pushScalar(b);
  e.pushScalar(c);
  f.get(e.mask).call(e.context.warpHelpers.shuffle[mode]);
}

/** __syncwarp: where all lanes that have not exited are here there is nobody to wait for. */
export function emitWarpBarrier(e: MemoryEmitter, call: Extract<Instruction, { op: 'call' }>): void {
  const [members] = e.names.references(call.args[0]);
  if (e.isScalar(members)) requireMembers(e, members);
  else emitHostStep(e, call);
}

/** Leaves the compiled code for good if a lane that is named has neither exited nor come here. */
function requireMembers(e: MemoryEmitter, members: Reference): void {
  const { f } = e;
  e.pushScalar(members);
  f.get(e.frame).mem('i32.load', FRAME.live).op('i32.and').get(e.mask).i32(-1).op('i32.xor', 'i32.and').if();
  f.call(e.context.imports.parted);
  f.end();
}
