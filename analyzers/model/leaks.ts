/**
 * Device memory that each iteration of a host loop allocates anew and none frees: the pointer is declared in the loop's body, and nothing there
 * keeps it, gives it away or frees it. Only what the body's words show is taken for lost.
 */
import type { Expr } from '../syntax/ast.ts';
import type { Token } from '../syntax/token.ts';
import type { RawHostCall, RawLoop } from './values.ts';

export interface Leak {
  readonly call: RawHostCall;
  readonly variable: string;
  /** Offset in the item of the brace that closes the loop's body. */
  readonly bodyEnd: number;
}

const ALLOCATORS: ReadonlySet<string> = new Set(['cudaMalloc', 'cudaMallocManaged', 'cudaMallocHost', 'cudaMallocPitch']);

export function leaksOf(calls: readonly RawHostCall[]): Leak[] {
  return calls.flatMap((call) => {
    const loop = call.loops.at(-1);
    const variable = ALLOCATORS.has(call.name) && call.args.length > 0 ? addressed(call.args[0].node) : undefined;
    const body = loop && variable !== undefined ? bodyOf(loop, call) : undefined;
    return body && isLost(body, variable!) ? [{ call, variable: variable!, bodyEnd: body.at(-1)!.start }] : [];
  });
}

/** `v` of `&v` and `(void**)&v`. */
function addressed(e: Expr): string | undefined {
  if (e.k === 'cast') return addressed(e.a);
  return e.k === 'unary' && e.op === '&' && e.a.k === 'name' ? e.a.name : undefined;
}

/** From brace to brace; undefined for a loop of one statement. */
function bodyOf({ headPlace }: RawLoop, { item }: RawHostCall): readonly Token[] | undefined {
  if (headPlace.item !== item) return undefined;
  const { tokens } = item;
  const first = tokens.findIndex(({ start }) => start >= headPlace.end);
  if (first < 0 || tokens[first].text !== '{') return undefined;
  let depth = 0;
  for (let i = first; i < tokens.length; i++) {
    if (tokens[i].text === '{') depth++;
    else if (tokens[i].text === '}' && --depth === 0) return tokens.slice(first, i + 1);
  }
  return undefined;
}

function isLost(body: readonly Token[], variable: string): boolean {
  if (body.some(({ kind, text }) => kind === 'name' && /free|release|destroy|delete/i.test(text))) return false;
  const uses = body.flatMap(({ text }, i) => (text === variable ? [i] : []));
  const isDeclaration = (i: number) => body[i - 1]?.text === '*' && /^[;=,]$/.test(body[i + 1]?.text ?? '');
  return uses.some(isDeclaration) && uses.every((i) => isDeclaration(i) || isHandedToCuda(body, i));
}

/** An argument of a function of CUDA's, or of a launch. */
function isHandedToCuda(body: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i > 0; i--) {
    const { text } = body[i];
    if (/^[;{}]$/.test(text)) return false;
    if (text === ')' || text === ']') depth++;
    else if (text === '(' || text === '[') depth--;
    if (depth >= 0) continue;
    depth = 0;
    const before = body[i - 1];
    const isLaunch = body
      .slice(Math.max(0, i - 3), i)
      .map((token) => token.text)
      .join('')
      .endsWith('>>>');
    if (isLaunch || /^cu[A-Zd]/.test(before.text)) return true;
    if (before.kind === 'name' || before.text === '>') return false;
  }
  return false;
}
