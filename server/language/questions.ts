/**
 * Completion, signature help and types of names, from Clang. While a name is being typed, what can stand there stays the same, so Clang is
 * asked once where the name begins, and what it says is kept until the text around the name changes.
 */
import type { CompletionList, Position, SignatureHelp } from 'vscode-languageserver/node';
import type { CompletionPlace, CompletionRequest, Completions, CompletionsAt } from '../../simulator/toolchain/completion.ts';
import { bestSignature, completionList, declarationOf, signatureOf } from './shown.ts';

export interface QuestionParts {
  readonly completionsAt: CompletionsAt;
  /** The file as Clang shall read it; undefined where it is not to be asked. */
  request(uri: string): Promise<CompletionRequest | undefined>;
  /** Whether the code at a line, from 0, runs on the device. */
  isDeviceCode(uri: string, line: number): Promise<boolean>;
  /** The client replaces `$0` and the like in what it inserts. */
  snippets(): boolean;
}

export interface Declaration {
  readonly markdown: string;
  /** Columns of the name. */
  readonly start: number;
  readonly end: number;
}

interface Kept {
  readonly key: string;
  readonly completions: Promise<Completions>;
}

/** The name at a position, which may be empty. */
interface Word {
  readonly name: string;
  /** Line and first column, from 0. */
  readonly line: number;
  readonly start: number;
}

export class LanguageQuestions {
  private readonly parts: QuestionParts;
  private kept: Kept | undefined;

  constructor(parts: QuestionParts) {
    this.parts = parts;
  }

  async completion(uri: string, position: Position): Promise<CompletionList | undefined> {
    const request = await this.parts.request(uri);
    const word = request && wordAt(request.text, position);
    if (!word) return undefined;
    const { candidates } = await this.ask(uri, request, word);
    const before = lineOf(request.text, word.line)!.slice(0, word.start);
    const typed = word.name.slice(0, position.character - word.start);
    const after = /(\.|->)\s*$/.test(before) ? 'object' : /::\s*$/.test(before) ? 'scope' : 'nothing';
    const near = new Set(withoutName(request.text, word).match(/[A-Za-z_]\w*/g));
    return completionList(candidates, { typed, after, near, snippets: this.parts.snippets() });
  }

  async signatureHelp(uri: string, position: Position): Promise<SignatureHelp | undefined> {
    const request = await this.parts.request(uri);
    const word = request && wordAt(request.text, position);
    if (!word) return undefined;
    const { signatures, candidates } = await this.ask(uri, request, word);
    if (signatures.length === 0) return undefined;
    const given = openArguments(textBefore(request.text, word) + word.name);
    const index = given.length - 1;
    const shown = signatures.map((signature) => signatureOf(signature, candidates));
    return {
      signatures: shown.map(({ text, parameters }) => ({
        label: text,
        parameters: parameters.map(([start, end]) => ({ label: [start, end] })),
      })),
      activeSignature: bestSignature(shown, given, candidates),
      activeParameter: index,
    };
  }

  /** What the name at a position is declared as. */
  async declaration(uri: string, position: Position): Promise<Declaration | undefined> {
    const request = await this.parts.request(uri);
    const word = request && wordAt(request.text, position);
    if (!word || !/^[A-Za-z_]/.test(word.name)) return undefined;
    // Where it is declared nothing can be completed; where it is used next, it can.
    const places = [word, nextUse(request.text, word)].filter((place) => place !== undefined);
    for (const place of places) {
      const { candidates } = await this.ask(uri, request, place);
      const markdown = declarationOf(word.name, candidates);
      if (markdown !== undefined) return { markdown, start: word.start, end: word.start + word.name.length };
    }
    return undefined;
  }

  private async ask(uri: string, request: CompletionRequest, word: Word): Promise<Completions> {
    const side = (await this.parts.isDeviceCode(uri, word.line)) ? 'device' : 'host';
    const column = 1 + Buffer.byteLength(lineOf(request.text, word.line)!.slice(0, word.start));
    const place: CompletionPlace = { line: word.line + 1, column, side };
    // Without the name that stands there, the answer is that for all names that could.
    const text = withoutName(request.text, word);
    const key = [uri, place.line, column, side, ...request.defines, ...request.includeDirs, request.within?.text, text].join('\n');
    if (this.kept?.key !== key) {
      const kept = { key, completions: this.parts.completionsAt({ ...request, text }, place) };
      this.kept = kept;
      kept.completions.catch(() => {
        if (this.kept === kept) this.kept = undefined;
      });
    }
    return this.kept.completions;
  }
}

function wordAt(text: string, { line, character }: Position): Word | undefined {
  const written = lineOf(text, line);
  if (written === undefined || character > written.length) return undefined;
  let start = character;
  while (start > 0 && /\w/.test(written[start - 1])) start--;
  return { name: /^\w*/.exec(written.slice(start))![0], line, start };
}

function nextUse(text: string, { name, line, start }: Word): Word | undefined {
  const use = new RegExp(`\\b${name}\\b`, 'g');
  const lines = text.split('\n');
  for (let at = line; at < lines.length; at++) {
    use.lastIndex = at === line ? start + name.length : 0;
    const found = use.exec(lines[at]);
    if (found) return { name, line: at, start: found.index };
  }
  return undefined;
}

function lineOf(text: string, line: number): string | undefined {
  return text.split('\n')[line]?.replace(/\r$/, '');
}

function textBefore(text: string, { line, start }: Word): string {
  return [...text.split('\n').slice(0, line), lineOf(text, line)!.slice(0, start)].join('\n');
}

function withoutName(text: string, { name, line, start }: Word): string {
  const lines = text.split('\n');
  lines[line] = lines[line].slice(0, start) + lines[line].slice(start + name.length);
  return lines.join('\n');
}

/** As far back as a call's arguments may reach. */
const LONGEST_CALL = 4000;

/** The arguments behind the bracket that is open at the end of a text, as far as they are written: one at least, which may be empty. */
function openArguments(text: string): readonly string[] {
  const tail = text.slice(-LONGEST_CALL).replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'/g, (quoted) => ' '.repeat(quoted.length));
  const given: string[] = [];
  let depth = 0;
  let end = tail.length;
  let begin = tail.length;
  const take = () => given.unshift(tail.slice(begin + 1, end).trim());
  for (begin = tail.length - 1; begin >= 0; begin--) {
    const c = tail[begin];
    if (c === ')' || c === ']' || c === '}') depth++;
    else if ('([{'.includes(c)) {
      if (depth-- === 0) break;
    } else if (c === ',' && depth === 0) {
      take();
      end = begin;
    } else if (c === ';' && depth === 0) break;
  }
  take();
  return given;
}
