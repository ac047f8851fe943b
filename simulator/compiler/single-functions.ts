/**
 * Functions of singles on four lanes, by the steps of simulator/ir/math/single-functions.ts and fast-functions.ts: two vectors of doubles go
 * through a function of the module, and their results are rounded to singles. A NaN becomes the one of GENERATED_NAN.
 */
import type { CodeKey } from '../ir/intrinsics/description.ts';
import { LN_2, LOG2_10, LOG2_E, LOG10_2, TURNS } from '../ir/math/fast-functions.ts';
import * as single from '../ir/math/single-functions.ts';
import type { Callable } from './helper-parts.ts';
import type { KernelContext } from './kernel-context.ts';
import { type EmitScalar, type EmitVector, HIGH_HALF, LOW_HALVES, LOW_WORDS } from './operation.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** Leaves what it makes of the doubles of a local. */
type OfDoubles = (f: FunctionBuilder, x: number) => void;
/** Leaves singles made of the singles of locals. */
type Emit = (f: FunctionBuilder, kernel: KernelContext, operands: readonly number[], callee: string) => void;

const exp2: OfDoubles = (f, x) => {
  limit(f, x, single.MOST_EXPONENT);
  const shifted = f.local('v128');
  f.get(x).v128(all(single.ROUNDER)).op('f64x2.add').set(shifted);
  f.get(x).get(shifted).v128(all(single.ROUNDER)).op('f64x2.sub', 'f64x2.sub').v128(all(Math.LN2)).op('f64x2.mul').set(x);
  pushPower(f, x, shifted);
  f.release('v128', shifted);
};

const exp: OfDoubles = (f, x) => {
  limit(f, x, single.MOST_POWER);
  const [shifted, whole] = [f.local('v128'), f.local('v128')];
  f.get(x).v128(all(Math.LOG2E)).op('f64x2.mul').v128(all(single.ROUNDER)).op('f64x2.add').tee(shifted);
  f.v128(all(single.ROUNDER)).op('f64x2.sub').set(whole);
  f.get(x);
  for (const part of [single.LN_2_HIGH, single.LN_2_LOW]) f.get(whole).v128(all(part)).op('f64x2.mul', 'f64x2.sub');
  f.set(x);
  pushPower(f, x, shifted);
  for (const each of [shifted, whole]) f.release('v128', each);
};

function limit(f: FunctionBuilder, x: number, most: number): void {
  f.get(x).v128(all(most)).op('f64x2.min').v128(all(-most)).op('f64x2.max').set(x);
}

/** e^x times the power of two in the last bits of `shifted`, which is NaN where x is. */
function pushPower(f: FunctionBuilder, x: number, shifted: number): void {
  const power = f.local('v128');
  pushPolynomial(f, single.EXPONENTIAL, x);
  f.get(shifted).i32(52).op('i64x2.shl', 'i64x2.add').set(power);
  f.get(power).get(x).get(x).get(x).op('f64x2.eq', 'v128.bitselect');
  f.release('v128', power);
}

function pushPolynomial(f: FunctionBuilder, coefficients: readonly number[], x: number): void {
  f.v128(all(coefficients[0]));
  for (const coefficient of coefficients.slice(1)) f.get(x).op('f64x2.mul').v128(all(coefficient)).op('f64x2.add');
}

/** Of turns. */
const sine: OfDoubles = (f, turns) => {
  const [part, size, square] = [f.local('v128'), f.local('v128'), f.local('v128')];
  pushPartOf(f, turns);
  f.tee(part).op('f64x2.abs').set(size);
  f.v128(all(0.5)).get(size).op('f64x2.sub').get(size).get(size).v128(all(0.25)).op('f64x2.gt', 'v128.bitselect').tee(size);
  f.get(size).op('f64x2.mul').set(square);
  f.get(size);
  pushPolynomial(f, single.SINE_OF_TURN, square);
  f.op('f64x2.mul').get(part).v128(SIGN).op('v128.and', 'v128.xor');
  for (const each of [part, size, square]) f.release('v128', each);
};

