/**
 * WebAssembly functions that memory instructions call: checking and counting a request by its remembered pattern, moving values
 * between memory and the lanes of a slot, and integer reductions. What they do not know they ask the host for.
 */
import { LOCAL_BASE, SHARED_BASE } from '../machine/address-map.ts';
import { emitGather } from './gather-helper.ts';
import { ADDRESS_TABLE, INFO, KIND, MEMO, RECORD, SECTOR_TABLE, SUM_SLOTS, SUM_TABLE, TABLE_ENTRY_BYTES, TABLE_SLOTS } from './layout.ts';
import type { FunctionBuilder, ModuleBuilder, ValueType } from './wasm-encoder.ts';

export interface Callable {
  readonly index: number;
}

export interface MemoryHelpers {
  /** (W, addresses, mask, record, base) -> kind of the pattern. Adds `base` to the addresses. */
  readonly check: Callable;
  /** (W, address, mask, record, bytes, align, counted bytes) -> physical address of one address that all lanes use. */
  readonly uniform: Callable;
  /** By bytes: (kind, W, slot, mask, offset) moves what `check` admitted. */
  readonly load: Readonly<Record<number, Callable>>;
  readonly store: Readonly<Record<number, Callable>>;
  /** (W, addresses, values, mask, record, base, flags) -> 1, or 0 if nothing was done and the host has to do it. */
  readonly reduceAdd: Callable;
  /** (W, addresses, mask, record, base, bytes, flags): checks and counts any atomic; INFO.addresses and INFO.delta say where its lanes are. */
  readonly atomic: Callable;
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

export interface MemoryImports {
  /** (W, addresses, mask, record, base, flags): what `atomic` does for any lanes. */
  readonly describeAtomic: Callable;
  /** (W, addresses, mask, record, base) -> kind. */
  readonly describe: Callable;
  /** (W, address, mask, record) -> physical address. */
  readonly describeUniform: Callable;
}

const i32s = (count: number): ValueType[] => new Array(count).fill('i32');

export function emitMemoryHelpers(module: ModuleBuilder, imports: MemoryImports, parameterBytes: number): MemoryHelpers {
  const load: Record<number, Callable> = {};
  const store: Record<number, Callable> = {};
  for (const bytes of [1, 2, 4, 8]) {
    load[bytes] = emitLoad(module.function(`load${8 * bytes}`, { parameters: i32s(5), results: [] }), bytes);
    store[bytes] = emitStore(module.function(`store${8 * bytes}`, { parameters: i32s(5), results: [] }), bytes);
  }
  return {
    check: emitCheck(
      module.function('check', { parameters: i32s(5), results: ['i32'] }),
      emitGather(module, imports.describe, parameterBytes),
    ),
    uniform: emitUniform(module.function('uniform', { parameters: i32s(7), results: ['i32'] }), imports),
    load,
    store,
    atomic: emitAtomicCheck(module.function('atomic', { parameters: i32s(7), results: [] }), imports),
    reduceAdd: emitReduceAdd(module.function('reduceAdd', { parameters: i32s(7), results: ['i32'] })),
  };
}

function emitCheck(f: FunctionBuilder, otherwise: Callable): Callable {
  const [w, addresses, mask, record, base] = [0, 1, 2, 3, 4];
  const first = f.local('i32');
  const memo = f.local('i32');
  const low = f.local('i32');
  const size = f.local('i32');
  const delta = f.local('i32');
  const splat = f.local('v128');
  const same = f.local('i32');
  const second = f.local('i32');
  const difference = f.local('i32');
  const depth = f.depth;
  f.block();
  f.get(addresses).get(mask).op('i32.ctz').i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).set(first);
  // The number of lanes and the distance of the first two tell apart most patterns that a site alternates between.
  f.get(mask).get(mask).i32(1).op('i32.sub', 'i32.and').tee(second).get(mask).get(second).op('select', 'i32.ctz').set(second);
  f.get(addresses).get(second).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(first).op('i32.sub').tee(difference);
  f.i32(0x85ebca6b).op('i32.mul').i32(28).op('i32.shr_u');
  f.get(mask).op('i32.popcnt').i32(11).op('i32.mul').i32(2).op('i32.shr_u', 'i32.add');
  // The eight alignments of a word in its sector never meet in one memo; in shared memory they are all the same.
  f.get(first).get(base).op('i32.add').i32(31).op('i32.and').i32(2).op('i32.shr_u').i32(0);
  f.get(first).get(base).op('i32.add').i32(LOCAL_BASE).op('i32.lt_u', 'select', 'i32.add');
  f.i32(RECORD.memoCount - 1)
    .op('i32.and')
    .i32(MEMO.bytes)
    .op('i32.mul')
    .get(record)
    .op('i32.add')
    .i32(RECORD.memos)
    .op('i32.add')
    .set(memo);
  // Two places for each pattern, so that two that share a number do not drive each other out.
  const matches = (): void => {
    f.get(memo).mem('i32.load', MEMO.mask).get(mask).op('i32.eq');
    f.get(first).get(base).op('i32.add').get(memo).mem('i32.load', MEMO.phaseBits).op('i32.and');
    f.get(memo).mem('i32.load', MEMO.phase).op('i32.eq');
    // The second active lane tells most patterns apart before all lanes are compared.
    f.get(memo)
      .get(second)
      .i32(2)
      .op('i32.shl', 'i32.add')
      .mem('i32.load', MEMO.pattern)
      .get(difference)
      .op('i32.eq', 'i32.and', 'i32.and');
  };
  matches();
  f.op('i32.eqz').if();
  f.get(memo)
    .get(record)
    .op('i32.sub')
    .i32(RECORD.memos)
    .op('i32.sub')
    .i32(MEMO.bytes * (RECORD.memoCount / 2))
    .op('i32.add');
  f.i32(MEMO.bytes * RECORD.memoCount)
    .op('i32.rem_u')
    .get(record)
    .op('i32.add')
    .i32(RECORD.memos)
    .op('i32.add')
    .set(memo);
  matches();
  f.op('i32.eqz').brIf(depth);
  f.end();
  f.get(first).op('i32x4.splat').set(splat);
  const compare = (group: number): void => {
    f.get(addresses)
      .mem('v128.load', 16 * group)
      .get(splat)
      .op('i32x4.sub')
      .get(memo)
      .mem('v128.load', MEMO.pattern + 16 * group);
  };
  f.get(mask).i32(-1).op('i32.eq').if('i32');
  for (let group = 0; group < 8; group++) {
    compare(group);
    f.op('v128.xor');
    if (group > 0) f.op('v128.or');
  }
  f.op('v128.any_true', 'i32.eqz').else();
  for (let group = 0; group < 8; group++) {
    compare(group);
    f.op('i32x4.eq', 'i32x4.bitmask');
    if (group > 0) f.i32(4 * group).op('i32.shl', 'i32.or');
  }
  f.set(same).get(same).get(mask).op('i32.and').get(mask).op('i32.eq').end();
  f.op('i32.eqz').brIf(depth);
  f.get(first).get(base).op('i32.add').get(memo).mem('i32.load', MEMO.low).op('i32.add').set(low);
  f.get(memo).mem('i32.load', MEMO.space).if();
  f.get(low).i32(SHARED_BASE).op('i32.sub').set(low);
  f.get(w).mem('i32.load', INFO.sharedLimit).set(size);
  f.get(w).mem('i32.load', INFO.sharedBase).i32(SHARED_BASE).op('i32.sub').set(delta);
  f.else();
  f.get(low).get(record).mem('i32.load', RECORD.lo).op('i32.sub').set(low);
  f.get(record).mem('i32.load', RECORD.size).set(size);
  f.i32(0).set(delta);
  f.end();
  f.get(size).get(memo).mem('i32.load', MEMO.extent).op('i32.lt_u').brIf(depth);
  f.get(low).get(size).get(memo).mem('i32.load', MEMO.extent).op('i32.sub', 'i32.gt_u').brIf(depth);
  f.get(memo).get(memo).mem('i64.load', MEMO.hits);
  f.i64(1n)
    .get(record)
    .mem('i64.load', RECORD.increment)
    .get(memo)
    .mem('i32.load', MEMO.space)
    .op('select', 'i64.add')
    .mem('i64.store', MEMO.hits);
  f.get(w).get(delta).get(base).op('i32.add').mem('i32.store', INFO.delta);
  f.get(w).get(addresses).mem('i32.store', INFO.addresses);
  f.get(memo).mem('i32.load', MEMO.kind).op('return');
  f.end();
  for (const parameter of [w, addresses, mask, record, base]) f.get(parameter);
  f.call(otherwise);
  return f;
}

