/**
 * What a run says about lines of its program's files: at their places while the texts change, and whether these are still the texts that ran.
 * An undo that leads back to a text that ran makes what was said of it true again.
 */
import { realPath } from '../project/regular-files.ts';
import type { TextEdit } from '../protocol/finding.ts';
import type { LineAnnotation } from '../protocol/run.ts';
import { shiftLines } from './shift-lines.ts';
import { pathOf } from './uris.ts';

/** Names a file, however a client writes its URI and wherever links lead. */
export function fileKey(uri: string): string {
  const path = pathOf(uri);
  return path === undefined ? uri : keyOfPath(path);
}

export function keyOfPath(path: string): string {
  return realPath(path) ?? path;
}

interface RanFile {
  readonly path: string;
  /** Undefined where nobody knows what it was. */
  readonly ran: string | undefined;
  /** At the lines of the text that ran. */
  readonly said: readonly LineAnnotation[];
  /** At the lines of the text as it is now. */
  annotations: readonly LineAnnotation[];
  changed: boolean;
}

export interface RanText {
  readonly path: string;
  /** Undefined where nobody knows what it was. */
  readonly text: string | undefined;
  readonly said: readonly LineAnnotation[];
}

/** Edits of a file, in order; nothing where all its text was replaced. */
export type Edits = readonly TextEdit[] | undefined;

export class RunFiles {
  private readonly files = new Map<string, RanFile>();

  add(path: string, ran: string | undefined, said: readonly LineAnnotation[]): void {
    this.files.set(keyOfPath(path), { path, ran, said, annotations: said, changed: false });
  }

  /** As they ran. */
  all(): RanText[] {
    return [...this.files.values()].map(({ path, ran, said }) => ({ path, text: ran, said }));
  }

  has(key: string): boolean {
    return this.files.has(key);
  }

  annotations(key: string): readonly LineAnnotation[] {
    return this.files.get(key)?.annotations ?? [];
  }

  /** The text of some file is not the one that ran. */
  get stale(): boolean {
    return [...this.files.values()].some(({ changed }) => changed);
  }

  /** `text`: as it is after the edits. */
  edited(key: string, edits: Edits, text: string | undefined): void {
    const file = this.files.get(key);
    if (!file || this.isBack(file, text)) return;
    file.changed = true;
    file.annotations = file.annotations.flatMap((annotation) => {
      const line = shiftLines(annotation.line, edits);
      return line === undefined ? [] : [{ ...annotation, line }];
    });
  }

  /** The file's text is this one now, and how it became so is not known: opened, or written by somebody else. */
  replaced(key: string, text: string | undefined): void {
    const file = this.files.get(key);
    if (!file || this.isBack(file, text)) return;
    file.changed = true;
    file.annotations = [];
  }

  /** Line numbers are kept only while a file is open. */
  closed(key: string): void {
    const file = this.files.get(key);
    if (file) file.annotations = [];
  }

  private isBack(file: RanFile, text: string | undefined): boolean {
    if (text === undefined || text !== file.ran) return false;
    file.changed = false;
    file.annotations = file.said;
    return true;
  }
}
