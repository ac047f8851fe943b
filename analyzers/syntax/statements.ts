/** Statements and local declarations. A statement that cannot be read is skipped to its semicolon. */
import type { Declarator, Expr, Node, Param, Stmt, TypeRef } from './ast.ts';
import { ExpressionParser } from './expressions.ts';
import { abstractDeclarator, isBasicType, isQualifier, isTypeName, parseSpecifiers } from './types.ts';

const DECLARATOR_ENDS = new Set(['=', ';', ',', '[', '(', '{', ':', ')']);

export class StatementParser extends ExpressionParser {
  private nesting = 0;

  block(): Stmt {
    const { c } = this;
    const start = c.peek().start;
    c.accept('{');
    const body: Stmt[] = [];
    while (!c.done && !c.is('}')) {
      const at = c.at;
      body.push(this.statement());
      if (c.at === at) c.next();
    }
    c.accept('}');
    return { k: 'block', body, start, end: c.endBefore };
  }

  statement(): Stmt {
    const { c } = this;
    const token = c.peek();
    if (this.nesting > 120) {
      this.toSemicolon();
      return { k: 'empty', start: token.start, end: c.endBefore };
    }
    this.nesting++;
    const stmt = this.parseStatement();
    this.nesting--;
    return stmt;
  }

  private parseStatement(): Stmt {
    const { c } = this;
    const token = c.peek();
    const { start } = token;
    const here = () => ({ start, end: c.endBefore });
    if (token.kind === 'directive') {
      c.next();
      const next = c.done ? undefined : this.statement();
      return next?.k === 'for' && /^#\s*pragma\s+unroll/.test(token.text) ? { ...next, unroll: true } : (next ?? { k: 'empty', ...here() });
    }
    if (token.text === '{') return this.block();
    if (c.accept(';')) return { k: 'empty', ...here() };
    if (token.kind === 'name') {
      switch (token.text) {
        case 'if':
          return this.ifStatement();
        case 'for':
          return this.forStatement();
        case 'while':
          return this.whileStatement();
        case 'do':
          return this.doStatement();
        case 'switch':
          return this.switchStatement();
        case 'case': {
          c.next();
          const value = this.expression();
          if (c.is('...')) this.skipTo(':');
          c.accept(':');
          return { k: 'case', value, ...here() };
        }
        case 'default':
          c.next();
          c.accept(':');
          return { k: 'case', ...here() };
        case 'return': {
          c.next();
          const e = c.is(';') ? undefined : c.is('{') ? this.braced() : this.comma();
          this.toSemicolon();
          return { k: 'return', e, ...here() };
        }
        case 'break':
        case 'continue':
          c.next();
          this.toSemicolon();
          return { k: token.text, ...here() };
        case 'goto':
          this.toSemicolon();
          return { k: 'goto', ...here() };
        case 'else':
        case 'try':
          c.next();
          return this.statement();
        case 'catch':
          c.next();
          if (c.is('(')) c.at = c.closing(c.at) + 1;
          this.block();
          return { k: 'empty', ...here() };
        case 'asm':
        case '__asm__':
          this.toSemicolon();
          return { k: 'asm', ...here() };
        case 'struct':
        case 'class':
        case 'union':
        case 'enum':
        case 'using':
        case 'typedef':
        case 'static_assert': {
          const local = this.localDefinition();
          if (local) return local;
          break;
        }
        default:
      }
      if (c.is(':', 1) && !c.is('::', 1)) {
        c.at += 2;
        return { k: 'empty', ...here() };
      }
    }
    const decl = this.declaration();
    if (decl) return decl;
    const e = this.comma();
    this.toSemicolon();
    return { k: 'expr', e, ...here() };
  }

  /** Structures, aliases and assertions inside a function; the definition parser overrides it. */
  protected localDefinition(): Stmt | undefined {
    return undefined;
  }

  toSemicolon(): void {
    const { c } = this;
    while (!c.done && !c.is(';') && !c.is('}')) {
      if (c.is('(') || c.is('[') || c.is('{')) c.at = c.closing(c.at) + 1;
      else c.next();
    }
    c.accept(';');
  }

  private head(start: number): Node {
    return { start, end: this.c.endBefore };
  }

