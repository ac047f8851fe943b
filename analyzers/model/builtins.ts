/** CUDA's device functions, as far as a warp's behaviour depends on them: barriers, fences, atomics, shuffles, math, special loads. */
import type { Expr, ExprOf } from '../syntax/ast.ts';
import { load, pay, store } from './accesses.ts';
import { agreed, exchange } from './butterfly.ts';
import { narrowsBack, notePromotion } from './conversions.ts';
import { lastPart } from './definitions.ts';
import { anything, type Form, op, opOf, symbol } from './form.ts';
import { mathPrice } from './instructions.ts';
import type { CallOptions, Machine } from './machine.ts';
import { evaluate } from './machine.ts';
import { structOf, unknownOf } from './made-values.ts';
import { momentOf, rawValue } from './recorder.ts';
import { isMath } from './scalars.ts';
import { commonType, DOUBLE, FLOAT, INT, scalarType, type Type, UNKNOWN, UNSIGNED, VOID, vectorType } from './types.ts';
import { noteUnknownBarrier } from './unknown-calls.ts';
import { formOf, type LValue, num, number, typeOf, unknownValue, type Value } from './values.ts';

const BARRIERS = new Map<string, 'block' | 'warp'>([
  ['__syncthreads', 'block'],
  ['__syncthreads_count', 'block'],
  ['__syncthreads_and', 'block'],
  ['__syncthreads_or', 'block'],
  ['__syncwarp', 'warp'],
  ['__barrier_sync', 'block'],
]);
/** Barriers with a number, for so many threads: which ones come is not followed. */
const NUMBERED_BARRIER = /^__(nvvm_bar(rier)?(?!_warp)(?![a-z])\w*|barrier_sync_count)$/;
const FENCES = new Map<string, 'block' | 'device' | 'system'>([
  ['__threadfence_block', 'block'],
  ['__threadfence', 'device'],
  ['__threadfence_system', 'system'],
]);
const SHUFFLE =
  /^__(shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot)(_sync)?$|^__match_(any|all)_sync$|^__activemask$|^__reduce_(add|min|max|and|or|xor)_sync$/;
const ATOMIC = /^atomic(Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(_block|_system)?$/;
/** Loads with a cache hint, which the compiler does not keep in a register either. */
const HINTED_LOADS = /^__ld(g|cg|ca|cs|cv|lu)$/;

/** Float functions by what they compute; the `f` and `__` spellings lead to the same. */
const RENAMED = new Map([
  ['fmin', 'min'],
  ['fmax', 'max'],
  ['fabs', 'abs'],
  ['umin', 'min'],
  ['umax', 'max'],
  ['llmin', 'min'],
  ['llmax', 'max'],
  ['labs', 'abs'],
  ['llabs', 'abs'],
  ['rint', 'round'],
  ['nearbyint', 'round'],
  ['popc', 'popc'],
  ['popcll', 'popc'],
  ['clz', 'clz'],
  ['ffs', 'ffs'],
  ['fdividef', 'fdiv'],
]);
const FLOAT_MATH = new Set(
  (
    'sqrt rsqrt cbrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh sinpi cospi floor ceil round trunc rint fmod remainder fma ' +
    'fdim hypot erf erfc erfinv erfcinv tgamma lgamma min max abs copysign nextafter ldexp scalbn logb ilogb isnan isinf isfinite signbit norm3d rnorm3d norm4d rnorm4d fdividef saturate mul24 umul24 ' +
    'mulhi umulhi mul64hi umul64hi sad usad brev brevll popc popcll clz clzll ffs ffsll byte_perm funnelshift_l funnelshift_r frcp_rn fsqrt_rn fadd_rn fmul_rn fdiv_rn fmaf_rn hadd rhadd float2int_rn float2int_rd ' +
    'int_as_float float_as_int uint_as_float float_as_uint double_as_longlong longlong_as_double half2float float2half half22float2 float22half2_rn dp4a clock clock64'
  ).split(' '),
);

type Family = 'atomic' | 'shuffle' | 'hinted-load' | 'hinted-store' | 'vector' | 'other';

/** Which of CUDA's functions a name belongs to. */
const familyOf = onceByName(spelledFamily);

/** A file calls few functions many times, so each name is looked at once. */
function onceByName<T>(look: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    if (!known.has(name)) {
      if (known.size > 10_000) known.clear();
      known.set(name, look(name));
    }
    return known.get(name) as T;
  };
}

