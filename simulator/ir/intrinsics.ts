/**
 * The table of intrinsics: all that is known of functions that no module defines. The parser refuses what is not here, by name and
 * line, and analyses, passes and both engines ask it; nobody else looks at names.
 */
import type { CodeKey, Effect, Intrinsic, Meaning } from './intrinsics/description.ts';
import { FLOATS } from './intrinsics/floats.ts';
import { IMAGES } from './intrinsics/images.ts';
import { INTEGERS } from './intrinsics/integers.ts';
import { LANES } from './intrinsics/lanes.ts';
import { MATRICES } from './intrinsics/matrices.ts';
import { MEMORY } from './intrinsics/memory.ts';
import { REGISTERS } from './intrinsics/registers.ts';
import { RUNTIME } from './intrinsics/runtime.ts';
import { TESTS } from './intrinsics/slow-paths.ts';
import type { Instruction, Type } from './types.ts';

const TABLE: ReadonlyMap<string, Intrinsic> = new Map(
  [INTEGERS, FLOATS, LANES, MATRICES, REGISTERS, MEMORY, IMAGES, RUNTIME, TESTS].flatMap((area) => Object.entries(area)),
);

/** The types that an overloaded intrinsic is used with, as LLVM appends them: .i32, .v4f32, .p1 ... */
const TYPE_SUFFIX = /(\.(i\d+|f\d+|bf16|p\d+|v\d+(i|f|bf|p)\d+))+$/;

const found = new Map<string, Intrinsic | undefined>();

/** undefined for functions that are not in the table: the module has to define them. */
export function intrinsicOf(callee: string): Intrinsic | undefined {
  let intrinsic = TABLE.get(callee) ?? found.get(callee);
  if (!intrinsic && !found.has(callee)) {
    intrinsic = isIntrinsicName(callee) ? TABLE.get(callee.replace(TYPE_SUFFIX, '')) : undefined;
    found.set(callee, intrinsic);
  }
  return intrinsic;
}

/** No module can define a function of this name. */
export function isIntrinsicName(name: string): boolean {
  return name.startsWith('llvm.');
}

const SUFFIXES: Readonly<Record<string, string>> = { half: 'f16', bfloat: 'bf16', float: 'f32', double: 'f64' };

/** The function of three numbers of a type that gives a * b + c, rounded once. */
export function fusedCallee(type: Type): string {
  const suffix = ({ format }: Extract<Type, { kind: 'float' }>) => SUFFIXES[format];
  if (type.kind === 'vector' && type.element.kind === 'float') return `llvm.fma.v${type.count}${suffix(type.element)}`;
  if (type.kind !== 'float') throw new Error('no type of numbers');
  return `llvm.fma.${suffix(type)}`;
}

/** The approximation that nvcc's -use_fast_math takes for a function or, by '/', for a quotient of singles; what has none is left. */
export function fastCallee(name: string): string {
  const fast = name === '/' ? '__nv_fast_fdividef' : name.replace('__nv_', '__nv_fast_');
  return fast.startsWith('__nv_fast_') && TABLE.has(fast) ? fast : name;
}

/** The function that makes a denormal single zero. */
export function flushCallee(): string {
  return 'llvm.nvvm.flush.f';
}

/** The message for a function that neither the table nor the module has. */
export function unknownFunction(name: string): string {
  return `the simulator does not support the function ${name}`;
}

/** How the call is executed; undefined for calls of functions that a module defines, and for other instructions. */
export function meaningOf(instruction: Instruction): Meaning | undefined {
  return instruction.op === 'call' ? intrinsicOf(instruction.callee)?.meaning : undefined;
}

/** Names the compiler's own code for a call, if there is any. */
export function codeOf(instruction: Instruction): CodeKey | undefined {
  return instruction.op === 'call' ? intrinsicOf(instruction.callee)?.code : undefined;
}

/** The result depends on the operands alone, and nothing else happens. */
export function isPureCall(callee: string): boolean {
  const intrinsic = intrinsicOf(callee);
  return intrinsic?.effect === 'none' && intrinsic.result === 'operands';
}

/** Effects that accesses to memory may be moved past, and effects that may change memory. */
const KEEPS_ACCESSES: ReadonlySet<Effect> = new Set<Effect>(['none', 'told', 'reads', 'exchange', 'clock', 'stack']);
const WRITES: ReadonlySet<Effect> = new Set<Effect>(['writes', 'stack', 'heap', 'print', 'launch', 'exit']);

/** Accesses to memory may be moved past the call. */
export function accessesMayPass(callee: string): boolean {
  const intrinsic = intrinsicOf(callee);
  return intrinsic !== undefined && KEEPS_ACCESSES.has(intrinsic.effect);
}

/** The call may keep the addresses that it gets, or pass them on. */
export function keepsPointers(callee: string): boolean {
  const intrinsic = intrinsicOf(callee);
  return intrinsic === undefined || intrinsic.keepsPointers === true;
}

/** The call may change memory, or something else that cannot be undone. */
export function mayWrite(callee: string): boolean {
  const intrinsic = intrinsicOf(callee);
  return intrinsic === undefined || WRITES.has(intrinsic.effect);
}
