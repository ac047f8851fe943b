/** Interprets one kernel for one choice of template arguments, block shape and known arguments. */

import type { Stmt } from '../syntax/ast.ts';
import { bindTemplates, typeOfRef } from './definitions.ts';
import { settleExits } from './exits.ts';
import { constant, type Form, symbol, thread } from './form.ts';
import { declare } from './frames.ts';
import { builtinSymbol } from './groups.ts';
import { newMachine } from './interpreter.ts';
import type { Machine } from './machine.ts';
import { execute } from './machine.ts';
import { opaque, structOf } from './made-values.ts';
import type { FunctionEntry, Table } from './table.ts';
import { type Bindings, DIM3, type Type, UNSIGNED } from './types.ts';
import { type Frame, num, type Value } from './values.ts';

/** What launches say of a block of which they do not say all. */
export type KnownAxes = readonly [x?: number, y?: number, z?: number];

export interface VariantSpec {
  readonly bindings: Bindings;
  readonly block: readonly [number, number, number];
  /** Blocks of launches are constants in the kernel; assumed ones are not. */
  readonly blockKnown: boolean;
  /** Of a block that is not known: what is. */
  readonly axes: KnownAxes;
  readonly grid: readonly (number | undefined)[];
  /** The parameter whose value, divided by the width of a block and rounded down, is the number of blocks. */
  readonly gridOf?: number;
  /** Values of scalar parameters that all launches of the variant agree on. */
  readonly args: readonly (number | undefined)[];
  /** By parameter: bytes of the memory that all launches of the variant give it the start of. */
  readonly allocated: readonly (number | undefined)[];
  /** Part of a kernel's budget that this variant may use: 1 when it is the only one. */
  readonly share: number;
}

export interface KernelRun {
  readonly machine: Machine;
  readonly parameters: readonly { readonly name: string; readonly type: Type; readonly value?: number }[];
  readonly usesY: boolean;
}

export function runKernel(table: Table, entry: FunctionEntry, spec: VariantSpec): KernelRun {
  const run = interpret(table, entry, spec, { trusting: true });
  // One kernel in a hundred is misjudged.
  return run.machine.misjudged ? interpret(table, entry, spec, { trusting: false }) : run;
}

function interpret(table: Table, entry: FunctionEntry, spec: VariantSpec, { trusting }: Pick<Machine, 'trusting'>): KernelRun {
  const machine = newMachine({ table, mode: 'device', share: spec.share });
  machine.trusting = trusting;
  const { def, item } = entry;
  const frame: Frame = { name: def.name, item, def, bindings: spec.bindings, scopes: [new Map()], returns: [], pathBase: 0 };
  machine.frames.push(frame);
  machine.uses.add(item);
  if (def.templates.length > 0) {
    const defaults = bindTemplates(machine, def.templates, undefined);
    (frame as { bindings: Bindings }).bindings = new Map([...defaults, ...spec.bindings]);
  }
  const builtins = machine.builtins as Map<string, Value>;
  const axes = ['x', 'y', 'z'];
  const vector = (of: (axis: 0 | 1 | 2) => Form): Value => structOf(DIM3, (f) => num(of(axes.indexOf(f.name) as 0 | 1 | 2), UNSIGNED));
  const isKnown = (axis: 0 | 1 | 2) => spec.blockKnown || spec.axes[axis] !== undefined;
  builtins.set(
    'threadIdx',
    vector((axis) => (spec.block[axis] === 1 && isKnown(axis) ? constant(0) : thread(axis))),
  );
  builtins.set(
    'blockIdx',
    vector((axis) => (spec.grid[axis] === 1 ? constant(0) : builtinSymbol('blockIdx', axis))),
  );
  builtins.set(
    'blockDim',
    vector((axis) => (isKnown(axis) ? constant(spec.block[axis]) : builtinSymbol('blockDim', axis))),
  );
  builtins.set(
    'gridDim',
    vector((axis) => (spec.grid[axis] === undefined ? builtinSymbol('gridDim', axis) : constant(spec.grid[axis]!))),
  );
  const parameters = def.params.map((p, i) => parameter(machine, frame, p, spec.args[i]));
  if (def.body) execute(machine, def.body);
  settleExits(machine, 'function');
  return { machine, parameters, usesY: usesAxis(def, item, 'y') };
}

/**
 * The kernel with nothing in its body but what decides about its static shared memory: for launches of a kernel whose text is looked at
 * elsewhere. What functions that it calls declare is left out.
 */
export function withDeclarationsOnly(entry: FunctionEntry, { macros }: Table): FunctionEntry {
  const { def, item } = entry;
  const isShared = (t: { readonly text: string }) => t.text === '__shared__';
  const shares = item.tokens.some((t) => isShared(t) || macros.get(t.text)?.body.some(isShared));
  const body: Stmt[] = shares && def.body ? declarationsIn(def.body) : [];
  return { item, def: { ...def, body: { k: 'block', start: def.start, end: def.end, body } } };
}

function declarationsIn(s: Stmt): Stmt[] {
  switch (s.k) {
    case 'block':
      return s.body.flatMap(declarationsIn);
    case 'if':
      return [s.then, ...(s.else ? [s.else] : [])].flatMap(declarationsIn);
    case 'for':
    case 'range':
    case 'while':
    case 'do':
    case 'switch':
      return declarationsIn(s.body);
    case 'decl':
      return s.decls.some(({ type }) => /__shared__|const/.test(type.quals.join(' '))) ? [s] : [];
    case 'aggregate':
    case 'alias':
      return [s];
    default:
      return [];
  }
}

function parameter(
  m: Machine,
  frame: Frame,
  p: FunctionEntry['def']['params'][number],
  known: number | undefined,
): { name: string; type: Type; value?: number } {
  const written = typeOfRef(m, p.type);
  const type: Type = written.t === 'array' ? { t: 'pointer', name: `${written.of.name} *`, to: written.of, size: 8 } : written;
  const name = p.name ?? '';
  if (type.t === 'pointer') {
    const object = {
      id: `parameter:${name}`,
      name,
      space: 'global' as const,
      type: type.to,
      volatile: p.type.quals.includes('volatile'),
      restricted: p.type.quals.includes('__restrict__') || p.type.quals.includes('restrict'),
      dynamicShared: false,
      declaredAt: { item: frame.item, start: p.start, end: p.end },
    };
    m.facts.objects.set(object.id, object);
    declare(m, name, { e: 'cell', cell: { value: { v: 'ptr', object, offset: constant(0), to: type.to }, type, name } });
    return { name, type };
  }
  const scalar = type.t === 'int' || type.t === 'bool';
  const value: Value =
    scalar && known !== undefined
      ? num(constant(known), type)
      : scalar
        ? num(symbol(name, 'parameter', { positive: true }), type)
        : opaque(type, { name, uniform: true, data: false, known: true });
  declare(m, name, { e: 'cell', cell: { value, type, name } });
  return { name, type, value: scalar ? known : undefined };
}

/** Whether the kernel reads `threadIdx.y` or `blockDim.y`, and so expects blocks of two dimensions; or of three, for z. */
export function usesAxis(def: FunctionEntry['def'], item: FunctionEntry['item'], axis: 'y' | 'z'): boolean {
  const { tokens } = item;
  for (let i = 0; i + 2 < tokens.length; i++) {
    const { text, start } = tokens[i];
    if (start < def.start || start > def.end) continue;
    if ((text === 'threadIdx' || text === 'blockDim') && tokens[i + 1].text === '.' && tokens[i + 2].text === axis) return true;
  }
  return false;
}
