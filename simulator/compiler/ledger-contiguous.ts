/**
 * The part of ledger-emitter.ts for lanes at words side by side that are all alike, as they mostly are: four words at a time. Words that
 * are not alike are left to the loop over words.
 */
import { PROBE_MEMO } from './layout.ts';
import type { CheckEmitter } from './ledger-emitter.ts';
import { pushWarpOf } from './ledger-meetings.ts';

/** Locals with the addresses of the cells of four words, and of their rows. */
interface Group {
  readonly row: number;
  readonly written: number;
  readonly first: number;
  readonly second: number;
}

/** Words side by side that are all alike: done four at a time. */
export function emitContiguous(check: CheckEmitter, access: 'read' | 'write', first: number): void {
  const { f } = check;
  f.get(check.memo).mem('i32.load', PROBE_MEMO.row).i32(PROBE_MEMO.contiguous).op('i32.eq').if();
  if (access === 'read') readContiguous(check, first);
  else writeContiguous(check);
  f.end();
}

function writeContiguous(check: CheckEmitter): void {
  const { f } = check;
  const [quick, recent] = [f.local('v128'), f.local('v128')];
  f.get(check.quick).op('i32x4.splat').set(quick).v128([0, 0, 0, 0]).set(recent);
  forGroups(check, (group) => {
    // Split words are negative.
    f.get(recent);
    for (const cell of [group.written, group.first, group.second]) f.get(cell).mem('v128.load', 0).get(quick).op('i32x4.gt_u', 'v128.or');
    f.set(recent);
  });
  f.get(recent).op('v128.any_true', 'i32.eqz').if();
  forGroups(check, (group) => {
    f.get(group.written);
    pushOwn(check, group, 5);
    f.mem('v128.store', 0);
    for (const cell of [group.first, group.second]) f.get(cell).v128([0, 0, 0, 0]).mem('v128.store', 0);
  });
  f.i32(1).op('return').end();
  for (const local of [quick, recent]) f.release('v128', local);
}

function readContiguous(check: CheckEmitter, address: number): void {
  const { f } = check;
  const kinds = ['bad', 'recentFirst', 'recentSecond', 'others', 'notOwn'] as const;
  const found = Object.fromEntries(kinds.map((kind) => [kind, f.local('v128')])) as Record<(typeof kinds)[number], number>;
  const [quick, firsts, seconds] = [f.local('v128'), f.local('v128'), f.local('v128')];
  f.get(check.at).set(check.word);
  check.load();
  f.get(check.quick).op('i32x4.splat').set(quick);
  for (const kind of kinds) f.v128([0, 0, 0, 0]).set(found[kind]);
  f.get(check.first).i32(5).op('i32.shr_u', 'i32x4.splat').set(firsts);
  f.get(check.second).i32(5).op('i32.shr_u', 'i32x4.splat').set(seconds);
  const note = (kind: (typeof kinds)[number], push: () => void): void => {
    f.get(found[kind]);
    push();
    f.op('v128.or').set(found[kind]);
  };
  forGroups(check, (group) => {
    // A word that nothing has written is 0.
    note('bad', () => f.get(group.written).mem('v128.load', 0).v128([-1, -1, -1, -1]).op('i32x4.add').get(quick).op('i32x4.ge_u'));
    note('recentFirst', () => f.get(group.first).mem('v128.load', 0).get(quick).op('i32x4.gt_u'));
    note('recentSecond', () => f.get(group.second).mem('v128.load', 0).get(quick).op('i32x4.gt_u'));
    note('others', () => f.get(group.first).mem('v128.load', 0).i32(5).op('i32x4.shr_u').get(firsts).op('v128.xor'));
    note('others', () => f.get(group.second).mem('v128.load', 0).i32(5).op('i32x4.shr_u').get(seconds).op('v128.xor'));
    note('notOwn', () => {
      f.get(group.first).mem('v128.load', 0);
      pushOwn(check, group, 5);
      f.op('v128.xor').get(group.second).mem('v128.load', 0);
      pushOwn(check, group, 0);
      // Where no lanes share a word, the second reader is anybody.
      f.op('v128.xor').get(check.memo).mem('i32.load', PROBE_MEMO.distinct).i32(1).op('i32.sub', 'i32x4.splat', 'v128.and', 'v128.or');
    });
  });
  f.get(found.bad).op('v128.any_true', 'i32.eqz').if();
  takeReaders(check, found.recentFirst, found.recentSecond);
  f.get(found.notOwn).op('v128.any_true', 'i32.eqz').if().i32(1).op('return').end();
  leaveReaders(check, found.others, address);
  f.end();
  for (const kind of kinds) f.release('v128', found[kind]);
  for (const local of [quick, firsts, seconds]) f.release('v128', local);
}

