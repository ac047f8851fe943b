import { type Form, op } from './form.ts';
import { Memo } from './memo.ts';
import type { PathStep } from './values.ts';

const DERIVED = { opaque: new Memo<Form, Form>(), '!': new Memo<Form, Form>() };

/** One object for all that ask, so that its values are computed once. */
function derived(form: Form, name: keyof typeof DERIVED): Form {
  const known = DERIVED[name].get(form) ?? op(name, form);
  DERIVED[name].set(form, known);
  return known;
}

export function sideForm(step: PathStep): Form {
  const { branch } = step;
  const form = branch.condition.form;
  if (branch.kind === 'switch') return derived(form, 'opaque');
  return step.side === 'then' ? form : negated(form);
}

export function negated(form: Form): Form {
  return derived(form, '!');
}
