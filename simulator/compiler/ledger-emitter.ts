/**
 * Accesses that compiled code checks and notes by itself, with what the listener keeps in device memory (scheduling/ledger.ts): the same as
 * sanitizer/row-checks.ts, which says what it means. Whatever comes up that is not common is left to the listener, from the first word on.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { LEDGER, LEDGER_BLOCK, LEDGER_PAGE_BYTES, LEDGER_WARP } from '../scheduling/ledger.ts';
import { type Callable, forActiveLanes } from './helper-parts.ts';
import { INFO, PROBE_MEMO } from './layout.ts';
import { emitContiguous } from './ledger-contiguous.ts';
import { pushOpenBlock, pushRecord, pushWarpOf, type SharedFunctions } from './ledger-meetings.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

/** (W, memo, address of the first lane) -> whether all is noted: reads, or writes, whose lanes lie as the memo says. */
export function checkRow(access: 'read' | 'write', shared: SharedFunctions): Callable {
  const ordered = shared('isOrdered', emitIsOrdered);
  return shared(`check ${access}`, (module) => {
    const f = module.function(`check ${access}`, { parameters: ['i32', 'i32', 'i32'], results: ['i32'] });
    const [w, memo, first] = [0, 1, 2];
    const check = new CheckEmitter(f, { w, memo, ordered });
    check.begin();
    const address = f.local('i32');
    f.get(first).get(memo).mem('i32.load', PROBE_MEMO.base).op('i32.add').set(address);
    check.find(address, {
      low: () => f.get(memo).mem('i32.load', PROBE_MEMO.low),
      high: () => f.get(memo).mem('i32.load', PROBE_MEMO.high),
    });
    check.takeEvent();
    emitContiguous(check, access, first);
    check.forWords(() => (access === 'read' ? check.read() : check.write()));
    if (access === 'read') check.leaveRepeated(first);
    f.i32(1);
    return f;
  });
}

/** (W, memo, addresses, mask) -> whether all is noted: a read-modify-write of a word by each lane. */
export function checkAtomic(shared: SharedFunctions): Callable {
  const ordered = shared('isOrdered', emitIsOrdered);
  return shared('check atomic', (module) => {
    const f = module.function('check atomic', { parameters: ['i32', 'i32', 'i32', 'i32'], results: ['i32'] });
    const [w, memo, addresses, mask] = [0, 1, 2, 3];
    const check = new CheckEmitter(f, { w, memo, ordered });
    check.begin();
    check.takeEvent();
    const address = f.local('i32');
    forActiveLanes(f, mask, 'ascending', (lane) => {
      f.get(addresses).get(lane).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0);
      f.get(memo).mem('i32.load', PROBE_MEMO.base).op('i32.add').set(address);
      check.find(address, { low: () => f.i32(0), high: () => f.i32(4) });
      check.modify(lane);
    });
    f.i32(1);
    return f;
  });
}

