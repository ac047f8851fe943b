/** Discrete Fourier transforms in double precision, of any length, unscaled in both directions. */

/** exp(sign * 2 pi i k / n) for k below n / 2. */
interface Twiddles {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

const known = new Map<string, Twiddles>();
/** Lengths whose factors are kept. */
const KEPT = 64;

function twiddles(n: number, sign: number): Twiddles {
  const key = `${n} ${sign}`;
  let found = known.get(key);
  if (!found) {
    const half = n >> 1;
    found = { re: new Float64Array(half), im: new Float64Array(half) };
    for (let k = 0; k < half; k++) {
      const angle = (2 * Math.PI * k) / n;
      found.re[k] = Math.cos(angle);
      found.im[k] = sign * Math.sin(angle);
    }
    if (known.size >= KEPT) known.clear();
    known.set(key, found);
  }
  return found;
}

/** Transforms a sequence in place; sign is -1 forwards and 1 backwards. */
export function transform(re: Float64Array, im: Float64Array, sign: number): void {
  const n = re.length;
  if (n < 2) return;
  if ((n & (n - 1)) === 0) powerOfTwo(re, im, sign);
  else anyLength(re, im, sign);
}

function powerOfTwo(re: Float64Array, im: Float64Array, sign: number): void {
  const n = re.length;
  for (let k = 1, reversed = 0; k < n; k++) {
    let bit = n >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (k < reversed) {
      [re[k], re[reversed]] = [re[reversed], re[k]];
      [im[k], im[reversed]] = [im[reversed], im[k]];
    }
  }
  const factors = twiddles(n, sign);
  for (let length = 2; length <= n; length *= 2) {
    const half = length >> 1;
    const step = n / length;
    for (let start = 0; start < n; start += length) {
      for (let k = 0; k < half; k++) {
        const [c, s] = [factors.re[k * step], factors.im[k * step]];
        const [low, high] = [start + k, start + k + half];
        const x = re[high] * c - im[high] * s;
        const y = re[high] * s + im[high] * c;
        re[high] = re[low] - x;
        im[high] = im[low] - y;
        re[low] += x;
        im[low] += y;
      }
    }
  }
}

/** As a convolution of a length that is a power of two (Bluestein). */
function anyLength(re: Float64Array, im: Float64Array, sign: number): void {
  const n = re.length;
  let m = 1;
  while (m < 2 * n - 1) m *= 2;
  // exp(sign * i pi k^2 / n): k^2 is taken modulo 2n, which keeps the angle exact.
  const [c, s] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < n; k++) {
    const angle = (Math.PI * Number((BigInt(k) * BigInt(k)) % BigInt(2 * n))) / n;
    c[k] = Math.cos(angle);
    s[k] = sign * Math.sin(angle);
  }
  const [ar, ai, br, bi] = Array.from({ length: 4 }, () => new Float64Array(m));
  for (let k = 0; k < n; k++) {
    ar[k] = re[k] * c[k] - im[k] * s[k];
    ai[k] = re[k] * s[k] + im[k] * c[k];
    br[k] = c[k];
    bi[k] = -s[k];
    if (k > 0) {
      br[m - k] = c[k];
      bi[m - k] = -s[k];
    }
  }
  powerOfTwo(ar, ai, -1);
  powerOfTwo(br, bi, -1);
  for (let k = 0; k < m; k++) [ar[k], ai[k]] = [ar[k] * br[k] - ai[k] * bi[k], ar[k] * bi[k] + ai[k] * br[k]];
  powerOfTwo(ar, ai, 1);
  for (let k = 0; k < n; k++) {
    re[k] = (ar[k] * c[k] - ai[k] * s[k]) / m;
    im[k] = (ar[k] * s[k] + ai[k] * c[k]) / m;
  }
}

/** Transforms an array of several dimensions in place, the last one lying together. */
export function transformAll(sizes: readonly number[], re: Float64Array, im: Float64Array, sign: number): void {
  let stride = re.length;
  for (const size of sizes) {
    const block = stride;
    stride /= size;
    const [x, y] = [new Float64Array(size), new Float64Array(size)];
    for (let base = 0; base < re.length; base += block) {
      for (let offset = 0; offset < stride; offset++) {
        const first = base + offset;
        for (let k = 0; k < size; k++) {
          x[k] = re[first + k * stride];
          y[k] = im[first + k * stride];
        }
        transform(x, y, sign);
        for (let k = 0; k < size; k++) {
          re[first + k * stride] = x[k];
          im[first + k * stride] = y[k];
        }
      }
    }
  }
}
