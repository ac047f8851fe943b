/**
 * What can stand at a place of a source file, and what the call around it takes, as Clang's own parser knows it. The file may be as broken as
 * text is that somebody types.
 *
 *   const { candidates, signatures } = await completionsAt({ file, text, includeDirs: [], defines: [] }, { line: 3, column: 7, side: 'host' });
 */
import { withDefaults } from '../options/limits.ts';
import { runTool } from './clang-pool.ts';
import { type CompileRequest, readableFor } from './compile.ts';
import { asIfCompiled, decidingLine, withoutLoopHints } from './completed-text.ts';
import { compileArgs, languageOf, type Side, syntaxArgs } from './flags.ts';
import { compiledMark, emptyProgram, HeaderNames, isCompiledIn, marks, withHeaderNames, withoutMarks } from './header-names.ts';
import { fitsPrecompiledHeader, hasPrecompiledHeader, precompiledHeaderPath } from './precompiled-headers.ts';
import { ReadableFiles } from './readable-files.ts';
import { systemFolders } from './system-libraries.ts';
import type { ToolRun } from './tool-run.ts';
import { hasCccl, searchedFolders } from './toolkit-folders.ts';
import { packageRoot, toVirtualPath } from './virtual-paths.ts';

/** Where a name begins, or an argument. Both count from 1; columns count bytes of UTF-8, as Clang's do. */
export interface CompletionPlace {
  readonly line: number;
  readonly column: number;
  /** Code of kernels sees `__CUDA_ARCH__`. */
  readonly side: Side;
}

export interface Candidate {
  readonly name: string;
  /** Type of the variable or member, or what a function returns. */
  readonly type?: string;
  /** Of a function or a macro with arguments; undefined for what is not called. */
  readonly parameters?: readonly string[];
  /** Behind the parameters: ` const`. */
  readonly qualifiers?: string;
  /** Every program has it, by the headers that come without being included. */
  readonly isOfHeaders?: boolean;
}

/** Clang leaves out parameters with default values that no argument is there for yet. */
export interface Signature {
  /** As declared: `cudaError_t cudaFree(void *pointer)`. */
  readonly text: string;
  /** Where each parameter stands in the text: start and end. */
  readonly parameters: readonly (readonly [start: number, end: number])[];
  /** Index of the one at the place; undefined where there are fewer. */
  readonly active?: number;
}

export interface Completions {
  readonly candidates: readonly Candidate[];
  readonly signatures: readonly Signature[];
}

type FileRequest = Omit<CompileRequest, 'others' | 'debug' | 'watched' | 'progress' | 'text'> & { readonly text: string };

export interface CompletionRequest extends FileRequest {
  /** A program that includes the file, which says what the names in it mean. */
  readonly within?: FileRequest;
}

export type CompletionsAt = (request: CompletionRequest, place: CompletionPlace) => Promise<Completions>;

/** Nothing where Clang itself fails, since whoever types goes on. Rejects with the signal's reason. */
export async function completionsAt({ within, ...asked }: CompletionRequest, place: CompletionPlace): Promise<Completions> {
  const own = { ...asked, text: withoutLoopHints(asked.text, place.line) };
  if (within) {
    const found = await completionsIn(own, place, within);
    // Where the program leaves the place out, it says nothing of it.
    if (found.candidates.length + found.signatures.length > 0) return found;
  }
  return completionsIn(own, place);
}

/** In a file by itself, or within a program that includes it. */
async function completionsIn(own: FileRequest, place: CompletionPlace, within?: FileRequest): Promise<Completions> {
  const ask = (text: string, at: CompletionPlace, isMarked: boolean) => {
    const program = within && { ...within, unsaved: { ...within.unsaved, [own.file]: text }, signal: own.signal };
    return answer({ own, text, isMarked, at, program });
  };
  const deciding = decidingLine(own.text, place.line);
  if (deciding === undefined) return (await ask(own.text, place, false)).found;
  const lines = own.text.split('\n');
  const marked = [...lines.slice(0, deciding), compiledMark, ...lines.slice(deciding)].join('\n');
  const { found, isCompiled } = await ask(marked, { ...place, line: place.line + 1 }, true);
  return isCompiled ? found : (await ask(asIfCompiled(own.text, place.line), place, false)).found;
}

