/** Where names stand in a file's items, for rules that ask for names alone. */
import type { Item } from '../syntax/items.ts';
import type { IdentifierFacts } from './file-facts.ts';
import type { Build } from './model-cache.ts';

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

export function identifiersOf(b: Build, item: Item, names: ReadonlySet<string>): readonly IdentifierFacts[] {
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
