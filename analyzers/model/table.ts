/**
 * The names of a file: macros, functions, structures, aliases, variables and constants, collected from its items. An item is parsed once
 * and again only when it, or the macros, change.
 */
import type { AggregateDef, AliasDef, Declarator, Def, Expr, FunctionDef } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { conditionStack, expand, type Macro, type Macros, parseDefine } from '../syntax/preprocess.ts';
import type { Grammar } from '../syntax/tree/grammar.ts';
import { parseDefinitions } from '../syntax/tree/parse.ts';

export interface FunctionEntry {
  readonly def: FunctionDef;
  readonly item: Item;
}

export interface VariableEntry {
  readonly declarator: Declarator;
  readonly item: Item;
}

export interface Table {
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

interface Parsed {
  readonly defs: readonly Def[];
  readonly macros: object;
  readonly types: string;
}

/** Keeps parsed items between versions of a file. */
export interface TableCache {
  readonly grammar: Grammar;
  readonly parsed: WeakMap<Item, Parsed>;
  readonly defines: WeakMap<Item, Macro | undefined | 'undef'>;
  macros?: { readonly items: readonly Item[]; readonly map: Map<string, Macro> };
}

export function newTableCache(grammar: Grammar): TableCache {
  return { grammar, parsed: new WeakMap(), defines: new WeakMap() };
}

export function buildTable(items: readonly Item[], cache: TableCache): Table {
  const { macros, skipped } = collectMacros(items, cache);
  const typeNames = collectTypeNames(items, skipped);
  const key = [...typeNames].join(' ');
  const known = { has: (name: string) => typeNames.has(name) };
  const table = {
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
  for (const item of items) {
    if (item.kind === 'directive' && item.tokens[0]?.text.includes('cooperative_groups')) table.usesGroups = true;
    if (item.kind !== 'declaration' || skipped.has(item)) continue;
    let parsed = cache.parsed.get(item);
    if (!parsed || parsed.macros !== macros || parsed.types !== key) {
      parsed = { defs: parseDefinitions(cache.grammar, expand(item.tokens, macros), known, item), macros, types: key };
      cache.parsed.set(item, parsed);
    }
    for (const def of parsed.defs) enter(table, def, item);
  }
  return table;
}

type Mutable = {
  -readonly [K in Exclude<keyof Table, 'macros' | 'skipped'>]: Table[K] extends ReadonlyMap<string, infer V> ? Map<string, V> : Table[K];
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

function collectMacros(items: readonly Item[], cache: TableCache): { macros: Macros; skipped: Set<Item> } {
  const macros = new Map<string, Macro>();
  const skipped = new Set<Item>();
  const used: Item[] = [];
  const branches = conditionStack(macros);
  for (const item of items) {
    const directive = item.kind === 'directive' && item.tokens[0]?.kind === 'directive' ? item.tokens[0].text : undefined;
    if (directive !== undefined && branches.directive(directive)) continue;
    if (!branches.active()) {
      skipped.add(item);
      continue;
    }
    if (directive === undefined) continue;
    let macro = cache.defines.get(item);
    if (macro === undefined && !cache.defines.has(item)) {
      macro = /^#\s*undef\b/.test(directive) ? 'undef' : parseDefine(directive);
      cache.defines.set(item, macro);
    }
    // An undefined macro stays: what was expanded before the #undef is what matters.
    if (macro && macro !== 'undef') {
      used.push(item);
      macros.set(macro.name, macro);
    }
  }
  const before = cache.macros;
  if (before && before.items.length === used.length && used.every((item, i) => item === before.items[i]))
    return { macros: before.map, skipped };
  cache.macros = { items: used, map: macros };
  return { macros, skipped };
}

/** Names that structures and aliases introduce, seen by their keyword alone: the parser needs them before it can read anything. */
function collectTypeNames(items: readonly Item[], skipped: ReadonlySet<Item>): Set<string> {
  const names = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'declaration' || skipped.has(item)) continue;
    const { tokens } = item;
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
            names.add(tokens[k].text);
            break;
          }
        }
      } else if (text === 'using' && tokens[i + 2]?.text === '=') names.add(tokens[i + 1].text);
    }
    if (tokens[0]?.text === 'typedef') {
      const last = tokens.findLast((t) => t.kind === 'name');
      if (last) names.add(last.text);
    }
  }
  return names;
}
