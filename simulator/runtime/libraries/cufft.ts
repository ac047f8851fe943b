/**
 * cuFFT's transforms, computed on the host: complex and real ones of one to three dimensions, in single and double precision, batched and
 * with strides. They are made in double precision and rounded once. Callbacks are kernels that cufftXt.h launches before and behind; several
 * devices are left out.
 */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { transformAll } from './fourier.ts';
import { BadOperand, C, D, type Element, Operands, S, Z } from './numbers.ts';

const STATUS = { success: 0, invalidPlan: 1, invalidType: 3, invalidValue: 4, execFailed: 6, invalidSize: 8, notSupported: 16 } as const;

/** cufftType: what goes in and out; one of them is real in transforms of real numbers. */
const KINDS: ReadonlyMap<number, { readonly input: Element; readonly output: Element }> = new Map([
  [0x2a, { input: S, output: C }],
  [0x2c, { input: C, output: S }],
  [0x29, { input: C, output: C }],
  [0x6a, { input: D, output: Z }],
  [0x6c, { input: Z, output: D }],
  [0x69, { input: Z, output: Z }],
]);

/** Where the elements of one side lie, as the advanced layout says. */
interface Side {
  readonly embed: readonly number[];
  readonly stride: number;
  readonly distance: number;
}
interface Plan {
  readonly type: number;
  readonly sizes: readonly number[];
  readonly batch: number;
  /** None: elements lie together, and real ones that are transformed in place have room for the complex ones. */
  readonly input?: Side;
  readonly output?: Side;
}

/** Of a plan: what is called for its elements, by cufftXtCallbackType. */
interface Callback {
  readonly routine: number;
  readonly info: number;
  readonly sharedBytes: number;
}
interface Callbacks {
  /** The host program's function that executes the plan with them. */
  hook: number;
  readonly byType: Map<number, Callback>;
}
const NO_CALLBACK: Callback = { routine: 0, info: 0, sharedBytes: 0 };
const CALLBACK_TYPES = 8;

class Transforms {
  readonly callbacks = new Map<number, Callbacks>();
  readonly plans = new Map<number, Plan | undefined>();
  readonly #operands: Operands;
  #next = 1;

  constructor(readonly context: CudaContext) {
    this.#operands = new Operands(context);
  }

  create(): number {
    this.plans.set(this.#next, undefined);
    return this.#next++;
  }

  make(id: number, plan: Plan): number {
    if (!this.plans.has(id)) return STATUS.invalidPlan;
    if (!KINDS.has(plan.type)) return STATUS.invalidType;
    if (plan.sizes.length === 0) return STATUS.invalidValue;
    if (plan.batch < 1 || plan.sizes.some((size) => size < 1)) return STATUS.invalidSize;
    this.plans.set(id, plan);
    return STATUS.success;
  }

  execute(id: number, type: number, [from, to]: readonly [number, number], direction: number): number {
    const plan = this.plans.get(id);
    if (plan?.type !== type) return STATUS.invalidPlan;
    if (this.context.isDead) return STATUS.execFailed;
    this.context.libraries.add('cuFFT');
    const { input, output } = KINDS.get(plan.type)!;
    const sign = input.complex && output.complex ? direction | 0 : input.complex ? 1 : -1;
    if (sign !== 1 && sign !== -1) return STATUS.invalidValue;
    const halved = plan.sizes.with(-1, Math.floor(plan.sizes.at(-1)! / 2) + 1);
    const inSizes = output.complex ? plan.sizes : halved;
    const outSizes = input.complex ? plan.sizes : halved;
    const count = plan.sizes.reduce((product, size) => product * size, 1);
    const inSide = plan.input ?? together(input.complex || from !== to ? inSizes : halved.with(-1, 2 * halved.at(-1)!));
    const outSide = plan.output ?? together(output.complex || from !== to ? outSizes : halved.with(-1, 2 * halved.at(-1)!));
    try {
      for (let k = 0; k < plan.batch; k++) {
        const [re, im] = [new Float64Array(count), new Float64Array(count)];
        this.#read(input, from + k * inSide.distance * input.bytes, inSide, inSizes, plan.sizes, { re, im });
        if (!output.complex) completeHermitian(plan.sizes, re, im);
        transformAll(plan.sizes, re, im, sign);
        this.#write(output, to + k * outSide.distance * output.bytes, outSide, outSizes, plan.sizes, { re, im });
      }
    } catch (error) {
      if (!(error instanceof BadOperand)) throw error;
      return STATUS.execFailed;
    }
    return STATUS.success;
  }

  #read(element: Element, address: number, side: Side, part: readonly number[], sizes: readonly number[], values: Values): void {
    const last = part.at(-1)!;
    rows(part, sizes, side, (from, at) => {
      const row = this.#operands.read(element, {
        address: address + from * element.bytes,
        rows: last,
        columns: 1,
        stride: last,
        step: side.stride,
      });
      values.re.set(row.re, at);
      if (row.im) values.im.set(row.im, at);
    });
  }

  #write(element: Element, address: number, side: Side, part: readonly number[], sizes: readonly number[], { re, im }: Values): void {
    const last = part.at(-1)!;
    rows(part, sizes, side, (to, at) => {
      const layout = { address: address + to * element.bytes, rows: last, columns: 1, stride: last, step: side.stride };
      const row = { rows: last, columns: 1, re: re.subarray(at, at + last), im: element.complex ? im.subarray(at, at + last) : undefined };
      this.#operands.write(element, layout, row);
    });
  }
}

