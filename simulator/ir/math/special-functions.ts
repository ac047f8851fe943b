/**
 * Functions of CUDA's math library that JavaScript does not have, in double precision (relative error of about 1e-15 away from their
 * zeros). Series and continued fractions as in the NIST Digital Library of Mathematical Functions (DLMF).
 */

import { productError } from './fma.ts';

const SQRT_PI = Math.sqrt(Math.PI);

/** Where W. J. Cody's approximations of erf and erfc meet. */
const ERF_LIMIT = 0.46875;

export function erf(x: number): number {
  if (Number.isNaN(x)) return x;
  const a = Math.abs(x);
  return a < ERF_LIMIT ? erfNearZero(x) : Math.sign(x) * (1 - erfc(a));
}

export function erfc(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < ERF_LIMIT) return x > -ERF_LIMIT ? 1 - erfNearZero(x) : 2 - erfc(-x);
  return expOfSquare(x, -1) * scaledErfc(x);
}

/** exp(x^2) * erfc(x). */
export function erfcx(x: number): number {
  return x < ERF_LIMIT ? expOfSquare(x, 1) * erfc(x) : scaledErfc(x);
}

export function normcdf(x: number): number {
  const t = -x * Math.SQRT1_2;
  if (!(Math.abs(x) < 40)) return 0.5 * erfc(t);
  // What t lacks of the exact quotient, of which the root's own rounding is a part.
  const rest = productError(-x, Math.SQRT1_2, t) + x * ROOT_ERROR;
  return 0.5 * (erfc(t) - (2 / SQRT_PI) * expOfSquare(t, -1) * rest);
}

/** SQRT1_2 less the root of 1/2. */
const ROOT_ERROR = 4.833646656726457e-17;

/** exp(x^2) or exp(-x^2): the square's rounding error would be multiplied by the square. */
function expOfSquare(x: number, sign: 1 | -1): number {
  const square = x * x;
  const value = Math.exp(sign * square);
  return square > 0.5 && Number.isFinite(value) && value > 0 ? value + value * sign * productError(x, x, square) : value;
}

/** Newton's method from Winitzki's approximation. */
export function erfinv(y: number): number {
  if (Number.isNaN(y) || y < -1 || y > 1) return Number.NaN;
  if (Math.abs(y) === 1) return y * Number.POSITIVE_INFINITY;
  if (y === 0) return y;
  if (Math.abs(y) > 0.5) return Math.sign(y) * erfcinv(1 - Math.abs(y));
  let x = winitzki(1 - y * y) * Math.sign(y);
  for (let round = 0; round < 4; round++) x -= ((erf(x) - y) * SQRT_PI * Math.exp(x * x)) / 2;
  return x;
}

export function erfcinv(y: number): number {
  if (Number.isNaN(y) || y < 0 || y > 2) return Number.NaN;
  if (y === 0) return Number.POSITIVE_INFINITY;
  if (y === 2) return Number.NEGATIVE_INFINITY;
  if (y > 1) return -erfcinv(2 - y);
  if (y >= 0.5) return erfinv(1 - y);
  let x = y < 1e-300 ? Math.sqrt(-Math.log(y)) : winitzki(y * (2 - y));
  for (let round = 0; round < 6; round++) {
    // Works with logarithms so that neither the value nor its slope underflows.
    const value = erfcx(x);
    x += (Math.log(value) - x * x - Math.log(y)) / (2 / (SQRT_PI * value));
  }
  return y > 1e-290 ? x + ((erfc(x) - y) * SQRT_PI * Math.exp(x * x)) / 2 : x;
}

export function normcdfinv(y: number): number {
  return -Math.SQRT2 * erfcinv(2 * y);
}

const LANCZOS_G = 607 / 128;
/** Coefficients of Lanczos' approximation for g = 607/128 (P. Godfrey). */
const LANCZOS = [
  0.9999999999999971, 57.15623566586292, -59.59796035547549, 14.136097974741746, -0.4919138160976202, 0.00003399464998481189,
  0.00004652362892704858, -0.00009837447530487956, 0.0001580887032249125, -0.00021026444172410488, 0.00021743961811521265,
  -0.0001643181065367639, 0.00008441822398385275, -0.000026190838401581408, 0.0000036899182659531625,
];

