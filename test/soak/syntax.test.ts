import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { declaredTypes } from '../../analyzers/syntax/declared-types.ts';
import { closeSource, editSource, openSource, type Source } from '../../analyzers/syntax/source.ts';
import type { Grammars } from '../../analyzers/syntax/tree/grammar.ts';
import { definitionsOf, fixture, generator, loadTestGrammars } from '../analyzers/syntax-helpers.ts';

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadTestGrammars();
});

const PIECES = [
  'a',
  '1',
  ';',
  ' + b',
  '(',
  ')',
  '{',
  '}',
  ' = 3',
  '*',
  '<',
  '>',
  ',',
  'x[i]',
  'if (a) b;',
  '.',
  '\n',
  '"',
  '->',
  '&',
  '#if 0\n',
  '/*',
  '// c\n',
  'ü',
];

/** All programs among the fixtures. */
function programs(): string[] {
  const folder = new URL('../fixtures/', import.meta.url);
  const names = readdirSync(folder, { recursive: true }) as string[];
  return names.filter((name) => name.endsWith('.cu')).map((name) => readFileSync(new URL(name, folder), 'utf8'));
}

/** The edited source must read as if its text had been opened, item by item. */
function expectFresh(source: Source): void {
  const fresh = openSource(source.text);
  const edited = definitionsOf(grammars, source);
  expect(source.items.map((i) => [i.start, i.length, i.kind])).toEqual(fresh.items.map((i) => [i.start, i.length, i.kind]));
  expect(edited).toEqual(definitionsOf(grammars, fresh));
  closeSource(fresh);
}

describe('names of types', () => {
  test.each([
    ['typedef struct {', ''],
    ['typedef struct { ', '} a '],
    ['typedef ( ', ') a '],
    ['struct alignas(', ''],
    ['struct alignas(', ')'],
  ])('the types that %j … %j declares are found in one pass', (open, close) => {
    const times = 40_000;
    const { tokens } = openSource(`void f() { ${open.repeat(times)}${close.repeat(times)}`).items[0];
    // Looking at all that follows for each would take minutes.
    expect(declaredTypes(tokens).size).toBeLessThanOrEqual(1);
  });

  test.each([
    ['typedef struct { int x; } A; struct alignas(16) B { int y; };', ['A', 'B']],
    ['typedef struct { typedef int A; } (*f)(int); typedef int B[4]; typedef float C', ['A', 'C']],
    ['struct S { typedef int A } template <typename... B, class C> struct D; using E = int;', ['S', 'A', 'B', 'C', 'D', 'E']],
    ['struct stat s; enum class F { a }; typename T::type x; struct alignas G {};', ['F', 'G']],
    ['typedef struct { struct __align__( H', []],
  ])('%s declares types', (text, names) => {
    const tokens = openSource(text).items.flatMap((item) => item.tokens);
    expect([...declaredTypes(tokens)].sort()).toEqual([...names].sort());
  });
});

describe('edits', () => {
  test.each([1, 2, 3, 4, 5, 6])('random ones (%i) read as a fresh parse', (seed) => {
    const below = generator(seed);
    let source = openSource(fixture('mixed.cu'));
    for (let i = 0; i < 40; i++) {
      const start = below(source.text.length);
      const end = below(3) > 0 ? start : Math.min(source.text.length, start + below(30));
      source = editSource(source, start, end, PIECES[below(PIECES.length)]);
      if (i % 2 === 0) definitionsOf(grammars, source);
      if (i % 5 === 0) expectFresh(source);
    }
    expectFresh(source);
    closeSource(source);
  });

  test('inside one kernel keep all other items and what is cached for them', () => {
    const before = openSource(fixture('mixed.cu'));
    definitionsOf(grammars, before);
    const at = before.text.indexOf('(int)threadIdx.y');
    const halfTyped = editSource(before, at, at, '1 + (');
    definitionsOf(grammars, halfTyped);
    const after = editSource(halfTyped, at, at, '2 + ');
    const changed = after.items.filter((item) => !halfTyped.items.includes(item));
    expect(changed.map((item) => after.text.slice(item.start).slice(0, 10))).toEqual(['extern "C"']);
    // The new item has taken the tree of the old one over, to be parsed incrementally.
    expect(changed[0].parsed?.text).toContain('1+((int)a . a');
    expectFresh(after);
    closeSource(after);
    expect(after.items.every((item) => item.parsed === undefined)).toBe(true);
  });

  test('that add a line above move items without touching them', () => {
    const before = openSource(fixture('mixed.cu'));
    const after = editSource(before, 0, 0, '#include <vector>\n');
    expect(after.items.filter((item) => before.items.includes(item))).toHaveLength(before.items.length);
    expectFresh(after);
  });
});