interface Values {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

function together(sizes: readonly number[]): Side {
  return { embed: sizes, stride: 1, distance: sizes.reduce((product, size) => product * size, 1) };
}

/** Calls `visit` for every row of `part`, with its first element's offset in memory and its place in an array of `sizes`. */
function rows(part: readonly number[], sizes: readonly number[], side: Side, visit: (from: number, at: number) => void): void {
  const outer = part.slice(0, -1);
  const count = outer.reduce((product, size) => product * size, 1);
  for (let row = 0; row < count; row++) {
    let [rest, from, at, memoryStep, step] = [row, 0, 0, side.embed.at(-1)!, sizes.at(-1)!];
    for (let dimension = outer.length - 1; dimension >= 0; dimension--) {
      const index = rest % outer[dimension];
      rest = Math.floor(rest / outer[dimension]);
      from += index * memoryStep;
      at += index * step;
      memoryStep *= side.embed[dimension];
      step *= sizes[dimension];
    }
    visit(from * side.stride, at);
  }
}

/** The half that a transform of real numbers leaves out is the other one's conjugate, mirrored in all dimensions. */
function completeHermitian(sizes: readonly number[], re: Float64Array, im: Float64Array): void {
  const last = sizes.at(-1)!;
  const outer = sizes.slice(0, -1);
  for (let row = 0; row < re.length / last; row++) {
    let [rest, mirrored, step] = [row, 0, 1];
    for (let dimension = outer.length - 1; dimension >= 0; dimension--) {
      const index = rest % outer[dimension];
      rest = Math.floor(rest / outer[dimension]);
      mirrored += ((outer[dimension] - index) % outer[dimension]) * step;
      step *= outer[dimension];
    }
    for (let k = Math.floor(last / 2) + 1; k < last; k++) {
      re[row * last + k] = re[mirrored * last + last - k];
      im[row * last + k] = -im[mirrored * last + last - k];
    }
  }
}

function planCalls(transforms: Transforms): Functions {
  const { host } = transforms.context;
  const created = (out: number, plan: Plan): number => {
    const id = transforms.create();
    const status = transforms.make(id, plan);
    if (status === STATUS.success) host.setU32(out, id);
    else transforms.plans.delete(id);
    return status;
  };
  const sized = (out: number, status: number): number => {
    if (status === STATUS.success && out !== 0) host.setU64(out, 0);
    return status;
  };
  const integers = (address: number, rank: number, bytes: 4 | 8): number[] =>
    Array.from({ length: rank }, (_, k) => (bytes === 8 ? host.u64(address + 8 * k) : host.u32(address + 4 * k)));
  const many = (bytes: 4 | 8, args: readonly number[]): Plan => {
    const [rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch] = args;
    // `make` refuses a plan without sizes.
    if (rank < 1 || rank > 3) return { type, sizes: [], batch };
    const sizes = integers(n, rank, bytes);
    const side = (embed: number, stride: number, distance: number): Side | undefined =>
      embed === 0 ? undefined : { embed: integers(embed, rank, bytes), stride, distance };
    const [input, output] = [side(inembed, istride, idist), side(onembed, ostride, odist)];
    // One layout without the other is that of elements that lie together.
    return { type, sizes, batch, ...(input && output ? { input, output } : {}) };
  };
  return {
    cufftPlan1d: (out, n, type, batch) => created(out, { type, sizes: [n], batch }),
    cufftPlan2d: (out, nx, ny, type) => created(out, { type, sizes: [nx, ny], batch: 1 }),
    cufftPlan3d: (out, nx, ny, nz, type) => created(out, { type, sizes: [nx, ny, nz], batch: 1 }),
    cufftPlanMany: (out, ...args) => created(out, many(4, args)),
    cufftCreate: (out) => {
      host.setU32(out, transforms.create());
      return STATUS.success;
    },
    cufftMakePlan1d: (id, n, type, batch, size) => sized(size, transforms.make(id, { type, sizes: [n], batch })),
    cufftMakePlan2d: (id, nx, ny, type, size) => sized(size, transforms.make(id, { type, sizes: [nx, ny], batch: 1 })),
    cufftMakePlan3d: (id, nx, ny, nz, type, size) => sized(size, transforms.make(id, { type, sizes: [nx, ny, nz], batch: 1 })),
    cufftMakePlanMany: (id, ...args) => sized(args[10], transforms.make(id, many(4, args))),
    cufftMakePlanMany64: (id, ...args) => sized(args[10], transforms.make(id, many(8, args))),
    cufftGetSize: (id, out) => sized(out, transforms.plans.get(id) ? STATUS.success : STATUS.invalidPlan),
    cufftDestroy: (id) => {
      transforms.callbacks.delete(id);
      return transforms.plans.delete(id) ? STATUS.success : STATUS.invalidPlan;
    },
    ...Object.fromEntries(
      ['cufftSetStream', 'cufftSetWorkArea', 'cufftSetAutoAllocation'].map((name) => [
        name,
        (id: number) => (transforms.plans.has(id) ? STATUS.success : STATUS.invalidPlan),
      ]),
    ),
  };
}

function callbackCalls({ plans, callbacks, context: { host } }: Transforms): Functions {
  const change = (id: number, type: number, by: (before: Callback) => Callback, hook: number): number => {
    if (!plans.get(id)) return STATUS.invalidPlan;
    if (type >= CALLBACK_TYPES) return STATUS.invalidValue;
    const own = callbacks.get(id) ?? { hook: 0, byType: new Map<number, Callback>() };
    callbacks.set(id, own);
    own.byType.set(type, by(own.byType.get(type) ?? NO_CALLBACK));
    own.hook ||= hook;
    return STATUS.success;
  };
  return {
    __lanewise_cufft_hook: (id, out) => {
      const own = callbacks.get(id);
      const used = own && [...own.byType.values()].some(({ routine }) => routine !== 0);
      host.setU64(out, used ? own.hook : 0);
      return STATUS.success;
    },
    __lanewise_cufft_set_callback: (id, type, routine, info, hook) => change(id, type, (before) => ({ ...before, routine, info }), hook),
    __lanewise_cufft_set_shared: (id, type, sharedBytes) => change(id, type, (before) => ({ ...before, sharedBytes }), 0),
    __lanewise_cufft_callback: (id, type, out) => {
      const { routine, info, sharedBytes } = callbacks.get(id)?.byType.get(type) ?? NO_CALLBACK;
      [routine, info, sharedBytes].forEach((value, k) => {
        host.setU64(out + 8 * k, value);
      });
      return STATUS.success;
    },
    __lanewise_cufft_counts: (id, inPlace, out) => {
      const plan = plans.get(id);
      if (!plan) return STATUS.invalidPlan;
      const { input, output } = KINDS.get(plan.type)!;
      if (plan.input || plan.output || (inPlace !== 0 && input.complex !== output.complex)) return STATUS.notSupported;
      const whole = plan.sizes.reduce((product, size) => product * size, plan.batch);
      const half = (whole / plan.sizes.at(-1)!) * (Math.floor(plan.sizes.at(-1)! / 2) + 1);
      host.setU64(out, output.complex ? whole : half);
      host.setU64(out + 8, input.complex ? whole : half);
      return STATUS.success;
    },
  };
}

export function cufftFunctions(context: CudaContext): Functions {
  const transforms = new Transforms(context);
  return {
    ...planCalls(transforms),
    ...callbackCalls(transforms),
    __lanewise_cufft_execute: (id, type, from, to, direction) => transforms.execute(id, type, [from, to], direction),
  };
}
