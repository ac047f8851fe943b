/**
 * Edits that repair what a run has found, where the repair is mechanical: a barrier between two statements of a kernel's body, a mask of
 * all lanes, an atomic addition. Knows the lines of the text alone, and gives nothing where these leave a doubt.
 */
import type { Fix } from '../protocol/finding.ts';
import type { SanitizerFinding } from '../protocol/report.ts';

/** `lines`: of the file in which the finding's first place is, as it ran. */
export function repairOf({ repair, places }: Pick<SanitizerFinding, 'repair' | 'places'>, lines: readonly string[]): Fix | undefined {
  const [now, earlier = now] = places;
  if (now?.line === undefined || earlier.line === undefined || now.file !== earlier.file) return undefined;
  switch (repair) {
    case 'block-barrier':
      return barrier('__syncthreads()', [earlier.line, now.line], lines);
    case 'warp-barrier':
      return barrier('__syncwarp()', [earlier.line, now.line], lines);
    case 'full-mask':
      return fullMask(now.line - 1, lines);
    case 'atomic-add':
      return now.line === earlier.line ? atomicAdd(now.line - 1, lines) : undefined;
    default:
      return undefined;
  }
}

/** In front of the later of two statements, both of which stand in the body of a function and in nothing else. */
function barrier(call: string, places: readonly number[], lines: readonly string[]): Fix | undefined {
  // Different threads: which came first here says nothing. In a body without a loop the lines do.
  const [first, second] = [Math.min(...places) - 1, Math.max(...places) - 1];
  if (first === second) return undefined;
  const code = lines.map(withoutComments);
  const body = openerOf(code, second);
  if (body === undefined || body !== openerOf(code, first) || !isFunctionBody(code, body)) return undefined;
  const before = code.slice(0, second).findLast((line) => line.trim() !== '') ?? '';
  // Where the line before goes on, or decides whether this one is executed, a statement has no place.
  if (!/[;{}]\s*$/.test(before) || /^\s*(else\b|[).,?:&|+*/<>=-])/.test(code[second])) return undefined;
  const indent = /^[ \t]*/.exec(lines[second])![0];
  const at = { line: second, column: 0 };
  return {
    title: `Put ${call} in front of line ${second + 1}`,
    edits: [{ range: { start: at, end: at }, newText: `${indent}${call};${lines[second].endsWith('\r') ? '\r' : ''}\n` }],
    safe: false,
  };
}

/** A mask of all lanes in the one call of a line that takes a mask. */
function fullMask(line: number, lines: readonly string[]): Fix | undefined {
  const text = lines[line] ?? '';
  const calls = [...withoutComments(text).matchAll(/\b__\w+_sync\s*\(\s*([^,()]+?)\s*[,)]|\b__syncwarp\s*\(\s*([^,()]+?)\s*\)/g)];
  if (calls.length !== 1) return undefined;
  const [{ 0: call, 1: first, 2: second, index }] = calls;
  const mask = first ?? second;
  const start = index + call.indexOf(mask, call.indexOf('('));
  return {
    title: 'Name all lanes of the warp: 0xffffffff',
    edits: [{ range: { start: { line, column: start }, end: { line, column: start + mask.length } }, newText: '0xffffffff' }],
    safe: false,
  };
}

/** For `place += value;` and `place++;`, alone on a line or behind a condition. */
function atomicAdd(line: number, lines: readonly string[]): Fix | undefined {
  const text = withoutComments(lines[line] ?? '');
  const place = String.raw`(\*?[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^\][]*(?:\[[^\][]*\][^\][]*)*\])*)`;
  const added = new RegExp(String.raw`(^|[;{)]|\belse)(\s*)${place}\s*(\+=|-=|\+\+|--)([^;=]*);\s*\}*\s*$`).exec(text);
  if (!added) return undefined;
  const [, head, space, target, operator, rest] = added;
  const value = operator.length === 2 && operator[0] === operator[1] ? '1' : rest.trim();
  // What is added must not be read from the same array: that would still race.
  if (value === '' || (value === '1') !== (operator === '++' || operator === '--' || rest.trim() === '1')) return undefined;
  const name = /[A-Za-z_]\w*/.exec(target)![0];
  if (new RegExp(String.raw`\b${name}\b`).test(value)) return undefined;
  const start = added.index + head.length + space.length;
  const end = text.indexOf(';', start) + 1;
  const address = target.startsWith('*') ? target.slice(1) : `&${target}`;
  const summand = operator.startsWith('-') ? `-(${value})` : value;
  return {
    title: 'Add atomically',
    edits: [{ range: { start: { line, column: start }, end: { line, column: end } }, newText: `atomicAdd(${address}, ${summand});` }],
    safe: false,
  };
}

/** Where the innermost brace stands that is open at the start of a line. */
function openerOf(code: readonly string[], line: number): number | undefined {
  let closed = 0;
  for (let at = line - 1; at >= 0; at--) {
    for (let column = code[at].length - 1; column >= 0; column--) {
      if (code[at][column] === '}') closed++;
      else if (code[at][column] === '{' && closed-- === 0) return at * 4096 + column;
    }
  }
  return undefined;
}

/** Behind the brackets of parameters, and no condition or loop. */
function isFunctionBody(code: readonly string[], opener: number): boolean {
  const [line, column] = [Math.floor(opener / 4096), opener % 4096];
  const head = [...code.slice(Math.max(0, line - 8), line), code[line].slice(0, column)].join(' ');
  const last = head.slice(Math.max(head.lastIndexOf(';'), head.lastIndexOf('}'), head.lastIndexOf('{')) + 1);
  return /\b__global__\b/.test(last) && /\)\s*$/.test(last);
}

/** Comments and texts as blanks, so that columns stay. */
function withoutComments(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/\*.*?\*\/|\/\/.*$/g, (found) => ' '.repeat(found.length));
}
