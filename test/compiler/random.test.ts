/** Random kernels on both engines. `npm run fuzz -- --minutes N` runs more of them. */
import { describe, expect, it } from 'vitest';
import { compareRandom } from './differential.ts';

describe('random kernels leave the same memory and counters on both engines', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('seed %i', (seed) => {
    const { differences, interpreted } = compareRandom(seed, { workers: 0, pathByPath: seed % 3 === 0 });
    expect(differences).toEqual([]);
    expect(interpreted).toBeUndefined();
  });
});
