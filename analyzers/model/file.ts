/**
 * The model of one file. Interpretations are kept between versions and made again only when something they looked at changed: the items
 * they went through, or what a name they asked for means.
 */

import type { DeviceProfile } from '../../devices/profile.ts';
import type { Include } from '../syntax/headers.ts';
import type { Item } from '../syntax/items.ts';
import { type Macro, type Macros, parseDefine } from '../syntax/preprocess.ts';
import type { Place, Source } from '../syntax/source.ts';
import { withFittingBlock } from './assumed-shape.ts';
import { constantOf } from './definitions.ts';
import { dependenciesOf, isValid } from './dependencies.ts';
import type { KernelFacts, LaunchFacts, VariantFacts } from './facts.ts';
import type { FileFacts, HostFunctionFacts } from './file-facts.ts';
import { finisherOf } from './finish/make-finisher.ts';
import { childLaunchFacts, Variant } from './finish/variant.ts';
import { isDeviceOnly } from './host.ts';
import { hostFunctionFacts, type LaunchEntry, launchesOf } from './host-facts.ts';
import { identifiersOf, isUnfinished } from './identifiers.ts';
import { interpretHosts, launchesWithoutArguments } from './interpret-hosts.ts';
import { newMachine } from './interpreter.ts';
import { type KernelRun, runKernel, withDeclarationsOnly } from './kernel.ts';
import { type Assembled, type Build, type CachedHost, type CachedKernel, itemText, type ModelCache, position } from './model-cache.ts';
import { buildTable, type FunctionEntry, type Table } from './table.ts';
import { MAX_VARIANTS, type VariantGroup, type VariantGroups, variantGroups } from './variants.ts';

export interface FileModel {
  /** Whether a place is in the file itself rather than in a header. */
  owns(place: Place): boolean;
  readonly facts: FileFacts;
  readonly table: Table;
  /** Kernel definitions with what interpreted them, for hovers. */
  readonly runs: ReadonlyMap<VariantFacts, KernelRun>;
  /** Launches where nobody gives the program arguments. */
  launchesWithoutArguments(): readonly LaunchEntry[];
}

export interface ModelOptions {
  /** For example 12.8. */
  readonly cudaVersion: number;
  readonly device: DeviceProfile;
  /** Where the file lies, and what finds the headers beside it. */
  readonly path?: string;
  readonly include?: Include;
  /** Path of a header that is looked at like the file itself: its kernels as the file launches them. */
  readonly lookedAt?: string;
}

export function buildModel(source: Source, cache: ModelCache, options: ModelOptions): FileModel {
  cache.source = source;
  const { path, include, device } = options;
  const table = buildTable(source.items, { cache: cache.table, path, include, predefined: predefined(options), before: cache.last });
  cache.last = table;
  cache.own = new Set(source.items);
  const lookedAt = table.headers.find((header) => header.path === options.lookedAt);
  const own = new Set([...source.items, ...(lookedAt?.source.items ?? [])]);
  const live = new Map<Item, number>();
  for (const item of table.items) live.set(item, live.size);
  const b: Build = {
    source,
    cache,
    table,
    own,
    live,
    ...functionsOf(table, own, ({ item, def }) => position(live, { item, start: def.start })),
    textOf: (p) => itemText(cache, p.item).slice(p.start, p.end),
    concerns: new Map(),
  };
  const hosts = interpretHosts(b);
  const launches = hosts.flatMap((h) => h.launches);
  const runs = new Map<VariantFacts, KernelRun>();
  const kernels: KernelFacts[] = [];
  const deviceLaunches: LaunchEntry[] = [];
  const byKernel = new Map<string, LaunchEntry[]>();
  for (const l of launches) byKernel.set(l.facts.kernelName, [...(byKernel.get(l.facts.kernelName) ?? []), l]);
  for (const entry of b.kernels) {
    const own = byKernel.get(entry.def.name) ?? [];
    // A header's kernels are what other files launch, too: here they matter for the launches of this file alone.
    if (b.own.has(entry.item) || own.length > 0) kernels.push(kernelFacts(b, entry, own, deviceLaunches, runs));
  }
  const all = [...dedupe(b, launches), ...dedupe(b, deviceLaunches)];
  const byName = new Map([...kernels].reverse().map((k) => [k.name, k]));
  for (const l of all) {
    const kernel = byName.get(l.facts.kernelName);
    if (kernel) (l.facts as { kernel?: KernelFacts }).kernel = kernel;
  }
  const facts: FileFacts = {
    text: source.text,
    kernels,
    launches: all.map((l) => l.facts).sort((x, y) => position(live, x.place) - position(live, y.place)),
    hostFunctions: hostFunctionsOf(b, hosts, launches),
    device,
    cudaVersion: options.cudaVersion,
    isJudged: ({ item }) => (lookedAt ? lookedAt.source.items.includes(item) : b.own.has(item)),
    identifiers: (names) => source.items.flatMap((item) => identifiersOf(b, item, names)),
  };
  return { owns: (place) => b.own.has(place.item), facts, table, runs, launchesWithoutArguments: () => launchesWithoutArguments(b) };
}

