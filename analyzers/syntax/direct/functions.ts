/**
 * Reads functions straight from their tokens. Most code is plain: every name is known as a type or is none, and every bracket is closed.
 * Of such text nothing needs to be guessed, and it is read in a tenth of the time that a general parser takes. Everything else (half-typed
 * text, operators, macros from elsewhere that are no expressions) is declined, and tree-sitter says what it is (tree/).
 */
import type { Expr, FunctionDef, Stmt, TemplateParam, TypeArg } from '../ast.ts';
import type { TypeNames } from '../names.ts';
import type { Token } from '../token.ts';
import { list } from './expressions.ts';
import { accept, DECLINED, decline, expect, placeFrom, type Reader, readerOf } from './reader.ts';
import { block } from './statements.ts';
import { parameter, parameters, type QualifiedName, qualifiedName, specifiers, typeId } from './types.ts';
import { W } from './words.ts';

/** The function that the tokens are, all of them; undefined where the reader is not sure. */
export function readFunction(tokens: readonly Token[], known: TypeNames): FunctionDef | undefined {
  const r = readerOf(tokens, known);
  try {
    const def = functionDefinition(r);
    return r.words[r.at] === W.end ? def : undefined;
  } catch (thrown) {
    if (thrown === DECLINED) return undefined;
    throw thrown;
  }
}

function functionDefinition(r: Reader): FunctionDef {
  const { words, tokens } = r;
  const first = tokens[0];
  if (words[r.at] === W.qualifier && first.text === 'extern' && words[r.at + 1] === W.string) r.at += 2;
  let isTemplate = false;
  const templates: TemplateParam[] = [];
  while (accept(r, W.template)) {
    isTemplate = true;
    templates.push(...templateParams(r));
  }
  const bounds: Expr[][] = [];
  const base = specifiers(r, bounds);
  const returns = { ...base, quals: [...base.quals] };
  for (; words[r.at] === W.times || words[r.at] === W.and || words[r.at] === W.andAnd || words[r.at] === W.qualifier; r.at++) {
    if (words[r.at] === W.times) returns.pointers++;
    else if (words[r.at] === W.qualifier) decline();
    else returns.reference = true;
    returns.end = Math.max(returns.end, tokens[r.at].end);
  }
  if (accept(r, W.launchBounds)) bounds.push(list(r, W.open, W.close));
  const token = tokens[r.at];
  const { name, targs } = functionName(r);
  const params = parameters(r);
  while (words[r.at] === W.qualifier) r.at++;
  const body: Stmt = block(r);
  return {
    d: 'function',
    name,
    nameStart: token.start,
    nameEnd: token.end,
    quals: returns.quals,
    templates,
    specialised: isTemplate ? targs : undefined,
    returns,
    params,
    launchBounds: bounds[0],
    body,
    owner: undefined,
    ...placeFrom(r, first),
  };
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
  const { text } = tokens[r.at];
  if ((text !== 'typename' && text !== 'class') || words[r.at + 2] === W.scope) return valueParam(r);
  r.at++;
  const pack = accept(r, W.ellipsis);
  const name = words[r.at] === W.name ? tokens[r.at++].text : '';
  const init: TypeArg | undefined = accept(r, W.assign) ? { type: typeId(r) } : undefined;
  return { name, kind: 'type', pack, init };
}

function valueParam(r: Reader): TemplateParam {
  const { name = '', type, pack, init } = parameter(r);
  return { name, kind: 'value', type, pack, init: init && { value: init } };
}
