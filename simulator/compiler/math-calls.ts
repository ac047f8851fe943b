/**
 * Calls of CUDA's math library and of other functions of a lane's scalars. WebAssembly calls the function of the table for each active
 * lane, so both engines compute the same and kernels that call it still run on several threads. Functions of 64-bit integers are left to
 * the host's steps, and so are integer functions without code of their own: a host step takes all lanes at once, which is faster.
 */
import type { CodeKey } from '../ir/intrinsics/description.ts';
import { codeOf, intrinsicOf } from '../ir/intrinsics.ts';
import { GENERATED_NAN, type MathFunction, QUIET_BIT } from '../ir/math/libdevice.ts';
import type { Instruction, IrFunction, Type } from '../ir/types.ts';
import { componentsOf } from './components.ts';
import { FUSED_DOUBLE } from './fused-products.ts';
import { type Callable, forActiveLanes } from './helper-parts.ts';
import type { MemoryEmitter } from './memory-emitter.ts';
import type { Reference } from './values.ts';
import type { FunctionBuilder, ModuleBuilder, ValueType } from './wasm-encoder.ts';

type Call = Extract<Instruction, { op: 'call' }>;
type NumberKind = 'f32' | 'f64' | 'i32';

interface Signature {
  readonly operands: readonly NumberKind[];
  readonly result: NumberKind;
}

export interface MathCallables {
  /** One lane: scalars in, a scalar out. */
  readonly single: Callable;
  /** (address of each operand's lanes, address of the result's, mask). */
  readonly lanes: Callable;
}

/** By callee: the functions that a kernel calls. */
export type MathHelpers = ReadonlyMap<string, MathCallables>;

const BYTES: Readonly<Record<NumberKind, number>> = { f32: 4, f64: 8, i32: 4 };

/** What a module imports of the math library, for its instantiation. */
export function mathImports(module: WebAssembly.Module): Record<string, MathFunction> {
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  return Object.fromEntries(
    names.flatMap((name) => {
      const run = functionOf(name);
      return run ? [[name, run]] : [];
    }),
  );
}

function functionOf(callee: string): MathFunction | undefined {
  const meaning = intrinsicOf(callee)?.meaning;
  return meaning?.kind === 'scalar' ? meaning.run : undefined;
}

export interface MathImport {
  readonly callee: string;
  readonly signature: Signature;
  readonly imported: Callable;
}

/** Declares the functions that the kernel calls; imports come before a module's functions. */
export function importMath(module: ModuleBuilder, fn: IrFunction): readonly MathImport[] {
  const imports = new Map<string, MathImport>();
  for (const block of fn.blocks) {
    for (const instruction of block.instructions) {
      if (instruction.op !== 'call') continue;
      const { callee, signature } = called(instruction);
      if (hasCode(instruction) || !functionOf(callee) || imports.has(callee)) continue;
      if (!signature) continue;
      const imported = module.importFunction(callee, {
        parameters: signature.operands.map(passedAs),
        results: [passedAs(signature.result)],
      });
      imports.set(callee, { callee, signature, imported });
    }
  }
  return [...imports.values()];
}

/** Codes that leave some operands to a function. */
const CALLING: ReadonlySet<CodeKey> = new Set<CodeKey>(['fma', 'sin', 'cos', 'pow']);

/** The call has code of its own, which calls nothing. */
function hasCode(call: Call): boolean {
  const code = codeOf(call);
  return code !== undefined && !CALLING.has(code);
}

/** What compiled code calls for a call: of fused products only what is near the ends of the range of doubles. */
function called(call: Call): { readonly callee: string; readonly signature: Signature | undefined } {
  if (codeOf(call) !== 'fma') return { callee: call.callee, signature: signatureOf(call) };
  const isWide = componentsOf(call.type)[0].cls === 'double';
  return { callee: FUSED_DOUBLE, signature: isWide ? { operands: ['f64', 'f64', 'f64'], result: 'f64' } : undefined };
}

export function emitMathHelpers(module: ModuleBuilder, imports: readonly MathImport[]): MathHelpers {
  return new Map(
    imports.map((each) => {
      const single = emitSingle(module, each);
      return [each.callee, { single, lanes: emitLanes(module, each, single) }];
    }),
  );
}

