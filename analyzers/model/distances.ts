/** How far apart two accesses are, where that is the same in all lanes, whatever symbols and loop counters are. */
import { LANES, laneOf } from './evaluate.ts';
import type { Form } from './form.ts';
import { type Context, sampleOf } from './splits.ts';
import type { RawLoop } from './values.ts';

interface Offset {
  readonly offset: Form;
  readonly loops: readonly RawLoop[];
}

/** Bytes from what `a` touches to what `b` does. */
export function distance(c: Context, a: Offset, b: Pick<Offset, 'offset'>): number | undefined {
  return always(c, a.loops, [a.offset, b.offset], ([from, to]) => to - from);
}

/** Bytes from the last multiple of `bytes` to what `a` touches. */
export function misalignment(c: Context, a: Offset, bytes: number): number | undefined {
  return always(c, a.loops, [a.offset], ([at]) => ((at % bytes) + bytes) % bytes);
}

function always(
  c: Context,
  loops: readonly RawLoop[],
  forms: readonly Form[],
  of: (values: readonly number[]) => number,
): number | undefined {
  if (forms.some((form) => form.unknown || form.data)) return undefined;
  const later = new Map(loops.map((loop) => [loop.shape, 1]));
  let found: number | undefined;
  for (const sample of [sampleOf(c, 0, 0), sampleOf(c, 0, 1), sampleOf(c, 0, 1, later)]) {
    const values = forms.map((form) => sample.value(form));
    for (let lane = 0; lane < LANES; lane++) {
      const value = of(values.map((v) => laneOf(v, lane)));
      found ??= value;
      if (value !== found || Number.isNaN(value)) return undefined;
    }
  }
  return found;
}
