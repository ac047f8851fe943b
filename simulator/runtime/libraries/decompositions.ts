/** Decompositions of real matrices in doubles, column after column, with LAPACK's conventions: they change their argument. */

/** Rows and columns of doubles, column after column. */
export interface Dense {
  readonly rows: number;
  readonly columns: number;
  readonly re: Float64Array;
}

export function dense(rows: number, columns: number): Dense {
  return { rows, columns, re: new Float64Array(rows * columns) };
}

/** L and U in place, rows exchanged as `pivots` say (from 1 on). The number of the first pivot that is zero, or 0. */
export function factorLu({ rows, columns, re }: Dense, pivots: Float64Array | undefined): number {
  let singular = 0;
  for (let k = 0; k < Math.min(rows, columns); k++) {
    const start = k * rows;
    let best = k;
    if (pivots) for (let row = k + 1; row < rows; row++) if (Math.abs(re[start + row]) > Math.abs(re[start + best])) best = row;
    if (pivots) pivots[k] = best + 1;
    if (best !== k) for (let at = 0; at < re.length; at += rows) [re[at + k], re[at + best]] = [re[at + best], re[at + k]];
    if (re[start + k] === 0) {
      singular ||= k + 1;
      continue;
    }
    for (let row = k + 1; row < rows; row++) re[start + row] /= re[start + k];
    for (let column = k + 1; column < columns; column++) {
      const factor = re[column * rows + k];
      if (factor !== 0) for (let row = k + 1; row < rows; row++) re[column * rows + row] -= factor * re[start + row];
    }
  }
  return singular;
}

/** The solution of A X = B, or of its transpose, in place of B. */
export function solveLu(a: Dense, pivots: Float64Array | undefined, b: Dense, transposed: boolean): void {
  const exchange = (k: number) => {
    const other = pivots![k] - 1;
    if (other !== k) for (let at = 0; at < b.re.length; at += b.rows) [b.re[at + k], b.re[at + other]] = [b.re[at + other], b.re[at + k]];
  };
  if (!transposed) {
    if (pivots) for (let k = 0; k < a.rows; k++) exchange(k);
    solveTriangle(a, b, { upper: false, transposed: false, unit: true });
    solveTriangle(a, b, { upper: true, transposed: false });
    return;
  }
  solveTriangle(a, b, { upper: true, transposed: true });
  solveTriangle(a, b, { upper: false, transposed: true, unit: true });
  if (pivots) for (let k = a.rows - 1; k >= 0; k--) exchange(k);
}

/** X with op(T) X = B in place of B, T being a triangle of `a`. */
export function solveTriangle(
  a: Dense,
  b: Dense,
  { upper, transposed, unit = false }: { readonly upper: boolean; readonly transposed: boolean; readonly unit?: boolean },
): void {
  const n = a.rows;
  const downwards = upper === transposed;
  for (let start = 0; start < b.re.length; start += n) {
    for (let step = 0; step < n; step++) {
      const k = downwards ? step : n - 1 - step;
      const [first, last] = downwards ? [0, k] : [k + 1, n];
      let value = b.re[start + k];
      for (let j = first; j < last; j++) value -= (transposed ? a.re[j + k * n] : a.re[k + j * n]) * b.re[start + j];
      b.re[start + k] = unit ? value : value / a.re[k * (n + 1)];
    }
  }
}

/** A = L L' or U' U in the triangle. The first minor that is not positive definite, or 0. */
export function factorCholesky({ rows: n, re }: Dense, upper: boolean): number {
  const at = (row: number, column: number) => (upper ? column + row * n : row + column * n);
  for (let k = 0; k < n; k++) {
    let pivot = re[at(k, k)];
    for (let j = 0; j < k; j++) pivot -= re[at(k, j)] ** 2;
    if (!(pivot > 0)) return k + 1;
    re[at(k, k)] = Math.sqrt(pivot);
    for (let row = k + 1; row < n; row++) {
      let value = re[at(row, k)];
      for (let j = 0; j < k; j++) value -= re[at(row, j)] * re[at(k, j)];
      re[at(row, k)] = value / re[at(k, k)];
    }
  }
  return 0;
}

/** R above, and below it the vectors of reflections H = I - tau v v' whose product is Q. */
export function factorQr({ rows, columns, re }: Dense): Float64Array {
  const taus = new Float64Array(Math.min(rows, columns));
  for (let k = 0; k < taus.length; k++) {
    const start = k * rows;
    const alpha = re[start + k];
    const below = norm(re.subarray(start + k + 1, start + rows));
    if (below === 0) continue;
    const beta = -(alpha < 0 || Object.is(alpha, -0) ? -1 : 1) * Math.hypot(alpha, below);
    taus[k] = (beta - alpha) / beta;
    for (let row = k + 1; row < rows; row++) re[start + row] /= alpha - beta;
    re[start + k] = beta;
    for (let column = k + 1; column < columns; column++) reflect(re, start, taus[k], k, rows, re, column * rows);
  }
  return taus;
}

