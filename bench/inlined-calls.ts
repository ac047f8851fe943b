/**
 * Which lines of a program call which of its functions, by names alone. Where nvcc inlines a function, its line table has much of its code at
 * the lines of the calls, and some of it there alone: what a GPU counted there is the function's.
 */

export interface CalledFile {
  /** Without its folder. */
  readonly name: string;
  readonly text: string;
  /** Lines count from 1. */
  readonly functions: readonly { readonly name: string; readonly from: number; readonly to: number }[];
}

/** A file's name, and a line of it, counted from 1. */
export type LineKey = `${string}:${number}`;

export interface InlinedCalls {
  /** Lines of all functions that a line calls, and that these call. */
  below(line: LineKey): ReadonlySet<LineKey>;
  /** Lines that call the function around a line, and lines that call the functions around those. */
  above(line: LineKey): ReadonlySet<LineKey>;
}

const CALL = /\b(\w+)\s*(?:<(?!<)[^;(){}<>]*>)?\s*\(/g;

export function inlinedCalls(files: readonly CalledFile[]): InlinedCalls {
  const bodies = new Map<string, { readonly file: string; readonly from: number; readonly to: number }[]>();
  for (const { name: file, functions } of files)
    for (const { name, from, to } of functions) bodies.set(name, [...(bodies.get(name) ?? []), { file, from, to }]);
  const called = new Map<LineKey, LineKey[]>();
  const calling = new Map<LineKey, LineKey[]>();
  for (const { name: file, text } of files) {
    for (const [index, line] of text.split('\n').entries()) {
      const at: LineKey = `${file}:${index + 1}`;
      for (const [, name] of line.replace(/\/\/.*/, '').matchAll(CALL)) {
        for (const body of bodies.get(name) ?? []) {
          if (body.file === file && body.from <= index + 1 && index + 1 <= body.to) continue;
          for (let inside = body.from; inside <= body.to; inside++) {
            const key: LineKey = `${body.file}:${inside}`;
            called.set(at, [...(called.get(at) ?? []), key]);
            calling.set(key, [...(calling.get(key) ?? []), at]);
          }
        }
      }
    }
  }
  return { below: (line) => reached(line, called), above: (line) => reached(line, calling) };
}

function reached(line: LineKey, ways: ReadonlyMap<LineKey, readonly LineKey[]>): ReadonlySet<LineKey> {
  const found = new Set<LineKey>();
  const next = [line];
  for (const at of next) {
    for (const each of ways.get(at) ?? []) {
      if (found.has(each)) continue;
      found.add(each);
      next.push(each);
    }
  }
  return found;
}
