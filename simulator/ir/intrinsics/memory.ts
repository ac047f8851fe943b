/** Copies and fills of memory, loads with hints, fences, address spaces, the stack, and what only speaks to the compiler. */
import { CLUSTER_WINDOW_BYTES, SHARED_BASE } from '../address-map.ts';
import type { MemoryOrder, Operand, Type } from '../types.ts';
import { type Expression, type Intrinsic, pure } from './description.ts';

const HINT: Intrinsic = { effect: 'none', result: 'operands', cost: 'none', meaning: { kind: 'hint' } };
const IDENTITY: Intrinsic = { effect: 'none', result: 'operands', cost: 'none', meaning: { kind: 'identity' } };

const COPY: Intrinsic = { effect: 'writes', result: 'operands', cost: 'call', meaning: { kind: 'copyMemory' } };
const FILL: Intrinsic = { effect: 'writes', result: 'operands', cost: 'call', meaning: { kind: 'fillMemory' } };
const CACHED_LOAD: Intrinsic = { effect: 'reads', result: 'operands', cost: 'rare', meaning: { kind: 'cachedLoad' } };

function fence(ordering: MemoryOrder['ordering'], scope: MemoryOrder['scope']): Intrinsic {
  return { effect: 'fence', result: 'operands', cost: 'fence', meaning: { kind: 'fence', order: { ordering, scope } } };
}

/** What Clang makes of __builtin_align_down and its kin. */
const maskPointer: Expression = ([pointer, mask], type, add) => {
  const bits = add({ op: 'ptrtoint', type: mask.type, a: pointer });
  return { op: 'inttoptr', type, a: add({ op: 'and', type: mask.type, a: bits, b: mask }) };
};

/** Where the block of a rank has what the own block has at an address of shared memory, or another block of the cluster. */
export const mapToRank: Expression = ([pointer, rank], type, add) => {
  const wide: Type = { kind: 'int', bits: 64 };
  const word = (value: number): Operand => ({ kind: 'int', type: wide, value: BigInt(value) });
  const bits = add({ op: 'ptrtoint', type: wide, a: pointer });
  const offset = add({ op: 'and', type: wide, a: bits, b: word(CLUSTER_WINDOW_BYTES - 1) });
  // A rank that no cluster has leads to where no block is.
  const known = add({
    op: 'icmp',
    type: { kind: 'int', bits: 1 },
    predicate: 'ult',
    a: rank,
    b: { kind: 'int', type: rank.type, value: 16n },
  });
  const limited = add({ op: 'select', type: rank.type, condition: known, a: rank, b: { kind: 'int', type: rank.type, value: 16n } });
  const number = add({ op: 'zext', type: wide, a: limited });
  const window = add({ op: 'mul', type: wide, a: number, b: word(CLUSTER_WINDOW_BYTES) });
  const base = type.kind === 'ptr' && type.space === 3 ? CLUSTER_WINDOW_BYTES : SHARED_BASE + CLUSTER_WINDOW_BYTES;
  const start = add({ op: 'add', type: wide, a: window, b: word(base) });
  return { op: 'inttoptr', type, a: add({ op: 'add', type: wide, a: start, b: offset }) };
};

/** From sm_70 on, membar is fence.sc (PTX ISA, "membar/fence"). */
const FENCES: Readonly<Record<string, Intrinsic>> = {
  'llvm.nvvm.membar.cta': fence('seq_cst', 'block'),
  'llvm.nvvm.membar.gl': fence('seq_cst', 'device'),
  'llvm.nvvm.membar.sys': fence('seq_cst', 'system'),
  'llvm.nvvm.fence.sc.cluster': fence('seq_cst', 'cluster'),
  'llvm.nvvm.fence.acq_rel.cluster': fence('acq_rel', 'cluster'),
  'llvm.nvvm.fence.mbarrier_init.release.cluster': fence('release', 'cluster'),
  // Order the generic proxy and others. The simulator has only the generic one.
  'llvm.nvvm.fence.proxy.alias': fence('acq_rel', 'system'),
  'llvm.nvvm.fence.proxy.async': fence('acq_rel', 'system'),
  'llvm.nvvm.fence.proxy.async.global': fence('acq_rel', 'system'),
  'llvm.nvvm.fence.proxy.async.shared_cta': fence('acq_rel', 'block'),
};

export const MEMORY: Readonly<Record<string, Intrinsic>> = {
  'llvm.memcpy': COPY,
  'llvm.memcpy.inline': COPY,
  'llvm.memmove': COPY,
  'llvm.memset': FILL,
  'llvm.memset.inline': FILL,
  ...Object.fromEntries(['ldg', 'ldu'].flatMap((name) => ['i', 'f', 'p'].map((type) => [`llvm.nvvm.${name}.global.${type}`, CACHED_LOAD]))),
  ...Object.fromEntries(
    (['const', 'global', 'local', 'shared'] as const).map((space) => [
      `llvm.nvvm.isspacep.${space}`,
      pure({ kind: 'isInSpace', space }, { cost: 'rare' }),
    ]),
  ),
  // The window of shared memory has that of all blocks of the cluster (address-map.ts).
  'llvm.nvvm.isspacep.shared.cluster': pure({ kind: 'isInSpace', space: 'shared' }, { cost: 'rare' }),
  __lanewise_map_shared_rank: pure({ kind: 'expression', arity: 2, of: mapToRank }),
  'llvm.nvvm.mapa': pure({ kind: 'expression', arity: 2, of: mapToRank }),
  'llvm.ptrmask': pure({ kind: 'expression', arity: 2, of: maskPointer }),
  ...FENCES,
  'llvm.stacksave': { effect: 'stack', result: 'varying', cost: 'simple', meaning: { kind: 'saveStack' } },
  'llvm.stackrestore': { effect: 'stack', result: 'uniform', cost: 'simple', meaning: { kind: 'restoreStack' } },
  'llvm.prefetch': { effect: 'none', result: 'operands', cost: 'simple', meaning: { kind: 'nothing' } },
  ...Object.fromEntries(
    (['commit', 'wait', 'wait all'] as const).map((copies) => [
      `llvm.lanewise.copies.${copies.replace(' ', '.')}`,
      { effect: 'told', result: 'uniform', cost: 'none', meaning: { kind: 'nothing', copies } } satisfies Intrinsic,
    ]),
  ),
  'llvm.debugtrap': { effect: 'none', result: 'operands', cost: 'simple', meaning: { kind: 'nothing' } },
  ...Object.fromEntries(
    [
      'dbg.declare', 'dbg.value', 'dbg.label', 'dbg.assign', 'lifetime.start', 'lifetime.end', 'invariant.start', 'invariant.end',
      'experimental.noalias.scope.decl', 'assume', 'donothing', 'sideeffect', 'pseudoprobe', 'fake.use', 'var.annotation',
    ].map((name) => [`llvm.${name}`, HINT]), // biome-ignore format: table
  ),
  ...Object.fromEntries(
    [
      'expect', 'expect.with.probability', 'launder.invariant.group', 'strip.invariant.group', 'ssa.copy', 'annotation',
      'ptr.annotation', 'arithmetic.fence',
    ].map((name) => [`llvm.${name}`, IDENTITY]), // biome-ignore format: table
  ),
};
