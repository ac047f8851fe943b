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
