/** Floating-point intrinsics whose result is a number of the operands' own format: one table for both engines. */

type Operation = (a: number, b: number, c: number) => number;

/** By name without the type suffix. */
export const ROUNDING: Readonly<Record<string, Operation>> = {
  'llvm.sqrt': (a) => Math.sqrt(a),
  'llvm.floor': (a) => Math.floor(a),
  'llvm.ceil': (a) => Math.ceil(a),
  'llvm.trunc': (a) => Math.trunc(a),
  'llvm.rint': roundToEven,
  'llvm.nearbyint': roundToEven,
  'llvm.roundeven': roundToEven,
  'llvm.round': (a) => roundAway(a),
  'llvm.canonicalize': (a) => a,
  'llvm.minnum': (a, b) => minimumNumber(a, b),
  'llvm.maxnum': (a, b) => maximumNumber(a, b),
  'llvm.minimumnum': (a, b) => minimumNumber(a, b),
  'llvm.maximumnum': (a, b) => maximumNumber(a, b),
  'llvm.minimum': (a, b) => Math.min(a, b),
  'llvm.maximum': (a, b) => Math.max(a, b),
  'llvm.sin': (a) => Math.sin(a),
  'llvm.cos': (a) => Math.cos(a),
  'llvm.tan': (a) => Math.tan(a),
  'llvm.exp': (a) => Math.exp(a),
  'llvm.exp2': (a) => 2 ** a,
  'llvm.exp10': (a) => 10 ** a,
  'llvm.log': (a) => Math.log(a),
  'llvm.log2': (a) => Math.log2(a),
  'llvm.log10': (a) => Math.log10(a),
  'llvm.pow': (a, b) => a ** b,
};

/** By whole name. Approximate operations are the exact ones: what the hardware's low bits are is not documented. */
export const NVVM_FLOAT: Readonly<Record<string, Operation>> = withFormats({
  'sqrt.rn': (a) => Math.sqrt(a),
  'sqrt.approx': (a) => Math.sqrt(a),
  sqrt: (a) => Math.sqrt(a),
  'rsqrt.approx': (a) => 1 / Math.sqrt(a),
  'rcp.rn': (a) => 1 / a,
  'rcp.approx': (a) => 1 / a,
  'div.rn': (a, b) => a / b,
  'div.approx': (a, b) => a / b,
  'div.full': (a, b) => a / b,
  'add.rn': (a, b) => a + b,
  'mul.rn': (a, b) => a * b,
  'ex2.approx': (a) => 2 ** a,
  'lg2.approx': (a) => Math.log2(a),
  'sin.approx': (a) => Math.sin(a),
  'cos.approx': (a) => Math.cos(a),
  'tanh.approx': (a) => Math.tanh(a),
  fmin: (a, b) => minimumNumber(a, b),
  fmax: (a, b) => maximumNumber(a, b),
  'fmin.nan': (a, b) => Math.min(a, b),
  'fmax.nan': (a, b) => Math.max(a, b),
  floor: (a) => Math.floor(a),
  ceil: (a) => Math.ceil(a),
  trunc: (a) => Math.trunc(a),
  round: roundToEven,
  saturate: (a) => (a > 0 ? Math.min(a, 1) : 0),
});

export function roundToEven(a: number): number {
  if (!Number.isFinite(a) || Math.abs(a) >= 2 ** 52) return a;
  const below = Math.floor(a);
  const rest = a - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
  return rounded === 0 && (a < 0 || Object.is(a, -0)) ? -0 : rounded;
}

/** Halves away from zero. */
export function roundAway(a: number): number {
  if (!Number.isFinite(a) || Math.abs(a) >= 2 ** 52) return a;
  const whole = Math.trunc(a);
  return Math.abs(a - whole) >= 0.5 ? whole + Math.sign(a) : whole;
}

/** The operand that is a number wins over NaN; -0 is below +0. */
function minimumNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b);
}

function maximumNumber(a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b);
}

function withFormats(operations: Readonly<Record<string, Operation>>): Record<string, Operation> {
  const named: Record<string, Operation> = {};
  for (const [name, operation] of Object.entries(operations)) {
    for (const suffix of ['f', 'd', 'ftz.f', 'f32', 'f64', 'ftz.f32', 'f16', 'ftz.f16', 'bf16', 'f16x2', 'bf16x2']) {
      named[`llvm.nvvm.${name}.${suffix}`] = operation;
    }
  }
  return named;
}
