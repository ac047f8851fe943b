/** Kernel launches, in host and device code, and the CUDA calls of host functions. */
import type { Expr, ExprOf } from '../syntax/ast.ts';
import { convert } from './conversions.ts';
import { deduce } from './deduction.ts';
import { findFunctions, lastPart } from './definitions.ts';
import { constant, type Form } from './form.ts';
import { frameOf, placeOf } from './frames.ts';
import { type CallOptions, evaluate, lvalue, type Machine } from './machine.ts';
import { opaque, unknownOf } from './made-values.ts';
import { argText } from './names.ts';
import { momentOf } from './recorder.ts';
import { setCell } from './trial.ts';
import { type Binding, DIM3, DOUBLE, INT, type Type, UNKNOWN, VOID } from './types.ts';
import { formOf, type LValue, type Moment, type RawHostCall, type RawLaunch, unknownValue, type Value } from './values.ts';

/** Stands for values that go nowhere. */
const NO_RESULT = unknownValue(VOID);

export function performLaunch(m: Machine, e: ExprOf<'launch'>): Value {
  const config = e.config.map((c) => evaluate(m, c));
  const target = kernelOf(m, e.f);
  const args = e.args.map((node) => ({ value: evaluate(m, node), node }));
  m.weight++;
  if (m.trial > 0 || !target) return NO_RESULT;
  const configPlace = { ...placeOf(m, e), start: e.f.end, end: e.args[0]?.start ?? e.end };
  const last = e.config[e.config.length - 1];
  if (last) Object.assign(configPlace, { end: last.end + 3 });
  const raw: RawLaunch = {
    moment: momentOf(m, e),
    ...target,
    ...bound(
      m,
      target,
      args.map((a) => a.value),
    ),
    configPlace,
    grid: dims(m, config[0]),
    block: dims(m, config[1]),
    shared: config[2] ? formOf(config[2]) : constant(0),
    gridNode: e.config[0],
    blockNode: e.config[1],
    streamNode: e.config[3],
    args,
    item: frameOf(m).item,
    api: 'triple-chevron',
  };
  noteLaunch(m, raw, e, 'launch');
  return NO_RESULT;
}

function noteLaunch(m: Machine, raw: RawLaunch, e: Expr, name: string, resultUsed = false): void {
  m.facts.launches.push(raw);
  if (m.mode === 'host')
    m.facts.hostCalls.push(
      rawHostCall(momentOf(m, e), { name, namePlace: raw.configPlace, args: raw.args, item: raw.item, resultUsed, launch: raw }),
    );
}

function rawHostCall(
  { place, order, path, loops, functionName, callSite, epoch }: Moment,
  { name, namePlace, args, item, resultUsed, launch }: Omit<RawHostCall, keyof Moment>,
): RawHostCall {
  return { place, order, path, loops, functionName, callSite, epoch, name, namePlace, args, item, resultUsed, launch };
}

interface Target {
  readonly kernelName: string;
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly targsText: readonly string[];
}

/** The kernel that an expression names: by itself, through a parameter or a variable that holds it, under a cast. */
function kernelOf(m: Machine, f: Expr): Target | undefined {
  if (f.k === 'cast') return kernelOf(m, f.a);
  if (f.k === 'unary' && f.op === '&') return kernelOf(m, f.a);
  m.trial++;
  const value = f.k === 'name' || f.k === 'member' || f.k === 'index' ? evaluate(m, f) : undefined;
  m.trial--;
  if (value?.v === 'fn')
    return {
      kernelName: lastPart(value.name),
      bindings: value.bindings ?? new Map(),
      targsText: value.targsText ?? (value.bindings ? [] : []),
    };
  if (f.k !== 'name') return undefined;
  return { kernelName: lastPart(f.name), bindings: new Map(), targsText: f.targs?.map((a) => argText(m, a)) ?? [] };
}

/** Template arguments that the launch deduces from its arguments. */
export function bound(
  m: Machine,
  target: Target,
  args: readonly Value[],
): { bindings: ReadonlyMap<string, Binding>; targsText: readonly string[] } {
  const entry = findFunctions(m, target.kernelName).find(
    (f) => f.def.quals.includes('__global__') && f.def.templates.length > 0 && f.def.body,
  );
  if (!entry) return { bindings: target.bindings, targsText: target.targsText };
  const lvalues = args.map((value): LValue => ({ l: 'none', value }));
  const bindings = deduce(m, entry.def, lvalues, target.bindings);
  const text = entry.def.templates.map(({ name, type }) => {
    const b = bindings.get(name);
    if (b?.type) return b.type.name;
    return b?.value === undefined ? (b?.name ?? '?') : type?.name === 'bool' ? `${b.value !== 0}` : `${b.value}`;
  });
  return { bindings, targsText: text };
}

