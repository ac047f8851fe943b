/**
 * Functions of singles on four lanes, by the steps of simulator/ir/math/single-functions.ts and fast-functions.ts: as two vectors of doubles
 * they go through a function of the module, whose results are rounded to singles. A NaN becomes the one of GENERATED_NAN.
 */
import type { CodeKey } from '../ir/intrinsics/description.ts';
import { LN_2, LOG2_10, LOG2_E, LOG10_2, TURNS } from '../ir/math/fast-functions.ts';
import * as single from '../ir/math/single-functions.ts';
import type { Callable } from './helper-parts.ts';
import type { KernelContext } from './kernel-context.ts';
import { type EmitScalar, type EmitVector, HIGH_HALF, LOW_HALVES, LOW_WORDS } from './operation.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** Singles are doubles in two vectors, which go through the same steps side by side. */
type Pair = readonly [number, number];
/** Puts what it makes of the doubles of locals in their place. */
type OfDoubles = (f: FunctionBuilder, x: Pair) => void;
/** Leaves singles made of the singles of locals. */
type Emit = (f: FunctionBuilder, kernel: KernelContext, operands: readonly number[], callee: string) => void;

function pairs(f: FunctionBuilder, count: number): Pair[] {
  return Array.from({ length: count }, () => [f.local('v128'), f.local('v128')] as const);
}

function released(f: FunctionBuilder, used: readonly Pair[]): void {
  for (const local of used.flat()) f.release('v128', local);
}

/** Emits a step for both vectors, with constants that they share. */
function step(f: FunctionBuilder, constants: readonly (number | Words)[], emit: (half: 0 | 1, constants: readonly number[]) => void): void {
  const locals = constants.map((constant) => {
    const local = f.local('v128');
    f.v128(typeof constant === 'number' ? all(constant) : constant).set(local);
    return local;
  });
  for (const half of [0, 1] as const) emit(half, locals);
  for (const local of locals) f.release('v128', local);
}

const exp2: OfDoubles = (f, x) => {
  const [shifted] = pairs(f, 1);
  limit(f, x, single.MOST_EXPONENT);
  step(f, [single.ROUNDER, Math.LN2], (half, [rounder, ln2]) => {
    f.get(x[half]).get(rounder).op('f64x2.add').set(shifted[half]);
    f.get(x[half]).get(shifted[half]).get(rounder).op('f64x2.sub', 'f64x2.sub').get(ln2).op('f64x2.mul').set(x[half]);
  });
  power(f, x, shifted);
  released(f, [shifted]);
};

const exp: OfDoubles = (f, x) => {
  const [shifted, whole] = pairs(f, 2);
  limit(f, x, single.MOST_POWER);
  step(f, [Math.LOG2E, single.ROUNDER], (half, [log2e, rounder]) => {
    f.get(x[half]).get(log2e).op('f64x2.mul').get(rounder).op('f64x2.add').tee(shifted[half]).get(rounder).op('f64x2.sub').set(whole[half]);
  });
  for (const part of [single.LN_2_HIGH, single.LN_2_LOW])
    step(f, [part], (half, [factor]) => f.get(x[half]).get(whole[half]).get(factor).op('f64x2.mul', 'f64x2.sub').set(x[half]));
  power(f, x, shifted);
  released(f, [shifted, whole]);
};

function limit(f: FunctionBuilder, x: Pair, most: number): void {
  step(f, [most, -most], (half, [high, low]) => f.get(x[half]).get(high).op('f64x2.min').get(low).op('f64x2.max').set(x[half]));
}

/** e^x times the power of two in the last bits of `shifted`, which is NaN where x is. */
function power(f: FunctionBuilder, x: Pair, shifted: Pair): void {
  const [sum] = pairs(f, 1);
  polynomial(f, single.EXPONENTIAL, x, sum);
  step(f, [], (half) => {
    f.get(sum[half]).get(shifted[half]).i32(52).op('i64x2.shl', 'i64x2.add');
    f.get(x[half]).get(x[half]).get(x[half]).op('f64x2.eq', 'v128.bitselect').set(x[half]);
  });
  released(f, [sum]);
}

