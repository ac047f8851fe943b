/**
 * Grids that end before the data does: `i < n` guards each thread, n is known, and there are n / threads blocks, rounded down. A loop over
 * the grid, or an index that adds something else, is left out.
 */
import type { Form } from './form.ts';
import type { VariantSpec } from './kernel.ts';
import type { RawBranch, RawFacts } from './values.ts';

export interface Missed {
  readonly guard: RawBranch;
  readonly threads: number;
  readonly elements: number;
}

export function missedBy({ block, blockKnown, grid }: VariantSpec, { branches, loops, incomplete }: RawFacts): Missed | undefined {
  const [blocks, ...others] = grid;
  if (!blockKnown || incomplete || blocks === undefined || block[1] * block[2] !== 1 || others.some((extent) => extent !== 1))
    return undefined;
  if (loops.length > 0 && loops.some(({ shape }) => shape.init.some((form) => form.block))) return undefined;
  const threads = blocks * block[0];
  for (const guard of branches) {
    const elements = guard.kind === 'if' && guard.path.length === 0 ? limitOf(guard.condition.form, block[0]) : undefined;
    // Rounded down, and something is left.
    if (elements !== undefined && elements > threads && Math.floor(elements / block[0]) === blocks) return { guard, threads, elements };
  }
  return undefined;
}

/** n of `i < n`, `i >= n`, where i is the thread's number in the grid. */
function limitOf(condition: Form, width: number): number | undefined {
  if (condition.f !== 'op' || (condition.op !== '<' && condition.op !== '>=')) return undefined;
  const [index, limit] = condition.args;
  return limit.f === 'const' && isGlobalIndex(index, width) ? limit.v : undefined;
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
