/** What can limit a launch on a GPU: names in reports, and their words. */
export const TIME_LIMITS = {
  launch: 'launch overhead',
  latency: 'latency',
  issue: 'instruction issue',
  fp32: 'fp32 pipe',
  int: 'integer pipe',
  fp64: 'fp64 pipe',
  special: 'special function unit',
  shared: 'shared memory',
  constant: 'constant cache',
  l1: 'L1 cache',
  l2: 'L2 cache',
  dram: 'DRAM',
  atomics: 'atomics',
  blocks: 'starting blocks',
  clock: 'waiting for a clock',
} as const;
export type TimeLimit = keyof typeof TIME_LIMITS;
