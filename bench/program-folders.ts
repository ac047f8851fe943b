/**
 * Finds the programs of a folder of public CUDA code, the flags that their build files give (compile_commands.json, plain lines of
 * CMakeLists.txt and Makefiles), and the arguments with which they are run (test_args.json of NVIDIA's samples, the target `run` of a
 * Makefile). What a build script computes is not known.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface Program {
  /** Relative to the folder that was searched. */
  readonly name: string;
  readonly folder: string;
  /** Absolute paths; the one with main first. */
  readonly sources: readonly string[];
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  /** Arguments of each run that it is tested with: one without any unless something else is said. */
  readonly runs: readonly (readonly string[])[];
}

const SOURCE = /\.(cu|cpp|cc|cxx|c)$/;
const MAIN = /^[ \t]*(?:extern\s+"C"\s+)?(?:int|void|auto)?\s*\b(?:CUTLASS_)?main\s*\(/m;
const SKIPPED = /^(\..*|node_modules|build|CMakeFiles|doc|docs)$/;

/** `wanted` says which folders are read; folders below are asked for themselves. */
export function programsIn(root: string, wanted: (folder: string) => boolean = () => true): Program[] {
  return foldersOf(root)
    .filter(wanted)
    .flatMap((folder) => programsOf(root, folder));
}

function foldersOf(folder: string): string[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !SKIPPED.test(entry.name));
  return [folder, ...inner.flatMap(({ name }) => foldersOf(join(folder, name)))].sort();
}

/** A folder with one main is one program of all its files; with several, each is a program unless a build file says what belongs to it. */
function programsOf(root: string, folder: string): Program[] {
  const files = readdirSync(folder).filter((name) => SOURCE.test(name)).sort(); // biome-ignore format: one step
  const texts = new Map(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
  const mains = files.filter((name) => MAIN.test(withoutComments(texts.get(name)!)));
  if (mains.length === 0 || !files.some((name) => name.endsWith('.cu') || /#include\s*[<"]cuda/.test(texts.get(name)!))) return [];
  const flags = flagsOf(folder);
  const others = files.filter((name) => !mains.includes(name) && !isIncluded(name, texts));
  return mains.map((main) => {
    const listed = flags.targets.find((target) => target.includes(main));
    // What is compiled for itself, to be loaded when the program runs, is named elsewhere in the build file.
    const loaded = listed ? others.filter((each) => each.endsWith('.cu') && flags.named(each)) : [];
    const sources = listed
      ? [...listed, ...loaded.filter((each) => !listed.includes(each))]
      : [main, ...(mains.length === 1 ? others : [])];
    const name = folder === root ? main : folder.slice(root.length + 1) + (mains.length === 1 ? '' : `/${main}`);
    const existing = [main, ...sources.filter((each) => each !== main && existsSync(join(folder, each)))];
    const { defines, includes } = flags;
    return { name, folder, sources: existing.map((each) => join(folder, each)), defines, includes, runs: runsOf(root, folder) };
  });
}

/** Each line in one piece; empty where there is none. */
export function makefileOf(folder: string): string {
  const file = join(folder, 'Makefile');
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\\\n', ' ') : '';
}

function runsOf(root: string, folder: string): readonly (readonly string[])[] {
  const listed = [root, dirname(root)].map((each) => join(each, 'test_args.json')).find(existsSync);
  if (listed) {
    const known = JSON.parse(readFileSync(listed, 'utf8')) as Record<string, { args?: string[]; runs?: { args: string[] }[] }>;
    const { args, runs } = known[basename(folder)] ?? {};
    return runs?.map((each) => each.args) ?? [args ?? []];
  }
  const run = /^run:.*\n\t.*?\.\/(?:\$[({]\w+[)}]|\w+)(.*)$/m.exec(makefileOf(folder))?.[1];
  const words = run ? wordsOf(run) : [];
  return [words.some((word) => /[$|<>&;`]/.test(word)) ? [] : words];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

function isIncluded(name: string, texts: ReadonlyMap<string, string>): boolean {
  const quoted = name.replace(/[.+]/g, '\\$&');
  return [...texts.values()].some((text) => new RegExp(`^\\s*#\\s*include\\s*["<]${quoted}[">]`, 'm').test(text));
}

interface Flags {
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  /** Files of each target that a build file lists. */
  readonly targets: readonly (readonly string[])[];
  /** The build file names the file. */
  named(file: string): boolean;
}

function flagsOf(folder: string): Flags {
  const text = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  const makefile = makefileOf(folder);
  const cmake = text('CMakeLists.txt').replace(/#.*$/gm, '');
  const words = [...commands(folder), ...plainWords(makefile), ...plainWords(cmake)];
  const called = (name: string) => [...cmake.matchAll(new RegExp(`\\b${name}\\s*\\(([^)]*)\\)`, 'g'))].flatMap(([, args]) => wordsOf(args));
  const folders = [...called('include_directories'), ...called('target_include_directories'), ...after(words, '-I')];
  const made = /^(?:source|SOURCES?|SRCS?)\s*:?=\s*(.*)$/m.exec(makefile)?.[1];
  const listed = made ? [wordsOf(made).filter((each) => SOURCE.test(each))] : [];
  const targets = [...cmake.matchAll(/\badd_executable\s*\(\s*\S+([^)]*)\)/g)].map(([, args]) =>
    wordsOf(args).filter((each) => SOURCE.test(each)),
  );
  return {
    defines: [...new Set(after([...words, ...called('add_definitions')], '-D'))].filter((each) => /^\w+(=[^$]*)?$/.test(each)),
    includes: [...new Set(folders.map((each) => each.replace(/^\$\{?\(?(CMAKE_CURRENT_SOURCE_DIR|PROJECT_SOURCE_DIR)\)?\}?/, '.')))]
      .filter((each) => !/\$|^(PRIVATE|PUBLIC|INTERFACE|SYSTEM)$/.test(each))
      .map((each) => resolve(folder, each))
      .filter(existsSync),
    targets: [...targets, ...listed],
    named: (file) => cmake.includes(file),
  };
}

/** The words of all commands of the folder's compile_commands.json. */
function commands(folder: string): string[] {
  const file = [folder, dirname(folder)].map((each) => join(each, 'compile_commands.json')).find(existsSync);
  if (!file) return [];
  const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly { command?: string; arguments?: readonly string[]; file: string }[];
  return entries
    .filter((each) => resolve(dirname(file), each.file).startsWith(folder))
    .flatMap((each) => each.arguments ?? wordsOf(each.command ?? ''));
}

function plainWords(text: string): string[] {
  return wordsOf(text.replace(/\\\n/g, ' ')).filter((word) => /^-[DI]./.test(word) && !word.includes('$'));
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function after(words: readonly string[], flag: string): string[] {
  return words.filter((word) => word.startsWith(flag) && word.length > 2).map((word) => word.slice(2));
}
