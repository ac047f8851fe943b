/**
 * PTX's barriers in memory and the bulk copies that report to them (PTX ISA 9.0, "mbarrier", "cp.async.bulk"). Copies happen at once. What
 * a barrier's 64 bits hold is not documented; here, and in include/lanewise/barrier-word.h, the low word has the arrivals that this phase
 * still waits for (16 bits), how many each phase expects (15 bits) and the phase's parity, and the high word the bytes that this phase still
 * waits for. So at most 32,767 arrivals are expected, which is more than a cluster's threads.
 */
import { mapToRank } from '../intrinsics/memory.ts';
import { I1, I32, structType, VOID } from '../type-table.ts';
import type { MemoryOrder, Operand } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { type Entry, entry, has, refuse } from './instruction.ts';
import { spaceOf } from './move-instructions.ts';
import type { PtxInstruction, PtxOperand } from './syntax.ts';

const EXPECTED_SHIFT = 16;
const PENDING = (1 << EXPECTED_SHIFT) - 1;
const MOST_EXPECTED = (1 << 15) - 1;
const PARITY = 0x80000000;

interface Barrier {
  readonly counts: Operand;
  readonly bytes: Operand;
}

/** Wider than a block, as a barrier may be another block's of the cluster. */
const kind: Omit<MemoryOrder, 'ordering'> = { scope: 'device', ofBarrier: true };

function barrierAt(a: Assembler, i: PtxInstruction, operand: PtxOperand, space = spaceOf(i) ?? 0): Barrier {
  const counts = a.pointer(operand, space);
  const bytes = a.add({ op: 'getelementptr', type: counts.type, base: counts, offset: 4, terms: [] });
  return { counts, bytes };
}

function load(a: Assembler, pointer: Operand, ordering: MemoryOrder['ordering']): Operand {
  return a.add({ op: 'load', type: I32, pointer, align: 4, volatile: false, order: { ordering, ...kind } });
}

function store(a: Assembler, pointer: Operand, value: Operand) {
  a.act({ op: 'store', type: VOID, value, pointer, align: 4, volatile: false, order: { ordering: 'release', ...kind } });
}

/** The value before. */
function added(a: Assembler, pointer: Operand, value: Operand): Operand {
  return a.add({ op: 'atomicrmw', type: I32, operation: 'add', pointer, value, order: { ordering: 'acq_rel', ...kind } });
}

/** Executes `body` where the condition holds, and goes on behind it. */
function when(a: Assembler, condition: Operand, body: () => void) {
  const [inside, after] = [a.surroundings.newBlock(), a.surroundings.newBlock()];
  // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
  a.act({ op: 'condbr', type: VOID, condition, then: inside, else: after });
  a.surroundings.enter(inside);
  body();
  a.act({ op: 'br', type: VOID, target: after });
  a.surroundings.enter(after);
}

const isZero = (a: Assembler, value: Operand): Operand => a.add({ op: 'icmp', type: I1, predicate: 'eq', a: value, b: a.int(I32, 0) });
const negated = (a: Assembler, value: Operand): Operand => a.binary('sub', a.int(I32, 0), value);

/** Begins the next phase if neither arrivals nor bytes are missing. Of those who find that, one does it. */
function completeIfDone(a: Assembler, { counts, bytes }: Barrier, now: Operand) {
  when(a, isZero(a, a.binary('and', now, a.int(I32, PENDING))), () => {
    when(a, isZero(a, load(a, bytes, 'acquire')), () => {
      const expected = a.binary('and', a.binary('lshr', now, a.int(I32, EXPECTED_SHIFT)), a.int(I32, MOST_EXPECTED));
      const replacement = a.binary('add', a.binary('add', now, expected), a.int(I32, PARITY));
      const type = structType([I32, I1], false);
      const order = { ordering: 'acq_rel', ...kind } as const;
      a.add({ op: 'cmpxchg', type, pointer: counts, expected: now, replacement, order, failure: 'acquire' });
    });
  });
}

