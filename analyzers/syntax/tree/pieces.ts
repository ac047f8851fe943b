/**
 * Reads an item piece by piece. A function's text is cut at semicolons, braces and the heads of control statements; what a piece means
 * says the tree of a text that looks the same, which was parsed for some statement before (shapes.ts). Where the text cannot be cut, or
 * the grammar finds errors in a piece, the answer is undefined, and the item is parsed as a whole.
 */
import type { Def, Stmt } from '../ast.ts';
import { type Context, placeBetween } from './context.ts';
import { definitions } from './definitions.ts';
import type { Grammar } from './grammar.ts';
import type { Layout } from './layout.ts';
import { type Frame, LONGEST_SHAPE, leadOf, nodeOf } from './shapes.ts';
import { addChildren, addStatement } from './statements.ts';

/** What the layout's text defines; `body` is the token that opens a function's body, where the item is nothing but that function. */
export function definitionsByPieces(grammar: Grammar, layout: Layout, body: number | undefined): Def[] | undefined {
  const { text } = layout;
  const r: Reader = { grammar, layout, at: 0, depth: 0 };
  if (body === undefined) return text.length > LONGEST_SHAPE ? undefined : definitionsIn(r, 'item', text);
  r.at = layout.starts[body];
  const head = definitionsIn(r, 'head', text.slice(0, r.at + 1));
  const def = head?.[0];
  if (head?.length !== 1 || def?.d !== 'function' || def.body?.k !== 'block') return undefined;
  const block = readBlock(r);
  return block && r.at === text.length ? [{ ...def, body: block, end: block.end }] : undefined;
}

interface Reader {
  readonly grammar: Grammar;
  readonly layout: Layout;
  /** Offset in the layout's text. */
  at: number;
  /** Statements around. */
  depth: number;
}

function definitionsIn({ grammar, layout }: Reader, frame: Frame, text: string): Def[] | undefined {
  const node = nodeOf(grammar, frame, text);
  return node < 0 ? undefined : definitions({ nodes: grammar.shapes.columns.nodes(), layout, base: -leadOf(frame), depth: 0 }, node);
}

/** Adds what `text[from, to)` says to `out`; false where it is no whole statement. An end of 0 is none. */
function addPiece(r: Reader, frame: Frame, from: number, to: number, out: Stmt[]): boolean {
  if (to === 0) return false;
  const { grammar, layout, depth } = r;
  const node = nodeOf(grammar, frame, layout.text.slice(from, to));
  if (node < 0) return false;
  // A statement and what is inside it are two levels of a tree, roughly: what is that deep is unknown either way.
  const cx: Context = { nodes: grammar.shapes.columns.nodes(), layout, base: from - leadOf(frame), depth: 2 * depth };
  if (frame === 'governed') addStatement(cx, node, out);
  else addChildren(cx, node, out);
  r.at = to;
  return true;
}

const SPACE = 32;
const OPEN = 40;
const CLOSE = 41;
const COLON = 58;
const SEMICOLON = 59;
const QUESTION = 63;
const SQUARE_OPEN = 91;
const SQUARE_CLOSE = 93;
const LETTER_E = 101;
const LETTER_W = 119;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;

/** Deeper functions are parsed as a whole. */
const DEEPEST = 60;

function readBlock(r: Reader): (Stmt & { readonly k: 'block' }) | undefined {
  const { text } = r.layout;
  const from = r.at;
  const body: Stmt[] = [];
  if (r.depth++ > DEEPEST) return undefined;
  for (r.at++; skipSpaces(r) !== BRACE_CLOSE; ) if (r.at >= text.length || !readStatement(r, body)) return undefined;
  r.at++;
  r.depth--;
  return { k: 'block', body, ...placeBetween(r.layout, from, r.at) };
}

/** Goes on to the next character that is no space, and says which it is. */
function skipSpaces(r: Reader): number {
  const { text } = r.layout;
  while (text.charCodeAt(r.at) === SPACE) r.at++;
  return text.charCodeAt(r.at);
}

