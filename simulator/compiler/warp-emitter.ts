/** Shuffles between lanes. With the whole warp active they are done here, otherwise the host finds out who waits for whom. */
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
  const [, value, b, c] = call.args.map((a) => e.names.references(a)[0]);
  if (!e.isScalar(b) || !e.isScalar(c)) {
    emitHostStep(e, call);
    return;
  }
  const [result] = e.names.ofValue(call.id, call.type) as readonly (Reference & { kind: 'value' })[];
  const from = e.vectorSlot(value);
  const to = e.slotOf(result);
  // Both ways need these: fetched here, so that neither fetches them for itself.
  for (const argument of call.args) prefetch(e, e.names.references(argument)[0]);
  f.get(e.mask).i32(-1).op('i32.eq').if();
  f.get(e.frame).i32(from).op('i32.add').get(e.frame).i32(to).op('i32.add');
  e.pushScalar(b);
  e.pushScalar(c);
  f.call(e.context.warpHelpers.shuffle[mode]);
  f.else();
  emitHostStep(e, call);
  f.end();
}

/** __syncwarp: where all lanes that have not exited are here there is nobody to wait for. */
export function emitWarpBarrier(e: MemoryEmitter, call: Extract<Instruction, { op: 'call' }>): void {
  const { f } = e;
  for (const argument of call.args) prefetch(e, e.names.references(argument)[0]);
  f.get(e.frame).mem('i32.load', FRAME.live).get(e.mask).i32(-1).op('i32.xor', 'i32.and').if();
  emitHostStep(e, call);
  f.end();
}

function prefetch(e: MemoryEmitter, reference: Reference): void {
  if (reference.kind === 'value' && e.scalarLocal(reference) === undefined && reference.cls === 'mask') e.maskLocal(reference);
}
