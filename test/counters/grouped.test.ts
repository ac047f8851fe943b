/** Numbers as readers of a language write them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { placed } from '../../client/line-ends.ts';
import { grouped } from '../../counters/grouped.ts';
import { speak } from '../../counters/spoken.ts';

afterEach(() => speak({}));

it('have a sign between thousands that nobody takes for a decimal point', () => {
  expect([grouped(1_234_567), grouped(999), grouped(2.345), grouped(0)]).toEqual(['1,234,567', '999', '2.35', '0']);
  speak(JSON.parse(readFileSync(join(import.meta.dirname, '../../l10n/bundle.l10n.fr.json'), 'utf8')));
  expect(grouped(1_234_567)).toBe('1\u202f234\u202f567');
  const text = `${grouped(15_872)} branches divergentes`;
  expect(placed([{ line: 4, text }], () => 32, 57).get(4)?.text).toBe('15\u202f872 branches');
});