/** log |gamma(x)|. Its zeros are at 1 and 2: near them the series of Abramowitz and Stegun 6.1.33, above them Stirling's (DLMF 5.11.1). */
export function lgamma(x: number): number {
  if (Number.isNaN(x)) return x;
  if (!Number.isFinite(x)) return Number.POSITIVE_INFINITY;
  if (x <= 0 && Number.isInteger(x)) return Number.POSITIVE_INFINITY;
  if (Math.abs(x) < 1e-20) return -Math.log(Math.abs(x));
  if (x < 0.5) return Math.log(Math.PI / Math.abs(sinpi(x))) - lgamma(1 - x);
  if (x < 1.5) return lgammaAboveTwo(x - 1) - Math.log1p(x - 1);
  if (x < 8) {
    let [rest, product] = [x, 1];
    for (; rest >= 2.5; rest--) product *= rest - 1;
    return lgammaAboveTwo(rest - 2) + Math.log(product);
  }
  const stirling = STIRLING.reduceRight((sum, coefficient) => sum / (x * x) + coefficient, 0) / x;
  return (x - 0.5) * (Math.log(x) - 1) + (0.5 * Math.log(2 * Math.PI) - 0.5 + stirling);
}

/** Of 2 + z, |z| <= 1/2. */
function lgammaAboveTwo(z: number): number {
  let sum = 0;
  for (let k = ZETA_LESS_ONE.length - 1; k >= 2; k--) sum = (ZETA_LESS_ONE[k] / k) * (k % 2 === 0 ? 1 : -1) + sum * z;
  return z * (1 - EULER + z * sum);
}

const EULER = 0.5772156649015329;
/** Riemann's zeta function of 2, 3, ..., less 1: by the sum, and what is left of it by Euler and Maclaurin. */
const ZETA_LESS_ONE = Array.from({ length: 56 }, (_, s) => {
  if (s < 2) return 0;
  const n = 20;
  let sum = n ** (1 - s) / (s - 1) - n ** -s / 2 + (s * n ** (-s - 1)) / 12 - (s * (s + 1) * (s + 2) * n ** (-s - 3)) / 720;
  sum += (s * (s + 1) * (s + 2) * (s + 3) * (s + 4) * n ** (-s - 5)) / 30240;
  for (let k = n; k >= 2; k--) sum += k ** -s;
  return sum;
});
/** Bernoulli's numbers B(2k) / (2k (2k - 1)). */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400, 43867 / 244188];

export function tgamma(x: number): number {
  if (x === 0) return 1 / x;
  if (Number.isNaN(x) || x === Number.NEGATIVE_INFINITY || (x < 0 && Number.isInteger(x))) return Number.NaN;
  if (x > 171.7) return Number.POSITIVE_INFINITY;
  if (Number.isInteger(x) && x < 24) {
    let product = 1;
    for (let k = 2; k < x; k++) product *= k;
    return product;
  }
  if (x < 0.5) return Math.PI / (sinpi(x) * tgamma(1 - x));
  const t = x - 1 + LANCZOS_G + 0.5;
  const half = t ** ((x - 0.5) / 2);
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-t) * half * lanczosSum(x - 1);
}

/** sin(pi x), exact where the result is. */
export function sinpi(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  const r = x % 2;
  if (r === 0 || Math.abs(r) === 1) return 0 * x;
  const [a, sign] = r > 1 ? [r - 2, 1] : r < -1 ? [r + 2, 1] : [r, 1];
  const folded = a > 0.5 ? 1 - a : a < -0.5 ? -1 - a : a;
  return Math.abs(folded) > 0.25
    ? Math.sign(folded) * sign * Math.cos(Math.PI * (0.5 - Math.abs(folded)))
    : sign * Math.sin(Math.PI * folded);
}

export function cospi(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN;
  const a = Math.abs(x) % 2;
  const folded = a > 1 ? 2 - a : a;
  if (folded === 0.5) return 0;
  return folded < 0.25
    ? Math.cos(Math.PI * folded)
    : folded > 0.75
      ? -Math.cos(Math.PI * (1 - folded))
      : Math.sin(Math.PI * (0.5 - folded));
}

/** J of integer order: Bessel's integral (DLMF 10.9.1) by the trapezoidal rule, which converges exponentially. */
export function besselJ(order: number, x: number): number {
  if (Number.isNaN(x)) return x;
  if (!Number.isFinite(x)) return 0;
  if (order >= 0 && Math.abs(x) < 1) return powerSeries(order, x, -1);
  if (isFar(order, x)) return (x < 0 && order % 2 !== 0 ? -1 : 1) * farBessel(order, Math.abs(x)).j;
  // At most (e x / 2 n)^n: nothing that the sum below could tell from 0.
  if (Math.abs(order) > 2 * Math.abs(x) + 1000) return 0;
  if (Math.abs(order) > LARGE || Math.abs(x) > LARGE)
    return (x < 0 || order < 0) && order % 2 !== 0 ? -largeOrder(order, x).j : largeOrder(order, x).j;
  const points = Math.ceil(Math.abs(x) + Math.abs(order) + 40);
  let sum = 0;
  for (let k = 0; k < 2 * points; k++) {
    const angle = (Math.PI * (k + 0.5)) / (2 * points);
    sum += Math.cos(order * 2 * angle - x * Math.sin(2 * angle));
  }
  return sum / (2 * points);
}

