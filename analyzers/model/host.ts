/** Interprets the host code of a file: every function that no other calls, with its callees inlined, so that launches get their values. */
import type { FunctionDef } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { bindTemplates, declare, type Machine, newMachine, opaque, typeOfRef } from './machine.ts';
import { execute } from './statements.ts';
import type { FunctionEntry, Table } from './table.ts';
import { NO_BINDINGS } from './types.ts';
import type { Frame, RawFacts } from './values.ts';

export interface HostRun {
  readonly entry: FunctionEntry;
  readonly facts: RawFacts;
  readonly uses: ReadonlySet<Item>;
  readonly names: ReadonlySet<string>;
}

export function isDeviceOnly(def: FunctionDef): boolean {
  const { quals } = def;
  return quals.includes('__global__') || (quals.includes('__device__') && !quals.includes('__host__'));
}

/** What decides whether an item is interpreted as host code. */
export interface Mentions {
  /** A launch, a CUDA call, a macro that holds one: others need not be interpreted. */
  readonly cuda: boolean;
  readonly names: ReadonlySet<string>;
}

/** Looks an item's text through for the names that count: see `namesThatCount`. */
export function mentionsIn({ tokens }: Item, counting: ReadonlyMap<string, boolean>): Mentions {
  const names = new Set<string>();
  let cuda = false;
  for (const { kind, text } of tokens) {
    if (kind !== 'name') cuda ||= text === '<<<';
    else {
      const isCuda = counting.get(text);
      if (isCuda !== undefined) names.add(text);
      cuda ||= isCuda ?? isCudaName(text);
    }
  }
  return { cuda, names };
}

const CUDA_NAME = /^(cuda|MPI_|omp_)[A-Z_a-z]/;

/** Most names are others already by their first letter. */
function isCudaName(name: string): boolean {
  const first = name[0];
  return (first === 'c' || first === 'M' || first === 'o') && CUDA_NAME.test(name);
}

/** Names of functions, and of macros that hold a launch or a CUDA call: these are true. */
export function namesThatCount({ functions, macros }: Table): Map<string, boolean> {
  const names = new Map<string, boolean>();
  for (const name of functions.keys()) names.set(name, isCudaName(name));
  for (const [name, { body }] of macros) if (body.some((t) => t.text === '<<<' || /^cuda[A-Z]/.test(t.text))) names.set(name, true);
  return names;
}

export function runHost(table: Table, entry: FunctionEntry, follow: (item: Item) => boolean): HostRun {
  const machine: Machine = newMachine(table, 'host');
  machine.follow = follow;
  const { def, item } = entry;
  const frame: Frame = { name: def.name, item, def, bindings: NO_BINDINGS, scopes: [new Map()], returns: [], pathBase: 0 };
  machine.frames.push(frame);
  machine.uses.add(item);
  if (def.templates.length > 0) (frame as { bindings: Frame['bindings'] }).bindings = bindTemplates(machine, def.templates, undefined);
  for (const p of def.params) {
    if (!p.name) continue;
    const type = typeOfRef(machine, p.type);
    declare(machine, p.name, {
      e: 'cell',
      cell: { value: opaque(type, { name: p.name, uniform: true, data: false, known: true }), type, name: p.name },
    });
  }
  if (def.body) execute(machine, def.body);
  return { entry, facts: machine.facts, uses: machine.uses, names: machine.names };
}
