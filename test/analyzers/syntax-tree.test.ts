import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Def, FunctionDef, TypeRef } from '../../analyzers/syntax/ast.ts';
import { GRAMMAR_WORDS } from '../../analyzers/syntax/names.ts';
import { tokenize } from '../../analyzers/syntax/preprocess.ts';
import { dialectOf, editSource, openSource } from '../../analyzers/syntax/source.ts';
import type { Grammars } from '../../analyzers/syntax/tree/grammar.ts';
import { type KindName, WITHOUT_FIELDS } from '../../analyzers/syntax/tree/kinds.ts';
import { definitionsOf, fixture, loadTestGrammars, print, printStmt, printType } from './syntax-helpers.ts';

let grammars: Grammars;
beforeAll(async () => {
  grammars = await loadTestGrammars();
});

function defsIn(text: string): Def[] {
  return definitionsOf(grammars, openSource(text)).flat();
}

function functionIn(text: string): FunctionDef {
  const def = defsIn(text).find((d) => d.d === 'function');
  if (def?.d !== 'function') throw new Error(`No function in ${text}`);
  return def;
}

/** What a statement in a function reads as. */
function statement(text: string): string {
  const { body } = functionIn(`void f() {\n${text} }`);
  return body?.k === 'block' ? body.body.map(printStmt).join(' ') : '';
}

const printedCalls = 'f(a); ns::g<4>(a, f(b)); (a[i] = (b[j] = 1)); (a[i][j] += f(a[k])); (a[i].x++);';

test('`<< <` is one token in a launch and two behind `operator`', () => {
  const texts = (text: string) => tokenize(text).map((token) => token.text);
  expect(texts('k << /* */ <1')).toEqual(['k', '<<<', '1']);
  expect(texts('operator<< <int>')).toEqual(['operator', '<<', '<', 'int', '>']);
  expect(texts('a <<\n< << <= << << b')).toEqual(['a', '<<', '<', '<<', '<=', '<<', '<<', 'b']);
});

describe('expressions', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a + b * c - d;', '((a + (b * c)) - d);'],
    ['a = b += c ? d : e, f;', '((a = (b += (c ? d : e))) , f);'],
    ['x = ~n++;', '(x = (~(n++)));'],
    ['*p++ = -q->r.s[3];', '((*(p++)) = (-q->r.s[3]));'],
    ['a >> 2 >= b;', '((a >> 2) >= b);'],
    ['f(1u, 2.5f, 0x10, 1\'000, \'c\', "a" "b", true, 010);', 'f(1u, 2.5f, 16, 1000, 99\', "ab", true, 8);'],
    ['f(0xfffffffffffff, 0XfF, 0xFFFFFFFFu, 0, 999999999999999);', 'f(4503599627370495, 255, 4294967295u, 0, 999999999999999);'],
    ['x = (i) + (j);', '(x = (i + j));'],
    ['x = (a[i]) * 4 - (f(b)) * 5;', '(x = ((a[i] * 4) - (f(b) * 5)));'],
    ['x = (n * (m)) - 1;', '(x = ((n * m) - 1));'],
    ['x = (long long)(std::numeric_limits<int>::max()) + 1LL;', '(x = (c<long long>(std::numeric_limits::max<int>()) + 1ll));'],
    ['x = (f<3>(a)) * 2 - (b.c[1])->d;', '(x = ((f<3>(a) * 2) - b.c[1]->d));'],
    ['x = (float)(i) - (j) * (k);', '(x = (c<float>(i) - (j * k)));'],
    ['x = (T)-y;', '(x = c<T>((-y)));'],
    ['x = (T)(y) * (float)z;', '(x = (c<T>(y) * c<float>(z)));'],
    ['x = (T)&y;', '(x = c<T>((&y)));'],
    ['p = (const float4 *)q + 1;', '(p = (c<const float4*>(q) + 1));'],
    ['x = T(3) + float(n);', '(x = (T(3) + float(n)));'],
    ['x = static_cast<int>(y) & 3;', '(x = (static_cast<int>(y) & 3));'],
    ['x = a < b && c > (d);', '(x = ((a < b) && (c > d)));'],
    ['x = f<3>(y) + g<T, N * 2>(z);', '(x = (f<3>(y) + g<T, (N * 2)>(z)));'],
    ['x = ns::g<int>::h(1);', '(x = ns::g::h<int>(1));'],
    ['k<N><<<grid, dim3(3, 4), 0, s>>>(a);', 'k<N><<<grid, dim3(3, 4), 0, s>>>(a);'],
    ['k << <1, 1 >> > (a);', 'k<<<1, 1>>>(a);'],
    ['k<< <n >> 1, (m >> 2)>> >(a), k<< /* */ <1, 2 >>\n // end\n > (b);', '(k<<<(n >> 1), (m >> 2)>>>(a) , k<<<1, 2>>>(b));'],
    ['k<N> << <1, T<T<T<int>> >(3) >> > (a); x = 1 << 2 >> 3;', 'k<N><<<1, T<T<T<int>>>(3)>>>(a); (x = ((1 << 2) >> 3));'],
    ['x = sizeof(T) * n + sizeof(a[0]) + sizeof a;', '(x = (((sizeof(T) * n) + sizeof(a[0])) + sizeof(a)));'],
    ['p = new float*[n]; q = new (where) Tile<int>(3);', '(p = new float*[n]()); (q = new Tile<int>(3));'],
    ['x = T{1, 2}; y = (float2){3, 4};', '(x = T{1, 2}); (y = c<float2>({3, 4}));'],
    ['m(i, j) = 0;', '(m(i, j) = 0);'],
    ['o.template get<3>(x);', 'o.get<3>(x);'],
    ['call([=] __device__ (int x) { return x; });', 'call(device lambda(int x) { return x; });'],
    ['call([&](T x) { });', 'call(lambda(T x) {  });'],
    ['x = a -1 + -2 - - 3 - 1.5f . y;', '(x = ((((a - 1) + (-2)) - (-3)) - 1.5f.y));'],
    ['f(a); ns::g<4>(a, f(b)); a[i] = b[j] = 1; a[i][j] += f(a[k]); a[i].x++;', printedCalls],
    ['x and_eq a or not b; CHECK(f(a)) or c;', '(x &= (a || (!b))); (CHECK(f(a)) || c);'],
    ['f(a).b = c; f(a)[3] = c; f(a), g(b);', '(f(a).b = c); (f(a)[3] = c); (f(a) , g(b));'],
  ];
  test.each(cases)('%s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });
});

