import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Def } from '../../analyzers/syntax/ast.ts';
import { declaredTypes } from '../../analyzers/syntax/declared-types.ts';
import { readDefinitions } from '../../analyzers/syntax/direct/definitions.ts';
import { closeSource, editSource, openSource, type Source } from '../../analyzers/syntax/source.ts';
import type { Token } from '../../analyzers/syntax/token.ts';
import { type Grammar, readNodes } from '../../analyzers/syntax/tree/grammar.ts';
import { newColumns, readWithCursor } from '../../analyzers/syntax/tree/nodes.ts';
import { definitionsByTree, dropTree, type TreeHolder } from '../../analyzers/syntax/tree/parse.ts';
import { definitionsOf, fixture, generator, loadTestGrammar } from './syntax-helpers.ts';

let grammar: Grammar;
beforeAll(async () => {
  grammar = await loadTestGrammar();
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
  const edited = definitionsOf(grammar, source);
  expect(source.items.map((i) => [i.start, i.length, i.kind])).toEqual(fresh.items.map((i) => [i.start, i.length, i.kind]));
  expect(edited).toEqual(definitionsOf(grammar, fresh));
  closeSource(fresh);
}

/** What tree-sitter says that the tokens define. */
function byTree(tokens: readonly Token[]): Def[] {
  const holder: TreeHolder = {};
  const defs = definitionsByTree(grammar, tokens, UNKNOWN, holder);
  dropTree(holder);
  return defs;
}

const UNKNOWN = { has: () => false };

/** Flags that are off say no more than flags that are not there. */
function withoutFlags(defs: readonly Def[] | undefined): unknown {
  const text = JSON.stringify(defs, (key, value) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value === false && (key === 'pack' || key === 'pointerToArray') ? undefined : value;
  });
  return text && JSON.parse(text);
}

