/** Names with their scopes and template arguments. */
import type { Expr, TypeArg } from '../ast.ts';
import { typeId } from './declarators.ts';
import { argument } from './expressions.ts';
import { opensTemplateArgs, startsTypeArg } from './lookahead.ts';
import { accept, enter, expect, placeFrom, type Reader, skipParentheses } from './reader.ts';
import { W } from './words.ts';

export interface QualifiedName {
  readonly name: string;
  /** Those of the last part that has any. */
  readonly targs: readonly TypeArg[] | undefined;
}

/** `a`, `a::b`, `::a`, `a<int>::b<3>`, up to a word that may stand behind the last `::` in place of a name. */
export function qualifiedName(r: Reader, ending?: W): QualifiedName {
  if (r.words[r.at] === W.name && r.words[r.at + 1] !== W.scope && r.words[r.at + 1] !== W.less)
    return { name: r.tokens[r.at++].text, targs: undefined };
  accept(r, W.scope);
  let name = expect(r, W.name).text;
  let targs: readonly TypeArg[] | undefined;
  for (;;) {
    if (opensTemplateArgs(r, r.at)) targs = templateArgs(r);
    if (!accept(r, W.scope) || r.words[r.at] === ending) return { name, targs };
    name += `::${expect(r, isScopedBasic(r) ? W.basic : W.name).text}`;
  }
}

/** `std::size_t` */
function isScopedBasic({ words, tokens, at }: Reader): boolean {
  return words[at] === W.basic && tokens[at].text === 'size_t';
}

export function templateArgs(r: Reader): TypeArg[] {
  const { inTemplate } = r;
  enter(r);
  expect(r, W.less);
  r.inTemplate = true;
  const args: TypeArg[] = [];
  if (r.words[r.at] !== W.greater)
    do {
      args.push(templateArg(r));
      accept(r, W.ellipsis);
    } while (accept(r, W.comma));
  r.inTemplate = inTemplate;
  r.depth--;
  expect(r, W.greater);
  return args;
}

function templateArg(r: Reader): TypeArg {
  if (!startsTypeArg(r)) return { value: argument(r) };
  const first = r.tokens[r.at];
  const isName = r.words[r.at] === W.name || r.words[r.at] === W.scope;
  const type = typeId(r);
  // `void(int)`
  if (r.words[r.at] === W.open) {
    skipParentheses(r);
    return { type: { ...type, ...placeFrom(r, first) } };
  }
  // A lone name may be either a type or a value; both readings are kept.
  if (!isName || type.pointers > 0 || type.reference || type.dims.length > 0 || type.quals.length > 0) return { type };
  const value: Expr = { k: 'name', name: type.name, targs: type.targs, ...placeFrom(r, first) };
  return { type, value };
}
