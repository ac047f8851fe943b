/**
 * The names that completion offers from the precompiled headers, which no program changes: asked once for each kind of place, and put
 * together with a program's own. Marks at the beginning of the program tell what kind of place it is: Clang offers those that fit.
 */
import { time } from '#platform';
import type { Candidate, Completions } from './completion.ts';
import type { Side } from './flags.ts';

/** `declarations`: where a declaration begins, so that variables and functions do not fit. */
type Place = 'code' | 'declarations';

/** What the headers' names at a place depend on. */
export interface HeaderScope {
  readonly side: Side;
  readonly place: Place;
  /** Namespaces of the headers whose names need no qualifier. */
  readonly namespaces: readonly string[];
}

/** Namespaces of the precompiled headers that programs use names of. */
const NAMESPACES = ['std', 'std::chrono', 'std::placeholders', 'std::this_thread', 'cooperative_groups'];

const MARK = '__lanewise_mark_';
const types = ['type', 'structure', 'union', 'enumeration', 'namespace', 'template', 'macro'];
const values = ['enumerator', 'function', 'function_template', 'variable', 'constant'];

/** Lines that go before a program's own. */
export const marks = [
  `typedef int ${MARK}type; struct ${MARK}structure; union ${MARK}union; enum ${MARK}enumeration { ${MARK}enumerator };`,
  `void ${MARK}function(); extern int ${MARK}variable; constexpr int ${MARK}constant = 1; namespace ${MARK}namespace {}`,
  `template <class T> struct ${MARK}template; template <class T> void ${MARK}function_template(T);`,
  ...NAMESPACES.map((name) => {
    const parts = name.split('::');
    return `${parts.map((part) => `namespace ${part} { `).join('')}struct ${MARK}in_${idOf(name)}; ${'}'.repeat(parts.length)}`;
  }),
  `#define ${MARK}macro`,
];

/** A line that goes where only what is compiled has an effect. */
export const compiledMark = `#define ${MARK}compiled`;

/** Of every language that is compiled. */
const ANY_MACRO = '__STDC_HOSTED__';

/** Whether the line of `compiledMark` is, in a text without the other marks: where macros fit, it is one of them. */
export function isCompiledIn({ candidates }: Completions): boolean {
  const names = new Set(candidates.map(({ name }) => name));
  return !names.has(ANY_MACRO) || names.has(`${MARK}compiled`);
}

interface Found {
  readonly own: Completions;
  /** `none` where names of the headers do not fit, `unknown` where only some of them do. */
  readonly scope: HeaderScope | 'none' | 'unknown';
  /** The line is among what is compiled. Known where macros fit. */
  readonly isCompiled: boolean;
}

/** What Clang has found without the headers' names, without the marks. */
export function withoutMarks({ candidates, signatures }: Completions, side: Side): Found {
  const isMark = ({ name }: Candidate) => name.startsWith(MARK);
  const own = { candidates: candidates.filter((candidate) => !isMark(candidate)), signatures };
  const seen = new Set(candidates.filter(isMark).map(({ name }) => name.slice(MARK.length)));
  const isCompiled = !seen.has('macro') || seen.has('compiled');
  if (seen.size === 0) return { own, scope: 'none', isCompiled };
  const namespaces = NAMESPACES.filter((name) => seen.has(`in_${idOf(name)}`));
  const place = placeOf(seen);
  return { own, scope: place ? { side, place, namespaces } : 'unknown', isCompiled };
}

function placeOf(seen: ReadonlySet<string>): Place | undefined {
  if (!types.every((kind) => seen.has(kind))) return undefined;
  const fitting = values.filter((kind) => seen.has(kind)).length;
  if (fitting === 0) return 'declarations';
  return fitting === values.length ? 'code' : undefined;
}

/** A program in which all names are the headers', and the line at which they are asked for. */
export function emptyProgram({ place, namespaces }: HeaderScope): { readonly text: string; readonly line: number } {
  const opened = namespaces.map((name) => `using namespace ${name};`);
  const lines = [...opened, ...(place === 'code' ? [`int ${MARK}value = (`, '', ');'] : ['', `int ${MARK}value;`])];
  return { text: lines.join('\n'), line: lines.indexOf('') + 1 };
}

/** Variables that every function has, and what libc++ is in. */
const OF_THE_COMPILER = new Set(['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__', '__1']);

/** Nobody who has typed nothing for so long minds waiting once. */
const FORGOTTEN_MS = 300_000;

/** The lists of names that have been asked for, until nobody has for a while. */
export class HeaderNames {
  readonly #lists = new Map<string, Promise<readonly Candidate[] | undefined>>();
  /** Most are in all lists. */
  readonly #candidates = new Map<string, Candidate>();
  readonly #ask: (scope: HeaderScope) => Promise<Completions>;
  #stopForgetting = (): void => {};

  /** `ask`: what is offered in `emptyProgram`; nothing where Clang has failed. */
  constructor(ask: (scope: HeaderScope) => Promise<Completions>) {
    this.#ask = ask;
  }

  /** Undefined where Clang has failed. */
  of(scope: HeaderScope): Promise<readonly Candidate[] | undefined> {
    this.#stopForgetting();
    this.#stopForgetting = time.later(FORGOTTEN_MS, () => this.#forget());
    const key = JSON.stringify(scope);
    let list = this.#lists.get(key);
    if (!list) {
      list = this.#ask(scope).then(({ candidates }) => {
        if (candidates.length > 0) return this.#listOf(candidates);
        this.#lists.delete(key);
        return undefined;
      });
      this.#lists.set(key, list);
    }
    return list;
  }

  #listOf(candidates: readonly Candidate[]): readonly Candidate[] {
    const ofHeaders = candidates.filter(({ name }) => /^[A-Za-z_]\w*$/.test(name) && !name.startsWith(MARK) && !OF_THE_COMPILER.has(name));
    return ofHeaders.map((candidate) => {
      const text = JSON.stringify(candidate);
      const known = this.#candidates.get(text) ?? { ...candidate, isOfHeaders: true };
      this.#candidates.set(text, known);
      return known;
    });
  }

  #forget(): void {
    this.#lists.clear();
    this.#candidates.clear();
  }
}

/** A program's own names hide the headers', but for functions, which both may have. */
export function withHeaderNames({ candidates, signatures }: Completions, fromHeaders: readonly Candidate[]): Completions {
  const own = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const same = own.get(candidate.name);
    if (same) same.push(candidate);
    else own.set(candidate.name, [candidate]);
  }
  const further = fromHeaders.filter((candidate) => {
    const same = own.get(candidate.name);
    if (!same) return true;
    return isFunction(candidate) && same.every((each) => isFunction(each) && !isAlike(each, candidate));
  });
  return { candidates: [...candidates, ...further], signatures };
}

function isFunction({ type, parameters }: Candidate): boolean {
  return type !== undefined && parameters !== undefined;
}

function isAlike(a: Candidate, b: Candidate): boolean {
  return a.type === b.type && a.parameters?.join() === b.parameters?.join();
}

function idOf(namespace: string): string {
  return namespace.replaceAll('::', '_');
}
