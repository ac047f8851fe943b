/** What the WebAssembly functions around memory are put together from: loops over lanes, tables of distinct keys, counts. */
import { BANKS } from '../machine/banks.ts';
import { INFO, TABLE_ENTRY_BYTES, TABLE_SLOTS } from './layout.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

export interface Callable {
  readonly index: number;
}

export interface MemoryImports {
  /** (W, addresses, mask, record, base, flags): what `atomic` does for any lanes. */
  readonly describeAtomic: Callable;
  /** (W, addresses, mask, record, base) -> kind. */
  readonly describe: Callable;
  /** (W, address, mask, record) -> physical address. */
  readonly describeUniform: Callable;
  /** (W, addresses, mask, record, flags of an atomic or 0): takes note of a request with pointers to global or generic memory. */
  readonly traced: Callable;
  /** (W, address, mask, record). */
  readonly tracedUniform: Callable;
}

/** Flags of an integer reduction. */
export const REDUCTION = {
  /** The lanes of the warp are combined first: one request of one lane remains. */
  combined: 1,
  /** Counts up by one: in shared memory lanes on one word are one access. */
  countsUp: 2,
  /** In shared memory the atomic is a loop of compare-and-swaps. */
  spins: 4,
} as const;

/** Has the host take note of a request, in blocks that are traced. Pointers of a space of their own do not lead to global memory. */
export function emitTrace(
  f: FunctionBuilder,
  { traced }: MemoryImports,
  request: Readonly<Record<'w' | 'addresses' | 'mask' | 'record' | 'base', number>> & { readonly flags?: number },
): void {
  const { w, addresses, mask, record, base, flags } = request;
  f.get(w).mem('i32.load', INFO.traced).i32(0).op('i32.ne').get(base).op('i32.eqz', 'i32.and').if();
  emitIsTraced(f, w);
  f.if().get(w).get(addresses).get(mask).get(record);
  if (flags === undefined) f.i32(0);
  else f.get(flags);
  f.call(traced).end().end();
}

/** Whether the warp that runs is followed still: of each warp, only the first requests are kept. */
export function emitIsTraced(f: FunctionBuilder, w: number): void {
  f.get(w).mem('i32.load', INFO.traced).get(w).mem('i32.load', INFO.warp).op('i32.shr_u').i32(1).op('i32.and');
}

/** A loop over the set bits of a mask; `body` gets the local with the lane's number. */
export function forActiveLanes(f: FunctionBuilder, mask: number, order: 'ascending' | 'descending', body: (lane: number) => void): void {
  const rest = f.local('i32');
  const lane = f.local('i32');
  f.get(mask).set(rest);
  const end = f.depth;
  f.block();
  const depth = f.depth;
  f.loop();
  f.get(rest).op('i32.eqz').brIf(end);
  if (order === 'ascending') {
    f.get(rest).op('i32.ctz').set(lane);
    f.get(rest).get(rest).i32(1).op('i32.sub', 'i32.and').set(rest);
  } else {
    f.i32(31).get(rest).op('i32.clz', 'i32.sub').set(lane);
    f.get(rest).i32(1).get(lane).op('i32.shl', 'i32.xor').set(rest);
  }
  body(lane);
  f.br(depth);
  f.end();
  f.end();
  f.release('i32', rest);
  f.release('i32', lane);
}

/** Pushes whether all lanes of a mask, of which there is one, have the same address. */
export function pushIsOneAddress(f: FunctionBuilder, addresses: number, mask: number): void {
  const first = f.local('v128');
  f.get(addresses).get(mask).op('i32.ctz').i32(2).op('i32.shl', 'i32.add').mem('v128.load32_splat', 0).set(first);
  f.i32(0);
  for (let group = 0; group < 8; group++) {
    f.get(addresses)
      .mem('v128.load', 16 * group)
      .get(first)
      .op('i32x4.eq', 'i32x4.bitmask');
    if (group > 0) f.i32(4 * group).op('i32.shl');
    f.op('i32.or');
  }
  f.get(mask).op('i32.and').get(mask).op('i32.eq');
  f.release('v128', first);
}

/** Sets `entry` to the table's entry of a key, made with count 0 if there is none in this epoch. */
export function findEntry(
  f: FunctionBuilder,
  { w, table, epoch, entry }: { w: number; table: number; epoch: number; entry: number },
  pushKey: () => void,
): void {
  const slot = f.local('i32');
  const found = f.depth;
  pushKey();
  f.i32(0x9e3779b1)
    .op('i32.mul')
    .i32(32 - Math.log2(TABLE_SLOTS))
    .op('i32.shr_u')
    .set(slot);
  f.block();
  const depth = f.depth;
  f.loop();
  f.get(slot).i32(TABLE_ENTRY_BYTES).op('i32.mul').get(w).op('i32.add').i32(table).op('i32.add').set(entry);
  f.get(entry).mem('i32.load', 4).get(epoch).op('i32.ne').if();
  f.get(entry);
  pushKey();
  f.mem('i32.store', 0);
  f.get(entry).get(epoch).mem('i32.store', 4);
  f.get(entry).i32(0).mem('i32.store', 8);
  f.br(found);
  f.end();
  f.get(entry).mem('i32.load', 0);
  pushKey();
  f.op('i32.eq').brIf(found);
  f.get(slot)
    .i32(1)
    .op('i32.add')
    .i32(TABLE_SLOTS - 1)
    .op('i32.and')
    .set(slot)
    .br(depth);
  f.end();
  f.end();
  f.release('i32', slot);
}

/** Empties the tables that `findEntry` looks in. */
export function nextEpoch(f: FunctionBuilder, w: number, epoch: number): void {
  f.get(w).get(w).mem('i32.load', INFO.epoch).i32(1).op('i32.add').tee(epoch).mem('i32.store', INFO.epoch);
}

/** Before `countInBank`. */
export function emptyBanks(f: FunctionBuilder, w: number, most: number): void {
  for (let v = 0; v < BANKS / 4; v++)
    f.get(w)
      .v128([0, 0, 0, 0])
      .mem('v128.store', INFO.scratch + 16 * v);
  f.i32(0).set(most);
}

/** One more access in a bank, `bank` being W plus four times its number; `most`: what the busiest bank has. */
export function countInBank(f: FunctionBuilder, { bank, count, most }: { bank: number; count: number; most: number }): void {
  f.get(bank).get(bank).mem('i32.load', INFO.scratch).i32(1).op('i32.add').tee(count).mem('i32.store', INFO.scratch);
  f.get(count).get(most).get(count).get(most).op('i32.gt_u', 'select').set(most);
}

export function addTo(f: FunctionBuilder, base: number, offset: number, pushAmount: () => void): void {
  f.get(base).get(base).mem('i64.load', offset);
  pushAmount();
  f.op('i64.add').mem('i64.store', offset);
}