describe('statements', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['int a = 1, *b = &a, c[3][4] = {{1}};', 'int a = 1, int* b = (&a), int[3][4] c = {{1}};'],
    ['dim3 grid(n, m); dim3 g(n * m, f(a)), h(3);', 'dim3 grid(n, m); dim3 g((n * m), f(a)), dim3 h(3);'],
    ['T x{1}; T y(2);', 'T x(1); T y(2);'],
    ['float (*rows)[32] = tile; int (&r)[4] = x;', 'float(*)[32] rows = tile; int&[4] r = x;'],
    ['void (*callback)(int) = g;', 'function* callback = g;'],
    ['unsigned long long a; unsigned b; const struct S *s;', 'unsigned long long a; unsigned int b; const struct S* s;'],
    ['auto [a, b] = f();', 'auto [a, b] = f();'],
    ['__shared__ __align__(16) float s[2];', '__shared__ float[2] s;'],
    ['if (a) b; else if (c) { d; } else e;', 'if a b; else if c { d; } else e;'],
    ['if (a && b) c;', 'if (a && b) c;'],
    ['if (int k = f(); k > 2) g();', 'if int k = f(); (k > 2) g();'],
    ['for (int i = 0, j; i < n; i += 2, j++) x;', 'for (int i = 0, int j; (i < n); ((i += 2) , (j++))) x;'],
    ['for (a[0] = 1; f(a); a[0]++) a[1] = 2;', 'for ((a[0] = 1); f(a); (a[0]++)) (a[1] = 2);'],
    ['if (a) f(b); else a[1] = 2; do f(b); while (f(c)); return a[3];', 'if a f(b); else (a[1] = 2); do f(b); while f(c) return a[3];'],
    [
      'CHECK(f(a)) b = 1; CHECK(f(a)) CHECK(g(b)) if (c) d; { CHECK(h()) }',
      'CHECK(f(a)); (b = 1); CHECK(f(a)); CHECK(g(b)); if c d; { CHECK(h()); }',
    ],
    ['struct L { L(int a); int b; void f(int c) { g(c); } }; f(x);', 'aggregate; f(x);'],
    ['static __const__ float table[] = {1, 2};', 'static __const__ float[] table = {1, 2};'],
    ['for (;;) break;', 'for ( ; ) break;'],
    ['for (auto &v : list) continue;', 'for (auto& v : list) continue;'],
    ['do { x++; } while (x < 3);', 'do { (x++); } while (x < 3)'],
    ['switch (n) { case 1: a; case 2: break; default: b; }', 'switch n { case 1: a; case 2: break; default: b; }'],
    ['again: x; goto again;', 'empty; x; goto;'],
    ['asm volatile("bar" ::: "memory");', 'asm;'],
    ['try { a; } catch (...) { b; }', '{ a; } empty;'],
    ['delete[] p; throw f(1);', '(deletep); f(1);'],
    ['struct L { int a; } l;', '{ aggregate; L l; }'],
    ['using X = int; typedef float Y;', 'alias; alias;'],
    ['#pragma unroll\n for (int i = 0; i < 4; i++) x;\n', 'unrolled for (int i = 0; (i < 4); (i++)) x;'],
  ];
  test.each(cases)('%s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });
});