const ARCHITECTURE = new Map<string, Macros>();

/** What the compiler says of device and version; the same object for the same values. */
function predefined({ cudaVersion, device }: ModelOptions): Macros {
  const [major, minor] = device.computeCapability;
  const version = Math.round(cudaVersion * 10);
  const defines = [
    `__CUDA_ARCH__ ${major * 100 + minor * 10}`,
    `CUDART_VERSION ${version * 100}`,
    `__CUDACC_VER_MAJOR__ ${Math.floor(version / 10)}`,
    `__CUDACC_VER_MINOR__ ${version % 10}`,
    // Of the header that nvcc includes first: NVIDIA's helpers ask whether it was there.
    '__DRIVER_TYPES_H__',
  ];
  const key = defines.join();
  let macros = ARCHITECTURE.get(key);
  if (!macros) {
    macros = new Map(defines.map((define): [string, Macro] => [define.split(' ')[0], parseDefine(`#define ${define}`)!]));
    ARCHITECTURE.set(key, macros);
  }
  return macros;
}

function hostFunctionsOf(b: Build, hosts: readonly CachedHost[], launches: readonly LaunchEntry[]): readonly HostFunctionFacts[] {
  const entries = b.hosts;
  const items = entries.map((e) => e.item);
  const known = b.cache.hostFunctions;
  if (known && sameList(known.hosts, hosts) && sameList(known.items, items)) return known.facts;
  const runs = hosts.map((h) => h.run);
  const distinct = dedupe(b, launches);
  const facts = hostFunctionFacts(entries, runs, distinct, b.textOf);
  b.cache.hostFunctions = { hosts, items, facts };
  return facts;
}

/** Functions with bodies, in the compiler's order: those of the file that run on the host, methods too, and all kernels. */
function functionsOf(table: Table, own: ReadonlySet<Item>, position: (entry: FunctionEntry) => number): Pick<Build, 'hosts' | 'kernels'> {
  const hosts: FunctionEntry[] = [];
  const kernels: FunctionEntry[] = [];
  for (const list of table.functions.values()) {
    for (const entry of list) {
      if (!entry.def.body) continue;
      if (entry.def.quals.includes('__global__')) kernels.push(entry);
      else if (own.has(entry.item) && !isDeviceOnly(entry.def)) hosts.push(entry);
    }
  }
  for (const { def, item } of table.aggregates.values()) {
    if (!own.has(item)) continue;
    for (const method of def.methods) if (method.body && !isDeviceOnly(method)) hosts.push({ def: method, item });
  }
  const inOrder = (x: FunctionEntry, y: FunctionEntry) => position(x) - position(y);
  return { hosts: hosts.sort(inOrder), kernels: kernels.sort(inOrder) };
}

/** One per place and instantiation; values on which several runs disagree become unknown. */
function dedupe(b: Build, launches: readonly LaunchEntry[]): LaunchEntry[] {
  const byKey = new Map<string, LaunchEntry>();
  for (const l of launches) {
    const key = `${position(b.live, l.facts.place)}:${l.facts.kernelName}<${l.facts.templateArgs.join()}>`;
    const known = byKey.get(key);
    if (!known) byKey.set(key, l);
    else {
      const agree = <T>(a: T | undefined, c: T | undefined) => (a === c ? a : undefined);
      const dims = (a: LaunchFacts['grid'], c: LaunchFacts['grid']) => ({ x: agree(a.x, c.x), y: agree(a.y, c.y), z: agree(a.z, c.z) });
      byKey.set(key, {
        raw: known.raw,
        values: known.values.map((v, i) => agree(v, l.values[i])),
        allocated: known.allocated.map((bytes, i) => agree(bytes, l.allocated[i])),
        facts: {
          ...known.facts,
          grid: dims(known.facts.grid, l.facts.grid),
          block: dims(known.facts.block, l.facts.block),
          sharedBytes: agree(known.facts.sharedBytes, l.facts.sharedBytes),
          checked: known.facts.checked && l.facts.checked,
        },
      });
    }
  }
  return [...byKey.values()];
}

function kernelFacts(
  b: Build,
  entry: FunctionEntry,
  launches: readonly LaunchEntry[],
  deviceLaunches: LaunchEntry[],
  runs: Map<VariantFacts, KernelRun>,
): KernelFacts {
  const { def, item } = entry;
  const own = launches.filter((l) => fits(entry, l));
  const slots = b.cache.assembled.get(item) ?? new Map<number, Assembled>();
  b.cache.assembled.set(item, slots);
  const known = slots.get(def.start);
  const assembled = known && stays(b, known, own) ? known : assembleAnew(b, entry, own, known);
  if (assembled !== known) slots.set(def.start, assembled);
  deviceLaunches.push(...assembled.children);
  for (const [i, variant] of assembled.kernel.variants.entries()) runs.set(variant, assembled.cached[i].run);
  return assembled.kernel;
}

