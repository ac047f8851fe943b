/** What is kept between versions of a file, and what one build of its model works on. */
import type { Item } from '../syntax/items.ts';
import type { Macros } from '../syntax/preprocess.ts';
import type { Place, Source } from '../syntax/source.ts';
import type { Grammars } from '../syntax/tree/grammar.ts';
import type { KernelFacts, LaunchFacts } from './facts.ts';
import type { HostFunctionFacts, IdentifierFacts } from './file-facts.ts';
import type { Finisher } from './finish/finisher.ts';
import type { HostRun } from './host.ts';
import type { LaunchEntry } from './host-facts.ts';
import type { KernelRun } from './kernel.ts';
import { type FunctionEntry, newTableCache, type Table, type TableCache } from './table.ts';

export interface ModelCache {
  /** The latest; facts that are asked later read their text through it. */
  source: Source | undefined;
  /** What the last version had. */
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
  readonly identifiers: WeakMap<ReadonlySet<string>, WeakMap<Item, KnownIdentifiers>>;
  readonly heads: WeakMap<Item, string>;
}

/** Those of an item, with the macros that decided which parts of it are compiled. */
export interface KnownIdentifiers {
  readonly macros: Macros;
  readonly found: readonly IdentifierFacts[];
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

export interface Dependencies {
  readonly macros: object;
  /** Names of cooperative groups have CUDA's meaning. */
  readonly usesGroups: boolean;
  readonly typeNames: string;
  readonly items: readonly Item[];
  /** What each name meant. */
  readonly names: readonly (readonly [string, readonly (Item | string)[]])[];
}

export interface CachedKernel {
  readonly dependencies: Dependencies;
  readonly finisher: Finisher;
  readonly run: KernelRun;
}

export interface CachedHost {
  readonly dependencies: Dependencies;
  readonly run: HostRun;
  readonly launches: readonly LaunchEntry[];
}

export interface Build {
  readonly source: Source;
  readonly cache: ModelCache;
  readonly table: Table;
  readonly own: ReadonlySet<Item>;
  /** For all items, those of headers too, with their order. */
  readonly live: ReadonlyMap<Item, number>;
  /** Functions of the file that run on the host. */
  readonly hosts: readonly FunctionEntry[];
  /** Those of headers too. */
  readonly kernels: readonly FunctionEntry[];
  readonly textOf: (place: Place) => string;
  /** Whether items that were asked about have to do with CUDA. */
  readonly concerns: Map<Item, boolean>;
}

/** Text of an item never changes, so it may be read whenever the item is in the file. */
export function itemText(cache: ModelCache, item: Item): string {
  let text = cache.texts.get(item);
  if (text === undefined) {
    text = sourceOf(cache, item)?.text.slice(item.start, item.start + item.length) ?? '';
    cache.texts.set(item, text);
  }
  return text;
}

/** Longer than any item. */
const ITEM_LENGTH = 2 ** 32;

/** For comparing places in the order in which the compiler would come to them; no two places share one. */
export function position(live: Build['live'], { item, start }: Pick<Place, 'item' | 'start'>): number {
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

/** Facts of a kernel, and what they were put together from: while that stays, so do they. */
export interface Assembled {
  readonly kernel: KernelFacts;
  readonly cached: readonly CachedKernel[];
  readonly launches: readonly LaunchFacts[];
  readonly children: readonly LaunchEntry[];
}