/** Y of integer order: DLMF 10.9.7, the first integral by Romberg's rule, the second by the double exponential one. */
export function besselY(order: number, x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!Number.isFinite(x)) return 0;
  const n = Math.abs(order);
  const sign = order < 0 && n % 2 === 1 ? -1 : 1;
  if (x < 1e-9) return n === 0 ? (2 / Math.PI) * (Math.log(x / 2) + EULER) : sign * -smallY(n, x);
  if (isFar(n, x)) return sign * farBessel(n, x).y;
  if (n > LARGE) return sign * largeOrder(n, x).y;
  if (n > 1) return sign * upwards(n, x, besselY(0, x), besselY(1, x));
  const oscillating = romberg((theta) => Math.sin(x * Math.sin(theta) - n * theta), Math.PI, 32 * Math.ceil(x + n + 8));
  // t = exp(u - exp(-u)) takes (0, inf) to the whole line; the integrand falls off twice exponentially.
  let decaying = 0;
  const step = 1 / 128;
  for (let u = -6; u <= 5; u += step) {
    const t = Math.exp(u - Math.exp(-u));
    const slope = t * (1 + Math.exp(-u));
    decaying += (Math.exp(n * t - x * Math.sinh(t)) + (n % 2 === 1 ? -1 : 1) * Math.exp(-n * t - x * Math.sinh(t))) * slope * step;
  }
  return (sign * (oscillating - decaying)) / Math.PI;
}

/** (n - 1)! / pi (2/x)^n, which -Y is for small x (DLMF 10.7.4). */
function smallY(n: number, x: number): number {
  let value = 2 / x / Math.PI;
  for (let k = 1; k < n && Number.isFinite(value); k++) value *= (k * 2) / x;
  return value;
}

/** Where the expansion for large arguments has double precision: the work of the other ways grows with the argument. */
function isFar(order: number, x: number): boolean {
  return Math.abs(x) >= 500 && Math.abs(x) >= 4 * order * order;
}

/** J and Y of integer order and large positive argument: Hankel's expansions (DLMF 10.17.3 and 10.17.4). */
function farBessel(order: number, x: number): { j: number; y: number } {
  const sums = [1, 0];
  let term = 1;
  for (let k = 1; k < 20; k++) {
    term *= (4 * order * order - (2 * k - 1) ** 2) / (8 * k * x);
    sums[k % 2] += k % 4 < 2 ? term : -term;
  }
  // Sine and cosine of x - (2 n + 1) pi/4, without losing digits of x.
  const quarter = (((2 * order + 1) % 8) * Math.PI) / 4;
  const cosine = Math.cos(x) * Math.cos(quarter) + Math.sin(x) * Math.sin(quarter);
  const sine = Math.sin(x) * Math.cos(quarter) - Math.cos(x) * Math.sin(quarter);
  const amplitude = Math.sqrt(2 / (Math.PI * x));
  return { j: amplitude * (sums[0] * cosine - sums[1] * sine), y: amplitude * (sums[0] * sine + sums[1] * cosine) };
}

/** Beyond this order, or argument with an order that matters, J and Y are given by their leading terms: to about a millionth. */
const LARGE = 100_000;

/** Debye's expansions (DLMF 10.19.6), first terms, away from where argument and order are nearly equal. */
function largeOrder(order: number, argument: number): { j: number; y: number } {
  const [n, x] = [Math.abs(order), Math.abs(argument)];
  if (x <= n) return { j: 0, y: Number.NEGATIVE_INFINITY };
  const root = Math.sqrt((x - n) * (x + n));
  const phase = root - n * Math.acos(n / x) - Math.PI / 4;
  const amplitude = Math.sqrt(2 / (Math.PI * root));
  return { j: amplitude * Math.cos(phase), y: amplitude * Math.sin(phase) };
}

/** From here on, I is beyond the largest double. */
const LARGEST_I_ARGUMENT = 750;

