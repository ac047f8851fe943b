/**
 * The model of one file. Interpretations are kept between versions and made again only when something they looked at changed: the items
 * they went through, or what a name they asked for means.
 */
import type { DeviceProfile } from '../../devices/profile.ts';
import type { Include } from '../syntax/headers.ts';
import type { Item } from '../syntax/items.ts';
import { type Macro, type Macros, parseDefine } from '../syntax/preprocess.ts';
import type { Place, Source } from '../syntax/source.ts';
import type { Grammars } from '../syntax/tree/grammar.ts';
import type { FileFacts, HostFunctionFacts, IdentifierFacts, KernelFacts, LaunchFacts, VariantFacts } from './facts.ts';
import { type Finisher, finisherOf } from './finish/finisher.ts';
import { childLaunchFacts, Variant } from './finish/variant.ts';
import { concernsCuda, type HostRun, isDeviceOnly, runHost } from './host.ts';
import { hostFunctionFacts, type LaunchEntry, launchesOf } from './host-facts.ts';
import { type KernelRun, runKernel, withDeclarationsOnly } from './kernel.ts';
import { constantOf as machineConstant, newMachine } from './machine.ts';
import { forgetMemos } from './memo.ts';
import { buildTable, type FunctionEntry, newTableCache, type Table, type TableCache } from './table.ts';
import { MAX_VARIANTS, type VariantGroup, type VariantGroups, variantGroups } from './variants.ts';

export interface ModelCache {
  /** The latest; facts that are asked later read their text through it. */
  source: Source | undefined;
  /** Of the last version. */
  last: Table | undefined;
  /** Items of the file itself, in the last version. */
  own: ReadonlySet<Item>;
  readonly texts: WeakMap<Item, string>;
  /** Items of headers with the text that holds them. */
  readonly owners: WeakMap<Table, ReadonlyMap<Item, Source>>;
  readonly assembled: WeakMap<Item, Map<number, Assembled>>;
  hostFunctions:
    | { readonly hosts: readonly CachedHost[]; readonly items: readonly Item[]; readonly facts: readonly HostFunctionFacts[] }
    | undefined;
  readonly table: TableCache;
  readonly kernels: WeakMap<Item, Map<string, CachedKernel>>;
  readonly hosts: WeakMap<Item, Map<string, CachedHost>>;
  /** By the names that were asked for. */
  readonly identifiers: WeakMap<ReadonlySet<string>, WeakMap<Item, readonly IdentifierFacts[]>>;
  readonly heads: WeakMap<Item, string>;
}

/** `table` may be shared by files that include the same headers. */
export function newModelCache(grammars: Grammars, table = newTableCache(grammars)): ModelCache {
  return {
    source: undefined,
    last: undefined,
    own: new Set(),
    assembled: new WeakMap(),
    hostFunctions: undefined,
    texts: new WeakMap(),
    owners: new WeakMap(),
    table,
    kernels: new WeakMap(),
    hosts: new WeakMap(),
    identifiers: new WeakMap(),
    heads: new WeakMap(),
  };
}

interface Dependencies {
  readonly macros: object;
  readonly typeNames: string;
  readonly items: readonly Item[];
  /** What each name meant. */
  readonly names: readonly (readonly [string, readonly (Item | string)[]])[];
}

interface CachedKernel {
  readonly dependencies: Dependencies;
  readonly finisher: Finisher;
  readonly run: KernelRun;
}

interface CachedHost {
  readonly dependencies: Dependencies;
  readonly run: HostRun;
  readonly launches: readonly LaunchEntry[];
}

export interface FileModel {
  /** Whether a place is in the file itself rather than in a header. */
  owns(place: Place): boolean;
  readonly facts: FileFacts;
  readonly table: Table;
  /** Kernel definitions with what interpreted them, for hovers. */
  readonly runs: ReadonlyMap<VariantFacts, KernelRun>;
}

export interface ModelOptions {
  /** For example 12.8. */
  readonly cudaVersion: number;
  readonly device: DeviceProfile;
  /** Where the file lies, and what finds the headers beside it. */
  readonly path?: string;
  readonly include?: Include;
}

interface Build {
  readonly source: Source;
  readonly cache: ModelCache;
  readonly table: Table;
  readonly own: ReadonlySet<Item>;
  /** Of all items, those of headers too, with their order. */
  readonly live: ReadonlyMap<Item, number>;
  /** Functions of the file that run on the host. */
  readonly hosts: readonly FunctionEntry[];
  /** Those of headers too. */
  readonly kernels: readonly FunctionEntry[];
  readonly textOf: (place: Place) => string;
  /** Whether items that were asked about have to do with CUDA. */
  readonly concerns: Map<Item, boolean>;
}

