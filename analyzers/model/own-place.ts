/** What of a value comes from the thread's own place, next to what data adds to it: `tid % 32` in `start[row] + tid % 32`. */
import { type Context, sampleOf } from './context.ts';
import type { Form } from './form.ts';
import { allEqual, laneOf, perLane } from './rows.ts';

/** Whether neighbouring threads go to places of their own, wherever data puts them together. */
export function hasOwnPlace(c: Context, form: Form): boolean {
  return termsOfThread(form).some((term) => !allEqual(sampleOf(c, 0, 0).value(term)));
}

/** How far the places of a warp's lanes are apart at most; 0 where they have none of their own. */
export function spanOfPlaces(c: Context, form: Form): number {
  let span = 0;
  for (const term of termsOfThread(form, { scaled: false })) {
    const value = sampleOf(c, 0, 0).value(term);
    const lanes = perLane((lane) => laneOf(value, lane));
    span += Math.max(...lanes) - Math.min(...lanes);
  }
  return span;
}

interface Options {
  /** Terms with a factor, too. */
  readonly scaled: boolean;
}

/** Terms of a sum that hang on the thread's index and on no data. */
function termsOfThread(form: Form, options: Options = { scaled: true }, found: Form[] = []): readonly Form[] {
  if (!form.lane) return found;
  if (!form.data && !form.unknown) found.push(form);
  else if (form.f === 'loop' && !form.after) termsOfThread(form.loop.init[form.index], options, found);
  else if (form.f === 'op') {
    const [a, b] = form.args;
    if (form.op === '+' || form.op === '-' || form.args.length === 1) for (const x of form.args) termsOfThread(x, options, found);
    else if (form.op === '*' && options.scaled && !(a.lane && b.lane)) termsOfThread(a.lane ? a : b, options, found);
  }
  return found;
}
