/** Clang's candidates as an editor shows them. */
import { type CompletionItem, CompletionItemKind, type CompletionList, InsertTextFormat } from 'vscode-languageserver/node';
import { builtin, builtinNames } from '../../analyzers/hover/builtins.ts';
import type { Candidate, Signature } from '../../simulator/toolchain/completion.ts';
import { isOffered, KEYWORDS, rankOf, typeShown } from './names.ts';

export interface Situation {
  /** What stands before the cursor of the name. */
  readonly typed: string;
  /** What the name stands behind: `.` or `->`, `::`, or neither. */
  readonly after: 'object' | 'scope' | 'nothing';
  /** Names that the file has already. */
  readonly near: ReadonlySet<string>;
  readonly snippets: boolean;
}

/** Those that a hover explains: what CUDA programs use most. */
const EXPLAINED = new Set(builtinNames());
/** Clang keeps names that begin with two underscores to itself, which many of CUDA's do. */
const CUDA_NAMES = builtinNames().filter((name) => name.startsWith('__'));

/** As many as somebody looks through; more are found by typing on. */
const MOST_ITEMS = 1000;

interface Offer {
  readonly name: string;
  readonly isOwn: boolean;
  item(): CompletionItem;
}

/** The best first: what the file has already, then the program's own names and what a hover explains. */
export function completionList(candidates: readonly Candidate[], { typed, after, near, snippets }: Situation): CompletionList {
  const overloads = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    // A class has its own name among its members.
    if (!isOffered(candidate.name, typed) || (after === 'object' && !candidate.type)) continue;
    const same = overloads.get(candidate.name);
    if (same) same.push(candidate);
    else overloads.set(candidate.name, [candidate]);
  }
  const offers: Offer[] = [...overloads].map(([name, same]) => ({
    name,
    isOwn: !same.every(({ isOfHeaders }) => isOfHeaders),
    item: () => itemOf(same, snippets),
  }));
  const further = (names: readonly string[], kind: CompletionItemKind) => {
    for (const name of names)
      if (!overloads.has(name) && isOffered(name, typed))
        offers.push({ name, isOwn: false, item: () => ({ label: name, kind, ...documentation(name) }) });
  };
  if (after === 'nothing') {
    further(KEYWORDS, CompletionItemKind.Keyword);
    further(CUDA_NAMES, CompletionItemKind.Function);
  }
  const within = ({ name, isOwn }: Offer) => (near.has(name) ? 0 : isOwn || EXPLAINED.has(name) ? 1 : 2);
  const items = offers
    .map((offer) => ({ offer, rank: 3 * rankOf(offer.name, typed) + within(offer) }))
    .sort((a, b) => a.rank - b.rank || (a.offer.name < b.offer.name ? -1 : 1))
    .slice(0, MOST_ITEMS)
    .map(({ offer }, i) => ({ ...offer.item(), sortText: String(i).padStart(5, '0') }));
  return { isIncomplete: offers.length > MOST_ITEMS, items };
}

function itemOf(same: readonly Candidate[], snippets: boolean): CompletionItem {
  const [first] = same;
  const { name } = first;
  const more = same.length - 1;
  const text = textOf(first);
  const detail = more > 0 ? `${text} (+${more} overload${more === 1 ? '' : 's'})` : text;
  const item: CompletionItem = { label: name, kind: kindOf(first), ...(detail !== name && { detail }), ...documentation(name) };
  if (!snippets || !first.type || !first.parameters) return item;
  if (same.every(({ parameters }) => parameters?.length === 0)) return { ...item, insertText: `${name}()` };
  return {
    ...item,
    insertText: `${name}($0)`,
    insertTextFormat: InsertTextFormat.Snippet,
    command: { title: 'Signature help', command: 'editor.action.triggerParameterHints' },
  };
}

function documentation(name: string): Pick<CompletionItem, 'documentation'> {
  const value = builtin(name, '');
  return value === undefined ? {} : { documentation: { kind: 'markdown', value } };
}