function stays(b: Build, known: Assembled, own: readonly LaunchEntry[]): boolean {
  return sameLaunches(known, own) && known.cached.every((c) => isValid(b, c.dependencies, 'device'));
}

function sameLaunches(known: Assembled, own: readonly LaunchEntry[]): boolean {
  return known.launches.length === own.length && own.every((l, i) => l.facts === known.launches[i]);
}

function assembleAnew(b: Build, entry: FunctionEntry, own: readonly LaunchEntry[], known: Assembled | undefined): Assembled {
  const groups = variantGroups(entry, own);
  const cached = groups.chosen.map((group) => interpretVariant(b, entry, group));
  const same = known && sameLaunches(known, own) && sameList(known.cached, cached);
  return same ? known : assemble(b, entry, own, groups, cached);
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

function kernelHead(
  b: Build,
  entry: FunctionEntry,
  own: readonly LaunchEntry[],
  otherVariants: number,
): KernelFacts & { readonly variants: VariantFacts[] } {
  const { def, item } = entry;
  return {
    name: def.name,
    place: { item, start: def.start, end: def.end },
    namePlace: { item, start: def.nameStart, end: def.nameEnd },
    launches: dedupe(b, own).map((l) => l.facts),
    variants: [],
    otherVariants,
    maxThreadsPerBlock: def.launchBounds?.[0] && launchBound(b, entry),
  };
}

function assemble(
  b: Build,
  entry: FunctionEntry,
  own: readonly LaunchEntry[],
  { chosen, others }: VariantGroups,
  cached: readonly CachedKernel[],
): Assembled {
  const { def } = entry;
  const kernel = kernelHead(b, entry, own, others);
  const all: LaunchEntry[] = [];
  const instantiations = new Set(own.map((l) => l.facts.templateArgs.join())).size;
  chosen.forEach((group, i) => {
    const { finisher, run } = cached[i];
    // What follows an unfinished kernel is read as part of it, and is none.
    const children = isUnfinished(b, entry.item) ? [] : launchesOf(run.machine.facts, b.textOf, true);
    all.push(...children);
    const variant = new Variant(finisher, {
      kernel,
      label: group.targs.length > 0 && instantiations > 1 ? `${def.name}<${group.targs.join(', ')}>` : def.name,
      launches: dedupe(b, group.launches).map((l) => l.facts),
      cooperative: cooperation(group.launches),
      childLaunches: children.map(({ raw, facts }) => childLaunchFacts(finisher, raw.moment, facts)),
    });
    kernel.variants.push(variant);
  });
  return { kernel, cached, launches: own.map((l) => l.facts), children: all };
}

function cooperation(launches: readonly LaunchEntry[]): VariantFacts['cooperative'] {
  if (launches.length === 0) return 'unknown';
  const yes = launches.filter((l) => l.facts.cooperative).length;
  return yes === launches.length ? 'yes' : yes === 0 ? 'no' : 'unknown';
}

function fits(entry: FunctionEntry, l: LaunchEntry): boolean {
  return (
    l.raw.api !== 'triple-chevron' ||
    (l.raw.args.length <= entry.def.params.length && l.raw.args.length >= entry.def.params.filter((p) => !p.init).length)
  );
}

function launchBound(b: Build, entry: FunctionEntry): number | undefined {
  const m = newMachine({ table: b.table, mode: 'device' });
  m.frames.push({ name: '', item: entry.item, bindings: new Map(), scopes: [new Map()], returns: [], pathBase: 0 });
  return constantOf(m, entry.def.launchBounds![0]);
}

function interpretVariant(b: Build, entry: FunctionEntry, group: VariantGroup): CachedKernel {
  const slots = b.cache.kernels.get(entry.item) ?? new Map<string, CachedKernel>();
  b.cache.kernels.set(entry.item, slots);
  const { spec } = group;
  const key = `${entry.def.start}|${group.targs.join()}|${spec.block.join()}${spec.blockKnown}|${spec.axes.join()}|${spec.grid.join()}|${spec.gridOf}|${spec.args.join()}|${spec.allocated.join()}|${spec.share}`;
  const known = slots.get(key);
  if (known && isValid(b, known.dependencies, 'device')) return known;
  const run = runKernel(b.table, b.own.has(entry.item) ? entry : withDeclarationsOnly(entry, b.table), spec);
  const result: CachedKernel = {
    run,
    finisher: finisherOf(run, withFittingBlock(spec, entry, run), b.textOf),
    dependencies: dependenciesOf(b, run.machine.uses, run.machine.names, 'device'),
  };
  if (slots.size > 4 * MAX_VARIANTS) slots.clear();
  slots.set(key, result);
  return result;
}