/** init [at], count. */
function initialise(a: Assembler, i: PtxInstruction, [address, amount]: readonly PtxOperand[]) {
  const { counts, bytes } = barrierAt(a, i, address);
  const count = a.read(amount ?? refuse(i), I32);
  const tooMany = a.add({ op: 'icmp', type: I1, predicate: 'ugt', a: count, b: a.int(I32, MOST_EXPECTED) });
  when(a, tooMany, () => a.act({ op: 'call', type: VOID, callee: 'llvm.trap', args: [] }));
  store(a, bytes, a.int(I32, 0));
  store(a, counts, a.binary('or', count, a.binary('shl', count, a.int(I32, EXPECTED_SHIFT))));
}

/** arrive state, [at]{, count} and arrive.expect_tx state, [at], bytes; arrive_drop expects the arrival no longer. */
function arrive(a: Assembler, i: PtxInstruction, [state, address, amount]: readonly PtxOperand[]) {
  const barrier = barrierAt(a, i, address ?? refuse(i));
  const expects = has(i, 'expect_tx');
  if (expects) added(a, barrier.bytes, a.read(amount ?? refuse(i), I32));
  const count = amount && !expects ? a.read(amount, I32) : a.int(I32, 1);
  const dropped = has(i, 'arrive_drop') ? a.binary('shl', count, a.int(I32, EXPECTED_SHIFT)) : a.int(I32, 0);
  const change = negated(a, a.binary('add', count, dropped));
  const before = added(a, barrier.counts, change);
  a.write(state, before);
  if (!has(i, 'noComplete')) completeIfDone(a, barrier, a.binary('add', before, change));
}

/** Bytes that are still to come, or that have come. */
function transact(a: Assembler, barrier: Barrier, change: Operand) {
  const before = added(a, barrier.bytes, change);
  when(a, isZero(a, a.binary('add', before, change)), () => {
    completeIfDone(a, barrier, load(a, barrier.counts, 'acquire'));
  });
}

/** test_wait done, [at], state and test_wait.parity done, [at], parity; try_wait, which may take a time, waits in the caller's loop. */
function test(a: Assembler, i: PtxInstruction, [done, address, phase]: readonly PtxOperand[]) {
  const { counts } = barrierAt(a, i, address ?? refuse(i));
  const now = load(a, counts, has(i, 'relaxed') ? 'monotonic' : 'acquire');
  const given = a.read(phase ?? refuse(i), I32);
  const before = has(i, 'parity') ? a.binary('shl', given, a.int(I32, 31)) : given;
  a.write(done, a.add({ op: 'icmp', type: I1, predicate: 'slt', a: a.binary('xor', now, before), b: a.int(I32, 0) }));
}

function barrier(a: Assembler, i: PtxInstruction) {
  const { operands } = i;
  const [verb] = i.modifiers;
  switch (verb) {
    case 'init':
      return initialise(a, i, operands);
    case 'inval':
      return;
    case 'arrive':
    case 'arrive_drop':
      return arrive(a, i, operands);
    case 'expect_tx':
    case 'complete_tx': {
      const amount = a.read(operands[1] ?? refuse(i), I32);
      return transact(a, barrierAt(a, i, operands[0]), verb === 'expect_tx' ? amount : negated(a, amount));
    }
    case 'test_wait':
    case 'try_wait':
      return test(a, i, operands);
    case 'pending_count':
      return a.write(operands[0], a.binary('and', a.read(operands[1] ?? refuse(i), I32), a.int(I32, PENDING)));
    default:
      return refuse(i);
  }
}

/** cp.async.mbarrier.arrive{.noinc} [at]: the copies are done; unless .noinc counts the arrival among those expected, nothing changes. */
export function arriveAfterCopies(a: Assembler, i: PtxInstruction) {
  if (!has(i, 'arrive')) return refuse(i);
  if (has(i, 'noinc')) arrive(a, i, [{ kind: 'sink' }, i.operands[0] ?? refuse(i)]);
}

/** A cluster has as many blocks at most. */
const MOST_RANKS = 16;