interface Asked {
  readonly own: FileRequest;
  /** The file's, which need not be the request's own. */
  readonly text: string;
  /** `compiledMark` is in the text. */
  readonly isMarked: boolean;
  readonly at: CompletionPlace;
  /** The one that includes the file, if it is not compiled by itself. */
  readonly program: FileRequest | undefined;
}

/** `isCompiled` is for texts that are marked. */
async function answer({ own, text, isMarked, at, program }: Asked): Promise<{ readonly found: Completions; readonly isCompiled: boolean }> {
  const request = program ?? { ...own, text };
  const path = toVirtualPath(own.file);
  const { side } = at;
  const isUsual = languageOf(request.file) === 'cuda' && fitsPrecompiledHeader(request.defines) && hasPrecompiledHeader(side);
  // Behind `::` are the names of one namespace, which may be the headers'.
  if (!isUsual || request.text.startsWith(BYTE_ORDER_MARK) || /::\s*$/.test(textBefore(text, at))) {
    const found = await clangAt(request, path, at);
    return { found, isCompiled: !isMarked || isCompiledIn(found) };
  }
  const line = program ? at.line : at.line + marks.length;
  const marked = { ...request, text: [...marks, request.text].join('\n') };
  const { own: found, scope, isCompiled } = withoutMarks(await clangAt(marked, path, { ...at, line }, 'own names'), side);
  if (scope === 'none' || (!isCompiled && isMarked)) return { found, isCompiled };
  const further = scope === 'unknown' ? undefined : await headerNames.of(scope);
  return { found: further ? withHeaderNames(found, further) : await clangAt(request, path, at), isCompiled };
}

const BYTE_ORDER_MARK = '\uFEFF';

function textBefore(text: string, { line, column }: CompletionPlace): string {
  const lines = text.split('\n', line);
  const written = new TextEncoder().encode(lines.pop()).subarray(0, column - 1);
  return `${lines.slice(-2).join('\n')}\n${new TextDecoder().decode(written)}`;
}

const headerNames = new HeaderNames((scope) => {
  const { text, line } = emptyProgram(scope);
  const file = `${packageRoot}/names.cu`;
  return clangAt({ file, text, includeDirs: [], defines: [] }, toVirtualPath(file), { line, column: 1, side: scope.side });
});

async function clangAt(
  request: FileRequest,
  at: string,
  { line, column, side }: CompletionPlace,
  names?: 'own names',
): Promise<Completions> {
  const run = syntaxRun(request, side, ['-code-completion-macros', `-code-completion-at=${at}:${line}:${column}`]);
  const { errorText } = await runTool({ ...run, ownNamesAt: names && { path: at, line, column } }, request.signal);
  return parseCompletions(errorText);
}

/** Clang's parser alone on a file, with the precompiled header if it fits. */
export function syntaxRun(request: FileRequest, side: Side, further: readonly string[]): ToolRun {
  const { file, text, includeDirs, defines, limits } = request;
  const header = fitsPrecompiledHeader(defines) && hasPrecompiledHeader(side);
  const readableFiles = new ReadableFiles(readableFor(request));
  const folders = searchedFolders(includeDirs, readableFiles);
  const args = compileArgs(side, file, {
    includeDirs: folders,
    systemFolders: systemFolders(),
    asNvcc: !hasCccl(folders, readableFiles),
    defines,
    names: [],
    debug: 'lines',
    deviceLaunches: false,
    nesting: withDefaults(limits),
    precompiledHeader: header ? precompiledHeaderPath[side] : undefined,
  });
  return {
    args: syntaxArgs(args, further),
    files: [[toVirtualPath(file), new TextEncoder().encode(text)]],
    readable: readableFor(request),
    sourceMiB: limits?.sourceMiB,
    unsaved: request.unsaved,
    output: '',
    precompiledHeader: header ? side : undefined,
    limitSeconds: MOST_SECONDS,
  };
}