function spelledFamily(name: string): Family {
  if (ATOMIC.test(name)) return 'atomic';
  if (SHUFFLE.test(name)) return 'shuffle';
  if (HINTED_LOADS.test(name)) return 'hinted-load';
  if (/^__st(wb|cg|cs|wt)$/.test(name)) return 'hinted-store';
  return name.startsWith('make_') && vectorType(name.slice('make_'.length)) ? 'vector' : 'other';
}

/** Whether the name is one of CUDA's atomics, exchanges, loads and stores. */
export function hasFamily(name: string): boolean {
  return familyOf(name) !== 'other';
}

/** Undefined where the name is none of CUDA's. */
export function deviceBuiltin(
  m: Machine,
  qualified: string,
  f: ExprOf<'name'>,
  e: ExprOf<'call'>,
  options: CallOptions,
): Value | undefined {
  const name = lastPart(qualified);
  const barrier = BARRIERS.get(name);
  if (barrier) return barrierCall(m, name, barrier, e);
  if (NUMBERED_BARRIER.test(name)) {
    for (const argument of e.args) evaluate(m, argument);
    m.weight++;
    noteUnknownBarrier(m, e);
    return unknownValue(INT);
  }
  const fence = FENCES.get(name);
  if (fence) {
    m.weight++;
    if (m.trial === 0) m.facts.fences.push({ ...momentOf(m, e), name, scope: fence });
    return unknownValue(VOID);
  }
  switch (familyOf(name)) {
    case 'atomic':
      return atomic(m, name.replace(/_(block|system)$/, ''), e, options);
    case 'shuffle':
      return shuffle(m, name, e, options);
    case 'hinted-load':
      if (e.args.length === 1) return hintedLoad(m, e);
      break;
    case 'hinted-store':
      if (e.args.length === 2) return hintedStore(m, e);
      break;
    case 'vector':
      return makeVector(m, name.slice('make_'.length), e);
    default:
  }
  if (m.table.functions.has(f.name)) return undefined;
  return mathCall(m, name, e);
}

function barrierCall(m: Machine, name: string, scope: 'block' | 'warp', e: ExprOf<'call'>): Value {
  const args = e.args.map((a) => evaluate(m, a));
  m.weight++;
  if (scope === 'block') m.epoch++;
  if (m.trial === 0)
    m.facts.barriers.push({
      ...momentOf(m, e),
      name,
      scope,
      mask: scope === 'warp' && args[0] ? rawValue(m, args[0], e.args[0]) : undefined,
    });
  return num(symbol(name, 'loaded', { data: true, block: true }), INT);
}

/** What a pointer argument points to. */
export function pointee(value: Value): LValue {
  if (value.v === 'ref') return value.lv;
  if (value.v === 'ptr') return { l: 'mem', object: value.object, offset: value.offset, type: value.to };
  return { l: 'none', value: unknownValue() };
}

/** The operation itself, and finding one lane to do it for all of a warp, which nvcc adds where it can. */
const ATOMIC_INSTRUCTIONS = 8;

function atomic(m: Machine, name: string, e: ExprOf<'call'>, options: CallOptions): Value {
  const values = e.args.map((a) => evaluate(m, a));
  m.cost += ATOMIC_INSTRUCTIONS;
  m.weight++;
  const target = values[0] ? pointee(values[0]) : undefined;
  if (target?.l !== 'mem') return unknownValue(values[1] ? typeOf(values[1]) : INT);
  if (!m.facts.objects.has(target.object.id)) m.facts.objects.set(target.object.id, target.object);
  const result = anything({ data: true, unknown: false });
  if (m.trial === 0) {
    m.facts.atomics.push({
      ...momentOf(m, e),
      name,
      result: result.id,
      statement: m.statement,
      object: target.object,
      type: target.type,
      offset: target.offset,
      resultUsed: options.resultUsed,
      operands: values.slice(1).map((v, i) => rawValue(m, v, e.args[i + 1])),
    });
  }
  return num(result, target.type);
}

