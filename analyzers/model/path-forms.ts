/** Conditions of the way to a place, as forms. */
import { type Form, op } from './form.ts';
import type { PathStep } from './values.ts';

/** What holds on a side of a branch. One object for all that ask, so that its values are computed once. */
export function sideForm({ branch, side }: PathStep): Form {
  const { form } = branch.condition;
  if (side === 'then' && branch.kind !== 'switch') return form;
  branch.otherSide ??= op(branch.kind === 'switch' ? 'opaque' : '!', form);
  return branch.otherSide;
}
