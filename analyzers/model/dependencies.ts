/** What an interpretation looked at: as long as that stays, so does what it found. */
import type { Item } from '../syntax/items.ts';
import { headOf } from './identifiers.ts';
import type { Build, Dependencies } from './model-cache.ts';

export function dependenciesOf(b: Build, uses: ReadonlySet<Item>, names: ReadonlySet<string>, mode: 'host' | 'device'): Dependencies {
  const meanings = [...names].map((name) => [name, meaning(b, name, mode)] as const);
  // Host code depends on a kernel's head alone, which the meaning of its name covers.
  const items = mode === 'device' ? [...uses] : [...uses].filter((item) => !isKernelItem(item));
  return { macros: b.table.macros, usesGroups: b.table.usesGroups, typeNames: b.table.typeNames, items, names: meanings };
}

function isKernelItem({ tokens }: Item): boolean {
  for (const { text } of tokens) {
    if (text === '{') return false;
    if (text === '__global__') return true;
  }
  return false;
}

export function isValid(b: Build, d: Dependencies, mode: 'host' | 'device'): boolean {
  if (d.macros !== b.table.macros || d.usesGroups !== b.table.usesGroups || d.typeNames !== b.table.typeNames) return false;
  if (!d.items.every((item) => b.live.has(item))) return false;
  return d.names.every(([name, before]) => {
    const now = meaning(b, name, mode);
    return now.length === before.length && now.every((x, i) => x === before[i]);
  });
}

/** For most names, which stand for nothing that the file defines. */
const NO_MEANING: readonly Item[] = [];

function meaning(b: Build, name: string, mode: 'host' | 'device'): readonly (Item | string)[] {
  const { table } = b;
  const functions = table.functions
    .get(name)
    ?.map(({ def, item }) => (mode === 'host' && def.quals.includes('__global__') ? headOf(b, item) : item));
  let out: readonly (Item | string)[] = functions ?? NO_MEANING;
  for (const map of [table.aggregates, table.aliases, table.variables, table.constants]) {
    const found = map.get(name);
    if (found) out = [...out, found.item];
  }
  return out;
}
