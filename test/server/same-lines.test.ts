/** Which line of the text that ran before a line was. */
import { expect, it } from 'vitest';
import { sameLines } from '../../server/same-lines.ts';

function places(now: string, before: string): (number | undefined)[] {
  const same = sameLines(now.split(' '), before.split(' '));
  return now.split(' ').map((_, line) => same(line));
}

it('finds lines around what was changed, and those that were changed in their places', () => {
  expect(places('a b c', 'a b c')).toEqual([0, 1, 2]);
  expect(places('a x c', 'a b c')).toEqual([0, 1, 2]);
  expect(places('new a b', 'a b')).toEqual([undefined, 0, 1]);
  expect(places('b', 'a b')).toEqual([1]);
  expect(places('', '')).toEqual([0]);
});

it('finds lines between several changes by their text, unless others are like them', () => {
  expect(places('a x y m n c', 'a b m d c')).toEqual([0, undefined, undefined, 2, undefined, 4]);
  expect(places('a x y m c', 'a m b m d e c')).toEqual([0, undefined, undefined, undefined, 6]);
  expect(places('a a', 'a')).toEqual([0, undefined]);
});
