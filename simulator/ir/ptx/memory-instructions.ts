/**
 * PTX's loads, stores, atomics, asynchronous copies and fences (PTX ISA 9.0, "Data Movement", "Parallel Synchronization"). Hints about
 * caches change no value. Asynchronous copies happen at once, which is one of the orders that hardware allows.
 */
import { CLUSTER_WINDOW_BYTES } from '../address-map.ts';
import { mapToRank } from '../intrinsics/memory.ts';
import { I1, I8, I32, I64, intType, pointerType, structType, VOID, vectorType } from '../type-table.ts';
import type { AtomicOp, MemoryOrder, Operand, Type } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { arriveAfterCopies, copyInBulk } from './barrier-instructions.ts';
import { type Entry, entry, has, refuse, typeOf } from './instruction.ts';
import { spaceOf } from './move-instructions.ts';
import { specialRegister } from './special-registers.ts';
import type { PtxInstruction, PtxOperand } from './syntax.ts';
import { type PtxType, widthOf } from './types.ts';

const ORDERINGS: Readonly<Record<string, MemoryOrder['ordering']>> = {
  relaxed: 'monotonic',
  acquire: 'acquire',
  release: 'release',
  acq_rel: 'acq_rel',
  sc: 'seq_cst',
  mmio: 'monotonic',
};
const SCOPES: Readonly<Record<string, MemoryOrder['scope']>> = {
  cta: 'block',
  cluster: 'cluster',
  gpu: 'device',
  gl: 'device',
  sys: 'system',
};

function orderOf({ modifiers }: PtxInstruction): MemoryOrder | undefined {
  const ordering = modifiers.map((modifier) => ORDERINGS[modifier]).find((found) => found !== undefined);
  return ordering && { ordering, scope: scopeOf(modifiers) };
}

function scopeOf(modifiers: readonly string[]): MemoryOrder['scope'] {
  return modifiers.map((modifier) => SCOPES[modifier]).find((found) => found !== undefined) ?? 'system';
}

/** Types of registers are not those of memory: `ld.u8` fills a register of 16 or 32 bits. */
function memoryType(i: PtxInstruction): { readonly type: Type; readonly count: number; readonly element: PtxType } {
  const element = typeOf(i);
  const count = has(i, 'v8') ? 8 : has(i, 'v4') ? 4 : has(i, 'v2') ? 2 : 1;
  return { element, count, type: count === 1 ? element.type : vectorType(element.type, count) };
}

function load(a: Assembler, i: PtxInstruction) {
  const { type, count, element } = memoryType(i);
  const [to, from] = i.operands;
  const pointer = a.pointer(from, spaceOf(i) ?? 0);
  const order = orderOf(i);
  const isVolatile = has(i, 'volatile') || has(i, 'mmio');
  // Vectors are atomic element by element.
  const atomic = order && count === 1 && element.kind !== 'pred' && { order };
  const align = widthOf(type) / 8;
  const value = a.add({ op: 'load', type, pointer, align, volatile: isVolatile || (order !== undefined && !atomic), ...atomic });
  if (order && !atomic && order.ordering === 'acquire') a.act({ op: 'fence', type: VOID, order });
  if (count === 1) return a.write(to, value, element.kind === 's');
  if (to.kind !== 'vector' || to.elements.length !== count) return refuse(i);
  to.elements.forEach((part, k) => {
    a.write(part, a.add({ op: 'extractelement', type: element.type, vector: value, index: a.int(I32, k) }), element.kind === 's');
  });
}

function store(a: Assembler, i: PtxInstruction) {
  const { type, count, element } = memoryType(i);
  const [to, from] = i.operands;
  const pointer = a.pointer(to, spaceOf(i) ?? 0);
  const order = orderOf(i);
  let value: Operand;
  if (count === 1) value = a.read(from, element.type);
  else {
    if (from.kind !== 'vector' || from.elements.length !== count) return refuse(i);
    value = from.elements.reduce<Operand>(
      (vector, part, k) => a.add({ op: 'insertelement', type, vector, value: a.read(part, element.type), index: a.int(I32, k) }),
      { kind: 'undef', type },
    );
    if (order?.ordering === 'release') a.act({ op: 'fence', type: VOID, order });
  }
  const atomic = order && count === 1 && { order };
  const isVolatile = has(i, 'volatile') || has(i, 'mmio') || (order !== undefined && !atomic);
  a.act({ op: 'store', type: VOID, value, pointer, align: widthOf(type) / 8, volatile: isVolatile, ...atomic });
}