function shuffle(m: Machine, name: string, e: ExprOf<'call'>, options: CallOptions): Value {
  const values = e.args.map((a) => evaluate(m, a));
  m.cost += 2;
  const sync = /_sync$/.test(name);
  const hasMask = sync;
  const isActive = (i: number) => {
    const arg = e.args[i];
    return arg?.k === 'call' && arg.f.k === 'name' && arg.f.name === '__activemask';
  };
  if (m.trial === 0) {
    const at = (i: number) => (values[i] ? rawValue(m, values[i], e.args[i]) : undefined);
    const first = hasMask ? 1 : 0;
    m.facts.shuffles.push({
      ...momentOf(m, e),
      name,
      mask: hasMask ? at(0) : undefined,
      maskIsActive: hasMask && (isActive(0) || isActiveMask(values[0])),
      picksActive: values[first + 1] !== undefined && hangsOnActiveMask(formOf(values[first + 1])),
      operand: at(first),
      selector: at(first + 1),
      width: /^__shfl/.test(name) ? at(first + 2) : undefined,
      resultUsed: options.resultUsed,
    });
  }
  const operand = values[hasMask ? 1 : 0];
  if (name === '__activemask') return num(op('activemask', symbol(name, 'loaded', { data: true, block: true })), UNSIGNED);
  // Votes agree in the warp, as does what all lanes read from one of them; the data of other shuffles varies.
  if (/ballot|any|all|reduce/.test(name) && !/match/.test(name))
    return num(symbol(name, 'loaded', { data: true, block: true }), /ballot/.test(name) ? UNSIGNED : INT);
  const type = operand ? typeOf(operand) : INT;
  if (operand?.v !== 'num') return operand ? unknownOf(type) : unknownValue();
  const [selector, width] = values.slice(hasMask ? 2 : 1);
  if (/^__shfl_xor/.test(name) && selector && isWholeWarp(width)) return num(exchange(operand.form, formOf(selector)), type);
  const isBroadcast = /^__shfl(_sync)?$/.test(name) && selector !== undefined && !formOf(selector).lane && isWholeWarp(width);
  return num(isBroadcast ? symbol(name, 'loaded', { data: true, block: true }) : anything({ data: true, unknown: false }), type);
}

function isWholeWarp(width: Value | undefined): boolean {
  const form = width && formOf(width);
  return form === undefined || (form.f === 'const' && form.v === 32);
}

function isActiveMask(value: Value | undefined): boolean {
  return value?.v === 'num' && value.form.f === 'op' && value.form.op === 'activemask';
}

/** `__ffs(mask) - 1` of what `__activemask()` returned. */
function hangsOnActiveMask(form: Form): boolean {
  return form.f === 'op' && (form.op === 'activemask' || form.args.some(hangsOnActiveMask));
}

function hintedLoad(m: Machine, e: ExprOf<'call'>): Value {
  const pointer = evaluate(m, e.args[0]);
  return load(m, pointee(pointer), e);
}

function hintedStore(m: Machine, e: ExprOf<'call'>): Value {
  const [pointer, value] = e.args.map((a) => evaluate(m, a));
  store(m, pointee(pointer), value, e);
  return unknownValue(VOID);
}

function makeVector(m: Machine, name: string, e: ExprOf<'call'>): Value {
  const type = vectorType(name)!;
  const args = e.args.map((a) => evaluate(m, a));
  return structOf(type, (field) => {
    const i = type.fields.findIndex((x) => x.name === field.name);
    const from = args[i] ?? args[0];
    return from?.v === 'num' ? num(from.form, field.type) : unknownOf(field.type);
  });
}

