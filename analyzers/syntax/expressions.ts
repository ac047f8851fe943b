/** Expressions, by precedence climbing. Whatever is not understood becomes `unknown` and is skipped; nothing throws. */
import type { Expr, Node, TypeArg, TypeRef } from './ast.ts';
import { Cursor } from './cursor.ts';
import type { Token } from './token.ts';
import {
  abstractDeclarator,
  isBasicType,
  isQualifier,
  isTypeName,
  parseQualified,
  parseSpecifiers,
  parseTemplateArgs,
  type TypeContext,
  type TypeNames,
} from './types.ts';

const BINARY: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};
const ASSIGN = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=']);
const PREFIX = new Set(['!', '~', '-', '+', '*', '&', '++', '--']);

export class ExpressionParser implements TypeContext {
  readonly c: Cursor;
  readonly known: TypeNames;
  /** How deep; beyond the limit text is skipped rather than the stack spent. */
  private depth = 0;
  private inTemplate = false;

  constructor(tokens: readonly Token[], known: TypeNames) {
    this.c = new Cursor(tokens);
    this.known = known;
  }

  /** With commas. */
  comma(): Expr {
    let left = this.expression();
    while (this.c.is(',')) {
      this.c.next();
      const right = this.expression();
      left = { k: 'binary', op: ',', a: left, b: right, start: left.start, end: right.end };
    }
    return left;
  }

  /** Without commas: an argument or an initialiser. */
  expression(): Expr {
    if (this.depth > 150) return this.unknown();
    this.depth++;
    try {
      const left = this.conditional();
      const { text, tokens } = this.c.joinedText();
      if (!ASSIGN.has(text)) return left;
      this.c.at += tokens;
      const right = this.c.is('{') ? this.braced() : this.expression();
      return { k: 'assign', op: text, a: left, b: right, start: left.start, end: right.end };
    } finally {
      this.depth--;
    }
  }

  templateValue(): Expr {
    const before = this.inTemplate;
    this.inTemplate = true;
    const value = this.conditional();
    this.inTemplate = before;
    return value;
  }

  private conditional(): Expr {
    const c = this.binary(1);
    if (!this.c.accept('?')) return c;
    const a = this.c.is(':') ? c : this.comma();
    this.c.accept(':');
    const b = this.expression();
    return { k: 'cond', c, a, b, start: c.start, end: b.end };
  }

  private binary(min: number): Expr {
    let left = this.unary();
    for (;;) {
      const { text, tokens } = this.c.joinedText();
      const level = Object.hasOwn(BINARY, text) && this.c.peek().kind === 'punct' ? BINARY[text] : 0;
      if (level < min || (this.inTemplate && text.startsWith('>'))) return left;
      this.c.at += tokens;
      const right = this.binary(level + 1);
      left = { k: 'binary', op: text, a: left, b: right, start: left.start, end: Math.max(left.end, right.end) };
    }
  }

  private unary(): Expr {
    const token = this.c.peek();
    if (this.depth > 400) return this.unknown();
    this.depth++;
    try {
      if (token.kind === 'punct' && PREFIX.has(token.text)) {
        this.c.next();
        const a = this.unary();
        return { k: 'unary', op: token.text, a, start: token.start, end: Math.max(token.end, a.end) };
      }
      if (token.text === 'sizeof' || token.text === 'alignof') return this.sizeOf();
      if (token.text === 'new') return this.newExpression();
      if (token.text === 'delete') {
        this.c.next();
        if (this.c.is('[')) this.c.at += 2;
        const a = this.unary();
        return { k: 'unary', op: 'delete', a, start: token.start, end: a.end };
      }
      if (token.text === '(') {
        const cast = this.cast();
        if (cast) return cast;
      }
      return this.postfix(this.primary());
    } finally {
      this.depth--;
    }
  }

