/**
 * Macros and conditionals, on tokens. Object-like and function-like macros of the file expand where they are used; what comes out of one
 * carries the range of its name in the file, while its arguments keep their own. Of an undecidable `#if` the first branch is taken.
 */
import { joinLaunchEnds } from './brackets.ts';
import type { Item } from './items.ts';
import { Scanner } from './lexer.ts';
import type { Token } from './token.ts';

export interface Macro {
  readonly name: string;
  /** Undefined for an object-like macro. */
  readonly params?: readonly string[];
  readonly variadic: boolean;
  readonly body: readonly Token[];
  /** By token of the body: which parameter it names; -1 for none. */
  readonly slots: readonly number[];
}

export type Macros = ReadonlyMap<string, Macro>;

export function tokenize(text: string): Token[] {
  const scan = new Scanner(text);
  const out: Token[] = [];
  for (let token = scan.next(); token; token = scan.next()) out.push(token);
  return out;
}

export function parseDefine(directive: string): Macro | undefined {
  const match = /^#\s*define\s+([A-Za-z_]\w*)(\()?/.exec(directive);
  if (!match) return undefined;
  const rest = directive.slice(match[0].length).replace(/\\\r?\n/g, ' ');
  if (!match[2]) return macroOf(match[1], undefined, false, rest);
  const close = rest.indexOf(')');
  if (close < 0) return undefined;
  const names = rest
    .slice(0, close)
    .split(',')
    .map((p) => p.trim())
    .filter((p) => p !== '');
  const variadic = names.some((p) => p.endsWith('...'));
  const params = names.map((p) => (p === '...' ? '__VA_ARGS__' : p.replace(/\.\.\.$/, '')));
  return macroOf(match[1], params, variadic, rest.slice(close + 1));
}

function macroOf(name: string, params: readonly string[] | undefined, variadic: boolean, text: string): Macro {
  const body = tokenize(text);
  joinLaunchEnds(body);
  return { name, params, variadic, body, slots: body.map((t) => (params && t.kind === 'name' ? params.indexOf(t.text) : -1)) };
}

/** Whether an item may read otherwise once its tokens are expanded. */
export function isExpandable({ names, directives }: Item, macros: Macros): boolean {
  return directives || names.some((name) => macros.has(name));
}

/** A nested macro is not expanded inside itself, as the standard says; the limit only guards against pathological sizes. */
const LIMIT = 200_000;

export function expand(tokens: readonly Token[], macros: Macros): readonly Token[] {
  if (!tokens.some((t) => t.kind === 'directive' || (t.kind === 'name' && macros.has(t.text)))) return tokens;
  const out: Token[] = [];
  const known = withOwnMacros(tokens, macros);
  expandInto(out, conditionals(tokens, known), known, undefined);
  return out;
}

