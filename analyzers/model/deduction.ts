/** Deduces template arguments from a call's. */
import type { FunctionDef } from '../syntax/ast.ts';
import { bindArgument } from './definitions.ts';
import type { Machine } from './machine.ts';
import type { Bindings, Type } from './types.ts';
import { type LValue, typeOf } from './values.ts';

/** Template arguments from the call's arguments: `T` from `T x`, `T* x` and `const T& x`, functions from function names. */
export function deduce(m: Machine, def: FunctionDef, args: readonly (LValue | undefined)[], given: Bindings): Bindings {
  if (def.templates.length === 0) return given;
  const out = new Map(given);
  def.params.forEach((p, i) => {
    const arg = args[i];
    const parameter = def.templates.find((t) => t.name === p.type.name && t.kind === 'type');
    if (!parameter || out.has(parameter.name) || !arg) return;
    const value = arg.l === 'none' ? arg.value : arg.l === 'cell' ? arg.cell.value : undefined;
    let type: Type | undefined = arg.l === 'mem' ? arg.type : arg.l === 'cell' ? arg.cell.type : value && typeOf(value);
    for (let k = 0; k < p.type.pointers; k++) type = type?.t === 'pointer' ? type.to : type?.t === 'array' ? type.of : undefined;
    if (type && type.t !== 'unknown') out.set(parameter.name, { type });
  });
  for (const t of def.templates) {
    if (out.has(t.name) || !t.init) continue;
    const binding = bindArgument(m, t.kind, t.init);
    if (binding) out.set(t.name, binding);
  }
  return out;
}
