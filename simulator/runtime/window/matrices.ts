/** OpenGL's stacks of matrices, which programs read back to give kernels a view. Matrices are stored by columns. */

export type Matrix = readonly number[];

const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
export const MODE = { modelView: 0x1700, projection: 0x1701, texture: 0x1702 } as const;

export class MatrixStacks {
  readonly #stacks = new Map<number, Matrix[]>();
  mode: number = MODE.modelView;

  top(mode = this.mode): Matrix {
    return this.#stack(mode).at(-1)!;
  }

  load(matrix: Matrix = IDENTITY): void {
    this.#stack(this.mode).splice(-1, 1, matrix);
  }

  multiply(matrix: Matrix): void {
    this.load(product(this.top(), matrix));
  }

  push(): void {
    this.#stack(this.mode).push(this.top());
  }

  pop(): void {
    const stack = this.#stack(this.mode);
    if (stack.length > 1) stack.pop();
  }

  #stack(mode: number): Matrix[] {
    const known = this.#stacks.get(mode) ?? [IDENTITY];
    this.#stacks.set(mode, known);
    return known;
  }
}

function product(a: Matrix, b: Matrix): Matrix {
  return Array.from({ length: 16 }, (_, at) => {
    const [row, column] = [at % 4, at - (at % 4)];
    return [0, 1, 2, 3].reduce((sum, k) => sum + a[row + 4 * k] * b[column + k], 0);
  });
}

export function transpose(matrix: Matrix): Matrix {
  return matrix.map((_, at) => matrix[4 * (at % 4) + Math.floor(at / 4)]);
}

export function translation(x: number, y: number, z: number): Matrix {
  return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
}

export function scaling(x: number, y: number, z: number): Matrix {
  return [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];
}

export function rotation(degrees: number, ...axis: readonly [number, number, number]): Matrix {
  const [x, y, z] = unit(axis);
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const t = 1 - c;
  const columns = [
    [t * x * x + c, t * x * y + s * z, t * x * z - s * y],
    [t * x * y - s * z, t * y * y + c, t * y * z + s * x],
    [t * x * z + s * y, t * y * z - s * x, t * z * z + c],
  ];
  return [...columns.flatMap((column) => [...column, 0]), 0, 0, 0, 1];
}

/** As glFrustum's parameters. */
export function frustum(...[left, right, bottom, top, near, far]: readonly number[]): Matrix {
  const [w, h, d] = [right - left, top - bottom, far - near];
  const last = [(right + left) / w, (top + bottom) / h, -(far + near) / d, -1];
  return [(2 * near) / w, 0, 0, 0, 0, (2 * near) / h, 0, 0, ...last, 0, 0, (-2 * far * near) / d, 0];
}

/** As glOrtho's parameters. */
export function orthographic(...[left, right, bottom, top, near, far]: readonly number[]): Matrix {
  const [w, h, d] = [right - left, top - bottom, far - near];
  return [2 / w, 0, 0, 0, 0, 2 / h, 0, 0, 0, 0, -2 / d, 0, -(right + left) / w, -(top + bottom) / h, -(far + near) / d, 1];
}

/** As gluPerspective's parameters. */
export function perspective(...[degrees, aspect, near, far]: readonly number[]): Matrix {
  const top = near * Math.tan((degrees * Math.PI) / 360);
  return frustum(-top * aspect, top * aspect, -top, top, near, far);
}

/** As gluLookAt's parameters. */
export function lookAt(...at: readonly number[]): Matrix {
  const [eye, center, up] = [0, 3, 6].map((first) => at.slice(first, first + 3));
  const forward = unit(center.map((value, k) => value - eye[k]));
  const side = unit(cross(forward, up));
  const upward = cross(side, forward);
  const axes = [side, upward, forward.map((value) => -value)];
  const turned = [0, 1, 2].flatMap((column) => [...axes.map((axis) => axis[column]), 0]);
  const moved = axes.map((axis) => -axis.reduce((sum, value, k) => sum + value * eye[k], 0));
  return [...turned, ...moved, 1];
}

function cross([a, b, c]: readonly number[], [x, y, z]: readonly number[]): number[] {
  return [b * z - c * y, c * x - a * z, a * y - b * x];
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