/** A #define inside a function counts in that function; what comes after it in the file is not told. */
function withOwnMacros(tokens: readonly Token[], macros: Macros): Macros {
  if (!tokens.some((t) => t.kind === 'directive' && /^#\s*define\b/.test(t.text))) return macros;
  const known = new Map(macros);
  const branches = conditionStack(known);
  for (const { kind, text } of tokens) {
    if (kind !== 'directive' || branches.directive(text) || !branches.active()) continue;
    const macro = parseDefine(text);
    if (macro) known.set(macro.name, macro);
  }
  return known;
}

/** The macros that are being expanded, the innermost first. */
interface Expanding {
  readonly macro: Macro;
  readonly within: Expanding | undefined;
}

function isExpanding(macro: Macro, active: Expanding | undefined): boolean {
  for (let at = active; at; at = at.within) if (at.macro === macro) return true;
  return false;
}

function expandInto(out: Token[], tokens: readonly Token[], macros: Macros, active: Expanding | undefined): void {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const macro = token.kind === 'name' ? macros.get(token.text) : undefined;
    if (!macro || isExpanding(macro, active) || out.length > LIMIT) {
      out.push(token);
      continue;
    }
    if (!macro.params) {
      expandInto(out, placed(macro.body, token), macros, { macro, within: active });
      continue;
    }
    const call = tokens[i + 1]?.text === '(' ? callArguments(tokens, i + 1) : undefined;
    if (!call) {
      out.push(token);
      continue;
    }
    const expanded = call.args.map((arg) => {
      const inner: Token[] = [];
      expandInto(inner, arg, macros, active);
      return inner;
    });
    expandInto(out, substitute(macro, token, call.args, expanded), macros, { macro, within: active });
    i = call.close;
  }
}

function placed(body: readonly Token[], at: Token): Token[] {
  return body.map((t) => placedToken(t, at));
}

function placedToken({ kind, text, joined }: Token, { start, end }: Token): Token {
  return { kind, text, start, end, joined, expanded: true };
}

function callArguments(tokens: readonly Token[], open: number): { args: Token[][]; close: number } | undefined {
  const args: Token[][] = [[]];
  for (let i = open + 1, depth = 0; i < tokens.length; i++) {
    const { text } = tokens[i];
    if (depth === 0 && text === ')') return { args: args.length === 1 && args[0].length === 0 ? [] : args, close: i };
    if (text === '(' || text === '[' || text === '{') depth++;
    if (text === ')' || text === ']' || text === '}') depth--;
    if (depth === 0 && text === ',') args.push([]);
    else args[args.length - 1].push(tokens[i]);
  }
  return undefined;
}

function substitute(macro: Macro, at: Token, raw: readonly Token[][], args: readonly Token[][]): Token[] {
  const params = macro.params ?? [];
  const out: Token[] = [];
  const argument = (index: number, from: readonly Token[][]): Token[] => {
    if (!macro.variadic || index < params.length - 1) return from[index] ?? [];
    return from
      .slice(index)
      .flatMap((arg, k) => (k === 0 ? arg : [{ kind: 'punct' as const, text: ',', start: at.start, end: at.end, joined: false }, ...arg]));
  };
  const body = macro.body;
  for (let i = 0; i < body.length; i++) {
    const token = body[i];
    const index = macro.slots[i];
    if (token.text === '#' && body[i + 1]?.kind === 'name') {
      const text = (raw[macro.slots[i + 1]] ?? []).map((t) => t.text).join(' ');
      out.push({ kind: 'string', text: JSON.stringify(text), start: at.start, end: at.end, joined: false, expanded: true });
      i++;
    } else if (token.text === '##' && out.length > 0 && body[i + 1]) {
      const right = macro.slots[i + 1];
      const tail = right >= 0 ? argument(right, raw) : [body[i + 1]];
      const left = out.pop()!;
      const text = left.text + (tail[0]?.text ?? '');
      out.push(
        { kind: /^\d/.test(text) ? 'number' : left.kind, text, start: at.start, end: at.end, joined: false, expanded: true },
        ...tail.slice(1),
      );
      i++;
    } else if (index >= 0) for (const t of argument(index, body[i + 1]?.text === '##' ? raw : args)) out.push(t);
    else out.push(placedToken(token, at));
  }
  return out;
}

/** Drops the branches of `#if` that are not taken, and all directives. */
export function conditionals(tokens: readonly Token[], macros: Macros): readonly Token[] {
  if (!tokens.some((t) => t.kind === 'directive')) return tokens;
  const out: Token[] = [];
  const branches = conditionStack(macros);
  for (const token of tokens) {
    if (token.kind !== 'directive') {
      if (branches.active()) out.push(token);
    } else if (!branches.directive(token.text) && branches.active() && /^#\s*pragma\s+unroll/.test(token.text)) out.push(token);
  }
  return out;
}

export interface ConditionStack {
  active(): boolean;
  /** True where the directive was a conditional. */
  directive(text: string): boolean;
}

export function conditionStack(macros: Macros): ConditionStack {
  const stack: { taken: boolean; on: boolean }[] = [];
  return {
    active: () => stack.every((s) => s.on),
    directive(text) {
      const match = /^#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*([\s\S]*)$/.exec(text);
      if (!match) return false;
      const [, word, rest] = match;
      const top = stack[stack.length - 1];
      if (word === 'endif') stack.pop();
      else if (word === 'else') {
        if (top) Object.assign(top, { on: !top.taken, taken: true });
      } else if (word === 'elif') {
        if (top) {
          const on = !top.taken && (evaluateCondition(rest, macros) ?? true);
          Object.assign(top, { on, taken: top.taken || on });
        }
      } else {
        const on =
          word === 'if' ? (evaluateCondition(rest, macros) ?? true) : (word === 'ifdef') === isDefined(rest.trim().split(/\W/)[0], macros);
        stack.push({ on, taken: on });
      }
      return true;
    },
  };
}

/** What nvcc defines by itself, whatever the device and its own version. */
const PREDEFINED: Readonly<Record<string, number>> = {
  __CUDACC__: 1,
  __NVCC__: 1,
  __cplusplus: 201703,
  __linux__: 1,
};

function isDefined(name: string, macros: Macros): boolean {
  return macros.has(name) || Object.hasOwn(PREDEFINED, name);
}

/** Value of an `#if` condition; undefined when it uses what is not known. Undefined names count as zero, as the standard says. */
function evaluateCondition(text: string, macros: Macros): boolean | undefined {
  const known = text.replace(/\bdefined\s*\(?\s*([A-Za-z_]\w*)\s*\)?/g, (_, name: string) => (isDefined(name, macros) ? '1' : '0'));
  const tokens: Token[] = [];
  expandInto(tokens, tokenize(known), macros, undefined);
  let at = 0;
  const peek = () => tokens[at]?.text;
  const join = () =>
    peek() === '>' && tokens[at].joined && (tokens[at + 1]?.text === '>' || tokens[at + 1]?.text === '=')
      ? `>${tokens[at + 1].text}`
      : peek();
  const LEVELS = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '>', '<=', '>='], ['<<', '>>'], ['+', '-'], ['*', '/', '%']];
  const level = (n: number): number => {
    if (n === LEVELS.length) return primary();
    let left = level(n + 1);
    for (let op = join(); op !== undefined && LEVELS[n].includes(op); op = join()) {
      at += op === '>>' || (op === '>=' && peek() === '>') ? 2 : 1;
      left = apply(op, left, level(n + 1));
    }
    return left;
  };
  const primary = (): number => {
    const token = tokens[at++];
    if (!token) return Number.NaN;
    if (token.text === '!') return Number(!primary());
    if (token.text === '-') return -primary();
    if (token.text === '(') {
      const value = level(0);
      at++;
      return value;
    }
    if (token.kind === 'number') return Number.parseInt(token.text, token.text.startsWith('0x') ? 16 : 10);
    if (token.kind !== 'name') return Number.NaN;
    if (peek() === '(') return Number.NaN;
    return PREDEFINED[token.text] ?? 0;
  };
  const value = level(0);
  return Number.isNaN(value) ? undefined : value !== 0;
}

function apply(op: string, a: number, b: number): number {
  switch (op) {
    case '||':
      return Number(Boolean(a) || Boolean(b));
    case '&&':
      return Number(Boolean(a) && Boolean(b));
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '==':
      return Number(a === b);
    case '!=':
      return Number(a !== b);
    case '<':
      return Number(a < b);
    case '>':
      return Number(a > b);
    case '<=':
      return Number(a <= b);
    case '>=':
      return Number(a >= b);
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return Math.trunc(a / b);
    default:
      return a % b;
  }
}
