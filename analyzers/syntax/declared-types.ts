/** Which names an item's tokens declare as types, found without parsing. */

import { closing } from './brackets.ts';
import { AGGREGATE, ALIGNMENT, IGNORED_CALLS } from './names.ts';
import type { Token } from './token.ts';

/** Words before the names of types. */
const BEFORE_TYPE = new Set([...AGGREGATE, 'typename', 'using', 'typedef']);

const DECLARES = new Set(['{', ':', ';', '<', 'final']);

/** Structures, aliases and template parameters that the tokens declare themselves. */
export function declaredTypes(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (let i = 0; i + 1 < tokens.length; i++) {
    if (tokens[i].kind !== 'name' || !BEFORE_TYPE.has(tokens[i].text)) continue;
    switch (tokens[i].text) {
      case 'using':
        if (tokens[i + 2]?.text === '=') names.add(tokens[i + 1].text);
        break;
      case 'typedef': {
        let end = i + 1;
        while (end < tokens.length && tokens[end].text !== ';' && tokens[end].text !== 'typedef')
          end = tokens[end].text === '{' ? closing(tokens, end) + 1 : end + 1;
        if (tokens[end - 1]?.kind === 'name') names.add(tokens[end - 1].text);
        break;
      }
      default: {
        let next = i + 1;
        if (tokens[next]?.text === '...' || tokens[next]?.text === 'class' || tokens[next]?.text === 'struct') next++;
        if (ALIGNMENT.has(tokens[next]?.text ?? '') || IGNORED_CALLS.has(tokens[next]?.text ?? '')) next = closing(tokens, next + 1) + 1;
        // `struct stat s` uses a name that may be a function's too; only where it is declared is it surely a type.
        const elaborated = tokens[i].text !== 'typename' && tokens[i].text !== 'class';
        const after = tokens[next + 1]?.text;
        if (tokens[next]?.kind === 'name' && after !== '::' && (!elaborated || DECLARES.has(after ?? ';'))) names.add(tokens[next].text);
      }
    }
  }
  return names;
}
