/** cuBLASLt: products of matrices with a bias, an activation or its gradient behind them, in scales and batches; changes of layout. */
import type { CudaContext, Functions } from '../../cuda-context.ts';
import { answered } from '../answered.ts';
import { applied, combined, multiply, TRANSPOSED } from '../dense.ts';
import { BadOperand, type Complex, ELEMENTS, type Element, type Layout, type Matrix, matrix, Operands, S } from '../numbers.ts';
import { STATUS } from './blas.ts';
import { scalarsOf } from './products.ts';

/** Attributes of a product, by cublasLtMatmulDescAttributes_t. */
const PRODUCT = {
  ...{ compute: 0, scale: 1, pointerMode: 2, a: 3, b: 4, c: 5, fill: 6, epilogue: 7, bias: 8, biasStride: 10 },
  ...{
    aux: 11,
    auxLd: 12,
    auxStride: 13,
    scaleA: 17,
    scaleB: 18,
    scaleC: 19,
    scaleD: 20,
    most: 21,
    auxType: 22,
    auxScale: 23,
    auxMost: 24,
  },
  ...{ biasType: 26, firstScaleMode: 31, lastScaleMode: 35 },
} as const;
const [PRODUCT_COUNT, LAYOUT_COUNT, TRANSFORM_COUNT] = [40, 8, 4];
/** Bits of cublasLtEpilogue_t. */
const EPILOGUE = {
  relu: 2,
  bias: 4,
  reluGradient: 8,
  biasGradient: 16,
  gelu: 32,
  geluGradient: 64,
  aux: 128,
  gradientA: 256,
  gradientB: 512,
};
const WHOLE = 2;
const ROWS = 1;
/** cublasLtPointerMode_t: how alpha and beta are given. */
const DEVICE_VECTORS = 2;

interface Described {
  readonly type: Element;
  readonly layout: Layout;
  readonly count: number;
  readonly offset: number;
}

