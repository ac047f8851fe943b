/**
 * Requests that no remembered pattern describes: to local memory, and those whose lanes form a new pattern each time, such as gathers
 * through an index. They are counted lane by lane in WebAssembly where all lanes lie in the allocation of the site's last access, all in
 * shared or all in local memory; the host does the others, and the first ones of each site, so that patterns which do come again are
 * remembered.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { BANKS, WORD_BYTES } from '../machine/banks.ts';
import type { Access } from '../machine/request.ts';
import { SECTOR_BYTES, SECTOR_SHIFT } from '../machine/sectors.ts';
import { addTo, type Callable, countInBank, emptyBanks, forActiveLanes, nextEpoch, pushIsOneAddress } from './helper-parts.ts';
import { ADDRESS_TABLE, INFO, KIND, RECORD, SECTOR_TABLE, TABLE_ENTRY_BYTES, TABLE_SLOTS } from './layout.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

/** Requests of a site that matched no remembered pattern before it counts as a gather. */
export const PATIENCE = 128;
/** One in so many is described nevertheless: what was irregular may have become regular. Far fewer where it never did. */
const DESCRIBED = 16;
const LONG = 4096;
const DESCRIBED_LONG = 256;
/** So many places side by side are told apart by the bits of one word. */
const FEW_PLACES = 64;

/** What the helper needs to know of a site, in one word: bytes, alignment, counted bytes (0: none), bytes before the address, loads. */
export function siteFacts({
  access,
  bytes,
  align,
  counted,
}: {
  readonly access: Access;
  readonly bytes: number;
  readonly align: number;
  readonly counted: { readonly bytes: number; readonly offset: number } | undefined;
}): number {
  const before = -(counted?.offset ?? 0);
  const fits = bytes <= 16 && align <= 16 && (counted?.bytes ?? 0) <= 16 && before >= 0 && before <= 16;
  return fits ? bytes | (align << 8) | ((counted?.bytes ?? 0) << 16) | (before << 24) | (access === 'read' ? LOADS : 0) : 0;
}

const LOADS = 1 << 31;

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
    .i32(DESCRIBED_LONG - 1)
    .i32(DESCRIBED - 1)
    .get(misses)
    .i32(LONG)
    .op('i32.ge_u', 'select', 'i32.and', 'i32.eqz')
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
  // One that is not aligned may touch a word more.
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
  f.get(facts).i32(24).op('i32.shr_u').i32(31).op('i32.and', 'i32.sub');
}

/** `whenNew` follows if the table has not had the key since the epoch began. An entry's key and epoch are compared as one. */
function ifNew(
  f: FunctionBuilder,
  { w, table, epoch, key }: { readonly w: number; readonly table: number; readonly epoch: number; readonly key: number },
  whenNew: () => void,
): void {
  const entry = f.local('i32');
  const wanted = f.local('i64');
  const found = f.local('i64');
  const last = (TABLE_SLOTS - 1) * TABLE_ENTRY_BYTES;
  f.get(epoch).op('i64.extend_i32_u').i64(32n).op('i64.shl').get(key).op('i64.extend_i32_u', 'i64.or').set(wanted);
  f.get(key).i32(0x9e3779b1).op('i32.mul');
  f.i32(32 - Math.log2(TABLE_SLOTS * TABLE_ENTRY_BYTES))
    .op('i32.shr_u')
    .i32(last)
    .op('i32.and')
    .set(entry);
  const known = f.depth;
  f.block();
  const again = f.depth;
  f.loop();
  f.get(w).get(entry).op('i32.add').mem('i64.load', table).tee(found).get(wanted).op('i64.eq').brIf(known);
  f.get(found).i64(32n).op('i64.shr_u', 'i32.wrap_i64').get(epoch).op('i32.eq').if();
  f.get(entry).i32(TABLE_ENTRY_BYTES).op('i32.add').i32(last).op('i32.and').set(entry).br(again).end();
  f.end();
  f.get(w).get(entry).op('i32.add').get(wanted).mem('i64.store', table);
  whenNew();
  f.end();
  f.release('i32', entry);
  f.release('i64', wanted);
  f.release('i64', found);
}

/**
 * Adds to `total` in how many places of 2^`shift` bytes the lanes' bytes lie, `width` bytes of each: by the bits of a word where `pushFew`
 * says that the places are few.
 */