/** (ledger, block, record of the warp, number of the warp, quick, cell, lane) -> whether the cell's access comes before the lane's. */
function emitIsOrdered(module: ModuleBuilder): Callable {
  const f = module.function('isOrdered', { parameters: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'], results: ['i32'] });
  const [ledger, block, record, me, quick, cell, lane] = [0, 1, 2, 3, 4, 5, 6];
  const event = f.local('i32');
  const other = f.local('i32');
  f.get(cell).get(quick).op('i32.le_s').if().i32(1).op('return').end();
  f.get(cell).i32(5).op('i32.shr_u').set(event);
  pushWarpOf(f, ledger, event);
  f.set(other);
  f.get(event).get(block).mem('i32.load', LEDGER_BLOCK.all).op('i32.le_s');
  f.get(other).get(block).mem('i32.load', LEDGER_BLOCK.first).op('i32.sub');
  f.get(block).mem('i32.load', LEDGER_BLOCK.count).op('i32.lt_u', 'i32.and').if().i32(1).op('return').end();
  f.get(other).get(me).op('i32.ne').if().i32(0).op('return').end();
  f.get(cell).i32(31).op('i32.and').get(lane).op('i32.eq');
  f.get(event).get(record).mem('i32.load', LEDGER_WARP.all).op('i32.le_s', 'i32.or');
  return f;
}

/** Emits the parts of a check. Its function gives 0 where it leaves an access to the listener. */
export class CheckEmitter {
  readonly f: FunctionBuilder;
  readonly #w: number;
  readonly memo: number;
  readonly #ordered: Callable;
  readonly ledger: number;
  readonly #block: number;
  readonly #record: number;
  readonly me: number;
  readonly #floor: number;
  /** Address of the write cell of the first lane's word, bytes from one cell of a word to the next, and up to where cells are ordered before what comes now. */
  readonly at: number;
  readonly stride: number;
  readonly quick: number;
  /** The event times 32. */
  readonly own: number;
  // Of the word under way.
  readonly word: number;
  readonly #lane: number;
  readonly #last: number;
  readonly #written: number;
  readonly first: number;
  readonly second: number;
  readonly firstWarp: number;
  readonly secondWarp: number;
  /** Of a read: all words so far have these two other warps as readers, which stay. */
  readonly repeats: number;
  readonly #firstBefore: number;
  readonly #secondBefore: number;

  constructor(f: FunctionBuilder, { w, memo, ordered }: { readonly w: number; readonly memo: number; readonly ordered: Callable }) {
    this.f = f;
    this.#w = w;
    this.memo = memo;
    this.#ordered = ordered;
    const local = (): number => f.local('i32');
    [this.ledger, this.#block, this.#record, this.me, this.#floor] = [local(), local(), local(), local(), local()];
    [this.at, this.stride, this.quick, this.own, this.word] = [local(), local(), local(), local(), local()];
    [this.#lane, this.#last, this.#written, this.first, this.second] = [local(), local(), local(), local(), local()];
    [this.firstWarp, this.secondWarp, this.repeats] = [local(), local(), local()];
    [this.#firstBefore, this.#secondBefore] = [local(), local()];
  }

  begin(): void {
    const f = this.f;
    pushOpenBlock(f, this.#w, this.ledger, this.#block);
    f.op('i32.eqz');
    this.#giveUpIf();
    f.get(this.ledger).mem('i32.load', LEDGER.floor).set(this.#floor);
    pushRecord(f, this.#w, this.#block);
    f.set(this.#record);
    f.get(this.#block).mem('i32.load', LEDGER_BLOCK.first).get(this.#w).mem('i32.load', INFO.warp).op('i32.add').set(this.me);
  }

  /** Where the cells of an address are, of which bytes from `low` to `high` around it are accessed. */
  find(address: number, { low, high }: { readonly low: () => void; readonly high: () => void }): void {
    const f = this.f;
    const offset = f.local('i32');
    f.get(address).i32(3).op('i32.and');
    this.#giveUpIf();
    f.get(address).i32(SHARED_BASE).op('i32.ge_u').if();
    f.get(address).i32(SHARED_BASE).op('i32.sub').set(offset);
    f.get(this.#block).mem('i32.load', LEDGER_BLOCK.words).i32(2).op('i32.shl').set(this.stride);
    this.#giveUpOutside(offset, { low, high, end: () => f.get(this.stride) });
    f.get(this.#block).mem('i32.load', LEDGER_BLOCK.shared).get(offset).op('i32.add').set(this.at);
    // Nobody else sees it.
    f.get(this.#block).mem('i32.load', LEDGER_BLOCK.all).get(this.#floor);
    f.get(this.#block).mem('i32.load', LEDGER_BLOCK.all).get(this.#floor).op('i32.gt_s', 'select').set(this.quick);
    f.else();
    f.get(address).i32(LOCAL_BASE).op('i32.ge_u');
    this.#giveUpIf();
    f.get(address)
      .i32(LEDGER_PAGE_BYTES - 1)
      .op('i32.and')
      .set(offset);
    this.#giveUpOutside(offset, { low, high, end: () => f.i32(LEDGER_PAGE_BYTES) });
    f.get(this.ledger).mem('i32.load', LEDGER.pages).get(address).i32(16).op('i32.shr_u').i32(2).op('i32.shl', 'i32.add');
    f.mem('i32.load', 0).tee(this.at).op('i32.eqz');
    this.#giveUpIf();
    f.get(this.at).get(offset).op('i32.add').set(this.at);
    f.i32(LEDGER_PAGE_BYTES).set(this.stride);
    f.get(this.#floor).set(this.quick);
    f.end();
    f.get(this.quick).i32(5).op('i32.shl').i32(31).op('i32.or').set(this.quick);
    f.release('i32', offset);
  }

  /** The event of the warp at the site: the last one there, unless others may have come to know of it since. */
  takeEvent(): void {
    const f = this.f;
    const place = f.local('i32');
    f.get(this.#record).get(this.memo).mem('i32.load', PROBE_MEMO.slot).op('i32.add').tee(place).mem('i32.load', 0).set(this.own);
    f.get(this.own).get(this.#record).mem('i32.load', LEDGER_WARP.tick).op('i32.le_s');
    f.get(this.own).get(this.#floor).op('i32.le_s', 'i32.or').if();
    f.get(this.ledger).mem('i32.load', LEDGER.last).i32(1).op('i32.add').tee(this.own);
    f.get(this.ledger).mem('i32.load', LEDGER.room).op('i32.ge_s');
    this.#giveUpIf();
    f.get(this.ledger).get(this.own).mem('i32.store', LEDGER.last);
    for (const [table, value] of [
      [LEDGER.warps, () => f.get(this.me)],
      [LEDGER.sites, () => f.get(this.memo).mem('i32.load', PROBE_MEMO.site)],
    ] as const) {
      f.get(this.ledger).mem('i32.load', table).get(this.own).i32(2).op('i32.shl', 'i32.add');
      value();
      f.mem('i32.store', 0);
    }
    f.get(place).get(this.own).mem('i32.store', 0);
    f.end();
    f.get(this.own).i32(5).op('i32.shl').set(this.own);
    f.release('i32', place);
  }

  /** Each word that lanes access, with the first and the last lane there. */
  forWords(body: () => void): void {
    const f = this.f;
    const [entry, end, row] = [f.local('i32'), f.local('i32'), f.local('i32')];
    f.i32(1).set(this.repeats).i32(-1).set(this.#firstBefore);
    f.get(this.memo).i32(PROBE_MEMO.rows).op('i32.add').tee(entry);
    f.get(this.memo).mem('i32.load', PROBE_MEMO.rowWords).i32(2).op('i32.shl', 'i32.add').set(end);
    const depth = f.depth;
    f.loop();
    f.get(entry).mem('i32.load', 0).tee(row).i32(10).op('i32.shr_s').i32(2).op('i32.shl').get(this.at).op('i32.add').set(this.word);
    f.get(row).i32(5).op('i32.shr_u').i32(31).op('i32.and').set(this.#lane);
    f.get(row).i32(31).op('i32.and').set(this.#last);
    this.load();
    body();
    f.get(entry).i32(4).op('i32.add').tee(entry).get(end).op('i32.lt_u').brIf(depth);
    f.end();
  }

  /** As `#read` of the row checks. */
  read(): void {
    const f = this.f;
    const over = f.depth;
    f.block();
    f.get(this.#written).i32(0).op('i32.le_s');
    this.#giveUpIf();
    f.get(this.#written).get(this.quick).op('i32.gt_s').if();
    for (const lane of [this.#lane, this.#last]) {
      this.pushOrdered(this.#written, () => f.get(lane));
      f.op('i32.eqz');
      this.#giveUpIf();
    }
    f.i32(0).set(this.repeats);
    f.end();
    f.get(this.first).get(this.quick).op('i32.le_s');
    f.get(this.#lane).get(this.#last).op('i32.eq').get(this.second).get(this.quick).op('i32.le_s', 'i32.or', 'i32.and').if();
    f.i32(0).set(this.repeats);
    this.#store(1, this.#lane);
    this.#ifShared(() => this.#store(2, this.#last));
    f.br(over);
    f.end();
    this.#readWithOthers(over);
    f.end();
  }

  /** Other warps have read the word. */
  #readWithOthers(over: number): void {
    const f = this.f;
    for (const [cell, warp] of [
      [this.first, this.firstWarp],
      [this.second, this.secondWarp],
    ] as const) {
      const event = f.local('i32');
      f.get(cell).i32(5).op('i32.shr_u').set(event);
      pushWarpOf(f, this.ledger, event);
      f.tee(warp).get(this.me).op('i32.eq').if();
      // Of this warp: the same instruction has read it before, or it is left to the listener.
      f.get(this.first).get(this.own).get(this.#lane).op('i32.or', 'i32.eq');
      f.get(this.#lane).get(this.#last).op('i32.eq');
      f.get(this.second).get(this.own).get(this.#last).op('i32.or', 'i32.eq', 'i32.or', 'i32.and', 'i32.eqz');
      this.#giveUpIf();
      f.i32(0).set(this.repeats).br(over);
      f.end();
      this.pushOrdered(cell, () => f.i32(0));
      this.#giveUpIf();
      f.release('i32', event);
    }
    f.get(this.#firstBefore).i32(-1).op('i32.ne');
    f.get(this.#firstBefore).get(this.firstWarp).op('i32.ne').get(this.#secondBefore).get(this.secondWarp).op('i32.ne', 'i32.or');
    f.op('i32.and').if().i32(0).set(this.repeats).end();
    f.get(this.firstWarp).set(this.#firstBefore).get(this.secondWarp).set(this.#secondBefore);
    this.pushGivesWay();
    f.if();
    f.i32(0).set(this.repeats);
    this.#store(2, this.#last);
    f.end();
  }

  /** Pushes whether this warp takes the place of the second reader: the first is farther from it than from the second. */
  pushGivesWay(): void {
    const f = this.f;
    const blockOf = (warp: number): void => {
      f.get(warp).get(this.#block).mem('i32.load', LEDGER_BLOCK.count).op('i32.div_u');
    };
    f.get(this.firstWarp).get(this.secondWarp).op('i32.eq').if('i32').i32(1);
    f.else();
    blockOf(this.firstWarp);
    blockOf(this.me);
    f.op('i32.ne');
    blockOf(this.firstWarp);
    blockOf(this.secondWarp);
    f.op('i32.eq', 'i32.and').end();
  }

  /** As `#write` of the row checks. */
  write(): void {
    const f = this.f;
    f.get(this.#written).i32(0).op('i32.lt_s');
    this.#giveUpIf();
    for (const cell of [this.#written, this.first, this.second]) {
      f.get(cell).get(this.quick).op('i32.gt_s').if();
      this.pushOrdered(cell, () => f.get(this.#lane));
      f.op('i32.eqz');
      this.#giveUpIf();
      f.end();
    }
    this.#store(0, this.#lane);
    this.#store(1);
    this.#store(2);
  }

  /** As `#modify` of the row checks. */
  modify(lane: number): void {
    const f = this.f;
    const [event, site] = [f.local('i32'), f.local('i32')];
    f.get(this.at).set(this.word);
    this.load();
    f.get(this.#written).i32(0).op('i32.lt_s');
    f.get(this.#written).op('i32.eqz').get(this.memo).mem('i32.load', PROBE_MEMO.used).op('i32.and', 'i32.or');
    f.get(this.first).get(this.quick).op('i32.gt_s', 'i32.or').get(this.second).get(this.quick).op('i32.gt_s', 'i32.or');
    this.#giveUpIf();
    f.get(this.#written).i32(5).op('i32.shr_u').tee(event).get(this.#floor).op('i32.gt_s').if();
    f.get(this.ledger).mem('i32.load', LEDGER.sites).get(event).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).set(site);
    f.get(site).get(this.memo).mem('i32.load', PROBE_MEMO.site).op('i32.ne').if();
    f.get(this.ledger).mem('i32.load', LEDGER.atomics).get(site).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0);
    f.get(this.#written).get(this.quick).op('i32.gt_s', 'i32.or');
    this.#giveUpIf();
    // The plain write before it takes a place among the reads.
    f.get(this.word).get(this.stride).op('i32.add').get(this.word).get(this.stride).i32(1).op('i32.shl', 'i32.add');
    f.get(this.first).i32(5).op('i32.shr_u').get(this.#floor).op('i32.le_s', 'select');
    f.get(this.#written).mem('i32.store', 0);
    f.end().end();
    this.#store(0, lane);
    f.release('i32', event);
    f.release('i32', site);
  }

  /** Until something else happens, reads at this address by other warps than the two need not be looked at. */
  leaveRepeated(first: number): void {
    const f = this.f;
    f.get(this.repeats).get(this.memo).mem('i32.load', PROBE_MEMO.base).i32(SHARED_BASE).op('i32.eq', 'i32.and').if();
    f.get(this.memo).get(first).mem('i32.store', PROBE_MEMO.repeated);
    f.get(this.memo).get(this.#w).mem('i32.load', INFO.acts).mem('i32.store', PROBE_MEMO.acts);
    for (const [place, warp] of [
      [PROBE_MEMO.exceptWarp, this.firstWarp],
      [PROBE_MEMO.exceptOther, this.secondWarp],
    ] as const)
      f.get(this.memo).get(warp).get(this.#block).mem('i32.load', LEDGER_BLOCK.first).op('i32.sub').mem('i32.store', place);
    f.end();
  }

  load(): void {
    const f = this.f;
    f.get(this.word).mem('i32.load', 0).set(this.#written);
    f.get(this.word).get(this.stride).op('i32.add').mem('i32.load', 0).set(this.first);
    f.get(this.word).get(this.stride).i32(1).op('i32.shl', 'i32.add').mem('i32.load', 0).set(this.second);
  }

  /** Gives one of the word's cells the access of a lane, or nobody's. */
  #store(cell: 0 | 1 | 2, lane?: number): void {
    const f = this.f;
    f.get(this.word);
    if (cell === 1) f.get(this.stride).op('i32.add');
    else if (cell === 2) f.get(this.stride).i32(1).op('i32.shl', 'i32.add');
    if (lane === undefined) f.i32(0);
    else f.get(this.own).get(lane).op('i32.or');
    f.mem('i32.store', 0);
  }

  /** For a word that several lanes access. */
  #ifShared(body: () => void): void {
    this.f.get(this.#lane).get(this.#last).op('i32.ne').if();
    body();
    this.f.end();
  }

  pushOrdered(cell: number, pushLane: () => void): void {
    const f = this.f;
    for (const local of [this.ledger, this.#block, this.#record, this.me, this.quick, cell]) f.get(local);
    pushLane();
    f.call(this.#ordered);
  }

  /** Leaves the access to the listener if what is on the stack holds. */
  #giveUpIf(): void {
    this.f.if().i32(0).op('return').end();
  }

  #giveUpOutside(
    offset: number,
    { low, high, end }: { readonly low: () => void; readonly high: () => void; readonly end: () => void },
  ): void {
    const f = this.f;
    f.get(offset);
    low();
    f.op('i32.add').i32(0).op('i32.lt_s').get(offset);
    high();
    f.op('i32.add');
    end();
    f.op('i32.gt_s', 'i32.or');
    this.#giveUpIf();
  }
}
