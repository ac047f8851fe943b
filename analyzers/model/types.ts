/** Types with sizes: what sizeof, field offsets and the width of an access need. Structures are laid out as nvcc does (natural alignment). */
import type { AggregateDef, Expr, TypeArg, TypeRef } from '../syntax/ast.ts';

export type Type =
  | { readonly t: 'int'; readonly name: string; readonly size: number; readonly unsigned: boolean }
  | { readonly t: 'float'; readonly name: string; readonly size: number }
  | { readonly t: 'bool'; readonly name: string; readonly size: number }
  | { readonly t: 'void'; readonly name: string }
  | { readonly t: 'pointer'; readonly name: string; readonly to: Type; readonly size: number; readonly restrict?: boolean }
  | { readonly t: 'array'; readonly name: string; readonly of: Type; readonly n?: number; readonly size?: number }
  | StructType
  /** A kind of value that the model knows by name: cooperative groups, dim3 is a struct. */
  | { readonly t: 'unknown'; readonly name: string; readonly size?: number };

export interface StructType {
  readonly t: 'struct';
  readonly name: string;
  readonly size?: number;
  readonly align: number;
  readonly fields: readonly Field[];
  readonly def?: AggregateDef;
  readonly bindings?: Bindings;
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly offset: number;
}

/** What a template parameter stands for. */
export interface Binding {
  readonly type?: Type;
  readonly value?: number;
  /** A function or kernel passed as an argument. */
  readonly name?: string;
}
export type Bindings = ReadonlyMap<string, Binding>;
export const NO_BINDINGS: Bindings = new Map();

const int = (name: string, size: number, unsigned = false): Type => ({ t: 'int', name, size, unsigned });
const float = (name: string, size: number): Type => ({ t: 'float', name, size });

const SCALARS = new Map<string, Type>(
  [
    int('char', 1),
    int('signed char', 1),
    int('unsigned char', 1, true),
    int('short', 2),
    int('unsigned short', 2, true),
    int('int', 4),
    int('unsigned int', 4, true),
    // On the 64-bit systems that CUDA programs run on.
    int('long', 8),
    int('unsigned long', 8, true),
    int('long long', 8),
    int('unsigned long long', 8, true),
    int('size_t', 8, true),
    int('ssize_t', 8),
    int('ptrdiff_t', 8),
    int('int8_t', 1),
    int('uint8_t', 1, true),
    int('int16_t', 2),
    int('uint16_t', 2, true),
    int('int32_t', 4),
    int('uint32_t', 4, true),
    int('int64_t', 8),
    int('uint64_t', 8, true),
    int('intptr_t', 8),
    int('uintptr_t', 8, true),
    int('uchar', 1, true),
    int('ushort', 2, true),
    int('uint', 4, true),
    int('ulong', 8, true),
    int('wchar_t', 4),
    int('__int128', 16),
    float('float', 4),
    float('double', 8),
    float('long double', 8),
    float('half', 2),
    float('__half', 2),
    float('__nv_bfloat16', 2),
    float('nv_bfloat16', 2),
    float('bfloat16', 2),
    float('float_t', 4),
    float('double_t', 8),
    { t: 'bool', name: 'bool', size: 1 } as Type,
    { t: 'void', name: 'void' } as Type,
    int('cudaError_t', 4),
    int('std::size_t', 8, true),
    int('clock_t', 8),
  ].map((t) => [t.name, t]),
);
for (const name of [...SCALARS.keys()]) if (/_t$/.test(name) && !name.startsWith('std::')) SCALARS.set(`std::${name}`, SCALARS.get(name)!);

export const INT = SCALARS.get('int')!;
export const UNSIGNED = SCALARS.get('unsigned int')!;
export const SIZE_T = SCALARS.get('size_t')!;
export const FLOAT = SCALARS.get('float')!;
export const DOUBLE = SCALARS.get('double')!;
export const BOOL = SCALARS.get('bool')!;
export const VOID = SCALARS.get('void')!;
export const CHAR = SCALARS.get('char')!;
export const UNKNOWN: Type = { t: 'unknown', name: '?' };