/** Calls a function that `importMath` has declared. */
export function emitMathCall(e: MemoryEmitter, call: Call): void {
  const { f } = e;
  const helpers = e.context.mathHelpers.get(call.callee)!;
  const [result] = e.names.ofValue(call.id, call.type) as readonly (Reference & { kind: 'value' })[];
  const references = call.args.map((arg) => e.names.references(arg)[0]);
  if (e.isScalar(result)) {
    for (const reference of references) e.pushScalar(reference);
    f.call(helpers.single);
    e.defineScalar(result);
    return;
  }
  const slots = references.map((reference) => e.vectorSlot(reference));
  for (const slot of [...slots, e.slotOf(result)]) f.get(e.frame).i32(slot).op('i32.add');
  f.get(e.mask).call(helpers.lanes);
}

function emitSingle(module: ModuleBuilder, { callee, signature: { operands, result }, imported }: MathImport): Callable {
  const f = module.function(callee, { parameters: operands.map(heldAs), results: [heldAs(result)] });
  operands.forEach((kind, index) => {
    f.get(index);
    if (kind === 'f32') f.op('f32.reinterpret_i32', 'f64.promote_f32');
    else if (kind === 'f64') f.op('f64.reinterpret_i64');
  });
  f.call(imported);
  if (result === 'i32') return f;
  const value = f.local('f64');
  f.tee(value).get(value).op('f64.eq').if(heldAs(result));
  f.get(value).op(...(result === 'f32' ? ['f32.demote_f64', 'i32.reinterpret_f32'] : ['i64.reinterpret_f64']));
  f.else();
  pushNaN(f, operands, result);
  f.end();
  return f;
}

/** The NaN that a function gives back, as the interpreter chooses it. */
function pushNaN(f: FunctionBuilder, operands: readonly NumberKind[], result: 'f32' | 'f64'): void {
  if (result === 'f32') {
    f.i32(GENERATED_NAN.single);
    return;
  }
  const doubles = operands.flatMap((kind, index) => (kind === 'f64' ? [index] : []));
  for (const index of doubles) {
    f.get(index).op('f64.reinterpret_i64').get(index).op('f64.reinterpret_i64', 'f64.ne').if('i64');
    f.get(index).i64(QUIET_BIT).op('i64.or').else();
  }
  f.i64(GENERATED_NAN.double);
  for (const _ of doubles) f.end();
}

function emitLanes(module: ModuleBuilder, { callee, signature: { operands, result } }: MathImport, single: Callable): Callable {
  const mask = operands.length + 1;
  const f = module.function(`${callee}.lanes`, { parameters: new Array(mask + 1).fill('i32'), results: [] });
  const pushPlace = (parameter: number, lane: number, kind: NumberKind): void => {
    f.get(parameter).get(lane).i32(BYTES[kind]).op('i32.mul', 'i32.add');
  };
  forActiveLanes(f, mask, 'ascending', (lane) => {
    pushPlace(operands.length, lane, result);
    operands.forEach((kind, index) => {
      pushPlace(index, lane, kind);
      f.mem(`${heldAs(kind)}.load`, 0);
    });
    f.call(single).mem(`${heldAs(result)}.store`, 0);
  });
  return f;
}

/** undefined if an operand or the result is no number that JavaScript has: 64-bit integers. */
function signatureOf(call: Call): Signature | undefined {
  const operands = call.args.map(({ type }) => numberKind(type));
  const result = numberKind(call.type);
  return result && operands.every((kind) => kind !== undefined) ? { operands: operands as NumberKind[], result } : undefined;
}

function numberKind(type: Type): NumberKind | undefined {
  if (type.kind === 'int') return type.bits === 32 ? 'i32' : undefined;
  if (type.kind !== 'float') return undefined;
  return type.format === 'float' ? 'f32' : type.format === 'double' ? 'f64' : undefined;
}

function passedAs(kind: NumberKind): ValueType {
  return kind === 'i32' ? 'i32' : 'f64';
}

/** Scalars are words, or double words. */
function heldAs(kind: NumberKind): 'i32' | 'i64' {
  return kind === 'f64' ? 'i64' : 'i32';
}