/** Statements that the grammar, which knows no names, reads in another way than the compiler, or not at all. */
describe('ambiguities', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['if (c) ns::a && ns::f(b); else a * f(x);', 'if c (ns::a && ns::f(b)); else (a * f(x));'],
    ['if (c) unsigned(a); for (;;) x & y;', 'if c unsigned int(a); for ( ; ) (x & y);'],
    ['*p >>= 1; (a) = (b) <<= 3; c ? a : b = 4;', '((*p) >>= 1); (a = (b <<= 3)); (c ? a : (b = 4));'],
    ['if (a) if (b) f(); else g(); else h();', 'if a if b f(); else g(); else h();'],
    [
      'switch (x) { case A::b: f(); case 2 ? 3 : 4: { g(); } default: h(); }',
      'switch x { case A::b: f(); case (2 ? 3 : 4): { g(); } default: h(); }',
    ],
    ['if constexpr (c) { f(); } else if (int e = g(); e > 1) h();', 'if c { f(); } else if int e = g(); (e > 1) h();'],
    [
      'unsigned long long int a; int long b; char unsigned c; unsigned __int128 d;',
      'unsigned long long a; long b; unsigned char c; unsigned __int128 d;',
    ],
    [
      'int half = n; half /= 2; int *const volatile p = q; int t[2]{1, 2};',
      'int half = n; (half /= 2); const-pointer volatile int* p = q; int[2] t(1, 2);',
    ],
    ['typedef float real; make<real[4]>(x); FOR_EACH(i, n) { f(i); } g();', 'alias; make<real[4]>(x); { f(i); } g();'],
    ['x = sizeof(struct S) + sizeof(typename T::U);', '(x = (sizeof(struct S) + sizeof(typename T::U)));'],
    ['p = new const T*[n]; delete[] (p);', '(p = new const T*[n]()); (deletep);'],
    ['T **p(a + b); const T *q(a + 1), r(2); T *f(int);', 'T** p((a + b)); const T* q((a + 1)), const T r(2); T* f(int);'],
    ['for (T *p(a + 1); p < b; ++p) c;', 'for (T* p((a + 1)); (p < b); (++p)) c;'],
    ['unsigned x(popc(a &= b)); T y(n, m), z(a);', 'unsigned int x(popc((a &= b))); T y(n, m), T z(a);'],
    ['printf("%" PRIu64 "\\n", a);', 'printf("%PRIu64\\\\n", a);'],
    ['m(i) = 0; m(i) += 0;', '(m(i) = 0); (m(i) += 0);'],
  ];
  test.each(cases)('%s', (text, expected) => {
    expect(statement(text)).toBe(expected);
  });

  test('a template argument is kept as a type and as a value where it may be either, and else as what it is', () => {
    const { body } = functionIn('void f() { V<V<T>, n> a; V<f(T)> b; V<T(int)> c; V<4> d; V<V<T>, V<V<T>, n>> e{}; }');
    const kinds = (args: TypeRef['targs']): unknown =>
      args?.map((a) => [...(a.type ? ['type', kinds(a.type.targs)] : []), ...(a.value ? [a.value.k] : [])].filter(Boolean));
    const found = body?.k === 'block' ? body.body.map((s) => (s.k === 'decl' ? kinds(s.decls[0].type.targs) : s.k)) : [];
    const name = ['type', 'name'];
    expect(found).toEqual([
      [['type', [name], 'name'], name],
      [['call']],
      [['type']],
      [['number']],
      [
        ['type', [name], 'name'],
        ['type', [['type', [name], 'name'], name], 'name'],
      ],
    ]);
  });

  test('specifiers stand in any order', () => {
    const [def] = defsIn(
      'template <class T> struct S { __host__ inline constexpr explicit S(T a) {} template <class O> inline friend O &g(O &o) { return o; } };',
    );
    if (def.d !== 'aggregate') throw new Error(def.d);
    expect(def.methods.map(({ name, quals, returns }) => [name, quals.join(' '), printType(returns)])).toEqual([
      ['S', '__host__ inline constexpr explicit', '__host__ inline constexpr explicit S'],
      ['g', 'inline friend', 'inline friend O&'],
    ]);
  });

  test('parameters without a name have defaults', () => {
    const def = functionIn('template <class T, typename E<T>::type * = nullptr> void f(int * = nullptr, T = 3) {}');
    expect(def.templates.map(({ name, type }) => [name, type && printType(type)])).toEqual([
      ['T', undefined],
      ['', 'typename E::type<T>*'],
    ]);
    expect(def.params.map(({ name, type }) => [name, printType(type)])).toEqual([
      [undefined, 'int*'],
      [undefined, 'T'],
    ]);
  });
});