  private ifStatement(): Stmt {
    const { c } = this;
    const { start } = c.next();
    const constexpr = c.accept('constexpr');
    c.accept('(');
    let init: Stmt | undefined;
    const from = c.at;
    const decl = this.declaration();
    let cond: Expr;
    if (decl && !c.is(')') && c.tokens[c.at - 1]?.text === ';') {
      init = decl;
      cond = this.comma();
    } else if (decl?.k === 'decl') {
      init = decl;
      const d = decl.decls[0];
      cond = { k: 'name', name: d.name, start: d.start, end: d.end };
    } else {
      c.at = from;
      cond = this.comma();
    }
    if (!c.is(')')) this.skipTo(')');
    c.accept(')');
    const head = this.head(start);
    const then = this.attributed();
    const otherwise = c.accept('else') ? this.statement() : undefined;
    return { k: 'if', init, c: cond, then, else: otherwise, constexpr, head, start, end: c.endBefore };
  }

  private attributed(): Stmt {
    if (this.c.is('[') && this.c.is('[', 1)) this.c.at = this.c.closing(this.c.at) + 1;
    return this.statement();
  }

  private forStatement(): Stmt {
    const { c } = this;
    const { start } = c.next();
    c.accept('(');
    const close = c.closing(c.at - 1);
    let init: Stmt | undefined;
    if (!c.accept(';')) {
      const decl = this.declaration();
      if (decl?.k === 'decl' && c.is(':')) {
        c.next();
        const over = c.is('{') ? this.braced() : this.comma();
        c.at = Math.max(c.at, close);
        c.accept(')');
        const head = this.head(start);
        const body = this.statement();
        return { k: 'range', decl: decl.decls[0], over, body, head, start, end: c.endBefore };
      }
      if (decl) init = decl;
      else {
        const e = this.comma();
        init = { k: 'expr', e, start: e.start, end: e.end };
        c.accept(';');
      }
    }
    const cond = c.is(';') ? undefined : this.comma();
    if (!c.is(';')) this.skipTo(';');
    c.accept(';');
    const step = c.is(')') ? undefined : this.comma();
    if (!c.is(')')) this.skipTo(')');
    c.accept(')');
    const head = this.head(start);
    const body = this.statement();
    return { k: 'for', init, c: cond, step, body, head, start, end: c.endBefore };
  }

  private whileStatement(): Stmt {
    const { c } = this;
    const { start } = c.next();
    c.accept('(');
    const cond = this.comma();
    if (!c.is(')')) this.skipTo(')');
    c.accept(')');
    const head = this.head(start);
    const body = this.statement();
    return { k: 'while', c: cond, body, head, start, end: c.endBefore };
  }

  private doStatement(): Stmt {
    const { c } = this;
    const { start } = c.next();
    const body = this.statement();
    const headStart = c.peek().start;
    c.accept('while');
    c.accept('(');
    const cond = this.comma();
    if (!c.is(')')) this.skipTo(')');
    c.accept(')');
    const head = this.head(headStart);
    c.accept(';');
    return { k: 'do', c: cond, body, head, start, end: c.endBefore };
  }

  private switchStatement(): Stmt {
    const { c } = this;
    const { start } = c.next();
    c.accept('(');
    const cond = this.comma();
    if (!c.is(')')) this.skipTo(')');
    c.accept(')');
    const head = this.head(start);
    const body = this.statement();
    return { k: 'switch', c: cond, body, head, start, end: c.endBefore };
  }

  /** A declaration at the cursor, up to and with its semicolon (or before `:` and `)` in heads); undefined, cursor unmoved, where none is. */
  declaration(): Stmt | undefined {
    const { c } = this;
    const from = c.at;
    const first = c.peek();
    if (first.kind !== 'name' && first.text !== '::' && first.text !== '[') return undefined;
    if (first.text === '[' && !c.is('[', 1)) return undefined;
    const base = parseSpecifiers(this);
    if (!base || !this.startsDeclarator(base)) {
      c.at = from;
      return undefined;
    }
    const decls: Declarator[] = [];
    do {
      const d = this.declarator(base);
      if (!d) {
        if (decls.length === 0) {
          c.at = from;
          return undefined;
        }
        break;
      }
      decls.push(d);
    } while (c.accept(','));
    if (!c.is(':') && !c.is(')')) this.toSemicolon();
    return { k: 'decl', decls, start: first.start, end: c.endBefore };
  }

  private startsDeclarator(base: TypeRef): boolean {
    const { c } = this;
    const typeLike =
      isBasicType(base.name.split(' ')[0]) || base.quals.length > 0 || isTypeName(base.name, this.known) || base.targs !== undefined;
    let i = 0;
    while (c.is('*', i) || c.is('&', i) || c.is('&&', i) || (c.peek(i).kind === 'name' && isQualifier(c.peek(i).text))) i++;
    if (base.name === 'auto' && c.is('[', i)) return true;
    const name = c.peek(i);
    if (name.kind === 'name') {
      const after = c.peek(i + 1);
      if (i > 0 && !typeLike && !['=', ';', ',', '[', ')', ':'].includes(after.text)) return false;
      return DECLARATOR_ENDS.has(after.text) || after.kind === 'end' || (after.kind === 'name' && isQualifier(after.text));
    }
    return typeLike && name.text === '(' && (c.is('*', i + 1) || c.is('&', i + 1));
  }

