/** Interprets the host code of a file: every function that no other calls, with its callees inlined, so that launches get their values. */
import type { FunctionDef } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { bindTemplates, typeOfRef } from './definitions.ts';
import { declare } from './frames.ts';
import { newMachine } from './interpreter.ts';
import type { Machine } from './machine.ts';
import { execute } from './machine.ts';
import { opaque } from './made-values.ts';
import type { FunctionEntry, Table } from './table.ts';
import { NO_BINDINGS } from './types.ts';
import { type Frame, number, type RawFacts } from './values.ts';

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

/** Whether an item's text mentions a launch, a CUDA call or one of these names: others need not be interpreted. */
export function concernsCuda(item: Item, names: { has(name: string): boolean }): boolean {
  return item.launches || item.names.some((name) => /^(cuda|MPI_|omp_)[A-Z_a-z]/.test(name) || names.has(name));
}

/** `argc`: the number of the program's arguments, its name among them, where that is to be assumed. */
export function runHost(table: Table, entry: FunctionEntry, follow: (item: Item) => boolean, argc?: number): HostRun {
  const machine: Machine = newMachine({ table, mode: 'host' });
  machine.follow = follow;
  const { def, item } = entry;
  const frame: Frame = { name: def.name, item, def, bindings: NO_BINDINGS, scopes: [new Map()], returns: [], pathBase: 0 };
  machine.frames.push(frame);
  machine.uses.add(item);
  if (def.templates.length > 0) (frame as { bindings: Frame['bindings'] }).bindings = bindTemplates(machine, def.templates, undefined);
  for (const [index, p] of def.params.entries()) {
    if (!p.name) continue;
    const type = typeOfRef(machine, p.type);
    const isCount = argc !== undefined && index === 0;
    const value = isCount ? number(argc, type) : opaque(type, { name: p.name, uniform: true, data: false, known: true });
    declare(machine, p.name, { e: 'cell', cell: { value, type, name: p.name } });
  }
  if (def.body) execute(machine, def.body);
  return { entry, facts: machine.facts, uses: machine.uses, names: machine.names };
}
