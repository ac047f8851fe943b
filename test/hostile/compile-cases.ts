/** Sources that expand, nest or repeat without end: for Clang, and for the analyzers. */
import { check, type HostileCase, host, run, SOUND_FINDING } from './case.ts';

const DEEP = 100_000;
const nest = (open: string, inner: string, close: string, depth = DEEP): string => `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** The end of a compilation that asked for too much: an error of Clang's, or a limit of ours. */
const ENDED = /error: |the program cannot be compiled: /;

const NESTED: readonly (readonly [what: string, source: string])[] = [
  ['parentheses', `int main() { return ${nest('(', '1', ')')}; }\n`],
  ['braces', `int main() { ${nest('{', ';', '}')} }\n`],
  ['brackets', `int a[1]; int main() { return ${nest('a[', '0', ']')}; }\n`],
  ['initialisers', `int a = ${nest('{', '1', '}')};\nint main() {}\n`],
  ['signs', `int main() { return ${'- '.repeat(DEEP)}1; }\n`],
  ['negations', `int main() { return ${'!'.repeat(DEEP)}1; }\n`],
  ['casts', `int main() { return ${'(int)'.repeat(DEEP)}1; }\n`],
  ['conditions', `int main() { return ${'1 ? 1 : '.repeat(DEEP)}0; }\n`],
  ['#if', `${'#if 1\n'.repeat(DEEP)}int main() {}\n${'#endif\n'.repeat(DEEP)}`],
  ['parentheses of #if', `#if ${nest('(', '1', ')')}\n#endif\nint main() {}\n`],
  ['calls', `int f(int); int main() { return ${nest('f(', '1', ')')}; }\n`],
  ['template arguments', `template <class T> struct S {}; ${nest('S<', 'int', '>')} x;\nint main() {}\n`],
  ['namespaces', `${nest('namespace n {', '', '}')}\nint main() {}\n`],
  ['classes', `${nest('struct S {', '', '};')}\nint main() {}\n`],
  ['lambdas', `int main() { ${nest('[] {', '', '};')} }\n`],
  ['pointers', `int ${'*'.repeat(DEEP)} p;\nint main() {}\n`],
  ['dimensions', `int a${'[1]'.repeat(DEEP)};\nint main() {}\n`],
  ['functions of functions', `int ${nest('(*', 'f', ')()')};\nint main() {}\n`],
  ['else if', `int main(int n, char**) { ${'if (n) ; else '.repeat(DEEP)}; }\n`],
  ['loops', `int main(int n, char**) { ${'for (;;) '.repeat(DEEP)}; }\n`],
  ['case', `int main(int n, char**) { switch (n) { ${lines(DEEP, (i) => `case ${i}:`)} return 1; } }\n`],
  ['a sum', `int main(int n, char**) { return 0${' + n'.repeat(DEEP)}; }\n`],
  ['typedefs', `typedef int t0;\n${lines(DEEP, (i) => `typedef t${i} *t${i + 1};`)}\nt${DEEP} x;\nint main() {}\n`],
  ['macros', `#define m0 1\n${lines(DEEP, (i) => `#define m${i + 1} m${i}`)}\nint main() { return m${DEEP} - 1; }\n`],
  ['arguments of macros', `#define F(x) x\nint main() { return ${nest('F(', '1', ')')}; }\n`],
  ['member accesses', `struct S { S* s; }; int main() { S a; return !a${'.s[0]'.repeat(DEEP)}.s; }\n`],
  ['commas', `int main(int n, char**) { return ${'n,'.repeat(DEEP)} 1; }\n`],
  ['strings', `const char* s = ${'"x" '.repeat(DEEP)};\nint main() {}\n`],
  ['parameters', `void f(${Array(DEEP).fill('int').join(', ')});\nint main() {}\n`],
  ['base classes', `struct s0 {};\n${lines(20_000, (i) => `struct s${i + 1} : s${i} {};`)}\ns20000 x;\nint main() {}\n`],
  ['kernels inside kernels', `${nest('__global__ void k() {', '', '}')}\nint main() {}\n`],
  ['launches inside launches', `__global__ void k(int); int main() { ${nest('k<<<1,', '1', '>>>(1)', 20_000)}; }\n`],
];

