/** Where names stand in a file's items, for rules that ask for names alone. */
import { isUnclosed } from '../syntax/brackets.ts';
import type { Item } from '../syntax/items.ts';
import { activeTokens } from '../syntax/preprocess.ts';
import type { Token } from '../syntax/token.ts';
import type { IdentifierFacts } from './file-facts.ts';
import type { Build, KnownIdentifiers } from './model-cache.ts';

/** Text before the body. */
export function headOf(b: Build, item: Item): string {
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

/** In text that is compiled. A macro or a function of the program's own has nothing to do with what else goes by its name. */
export function identifiersOf(b: Build, item: Item, names: ReadonlySet<string>): readonly IdentifierFacts[] {
  if (b.table.skipped.has(item)) return NO_IDENTIFIERS;
  if (item.names.some((name) => names.has(name)) && isUnfinished(b, item)) return NO_IDENTIFIERS;
  const found = named(b, item, names);
  return found.some((use) => isOwn(b, use)) ? found.filter((use) => !isOwn(b, use)) : found;
}

/** The end of the function that an item begins with is missing. */
export function isUnfinished({ table }: Build, { tokens }: Item): boolean {
  return isUnclosed(activeTokens(tokens, table.macros));
}

function isOwn({ table }: Build, { name, member }: IdentifierFacts): boolean {
  return table.macros.has(name) || (!member && table.functions.get(name)?.some(({ def }) => def.body !== undefined) === true);
}

function named(b: Build, item: Item, names: ReadonlySet<string>): readonly IdentifierFacts[] {
  const { macros } = b.table;
  const byItem = b.cache.identifiers.get(names) ?? new WeakMap<Item, KnownIdentifiers>();
  b.cache.identifiers.set(names, byItem);
  let known = byItem.get(item);
  // Which parts of an item are compiled may depend on any macro.
  if (!known || (item.directives && known.macros !== macros)) {
    const found = item.names.some((name) => names.has(name))
      ? identifiersAmong(item, activeTokens(item.tokens, macros), names, () => /__global__|__device__/.test(headOf(b, item)))
      : NO_IDENTIFIERS;
    known = { macros, found };
    byItem.set(item, known);
  }
  return known.found;
}

const NO_IDENTIFIERS: readonly IdentifierFacts[] = [];

function identifiersAmong(
  item: Item,
  tokens: readonly Token[],
  names: ReadonlySet<string>,
  inDeviceCode: () => boolean,
): readonly IdentifierFacts[] {
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
function ownerBefore(tokens: readonly Token[], point: number): string | undefined {
  let at = point - 1;
  if (tokens[at]?.text === ']') while (at >= 0 && tokens[at].text !== '[') at--;
  const owner = tokens[tokens[at]?.text === '[' ? at - 1 : at];
  return owner?.kind === 'name' ? owner.text : undefined;
}

/** `a` and `b` after the type in `T a, *b = ...;` and `f(T& a)`. */
function declaredAfter(tokens: readonly Token[], type: number): readonly string[] {
  const names: string[] = [];
  for (const { kind, text } of tokens.slice(type + 1, type + 40)) {
    if (kind === 'name') names.push(text);
    else if (!/^([*&,>[\]]|\d.*)$/.test(text)) break;
  }
  return names;
}
