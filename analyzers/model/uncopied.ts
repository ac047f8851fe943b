/**
 * Device memory that a function allocates and hands to kernels, and never copies to the host, beside host memory that the function reads
 * behind the launches as if it had. By the names of variables: whatever is done with one besides what is known here may bring it back.
 */
import type { Expr, Node } from '../syntax/ast.ts';
import { closing } from '../syntax/brackets.ts';
import type { Item } from '../syntax/items.ts';
import type { Place } from '../syntax/source.ts';
import type { Token } from '../syntax/token.ts';
import type { RawHostCall, RawLaunch } from './values.ts';

export interface Uncopied {
  /** The device memory, by its variable. */
  readonly device: string;
  /** Its bytes, as they stand in the call that allocates it. */
  readonly size: Expr;
  readonly launches: readonly { readonly launch: RawLaunch; readonly argument: number }[];
  /** The host memory, as a copy would name it. */
  readonly host: string;
  /** It was copied to the device memory before; otherwise nothing in the function has written it. */
  readonly isInput: boolean;
  /** Where it is read first behind the launches. */
  readonly read: Token;
  /** Behind the statement of the last launch, where that is one that others can follow. */
  readonly behind?: number;
}

interface Function {
  readonly tokens: readonly Token[];
  readonly calls: readonly RawHostCall[];
  /** What allocates, frees, writes or launches gets there. */
  readonly known: readonly Expr[];
}

/** Not those of streams, which copies would have to go to. */
const ALLOCATES = /^cudaMalloc$/;
const FREES = /^cudaFree(Async|Host)?$/;
const FILLS = /^cudaMemset(Async)?$/;
const COPIES = /^cudaMemcpy(Async)?$/;

export function uncopiedOf(item: Item, def: Node, calls: readonly RawHostCall[]): Uncopied[] {
  if (!calls.some(isPlainLaunch)) return [];
  if (!calls.some(({ name }) => ALLOCATES.test(name))) return [];
  const tokens = item.tokens.filter(({ start, end }) => start >= def.start && end <= def.end);
  const fn: Function = { tokens, calls, known: calls.flatMap(knownArguments) };
  const kept = calls.flatMap(({ name, args }) => {
    const device = ALLOCATES.test(name) && args.length > 1 ? addressed(args[0].node) : undefined;
    return device !== undefined && staysThere(fn, device) ? [{ device, size: args[1].node }] : [];
  });
  const own = kept.filter(({ device }, i) => kept.findIndex((other) => other.device === device) === i);
  return own.flatMap(({ device, size }) => {
    const given = launchesGiven(device, calls);
    const last = given.at(-1)?.launch;
    const read = last && readLater(fn, device, last.moment.place.end);
    return read && isBesideLaunch(tokens, last.moment.place, read.read)
      ? [{ device, size, launches: given, ...read, behind: behindStatement(tokens, last.moment.place.end) }]
      : [];
  });
}

export function isPlainLaunch({ launch }: RawHostCall): boolean {
  return launch?.api === 'triple-chevron';
}

/** Launches that have the variable as an argument. */
export function launchesGiven(device: string, calls: readonly RawHostCall[]): Uncopied['launches'] {
  return calls.flatMap(({ launch }) => {
    if (launch?.api !== 'triple-chevron') return [];
    return launch.args.flatMap(({ node }, argument) => (nameOf(node) === device ? [{ launch, argument }] : []));
  });
}

/** What one side of a branch launches, the host may compute on the other. */
function isBesideLaunch(tokens: readonly Token[], launch: Place, read: Token): boolean {
  const before = tokens.findLast(({ end }) => end <= launch.start)?.text ?? '';
  return /^[;{}]$/.test(before) && isOpenAt(tokens, launch.end, read.start);
}

/** The block of the first place is not left before the second. */
export function isOpenAt(tokens: readonly Token[], from: number, to: number): boolean {
  let depth = 0;
  for (const { text, start } of tokens) {
    if (start < from || start >= to) continue;
    if (text === '{') depth++;
    if (text === '}' && --depth < 0) return false;
  }
  return true;
}

