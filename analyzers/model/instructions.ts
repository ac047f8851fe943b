/**
 * Which class of instructions an operation is, and so what ptxas makes of it (../../devices/prices.ts): enough to tell a body of three
 * instructions from one of thirty. Common subexpressions, unrolling and the uniform datapath are not known here, so sums run high.
 */
import { type InstructionClass, type InstructionPrice, SM_90 } from '../../devices/prices.ts';
import type { Form } from './form.ts';
import { isInteger, sizeOf, type Type } from './types.ts';

export type Price = InstructionPrice;

const { classes, functions, doubleFunctionFactor, transferBytes } = SM_90;

/** For a binary operator on run-time values; `type` is that of the operands. */
export function operationPrice(operator: string, type: Type, divisor: Form): Price {
  const wide = isInteger(type) && (sizeOf(type) ?? 4) > 4;
  if (operator === '/' || operator === '%') return classes[divisionClass(type, divisor, wide)];
  if (wide) return operator === '*' ? classes.wideProduct : classes.wide;
  return classes.simple;
}

function divisionClass(type: Type, divisor: Form, wide: boolean): InstructionClass {
  const known = divisor.f === 'const' ? Math.abs(divisor.v) : undefined;
  const power = known !== undefined && Number.isInteger(Math.log2(known));
  if (type.t === 'float') {
    if (power) return 'simple';
    return type.size < 4 ? 'halfDivision' : type.size === 4 ? 'floatDivision' : 'doubleDivision';
  }
  if (power) return type.t === 'int' && type.unsigned ? 'shiftDivision' : 'signedShiftDivision';
  if (known !== undefined) return wide ? 'wideConstantDivision' : 'constantDivision';
  return wide ? 'wideDivision' : 'division';
}

/** Doubles that are one or two instructions all the same. */
const SIMPLE = /^(abs|min|max|floor|ceil|round|trunc|rint|fma|copysign|isnan|isinf|isfinite|signbit|saturate)$/;
/** `__sinf` and kin: one visit of the special function unit. */
const FAST = /^(sin|cos|exp|exp10|log|log2|log10|pow|tan|fdividef)$/;

/** `intrinsic`: spelt with two underscores in front. */
export function mathPrice(name: string, options: { readonly intrinsic: boolean; readonly double: boolean }): Price {
  if (name === 'abs') return classes.none;
  if (options.intrinsic && FAST.test(name)) return classes.fastFunction;
  const price = functions.get(name);
  if (options.double && !SIMPLE.test(name) && price) return { instructions: doubleFunctionFactor * price.instructions, branches: true };
  return price ?? classes.simple;
}

/** Moving a value of this type: at most 16 bytes at once, as its alignment allows. */
export function transferInstructions(bytes: number | undefined, align: number): number {
  return Math.max(1, Math.ceil((bytes ?? 4) / Math.min(transferBytes, Math.max(1, align))));
}
