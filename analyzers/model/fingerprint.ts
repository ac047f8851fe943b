/** Numbers by which forms that are the same are found among many, without comparing each with each. */
import type { Form } from './form.ts';

/** Equal for forms that are the same (`same` of form.ts); of others hardly ever. */
export function fingerprint(form: Form, known: Map<Form, number>): number {
  if (form.f === 'const') return form.v | 0;
  let number = known.get(form);
  if (number === undefined) {
    number = mixed(form, known);
    known.set(form, number);
  }
  return number;
}

function mixed(form: Form, known: Map<Form, number>): number {
  switch (form.f) {
    case 'op': {
      let x = form.op.length * 31 + form.op.charCodeAt(0);
      if (form.args.length <= 2) for (const a of form.args) x = Math.imul(x ^ fingerprint(a, known), 0x45d9f3b) ^ (x >>> 13);
      return x;
    }
    case 'loop':
      return Math.imul(form.loop.id, 0x2545f491) + form.index;
    case 'thread':
      return form.axis;
    default:
      return form.f === 'const' ? form.v | 0 : Math.imul(form.id, 0x9e3779b1 | 0);
  }
}