describe('the direct reader', () => {
  const items = programs().flatMap((text) => openSource(text).items.filter((item) => item.kind === 'declaration'));

  test('says what tree-sitter says, of almost everything', () => {
    let read = 0;
    for (const { tokens } of items) {
      const defs = readDefinitions(tokens, UNKNOWN);
      if (!defs) continue;
      read++;
      expect(withoutFlags(defs)).toEqual(withoutFlags(byTree(tokens)));
    }
    expect(read / items.length).toBeGreaterThan(0.9);
  });

  test.each([
    'if (c) ok && f(x);',
    'if (c) ns::a && ns::f(b); else a * f(x);',
    'for (;;) x & y;',
    'if (c) unsigned(a);',
    'x = 1; throw;',
    'auto l = []{};',
    'if (a) if (b) f(); else g(); else h();',
    'do x++; while (x < 3); while (y) y--;',
    'switch (x) { case A::b: f(); case 2 ? 3 : 4: { g(); } default: h(); }',
    'if constexpr (c) { f(); } else if (int e = g(); e > 1) h();',
    'for (auto &[k, v] : map) for (int i = 0; i < n; i++) { }',
    'unsigned long long int a; int long b; long double c; signed char d; char unsigned e; unsigned __int128 f;',
    '*p >>= 1; (a) = (b) <<= 3; c ? a : b = 4;',
    'int t[] = {1, 2}; typedef float real; using T2 = T*;',
    'typedef float real; make<real[4]>(x);',
    'run([=](int i) { if (i) { f(i); } });',
    'FOR_EACH(i, n) { f(i); } g();',
    'k<<<grid, block>>>(a, b); asm("nop;"); ;;',
    'int half = n; half /= 2; int *const volatile p = q; int t[2]{1, 2};',
    '#pragma unroll 4\nfor (int i = 0; i < 4; i++) s += a[i];\n#pragma unroll\nwhile (c) f();',
  ])('reads %s', (body) => {
    const [{ tokens }] = openSource(`__device__ int outer(T x) {\n${body}\n}`).items;
    const defs = readDefinitions(tokens, UNKNOWN);
    expect(defs).toBeDefined();
    expect(withoutFlags(defs)).toEqual(withoutFlags(byTree(tokens)));
  });

  test.each([
    'int a = ;',
    'f(a b);',
    'if (a { }',
    'x = (a;',
    'for (int i = 0; i < n) f();',
    'a +* ;',
    'x = y z;',
    'k<<<1, 2>>(a);',
    'return 1 2;',
    'case;',
    'else f();',
    'while (c) a < b > c;',
    'T::~T();',
    'f(a, );',
    'x = f<int, >(a);',
    'int int a;',
    'char double a;',
    'unsigned float a;',
    'x = float int(a);',
    'x = (int *p) a;',
    'using T T = int;',
    'int [a] = b;',
    '[[likely]] { f(); };',
    '(f(a)) g(b);',
    'int i = a * b +\n x[i] = 1;',
    'y = -\n x[i] >>= 1;',
    'int typename i;',
    'float *static p;',
    'uint64_t = id;',
    'uint64_t += id;',
    'T a[] ();',
    'return 1, 2;',
    'static_assert c;',
    'namespace a b;',
  ])('leaves %s to tree-sitter', (body) => {
    const [{ tokens }] = openSource(`__device__ int outer(T x) {\n${body}\n}`).items;
    expect(readDefinitions(tokens, UNKNOWN)).toBeUndefined();
  });

  test.each([
    'int *const f(int a);',
    'void f(int (&a)[4]);',
    'void f(Matrix (*a)[4], int n);',
    'char *__restrict__ f();',
    '__global__ __launch_bounds__(sizeof(double)) unsigned int f();',
    'template <class T> const T *const &f(T *const *a) { return a; }',
  ])('reads %s', (text) => {
    const [{ tokens }] = openSource(text).items;
    const defs = readDefinitions(tokens, UNKNOWN);
    expect(defs).toMatchObject([{ d: 'function', name: 'f' }]);
    expect(withoutFlags(defs)).toEqual(withoutFlags(byTree(tokens)));
  });

  test.each(['out[i] = v;', 'void f(void (*g)());', 'void operator(int a) {}', 'int f(int a, ) {}', 'template <int N, > void f() {}'])(
    'leaves %s to tree-sitter',
    (text) => {
      expect(readDefinitions(openSource(text).items[0].tokens, UNKNOWN)).toBeUndefined();
    },
  );

  test.each([
    ['x = (', ')'],
    ['{', '}'],
    ['x = a[', ']'],
    ['! ', ''],
    ['sizeof ', ''],
    ['delete ', ''],
    ['a = ', ''],
    ['a ? b : ', ''],
    ['a ? ', ' : b'],
    ['[](int a = ', ') {}'],
    ['sizeof(A<', '>*)'],
    ['label: ', ';'],
    ['if (a) b; else ', ';'],
    ['', '[0]'],
    ['', ' + 1'],
    ['', ', a'],
    ['', '.a'],
  ])('leaves %j … %j to tree-sitter without end', (open, close) => {
    const times = 20_000;
    const text = `int f() { ${open.repeat(times)}a${close.repeat(times)}; }`;
    expect(readDefinitions(openSource(text).items[0].tokens, UNKNOWN)).toBeUndefined();
  });

  test.each([
    ['typedef struct {', ''],
    ['typedef struct { ', '} a '],
    ['typedef ( ', ') a '],
    ['struct alignas(', ''],
    ['struct alignas(', ')'],
  ])('looks for the types that %j … %j declares in one pass', (open, close) => {
    const times = 40_000;
    const { tokens } = openSource(`void f() { ${open.repeat(times)}${close.repeat(times)}`).items[0];
    const start = performance.now();
    readDefinitions(tokens, UNKNOWN);
    expect(performance.now() - start).toBeLessThan(1000);
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

  test('looks at what stands in template arguments but once', () => {
    const depth = 16;
    const nested = `int f() { return ${'sizeof(A<'.repeat(depth)}1${'>*)'.repeat(depth)}; }`;
    const inARow = `int f() { ${'f<(a < b)>(c); '.repeat(10_000)} }`;
    for (const text of [nested, inARow]) {
      const start = performance.now();
      expect(readDefinitions(openSource(text).items[0].tokens, UNKNOWN)).toBeDefined();
      expect(performance.now() - start).toBeLessThan(1000);
    }
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
      if (i % 2 === 0) definitionsOf(grammar, source);
      if (i % 5 === 0) expectFresh(source);
    }
    expectFresh(source);
    closeSource(source);
  });

  test('inside one kernel keep all other items and what is cached for them', () => {
    const before = openSource(fixture('mixed.cu'));
    definitionsOf(grammar, before);
    const at = before.text.indexOf('(int)threadIdx.y');
    const halfTyped = editSource(before, at, at, '1 + (');
    definitionsOf(grammar, halfTyped);
    const after = editSource(halfTyped, at, at, '2 + ');
    const changed = after.items.filter((item) => !halfTyped.items.includes(item));
    expect(changed.map((item) => after.text.slice(item.start).slice(0, 10))).toEqual(['extern "C"']);
    // The new item has taken the tree of the old one over, to be parsed incrementally.
    expect(changed[0].parsed?.text).toContain('1+((int)a.a');
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
      expect(() => definitionsOf(grammar, source)).not.toThrow();
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
    const names = definitionsOf(grammar, source)
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
    expect(definitionsOf(grammar, openSource(text)).flat()).toHaveLength(definitions);
  });

  test('deep nesting ends in unknown nodes, not in a full stack', () => {
    const nested = (open: string, close: string) => `void f() { x = ${open.repeat(5000)}1${close.repeat(5000)}; }`;
    for (const text of [nested('(', ')'), nested('-', ''), nested('f(', ')'), `void f() { x = 1${' + 1'.repeat(20000)}; }`])
      expect(definitionsOf(grammar, openSource(text)).flat()).toHaveLength(1);
    const blocks = `void f() ${'{ if (a) '.repeat(3000)};${'}'.repeat(3000)}`;
    expect(definitionsOf(grammar, openSource(blocks)).flat()).toHaveLength(1);
    const chain = `void f() { ${'if (a) b; else '.repeat(3000)}c; }`;
    expect(definitionsOf(grammar, openSource(chain)).flat()).toHaveLength(1);
  });

  test('a file of one megabyte', () => {
    const kernel = fixture('mixed.cu').replace(/#[^\n]*(?:\\\n[^\n]*)*/g, '');
    const text = kernel.repeat(Math.ceil(1_000_000 / kernel.length));
    const source = openSource(text);
    const defs = definitionsOf(grammar, source);
    expect(defs.flat().filter((d) => d.d === 'function' && d.name === 'smooth')).toHaveLength(Math.ceil(1_000_000 / kernel.length));
    closeSource(source);
  });
});

test('trees read out of memory equal those read with a cursor', () => {
  expect(grammar.memory, 'the layout of trees in memory is not what subtrees.ts describes').toBeDefined();
  const below = generator(7);
  for (let i = 0; i < 60; i++) {
    const text = fixture('mixed.cu');
    const at = below(text.length);
    const tree = grammar.parser.parse(text.slice(0, at) + PIECES[below(PIECES.length)] + text.slice(at + below(20)))!;
    const columns = newColumns(grammar.numbering);
    readWithCursor(tree, columns);
    const expected = columns.nodes();
    const read = readNodes(tree, grammar);
    const count = expected.after[0];
    expect(read.after[0]).toBe(count);
    for (const key of ['kind', 'field', 'start', 'end', 'after'] as const)
      expect(read[key].subarray(0, count)).toEqual(expected[key].subarray(0, count));
    tree.delete();
  }
});