/** op(Q) C in place of C: Q of the reflections in `a`, of which there are as many as taus. */
export function applyQ(a: Dense, taus: Float64Array, c: Dense, transposed: boolean): void {
  for (let step = 0; step < taus.length; step++) {
    const k = transposed ? step : taus.length - 1 - step;
    for (let start = 0; start < c.re.length; start += c.rows) reflect(a.re, k * a.rows, taus[k], k, a.rows, c.re, start);
  }
}

/** The first columns of Q. */
export function generateQ(a: Dense, taus: Float64Array, columns: number): Dense {
  const q = dense(a.rows, columns);
  for (let k = 0; k < Math.min(columns, a.rows); k++) q.re[k * (a.rows + 1)] = 1;
  applyQ(a, taus, q, false);
  return q;
}

export function transposed({ rows, columns, re }: Dense): Dense {
  const result = dense(columns, rows);
  for (let column = 0; column < columns; column++)
    for (let row = 0; row < rows; row++) result.re[column + row * columns] = re[row + column * rows];
  return result;
}

/** Eigenvalues, ascending, and their vectors in the columns of what was a symmetric matrix: Householder's tridiagonal form, then QL. */
export function eigenvalues({ rows: n, re: v }: Dense): Float64Array {
  const [d, e] = [new Float64Array(n), new Float64Array(n)];
  if (n === 0) return d;
  tridiagonal(n, v, d, e);
  diagonal(n, v, d, e);
  const order = Array.from(d.keys()).sort((a, b) => d[a] - d[b]);
  const vectors = v.slice();
  for (const [to, from] of order.entries()) v.set(vectors.subarray(from * n, (from + 1) * n), to * n);
  return d.slice().sort();
}

/** A = U diag(s) V' for a matrix with at least as many rows as columns: U in place of A, s descending, by Jacobi's rotations of columns. */
export function singularValues(a: Dense): { readonly s: Float64Array; readonly v: Dense } {
  const { rows, columns: n, re } = a;
  const v = dense(n, n);
  for (let k = 0; k < n; k++) v.re[k * (n + 1)] = 1;
  for (let sweep = 0, rotated = true; rotated && sweep < 60; sweep++) {
    rotated = false;
    for (let p = 0; p < n - 1; p++) for (let q = p + 1; q < n; q++) if (rotateColumns(a, v, p, q)) rotated = true;
  }
  const lengths = Float64Array.from({ length: n }, (_, k) => norm(re.subarray(k * rows, (k + 1) * rows)));
  const order = Array.from(lengths.keys()).sort((p, q) => lengths[q] - lengths[p]);
  const [columns, vectors] = [re.slice(), v.re.slice()];
  for (const [to, from] of order.entries()) {
    const length = lengths[from];
    for (let row = 0; row < rows; row++) re[to * rows + row] = length === 0 ? 0 : columns[from * rows + row] / length;
    v.re.set(vectors.subarray(from * n, (from + 1) * n), to * n);
  }
  return { s: Float64Array.from(order, (k) => lengths[k]), v };
}

/** As many orthonormal columns as wanted, of which the first are given (those that are zero are not). */
export function completed(u: Dense, columns: number): Dense {
  const given = Array.from({ length: u.columns }, (_, k) => u.re.subarray(k * u.rows, (k + 1) * u.rows)).filter((c) => norm(c) > 0);
  const basis = dense(u.rows, given.length);
  for (const [k, column] of given.entries()) basis.re.set(column, k * u.rows);
  const taus = factorQr(basis);
  const result = generateQ(basis, taus, columns);
  for (const [k, column] of given.entries()) result.re.set(column, k * u.rows);
  return result;
}

