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
  // Whoever gives the main function another name (a harness that includes a program, a library that has one of its own) still has it.
  if (!match || (match[1] === 'main' && !match[2])) return undefined;
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

/**
 * Tokens that may be made while one item or condition is expanded, those of arguments and of expansions on the way included: a few
 * nested calls of a short macro can ask for more than any memory holds. Real code needs some thousands.
 */
const MOST_TOKENS = 1_000_000;
/** Macros that may be expanded inside one another. */
const MOST_NESTED = 200;

/** What expanding one item or condition has left. */
interface Budget {
  tokens: number;
}

/** As they stand where expanding them would take more than is sensible. */
export function expand(tokens: readonly Token[], macros: Macros): readonly Token[] {
  if (!tokens.some((t) => t.kind === 'directive' || (t.kind === 'name' && macros.has(t.text)))) return tokens;
  const known = withOwnMacros(tokens, macros);
  const chosen = conditionals(tokens, known);
  return expanded(chosen, known) ?? chosen;
}

/** Those that the compiler sees, as they are written. */
export function activeTokens(tokens: readonly Token[], macros: Macros): readonly Token[] {
  return conditionals(tokens, withOwnMacros(tokens, macros));
}

/** undefined where it would take more than is sensible. */
function expanded(tokens: readonly Token[], macros: Macros): Token[] | undefined {
  const out: Token[] = [];
  const budget: Budget = { tokens: MOST_TOKENS };
  expandInto(out, tokens, { macros, budget }, undefined);
  return budget.tokens < 0 ? undefined : out;
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
  readonly depth: number;
}

interface Expansion {
  readonly macros: Macros;
  readonly budget: Budget;
}

function isExpanding(macro: Macro, active: Expanding | undefined): boolean {
  for (let at = active; at; at = at.within) if (at.macro === macro) return true;
  return false;
}

/** A nested macro is not expanded inside itself, as the standard says. Stops where the budget is used up. */
function expandInto(out: Token[], tokens: readonly Token[], expansion: Expansion, active: Expanding | undefined): void {
  const { macros, budget } = expansion;
  const depth = (active?.depth ?? 0) + 1;
  budget.tokens -= tokens.length;
  if (depth > MOST_NESTED) budget.tokens = -1;
  for (let i = 0; i < tokens.length && budget.tokens >= 0; i++) {
    const token = tokens[i];
    const macro = token.kind === 'name' ? macros.get(token.text) : undefined;
    if (!macro || isExpanding(macro, active)) {
      out.push(token);
      continue;
    }
    if (!macro.params) {
      expandInto(out, placed(macro.body, token), expansion, { macro, within: active, depth });
      continue;
    }
    const call = tokens[i + 1]?.text === '(' ? callArguments(tokens, i + 1) : undefined;
    if (!call) {
      out.push(token);
      continue;
    }
    const args = call.args.map((arg) => {
      const inner: Token[] = [];
      expandInto(inner, arg, expansion, active);
      return inner;
    });
    if (budget.tokens < 0) return;
    expandInto(out, substitute({ macro, at: token, raw: call.args, args, most: budget.tokens }), expansion, {
      macro,
      within: active,
      depth,
    });
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

interface Substitution {
  readonly macro: Macro;
  readonly at: Token;
  readonly raw: readonly Token[][];
  readonly args: readonly Token[][];
  /** Tokens that are of use; a few more may come. */
  readonly most: number;
}

function substitute({ macro, at, raw, args, most }: Substitution): Token[] {
  const params = macro.params ?? [];
  const out: Token[] = [];
  const argument = (index: number, from: readonly Token[][]): Token[] => {
    if (!macro.variadic || index < params.length - 1) return from[index] ?? [];
    return from
      .slice(index)
      .flatMap((arg, k) => (k === 0 ? arg : [{ kind: 'punct' as const, text: ',', start: at.start, end: at.end, joined: false }, ...arg]));
  };
  const body = macro.body;
  for (let i = 0; i < body.length && out.length <= most; i++) {
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

/** Pragmas that say something of the statement behind them. */
const PRAGMA = /^#\s*pragma\s+(unroll|acc|omp)\b/;

/** Drops the branches of `#if` that are not taken, and all directives. */
export function conditionals(tokens: readonly Token[], macros: Macros): readonly Token[] {
  if (!tokens.some((t) => t.kind === 'directive')) return tokens;
  const out: Token[] = [];
  const branches = conditionStack(macros);
  for (const token of tokens) {
    if (token.kind !== 'directive') {
      if (branches.active()) out.push(token);
    } else if (!branches.directive(token.text) && branches.active() && PRAGMA.test(token.text)) out.push(token);
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

/** Parentheses and signs inside one another that a condition may have. */
const DEEPEST_CONDITION = 250;

/** Value of an `#if` condition; undefined when it uses what is not known. Undefined names count as zero, as the standard says. */
function evaluateCondition(text: string, macros: Macros): boolean | undefined {
  const known = text.replace(/\bdefined\s*\(?\s*([A-Za-z_]\w*)\s*\)?/g, (_, name: string) => (isDefined(name, macros) ? '1' : '0'));
  const tokens = expanded(tokenize(known), macros);
  if (!tokens) return undefined;
  let at = 0;
  let depth = 0;
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
    if (depth > DEEPEST_CONDITION) return Number.NaN;
    depth++;
    const value = operand();
    depth--;
    return value;
  };
  const operand = (): number => {
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
