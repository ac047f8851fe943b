/**
 * The names of a file and of the headers beside it: macros, functions, structures, aliases, variables and constants, collected from its
 * items. An item is parsed once, and again only when it, or the macros or type names that it mentions, change.
 */
import type { AggregateDef, AliasDef, Declarator, Def, Expr, FunctionDef } from '../syntax/ast.ts';
import { type Header, INCLUDE_LIMITS, type Include, includedName } from '../syntax/headers.ts';
import type { Item } from '../syntax/items.ts';
import type { TypeNames } from '../syntax/names.ts';
import { type ParseOptions, parseDefinitions } from '../syntax/parse.ts';
import { conditionStack, expand, isExpandable, type Macro, type Macros, parseDefine } from '../syntax/preprocess.ts';
import type { Token } from '../syntax/token.ts';
import type { Grammars } from '../syntax/tree/grammar.ts';

export interface FunctionEntry {
  readonly def: FunctionDef;
  readonly item: Item;
}

export interface VariableEntry {
  readonly declarator: Declarator;
  readonly item: Item;
}

export interface Table {
  /** Those of the file, those of each header behind its #include. */
  readonly items: readonly Item[];
  /** Headers that were included, each once. */
  readonly headers: readonly Header[];
  readonly macros: Macros;
  readonly functions: ReadonlyMap<string, readonly FunctionEntry[]>;
  readonly aggregates: ReadonlyMap<string, { readonly def: AggregateDef; readonly item: Item }>;
  readonly aliases: ReadonlyMap<string, { readonly def: AliasDef; readonly item: Item }>;
  readonly variables: ReadonlyMap<string, VariableEntry>;
  readonly constants: ReadonlyMap<string, { readonly value: Expr | number; readonly item: Item }>;
  /** `namespace cg = cooperative_groups`. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly usesGroups: boolean;
  /** All type names: a change of these may change how any item is read. */
  readonly typeNames: string;
  /** Items that stand under a false `#if`. */
  readonly skipped: ReadonlySet<Item>;
}

/** What an item parsed to, in one surrounding. */
interface Parsed {
  readonly defs: readonly Def[];
  readonly macros: Macros;
  readonly types: TypeNames;
  /** All type names, as one text. */
  readonly typesKey: string;
  /** Names in the item and in the macros that it uses: what they mean decides how it is read. */
  readonly mentioned: () => ReadonlySet<string>;
}

/** What is known of items whatever file they stand in: kept between versions of a file, and shared by files that include one header. */
export interface TableCache {
  readonly grammars: Grammars;
  /** Several where files with different macros include the item's header. */
  readonly parsed: WeakMap<Item, readonly Parsed[]>;
  readonly defines: WeakMap<Item, Macro | undefined | 'undef'>;
  readonly declared: WeakMap<Item, readonly string[]>;
}

export function newTableCache(grammars: Grammars): TableCache {
  return { grammars, parsed: new WeakMap(), defines: new WeakMap(), declared: new WeakMap() };
}

export interface Surroundings {
  readonly cache: TableCache;
  /** Macros that the compiler defines by itself. */
  readonly predefined?: Macros;
  /** The file's, for what it includes. */
  readonly path?: string;
  readonly include?: Include;
  /** The last version of the table: what stayed the same in it is taken over. */
  readonly before?: Table;
}

export function buildTable(own: readonly Item[], surroundings: Surroundings): Table {
  const { cache } = surroundings;
  const { items, headers, macros, skipped } = preprocess(own, surroundings);
  const typeNames = collectTypeNames(items, skipped, cache);
  const key = [...typeNames].join(' ');
  const table = {
    items,
    headers,
    macros,
    functions: new Map<string, FunctionEntry[]>(),
    aggregates: new Map<string, { def: AggregateDef; item: Item }>(),
    aliases: new Map<string, { def: AliasDef; item: Item }>(),
    variables: new Map<string, VariableEntry>(),
    constants: new Map<string, { value: Expr | number; item: Item }>(),
    namespaces: new Map<string, string>(),
    usesGroups: false,
    typeNames: key,
    skipped,
  };
  const isOwn = new Set(own);
  const surrounding = { macros, types: typeNames, typesKey: key };
  for (const item of items) {
    if (item.kind === 'directive' && item.tokens[0]?.text.includes('cooperative_groups')) table.usesGroups = true;
    if (item.kind !== 'declaration' || skipped.has(item)) continue;
    // Little is asked of a header's kernels here.
    const eager = isOwn.has(item) ? 'kernels' : 'none';
    for (const def of parsedItem(item, surrounding, cache, eager)) enter(table, def, item);
  }
  return table;
}

