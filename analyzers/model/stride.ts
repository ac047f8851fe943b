/** The factors of threadIdx.x and blockIdx.x in forms that are linear in them, and how they read in the source's own names. */
import { constant, type Form, op } from './form.ts';
import { Memo } from './memo.ts';

/** What a form may be linear in. */
interface Variable {
  readonly isIn: (form: Form) => boolean;
  /** Of a form that is a variable itself. */
  readonly factor: (form: Form) => Form | undefined;
  /** Null where a form is not linear. */
  readonly known: Memo<Form, Form | null>;
}

const LANE: Variable = {
  isIn: ({ lane }) => lane,
  factor: (form) => (form.f === 'thread' ? constant(form.axis === 0 ? 1 : 0) : undefined),
  known: new Memo(),
};

const BLOCK: Variable = {
  isIn: ({ block }) => block,
  factor: (form) => (form.f === 'symbol' && form.role === 'blockIdx' ? constant(form.axis === 0 ? 1 : 0) : undefined),
  known: new Memo(),
};

/** Undefined where the form is not linear in the thread's x index. */
export function laneCoefficient(form: Form): Form | undefined {
  return coefficient(form, LANE);
}

/** Undefined where the form is not linear in the block's x index. */
export function blockCoefficient(form: Form): Form | undefined {
  return coefficient(form, BLOCK);
}

function coefficient(form: Form, variable: Variable): Form | undefined {
  if (!variable.isIn(form)) return constant(0);
  let known = variable.known.get(form);
  if (known === undefined) {
    known = coefficientOf(form, variable) ?? null;
    variable.known.set(form, known);
  }
  return known ?? undefined;
}

function coefficientOf(form: Form, variable: Variable): Form | undefined {
  switch (form.f) {
    case 'thread':
    case 'symbol':
      return variable.factor(form);
    case 'loop': {
      // Linear loops: the start decides how lanes differ.
      const { init, next } = form.loop;
      const step = next[form.index];
      return form.after || step === undefined ? undefined : coefficient(init[form.index], variable);
    }
    case 'op':
      return ofOperation(form.op, form.args, variable);
    default:
      return undefined;
  }
}

function ofOperation(name: string, args: readonly Form[], variable: Variable): Form | undefined {
  const [a, b] = args;
  if (name === 'u32' || name === 'float') return coefficient(a, variable);
  if (b === undefined) return undefined;
  const [x, y] = [coefficient(a, variable), coefficient(b, variable)];
  const [inA, inB] = [variable.isIn(a), variable.isIn(b)];
  if (name === '+' || name === '-') return x && y && op(name, x, y);
  if (name === '*') return inA && inB ? undefined : inA ? x && op('*', x, b) : y && op('*', y, a);
  if (name === '<<' && !inB && b.f === 'const') return x && op('*', x, constant(2 ** b.v));
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
