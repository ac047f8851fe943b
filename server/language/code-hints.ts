/**
 * Names of parameters at the arguments of calls, and the types of what is declared with `auto`, as the protocol's hints: the file is looked
 * at when typing has paused, and what was said of other lines moves with the text until then.
 */
import { type InlayHint, InlayHintKind, type Range } from 'vscode-languageserver/node';
import type { TextEdit } from '../../protocol/finding.ts';
import type { SyntaxTreeOf } from '../../simulator/toolchain/code-hints.ts';
import type { CompletionRequest } from '../../simulator/toolchain/completion.ts';
import type { Call, SyntaxTree, TreePlace, Variable } from '../../simulator/toolchain/syntax-tree.ts';
import { shiftLines } from '../shift-lines.ts';
import { typeShown } from './names.ts';

export interface WantedHints {
  readonly parameters: 'none' | 'literals' | 'all';
  readonly types: boolean;
}

interface HintParts {
  readonly syntaxTreeOf: SyntaxTreeOf;
  /** Undefined where Clang is not to be asked. */
  request(uri: string): Promise<CompletionRequest | undefined>;
  wanted(uri: string): Promise<WantedHints>;
  /** The client asks again when it is told to, and need not wait. */
  asksAgain(): boolean;
  /** There are others now. */
  changed(): void;
  failed(error: unknown): void;
}

interface Said {
  /** Undefined for hints that only have moved with their lines. */
  readonly about: string | undefined;
  readonly hints: readonly InlayHint[];
}

interface Asking {
  readonly about: string;
  readonly ending: AbortController;
  readonly done: Promise<void>;
}

/** Behind what Clang says of errors, for which it is asked after 250 ms. */
const PAUSE_MS = 500;

export class CodeHints {
  private readonly parts: HintParts;
  private readonly said = new Map<string, Said>();
  private readonly asking = new Map<string, Asking>();

  constructor(parts: HintParts) {
    this.parts = parts;
  }

  async of(uri: string, { start, end }: Range): Promise<readonly InlayHint[]> {
    const wanted = await this.parts.wanted(uri);
    const request = wanted.parameters === 'none' && !wanted.types ? undefined : await this.parts.request(uri);
    if (!request) {
      this.forget(uri);
      return [];
    }
    const about = JSON.stringify([wanted, request.text, request.within?.text, request.defines, request.includeDirs]);
    if (this.said.get(uri)?.about !== about) {
      const asking = this.ask(uri, about, { request, wanted });
      if (!this.parts.asksAgain()) await asking.done;
    }
    const hints = this.said.get(uri)?.hints ?? [];
    return hints.filter(({ position: { line } }) => line >= start.line && line <= end.line);
  }

  /** Without edits, all of its text was replaced. */
  edited(uri: string, edits: readonly TextEdit[] | undefined): void {
    const said = this.said.get(uri);
    if (!said) return;
    const hints = said.hints.flatMap((hint) => {
      const line = shiftLines(hint.position.line, edits);
      return line === undefined ? [] : [{ ...hint, position: { ...hint.position, line } }];
    });
    this.said.set(uri, { about: undefined, hints });
  }

  /** What the file includes has changed. */
  outdated(uri: string): void {
    const said = this.said.get(uri);
    if (!said) return;
    this.said.set(uri, { ...said, about: undefined });
    if (this.parts.asksAgain()) this.parts.changed();
  }

  forget(uri: string): void {
    this.asking.get(uri)?.ending.abort();
    this.asking.delete(uri);
    this.said.delete(uri);
  }

  end(): void {
    for (const uri of [...this.asking.keys()]) this.forget(uri);
  }

  private ask(uri: string, about: string, { request, wanted }: { request: CompletionRequest; wanted: WantedHints }): Asking {
    const before = this.asking.get(uri);
    if (before?.about === about) return before;
    before?.ending.abort();
    const ending = new AbortController();
    const { signal } = ending;
    const done = this.answer(request, wanted, signal).then(
      (hints) => {
        if (!hints || signal.aborted) return;
        this.said.set(uri, { about, hints });
        this.asking.delete(uri);
        if (this.parts.asksAgain()) this.parts.changed();
      },
      (error) => {
        if (signal.aborted) return;
        this.asking.delete(uri);
        this.parts.failed(error);
      },
    );
    const asking = { about, ending, done };
    this.asking.set(uri, asking);
    return asking;
  }