const ATOMICS: Readonly<Record<string, readonly [unsigned: AtomicOp, signed: AtomicOp, float: AtomicOp | undefined]>> = {
  add: ['add', 'add', 'fadd'],
  min: ['umin', 'min', 'fmin'],
  max: ['umax', 'max', 'fmax'],
  and: ['and', 'and', undefined],
  or: ['or', 'or', undefined],
  xor: ['xor', 'xor', undefined],
  exch: ['xchg', 'xchg', undefined],
  inc: ['uinc_wrap', 'uinc_wrap', undefined],
  dec: ['udec_wrap', 'udec_wrap', undefined],
};

/** `atom d, [a], b` and `red [a], b`. */
function atomic(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const to = i.name === 'red' ? undefined : i.operands[0];
  const [address, ...rest] = i.operands.slice(to ? 1 : 0);
  const order = orderOf(i) ?? { ordering: 'monotonic', scope: scopeOf(i.modifiers) };
  const space = spaceOf(i) ?? 0;
  if (has(i, 'cas')) return compareAndSwap(a, i, { to, pointer: a.pointer(address, space), rest, order });
  const names = i.modifiers.map((modifier) => ATOMICS[modifier]).find((found) => found !== undefined) ?? refuse(i);
  const operation = (type.kind === 'f' ? names[2] : names[type.kind === 's' ? 1 : 0]) ?? refuse(i);
  const parts = rest[0]?.kind === 'vector' ? rest[0].elements : [rest[0] ?? refuse(i)];
  if (type.type.kind === 'vector' && parts.length > 1) return refuse(i);
  const results = to?.kind === 'vector' ? to.elements : [to];
  parts.forEach((part, k) => {
    const at = a.pointer(moved(address, (k * type.bits) / 8), space);
    const old = packedAtomic(a, { type, operation, pointer: at, value: a.read(part, type.type), order });
    if (results[k]) a.write(results[k], old, type.kind === 's');
  });
}

function moved(address: PtxOperand, bytes: number): PtxOperand {
  return address.kind === 'address' ? { ...address, offset: address.offset + BigInt(bytes) } : address;
}

/** A pair of halves is two atomic operations, as the manual says. */
function packedAtomic(
  a: Assembler,
  { type, operation, pointer, value, order }: { type: PtxType; operation: AtomicOp; pointer: Operand; value: Operand; order: MemoryOrder },
): Operand {
  if (type.type.kind !== 'vector') return a.add({ op: 'atomicrmw', type: type.type, operation, pointer, value, order });
  const { element } = type.type;
  let old: Operand = { kind: 'undef', type: type.type };
  for (let k = 0; k < 2; k++) {
    const index = a.int(I32, k);
    const part = a.add({ op: 'extractelement', type: element, vector: value, index });
    const at = k === 0 ? pointer : a.add({ op: 'getelementptr', type: pointer.type, base: pointer, offset: 2, terms: [] });
    const before = a.add({ op: 'atomicrmw', type: element, operation, pointer: at, value: part, order });
    old = a.add({ op: 'insertelement', type: type.type, vector: old, value: before, index });
  }
  return old;
}

function compareAndSwap(
  a: Assembler,
  i: PtxInstruction,
  { to, pointer, rest, order }: { to: PtxOperand | undefined; pointer: Operand; rest: readonly PtxOperand[]; order: MemoryOrder },
) {
  const { bits } = typeOf(i);
  if (bits === 128 || rest.length < 2) return refuse(i);
  const type = intType(bits);
  const [expected, replacement] = rest.map((operand) => a.read(operand, type));
  const both = a.add({
    op: 'cmpxchg',
    type: structType([type, I1], false),
    pointer,
    expected,
    replacement,
    order,
    failure: order.ordering === 'acquire' || order.ordering === 'acq_rel' ? 'acquire' : 'monotonic',
  });
  if (to) a.write(to, a.add({ op: 'extractvalue', type, aggregate: both, path: [0] }));
}