function countPlaces(
  f: FunctionBuilder,
  request: Request,
  places: Readonly<Record<'mask' | 'total' | 'shift', number>> & Readonly<Record<'pushFew' | 'pushWidth', () => void>>,
): void {
  const { w } = request;
  const { mask, total, shift, pushFew, pushWidth } = places;
  const [epoch, first, last, previous] = ['', '', '', ''].map(() => f.local('i32'));
  const seen = f.local('i64');
  const findPlaces = (lane: number): void => {
    pushCounted(f, request, lane);
    f.tee(first);
    pushWidth();
    f.op('i32.add').i32(1).op('i32.sub').i32(shift).op('i32.shr_u').set(last).get(first).i32(shift).op('i32.shr_u').set(first);
  };
  pushFew();
  f.if().i64(0n).set(seen);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    findPlaces(lane);
    f.get(seen);
    for (const place of [first, last]) f.i64(1n).get(place).op('i64.extend_i32_u', 'i64.shl', 'i64.or');
    f.set(seen);
  });
  f.get(total).get(seen).op('i64.popcnt', 'i32.wrap_i64', 'i32.add').set(total).else();
  nextEpoch(f, w, epoch);
  f.i32(-1).set(previous);
  forActiveLanes(f, mask, 'ascending', (lane) => {
    const count = (key: number): void =>
      ifNew(f, { w, table: SECTOR_TABLE, epoch, key }, () => f.get(total).i32(1).op('i32.add').set(total));
    findPlaces(lane);
    f.get(first).get(previous).op('i32.ne').if();
    count(first);
    f.end();
    f.get(first).get(last).op('i32.ne').if();
    count(last);
    f.end();
    f.get(last).set(previous);
  });
  f.end();
  for (const local of [epoch, first, last, previous]) f.release('i32', local);
  f.release('i64', seen);
}