/** Grid or block: a number or a dim3. Undefined parts are unknown. */
export function dims(m: Machine, value: Value | undefined): (Form | undefined)[] {
  if (!value) return [undefined, undefined, undefined];
  if (value.v === 'num') {
    if (value.form.f === 'const' || value.type.t === 'int') return [value.form, constant(1), constant(1)];
    return [undefined, undefined, undefined];
  }
  const whole = value.v === 'list' ? convert(m, value, DIM3) : value;
  if (whole.v !== 'struct') return [undefined, undefined, undefined];
  return ['x', 'y', 'z'].map((name) => {
    const cell = whole.fields.get(name);
    return cell && formOf(cell.value);
  });
}

const LAUNCH_CALLS = new Map<string, RawLaunch['api']>([
  ['cudaLaunchKernel', 'cudaLaunchKernel'],
  ['cudaLaunchCooperativeKernel', 'cudaLaunchCooperativeKernel'],
  ['cudaLaunchKernelEx', 'cudaLaunchKernelEx'],
  ['cudaLaunchCooperativeKernelMultiDevice', 'cooperative-multi-device'],
]);

const CUDA_CALL = /^(cuda|cu|MPI_|omp_|nccl|nvtx|hip)[A-Z_a-z]/;

/** A call in host code of something that the file does not define. */
export function hostCall(m: Machine, name: string, f: ExprOf<'name'>, e: ExprOf<'call'>, options: CallOptions): Value {
  const values = e.args.map((node) => evaluate(m, node));
  const short = lastPart(name);
  if (CUDA_CALL.test(short)) {
    const api = LAUNCH_CALLS.get(short);
    const launched = api && apiLaunch(m, api, e, values);
    if (m.trial === 0) {
      const { resultUsed } = options;
      const args = e.args.map((node, i) => ({ value: values[i], node }));
      const call = { name: short, namePlace: placeOf(m, f), args, item: frameOf(m).item, resultUsed, launch: launched };
      m.facts.hostCalls.push(rawHostCall(momentOf(m, e), call));
    }
    const bytes = short === 'cudaMallocPitch' || !values[1] ? undefined : constantValue(values[1]);
    if (DEVICE_ALLOCATORS.has(short)) allocate(m, values[0], 'onDevice', bytes);
    if (COMMON_ALLOCATORS.has(short)) allocate(m, values[0], 'inCommon', bytes);
  } else noteForeignCall(m, short);
  if (short === 'swap') swapSizes(m, e.args);
  loseReferences(m, values, DEVICE_ALLOCATORS.has(short) || COMMON_ALLOCATORS.has(short));
  if (HOST_ALLOCATORS.has(short)) return allocatedOnHost(m, short, VOID);
  return options.resultUsed ? hostResult(short, values) : NO_RESULT;
}

const DEVICE_ALLOCATORS = new Set(['cudaMalloc', 'cudaMallocAsync', 'cudaMallocPitch', 'cudaMallocFromPoolAsync']);

/** Both sides can use what they give. */
const COMMON_ALLOCATORS = new Set(['cudaMallocManaged', 'cudaMallocHost', 'cudaHostAlloc']);

/** Functions that do not wait for the device. */
const LOCAL_CALL =
  /^(printf|fprintf|sprintf|snprintf|puts|putchar|fflush|malloc|calloc|free|rand|srand|time|clock|memcpy|memset|assert|exit|abort|f?abs[fl]?|sqrtf?|powf?|expf?|logf?|sinf?|cosf?|max|min|fmaxf?|fminf?|now|setw|setprecision|size|begin|end|data|c_str)$/;

/** Anything else may, for all that is known. */
export function noteForeignCall(m: Machine, name: string): void {
  if (m.trial === 0 && m.mode === 'host' && !LOCAL_CALL.test(name)) m.facts.foreignCalls.push(m.order++);
}

function allocate(m: Machine, target: Value | undefined, how: 'onDevice' | 'inCommon', allocatedBytes: number | undefined): void {
  if (target?.v !== 'ref' || target.lv.l !== 'cell') return;
  const { cell } = target.lv;
  if (cell.type.t !== 'pointer') return;
  const object = {
    id: `${how === 'onDevice' ? 'cudaMalloc' : 'common'}@${m.order}`,
    name: cell.name,
    space: 'global' as const,
    type: cell.type.to,
    volatile: false,
    dynamicShared: false,
    allocatedBytes,
    [how]: true,
  };
  setCell(m, cell, { v: 'ptr', object, offset: constant(0), to: cell.type.to });
}

