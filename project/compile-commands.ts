/**
 * compile_commands.json, as CMake and others write it: how each source is compiled, or a Makefile in its place. What they say of folders and macros
 * counts for a source in an editor, too; the rest (standard, default stream, floating point) is for who runs it.
 */
import { statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { MadeArguments } from '../protocol/run.ts';
import { makefileArguments, makefileOptions, makefileSources } from './makefile-options.ts';
import { isInside, leadsInside, regularText } from './regular-files.ts';
import { type CompileCommand, optionsOf, type SourceOption, shellWords } from './source-options.ts';

/** Entries of these sources, absolute paths; throws where the text is no list. `folder`: the file's own. */
export function commandsFor(sources: ReadonlySet<string>, text: string, folder: string): readonly CompileCommand[] {
  return ofSources(sources, entriesOf(text), folder);
}

function entriesOf(text: string): readonly CompileCommand[] {
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new Error('it holds no list');
  return entries.filter((entry) => typeof entry === 'object' && entry !== null);
}

function ofSources(sources: ReadonlySet<string>, entries: readonly CompileCommand[], folder: string): readonly CompileCommand[] {
  return entries.filter(({ directory = folder, file = '' }) => sources.has(resolve(String(directory), String(file))));
}

/** Those of a project of ten thousand sources. */
const MOST_BYTES = 64 << 20;
const MOST_MAKEFILE_BYTES = 1 << 20;
/** Beside a source. */
const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile'];
/** Below the folder of a project. */
const PLACES = ['compile_commands.json', 'build/compile_commands.json'];

export interface EditorOptions {
  readonly includePaths: readonly string[];
  /** Those of them in the project, links followed: the file comes with the sources, and only the user can open folders elsewhere. */
  readonly includable: readonly string[];
  readonly defines: readonly string[];
  /** Programs of several files that the source belongs to; the one with the main function comes first. */
  readonly programs: readonly ProgramOfFiles[];
}

export interface ProgramOfFiles {
  readonly name: string;
  /** Absolute paths. */
  readonly files: readonly string[];
}

interface Known {
  readonly stamp: string;
  readonly text: string | undefined;
}

/** Such files of projects, read again when they have changed. */
export class CompileCommands {
  private readonly known = new Map<string, Known>();

  /**
   * Of a source below `root`: the nearest file above it counts, and where there is none, what the Makefile beside it plainly says. Nothing
   * where neither says anything of it, or cannot be read. Lists that are made by watching `make` do not say which objects are linked: the
   * Makefile does.
   */
  of(source: string, root: string): EditorOptions | undefined {
    for (let folder = dirname(source); isInside(root, folder); folder = dirname(folder)) {
      for (const place of PLACES) {
        const text = this.text(join(folder, place), MOST_BYTES);
        if (text === undefined) continue;
        const listed = editorOptions(source, { text, folder: dirname(join(folder, place)), root });
        return listed?.programs.length === 0 ? { ...listed, programs: this.made(source, root)?.programs ?? [] } : listed;
      }
      if (folder === dirname(folder)) break;
    }
    return this.made(source, root);
  }

  /** As the Makefile beside a source says. */
  private made(source: string, root: string): EditorOptions | undefined {
    for (const name of MAKEFILES) {
      const text = this.text(join(dirname(source), name), MOST_MAKEFILE_BYTES);
      if (text !== undefined) return madeOptions(source, { text, folder: dirname(source), root });
    }
    return undefined;
  }

  /** What `make run` gives the program of a source, where the Makefile beside it plainly says that. */
  argumentsOf(source: string): MadeArguments | undefined {
    for (const name of MAKEFILES) {
      const text = this.text(join(dirname(source), name), MOST_MAKEFILE_BYTES);
      if (text === undefined) continue;
      try {
        const args = makefileArguments(text, basename(sourceStem(source)));
        return args && { args, makefile: name };
      } catch {
        return undefined;
      }
    }
    return undefined;
  }

  /** Some file that was looked for is another one now. */
  haveChanged(): boolean {
    const changed = [...this.known].filter(([path, { stamp }]) => stampOf(path) !== stamp);
    for (const [path] of changed) this.known.delete(path);
    return changed.length > 0;
  }

  private text(path: string, mostBytes: number): string | undefined {
    const stamp = stampOf(path);
    const known = this.known.get(path);
    if (known?.stamp === stamp) return known.text;
    const text = stamp === '' ? undefined : readable(path, mostBytes);
    this.known.set(path, { stamp, text });
    return text;
  }
}

/** Empty for what is no file, and for what no path can be. */
function stampOf(path: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? `${found.size} ${found.mtimeMs}` : '';
  } catch {
    return '';
  }
}

function readable(path: string, mostBytes: number): string | undefined {
  try {
    return regularText(path, mostBytes);
  } catch {
    return undefined;
  }
}

interface Where {
  readonly text: string;
  readonly folder: string;
  readonly root: string;
}