const cosine: OfDoubles = (f, turns) => {
  const [folded, square] = [f.local('v128'), f.local('v128')];
  f.v128(all(0.25));
  pushPartOf(f, turns);
  f.op('f64x2.abs', 'f64x2.sub').tee(folded).get(folded).op('f64x2.mul').set(square);
  f.get(folded);
  pushPolynomial(f, single.SINE_OF_TURN, square);
  f.op('f64x2.mul');
  for (const each of [folded, square]) f.release('v128', each);
};

function pushPartOf(f: FunctionBuilder, turns: number): void {
  f.get(turns).get(turns).v128(all(0.5)).op('f64x2.add', 'f64x2.floor', 'f64x2.sub');
}

const SIGN = [0, -0x80000000, 0, -0x80000000] as const;
const FRACTION = [-1, 0xfffff, -1, 0xfffff] as const;

function logarithmOf(add: (f: FunctionBuilder, exponent: number, logarithm: number) => void): OfDoubles {
  return (f, x) => {
    const [mantissa, exponent, isSmall, square] = [f.local('v128'), f.local('v128'), f.local('v128'), f.local('v128')];
    f.get(x).v128(FRACTION).op('v128.and').v128(all(0.5)).op('v128.or').tee(mantissa);
    f.v128(all(single.ROOT_OF_HALF)).op('f64x2.lt').set(isSmall);
    // The exponent's bits under those of 2^52 are a number.
    f.get(x)
      .i32(52)
      .op('i64x2.shr_u')
      .v128(all(2 ** 52))
      .op('v128.or')
      .v128(all(2 ** 52 + 1022))
      .op('f64x2.sub');
    f.get(isSmall).v128(all(1)).op('v128.and', 'f64x2.sub').set(exponent);
    f.get(mantissa).get(mantissa).get(isSmall).op('v128.and', 'f64x2.add').set(mantissa);
    f.get(mantissa).v128(all(1)).op('f64x2.sub').get(mantissa).v128(all(1)).op('f64x2.add', 'f64x2.div').tee(mantissa);
    f.get(mantissa).op('f64x2.mul').set(square);
    f.get(mantissa);
    pushPolynomial(f, single.LOGARITHM, square);
    f.op('f64x2.mul').set(mantissa);
    add(f, exponent, mantissa);
    // Infinity stays; below zero is NaN, and so is what NaN gives.
    f.set(mantissa).get(x).get(mantissa);
    f.get(x).v128(all(Number.POSITIVE_INFINITY)).op('f64x2.eq', 'v128.bitselect').set(mantissa);
    f.get(mantissa).v128(all(Number.NaN)).get(x).v128(all(0)).op('f64x2.gt', 'v128.bitselect').set(mantissa);
    f.v128(all(Number.NEGATIVE_INFINITY)).get(mantissa).get(x).v128(all(0)).op('f64x2.eq', 'v128.bitselect');
    for (const each of [mantissa, exponent, isSmall, square]) f.release('v128', each);
  };
}

const log = logarithmOf((f, exponent, logarithm) => {
  f.get(exponent).v128(all(single.LN_2_HIGH)).op('f64x2.mul').get(logarithm);
  f.get(exponent).v128(all(single.LN_2_LOW)).op('f64x2.mul', 'f64x2.add', 'f64x2.add');
});
const log2 = logarithmOf((f, exponent, logarithm) => {
  f.get(exponent).get(logarithm).v128(all(Math.LOG2E)).op('f64x2.mul', 'f64x2.add');
});
const rsqrt: OfDoubles = (f, x) => {
  f.v128(all(1)).get(x).op('f64x2.sqrt', 'f64x2.div');
};

