/** What can limit a launch on a GPU: names in reports, and their words. */
export const TIME_LIMITS = {
  launch: 'launch overhead',
  issue: 'instruction issue',
  dram: 'DRAM bandwidth',
} as const;
export type TimeLimit = keyof typeof TIME_LIMITS;
