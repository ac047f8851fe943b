/** A file's text as Clang is asked about a place in it: without what it finds no names behind, and with the place among what is compiled. */

const loopHints =
  /^[ \t]*#[ \t]*pragma[ \t]+(?:(?:clang|GCC)[ \t]+)?(?:no)?(?:unroll|loop)\w*(?:.*\\\r?\n)*.*|\b_Pragma[ \t]*\([ \t]*"(?:clang[ \t]+)?(?:no)?(?:unroll|loop)[^"\n]*"[ \t]*\)/gm;

/**
 * In a function with `#pragma unroll 4` Clang (22) finds nothing behind it. What stands in line `typedLine` stays, if that is a directive.
 * Every character keeps its place.
 */
export function withoutLoopHints(text: string, typedLine: number): string {
  return text.replace(loopHints, (hint: string, at: number) => {
    const first = text.slice(0, at).split('\n').length;
    const isTyped = first <= typedLine && typedLine < first + hint.split('\n').length && hint.includes('#');
    return isTyped ? hint : hint.replace(/[^\r\n]/g, ' ');
  });
}

interface Conditional {
  /** Lines of its `#if`, `#else` and so on. */
  readonly starts: number[];
  readonly end: number;
}

/**
 * The text in which the conditionals around a line (from 1) have but the branch that the line is in. Every line keeps its number.
 * Nobody knows the names in code that is skipped, such as that behind `#ifdef DEBUG`, unless it is taken for compiled.
 */
export function asIfCompiled(text: string, line: number): string {
  const lines = text.split('\n');
  const blank = (from: number, to: number) => {
    for (let i = from; i <= to; i++) lines[i] = '';
  };
  for (const { starts, branch, end } of around(lines, line)) {
    blank(starts[0], starts[branch]);
    blank(starts[branch + 1] ?? end, end);
  }
  return lines.join('\n');
}

/** The line, from 1, of the directive that decides whether a line is compiled; undefined where nothing does. */
export function decidingLine(text: string, line: number): number | undefined {
  const deciding = around(text.split('\n'), line).map(({ starts, branch }) => starts[branch] + 1);
  return deciding.length > 0 ? Math.max(...deciding) : undefined;
}

function around(lines: readonly string[], line: number) {
  const at = line - 1;
  return conditionals(lines)
    .filter(({ starts, end }) => at > starts[0] && at < end && !starts.includes(at))
    .map(({ starts, end }) => ({ starts, branch: starts.findLastIndex((start) => start < at), end }));
}

function conditionals(lines: readonly string[]): Conditional[] {
  const found: Conditional[] = [];
  const open: Conditional[] = [];
  lines.forEach((text, at) => {
    const word = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b/.exec(text)?.[1];
    if (!word) return;
    if (word.startsWith('if')) open.push({ starts: [at], end: lines.length - 1 });
    else if (word === 'endif') {
      const ended = open.pop();
      if (ended) found.push({ ...ended, end: at });
    } else open.at(-1)?.starts.push(at);
  });
  return found;
}
