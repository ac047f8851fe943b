/** Requests of a warp, counted lane by lane and at once. */
import { expect, test } from 'vitest';
import { Sample, type Shape } from '../../analyzers/model/evaluate.ts';
import { anything, constant, type Form, type LoopShape, loopForm, newLoop, op, symbol, thread } from '../../analyzers/model/form.ts';
import { lanePartsOf, newLanePartsMemo, offsetsWithin } from '../../analyzers/model/lane-parts.ts';
import { sectorsOf, wavefrontsOf } from '../../analyzers/model/patterns.ts';
import { LANES, type LaneValues, laneOf } from '../../analyzers/model/rows.ts';

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
    expect(wavefrontsOf({ offsets: wordsApart(words, first), bytes: 4, active: ALL }, 'load')).toEqual({ wavefronts, ideal: 1 });
  // Without the last lane the words are counted one by one.
  const counted = wavefrontsOf({ offsets: wordsApart(words), bytes: 4, active: 2 ** 31 - 1 }, 'load');
  expect(counted.wavefronts).toBe(wavefronts === 32 ? 31 : wavefronts);
});

test('one address is one sector and one wavefront for each part of the warp that asks', () => {
  expect(sectorsOf({ offsets: 40, bytes: 4, active: ALL })).toEqual({ sectors: 1, ideal: 1 });
  expect(sectorsOf({ offsets: 28, bytes: 8, active: 1 })).toEqual({ sectors: 2, ideal: 1 });
  expect(wavefrontsOf({ offsets: 40, bytes: 4, active: 1 }, 'load')).toEqual({ wavefronts: 1, ideal: 1 });
  expect(wavefrontsOf({ offsets: 40, bytes: 8, active: ALL }, 'load')).toEqual({ wavefronts: 1, ideal: 1 });
  expect(wavefrontsOf({ offsets: 40, bytes: 8, active: ALL }, 'store')).toEqual({ wavefronts: 2, ideal: 2 });
  expect(wavefrontsOf({ offsets: 64, bytes: 16, active: 0xff }, 'load')).toEqual({ wavefronts: 1, ideal: 1 });
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
      const sample = new Sample({ shape, warp: 1, warps: 1, seed, budget: { left: 1000 } }, undefined);
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
  expect(
    offsetsWithin(memo, lanePartsOf(memo, far)!, new Sample({ shape, warp: 0, warps: 1, seed: 0, budget: { left: 1000 } }, undefined), 32),
  ).toBe(null);
});

/** `for (start; i < limit; i = step(i))`, and its variable inside and after it. */
function loopFrom(
  start: Form,
  limit: Form,
  step: (i: Form) => Form,
): { readonly loop: LoopShape; readonly inside: Form; readonly after: Form } {
  const loop = newLoop(1);
  loop.init.push(start);
  const traits = { lane: start.lane || limit.lane, block: false, data: false, unknown: false, symbolic: false };
  const inside = loopForm(loop, 0, traits);
  loop.next.push(step(inside));
  loop.condition = op('<', inside, limit);
  return { loop, inside, after: loopForm(loop, 0, traits, true) };
}

test('all warps at once have the values that each has by itself', () => {
  const x = thread(0);
  const linear = op('+', x, op('*', thread(1), symbol('blockDim.x', 'blockDim', { axis: 0 })));
  const doubling = loopFrom(op('+', linear, constant(1)), constant(400), (i) => op('*', i, constant(2)));
  const strided = loopFrom(x, constant(40), (i) => op('+', i, constant(7)));
  // Longer than is followed in the first warp; without an end where it starts at zero.
  const long = loopFrom(x, constant(70), (i) => op('+', i, constant(1)));
  const endless = loopFrom(thread(1), constant(8), (i) => op('*', i, constant(2)));
  const forms = [
    linear,
    op('%', linear, constant(12)),
    op('>>', op('*', linear, width), constant(3)),
    op('select', op('<', x, constant(5)), linear, width),
    op('min', linear, constant(50)),
    anything({ data: true, unknown: false }),
    anything({ data: true, unknown: false, address: op('/', linear, constant(4)) }),
    ...[doubling, strided, long, endless].flatMap(({ inside, after }) => [inside, op('-', after, x)]),
  ];
  for (const block of [
    [96, 1, 1],
    [12, 11, 2],
    [40, 1, 1],
  ] as const)
    for (const seed of [0, 1]) {
      const here: Shape = { block, grid: [undefined, undefined, undefined] };
      const warps = Math.ceil((block[0] * block[1] * block[2]) / LANES);
      const sampleOf = (warp: number, count: number, first?: Sample) =>
        new Sample({ shape: here, warp, warps: count, seed, budget: { left: 1e6 } }, first);
      const first = sampleOf(0, 1);
      const all = sampleOf(0, warps, first);
      for (let warp = 0; warp < warps; warp++) {
        const own = warp === 0 ? first : sampleOf(warp, 1, first);
        for (const form of forms)
          for (const inLoop of [undefined, doubling.loop, strided.loop]) {
            const value = (sample: Sample): LaneValues => (inLoop ? sample.at(inLoop, 3) : sample).value(form);
            for (let lane = 0; lane < LANES; lane++)
              expect(laneOf(value(all), all.placeOf(warp) * LANES + lane)).toBe(laneOf(value(own), lane));
          }
      }
    }
});
