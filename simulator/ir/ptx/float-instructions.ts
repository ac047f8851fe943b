/**
 * PTX's instructions on floating-point numbers, and those that exist for integers too (PTX ISA 9.0, "Floating Point", "Half Precision",
 * "Mixed Precision"). Denormals are kept with `.ftz`, and what the manual calls approximate is correctly rounded.
 */
import { I1, I32 } from '../type-table.ts';
import type { FloatBinary, Operand, Type } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { type Entry, entry, has, refuse, typeOf, values } from './instruction.ts';
import { absolute, addInteger, extremum, multiplyAdd, multiplyInteger, negate } from './integer-instructions.ts';
import type { PtxInstruction } from './syntax.ts';
import type { PtxType } from './types.ts';

const DIRECTED: Readonly<Record<string, string>> = { rz: 'rz', rm: 'rd', rp: 'ru' };

export function directionOf({ modifiers }: PtxInstruction): string | undefined {
  return modifiers.map((modifier) => DIRECTED[modifier]).find((direction) => direction !== undefined);
}

/** How LLVM writes the type at the end of an intrinsic's name. */
export function suffixOf(type: Type): string {
  if (type.kind === 'vector') return `v${type.count}${suffixOf(type.element)}`;
  if (type.kind === 'int') return `i${type.bits}`;
  return type.kind === 'float' ? { half: 'f16', bfloat: 'bf16', float: 'f32', double: 'f64' }[type.format] : '';
}

export function call(a: Assembler, callee: string, type: Type, args: readonly Operand[]): Operand {
  return a.call(`${callee}.${suffixOf(type)}`, type, args);
}

/** Applies `.sat` and `.relu`, and writes the result. */
function write(a: Assembler, i: PtxInstruction, value: Operand) {
  const type = typeOf(i);
  let result = value;
  if (has(i, 'sat')) result = saturated(a, result, type);
  if (has(i, 'relu')) result = call(a, 'llvm.maxnum', type.type, [result, { kind: 'zero', type: type.type }]);
  a.write(i.operands[0], result);
}

function saturated(a: Assembler, value: Operand, { type, name }: PtxType): Operand {
  return name === 'f32' ? a.call('llvm.nvvm.saturate.f', type, [value]) : a.call(`llvm.nvvm.saturate.${name}`, type, [value]);
}

const LETTERS: Readonly<Record<string, string>> = { f32: 'f', f64: 'd' };

function arithmetic(op: FloatBinary, name: string): Entry['translate'] {
  return (a, i) => {
    const type = typeOf(i);
    const [x, y] = values(a, i, type);
    const direction = directionOf(i);
    // ptxas may fuse what says nothing of rounding.
    if (!direction) return write(a, i, a.add({ op, type: type.type, a: x, b: y, ...(!has(i, 'rn') && { contract: true }) }));
    const letter = LETTERS[type.name] ?? refuse(i);
    write(a, i, a.call(`__nv_${letter}${name}_${direction}`, type.type, [x, y]));
  };
}

function fused(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const args = values(a, i, type);
  const direction = directionOf(i);
  if (!direction) return write(a, i, call(a, 'llvm.fma', type.type, args));
  if (!LETTERS[type.name]) return refuse(i);
  write(a, i, a.call(`__nv_${type.name === 'f32' ? 'fmaf' : 'fma'}_${direction}`, type.type, args));
}

/** Division and roots: to the nearest, directed, or approximate. */
function unary(callee: string, name: string): Entry['translate'] {
  return (a, i) => {
    const type = typeOf(i);
    const [x] = values(a, i, type);
    const direction = directionOf(i);
    if (direction) {
      const letter = LETTERS[type.name] ?? refuse(i);
      return write(a, i, a.call(`__nv_${letter}${name}_${direction}`, type.type, [x]));
    }
    if (name === 'sqrt') return write(a, i, call(a, 'llvm.sqrt', type.type, [x]));
    write(a, i, a.call(`${callee}.${LETTERS[type.name] ?? refuse(i)}`, type.type, [x]));
  };
}

/** For each part of a packed type. */
function elementwise(a: Assembler, type: Type, value: Operand, each: (part: Operand) => Operand): Operand {
  if (type.kind !== 'vector') return each(value);
  let result: Operand = { kind: 'undef', type };
  for (let k = 0; k < type.count; k++) {
    const index = a.int(I32, k);
    const part = each(a.add({ op: 'extractelement', type: type.element, vector: value, index }));
    result = a.add({ op: 'insertelement', type, vector: result, value: part, index });
  }
  return result;
}

function approximate(callee: string): Entry['translate'] {
  return (a, i) => {
    const type = typeOf(i);
    const [x] = values(a, i, type);
    const each = (part: Operand): Operand =>
      a.call(`${callee}.${part.type.kind === 'float' && part.type.format === 'float' ? 'f' : suffixOf(part.type)}`, part.type, [part]);
    write(a, i, elementwise(a, type.type, x, each));
  };
}

