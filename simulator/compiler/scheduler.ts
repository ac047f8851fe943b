/**
 * The WebAssembly function that runs a block: its warps take turns in ascending order, each until it waits at the barrier or ends. The
 * warp that makes the barrier open goes on at once, those behind it follow, and then the round begins anew. Where results depend on
 * who comes first, this is the order of the interpreter.
 */

import type { Callable } from './helper-parts.ts';
import { FRAME, INFO } from './layout.ts';
import { WHOLE_PATIENCE } from './patience.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

export interface SchedulerOptions {
  readonly kernel: Callable;
  readonly frameBytes: number;
  /** Bytes of local memory of a warp; 0 for a kernel without. */
  readonly localBytes: number;
  readonly parted: Callable;
  /** `told` when the barrier opens, unless `noted`, (W, warps that wait, warps) -> i32, says that there is nothing to tell. */
  readonly opened: { readonly told: Callable; readonly noted: Callable } | undefined;
}

/** What a warp's FRAME.status says: the kernel's function returns the first two. */
export const STATUS = { ended: 0, waiting: 1, runnable: 2 } as const;

/** Emits (W, frames, warps). */
export function emitScheduler(f: FunctionBuilder, options: SchedulerOptions): void {
  const [w, frames, warps] = [0, 1, 2];
  const frame = f.local('i32');
  const warp = f.local('i32');
  const alive = f.local('i32');
  const waiting = f.local('i32');
  const forAll = (body: () => void): void => {
    f.get(frames).set(frame).i32(0).set(warp);
    const depth = f.depth;
    f.loop();
    body();
    f.get(frame).i32(options.frameBytes).op('i32.add').set(frame);
    f.get(warp).i32(1).op('i32.add').tee(warp).get(warps).op('i32.lt_s').brIf(depth);
    f.end();
  };
  forAll(() => {
    f.get(frame).i32(0).mem('i32.store', FRAME.pc);
    f.get(frame).get(frame).mem('i32.load', FRAME.threads).mem('i32.store', FRAME.mask);
    f.get(frame).i32(-1).mem('i32.store', FRAME.meeting);
    f.get(frame).i32(0).mem('i32.store', FRAME.stack);
    f.get(frame).get(frame).mem('i32.load', FRAME.threads).mem('i32.store', FRAME.live);
    f.get(frame).i32(STATUS.runnable).mem('i32.store', FRAME.status);
    f.get(frame).i32(WHOLE_PATIENCE).mem('i32.store', FRAME.patience);
    f.get(frame).i64(0n).mem('i64.store', FRAME.elapsed);
  });
  f.get(warps).set(alive).i32(0).set(waiting);
  const round = f.depth;
  f.loop();
  forAll(() => emitTurn(f, options, { w, frames, warps, frame, warp, alive, waiting }));
  f.get(alive).brIf(round);
  f.end();
  const longest = f.local('i64');
  f.i64(0n).set(longest);
  forAll(() => emitLater(f, frame, longest));
  f.get(w).get(longest).get(w).mem('i64.load', INFO.longest).get(longest).get(w).mem('i64.load', INFO.longest);
  f.op('i64.gt_u', 'select').mem('i64.store', INFO.longest);
  f.get(w).get(w).mem('i64.load', INFO.blocks).get(longest).op('i64.add').mem('i64.store', INFO.blocks);
}

/** Makes `latest` that of a warp if it is later. */
function emitLater(f: FunctionBuilder, frame: number, latest: number): void {
  f.get(frame).mem('i64.load', FRAME.elapsed).get(latest).get(frame).mem('i64.load', FRAME.elapsed).get(latest);
  f.op('i64.gt_u', 'select').set(latest);
}

interface TurnLocals {
  readonly w: number;
  readonly frames: number;
  readonly warps: number;
  readonly frame: number;
  readonly warp: number;
  readonly alive: number;
  readonly waiting: number;
}

/** Runs one warp, if it can run, until it waits for others or ends. */
function emitTurn(f: FunctionBuilder, { kernel, frameBytes, localBytes, parted, opened }: SchedulerOptions, locals: TurnLocals): void {
  const { w, frames, warps, frame, warp, alive, waiting } = locals;
  const other = f.local('i32');
  const left = f.local('i32');
  const over = f.depth;
  f.block();
  f.get(frame).mem('i32.load', FRAME.status).i32(STATUS.runnable).op('i32.ne').brIf(over);
  f.get(w).get(warp).mem('i32.store', INFO.warp);
  if (localBytes > 0) {
    f.get(w).get(w).mem('i32.load', INFO.locals).get(warp).i32(localBytes).op('i32.mul', 'i32.add').mem('i32.store', INFO.localBase);
  }
  const again = f.depth;
  f.loop();
  f.get(frame).get(w).get(frame).call(kernel).mem('i32.store', FRAME.status);
  f.get(frame).mem('i32.load', FRAME.status).if();
  // All lanes that have not exited must be at the barrier: others would have to come by another way.
  f.get(frame).mem('i32.load', FRAME.mask).get(frame).mem('i32.load', FRAME.live).op('i32.ne').if();
  f.call(parted);
  f.end();
  f.get(waiting).i32(1).op('i32.add').set(waiting);
  f.else();
  f.get(alive).i32(1).op('i32.sub').set(alive);
  f.end();
  f.get(waiting).get(alive).op('i32.ne').brIf(over);
  f.get(waiting).op('i32.eqz').brIf(over);
  // The barrier opens.
  if (opened) f.get(w).get(waiting).get(warps).call(opened.noted).op('i32.eqz').if().call(opened.told).end();
  const latest = f.local('i64');
  const forWaiting = (body: () => void): void => {
    f.get(frames).set(other).get(warps).set(left);
    const next = f.depth;
    f.loop();
    f.get(other).mem('i32.load', FRAME.status).if();
    body();
    f.end();
    f.get(other).i32(frameBytes).op('i32.add').set(other);
    f.get(left).i32(1).op('i32.sub').tee(left).brIf(next);
    f.end();
  };
  f.i32(0).set(waiting).i64(0n).set(latest);
  forWaiting(() => emitLater(f, other, latest));
  forWaiting(() => {
    f.get(other).i32(STATUS.runnable).mem('i32.store', FRAME.status);
    f.get(other).get(latest).mem('i64.store', FRAME.elapsed);
  });
  f.get(frame).mem('i32.load', FRAME.status).brIf(again);
  f.end();
  f.end();
  f.release('i32', other);
  f.release('i32', left);
  f.release('i64', latest);
}