  /** One declarator with its initialiser. */
  declarator(base: TypeRef): Declarator | undefined {
    const { c } = this;
    const start = c.peek().start;
    let type = abstractDeclarator(this, { ...base, dims: [] });
    if (c.is('[') || (type.dims.length > 0 && base.name === 'auto')) return this.bindings(type, start);
    let inner = '';
    if (c.is('(') && (c.is('*', 1) || c.is('&', 1))) {
      inner = c.peek(1).text;
      c.at += 2;
    }
    while (c.peek().kind === 'name' && isQualifier(c.text)) c.next();
    const token = c.peek();
    if (token.kind !== 'name') return undefined;
    c.next();
    let name = token.text;
    while (c.is('::') && c.peek(1).kind === 'name') {
      c.next();
      name = `${name}::${c.next().text}`;
    }
    if (inner !== '') {
      while (c.is('[')) c.at = c.closing(c.at) + 1;
      c.accept(')');
      if (c.is('(')) {
        c.at = c.closing(c.at) + 1;
        type = { ...type, name: 'function', pointers: 1 };
      }
    }
    const dims: (Expr | undefined)[] = [];
    while (c.is('[')) {
      c.next();
      dims.push(c.is(']') ? undefined : this.comma());
      if (!c.is(']')) this.skipTo(']');
      c.accept(']');
    }
    const quals = [...type.quals];
    while (c.text === '__attribute__' || c.text === 'alignas' || c.text === '__align__') {
      quals.push(c.next().text);
      if (c.is('(')) c.at = c.closing(c.at) + 1;
    }
    type = { ...type, quals, dims, pointerToArray: inner === '*' && dims.length > 0, reference: type.reference || inner === '&' };
    if (c.is(':') && c.peek(1).kind === 'number') c.at += 2;
    const nameEnd = token.end;
    const init = c.accept('=') ? (c.is('{') ? this.braced() : this.expression()) : undefined;
    const args = init ? undefined : c.is('(') ? this.args('(', ')') : c.is('{') ? this.args('{', '}') : undefined;
    return { name, nameStart: token.start, nameEnd, type, init, args, start, end: c.endBefore };
  }

  private bindings(type: TypeRef, start: number): Declarator {
    const { c } = this;
    const names: string[] = [];
    if (c.accept('[')) {
      while (!c.done && !c.is(']')) {
        if (c.peek().kind === 'name') names.push(c.text);
        c.next();
      }
      c.accept(']');
    }
    const init = c.accept('=') ? this.expression() : undefined;
    return { name: '', nameStart: start, nameEnd: c.endBefore, type, init, bindings: names, start, end: c.endBefore };
  }

  parameters(): Param[] {
    const { c } = this;
    const params: Param[] = [];
    if (!c.accept('(')) return params;
    while (!c.done && !c.is(')')) {
      const at = c.at;
      const start = c.peek().start;
      const base = parseSpecifiers(this);
      if (base) {
        const pack = c.accept('...');
        const d = this.declarator(base);
        if (d) params.push({ name: d.name, type: d.type, init: d.init, pack, start, end: d.end });
        else {
          const type = abstractDeclarator(this, base);
          params.push({ type, pack: pack || c.accept('...'), start, end: c.endBefore });
        }
      }
      if (!c.is(',') && !c.is(')')) this.skipTo(',');
      if (!c.accept(',') && !c.is(')')) {
        if (c.at === at) c.next();
        if (c.is(';') || c.is('{') || c.is('}')) break;
      }
    }
    c.accept(')');
    return params;
  }

  protected override lambda(): Expr {
    const { c } = this;
    const start = c.peek().start;
    c.at = c.closing(c.at) + 1;
    const params = c.is('(') ? this.parameters() : [];
    let device = false;
    while (!c.done && !c.is('{') && !c.is(';') && !c.is(')') && !c.is(',')) {
      if (c.text === '__device__') device = true;
      c.next();
    }
    if (!c.is('{')) return { k: 'unknown', start, end: c.endBefore };
    const body = this.block();
    return { k: 'lambda', params, body, device, start, end: c.endBefore };
  }
}