function emitUniform(f: FunctionBuilder, imports: MemoryImports): Callable {
  const [w, address, mask, record, bytes, align, counted] = [0, 1, 2, 3, 4, 5, 6];
  const depth = f.depth;
  f.block();
  f.get(address).get(align).i32(1).op('i32.sub', 'i32.and').brIf(depth);
  f.get(record).mem('i32.load', RECORD.size).get(bytes).op('i32.ge_u');
  f.get(address).get(record).mem('i32.load', RECORD.lo).op('i32.sub');
  f.get(record).mem('i32.load', RECORD.size).get(bytes).op('i32.sub', 'i32.le_u', 'i32.and').if();
  f.get(record).get(record).mem('i64.load', RECORD.uniformGlobal).get(record).mem('i64.load', RECORD.increment).op('i64.add');
  f.mem('i64.store', RECORD.uniformGlobal);
  f.get(address).op('return');
  f.end();
  // Wavefronts of wider accesses depend on which lanes are active.
  f.get(counted).i32(4).op('i32.gt_u').brIf(depth);
  f.get(w).mem('i32.load', INFO.sharedLimit).get(bytes).op('i32.lt_u').brIf(depth);
  f.get(address).i32(SHARED_BASE).op('i32.sub').get(w).mem('i32.load', INFO.sharedLimit).get(bytes).op('i32.sub', 'i32.gt_u').brIf(depth);
  f.get(record).get(record).mem('i64.load', RECORD.uniformShared).i64(1n).op('i64.add').mem('i64.store', RECORD.uniformShared);
  f.get(address).i32(SHARED_BASE).op('i32.sub').get(w).mem('i32.load', INFO.sharedBase).op('i32.add', 'return');
  f.end();
  for (const parameter of [w, address, mask, record]) f.get(parameter);
  f.call(imports.describeUniform);
  return f;
}

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