  private sizeOf(): Expr {
    const start = this.c.next().start;
    this.c.accept('...');
    if (this.c.is('(')) {
      const from = this.c.at;
      this.c.next();
      const type = this.typeId();
      if (type && this.c.is(')')) {
        this.c.next();
        const lone = type.pointers === 0 && !isTypeName(type.name, this.known);
        const a: Expr | undefined = lone ? { k: 'name', name: type.name, targs: type.targs, start: type.start, end: type.end } : undefined;
        return { k: 'sizeof', type, a, start, end: this.c.endBefore };
      }
      this.c.at = from;
    }
    const a = this.unary();
    return { k: 'sizeof', a, start, end: a.end };
  }

  private newExpression(): Expr {
    const start = this.c.next().start;
    if (this.c.is('(')) this.c.at = this.c.closing(this.c.at) + 1;
    const type = this.typeId() ?? { name: 'auto', pointers: 0, reference: false, dims: [], quals: [], start, end: start };
    const args = this.c.is('(') ? this.args('(', ')') : this.c.is('{') ? this.args('{', '}') : [];
    return { k: 'new', type, args, start, end: this.c.endBefore };
  }

  typeId(): TypeRef | undefined {
    const base = parseSpecifiers(this);
    if (!base) return undefined;
    const type = abstractDeclarator(this, base);
    // A pointer to a function or array: `void (*)(int)`, `float (*)[4]`.
    if (this.c.is('(') && (this.c.is('*', 1) || this.c.is('&', 1))) {
      this.c.at = this.c.closing(this.c.at) + 1;
      const dims: (Expr | undefined)[] = [];
      if (this.c.is('(')) this.c.at = this.c.closing(this.c.at) + 1;
      while (this.c.is('[')) {
        this.c.next();
        dims.push(this.expression());
        this.c.accept(']');
      }
      return { ...type, pointers: type.pointers + (dims.length > 0 ? 0 : 1), dims, pointerToArray: dims.length > 0 };
    }
    return type;
  }

  private cast(): Expr | undefined {
    const { c } = this;
    const from = c.at;
    const start = c.next().start;
    const first = c.peek();
    if (first.kind !== 'name') {
      c.at = from;
      return undefined;
    }
    const type = this.typeId();
    if (type && c.is(')')) {
      c.next();
      const sure =
        isBasicType(first.text) ||
        isQualifier(first.text) ||
        isTypeName(type.name, this.known) ||
        type.pointers > 0 ||
        type.targs !== undefined;
      const next = c.peek();
      const operand = next.kind === 'name' || next.kind === 'number' || next.kind === 'string' || next.kind === 'char';
      const starts =
        operand ||
        next.text === '(' ||
        next.text === '!' ||
        next.text === '~' ||
        (sure && ['-', '+', '*', '&', '{', '++', '--'].includes(next.text));
      if (starts && (sure || operand)) {
        const a = c.is('{') ? this.braced() : this.unary();
        return { k: 'cast', type, a, style: 'c', start, end: a.end };
      }
    }
    c.at = from;
    return undefined;
  }

  private primary(): Expr {
    const { c } = this;
    const token = c.peek();
    const at: Node = { start: token.start, end: token.end };
    switch (token.kind) {
      case 'number':
        c.next();
        return number(token);
      case 'char':
        c.next();
        return { k: 'number', value: characterValue(token.text), float: false, suffix: 'char', ...at };
      case 'string': {
        let end = token.end;
        let text = '';
        while (c.peek().kind === 'string') {
          end = c.peek().end;
          text += c.next().text.replace(/^\w*"|"$/g, '');
        }
        return { k: 'string', text, start: token.start, end };
      }
      case 'name':
        return this.name(token, at);
      default:
    }
    if (token.text === '(') {
      c.next();
      const before = this.inTemplate;
      this.inTemplate = false;
      const inner = this.comma();
      this.inTemplate = before;
      // Something not understood inside: continue after the parenthesis.
      if (!c.is(')')) this.skipTo(')');
      c.accept(')');
      return { ...inner, start: token.start, end: Math.max(c.endBefore, inner.end) };
    }
    if (token.text === '{') return this.braced();
    if (token.text === '[') return this.lambda();
    if (token.text === '::') {
      c.next();
      return c.peek().kind === 'name' ? this.name(c.peek(), at) : { k: 'unknown', ...at };
    }
    return this.unknown();
  }