/** `v` of `&v` and `(void**)&v`. */
export function addressed(e: Expr): string | undefined {
  if (e.k === 'cast') return addressed(e.a);
  return e.k === 'unary' && e.op === '&' && e.a.k === 'name' ? e.a.name : undefined;
}

export function nameOf(e: Expr): string | undefined {
  return e.k === 'cast' ? nameOf(e.a) : e.k === 'name' ? e.name : undefined;
}

/** Declared, allocated, freed, written by copies, and handed to kernels: nothing else is done with it. */
function staysThere({ tokens, known }: Function, device: string): boolean {
  const uses = tokens.flatMap(({ text }, i) => (text === device ? [i] : []));
  const isKnown = (i: number) => known.some(({ start, end }) => tokens[i].start >= start && tokens[i].end <= end);
  // Other functions get at what is not declared here.
  return uses.some((i) => isDeclared(tokens, i)) && uses.every((i) => isDeclared(tokens, i) || isKnown(i));
}

function knownArguments({ name, args, launch }: RawHostCall): readonly Expr[] {
  if (launch) return launch.args.map(({ node }) => node);
  const isKnown = ALLOCATES.test(name) || FREES.test(name) || FILLS.test(name) || COPIES.test(name);
  return isKnown ? args.slice(0, 1).map(({ node }) => node) : [];
}

/** `float *a, *b = nullptr;` */
export function isDeclared(tokens: readonly Token[], i: number): boolean {
  return tokens[i - 1]?.text === '*' && /^[;,=]$/.test(tokens[i + 1]?.text ?? '');
}

type Read = Pick<Uncopied, 'host' | 'isInput' | 'read'>;

function readLater(fn: Function, device: string, from: number): Read | undefined {
  const { calls } = fn;
  const copies = calls.filter(({ name, args }) => COPIES.test(name) && args.length >= 3);
  // What it was filled with.
  for (const { args, place } of copies) {
    const [to, source] = args.map(({ node }) => node);
    const host = place.end <= from && nameOf(to) === device ? hostName(source) : undefined;
    const read = host && usesAsInput(fn, host.name, from);
    if (read) return { host: host.text, isInput: true, read };
  }
  const others = fn.tokens.filter(({ start }) => start > from);
  const indexed = new Set(others.flatMap(({ kind, text }, i) => (kind === 'name' && others[i + 1]?.text === '[' ? [text] : [])));
  for (const host of indexed) {
    const read = similar(host, device) ? readsUnwritten(fn, host, from) : undefined;
    if (read) return { host, isInput: false, read };
  }
  return undefined;
}

/** `v`, `v.data()`, `&v[0]`. */
function hostName(e: Expr): { readonly name: string; readonly text: string } | undefined {
  if (e.k === 'cast') return hostName(e.a);
  if (e.k === 'name') return { name: e.name, text: e.name };
  if (e.k === 'call' && e.f.k === 'member' && e.f.name === 'data' && e.f.a.k === 'name')
    return { name: e.f.a.name, text: `${e.f.a.name}.data()` };
  return e.k === 'unary' && e.op === '&' && e.a.k === 'index' && e.a.a.k === 'name' ? { name: e.a.a.name, text: e.a.a.name } : undefined;
}

/** The same but for what says whose memory it is: `h_out` and `d_out`, `out` and `devOut`. */
function similar(host: string, device: string): boolean {
  const bare = (name: string) =>
    name.toLowerCase().replace(/^(host|cpu|device|dev|gpu|h|d)_?|_?(host|cpu|device|dev|gpu|h|d)$/g, '') || name;
  return bare(host) === bare(device) || bare(host) === device || host === bare(device);
}

/** Behind the launches it is shown first of all, and not written: what else reads it may compute with what it was. */
function usesAsInput({ tokens, calls }: Function, host: string, from: number): Token | undefined {
  const uses = tokens.flatMap((token, i) => (token.text === host && token.start > from ? [i] : []));
  const isWritten = uses.some((i) => isAssigned(tokens, i) || isCopiedTo(calls, tokens[i]));
  const [first] = uses;
  const isShown = first !== undefined && isRead(tokens, first) && SHOWS.test(callAround(tokens, first) ?? '');
  return isShown && !isWritten ? tokens[first] : undefined;
}

