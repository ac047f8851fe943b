/** Finds the partners of brackets among tokens, angle brackets included where they are some. */
import type { Token } from './token.ts';

/** Index of the `>` for the `<` at `open`. */
export function templateEnd(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === '<') depth++;
    else if (text === '>' && --depth === 0) return i;
    else if (text === '(' || text === '[') i = closing(tokens, i);
  }
  return tokens.length;
}

const TEMPLATE_TEXT = new Set([',', '::', '*', '&', '+', '-', '/', '%', '...', '==', '!', '!=', '<<', '<=']);

/** A matching `>` with only type-like or constant text before it, and something after it that no operand starts. */
export function looksLikeTemplateArgs(tokens: readonly Token[], open: number): boolean {
  let depth = 0;
  for (let i = open; i < tokens.length && i < open + 120; i++) {
    const { text, kind } = tokens[i];
    if (kind === 'name' || kind === 'number' || kind === 'char') continue;
    if (text === '<') depth++;
    else if (text === '>') {
      depth--;
      if (depth === 0) return mayFollowTemplate(tokens, i);
    } else if (text === '(' || text === '[') i = closing(tokens, i);
    else if (!TEMPLATE_TEXT.has(text)) return false;
  }
  return false;
}

const AFTER_TEMPLATE = new Set(['(', '::', '{', '<<<', '>', ',', ')', ';', '*', '&', '[', '...', '=', '&&']);

function mayFollowTemplate(tokens: readonly Token[], close: number): boolean {
  const next = tokens[close + 1];
  if (!next) return true;
  if (next.kind === 'name') return tokens[close].end < next.start || next.expanded === true;
  if (next.kind === 'number' || next.kind === 'char') return false;
  return AFTER_TEMPLATE.has(next.text);
}

function opens(text: string): boolean {
  return text === '(' || text === '[' || text === '{';
}

function closes(text: string): boolean {
  return text === ')' || text === ']' || text === '}';
}

/** Index of the token that closes the bracket at `open`, or the end. */
export function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { text, kind } = tokens[i];
    if (kind !== 'punct') continue;
    if (opens(text)) depth++;
    else if (closes(text)) {
      depth--;
      if (depth === 0) return i;
    }
  }
  return tokens.length;
}

/**
 * Joins the `>>` and `>` that end a launch into `>>>`, since nvcc takes it with any space in it. Where a template's three brackets end there,
 * they were opened in the configuration too.
 */
export function joinLaunchEnds(tokens: Token[]): void {
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i].text !== '<<<') continue;
    const end = launchEnd(tokens, i);
    if (end !== undefined) tokens[end + 1] = { ...tokens[end + 1], joined: true };
  }
}

function launchEnd(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  let angles = 0;
  for (let i = open + 1; i < tokens.length; i++) {
    const { text, kind } = tokens[i];
    if (kind !== 'punct') continue;
    if (opens(text)) depth++;
    else if (closes(text) && depth-- === 0) return undefined;
    if (depth > 0) continue;
    if (text === ';') return undefined;
    if (text === '<') angles++;
    if (text !== '>') continue;
    if (angles < 3 && tokens[i].joined && [1, 2].every((k) => tokens[i + k]?.text === '>') && tokens[i + 3]?.text === '(') return i;
    angles = Math.max(0, angles - 1);
  }
  return undefined;
}

/** What `closing` says of every bracket that opens, in one pass; 0 for all other tokens. */
export function closings(tokens: readonly Token[]): Int32Array {
  const partners = new Int32Array(tokens.length);
  const open: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { text, kind } = tokens[i];
    if (kind !== 'punct') continue;
    if (opens(text)) open.push(i);
    else if (open.length > 0 && closes(text)) partners[open.pop()!] = i;
  }
  for (const i of open) partners[i] = tokens.length;
  return partners;
}

export function opening(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    const { text, kind } = tokens[i];
    if (kind !== 'punct') continue;
    if (closes(text)) depth++;
    else if (opens(text)) {
      depth--;
      if (depth === 0) return i;
    }
  }
  return 0;
}

/** Whether a brace among these has no partner: an unfinished function goes on in what stands behind it. */
export function isUnclosed(tokens: readonly Token[]): boolean {
  let open = 0;
  for (const { text } of tokens) {
    if (text === '{') open++;
    else if (text === '}') open--;
  }
  return open > 0;
}
