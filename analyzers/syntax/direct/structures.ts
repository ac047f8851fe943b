/** Structures, unions and enumerations with their members. */
import type { AggregateDef, Expr, TypeRef } from '../ast.ts';
import { addMembers, type Members, newMembers } from '../nested-definitions.ts';
import { typeId } from './declarators.ts';
import { definition, type Surroundings } from './definitions.ts';
import { argument, expression } from './expressions.ts';
import { qualifiedName } from './qualified-names.ts';
import { accept, decline, enter, expect, placeFrom, type Reader } from './reader.ts';
import { namedType } from './types.ts';
import { W } from './words.ts';

/** Up to its closing brace. */
export function structure(r: Reader, { first, templates = [] }: Surroundings): AggregateDef {
  const { words, tokens } = r;
  const kind = expect(r, W.aggregate).text as AggregateDef['kind'];
  if (kind === 'enum') accept(r, W.aggregate);
  let align: Expr | undefined;
  if (accept(r, W.alignment)) {
    expect(r, W.open);
    align = expression(r);
    expect(r, W.close);
  }
  let name = '';
  if (words[r.at] === W.name) ({ name } = qualifiedName(r));
  name = name.slice(name.lastIndexOf(':') + 1);
  if (words[r.at] === W.foreign && tokens[r.at].text === 'final') r.at++;
  const bases = accept(r, W.colon) ? basesOf(r, kind) : [];
  const members = kind === 'enum' ? enumerators(r) : membersOf(r, name);
  return { d: 'aggregate', name, kind, templates, bases, ...members, align, packed: false, ...placeFrom(r, first) };
}

const ACCESS = /^(public|protected|private)$/;

function basesOf(r: Reader, kind: AggregateDef['kind']): TypeRef[] {
  if (kind === 'enum') {
    typeId(r);
    return [];
  }
  const bases: TypeRef[] = [];
  do {
    while (r.words[r.at] === W.qualifier || (r.words[r.at] === W.foreign && ACCESS.test(r.tokens[r.at].text))) r.at++;
    const first = r.tokens[r.at];
    const { name, targs } = qualifiedName(r);
    bases.push(namedType(r, name, targs, first));
  } while (accept(r, W.comma));
  return bases;
}

function enumerators(r: Reader): Members {
  const members = newMembers();
  expect(r, W.openBrace);
  while (r.words[r.at] !== W.closeBrace) {
    const name = expect(r, W.name).text;
    members.constants.push({ name, value: accept(r, W.assign) ? argument(r) : undefined });
    if (!accept(r, W.comma)) break;
  }
  expect(r, W.closeBrace);
  return members;
}

function membersOf(r: Reader, owner: string): Members {
  const members = newMembers();
  expect(r, W.openBrace);
  enter(r);
  while (!accept(r, W.closeBrace)) {
    if (accept(r, W.semicolon) || isAccessLabel(r)) continue;
    const first = r.tokens[r.at];
    const isStatic = hasStatic(r);
    addMembers(members, definition(r, { first, owner }), isStatic);
  }
  r.depth--;
  return members;
}

/** Goes past `public:`. */
function isAccessLabel(r: Reader): boolean {
  if (r.words[r.at] !== W.foreign || r.words[r.at + 1] !== W.colon) return false;
  if (!ACCESS.test(r.tokens[r.at].text)) decline();
  r.at += 2;
  return true;
}

function hasStatic({ tokens, words, at }: Reader): boolean {
  for (let i = at; words[i] === W.qualifier; i++) {
    if (tokens[i].text === 'friend') decline();
    if (tokens[i].text === 'static' || tokens[i].text === 'constexpr') return true;
  }
  return false;
}
