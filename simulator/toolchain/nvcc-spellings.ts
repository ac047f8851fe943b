/**
 * What nvcc reads and Clang does not. Every character keeps its line and, outside of a gap that moves, its column.
 *
 *   - Visual Studio's formatter writes launches as `kernel << <grid, block >> > (x)`: such brackets move together, `<< <` becoming `<<< `.
 *   - In `extern "C"__global__` the standard has a literal with a suffix; GCC, which nvcc preprocesses with, takes the suffix for the macro
 *     that it is. The string moves away from it: `extern"C" __global__`.
 *   - In `asm("mov.u32 %0, %smid;" : …)` a single `%` before a register is an error for Clang, which wants `%%`. The space before it makes
 *     room.
 */
import { bytes } from '#platform';

/** nvcc (13.0) takes spaces and comments within the line here, and any space at the end of a launch. `<=` and `<<` are other tokens. */
const opening = String.raw`<<(?:[ \t]|\/\*(?:[^*\n]|\*(?!\/))*\*\/)+<(?![<=:%])`;
/** Strings, characters, numbers and comments first, so that no bracket in them counts. */
const tokenPattern = new RegExp(
  [
    String.raw`\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`(?:u8|[uUL])?R"(?<tag>[^()\\\s]{0,16})\([\s\S]*?\)\k<tag>"`,
    String.raw`"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?`,
    String.raw`[A-Za-z_$][\w$]*|\.?\d(?:[eEpP][+-]|'?[\w.])*`,
    String.raw`<<<|${opening}|<<=?|<=|[^\s\\]`,
  ].join('|'),
  'g',
);
const suffixed = /"C"__\w/;
/** No modifier of an operand has two letters. */
const registers = /[ \t]%(?=[a-z]{2})/g;
const mayBeSplit = new RegExp(String.raw`${opening}|>>(?!>)(?:\s|\\|\/[/*])[^>(;]*>`);

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A source file as Clang shall read it: the same bytes where nothing has to move. */
export function asClangReads(source: Uint8Array): Uint8Array {
  // One character for each byte: no name or operator that matters here is made of others.
  const text = bytes.latin1(source);
  const isSplit = mayBeSplit.test(text);
  const assembly = text.indexOf('asm');
  const hasRegisters = assembly >= 0 && text.slice(assembly).search(registers) >= 0;
  if (!isSplit && !hasRegisters && !suffixed.test(text)) return source;
  const tokens = tokensOf(text);
  const changed = Uint8Array.from(source);
  if (isSplit) joinLaunches(tokens, changed);
  tokens.forEach((token, i) => {
    if (token.text === 'extern' && tokens[i + 1]?.text === '"C"') moveFromSuffix(token, tokens[i + 1], tokens[i + 2], changed);
    if (hasRegisters && ASSEMBLY.has(token.text)) doubleSigns(tokens, i, changed);
  });
  return changed;
}

/** Moves `"C"` to the word before it if the word behind it is one of CUDA's and touches it. */
function moveFromSuffix(extern: Token, language: Token, word: Token | undefined, changed: Uint8Array): void {
  if (!word || word.start !== language.end || !/^__\w+__$/.test(word.text) || language.start === extern.end) return;
  changed.copyWithin(extern.end, language.start, language.end);
  changed.fill(SPACE, extern.end + language.text.length, word.start);
}

const ASSEMBLY = new Set(['asm', '__asm', '__asm__']);
const VOLATILE = new Set(['volatile', '__volatile__', '__volatile']);

/** In assembly with operands. Without any, a `%` means nothing to Clang. */
function doubleSigns(tokens: readonly Token[], at: number, changed: Uint8Array): void {
  let i = at + 1;
  while (VOLATILE.has(tokens[i]?.text)) i++;
  if (tokens[i]?.text !== '(') return;
  const first = ++i;
  while (tokens[i]?.text.endsWith('"')) i++;
  if (tokens[i]?.text !== ':') return;
  for (const { text, start } of tokens.slice(first, i)) for (const { index } of text.matchAll(registers)) changed[start + index] = PERCENT;
}

const SPACE = 0x20;
const PERCENT = 0x25;

function joinLaunches(tokens: readonly Token[], joined: Uint8Array): void {
  tokens.forEach((token, i) => {
    const split = token.text.startsWith('<<') && token.text.length > 3 && tokens[i - 1]?.text !== 'operator';
    if (split) moveBack(joined, token.start + 2, token.end);
    const end = split || token.text === '<<<' ? launchEnd(tokens, i) : undefined;
    if (end !== undefined) moveBack(joined, tokens[end + 1].end, tokens[end + 2].end);
  });
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(tokenPattern))
    if (!/^\/[/*]/.test(found)) tokens.push({ text: found, start: index, end: index + found.length });
  return tokens;
}

/** Puts the bracket that ends a range at its beginning; what lay between moves on by one. */
function moveBack(bytes: Uint8Array, start: number, end: number): void {
  const bracket = bytes[end - 1];
  bytes.copyWithin(start + 1, start, end - 1);
  bytes[start] = bracket;
}

/**
 * Index of the first of the three brackets that end the launch. A template's three end there only if they were opened in the configuration
 * as well.
 */
function launchEnd(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  let angles = 0;
  for (let i = open + 1; i < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === '(' || text === '[' || text === '{') depth++;
    else if ((text === ')' || text === ']' || text === '}') && depth-- === 0) return undefined;
    if (depth > 0) continue;
    if (text === ';') return undefined;
    if (text === '<') angles++;
    if (text !== '>') continue;
    if (angles < 3 && endsLaunch(tokens, i)) return i;
    angles = Math.max(0, angles - 1);
  }
  return undefined;
}

function endsLaunch(tokens: readonly Token[], at: number): boolean {
  const [second, third, behind] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
  return second?.text === '>' && second.start === tokens[at].end && third?.text === '>' && behind?.text === '(';
}
