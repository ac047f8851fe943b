/**
 * Runs IR on an engine, for tests that hold for every engine. A fixture is a module with directives:
 *
 *   ; run: @f(1, 2) == 3
 *   ; run: @f(lane) == 0 1 2 3
 *
 * Each calls a function in all 32 lanes of a warp: `lane` is the lane's number; the result is compared bit for bit in every lane, or,
 * if several values are given, in as many lanes. Numbers are decimal, 0x bits, inf, -inf or nan (any NaN).
 */

import { h200 } from '../../devices/h200.ts';
import { createCompiler } from '../../simulator/compiler/engine.ts';
import { createInterpreter, interpreter } from '../../simulator/interpreter/interpreter.ts';
import { parseIr } from '../../simulator/ir/parse.ts';
import type { IrFunction, Type } from '../../simulator/ir/types.ts';
import { DeviceMemory } from '../../simulator/machine/device-memory.ts';
import { numberToBfloat, numberToHalf } from '../../simulator/machine/half.ts';
import type { Dim3 } from '../../simulator/machine/launch.ts';
import type { LoadedModule } from '../../simulator/machine/load-module.ts';
import { loadModule } from '../../simulator/machine/load-module.ts';
import type { CreateEngine, Engine, EngineOptions, LaunchOutcome } from '../../simulator/scheduling/engine.ts';
import type { Probes } from '../../simulator/scheduling/probes.ts';

/** All engines that must mean the same. */
export const ENGINES: readonly (readonly [name: string, createEngine: CreateEngine])[] = [
  ['interpreter', createInterpreter],
  ['compiler', (options) => createCompiler({ fallback: interpreter, workers: 0 }, options)],
];

const HEADER = 'target triple = "nvptx64-nvidia-cuda"\n';

export interface Machine {
  readonly engine: Engine;
  readonly options: EngineOptions;
  readonly memory: DeviceMemory;
  readonly module: LoadedModule;
  /** Address of zeroed words. */
  words(count: number, label?: string): number;
  read(address: number, count: number): number[];
  write(address: number, values: readonly number[]): void;
  launch(
    kernel: string,
    options: {
      grid?: number | Dim3;
      block?: number | Dim3;
      args?: readonly Argument[];
      shared?: number;
      cooperative?: boolean;
      probes?: Probes;
    },
  ): LaunchOutcome;
}

/** A 32-bit word or an address, or the bytes of anything else. */
type Argument = number | Uint8Array;

export function machine(createEngine: CreateEngine, ir: string, limits: { warpInstructions?: number } = {}): Machine {
  const memory = new DeviceMemory();
  const module = loadModule(parseIr(ir.includes('target triple') ? ir : HEADER + ir), memory);
  const options = { module, memory, device: h200, limits: { warpInstructions: limits.warpInstructions ?? 10_000_000 } };
  const engine = createEngine(options);
  const int32 = (): Int32Array => new Int32Array(memory.memory.buffer);
  return {
    engine,
    options,
    memory,
    module,
    words: (count, label = 'words') => memory.allocate(count * 4, label)!.address,
    read: (address, count) => [...int32().subarray(address / 4, address / 4 + count)],
    write: (address, values) => int32().set(values, address / 4),
    launch: (kernel, { grid = 1, block = 32, args = [], shared = 0, cooperative = false, probes }) =>
      engine.launch(
        {
          kernel,
          grid: dims(grid),
          block: dims(block),
          dynamicSharedBytes: shared,
          args: args.map((arg) => (typeof arg === 'number' ? new Uint8Array(Int32Array.of(arg, 0).buffer) : arg)),
          cooperative,
        },
        probes,
      ),
  };
}

export interface Directive {
  readonly line: number;
  readonly text: string;
  readonly function: string;
  readonly args: readonly string[];
  readonly expected: readonly string[];
}

export function directivesOf(fixture: string): Directive[] {
  return fixture.split('\n').flatMap((text, index) => {
    const match = /^; run: @([\w.$]+)\((.*?)\) == (.*)$/.exec(text);
    if (text.startsWith('; run:') && !match) throw new Error(`line ${index + 1}: no directive: ${text}`);
    if (!match) return [];
    const args = match[2].trim() === '' ? [] : match[2].split(',').map((a) => a.trim());
    return [{ line: index + 1, text, function: match[1], args, expected: match[3].trim().split(/\s+/) }];
  });
}

/** What a directive's function gives in each lane, and what it should, as bits; equal lists mean success. */
export function runDirective(createEngine: CreateEngine, fixture: string, directive: Directive): { got: string[]; expected: string[] } {
  const fn = parseIr(HEADER + fixture).functions.get(directive.function);
  if (!fn) throw new Error(`the fixture has no function @${directive.function}`);
  const m = machine(createEngine, `${HEADER}${fixture}\n${callingKernel(fn, directive.args)}`);
  const bytes = bytesOf(fn.result);
  const out = m.memory.allocate(32 * bytes, 'results')!.address;
  const outcome = m.launch('run', { args: [out] });
  m.engine.close();
  if (outcome.fault) return { got: [outcome.fault.message], expected: [...directive.expected] };
  const lanes = directive.expected.length === 1 ? 32 : directive.expected.length;
  const got: string[] = [];
  const expected: string[] = [];
  for (let lane = 0; lane < lanes; lane++) {
    const wanted = directive.expected[directive.expected.length === 1 ? 0 : lane];
    const bits = readBits(m.memory.bytes, out + lane * bytes, bytes);
    got.push(wanted === 'nan' && isNaNBits(bits, fn.result) ? 'nan' : hex(bits));
    expected.push(wanted === 'nan' ? 'nan' : hex(bitsOf(wanted, fn.result, lane)));
  }
  return { got, expected };
}