function editorOptions(source: string, { text, folder, root }: Where): EditorOptions | undefined {
  let entries: readonly CompileCommand[];
  let options: readonly SourceOption[];
  try {
    entries = entriesOf(text);
    options = ofSources(new Set([source]), entries, folder).flatMap(optionsOf);
  } catch {
    return undefined;
  }
  const programs = programsWith(source, entries, folder).filter(({ files }) => files.every((path) => leadsInside(root, path)));
  return { ...chosen(options, root), programs };
}

function madeOptions(source: string, { text, folder, root }: Where): EditorOptions | undefined {
  try {
    return { ...chosen(makefileOptions(text, folder), root), programs: madePrograms(source, { text, folder, root }) };
  } catch {
    // Words that are longer than a regular expression can take.
    return undefined;
  }
}

/** Of several sources, among them this one, and one of which has a main function. Named as that one. */
function madePrograms(source: string, { text, folder, root }: Where): ProgramOfFiles[] {
  const programs = new Map<string, ProgramOfFiles>();
  const names = [source, sourceStem(source)];
  const isOfSource = (words: readonly string[]) =>
    words.length <= MOST_SOURCES &&
    words.some((word) => names.includes(word.endsWith('.o') ? sourceStem(resolve(folder, word)) : resolve(folder, word)));
  const lists = new Map(makefileSources(text).map((words) => [words.join('\n'), words]));
  for (const words of [...lists.values()].filter(isOfSource).slice(0, MOST_LISTS)) {
    const files = new Set(words.map((word) => sourceOf(resolve(folder, word))));
    if (!files.has(source) || ![...files].every((path) => leadsInside(root, path) && stampOf(path) !== '')) continue;
    const ordered = mainFirst([...files]);
    if (ordered) programs.set([...files].sort().join('\n'), { name: basename(ordered[0], extname(ordered[0])), files: ordered });
  }
  return [...programs.values()];
}

/** Of lists that have one source. */
const MOST_LISTS = 20;

function sourceStem(path: string): string {
  return path.slice(0, path.length - extname(path).length);
}

const EXTENSIONS = ['.cu', '.cpp', '.cc', '.cxx', '.c'];

/** That an object is made of. */
function sourceOf(path: string): string {
  if (!path.endsWith('.o')) return path;
  const stem = sourceStem(path);
  return EXTENSIONS.map((extension) => stem + extension).find((each) => stampOf(each) !== '') ?? path;
}

function chosen(options: readonly SourceOption[], root: string): Omit<EditorOptions, 'programs'> {
  const all = (option: string) => [...new Set(options.flatMap(([name, value]) => (name === option ? [value] : [])))];
  const includePaths = all('-I');
  return { includePaths, includable: includePaths.filter((path) => leadsInside(root, path)), defines: all('-D') };
}

/** CMake's folder for the objects of a target. */
const TARGET = /(?:^|[/\\])CMakeFiles[/\\]([^/\\]+)\.dir[/\\]/;
const SOURCE = /\.(cu|cpp|cc|cxx|c\+\+|c)$/i;
/** Of one program: more would be read for their main functions than somebody waits for. */
const MOST_SOURCES = 200;
const MOST_SOURCE_BYTES = 4 << 20;

/** Targets whose objects come from several sources, among them this one, and one of which has a main function. Libraries have none. */
function programsWith(source: string, entries: readonly CompileCommand[], own: string): ProgramOfFiles[] {
  const targetOf = ({ directory = own, output, command = '', arguments: given }: CompileCommand) => {
    const words = output === undefined ? (given ?? shellWords(command)) : [];
    const name = TARGET.exec(output ?? words[words.indexOf('-o') + 1] ?? '')?.[1];
    return name === undefined ? undefined : { name, key: `${directory} ${name}` };
  };
  const wanted = new Map(ofSources(new Set([source]), entries, own).flatMap((entry) => targetEntry(targetOf(entry))));
  if (wanted.size === 0) return [];
  const sources = new Map<string, Set<string>>([...wanted.keys()].map((key) => [key, new Set()]));
  for (const entry of entries) {
    const { directory = own, file = '' } = entry;
    if (SOURCE.test(file)) sources.get(targetOf(entry)?.key ?? '')?.add(resolve(directory, file));
  }
  return [...sources].flatMap(([key, files]) => {
    const ordered = mainFirst([...files]);
    return ordered ? [{ name: wanted.get(key)!, files: ordered }] : [];
  });
}

/** Nothing unless they are several, and one alone has a main function. */
function mainFirst(files: readonly string[]): readonly string[] | undefined {
  if (files.length < 2 || files.length > MOST_SOURCES) return undefined;
  const [first, ...others] = files.filter(hasMain);
  return first === undefined || others.length > 0 ? undefined : [first, ...files.filter((file) => file !== first)];
}

function targetEntry(target: { readonly name: string; readonly key: string } | undefined): [key: string, name: string][] {
  return target ? [[target.key, target.name]] : [];
}

function hasMain(path: string): boolean {
  return /\bmain\s*\(/.test(regularText(path, MOST_SOURCE_BYTES) ?? '');
}