/** How a function of mathematics is spelt and what it computes. */
interface MathFunction {
  /** Without the underscores in front. */
  readonly plain: string;
  /** Without the `f` of single precision. */
  readonly base: string;
  readonly computes: string;
}

const mathFunction = onceByName(spelledFunction);

function spelledFunction(name: string): MathFunction | undefined {
  const plain = name.replace(/^__+/, '');
  const single = plain.endsWith('f') ? plain.slice(0, -1) : undefined;
  const base = FLOAT_MATH.has(plain) ? plain : single !== undefined && FLOAT_MATH.has(single) ? single : undefined;
  const computes = RENAMED.get(base ?? plain) ?? (single !== undefined ? RENAMED.get(single) : undefined) ?? base;
  return computes === undefined ? undefined : { plain, base: base ?? plain, computes };
}

function mathCall(m: Machine, name: string, e: ExprOf<'call'>): Value | undefined {
  const known = mathFunction(name);
  if (!known) return undefined;
  const { plain, base, computes } = known;
  const values = e.args.map((a) => evaluate(m, a));
  const forms = values.map((v) => formOf(v));
  const double = plain === base && values.some((v) => v.v === 'num' && v.type.t === 'float' && v.type.size === 8);
  if (forms.some((f) => f.runtime)) pay(m, mathPrice(computes, { intrinsic: name.startsWith('__'), double }));
  noteMathArguments(m, plain, values, e.args);
  for (const v of values) if (v.v === 'ref' && v.lv.l === 'cell') v.lv.cell.value = unknownOf(v.lv.cell.type);
  const type = resultType(plain, base, values.map(typeOf));
  if (plain === 'clock' || plain === 'clock64') return num(anything({ data: true, unknown: false }), scalarType('long long')!);
  if (forms.length === 0) return number(0, type);
  if (computes === 'fma' && forms.length === 3) return num(op('+', op('*', forms[0], forms[1]), forms[2]), type);
  if (/^u?mul24$/.test(plain) && forms.length === 2) return num(op('*', forms[0], forms[1]), type);
  return num(agreed(opOf(isMath(computes) && forms.length <= 2 ? computes : 'opaque', forms)), type);
}

/** Functions of two numbers whose overload for a float and a double computes in double precision. */
const OVERLOADED = /^(min|max|pow|fmod|atan2|hypot)$/;

/** `powf(x, 2.0)` makes floats of its arguments, `pow(x, 2.0)` doubles. */
function noteMathArguments(m: Machine, name: string, values: readonly Value[], args: readonly Expr[]): void {
  if (name.endsWith('f')) for (const value of values) narrowsBack(m, value, FLOAT);
  const isFloat = (value: Value) => value.v === 'num' && value.type === FLOAT;
  if (OVERLOADED.test(name) && values.some(isFloat))
    values.forEach((value, i) => {
      notePromotion(m, value, args[i], { exactIsFree: false });
    });
}

function resultType(name: string, base: string, types: readonly Type[]): Type {
  if (name === base && /^(min|max|abs)$/.test(base)) return types.length === 2 ? commonType(types[0], types[1]) : (types[0] ?? INT);
  if (
    /^(popc|clz|ffs|popcll|clzll|ffsll|brev|mul24|umul24|mulhi|umulhi|sad|float_as_int|float2int|isnan|isinf|isfinite|signbit|ilogb|dp4a)/.test(
      base,
    )
  )
    return INT;
  // `sinf` of `sin`; `fmaxf`, `fabsf` and `fdividef` stand under other names.
  if (name.endsWith('f') && (name !== base || name.startsWith('f'))) return FLOAT;
  const first = types.reduce<Type>((a, b) => (b.t === 'float' ? commonType(a, b) : a), UNKNOWN);
  if (first.t === 'float') return first;
  const float = types.find((t) => t.t === 'float');
  return float ?? DOUBLE;
}
