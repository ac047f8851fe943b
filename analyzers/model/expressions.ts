/** Evaluates expressions: values out, accesses and branches noted on the way. */
import type { Expr, ExprOf } from '../syntax/ast.ts';
import { load, store } from './accesses.ts';
import { binaryExpr, evaluateCondition, step, unary } from './arithmetic.ts';
import { assign } from './assignments.ts';
import { newBranch, onSide } from './branch-records.ts';
import { asVolatile, construct, convert, pointingTo, select } from './conversions.ts';
import { resolverOf, typeOfRef } from './definitions.ts';
import { capturedScopes, findLocal, frameOf } from './frames.ts';
import { allocatedOnHost } from './launches.ts';
import { call, evaluate, launch, lvalue, type Machine } from './machine.ts';
import { opaque } from './made-values.ts';
import { nameValue } from './names.ts';
import { momentOf } from './recorder.ts';
import { mayStep } from './trial.ts';
import { BOOL, CHAR, DOUBLE, FLOAT, INT, pointerTo, resolveType, SIZE_T, scalarType, sizeOf, type Type, UNSIGNED } from './types.ts';
import { formOf, number, typeOf, unknownValue, type Value } from './values.ts';

export function evaluateExpression(m: Machine, e: Expr): Value {
  if (!mayStep(m)) return unknownValue();
  // What most expressions are stands first.
  switch (e.k) {
    case 'name':
      return nameValue(m, e);
    case 'number':
      return literal(m, e);
    case 'call':
      return call(m, e);
    case 'binary':
      return binaryExpr(m, e);
    case 'bool':
      return number(Number(e.value), BOOL);
    case 'null':
      return number(0, pointerTo({ t: 'void', name: 'void' }));
    case 'string':
      return { v: 'text', text: e.text };
    case 'this':
      return thisOf(frameOf(m).self);
    case 'index':
    case 'member':
      return load(m, lvalue(m, e), e);
    case 'unary':
      return unary(m, e);
    case 'postfix': {
      const target = lvalue(m, e.a);
      const before = load(m, target, e.a, true);
      m.cost++;
      store(m, target, step(before, e.op === '++' ? 1 : -1), e.a, true);
      return before;
    }
    case 'assign':
      return assign(m, e);
    case 'cond':
      return conditional(m, e);
    case 'launch':
      return launch(m, e);
    case 'cast': {
      const type = typeOfRef(m, e.type);
      const value = pointingTo(convert(m, evaluate(m, e.a), type), type);
      return e.type.quals.includes('volatile') ? asVolatile(value) : value;
    }
    case 'construct':
      return construct(m, typeOfRef(m, e.type), e.args, e);
    case 'list':
      return { v: 'list', items: e.items.map((item) => evaluate(m, item)) };
    case 'sizeof':
      return sizeOfExpr(m, e);
    case 'new':
      return created(m, e);
    case 'lambda':
      return {
        v: 'lambda',
        params: e.params.map((p) => ({ name: p.name, reference: p.type.reference })),
        body: e.body,
        item: frameOf(m).item,
        scopes: capturedScopes(m),
      };
    case 'unknown':
      return unknownValue();
  }
}

function thisOf(self: Value | undefined): Value {
  if (!self) return unknownValue();
  return self.v === 'ref' ? self : { v: 'ref', lv: { l: 'none', value: self } };
}

function literal(m: Machine, e: ExprOf<'number'>): Value {
  if (!e.float) {
    const unsigned = e.suffix.includes('u') || e.value > 2147483647;
    const long = e.suffix.includes('l') || e.value > 4294967295;
    return number(
      e.value,
      e.suffix === 'char' ? CHAR : long ? scalarType(unsigned ? 'unsigned long long' : 'long long')! : unsigned ? UNSIGNED : INT,
    );
  }
  const type = e.suffix === 'f' ? FLOAT : DOUBLE;
  if (m.mode === 'device' && m.trial === 0 && type === DOUBLE) noteLiteral(m, e);
  return number(e.value, type);
}

function noteLiteral(m: Machine, e: ExprOf<'number'>): void {
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, e);
  const { value, expanded = false } = e;
  m.facts.literals.push({ place, order, path, loops, functionName, callSite, epoch, value, promotesFloat: false, expanded });
}

function sizeOfExpr(m: Machine, e: ExprOf<'sizeof'>): Value {
  let type: Type | undefined;
  if (e.a && (e.a.k !== 'name' || findLocal(m, e.a.name) || m.table.variables.has(e.a.name))) type = lvalueType(m, e.a);
  else if (e.type) type = typeOfRef(m, e.type);
  const size = type && sizeOf(type);
  return size === undefined ? unknownValue(SIZE_T) : number(size, SIZE_T);
}

/** Type without evaluation's effects. */
function lvalueType(m: Machine, e: Expr): Type {
  m.trial++;
  const lv = lvalue(m, e);
  m.trial--;
  return lv.l === 'cell' ? lv.cell.type : lv.l === 'mem' ? lv.type : typeOf(lv.value);
}

function conditional(m: Machine, e: ExprOf<'cond'>): Value {
  const c = evaluateCondition(m, e.c);
  const form = formOf(c);
  if (form.f === 'const') return evaluate(m, form.v !== 0 ? e.a : e.b);
  const branch = newBranch(m, 'conditional', e, c, e.c);
  const costs = { at: m.cost, weight: m.weight };
  const a = onSide(m, branch, 'then', () => evaluate(m, e.a));
  branch.thenCost = m.cost - costs.at;
  branch.thenHeavy = m.weight > costs.weight;
  const [cost, weight] = [m.cost, m.weight];
  const b = onSide(m, branch, 'else', () => evaluate(m, e.b));
  branch.elseCost = m.cost - cost;
  branch.elseHeavy = m.weight > weight;
  return select(form, a, b);
}

/** What `new` gives: the C++ library's heap only if nobody says otherwise. */
function created(m: Machine, e: ExprOf<'new'>): Value {
  const type = typeOfRef(m, e.type);
  const placement = e.placement.map((part) => evaluate(m, part));
  const [first] = e.placement;
  const throwsNothing = first?.k === 'name' && first.name.endsWith('nothrow');
  if (placement.length > 0 && !throwsNothing) return convert(m, placement[0], pointerTo(type));
  if (m.mode === 'host' && !hasOwnNew(m, type)) return allocatedOnHost(m, 'new', type);
  return opaque(pointerTo(type), { name: 'new', uniform: false, data: false });
}

/** Whether an `operator new` of the program may give the memory: its class's, a base's, or one for everything. */
function hasOwnNew(m: Machine, type: Type): boolean {
  m.names.add('operator new');
  if (m.table.functions.has('operator new') || type.t === 'unknown') return true;
  if (type.t === 'array') return hasOwnNew(m, type.of);
  if (type.t !== 'struct' || !type.def) return false;
  const { methods, bases } = type.def;
  if (methods.some(({ name }) => /^operator\s*new\b/.test(name))) return true;
  return bases.some((base) => hasOwnNew(m, resolveType(base, resolverOf(m, type.bindings))));
}
