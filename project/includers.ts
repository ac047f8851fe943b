/**
 * Which programs near a header include it: what the header's kernels are launched with, and what their templates stand for, is said there.
 * A source without a main function may be such a header, too.
 */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type HeaderFiles, includedName } from '../analyzers/syntax/headers.ts';
import { fileScopeNames, wordsOf } from './file-scope-names.ts';
import { regularText } from './regular-files.ts';

const SOURCES = new Set(['.cu', '.cpp', '.cc', '.cxx']);
const HEADERS = new Set(['.cuh', '.h', '.hh', '.hpp', '.hxx', '.h++', '.inl', '.inc']);

/** More files than these nobody reads through for one header. */
const MOST_FILES = 200;
const MOST_BYTES = 1 << 20;
/** The first of them say enough. */
const MOST_INCLUDERS = 3;

export function isHeader(path: string): boolean {
  return HEADERS.has(extname(path));
}

const MAIN = /\b(?:int|auto)\s+main\s*\(/;

export function hasMain(text: string): boolean {
  return MAIN.test(text);
}

export function mayBeIncluded(path: string, text: string): boolean {
  return isHeader(path) || (SOURCES.has(extname(path)) && !hasMain(text));
}

/** Paths of sources in the header's folder, the folder above and that one's other folders, which include it directly or by other headers. */
export function includersOf(header: string, opened: (path: string) => string | undefined = () => undefined): string[] {
  const near = nearbyFiles(dirname(header)).map((path) => ({ path, included: includedNames(opened(path) ?? textOf(path)) }));
  const known = new Set(near.map(({ path }) => path));
  const ways = new Set([header]);
  const includesOneOf = ({ path, included }: (typeof near)[number]) => {
    // A file of that name beside who includes it comes before all others.
    const names = included.map((name) => ({ name, beside: join(dirname(path), name) }));
    return names.some(({ name, beside }) =>
      known.has(beside) ? ways.has(beside) : [...ways].some((way) => basename(way) === basename(name)),
    );
  };
  for (let before = 0; before < ways.size; ) {
    before = ways.size;
    for (const each of near) if (isHeader(each.path) && includesOneOf(each)) ways.add(each.path);
  }
  const including = near.filter((each) => each.path !== header && SOURCES.has(extname(each.path)) && includesOneOf(each));
  return including.slice(0, MOST_INCLUDERS).map(({ path }) => path);
}

/** Programs around one kernel, which the editor writes: what includes a file as anybody's program does is none of them. */
export function isHarness(path: string): boolean {
  return path.endsWith('.harness.cu');
}

/**
 * What stands in front of a file in the program beside it that includes it: its headers and macros, which the file may need without
 * including them itself. Nothing of what hangs on conditions.
 */
export function directivesBefore(path: string, opened: (path: string) => string | undefined = () => undefined): string[] {
  const program = includersOf(path, opened).find((each) => dirname(each) === dirname(path) && !isHarness(each));
  if (program === undefined) return [];
  const found: string[] = [];
  let depth = 0;
  for (const line of (opened(program) ?? textOf(program)).split('\n')) {
    const [, word, rest = ''] = /^\s*#\s*(\w+)\s*(.*?)\s*$/.exec(line) ?? [];
    if (word === 'include' && /^["<]([^">]+)[">]/.exec(rest)?.[1].replace(/^\.\//, '') === basename(path)) return found;
    if (word?.startsWith('if')) depth++;
    else if (word === 'endif') depth--;
    else if (depth === 0 && (word === 'include' || (word === 'define' && !rest.endsWith('\\')))) found.push(line.trim());
  }
  return [];
}

/** Paths of the sources in a file's folder, itself among them. */
export function sourcesBeside(path: string): string[] {
  const folder = dirname(path);
  const names = namesIn(folder, 'file').filter((name) => SOURCES.has(extname(name)));
  return names.slice(0, MOST_FILES).map((name) => join(folder, name));
}

/** A program, and what to analyse of it. */
export interface Program {
  readonly path: string;
  readonly text: string;
}

const KERNELS = /__global__[^;{}()]*?(?:__launch_bounds__\s*\([^()]*\)[^;{}()]*?)?\b(\w+)\s*\([^;{}]*\)\s*\{/g;

/**
 * The source beside a file that launches its kernels and does not include it: the two are linked. As if it included the file, behind its
 * own text; undefined where that would change what the file means.
 */
export function launcherOf(path: string, text: string, headers: HeaderFiles): Program | undefined {
  if (isHeader(path)) return undefined;
  const kernels = [...text.matchAll(KERNELS)].map(([, name]) => name);
  const launches = kernels.map((name) => new RegExp(`\\b${name}\\s*(?:<[^;{}<>]*>\\s*)?<\\s*<\\s*<`));
  const own = launches.some((launch) => launch.test(text));
  if (kernels.length === 0 || own) return undefined;
  const sources = namesIn(dirname(path), 'file').filter((name) => SOURCES.has(extname(name)) && name !== basename(path));
  const programs = sources.slice(0, MOST_FILES).map((name) => {
    const beside = join(dirname(path), name);
    return { path: beside, text: textOf(beside) };
  });
  const defines = (other: Program) => [...other.text.matchAll(KERNELS)].some(([, name]) => kernels.includes(name));
  const launching = programs.filter((other) => launches.some((launch) => launch.test(other.text)) && !defines(other));
  // Of several main functions, each belongs to a program of its own, which may not be linked with this file.
  if (launching.length !== 1 || changesMeaning(launching[0], { path, text }, { kernels, headers })) return undefined;
  return { ...launching[0], text: `${launching[0].text}\n#include "${basename(path)}"\n` };
}

/** Whether the file has a name that the launcher, or a header of the launcher's alone, defines: in the program each has its own. */
function changesMeaning(
  launcher: Program,
  file: Program,
  { kernels, headers }: { readonly kernels: readonly string[]; readonly headers: HeaderFiles },
): boolean {
  const parts = withHeaders(file, headers);
  const words = new Set([...parts.values()].flatMap((text) => [...wordsOf(text)]));
  return [...withHeaders(launcher, headers)].some(([path, text]) => {
    if (parts.has(path)) return false;
    const names = fileScopeNames(text);
    if (!names) return true;
    return (
      [...names.macros].some((name) => words.has(name)) || [...names.others].some((name) => words.has(name) && !kernels.includes(name))
    );
  });
}

/** The texts of a source and of all that it includes, by path. */
function withHeaders(source: Program, headers: HeaderFiles): Map<string, string> {
  const texts = new Map([[source.path, source.text]]);
  for (const [path, text] of texts) {
    for (const [directive] of text.matchAll(/#[ \t]*include[ \t]*["<][^">\n]+[">]/g)) {
      const included = includedName(directive);
      const header = included && headers.find(included, path);
      if (header && texts.size < MOST_FILES && !texts.has(header.path)) texts.set(header.path, header.text);
    }
  }
  return texts;
}

/** Those of the other sources and headers in a file's folder, but for other programs: of two main functions, each has one of its own. */
export function textsBeside(file: string, opened: (path: string) => string | undefined): string[] {
  const folder = dirname(file);
  const names = namesIn(folder, 'file').filter((name) => SOURCES.has(extname(name)) || HEADERS.has(extname(name)));
  const paths = names.map((name) => join(folder, name)).filter((path) => path !== file);
  const read = (path: string) => opened(path) ?? textOf(path);
  const texts = paths.slice(0, MOST_FILES).map(read);
  return hasMain(read(file)) ? texts.filter((text) => !hasMain(text)) : texts;
}

function nearbyFiles(folder: string): string[] {
  const above = dirname(folder);
  const found: string[] = [];
  for (const place of [folder, above, ...foldersIn(above)]) {
    for (const name of namesIn(place, 'file')) {
      const path = join(place, name);
      if ((SOURCES.has(extname(name)) || HEADERS.has(extname(name))) && !found.includes(path)) found.push(path);
      if (found.length === MOST_FILES) return found;
    }
  }
  return found;
}

function foldersIn(folder: string): string[] {
  return namesIn(folder, 'folder').map((name) => join(folder, name));
}

function namesIn(folder: string, kind: 'file' | 'folder'): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const wanted = entries.filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory() && !entry.name.startsWith('.')));
    return wanted.map(({ name }) => name).sort();
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return regularText(path, MOST_BYTES) ?? '';
  } catch {
    return '';
  }
}

function includedNames(text: string): string[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]/gm)].map(([, name]) => name);
}