/** By even and odd powers, as in the other engine. */
function polynomial(f: FunctionBuilder, coefficients: readonly number[], x: Pair, into: Pair): void {
  const [square, other] = pairs(f, 2);
  const sums = [into, other];
  step(f, [], (half) => f.get(x[half]).get(x[half]).op('f64x2.mul').set(square[half]));
  coefficients.forEach((coefficient, k) => {
    const sum = sums[k % 2];
    step(f, [coefficient], (half, [constant]) => {
      if (k > 1) f.get(sum[half]).get(square[half]).op('f64x2.mul').get(constant).op('f64x2.add').set(sum[half]);
      else f.get(constant).set(sum[half]);
    });
  });
  const [even, odd] = coefficients.length % 2 === 1 ? [into, other] : [other, into];
  step(f, [], (half) => f.get(even[half]).get(x[half]).get(odd[half]).op('f64x2.mul', 'f64x2.add').set(into[half]));
  released(f, [square, other]);
}

/** x P(x^2) */
function oddPolynomial(f: FunctionBuilder, coefficients: readonly number[], x: Pair): void {
  const [square, sum] = pairs(f, 2);
  step(f, [], (half) => f.get(x[half]).get(x[half]).op('f64x2.mul').set(square[half]));
  polynomial(f, coefficients, square, sum);
  step(f, [], (half) => f.get(x[half]).get(sum[half]).op('f64x2.mul').set(x[half]));
  released(f, [square, sum]);
}

const tanh: OfDoubles = (f, x) => {
  const [small, large] = pairs(f, 2);
  step(f, [], (half) => {
    f.get(x[half]).op('f64x2.abs').tee(small[half]).get(small[half]).op('f64x2.add').set(large[half]);
  });
  exp(f, large);
  step(f, [1, 2], (half, [one, two]) => {
    f.get(one).get(two).get(large[half]).get(one).op('f64x2.add', 'f64x2.div', 'f64x2.sub').set(large[half]);
  });
  oddPolynomial(f, single.TANGENT, small);
  step(f, [single.MOST_TANGENT, SIGN], (half, [most, sign]) => {
    f.get(small[half]).get(large[half]).get(x[half]).op('f64x2.abs').get(most).op('f64x2.lt', 'v128.bitselect');
    f.get(x[half]).get(sign).op('v128.and', 'v128.xor').set(x[half]);
  });
  released(f, [small, large]);
};

/** Of turns. */
const sine: OfDoubles = (f, x) => {
  const [part] = pairs(f, 1);
  partOf(f, x);
  step(f, [0.5, 0.25], (half, [a, b]) => {
    f.get(x[half]).tee(part[half]).op('f64x2.abs').set(x[half]);
    f.get(a).get(x[half]).op('f64x2.sub').get(x[half]).get(x[half]).get(b).op('f64x2.gt', 'v128.bitselect').set(x[half]);
  });
  oddPolynomial(f, single.SINE_OF_TURN, x);
  step(f, [SIGN], (half, [sign]) => f.get(x[half]).get(part[half]).get(sign).op('v128.and', 'v128.xor').set(x[half]));
  released(f, [part]);
};

const cosine: OfDoubles = (f, x) => {
  partOf(f, x);
  step(f, [0.25], (half, [quarter]) => f.get(quarter).get(x[half]).op('f64x2.abs', 'f64x2.sub').set(x[half]));
  oddPolynomial(f, single.SINE_OF_TURN, x);
};

function partOf(f: FunctionBuilder, x: Pair): void {
  step(f, [0.5], (half, [a]) => f.get(x[half]).get(x[half]).get(a).op('f64x2.add', 'f64x2.floor', 'f64x2.sub').set(x[half]));
}

type Words = readonly [number, number, number, number];
const SIGN: Words = [0, -0x80000000, 0, -0x80000000];
const FRACTION: Words = [-1, 0xfffff, -1, 0xfffff];

