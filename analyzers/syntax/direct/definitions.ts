/**
 * Reads what an item defines straight from its tokens. Most code is plain: every name is known as a type or is none, and every bracket is
 * closed. Of such text nothing needs to be guessed, and it is read in a fraction of the time that a general parser takes. Everything else
 * (half-typed text, macros from elsewhere that are no expressions, rare syntax) is declined, and tree-sitter says what it is (tree/).
 */
import type { AliasDef, Def, Expr, FunctionDef, NamespaceAlias, TemplateParam, TypeArg, TypeRef } from '../ast.ts';
import type { TypeNames } from '../names.ts';
import type { Token } from '../token.ts';
import { initializer, list } from './expressions.ts';
import { accept, DECLINED, decline, expect, placeFrom, type Reader, readerOf } from './reader.ts';
import { block, skipped } from './statements.ts';
import { declarators, declaredType, opensParameters, parameters, type QualifiedName, qualifiedName, specifiers, typeId } from './types.ts';
import { W } from './words.ts';

/** What the tokens define, all of them; undefined where the reader is not sure. */
export function readDefinitions(tokens: readonly Token[], known: TypeNames): Def[] | undefined {
  const r = readerOf(tokens, known);
  try {
    const defs = definitions(r);
    return r.words[r.at] === W.end ? defs : undefined;
  } catch (thrown) {
    if (thrown === DECLINED) return undefined;
    throw thrown;
  }
}

function definitions(r: Reader): Def[] {
  switch (r.words[0]) {
    case W.typedef:
      return [typedef(r)];
    case W.using:
      return alias(r, []);
    case W.namespace:
      return [namespaceAlias(r)];
    case W.staticAssert:
      skipped(r);
      return [];
    default:
      return functionOrVariables(r);
  }
}

function typedef(r: Reader): AliasDef {
  const { start } = expect(r, W.typedef);
  const from = r.tokens[r.at];
  const { type, name } = declaredType(r, specifiers(r));
  if (name < 0) decline();
  const { end } = placeFrom(r, from);
  expect(r, W.semicolon);
  return { d: 'alias', name: r.tokens[name].text, type, templates: [], start, end };
}

/** `using a = b;`; other forms define nothing. */
function alias(r: Reader, templates: readonly TemplateParam[]): Def[] {
  const { words, tokens } = r;
  if (words[r.at + 1] !== W.name || words[r.at + 2] !== W.assign) {
    skipped(r);
    return [];
  }
  const first = expect(r, W.using);
  const { text } = expect(r, W.name);
  r.at++;
  const type = typeId(r);
  expect(r, W.semicolon);
  const { end } = placeFrom(r, first);
  return [{ d: 'alias', name: text, type, templates, start: tokens[0].start, end }];
}

function namespaceAlias(r: Reader): NamespaceAlias {
  const first = expect(r, W.namespace);
  const { text } = expect(r, W.name);
  expect(r, W.assign);
  const scope = r.words[r.at] === W.scope ? '::' : '';
  const { name } = qualifiedName(r);
  expect(r, W.semicolon);
  return { d: 'namespace', name: text, target: scope + name, ...placeFrom(r, first) };
}

function functionOrVariables(r: Reader): Def[] {
  const { words, tokens } = r;
  if (words[0] === W.qualifier && tokens[0].text === 'extern' && words[1] === W.string) r.at += 2;
  const templates = templateHeads(r);
  if (templates && words[r.at] === W.using) return alias(r, templates);
  const bounds: Expr[][] = [];
  const base = specifiers(r, bounds);
  // A structure that is declared alone.
  if (accept(r, W.semicolon)) return [];
  const from = r.at;
  const def = functionDefinition(r, base, templates, bounds);
  if (def) return [def];
  r.at = from;
  const variables = declarators(r, base);
  expect(r, W.semicolon);
  return [{ d: 'variable', declarators: variables, ...placeFrom(r, tokens[0]) }];
}

