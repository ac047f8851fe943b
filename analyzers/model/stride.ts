/** The factors of threadIdx and blockIdx.x in forms that are linear in them, and how they read in the source's own names. */
import type { Shape } from './evaluate.ts';
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

const LANE = ([0, 1] as const).map(
  (axis): Variable => ({
    isIn: ({ lane }) => lane,
    factor: (form) => (form.f === 'thread' ? constant(form.axis === axis ? 1 : 0) : undefined),
    known: (memos) => memos.laneFactors,
  }),
);

const BLOCK: Variable = {
  isIn: ({ block }) => block,
  factor: (form) => (form.f === 'symbol' && form.role === 'blockIdx' ? constant(form.axis === 0 ? 1 : 0) : undefined),
  known: (memos) => memos.blockFactors,
};

/** Undefined where the form is not linear in the thread's x index, or, in blocks one thread wide, its y index. `block`: the one that the memos are of. */
export function laneCoefficient(memos: Memos, form: Form, [width]: Shape['block']): Form | undefined {
  return coefficient(memos, form, LANE[width === 1 ? 1 : 0]);
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

/** A distance, whichever way it goes: `n × 4`, `(n - 1) × 4`; undefined where a part has no name. */
export function formText(form: Form): string | undefined {
  return form.depth > LEGIBLE_DEPTH ? undefined : termOf(form)?.text;
}

interface Term {
  readonly sign: 1 | -1;
  readonly text: string;
  readonly isNumber: boolean;
  /** Of a product. */
  readonly factors?: readonly string[];
}

function termOf(form: Form): Term | undefined {
  switch (form.f) {
    case 'const':
      return { sign: form.v < 0 ? -1 : 1, text: String(Math.abs(form.v)), isNumber: true };
    case 'symbol':
      return form.role === 'loaded' || form.role === 'unknown' ? undefined : { sign: 1, text: form.name, isNumber: false };
    case 'op':
      if (form.args.length !== 2) return undefined;
      return form.op === '*' ? product(termOf(form.args[0]), termOf(form.args[1])) : sum(termsOf(form));
    default:
      return undefined;
  }
}

const STARTS_AS_NUMBER = /^\d/;

function product(a: Term | undefined, b: Term | undefined): Term | undefined {
  if (!a || !b) return undefined;
  const isNumber = a.isNumber && b.isNumber;
  // In one order, however the source has it: two sources of one distance are then said alike.
  const factors = [a, b]
    .flatMap(({ text, factors = [text] }) => factors)
    .filter((text) => text !== '1')
    .sort((x, y) => Number(STARTS_AS_NUMBER.test(x)) - Number(STARTS_AS_NUMBER.test(y)) || (x < y ? -1 : x > y ? 1 : 0));
  return { sign: a.sign === b.sign ? 1 : -1, text: factors.join(' × ') || '1', isNumber, factors };
}

function termsOf(form: Form): readonly (Term | undefined)[] {
  if (form.f !== 'op' || !/^[+-]$/.test(form.op) || form.args.length !== 2) return [termOf(form)];
  const [first, second] = form.args.map(termsOf);
  return [...first, ...(form.op === '-' ? second.map((term) => term && opposite(term)) : second)];
}

function opposite(term: Term): Term {
  return { ...term, sign: term.sign === 1 ? -1 : 1 };
}

/** What has a name comes first, and without a sign; numbers are added up. */
function sum(terms: readonly (Term | undefined)[]): Term | undefined {
  const all = terms.filter((term) => term !== undefined);
  if (all.length < terms.length) return undefined;
  const isPlain = ({ isNumber, text }: Term) => isNumber && /^[\d.]+$/.test(text);
  const number = all.filter(isPlain).reduce((total, { sign, text }) => total + sign * Number(text), 0);
  const named = all.filter((term) => !isPlain(term)).toSorted((a, b) => Number(a.isNumber) - Number(b.isNumber));
  const known = number === 0 ? named : [...named, { sign: number < 0 ? -1 : 1, text: String(Math.abs(number)), isNumber: true } as const];
  if (known.length < 2) return known[0];
  const [{ sign, text: first }, ...others] = known;
  const text = others.map((term) => `${term.sign === sign ? '+' : '-'} ${term.text}`).join(' ');
  return { sign, text: `(${first} ${text})`, isNumber: false };
}