function emitLoad(f: FunctionBuilder, bytes: number): Callable {
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

/** Of lanes that store to one address the lowest comes last: its value stays. */
function emitStore(f: FunctionBuilder, bytes: number): Callable {
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

/**
 * Checks and counts an atomic: where all lanes lie in the allocation of the last access, or all in shared memory, without the host.
 * Afterwards INFO.addresses and INFO.delta say where each lane's value is.
 */
function emitAtomicCheck(f: FunctionBuilder, imports: MemoryImports): Callable {
  const [w, addresses, mask, record, base, bytes, flags] = [0, 1, 2, 3, 4, 5, 6];
  const lo = f.local('i32');
  const size = f.local('i32');
  const ifInside = (then: () => void): void => {
    f.get(size).get(bytes).op('i32.ge_u').if();
    f.get(size).get(bytes).op('i32.sub').set(size);
    f.i32(0);
    for (let group = 0; group < 8; group++) {
      const push = () => f.get(addresses).mem('v128.load', 16 * group);
      push().get(lo).op('i32x4.splat', 'i32x4.sub').get(size).op('i32x4.splat', 'i32x4.le_u');
      push().get(bytes).i32(1).op('i32.sub', 'i32x4.splat', 'v128.and').v128([0, 0, 0, 0]).op('i32x4.eq', 'v128.and', 'i32x4.bitmask');
      if (group > 0) f.i32(4 * group).op('i32.shl');
      f.op('i32.or');
    }
    f.get(mask).op('i32.and').get(mask).op('i32.eq').if();
    then();
    f.get(w).get(addresses).mem('i32.store', INFO.addresses).op('return');
    f.end();
    f.end();
  };
  f.get(record).mem('i32.load', RECORD.lo).get(base).op('i32.sub').set(lo);
  f.get(record).mem('i32.load', RECORD.size).set(size);
  ifInside(() => {
    countGlobalAtomic(f, { w, addresses, mask, record, base, bytes, flags });
    f.get(w).get(base).mem('i32.store', INFO.delta);
  });
  f.i32(SHARED_BASE).get(base).op('i32.sub').set(lo);
  f.get(w).mem('i32.load', INFO.sharedLimit).set(size);
  ifInside(() => {
    countSharedAtomic(f, { w, addresses, mask, record, base, flags });
    f.get(w).get(base).i32(SHARED_BASE).op('i32.sub').get(w).mem('i32.load', INFO.sharedBase).op('i32.add').mem('i32.store', INFO.delta);
  });
  f.get(w).get(addresses).get(mask).get(record).get(base).get(flags).call(imports.describeAtomic);
  return f;
}

interface AtomicRequest {
  readonly w: number;
  readonly addresses: number;
  readonly mask: number;
  readonly record: number;
  readonly base: number;
  readonly flags: number;
}

/** As `atomicSectors` in machine/sectors.ts: a sector is sent as often as the busiest of its addresses has lanes. */
function countGlobalAtomic(
  f: FunctionBuilder,
  { w, addresses, mask, record, base, bytes, flags }: AtomicRequest & { bytes: number },
): void {
  const epoch = f.local('i32');
  const address = f.local('i32');
  const lanes = f.local('i32');
  const entry = f.local('i32');
  const sectors = f.local('i32');
  const passes = f.local('i32');
  const ideal = f.local('i32');
  f.i32(1).set(sectors).i32(1).set(passes);
  f.get(flags).i32(REDUCTION.combined).op('i32.and', 'i32.eqz').if();
  f.i32(0).set(sectors).i32(0).set(passes);
  nextEpoch(f, w, epoch);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add').set(address);
    countMeeting(f, { w, epoch, address, lanes, entry, sectors, passes });
  });
  f.end();
  f.get(mask).op('i32.popcnt').get(bytes).op('i32.mul').i32(31).op('i32.add').i32(5).op('i32.shr_u').set(ideal);
  addAtomicRequest(f, { record, sectors, ideal, passes });
  for (const local of [epoch, address, lanes, entry, sectors, passes, ideal]) f.release('i32', local);
}

