/** Whatever is typed: nothing throws, every finding has a range inside the text, and edits lead where a fresh start leads. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cutProblems, editProblems, rangeProblems } from '../analyzers/mistreat.ts';
import { root, theAnalyzer } from '../analyzers/open.ts';
import { fixtures, pagesExamples, sourcesIn } from '../analyzers/sources.ts';

const programs = [
  ...fixtures(),
  ...pagesExamples(),
  ...['reference', 'defects'].flatMap((folder) => sourcesIn(join(root, 'test/fixtures', folder))),
];

test.each(programs)('$name: cut off at 200 places', async ({ text }) => {
  expect(cutProblems(await theAnalyzer(), text, { cuts: 200, fresh: 3 })).toEqual([]);
});

test.each(programs)('$name: edited anywhere', async ({ text, name }) => {
  expect(editProblems(await theAnalyzer(), text, { steps: 24, seed: name.length * 7919 + text.length, every: 6 })).toEqual([]);
});

describe('odd texts', () => {
  test.each([
    ['binary bytes', '\0\u0001\ufffd'.repeat(500)],
    ['an unclosed everything', '__global__ void f(int* p) { if (p[{(['],
    ['deep nesting', `__global__ void f(int* p) { p[0] = ${'('.repeat(3000)}1${')'.repeat(3000)}; }`],
    ['nothing', ''],
  ])('%s', async (_, text) => {
    const document = (await theAnalyzer()).open(text);
    expect(rangeProblems(text, document.findings())).toEqual([]);
    document.dispose();
  });
});

test('what a finding that leaves its text looks like', () => {
  const at = (line: number, column: number, endColumn: number) => ({ start: { line, column }, end: { line, column: endColumn } });
  const finding = { rule: 'r', severity: 'hint', message: '', related: [], fixes: [] } as const;
  expect(rangeProblems('ab\ncd', [{ ...finding, range: at(1, 0, 2) }])).toEqual([]);
  expect(rangeProblems('ab\ncd', [{ ...finding, range: at(1, 1, 3) }])).toEqual(['r at 2:2 leaves the text']);
  expect(rangeProblems('ab\ncd', [{ ...finding, range: at(0, 1, 1) }])).toEqual(['r at 1:2 has an empty range']);
});
