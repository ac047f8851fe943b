/**
 * Where Clang completes a name, it reads every name of the precompiled header to offer it: half of the time that an answer takes, for names
 * that are the same each time (header-names.ts has them). libclang's users can leave them out; Clang's command line has no word for
 * that, so the option is set where it lies in Clang's memory.
 */

/** As on the command line: the file, and the line and the column in it, from 1. */
export interface CompletionPoint {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/**
 * In LLVM 22's FrontendOptions, in words before the line of the point: the length of its file's path, and CodeCompleteOptions, a byte of
 * flags.
 */
const PATH_LENGTH = 2;
const OPTIONS = 21;
const FLAGS = 0x7f;
/** IncludeMacros, IncludeGlobals, IncludeNamespaceLevelDecls and LoadExternal: what `-code-completion-macros` alone comes to. */
const EXPECTED = 0x2d;
const LOAD_EXTERNAL = 0x20;

/** Once Clang has read its command line. False where the options are not found: then Clang offers all names. */
export function leaveOutHeaderNames(memory: WebAssembly.Memory, { path, line, column }: CompletionPoint): boolean {
  const words = new Uint32Array(memory.buffer);
  const pathBytes = new TextEncoder().encode(path);
  const bytes = new Uint8Array(memory.buffer);
  let found = false;
  for (let at = words.indexOf(line, OPTIONS); at >= 0; at = words.indexOf(line, at + 1)) {
    if (words[at + 1] !== column || words[at - PATH_LENGTH] !== pathBytes.length) continue;
    if ((words[at - OPTIONS] & FLAGS) !== EXPECTED) continue;
    const name = words[at - PATH_LENGTH - 1];
    if (!pathBytes.every((byte, i) => bytes[name + i] === byte)) continue;
    words[at - OPTIONS] &= ~LOAD_EXTERNAL;
    found = true;
  }
  return found;
}