/** Of angles below the limit. */
function sineFrom(quarters: number): OfDoubles {
  return (f, x) => {
    const [shifted, whole, square] = [f.local('v128'), f.local('v128'), f.local('v128')];
    f.get(x)
      .v128(all(2 / Math.PI))
      .op('f64x2.mul')
      .v128(all(single.ROUNDER))
      .op('f64x2.add')
      .tee(shifted);
    f.v128(all(single.ROUNDER)).op('f64x2.sub').set(whole);
    f.get(x);
    for (const part of [single.QUARTER_HIGH, single.QUARTER_LOW]) f.get(whole).v128(all(part)).op('f64x2.mul', 'f64x2.sub');
    f.tee(x).get(x).op('f64x2.mul').set(square);
    // The quadrant's bits, each at the top of a double word.
    f.get(shifted).v128([quarters, 0, quarters, 0]).op('i64x2.add').set(shifted);
    pushPolynomial(f, single.COSINE, square);
    f.get(x);
    pushPolynomial(f, single.SINE, square);
    f.op('f64x2.mul').get(shifted).i32(63).op('i64x2.shl').i32(63).op('i64x2.shr_s', 'v128.bitselect');
    f.get(shifted).i32(62).op('i64x2.shl').v128(SIGN).op('v128.and', 'v128.xor');
    for (const each of [shifted, whole, square]) f.release('v128', each);
  };
}
const sin = sineFrom(0);
const cos = sineFrom(1);

const FUNCTIONS = { exp2, exp, sine, cosine, log, log2, rsqrt, sin, cos } as const satisfies Readonly<Record<string, OfDoubles>>;

function functionOf(kernel: KernelContext, name: keyof typeof FUNCTIONS): Callable {
  return kernel.sharedFunction(`single ${name}`, (module) => {
    const made = module.function(`single ${name}`, { parameters: ['v128'], results: ['v128'] });
    FUNCTIONS[name](made, 0);
    return made;
  });
}

/** Leaves singles of a function's results for the singles of a local. */
function pushOf(f: FunctionBuilder, kernel: KernelContext, name: keyof typeof FUNCTIONS, x: number): void {
  const callee = functionOf(kernel, name);
  f.get(x).op('f64x2.promote_low_f32x4').call(callee).op('f32x4.demote_f64x2_zero');
  f.get(x).get(x).shuffle(HIGH_HALF).op('f64x2.promote_low_f32x4').call(callee).op('f32x4.demote_f64x2_zero').shuffle(LOW_HALVES);
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
  const half = (part: 0 | 1): void => {
    for (const operand of [x, y]) {
      f.get(operand);
      if (part === 1) f.get(operand).shuffle(HIGH_HALF);
      f.op('f64x2.promote_low_f32x4');
      if (operand === x) f.call(functionOf(kernel, 'log2'));
    }
    f.op('f64x2.mul').call(functionOf(kernel, 'exp2')).op('f32x4.demote_f64x2_zero');
  };
  orCalled(
    f,
    { kernel, operands, callee },
    {
      pushIsOwn() {
        f.get(x).v128(allSingles(0)).op('f32x4.gt').get(x).v128(infinity).op('f32x4.lt', 'v128.and');
        f.get(y).op('f32x4.abs').v128(infinity).op('f32x4.lt', 'v128.and');
      },
      push() {
        half(0);
        half(1);
        f.shuffle(LOW_HALVES);
      },
    },
  );
};

const power: Emit = (f, kernel, [x, y]) => {
  pushOf(f, kernel, 'log2', x);
  f.get(y).op('f32x4.mul').set(x);
  pushOf(f, kernel, 'exp2', x);
};

const CODE = {
  exp2: of('exp2'),
  exp: of('exp'),
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
  fastPower: power,
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

function all(value: number): readonly [number, number, number, number] {
  bits.setFloat64(0, value);
  const [high, low] = [bits.getInt32(0), bits.getInt32(4)];
  return [low, high, low, high];
}

function allSingles(value: number): readonly [number, number, number, number] {
  bits.setFloat32(0, value);
  const word = bits.getInt32(0);
  return [word, word, word, word];
}
