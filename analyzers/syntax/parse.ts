/**
 * What an item's expanded tokens define. tree-sitter reads them (tree/): with its grammar of C++ in plain C++ files and headers, with that
 * of CUDA elsewhere, and wherever words of CUDA come up.
 */
import type { Def, Stmt } from './ast.ts';
import { closing } from './brackets.ts';
import { CUDA_WORDS, type TypeNames } from './names.ts';
import type { Token } from './token.ts';
import type { Dialect, Grammars } from './tree/grammar.ts';
import { definitionsIn, dropTree, type TreeHolder } from './tree/parse.ts';

export interface ParseOptions {
  /** That of the file: `cuda` unless said otherwise. */
  readonly dialect?: Dialect;
  /** What keeps the tree from one parse to the next. */
  readonly holder?: TreeHolder;
  /** Macros and conditionals; asked for what is parsed alone. */
  readonly expand?: (tokens: readonly Token[]) => readonly Token[];
  /** Whose bodies are parsed at once: kernels' where they are sure to be looked into, or nobody's. */
  readonly eager?: 'kernels' | 'none';
}

/**
 * What the tokens define. Of a function only the head is parsed at first, and its body when something looks into it: much of a file is
 * host code that no rule asks about, and much of a header concerns others.
 */
export function parseDefinitions(grammars: Grammars, written: readonly Token[], known: TypeNames, options: ParseOptions = {}): Def[] {
  const { dialect = 'cuda', holder = {}, expand = (tokens) => tokens, eager = 'kernels' } = options;
  const parse = (tokens: readonly Token[], keeper: TreeHolder) =>
    definitionsIn(tokens, { grammars, dialect: dialectOf(tokens, dialect), known, holder: keeper });
  const whole = () => parse(withoutTables(expand(written)), holder);
  const open = written.length < FEWEST_LAZY ? undefined : bodyOf(written);
  if (open === undefined || (eager === 'kernels' && isKernel(written, open))) return whole();
  const holderOfHead: TreeHolder = {};
  const head = parse(expand([...written.slice(0, open + 1), written[written.length - 1]]), holderOfHead);
  dropTree(holderOfHead);
  const def = head[0];
  if (head.length !== 1 || def.d !== 'function' || def.body?.k !== 'block') return whole();
  const { start, end } = def.body;
  return [{ ...def, body: new LazyBlock(start, end, () => bodyIn(whole())) }];
}

/** Tokens of an initialiser outside functions from which on it is a table of data, which the model never looks into. */
const FEWEST_OF_TABLE = 64;

/** Empties `= { … }` of tables of data at the top level: some files have a hundred thousand numbers in one. */
function withoutTables(tokens: readonly Token[]): readonly Token[] {
  if (tokens.length < FEWEST_OF_TABLE) return tokens;
  for (let i = 0; i + 1 < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === '(' || text === '[') i = closing(tokens, i);
    else if (text === '{') return tokens;
    else if (text === '=' && tokens[i + 1].text === '{') {
      const close = closing(tokens, i + 1);
      if (close - i < FEWEST_OF_TABLE) return tokens;
      return [...tokens.slice(0, i + 2), ...withoutTables(tokens.slice(close))];
    }
  }
  return tokens;
}

/** Headers are shared with plain C++ files by their name alone; what is CUDA in them says so. */
function dialectOf(tokens: readonly Token[], ofFile: Dialect): Dialect {
  return ofFile === 'cuda' || tokens.some(({ text }) => CUDA_WORDS.has(text)) ? 'cuda' : 'cpp';
}

/** Below this many tokens a second parse costs more than it saves. */
const FEWEST_LAZY = 60;
const NO_FUNCTION = new Set(['struct', 'class', 'union', 'enum', 'namespace', 'typedef', 'using', '=', ':', ';', '[', ']']);

function isKernel(tokens: readonly Token[], open: number): boolean {
  for (let i = 0; i < open; i++) if (tokens[i].text === '__global__') return true;
  return false;
}

/** Index of the brace that opens the body, where the tokens are one function and nothing else. */
function bodyOf(tokens: readonly Token[]): number | undefined {
  let sawParameters = false;
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i];
    if (kind === 'directive' || NO_FUNCTION.has(text)) return undefined;
    if (text === '(') {
      i = closing(tokens, i);
      sawParameters = true;
    } else if (text === '<' && tokens[i - 1]?.text === 'template') {
      // `template <class T>` is no class.
      while (i < tokens.length && tokens[i].text !== '>') i++;
    } else if (text === '{') return sawParameters && closing(tokens, i) === tokens.length - 1 ? i : undefined;
  }
  return undefined;
}

function bodyIn(defs: readonly Def[]): readonly Stmt[] {
  for (const def of defs) if (def.d === 'function' && def.body?.k === 'block') return def.body.body;
  return [];
}

/**
 * A block that is read when something looks into it. A class: V8 keeps the accessors of an object literal, with all that they hold, in
 * places that only its rare full collections clear, so that every file's tokens and trees would outlive the file by far.
 */
class LazyBlock {
  readonly k = 'block';
  readonly start: number;
  readonly end: number;
  readonly #read: () => readonly Stmt[];
  #body: readonly Stmt[] | undefined;

  constructor(start: number, end: number, read: () => readonly Stmt[]) {
    this.start = start;
    this.end = end;
    this.#read = read;
  }

  get body(): readonly Stmt[] {
    this.#body ??= this.#read();
    return this.#body;
  }
}