export function buildModel(source: Source, cache: ModelCache, options: ModelOptions): FileModel {
  forgetMemos();
  cache.source = source;
  const { path, include, device } = options;
  const table = buildTable(source.items, { cache: cache.table, path, include, predefined: predefined(options), before: cache.last });
  cache.last = table;
  const own = new Set(source.items);
  cache.own = own;
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
    identifiers: (names) => source.items.flatMap((item) => identifiersOf(b, item, names)),
  };
  return { owns: (place) => b.own.has(place.item), facts, table, runs };
}

const ARCHITECTURE = new Map<string, Macros>();

/** What the compiler says of device and version; the same object for the same values. */
function predefined({ cudaVersion, device }: ModelOptions): Macros {
  const [major, minor] = device.computeCapability;
  const defines = [`__CUDA_ARCH__ ${major * 100 + minor * 10}`, `CUDART_VERSION ${Math.round(cudaVersion * 1000)}`];
  const key = defines.join();
  let macros = ARCHITECTURE.get(key);
  if (!macros) {
    macros = new Map(defines.map((define): [string, Macro] => [define.split(' ')[0], parseDefine(`#define ${define}`)!]));
    ARCHITECTURE.set(key, macros);
  }
  return macros;
}

/** Text of an item never changes, so it may be read whenever the item is in the file. */
function itemText(cache: ModelCache, item: Item): string {
  let text = cache.texts.get(item);
  if (text === undefined) {
    text = sourceOf(cache, item)?.text.slice(item.start, item.start + item.length) ?? '';
    cache.texts.set(item, text);
  }
  return text;
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

/** Longer than any item. */
const ITEM_LENGTH = 2 ** 32;

/** For comparing places in the order in which the compiler would come to them; no two places share one. */
function position(live: Build['live'], { item, start }: Pick<Place, 'item' | 'start'>): number {
  return (live.get(item) ?? -1) * ITEM_LENGTH + start;
}

/** The text that holds an item of the file or of a header. */
function sourceOf({ source, own, last, owners }: ModelCache, item: Item): Source | undefined {
  if (own.has(item) || !last) return source;
  let byItem = owners.get(last);
  if (!byItem) {
    byItem = new Map(last.headers.flatMap((header) => header.source.items.map((i) => [i, header.source])));
    owners.set(last, byItem);
  }
  return byItem.get(item) ?? source;
}

/** Functions with bodies, in the compiler's order: those of the file that run on the host, and all kernels. */
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

function interpretHosts(b: Build): CachedHost[] {
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
function concerns(b: Build, item: Item): boolean {
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

function interpretHost(b: Build, entry: FunctionEntry): CachedHost {
  const slots = b.cache.hosts.get(entry.item) ?? new Map<string, CachedHost>();
  b.cache.hosts.set(entry.item, slots);
  const key = `${entry.def.name}@${entry.def.start}`;
  const known = slots.get(key);
  if (known && isValid(b, known.dependencies, 'host')) return known;
  const run = runHost(b.table, entry, (item) => item.tokens.length < SMALL_HELPER || concerns(b, item));
  const result: CachedHost = {
    run,
    launches: launchesOf(run.facts, b.textOf, false),
    dependencies: dependenciesOf(b, run.uses, run.names, 'host'),
  };
  slots.set(key, result);
  return result;
}

/** Facts of a kernel, and what they were put together from: while that stays, so do they. */
interface Assembled {
  readonly kernel: KernelFacts;
  readonly cached: readonly CachedKernel[];
  readonly launches: readonly LaunchFacts[];
  readonly children: readonly LaunchEntry[];
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
    const children = launchesOf(run.machine.facts, b.textOf, true);
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
  const m = newMachine(b.table, 'device');
  m.frames.push({ name: '', item: entry.item, bindings: new Map(), scopes: [new Map()], returns: [], pathBase: 0 });
  return machineConstant(m, entry.def.launchBounds![0]);
}

function interpretVariant(b: Build, entry: FunctionEntry, group: VariantGroup): CachedKernel {
  const slots = b.cache.kernels.get(entry.item) ?? new Map<string, CachedKernel>();
  b.cache.kernels.set(entry.item, slots);
  const { spec } = group;
  const key = `${entry.def.start}|${group.targs.join()}|${spec.block.join()}${spec.blockKnown}|${spec.grid.join()}|${spec.args.join()}|${spec.share}`;
  const known = slots.get(key);
  if (known && isValid(b, known.dependencies, 'device')) return known;
  const run = runKernel(b.table, b.own.has(entry.item) ? entry : withDeclarationsOnly(entry, b.table), spec);
  const result: CachedKernel = {
    run,
    finisher: finisherOf(run, spec, b.textOf),
    dependencies: dependenciesOf(b, run.machine.uses, run.machine.names, 'device'),
  };
  if (slots.size > 4 * MAX_VARIANTS) slots.clear();
  slots.set(key, result);
  return result;
}

function dependenciesOf(b: Build, uses: ReadonlySet<Item>, names: ReadonlySet<string>, mode: 'host' | 'device'): Dependencies {
  const meanings = [...names].map((name) => [name, meaning(b, name, mode)] as const);
  // Host code depends on a kernel's head alone, which the meaning of its name covers.
  const items = mode === 'device' ? [...uses] : [...uses].filter((item) => !isKernelItem(item));
  return { macros: b.table.macros, typeNames: b.table.typeNames, items, names: meanings };
}

function isKernelItem({ tokens }: Item): boolean {
  for (const { text } of tokens) {
    if (text === '{') return false;
    if (text === '__global__') return true;
  }
  return false;
}

/** Text before the body. */
function headOf(b: Build, item: Item): string {
  let head = b.cache.heads.get(item);
  if (head === undefined) {
    const end = item.tokens.findIndex((t) => t.text === '{');
    head = item.tokens
      .slice(0, end < 0 ? undefined : end)
      .map((t) => t.text)
      .join(' ');
    b.cache.heads.set(item, head);
  }
  return head;
}

function isValid(b: Build, d: Dependencies, mode: 'host' | 'device'): boolean {
  if (d.macros !== b.table.macros || d.typeNames !== b.table.typeNames) return false;
  if (!d.items.every((item) => b.live.has(item))) return false;
  return d.names.every(([name, before]) => {
    const now = meaning(b, name, mode);
    return now.length === before.length && now.every((x, i) => x === before[i]);
  });
}

/** Of most names, which stand for nothing that the file defines. */
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

function identifiersOf(b: Build, item: Item, names: ReadonlySet<string>): readonly IdentifierFacts[] {
  const byItem = b.cache.identifiers.get(names) ?? new WeakMap<Item, readonly IdentifierFacts[]>();
  b.cache.identifiers.set(names, byItem);
  let known = byItem.get(item);
  if (!known) {
    known = item.names.some((name) => names.has(name))
      ? identifiersAmong(item, names, () => /__global__|__device__/.test(headOf(b, item)))
      : NO_IDENTIFIERS;
    byItem.set(item, known);
  }
  return known;
}

const NO_IDENTIFIERS: readonly IdentifierFacts[] = [];

function identifiersAmong(item: Item, names: ReadonlySet<string>, inDeviceCode: () => boolean): readonly IdentifierFacts[] {
  const { tokens } = item;
  const found: IdentifierFacts[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text, start, end } = tokens[i];
    if (kind !== 'name' || !names.has(text)) continue;
    const before = tokens[i - 1]?.text;
    const member = before === '.' || before === '->';
    found.push({
      name: text,
      place: { item, start, end },
      argumentsAt: tokens[i + 1]?.text === '(' ? { item, start: tokens[i + 1].end, end: tokens[i + 1].end } : undefined,
      member,
      owner: member ? ownerBefore(tokens, i - 1) : undefined,
      declares: declaredAfter(tokens, i),
      inDeviceCode: inDeviceCode(),
      expanded: false,
    });
  }
  return found;
}

/** `p` in `p.x`, `p->x` and `p[i].x`, given the index of the point. */
function ownerBefore(tokens: Item['tokens'], point: number): string | undefined {
  let at = point - 1;
  if (tokens[at]?.text === ']') while (at >= 0 && tokens[at].text !== '[') at--;
  const owner = tokens[tokens[at]?.text === '[' ? at - 1 : at];
  return owner?.kind === 'name' ? owner.text : undefined;
}

/** `a` and `b` after the type in `T a, *b = ...;` and `f(T& a)`. */
function declaredAfter(tokens: Item['tokens'], type: number): readonly string[] {
  const names: string[] = [];
  for (const { kind, text } of tokens.slice(type + 1, type + 40)) {
    if (kind === 'name') names.push(text);
    else if (!/^([*&,>[\]]|\d.*)$/.test(text)) break;
  }
  return names;
}
