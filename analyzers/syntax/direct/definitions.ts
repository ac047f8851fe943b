/**
 * Reads what an item defines straight from its tokens. Most code is plain: every name is known as a type or is none, and every bracket is
 * closed. Of such text nothing needs to be guessed, and it is read in a fraction of the time that a general parser takes. Everything else
 * (half-typed text, macros from elsewhere that are no expressions, rare syntax) is declined, and tree-sitter says what it is (tree/).
 */
import type { AggregateDef, Def, FunctionDef, NamespaceAlias, Stmt, TemplateParam, TypeArg, TypeRef, VariableDef } from '../ast.ts';
import type { TypeNames } from '../names.ts';
import type { Token } from '../token.ts';
import { declarators, declaredType, parameters, typeId } from './declarators.ts';
import { initializer, list } from './expressions.ts';
import { opensParameters, opensStructure } from './lookahead.ts';
import { type QualifiedName, qualifiedName } from './qualified-names.ts';
import { accept, DECLINED, decline, expect, inside, placeFrom, type Reader, readerOf } from './reader.ts';
import { block, staticAssertion } from './statements.ts';
import { structure } from './structures.ts';
import { type Specifiers, specifiers, typeSpecifiers, withPointers } from './types.ts';
import { W } from './words.ts';

/** What the tokens define, all of them; undefined where the reader is not sure. */
export function readDefinitions(tokens: readonly Token[], known: TypeNames): Def[] | undefined {
  try {
    const r = readerOf(tokens, known);
    const defs = definition(r, { first: r.tokens[0] });
    return r.words[r.at] === W.end ? defs : undefined;
  } catch (thrown) {
    if (thrown === DECLINED) return undefined;
    throw thrown;
  }
}

/** What a definition stands in. */
export interface Surroundings {
  /** The token that the whole begins with. */
  readonly first: Token;
  /** Parameters of the `template <…>` before it; undefined where there is none. */
  readonly templates?: readonly TemplateParam[];
  /** The structure that it is a member of. */
  readonly owner?: string;
}

/** One definition, up to its semicolon or closing brace. */
export function definition(r: Reader, around: Surroundings): Def[] {
  const { words, tokens } = r;
  switch (words[r.at]) {
    case W.typedef:
      return typedef(r, around);
    case W.using:
      return alias(r, around);
    case W.namespace:
      return [namespaceAlias(r)];
    case W.staticAssert:
      staticAssertion(r);
      return [];
    case W.template: {
      const templates = templateHeads(r);
      return definition(r, templates ? { ...around, templates } : around);
    }
    default:
  }
  if (words[r.at + 1] === W.string && tokens[r.at].text === 'extern') {
    r.at += 2;
    return inside(r, () => definition(r, around));
  }
  return opensStructure(r) ? structureAndVariables(r, around) : functionOrVariables(r, around);
}

/** A structure with its body, and what is declared behind it. */
function structureAndVariables(r: Reader, around: Surroundings): Def[] {
  while (accept(r, W.qualifier));
  const def = structure(r, around);
  if (accept(r, W.semicolon) || r.words[r.at] === W.end) return [def];
  return [def, variables(r, typeOf(def), around)];
}

/** The type that a structure is, for what is declared behind it. */
function typeOf({ name, start, end }: AggregateDef): TypeRef {
  return { name, targs: undefined, pointers: 0, reference: false, dims: [], quals: [], start, end };
}

function variables(r: Reader, base: TypeRef, { first }: Surroundings): VariableDef {
  const list = declarators(r, base);
  expect(r, W.semicolon);
  return { d: 'variable', declarators: list, ...placeFrom(r, first) };
}

function typedef(r: Reader, { first }: Surroundings): Def[] {
  expect(r, W.typedef);
  const out: Def[] = [];
  const def = opensStructure(r) ? structure(r, { first }) : undefined;
  let base = def ? typeOf(def) : typeSpecifiers(r);
  if (def) out.push(def);
  do {
    const from = r.tokens[r.at];
    const { type, name: index } = declaredType(r, base);
    if (index < 0) decline();
    const name = r.tokens[index].text;
    // `typedef struct { … } name;`: the structure takes the name.
    if (def?.name === '' && base.name === '' && type.pointers === 0) {
      out[0] = { ...def, name };
      base = { ...base, name };
    } else out.push({ d: 'alias', name, type, templates: [], start: first.start, end: placeFrom(r, from).end });
  } while (accept(r, W.comma));
  expect(r, W.semicolon);
  return out;
}