/** As `priceGlobal` in machine/request.ts. */
function countSectors(f: FunctionBuilder, request: Request): void {
  const { mask, record, counted } = request;
  const [sectors, ideal] = ['', ''].map(() => f.local('i32'));
  // Reading constant memory does not count: its increment is 0.
  f.get(counted).i32(0).get(record).mem('i64.load', RECORD.increment).op('i64.eqz', 'i32.eqz', 'select').if();
  f.i32(0).set(sectors);
  countPlaces(f, request, {
    mask,
    total: sectors,
    shift: SECTOR_SHIFT,
    pushWidth: () => f.get(counted),
    pushFew: () =>
      f
        .get(record)
        .mem('i32.load', RECORD.size)
        .i32((FEW_PLACES - 2) * SECTOR_BYTES)
        .op('i32.le_u'),
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
  const add = (field: number, amount: number | undefined) =>
    addTo(f, record, field, () => (amount === undefined ? f.i64(1n) : f.get(amount).op('i64.extend_i32_u')));
  add(RECORD.globalRequests, undefined);
  add(RECORD.globalSectors, sectors);
  add(RECORD.globalSectorsIdeal, ideal);
  f.end();
  for (const local of [sectors, ideal]) f.release('i32', local);
}

/** As `priceShared` in machine/request.ts: the lanes that are served together, group by group, each access as wide as its alignment. */
function countWavefronts(f: FunctionBuilder, request: Request): void {
  const { w, mask, record, counted } = request;
  const [epoch, place, bank, count, most] = ['', '', '', '', ''].map(() => f.local('i32'));
  const [lanes, rest, active, shift, total, groups] = ['', '', '', '', '', ''].map(() => f.local('i32'));
  f.get(counted).if();
  pushLanesAtOnce(f, request);
  f.set(lanes);
  // Log2 of the bytes that are one place: a word, or as many as the access has.
  f.i32(2).get(counted).i32(4).op('i32.gt_u', 'i32.add').get(counted).i32(8).op('i32.gt_u', 'i32.add').set(shift);
  f.i32(0).tee(total).set(groups).get(mask).set(rest);
  const group = f.depth;
  f.loop();
  // The group of the first lane that is left.
  f.i32(-1).i32(32).get(lanes).op('i32.sub', 'i32.shr_u');
  f.get(rest).op('i32.ctz').i32(0).get(lanes).op('i32.sub', 'i32.and', 'i32.shl');
  f.get(rest).op('i32.and').tee(active).get(rest).op('i32.xor').set(rest);
  nextEpoch(f, w, epoch);
  emptyBanks(f, w, most);
  forActiveLanes(f, active, 'ascending', (lane) => {
    pushCounted(f, request, lane);
    f.get(shift).op('i32.shr_u').set(place);
    ifNew(f, { w, table: ADDRESS_TABLE, epoch, key: place }, () => {
      f.get(place)
        .i32(BANKS * WORD_BYTES)
        .get(shift)
        .op('i32.shr_u')
        .i32(1)
        .op('i32.sub', 'i32.and')
        .i32(2)
        .op('i32.shl')
        .get(w)
        .op('i32.add')
        .set(bank);
      countInBank(f, { bank, count, most });
    });
  });
  f.get(total).get(most).op('i32.add').set(total).get(groups).i32(1).op('i32.add').set(groups);
  f.get(rest).brIf(group);
  f.end();
  addTo(f, record, RECORD.sharedRequests, () => f.i64(1n));
  addTo(f, record, RECORD.sharedWavefronts, () => f.get(total).op('i64.extend_i32_u'));
  addTo(f, record, RECORD.sharedWavefrontsIdeal, () => f.get(groups).op('i64.extend_i32_u'));
  f.end();
  for (const local of [epoch, place, bank, count, most, lanes, rest, active, shift, total, groups]) f.release('i32', local);
}

/** As `lanesAtOnce` in machine/banks.ts: 32, or as many as move 128 bytes; twice as many for loads of neighbours in pairs. */
function pushLanesAtOnce(f: FunctionBuilder, { addresses, mask, facts, counted }: Request): void {
  const lanes = f.local('i32');
  f.i32(32).get(counted).i32(4).op('i32.gt_u', 'i32.shr_u').get(counted).i32(8).op('i32.gt_u', 'i32.shr_u').tee(lanes);
  f.i32(32).op('i32.lt_u').get(facts).i32(0).op('i32.lt_s', 'i32.and').if();
  const pushPaired = (bit: 1 | 2): void => {
    f.i32(0);
    for (let group = 0; group < 8; group++) {
      const push = () => f.get(addresses).mem('v128.load', 16 * group);
      push();
      push();
      push().shuffle(Array.from({ length: 16 }, (_, byte) => byte ^ (WORD_BYTES * bit)));
      f.op('i32x4.eq', 'i32x4.bitmask');
      if (group > 0) f.i32(4 * group).op('i32.shl');
      f.op('i32.or');
    }
    // Where only one of the two is active nothing speaks against it.
    const [low, high] = bit === 1 ? [0x55555555, 0xaaaaaaaa] : [0x33333333, 0xcccccccc];
    f.get(mask)
      .i32(low)
      .op('i32.and')
      .i32(bit)
      .op('i32.shl')
      .get(mask)
      .i32(high | 0)
      .op('i32.and')
      .i32(bit)
      .op('i32.shr_u', 'i32.or');
    f.get(mask).op('i32.and').i32(-1).op('i32.xor', 'i32.or').i32(-1).op('i32.eq');
  };
  f.get(lanes);
  pushPaired(1);
  pushPaired(2);
  f.op('i32.or', 'i32.shl').set(lanes);
  f.end();
  f.get(lanes);
  f.release('i32', lanes);
}

/**
 * Hardware interleaves local memory: the same word of eight lanes fills a sector, and an access's next words fill as many more. As
 * `price` in machine/request.ts.
 */
function countLocal(
  f: FunctionBuilder,
  request: Request,
  { lo, parameterBytes }: { readonly lo: number; readonly parameterBytes: number },
): void {
  const { w, addresses, record, counted } = request;
  const [active, group, total] = ['', '', ''].map(() => f.local('i32'));
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
  f.i32(0).set(total);
  pushIsOneAddress(f, addresses, active);
  f.if();
  // Lanes at one place: a sector for each eight of which any is active.
  for (const bits of [4, 2, 1])
    f.get(bits === 4 ? active : group)
      .get(bits === 4 ? active : group)
      .i32(bits)
      .op('i32.shr_u', 'i32.or')
      .set(group);
  f.get(group).i32(0x01010101).op('i32.and', 'i32.popcnt').set(total).else();
  for (let lane = 0; lane < 32; lane += 8) {
    f.get(active)
      .i32(0xff << lane)
      .op('i32.and')
      .tee(group)
      .if();
    countPlaces(f, request, {
      mask: group,
      total,
      shift: 2,
      pushWidth: () => f.i32(1),
      pushFew: () =>
        f
          .get(w)
          .mem('i32.load', INFO.localStride)
          .i32(FEW_PLACES * WORD_BYTES)
          .op('i32.le_u'),
    });
    f.end();
  }
  f.end();
  addTo(f, record, RECORD.localRequests, () => f.i64(1n));
  addTo(f, record, RECORD.localSectors, () =>
    f.get(total).get(counted).i32(3).op('i32.add').i32(2).op('i32.shr_u', 'i32.mul', 'i64.extend_i32_u'),
  );
  f.end();
  for (const local of [active, group, total]) f.release('i32', local);
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
