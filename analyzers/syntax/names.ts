/** Words with a meaning of their own: qualifiers, basic types, and the type names that CUDA and the C library bring along. */

const QUALIFIERS = new Set(
  (
    'const __const__ __const volatile restrict __restrict__ __restrict constexpr constinit static inline extern mutable register thread_local typename virtual explicit friend ' +
    '__device__ __host__ __global__ __shared__ __constant__ __managed__ __forceinline__ __noinline__ __inline__ __inline __grid_constant__ ' +
    'struct class enum union noexcept'
  ).split(' '),
);
const BASIC = new Set('void bool char short int long float double signed unsigned auto __half size_t __int128 wchar_t'.split(' '));

/** Names that are types without a declaration in the file. */
const WELL_KNOWN = new Set(
  (
    'size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uint ulong ushort uchar half half2 __half __half2 ' +
    '__nv_bfloat16 __nv_bfloat162 bfloat16 dim3 cudaError_t cudaStream_t cudaEvent_t cudaDeviceProp cuFloatComplex cuDoubleComplex FILE string'
  ).split(' '),
);
for (const base of ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong', 'longlong', 'ulonglong', 'float', 'double'])
  for (const width of [1, 2, 3, 4]) WELL_KNOWN.add(`${base}${width}`);

/** Left out with the parentheses behind them: nothing that the model asks for is in them. */
export const IGNORED_CALLS = new Set([
  '__attribute__',
  '__declspec',
  '__maxnreg__',
  '__cluster_dims__',
  '__block_size__',
  '__pragma',
  '_Pragma',
]);
export const IGNORED_WORDS = new Set(['__extension__', '__cdecl', '__stdcall', '__noreturn__', '__builtin_align__']);
export const ALIGNMENT = new Set(['alignas', '__align__', '__builtin_align__']);
export const AGGREGATE = new Set(['struct', 'class', 'union', 'enum']);

/** All words that tree-sitter's grammars of CUDA and C++ know. They read any other word as some name. */
export const GRAMMAR_WORDS: ReadonlySet<string> = new Set(
  (
    'FALSE NULL TRUE _Alignas _Alignof _Atomic _Generic _Nonnull _Noreturn __alignof __alignof__ __asm __asm__ __attribute __attribute__ ' +
    '__based __cdecl __clrcall __constant__ __declspec __device__ __except __extension__ __fastcall __finally __forceinline __forceinline__ ' +
    '__global__ __grid_constant__ __host__ __inline __inline__ __launch_bounds__ __leave __local__ __managed__ __noinline__ __restrict ' +
    '__restrict__ __shared__ __sptr __stdcall __thiscall __thread __try __unaligned __uptr __vectorcall __volatile__ _alignof _unaligned ' +
    'alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char64_t char8_t charptr_t class co_await ' +
    'co_return co_yield compl concept const consteval constexpr constinit continue decltype default defined delete do double else enum ' +
    'explicit extern false final float for friend goto if inline int int16_t int32_t int64_t int8_t intptr_t long max_align_t mutable ' +
    'namespace new noexcept noreturn not not_eq nullptr nullptr_t offsetof operator or or_eq override private protected ptrdiff_t public ' +
    'register requires restrict return short signed size_t sizeof ssize_t static static_assert struct switch template this thread_local ' +
    'throw true try typedef typename uint16_t uint32_t uint64_t uint8_t uintptr_t union unsigned using virtual void volatile while xor xor_eq'
  ).split(' '),
);

/** What only the grammar of CUDA knows. */
export const CUDA_WORDS: ReadonlySet<string> = new Set(
  (
    '__global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __launch_bounds__ __local__ ' +
    '__forceinline__ __noinline__ <<<'
  ).split(' '),
);

/** Operators that are words, and their usual spelling. */
export const OPERATOR_WORDS = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['bitand', '&'],
  ['bitor', '|'],
  ['xor', '^'],
  ['compl', '~'],
  ['not_eq', '!='],
  ['and_eq', '&='],
  ['or_eq', '|='],
  ['xor_eq', '^='],
]);

export const NAMED_CAST = /^(static|reinterpret|const|dynamic)_cast$/;

export interface TypeNames {
  readonly has: (name: string) => boolean;
}

export function isTypeName(name: string, known: TypeNames): boolean {
  return BASIC.has(name) || WELL_KNOWN.has(name) || known.has(name);
}

export function isQualifier(text: string): boolean {
  return QUALIFIERS.has(text);
}

export function isBasicType(text: string): boolean {
  return BASIC.has(text);
}

/** `unsigned`, `long long int`, … under one spelling each. */
export function basicName(words: readonly string[]): string {
  if (words.length === 1) return words[0] === 'unsigned' ? 'unsigned int' : words[0] === 'signed' ? 'int' : words[0];
  const unsigned = words.includes('unsigned');
  const longs = words.filter((w) => w === 'long').length;
  const rest = words.find((w) => w !== 'unsigned' && w !== 'signed' && w !== 'long' && w !== 'int');
  if (rest === 'double') return 'double';
  const base = rest ?? (longs >= 2 ? 'long long' : longs === 1 ? 'long' : 'int');
  if (base === 'char' && words.includes('signed')) return 'signed char';
  return unsigned ? `unsigned ${base}` : base;
}
