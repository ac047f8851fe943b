/**
 * Headers of a project: the texts that `#include "name"` and `#include <name>` bring in. The caller reads them; a text is scanned once and its items are shared
 * by all files that include it, also what they parse to.
 */
import { closeSource, dialectOf, editSource, openSource, type Source } from './source.ts';

export interface HeaderText {
  readonly path: string;
  readonly text: string;
}

export interface IncludedName {
  readonly name: string;
  /** `"name"` may lie beside the including file, `<name>` in a folder for headers only. */
  readonly form: 'quoted' | 'angled';
}

/** The caller's side. */
export interface HeaderFiles {
  /** What a directive in the file `from` means; nothing where there is no such file or it is not to be read. */
  find(included: IncludedName, from: string): HeaderText | undefined;
}

export interface Header {
  readonly path: string;
  readonly source: Source;
}

/** Finds the header that a directive in the file `from` means. */
export type Include = (included: IncludedName, from: string) => Header | undefined;

/** Limits for one file with all that it includes, so that a library does not take an editor's time. Lengths in UTF-16 units. */
export const INCLUDE_LIMITS = { depth: 32, headerLength: 200_000, totalLength: 600_000 } as const;

/** Larger files are not worth reading: they are left out in any case. A character takes up to three bytes in UTF-8. */
export const MOST_HEADER_BYTES = 3 * INCLUDE_LIMITS.headerLength;

/** Nothing for other directives, and for names that macros stand for. */
export function includedName(directive: string): IncludedName | undefined {
  const [, quoted, angled] = /^#\s*include\s*(?:"([^"\n]+)"|<([^>\n]+)>)/.exec(directive) ?? [];
  if (quoted !== undefined) return { name: quoted, form: 'quoted' };
  return angled === undefined ? undefined : { name: angled, form: 'angled' };
}

/** As many of the headers that were used last as this many characters hold stay scanned. */
const KEPT_LENGTH = 4_000_000;

export class HeaderStore {
  /** By path, those used last at the end. */
  private readonly sources = new Map<string, Source>();
  private length = 0;

  /** The header with the text that it has now. Of a text that changed, items outside the change stay the same objects. */
  open({ path, text }: HeaderText): Header {
    const known = this.sources.get(path);
    const source = known ? withText(known, text) : openSource(text, dialectOf(path));
    this.sources.delete(path);
    this.sources.set(path, source);
    this.length += text.length - (known?.text.length ?? 0);
    this.trim(path);
    return { path, source };
  }

  private trim(used: string): void {
    for (const [path, source] of this.sources) {
      if (this.length <= KEPT_LENGTH || path === used) return;
      this.sources.delete(path);
      this.length -= source.text.length;
      closeSource(source);
    }
  }
}

function withText(source: Source, text: string): Source {
  const before = source.text;
  if (before === text) return source;
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === text.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < shorter - start && before.charCodeAt(before.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) tail++;
  return editSource(source, start, before.length - tail, text.slice(start, text.length - tail));
}
