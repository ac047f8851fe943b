/** Fused multiply-add, rounded once, as the hardware's FFMA and DFMA do. JavaScript and WebAssembly have none. */

const word = new DataView(new ArrayBuffer(8));

/** a * b + c of singles, rounded once to single. */
export function fmaSingle(a: number, b: number, c: number): number {
  return Math.fround(fmaToOdd(a, b, c));
}

/** a * b + c of singles or halves: rounded to their format, it is the exact sum rounded once. */
export function fmaToOdd(a: number, b: number, c: number): number {
  // The product of two singles is exact in double precision.
  const product = a * b;
  const sum = product + c;
  const error = sumError(product, c, sum);
  return error === 0 || !Number.isFinite(sum) ? sum : toOdd(sum, error);
}

/** a * b + c of doubles, rounded once. */
export function fmaDouble(a: number, b: number, c: number): number {
  const product = a * b;
  if (!Number.isFinite(product + c) || a === 0 || b === 0) return specialFma(a, b, c, product);
  if (c === 0 && Math.abs(product) > 1e-280) return product;
  if (!inSafeRange(a) || !inSafeRange(b) || !inSafeRange(product) || (c !== 0 && !inSafeRange(c))) return exactFma(a, b, c);
  // Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums": split the product exactly, add with one odd rounding.
  const lost = productError(a, b, product);
  const high = c + lost;
  const highError = sumError(c, lost, high);
  const total = product + high;
  const totalError = sumError(product, high, total);
  const rest = totalError + highError;
  const restError = sumError(totalError, highError, rest);
  return total + (restError === 0 ? rest : toOdd(rest, restError));
}

/** Sign of the exact a * b + c - result, for finite operands: -1, 0 or 1. An infinite result is beyond every exact one. */
export function fmaErrorSign(a: number, b: number, c: number, result: number): number {
  if (!Number.isFinite(result)) return result > 0 ? -1 : 1;
  const terms = [product(decompose(a), decompose(b)), decompose(c), decompose(-result)].filter((t) => t.mantissa !== 0n);
  const exponent = Math.min(...terms.map((t) => t.exponent));
  const sum = terms.reduce((total, t) => total + (t.mantissa << BigInt(t.exponent - exponent)), 0n);
  return sum > 0n ? 1 : sum < 0n ? -1 : 0;
}

function product(x: Parts, y: Parts): Parts {
  return { mantissa: x.mantissa * y.mantissa, exponent: x.exponent + y.exponent };
}

/** mantissa * 2^exponent. */
interface Parts {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Zeros, infinities and NaN: no rounding is involved unless only the unfused form overflowed. */
function specialFma(a: number, b: number, c: number, product: number): number {
  // The product of finite numbers is finite, however large.
  if (Number.isFinite(a) && Number.isFinite(b) && !Number.isFinite(c)) return c;
  const finite = Number.isFinite(a) && Number.isFinite(b);
  return finite && a !== 0 && b !== 0 ? exactFma(a, b, c) : product + c;
}

/** Far enough from overflow and underflow that splitting products and sums is exact. */
function inSafeRange(x: number): boolean {
  const magnitude = Math.abs(x);
  return magnitude > 1e-140 && magnitude < 1e140;
}

/** Knuth's TwoSum: what a + b lost when it was rounded to `sum`. */
function sumError(a: number, b: number, sum: number): number {
  const bPart = sum - a;
  return a - (sum - bPart) + (b - bPart);
}

/** Dekker's product: what a * b lost when it was rounded to `product`. */
export function productError(a: number, b: number, product: number): number {
  const aHigh = highHalf(a);
  const aLow = a - aHigh;
  const bHigh = highHalf(b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

function highHalf(x: number): number {
  const scaled = 134217729 * x;
  return scaled - (scaled - x);
}

/** The rounded value `sum` of an exact sum `sum + error`, moved to the neighbour with an odd last bit: rounding it again to fewer
 *  bits then gives what one rounding of the exact sum would. */
function toOdd(sum: number, error: number): number {
  word.setFloat64(0, sum);
  const bits = word.getBigInt64(0);
  if ((bits & 1n) === 1n) return sum;
  const away = error > 0 === sum > 0;
  word.setBigInt64(0, away ? bits + 1n : bits - 1n);
  return word.getFloat64(0);
}

/** The slow way, for operands near the ends of the range: integers of any size. */
function exactFma(a: number, b: number, c: number): number {
  const x = decompose(a);
  const y = decompose(b);
  const z = decompose(c);
  const productExponent = x.exponent + y.exponent;
  const exponent = c === 0 ? productExponent : Math.min(productExponent, z.exponent);
  const product = (x.mantissa * y.mantissa) << BigInt(productExponent - exponent);
  const addend = c === 0 ? 0n : z.mantissa << BigInt(z.exponent - exponent);
  const sum = product + addend;
  return sum === 0n ? a * b + c : compose(sum, exponent);
}

function decompose(x: number): Parts {
  word.setFloat64(0, x);
  const bits = word.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = field === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: x < 0 ? -mantissa : mantissa, exponent: Math.max(field, 1) - 1075 };
}

/** The double nearest to mantissa * 2^exponent, ties to even. */
function compose(mantissa: bigint, exponent: number): number {
  const negative = mantissa < 0n;
  let magnitude = negative ? -mantissa : mantissa;
  const bits = magnitude.toString(2).length;
  const drop = Math.max(bits - 53, -1074 - exponent, 0);
  if (drop > 0) {
    const half = 1n << BigInt(drop - 1);
    const rest = magnitude & ((1n << BigInt(drop)) - 1n);
    magnitude >>= BigInt(drop);
    if (rest > half || (rest === half && (magnitude & 1n) === 1n)) magnitude += 1n;
  }
  const scale = exponent + drop;
  // Two steps, each exact, because 2^scale alone may be subnormal or infinite.
  const half = Math.trunc(scale / 2);
  const value = Number(magnitude) * 2 ** half * 2 ** (scale - half);
  return negative ? -value : value;
}
