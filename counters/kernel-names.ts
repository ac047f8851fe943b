/** Names of kernels within their demangled signatures. */

/** `reduce` of `void ns::reduce<int, Plus<int>>(const int *)`. */
export function unqualifiedName(signature: string): string {
  let depth = 0;
  let plain = '';
  for (const character of signature.replaceAll('(anonymous namespace)::', '')) {
    if (character === '<') depth++;
    else if (character === '>') depth--;
    else if (character === '(' && depth === 0) break;
    else if (depth === 0) plain += character;
  }
  return /[\w$]+$/.exec(plain.trim())?.[0] ?? signature;
}

/** `reduce<int>` of `void reduce<int>(int const*, int)`. */
export function plainName(signature: string): string {
  const name = signature.replace(/^void /, '').replaceAll('(anonymous namespace)::', '');
  let depth = 0;
  for (let at = 0; at < name.length; at++) {
    if (name[at] === '<') depth++;
    else if (name[at] === '>') depth--;
    else if (name[at] === '(' && depth === 0 && at > 0) return name.slice(0, at);
  }
  return name;
}