/** GELU as cuBLASLt has it, by the hyperbolic tangent, and its derivative. */
const GELU = Math.sqrt(2 / Math.PI);
const gelu = (x: number): number => 0.5 * x * (1 + Math.tanh(GELU * (x + 0.044715 * x * x * x)));
function geluGradient(x: number): number {
  const t = Math.tanh(GELU * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * GELU * (1 + 3 * 0.044715 * x * x);
}

class Light {
  readonly operands: Operands;
  readonly handles = new Set<number>();

  constructor(readonly context: CudaContext) {
    this.operands = new Operands(context);
  }

  attributes(address: number, count: number): number[] {
    return Array.from({ length: count }, (_, k) => this.context.host.u64(address + 8 * k));
  }

  /** A matrix by its cublasLtMatrixLayout_t; undefined for types and orders that are left out. */
  described(descriptor: number, address: number): Described | undefined {
    const [kind, order, rows, columns, ld, count, offset] = this.attributes(descriptor, LAYOUT_COUNT);
    const type = ELEMENTS.get(kind);
    if (!type || order > ROWS) return undefined;
    if (ld < (order === ROWS ? columns : rows)) throw new BadOperand('size');
    const places = order === ROWS ? { stride: 1, step: ld } : { stride: ld };
    return { type, layout: { address, rows, columns, ...places }, count, offset };
  }

  read({ type, layout, offset }: Described, batch: number): Matrix {
    return this.operands.read(type, { ...layout, address: layout.address + batch * offset * type.bytes });
  }

  /** A number in device memory; 1 where there is none. */
  scale(address: number): number {
    return address === 0 ? 1 : this.operands.scalar(S, address).re;
  }

  writeVector(type: Element, address: number, re: Float64Array): void {
    this.operands.write(
      type,
      { address, rows: re.length, columns: 1, stride: re.length },
      { rows: re.length, columns: 1, re, im: undefined },
    );
  }
}

const ZERO: Complex = { re: 0, im: 0 };

class Product {
  readonly #light: Light;
  readonly #own: readonly number[];
  readonly #epilogue: number;

  constructor(light: Light, descriptor: number) {
    this.#light = light;
    this.#own = light.attributes(descriptor, PRODUCT_COUNT);
    this.#epilogue = this.#own[PRODUCT.epilogue];
  }

  has(bit: number): boolean {
    return (this.#epilogue & bit) !== 0;
  }

  /** Of what it is told everything can be done. */
  get isKnown(): boolean {
    const own = this.#own;
    const modes = own.slice(PRODUCT.firstScaleMode, PRODUCT.lastScaleMode + 1);
    return (
      own[PRODUCT.c] === 0 && own[PRODUCT.fill] === WHOLE && own[PRODUCT.pointerMode] < DEVICE_VECTORS && modes.every((mode) => mode === 0)
    );
  }

  run(matrices: readonly Described[], pointers: { readonly alpha: number; readonly beta: number }): number {
    const [a, b, c, d] = matrices;
    const own = this.#own;
    const operand = ({ layout: { rows, columns } }: Described, operation: number) => (operation === 0 ? [rows, columns] : [columns, rows]);
    const [m, k] = operand(a, own[PRODUCT.a]);
    const [depth, n] = operand(b, own[PRODUCT.b]);
    const fits = ({ layout }: Described) => layout.rows === m && layout.columns === n;
    const counts = matrices.every(({ count }) => count === d.count || count === 1);
    if (k !== depth || !fits(c) || !fits(d) || !counts) return STATUS.invalidValue;
    const scalars = ELEMENTS.get(own[PRODUCT.scale]) ?? scalarsOf(own[PRODUCT.compute], d.type);
    if (!scalars || !this.isKnown) return STATUS.notSupported;
    // Asked only whether it can be done.
    if (pointers.alpha === 0) return STATUS.success;
    const { operands } = this.#light;
    const [alpha, beta] = [operands.scalar(scalars, pointers.alpha), operands.scalar(scalars, pointers.beta)];
    for (let batch = 0; batch < d.count; batch++) this.#one(matrices, batch, alpha, beta);
    return STATUS.success;
  }

  #one([a, b, c, d]: readonly Described[], batch: number, alpha: Complex, beta: Complex): void {
    const light = this.#light;
    const own = this.#own;
    const left = applied(light.read(a, a.count === 1 ? 0 : batch), own[PRODUCT.a]);
    const right = applied(light.read(b, b.count === 1 ? 0 : batch), own[PRODUCT.b]);
    const scale = light.scale(own[PRODUCT.scaleA]) * light.scale(own[PRODUCT.scaleB]);
    const old = beta.re === 0 && beta.im === 0 ? undefined : light.read(c, c.count === 1 ? 0 : batch);
    const kept = light.scale(own[PRODUCT.scaleC]);
    const result = combined(
      { re: alpha.re * scale, im: alpha.im * scale },
      multiply(left, right),
      old ? { re: beta.re * kept, im: beta.im * kept } : ZERO,
      old,
    );
    this.#follow(result, d, batch);
    if (this.has(EPILOGUE.gradientA)) this.#gradient(left, d, batch);
    if (this.has(EPILOGUE.gradientB)) this.#gradient(applied(right, TRANSPOSED), d, batch);
    if (own[PRODUCT.most] !== 0) light.writeVector(S, own[PRODUCT.most], Float64Array.of(largest(result)));
    const last = light.scale(own[PRODUCT.scaleD]);
    if (last !== 1) for (let k = 0; k < result.re.length; k++) result.re[k] *= last;
    light.operands.write(d.type, { ...d.layout, address: d.layout.address + batch * d.offset * d.type.bytes }, result);
  }

  /** What comes behind the product, in place. */
  #follow(result: Matrix, d: Described, batch: number): void {
    const { re, rows } = result;
    if (this.has(EPILOGUE.bias)) {
      const bias = this.#bias(d, rows, batch);
      const values = this.#light.operands.read(bias.type, bias.layout).re;
      for (let k = 0; k < re.length; k++) re[k] += values[k % rows];
    }
    const isGradient = this.has(EPILOGUE.reluGradient) || this.has(EPILOGUE.geluGradient);
    if (this.has(EPILOGUE.aux) && !isGradient) this.#keep(result, d, batch);
    if (this.has(EPILOGUE.relu)) for (let k = 0; k < re.length; k++) re[k] = re[k] > 0 || Number.isNaN(re[k]) ? re[k] : 0;
    if (this.has(EPILOGUE.gelu)) for (let k = 0; k < re.length; k++) re[k] = gelu(re[k]);
    if (this.has(EPILOGUE.geluGradient)) {
      const before = this.#light.operands.read(this.#auxType(d), this.#auxLayout(result, d, batch)).re;
      const scale = this.#light.scale(this.#own[PRODUCT.auxScale]);
      for (let k = 0; k < re.length; k++) re[k] *= geluGradient(before[k] * scale);
    }
    if (this.has(EPILOGUE.reluGradient)) this.#reluGradient(result, batch);
    if (this.has(EPILOGUE.biasGradient)) this.#gradient(result, d, batch);
  }

  #bias(d: Described, length: number, batch: number): { type: Element; layout: Layout } {
    const type = ELEMENTS.get(this.#own[PRODUCT.biasType]) ?? (d.type.bytes === 1 ? ELEMENTS.get(14)! : d.type);
    const address = this.#own[PRODUCT.bias] + batch * this.#own[PRODUCT.biasStride] * type.bytes;
    return { type, layout: { address, rows: length, columns: 1, stride: length } };
  }

  /** The sum of each row. */
  #gradient(of: Matrix, d: Described, batch: number): void {
    const sums = new Float64Array(of.rows);
    for (let k = 0; k < of.re.length; k++) sums[k % of.rows] += of.re[k];
    const bias = this.#bias(d, of.rows, batch);
    this.#light.writeVector(bias.type, bias.layout.address, sums);
  }

  #auxType(d: Described): Element {
    return ELEMENTS.get(this.#own[PRODUCT.auxType]) ?? d.type;
  }

  #auxLayout({ rows, columns }: Matrix, d: Described, batch: number): Layout {
    const address = this.#own[PRODUCT.aux] + batch * this.#own[PRODUCT.auxStride] * this.#auxType(d).bytes;
    return { address, rows, columns, stride: this.#own[PRODUCT.auxLd] };
  }

  /** What the gradient will need: the argument of GELU, or a bit for each element that ReLU lets through. */
  #keep(result: Matrix, d: Described, batch: number): void {
    if (this.has(EPILOGUE.relu)) {
      const { view, at } = this.#bits(result, batch);
      for (let k = 0; k < result.re.length; k++) {
        const { byte, bit } = at(k);
        view[byte] = (view[byte] & ~(1 << bit)) | (result.re[k] > 0 ? 1 << bit : 0);
      }
      this.#light.context.memory.changed(this.#own[PRODUCT.aux]);
      return;
    }
    const scale = this.#light.scale(this.#own[PRODUCT.auxScale]);
    const kept = { ...result, re: result.re.map((value) => value * scale) };
    this.#light.operands.write(this.#auxType(d), this.#auxLayout(result, d, batch), kept);
    const most = this.#own[PRODUCT.auxMost];
    if (most !== 0) this.#light.writeVector(S, most, Float64Array.of(largest(result)));
  }

  #reluGradient(result: Matrix, batch: number): void {
    const { view, at } = this.#bits(result, batch);
    for (let k = 0; k < result.re.length; k++) {
      const { byte, bit } = at(k);
      if (((view[byte] >> bit) & 1) === 0) result.re[k] = 0;
    }
  }

  /** ReLU's bits: the leading dimension and the stride of a batch count them. */
  #bits({ rows, columns }: Matrix, batch: number): { view: Uint8Array; at(k: number): { byte: number; bit: number } } {
    const [ld, stride] = [this.#own[PRODUCT.auxLd], this.#own[PRODUCT.auxStride]];
    const bytes = Math.ceil(((columns - 1) * ld + rows) / 8);
    const place = this.#light.context.locate(this.#own[PRODUCT.aux] + (batch * stride) / 8, bytes);
    if (!place) throw new BadOperand('memory');
    return {
      view: place.bytes,
      at: (k) => {
        const index = Math.floor(k / rows) * ld + (k % rows);
        return { byte: index >> 3, bit: index & 7 };
      },
    };
  }
}