/** `add`: what the logarithm of the mantissa and the exponent make, in the mantissa's place. */
function logarithmOf(add: (f: FunctionBuilder, exponent: Pair, logarithm: Pair) => void): OfDoubles {
  return (f, x) => {
    const [mantissa, exponent, isSmall] = pairs(f, 3);
    step(f, [FRACTION, 0.5, single.ROOT_OF_HALF], (half, [fraction, one, root]) => {
      f.get(x[half]).get(fraction).op('v128.and').get(one).op('v128.or').tee(mantissa[half]).get(root).op('f64x2.lt').set(isSmall[half]);
      f.get(mantissa[half]).get(mantissa[half]).get(isSmall[half]).op('v128.and', 'f64x2.add').set(mantissa[half]);
    });
    // The exponent's bits under those of 2^52 are a number.
    step(f, [2 ** 52, 2 ** 52 + 1022, 1], (half, [shift, bias, one]) => {
      f.get(x[half]).i32(52).op('i64x2.shr_u').get(shift).op('v128.or').get(bias).op('f64x2.sub');
      f.get(isSmall[half]).get(one).op('v128.and', 'f64x2.sub').set(exponent[half]);
      f.get(mantissa[half]).get(one).op('f64x2.sub').get(mantissa[half]).get(one).op('f64x2.add', 'f64x2.div').set(mantissa[half]);
    });
    oddPolynomial(f, single.LOGARITHM, mantissa);
    add(f, exponent, mantissa);
    // Infinity stays; below zero is NaN, and so is what NaN gives.
    step(f, [Number.POSITIVE_INFINITY, Number.NaN, 0], (half, [infinity, nan, zero]) => {
      f.get(x[half]).get(mantissa[half]).get(x[half]).get(infinity).op('f64x2.eq', 'v128.bitselect');
      f.get(nan).get(x[half]).get(zero).op('f64x2.gt', 'v128.bitselect').set(mantissa[half]);
    });
    step(f, [Number.NEGATIVE_INFINITY, 0], (half, [infinity, zero]) => {
      f.get(infinity).get(mantissa[half]).get(x[half]).get(zero).op('f64x2.eq', 'v128.bitselect').set(x[half]);
    });
    released(f, [mantissa, exponent, isSmall]);
  };
}

const log = logarithmOf((f, exponent, logarithm) => {
  step(f, [single.LN_2_HIGH, single.LN_2_LOW], (half, [high, low]) => {
    f.get(exponent[half]).get(high).op('f64x2.mul').get(logarithm[half]);
    f.get(exponent[half]).get(low).op('f64x2.mul', 'f64x2.add', 'f64x2.add').set(logarithm[half]);
  });
});
const log2 = logarithmOf((f, exponent, logarithm) => {
  step(f, [Math.LOG2E], (half, [log2e]) => {
    f.get(exponent[half]).get(logarithm[half]).get(log2e).op('f64x2.mul', 'f64x2.add').set(logarithm[half]);
  });
});
const rsqrt: OfDoubles = (f, x) => {
  step(f, [1], (half, [one]) => f.get(one).get(x[half]).op('f64x2.sqrt', 'f64x2.div').set(x[half]));
};

/** Of angles below the limit. */
function sineFrom(quarters: number): OfDoubles {
  return (f, x) => {
    const [shifted, whole, square, even, odd] = pairs(f, 5);
    step(f, [2 / Math.PI, single.ROUNDER], (half, [factor, rounder]) => {
      f.get(x[half])
        .get(factor)
        .op('f64x2.mul')
        .get(rounder)
        .op('f64x2.add')
        .tee(shifted[half])
        .get(rounder)
        .op('f64x2.sub')
        .set(whole[half]);
    });
    for (const part of [single.QUARTER_HIGH, single.QUARTER_LOW])
      step(f, [part], (half, [factor]) => f.get(x[half]).get(whole[half]).get(factor).op('f64x2.mul', 'f64x2.sub').set(x[half]));
    step(f, [], (half) => f.get(x[half]).get(x[half]).op('f64x2.mul').set(square[half]));
    polynomial(f, single.COSINE, square, even);
    polynomial(f, single.SINE, square, odd);
    // The quadrant's bits, each at the top of a double word.
    step(f, [[quarters, 0, quarters, 0], SIGN], (half, [added, sign]) => {
      f.get(shifted[half]).get(added).op('i64x2.add').set(shifted[half]);
      f.get(even[half]).get(x[half]).get(odd[half]).op('f64x2.mul');
      f.get(shifted[half]).i32(63).op('i64x2.shl').i32(63).op('i64x2.shr_s', 'v128.bitselect');
      f.get(shifted[half]).i32(62).op('i64x2.shl').get(sign).op('v128.and', 'v128.xor').set(x[half]);
    });
    released(f, [shifted, whole, square, even, odd]);
  };
}
const sin = sineFrom(0);
const cos = sineFrom(1);

const FUNCTIONS = { exp2, exp, tanh, sine, cosine, log, log2, rsqrt, sin, cos } as const satisfies Readonly<Record<string, OfDoubles>>;

/** Leaves singles of a function's results for the singles of a local. */
function pushOf(f: FunctionBuilder, kernel: KernelContext, name: keyof typeof FUNCTIONS, x: number): void {
  const callee: Callable = kernel.sharedFunction(`single ${name}`, (module) => {
    const made = module.function(`single ${name}`, { parameters: ['v128'], results: ['v128'] });
    const [pair] = pairs(made, 1);
    widen(made, 0, pair);
    FUNCTIONS[name](made, pair);
    pushNarrowed(made, pair);
    return made;
  });
  f.get(x).call(callee);
}

