/** The factor of threadIdx.x in a form that is linear in it, and how it reads in the source's own names. */
import { constant, type Form, op } from './form.ts';

const COEFFICIENTS = new WeakMap<Form, Form | null>();

/** Undefined where the form is not linear in the thread's x index. */
export function laneCoefficient(form: Form): Form | undefined {
  if (!form.lane) return constant(0);
  let known = COEFFICIENTS.get(form);
  if (known === undefined) {
    known = coefficientOf(form) ?? null;
    COEFFICIENTS.set(form, known);
  }
  return known ?? undefined;
}

function coefficientOf(form: Form): Form | undefined {
  switch (form.f) {
    case 'thread':
      return constant(form.axis === 0 ? 1 : 0);
    case 'loop': {
      // Linear loops: the start decides how lanes differ.
      const { init, next } = form.loop;
      const step = next[form.index];
      return form.after || step === undefined ? undefined : laneCoefficient(init[form.index]);
    }
    case 'op':
      return ofOperation(form.op, form.args);
    default:
      return undefined;
  }
}

function ofOperation(name: string, args: readonly Form[]): Form | undefined {
  const [a, b] = args;
  if (name === 'u32' || name === 'float') return laneCoefficient(a);
  if (b === undefined) return undefined;
  const [x, y] = [laneCoefficient(a), laneCoefficient(b)];
  if (name === '+' || name === '-') return x && y && op(name, x, y);
  if (name === '*') return a.lane && b.lane ? undefined : a.lane ? x && op('*', x, b) : y && op('*', y, a);
  if (name === '<<' && !b.lane && b.f === 'const') return x && op('*', x, constant(2 ** b.v));
  return undefined;
}

const LEGIBLE_DEPTH = 6;

/** `stride * 4`, `n * 4`; undefined where a part has no name. */
export function formText(form: Form): string | undefined {
  if (form.depth > LEGIBLE_DEPTH) return undefined;
  switch (form.f) {
    case 'const':
      return String(form.v);
    case 'symbol':
      return form.role === 'loaded' || form.role === 'unknown' ? undefined : form.name;
    case 'op': {
      if (form.args.length !== 2 || !['+', '-', '*'].includes(form.op)) return undefined;
      const [a, b] = form.args.map(formText);
      return a === undefined || b === undefined ? undefined : form.op === '*' ? `${a} × ${b}` : `(${a} ${form.op} ${b})`;
    }
    default:
      return undefined;
  }
}