/** Types that are words of the language, which nothing in a program can give another meaning. */
const WORDS: ReadonlyMap<string, Type> = new Map(
  [...SCALARS].filter(([name]) =>
    name.split(' ').every((word) => /^(void|bool|char|short|int|long|float|double|signed|unsigned)$/.test(word)),
  ),
);

/** The type that is written where that is one word of the language or several, and nothing more. */
export function plainType({ name, pointers, dims }: TypeRef): Type | undefined {
  return pointers === 0 && dims.length === 0 ? WORDS.get(name) : undefined;
}

export function scalarType(name: string): Type | undefined {
  return SCALARS.get(name);
}

const VECTOR_BASES: Readonly<Record<string, Type>> = {
  char: CHAR,
  uchar: SCALARS.get('unsigned char')!,
  short: SCALARS.get('short')!,
  ushort: SCALARS.get('unsigned short')!,
  int: INT,
  uint: UNSIGNED,
  long: SCALARS.get('long')!,
  ulong: SCALARS.get('unsigned long')!,
  longlong: SCALARS.get('long long')!,
  ulonglong: SCALARS.get('unsigned long long')!,
  float: FLOAT,
  double: DOUBLE,
};
const VECTORS = new Map<string, StructType>();
for (const [base, of] of Object.entries(VECTOR_BASES)) {
  for (const width of [1, 2, 3, 4]) {
    const size = sizeOf(of)!;
    // Vectors of 2 and 4 are aligned to their size, at most 16 bytes (CUDA programming guide, built-in vector types).
    const align = width === 3 || width === 1 ? size : Math.min(16, size * width);
    const fields = ['x', 'y', 'z', 'w'].slice(0, width).map((name, i) => ({ name, type: of, offset: i * size }));
    VECTORS.set(`${base}${width}`, { t: 'struct', name: `${base}${width}`, size: size * width, align, fields });
  }
}
for (const [name, element] of [
  ['half2', 'half'],
  ['__half2', 'half'],
  ['__nv_bfloat162', '__nv_bfloat16'],
  ['nv_bfloat162', '__nv_bfloat16'],
]) {
  const of = SCALARS.get(element)!;
  VECTORS.set(name, {
    t: 'struct',
    name,
    size: 4,
    align: 4,
    fields: ['x', 'y'].map((field, i) => ({ name: field, type: of, offset: i * 2 })),
  });
}
export const DIM3: StructType = {
  t: 'struct',
  name: 'dim3',
  size: 12,
  align: 4,
  fields: ['x', 'y', 'z'].map((name, i) => ({ name, type: UNSIGNED, offset: 4 * i })),
};
VECTORS.set('dim3', DIM3);
for (const [alias, name] of [
  ['cuFloatComplex', 'float2'],
  ['cuComplex', 'float2'],
  ['cuDoubleComplex', 'double2'],
  ['cufftComplex', 'float2'],
  ['cufftDoubleComplex', 'double2'],
])
  VECTORS.set(alias, { ...VECTORS.get(name)!, name: alias });

export function vectorType(name: string): StructType | undefined {
  return VECTORS.get(name);
}

export function isVector(type: Type): boolean {
  return type.t === 'struct' && VECTORS.has(type.name) && type.name !== 'dim3';
}

export function sizeOf(type: Type): number | undefined {
  return type.t === 'void' ? 1 : type.size;
}

/** Bytes of a type that hold something: a structure's size without its padding. */
export function dataBytes(type: Type): number | undefined {
  if (type.t !== 'struct') return sizeOf(type);
  if (type.size === undefined || type.fields.length === 0) return type.size;
  // Fields of a union lie over each other.
  let end = 0;
  let bytes = 0;
  for (const { offset, type: of } of type.fields.toSorted((a, b) => a.offset - b.offset)) {
    const own = dataBytes(of);
    if (own === undefined) return type.size;
    bytes += Math.max(0, own - Math.max(0, end - offset));
    end = Math.max(end, offset + own);
  }
  return Math.min(bytes, type.size);
}

export function alignOf(type: Type): number {
  if (type.t === 'struct') return type.align;
  if (type.t === 'array') return alignOf(type.of);
  return sizeOf(type) ?? 1;
}

export function pointerTo(to: Type): Type {
  return { t: 'pointer', name: `${to.name} *`, to, size: 8 };
}