function widen(f: FunctionBuilder, x: number, into: Pair): void {
  f.get(x).op('f64x2.promote_low_f32x4').set(into[0]);
  f.get(x).get(x).shuffle(HIGH_HALF).op('f64x2.promote_low_f32x4').set(into[1]);
}

function pushNarrowed(f: FunctionBuilder, x: Pair): void {
  for (const half of x) f.get(half).op('f32x4.demote_f64x2_zero');
  f.shuffle(LOW_HALVES);
}

const of =
  (name: keyof typeof FUNCTIONS): Emit =>
  (f, kernel, [x]) =>
    pushOf(f, kernel, name, x);

/** Of a product with a constant that is a single. */
const ofMultiple =
  (name: keyof typeof FUNCTIONS, factor: number): Emit =>
  (f, kernel, [x]) => {
    f.get(x).v128(allSingles(factor)).op('f32x4.mul').set(x);
    pushOf(f, kernel, name, x);
  };

const log2Times =
  (factor: number): Emit =>
  (f, kernel, [x]) => {
    pushOf(f, kernel, 'log2', x);
    f.v128(allSingles(factor)).op('f32x4.mul');
  };

/** Of turns, which are the angle's product rounded towards zero. */
const ofAngle =
  (name: 'sine' | 'cosine'): Emit =>
  (f, kernel, [x]) => {
    const [first, second, turns] = [f.local('v128'), f.local('v128'), f.local('v128')];
    f.get(x).op('f64x2.promote_low_f32x4').v128(all(TURNS)).op('f64x2.mul').tee(first).op('f32x4.demote_f64x2_zero');
    f.get(x).get(x).shuffle(HIGH_HALF).op('f64x2.promote_low_f32x4').v128(all(TURNS)).op('f64x2.mul');
    f.tee(second).op('f32x4.demote_f64x2_zero').shuffle(LOW_HALVES).tee(turns);
    // One less where it was rounded away from zero.
    f.get(turns).op('f64x2.promote_low_f32x4', 'f64x2.abs').get(first).op('f64x2.abs', 'f64x2.gt');
    f.get(turns).get(turns).shuffle(HIGH_HALF).op('f64x2.promote_low_f32x4', 'f64x2.abs').get(second).op('f64x2.abs', 'f64x2.gt');
    f.shuffle(LOW_WORDS).op('i32x4.add').set(turns);
    pushOf(f, kernel, name, turns);
    for (const each of [first, second, turns]) f.release('v128', each);
  };

/** A product with the reciprocal, which is 0 where it were subnormal. */
const quotient: Emit = (f, _, [x, y]) => {
  const [scale, reciprocal] = [f.local('v128'), f.local('v128')];
  const smallest = allSingles(2 ** -126);
  f.v128(allSingles(2 ** 24))
    .v128(allSingles(1))
    .get(y)
    .op('f32x4.abs')
    .v128(smallest)
    .op('f32x4.lt', 'v128.bitselect')
    .set(scale);
  f.v128(allSingles(1)).get(y).get(scale).op('f32x4.mul', 'f32x4.div').set(reciprocal);
  f.get(x).get(scale).op('f32x4.mul');
  f.get(reciprocal).v128(allSingles(0)).op('f32x4.mul').get(reciprocal).get(reciprocal).op('f32x4.abs').v128(smallest);
  f.op('f32x4.lt', 'v128.bitselect', 'f32x4.mul');
  for (const each of [scale, reciprocal]) f.release('v128', each);
};

/** Lanes whose operands `pushIsOwn` does not take go through the function of the table. */
function orCalled(
  f: FunctionBuilder,
  { kernel, operands, callee }: { readonly kernel: KernelContext; readonly operands: readonly number[]; readonly callee: string },
  { pushIsOwn, push }: { pushIsOwn(): void; push(): void },
): void {
  const [isOwn, result] = [f.local('v128'), f.local('v128')];
  pushIsOwn();
  f.set(isOwn);
  push();
  f.set(result).get(isOwn).op('i32x4.all_true', 'i32.eqz').if();
  for (const lane of [0, 1, 2, 3]) {
    f.get(isOwn).lane('i32x4.extract_lane', lane).op('i32.eqz').if();
    f.get(result);
    for (const operand of operands) f.get(operand).lane('i32x4.extract_lane', lane);
    f.call(kernel.mathHelpers.get(callee)!.single).lane('i32x4.replace_lane', lane).set(result).end();
  }
  f.end().get(result);
  for (const local of [isOwn, result]) f.release('v128', local);
}

