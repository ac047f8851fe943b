/**
 * Grids that end before the data does: `i < n` guards each thread, and there are n / threads blocks, rounded down. A loop over the grid, or
 * an index that adds something else, is left out.
 */
import { type Form, same } from './form.ts';
import type { VariantSpec } from './kernel.ts';
import { formOf, type RawBranch, type RawFacts, type RawLaunch } from './values.ts';

export interface Missed {
  readonly guard: RawBranch;
  /** Where both are known. */
  readonly counts?: { readonly threads: number; readonly elements: number };
}

/** For `kernel<<<n / 256, 256>>>(v, n)` which of the arguments is n. */
export function dividedArgument({ grid: [blocks], block: [width], args }: RawLaunch): number | undefined {
  if (blocks?.f !== 'op' || blocks.op !== '/' || width?.f !== 'const' || width.v < 2) return undefined;
  const [elements, by] = blocks.args;
  if (elements.f === 'const' || by.f !== 'const' || by.v !== width.v || isMultiple(elements, width.v)) return undefined;
  const found = args.findIndex(({ value }) => value.v === 'num' && same(formOf(value), elements));
  return found < 0 ? undefined : found;
}

/** `blocks * 256`, and powers of two, which are large mostly. */
function isMultiple(form: Form, width: number): boolean {
  if (form.f !== 'op') return false;
  if (form.op === '<<') return Number.isInteger(Math.log2(width));
  return form.op === '*' && form.args.some((factor) => (factor.f === 'const' && factor.v % width === 0) || isMultiple(factor, width));
}

/** `parameters`: names of the kernel's. */
export function missedBy(spec: VariantSpec, { branches, loops, incomplete }: RawFacts, parameters: readonly string[]): Missed | undefined {
  const { block, blockKnown, grid } = spec;
  if (!blockKnown || incomplete || block[1] * block[2] !== 1 || grid.slice(1).some((extent) => extent !== 1)) return undefined;
  if (loops.length > 0 && loops.some(({ shape }) => shape.init.some((form) => form.block))) return undefined;
  for (const guard of branches) {
    const limit = guard.kind === 'if' && guard.path.length === 0 ? limitOf(guard.condition.form, block[0]) : undefined;
    const found = limit && missedByLimit(limit, spec, parameters);
    if (found) return { guard, ...found };
  }
  return undefined;
}

function missedByLimit(
  limit: Form,
  { block, grid, gridOf }: VariantSpec,
  parameters: readonly string[],
): Pick<Missed, 'counts'> | undefined {
  if (limit.f === 'symbol') return gridOf !== undefined && limit.role === 'parameter' && limit.name === parameters[gridOf] ? {} : undefined;
  const [blocks] = grid;
  if (limit.f !== 'const' || blocks === undefined) return undefined;
  const threads = blocks * block[0];
  // Rounded down, and something is left.
  return limit.v > threads && Math.floor(limit.v / block[0]) === blocks ? { counts: { threads, elements: limit.v } } : undefined;
}

/** n of `i < n`, `i >= n`, where i is the thread's number in the grid. */
function limitOf(condition: Form, width: number): Form | undefined {
  if (condition.f !== 'op' || (condition.op !== '<' && condition.op !== '>=')) return undefined;
  const [index, limit] = condition.args;
  return isGlobalIndex(index, width) ? limit : undefined;
}

/** `blockIdx.x * blockDim.x + threadIdx.x`, in whichever order. */
function isGlobalIndex(form: Form, width: number): boolean {
  if (form.f !== 'op' || form.op !== '+') return false;
  const [a, b] = form.args;
  const isThread = (x: Form) => x.f === 'thread' && x.axis === 0;
  return (isThread(a) && isBlockStart(b, width)) || (isThread(b) && isBlockStart(a, width));
}

function isBlockStart(form: Form, width: number): boolean {
  if (form.f !== 'op' || form.op !== '*') return false;
  const isBlock = (x: Form) => x.f === 'symbol' && x.role === 'blockIdx' && x.axis === 0;
  const isWidth = (x: Form) => x.f === 'const' && x.v === width;
  const [a, b] = form.args;
  return (isBlock(a) && isWidth(b)) || (isBlock(b) && isWidth(a));
}