function floatExtremum(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const args = values(a, i, type);
  const which = i.name === 'min' ? 'min' : 'max';
  // With .NaN a NaN wins, otherwise a number does.
  const callee = has(i, 'NaN') ? `llvm.${which}imum` : `llvm.${which}num`;
  let value = args[0];
  for (const next of args.slice(1)) value = call(a, callee, type.type, [value, next]);
  write(a, i, value);
}

function classify(a: Assembler, i: PtxInstruction) {
  const { type } = typeOf(i);
  // The bits of llvm.is.fpclass.
  const classes: Readonly<Record<string, number>> = {
    finite: 0b0111111000,
    infinite: 0b1000000100,
    number: 0b1111111100,
    notanumber: 0b0000000011,
    normal: 0b0100001000,
    subnormal: 0b0010010000,
  };
  const wanted = i.modifiers.map((modifier) => classes[modifier]).find((mask) => mask !== undefined) ?? refuse(i);
  const value = a.read(i.operands[1], type);
  a.write(i.operands[0], a.add({ op: 'call', type: I1, callee: `llvm.is.fpclass.${suffixOf(type)}`, args: [value, a.int(I32, wanted)] }));
}

/** The sign of the first, everything else of the second. */
function copySign(a: Assembler, i: PtxInstruction) {
  const { type } = typeOf(i);
  const [x, y] = values(a, i, typeOf(i));
  a.write(i.operands[0], call(a, 'llvm.copysign', type, [y, x]));
}

/** Instructions that integers and floats share. */
function either(ofIntegers: Entry['translate'], ofFloats: Entry['translate']): Entry['translate'] {
  return (a, i) => (typeOf(i).kind === 'f' ? ofFloats : ofIntegers)(a, i);
}

const ROUNDING = 'rn rz rm rp ftz sat';

function integerExtremum(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y] = values(a, i, type);
  const value = extremum(a, i.name === 'min' ? 'min' : 'max', type, x, y);
  a.write(i.operands[0], has(i, 'relu') ? extremum(a, 'max', type, value, a.int(type.type, 0)) : value, type.kind === 's');
}

function divide(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y] = values(a, i, type);
  a.write(i.operands[0], a.binary(type.kind === 's' ? 'sdiv' : 'udiv', x, y), type.kind === 's');
}

export const FLOAT_INSTRUCTIONS: Readonly<Record<string, Entry>> = {
  add: entry(`${ROUNDING} cc`, 3, either(addInteger, arithmetic('fadd', 'add'))),
  sub: entry(`${ROUNDING} cc`, 3, either(addInteger, arithmetic('fsub', 'sub'))),
  mul: entry(`${ROUNDING} lo hi wide`, 3, either(multiplyInteger, arithmetic('fmul', 'mul'))),
  fma: entry(`${ROUNDING} relu`, 4, fused),
  mad: entry(`${ROUNDING} lo hi wide cc`, 4, either(multiplyAdd, fused)),
  div: entry(`${ROUNDING} approx full`, 3, either(divide, arithmetic('fdiv', 'div'))),
  rcp: entry(`${ROUNDING} approx`, 2, unary('llvm.nvvm.rcp.rn', 'rcp')),
  sqrt: entry(`${ROUNDING} approx`, 2, unary('llvm.nvvm.sqrt.rn', 'sqrt')),
  rsqrt: entry('approx ftz', 2, unary('llvm.nvvm.rsqrt.approx', 'rsqrt')),
  sin: entry('approx ftz', 2, approximate('llvm.nvvm.sin.approx')),
  cos: entry('approx ftz', 2, approximate('llvm.nvvm.cos.approx')),
  lg2: entry('approx ftz', 2, approximate('llvm.nvvm.lg2.approx')),
  ex2: entry('approx ftz', 2, approximate('llvm.nvvm.ex2.approx')),
  tanh: entry('approx', 2, approximate('llvm.nvvm.tanh.approx')),
  abs: entry(
    'ftz',
    2,
    either(absolute, (a, i) => write(a, i, call(a, 'llvm.fabs', typeOf(i).type, values(a, i, typeOf(i))))),
  ),
  neg: entry(
    'ftz',
    2,
    either(negate, (a, i) => write(a, i, a.add({ op: 'fneg', type: typeOf(i).type, a: a.read(i.operands[1], typeOf(i).type) }))),
  ),
  min: entry('ftz NaN relu', [3, 4], either(integerExtremum, floatExtremum)),
  max: entry('ftz NaN relu', [3, 4], either(integerExtremum, floatExtremum)),
  testp: entry('finite infinite number notanumber normal subnormal', 2, classify),
  copysign: entry('', 3, copySign),
};
