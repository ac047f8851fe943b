/** The factors of threadIdx.x and blockIdx.x in forms that are linear in them, and how they read in the source's own names. */
import { constant, type Form, op } from './form.ts';
import type { Memos } from './memo.ts';

/** What a form may be linear in. */
interface Variable {
  readonly isIn: (form: Form) => boolean;
  /** For a form that is a variable itself. */
  readonly factor: (form: Form) => Form | undefined;
  /** Null where a form is not linear. */
  readonly known: (memos: Memos) => Memos['laneFactors'];
}

const LANE: Variable = {
  isIn: ({ lane }) => lane,
  factor: (form) => (form.f === 'thread' ? constant(form.axis === 0 ? 1 : 0) : undefined),
  known: (memos) => memos.laneFactors,
};

const BLOCK: Variable = {
  isIn: ({ block }) => block,
  factor: (form) => (form.f === 'symbol' && form.role === 'blockIdx' ? constant(form.axis === 0 ? 1 : 0) : undefined),
  known: (memos) => memos.blockFactors,
};

/** Undefined where the form is not linear in the thread's x index. */
export function laneCoefficient(memos: Memos, form: Form): Form | undefined {
  return coefficient(memos, form, LANE);
}

/** Undefined where the form is not linear in the block's x index. */
export function blockCoefficient(memos: Memos, form: Form): Form | undefined {
  return coefficient(memos, form, BLOCK);
}

function coefficient(memos: Memos, form: Form, variable: Variable): Form | undefined {
  if (!variable.isIn(form)) return constant(0);
  let known = variable.known(memos).get(form);
  if (known === undefined) {
    known = coefficientOf(memos, form, variable) ?? null;
    variable.known(memos).set(form, known);
  }
  return known ?? undefined;
}

function coefficientOf(memos: Memos, form: Form, variable: Variable): Form | undefined {
  switch (form.f) {
    case 'thread':
    case 'symbol':
      return variable.factor(form);
    case 'loop': {
      // Linear loops: the start decides how lanes differ.
      const { init, next } = form.loop;
      const step = next[form.index];
      return form.after || step === undefined ? undefined : coefficient(memos, init[form.index], variable);
    }
    case 'op':
      return ofOperation(memos, form.op, form.args, variable);
    default:
      return undefined;
  }
}

function ofOperation(memos: Memos, name: string, args: readonly Form[], variable: Variable): Form | undefined {
  const [a, b] = args;
  if (name === 'u32' || name === 'float') return coefficient(memos, a, variable);
  if (b === undefined) return undefined;
  const [x, y] = [coefficient(memos, a, variable), coefficient(memos, b, variable)];
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