/** As many wavefronts as lanes meet in one bank; of a loop of compare-and-swaps as many requests, of two wavefronts each. */
function countSharedAtomic(f: FunctionBuilder, { w, addresses, mask, record, base, flags }: AtomicRequest): void {
  const bank = f.local('i32');
  const count = f.local('i32');
  const most = f.local('i32');
  emptyBanks(f, w, most);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add');
    f.i32(124).op('i32.and').get(w).op('i32.add').set(bank);
    countInBank(f, { bank, count, most });
  });
  f.i32(1).get(most).get(flags).i32(REDUCTION.combined).op('i32.and', 'select').set(most);
  const spins = (): FunctionBuilder => f.get(flags).i32(REDUCTION.spins).op('i32.and');
  const add = (field: number, looping: () => void, once: () => void): void =>
    addTo(f, record, field, () => {
      looping();
      once();
      spins().op('select', 'i64.extend_i32_u');
    });
  add(
    RECORD.sharedRequests,
    () => f.get(most),
    () => f.i32(1),
  );
  add(
    RECORD.sharedWavefronts,
    () => f.get(most).i32(1).op('i32.shl'),
    () => f.get(most),
  );
  add(
    RECORD.sharedWavefrontsIdeal,
    () => f.i32(2),
    () => f.i32(1),
  );
  for (const local of [bank, count, most]) f.release('i32', local);
}

/** Integer additions whose old values nobody reads: lanes in ascending order, counted as the hardware merges them. */
function emitReduceAdd(f: FunctionBuilder): Callable {
  const [w, addresses, values, mask, record, base, flags] = [0, 1, 2, 3, 4, 5, 6];
  const combined = f.local('i32');
  const distinct = f.local('i32');
  f.get(flags).i32(REDUCTION.combined).op('i32.and').set(combined);
  f.get(flags).i32(REDUCTION.countsUp).op('i32.and').set(distinct);
  const lo = f.local('i32');
  const limit = f.local('i32');
  const pushInside = (): void => {
    f.i32(0);
    for (let group = 0; group < 8; group++) {
      f.get(addresses)
        .mem('v128.load', 16 * group)
        .get(lo)
        .op('i32x4.splat', 'i32x4.sub')
        .get(limit)
        .op('i32x4.splat', 'i32x4.le_u');
      f.get(addresses)
        .mem('v128.load', 16 * group)
        .v128([3, 3, 3, 3])
        .op('v128.and')
        .v128([0, 0, 0, 0])
        .op('i32x4.eq', 'v128.and', 'i32x4.bitmask');
      if (group > 0) f.i32(4 * group).op('i32.shl');
      f.op('i32.or');
    }
    f.get(mask).op('i32.and').get(mask).op('i32.eq');
  };
  // Bounds: all lanes in the allocation of the last access, or all in shared memory.
  f.get(record).mem('i32.load', RECORD.size).i32(4).op('i32.ge_u').if();
  f.get(record).mem('i32.load', RECORD.lo).get(base).op('i32.sub').set(lo);
  f.get(record).mem('i32.load', RECORD.size).i32(4).op('i32.sub').set(limit);
  pushInside();
  f.if();
  emitGlobalReduction(f, { w, addresses, values, mask, record, base, combined, distinct });
  f.i32(1).op('return');
  f.end();
  f.end();
  f.get(w).mem('i32.load', INFO.sharedLimit).i32(4).op('i32.ge_u').if();
  f.i32(SHARED_BASE).get(base).op('i32.sub').set(lo);
  f.get(w).mem('i32.load', INFO.sharedLimit).i32(4).op('i32.sub').set(limit);
  pushInside();
  f.if();
  emitSharedReduction(f, { w, addresses, values, mask, record, base, combined, distinct });
  f.i32(1).op('return');
  f.end();
  f.end();
  f.i32(0);
  return f;
}

