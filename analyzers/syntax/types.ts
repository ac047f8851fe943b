/** Parses types, template arguments and declarators, and decides whether names at hand begin a declaration. */
import type { Expr, TemplateParam, TypeArg, TypeRef } from './ast.ts';
import type { Cursor } from './cursor.ts';

const QUALIFIERS = new Set(
  (
    'const volatile restrict __restrict__ __restrict constexpr constinit static inline extern mutable register thread_local typename virtual explicit friend ' +
    '__device__ __host__ __global__ __shared__ __constant__ __managed__ __forceinline__ __noinline__ __inline__ __inline __grid_constant__ unsigned_ ' +
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

export interface TypeContext {
  readonly c: Cursor;
  readonly known: TypeNames;
  /** Parses an expression that ends before `>` or `,`. */
  templateValue(): Expr;
  expression(): Expr;
}

/** Specifiers without declarator: `const unsigned int`, `typename std::vector<T>::iterator`. Undefined, cursor unmoved, where none is. */
export function parseSpecifiers(p: TypeContext): TypeRef | undefined {
  const { c } = p;
  const from = c.at;
  const start = c.peek().start;
  const quals: string[] = [];
  const basics: string[] = [];
  let name = '';
  let targs: readonly TypeArg[] | undefined;
  for (;;) {
    const token = c.peek();
    if (token.kind !== 'name' && token.text !== '::' && token.text !== '[') break;
    if (token.text === '[') {
      if (!c.is('[', 1) || name !== '' || basics.length > 0) break;
      c.at = c.closing(c.at) + 1;
    } else if (
      token.text === 'alignas' ||
      token.text === '__align__' ||
      token.text === '__attribute__' ||
      token.text === '__declspec' ||
      token.text === '__launch_bounds__'
    ) {
      c.next();
      if (c.is('(')) c.at = c.closing(c.at) + 1;
    } else if (QUALIFIERS.has(token.text)) quals.push(c.next().text);
    else if (BASIC.has(token.text) && name === '' && !(token.text === 'size_t' && basics.length > 0)) basics.push(c.next().text);
    else if (token.text === 'decltype') {
      c.next();
      if (c.is('(')) c.at = c.closing(c.at) + 1;
      name = 'decltype';
    } else if (name === '' && basics.length === 0) {
      const qualified = parseQualified(p);
      name = qualified.name;
      targs = qualified.targs;
      if (name === '') break;
    } else break;
  }
  if (name === '' && basics.length === 0) {
    c.at = from;
    return undefined;
  }
  return { name: name === '' ? basicName(basics) : name, targs, pointers: 0, reference: false, dims: [], quals, start, end: c.endBefore };
}

function basicName(words: readonly string[]): string {
  if (words.length === 1) return words[0] === 'unsigned' ? 'unsigned int' : words[0] === 'signed' ? 'int' : words[0];
  const unsigned = words.includes('unsigned');
  const longs = words.filter((w) => w === 'long').length;
  const rest = words.find((w) => w !== 'unsigned' && w !== 'signed' && w !== 'long' && w !== 'int');
  if (rest === 'double') return 'double';
  const base = rest ?? (longs >= 2 ? 'long long' : longs === 1 ? 'long' : 'int');
  if (base === 'char' && words.includes('signed')) return 'signed char';
  return unsigned ? `unsigned ${base}` : base;
}

/** `a::b<c>::d`, with the template arguments of the last part that has any. */
export function parseQualified(p: TypeContext): { name: string; targs?: readonly TypeArg[] } {
  const { c } = p;
  let name = '';
  let targs: readonly TypeArg[] | undefined;
  c.accept('::');
  for (;;) {
    if (c.peek().kind !== 'name') break;
    const part = c.next().text;
    if (part === 'template') continue;
    name = name === '' ? part : `${name}::${part}`;
    if (c.is('<')) {
      const args = parseTemplateArgs(p);
      if (args) targs = args;
    }
    if (c.is('::') && c.peek(1).kind === 'name') c.next();
    else break;
  }
  return { name, targs };
}

/** Template arguments at `<`, if what stands there can be some; the cursor stays where it was otherwise. */
export function parseTemplateArgs(p: TypeContext): TypeArg[] | undefined {
  const { c } = p;
  if (!c.is('<') || !looksLikeTemplateArgs(c)) return undefined;
  const from = c.at;
  c.next();
  const args: TypeArg[] = [];
  while (!c.done && !c.is('>')) {
    args.push(parseTypeArg(p));
    if (!c.accept(',')) break;
  }
  if (!c.accept('>')) {
    c.at = from;
    return undefined;
  }
  return args;
}

function parseTypeArg(p: TypeContext): TypeArg {
  const { c } = p;
  const from = c.at;
  const type = parseSpecifiers(p);
  if (type) {
    const full = abstractDeclarator(p, type);
    if (c.is('(')) c.at = c.closing(c.at) + 1;
    if (c.is('...')) c.next();
    if (c.is('>') || c.is(',')) {
      // A lone name may be either; keep both readings.
      const single = type.quals.length === 0 && full.pointers === 0 && !full.reference && !isBasicType(type.name);
      if (!single) return { type: full };
      const end = c.at;
      c.at = from;
      const value = p.templateValue();
      c.at = end;
      return { type: full, value };
    }
  }
  c.at = from;
  return { value: p.templateValue() };
}

/** Scans ahead from `<`: a matching `>` with only type-like or constant text before it, and something after it that no operand starts. */
function looksLikeTemplateArgs(c: Cursor): boolean {
  let depth = 0;
  for (let i = c.at; i < c.tokens.length && i < c.at + 120; i++) {
    const { text, kind } = c.tokens[i];
    if (kind === 'name' || kind === 'number' || kind === 'char') continue;
    if (text === '<') depth++;
    else if (text === '>') {
      depth--;
      if (depth === 0) return mayFollowTemplate(c, i);
    } else if (text === '(' || text === '[') i = c.closing(i);
    else if (!TEMPLATE_TEXT.has(text)) return false;
  }
  return false;
}

const TEMPLATE_TEXT = new Set([',', '::', '*', '&', '+', '-', '/', '%', '...', '==', '!', '!=', '<<', '<=']);

function mayFollowTemplate(c: Cursor, close: number): boolean {
  const next = c.tokens[close + 1];
  if (!next) return true;
  if (next.kind === 'name') return c.tokens[close].end < next.start || next.expanded === true;
  if (next.kind === 'number' || next.kind === 'char') return false;
  return ['(', '::', '{', '<<<', '>', ',', ')', ';', '*', '&', '[', '...', '=', '&&'].includes(next.text);
}

/** `*`, `const *`, `&`, `[N]` without a name. */
export function abstractDeclarator(p: TypeContext, base: TypeRef): TypeRef {
  const { c } = p;
  let pointers = 0;
  let reference = false;
  const quals = [...base.quals];
  const dims: (Expr | undefined)[] = [];
  for (;;) {
    if (c.is('*')) {
      c.next();
      pointers++;
    } else if (c.is('&') || c.is('&&')) {
      c.next();
      reference = true;
    } else if (c.peek().kind === 'name' && QUALIFIERS.has(c.text))
      // `T* const p` makes the pointer constant, not what it points to.
      quals.push(c.next().text === 'const' && pointers > 0 ? 'const-pointer' : c.peek(-1).text);
    else break;
  }
  while (c.is('[')) {
    c.next();
    dims.push(c.is(']') ? undefined : p.expression());
    c.accept(']');
  }
  return {
    ...base,
    quals,
    pointers: base.pointers + pointers,
    reference: base.reference || reference,
    dims: [...base.dims, ...dims],
    end: c.endBefore,
  };
}

/** `template <class T, int N = 4>` at the cursor; the keyword is consumed already. */
export function parseTemplateParams(p: TypeContext): TemplateParam[] {
  const { c } = p;
  const params: TemplateParam[] = [];
  if (!c.accept('<')) return params;
  while (!c.done && !c.is('>')) {
    if (c.is('template')) {
      c.next();
      parseTemplateParams(p);
    }
    const isType = c.is('class') || c.is('typename');
    if (isType && !(c.is('typename') && c.is('::', 2))) {
      c.next();
      const pack = c.accept('...');
      const name = c.peek().kind === 'name' ? c.next().text : '';
      params.push({ name, kind: 'type', pack, init: c.accept('=') ? parseTypeArg(p) : undefined });
    } else {
      const type = parseSpecifiers(p);
      if (!type) {
        c.next();
        continue;
      }
      const full = abstractDeclarator(p, type);
      const pack = c.accept('...');
      const name = c.peek().kind === 'name' ? c.next().text : '';
      params.push({ name, kind: 'value', type: full, pack, init: c.accept('=') ? { value: p.templateValue() } : undefined });
    }
    if (!c.accept(',')) break;
  }
  c.accept('>');
  return params;
}