const nested = NESTED.flatMap(([what, source]) => [
  // Where it is too deep to be analysed, the file is named, and the exit code is 1.
  check(`nested, checked: ${what}`, source, undefined, SOUND_FINDING, { seconds: 75, megabytes: 2800 }),
  // Clang may cope with it, and say nothing.
  { ...run(`nested, run: ${what}`, source, 1, /error: |the program cannot be compiled: |^$/, LIMITED()), exit: undefined },
]);

/** Clang gets five seconds, and 2 GiB for each of its two threads. */
function LIMITED(): Partial<HostileCase> {
  return { args: ['run', 'a.cu', '--quiet', '--no-cache', '--limit', 'compileSeconds=5'], seconds: 30, megabytes: 5000 };
}

const REPEATED = (count: number, text: string): string => text.repeat(count);

const BOMBS: readonly (readonly [what: string, source: string, says?: RegExp])[] = [
  ['a macro that doubles its argument', `#define F(x) (x+x)\nint main() { return ${nest('F(', '1', ')', 40)}; }\n`],
  ['macros that double, by name', `#define A0 1 +\n${lines(40, (i) => `#define A${i + 1} A${i} A${i}`)}\nint main() { return A40 0; }\n`],
  [
    '__VA_ARGS__ that doubles',
    `#define V(...) __VA_ARGS__, __VA_ARGS__\nint f(int, ...); int main() { return f(${nest('V(', '1', ')', 40)}); }\n`,
  ],
  [
    '__VA_OPT__ that doubles',
    `#define V(...) __VA_OPT__(__VA_ARGS__, __VA_ARGS__)\nint f(int, ...); int main() { return f(${nest('V(', '1', ')', 40)}); }\n`,
  ],
  ['a macro of a thousand arguments', `#define R(x) ${'x '.repeat(1000)}\nint main() { ${nest('R(', ';', ')', 6)} }\n`],
  [
    'templates without end',
    'template <int N> struct F { static const int v = F<N + 1>::v; };\nint main() { return F<0>::v; }\n',
    /recursive template instantiation exceeded maximum depth/,
  ],
  [
    'templates that double',
    'template <int N, int M> struct F { static const int v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };\ntemplate <int M> struct F<0, M> { static const int v = 1; };\nint main() { return F<40, 1>::v; }\n',
  ],
  [
    'functions of templates without end',
    'template <class T> struct W {}; template <class T> int f(T) { return f(W<T>()); }\nint main() { return f(1); }\n',
    /recursive template instantiation exceeded maximum depth/,
  ],
  [
    'types that double',
    `template <class A, class B> struct P {}; typedef P<int, int> t0;\n${lines(40, (i) => `typedef P<t${i}, t${i}> t${i + 1};`)}\n__global__ void k(t40) {}\ntemplate <class T> __global__ void g() {}\nint main() { g<t40><<<1, 1>>>(); }\n`,
  ],
  [
    'a kernel with a name of a megabyte',
    `template <class A, class B> struct P {}; typedef P<int, int> t0;\n${lines(17, (i) => `typedef P<t${i}, P<t${i}, char[${i + 1}]>> t${i + 1};`)}\ntemplate <class T> __global__ void g() {}\nint main() { g<t17><<<1, 1>>>(); }\n`,
    /^/,
  ],
  [
    'a pack of a billion',
    '#include <utility>\ntemplate <int... I> int f(std::integer_sequence<int, I...>) { return sizeof...(I); }\nint main() { return f(std::make_integer_sequence<int, 1000000000>()); }\n',
  ],
  [
    'a fold of 100,000',
    '#include <utility>\ntemplate <int... I> int f(std::integer_sequence<int, I...>) { return (I + ...); }\nint main() { return f(std::make_integer_sequence<int, 100000>()); }\n',
  ],
  ['operator-> without end', 'template <int N> struct S { S<N + 1> operator->(); };\nint main() { return S<0>()->x; }\n'],
  [
    'constexpr without end',
    'constexpr int f(int n) { return f(n + 1); }\nconstexpr int x = f(0);\nint main() {}\n',
    /constexpr evaluation exceeded maximum depth/,
  ],
  [
    'a constexpr loop',
    'constexpr long f() { long s = 0; for (;;) s++; return s; }\nconstexpr long x = f();\nint main() {}\n',
    /constexpr evaluation hit maximum step limit/,
  ],
  [
    'many constexpr loops',
    `constexpr long f(long k) { long s = k; for (long i = 0; i < 300000; i++) s += i; return s; }\n${lines(2000, (i) => `constexpr long x${i} = f(${i});`)}\nint main() {}\n`,
  ],
  [
    'a constexpr array',
    'struct A { int a[1 << 28]; constexpr A() : a() { for (int i = 0; i < (1 << 28); i++) a[i] = i; } };\nconstexpr A a;\nint main() { return a.a[5]; }\n',
  ],
  ['an array of 4 GiB', 'char a[1ul << 32] = {1};\nint main() { return a[7]; }\n'],
  ['an array of 1 TiB', 'char a[1ul << 40];\nint main() { return a[7]; }\n', /the static variable a takes 1099511627776 bytes/],
  ['an array of all there is', 'char a[~0ul >> 1];\nint main() { return a[7]; }\n'],
  [
    'a structure of 1 TiB on the device',
    'struct S { char a[1ul << 40]; };\n__device__ S s;\n__global__ void k() { s.a[5] = 1; }\nint main() { k<<<1, 1>>>(); }\n',
    /the static variable s takes 1099511627776 bytes/,
  ],
  ['an integer of 8 million bits', 'int main(int n, char**) { _BitInt(8388608) a = n; a = a * a * a / (a + 7); return (int)a; }\n'],
  [
    'a vector of a million',
    'typedef int V __attribute__((vector_size(1 << 22)));\nV f(V a, V b) { return a * b / (a + b); }\nint main() { V a = {}, b = {}; return f(a, b)[3]; }\n',
  ],
  ['.rept', 'asm(".data\\n.rept 2000000000\\n.byte 1\\n.endr\\n");\nint main() {}\n'],
  ['.rept in .rept', 'asm(".macro m\\n.rept 1000\\nm\\n.endr\\n.endm\\nm\\n");\nint main() {}\n'],
  // Clang's allocator gives up on the whole of it at once.
  ['.space', 'asm(".data\\n.space 0x7fffffffffff\\n");\nint main() {}\n', /the compiler failed|cannot be compiled/],
  [
    'unrolled loops in loops',
    `__global__ void k(int* a) {\n${REPEATED(6, '#pragma unroll 1000\nfor (int i = 0; i < 1000; i++)\n')}\n a[threadIdx.x]++;\n}\nint main() { k<<<1, 1>>>(0); }\n`,
    /^/,
  ],
  [
    'functions inlined into each other',
    `__device__ __forceinline__ int f0(int n) { return n * n; }\n${lines(40, (i) => `__device__ __forceinline__ int f${i + 1}(int n) { return f${i}(n) + f${i}(n + 1); }`)}\n__global__ void k(int* a) { *a = f40(3); }\nint main() { k<<<1, 1>>>(0); }\n`,
  ],
  [
    'functions inlined into each other, on the host',
    `static inline __attribute__((always_inline)) int f0(int n) { return n * n; }\n${lines(40, (i) => `static inline __attribute__((always_inline)) int f${i + 1}(int n) { return f${i}(n) + f${i}(n + 1); }`)}\nint main(int n, char**) { return f40(n); }\n`,
  ],
  [
    '1,700 kernels',
    `${lines(1700, (i) => `__global__ void k${i}(float* a, float* b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { for (int j = 0; j < n; j++) a[i] += b[j] * ${i}; __syncthreads(); b[i] = a[i]; } }`)}\nint main() {}\n`,
    /^/,
  ],
  ['overloads', `${lines(3000, (i) => `struct T${i} { T${i}(int); }; int f(T${i});`)}\nint main() { ${'f(1);'.repeat(3000)} }\n`],
  ['a crash on request', '#pragma clang __debug crash\nint main() {}\n', /the compiler failed|error: |cannot be compiled/],
  ['an overflow on request', '#pragma clang __debug overflow_stack\nint main() {}\n', /the compiler failed|error: |cannot be compiled/],
  ['an assertion on request', '#pragma clang __debug llvm_unreachable\nint main() {}\n', /the compiler failed|error: |cannot be compiled/],
];

const bombs = BOMBS.map(
  ([what, source, says = ENDED]): HostileCase => ({
    // Where Clang ends it by itself, it has the usual time for that.
    ...run(`bomb: ${what}`, source, 1, says, says === ENDED ? LIMITED() : { seconds: 75, megabytes: 5000 }),
    ...(says.source === '^' ? { exit: undefined } : {}),
  }),
);

const INCLUDED_TWICE = '#if __INCLUDE_LEVEL__ < 180\n#include "a.cu"\n#include "a.cu"\n#endif\nint main() {}\n';
const others: readonly HostileCase[] = [
  run('bomb: a file that includes itself', '#include "a.cu"\nint main() {}\n', 1, /#include nested too deeply/),
  run('bomb: a file that includes itself twice', INCLUDED_TWICE, 1, /Clang did not finish in 5 seconds/, LIMITED()),
  run('bomb: two files that include each other', '#include "b.h"\nint main() {}\n', 1, /#include nested too deeply/, {
    files: { 'a.cu': '#include "b.h"\nint main() {}\n', 'b.h': '#include "c.h"\n', 'c.h': '#include "b.h"\n' },
  }),
  run(
    'bomb: 31 MiB embedded a hundred times',
    REPEATED(100, '#embed "data"\n,\n').replace(/^/, 'const char a[] = {').concat('0};\nint main() {}\n'),
    1,
    ENDED,
    {
      ...LIMITED(),
      prepare: 'head -c 32000000 /dev/urandom > data',
    },
  ),
  run('bomb: the usual limit of time', INCLUDED_TWICE, 1, /Clang did not finish in 60 seconds/, {
    args: ['run', 'a.cu', '--quiet', '--no-cache'],
    seconds: 72,
    megabytes: 5000,
  }),
  check(
    'bomb, checked: a macro that doubles',
    `#define F(x) (x+x)\n__device__ int f(int n) { return ${nest('F(', 'n', ')', 40)}; }\n`,
    0,
    SOUND_FINDING,
  ),
  check('bomb, checked: loops in loops', host(REPEATED(30, 'for (int i = 0; i < 1000000; i++)\n').concat(';')), 0, SOUND_FINDING),
  check(
    'bomb, checked: a kernel of many loops and shared arrays',
    `__global__ void k(float* v) { __shared__ float s[1024]; ${lines(300, (i) => `for (int i${i} = 0; i${i} < 1000000; i${i}++) { if (v[i${i}] > ${i}) s[(threadIdx.x * ${i} + i${i}) % 1024] = v[i${i}];`)}${'}'.repeat(300)} }\n`,
    0,
    SOUND_FINDING,
    { seconds: 70 },
  ),
  check(
    'bomb, checked: 2,000 kernels and 2,000 launches',
    `${lines(2000, (i) => `__global__ void k${i}(float* v) { v[threadIdx.x * ${i}] = 1; }`)}\nvoid f(float* v) { ${lines(2000, (i) => `k${i}<<<1, 256>>>(v);`)} }\n`,
    0,
    SOUND_FINDING,
    { seconds: 70 },
  ),
];

export const COMPILE_CASES: readonly HostileCase[] = [...nested, ...bombs, ...others];