interface Reduction {
  readonly w: number;
  readonly addresses: number;
  readonly values: number;
  readonly mask: number;
  readonly record: number;
  readonly base: number;
  /** Not zero: the hardware combines the lanes of the warp, and one lane's request remains. */
  readonly combined: number;
  /** Not zero: in shared memory lanes on one word are one access. */
  readonly distinct: number;
}

function emitGlobalReduction(f: FunctionBuilder, { w, addresses, values, mask, record, base, combined }: Reduction): void {
  const epoch = f.local('i32');
  const address = f.local('i32');
  const lanes = f.local('i32');
  const entry = f.local('i32');
  const sectors = f.local('i32');
  const passes = f.local('i32');
  const amount = f.local('i32');
  nextEpoch(f, w, epoch);
  f.i32(0).set(sectors).i32(0).set(passes);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add').set(address);
    f.get(values).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).set(amount);
    emitAddToGlobal(f, { w, address, amount, entry });
    f.get(combined).op('i32.eqz').if();
    countMeeting(f, { w, epoch, address, lanes, entry, sectors, passes });
    f.end();
  });
  f.get(combined).if();
  f.i32(1).set(sectors).i32(1).set(passes);
  f.end();
  const ideal = f.local('i32');
  f.get(mask).op('i32.popcnt').i32(7).op('i32.add').i32(3).op('i32.shr_u').set(ideal);
  addAtomicRequest(f, { record, sectors, ideal, passes });
  for (const local of [epoch, address, lanes, entry, sectors, passes, amount, ideal]) f.release('i32', local);
}

/**
 * Alone, a worker adds to memory directly. Beside others it collects sums in a table of its own, since the kernel reads none of the
 * words it reduces to: integer sums are the same in any order, and nothing has to be locked.
 */