export function arrayOf(of: Type, n: number | undefined): Type {
  const size = sizeOf(of);
  return { t: 'array', name: `${of.name}[${n ?? ''}]`, of, n, size: n === undefined || size === undefined ? undefined : n * size };
}

export function isInteger(type: Type): boolean {
  return type.t === 'int' || type.t === 'bool';
}

/** What the arithmetic conversions make of two operands. */
export function commonType(a: Type, b: Type): Type {
  if (a.t === 'float' || b.t === 'float') {
    if (a.t !== 'float') return b;
    if (b.t !== 'float') return a;
    return a.size >= b.size ? a : b;
  }
  if (a.t === 'pointer') return a;
  if (b.t === 'pointer') return b;
  if (a.t === 'unknown' || a.t === 'struct') return a;
  if (b.t === 'unknown' || b.t === 'struct') return b;
  const sa = sizeOf(a) ?? 4;
  const sb = sizeOf(b) ?? 4;
  const unsigned = (x: Type) => x.t === 'int' && x.unsigned;
  if (Math.max(sa, sb) < 4) return INT;
  if (sa === sb) return unsigned(a) ? a : b;
  return sa > sb ? a : b;
}

export interface TypeResolver {
  /** Structures, aliases and template parameters in reach. */
  lookup(name: string, targs: readonly TypeArg[] | undefined): Type | undefined;
  constant(e: Expr): number | undefined;
}

/** The type that is written; `declarator` says which parts of the reference count. */
export function resolveType(ref: TypeRef, resolver: TypeResolver): Type {
  let type = baseType(ref, resolver);
  for (let i = 0; i < ref.pointers; i++) type = pointerTo(type);
  if (ref.pointerToArray) {
    const inner = arrayDims(stripPointer(type, ref.pointers), ref.dims, resolver);
    return pointerTo(inner);
  }
  return arrayDims(type, ref.dims, resolver);
}

function stripPointer(type: Type, pointers: number): Type {
  return pointers > 0 && type.t === 'pointer' ? type.to : type;
}

function arrayDims(type: Type, dims: readonly (Expr | undefined)[], resolver: TypeResolver): Type {
  let out = type;
  for (let i = dims.length - 1; i >= 0; i--) {
    const dim = dims[i];
    out = arrayOf(out, dim && resolver.constant(dim));
  }
  return out;
}

function baseType(ref: TypeRef, resolver: TypeResolver): Type {
  const { name } = ref;
  const found = WORDS.get(name) ?? resolver.lookup(name, ref.targs);
  if (found) return found;
  const scalar = SCALARS.get(name) ?? VECTORS.get(name);
  if (scalar) return scalar;
  const short = name.slice(name.lastIndexOf('::') + 2);
  if (name.includes('::')) return resolver.lookup(short, ref.targs) ?? SCALARS.get(short) ?? { t: 'unknown', name: typeText(ref) };
  return { t: 'unknown', name: typeText(ref) };
}

export function typeText(ref: TypeRef): string {
  const args = ref.targs?.map((a) =>
    a.type ? typeText(a.type) : a.value?.k === 'number' ? String(a.value.value) : a.value?.k === 'name' ? a.value.name : '…',
  );
  return `${ref.name}${args ? `<${args.join(', ')}>` : ''}${'*'.repeat(ref.pointers)}`;
}

export function layOut(
  name: string,
  parts: readonly { name: string; type: Type }[],
  options: { align?: number; packed: boolean; union: boolean; def?: AggregateDef; bindings?: Bindings },
): StructType {
  let offset = 0;
  let align = options.align ?? 1;
  let known = true;
  let largest = 0;
  const fields: Field[] = [];
  for (const part of parts) {
    const size = sizeOf(part.type);
    if (size === undefined) known = false;
    const a = options.packed ? 1 : alignOf(part.type);
    align = Math.max(align, a);
    if (options.union) offset = 0;
    offset = Math.ceil(offset / a) * a;
    fields.push({ name: part.name, type: part.type, offset });
    offset += size ?? 0;
    largest = Math.max(largest, offset);
  }
  const size = known ? Math.max(1, Math.ceil(largest / align) * align) : undefined;
  return { t: 'struct', name, size, align, fields, def: options.def, bindings: options.bindings };
}