const ofSmallAngle =
  (name: 'sin' | 'cos'): Emit =>
  (f, kernel, operands, callee) => {
    orCalled(
      f,
      { kernel, operands, callee },
      {
        pushIsOwn: () => f.get(operands[0]).op('f32x4.abs').v128(allSingles(single.MOST_ANGLE)).op('f32x4.lt'),
        push: () => pushOf(f, kernel, name, operands[0]),
      },
    );
  };

const powerOfPositive: Emit = (f, kernel, operands, callee) => {
  const [x, y] = operands;
  const infinity = allSingles(Number.POSITIVE_INFINITY);
  const own: Callable = kernel.sharedFunction('single pow', (module) => {
    const made = module.function('single pow', { parameters: ['v128', 'v128'], results: ['v128'] });
    const [base, exponent] = pairs(made, 2);
    widen(made, 0, base);
    widen(made, 1, exponent);
    log2(made, base);
    step(made, [], (half) => made.get(exponent[half]).get(base[half]).op('f64x2.mul').set(base[half]));
    exp2(made, base);
    pushNarrowed(made, base);
    return made;
  });
  orCalled(
    f,
    { kernel, operands, callee },
    {
      pushIsOwn() {
        f.get(x).v128(allSingles(0)).op('f32x4.gt').get(x).v128(infinity).op('f32x4.lt', 'v128.and');
        f.get(y).op('f32x4.abs').v128(infinity).op('f32x4.lt', 'v128.and');
      },
      push: () => f.get(x).get(y).call(own),
    },
  );
};

const powerOfLogarithm: Emit = (f, kernel, [x, y]) => {
  pushOf(f, kernel, 'log2', x);
  f.get(y).op('f32x4.mul').set(x);
  pushOf(f, kernel, 'exp2', x);
};

const CODE = {
  exp2: of('exp2'),
  exp: of('exp'),
  tanh: of('tanh'),
  log: of('log'),
  log2: of('log2'),
  rsqrt: of('rsqrt'),
  sin: ofSmallAngle('sin'),
  cos: ofSmallAngle('cos'),
  pow: powerOfPositive,
  fastExp: ofMultiple('exp2', LOG2_E),
  fastExp10: ofMultiple('exp2', LOG2_10),
  fastLog: log2Times(LN_2),
  fastLog10: log2Times(LOG10_2),
  fastSin: ofAngle('sine'),
  fastCos: ofAngle('cosine'),
  fastQuotient: quotient,
  fastPower: powerOfLogarithm,
} as const satisfies Partial<Record<CodeKey, Emit>>;

/** The functions that are here. */
export type OfSingles = keyof typeof CODE;

/** undefined for what is no function of singles. */
export function singleFunction(code: CodeKey): EmitVector | undefined {
  const emit: Emit | undefined = CODE[code as OfSingles];
  return (
    emit &&
    (({ f, push, kernel, instruction }) => {
      const operands = instruction.op === 'call' ? instruction.args.map(() => f.local('v128')) : [];
      operands.forEach((local, operand) => {
        push(operand);
        f.set(local);
      });
      const [result, isNan] = [f.local('v128'), f.local('v128')];
      emit(f, kernel, operands, instruction.op === 'call' ? instruction.callee : '');
      f.tee(result).get(result).get(result).op('f32x4.ne').tee(isNan).op('v128.andnot').get(isNan).i32(1).op('i32x4.shr_u', 'v128.or');
      for (const local of [...operands, result, isNan]) f.release('v128', local);
    })
  );
}

export function singleFunctionOfScalars(code: CodeKey): EmitScalar | undefined {
  const vector = singleFunction(code);
  return (
    vector &&
    (({ f, instruction, kernel, push, constant }) => {
      const splat = (operand: number): void => {
        push(operand);
        f.op('i32x4.splat');
      };
      vector({ f, instruction, kernel, half: 0, push: splat, constant, scalar: () => undefined });
      f.lane('i32x4.extract_lane', 0);
    })
  );
}

const bits = new DataView(new ArrayBuffer(8));

function all(value: number): Words {
  bits.setFloat64(0, value);
  const [high, low] = [bits.getInt32(0), bits.getInt32(4)];
  return [low, high, low, high];
}

function allSingles(value: number): Words {
  bits.setFloat32(0, value);
  const word = bits.getInt32(0);
  return [word, word, word, word];
}
