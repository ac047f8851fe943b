/**
 * Checks and counts requests by patterns that the host has described before (machine/request.ts says what they cost), and accesses of
 * all lanes to one address. What they do not know they ask the host for.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { SECTOR_BYTES } from '../machine/sectors.ts';
import { type Callable, emitIsTraced, emitTrace, type MemoryImports } from './helper-parts.ts';
import { INFO, MEMO, RECORD } from './layout.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** Locals of `check`: its parameters, and what it finds out about the request. */
interface Check {
  readonly w: number;
  readonly addresses: number;
  readonly mask: number;
  readonly record: number;
  readonly base: number;
  /** Address of the first active lane; number of the second; how far apart their addresses are. */
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  readonly memo: number;
  readonly low: number;
  readonly size: number;
  readonly delta: number;
}

export function emitCheck(f: FunctionBuilder, imports: MemoryImports, otherwise: Callable): Callable {
  const [w, addresses, mask, record, base] = [0, 1, 2, 3, 4];
  emitTrace(f, imports, { w, addresses, mask, record, base });
  const first = f.local('i32');
  const memo = f.local('i32');
  const low = f.local('i32');
  const size = f.local('i32');
  const delta = f.local('i32');
  const splat = f.local('v128');
  const same = f.local('i32');
  const second = f.local('i32');
  const difference = f.local('i32');
  const check: Check = { w, addresses, mask, record, base, first, second, difference, memo, low, size, delta };
  const unknown = f.depth;
  f.block();
  f.get(addresses).get(mask).op('i32.ctz').i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).set(first);
  // Patterns are of global and shared memory.
  f.get(first).get(base).op('i32.add').i32(LOCAL_BASE).op('i32.sub');
  f.i32(SHARED_BASE - LOCAL_BASE)
    .op('i32.lt_u')
    .brIf(unknown);
  findMemo(f, check);
  // Two places for each pattern, so that two that share a number do not drive each other out.
  pushMatches(f, check);
  f.op('i32.eqz').if();
  takeOtherMemo(f, check);
  pushMatches(f, check);
  f.op('i32.eqz').brIf(unknown);
  f.end();
  pushSamePattern(f, check, { splat, same });
  f.op('i32.eqz').brIf(unknown);
  leaveUnlessInside(f, check, unknown);
  countHit(f, check);
  f.get(memo).mem('i32.load', MEMO.kind).op('return');
  f.end();
  for (const parameter of [w, addresses, mask, record, base]) f.get(parameter);
  f.call(otherwise);
  return f;
}

/** Sets `memo` to the first place of the request's pattern. As `#memoFor` in memory-host.ts. */
function findMemo(f: FunctionBuilder, { addresses, mask, record, base, first, second, difference, memo }: Check): void {
  // The number of lanes and the distance of the first two tell apart most patterns that a site alternates between.
  f.get(mask).get(mask).i32(1).op('i32.sub', 'i32.and').tee(second).get(mask).get(second).op('select', 'i32.ctz').set(second);
  f.get(addresses).get(second).i32(2).op('i32.shl', 'i32.add').mem('i32.load', 0).get(first).op('i32.sub').tee(difference);
  f.i32(0x85ebca6b).op('i32.mul').i32(28).op('i32.shr_u');
  f.get(mask).op('i32.popcnt').i32(11).op('i32.mul').i32(2).op('i32.shr_u', 'i32.add');
  // The eight alignments of a word in its sector never meet in one memo; in shared memory they are all the same.
  f.get(first)
    .get(base)
    .op('i32.add')
    .i32(SECTOR_BYTES - 1)
    .op('i32.and')
    .i32(2)
    .op('i32.shr_u')
    .i32(0);
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
}

function takeOtherMemo(f: FunctionBuilder, { record, memo }: Check): void {
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
}

/** Pushes whether the memo may be the pattern's. */
function pushMatches(f: FunctionBuilder, { mask, base, first, second, difference, memo }: Check): void {
  f.get(memo).mem('i32.load', MEMO.mask).get(mask).op('i32.eq');
  f.get(first).get(base).op('i32.add').get(memo).mem('i32.load', MEMO.phaseBits).op('i32.and');
  f.get(memo).mem('i32.load', MEMO.phase).op('i32.eq');
  // The second active lane tells most patterns apart before all lanes are compared.
  f.get(memo).get(second).i32(2).op('i32.shl', 'i32.add').mem('i32.load', MEMO.pattern).get(difference).op('i32.eq', 'i32.and', 'i32.and');
}

/** Pushes whether all active lanes lie as the memo says. */
function pushSamePattern(
  f: FunctionBuilder,
  { addresses, mask, first, memo }: Check,
  { splat, same }: { readonly splat: number; readonly same: number },
): void {
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
}

/** Leaves the block at depth `unknown` unless the pattern lies inside the allocation of the last access, or inside shared memory. */
function leaveUnlessInside(f: FunctionBuilder, { w, record, base, first, memo, low, size, delta }: Check, unknown: number): void {
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
  f.get(size).get(memo).mem('i32.load', MEMO.extent).op('i32.lt_u').brIf(unknown);
  f.get(low).get(size).get(memo).mem('i32.load', MEMO.extent).op('i32.sub', 'i32.gt_u').brIf(unknown);
}

/** Counts the request and says where its lanes are. */
function countHit(f: FunctionBuilder, { w, addresses, record, base, memo, delta }: Check): void {
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
}

const HALF_WARP = 16;

/** Lanes whose loads of one address in shared memory are served together (machine/banks.ts); 0 where the host is to count them. */
export function servedTogether(bytes: number): number {
  return bytes <= 8 ? 2 * HALF_WARP : bytes <= 16 ? HALF_WARP : 0;
}

export function emitUniform(f: FunctionBuilder, imports: MemoryImports): Callable {
  const [w, address, mask, record, bytes, align, together] = [0, 1, 2, 3, 4, 5, 6];
  f.get(w).mem('i32.load', INFO.traced).if();
  emitIsTraced(f, w);
  f.if().get(w).get(address).get(mask).get(record).call(imports.tracedUniform).end().end();
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
  f.get(together).op('i32.eqz').brIf(depth);
  f.get(w).mem('i32.load', INFO.sharedLimit).get(bytes).op('i32.lt_u').brIf(depth);
  f.get(address).i32(SHARED_BASE).op('i32.sub').get(w).mem('i32.load', INFO.sharedLimit).get(bytes).op('i32.sub', 'i32.gt_u').brIf(depth);
  const add = (field: number): void => {
    f.get(record).get(record).mem('i64.load', field).i64(1n).op('i64.add').mem('i64.store', field);
  };
  add(RECORD.uniformShared);
  // The lanes are served half by half, each that has any in one wavefront.
  f.get(together).i32(HALF_WARP).op('i32.eq');
  f.get(mask)
    .i32(HALF_WARP)
    .op('i32.shr_u')
    .i32(0)
    .op('i32.ne', 'i32.and')
    .get(mask)
    .i32(0xffff)
    .op('i32.and')
    .i32(0)
    .op('i32.ne', 'i32.and');
  f.if();
  add(RECORD.sharedWavefronts);
  add(RECORD.sharedWavefrontsIdeal);
  f.end();
  f.get(address).i32(SHARED_BASE).op('i32.sub').get(w).mem('i32.load', INFO.sharedBase).op('i32.add', 'return');
  f.end();
  for (const parameter of [w, address, mask, record]) f.get(parameter);
  f.call(imports.describeUniform);
  return f;
}
