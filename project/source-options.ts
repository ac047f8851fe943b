/** The options of a compiler's command that say what a source means. */
import { resolve } from 'node:path';

export interface CompileCommand {
  readonly directory?: string;
  readonly file?: string;
  readonly command?: string;
  readonly arguments?: readonly string[];
  /** What the command writes. */
  readonly output?: string;
}

/** Options that say what a source means, in order: their values, folders as absolute paths; a flag that stands alone has none. */
export type SourceOption = readonly [option: '-I' | '-D' | '-std' | '-default-stream' | 'float', value: string];

export function optionsOf({ directory = '.', command = '', arguments: given }: CompileCommand): readonly SourceOption[] {
  const words = given ?? shellWords(command);
  const options: SourceOption[] = [];
  for (let k = 1; k < words.length; k++) {
    const [, flag, joined] = /^(-I|-isystem|-D|-U)=?(.*)$/s.exec(words[k]) ?? [];
    const value = flag && (joined || words[++k]);
    if (flag === '-D' && value) options.push(['-D', value]);
    else if ((flag === '-I' || flag === '-isystem') && value) options.push(['-I', resolve(directory, value)]);
    else if (/^--?((fmad|ftz|prec-div|prec-sqrt)=|use_fast_math$)/.test(words[k])) options.push(['float', words[k]]);
    else if (/^--?std=/.test(words[k])) options.push(['-std', words[k].replace(/^--?std=/, '')]);
    else if (/^--?default-stream=/.test(words[k])) options.push(['-default-stream', words[k].replace(/^--?default-stream=/, '')]);
  }
  return options;
}

/** As a shell would take a text apart: blanks, quotes and backslashes. */
export function shellWords(text: string): string[] {
  return Array.from(text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs), ([word]) =>
    word.replace(
      /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/gs,
      (_, escaped, double, single) => escaped ?? single ?? double.replace(/\\(.)/gs, '$1'),
    ),
  );
}
