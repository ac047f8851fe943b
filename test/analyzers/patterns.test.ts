/** Requests of a warp, counted lane by lane and at once. */
import { expect, test } from 'vitest';
import { LANES } from '../../analyzers/model/evaluate.ts';
import { sectorsOf, wavefrontsOf } from '../../analyzers/model/patterns.ts';

const ALL = -1;
const wordsApart = (words: number, first = 0) => Array.from({ length: LANES }, (_, lane) => first + lane * words * 4);

test.each([
  [1, 1],
  [3, 1],
  [2, 2],
  [-2, 2],
  [12, 4],
  [32, 32],
  [33, 1],
  [64, 32],
  [2 ** 33, 32],
])('lanes %d words apart take %d wavefronts', (words, wavefronts) => {
  for (const first of [0, 4, 1000])
    expect(wavefrontsOf({ offsets: wordsApart(words, first), bytes: 4, active: ALL })).toEqual({ wavefronts, ideal: 1 });
  // Without the last lane the words are counted one by one.
  const counted = wavefrontsOf({ offsets: wordsApart(words), bytes: 4, active: 2 ** 31 - 1 });
  expect(counted.wavefronts).toBe(wavefronts === 32 ? 31 : wavefronts);
});

test('one address is one sector and one wavefront for each part of the warp that asks', () => {
  expect(sectorsOf({ offsets: 40, bytes: 4, active: ALL })).toEqual({ sectors: 1, ideal: 1 });
  expect(sectorsOf({ offsets: 28, bytes: 8, active: 1 })).toEqual({ sectors: 2, ideal: 1 });
  expect(wavefrontsOf({ offsets: 40, bytes: 4, active: 1 })).toEqual({ wavefronts: 1, ideal: 1 });
  expect(wavefrontsOf({ offsets: 40, bytes: 8, active: ALL })).toEqual({ wavefronts: 2, ideal: 2 });
  expect(wavefrontsOf({ offsets: 64, bytes: 16, active: 0xff })).toEqual({ wavefronts: 1, ideal: 1 });
});
