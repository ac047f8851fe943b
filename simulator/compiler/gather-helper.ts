/**
 * Requests that no remembered pattern describes: to local memory, and those whose lanes form a new pattern each time, such as gathers
 * through an index. They are counted lane by lane in WebAssembly where all lanes lie in the allocation of the site's last access, all in
 * shared or all in local memory; the host does the others, and the first ones of each site, so that patterns which do come again are
 * remembered.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { BANKS } from '../machine/banks.ts';
import { SECTOR_BYTES, SECTOR_SHIFT } from '../machine/sectors.ts';
import { addTo, type Callable, countInBank, emptyBanks, findEntry, forActiveLanes, nextEpoch } from './helper-parts.ts';
import { ADDRESS_TABLE, INFO, KIND, RECORD, SECTOR_TABLE } from './layout.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

/** Requests of a site that matched no remembered pattern before it counts as a gather. */
const PATIENCE = 128;
/** One in so many is described nevertheless: what was irregular may have become regular. */
const DESCRIBED = 16;

/** What the helper needs to know of a site, in one word: bytes, alignment, counted bytes (0: none), bytes before the address. */
export function siteFacts({
  bytes,
  align,
  counted,
}: {
  readonly bytes: number;
  readonly align: number;
  readonly counted: { readonly bytes: number; readonly offset: number } | undefined;
}): number {
  const before = -(counted?.offset ?? 0);
  const fits = bytes <= 16 && align <= 16 && (counted?.bytes ?? 0) <= 16 && before >= 0 && before <= 16;
  return fits ? bytes | (align << 8) | ((counted?.bytes ?? 0) << 16) | (before << 24) : 0;
}

/**
 * (W, addresses, mask, record, base) -> kind, as `describe`, which it calls for what it does not know. `parameterBytes`: how much of local
 * memory holds structures passed by value, whose reading counts as no request.
 */
export function emitGather(module: ModuleBuilder, describe: Callable, parameterBytes: number): Callable {
  const f = module.function('gather', { parameters: ['i32', 'i32', 'i32', 'i32', 'i32'], results: ['i32'] });
  const [w, addresses, mask, record, base] = [0, 1, 2, 3, 4];
  const [misses, facts, bytes, counted, lo, size] = ['', '', '', '', '', ''].map(() => f.local('i32'));
  const request: Request = { w, addresses, mask, record, base, facts, counted };
  const unknown = f.depth;
  f.block();
  f.get(record).mem('i32.load', RECORD.facts).tee(facts).op('i32.eqz').brIf(unknown);
  f.get(facts).i32(255).op('i32.and').set(bytes);
  f.get(facts).i32(16).op('i32.shr_u').i32(255).op('i32.and').set(counted);
  f.i32(LOCAL_BASE).get(base).op('i32.sub').set(lo);
  f.get(w).mem('i32.load', INFO.localStride).set(size);
  f.get(size).get(bytes).op('i32.ge_u').if();
  f.get(size).get(bytes).op('i32.sub').set(size);
  pushInside(f, request, lo, size);
  f.get(mask).op('i32.and').get(mask).op('i32.eq').if();
  countLocal(f, request, { lo, parameterBytes });
  placeLocal(f, request);
  f.i32(KIND.general).op('return').end().end();
  f.get(record).mem('i32.load', RECORD.misses).tee(misses).i32(PATIENCE).op('i32.lt_u').brIf(unknown);
  f.get(misses)
    .i32(DESCRIBED - 1)
    .op('i32.and', 'i32.eqz')
    .brIf(unknown);
  const ifInside = (then: () => void): void => {
    f.get(size).get(bytes).op('i32.ge_u').if();
    f.get(size).get(bytes).op('i32.sub').set(size);
    pushInside(f, request, lo, size);
    f.get(mask).op('i32.and').get(mask).op('i32.eq').if();
    then();
    f.get(w).get(addresses).mem('i32.store', INFO.addresses);
    f.get(record).get(misses).i32(1).op('i32.add').mem('i32.store', RECORD.misses);
    f.i32(KIND.general).op('return').end().end();
  };
  f.get(record).mem('i32.load', RECORD.lo).get(base).op('i32.sub').set(lo);
  f.get(record).mem('i32.load', RECORD.size).set(size);
  ifInside(() => {
    countSectors(f, request);
    f.get(w).get(base).mem('i32.store', INFO.delta);
  });
  // Wider accesses to shared memory are served in parts, and one that is not aligned may touch two words.
  f.get(counted).i32(4).op('i32.gt_u').brIf(unknown);
  f.get(facts).i32(8).op('i32.shr_u').i32(255).op('i32.and').get(counted).op('i32.lt_u').brIf(unknown);
  f.i32(SHARED_BASE).get(base).op('i32.sub').set(lo);
  f.get(w).mem('i32.load', INFO.sharedLimit).set(size);
  ifInside(() => {
    countWavefronts(f, request);
    f.get(w).get(base).i32(SHARED_BASE).op('i32.sub').get(w).mem('i32.load', INFO.sharedBase).op('i32.add').mem('i32.store', INFO.delta);
  });
  f.end();
  for (const parameter of [w, addresses, mask, record, base]) f.get(parameter);
  f.call(describe);
  return f;
}

