/** What programs print, each in an output channel of its own, with links to the places that it names. */
import { dirname, isAbsolute, resolve } from 'node:path';
import * as vscode from 'vscode';

/** Declared in package.json, for the links. */
const LANGUAGE = 'lanewise-output';
/** `file.cu:5` and `dir/file.cuh:5:3`. */
const PLACE = /(?<file>(?:[A-Za-z]:)?[\w./\\+@-]+\.(?:cuh?|c|cc|cpp|cxx|h|hh|hpp|hxx|inl|inc)):(?<line>\d+)(?::(?<column>\d+))?/g;

/** The user's files of a program: those that a place in its output may mean. */
export interface ProgramFiles {
  /** Path of the first one. */
  readonly file: string;
  readonly sources: readonly string[];
}

export class ProgramOutput {
  private readonly channel: vscode.OutputChannel;
  private atLineStart = true;
  files: ProgramFiles;

  constructor(name: string, files: ProgramFiles) {
    this.channel = vscode.window.createOutputChannel(name, LANGUAGE);
    this.files = files;
  }

  get name(): string {
    return this.channel.name;
  }

  /** Forgets the run before. */
  begin(title: string): void {
    this.channel.clear();
    this.atLineStart = true;
    this.line(title);
    this.show();
  }

  write(text: string): void {
    this.channel.append(text);
    this.atLineStart = text.endsWith('\n');
  }

  /** Text of ours, on lines of its own. */
  line(text: string): void {
    this.write(`${this.atLineStart ? '' : '\n'}${text}\n`);
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}

/** `outputs`: those that there are. */
export function linkPlaces(outputs: () => Iterable<ProgramOutput>): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { language: LANGUAGE },
    {
      provideDocumentLinks(document) {
        const path = decodeURIComponent(document.uri.path);
        const output = [...outputs()].filter(({ name }) => path.includes(name)).sort((a, b) => b.name.length - a.name.length)[0];
        if (!output) return [];
        return [...document.getText().matchAll(PLACE)].flatMap((match) => {
          const { file, line, column } = match.groups!;
          const found = fileNamed(file, output.files);
          if (found === undefined) return [];
          const range = new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + match[0].length));
          const fragment = column === undefined ? `L${line}` : `L${line},${column}`;
          return [new vscode.DocumentLink(range, vscode.Uri.file(found).with({ fragment }))];
        });
      },
    },
  );
}

/** A file of the program by a name that a report or a diagnostic gives it; nothing for what is none of its files. */
export function fileNamed(name: string, { file, sources }: ProgramFiles): string | undefined {
  const beside = isAbsolute(name) ? name : resolve(dirname(file), name);
  if (beside === file || sources.includes(beside)) return beside;
  const ending = `/${name.replaceAll('\\', '/')}`;
  const named = [file, ...sources].filter((path) => `/${path.replaceAll('\\', '/')}`.endsWith(ending));
  return named.sort((a, b) => a.length - b.length)[0] ?? (sources.length === 0 ? beside : undefined);
}