/** Parameters of the functions that every program has by the precompiled header, by name; several where it is overloaded. */
export async function headerFunctions(): Promise<ReadonlyMap<string, readonly (readonly string[])[]>> {
  const functions = new Map<string, (readonly string[])[]>();
  for (const { name, type, parameters } of (await headerNames.of({ side: 'host', place: 'code', namespaces: [] })) ?? []) {
    if (type === undefined || parameters === undefined) continue;
    const same = functions.get(name);
    if (same) same.push(parameters);
    else functions.set(name, [parameters]);
  }
  return functions;
}

/** Nobody waits for longer. */
const MOST_SECONDS = 10;

/** `COMPLETION: name (Hidden) : [#type#]name(<#int a#>)` and `OVERLOAD: [#type#]name(<#int a#>, int b)`, a line each. */
export function parseCompletions(text: string): Completions {
  const candidates: Candidate[] = [];
  const signatures: Signature[] = [];
  for (const line of text.split('\n')) {
    const completion = /^COMPLETION: (.+?)(?: \((?:[A-Z]\w+,?)+\))?(?: : (.*))?$/.exec(line);
    if (completion && completion[1] !== 'Pattern') candidates.push(candidateOf(completion[1], completion[2] ?? completion[1]));
    else if (line.startsWith('OVERLOAD: ')) signatures.push(signatureOf(line.slice('OVERLOAD: '.length)));
  }
  return { candidates, signatures };
}

function candidateOf(name: string, chunks: string): Candidate {
  const { type, rest } = splitType(chunks);
  const qualifiers = /\[#(.*?)#\]$/.exec(rest)?.[1];
  const open = rest.indexOf('(', name.length);
  const close = rest.lastIndexOf(')');
  const parameters = open >= name.length && close > open ? splitTop(plain(rest.slice(open + 1, close))) : undefined;
  return { name, ...(type && { type }), ...(parameters && { parameters }), ...(qualifiers && { qualifiers }) };
}

function signatureOf(chunks: string): Signature {
  const { type, rest } = splitType(chunks);
  const head = type ? `${type}${/[*&]$/.test(type) ? '' : ' '}` : '';
  const marker = rest.indexOf('<#');
  const text = head + plain(rest);
  const open = text.indexOf('(', head.length);
  const close = text.lastIndexOf(')');
  const parameters: [number, number][] = [];
  let at = open + 1;
  for (const parameter of open < 0 ? [] : splitTop(text.slice(open + 1, close))) {
    const start = text.indexOf(parameter, at);
    parameters.push([start, start + parameter.length]);
    at = start + parameter.length;
  }
  const place = marker < 0 ? -1 : head.length + unmarked(rest.slice(0, marker)).length;
  const active = parameters.findIndex(([start, end]) => place >= start && place < end);
  return { text, parameters, ...(active >= 0 && { active }) };
}

function splitType(chunks: string): { readonly type?: string; readonly rest: string } {
  const found = /^\[#(.*?)#\]/.exec(chunks);
  return found ? { type: found[1], rest: chunks.slice(found[0].length) } : { rest: chunks };
}

/** Without the marks of placeholders, of what may be left out and of what is only shown. */
function unmarked(chunks: string): string {
  return chunks.replace(/<#|#>|\{#|#\}|\[#|#\]/g, '');
}

function plain(chunks: string): string {
  return unmarked(chunks).trim();
}

/** At the commas that stand in no bracket. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if ('([{<'.includes(text[i])) depth++;
    else if (')]}>'.includes(text[i])) depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' ? parts : [...parts, last];
}
