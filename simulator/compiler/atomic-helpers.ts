/** Atomics where all lanes lie in the allocation of the last access, or all in shared memory: checked and counted without the host. */
import { SHARED_BASE } from '../ir/address-map.ts';
import { BANKS, WORD_BYTES } from '../machine/banks.ts';
import { SECTOR_BYTES, SECTOR_SHIFT } from '../machine/sectors.ts';
import {
  addTo,
  type Callable,
  countInBank,
  emitTrace,
  emptyBanks,
  findEntry,
  forActiveLanes,
  type MemoryImports,
  nextEpoch,
  pushIsOneAddress,
  REDUCTION,
} from './helper-parts.ts';
import { ADDRESS_TABLE, INFO, RECORD, SECTOR_TABLE, SUM_SLOTS, SUM_TABLE } from './layout.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/**
 * Checks and counts an atomic: where all lanes lie in the allocation of the last access, or all in shared memory, without the host.
 * Afterwards INFO.addresses and INFO.delta say where each lane's value is.
 */
export function emitAtomicCheck(f: FunctionBuilder, imports: MemoryImports): Callable {
  const [w, addresses, mask, record, base, bytes, flags] = [0, 1, 2, 3, 4, 5, 6];
  emitTrace(f, imports, { w, addresses, mask, record, base, flags });
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
  const turns = f.local('i32');
  const ideal = f.local('i32');
  f.i32(1).set(sectors).i32(1).set(passes).i32(1).set(turns);
  f.get(flags).i32(REDUCTION.combined).op('i32.and', 'i32.eqz').if();
  pushIsOneAddress(f, addresses, mask);
  f.if().get(mask).op('i32.popcnt').tee(passes).set(turns).else();
  f.i32(0).set(sectors).i32(0).set(passes).i32(0).set(turns);
  nextEpoch(f, w, epoch);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add').set(address);
    countMeeting(f, { w, epoch, address, lanes, entry, sectors, passes, turns });
  });
  f.end().end();
  f.get(mask)
    .op('i32.popcnt')
    .get(bytes)
    .op('i32.mul')
    .i32(SECTOR_BYTES - 1)
    .op('i32.add')
    .i32(SECTOR_SHIFT)
    .op('i32.shr_u')
    .set(ideal);
  addAtomicRequest(f, { record, sectors, ideal, passes, turns });
  for (const local of [epoch, address, lanes, entry, sectors, passes, turns, ideal]) f.release('i32', local);
}

/** As many wavefronts as lanes meet in one bank; of a loop of compare-and-swaps as many requests, of two wavefronts each. */
function countSharedAtomic(f: FunctionBuilder, { w, addresses, mask, record, base, flags }: AtomicRequest): void {
  const bank = f.local('i32');
  const count = f.local('i32');
  const most = f.local('i32');
  pushIsOneAddress(f, addresses, mask);
  f.if().get(mask).op('i32.popcnt').set(most).else();
  emptyBanks(f, w, most);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add');
    f.i32(WORD_BYTES * (BANKS - 1))
      .op('i32.and')
      .get(w)
      .op('i32.add')
      .set(bank);
    countInBank(f, { bank, count, most });
  });
  f.end();
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
export function emitReduceAdd(f: FunctionBuilder, imports: MemoryImports): Callable {
  const [w, addresses, values, mask, record, base, flags] = [0, 1, 2, 3, 4, 5, 6];
  emitTrace(f, imports, { w, addresses, mask, record, base, flags });
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
  const turns = f.local('i32');
  const amount = f.local('i32');
  pushIsOneAddress(f, addresses, mask);
  f.if();
  f.i32(0).set(amount);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(values).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(amount).op('i32.add').set(amount);
  });
  f.get(addresses).get(mask).op('i32.ctz').i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add').set(address);
  emitAddToGlobal(f, { w, address, amount, entry });
  f.i32(1).set(sectors).get(mask).op('i32.popcnt').tee(passes).set(turns);
  f.else();
  nextEpoch(f, w, epoch);
  f.i32(0).set(sectors).i32(0).set(passes).i32(0).set(turns);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add').set(address);
    f.get(values).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).set(amount);
    emitAddToGlobal(f, { w, address, amount, entry });
    f.get(combined).op('i32.eqz').if();
    countMeeting(f, { w, epoch, address, lanes, entry, sectors, passes, turns });
    f.end();
  });
  f.end();
  f.get(combined).if();
  f.i32(1).set(sectors).i32(1).set(passes).i32(1).set(turns);
  f.end();
  const ideal = f.local('i32');
  f.get(mask)
    .op('i32.popcnt')
    .i32(SECTOR_BYTES / WORD_BYTES - 1)
    .op('i32.add')
    .i32(SECTOR_SHIFT - 2)
    .op('i32.shr_u')
    .set(ideal);
  addAtomicRequest(f, { record, sectors, ideal, passes, turns });
  for (const local of [epoch, address, lanes, entry, sectors, passes, turns, amount, ideal]) f.release('i32', local);
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
    f.get(physical)
      .i32(WORD_BYTES * (BANKS - 1))
      .op('i32.and')
      .get(w)
      .op('i32.add')
      .set(bank);
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
    turns,
  }: { w: number; epoch: number; address: number; lanes: number; entry: number; sectors: number; passes: number; turns: number },
): void {
  findEntry(f, { w, table: ADDRESS_TABLE, epoch, entry }, () => f.get(address));
  f.get(entry).get(entry).mem('i32.load', 8).i32(1).op('i32.add').tee(lanes).mem('i32.store', 8);
  findEntry(f, { w, table: SECTOR_TABLE, epoch, entry }, () => f.get(address).i32(SECTOR_SHIFT).op('i32.shr_u'));
  f.get(lanes).get(entry).mem('i32.load', 8).op('i32.gt_u').if();
  f.get(sectors).get(entry).mem('i32.load', 8).op('i32.eqz', 'i32.add').set(sectors);
  f.get(entry).get(lanes).mem('i32.store', 8);
  f.get(passes).i32(1).op('i32.add').set(passes);
  f.get(lanes).get(turns).get(lanes).get(turns).op('i32.gt_u', 'select').set(turns);
  f.end();
}

/** Adds one request of an atomic to its record. `ideal`: sectors that the bytes of its lanes fill; never more are counted than there were. */
function addAtomicRequest(
  f: FunctionBuilder,
  { record, sectors, ideal, passes, turns }: { record: number; sectors: number; ideal: number; passes: number; turns: number },
): void {
  f.get(ideal).get(sectors).get(ideal).get(sectors).op('i32.lt_u', 'select').set(ideal);
  addTo(f, record, RECORD.globalRequests, () => f.i64(1n));
  addTo(f, record, RECORD.globalSectors, () => f.get(sectors).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.globalSectorsIdeal, () => f.get(ideal).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.globalAtomicSectors, () => f.get(passes).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.globalAtomicTurns, () => f.get(turns).op('i64.extend_i32_u'));
}