  private async answer(request: CompletionRequest, wanted: WantedHints, signal: AbortSignal): Promise<InlayHint[] | undefined> {
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    if (signal.aborted) return undefined;
    return codeHints(await this.parts.syntaxTreeOf({ ...request, signal }), request.text, wanted);
  }
}

/** The outermost call's where two have an argument at one place. */
export function codeHints(tree: SyntaxTree, text: string, { parameters, types }: WantedHints): InlayHint[] {
  const lines = text.split('\n');
  const found = new Map<string, InlayHint>();
  const add = (hint: InlayHint | undefined) => {
    if (!hint) return;
    const { line, character } = hint.position;
    const key = `${line}:${character}:${hint.kind}`;
    if (!found.has(key)) found.set(key, hint);
  };
  if (parameters !== 'none') for (const call of tree.calls) for (const hint of parameterHints(call, lines, parameters)) add(hint);
  if (types) for (const variable of tree.variables) add(typeHint(variable, lines));
  return [...found.values()].sort((a, b) => a.position.line - b.position.line || a.position.character - b.position.character);
}

function* parameterHints(
  { at: callee, parameters = [], args }: Call,
  lines: readonly string[],
  which: 'literals' | 'all',
): Iterable<InlayHint> {
  // The name of a function says what its only argument is. What a macro's text calls has the macro's arguments, which are for the macro.
  if (parameters.length < 2 || !callee || !writtenAt(callee, lines)) return;
  for (const [i, arg] of args.entries()) {
    const name = parameters[i]?.replace(/^_+/, '');
    // A letter says nothing that the argument doesn't.
    if (!arg || !name || ((which === 'literals' || name.length === 1) && !arg.isLiteral)) continue;
    const at = writtenAt(arg, lines);
    if (!at || !isArgument(at.before) || isSaid(name, at.after)) continue;
    yield { position: at.position, label: `${name}:`, kind: InlayHintKind.Parameter, paddingRight: true };
  }
}

/** Longer ones push the code out of sight. */
const LONGEST_TYPE = 32;

function typeHint(variable: Variable, lines: readonly string[]): InlayHint | undefined {
  const type = typeShown(variable.type).replace(/\b(?:enum|struct|class) /g, '');
  const at = writtenAt(variable, lines);
  if (!at?.after.startsWith(variable.name) || type.length > LONGEST_TYPE || /[()]|\bauto\b|<dependent|\b__/.test(type)) return undefined;
  // Of several that one `auto` declares, the others are of the first one's type.
  if (!/\bauto\b(?:\s|const\b|[&*]|__restrict__\b)*(?:\[[\w\s,]*)?$/.test(at.before)) return undefined;
  const { line, character } = at.position;
  return { position: { line, character: character + variable.name.length }, label: `: ${type}`, kind: InlayHintKind.Type };
}

interface Written {
  readonly position: { readonly line: number; readonly character: number };
  /** Of its line. */
  readonly before: string;
  readonly after: string;
}

/** Nothing in a directive: a macro's text stands for many. */
function writtenAt({ line, column }: TreePlace, lines: readonly string[]): Written | undefined {
  const text = lines[line - 1];
  if (text === undefined) return undefined;
  let first = line - 1;
  while (first > 0 && /\\\r?$/.test(lines[first - 1])) first--;
  if (/^\s*#/.test(lines[first])) return undefined;
  const before = Buffer.from(text)
    .subarray(0, column - 1)
    .toString();
  return { position: { line: line - 1, character: before.length }, before, after: text.slice(before.length) };
}

/** Behind a bracket or a comma. Who has written a comment there has said the name. */
function isArgument(before: string): boolean {
  return /(?:[({,]|<<<)\s*$|^\s*$/.test(before);
}

/** Is the argument's own name as good: `count`, `particle.count`, `d_count`, `countPerBlock`? */
function isSaid(parameter: string, after: string): boolean {
  const name = /^[&*]?(?:\w+(?:\.|->|::))*(\w+)\s*(?:[,)}[(]|>>>|$)/.exec(after)?.[1];
  if (!name) return false;
  const [said, wanted] = [name, parameter].map((each) => each.toLowerCase().replaceAll('_', ''));
  return said.endsWith(wanted) || said.startsWith(wanted) || (said.length > 2 && wanted.endsWith(said));
}