describe('plain C++', () => {
  const shape = (text: string, dialect?: 'cpp') =>
    definitionsOf(grammars, openSource(text, dialect))
      .flat()
      .map((d) => (d.d === 'function' && d.body ? printStmt(d.body) : d.d));

  test('reads like CUDA', () => {
    const text = 'inline T f(T a) { for (int i = 0; i < 4; i++) a += g<3>(a)[i]; return {a}; } struct S { int x; }; constexpr int n = 4;';
    expect(shape(text, 'cpp')).toEqual(shape(text));
    expect(shape(text, 'cpp')).not.toEqual([]);
  });

  test.each(['__device__ T f(T a) { return a; }', 'void f() { k<<<1, n>>>(a); }', '__constant__ int n[3];'])(
    'may turn out to be CUDA: %s',
    (text) => {
      expect(shape(text, 'cpp')).toEqual(shape(text));
      expect(JSON.stringify(shape(text, 'cpp'))).not.toContain('unknown');
    },
  );

  test.each([
    ['a/b.cu', 'cuda'],
    ['b.cuh', 'cuda'],
    ['b.H', 'cpp'],
    ['b.hpp', 'cpp'],
    ['b.cu.cpp', 'cpp'],
    ['b', 'cuda'],
  ])('%s is %s', (path, dialect) => {
    expect(dialectOf(path)).toBe(dialect);
  });
});

test.each(['cuda', 'cpp'])('every word of the grammar of %s is known', (name) => {
  const grammar = readFileSync(`node_modules/tree-sitter-${name}/src/grammar.json`, 'utf8');
  const words = [...grammar.matchAll(/"type": "STRING",\s*"value": "([A-Za-z_]\w*)"/g)].map(([, word]) => word);
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word) => !GRAMMAR_WORDS.has(word))).toEqual([]);
});

test.each(['cuda', 'cpp'])('nodes of %s whose children are not asked for a field have none', (name) => {
  const types = JSON.parse(readFileSync(`node_modules/tree-sitter-${name}/src/node-types.json`, 'utf8')) as NodeType[];
  const withFields = types.filter(({ type, fields = {} }) => WITHOUT_FIELDS.includes(type as KindName) && Object.keys(fields).length > 0);
  expect(withFields.map(({ type, fields }) => [type, fields])).toEqual([]);
});