/** cp.async.{ca,cg}.shared.global [to], [from], bytes{, given}: of `bytes`, those beyond `given` are zero. */
function copy(a: Assembler, i: PtxInstruction) {
  if (has(i, 'bulk')) return copyInBulk(a, i);
  if (has(i, 'mbarrier')) {
    // Whoever has waited for the barrier finds them done.
    orderCopies(a, 'llvm.lanewise.copies.wait.all');
    return arriveAfterCopies(a, i);
  }
  if (has(i, 'commit_group') || has(i, 'wait_all'))
    return orderCopies(a, has(i, 'wait_all') ? 'llvm.lanewise.copies.wait.all' : 'llvm.lanewise.copies.commit');
  if (has(i, 'wait_group')) return orderCopies(a, 'llvm.lanewise.copies.wait', [a.read(i.operands[0] ?? refuse(i), I32)]);
  if (!has(i, 'global')) return refuse(i);
  const [to, from, size, given] = i.operands;
  if (size?.kind !== 'integer') return refuse(i);
  const bytes = Number(size.value);
  const [target, source] = [a.pointer(to, 3), a.pointer(from, 1)];
  const isWhole = given === undefined || has(i, 'L2::cache_hint') || (given.kind === 'integer' && given.value === size.value);
  if (isWhole) return moveBytes(a, target, source, bytes);
  const count = givenBytes(a, given);
  const all = a.add({ op: 'icmp', type: I1, predicate: 'uge', a: count, b: a.int(I32, bytes) });
  const [whole, part, after] = [a.surroundings.newBlock(), a.surroundings.newBlock(), a.surroundings.newBlock()];
  // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
  a.act({ op: 'condbr', type: VOID, condition: all, then: whole, else: part });
  a.surroundings.enter(whole);
  moveBytes(a, target, source, bytes);
  a.act({ op: 'br', type: VOID, target: after });
  a.surroundings.enter(part);
  const plain = a.int(I1, 0);
  a.act({ op: 'call', type: VOID, callee: 'llvm.memset.p3.i32', args: [target, a.int(I8, 0), a.int(I32, bytes), plain] });
  a.act({ op: 'call', type: VOID, callee: 'llvm.memcpy.p3.p1.i32', args: [target, source, count, plain] });
  a.act({ op: 'br', type: VOID, target: after });
  a.surroundings.enter(after);
}

/** Says what copies a thread has waited for, to those who look on. */
function orderCopies(a: Assembler, callee: string, args: readonly Operand[] = []) {
  a.act({ op: 'call', type: VOID, callee, args });
}

/** The number of bytes, or that of a predicate, which says that the source is ignored. */
function givenBytes(a: Assembler, given: PtxOperand): Operand {
  const isPredicate = given.kind !== 'integer' && widthOf(a.raw(given).type) === 1;
  return isPredicate ? a.select(a.raw(given), a.int(I32, 0), a.int(I32, 16)) : a.read(given, I32);
}

function moveBytes(a: Assembler, target: Operand, source: Operand, bytes: number) {
  const type = bytes === 16 ? vectorType(I32, 4) : intType(8 * bytes);
  const value = a.add({ op: 'load', type, pointer: source, align: bytes, volatile: false, async: true });
  a.act({ op: 'store', type: VOID, value, pointer: target, align: bytes, volatile: false, async: true });
}

/** From sm_70 on membar is fence.sc. The simulator has only the generic proxy: fences between proxies order it too. */
function fence(a: Assembler, i: PtxInstruction) {
  const given = orderOf(i)?.ordering;
  const ordering = i.name === 'membar' ? 'seq_cst' : given === undefined || given === 'monotonic' ? 'acq_rel' : given;
  a.act({ op: 'fence', type: VOID, order: { ordering, scope: scopeOf(i.modifiers) } });
}

const nothing = (): void => {};

