/** Items and definitions of a text, and a short way to write a syntax tree down. */
import { readFileSync } from 'node:fs';
import type { Def, Expr, Param, Stmt, TypeRef } from '../../analyzers/syntax/ast.ts';
import { parseDefinitions } from '../../analyzers/syntax/parse.ts';
import { expand, type Macro, parseDefine } from '../../analyzers/syntax/preprocess.ts';
import type { Source } from '../../analyzers/syntax/source.ts';
import { type Grammars, loadGrammars } from '../../analyzers/syntax/tree/grammar.ts';
import { assets } from './open.ts';

export function loadTestGrammars(): Promise<Grammars> {
  return loadGrammars(assets());
}

export function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/analyzers/syntax/${name}`, import.meta.url), 'utf8');
}

const TYPES = new Set(['T', 'Real', 'Particle', 'Tile', 'Mode']);

/** Definitions by item, all macros of the file known everywhere. */
export function definitionsOf(grammars: Grammars, source: Source): Def[][] {
  const macros = new Map<string, Macro>();
  for (const item of source.items) {
    const macro = item.kind === 'directive' && item.tokens[0]?.kind === 'directive' ? parseDefine(item.tokens[0].text) : undefined;
    if (macro) macros.set(macro.name, macro);
  }
  return source.items.map((item) =>
    item.kind === 'declaration'
      ? parseDefinitions(grammars, item.tokens, TYPES, {
          dialect: item.dialect,
          holder: item,
          expand: (tokens) => expand(tokens, macros),
        }).map(withBody)
      : [],
  );
}

/** A body that is read when something looks into it, read: it has to compare like any other. */
function withBody(def: Def): Def {
  if (def.d !== 'function' || def.body?.k !== 'block') return def;
  const { k, start, end, body } = def.body;
  return { ...def, body: { k, start, end, body } };
}

export function printType(t: TypeRef): string {
  const quals = t.quals.length > 0 ? `${t.quals.join(' ')} ` : '';
  const targs = t.targs ? `<${t.targs.map((a) => (a.type ? printType(a.type) : a.value ? print(a.value) : '?')).join(', ')}>` : '';
  const wrap = t.pointerToArray ? '(*)' : '';
  const dims = t.dims.map((d) => `[${d ? print(d) : ''}]`).join('');
  return `${quals}${t.name}${targs}${'*'.repeat(t.pointers)}${t.reference ? '&' : ''}${wrap}${dims}`;
}

/** Fully bracketed, so that precedence shows. */
export function print(e: Expr): string {
  const list = (items: readonly Expr[]) => items.map(print).join(', ');
  const targs = (a: typeof e & { k: 'name' | 'member' }) =>
    a.targs ? `<${a.targs.map((t) => (t.value ? print(t.value) : t.type ? printType(t.type) : '?')).join(', ')}>` : '';
  switch (e.k) {
    case 'number':
      return `${e.value}${e.suffix === 'char' ? "'" : e.suffix}`;
    case 'string':
      return JSON.stringify(e.text);
    case 'bool':
      return String(e.value);
    case 'name':
      return `${e.name}${targs(e)}`;
    case 'unary':
      return `(${e.op}${print(e.a)})`;
    case 'postfix':
      return `(${print(e.a)}${e.op})`;
    case 'binary':
    case 'assign':
      return `(${print(e.a)} ${e.op} ${print(e.b)})`;
    case 'cond':
      return `(${print(e.c)} ? ${print(e.a)} : ${print(e.b)})`;
    case 'call':
      return `${print(e.f)}(${list(e.args)})`;
    case 'launch':
      return `${print(e.f)}<<<${list(e.config)}>>>(${list(e.args)})`;
    case 'index':
      return `${print(e.a)}[${print(e.i)}]`;
    case 'member':
      return `${print(e.a)}${e.arrow ? '->' : '.'}${e.name}${targs(e)}`;
    case 'cast':
      return `${e.style}<${printType(e.type)}>(${print(e.a)})`;
    case 'construct':
      return `${printType(e.type)}${e.braced ? '{' : '('}${list(e.args)}${e.braced ? '}' : ')'}`;
    case 'list':
      return `{${list(e.items)}}`;
    case 'sizeof':
      return `sizeof(${e.a ? print(e.a) : e.type ? printType(e.type) : ''})`;
    case 'new':
      return `new ${printType(e.type)}(${list(e.args)})`;
    case 'lambda':
      return `${e.device ? 'device ' : ''}lambda(${e.params.map(printParam).join(', ')}) ${printStmt(e.body)}`;
    default:
      return e.k;
  }
}

function printParam(p: Param): string {
  return `${printType(p.type)} ${p.name ?? ''}`;
}

export function printStmt(s: Stmt): string {
  switch (s.k) {
    case 'block':
      return `{ ${s.body.map(printStmt).join(' ')} }`;
    case 'decl':
      return `${s.decls
        .map((d) => {
          const name = d.bindings ? `[${d.bindings.join(', ')}]` : d.name;
          const rest = d.init ? ` = ${print(d.init)}` : d.args ? `(${d.args.map(print).join(', ')})` : '';
          return `${printType(d.type)} ${name}${rest}`;
        })
        .join(', ')};`;
    case 'expr':
      return `${print(s.e)};`;
    case 'if':
      return `if ${s.init ? `${printStmt(s.init)} ` : ''}${print(s.c)} ${printStmt(s.then)}${s.else ? ` else ${printStmt(s.else)}` : ''}`;
    case 'for': {
      const part = (e: Expr | undefined) => (e ? print(e) : '');
      return `${s.unroll ? 'unrolled ' : ''}for (${s.init ? printStmt(s.init) : ''} ${part(s.c)}; ${part(s.step)}) ${printStmt(s.body)}`;
    }
    case 'range':
      return `for (${printType(s.decl.type)} ${s.decl.bindings?.join(' ') ?? s.decl.name} : ${print(s.over)}) ${printStmt(s.body)}`;
    case 'while':
      return `while ${print(s.c)} ${printStmt(s.body)}`;
    case 'do':
      return `do ${printStmt(s.body)} while ${print(s.c)}`;
    case 'switch':
      return `switch ${print(s.c)} ${printStmt(s.body)}`;
    case 'case':
      return s.value ? `case ${print(s.value)}:` : 'default:';
    case 'return':
      return s.e ? `return ${print(s.e)};` : 'return;';
    default:
      return `${s.k};`;
  }
}

/** mulberry32: a failure can be repeated. */
export function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
