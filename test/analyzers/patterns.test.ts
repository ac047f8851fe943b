/** Requests of a warp, counted lane by lane and at once. */
import { expect, test } from 'vitest';
import { LANES, Sample, type Shape } from '../../analyzers/model/evaluate.ts';
import { constant, type Form, op, symbol, thread } from '../../analyzers/model/form.ts';
import { lanePartsOf, newLanePartsMemo, offsetsWithin } from '../../analyzers/model/lane-parts.ts';
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

const shape: Shape = { block: [32, 4, 1], grid: [undefined, undefined, undefined] };
const width = symbol('width', 'parameter');
const plane = symbol('plane', 'parameter');
const bytes = (index: Form) => op('*', index, constant(4));
const pixel = () => op('+', thread(0), op('*', thread(1), width));

test('offsets in two parts are those at once, but for multiples of the period', () => {
  const memo = newLanePartsMemo();
  for (const index of [op('+', pixel(), plane), op('-', op('+', plane, pixel()), constant(3)), op('+', op('*', plane, width), pixel())])
    for (const seed of [0, 1]) {
      const sample = new Sample({ shape, warp: 1, seed, budget: { left: 1000 } }, undefined);
      const within = offsetsWithin(memo, lanePartsOf(memo, bytes(index))!, sample, 32) as readonly number[];
      const moved = new Set((sample.value(bytes(index)) as readonly number[]).map((at, lane) => at - within[lane]));
      expect(moved.size).toBe(1);
      for (const by of moved) expect(Math.abs(by % 32)).toBe(0);
    }
});

test('lanes that are spelt out again are the same, and what is no sum has no parts', () => {
  const memo = newLanePartsMemo();
  const [one, other] = [op('+', pixel(), plane), op('-', pixel(), plane)].map((index) => lanePartsOf(memo, bytes(index)));
  expect(one?.lanes).toBe(other?.lanes);
  expect(lanePartsOf(memo, bytes(op('*', thread(0), width)))).toBeUndefined();
  expect(lanePartsOf(memo, bytes(op('-', plane, thread(0))))).toBeUndefined();
});

test('offsets that lie too far to be told apart have no place', () => {
  const memo = newLanePartsMemo();
  const far = bytes(op('+', pixel(), constant(2 ** 46)));
  expect(offsetsWithin(memo, lanePartsOf(memo, far)!, new Sample({ shape, warp: 0, seed: 0, budget: { left: 1000 } }, undefined), 32)).toBe(
    null,
  );
});