/** I of order 0 or 1: its power series (DLMF 10.25.2), for large arguments the expansion 10.40.1. */
export function besselI(order: 0 | 1, x: number): number {
  if (Number.isNaN(x)) return x;
  const a = Math.abs(x);
  const sign = order === 1 && x < 0 ? -1 : 1;
  if (a > LARGEST_I_ARGUMENT) return sign * Number.POSITIVE_INFINITY;
  if (a <= 30) return powerSeries(order, x, 1);
  let [sum, term] = [1, 1];
  for (let k = 1; Math.abs(term) > 1e-18 * sum && k < a; k++) {
    term *= -(4 * order - (2 * k - 1) ** 2) / (8 * k * a);
    sum += term;
  }
  // The exponential function alone may be too large.
  const half = Math.exp(a / 2);
  return sign * ((half * sum) / Math.sqrt(2 * Math.PI * a)) * half;
}

/** (x/2)^n / n! times the sum of (sign x^2/4)^k / (k! (n+1) ... (n+k)): J with the sign -1, I with 1. */
function powerSeries(order: number, x: number, sign: 1 | -1): number {
  let [sum, term] = [1, 1];
  for (let k = 1; Math.abs(term) > 1e-18 * Math.abs(sum); k++) {
    term *= (sign * (x * x)) / (4 * k * (order + k));
    sum += term;
  }
  for (let k = 1; k <= order && sum !== 0; k++) sum *= x / (2 * k);
  return sum;
}

/** Integral from 0 to `end`, extrapolated from trapezoidal sums with `panels` and, three times, half as many. */
function romberg(f: (x: number) => number, end: number, panels: number): number {
  const sums = [1, 2, 4, 8].map((stride) => {
    let sum = (f(0) + f(end)) / 2;
    for (let k = stride; k < panels; k += stride) sum += f((end * k) / panels);
    return (sum * end * stride) / panels;
  });
  for (let order = 4; sums.length > 1; order *= 4) {
    for (let k = 0; k + 1 < sums.length; k++) sums[k] = (order * sums[k] - sums[k + 1]) / (order - 1);
    sums.pop();
  }
  return sums[0];
}

function upwards(n: number, x: number, zeroth: number, first: number): number {
  let [before, current] = [zeroth, first];
  for (let k = 1; k < n && Number.isFinite(current); k++) [before, current] = [current, ((2 * k) / x) * current - before];
  return current;
}

/** Rational approximations: W. J. Cody, Mathematics of Computation 23 (1969), 631-637, as in SPECFUN's CALERF. */
function erfNearZero(x: number): number {
  const square = x * x;
  return x * ratio(square, ERF_ABOVE, ERF_BELOW);
}

/** exp(x^2) * erfc(x) from ERF_LIMIT on. */
function scaledErfc(x: number): number {
  if (x <= 4) return ratio(x, ERFC_ABOVE, ERFC_BELOW);
  const square = 1 / (x * x);
  return (1 / SQRT_PI - square * ratio(square, TAIL_ABOVE, TAIL_BELOW)) / x;
}

/** Of two polynomials, their highest coefficients first. */
function ratio(x: number, above: readonly number[], below: readonly number[]): number {
  let [dividend, divisor] = [above[0], below[0]];
  for (let k = 1; k < above.length; k++) {
    dividend = dividend * x + above[k];
    divisor = divisor * x + below[k];
  }
  return dividend / divisor;
}

const ERF_ABOVE = [0.18577770618460315, 3.1611237438705655, 113.86415415105016, 377.485237685302, 3209.3775891384694];
const ERF_BELOW = [1, 23.601290952344122, 244.02463793444417, 1282.6165260773723, 2844.236833439171];
const ERFC_ABOVE = [
  2.1531153547440383e-8, 0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769, 1712.0476126340707,
  2051.0783778260716, 1230.3393547979972,
];
const ERFC_BELOW = [
  1, 15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597, 4362.619090143247,
  3439.3676741437216, 1230.3393548037495,
];
const TAIL_ABOVE = [
  0.016315387137302097, 0.30532663496123236, 0.36034489994980445, 0.12578172611122926, 0.016083785148742275, 0.0006587491615298378,
];
const TAIL_BELOW = [1, 2.568520192289822, 1.8729528499234604, 0.5279051029514285, 0.06051834131244132, 0.0023352049762686918];

function lanczosSum(x: number): number {
  return LANCZOS.reduce((sum, coefficient, k) => (k === 0 ? coefficient : sum + coefficient / (x + k)), 0);
}

/** S. Winitzki's approximation of erfinv, from 1 - y^2. */
function winitzki(complement: number): number {
  const a = 0.147;
  const log = Math.log(complement);
  const first = 2 / (Math.PI * a) + log / 2;
  return Math.sqrt(Math.sqrt(first * first - log / a) - first);
}
