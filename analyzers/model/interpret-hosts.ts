/** Interprets the host functions that have to do with CUDA. */
import type { Item } from '../syntax/items.ts';
import { dependenciesOf, isValid } from './dependencies.ts';
import { concernsCuda, isDeviceOnly, runHost } from './host.ts';
import { type LaunchEntry, launchesOf } from './host-facts.ts';
import type { Build, CachedHost } from './model-cache.ts';
import type { FunctionEntry } from './table.ts';

export function interpretHosts(b: Build): CachedHost[] {
  const entries = b.hosts;
  const concerned = entries.filter((e) => concerns(b, e.item));
  const names = new Set(concerned.map((e) => e.def.name));
  const called = new Set<string>();
  for (const e of concerned) for (const name of e.item.names) if (names.has(name) && name !== e.def.name) called.add(name);
  const out: CachedHost[] = [];
  const covered = new Set<Item>();
  const run = (entry: FunctionEntry) => {
    const result = interpretHost(b, entry);
    out.push(result);
    for (const item of result.run.uses) covered.add(item);
  };
  for (const entry of concerned) if (!called.has(entry.def.name) || entry.def.name === 'main') run(entry);
  // Functions in cycles, or called only in ways that were not followed.
  for (const entry of concerned) if (!covered.has(entry.item)) run(entry);
  return out;
}

/** Whether a function's text, or that of functions it mentions, has to do with CUDA. */
export function concerns(b: Build, item: Item): boolean {
  const known = b.concerns.get(item);
  if (known !== undefined) return known;
  const seen = new Set<Item>();
  const found = reaches(b, item, seen);
  // What leads nowhere leads nowhere from any of the functions on the way; what leads somewhere does so from the first alone.
  if (found) b.concerns.set(item, true);
  else for (const other of seen) b.concerns.set(other, false);
  return found;
}

function reaches(b: Build, item: Item, seen: Set<Item>): boolean {
  const known = b.concerns.get(item);
  if (known !== undefined) return known;
  if (seen.has(item)) return false;
  seen.add(item);
  if (concernsCuda(item, { has: (name) => b.table.macros.has(name) && macroConcernsCuda(b, name) })) return true;
  for (const name of item.names) {
    const entries = b.table.functions.get(name);
    if (entries?.some((e) => e.item !== item && !isDeviceOnly(e.def) && reaches(b, e.item, seen))) return true;
  }
  return false;
}

function macroConcernsCuda(b: Build, name: string): boolean {
  return b.table.macros.get(name)?.body.some((t) => t.text === '<<<' || /^cuda[A-Z]/.test(t.text)) === true;
}

/** Tokens of a host function up to which it is followed although nothing in it has to do with CUDA: it may compute a grid. */
const SMALL_HELPER = 80;

function isFollowed(b: Build): (item: Item) => boolean {
  return (item) => item.tokens.length < SMALL_HELPER || item.names.includes('dim3') || concerns(b, item);
}

/** Launches of a program that nobody gives arguments: of what it falls back to then, sizes are known. */
export function launchesWithoutArguments(b: Build): readonly LaunchEntry[] {
  const main = b.hosts.find(({ def }) => def.name === 'main' && def.params.length > 1);
  if (!main || !concerns(b, main.item)) return [];
  return launchesOf(runHost(b.table, main, isFollowed(b), 1).facts, b.textOf, false);
}

function interpretHost(b: Build, entry: FunctionEntry): CachedHost {
  const slots = b.cache.hosts.get(entry.item) ?? new Map<string, CachedHost>();
  b.cache.hosts.set(entry.item, slots);
  const key = `${entry.def.name}@${entry.def.start}`;
  const known = slots.get(key);
  if (known && isValid(b, known.dependencies, 'host')) return known;
  const run = runHost(b.table, entry, isFollowed(b));
  const result: CachedHost = {
    run,
    launches: launchesOf(run.facts, b.textOf, false),
    dependencies: dependenciesOf(b, run.uses, run.names, 'host'),
  };
  slots.set(key, result);
  return result;
}