/** The parameters of all `template <…>`; undefined where there is none, or only one without parameters, which instantiates. */
function templateHeads(r: Reader): TemplateParam[] | undefined {
  let params: TemplateParam[] | undefined;
  while (accept(r, W.template)) if (r.words[r.at] === W.less) params = [...(params ?? []), ...templateParams(r)];
  return params;
}

/** From behind the specifiers on; undefined where no function is declared. */
function functionDefinition(
  r: Reader,
  base: TypeRef,
  templates: readonly TemplateParam[] | undefined,
  bounds: readonly (readonly Expr[])[],
): FunctionDef | undefined {
  const { words, tokens } = r;
  const returns = returnType(r, base);
  const launchBounds = accept(r, W.launchBounds) ? list(r, W.open, W.close) : bounds[0];
  const token = tokens[r.at];
  if (words[r.at] !== W.name && words[r.at] !== W.operator && words[r.at] !== W.scope) return undefined;
  const { name, targs } = functionName(r);
  if (words[r.at] !== W.open || !opensParameters(r)) return undefined;
  const params = parameters(r);
  while (words[r.at] === W.qualifier) r.at++;
  const body = accept(r, W.semicolon) ? undefined : block(r);
  return {
    d: 'function',
    name,
    nameStart: token.start,
    nameEnd: token.end,
    quals: returns.quals,
    templates: templates ?? [],
    specialised: templates && targs,
    returns,
    params,
    launchBounds,
    body,
    owner: undefined,
    ...placeFrom(r, tokens[0]),
  };
}

/** With the `*` and `&` behind it. */
function returnType(r: Reader, base: TypeRef): TypeRef {
  const returns = { ...base, quals: [...base.quals] };
  for (; ; r.at++) {
    const word = r.words[r.at];
    if (word === W.times) returns.pointers++;
    else if (word === W.and || word === W.andAnd) returns.reference = true;
    else return returns;
    returns.end = Math.max(returns.end, r.tokens[r.at].end);
  }
}

/** The arguments are those behind the name itself. */
function functionName(r: Reader): QualifiedName {
  if (r.words[r.at] === W.operator) return { name: operatorName(r), targs: undefined };
  const { name, targs } = qualifiedName(r, W.operator);
  if (r.words[r.at] === W.operator && r.words[r.at - 1] === W.scope) return { name: `${name}::${operatorName(r)}`, targs: undefined };
  return { name, targs: r.words[r.at - 1] === W.greater ? targs : undefined };
}

function operatorName(r: Reader): string {
  let name = expect(r, W.operator).text;
  if (r.words[r.at] === W.open && r.words[r.at + 1] === W.close) {
    r.at += 2;
    return `${name}()`;
  }
  for (; r.words[r.at] !== W.open; r.at++) {
    // A conversion.
    if (r.tokens[r.at]?.kind !== 'punct') decline();
    name += r.tokens[r.at].text;
  }
  return name;
}

function templateParams(r: Reader): TemplateParam[] {
  const params: TemplateParam[] = [];
  expect(r, W.less);
  r.inTemplate = true;
  while (r.words[r.at] !== W.greater) {
    params.push(templateParam(r));
    if (!accept(r, W.comma)) break;
  }
  r.inTemplate = false;
  expect(r, W.greater);
  return params;
}

function templateParam(r: Reader): TemplateParam {
  const { words, tokens } = r;
  const text = tokens[r.at]?.text;
  if ((text !== 'typename' && text !== 'class') || words[r.at + 2] === W.scope) return valueParam(r);
  r.at++;
  const pack = accept(r, W.ellipsis);
  const name = words[r.at] === W.name ? tokens[r.at++].text : '';
  const init: TypeArg | undefined = accept(r, W.assign) ? { type: typeId(r) } : undefined;
  return { name, kind: 'type', pack, init };
}

function valueParam(r: Reader): TemplateParam {
  const d = declaredType(r, specifiers(r));
  const init = accept(r, W.assign) ? { value: initializer(r) } : undefined;
  return { name: d.name < 0 ? '' : r.tokens[d.name].text, kind: 'value', type: d.type, pack: d.pack, init };
}
