/** Random choices that a seed repeats. */
import { generator } from '../analyzers/syntax-helpers.ts';

export interface Random {
  /** A whole number from 0 up to, and not, `limit`. */
  below(limit: number): number;
  of<T>(list: readonly T[]): T;
  /** Weights count to two decimals. */
  weighted<T>(list: readonly T[], weight: (item: T) => number): T;
}

export function randomOf(seed: number): Random {
  const below = generator(seed);
  return {
    below,
    of: (list) => list[below(list.length)],
    weighted(list, weight) {
      const weights = list.map((item) => Math.round(100 * weight(item)));
      let rest = below(weights.reduce((sum, each) => sum + each, 0));
      for (const [index, each] of weights.entries()) {
        if (rest < each) return list[index];
        rest -= each;
      }
      return list[list.length - 1];
    },
  };
}
