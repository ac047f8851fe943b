/** The open files: their texts and what they are analysed with. What the analyzers say about them is asked elsewhere (analysis/). */
import { dirname } from 'node:path';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { AnalyzerSettings } from '../analyzers/analyzer.ts';
import { MOST_TEXT } from '../project/not-analysed.ts';
import type { TextEdit } from '../protocol/finding.ts';
import type { DocumentState, Places } from './analysis/messages.ts';
import { fileKey } from './run-files.ts';
import { clampedEdit } from './text-edits.ts';
import { pathOf } from './uris.ts';

let generations = 0;

export interface DocumentParts {
  readonly settings: AnalyzerSettings;
  readonly places: Places | undefined;
}

export class OpenDocument {
  readonly uri: string;
  /** Names the file, however the client writes its URI, as it was when it was opened. */
  readonly fileKey: string;
  /** Undefined for a file that is not on the disk. */
  readonly folder: string | undefined;
  private text: TextDocument;
  private settings: AnalyzerSettings;
  private places: Places | undefined;
  /** Edits that cannot be made have come: nobody knows what the text is, until all of it comes again. */
  private lost = false;
  /** Changes with the text and with the settings; no two states of any files share one. */
  generation = ++generations;

  constructor(text: TextDocument, { settings, places }: DocumentParts) {
    this.uri = text.uri;
    this.fileKey = fileKey(text.uri);
    const path = pathOf(text.uri);
    this.folder = path === undefined ? undefined : dirname(path);
    this.text = text;
    this.settings = settings;
    this.places = places;
  }

  get version(): number {
    return this.text.version;
  }

  getText(): string {
    return this.text.getText();
  }

  state(): DocumentState {
    const { uri, text, settings, places } = this;
    return { uri, version: text.version, text: text.getText(), settings, places };
  }

  /** Why the file is not analysed, whatever the analyzers might say. */
  get refusal(): string | undefined {
    if (this.lost) return 'The editor has sent changes that do not fit this file, so Lanewise does not know its text. Close and open it.';
    return reasonToRefuse(this.getText());
  }

  /** Returns the edits with their ranges clamped to the text; nothing when the whole text was replaced. */
  edit(changes: readonly TextDocumentContentChangeEvent[], version: number): readonly TextEdit[] | undefined {
    this.generation = ++generations;
    const edits: TextEdit[] = [];
    let replaced = false;
    for (const change of changes) {
      const edit = clampedEdit(this.text, change);
      if (edit) edits.push(edit);
      else replaced = true;
      this.text = TextDocument.update(this.text, [change], version);
    }
    if (replaced) this.lost = false;
    return replaced ? undefined : edits;
  }

  losePlace(): void {
    this.generation = ++generations;
    this.lost = true;
  }

  configure({ settings, places }: DocumentParts): void {
    this.settings = settings;
    this.places = places;
    this.generation = ++generations;
  }
}

function reasonToRefuse(text: string): string | undefined {
  if (text.length > MOST_TEXT) {
    return `This file has ${(text.length / 1e6).toFixed(1)} million characters. Lanewise analyses files of up to ${MOST_TEXT / 1e6} million.`;
  }
  if (text.includes('\0')) return 'This file contains NUL characters. It is not C++ source, so Lanewise does not analyse it.';
  return undefined;
}
