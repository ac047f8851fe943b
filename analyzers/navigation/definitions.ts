/**
 * Where a name is defined: in the function around it, in a structure, in the file or in the headers beside it. What is not there (CUDA's own
 * functions, the standard library's) has no place to go to.
 */
import type { LocatedRange, Position, SourceRange } from '../../protocol/finding.ts';
import type { FileModel } from '../model/file.ts';
import type { AggregateDef, FunctionDef, Stmt, TypeRef } from '../syntax/ast.ts';
import { includedName } from '../syntax/headers.ts';
import type { Item } from '../syntax/items.ts';
import { type LineTable, offsetAt, type Place, rangeOf, type Source, type Word, wordAt } from '../syntax/source.ts';
import { declaredPlace, namePlace, Places } from './places.ts';

export interface NavigationInput {
  readonly model: FileModel;
  readonly source: Source;
  readonly lines: LineTable;
}

/** Definitions first, then declarations. */
export function definitionsAt({ model, source, lines }: NavigationInput, position: Position): LocatedRange[] {
  const places = new Places(model, source, lines);
  const offset = offsetAt(lines, position);
  const item = itemAt(source, offset);
  const header = item?.kind === 'directive' ? includedName(item.tokens[0]?.text ?? '') : undefined;
  if (header) return places.ofHeader(header.name);
  return placesOf(model, source, offset)
    .map((place) => places.located(place))
    .filter((place) => place !== undefined);
}

/** Name of a function that is declared in reach of a position, and defined elsewhere. */
export function declaredAt({ model, source, lines }: NavigationInput, position: Position): string | undefined {
  const offset = offsetAt(lines, position);
  const name = nameAt(source.text, offset)?.text;
  const functions = name === undefined ? [] : (model.table.functions.get(name) ?? []);
  if (functions.length === 0 || functions.some(({ def }) => def.body !== undefined)) return undefined;
  const isDeclared = ({ item, start }: Place) => functions.some((each) => each.item === item && each.def.nameStart === start);
  const places = placesOf(model, source, offset);
  return places.length > 0 && places.every(isDeclared) ? name : undefined;
}

/** Functions of the text by this name that have a body and that other files can mean. */
export function bodiesOf({ model, source, lines }: NavigationInput, name: string): SourceRange[] {
  const own = new Set(source.items);
  const defined = (model.table.functions.get(name) ?? []).filter(
    ({ def, item }) => def.body !== undefined && !def.quals.includes('static') && own.has(item),
  );
  return defined.map(({ def, item }) => rangeOf(declaredPlace(item, def), lines));
}

/** What `definitionsAt` finds, by item. */
export function placesOf(model: FileModel, source: Source, offset: number): Place[] {
  const item = itemAt(source, offset);
  const word = nameAt(source.text, offset);
  if (!item || !word) return [];
  const at = word.start - item.start;
  const around = functionAround(model, item, at);
  // Where a member is declared, it is behind nothing.
  const own = around ? undefined : memberDeclaredAt(model, item, at);
  if (own) return [own];
  const before = source.text.slice(0, word.start).trimEnd();
  return (
    membersNamed(model, word.text, before, around) ??
    (around ? localNamed(around, { item, at, name: word.text }) : undefined) ??
    globalsNamed(model, word.text)
  );
}

function itemAt(source: Source, offset: number): Item | undefined {
  return source.items.find((each) => each.start <= offset && offset <= each.start + each.length);
}

function memberDeclaredAt({ table }: FileModel, item: Item, at: number): Place | undefined {
  for (const { def, item: owner } of table.aggregates.values()) {
    if (owner !== item || at < def.start || at > def.end) continue;
    const member = [...def.fields, ...def.methods].find(({ nameStart }) => nameStart === at);
    if (member) return declaredPlace(item, member);
  }
  return undefined;
}

/** The name around an offset. */
export function nameAt(text: string, offset: number): Word | undefined {
  const word = wordAt(text, offset);
  return word && /^[A-Za-z_]/.test(word.text) ? word : undefined;
}

interface Around {
  readonly def: FunctionDef;
  readonly item: Item;
}

function functionAround(model: FileModel, item: Item, at: number): Around | undefined {
  const isAround = ({ start, end }: FunctionDef) => start <= at && at <= end;
  const entries = [...model.table.functions.values()].flat();
  const found = entries.find((entry) => entry.item === item && isAround(entry.def))?.def;
  const method = [...model.table.aggregates.values()].filter((entry) => entry.item === item).flatMap(({ def }) => def.methods);
  const def = found ?? method.find(isAround);
  return def && { def, item };
}