describe('broken text', () => {
  test('every truncation is read', () => {
    const text = fixture('mixed.cu');
    for (let i = 0; i <= 200; i++) {
      const source = openSource(text.slice(0, Math.floor((text.length * i) / 200)));
      expect(() => definitionsOf(grammars, source)).not.toThrow();
      closeSource(source);
    }
  });

  test('what an item mentions is what its tokens say', () => {
    const half = [
      'void a() { k<<<1, 2>>>(b, b); \nstatic __global__ void k(int b) { c',
      '<<< a;',
      'void a() {\n#ifdef B\n b(a);\n#endif\n}',
      '// only',
    ];
    for (const text of [...programs(), ...half]) {
      for (const { tokens, names, launches, directives } of openSource(text).items) {
        expect([...new Set(names)]).toEqual([...new Set(tokens.filter((t) => t.kind === 'name').map((t) => t.text))]);
        expect(launches).toBe(tokens.some((t) => t.text === '<<<'));
        expect(directives).toBe(tokens.some((t) => t.kind === 'directive'));
      }
    }
  });

  test('a missing brace costs one kernel, not the next', () => {
    const source = openSource('__global__ void a(int *p) { if (p[0]) { p[0] = 1; \n__global__ void b(int *p) { p[1] = 2; }');
    const names = definitionsOf(grammars, source)
      .flat()
      .map((d) => (d.d === 'function' ? d.name : d.d));
    expect(names).toEqual(['a', 'b']);
  });

  test.each([
    ['', 0],
    ['\n\n', 0],
    ['}', 0],
    ['template <', 0],
    ['void f(', 1],
    ['struct', 0],
    [')))', 0],
  ])('%j', (text, definitions) => {
    expect(definitionsOf(grammars, openSource(text)).flat()).toHaveLength(definitions);
  });

  test('deep nesting ends in unknown nodes, not in a full stack', () => {
    const nested = (open: string, close: string) => `void f() { x = ${open.repeat(5000)}1${close.repeat(5000)}; }`;
    for (const text of [nested('(', ')'), nested('-', ''), nested('f(', ')'), `void f() { x = 1${' + 1'.repeat(20000)}; }`])
      expect(definitionsOf(grammars, openSource(text)).flat()).toHaveLength(1);
    const blocks = `void f() ${'{ if (a) '.repeat(3000)};${'}'.repeat(3000)}`;
    expect(definitionsOf(grammars, openSource(blocks)).flat()).toHaveLength(1);
    const chain = `void f() { ${'if (a) b; else '.repeat(3000)}c; }`;
    expect(definitionsOf(grammars, openSource(chain)).flat()).toHaveLength(1);
  });

  test('a file of one megabyte', () => {
    const kernel = fixture('mixed.cu').replace(/#[^\n]*(?:\\\n[^\n]*)*/g, '');
    const text = kernel.repeat(Math.ceil(1_000_000 / kernel.length));
    const source = openSource(text);
    const defs = definitionsOf(grammars, source);
    expect(defs.flat().filter((d) => d.d === 'function' && d.name === 'smooth')).toHaveLength(Math.ceil(1_000_000 / kernel.length));
    closeSource(source);
  });
});