/** `governed`: without braces behind the head of another. */
function readStatement(r: Reader, out: Stmt[], governed = false): boolean {
  const { text } = r.layout;
  if (skipSpaces(r) === BRACE_OPEN) {
    const block = readBlock(r);
    if (block) out.push(block);
    return block !== undefined;
  }
  const from = r.at;
  switch (wordAt(text, from)) {
    case 'if':
    case 'for':
    case 'while':
      return readControl(r, 'control', out);
    case 'switch':
      return readControl(r, 'choice', out);
    case 'do':
      return readDo(r, out);
    case 'case':
    case 'default':
      return addPiece(r, 'statements', from, labelEnd(text, from), out);
    case 'else':
    case 'try':
    case 'catch':
      return false;
    case 'a':
      // A label.
      if (text.charCodeAt(from + 1) === COLON && text.charCodeAt(from + 2) !== COLON) return false;
  }
  const end = statementEnd(text, from);
  // What could be a declaration is none there.
  return (governed && addPiece(r, 'governed', from, end, out)) || addPiece(r, 'statements', from, end, out);
}

/** The word at an offset; of long ones only as much as tells that they are none of those above. */
function wordAt(text: string, from: number): string {
  let to = from;
  while (to < from + 8 && isLetter(text.charCodeAt(to))) to++;
  return text.slice(from, to);
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** Behind the semicolon that ends the statement, past lambdas and lists; 0 where none does. */
function statementEnd(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case OPEN:
      case SQUARE_OPEN:
      case BRACE_OPEN:
        depth++;
        break;
      case CLOSE:
      case SQUARE_CLOSE:
      case BRACE_CLOSE:
        if (--depth < 0) return 0;
        break;
      case SEMICOLON:
        if (depth === 0) return i + 1;
    }
  }
  return 0;
}

/** Behind the colon of a `case`; 0 where it has none. */
function labelEnd(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === OPEN || code === QUESTION) depth++;
    else if (code === CLOSE) depth--;
    else if (code === COLON && text.charCodeAt(i + 1) === COLON) i++;
    else if (code === COLON && depth-- === 0) return i + 1;
    else if (code === SEMICOLON) break;
  }
  return 0;
}

/** Behind the parenthesis that closes the head of a control statement; 0 where none does. */
function headEnd(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return i + 1;
  }
  return 0;
}

/** `if`, `for`, `while` and `switch`. */
function readControl(r: Reader, frame: Frame, out: Stmt[]): boolean {
  const from = r.at;
  const made: Stmt[] = [];
  if (!addPiece(r, frame, from, headEnd(r.layout.text, from), made) || made.length !== 1) return false;
  // What a condition declares stands before the loop, in a block around both.
  const [outer] = made;
  const control = outer.k === 'block' ? outer.body[outer.body.length - 1] : outer;
  const inside = insideOf(r, control);
  if (!inside) return false;
  // Both were made a moment ago, with nothing inside.
  const place = placeBetween(r.layout, from, r.at);
  Object.assign(control, inside, place);
  if (control !== outer) Object.assign(outer, place);
  out.push(outer);
  return true;
}

/** What a control statement governs, under the names that the statement has for it. */
function insideOf(r: Reader, control: Stmt): object | undefined {
  const then = readOne(r);
  if (!then) return undefined;
  switch (control.k) {
    case 'for':
    case 'range':
    case 'while':
    case 'switch':
      return { body: then };
    case 'if':
      break;
    default:
      return undefined;
  }
  const behind = r.at;
  if (skipSpaces(r) !== LETTER_E || wordAt(r.layout.text, r.at) !== 'else') {
    r.at = behind;
    return { then };
  }
  r.at += 'else'.length;
  const otherwise = readOne(r);
  return otherwise && { then, else: otherwise };
}

function readDo(r: Reader, out: Stmt[]): boolean {
  const from = r.at;
  r.at += 'do'.length;
  const inside = readOne(r);
  if (!inside || skipSpaces(r) !== LETTER_W) return false;
  const { text } = r.layout;
  const made: Stmt[] = [];
  if (!addPiece(r, 'tail', r.at, headEnd(text, r.at), made) || made.length !== 1 || skipSpaces(r) !== SEMICOLON) return false;
  const [loop] = made;
  if (loop.k !== 'do') return false;
  r.at++;
  out.push({ ...loop, body: inside, ...placeBetween(r.layout, from, r.at) });
  return true;
}

/** What a control statement governs. */
function readOne(r: Reader): Stmt | undefined {
  const out: Stmt[] = [];
  if (r.depth++ > DEEPEST || !readStatement(r, out, true)) return undefined;
  r.depth--;
  return out.length === 1 && out[0].k !== 'case' ? out[0] : undefined;
}