function norm(values: Float64Array): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let sum = 0;
  for (const value of values) sum += (value / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** The column at `to` becomes H of it, whose vector is 1 at k and stands below it in the column at `from`. */
function reflect(vectors: Float64Array, from: number, tau: number, k: number, rows: number, target: Float64Array, to: number): void {
  if (tau === 0) return;
  let sum = target[to + k];
  for (let row = k + 1; row < rows; row++) sum += vectors[from + row] * target[to + row];
  sum *= tau;
  target[to + k] -= sum;
  for (let row = k + 1; row < rows; row++) target[to + row] -= sum * vectors[from + row];
}

function rotateColumns(a: Dense, v: Dense, p: number, q: number): boolean {
  const [x, y] = [p * a.rows, q * a.rows];
  let [pp, qq, pq] = [0, 0, 0];
  for (let row = 0; row < a.rows; row++) {
    const [s, t] = [a.re[x + row], a.re[y + row]];
    pp += s * s;
    qq += t * t;
    pq += s * t;
  }
  if (pq === 0 || Math.abs(pq) <= 1e-15 * Math.sqrt(pp * qq)) return false;
  const zeta = (qq - pp) / (2 * pq);
  const tangent = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
  const cosine = 1 / Math.hypot(1, tangent);
  turn(a.re, x, y, a.rows, cosine, cosine * tangent);
  turn(v.re, p * v.rows, q * v.rows, v.rows, cosine, cosine * tangent);
  return true;
}

function turn(values: Float64Array, x: number, y: number, rows: number, cosine: number, sine: number): void {
  for (let row = 0; row < rows; row++) {
    const [s, t] = [values[x + row], values[y + row]];
    values[x + row] = cosine * s - sine * t;
    values[y + row] = sine * s + cosine * t;
  }
}

/** EISPACK's tred2. */
function tridiagonal(n: number, v: Float64Array, d: Float64Array, e: Float64Array): void {
  for (let j = 0; j < n; j++) d[j] = v[n - 1 + j * n];
  for (let i = n - 1; i > 0; i--) {
    let [scale, h] = [0, 0];
    for (let k = 0; k < i; k++) scale += Math.abs(d[k]);
    if (scale === 0) {
      e[i] = d[i - 1];
      for (let j = 0; j < i; j++) {
        d[j] = v[i - 1 + j * n];
        v[i + j * n] = v[j + i * n] = 0;
      }
    } else {
      for (let k = 0; k < i; k++) {
        d[k] /= scale;
        h += d[k] * d[k];
      }
      const f = d[i - 1];
      const g = f > 0 ? -Math.sqrt(h) : Math.sqrt(h);
      e[i] = scale * g;
      h -= f * g;
      d[i - 1] = f - g;
      e.fill(0, 0, i);
      for (let j = 0; j < i; j++) {
        const at = d[j];
        v[j + i * n] = at;
        let sum = e[j] + v[j + j * n] * at;
        for (let k = j + 1; k < i; k++) {
          sum += v[k + j * n] * d[k];
          e[k] += v[k + j * n] * at;
        }
        e[j] = sum;
      }
      let total = 0;
      for (let j = 0; j < i; j++) {
        e[j] /= h;
        total += e[j] * d[j];
      }
      const half = total / (h + h);
      for (let j = 0; j < i; j++) e[j] -= half * d[j];
      for (let j = 0; j < i; j++) {
        const [x, y] = [d[j], e[j]];
        for (let k = j; k < i; k++) v[k + j * n] -= x * e[k] + y * d[k];
        d[j] = v[i - 1 + j * n];
        v[i + j * n] = 0;
      }
    }
    d[i] = h;
  }
  for (let i = 0; i < n - 1; i++) {
    v[n - 1 + i * n] = v[i + i * n];
    v[i + i * n] = 1;
    const h = d[i + 1];
    if (h !== 0) {
      for (let k = 0; k <= i; k++) d[k] = v[k + (i + 1) * n] / h;
      for (let j = 0; j <= i; j++) {
        let g = 0;
        for (let k = 0; k <= i; k++) g += v[k + (i + 1) * n] * v[k + j * n];
        for (let k = 0; k <= i; k++) v[k + j * n] -= g * d[k];
      }
    }
    for (let k = 0; k <= i; k++) v[k + (i + 1) * n] = 0;
  }
  for (let j = 0; j < n; j++) {
    d[j] = v[n - 1 + j * n];
    v[n - 1 + j * n] = 0;
  }
  v[n * n - 1] = 1;
  e[0] = 0;
}

/** EISPACK's tql2, without its sort. */
function diagonal(n: number, v: Float64Array, d: Float64Array, e: Float64Array): void {
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  let [shift, largest] = [0, 0];
  for (let l = 0; l < n; l++) {
    largest = Math.max(largest, Math.abs(d[l]) + Math.abs(e[l]));
    let m = l;
    while (m < n - 1 && Math.abs(e[m]) > Number.EPSILON * largest) m++;
    for (let round = 0; m > l && round < 100; round++) {
      const g = d[l];
      let p = (d[l + 1] - g) / (2 * e[l]);
      const r = p < 0 ? -Math.hypot(p, 1) : Math.hypot(p, 1);
      d[l] = e[l] / (p + r);
      d[l + 1] = e[l] * (p + r);
      const next = d[l + 1];
      const change = g - d[l];
      for (let i = l + 2; i < n; i++) d[i] -= change;
      shift += change;
      p = d[m];
      let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
      const edge = e[l + 1];
      for (let i = m - 1; i >= l; i--) {
        c3 = c2;
        c2 = c;
        s2 = s;
        const [x, y] = [c * e[i], c * p];
        const length = Math.hypot(p, e[i]);
        e[i + 1] = s * length;
        s = e[i] / length;
        c = p / length;
        p = c * d[i] - s * x;
        d[i + 1] = y + s * (c * x + s * d[i]);
        turn(v, i * n, (i + 1) * n, n, c, s);
      }
      p = (-s * s2 * c3 * edge * e[l]) / next;
      e[l] = s * p;
      d[l] = c * p;
      if (Math.abs(e[l]) <= Number.EPSILON * largest) break;
    }
    d[l] += shift;
    e[l] = 0;
  }
}