/** `using a = b;`; `using namespace a;` and `using a::b;` define nothing. */
function alias(r: Reader, { first, templates = [] }: Surroundings): Def[] {
  const from = expect(r, W.using);
  if (r.words[r.at + 1] !== W.assign) {
    if (!accept(r, W.namespace)) accept(r, W.qualifier);
    qualifiedName(r);
    expect(r, W.semicolon);
    return [];
  }
  const name = expect(r, W.name).text;
  expect(r, W.assign);
  const type = typeId(r);
  expect(r, W.semicolon);
  return [{ d: 'alias', name, type, templates, start: first.start, end: placeFrom(r, from).end }];
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

/** The parameters of all `template <…>`; undefined where there is none, or only one without parameters, which instantiates. */
function templateHeads(r: Reader): TemplateParam[] | undefined {
  let params: TemplateParam[] | undefined;
  while (accept(r, W.template)) {
    if (r.words[r.at] !== W.less) continue;
    params ??= [];
    params.push(...templateParams(r));
  }
  return params;
}

function functionOrVariables(r: Reader, around: Surroundings): Def[] {
  const special = around.owner === undefined ? undefined : specialMember(r, around.owner);
  if (special === 'destructor') return [];
  const written = special ?? specifiers(r);
  // A structure that is declared alone.
  if (accept(r, W.semicolon)) return [];
  const from = r.at;
  const def = functionDefinition(r, written, around);
  if (def) return [def];
  r.at = from;
  return [variables(r, written.type, around)];
}

/** From behind the specifiers on; undefined where no function is declared. Constructors have a type without a name before them. */
function functionDefinition(r: Reader, written: Specifiers, around: Surroundings): FunctionDef | undefined {
  const { words, tokens } = r;
  const { first, templates, owner } = around;
  const isConstructor = written.type.name === '';
  let returns = withPointers(r, written.type);
  const launchBounds = accept(r, W.launchBounds) ? list(r, W.open, W.close) : written.launchBounds;
  const token = tokens[r.at];
  if (words[r.at] !== W.name && words[r.at] !== W.operator && words[r.at] !== W.scope) return undefined;
  const { name, targs } = functionName(r);
  if (words[r.at] !== W.open || (owner === undefined && !opensParameters(r))) return undefined;
  const params = parameters(r);
  if (isConstructor) returns = { ...returns, name, start: token.start, end: token.end };
  const body = functionBody(r, isConstructor);
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
    owner,
    ...placeFrom(r, first),
  };
}

/** What stands behind the parameters; undefined where the function is only declared, defaulted or deleted. */
function functionBody(r: Reader, isConstructor: boolean): Stmt | undefined {
  const { words, tokens } = r;
  while (words[r.at] === W.qualifier || (words[r.at] === W.foreign && /^(override|final)$/.test(tokens[r.at].text))) r.at++;
  if (accept(r, W.semicolon)) return undefined;
  // `= 0;`, `= default;`, `= delete;`
  if (words[r.at] === W.assign && words[r.at + 2] === W.semicolon) {
    r.at += 3;
    return undefined;
  }
  if (isConstructor && accept(r, W.colon)) memberInitialisers(r);
  return block(r);
}

function memberInitialisers(r: Reader): void {
  do {
    qualifiedName(r);
    if (r.words[r.at] === W.open) list(r, W.open, W.close);
    else list(r, W.openBrace, W.closeBrace);
  } while (accept(r, W.comma));
}

/** A constructor's specifiers, or that a destructor was read, which says nothing about kernels; undefined for other members. */
function specialMember(r: Reader, owner: string): Specifiers | 'destructor' | undefined {
  const { words, tokens } = r;
  const from = r.at;
  let i = from;
  while (words[i] === W.qualifier) i++;
  if (words[i] === W.complement) {
    r.at = i + 2;
    parameters(r);
    functionBody(r, false);
    return 'destructor';
  }
  if (words[i] !== W.name || words[i + 1] !== W.open || tokens[i].text !== owner) return undefined;
  r.at = i;
  const quals = tokens.slice(from, i).map((token) => token.text);
  const { start } = tokens[from];
  return {
    type: { name: '', targs: undefined, pointers: 0, reference: false, dims: [], quals, start, end: tokens[i].end },
    launchBounds: undefined,
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
  if (name === 'operator') decline();
  return name;
}

function templateParams(r: Reader): TemplateParam[] {
  const params: TemplateParam[] = [];
  expect(r, W.less);
  r.inTemplate = true;
  if (r.words[r.at] !== W.greater)
    do params.push(templateParam(r));
    while (accept(r, W.comma));
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
  const d = declaredType(r, typeSpecifiers(r));
  const init = accept(r, W.assign) ? { value: initializer(r) } : undefined;
  return { name: d.name < 0 ? '' : r.tokens[d.name].text, kind: 'value', type: d.type, pack: d.pack, init };
}
