/** The WebAssembly function that gives every warp of a block its turn: from the start of the block, or from the barrier they wait at. */
import { FRAME, INFO } from './layout.ts';
import type { Callable } from './memory-helpers.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

export interface SchedulerOptions {
  readonly kernel: Callable;
  readonly frameBytes: number;
  /** Bytes of local memory of a warp; 0 for a kernel without. */
  readonly localBytes: number;
  readonly parted: Callable;
}

/** (W, frames, warps, start) -> how many warps wait at a barrier. With `start` not zero all warps begin anew. */
export function emitScheduler(f: FunctionBuilder, { kernel, frameBytes, localBytes, parted }: SchedulerOptions): void {
  const [w, frame, warps, start] = [0, 1, 2, 3];
  const warp = f.local('i32');
  const waiting = f.local('i32');
  f.i32(0).set(warp).i32(0).set(waiting);
  const depth = f.depth;
  f.loop();
  const skip = f.depth;
  f.block();
  f.get(start).if();
  f.get(frame).i32(0).mem('i32.store', FRAME.pc);
  f.get(frame).get(frame).mem('i32.load', FRAME.threads).mem('i32.store', FRAME.mask);
  f.get(frame).i32(-1).mem('i32.store', FRAME.meeting);
  f.get(frame).i32(0).mem('i32.store', FRAME.stack);
  f.get(frame).get(frame).mem('i32.load', FRAME.threads).mem('i32.store', FRAME.live);
  f.else();
  f.get(frame).mem('i32.load', FRAME.status).op('i32.eqz').brIf(skip);
  f.end();
  f.get(w).get(warp).mem('i32.store', INFO.warp);
  if (localBytes > 0) {
    f.get(w).get(w).mem('i32.load', INFO.locals).get(warp).i32(localBytes).op('i32.mul', 'i32.add').mem('i32.store', INFO.localBase);
  }
  f.get(frame).get(w).get(frame).call(kernel).mem('i32.store', FRAME.status);
  f.get(frame).mem('i32.load', FRAME.status).op('i32.eqz').brIf(skip);
  f.get(waiting).i32(1).op('i32.add').set(waiting);
  // All lanes that have not exited must be at the barrier: others would have to come by another way.
  f.get(frame).mem('i32.load', FRAME.mask).get(frame).mem('i32.load', FRAME.live).op('i32.ne').if();
  f.call(parted);
  f.end();
  f.end();
  f.get(frame).i32(frameBytes).op('i32.add').set(frame);
  f.get(warp).i32(1).op('i32.add').tee(warp).get(warps).op('i32.lt_s').brIf(depth);
  f.end();
  f.get(waiting);
}