/** Locals. */
interface Request {
  readonly w: number;
  readonly addresses: number;
  readonly mask: number;
  readonly record: number;
  readonly base: number;
  readonly facts: number;
  readonly counted: number;
}

/** Pushes the mask of lanes whose aligned address is at most `size` behind `lo`. */
function pushInside(f: FunctionBuilder, { addresses, facts }: Request, lo: number, size: number): void {
  f.i32(0);
  for (let group = 0; group < 8; group++) {
    const push = () => f.get(addresses).mem('v128.load', 16 * group);
    push().get(lo).op('i32x4.splat', 'i32x4.sub').get(size).op('i32x4.splat', 'i32x4.le_u');
    push().get(facts).i32(8).op('i32.shr_u').i32(255).op('i32.and').i32(1).op('i32.sub', 'i32x4.splat', 'v128.and');
    f.v128([0, 0, 0, 0]).op('i32x4.eq', 'v128.and', 'i32x4.bitmask');
    if (group > 0) f.i32(4 * group).op('i32.shl');
    f.op('i32.or');
  }
}

/** Pushes the address from which a lane's access counts. */
function pushCounted(f: FunctionBuilder, { addresses, base, facts }: Request, lane: number): void {
  f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(base).op('i32.add');
  f.get(facts).i32(24).op('i32.shr_u', 'i32.sub');
}

/** `whenNew` follows if the table has not had the key since the epoch began. */
function ifNew(
  f: FunctionBuilder,
  { w, table, epoch, key }: { readonly w: number; readonly table: number; readonly epoch: number; readonly key: number },
  whenNew: () => void,
): void {
  const entry = f.local('i32');
  findEntry(f, { w, table, epoch, entry }, () => f.get(key));
  f.get(entry).mem('i32.load', 8).op('i32.eqz').if();
  f.get(entry).i32(1).mem('i32.store', 8);
  whenNew();
  f.end();
  f.release('i32', entry);
}

/** As `priceGlobal` in machine/request.ts. */
function countSectors(f: FunctionBuilder, request: Request): void {
  const { w, mask, record, counted } = request;
  const [epoch, sector, last, previous, sectors, ideal] = ['', '', '', '', '', ''].map(() => f.local('i32'));
  f.get(counted).if();
  nextEpoch(f, w, epoch);
  f.i32(0).set(sectors).i32(-1).set(previous);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    pushCounted(f, request, lane);
    f.tee(sector).get(counted).op('i32.add').i32(1).op('i32.sub').i32(SECTOR_SHIFT).op('i32.shr_u').set(last);
    f.get(sector).i32(SECTOR_SHIFT).op('i32.shr_u').set(sector);
    const count = () => ifNew(f, { w, table: SECTOR_TABLE, epoch, key: sector }, () => f.get(sectors).i32(1).op('i32.add').set(sectors));
    f.get(sector).get(previous).op('i32.ne').if();
    count();
    f.end();
    f.get(sector).get(last).op('i32.ne').if();
    f.get(last).set(sector);
    count();
    f.end();
    f.get(last).set(previous);
  });
  f.get(mask)
    .op('i32.popcnt')
    .get(counted)
    .op('i32.mul')
    .i32(SECTOR_BYTES - 1)
    .op('i32.add')
    .i32(SECTOR_SHIFT)
    .op('i32.shr_u')
    .set(ideal);
  f.get(ideal).get(sectors).get(ideal).get(sectors).op('i32.lt_u', 'select').set(ideal);
  // Reading constant memory does not count: its increment is 0.
  const add = (field: number, amount: number | undefined) =>
    addTo(f, record, field, () => {
      f.get(record).mem('i64.load', RECORD.increment);
      if (amount !== undefined) f.get(amount).op('i64.extend_i32_u', 'i64.mul');
    });
  add(RECORD.globalRequests, undefined);
  add(RECORD.globalSectors, sectors);
  add(RECORD.globalSectorsIdeal, ideal);
  f.end();
  for (const local of [epoch, sector, last, previous, sectors, ideal]) f.release('i32', local);
}

