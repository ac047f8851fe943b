/** Files that are mostly zeros, on their way between threads. */
import { expect, it } from 'vitest';
import { resized } from '../../simulator/toolchain/file-tree.ts';
import { isZero, pack, unpack } from '../../simulator/toolchain/sparse-bytes.ts';

const PLACES = [0, 1, 65_535, 65_536, 5_000_001, 7_340_031, 9_999_999];

it('come back as they were, and only what is not zero goes', () => {
  const bytes = new Uint8Array(10_000_000);
  for (const place of PLACES) bytes[place] = 1 + (place % 255);
  const packed = pack(bytes);
  expect(packed.pieces.reduce((sum, [, { length }]) => sum + length, 0)).toBeLessThan(8 * 65_536);
  expect(Buffer.compare(unpack(packed), bytes)).toBe(0);
  expect(Buffer.compare(unpack(pack(new Uint8Array(5_000_000))), new Uint8Array(5_000_000))).toBe(0);
  const small = Uint8Array.of(0, 0, 7);
  expect(unpack(pack(small.subarray(1)))).toEqual(Uint8Array.of(0, 7));
});

it('are looked at byte by byte, wherever they begin', () => {
  const bytes = new Uint8Array(64);
  for (let place = 0; place < 64; place++) {
    bytes.fill(0)[place] = 128;
    for (const start of [0, 1, 2, 3, 5]) expect([place, start, isZero(bytes.subarray(start))]).toEqual([place, start, place < start]);
  }
});

it('grow without losing what they have', () => {
  let data: Uint8Array = Uint8Array.of(1, 2, 3);
  for (const length of [1000, 100_000, 20_000_000, 30_000_000, 40_000_000]) {
    data = resized(data, length);
    data[length - 1] = 9;
    expect([data.length, data[0], data[2], data[length - 2], data[length - 1]]).toEqual([length, 1, 3, 0, 9]);
  }
  expect([data[999], data[99_999], data[19_999_999]]).toEqual([9, 9, 9]);
});