/** Surroundings in which one header's item was parsed that are remembered. */
const MOST_PARSED = 4;

function parsedItem(
  item: Item,
  now: Pick<Parsed, 'macros' | 'types' | 'typesKey'>,
  cache: TableCache,
  eager: ParseOptions['eager'],
): readonly Def[] {
  const known = cache.parsed.get(item) ?? [];
  if (known[0]?.macros === now.macros && known[0].typesKey === now.typesKey) return known[0].defs;
  const same = known.find((p) => readsAlike(p, now));
  if (same) {
    // The next look is at two identities.
    cache.parsed.set(item, [{ ...same, ...now }, ...known.filter((p) => p !== same)]);
    return same.defs;
  }
  const defs = parseDefinitions(cache.grammars, item.tokens, now.types, {
    dialect: item.dialect,
    holder: item,
    eager,
    expand: isExpandable(item, now.macros) ? (tokens) => expand(tokens, now.macros) : undefined,
  });
  const parsed: Parsed = { ...now, defs, mentioned: mentionedNames(item, now.macros) };
  cache.parsed.set(item, [parsed, ...known].slice(0, MOST_PARSED));
  return defs;
}

function readsAlike(before: Parsed, now: Pick<Parsed, 'macros' | 'types'>): boolean {
  for (const name of before.mentioned())
    if (before.macros.get(name) !== now.macros.get(name) || before.types.has(name) !== now.types.has(name)) return false;
  return true;
}

/** Asked for only when names of the file changed. */
function mentionedNames(item: Item, macros: Macros): () => ReadonlySet<string> {
  let names: ReadonlySet<string> | undefined;
  return () => {
    names ??= collectNames(item, macros);
    return names;
  };
}

function collectNames(item: Item, macros: Macros): Set<string> {
  const names = new Set<string>();
  const add = (tokens: readonly Token[]) => {
    for (const { kind, text } of tokens) {
      const found = kind === 'name' ? [text] : kind === 'directive' ? (text.match(/[A-Za-z_]\w*/g) ?? []) : [];
      for (const name of found) {
        if (names.has(name)) continue;
        names.add(name);
        const macro = macros.get(name);
        if (macro) add(macro.body);
      }
    }
  };
  add(item.tokens);
  return names;
}

type Mutable = {
  -readonly [K in Exclude<keyof Table, 'macros' | 'skipped' | 'items' | 'headers'>]: Table[K] extends ReadonlyMap<string, infer V>
    ? Map<string, V>
    : Table[K];
};

function enter(table: Mutable, def: Def, item: Item): void {
  switch (def.d) {
    case 'function': {
      const list = table.functions.get(def.name) as FunctionEntry[] | undefined;
      if (list) list.push({ def, item });
      else table.functions.set(def.name, [{ def, item }]);
      break;
    }
    case 'aggregate':
      if (def.fields.length > 0 || def.methods.length > 0 || !table.aggregates.has(def.name)) table.aggregates.set(def.name, { def, item });
      // Constants and enumerators are in reach by their own name and by the type's.
      def.constants.forEach((c, i) => {
        const value = c.value ?? (def.kind === 'enum' ? enumeratorValue(def, i) : undefined);
        if (value === undefined) return;
        if (def.kind === 'enum') table.constants.set(c.name, { value, item });
        table.constants.set(`${def.name}::${c.name}`, { value, item });
      });
      break;
    case 'alias':
      table.aliases.set(def.name, { def, item });
      break;
    case 'variable':
      for (const declarator of def.declarators) table.variables.set(declarator.name, { declarator, item });
      break;
    case 'namespace':
      table.namespaces.set(def.name, def.target);
  }
}

function enumeratorValue(def: AggregateDef, index: number): Expr | number {
  for (let i = index - 1; i >= 0; i--) {
    const { value } = def.constants[i];
    if (value?.k === 'number') return value.value + index - i;
    if (value) return value;
  }
  return index;
}

type Preprocessed = Pick<Table, 'items' | 'headers' | 'macros' | 'skipped'>;

