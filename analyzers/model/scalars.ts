/** What operations of forms do to numbers. */

/** What another lane has: of an operand, at a distance; the third part stands for the value. */
export const EXCHANGE = 'exchange';

const MATH: Readonly<Record<string, (...v: number[]) => number>> = {
  min: Math.min,
  max: Math.max,
  abs: Math.abs,
  sqrt: Math.sqrt,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  exp: Math.exp,
  log: Math.log,
  log2: Math.log2,
  exp2: (x) => 2 ** x,
  log10: Math.log10,
  pow: (x, y) => x ** y,
  sin: Math.sin,
  cos: Math.cos,
  trunc: Math.trunc,
  isnan: (x) => (Number.isNaN(x) ? 1 : 0),
  isinf: (x) => (Math.abs(x) === Number.POSITIVE_INFINITY ? 1 : 0),
  isfinite: (x) => (Number.isFinite(x) ? 1 : 0),
  fdiv: (x, y) => x / y,
  float: (x) => x,
  popc: (x) => {
    let n = 0;
    for (let v = x >>> 0; v !== 0; v &= v - 1) n++;
    return n;
  },
  clz: (x) => Math.clz32(x),
  ffs: (x) => (x === 0 ? 0 : 32 - Math.clz32(x & -x)),
  u32: (x) => (x < 0 || x > 4294967295 ? x >>> 0 : x),
  i8: (x) => (x << 24) >> 24,
  u8: (x) => x & 255,
  i16: (x) => (x << 16) >> 16,
  u16: (x) => x & 65535,
};

/** One operation on numbers. Integer division truncates; by zero it is NaN, which means "not known". */
export function applyScalar(name: string, v: readonly number[]): number {
  return v.length === 1 && name === '-' ? -v[0] : v.length <= 2 ? applyPair(name, v[0], v[1]) : applyMany(name, v);
}

function applyMany(name: string, v: readonly number[]): number {
  if (name === 'select') return v[0] !== 0 ? v[1] : v[2];
  if (name === EXCHANGE) return v[2];
  if (name === 'opaque') return mix(v);
  const compute = MATH[name];
  return compute ? compute(...v) : applyPair(name, v[0], v[1]);
}

/** JavaScript's bit operators take what is not known for 0. */
const OF_BITS = /^([&|^~]|popc|clz|ffs|[iu](?:8|16))$/;

/** One operation on two numbers, or on one (`b` is undefined then; `-` is a difference). */
export function applyPair(name: string, a: number, b: number): number {
  if ((Number.isNaN(a) || (b !== undefined && Number.isNaN(b))) && OF_BITS.test(name)) return Number.NaN;
  switch (name) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? Number.NaN : Math.trunc(a / b);
    case '%':
      return b === 0 ? Number.NaN : a % b;
    case '<<':
      return b < 0 || b > 52 ? Number.NaN : a * 2 ** b;
    case '>>':
      return b < 0 || b > 52 ? Number.NaN : Math.floor(a / 2 ** b);
    case '&':
      return big(a, b) ? Number(BigInt.asIntN(64, BigInt(Math.trunc(a)) & BigInt(Math.trunc(b)))) : a & b;
    case '|':
      return big(a, b) ? Number(BigInt(Math.trunc(a)) | BigInt(Math.trunc(b))) : a | b;
    case '^':
      return big(a, b) ? Number(BigInt(Math.trunc(a)) ^ BigInt(Math.trunc(b))) : a ^ b;
    case '~':
      return ~a;
    case '!':
      return a === 0 ? 1 : 0;
    case '<':
      return a < b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a !== b ? 1 : 0;
    case '&&':
      return a !== 0 && b !== 0 ? 1 : 0;
    case '||':
      return a !== 0 || b !== 0 ? 1 : 0;
    // A function of its operands that is not modelled: equal operands, equal results.
    case 'opaque':
      return mix(b === undefined ? [a] : [a, b]);
    default:
      return (b === undefined ? MATH[name]?.(a) : MATH[name]?.(a, b)) ?? Number.NaN;
  }
}

function mix(v: readonly number[]): number {
  let x = 17;
  for (const n of v) x = Math.imul(x ^ Math.trunc(n % 4294967296), 0x45d9f3b) ^ (x >>> 13);
  return (x >>> 0) % 65_521;
}

/** Outside 32 bits, where JavaScript's bit operators would wrap; fractions and infinities never are. */
function big(a: number, b: number): boolean {
  return (Math.abs(a) > 2147483647 || Math.abs(b) > 2147483647) && Number.isFinite(a) && Number.isFinite(b);
}

export function isMath(name: string): boolean {
  return Object.hasOwn(MATH, name);
}