/** A kernel whose lanes call the function and store what it returns. */
function callingKernel(fn: IrFunction, args: readonly string[]): string {
  const lines: string[] = [];
  const operands = fn.parameters.map(({ type }, index) => {
    const text = typeText(type);
    if (args[index] !== 'lane') return `${text} ${literal(args[index], type)}`;
    const bits = type.kind === 'int' ? type.bits : 32;
    const op = type.kind === 'float' ? 'uitofp' : bits < 32 ? 'trunc' : bits > 32 ? 'zext' : 'freeze';
    lines.push(op === 'freeze' ? `%arg${index} = freeze i32 %lane` : `%arg${index} = ${op} i32 %lane to ${text}`);
    return `${text} %arg${index}`;
  });
  const result = typeText(fn.result);
  const widened = fn.result.kind === 'int' && fn.result.bits < 8;
  return `define ptx_kernel void @run(ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  ${lines.join('\n  ')}
  %value = call ${result} @${fn.name}(${operands.join(', ')})
  ${widened ? `%wide = zext ${result} %value to i8` : ''}
  %at = getelementptr ${widened ? 'i8' : result}, ptr %out, i32 %lane
  store ${widened ? 'i8 %wide' : `${result} %value`}, ptr %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
`;
}

function typeText(type: Type): string {
  if (type.kind === 'int') return `i${type.bits}`;
  if (type.kind === 'float') return type.format;
  if (type.kind === 'ptr') return 'ptr';
  throw new Error(`directives take and return scalars, not a ${type.kind}`);
}

function bytesOf(type: Type): number {
  if (type.kind === 'int') return type.bits <= 8 ? 1 : type.bits <= 16 ? 2 : type.bits <= 32 ? 4 : type.bits <= 64 ? 8 : 16;
  if (type.kind === 'float') return { half: 2, bfloat: 2, float: 4, double: 8 }[type.format];
  return 8;
}

function literal(text: string, type: Type): string {
  if (type.kind === 'int') return BigInt.asIntN(type.bits, bitsOf(text, type, 0)).toString();
  if (type.kind === 'ptr') return `inttoptr (i64 ${bitsOf(text, type, 0)} to ptr)`;
  const bits = bitsOf(text, type, 0);
  if (type.kind === 'float' && type.format === 'half') return `0xH${bits.toString(16).padStart(4, '0')}`;
  if (type.kind === 'float' && type.format === 'bfloat') return `0xR${bits.toString(16).padStart(4, '0')}`;
  const word = new DataView(new ArrayBuffer(8));
  if (type.kind === 'float' && type.format === 'float') {
    word.setUint32(0, Number(bits));
    word.setFloat64(0, word.getFloat32(0));
    return `0x${word.getBigUint64(0).toString(16).padStart(16, '0')}`;
  }
  return `0x${bits.toString(16).padStart(16, '0')}`;
}

/** Bits of a number as text in a type. */
function bitsOf(text: string, type: Type, lane: number): bigint {
  if (text === 'lane') return bitsOf(String(lane), type, lane);
  if (text.startsWith('0x')) return BigInt(text);
  if (type.kind !== 'float')
    return BigInt.asUintN(bytesOf(type) * 8, type.kind === 'int' && type.bits === 1 && text === 'true' ? 1n : integer(text, type));
  const value =
    text === 'inf' ? Number.POSITIVE_INFINITY : text === '-inf' ? Number.NEGATIVE_INFINITY : text === 'nan' ? Number.NaN : Number(text);
  const word = new DataView(new ArrayBuffer(8));
  switch (type.format) {
    case 'half':
      return BigInt(numberToHalf(value));
    case 'bfloat':
      return BigInt(numberToBfloat(value));
    case 'float':
      word.setFloat32(0, value);
      return BigInt(word.getUint32(0));
    case 'double':
      word.setFloat64(0, value);
      return word.getBigUint64(0);
  }
}

function integer(text: string, type: Type): bigint {
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
  return type.kind === 'int' ? BigInt.asUintN(type.bits, value) : value;
}

function isNaNBits(bits: bigint, type: Type): boolean {
  if (type.kind !== 'float') return false;
  const [exponent, fraction] = { half: [5n, 10n], bfloat: [8n, 7n], float: [8n, 23n], double: [11n, 52n] }[type.format];
  const ones = (1n << exponent) - 1n;
  return ((bits >> fraction) & ones) === ones && (bits & ((1n << fraction) - 1n)) !== 0n;
}

function readBits(bytes: Uint8Array, offset: number, count: number): bigint {
  let bits = 0n;
  for (let index = count - 1; index >= 0; index--) bits = (bits << 8n) | BigInt(bytes[offset + index]);
  return bits;
}

function hex(bits: bigint): string {
  return `0x${bits.toString(16)}`;
}

function dims(size: number | Dim3): Dim3 {
  return typeof size === 'number' ? [size, 1, 1] : size;
}