/** Of words that nobody else has read. */
function takeReaders(check: CheckEmitter, recentFirst: number, recentSecond: number): void {
  const { f } = check;
  f.get(recentFirst).op('v128.any_true', 'i32.eqz').get(recentSecond).op('v128.any_true', 'i32.eqz');
  f.get(check.memo).mem('i32.load', PROBE_MEMO.distinct).op('i32.or', 'i32.and').if();
  forGroups(check, (group) => {
    f.get(group.first);
    pushOwn(check, group, 5);
    f.mem('v128.store', 0);
  });
  f.get(check.memo).mem('i32.load', PROBE_MEMO.distinct).op('i32.eqz').if();
  storeSeconds(check);
  f.end();
  f.i32(1).op('return').end();
}

/** Of words that the same two other warps have read: this one is noted in place of the second, or not at all. */
function leaveReaders(check: CheckEmitter, others: number, address: number): void {
  const { f } = check;
  const [a, b] = [f.local('i32'), f.local('i32')];
  f.get(others).op('v128.any_true', 'i32.eqz');
  for (const cell of [check.first, check.second]) f.get(cell).get(check.quick).op('i32.gt_s', 'i32.and');
  f.if();
  f.get(check.first).i32(5).op('i32.shr_u').set(a).get(check.second).i32(5).op('i32.shr_u').set(b);
  pushWarpOf(f, check.ledger, a);
  f.set(check.firstWarp);
  pushWarpOf(f, check.ledger, b);
  f.set(check.secondWarp);
  for (const warp of [check.firstWarp, check.secondWarp]) f.get(warp).get(check.me).op('i32.ne');
  f.op('i32.and').if();
  for (const cell of [check.first, check.second]) check.pushOrdered(cell, () => f.i32(0));
  f.op('i32.or', 'i32.eqz').if();
  check.pushGivesWay();
  f.if();
  storeSeconds(check);
  f.else().i32(1).set(check.repeats);
  check.leaveRepeated(address);
  f.end();
  f.i32(1).op('return').end().end().end();
  f.release('i32', a);
  f.release('i32', b);
}

function storeSeconds(check: CheckEmitter): void {
  forGroups(check, (group) => {
    check.f.get(group.second);
    pushOwn(check, group, 0);
    check.f.mem('v128.store', 0);
  });
}

/** Pushes the cells of this access at a group of words: of their first lanes (5), or of their last (0). */
function pushOwn(check: CheckEmitter, { row }: Group, shift: 5 | 0): void {
  const { f } = check;
  f.get(row).mem('v128.load', 0);
  if (shift > 0) f.i32(shift).op('i32x4.shr_u');
  f.v128([31, 31, 31, 31]).op('v128.and').get(check.own).op('i32x4.splat', 'v128.or');
}

/** Four words at a time. */
function forGroups(check: CheckEmitter, body: (group: Group) => void): void {
  const { f } = check;
  const local = (): number => f.local('i32');
  const group = { row: local(), written: local(), first: local(), second: local() };
  const end = local();
  f.get(check.memo).i32(PROBE_MEMO.rows).op('i32.add').tee(group.row);
  f.get(check.memo).mem('i32.load', PROBE_MEMO.rowWords).i32(2).op('i32.shl', 'i32.add').set(end);
  f.get(check.at).tee(group.written).get(check.stride).op('i32.add').tee(group.first).get(check.stride).op('i32.add').set(group.second);
  const depth = f.depth;
  f.loop();
  body(group);
  for (const each of [group.written, group.first, group.second]) f.get(each).i32(16).op('i32.add').set(each);
  f.get(group.row).i32(16).op('i32.add').tee(group.row).get(end).op('i32.lt_u').brIf(depth);
  f.end();
  for (const each of [...Object.values(group), end]) f.release('i32', each);
}