/** As `priceShared` in machine/request.ts, of at most four bytes a lane. */
function countWavefronts(f: FunctionBuilder, request: Request): void {
  const { w, mask, record, counted } = request;
  const [epoch, word, bank, count, most] = ['', '', '', '', ''].map(() => f.local('i32'));
  f.get(counted).if();
  nextEpoch(f, w, epoch);
  emptyBanks(f, w, most);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    pushCounted(f, request, lane);
    f.i32(2).op('i32.shr_u').set(word);
    ifNew(f, { w, table: ADDRESS_TABLE, epoch, key: word }, () => {
      f.get(word)
        .i32(BANKS - 1)
        .op('i32.and')
        .i32(2)
        .op('i32.shl')
        .get(w)
        .op('i32.add')
        .set(bank);
      countInBank(f, { bank, count, most });
    });
  });
  addTo(f, record, RECORD.sharedRequests, () => f.i64(1n));
  addTo(f, record, RECORD.sharedWavefronts, () => f.get(most).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.sharedWavefrontsIdeal, () => f.i64(1n));
  f.end();
  for (const local of [epoch, word, bank, count, most]) f.release('i32', local);
}

/** Hardware interleaves local memory: the same word of 32 lanes fills one line of 128 bytes. As `price` in machine/request.ts. */
function countLocal(
  f: FunctionBuilder,
  request: Request,
  { lo, parameterBytes }: { readonly lo: number; readonly parameterBytes: number },
): void {
  const { w, addresses, record, counted } = request;
  const [active, epoch, word, bytes, sectors] = ['', '', '', '', ''].map(() => f.local('i32'));
  f.get(request.mask).set(active);
  if (parameterBytes > 0) {
    f.i32(0);
    for (let group = 0; group < 8; group++) {
      f.get(addresses)
        .mem('v128.load', 16 * group)
        .get(lo)
        .op('i32x4.splat', 'i32x4.sub')
        .i32(parameterBytes);
      f.op('i32x4.splat', 'i32x4.ge_u', 'i32x4.bitmask');
      if (group > 0) f.i32(4 * group).op('i32.shl');
      f.op('i32.or');
    }
    f.get(active).op('i32.and').set(active);
  }
  f.get(active).i32(0).get(counted).op('select').if();
  f.i32(0).set(sectors).i32(0).set(bytes);
  const depth = f.depth;
  f.loop();
  nextEpoch(f, w, epoch);
  forActiveLanes(f, active, 'ascending', (lane) => {
    pushCounted(f, request, lane);
    f.i32(LOCAL_BASE).op('i32.sub').get(bytes).op('i32.add').i32(2).op('i32.shr_u').i32(2).op('i32.shl');
    f.get(lane).i32(3).op('i32.shr_u', 'i32.add').set(word);
    ifNew(f, { w, table: SECTOR_TABLE, epoch, key: word }, () => f.get(sectors).i32(1).op('i32.add').set(sectors));
  });
  f.get(bytes).i32(4).op('i32.add').tee(bytes).get(counted).op('i32.lt_u').brIf(depth);
  f.end();
  addTo(f, record, RECORD.localRequests, () => f.i64(1n));
  addTo(f, record, RECORD.localSectors, () => f.get(sectors).op('i64.extend_i32_u'));
  f.end();
  for (const local of [active, epoch, word, bytes, sectors]) f.release('i32', local);
}

/** Says where each lane's own memory is, as INFO.addresses and INFO.delta. */
function placeLocal(f: FunctionBuilder, { w, addresses, base }: Request): void {
  for (let group = 0; group < 8; group++) {
    f.get(w)
      .get(addresses)
      .mem('v128.load', 16 * group)
      .get(w)
      .mem('i32.load', INFO.localStride)
      .op('i32x4.splat');
    f.v128([4 * group, 4 * group + 1, 4 * group + 2, 4 * group + 3])
      .op('i32x4.mul', 'i32x4.add')
      .mem('v128.store', INFO.scratch + 16 * group);
  }
  f.get(w).get(w).i32(INFO.scratch).op('i32.add').mem('i32.store', INFO.addresses);
  f.get(w).get(w).mem('i32.load', INFO.localBase).get(base).op('i32.add').i32(LOCAL_BASE).op('i32.sub').mem('i32.store', INFO.delta);
}