function kindOf({ name, type, parameters }: Candidate): CompletionItemKind {
  if (type) return parameters ? CompletionItemKind.Function : CompletionItemKind.Variable;
  if (/^[A-Z_][A-Z0-9_]*$/.test(name)) return CompletionItemKind.Constant;
  return CompletionItemKind.Class;
}

/** `cudaError_t cudaFree(void *pointer)`, `float mass`. */
function textOf({ name, type, parameters, qualifiers }: Candidate): string {
  const shown = type && typeShown(type);
  const head = shown ? `${shown}${/[*&]$/.test(shown) ? '' : ' '}` : '';
  return `${head}${name}${parameters ? `(${parameters.join(', ')})` : ''}${qualifiers ?? ''}`;
}

/** With the parameters that have default values, if there is one candidate that begins so. */
export function signatureOf(signature: Signature, candidates: readonly Candidate[]): Pick<Signature, 'text' | 'parameters'> {
  const shown = signature.parameters.map(([start, end]) => signature.text.slice(start, end));
  const [full, ...others] = candidates.filter(
    ({ name, type, parameters }) =>
      parameters !== undefined &&
      parameters.length > shown.length &&
      shown.every((parameter, i) => parameter === parameters[i]) &&
      signature.text.startsWith(`${type ? textOf({ name, type }) : name}(`),
  );
  if (!full?.parameters || others.length > 0) return signature;
  const text = textOf(full);
  const parameters: [number, number][] = [];
  let at = text.indexOf('(');
  for (const parameter of full.parameters) {
    const start = text.indexOf(parameter, at);
    parameters.push([start, start + parameter.length]);
    at = start + parameter.length;
  }
  return { text, parameters };
}

/**
 * Of overloads with room for the argument that is being written, the one whose parameters have most of the types of those that are; among
 * several such, that of `float`, which device code computes with.
 */
export function bestSignature(
  signatures: readonly Pick<Signature, 'text' | 'parameters'>[],
  given: readonly string[],
  candidates: readonly Candidate[],
): number {
  const types = given.map((argument) => typeOfArgument(argument, candidates));
  const scores = signatures.map(({ text, parameters }) => {
    if (parameters.length < given.length) return -1;
    const shown = parameters.map(([start, end]) => plainType(text.slice(start, end)));
    const same = types.filter((type, i) => type !== undefined && (shown[i] === type || shown[i].startsWith(`${type} `)));
    return 2 * same.length + Number(shown.some((parameter) => /^float\b/.test(parameter)));
  });
  return Math.max(0, scores.indexOf(Math.max(...scores)));
}

/** Of numbers, variables and elements; nothing of what would have to be computed. */
function typeOfArgument(argument: string, candidates: readonly Candidate[]): string | undefined {
  if (/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?f$/i.test(argument)) return 'float';
  if (/^(\d+\.\d*|\.\d+|\d+(?=e))(e[+-]?\d+)?$/i.test(argument)) return 'double';
  if (/^\d+$/.test(argument)) return 'int';
  const [, name, index] = /^([A-Za-z_]\w*)(\[.*\])?$/s.exec(argument) ?? [];
  const type = candidates.find((candidate) => candidate.name === name && candidate.type && !candidate.parameters)?.type;
  if (type === undefined) return undefined;
  const plain = plainType(type);
  return index === undefined ? plain : /\*$/.test(plain) ? plain.slice(0, -1).trim() : undefined;
}

function plainType(text: string): string {
  return text
    .replace(/\b(const|volatile)\b|&/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const MOST_DECLARATIONS = 4;

/** As Markdown; undefined for a name of which no more is known. */
export function declarationOf(name: string, candidates: readonly Candidate[]): string | undefined {
  const texts = [...new Set(candidates.filter((candidate) => candidate.name === name).map(textOf))].filter((text) => text !== name);
  if (texts.length === 0) return undefined;
  const more = texts.length - MOST_DECLARATIONS;
  const rest = more > 0 ? `\n\n${more} more overload${more === 1 ? '' : 's'}` : '';
  return `\`\`\`cuda-cpp\n${texts.slice(0, MOST_DECLARATIONS).join('\n')}\n\`\`\`${rest}`;
}
