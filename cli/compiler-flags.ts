/**
 * What nvcc takes and `lanewise run` is given: files of options, entries of compile_commands.json, and flags of nvcc's own, as options of the
 * command. Flags that say how to optimise, for which GPU, or what to link are left out: the simulator decides these by itself.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandsFor } from '../project/compile-commands.ts';
import { type CompileCommand, optionsOf, type SourceOption, shellWords } from '../project/source-options.ts';
import { STANDARDS } from '../simulator/options/standards.ts';
import { UsageError } from './command.ts';

/** Files of options may name further ones, so deep. */
const MOST_FILES = 8;

/** Flags of nvcc that go without a value, and do not change what a program computes. */
const LEFT_OUT =
  /^(-O[0-3s]?|-g|-G|-w|-W\S*|-m64|-lineinfo|-l\S+|-L\S+|-c|-dc|-(-generate-)?line-?info|-arch=\S+|-code=\S+|-gencode=\S+|--gpu-architecture=\S+|--generate-code=\S+|(-rdc|--relocatable-device-code)=\S+|--?extended-lambda|--?expt-(relaxed-constexpr|extended-lambda)|-Xcompiler=\S+|-Xptxas=\S+|-f(?!mad|tz)\S+|-forward-unknown-to-host-compiler)$/;
/** Those that the next argument belongs to. */
const LEFT_OUT_WITH_VALUE = new Set(['-arch', '-code', '-gencode', '--gpu-architecture', '--generate-code', '-rdc', '--relocatable-device-code', '-Xcompiler', '-Xptxas', '-Xlinker', '-Xcudafe', '-ccbin', '-x', '-o', '-MF', '-MT', '-isystem-after']); // biome-ignore format: list

/** The arguments as the command's options say them. */
export function withoutCompilerFlags(args: readonly string[]): string[] {
  const given = expanded(args, 0);
  const result: string[] = [];
  for (let k = 0; k < given.length; k++) {
    const [name, value] = splitOption(given[k]);
    const take = (): string => {
      if (value !== undefined) return value;
      if (k + 1 >= given.length) throw new UsageError(`${name} takes a value`);
      return given[++k];
    };
    if (name === '-std' || name === '--std') result.push(`--standard=${standardOf(take())}`);
    else if (name === '-default-stream' || name === '--default-stream') result.push(...defaultStream(take()));
    else if (name === '-isystem') result.push('-I', take());
    else if (name === '--compile-commands' || name === '-p') result.push(...fromCompileCommands(take(), given));
    else if (LEFT_OUT_WITH_VALUE.has(name)) take();
    else if (!LEFT_OUT.test(given[k])) result.push(given[k]);
  }
  return result;
}

function splitOption(arg: string): readonly [name: string, value: string | undefined] {
  const at = arg.startsWith('-') ? arg.indexOf('=') : -1;
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

function standardOf(text: string): string {
  const name = text.replace('gnu++', 'c++').replace('c++1z', 'c++17').replace('c++2a', 'c++20');
  if (!STANDARDS.some((standard) => standard === name)) throw new UsageError(`unknown standard "${text}"; choose ${STANDARDS.join(', ')}`);
  return name;
}

function defaultStream(text: string): readonly string[] {
  if (text === 'per-thread') return ['-D', 'CUDA_API_PER_THREAD_DEFAULT_STREAM=1'];
  if (text === 'legacy' || text === 'null') return [];
  throw new UsageError(`--default-stream takes legacy or per-thread, not "${text}"`);
}

/** `@FILE` and `--options-file FILE` are what the file has. */
function expanded(args: readonly string[], depth: number): string[] {
  const result: string[] = [];
  for (let k = 0; k < args.length; k++) {
    const [name, value] = splitOption(args[k]);
    const isFile = name === '--options-file' || name === '-optf';
    if (!isFile && !args[k].startsWith('@')) result.push(args[k]);
    else {
      const file = args[k].startsWith('@') ? args[k].slice(1) : (value ?? args[++k] ?? '');
      if (depth === MOST_FILES) throw new UsageError(`files of options name each other more than ${MOST_FILES} deep: ${file}`);
      result.push(...expanded(shellWords(textOf(file, 'a file of options')), depth + 1));
    }
  }
  return result;
}

function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file || 'nothing'} cannot be read as ${what}`);
  }
}

/** Include folders, macros and the standard of the sources that are given, as compile_commands.json has them. */
function fromCompileCommands(path: string, given: readonly string[]): string[] {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'compile_commands.json') : path;
  const sources = new Set(given.filter((arg) => !arg.startsWith('-')).map((arg) => resolve(arg)));
  const text = textOf(file, 'compile commands');
  let found: readonly CompileCommand[];
  try {
    found = commandsFor(sources, text, dirname(file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read as compile commands: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (found.length === 0) throw new UsageError(`${file} has no entry for ${[...sources].join(', ') || 'any file that is given'}`);
  const options = found.flatMap(optionsOf).map((option) => JSON.stringify(asArguments(option)));
  return [...new Set(options)].flatMap((option) => JSON.parse(option) as string[]);
}

/** As the command has them. */
function asArguments([option, value]: SourceOption): readonly string[] {
  switch (option) {
    case '-std':
      return [`--standard=${standardOf(value)}`];
    case '-default-stream':
      return defaultStream(value);
    case 'float':
      return [value];
    default:
      return [option, value];
  }
}
