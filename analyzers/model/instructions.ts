/**
 * What ptxas makes of an operation, in machine instructions of sm_90, read off `nvcc 13 -O3` code: enough to tell a body of three
 * instructions from one of thirty. Common subexpressions, unrolling and the uniform datapath are not known here, so sums run high.
 */
import type { Form } from './form.ts';
import { isInteger, sizeOf, type Type } from './types.ts';

export interface Price {
  readonly instructions: number;
  /** Has a slow path of its own, a call or a loop: what contains it cannot be predicated. */
  readonly branches: boolean;
}

const straight = (instructions: number): Price => ({ instructions, branches: false });
const branching = (instructions: number): Price => ({ instructions, branches: true });

/** Of a binary operator on run-time values; `type` is that of the operands. */
export function operationPrice(operator: string, type: Type, divisor: Form): Price {
  const wide = isInteger(type) && (sizeOf(type) ?? 4) > 4;
  if (operator === '/' || operator === '%') return divisionPrice(type, divisor, wide);
  if (wide) return straight(operator === '*' ? 4 : 2);
  return straight(1);
}

function divisionPrice(type: Type, divisor: Form, wide: boolean): Price {
  const known = divisor.f === 'const' ? Math.abs(divisor.v) : undefined;
  const power = known !== undefined && Number.isInteger(Math.log2(known));
  if (type.t === 'float') {
    // A reciprocal with refinement; denormal operands take a slow path behind a call.
    if (power) return straight(1);
    return type.size < 4 ? straight(4) : branching(type.size === 4 ? 9 : 12);
  }
  if (power) return straight(type.t === 'int' && type.unsigned ? 1 : 3);
  if (known !== undefined) return straight(wide ? 12 : 4);
  return wide ? branching(40) : straight(18);
}

/** Single-precision functions by their plain names (`sqrt` for `sqrtf`). Double precision takes about twice as much and branches. */
const MATH_PRICES = new Map<string, Price>(
  Object.entries({
    sqrt: branching(9),
    rsqrt: straight(3),
    cbrt: straight(12),
    exp: straight(8),
    exp2: straight(4),
    exp10: straight(10),
    expm1: straight(20),
    log: straight(18),
    log2: straight(5),
    log10: straight(20),
    log1p: straight(20),
    pow: branching(60),
    sin: branching(30),
    cos: branching(30),
    tan: branching(40),
    tanh: branching(16),
    sinh: branching(25),
    cosh: straight(14),
    asin: branching(20),
    acos: branching(20),
    atan: straight(16),
    atan2: branching(30),
    erf: branching(25),
    erfc: branching(40),
    fmod: branching(30),
    remainder: branching(30),
    hypot: branching(14),
    tgamma: branching(80),
    lgamma: branching(80),
    frcp_rn: branching(7),
    fsqrt_rn: branching(9),
    fdiv_rn: branching(9),
  }),
);
/** Doubles that are one or two instructions all the same. */
const SIMPLE = /^(abs|min|max|floor|ceil|round|trunc|rint|fma|copysign|isnan|isinf|isfinite|signbit|saturate)$/;
/** `__sinf` and kin: one visit of the special function unit. */
const FAST = /^(sin|cos|exp|exp10|log|log2|log10|pow|tan|fdividef)$/;

/** `intrinsic`: spelt with two underscores in front. */
export function mathPrice(name: string, options: { readonly intrinsic: boolean; readonly double: boolean }): Price {
  if (name === 'abs') return straight(0);
  if (options.intrinsic && FAST.test(name)) return straight(3);
  const price = MATH_PRICES.get(name);
  if (options.double && !SIMPLE.test(name) && price) return branching(2 * price.instructions);
  return price ?? straight(1);
}

/** Moving a value of this type: at most 16 bytes at once, as its alignment allows. */
export function transferInstructions(bytes: number | undefined, align: number): number {
  return Math.max(1, Math.ceil((bytes ?? 4) / Math.min(16, Math.max(1, align))));
}
