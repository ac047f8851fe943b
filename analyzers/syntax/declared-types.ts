/** Which names an item's tokens declare as types, found without parsing. */

import { closings } from './brackets.ts';
import { AGGREGATE, ALIGNMENT, IGNORED_CALLS } from './names.ts';
import type { Token } from './token.ts';

/** Words before the names of types. */
const BEFORE_TYPE = new Set([...AGGREGATE, 'typename', 'using', 'typedef']);

/** Words that may stand between one of these and the name: `typename... T`, `enum class E`. */
const BEFORE_NAME = new Set(['...', 'class', 'struct']);

const DECLARES = new Set(['{', ':', ';', '<', 'final']);

const OPENS = new Set(['(', '[', '{']);
/** What ends a `typedef`, finished or not. */
const ENDS_TYPEDEF = new Set([';', ')', ']', '}', 'typedef']);

/** Structures, aliases and template parameters that the tokens declare themselves. */
export function declaredTypes(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  // Found all at once: looking for each alone would go through all that follows an unclosed one again and again.
  let partners: Int32Array | undefined;
  const behindBracket = (open: number): number => {
    partners ??= closings(tokens);
    return partners[open] + 1;
  };
  for (let i = 0; i + 1 < tokens.length; i++) {
    if (tokens[i].kind !== 'name' || !BEFORE_TYPE.has(tokens[i].text)) continue;
    const at = declaredAt(tokens, i, behindBracket);
    if (at !== undefined) names.add(tokens[at].text);
  }
  return names;
}

/** Index of the name that the word at `keyword` declares; undefined where it declares none. */
function declaredAt(tokens: readonly Token[], keyword: number, behindBracket: (open: number) => number): number | undefined {
  const { text } = tokens[keyword];
  let at = keyword + 1;
  if (text === 'using') return tokens[at + 1]?.text === '=' ? at : undefined;
  if (text === 'typedef') {
    while (at < tokens.length && !ENDS_TYPEDEF.has(tokens[at].text)) at = OPENS.has(tokens[at].text) ? behindBracket(at) : at + 1;
    return tokens[at - 1]?.kind === 'name' ? at - 1 : undefined;
  }
  if (BEFORE_NAME.has(tokens[at].text)) at++;
  const called = tokens[at]?.text ?? '';
  if (ALIGNMENT.has(called) || IGNORED_CALLS.has(called)) at = tokens[at + 1]?.text === '(' ? behindBracket(at + 1) : at + 1;
  if (tokens[at]?.kind !== 'name') return undefined;
  const after = tokens[at + 1]?.text ?? ';';
  if (after === '::') return undefined;
  // `struct stat s` uses a name that may be a function's too; only where it is declared is it surely a type.
  return text === 'typename' || text === 'class' || DECLARES.has(after) ? at : undefined;
}