function apiLaunch(m: Machine, api: RawLaunch['api'], e: ExprOf<'call'>, values: readonly Value[]): RawLaunch | undefined {
  const target = e.args[api === 'cudaLaunchKernelEx' ? 1 : 0] && kernelOf(m, e.args[api === 'cudaLaunchKernelEx' ? 1 : 0]);
  if (!target || m.trial > 0) return undefined;
  const direct = api === 'cudaLaunchKernel' || api === 'cudaLaunchCooperativeKernel';
  const raw: RawLaunch = {
    moment: momentOf(m, e),
    ...target,
    configPlace: placeOf(m, e.f),
    grid: dims(m, direct ? values[1] : undefined),
    block: dims(m, direct ? values[2] : undefined),
    shared: direct && values[4] ? formOf(values[4]) : direct ? constant(0) : formOf(unknownValue()),
    gridNode: direct ? e.args[1] : undefined,
    blockNode: direct ? e.args[2] : undefined,
    streamNode: direct ? e.args[5] : undefined,
    args: [],
    item: frameOf(m).item,
    api,
  };
  m.facts.launches.push(raw);
  return raw;
}

const MATH_OF_ONE = new Map<string, (x: number) => number>([
  ['ceil', Math.ceil],
  ['floor', Math.floor],
  ['sqrt', Math.sqrt],
  ['ceilf', Math.ceil],
  ['abs', Math.abs],
  ['log2', Math.log2],
]);

const HOST_ALLOCATORS = new Set(['malloc', 'calloc', 'aligned_alloc', 'strdup']);

/** What the C library, or `new`, has allocated. */
export function allocatedOnHost(m: Machine, name: string, to: Type): Value {
  const id = `${name}@${m.order}`;
  const object = { id, name, space: 'unknown' as const, type: to, volatile: false, dynamicShared: false, onHost: true };
  return { v: 'ptr', object, offset: constant(0), to };
}

function constantValue(value: Value): number | undefined {
  return value.v === 'num' && value.form.f === 'const' ? value.form.v : undefined;
}

/** Buffers that trade places are mostly of one size. Of others it is no longer known which is which: a loop may trade them again. */
function swapSizes(m: Machine, args: readonly Expr[]): void {
  const cells = args.flatMap((arg) => {
    const target = arg.k === 'name' ? lvalue(m, arg) : undefined;
    return target?.l === 'cell' ? [target.cell] : [];
  });
  const sizes = cells.map(({ value }) => (value.v === 'ptr' ? value.object.allocatedBytes : undefined));
  if (cells.length !== 2 || sizes[0] === sizes[1]) return;
  for (const cell of cells) {
    if (cell.value.v === 'ptr') setCell(m, cell, { ...cell.value, object: { ...cell.value.object, allocatedBytes: undefined } });
  }
}

/** What a host function writes through pointers becomes unknown. */
function loseReferences(m: Machine, args: readonly Value[], allocates: boolean): void {
  for (const a of args) {
    if (a.v !== 'ref' || a.lv.l !== 'cell') continue;
    const { cell } = a.lv;
    // cudaMalloc gives a pointer a value; everything else is a number that nobody knows.
    if (cell.value.v !== 'ptr' || cell.value.object.onHost) setCell(m, cell, unknownOf(cell.type));
    else if (!allocates && cell.value.object.allocatedBytes !== undefined)
      setCell(m, cell, { ...cell.value, object: { ...cell.value.object, allocatedBytes: undefined } });
  }
}

/** What a host function returns, as far as launches may depend on it. */
function hostResult(name: string, args: readonly Value[]): Value {
  const x = args.length > 0 ? constantValue(args[0]) : undefined;
  const y = args.length === 2 ? constantValue(args[1]) : undefined;
  if (x !== undefined && y !== undefined && (name === 'max' || name === 'min'))
    return { v: 'num', form: constant(name === 'max' ? Math.max(x, y) : Math.min(x, y)), type: INT };
  const compute = x !== undefined && args.length === 1 ? MATH_OF_ONE.get(name) : undefined;
  if (x !== undefined && compute) return { v: 'num', form: constant(compute(x)), type: DOUBLE };
  return opaque(UNKNOWN, { name, uniform: true, data: false });
}
