/** What of a value comes from the thread's own place, next to what data adds to it: `tid % 32` in `start[row] + tid % 32`. */
import { blockSampleOf, type Context, sampleOf } from './context.ts';
import { stepOf } from './evaluate.ts';
import { constant, type Form, type LoopForm, type LoopShape, linearParts, op, same, variesInLoop } from './form.ts';
import { sectorsOf } from './patterns.ts';
import { allEqual, laneOf, perLane } from './rows.ts';

/** Whether neighbouring threads go to places of their own, wherever data puts them together. */
export function hasOwnPlace(c: Context, form: Form): boolean {
  return termsOfThread(form).some((term) => !allEqual(sampleOf(c, 0, 0).value(term)));
}

/** The same of threads of a block: `[threadIdx.x / 32]` is one for each warp. */
export function hasPlaceInBlock(c: Context, form: Form): boolean {
  const sample = blockSampleOf(c, 0);
  return termsOfThread(form).some((term) => {
    const values = sample.value(term);
    return typeof values !== 'number' && values.some((value) => value !== values[0]);
  });
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

/**
 * Whether neighbouring lanes stay side by side wherever data sends them: `start[row] + lane`. Where each has only what data says, or
 * places of its own that are far apart, they do not.
 */
export function staysTogether(c: Context, offset: Form, bytes: number): boolean {
  const own = sampleOf(c, 0, 0).value(withoutData(offset));
  if (allEqual(own)) return false;
  const { sectors, ideal } = sectorsOf({ offsets: own, bytes, active: c.existing[0] });
  return sectors <= ideal + 1;
}

/** What is left of a sum when data adds nothing to it. */
function withoutData(form: Form): Form {
  if (!form.data) return form.unknown ? NOTHING : form;
  if (form.f === 'loop') return withoutDataIn(form);
  if (form.f !== 'op') return NOTHING;
  const [a, b] = form.args;
  if (form.args.length === 1) return form.op === '!' || form.op === '~' ? NOTHING : op(form.op, withoutData(a));
  if (form.op === 'select') return oneOf(withoutData(b), withoutData(form.args[2]));
  if (form.args.length > 2) return NOTHING;
  if (form.op === '+' || form.op === '-') return op(form.op, withoutData(a), withoutData(b));
  return form.op === '*' && !(a.data && b.data) ? op('*', withoutData(a), withoutData(b)) : NOTHING;
}

/** What two sides have in common, but for a constant. */
function oneOf(x: Form, y: Form): Form {
  const [a, b] = [linearParts(x), linearParts(y)];
  return a.scale === b.scale && same(a.base, b.base) ? y : NOTHING;
}

/** Lanes that began side by side still are where the loop moves all of them alike, or each by a constant when data says so. */
function withoutDataIn({ loop, index, after }: LoopForm): Form {
  const next = loop.next[index];
  const step = after ? undefined : next && stepOf(next, loop, index);
  const isNear = step ? !step.lane : loop.creeping?.has(index) === true && !after;
  return isNear ? withoutData(loop.init[index]) : NOTHING;
}

const NOTHING = constant(0);

/** Loaded values, of its own in each lane, from which loops around go on: `start[row]` of `for (k = start[row]; …)` and of `start[row] + k`. */
export function loadedStarts(offset: Form): readonly number[] {
  const terms = termsOf(offset);
  const starts = terms.filter((term) => isLoadedByLane(term));
  const found = starts.filter(({ loopDepth }) => terms.some((term) => term.loopDepth > loopDepth));
  for (const term of terms) {
    if (term.f !== 'loop' || term.after) continue;
    const step = term.loop.next[term.index];
    if (step && stepOf(step, term.loop, term.index)?.lane === false && !isSearch(term.loop))
      found.push(...termsOf(term.loop.init[term.index]).filter(isLoadedByLane));
  }
  return found.flatMap((term) => (term.f === 'any' ? [term.id] : []));
}

/** Ends where an element says so that the loop itself has come to. */
function isSearch(loop: LoopShape): boolean {
  return loop.condition !== undefined && asksForElement(loop.condition, loop);
}

function asksForElement(form: Form, loop: LoopShape, seen = new Set<Form>()): boolean {
  if (!form.data || seen.has(form)) return false;
  seen.add(form);
  if (form.f === 'any') return form.address !== undefined && variesInLoop(form.address, loop);
  return form.f === 'op' && form.args.some((a) => asksForElement(a, loop, seen));
}

/** Of a sum, without constant factors. */
function termsOf(form: Form): readonly Form[] {
  if (form.f !== 'op') return [form];
  const [a, b] = form.args;
  if (form.op === '+' || form.op === '-') return form.args.flatMap(termsOf);
  if (form.op === '*' && (a.f === 'const' || b.f === 'const')) return termsOf(a.f === 'const' ? b : a);
  return [form];
}

function isLoadedByLane(form: Form): boolean {
  return form.f === 'any' && form.lane && form.address?.lane === true;
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
