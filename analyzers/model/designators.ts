/** What an expression designates: a variable, a place in memory, or a value alone. */
import type { Expr, ExprOf } from '../syntax/ast.ts';
import { decay, load, noteHostDereference } from './accesses.ts';
import { ofUnknownSize } from './arithmetic.ts';
import { assign } from './assignments.ts';
import { convert } from './conversions.ts';
import { typeOfRef } from './definitions.ts';
import { anything, constant, type Form, op } from './form.ts';
import { findLocal } from './frames.ts';
import { evaluate, evaluateDiscarded, lvalue, type Machine } from './machine.ts';
import { unknownOf } from './made-values.ts';
import { designated, fieldAt, none } from './names.ts';
import { sizeOf, UNKNOWN } from './types.ts';
import { formOf, type LValue, type MemoryObject, num, unknownValue, type Value } from './values.ts';

/** The thing an expression designates. */
export function designate(m: Machine, e: Expr): LValue {
  switch (e.k) {
    case 'name':
      return designated(m, e, findLocal(m, e.name));
    case 'index':
      return indexed(m, e);
    case 'member':
      return member(m, e);
    case 'unary':
      if (e.op === '*') {
        const pointer = evaluate(m, e.a);
        noteHostDereference(m, pointer, e.a, e);
        return dereference(pointer, constant(0));
      }
      if (e.op === '++' || e.op === '--') {
        evaluate(m, e);
        return lvalue(m, e.a);
      }
      return none(evaluate(m, e));
    case 'cast': {
      const inner = lvalue(m, e.a);
      const type = typeOfRef(m, e.type);
      return inner.l === 'mem' && e.type.reference ? { ...inner, type } : none(convert(m, load(m, inner, e.a), type));
    }
    case 'assign':
      assign(m, e);
      return lvalue(m, e.a);
    case 'binary':
      if (e.op === ',') {
        evaluateDiscarded(m, e.a);
        return lvalue(m, e.b);
      }
      return none(evaluate(m, e));
    default:
      return none(evaluate(m, e));
  }
}

function dereference(value: Value, extra: Form, index?: Value): LValue {
  if (value.v === 'ref') return value.lv;
  if (value.v === 'ptr') {
    const type = value.to;
    return { l: 'mem', object: value.object, offset: op('+', value.offset, extra), type, index };
  }
  return none(value.v === 'struct' ? value : unknownValue(value.v === 'num' && value.type.t === 'pointer' ? value.type.to : UNKNOWN));
}

function indexed(m: Machine, e: ExprOf<'index'>): LValue {
  const base = decay(m, lvalue(m, e.a), e.a);
  const index = evaluate(m, e.i);
  if (base.v === 'list') {
    const i = formOf(index);
    return none(i.f === 'const' ? (base.items[i.v] ?? unknownValue()) : unknownValue());
  }
  if (base.v !== 'ptr') return none(base.v === 'num' && base.type.t === 'pointer' ? unknownOf(base.type.to) : unknownValue());
  const form = formOf(index);
  if (form.f !== 'const' && m.trial === 0 && m.mode === 'device') noteDynamicIndex(m, base.object, form);
  noteHostDereference(m, base, e.a, e);
  const size = sizeOf(base.to);
  const bytes = size === undefined ? ofUnknownSize(form) : op('*', form, constant(size));
  return dereference(base, bytes, index);
}

function noteDynamicIndex(m: Machine, object: MemoryObject, index: Form): void {
  const known = m.facts.dynamic.get(object.id);
  if (known) known.push(index);
  else m.facts.dynamic.set(object.id, [index]);
}

function member(m: Machine, e: ExprOf<'member'>): LValue {
  const pointer = e.arrow ? evaluate(m, e.a) : undefined;
  if (pointer) noteHostDereference(m, pointer, e.a, e);
  const base: LValue = pointer ? dereference(pointer, constant(0)) : lvalue(m, e.a);
  if (base.l === 'mem')
    return (
      fieldAt(base, e.name) ?? {
        ...base,
        offset: base.type.t === 'unknown' ? anything({ data: false, unknown: true }) : base.offset,
        type: UNKNOWN,
        index: undefined,
        field: undefined,
      }
    );
  const value = base.l === 'cell' ? base.cell.value : base.value;
  if (value.v === 'struct') {
    const cell = value.fields.get(e.name);
    if (cell) return { l: 'cell', cell };
  }
  if (value.v === 'ref') return member(m, { ...e, arrow: true });
  if (value.v === 'num' && value.form.data) return none(num(value.form, UNKNOWN));
  return none(unknownValue());
}