/** A policy is an opaque number that only hints take. */
function createPolicy(a: Assembler, i: PtxInstruction) {
  a.write(i.operands[0], a.int(I64, 0));
}

/** mapa{.shared::cluster} d, a, rank: the address that the block of a rank in the cluster has for it. */
function mapAddress(a: Assembler, i: PtxInstruction) {
  const [to, from, rank] = i.operands;
  const type = pointerType(has(i, 'shared::cluster') ? 3 : 0);
  const start = a.pointer(from, type.kind === 'ptr' ? type.space : 0);
  const mapped = a.add(mapToRank([start, a.read(rank, I32)], type, (draft) => a.add(draft)));
  a.write(to, a.add({ op: 'ptrtoint', type: has(i, 'u32') ? I32 : I64, a: mapped }));
}

/** getctarank{.shared::cluster} d, a: which block of the cluster an address belongs to. */
function rankOfAddress(a: Assembler, i: PtxInstruction) {
  const [to, from] = i.operands;
  const start = a.pointer(from, has(i, 'shared::cluster') ? 3 : 0);
  const bits = a.add({ op: 'ptrtoint', type: I32, a: start });
  const shift = a.int(I32, Math.log2(CLUSTER_WINDOW_BYTES));
  const window = a.binary('and', a.binary('lshr', bits, shift), a.int(I32, 63));
  const isOwn = a.add({ op: 'icmp', type: I1, predicate: 'eq', a: window, b: a.int(I32, 0) });
  const own = specialRegister(a, 'cluster_ctarank');
  a.write(to, a.select(isOwn, own, a.binary('sub', window, a.int(I32, 1))));
}

const SPACE_WORDS = 'global shared shared::cta shared::cluster const local';
const SCOPE_WORDS = 'cta cluster gpu sys';
const CACHES =
  'ca cg cs lu cv wb wt nc L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L2::cache_hint ' +
  'L2::64B L2::128B L2::256B L2::evict_last L2::evict_normal L2::evict_first level::eviction_priority';
const ACCESS = `${SPACE_WORDS} ${SCOPE_WORDS} ${CACHES} weak relaxed acquire release volatile mmio v2 v4 v8 unified`;
const ATOMIC_WORDS = `${SPACE_WORDS} ${SCOPE_WORDS} relaxed acquire release acq_rel noftz v2 v4 v8 L2::cache_hint ${Object.keys(ATOMICS).join(' ')}`;

export const MEMORY_INSTRUCTIONS: Readonly<Record<string, Entry>> = {
  ld: entry(ACCESS, [2, 3], load),
  ldu: entry(ACCESS, 2, load),
  st: entry(ACCESS, [2, 3], store),
  atom: entry(`${ATOMIC_WORDS} cas`, [3, 5], atomic),
  red: entry(ATOMIC_WORDS, [2, 3], atomic),
  cp: entry(
    'async ca cg shared shared::cta shared::cluster global L2::128B L2::64B L2::256B L2::cache_hint commit_group wait_group wait_all ' +
      'mbarrier arrive noinc bulk bulk_group mbarrier::complete_tx::bytes read prefetch L2 tensor tile 1d 2d 3d 4d 5d ' +
      'multicast::cluster',
    [0, 5],
    copy,
  ),
  membar: entry(`${SCOPE_WORDS} gl`, 0, fence),
  fence: entry(
    `${SCOPE_WORDS} sc acq_rel acquire release proxy alias async global shared::cta shared::cluster mbarrier_init tensormap::generic`,
    [0, 2],
    fence,
  ),
  mapa: entry('shared::cluster', 3, mapAddress),
  getctarank: entry('shared::cluster', 2, rankOfAddress),
  prefetch: entry('global local const param tensormap L1 L2 L2::evict_last L2::evict_normal', 1, nothing),
  prefetchu: entry('L1', 1, nothing),
  discard: entry('global L2', 2, nothing),
  applypriority: entry('global L2::evict_normal', 2, nothing),
  createpolicy: entry(
    'fractional range cvt L2 global L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged',
    [1, 4],
    createPolicy,
  ),
};