  private name(token: Token, at: Node): Expr {
    const { c } = this;
    if (token.text === 'true' || token.text === 'false') {
      c.next();
      return { k: 'bool', value: token.text === 'true', ...at };
    }
    if (token.text === 'nullptr' || token.text === 'NULL') {
      c.next();
      return { k: 'null', ...at };
    }
    if (token.text === 'this') {
      c.next();
      return { k: 'this', ...at };
    }
    if (/^(static|reinterpret|const|dynamic)_cast$/.test(token.text)) return this.namedCast(token);
    if (isBasicType(token.text) || (isQualifier(token.text) && token.text !== 'extern')) {
      const type = parseSpecifiers(this);
      if (type && (c.is('(') || c.is('{'))) return this.construct(type, token.start);
      if (!type) c.next();
      return { k: 'unknown', start: token.start, end: c.endBefore };
    }
    const { name, targs } = parseQualified(this);
    if (name === '') return this.unknown();
    const end = c.endBefore;
    if (c.is('{') && (isTypeName(name, this.known) || targs) && !this.inTemplate)
      return this.construct(typeNamed(name, targs, token.start, end), token.start);
    if (c.is('(') && isTypeName(name, this.known)) return this.construct(typeNamed(name, targs, token.start, end), token.start);
    return { k: 'name', name, targs, start: token.start, end };
  }

  private construct(type: TypeRef, start: number): Expr {
    const braced = this.c.is('{');
    const args = braced ? this.args('{', '}') : this.args('(', ')');
    return { k: 'construct', type, args, braced, start, end: this.c.endBefore };
  }

  private namedCast(token: Token): Expr {
    const { c } = this;
    c.next();
    let type: TypeRef | undefined;
    if (c.accept('<')) {
      type = this.typeId();
      if (!c.is('>')) this.skipTo('>');
      c.accept('>');
    }
    const args = c.is('(') ? this.args('(', ')') : [];
    const a = args[0] ?? { k: 'unknown' as const, start: token.start, end: c.endBefore };
    if (!type) return { k: 'unknown', start: token.start, end: c.endBefore };
    return { k: 'cast', type, a, style: token.text, start: token.start, end: c.endBefore };
  }

  private postfix(first: Expr): Expr {
    const { c } = this;
    let e = first;
    for (;;) {
      const token = c.peek();
      if (token.kind !== 'punct') return e;
      if (token.text === '(') {
        const args = this.args('(', ')');
        e = { k: 'call', f: e, args, start: e.start, end: Math.max(e.end, c.endBefore) };
      } else if (token.text === '[') {
        c.next();
        const before = this.inTemplate;
        this.inTemplate = false;
        const i = this.comma();
        this.inTemplate = before;
        if (!c.is(']')) this.skipTo(']');
        c.accept(']');
        e = { k: 'index', a: e, i, start: e.start, end: Math.max(e.end, c.endBefore) };
      } else if (token.text === '.' || token.text === '->') {
        e = this.member(e, token);
      } else if (token.text === '++' || token.text === '--') {
        c.next();
        e = { k: 'postfix', op: token.text, a: e, start: e.start, end: token.end };
      } else if (token.text === '<<<') {
        e = this.launch(e);
      } else return e;
    }
  }

  private member(a: Expr, token: Token): Expr {
    const { c } = this;
    c.next();
    c.accept('template');
    const nameToken = c.peek();
    const name = nameToken.kind === 'name' ? c.next().text : nameToken.text === '~' ? `${c.next().text}${c.next().text}` : '';
    const targs: TypeArg[] | undefined = c.is('<') ? parseTemplateArgs(this) : undefined;
    return {
      k: 'member',
      a,
      name,
      arrow: token.text === '->',
      targs,
      nameStart: nameToken.start,
      start: a.start,
      end: Math.max(a.end, c.endBefore),
    };
  }