function emitAddToGlobal(
  f: FunctionBuilder,
  { w, address, amount, entry }: { w: number; address: number; amount: number; entry: number },
): void {
  f.get(w).mem('i32.load', INFO.parallel).if();
  f.get(address)
    .i32(2)
    .op('i32.shr_u')
    .i32(SUM_SLOTS - 1)
    .op('i32.and')
    .i32(3)
    .op('i32.shl')
    .get(w)
    .op('i32.add')
    .set(entry);
  f.get(entry).mem('i32.load', SUM_TABLE).get(address).op('i32.ne').if();
  f.get(entry).mem('i32.load', SUM_TABLE).if();
  f.get(entry)
    .mem('i32.load', SUM_TABLE)
    .get(entry)
    .mem('i32.load', SUM_TABLE + 4)
    .mem('i32.atomic.rmw.add', 0)
    .op('drop');
  f.end();
  f.get(entry).get(address).mem('i32.store', SUM_TABLE);
  f.get(entry)
    .i32(0)
    .mem('i32.store', SUM_TABLE + 4);
  f.end();
  f.get(entry)
    .get(entry)
    .mem('i32.load', SUM_TABLE + 4)
    .get(amount)
    .op('i32.add')
    .mem('i32.store', SUM_TABLE + 4);
  f.else();
  f.get(address).get(address).mem('i32.load', 0).get(amount).op('i32.add').mem('i32.store', 0);
  f.end();
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

/** Wavefronts: as many as lanes meet in one bank. */
function emitSharedReduction(f: FunctionBuilder, { w, addresses, values, mask, record, base, combined, distinct }: Reduction): void {
  const physical = f.local('i32');
  const bank = f.local('i32');
  const count = f.local('i32');
  const most = f.local('i32');
  emptyBanks(f, w, most);
  const epoch = f.local('i32');
  const entry = f.local('i32');
  nextEpoch(f, w, epoch);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses)
      .get(lane)
      .i32(2)
      .op('i32.shl', 'i32.add')
      .mem('i32.load', 0)
      .get(base)
      .op('i32.add')
      .i32(SHARED_BASE)
      .op('i32.sub')
      .set(physical);
    const counted = f.depth;
    f.block();
    f.get(distinct).if();
    findEntry(f, { w, table: ADDRESS_TABLE, epoch, entry }, () => f.get(physical).i32(2).op('i32.shr_u'));
    f.get(entry).mem('i32.load', 8).brIf(counted);
    f.get(entry).i32(1).mem('i32.store', 8);
    f.end();
    f.get(physical).i32(124).op('i32.and').get(w).op('i32.add').set(bank);
    countInBank(f, { bank, count, most });
    f.end();
    f.get(physical).get(w).mem('i32.load', INFO.sharedBase).op('i32.add').set(physical);
    f.get(physical).get(physical).mem('i32.load', 0);
    f.get(values).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).op('i32.add').mem('i32.store', 0);
  });
  addTo(f, record, RECORD.sharedRequests, () => f.i64(1n));
  addTo(f, record, RECORD.sharedWavefronts, () => f.i32(1).get(most).get(combined).op('select', 'i64.extend_i32_u'));
  addTo(f, record, RECORD.sharedWavefrontsIdeal, () => f.i64(1n));
  for (const local of [physical, bank, count, most, epoch, entry]) f.release('i32', local);
}

/** Empties the tables that `findEntry` looks in. */
export function nextEpoch(f: FunctionBuilder, w: number, epoch: number): void {
  f.get(w).get(w).mem('i32.load', INFO.epoch).i32(1).op('i32.add').tee(epoch).mem('i32.store', INFO.epoch);
}

/** As `atomicSectors` in machine/sectors.ts, of one lane: a sector is sent as often as the busiest of its addresses has lanes. */
function countMeeting(
  f: FunctionBuilder,
  {
    w,
    epoch,
    address,
    lanes,
    entry,
    sectors,
    passes,
  }: { w: number; epoch: number; address: number; lanes: number; entry: number; sectors: number; passes: number },
): void {
  findEntry(f, { w, table: ADDRESS_TABLE, epoch, entry }, () => f.get(address).i32(2).op('i32.shr_u'));
  f.get(entry).get(entry).mem('i32.load', 8).i32(1).op('i32.add').tee(lanes).mem('i32.store', 8);
  findEntry(f, { w, table: SECTOR_TABLE, epoch, entry }, () => f.get(address).i32(5).op('i32.shr_u'));
  f.get(lanes).get(entry).mem('i32.load', 8).op('i32.gt_u').if();
  f.get(sectors).get(entry).mem('i32.load', 8).op('i32.eqz', 'i32.add').set(sectors);
  f.get(entry).get(lanes).mem('i32.store', 8);
  f.get(passes).i32(1).op('i32.add').set(passes);
  f.end();
}

/** Adds one request of an atomic to its record. `ideal`: sectors that the bytes of its lanes fill; never more are counted than there were. */
function addAtomicRequest(
  f: FunctionBuilder,
  { record, sectors, ideal, passes }: { record: number; sectors: number; ideal: number; passes: number },
): void {
  f.get(ideal).get(sectors).get(ideal).get(sectors).op('i32.lt_u', 'select').set(ideal);
  addTo(f, record, RECORD.globalRequests, () => f.i64(1n));
  addTo(f, record, RECORD.globalSectors, () => f.get(sectors).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.globalSectorsIdeal, () => f.get(ideal).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.globalAtomicSectors, () => f.get(passes).op('i64.extend_i32_u'));
}

/** Before `countInBank`. */
export function emptyBanks(f: FunctionBuilder, w: number, most: number): void {
  for (let v = 0; v < 8; v++)
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