function largest({ re }: Matrix): number {
  return re.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** C = alpha op(A) + beta op(B): changes the order or the type of a matrix. */
function transform(light: Light, args: readonly number[]): number {
  const [descriptor, a, b, c, alpha, beta, pa, pb, pc] = args;
  const [scale, mode, opA, opB] = light.attributes(descriptor, TRANSFORM_COUNT);
  const scalars = ELEMENTS.get(scale);
  const [from, to] = [light.described(a, pa), light.described(c, pc)];
  const other = b === 0 || pb === 0 ? undefined : light.described(b, pb);
  if (!scalars || mode >= DEVICE_VECTORS || !from || !to) return STATUS.notSupported;
  const [factor, rest] = [light.operands.scalar(scalars, alpha), light.operands.scalar(scalars, beta)];
  for (let batch = 0; batch < to.count; batch++) {
    const left = applied(light.read(from, batch), opA);
    if (left.rows !== to.layout.rows || left.columns !== to.layout.columns) return STATUS.invalidValue;
    const right = other ? applied(light.read(other, batch), opB) : matrix(0, 0, false);
    const sum = combined(factor, left, other ? rest : ZERO, right);
    light.operands.write(to.type, { ...to.layout, address: pc + batch * to.offset * to.type.bytes }, sum);
  }
  return STATUS.success;
}

export function cublasLtFunctions(context: CudaContext): Functions {
  const light = new Light(context);
  let next = 1;
  const guarded =
    (call: (args: readonly number[]) => number) =>
    (handle: number, ...args: number[]): number => {
      // A handle of cuBLAS is one of cuBLASLt, too.
      if (handle === 0) return STATUS.notInitialized;
      return answered(context, 'cuBLASLt', STATUS, () => call(args));
    };
  return {
    cublasLtCreate: (out) => {
      const id = 0x10 * next++;
      light.handles.add(id);
      context.host.setU64(out, id);
      return STATUS.success;
    },
    cublasLtDestroy: (id) => (light.handles.delete(id) ? STATUS.success : STATUS.notInitialized),
    __lanewise_cublasLtMatmul: guarded(([product, a, b, c, d, alpha, beta, pa, pb, pc, pd]) => {
      const matrices = [light.described(a, pa), light.described(b, pb), light.described(c, pc), light.described(d, pd)];
      const known = matrices.flatMap((each) => each ?? []);
      if (known.length < matrices.length) return STATUS.notSupported;
      return new Product(light, product).run(known, { alpha, beta });
    }),
    __lanewise_cublasLtTransform: guarded((args) => transform(light, args)),
  };
}
