/** What the lanes of a warp and the threads of a block do together: shuffles, votes, matches, reductions and barriers. */
import type { BlockBarrier, Intrinsic, Meaning } from './description.ts';

function exchange(result: Intrinsic['result'], meaning: Meaning): Intrinsic {
  return { effect: 'exchange', result, waits: 'lanes', cost: 'exchange', meaning };
}

const SHUFFLES = (['idx', 'up', 'down', 'bfly'] as const).flatMap((mode) =>
  ['i32', 'f32', 'i32p', 'f32p'].map((type): [string, Intrinsic] => [
    `llvm.nvvm.shfl.sync.${mode}.${type}`,
    exchange('varying', { kind: 'shuffle', mode, word: !type.endsWith('p') }),
  ]),
);

const VOTES = (['all', 'any', 'uni', 'ballot'] as const).flatMap((vote): [string, Intrinsic][] => [
  [`llvm.nvvm.vote.${vote}.sync`, exchange('uniform', { kind: 'vote', vote, withMask: true })],
  [`llvm.nvvm.vote.${vote}`, { effect: 'exchange', result: 'uniform', cost: 'exchange', meaning: { kind: 'vote', vote, withMask: false } }],
]);

const MATCHES: Readonly<Record<string, Intrinsic>> = {
  'llvm.nvvm.match.any.sync.i32': exchange('varying', { kind: 'match', all: false }),
  'llvm.nvvm.match.any.sync.i64': exchange('varying', { kind: 'match', all: false }),
  'llvm.nvvm.match.all.sync.i32p': exchange('uniform', { kind: 'match', all: true }),
  'llvm.nvvm.match.all.sync.i64p': exchange('uniform', { kind: 'match', all: true }),
};

const REDUCTIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => (a + b) | 0,
  min: (a, b) => Math.min(a, b),
  max: (a, b) => Math.max(a, b),
  umin: (a, b) => (a >>> 0 < b >>> 0 ? a : b),
  umax: (a, b) => (a >>> 0 > b >>> 0 ? a : b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

function barrier(options: Partial<BlockBarrier>): Intrinsic {
  const meaning = { kind: 'blockBarrier', numbered: true, counted: false, arriveOnly: false, together: false, ...options } as const;
  return { effect: 'barrier', result: 'uniform', waits: 'block', cost: 'barrier', meaning };
}

/** barrier.cta.{sync,arrive,red.*}[.aligned].{all,count}. */
const BLOCK_BARRIERS = ['.aligned', ''].flatMap((aligned) =>
  [false, true].flatMap((counted): [string, Intrinsic][] => {
    const threads = counted ? 'count' : 'all';
    const together = aligned !== '' && !counted;
    return [
      [`llvm.nvvm.barrier.cta.sync${aligned}.${threads}`, barrier({ counted, together })],
      [`llvm.nvvm.barrier.cta.arrive${aligned}.${threads}`, barrier({ counted, arriveOnly: true })],
      ...(['popc', 'and', 'or'] as const).map((reduction): [string, Intrinsic] => [
        `llvm.nvvm.barrier.cta.red.${reduction}${aligned}.${threads}`,
        barrier({ counted, reduction }),
      ]),
    ];
  }),
);

/** Names of earlier versions of LLVM. */
const OLDER_BARRIERS: Readonly<Record<string, Intrinsic>> = {
  'llvm.nvvm.barrier0': barrier({ numbered: false, together: true }),
  'llvm.nvvm.barrier0.popc': barrier({ numbered: false, reduction: 'popc' }),
  'llvm.nvvm.barrier0.and': barrier({ numbered: false, reduction: 'and' }),
  'llvm.nvvm.barrier0.or': barrier({ numbered: false, reduction: 'or' }),
  'llvm.nvvm.barrier.n': barrier({}),
  'llvm.nvvm.barrier': barrier({ counted: true }),
  'llvm.nvvm.barrier.sync': barrier({}),
  'llvm.nvvm.barrier.sync.cnt': barrier({ counted: true }),
  'llvm.nvvm.bar.sync': barrier({ together: true }),
};

const CLUSTER_BARRIERS = (['arrive', 'wait'] as const).flatMap((part): [string, Intrinsic][] => {
  const intrinsic: Intrinsic = {
    effect: 'barrier',
    result: 'uniform',
    waits: 'cluster',
    cost: 'barrier',
    meaning: { kind: 'clusterBarrier', part },
  };
  const orders = part === 'arrive' ? ['', '.relaxed'] : [''];
  const names = orders.flatMap((order) => [
    `llvm.nvvm.barrier.cluster.${part}${order}`,
    `llvm.nvvm.barrier.cluster.${part}${order}.aligned`,
  ]);
  return [`__lanewise_cluster_${part}`, ...names].map((name) => [name, intrinsic]);
});

export const LANES: Readonly<Record<string, Intrinsic>> = {
  ...Object.fromEntries(SHUFFLES),
  ...Object.fromEntries(VOTES),
  ...MATCHES,
  ...Object.fromEntries(
    Object.entries(REDUCTIONS).map(([name, combine]) => [
      `llvm.nvvm.redux.sync.${name}`,
      exchange('uniform', { kind: 'reduceLanes', combine }),
    ]),
  ),
  'llvm.nvvm.activemask': { effect: 'exchange', result: 'uniform', cost: 'exchange', meaning: { kind: 'activeMask' } },
  'llvm.nvvm.bar.warp.sync': { effect: 'barrier', result: 'uniform', waits: 'lanes', cost: 'barrier', meaning: { kind: 'warpBarrier' } },
  ...Object.fromEntries(BLOCK_BARRIERS),
  ...OLDER_BARRIERS,
  ...Object.fromEntries(CLUSTER_BARRIERS),
  __lanewise_grid_sync: { effect: 'barrier', result: 'uniform', waits: 'grid', cost: 'barrier', meaning: { kind: 'gridBarrier' } },
};
