/** Whatever is typed: nothing throws, every finding has a range inside the text, and edits lead where a fresh start leads. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding, Position } from '../../protocol/finding.ts';
import { root, theAnalyzer } from './open.ts';

const shared = join(root, '../shared');
const programs = [
  ...pagesExamples(),
  ...['reference', 'defects'].flatMap((folder) => (existsSync(join(shared, folder)) ? filesOf(join(shared, folder)) : [])),
];

function filesOf(folder: string): { name: string; text: string }[] {
  return readdirSync(folder)
    .filter((f) => f.endsWith('.cu'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** All examples of all pages, one program each. */
function pagesExamples(): { name: string; text: string }[] {
  const folder = join(root, 'docs/rules');
  return readdirSync(folder).map((name) => ({
    name,
    text: [...readFileSync(join(folder, name), 'utf8').matchAll(/```cuda\n([\s\S]*?)```/g)].map((m) => m[1]).join('\n'),
  }));
}

/** Offsets at which each program is cut off. All 200 take minutes: `CUTS=200 npx vitest run test/analyzers/robustness.test.ts`. */
const cuts = Number(process.env.CUTS ?? 25);

/** A fixed sequence of pseudo-random numbers. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

function checkRanges(text: string, findings: readonly Finding[]): void {
  const lines = text.split('\n');
  for (const { range, rule } of findings) {
    expect(range.start.line, rule).toBeLessThan(lines.length);
    expect(range.end.line, rule).toBeLessThan(lines.length);
    expect(range.start.column, rule).toBeLessThanOrEqual(lines[range.start.line].length);
    expect(range.end.line > range.start.line || range.end.column > range.start.column, `${rule} has an empty range`).toBe(true);
  }
}

describe('cut off anywhere', () => {
  test.each(programs)('$name', async ({ text }) => {
    const analyzer = await theAnalyzer();
    for (let cut = 0; cut < cuts; cut++) {
      const part = text.slice(0, Math.floor((text.length * cut) / cuts));
      const document = analyzer.open(part);
      checkRanges(part, document.findings());
      document.outline();
      document.hover({ line: 3, column: 4 });
      document.dispose();
    }
  });
});

test.each([
  ['binary bytes', '\0\u0001\ufffd'.repeat(500)],
  ['an unclosed everything', '__global__ void f(int* p) { if (p[{(['],
  ['deep nesting', `__global__ void f(int* p) { p[0] = ${'('.repeat(3000)}1${')'.repeat(3000)}; }`],
  ['nothing', ''],
])('%s', async (_, text) => {
  const document = (await theAnalyzer()).open(text);
  checkRanges(text, document.findings());
  document.dispose();
});

describe('edited anywhere', () => {
  test.each(programs.filter((_, i) => i % 3 === 0))('$name', async ({ text: start, name }) => {
    const analyzer = await theAnalyzer();
    const random = generator(name.length * 7919);
    const document = analyzer.open(start);
    let text = start;
    for (let step = 0; step < 40; step++) {
      const at = random(text.length + 1);
      const removed = random(3) === 0 ? random(30) : random(3);
      const inserted = [
        '',
        'x',
        ' ',
        '}',
        '{',
        ';',
        '/*',
        '*/',
        '"',
        '\n',
        '  int extra = threadIdx.x;\n',
        '#if 0\n',
        '#endif\n',
        '__global__ void more(int* p) { p[threadIdx.x * 2] = 1; }\n',
      ][random(14)];
      const end = Math.min(text.length, at + removed);
      document.edit([{ range: { start: positionIn(text, at), end: positionIn(text, end) }, text: inserted }]);
      text = text.slice(0, at) + inserted + text.slice(end);
      expect(document.text).toBe(text);
      const fresh = analyzer.open(text);
      expect(document.findings(), `after step ${step}`).toEqual(fresh.findings());
      fresh.dispose();
    }
    document.dispose();
  });
});

function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length - 1;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) };
}