interface NodeType {
  readonly type: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

describe('definitions', () => {
  test('a kernel', () => {
    const text =
      'template <class T, int N = 4> static __global__ void __launch_bounds__(256, 2) k(const T *__restrict__ a, float (&b)[4], int n = 3) {}';
    const def = functionIn(text);
    expect(def).toMatchObject({ name: 'k', quals: ['static', '__global__'], start: 0, end: text.length });
    expect(text.slice(def.nameStart, def.nameEnd)).toBe('k');
    expect(def.templates.map((t) => `${t.kind} ${t.name}`)).toEqual(['type T', 'value N']);
    expect(def.params.map((p) => `${p.name}: ${printType(p.type)}`)).toEqual(['a: const __restrict__ T*', 'b: float&[4]', 'n: int']);
    expect(def.launchBounds?.map(print)).toEqual(['256', '2']);
  });

  test('behind a byte order mark', () => {
    expect(functionIn('\ufeffvoid f(int a) {}')).toMatchObject({ name: 'f', start: 0 });
  });

  test('an explicit specialisation', () => {
    expect(functionIn('template <> __global__ void f<3>(int) {}').specialised?.map((a) => a.value && print(a.value))).toEqual(['3']);
  });

  test('a macro of another file before a function', () => {
    expect(functionIn('DEVICE_INLINE float f(float x) { return x; }')).toMatchObject({ name: 'f', returns: { name: 'float' } });
  });

  test('a structure', () => {
    const text =
      'struct __align__(16) S : public B<int>, C { int a, *b; static const int K = 3; enum { P, Q = 2 }; union { int i; float f; }; __device__ int get() const { return a; } };';
    const [def] = defsIn(text);
    if (def.d !== 'aggregate') throw new Error(def.d);
    expect(def.align && print(def.align)).toBe('16');
    expect(def.bases.map(printType)).toEqual(['B<int>', 'C']);
    expect(def.fields.map((f) => f.name)).toEqual(['a', 'b', 'i', 'f']);
    expect(def.constants.map((c) => c.name)).toEqual(['K', 'P', 'Q']);
    expect(def.methods.map((m) => [m.name, m.owner])).toEqual([['get', 'S']]);
  });

  test('aliases, variables, namespaces', () => {
    const names = defsIn(
      'typedef struct { int x; } Q, *PQ; using R = Q; namespace cg = cooperative_groups; __constant__ float w[4]; int a, b;',
    ).map((d) => (d.d === 'variable' ? d.declarators.map((x) => x.name).join() : `${d.d} ${d.name}`));
    expect(names).toEqual(['aggregate Q', 'alias PQ', 'alias R', 'namespace cg', 'w', 'a,b']);
  });

  test('the mixed fixture is read without a gap', () => {
    const defs = defsIn(fixture('mixed.cu'));
    expect(defs.map((d) => (d.d === 'variable' ? d.declarators[0].name : d.name))).toEqual([
      'cg',
      'Real',
      'Particle',
      'Mode',
      'weights',
      'Tile',
      'shifted',
      'smooth',
      'main',
    ]);
    for (const def of defs) if (def.d === 'function') expect(printStmt(def.body!)).not.toMatch(/unknown/);
  });
});

describe('places', () => {
  test('count in UTF-16 units from the start of the item', () => {
    const text = 'int x; /* π 😀 */ void f() { s = "π😀"; y(1); }\r\n';
    const source = openSource(text);
    const item = source.items.find((i) => text.startsWith('void', i.start))!;
    const def = definitionsOf(grammars, source)
      .flat()
      .find((d) => d.d === 'function');
    if (def?.d !== 'function' || def.body?.k !== 'block') throw new Error('no body');
    const last = def.body.body[1];
    expect(text.slice(item.start + last.start, item.start + last.end)).toBe('y(1);');
  });

  test('are those of the names where a macro of the function itself is used', () => {
    const text = 'void f() {\n#define NEXT(i) data[(i) + 1]\n#if 0\n#define NEXT(i) i\n#endif\n  x = NEXT(tid);\n}\n';
    const source = openSource(text);
    const def = definitionsOf(grammars, source).flat()[0];
    if (def.d !== 'function' || def.body?.k !== 'block' || def.body.body[0].k !== 'expr') throw new Error('no statement');
    const { e } = def.body.body[0];
    if (e.k !== 'assign' || e.b.k !== 'index') throw new Error(print(e));
    expect(text.slice(e.b.start, e.b.end)).toBe('NEXT');
  });

  test('are those of the names where a macro is used, and its arguments keep their own', () => {
    const text = '#define AT(i) data[(i) + 1]\nvoid f() { x = AT(tid); }\n';
    const source = openSource(text);
    const def = definitionsOf(grammars, source).flat()[0];
    if (def.d !== 'function' || def.body?.k !== 'block' || def.body.body[0].k !== 'expr') throw new Error('no statement');
    const { e } = def.body.body[0];
    if (e.k !== 'assign' || e.b.k !== 'index' || e.b.i.k !== 'binary') throw new Error(print(e));
    const start = source.items[1].start;
    expect(text.slice(start + e.b.a.start, start + e.b.a.end)).toBe('AT');
    expect(text.slice(start + e.b.i.b.start, start + e.b.i.b.end)).toBe('AT');
    expect(e.b.i.b).toMatchObject({ k: 'number', expanded: true });
    expect(text.slice(start + e.b.i.a.start, start + e.b.i.a.end)).toContain('tid');
  });

  test('are the same with CRLF, shifted', () => {
    const lf = fixture('mixed.cu');
    const shapes = (text: string) => defsIn(text).flatMap((d) => (d.d === 'function' && d.body ? [printStmt(d.body)] : []));
    expect(shapes(lf.replace(/\n/g, '\r\n'))).toEqual(shapes(lf));
  });
});

describe('what a macro puts in parentheses reads as if it had been written', () => {
  test.each([
    'x = (a) + (7) * (b[i]);',
    'x = ((a) << (32 - (i))) | ((a) >> (i));',
    'x = (a) - 1 - (1);',
    'x = (n) * (m) & (k);',
    'x = ((n) * (m)) + ((n) & (m));',
    'x = ((T)(a) + (int)(7));',
    'x = (a) < (b) && (c) > (d);',
    'x = (a) ? (b) : (c);',
    'x = b[(i)] + b[(i) * (n)];',
    'x = f((a), (b)) + (f)(a) + sizeof (a);',
    'x = g<(4)>(a) + g<T>(a) >> (2);',
    'k<<<1, 256>>>(v);',
    'dim3 grid((n), (m));',
    'T *p(a); float *q = (p);',
    'return (a);',
    'x = -(a) + !(b) - (-1) - (1);',
  ])('%s', (text) => {
    const read = (code: string) => definitionsOf(grammars, openSource(code)).flat();
    const printed = (defs: readonly Def[]) =>
      defs.flatMap((d) => (d.d === 'function' && d.body?.k === 'block' ? d.body.body.map(printStmt) : []));
    const written = printed(read(`void f() { ${text} }`));
    expect(written.length).toBeGreaterThan(0);
    expect(printed(read(`#define BODY ${text}\nvoid f() { BODY }`))).toEqual(written);
  });
});

describe('statements that read alike are parsed once', () => {
  const ALIKE = [
    'a[i] = b[i + 1] * 2 - c;',
    'x[k] = y[n + 7] * 3 - z;',
    'f(a, b[0], c + 1);',
    'g(x, y[1], z + 2);',
    'T t = u[1] + u[2];',
    'U v = w[3] + w[4];',
    'x = (a) + (7) * (b[i]);',
    'y = (b) + (8) * (c[k]);',
    'a = b < c && d > e;',
    'e = d < c && b > a;',
    'l: p->q = r[1];',
    'm: s->t = u[2];',
  ];
  const bodyOf = (code: string) => {
    const { body } = functionIn(code);
    return body?.k === 'block' ? body.body : [];
  };

  test.each(['int before; ', '{ if (n) { x = 1; } ', 'switch (n) { case 1: a = 2; ', 'auto h = [&]() { '])(
    'each in its own place, behind `%s`',
    (around) => {
      const before = `void f() { ${around}`;
      const after = '}'.repeat(before.split('{').length - before.split('}').length - 1);
      const texts = [...ALIKE, ...ALIKE];
      const together = JSON.stringify(bodyOf(`${before}${texts.join('')}${after}}`));
      let at = before.length;
      for (const text of texts) {
        // Alone, where the text before it is as long.
        const [, ...alone] = bodyOf(`void f() { int b;${' '.repeat(at - 17)}${text} }`);
        expect(alone.length).toBeGreaterThan(0);
        for (const part of alone) expect(together).toContain(JSON.stringify(part));
        at += text.length;
      }
    },
  );

  test('also when one of them changes', () => {
    const text = `void f() { ${ALIKE.join('\n')}\n${ALIKE.join('\n')} }`;
    let source = openSource(text);
    definitionsOf(grammars, source);
    for (const written of ['b[i + 1]', 'c + 1)', 'a = b <', 'u[2]']) {
      const at = text.indexOf(written);
      let now = written;
      for (const next of ['9', '(', '7 + q', written]) {
        source = editSource(source, at, at + now.length, next);
        now = next;
        expect(definitionsOf(grammars, source)).toEqual(definitionsOf(grammars, openSource(source.text)));
      }
    }
  });

  test('and what has an error is read as it stands', () => {
    const broken = 'a[i] = b[i + 1; ';
    const good = 'x[i] = y[i + 1]; z[i] = w[i + 1]; ';
    const read = bodyOf(`void f() { ${good}${broken}${good}}`).map(printStmt);
    expect(read.filter((text) => text === '(z[i] = w[(i + 1)]);')).toHaveLength(2);
  });
});
