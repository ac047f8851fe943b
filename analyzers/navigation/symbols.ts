/** What a file defines, as an outline shows it. */
import type { SourceSymbol } from '../../protocol/finding.ts';
import type { AggregateDef, FunctionDef } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { type LineTable, type Place, rangeOf } from '../syntax/source.ts';
import type { NavigationInput } from './definitions.ts';
import { declaredPlace, namePlace } from './places.ts';

/** In the order of the text. */
export function symbolsOf({ model, source, lines }: NavigationInput): SourceSymbol[] {
  const own = new Set(source.items);
  const { functions, aggregates, aliases, variables } = model.table;
  const symbols: (SourceSymbol | undefined)[] = [];
  for (const { def, item } of [...functions.values()].flat()) if (own.has(item)) symbols.push(functionSymbol(def, item, lines));
  for (const { def, item } of aggregates.values()) if (own.has(item)) symbols.push(aggregateSymbol(def, item, lines));
  for (const { def, item } of aliases.values())
    if (own.has(item)) symbols.push(symbol(def.name, 'type', wholeOf(item, def), namePlace(item, def.name, def), lines));
  for (const { declarator, item } of variables.values()) {
    if (own.has(item)) symbols.push(symbol(declarator.name, 'variable', wholeOf(item, declarator), declaredPlace(item, declarator), lines));
  }
  for (const item of source.items) symbols.push(macroSymbol(item, lines));
  return symbols.filter((each) => each !== undefined).sort(inOrder);
}

function functionSymbol(def: FunctionDef, item: Item, lines: LineTable): SourceSymbol | undefined {
  const isKernel = def.quals.includes('__global__');
  const kind = isKernel ? 'kernel' : def.owner === undefined ? 'function' : 'method';
  const detail = ['__global__', '__host__', '__device__'].filter((word) => def.quals.includes(word)).join(' ');
  const found = symbol(def.name, kind, wholeOf(item, def), declaredPlace(item, def), lines);
  return found && (detail === '' ? found : { ...found, detail });
}

function aggregateSymbol(def: AggregateDef, item: Item, lines: LineTable): SourceSymbol | undefined {
  const found = symbol(def.name, def.kind === 'enum' ? 'enum' : 'type', wholeOf(item, def), namePlace(item, def.name, def), lines);
  if (!found) return undefined;
  const children = [
    ...def.fields.map((field) => symbol(field.name, 'field', wholeOf(item, field), declaredPlace(item, field), lines)),
    ...def.methods.map((method) => functionSymbol({ ...method, owner: def.name }, item, lines)),
    ...def.constants.map(({ name }) => {
      const place = namePlace(item, name, def);
      return place && symbol(name, 'constant', place, place, lines);
    }),
  ];
  return { ...found, children: children.filter((child) => child !== undefined).sort(inOrder) };
}

function macroSymbol(item: Item, lines: LineTable): SourceSymbol | undefined {
  const token = item.kind === 'directive' ? item.tokens[0] : undefined;
  const [, head, name] = /^(#\s*define\s+)(\w+)/.exec(token?.text ?? '') ?? [];
  if (!token || head === undefined) return undefined;
  const start = token.start + head.length;
  return symbol(name, 'constant', { item, start: token.start, end: token.end }, { item, start, end: start + name.length }, lines);
}

function wholeOf(item: Item, { start, end }: { readonly start: number; readonly end: number }): Place {
  return { item, start, end };
}

function symbol(
  name: string,
  kind: SourceSymbol['kind'],
  whole: Place,
  named: Place | undefined,
  lines: LineTable,
): SourceSymbol | undefined {
  if (name === '' || !named) return undefined;
  // An outline's name lies within what it names.
  const all = { item: whole.item, start: Math.min(whole.start, named.start), end: Math.max(whole.end, named.end) };
  return { name, kind, range: rangeOf(all, lines), nameRange: rangeOf(named, lines), children: [] };
}

function inOrder(a: SourceSymbol, b: SourceSymbol): number {
  return a.range.start.line - b.range.start.line || a.range.start.column - b.range.start.column || (a.name < b.name ? -1 : 1);
}