/** Calls `body` for each block that hears of a copy: the own one, or those whose bits the operand of .multicast::cluster has. */
function forTargets(a: Assembler, i: PtxInstruction, mask: PtxOperand | undefined, body: (seen: (pointer: Operand) => Operand) => void) {
  if (!has(i, 'multicast::cluster')) return body((pointer) => pointer);
  const bits = a.read(mask ?? refuse(i), I32);
  for (let rank = 0; rank < MOST_RANKS; rank++) {
    const bit = a.binary('and', bits, a.int(I32, 1 << rank));
    when(a, a.add({ op: 'icmp', type: I1, predicate: 'ne', a: bit, b: a.int(I32, 0) }), () =>
      body((pointer) => a.add(mapToRank([pointer, a.int(I32, rank)], pointer.type, (draft) => a.add(draft)))),
    );
  }
}

/** The barrier hears of bytes that have come. */
function tell(a: Assembler, counts: Operand, bytes: Operand) {
  const second = a.add({ op: 'getelementptr', type: counts.type, base: counts, offset: 4, terms: [] });
  transact(a, { counts, bytes: second }, negated(a, bytes));
}

/**
 * cp.async.bulk.tensor [to], [map, {x, y, ...}], [barrier]{, blocks} into shared memory, and [map, {x, y, ...}], [from] out of it: what a
 * map's bytes mean is a matter of include/lanewise/tensor-maps.h, whose functions copy a box.
 */
function copyBox(a: Assembler, i: PtxInstruction) {
  const loads = i.modifiers.find((modifier) => SPACES.test(modifier)) !== 'global';
  const [place, tensor] = loads ? i.operands : [i.operands[1], i.operands[0]];
  const rank = Number(i.modifiers.find((modifier) => /^[1-5]d$/.test(modifier))?.[0]);
  if (tensor?.kind !== 'vector' || !place) return refuse(i);
  const [map, coordinates] = tensor.elements;
  if (coordinates?.kind !== 'vector' || coordinates.elements.length !== rank) return refuse(i);
  const at = Array.from({ length: 5 }, (_, axis) => (axis < rank ? a.read(coordinates.elements[axis], I32) : a.int(I32, 0)));
  const tensorMap = a.pointer(map, 0);
  const copied = (pointer: Operand, callee: string) =>
    a.call(callee, I32, [a.add({ op: 'ptrtoint', type: I32, a: pointer }), tensorMap, ...at]);
  const shared = a.pointer(place, 3);
  if (!loads) return void copied(shared, '__lanewise_tensor_store');
  const counts = a.pointer(i.operands[2] ?? refuse(i), 3);
  forTargets(a, i, i.operands[3], (seen) => tell(a, seen(counts), copied(seen(shared), '__lanewise_tensor_load')));
}

/** cp.async.bulk [to], [from], bytes, [barrier]{, blocks} into shared memory, or without a barrier out of it; and what groups of such copies need. */
export function copyInBulk(a: Assembler, i: PtxInstruction) {
  if (has(i, 'commit_group') || has(i, 'wait_group') || has(i, 'prefetch')) return;
  if (has(i, 'tensor')) return copyBox(a, i);
  const [to, from, size, at, blocks] = i.operands;
  const [target, source] = i.modifiers.filter((modifier) => SPACES.test(modifier));
  if (!source || !size) return refuse(i);
  const space = (name: string) => (name === 'global' ? 1 : 3);
  const count = a.read(size, I32);
  const [place, origin] = [a.pointer(to, space(target)), a.pointer(from, space(source))];
  const callee = `llvm.memcpy.p${space(target)}.p${space(source)}.i32`;
  const copy = (pointer: Operand) => a.act({ op: 'call', type: VOID, callee, args: [pointer, origin, count, a.int(I1, 0)] });
  if (!has(i, 'mbarrier::complete_tx::bytes')) return has(i, 'bulk_group') ? copy(place) : refuse(i);
  const counts = a.pointer(at ?? refuse(i), 3);
  forTargets(a, i, blocks, (seen) => {
    copy(seen(place));
    tell(a, seen(counts), count);
  });
}

const SPACES = /^(global|shared::(cta|cluster))$/;

const WORDS =
  'init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait parity pending_count noComplete release acquire relaxed cta cluster ' +
  'shared shared::cta shared::cluster';

export const BARRIER_INSTRUCTIONS: Readonly<Record<string, Entry>> = { mbarrier: entry(WORDS, [1, 4], barrier) };
