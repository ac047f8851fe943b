/** The types that calls of intrinsics must have, by the kind of meaning. Overloads differ in widths and element counts alone. */
import type { Instruction, Type } from '../types.ts';
import type { ImageCall, Meaning } from './description.ts';

type Call = Extract<Instruction, { op: 'call' }>;

/** False for a call whose operands or result are not of the types that its meaning takes and gives. */
export function hasSignatureOf(meaning: Meaning, call: Call): boolean {
  const check = SIGNATURES[meaning.kind] as (types: Types, meaning: Meaning) => boolean;
  return check({ args: call.args.map(({ type }) => type), result: call.type }, meaning);
}

interface Types {
  readonly args: readonly Type[];
  readonly result: Type;
}

const element = (type: Type): Type => (type.kind === 'vector' ? type.element : type);
const isInt = (type: Type | undefined): boolean => type !== undefined && element(type).kind === 'int';
const isFloat = (type: Type | undefined): boolean => type !== undefined && element(type).kind === 'float';
const isPointer = (type: Type | undefined): boolean => type?.kind === 'ptr';
const isScalar = (type: Type): boolean => type.kind === 'int' || type.kind === 'float';

/** Fences, hints and what becomes other instructions never reach a verifier. */
const replaced = (): boolean => false;
const onlyInts = ({ args }: Types): boolean => args.every(isInt);
const intsToInt = ({ args, result }: Types): boolean => args.every(isInt) && isInt(result);
const copied = ({ args }: Types): boolean => isPointer(args[0]) && isPointer(args[1]) && isInt(args[2]);
const any = (): boolean => true;
const isIntVector = (type: Type): boolean => type.kind === 'vector' && type.count === 4 && isInt(type);

/** Operands and result: integers, numbers, four integers, nothing. */
const IMAGE_SIGNATURES: Readonly<Record<ImageCall, readonly [operands: string, result: 'f' | 'v' | '-']>> = {
  texture: ['iifffif', 'v'],
  level: ['iffffff', 'f'],
  surfaceRead: ['iiiii', 'v'],
  surfaceWrite: ['iiiiiiiii', '-'],
};

const SIGNATURES: { readonly [Kind in Meaning['kind']]: (types: Types, meaning: Extract<Meaning, { kind: Kind }>) => boolean } = {
  hint: replaced,
  identity: replaced,
  fence: replaced,
  expression: replaced,
  emitted: any,
  test: intsToInt,
  innerBranch: onlyInts,
  nothing: any,
  integer: ({ args, result }, { arity }) => args.length >= arity && args.every(isInt) && isInt(result),
  float: ({ args, result }, { arity }) => args.length === arity && isFloat(result) && args.every((type) => type === result),
  scalar: ({ args, result }) => args.length > 0 && args.every(isScalar) && isScalar(result),
  sign: ({ args, result }, { of }) => args.length === (of === 'none' ? 1 : 2) && isFloat(result) && args.every((type) => type === result),
  overflow: ({ args, result }) => args.length === 2 && args.every(isInt) && result.kind === 'struct' && result.fields[0] === args[0],
  classify: ({ args, result }) => isFloat(args[0]) && isInt(args[1]) && isInt(result),
  saturatingCast: ({ args, result }) => args.length === 1 && isFloat(args[0]) && isInt(result),
  reduceVector: ({ args, result }) => args.length === 1 && args[0].kind === 'vector' && args[0].element === result,
  register: ({ args, result }) => args.length === 0 && result.kind === 'int',
  activeMask: ({ args, result }) => args.length === 0 && result.kind === 'int',
  warpBarrier: ({ args }) => args.length === 1 && isInt(args[0]),
  shuffle: ({ args, result }, { word }) => args.length === 4 && (word ? args[1] === result : result.kind === 'struct'),
  vote: (types, { withMask }) => types.args.length === (withMask ? 2 : 1) && intsToInt(types),
  match: ({ args, result }, { all }) => args.length === 2 && args.every(isInt) && (all ? result.kind === 'struct' : isInt(result)),
  reduceLanes: (types) => types.args.length === 2 && intsToInt(types),
  matrixProduct: ({ args }) => args.length > 3 && args.every(isScalar),
  blockBarrier: (types, { numbered, counted, reduction }) =>
    types.args.length === Number(numbered) + Number(counted) + Number(reduction !== undefined) && onlyInts(types),
  gridBarrier: ({ args }) => args.length === 0,
  clusterBarrier: ({ args }) => args.length === 0,
  gridIsCooperative: ({ args, result }) => args.length === 0 && isInt(result),
  copyMemory: copied,
  fillMemory: ({ args }) => isPointer(args[0]) && isInt(args[1]) && isInt(args[2]),
  cachedLoad: ({ args, result }) => isPointer(args[0]) && isInt(args[1]) && result.kind !== 'void',
  isInSpace: ({ args, result }) => isPointer(args[0]) && isInt(result),
  saveStack: ({ args, result }) => args.length === 0 && isPointer(result),
  restoreStack: ({ args }) => isPointer(args[0]),
  trap: onlyInts,
  exit: ({ args }) => args.length === 0,
  image: ({ args, result }, { call }) => {
    const [kinds, gives] = IMAGE_SIGNATURES[call];
    const of = { i: isInt, f: isFloat, v: isIntVector, '-': ({ kind }: Type) => kind === 'void' };
    return args.length === kinds.length && args.every((type, index) => of[kinds[index] as 'i' | 'f'](type)) && of[gives](result);
  },
  runtime: any,
};
