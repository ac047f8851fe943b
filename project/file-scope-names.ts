/**
 * Which names a source defines for what comes after it, by its text alone: rather one too many than one too few. Names that a macro makes
 * are not known.
 */

const QUIET = /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'/g;
const DIRECTIVES = /^[ \t]*#(?:[^\n\\]|\\[\s\S])*/gm;
const MACROS = /^[ \t]*#[ \t]*(?:define|undef)[ \t]+(\w+)/gm;

const NO_NAMES = new Set(
  (
    'alignas auto bool char class const constexpr decltype default delete double enum extern final float inline int long namespace ' +
    'noexcept override short signed static static_assert struct template typedef typename union unsigned using void volatile'
  ).split(' '),
);

/** Brackets within brackets. */
const MOST_DEPTH = 20;

export interface FileScopeNames {
  readonly macros: ReadonlySet<string>;
  /** Functions, variables, constants and types. */
  readonly others: ReadonlySet<string>;
}

/** Undefined where they cannot be told: brackets without a partner, or operators, which are used without their name. */
export function fileScopeNames(text: string): FileScopeNames | undefined {
  const code = spoken(text);
  const macros = new Set([...code.matchAll(MACROS)].map(([, name]) => name));
  const outer = outsideBodies(code.replace(DIRECTIVES, ''));
  if (outer === undefined || /\boperator\b/.test(outer)) return undefined;
  const pointers = [...outer.matchAll(/\(\s*[*&]\s*(\w+)/g)];
  const declared = without(without(outer, /\([^()]*\)/g, '#'), /<[^<>;]*>/g, ' ').replace(/=[^,;}]*/g, '=');
  const types = [...declared.matchAll(/\b(?:struct|class|union|enum|namespace|concept|using)\s+(?:(?:struct|class)\s+)?(\w+)/g)];
  const declarators = [...declared.matchAll(/\b([A-Za-z_]\w*)\s*[#=;,{}[:]/g)];
  const names = [...pointers, ...types, ...declarators].map(([, name]) => name);
  return { macros, others: new Set(names.filter((name) => !NO_NAMES.has(name) && !name.startsWith('__'))) };
}

/** All words but those of comments and strings. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(spoken(text).match(/\b[A-Za-z_]\w*/g));
}

function spoken(text: string): string {
  return text.replace(QUIET, (quiet) => (quiet.startsWith('/') ? ' ' : '""'));
}

/** What stands in braces is left out, but for that of namespaces, linkages and enumerations. */
function outsideBodies(code: string): string | undefined {
  const isOpen: boolean[] = [];
  let hidden = 0;
  let outer = '';
  let head = '';
  for (const piece of code.split(/([;{}])/)) {
    if (piece === '{') {
      const opens = hidden === 0 && /\bnamespace\b|\benum\b|\bextern\s*""\s*$/.test(head);
      isOpen.push(opens);
      if (hidden === 0) outer += piece;
      if (!opens) hidden++;
    } else if (piece === '}') {
      const opened = isOpen.pop();
      if (opened === undefined) return undefined;
      if (!opened) hidden--;
      if (hidden === 0) outer += piece;
    } else if (hidden === 0) outer += piece;
    head = piece;
  }
  return isOpen.length === 0 ? outer : undefined;
}

/** From the innermost brackets outwards. */
function without(text: string, brackets: RegExp, instead: string): string {
  let left = text;
  for (let depth = 0; depth < MOST_DEPTH; depth++) left = left.replaceAll(brackets, instead);
  return left;
}