  private launch(f: Expr): Expr {
    const { c } = this;
    c.next();
    const config: Expr[] = [];
    const before = this.inTemplate;
    while (!c.done && c.joinedText().text !== '>>>') {
      const at = c.at;
      this.inTemplate = true;
      config.push(this.conditional());
      this.inTemplate = before;
      if (!c.accept(',')) break;
      if (c.at === at) c.next();
    }
    if (c.joinedText().text === '>>>') c.at += 3;
    const args = c.is('(') ? this.args('(', ')') : [];
    return { k: 'launch', f, config, args, start: f.start, end: Math.max(f.end, c.endBefore) };
  }

  args(open: string, close: string): Expr[] {
    const { c } = this;
    const before = this.inTemplate;
    this.inTemplate = false;
    if (!c.accept(open)) return [];
    const args: Expr[] = [];
    while (!c.done && !c.is(close) && !c.is(';')) {
      const at = c.at;
      // Designated initialisers: the name carries no value of its own.
      if (open === '{' && c.is('.') && c.peek(1).kind === 'name' && c.is('=', 2)) c.at += 3;
      args.push(c.is('{') ? this.braced() : this.expression());
      c.accept('...');
      if (c.at === at) c.next();
      if (!c.accept(',') && !c.is(close)) this.skipTo(',', close);
      if (c.is(',')) c.next();
    }
    c.accept(close);
    this.inTemplate = before;
    return args;
  }

  braced(): Expr {
    const start = this.c.peek().start;
    const items = this.args('{', '}');
    return { k: 'list', items, start, end: this.c.endBefore };
  }

  /** Overridden by the statement parser, which can read the body. */
  protected lambda(): Expr {
    const start = this.c.peek().start;
    this.c.at = this.c.closing(this.c.at) + 1;
    return { k: 'unknown', start, end: this.c.endBefore };
  }

  private unknown(): Expr {
    const token = this.c.peek();
    if (![')', ']', '}', ';', ',', ':'].includes(token.text)) this.c.next();
    return { k: 'unknown', start: token.start, end: token.end };
  }

  /** Moves to the next of these on this level, never past a semicolon or a closing bracket. */
  skipTo(...texts: string[]): void {
    const { c } = this;
    while (!c.done) {
      const { text } = c.peek();
      if (texts.includes(text) || text === ';' || text === '}' || text === ')' || text === ']') return;
      if (text === '(' || text === '[' || text === '{') c.at = c.closing(c.at) + 1;
      else c.next();
    }
  }
}

function typeNamed(name: string, targs: readonly TypeArg[] | undefined, start: number, end: number): TypeRef {
  return { name, targs, pointers: 0, reference: false, dims: [], quals: [], start, end };
}

function number(token: Token): Expr {
  const text = token.text.replace(/'/g, '');
  const hex = /^0x/i.test(text);
  const at = { start: token.start, end: token.end, expanded: token.expanded };
  if (!hex && /[.eE]|\d[fF]$/.test(text)) {
    const [, digits, suffix] = /^([\d.]*(?:[eE][+-]?\d+)?)(\w*)$/.exec(text) ?? [text, '0', ''];
    return { k: 'number', value: Number.parseFloat(digits) || 0, float: true, suffix: suffix.toLowerCase(), ...at };
  }
  if (hex && /p/i.test(text)) return { k: 'number', value: 1, float: true, suffix: '', ...at };
  const [, digits, suffix] = (hex ? /^(0x[\da-f]+)(\w*)$/i : /^(0b[01]+|\d+)(\w*)$/i).exec(text) ?? [text, '0', ''];
  const value = /^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return {
    k: 'number',
    value,
    float: false,
    suffix: suffix.toLowerCase(),
    ...at,
    ...(Number.isSafeInteger(value) ? {} : { exact: BigInt(digits) }),
  };
}

function characterValue(text: string): number {
  const inner = text.replace(/^\w*'|'$/g, '');
  if (!inner.startsWith('\\')) return inner.charCodeAt(0) || 0;
  const simple = { n: 10, t: 9, r: 13, 0: 0, '\\': 92, "'": 39 } as Record<string, number>;
  return simple[inner[1]] ?? 0;
}