/** Behind `.`, `->` and `::`; undefined for a name that stands alone. */
function membersNamed(model: FileModel, name: string, before: string, around: Around | undefined): Place[] | undefined {
  const scope = /([A-Za-z_]\w*)\s*::$/.exec(before)?.[1];
  const object = /([A-Za-z_]\w*)?(?:\[[^[\]]*\])*\s*(?:\.|->)$/.exec(before);
  if (scope === undefined && !object) return undefined;
  const { aggregates } = model.table;
  const type = scope ?? (object?.[1] === undefined || !around ? undefined : typeOfLocal(around, object[1])?.name);
  const owner = type === undefined ? undefined : aggregates.get(type);
  const owners = owner ? [owner] : [...aggregates.values()];
  const members = owners.flatMap(({ def, item }) => membersOf(def, item, name));
  // A namespace's.
  return members.length === 0 && scope !== undefined ? globalsNamed(model, name) : members;
}

function membersOf(def: AggregateDef, item: Item, name: string): Place[] {
  const own = [...def.fields, ...def.methods].filter((member) => member.name === name).map((member) => declaredPlace(item, member));
  const named = [...def.constants, ...def.aliases].some((member) => member.name === name) ? namePlace(item, name, def) : undefined;
  return named ? [...own, named] : own;
}

function typeOfLocal(around: Around, name: string): TypeRef | undefined {
  const parameter = around.def.params.find((each) => each.name === name);
  let type = parameter?.type;
  forEachDeclarator(around.def.body, Number.POSITIVE_INFINITY, (declarator) => {
    if (declarator.name === name) type = declarator.type;
  });
  return type;
}

interface Wanted {
  readonly item: Item;
  readonly at: number;
  readonly name: string;
}

/** The innermost of this name that is declared before the place. */
function localNamed({ def }: Around, { item, at, name }: Wanted): Place[] | undefined {
  const parameter = def.params.find((each) => each.name === name);
  const template = def.templates.some((each) => each.name === name);
  let place = parameter && namePlace(item, name, parameter, 'last');
  if (!place && template) place = namePlace(item, name, def);
  forEachDeclarator(def.body, at, (declarator) => {
    if (declarator.name === name) place = declaredPlace(item, declarator);
  });
  return place && [place];
}

type Declared = Extract<Stmt, { k: 'decl' }>['decls'][number];

/** Those that are in scope at a place, the outermost first; all of them for no place in particular. */
function forEachDeclarator(statement: Stmt | undefined, at: number, visit: (declarator: Declared) => void): void {
  if (!statement) return;
  const inner = (child: Stmt | undefined) => {
    if (child && (at === Number.POSITIVE_INFINITY || (child.start <= at && at <= child.end))) forEachDeclarator(child, at, visit);
  };
  switch (statement.k) {
    case 'decl':
      for (const declarator of statement.decls) if (declarator.nameStart <= at) visit(declarator);
      break;
    case 'block':
      for (const child of statement.body) {
        if (child.k === 'decl' && child.start <= at) forEachDeclarator(child, at, visit);
        else inner(child);
      }
      break;
    case 'if':
      forEachDeclarator(statement.init, at, visit);
      inner(statement.then);
      inner(statement.else);
      break;
    case 'for':
      forEachDeclarator(statement.init, at, visit);
      inner(statement.body);
      break;
    case 'range':
      if (statement.decl.nameStart <= at) visit(statement.decl);
      inner(statement.body);
      break;
    case 'while':
    case 'do':
    case 'switch':
      inner(statement.body);
      break;
    default:
  }
}

function globalsNamed({ table }: FileModel, name: string): Place[] {
  const functions = [...(table.functions.get(name) ?? [])].sort(
    (a, b) => Number(b.def.body !== undefined) - Number(a.def.body !== undefined),
  );
  const found: (Place | undefined)[] = functions.map(({ def, item }) => declaredPlace(item, def));
  for (const entry of [table.aggregates.get(name), table.aliases.get(name)]) if (entry) found.push(namePlace(entry.item, name, entry.def));
  const variable = table.variables.get(name);
  if (variable) found.push(declaredPlace(variable.item, variable.declarator));
  const constant = table.constants.get(name);
  if (constant && !variable) found.push(namePlace(constant.item, name));
  if (table.macros.has(name)) found.push(...macroPlaces(table.items, name));
  return found.filter((place) => place !== undefined);
}

function macroPlaces(items: readonly Item[], name: string): Place[] {
  const define = new RegExp(`^#\\s*define\\s+(?=${name}\\b)`);
  return items.flatMap((item) => {
    const token = item.kind === 'directive' ? item.tokens[0] : undefined;
    const head = token && define.exec(token.text)?.[0];
    return token && head ? [{ item, start: token.start + head.length, end: token.start + head.length + name.length }] : [];
  });
}
