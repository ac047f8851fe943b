/**
 * Where warps meet: compiled code notes by itself that all lanes of a warp, or all threads of a block, have met, with what the listener keeps
 * in device memory (scheduling/ledger.ts). The same as `meetLanes` and `meetBlock` of sanitizer/clocks.ts, where only barriers order anything.
 */
import { LEDGER, LEDGER_BLOCK, LEDGER_WARP } from '../scheduling/ledger.ts';
import type { Callable } from './helper-parts.ts';
import { FRAME, INFO } from './layout.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

/** What looks functions up in the module. */
export type SharedFunctions = (name: string, make: (module: ModuleBuilder) => Callable) => Callable;

/** Pushes the address of the record of the block that runs, or 0 if compiled code may not note by itself what happens there. */
export function pushOpenBlock(f: FunctionBuilder, w: number, ledger: number, block: number): void {
  f.get(w).mem('i32.load', INFO.ledger).tee(ledger).if('i32');
  f.get(ledger).mem('i32.load', LEDGER.block).tee(block).if('i32');
  f.get(block).i32(0).get(ledger).mem('i32.load', LEDGER.open).get(block).mem('i32.load', LEDGER_BLOCK.open).op('i32.and', 'select');
  f.else().i32(0).end().else().i32(0).end();
}

/** Pushes the number of the warp of an event. */
export function pushWarpOf(f: FunctionBuilder, ledger: number, event: number): void {
  f.get(ledger).mem('i32.load', LEDGER.warps).get(event).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0);
}

/** Pushes the address of the record of the warp that runs. */
export function pushRecord(f: FunctionBuilder, w: number, block: number): void {
  f.get(block).get(w).mem('i32.load', INFO.warp).i32(LEDGER_WARP.bytes).op('i32.mul', 'i32.add').i32(LEDGER_BLOCK.warps).op('i32.add');
}

/** (W) -> whether it is noted that all lanes of the warp that runs have met. */
export function meetWarp(shared: SharedFunctions): Callable {
  return shared('meet warp', (module) => {
    const f = module.function('meet warp', { parameters: ['i32'], results: ['i32'] });
    const [ledger, block, record] = [f.local('i32'), f.local('i32'), f.local('i32')];
    pushOpenBlock(f, 0, ledger, block);
    f.op('i32.eqz').if().i32(0).op('return').end();
    pushRecord(f, 0, block);
    f.set(record);
    for (const place of [LEDGER_WARP.tick, LEDGER_WARP.all]) f.get(record).get(ledger).mem('i32.load', LEDGER.last).mem('i32.store', place);
    f.i32(1);
    return f;
  });
}

/** (W, F, mask, number of the probe) -> whether it is noted that the warp that runs has come to a barrier of the block as a whole. */
export function arriveAtBarrier(shared: SharedFunctions): Callable {
  return shared('arrive', (module) => {
    const f = module.function('arrive', { parameters: ['i32', 'i32', 'i32', 'i32'], results: ['i32'] });
    const [w, frame, mask, number] = [0, 1, 2, 3];
    const [ledger, block] = [f.local('i32'), f.local('i32')];
    pushOpenBlock(f, w, ledger, block);
    f.op('i32.eqz').if().i32(0).op('return').end();
    f.get(ledger).mem('i32.load', LEDGER.barriers).op('i32.eqz');
    f.get(frame).mem('i32.load', FRAME.threads).get(mask).op('i32.ne', 'i32.or').if().i32(0).op('return').end();
    pushRecord(f, w, block);
    f.get(number).i32(1).op('i32.add').mem('i32.store', LEDGER_WARP.arrived);
    f.i32(1);
    return f;
  });
}

/** (W, warps that wait, warps of the block) -> whether it is noted that all threads of the block have met at one barrier. */
export function openBarrier(module: ModuleBuilder): Callable {
  const f = module.function('open', { parameters: ['i32', 'i32', 'i32'], results: ['i32'] });
  const [w, waiting, warps] = [0, 1, 2];
  const [ledger, block, record, end, number, last] = Array.from({ length: 6 }, () => f.local('i32'));
  pushOpenBlock(f, w, ledger, block);
  f.op('i32.eqz').get(waiting).get(warps).op('i32.ne', 'i32.or').if().i32(0).op('return').end();
  const forRecords = (body: () => void): void => {
    f.get(block).i32(LEDGER_BLOCK.warps).op('i32.add').tee(record).get(warps).i32(LEDGER_WARP.bytes).op('i32.mul', 'i32.add').set(end);
    const depth = f.depth;
    f.loop();
    body();
    f.get(record).i32(LEDGER_WARP.bytes).op('i32.add').tee(record).get(end).op('i32.lt_u').brIf(depth);
    f.end();
  };
  f.get(block)
    .mem('i32.load', LEDGER_BLOCK.warps + LEDGER_WARP.arrived)
    .tee(number)
    .op('i32.eqz')
    .if()
    .i32(0)
    .op('return')
    .end();
  forRecords(() => {
    f.get(record).mem('i32.load', LEDGER_WARP.arrived).get(number).op('i32.ne').if().i32(0).op('return').end();
  });
  f.get(ledger).mem('i32.load', LEDGER.last).set(last);
  forRecords(() => {
    f.get(record).i32(0).mem('i32.store', LEDGER_WARP.arrived);
    f.get(record).get(last).mem('i32.store', LEDGER_WARP.tick);
  });
  f.get(block).get(last).mem('i32.store', LEDGER_BLOCK.all);
  f.get(w).get(w).mem('i32.load', INFO.acts).i32(1).op('i32.add').mem('i32.store', INFO.acts);
  f.i32(1);
  return f;
}