/** Nothing but its allocation gives it a value. */
function readsUnwritten({ tokens }: Function, host: string, from: number): Token | undefined {
  const uses = tokens.flatMap(({ text }, i) => (text === host ? [i] : []));
  const isKnown = (i: number) =>
    isDeclared(tokens, i) ||
    isAllocated(tokens, i) ||
    isFreed(tokens, i) ||
    (tokens[i].start > from && isRead(tokens, i) && !isAssigned(tokens, i));
  const first = uses.find((i) => tokens[i].start > from && isRead(tokens, i));
  return first !== undefined && uses.some((i) => isAllocated(tokens, i)) && uses.every(isKnown) ? tokens[first] : undefined;
}

/** `h = (float*)malloc(n)`, `h = new float[n]`, `float h[16];`, `vector<float> h(n);` */
function isAllocated(tokens: readonly Token[], i: number): boolean {
  const rest = tokens.slice(i + 1, i + 14).map(({ text }) => text);
  const end = rest.indexOf(';');
  const before = tokens[i - 1]?.text ?? '';
  if (rest[0] === '=') return rest.slice(1, end < 0 ? undefined : end).some((text) => /^(malloc|new)$/.test(text));
  if (rest[0] === '[') return tokens[i - 1]?.kind === 'name' && before !== 'return' && tokens[closing(tokens, i + 1) + 1]?.text === ';';
  return before === '>' && rest[0] === '(';
}

function isFreed(tokens: readonly Token[], i: number): boolean {
  const before = tokens.slice(Math.max(0, i - 3), i).map(({ text }) => text);
  return (before.at(-1) === '(' && /^(free|cudaFreeHost)$/.test(before.at(-2) ?? '')) || before.includes('delete');
}

/** An element, all of them, or by a function that is given it. */
function isRead(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1]?.text ?? '';
  const behind = tokens[i + 1]?.text ?? '';
  if (behind === '[') return before !== '&';
  if (before === ':' && behind === ')') return true;
  if (behind === '.') return /^c?r?(begin|front|back|at)$/.test(tokens[i + 2]?.text ?? '');
  return /^[,)]$/.test(behind) && /^[,(]$/.test(before) && SHOWS.test(callAround(tokens, i) ?? '');
}

/** Others may compute something of their own with what went to the device. */
const SHOWS = /print|show|display|dump|check|verif|valid|compar|write|save/i;

function isAssigned(tokens: readonly Token[], i: number): boolean {
  if (tokens[i + 1]?.text !== '[') return tokens[i + 1]?.text === '=';
  let end = closing(tokens, i + 1);
  while (tokens[end + 1]?.text === '[') end = closing(tokens, end + 1);
  if (/^(\.|->)$/.test(tokens[end + 1]?.text ?? '')) end += 2;
  // A method may write, and so may whoever is given the address.
  if (tokens[end + 1]?.text === '(' || tokens[i - 1]?.text === '&') return true;
  return /^([-+*/%&|^]?=|<<=|>>=|\+\+|--)$/.test(tokens[end + 1]?.text ?? '') || /^(\+\+|--)$/.test(tokens[i - 1]?.text ?? '');
}

function isCopiedTo(calls: readonly RawHostCall[], { start, end }: Token): boolean {
  return calls.some(
    ({ name, args }) => name.startsWith('cuda') && args.slice(0, 1).some(({ node }) => start >= node.start && end <= node.end),
  );
}

/** The name in front of the innermost bracket around a token. */
function callAround(tokens: readonly Token[], at: number): string | undefined {
  let depth = 0;
  for (let i = at - 1; i > 0 && !/^[;{}]$/.test(tokens[i].text); i--) {
    if (tokens[i].text === ')') depth++;
    else if (tokens[i].text === '(' && depth-- === 0) return tokens[i - 1].kind === 'name' ? tokens[i - 1].text : undefined;
  }
  return undefined;
}

function behindStatement(tokens: readonly Token[], from: number): number | undefined {
  const next = tokens.find(({ start }) => start >= from);
  return next?.text === ';' && !next.expanded ? next.end : undefined;
}
