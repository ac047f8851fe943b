/**
 * Include folders and macros that a Makefile gives its sources in so many words. What hangs on variables or conditions is left out, and so is
 * a macro that has several values: such files say different things of different targets.
 */
import { resolve } from 'node:path';
import { optionsOf, type SourceOption, shellWords } from './source-options.ts';

/** Paths are taken from `folder`, the Makefile's own. */
export function makefileOptions(text: string, folder: string): readonly SourceOption[] {
  const words = unconditional(text.replace(/\\\r?\n/g, ' ')).flatMap((line) => shellWords(line.replace(/(^|\s)#.*$/, '')));
  const options = optionsOf({ directory: resolve(folder), arguments: ['', ...words.map(withValue)] });
  const values = new Map<string, Set<string>>();
  for (const [option, value] of options) {
    if (option !== '-D') continue;
    const name = value.replace(/=.*$/s, '');
    values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return options.filter(
    ([option, value]) =>
      !value.includes('$') && (option === '-I' || (option === '-D' && values.get(value.replace(/=.*$/s, ''))!.size === 1)),
  );
}

/** `CFLAGS=-I../common` is an option behind a name. */
function withValue(word: string): string {
  return /^\w+[:+?]*=(-[ID].*)$/s.exec(word)?.[1] ?? word;
}

function unconditional(text: string): string[] {
  let depth = 0;
  return text.split('\n').filter((line) => {
    if (/^\s*(ifeq|ifneq|ifdef|ifndef)\b/.test(line)) depth++;
    const isKept = depth === 0;
    if (/^\s*endif\b/.test(line)) depth--;
    return isKept;
  });
}