interface Walk {
  readonly surroundings: Surroundings;
  readonly items: Item[];
  readonly headers: Header[];
  readonly macros: Map<string, Macro>;
  readonly skipped: Set<Item>;
  /** Paths that came: a file is read once, with or without a guard, as if it said `#pragma once`. */
  readonly seen: Set<string>;
  length: number;
}

/** Follows the directives: which items count, with those of headers, and what macros they define. */
function preprocess(own: readonly Item[], surroundings: Surroundings): Preprocessed {
  const { path = '', predefined, before } = surroundings;
  const macros = new Map(predefined);
  const w: Walk = { surroundings, items: [], headers: [], macros, skipped: new Set(), seen: new Set([path]), length: 0 };
  walk(w, own, path, 0);
  const { items, headers, skipped } = w;
  // As long as all macros are the same, everything that was learnt with them holds.
  return { items, headers, skipped, macros: before && sameMacros(before.macros, macros) ? before.macros : macros };
}

function sameMacros(a: Macros, b: Macros): boolean {
  if (a.size !== b.size) return false;
  for (const [name, macro] of a) if (b.get(name) !== macro) return false;
  return true;
}

function walk(w: Walk, items: readonly Item[], from: string, depth: number): void {
  const branches = conditionStack(w.macros);
  for (const item of items) {
    w.items.push(item);
    const directive = item.kind === 'directive' && item.tokens[0]?.kind === 'directive' ? item.tokens[0].text : undefined;
    if (directive !== undefined && branches.directive(directive)) continue;
    if (!branches.active()) w.skipped.add(item);
    else if (directive !== undefined) obey(w, item, { directive, from, depth });
  }
}

/** A #define or an #include; an undefined macro stays, since what was expanded before the #undef is what matters. */
function obey(w: Walk, item: Item, { directive, from, depth }: { directive: string; from: string; depth: number }): void {
  const { cache, include } = w.surroundings;
  const included = include && depth < INCLUDE_LIMITS.depth ? includedName(directive) : undefined;
  if (included) {
    const header = include!(included, from);
    if (!header || w.seen.has(header.path)) return;
    w.seen.add(header.path);
    const { length } = header.source.text;
    if (length > INCLUDE_LIMITS.headerLength || w.length + length > INCLUDE_LIMITS.totalLength) return;
    w.length += length;
    w.headers.push(header);
    walk(w, header.source.items, header.path, depth + 1);
    return;
  }
  let macro = cache.defines.get(item);
  if (macro === undefined && !cache.defines.has(item)) {
    macro = /^#\s*undef\b/.test(directive) ? 'undef' : parseDefine(directive);
    cache.defines.set(item, macro);
  }
  if (macro && macro !== 'undef') w.macros.set(macro.name, macro);
}

/** Names that structures and aliases introduce, seen by their keyword alone: the parser needs them before it can read anything. */
function collectTypeNames(items: readonly Item[], skipped: ReadonlySet<Item>, { declared }: TableCache): Set<string> {
  const names = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'declaration' || skipped.has(item)) continue;
    let own = declared.get(item);
    if (!own) {
      own = declaredTypeNames(item);
      declared.set(item, own);
    }
    for (const name of own) names.add(name);
  }
  return names;
}

function declaredTypeNames({ tokens }: Item): string[] {
  const names: string[] = [];
  for (let i = 0; i < tokens.length && i < 60; i++) {
    const { text } = tokens[i];
    if (text === '(' || text === '{') break;
    if (text === 'template' && tokens[i + 1]?.text === '<') {
      for (let depth = 0; i + 1 < tokens.length; i++) {
        if (tokens[i + 1].text === '<') depth++;
        if (tokens[i + 1].text === '>' && --depth === 0) break;
      }
    } else if (text === 'struct' || text === 'class' || text === 'union' || text === 'enum') {
      for (let k = i + 1; k < tokens.length && tokens[k].text !== '{' && tokens[k].text !== ';'; k++) {
        if (tokens[k].kind === 'name' && !['alignas', '__align__', 'class', '__attribute__'].includes(tokens[k].text)) {
          names.push(tokens[k].text);
          break;
        }
      }
    } else if (text === 'using' && tokens[i + 2]?.text === '=') names.push(tokens[i + 1].text);
  }
  if (tokens[0]?.text === 'typedef') {
    const last = tokens.findLast((t) => t.kind === 'name');
    if (last) names.push(last.text);
  }
  return names;
}
