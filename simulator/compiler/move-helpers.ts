/** Moves values between memory and the lanes of a slot, at the addresses that a helper has checked. */
import { type Callable, forActiveLanes } from './helper-parts.ts';
import { INFO, KIND } from './layout.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

const LOAD: Readonly<Record<number, string>> = { 1: 'i32.load8_u', 2: 'i32.load16_u', 4: 'i32.load', 8: 'i64.load' };

const STORE: Readonly<Record<number, string>> = { 1: 'i32.store8', 2: 'i32.store16', 4: 'i32.store', 8: 'i64.store' };

interface Move {
  readonly f: FunctionBuilder;
  readonly bytes: number;
  /** Bytes of a lane in a slot. */
  readonly lane: number;
  readonly kind: number;
  readonly slot: number;
  readonly mask: number;
  readonly delta: number;
  readonly addresses: number;
}

/** Reads what every moving function starts with. */
function beginMove(f: FunctionBuilder, bytes: number): Move {
  const [kind, w, slot, mask, offset] = [0, 1, 2, 3, 4];
  const delta = f.local('i32');
  const addresses = f.local('i32');
  f.get(w).mem('i32.load', INFO.delta).get(offset).op('i32.add').set(delta);
  f.get(w).mem('i32.load', INFO.addresses).set(addresses);
  return { f, bytes, lane: bytes === 8 ? 8 : 4, kind, slot, mask, delta, addresses };
}

/** Pushes the physical address of a lane known when compiling. */
function pushLaneAddress({ f, addresses, delta }: Move, lane: number): void {
  f.get(addresses)
    .mem('i32.load', 4 * lane)
    .get(delta)
    .op('i32.add');
}

export function emitLoad(f: FunctionBuilder, bytes: number): Callable {
  const move = beginMove(f, bytes);
  const { kind, mask, slot, lane } = move;
  const vectors = 2 * lane;
  f.get(mask).i32(-1).op('i32.eq').if();
  if (bytes >= 4) {
    const vector = f.local('v128');
    const from = f.local('i32');
    pushLaneAddress(move, 0);
    f.set(from);
    f.get(kind).i32(KIND.consecutive).op('i32.eq').if();
    for (let v = 0; v < vectors; v++)
      f.get(slot)
        .get(from)
        .mem('v128.load', 16 * v)
        .mem('v128.store', 16 * v);
    f.op('return').end();
    f.get(kind).i32(KIND.uniform).op('i32.eq').if();
    f.get(from)
      .mem(bytes === 8 ? 'v128.load64_splat' : 'v128.load32_splat', 0)
      .set(vector);
    for (let v = 0; v < vectors; v++)
      f.get(slot)
        .get(vector)
        .mem('v128.store', 16 * v);
    f.op('return').end();
  }
  for (let l = 0; l < 32; l++) {
    f.get(slot);
    pushLaneAddress(move, l);
    f.mem(LOAD[bytes], 0).mem(bytes === 8 ? 'i64.store' : 'i32.store', lane * l);
  }
  f.op('return').end();
  forActiveLanes(f, mask, 'ascending', (number) => {
    f.get(slot).get(number).i32(lane).op('i32.mul', 'i32.add');
    f.get(move.addresses).get(number).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(move.delta).op('i32.add');
    f.mem(LOAD[bytes], 0).mem(bytes === 8 ? 'i64.store' : 'i32.store', 0);
  });
  return f;
}

/** Where several lanes store to one address the lowest comes last: its value stays. */
export function emitStore(f: FunctionBuilder, bytes: number): Callable {
  const move = beginMove(f, bytes);
  const { kind, mask, slot, lane } = move;
  const vectors = 2 * lane;
  const first = f.local('i32');
  f.get(kind).i32(KIND.uniform).op('i32.eq').if();
  f.get(mask).op('i32.ctz').set(first);
  f.get(move.addresses).get(first).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(move.delta).op('i32.add');
  f.get(slot)
    .get(first)
    .i32(lane)
    .op('i32.mul', 'i32.add')
    .mem(bytes === 8 ? 'i64.load' : 'i32.load', 0)
    .mem(STORE[bytes], 0);
  f.op('return').end();
  f.get(mask).i32(-1).op('i32.eq').if();
  if (bytes >= 4) {
    const to = f.local('i32');
    f.get(kind).i32(KIND.consecutive).op('i32.eq').if();
    pushLaneAddress(move, 0);
    f.set(to);
    for (let v = 0; v < vectors; v++)
      f.get(to)
        .get(slot)
        .mem('v128.load', 16 * v)
        .mem('v128.store', 16 * v);
    f.op('return').end();
  }
  for (let l = 31; l >= 0; l--) {
    pushLaneAddress(move, l);
    f.get(slot)
      .mem(bytes === 8 ? 'i64.load' : 'i32.load', lane * l)
      .mem(STORE[bytes], 0);
  }
  f.op('return').end();
  forActiveLanes(f, mask, 'descending', (number) => {
    f.get(move.addresses).get(number).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(move.delta).op('i32.add');
    f.get(slot)
      .get(number)
      .i32(lane)
      .op('i32.mul', 'i32.add')
      .mem(bytes === 8 ? 'i64.load' : 'i32.load', 0)
      .mem(STORE[bytes], 0);
  });
  return f;
}
